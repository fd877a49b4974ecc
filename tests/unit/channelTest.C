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

    struct pipeErrors
    {
        double u, drag, flux;
    };

    //- Pipe of radius R along the last axis; errors of the profile and of the
    //  drag, flux through the wall over the flow rate
    pipeErrors errorsInPipe
    (
        const std::string& lattice,
        const std::string& collision,
        double R
    ) const
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
        s.collision = collision;
        s.relaxationTime = tau;
        s.bodyForce = {0, 0, G};
        const auto e = g.make(s);
        const auto f = runToSteady(*e, R*R/2, 1e-6);

        // What the body force gives goes to the wall
        const lbm::boundaryLoad load = meanLoad(*e, 0, centre);
        const double drag = G*e->nFluid();
        EXPECT_NEAR(load.force[0]/drag, 0, 1e-5);
        EXPECT_NEAR(load.force[1]/drag, 0, 1e-5);

        pipeErrors result;
        result.drag = std::abs(load.force[2]/drag - 1);
        result.flux = std::abs(load.massFlux/(0.2*M_PI*R));
        result.u = errorOf
        (
            g,
            f,
            [=](const vec& x) { return vec{0, 0, G/(4*nu)*(R*R - rr(x))}; }
        );
        return result;
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
        recordOrder("u, q " + textOf(q), errors);
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
        recordOrder("u, q " + textOf(q) + ", tau " + textOf(tau), errors);
        EXPECT_GE(orderOf(errors), 1.85) << "q " << q << ", tau " << tau;
    }
}


// TRT keeps the place of the wall whatever the viscosity
TEST_P(channel, doesNotDependOnViscosity)
{
    double change = 0;
    for (const char* lattice : {"D3Q19", "D3Q27"})
    for (const double q : {0.2, 0.8})
    {
        const double a = errorBetweenPlates(lattice, 8, q, 0.6);
        const double b = errorBetweenPlates(lattice, 8, q, 1.5);
        change = std::max(change, std::abs(a/b - 1));
        EXPECT_NEAR(a/b, 1, 1e-7) << lattice;
    }
    recordValue("change of the error", change);
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
    struct model
    {
        std::string lattice, collision;
        double flux;
    };
    const std::vector<model> models
    {
        {"D3Q19", "TRT", 6e-5},
        {"D3Q19", "recursiveRegularised", 8e-5},
        {"D3Q27", "TRT", 6e-5}
    };
    double drag = 0;
    for (const model& m : models)
    {
        const std::string name = m.lattice + ", " + m.collision;
        SCOPED_TRACE(name);
        std::vector<double> errors;
        double flux = 0;
        for (const double R : {5, 10, 20})
        {
            const pipeErrors e = errorsInPipe(m.lattice, m.collision, R);
            errors.push_back(e.u);
            flux = std::max(flux, e.flux);
            drag = std::max(drag, e.drag);
            EXPECT_LE(e.drag, 1e-5) << R;
            EXPECT_LE(e.flux, m.flux) << R;
        }
        recordOrder("u, " + name, errors);
        recordValue("flux through the wall, " + name, flux);
        EXPECT_GE(orderOf(errors), 1.9);
        EXPECT_LE(errors.back(), 1.1e-3);
    }
    recordValue("error of the drag", drag);
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

    const std::map<std::string, double> most
    {
        {"TRT", 0.003}, {"recursiveRegularised", 0.0085}
    };
    for (const auto& [collision, off] : most)
    {
        lbm::engineSettings s = settings(g.lattice);
        s.collision = collision;
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
        const double overMean = peak*e->nFluid()/sum;
        recordValue("peak over mean, " + collision, overMean, 5);
        EXPECT_NEAR(overMean, 2.0963, off) << collision;
    }
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

    const std::map<std::string, double> most
    {
        {"TRT", 2e-4}, {"recursiveRegularised", 7e-4}
    };
    for (const auto& [collision, largest] : most)
    {
        lbm::engineSettings s = settings(g.lattice);
        s.collision = collision;
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
        const double error = std::sqrt(sum/norm);
        recordValue("error of u, " + collision, error);
        EXPECT_LE(error, largest) << collision;
    }
}

lbmForDoubleEngines(channel);

} // End namespace lbmTest
