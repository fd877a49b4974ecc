// Flow between resting walls in channels, pipes and ducts, driven by a body
// force, against exact solutions

#include "latticeRegion.H"

#include <complex>

namespace lbmTest
{

class channel : public formulaTest
{
protected:

    //- Channel of n layers of nodes whose walls are off the outer ones by q
    static region plates(const std::string& lattice, int n, double q)
    {
        region g;
        g.lattice = lattice;
        g.size = {3, n, is3D(lattice) ? 3 : 1};
        g.periodic = {true, false, true};
        g.surfaces =
        {
            {"lower", "wall", plane({0, -1, 0}, q), nullptr},
            {"upper", "wall", plane({0, 1, 0}, n - 1 + q), nullptr}
        };
        g.build();
        return g;
    }

    //- Relative error of the profile between plates
    double errorBetweenPlates
    (
        const std::string& lattice,
        int n,
        double q,
        double tau
    ) const
    {
        const region g = plates(lattice, n, q);
        const double nu = (tau - 0.5)/3, G = 8*nu*0.05/(n*n);

        lbm::engineSettings s = settings(lattice);
        s.relaxationTime = tau;
        s.bodyForce = {G, 0, 0};
        const auto e = g.make(s);
        const auto f = runToSteady(*e, n*n/nu/8, 1e-8);
        return errorOf
        (
            g,
            f,
            [=](const vec& x)
            {
                return vec{G/(2*nu)*(x[1] + q)*(n - 1 + q - x[1]), 0, 0};
            }
        );
    }

