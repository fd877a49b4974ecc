// The recursive regularised collision: moments, symmetry, viscosity, walls,
// and flows that are too much for the others

#include "latticeCase.H"
#include "choices.H"
#include "record.H"

#include <random>

namespace lbmTest
{

namespace
{

//- Populations of a moderate flow with much that is no moment
template<class Lattice>
std::array<double, Lattice::q> randomNode(unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    std::array<double, Lattice::q> h;
    for (int i = 0; i < Lattice::q; ++i)
    {
        h[i] = 0.05*value(random)*lbm::weight<Lattice, double>(i);
    }
    return h;
}

template<class Lattice>
double moment(const std::array<double, Lattice::q>& h, int x, int y, int z)
{
    double sum = 0;
    for (int i = 0; i < Lattice::q; ++i)
    {
        sum +=
            h[i]*std::pow(Lattice::c(i, 0), x)*std::pow(Lattice::c(i, 1), y)
           *std::pow(Lattice::c(i, 2), z);
    }
    return sum;
}

template<class Operation, class Lattice>
std::array<double, Lattice::q> collided
(
    const std::array<double, Lattice::q>& h,
    const lbm::collisionParameters<double>& p
)
{
    double values[Lattice::q];
    std::copy(h.begin(), h.end(), values);
    Operation::template collide<Lattice, lbm::guoForcing>(values, p);
    std::array<double, Lattice::q> result;
    std::copy(values, values + Lattice::q, result.begin());
    return result;
}

lbm::collisionParameters<double> parameters(int d)
{
    return {1.7, 1, 1, {0.003, -0.002, d == 3 ? 0.004 : 0}};
}

template<class Lattice>
void checkMoments()
{
    const auto p = parameters(Lattice::d);
    const auto h = randomNode<Lattice>(7);
    const auto after = collided<lbm::regularisedRelaxation, Lattice>(h, p);
    const auto BGK = collided<lbm::pairRelaxation, Lattice>
    (
        h,
        {
            p.omegaEven, p.omegaEven, p.omegaEven,
            {p.force[0], p.force[1], p.force[2]}
        }
    );
    const auto same = [&](int x, int y, int z)
    {
        EXPECT_NEAR
        (
            moment<Lattice>(after, x, y, z),
            moment<Lattice>(BGK, x, y, z),
            1e-17
        )   << x << y << z;
    };

    // As BGK: density, momentum and shear stress
    same(0, 0, 0);
    same(1, 0, 0);
    same(0, 1, 0);
    same(0, 0, 1);
    same(1, 1, 0);
    same(1, 0, 1);
    same(0, 1, 1);
    EXPECT_NEAR
    (
        moment<Lattice>(after, 2, 0, 0) - moment<Lattice>(after, 0, 2, 0),
        moment<Lattice>(BGK, 2, 0, 0) - moment<Lattice>(BGK, 0, 2, 0),
        1e-17
    );

    // The trace has its equilibrium, and what the force does to it
    double u[3], trace = 0, square = 0;
    const double rho = moment<Lattice>(h, 0, 0, 0);
    for (int a = 0; a < Lattice::d; ++a)
    {
        u[a] = moment<Lattice>(h, a == 0, a == 1, a == 2) + p.force[a]/2;
        trace += moment<Lattice>(after, 2*(a == 0), 2*(a == 1), 2*(a == 2));
        square += u[a]*u[a] + u[a]*p.force[a];
    }
    EXPECT_NEAR(trace, rho*Lattice::d/3 + square, 1e-16);

    // Higher moments by recursion from the stress after the collision
    const auto n = [&](int a, int b)
    {
        std::array<int, 3> k{0, 0, 0};
        ++k[a];
        ++k[b];
        return
            moment<Lattice>(after, k[0], k[1], k[2])
          - (a == b)*rho/3 - u[a]*u[b]
          - (u[a]*p.force[b] + u[b]*p.force[a])/2;
    };
    if (lbm::isProduct<Lattice>())
    {
        // All of them: products of the moments along the axes, and of their
        // derivatives
        const auto along = [&](int a, int order, int derivative)
        {
            const double v = a < Lattice::d ? u[a] : 0;
            const double values[3][3] =
                {{1, 0, 0}, {v, 1, 0}, {1.0/3 + v*v, 2*v, 2}};
            return values[order][derivative];
        };
        const auto product = [&](const int (&k)[3], int a, int b)
        {
            double result = 1;
            for (int e = 0; e < Lattice::d; ++e)
            {
                result *= along(e, k[e], (e == a) + (e == b));
            }
            return result;
        };
        for (int i = 0; i < Lattice::q; ++i)
        {
            const int k[3] = {i % 3, i/3 % 3, i/9};
            double atRest = 1, expected = product(k, -1, -1);
            for (int a = 0; a < Lattice::d; ++a)
            {
                atRest *= k[a] == 1 ? 0 : k[a] == 2 ? 1.0/3 : 1;
                for (int b = 0; b < Lattice::d; ++b)
                {
                    expected += n(a, b)/2*product(k, a, b);
                }
            }

            // The force has its first and second moments, like them in
            // equilibrium
            for (int a = 0; a < Lattice::d; ++a)
            {
                double share = p.force[a]/2;
                for (int b = 0; b < Lattice::d; ++b)
                {
                    share *= b == a ? 1 : k[b] == 1 ? 0 : k[b] == 2 ? 1.0/3 : 1;
                }
                expected += share*(k[a] == 1 ? 1 : k[a] == 2 ? 2*u[a] : 0);
                for (int b = 0; b < a; ++b)
                {
                    double cross = (u[a]*p.force[b] + u[b]*p.force[a])/2;
                    for (int e = 0; e < Lattice::d; ++e)
                    {
                        const bool here = e == a || e == b;
                        cross *=
                            k[e] == 1 ? here
                          : here ? 0
                          : k[e] == 2 ? 1.0/3
                          : 1;
                    }
                    expected += cross;
                }
            }
            EXPECT_NEAR
            (
                moment<Lattice>(after, k[0], k[1], k[2]),
                expected + (rho - 1)*atRest,
                2e-16
            )   << k[0] << k[1] << k[2];
        }
    }
    for (int a = 0; a < Lattice::d && !lbm::isProduct<Lattice>(); ++a)
    {
        for (int b = 0; b < Lattice::d; ++b)
        {
            if (a != b)
            {
                std::array<int, 3> k{0, 0, 0};
                k[a] = 2;
                k[b] = 1;
                EXPECT_NEAR
                (
                    moment<Lattice>(after, k[0], k[1], k[2]),
                    (u[b] + p.force[b]/2)/3 + u[a]*u[a]*u[b]
                  + 2*u[a]*n(a, b) + u[b]*n(a, a),
                    1e-17
                )   << a << b;
            }
        }
    }

    // Nothing is left that the moments do not give: again, without relaxing
    lbm::collisionParameters<double> none{0, 1, 1, {0, 0, 0}};
    const auto once = collided<lbm::regularisedRelaxation, Lattice>(h, none);
    const auto twice = collided<lbm::regularisedRelaxation, Lattice>(once, none);
    for (int i = 0; i < Lattice::q; ++i)
    {
        EXPECT_NEAR(twice[i], once[i], 1e-17) << i;
    }
}

//- Axes exchanged before the collision or after it
template<class lattice>
void checkAxes()
{
    const auto turned = [](const std::array<double, lattice::q>& h)
    {
        std::array<double, lattice::q> result;
        for (int i = 0; i < lattice::q; ++i)
        {
            for (int k = 0; k < lattice::q; ++k)
            {
                if
                (
                    lattice::c(k, 0) == -lattice::c(i, 1)
                 && lattice::c(k, 1) == lattice::c(i, 2)
                 && lattice::c(k, 2) == -lattice::c(i, 0)
                )
                {
                    result[k] = h[i];
                }
            }
        }
        return result;
    };

    const auto p = parameters(3);
    const auto h = randomNode<lattice>(11);
    const auto a = turned(collided<lbm::regularisedRelaxation, lattice>(h, p));
    const auto b = collided<lbm::regularisedRelaxation, lattice>
    (
        turned(h),
        {p.omegaEven, 1, 1, {-p.force[1], p.force[2], -p.force[0]}}
    );
    for (int i = 0; i < lattice::q; ++i)
    {
        EXPECT_NEAR(a[i], b[i], 1e-17) << i;
    }
}

} // End anonymous namespace


TEST(regularised, hasTheMomentsItSays)
{
    checkMoments<lbm::D2Q9>();
    checkMoments<lbm::D3Q19>();
    checkMoments<lbm::D3Q27>();
}


TEST(regularised, prefersNoAxis)
{
    checkAxes<lbm::D3Q19>();
    checkAxes<lbm::D3Q27>();
}


class regularised : public engineTest
{
protected:

