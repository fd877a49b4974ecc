// Velocities that change their sign from node to node and from step to step

#include "latticeRegion.H"

namespace lbmTest
{

class alternating : public formulaTest
{
protected:

    //- Half of the change of the alternating means in a step
    static vec amplitude(lbm::engine& e)
    {
        const auto before = e.alternatingVelocity();
        e.step(1);
        const auto after = e.alternatingVelocity();
        vec result;
        for (int a = 0; a < 3; ++a)
        {
            result[a] = (after[a] - before[a])/2;
        }
        return result;
    }
};


// In a periodic box they stay, whatever the collision; what is found and taken
// away is just that
TEST_P(alternating, areInvariantsThatCanBeTakenAway)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        box b;
        b.lattice = lattice;
        b.size = {8, 6, is3D(lattice) ? 4 : 1};
        lbm::engineSettings s = settings(b.lattice);
        s.layout = layout;
        s.collision = collision;
        const auto e = lbm::engine::New(s, b.description());

        // A flow that does not alternate, besides
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N, 0.0), u(3*N, 0.0);
        for (std::int64_t i = 0; i < N; ++i)
        {
            u[3*i] = 0.03 + 0.01*std::sin(2*M_PI*((i/8) % 6)/6);
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        const vec added{1e-3, -2e-3, is3D(lattice) ? 5e-4 : 0};
        e->addAlternatingVelocity(added);
        e->step(100);

        // The sign changes in each step
        const vec found = amplitude(*e);
        for (int a = 0; a < 3; ++a)
        {
            EXPECT_NEAR(found[a], -added[a], 1e-9) << layout << collision << a;
        }

        e->addAlternatingVelocity({-found[0], -found[1], -found[2]});
        const vec left = amplitude(*e);
        for (int a = 0; a < 3; ++a)
        {
            EXPECT_NEAR(left[a], 0, 1e-9) << layout << collision << a;
        }
        EXPECT_NEAR(e->statistics().sumVelocity[0]/N, 0.03, 1e-9);
        EXPECT_NEAR(e->statistics().massDeviation/N, 0, 1e-14);
    }
}


// A cavity turned by 20 degrees: its walls do not let them grow, and what is
// taken away now and then is gone
TEST_P(alternating, doNotGrow)
{
    const double start = 2e-4;
    const double N = 15, U = 0.02, angle = M_PI/9;
    const double c = std::cos(angle), s = std::sin(angle), h = N/2;
    const int L = int(N*(c + s)) + 4;
    const double x0 = 0.5*(L - 1) + 0.137, y0 = 0.5*(L - 1) + 0.071;
    const auto distance = [=](const vec& x, const vec& n)
    {
        return (x[0] - x0)*n[0] + (x[1] - y0)*n[1];
    };
    const auto side = [=](const vec& n)
    {
        return [=](const vec& x, const vec& c)
        {
            const double towards = dot(n, c), gap = h - distance(x, n);
            return towards > 1e-12 ? gap/towards : never;
        };
    };
    const vec ex{c, s, 0}, ey{-s, c, 0};

    region g;
    g.size = {L, L, 1};
    g.periodic[2] = true;
    g.fluid = [=](const vec& x)
    {
        return
            std::abs(distance(x, ex)) < h && std::abs(distance(x, ey)) < h;
    };
    g.surfaces =
    {
        {"left", "wall", side({-c, -s, 0}), nullptr},
        {"right", "wall", side(ex), nullptr},
        {"bottom", "wall", side({s, -c, 0}), nullptr},
        {"lid", "velocity", side(ey), [=](const vec&) { return vec{U*c, U*s, 0}; }}
    };
    g.build();

    const auto run = [&](bool takenAway)
    {
        lbm::engineSettings settings = this->settings(g.lattice);
        settings.relaxationTime = 0.7;
        const auto e = g.make(settings);
        e->addAlternatingVelocity({start, start, 0});
        for (int n = 0; n < 40; ++n)
        {
            e->step(499);
            const vec A = amplitude(*e);
            if (takenAway)
            {
                e->addAlternatingVelocity({-A[0], -A[1], -A[2]});
            }
            e->shiftDensity(-e->statistics().massDeviation/e->nFluid());
        }
        const vec A = amplitude(*e);
        return std::sqrt(dot(A, A))/U;
    };

    EXPECT_LE(run(false), 1.01*std::sqrt(2)*start/U);
    EXPECT_LT(run(true), 1e-12);
}

lbmForDoubleEngines(alternating);

} // End namespace lbmTest