    //- Pipe of radius R along the last axis; error of the profile
    double errorInPipe(const std::string& lattice, double R) const
    {
        const std::int64_t n = std::ceil(2*R) + 3;
        const vec centre{R + 1.137, R + 1.371, 0};
        const auto rr = [=](const vec& x)
        {
            return
                std::pow(x[0] - centre[0], 2) + std::pow(x[1] - centre[1], 2);
        };

        region g;
        g.lattice = lattice;
        g.size = {n, n, 2};
        g.periodic[2] = true;
        g.fluid = [=](const vec& x) { return rr(x) < R*R; };
        g.surfaces = {{"wall", "wall", cylinder(centre, R, true), nullptr}};
        g.build();

        const double tau = 1, nu = 1.0/6, G = 4*nu*0.4/(R*R*R);
        lbm::engineSettings s = settings(g.lattice);
        s.relaxationTime = tau;
        s.bodyForce = {0, 0, G};
        const auto e = g.make(s);
        const auto f = runToSteady(*e, R*R/2, 1e-6);

        // What the body force gives goes to the wall
        const lbm::boundaryLoad load = meanLoad(*e, 0, centre);
        const double drag = G*e->nFluid();
        EXPECT_NEAR(load.force[2]/drag, 1, 1e-5);
        EXPECT_NEAR(load.force[0]/drag, 0, 1e-5);
        EXPECT_NEAR(load.force[1]/drag, 0, 1e-5);
        EXPECT_NEAR(load.massFlux/(0.2*M_PI*R), 0, 6e-5);

        return errorOf
        (
            g,
            f,
            [=](const vec& x) { return vec{0, 0, G/(4*nu)*(R*R - rr(x))}; }
        );
    }
};


TEST_P(channel, convergesWithSecondOrderWhateverTheDistance)
{
    for (const double q : {0.1, 0.3, 0.7, 0.9})
    {
        std::vector<double> errors;
        for (const int n : {8, 16, 32})
        {
            errors.push_back(errorBetweenPlates("D2Q9", n, q, 1));
        }
        EXPECT_GE(orderOf(errors), 1.85) << "q " << q;
        EXPECT_LE(errors.back(), 3e-3) << "q " << q;
    }
}


// Closer than a tenth: another interpolation
TEST_P(channel, convergesWithSecondOrderCloseToTheNodes)
{
    for (const double tau : {0.55, 1.0})
    for (const double q : {0.02, 0.05})
    {
        std::vector<double> errors;
        for (const int n : {8, 16, 32})
        {
            errors.push_back(errorBetweenPlates("D2Q9", n, q, tau));
        }
        RecordProperty
        (
            "q" + std::to_string(int(100*q)) + "tau"
          + std::to_string(int(100*tau)),
            std::to_string(orderOf(errors)) + ' '
          + std::to_string(errors.back())
        );
        EXPECT_GE(orderOf(errors), 1.85) << "q " << q << ", tau " << tau;
    }
}


// TRT keeps the place of the wall whatever the viscosity
TEST_P(channel, doesNotDependOnViscosity)
{
    for (const char* lattice : {"D3Q19", "D3Q27"})
    for (const double q : {0.2, 0.8})
    {
        const double a = errorBetweenPlates(lattice, 8, q, 0.6);
        const double b = errorBetweenPlates(lattice, 8, q, 1.5);
        EXPECT_NEAR(a/b, 1, 1e-7) << lattice;
    }
}


TEST_P(channel, givesTheSameBitsHalfWayWithDistances)
{
    for (const std::string& lattice : lattices())
    {
        region g = plates(lattice, 6, 0.5);
        region h = g;
        h.noDistances = true;
        h.build();
        ASSERT_FALSE(g.d.groups[0].distance.empty());
        ASSERT_TRUE(h.d.groups[0].distance.empty());

        lbm::engineSettings s = settings(lattice);
        s.bodyForce = {1e-5, -2e-6, 0};
        const auto a = g.make(s), b = h.make(s);
        a->step(101);
        b->step(101);
        EXPECT_EQ(populations(*a), populations(*b));
    }
}


TEST_P(channel, convergesInAPipeWithSecondOrder)
{
    for (const char* lattice : {"D3Q19", "D3Q27"})
    {
        std::vector<double> errors;
        for (const double R : {5, 10, 20})
        {
            errors.push_back(errorInPipe(lattice, R));
        }
        EXPECT_GE(orderOf(errors), 1.9) << lattice;
        EXPECT_LE(errors.back(), 1.1e-3) << lattice;
    }
}


// Peak over mean: 2.0963 (Shah & London, Laminar Flow Forced Convection in
// Ducts, 1978)
TEST_P(channel, hasTheProfileOfASquareDuct)
{
    const int n = 32;
    region g;
    g.lattice = "D3Q19";
    g.size = {n, n, 2};
    g.periodic[2] = true;
    g.surfaces =
    {
        {"left", "wall", plane({-1, 0, 0}, 0.5), nullptr},
        {"right", "wall", plane({1, 0, 0}, n - 0.5), nullptr},
        {"lower", "wall", plane({0, -1, 0}, 0.5), nullptr},
        {"upper", "wall", plane({0, 1, 0}, n - 0.5), nullptr}
    };
    g.build();

    lbm::engineSettings s = settings(g.lattice);
    s.relaxationTime = 1.5;
    s.bodyForce = {0, 0, 1e-5};
    const auto e = g.make(s);
    const auto f = runToSteady(*e, n*n/4, 1e-5);

    double sum = 0;
    for (std::int64_t i = 0; i < e->nFluid(); ++i)
    {
        sum += f.u[3*i + 2];
    }

    // The peak lies between four nodes: continue the parabola to it
    const auto u = [&](int i, int j)
    {
        return f.u[3*(i + n*j) + 2];
    };
    const double peak = (9*u(n/2, n/2) - u(n/2 + 1, n/2 + 1))/8;
    EXPECT_NEAR(peak*e->nFluid()/sum, 2.0963, 0.003);
}


// Between plates, force G cos(w t), h half the distance:
//     u = Re{G/(i w) [1 - cosh(s y)/cosh(s h)] exp(i w t)},  s^2 = i w/nu
TEST_P(channel, pulsatesAsWomersleyFound)
{
    const int n = 32;
    const double Wo = 4, h = n/2.0, tau = 0.8, nu = (tau - 0.5)/3;
    const int period = std::lround(2*M_PI*h*h/(nu*Wo*Wo));
    const double w = 2*M_PI/period;
    const double G = 0.02*w;
    const region g = plates("D2Q9", n, 0.5);

    lbm::engineSettings s = settings(g.lattice);
    s.relaxationTime = tau;
    s.variableBodyForce = true;
    const auto e = g.make(s);

    double sum = 0, norm = 0;
    const int periods = 10;
    for (int t = 0; t <= periods*period; ++t)
    {
        e->setBodyForce({G*std::cos(w*t), 0, 0});
        if (t >= (periods - 1)*period && t % (period/8) == 0)
        {
            using complex = std::complex<double>;
            const complex I(0, 1), root = std::sqrt(I*w/nu);
            const fields f(*e);
            for (std::int64_t i = 0; i < e->nFluid(); ++i)
            {
                const double y = g.x[i][1] + 0.5 - h;
                const double exact = std::real
                (
                    G/(I*w)*(1.0 - std::cosh(root*y)/std::cosh(root*h))
                   *std::exp(I*w*double(t))
                );
                sum += std::pow(f.u[3*i] - exact, 2);
                norm += exact*exact;
            }
        }
        e->step(1);
    }
    EXPECT_LE(std::sqrt(sum/norm), 2e-4);
}

lbmForDoubleEngines(channel);

} // End namespace lbmTest