    lbm::engineSettings make(const box& b) const
    {
        lbm::engineSettings s = settings(b);
        s.collision = "recursiveRegularised";
        return s;
    }

    //- Relative L2 error of u of decaying vortices on n x n nodes, in the
    //  plane of axes a and b, which a uniform flow W carries along
    double taylorGreen(int n, int a, int b, const char* lattice) const
    {
        box domain;
        domain.lattice = lattice;
        domain.size = {1, 1, 1};
        domain.size[a] = domain.size[b] = n;
        if (is3D(lattice))
        {
            domain.size[3 - a - b] = 3;
        }

        const double tau = 0.65, nu = (tau - 0.5)/3;
        const double k = 2*M_PI/n, U = 2.5/n, W = 1.5/n;

        lbm::engineSettings s = make(domain);
        s.relaxationTime = tau;
        const auto e = lbm::engine::New(s, domain.description());

        const std::int64_t N = e->nFluid();
        const auto exact = [&](std::int64_t node, double t, double* S)
        {
            std::array<double, 4> result{0, 0, 0, 0};
            std::array<double, 3> x;
            for (int axis = 0; axis < 3; ++axis)
            {
                x[axis] = k*(node % domain.size[axis] + 0.5);
                node /= domain.size[axis];
            }
            const double X = x[a] - k*W*t, Y = x[b] - k*W*t;
            const double fade = std::exp(-2*nu*k*k*t);
            result[a] = W - U*std::cos(X)*std::sin(Y)*fade;
            result[b] = W + U*std::sin(X)*std::cos(Y)*fade;
            result[3] = -U*U/4*(std::cos(2*X) + std::cos(2*Y))*fade*fade;
            if (S)
            {
                S[a] = U*k*std::sin(X)*std::sin(Y);
                S[b] = -S[a];
            }
            return result;
        };

        std::vector<double> rho(N), u(3*N), S(6*N, 0.0);
        for (std::int64_t i = 0; i < N; ++i)
        {
            const auto v = exact(i, 0, &S[6*i]);
            std::copy(v.begin(), v.begin() + 3, &u[3*i]);
            rho[i] = 3*v[3];
        }
        e->initialise(0, N, rho.data(), u.data(), S.data());
        const std::int64_t steps = n*n/4;
        e->step(steps);

        const fields f(*e);
        double du = 0, uu = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            const auto v = exact(i, steps, nullptr);
            for (int axis = 0; axis < 3; ++axis)
            {
                const double mean = axis == a || axis == b ? W : 0;
                du += std::pow(f.u[3*i + axis] - v[axis], 2);
                uu += std::pow(v[axis] - mean, 2);
            }
        }
        return std::sqrt(du/uu);
    }
};


