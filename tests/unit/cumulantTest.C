// The cumulant collision: against cumulants by their definition, and what its
// parametrisation does to shear waves

#include "latticeCase.H"
#include "choices.H"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

namespace lbmTest
{

namespace
{

using lattice27 = lbm::D3Q27;
using node = std::array<double, 27>;

//- Orders along the axes
using orders = std::array<int, 3>;

int placeOf(const orders& n)
{
    return n[0] + 3*n[1] + 9*n[2];
}

template<class Function>
void forEachOrder(const Function& f)
{
    for (int sum = 0; sum <= 6; ++sum)
    {
        for (int k = 0; k < 27; ++k)
        {
            const orders n{k % 3, (k/3) % 3, k/9};
            if (n[0] + n[1] + n[2] == sum)
            {
                f(n);
            }
        }
    }
}

double binomial(int n, int k)
{
    return n == 2 && k == 1 ? 2 : 1;
}

//- What the cumulants of lower order give to the moment of order n about zero,
//
//      m_n = sum_k binomial(n - e, k) C_(k + e) m_(n - e - k)
//
//  with a direction e along which n is not zero, less C_n itself
double ofLower(const orders& n, const node& cumulant, const node& moment)
{
    int axis = 0;
    while (n[axis] == 0)
    {
        ++axis;
    }
    orders rest = n;
    --rest[axis];

    double sum = 0;
    orders k;
    for (k[0] = 0; k[0] <= rest[0]; ++k[0])
    {
        for (k[1] = 0; k[1] <= rest[1]; ++k[1])
        {
            for (k[2] = 0; k[2] <= rest[2]; ++k[2])
            {
                if (k != rest)
                {
                    orders with = k, without;
                    ++with[axis];
                    double ways = 1;
                    for (int a = 0; a < 3; ++a)
                    {
                        without[a] = rest[a] - k[a];
                        ways *= binomial(rest[a], k[a]);
                    }
                    sum +=
                        ways*cumulant[placeOf(with)]*moment[placeOf(without)];
                }
            }
        }
    }
    return sum;
}

//- Cumulants of populations of unit density
node cumulantsOf(const node& g)
{
    node moment, result{};
    moment.fill(0);
    forEachOrder([&](const orders& n)
    {
        for (int i = 0; i < 27; ++i)
        {
            double power = 1;
            for (int a = 0; a < 3; ++a)
            {
                power *= std::pow(double(lattice27::c(i, a)), n[a]);
            }
            moment[placeOf(n)] += power*g[i];
        }
        if (placeOf(n) != 0)
        {
            result[placeOf(n)] =
                moment[placeOf(n)] - ofLower(n, result, moment);
        }
    });
    return result;
}

//- Populations of unit density with these cumulants
node populationsOf(const node& cumulant)
{
    node moment;
    moment[0] = 1;
    forEachOrder([&](const orders& n)
    {
        if (placeOf(n) != 0)
        {
            moment[placeOf(n)] =
                cumulant[placeOf(n)] + ofLower(n, cumulant, moment);
        }
    });

    // Of a lattice of one dimension: 1 - m2, (m2 + m1)/2, (m2 - m1)/2
    const auto share = [](int c, int order)
    {
        return
            c == 0
          ? (order == 0 ? 1.0 : order == 1 ? 0.0 : -1.0)
          : (order == 0 ? 0.0 : order == 1 ? 0.5*c : 0.5);
    };
    node g;
    for (int i = 0; i < 27; ++i)
    {
        g[i] = 0;
        forEachOrder([&](const orders& n)
        {
            double product = moment[placeOf(n)];
            for (int a = 0; a < 3; ++a)
            {
                product *= share(lattice27::c(i, a), n[a]);
            }
            g[i] += product;
        });
    }
    return g;
}

//- A collision by the paper, with the rate w of the stress and w2 of its trace:
//  equations (27) to (48), (111) to (123) of J. Comput. Phys. 348 (2017) 862
node collided
(
    const node& h,
    double w,
    double w2,
    double limit,
    const vec& F
)
{
    double rho = 0;
    for (const double x : h)
    {
        rho += x;
    }
    node g;
    for (int i = 0; i < 27; ++i)
    {
        g[i] = h[i] + lbm::weight<lattice27, double>(i)*(1 - rho);
    }
    node C = cumulantsOf(g);
    const auto of = [&](int x, int y, int z) -> double&
    {
        return C[placeOf({x, y, z})];
    };

    const vec u{of(1, 0, 0) + F[0]/2, of(0, 1, 0) + F[1]/2, of(0, 0, 1) + F[2]/2};
    const double xx = of(2, 0, 0), yy = of(0, 2, 0), zz = of(0, 0, 2);
    const double trace = xx + yy + zz - 1;
    const double D[3] =
    {
        -w/2*(2*xx - yy - zz) - w2/2*trace,
        -w/2*(2*yy - xx - zz) - w2/2*trace,
        -w/2*(2*zz - xx - yy) - w2/2*trace
    };
    const double Dxy = -3*w*of(1, 1, 0), Dxz = -3*w*of(1, 0, 1);
    const double Dyz = -3*w*of(0, 1, 1);

    const double afterXXYY =
        (1 - w)*(xx - yy)
      - 3*(1 - w/2)*(u[0]*u[0]*D[0] - u[1]*u[1]*D[1]);
    const double afterXXZZ =
        (1 - w)*(xx - zz)
      - 3*(1 - w/2)*(u[0]*u[0]*D[0] - u[2]*u[2]*D[2]);
    const double afterTrace =
        1 + (1 - w2)*trace
      - 3*(1 - w2/2)*(u[0]*u[0]*D[0] + u[1]*u[1]*D[1] + u[2]*u[2]*D[2]);

    of(2, 0, 0) = (afterTrace + afterXXYY + afterXXZZ)/3;
    of(0, 2, 0) = of(2, 0, 0) - afterXXYY;
    of(0, 0, 2) = of(2, 0, 0) - afterXXZZ;
    of(1, 1, 0) *= 1 - w;
    of(1, 0, 1) *= 1 - w;
    of(0, 1, 1) *= 1 - w;

    const bool isRate = w > 1.75 && w2 <= 1;
    const double w3 =
        isRate
      ? 8*(w - 2)*(w2*(3*w - 1) - 5*w)
       /(8*(5 - 2*w)*w + w2*(8 + w*(9*w - 26)))
      : 1;
    const double w4 =
        isRate
      ? 8*(w - 2)*(w + w2*(3*w - 7))/(w2*(56 - 42*w + 9*w*w) - 8*w)
      : 1;
    const double w5 =
        isRate
      ? 24*(w - 2)
       *(4*w*w + w*w2*(18 - 13*w) + w2*w2*(2 + w*(6*w - 11)))
       /(
            16*w*w*(w - 6) - 2*w*w2*(216 + 5*w*(9*w - 46))
          + w2*w2*(w*(3*w - 10)*(15*w - 28) - 48)
        )
      : 1;
    const auto relax = [&](double c, double rate)
    {
        const double size = std::abs(c)/(std::abs(c) + limit);
        return (1 - rate - (1 - rate)*size)*c;
    };
    of(1, 1, 1) = relax(of(1, 1, 1), w5);
    const auto pair = [&](double& a, double& b)
    {
        const double sum = relax(a + b, w3), difference = relax(a - b, w4);
        a = (sum + difference)/2;
        b = (sum - difference)/2;
    };
    pair(of(1, 2, 0), of(1, 0, 2));
    pair(of(2, 1, 0), of(0, 1, 2));
    pair(of(2, 0, 1), of(0, 2, 1));

    const double pole = (w - w2)*(w2*(2 + 3*w) - 8*w);
    const double A =
        isRate
      ? (4*w*w + 2*w*w2*(w - 6) + w2*w2*(w*(10 - 3*w) - 4))/pole
      : 0;
    const double B =
        isRate
      ? (4*w*w2*(9*w - 16) - 4*w*w - 2*w2*w2*(2 + 9*w*(w - 2)))/(3*pole)
      : 0;
    const double excess = 1/w - 0.5;
    of(2, 2, 0) = -excess*(D[0] + D[1])*2/3*A;
    of(2, 0, 2) = -excess*(D[0] + D[2])*2/3*A;
    of(0, 2, 2) = -excess*(D[1] + D[2])*2/3*A;
    of(1, 1, 2) = -excess*Dxy/3*B;
    of(1, 2, 1) = -excess*Dxz/3*B;
    of(2, 1, 1) = -excess*Dyz/3*B;
    of(1, 2, 2) = of(2, 1, 2) = of(2, 2, 1) = of(2, 2, 2) = 0;

    of(1, 0, 0) += F[0];
    of(0, 1, 0) += F[1];
    of(0, 0, 1) += F[2];

    g = populationsOf(C);
    for (int i = 0; i < 27; ++i)
    {
        g[i] -= lbm::weight<lattice27, double>(i)*(1 - rho);
    }
    return g;
}

node randomPopulations(unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    node h;
    for (int i = 0; i < 27; ++i)
    {
        h[i] = 0.2*value(random)*lbm::weight<lattice27, double>(i);
    }
    return h;
}

} // End namespace


// Rounding is the only difference: equations of the paper, cumulants by their
// definition
TEST(cumulant, isTheCollisionOfThePaper)
{
    unsigned seed = 0;
    for (const double w : {0.5, 1.3, 1.74, 1.76, 1.9, 1.9999})
    for (const double w2 : {1.0, 0.4, 0.1, 1.2})
    {
        for (const double limit : {1e-4, 0.01, 1e3})
        {
            const node h = randomPopulations(++seed);
            const vec F{1e-3, -2e-3, 3e-3};

            lbm::collisionParameters<double> p{w, 1, w2, {F[0], F[1], F[2]}};
            lbm::cumulantRelaxation::rates<double> rates;
            rates.limit = limit;

            double result[27], forced[27];
            std::copy(h.begin(), h.end(), result);
            std::copy(h.begin(), h.end(), forced);
            lbm::cumulantRelaxation::collide<lattice27, lbm::noForcing>
            (
                result, p, rates
            );
            lbm::cumulantRelaxation::collide<lattice27, lbm::guoForcing>
            (
                forced, p, rates
            );

            const node plain = collided(h, w, w2, limit, {0, 0, 0});
            const node withForce = collided(h, w, w2, limit, F);
            for (int i = 0; i < 27; ++i)
            {
                EXPECT_NEAR(result[i], plain[i], 1e-15) << w << ' ' << i;
                EXPECT_NEAR(forced[i], withForce[i], 1e-15) << w << ' ' << i;
            }
        }
    }
}


// Rates are rates with any bulk viscosity
TEST(cumulant, hasRatesForEveryViscosity)
{
    for (double tau = 0.5001; tau < 20; tau = 0.5 + 1.3*(tau - 0.5))
    {
        for (const double bulk : {0.51, 0.7, 1.0, 3.0, 30.0, 100.0})
        {
            const lbm::cumulantRelaxation::parametrisation<double>
                p(1/tau, 1/bulk);
            for (const double rate : {p.sum, p.difference, p.all})
            {
                EXPECT_GE(rate, 0) << tau << ' ' << bulk;
                EXPECT_LT(rate, 2) << tau << ' ' << bulk;
            }
            EXPECT_LT(std::abs(p.diagonal), 1) << tau << ' ' << bulk;
            EXPECT_LT(std::abs(p.shear), 1) << tau << ' ' << bulk;
        }
    }
}


// Limits at both ends of what is possible, in single precision: a node at rest stays
// at rest, and a small limit gives the rates 1
TEST(cumulant, bearsEveryLimitInSinglePrecision)
{
    const node h = randomPopulations(7);
    const auto run = [&](float limit, const node& from)
    {
        const lbm::collisionParameters<float> p{1.999f, 1, 1, {0, 0, 0}};
        lbm::cumulantRelaxation::rates<float> rates;
        rates.limit = limit;
        float values[27];
        std::copy(from.begin(), from.end(), values);
        lbm::cumulantRelaxation::collide<lattice27, lbm::noForcing>
        (
            values, p, rates
        );
        node result;
        std::copy(values, values + 27, result.begin());
        return result;
    };

    const auto parameter = lbm::cumulant::parameters()[0];
    for (const double limit : {1.01*parameter.above, 0.99*parameter.below})
    {
        const node rest = run(float(limit), node{});
        const node moved = run(float(limit), h);
        const node wanted = collided(h, 1.999, 1, limit, {0, 0, 0});
        for (int i = 0; i < 27; ++i)
        {
            EXPECT_EQ(rest[i], 0) << limit << ' ' << i;
            EXPECT_NEAR(moved[i], wanted[i], 1e-7) << limit << ' ' << i;
        }
    }
}


TEST(cumulant, isThereInD3Q27Alone)
{
    for (const std::string& lattice : lattices())
    {
        const auto names = lbm::collisionsOn(lattice);
        EXPECT_EQ
        (
            std::count(names.begin(), names.end(), "cumulant"),
            lattice == "D3Q27"
        )   << lattice;
    }
}

} // End namespace lbmTest
