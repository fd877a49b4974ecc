// A boundary without thickness between two fluid nodes: each side is as if the
// other were not there

#include "latticeRegion.H"

namespace lbmTest
{

class facingLinks : public formulaTest
{
protected:

    //- Two channels of n layers, one above the other, between which are gap
    //  solid layers; the boundary between them is off each by its distance
    static region channels
    (
        const std::string& lattice,
        int gap,
        const std::array<std::string, 2>& types,
        const std::array<double, 2>& q
    )
    {
        const int n = 6, first = n + gap;
        region g;
        g.lattice = lattice;
        g.size = {5, 2*n + gap, is3D(lattice) ? 4 : 1};
        g.periodic = {true, false, true};
        g.fluid = [=](const vec& x) { return x[1] < n || x[1] >= first; };

        const auto values = [=](int side)
        {
            const std::string type = types[side];
            return [=](const vec& x)
            {
                // Rounded, to be the same for thick and thin walls
                const double along = std::round(1e3*x[0])/1e3;
                const double t = 0.01*std::sin(along + side);
                const vec n{0, side ? -1.0 : 1.0, 0};
                return
                    type == "pressure" ? pressureValue(t, n)
                  : faceValues{0.02, 0.1*t, 0};
            };
        };
        const auto only = [=](int side, const vec& normal, double at)
        {
            shape result = plane(normal, at);
            const auto d = result.distance;
            result.distance = [=](const vec& x, const vec& c)
            {
                return (x[1] < n) == (side == 0) ? d(x, c) : never;
            };
            return result;
        };

        g.surfaces =
        {
            {"bottom", "wall", plane({0, -1, 0}, 0.4), nullptr},
            {"top", "wall", plane({0, 1, 0}, 2*n + gap - 0.6), nullptr},
            {
                "lower",
                types[0],
                only(0, {0, 1, 0}, n - 1 + q[0]),
                values(0)
            },
            {
                "upper",
                types[1],
                only(1, {0, -1, 0}, q[1] - first),
                values(1)
            }
        };
        g.build();
        return g;
    }
};


TEST_P(facingLinks, giveEachSideTheBitsOfAThickWall)
{
    const std::vector<std::array<std::string, 2>> types
    {
        {"wall", "wall"},
        {"velocity", "wall"},
        {"velocity", "velocity"},
        {"slip", "wall"},
        {"slip", "slip"},
        {"pressure", "velocity"},
        {"pressure", "pressure"},
        {"outflow", "wall"},
        {"outflow", "pressure"}
    };
    const std::vector<std::array<double, 2>> distances{{0.5, 0.5}, {0.3, 0.7}};

    for (const std::string& lattice : lattices())
    {
        for (const auto& t : types)
        {
            for (const auto& q : distances)
            {
                const std::string name =
                    lattice + ' ' + t[0] + ' ' + t[1] + ' '
                  + std::to_string(q[0]);
                const region thin = channels(lattice, 0, t, q);
                const region thick = channels(lattice, 3, t, q);
                lbm::engineSettings s = settings(lattice);
                s.relaxationTime = 0.7;
                s.bodyForce = {1e-5, 2e-6, 0};
                const auto a = thin.make(s), b = thick.make(s);
                ASSERT_EQ(a->nFluid(), b->nFluid());

                const std::int64_t N = a->nFluid();
                std::vector<double> rho(N), u(3*N, 0.0), S(6*N, 0.0);
                for (std::int64_t i = 0; i < N; ++i)
                {
                    rho[i] = 0.01*std::sin(7*i);
                    u[3*i] = 0.02*std::cos(3*i);
                    u[3*i + 1] = 0.02*std::sin(5*i);
                    S[6*i + 3] = 0.001*std::sin(i);
                }
                for (auto* e : {a.get(), b.get()})
                {
                    e->initialise(0, N, rho.data(), u.data(), S.data());
                }

                for (const int steps : {1, 24})
                {
                    a->step(steps);
                    b->step(steps);
                    EXPECT_TRUE(a->statistics().finite) << name;
                    EXPECT_TRUE(populations(*a) == populations(*b)) << name;

                    for (const int side : {0, 1})
                    {
                        const double shift = side ? 3 : 0;
                        const auto f = a->groupLoad(2 + side, {1, 2, 0});
                        const auto g =
                            b->groupLoad(2 + side, {1, 2 + shift, 0});
                        EXPECT_GT(std::abs(g.force[1]), 1e-5) << name;
                        EXPECT_NEAR(f.massFlux, g.massFlux, 1e-15) << name;
                        for (int k = 0; k < 3; ++k)
                        {
                            EXPECT_NEAR(f.force[k], g.force[k], 1e-14)
                                << name;
                            EXPECT_NEAR(f.moment[k], g.moment[k], 1e-13)
                                << name;
                        }
                    }
                }
            }
        }
    }
}

lbmForDoubleEngines(facingLinks);

} // End namespace lbmTest
