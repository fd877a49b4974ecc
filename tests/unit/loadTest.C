// Loads on boundaries and the flux through them

#include "latticeRegion.H"

namespace lbmTest
{

using load = formulaTest;

// Fluid at rest under gravity: the walls bear its weight, as pressure alone
TEST_P(load, bearsTheWeightOfAFluidAtRest)
{
    const std::int64_t L = 10, H = 12;
    const double weight = 1e-4;
    region g;
    g.size = {L, H, 1};
    g.periodic = {true, false, true};
    g.surfaces =
    {
        {"bottom", "wall", plane({0, -1, 0}, 0.5), nullptr},
        {"top", "wall", plane({0, 1, 0}, H - 0.5), nullptr}
    };
    g.build();

    lbm::engineSettings s = settings(g.lattice);
    s.bodyForce = {0, -weight, 0};
    const auto e = g.make(s);
    std::vector<double> rho, u(3*g.x.size(), 0.0);
    for (const vec& x : g.x)
    {
        rho.push_back(-3*weight*(x[1] - (H - 1)/2.0));
    }
    e->initialise(0, rho.size(), rho.data(), u.data(), nullptr);
    e->step(3000);
    EXPECT_LE(e->statistics().maxSpeed, 1e-12);

    const double arm = 3;
    const vec beside{(L - 1)/2.0 - arm, 0, 0};
    const double total = weight*L*H;
    for (const int side : {0, 1})
    {
        // Half of the weight each: it pushes the bottom and pulls the top.
        // The pressure is that of the nodes, half a spacing from the wall.
        const lbm::boundaryLoad load = e->groupLoad(side, beside);
        EXPECT_NEAR(load.force[0]/total, 0, 1e-9);
        recordValue
        (
            std::string("error of the force on the ")
          + (side ? "top" : "bottom"),
            std::abs(load.force[1]/total + 0.5)
        );
        EXPECT_NEAR(load.force[1]/total, -0.5, 1e-9);
        EXPECT_NEAR(load.pressureForce[1]/total, -0.5 + 0.5/H, 1e-9);
        EXPECT_NEAR(load.moment[2]/total, -0.5*arm, 1e-9);
        EXPECT_NEAR
        (
            load.pressureMoment[2]/total,
            (-0.5 + 0.5/H)*arm,
            1e-9
        );
        EXPECT_NEAR(load.massFlux/total, 0, 1e-10);
    }
}


// What enters leaves, whatever the kinds of the boundaries
TEST_P(load, balancesMassAtSteadyState)
{
    const std::int64_t L = 24, H = 12;
    const double U = 0.03;
    region g;
    g.size = {L, H, 1};
    g.periodic[2] = true;
    g.surfaces =
    {
        {"bottom", "wall", plane({0, -1, 0}, 0.5), nullptr},
        {"top", "slip", plane({0, 1, 0}, H - 0.5), nullptr},
        {
            "inlet",
            "velocity",
            plane({-1, 0, 0}, 0.5),
            [=](const vec&) { return vec{U, 0, 0}; }
        },
        {
            "outlet",
            "pressure",
            plane({1, 0, 0}, L - 0.5),
            [](const vec&) { return pressureValue(0, {1, 0, 0}); }
        }
    };
    g.build();

    lbm::engineSettings s = settings(g.lattice);
    s.relaxationTime = 0.8;
    const auto e = g.make(s);
    runToSteady(*e, 400, 1e-11);

    vec force{0, 0, 0};
    double flux = 0;
    std::vector<lbm::boundaryLoad> loads;
    for (int side = 0; side < 4; ++side)
    {
        loads.push_back(meanLoad(*e, side, {0, 0, 0}));
        flux += loads[side].massFlux;
        for (int a = 0; a < 2; ++a)
        {
            force[a] += loads[side].force[a];
        }
    }

    // Outwards. The links in the corners belong to the bottom and the top,
    // which share a third of a spacing with the inlet.
    const double inflow = U*(H - 1.0/3);
    EXPECT_NEAR(loads[2].massFlux/-inflow, 1, 1e-12);
    EXPECT_NEAR(loads[0].massFlux/inflow, 0, 1e-12);
    recordValue("flux through all boundaries", std::abs(flux/inflow));
    EXPECT_NEAR(flux/inflow, 0, 1e-8);

    // In its corners with inlet and outlet: 0.0065
    EXPECT_NEAR(loads[1].massFlux/inflow, 0, 0.01);

    // Nothing accelerates; the wall holds the fluid back
    EXPECT_GT(loads[0].force[0], 1e-4);
    EXPECT_NEAR(force[0]/loads[0].force[0], 0, 1e-7);
    EXPECT_NEAR(force[1]/loads[0].force[0], 0, 1e-7);
}

lbmForDoubleEngines(load);

} // End namespace lbmTest