TEST_P(regularised, convergesWithSecondOrder)
{
    struct run
    {
        const char* lattice;
        int a, b;
    };
    for
    (
        const run r
      : {run{"D2Q9", 0, 1}, {"D3Q19", 0, 1}, {"D3Q19", 2, 0}, {"D3Q27", 2, 0}}
    )
    {
        std::vector<double> errors;
        for (const int n : {16, 32, 64})
        {
            errors.push_back(taylorGreen(n, r.a, r.b, r.lattice));
        }
        const std::string name =
            std::string(r.lattice) + ", plane " + "xyz"[r.a] + "xyz"[r.b];
        recordOrder("u, " + name, errors);
        EXPECT_GE(orderOf(errors), 1.9) << name;
        EXPECT_LE(errors.back(), 5e-3) << name;
    }
}


// Two thin shear layers that roll up, Reynolds number 30000; M.L. Minion,
// D.L. Brown, J. Comput. Phys. 138 (1997) 734
TEST_P(regularised, isStableWhereOthersAreNot)
{
    const int n = 128;
    box domain;
    domain.size = {n, n, 1};
    const double U = 0.04, nu = U*n/30000, steepness = 80;

    const auto run = [&](const std::string& collision, double& energy)
    {
        lbm::engineSettings s = settings(domain);
        s.collision = collision;
        s.relaxationTime = 3*nu + 0.5;
        const auto e = lbm::engine::New(s, domain.description());
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N, 0.0), u(3*N, 0.0);
        for (std::int64_t i = 0; i < N; ++i)
        {
            const double x = (i % n + 0.5)/n, y = (i/n + 0.5)/n;
            u[3*i] =
                U*std::tanh(steepness*(y <= 0.5 ? y - 0.25 : 0.75 - y));
            u[3*i + 1] = 0.05*U*std::sin(2*M_PI*(x + 0.25));
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        const auto energyOf = [&]()
        {
            const fields f(*e);
            double sum = 0;
            for (const double v : f.u)
            {
                sum += v*v;
            }
            return sum;
        };
        const double start = energyOf();
        e->step(std::int64_t(2*n/U));
        energy = energyOf()/start;
        return e->statistics().finite;
    };

    double energy = 0;
    EXPECT_TRUE(run("recursiveRegularised", energy));
    EXPECT_LT(energy, 1);
    EXPECT_GT(energy, 0.5);
    EXPECT_FALSE(run("BGK", energy));
    EXPECT_FALSE(run("TRT", energy));
}

lbmForEveryEngine(regularised);

} // End namespace lbmTest
