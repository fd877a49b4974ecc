// Boundaries without friction: a plane of symmetry, walls along and across the
// axes

#include "latticeRegion.H"

namespace lbmTest
{

class slip : public formulaTest
{
protected:

    //- Half a channel of n layers below a plane of symmetry that is off the
    //  last one by q
    double errorOfHalf(int n, double q) const
    {
        const double tau = 0.8, nu = (tau - 0.5)/3, h = n - 0.5 + q;
        const double G = 2*nu*0.05/(h*h);
        region g;
        g.size = {3, n, 1};
        g.periodic = {true, false, true};
        g.surfaces =
        {
            {"wall", "wall", plane({0, -1, 0}, 0.5), nullptr},
            {"symmetry", "slip", plane({0, 1, 0}, n - 1 + q), nullptr}
        };
        g.build();

        lbm::engineSettings s = settings(g.lattice);
        s.relaxationTime = tau;
        s.bodyForce = {G, 0, 0};
        const auto e = g.make(s);
        const auto f = runToSteady(*e, n*n, 1e-6);
        return errorOf
        (
            g,
            f,
            [=](const vec& x)
            {
                const double y = x[1] + 0.5;
                return vec{G*y*(h - y/2)/nu, 0, 0};
            }
        );
    }

    //- The channels a < (x - y) mod L < b, periodic along both axes
    struct inclined
    {
        region g;
        double a, b;

        inclined
        (
            int L,
            double width,
            const std::string& lower,
            const std::string& lattice = "D2Q9"
        )
        {
            // The distance between the sides is width sqrt(2)
            a = 0.3;
            b = a + 2*width;
            const auto diagonal = [=](const vec& x)
            {
                return std::fmod(x[0] - x[1] + L, L);
            };
            const auto side = [=](double at, double sign)
            {
                const auto distance = [=](const vec& x, const vec& c)
                {
                    const double towards = sign*(c[0] - c[1]);
                    const double gap = sign*(at - diagonal(x));
                    return towards > 0 ? gap/towards : never;
                };
                return shape
                (
                    distance,
                    [=](const vec&) { return unit({sign, -sign, 0}); }
                );
            };
            g.lattice = lattice;
            g.size = {L, L, is3D(lattice) ? 2 : 1};
            g.periodic = {true, true, true};
            g.fluid = [=](const vec& x)
            {
                return diagonal(x) > a && diagonal(x) < b;
            };
            g.surfaces =
            {
                {"lower", lower, side(a, -1), nullptr},
                {"upper", "slip", side(b, 1), nullptr}
            };
            g.build();
        }
    };

    double errorOfInclined(int n, const std::string& collision) const
    {
        const inclined c(2*n + 4, n + 0.25, "wall");
        const double tau = 0.8, nu = (tau - 0.5)/3;
        const double h = (c.b - c.a)*std::sqrt(0.5), G = 2*nu*0.05/(h*h);
        const double r = std::sqrt(0.5), a = c.a;
        const std::int64_t L = c.g.size[0];

        lbm::engineSettings s = settings(c.g.lattice);
        s.relaxationTime = tau;
        s.collision = collision;
        s.bodyForce = {r*G, r*G, 0};
        const auto e = c.g.make(s);
        const auto f = runToSteady(*e, h*h, 1e-6);
        return errorOf
        (
            c.g,
            f,
            [=](const vec& x)
            {
                const double y = r*(std::fmod(x[0] - x[1] + L, L) - a);
                const double u = G*y*(h - y/2)/nu;
                return vec{r*u, r*u, 0};
            }
        );
    }
};


TEST_P(slip, convergesToHalfAChannel)
{
    for (const double q : {0.5, 0.2, 0.9})
    {
        std::vector<double> errors;
        for (const int n : {8, 16, 32})
        {
            errors.push_back(errorOfHalf(n, q));
        }

        // Half-way the populations are mirrored: exact but for what is not
        // steady yet. Elsewhere the ghost node lacks the odd part of what is
        // not in equilibrium, of first order; these bounds detect change.
        if (q == 0.5)
        {
            EXPECT_LE(errors.back(), 5e-6);
        }
        else
        {
            EXPECT_GE(orderOf(errors), 0.95) << q;
            EXPECT_LE(errors.back(), q < 0.5 ? 9.5e-4 : 3.7e-3) << q;
        }
    }
}


TEST_P(slip, convergesToAnInclinedChannel)
{
    for (const std::string& collision : lbm::collisionsOn("D2Q9"))
    {
        std::vector<double> errors;
        for (const int n : {4, 8, 16})
        {
            errors.push_back(errorOfInclined(n, collision));
        }
        // All of these detect change
        const bool third = collision == "recursiveRegularised";
        const bool one = collision == "BGK";
        EXPECT_GE(orderOf(errors), third ? 1.4 : one ? 1.2 : 0.7) << collision;
        EXPECT_LE(errors.back(), third ? 1.7e-3 : one ? 3.1e-3 : 1.3e-3)
            << collision;
    }
}


TEST_P(slip, leavesUniformFlowAsItIs)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        SCOPED_TRACE(lattice + ' ' + collision);
        const inclined c(20, 8.25, "slip", lattice);
        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        const auto e = c.g.make(s);
        const std::int64_t N = e->nFluid();
        const vec U{0.07, 0.07, is3D(lattice) ? -0.04 : 0};
        std::vector<double> rho(N, 0.001), u;
        for (std::int64_t i = 0; i < N; ++i)
        {
            u.insert(u.end(), U.begin(), U.end());
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(1000);

        const fields f(*e);
        for (std::int64_t i = 0; i < N; ++i)
        {
            for (int a = 0; a < 3; ++a)
            {
                ASSERT_NEAR(f.u[3*i + a], U[a], 1e-13);
            }
            ASSERT_NEAR(f.rho[i], 0.001, 1e-12);
        }
        for (const int side : {0, 1})
        {
            // Neither friction nor leakage
            const lbm::boundaryLoad load = e->groupLoad(side, {0, 0, 0});
            EXPECT_NEAR(load.force[0] + load.force[1], 0, 1e-12);
            EXPECT_NEAR(load.force[2], 0, 1e-12);
            EXPECT_NEAR(load.massFlux, 0, 1e-12);
        }
    }
}

lbmForDoubleEngines(slip);

} // End namespace lbmTest
