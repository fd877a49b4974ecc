// Units of the lattice, the steps of a deltaT, and the velocity after which
// they are chosen

#include "latticeSettings.H"
#include "latticeUnits.H"
#include "mappedFields.H"

using namespace Foam;
using namespace lbmTest;

namespace
{

TEST(LatticeUnits, conversions)
{
    const latticeUnits units(0.01, 2e-4, 0.02, 0.1);

    EXPECT_NEAR(units.tau(), 0.5 + 3*0.02*2e-4/1e-4, 1e-14);
    EXPECT_NEAR(units.velocityToLattice(scalar(3)), 0.06, 1e-15);
    EXPECT_NEAR(units.velocityToSI(vector(0, 0.06, 0)).y(), 3, 1e-13);
    EXPECT_NEAR(units.pressureToSI(units.pressureToLattice(7)), 7, 1e-13);
    EXPECT_NEAR(units.pressureToSI(3e-3), 1e-3*2500, 1e-12);
    EXPECT_NEAR(units.accelerationToLattice(scalar(9.81)), 9.81*4e-6, 1e-18);
    EXPECT_NEAR(units.strainRateToLattice(scalar(5)), 1e-3, 1e-17);
    EXPECT_NEAR(units.forceToSI(scalar(1)), 1e-6*0.1/4e-8, 1e-12);
    EXPECT_NEAR(units.mach(3), 0.06*std::sqrt(3.0), 1e-15);
    EXPECT_NEAR(units.cellReynolds(3), 1.5, 1e-14);

    EXPECT_SAYS(messageOf([]{ latticeUnits(0.1, 0, 1); }), "above 0");
}


TEST(LatticeUnits, stepsPerDeltaT)
{
    const auto steps =
        [](const char* LBM, scalar deltaT, scalar dx, scalar nu, scalar Uref)
    {
        const meshCase c(square(2, 2, 2), settingsDict(LBM));
        const latticeSettings settings(c.mesh());
        return latticeUnits::stepsPerDeltaT(deltaT, dx, nu, Uref, settings);
    };

    // icoFoam's cavity: Mach limits to 2.887e-4 s, tau to 4.167e-4 s
    EXPECT_EQ(steps("", 0.005, 0.005, 0.01, 1), 18);
    EXPECT_EQ(steps("", 0.005, 0.005, 0.01, 0), 12);
    EXPECT_EQ(steps("maxRelaxationTime 0.75;", 0.005, 0.005, 0.01, 0), 24);
    EXPECT_EQ(steps("", 1e-5, 0.005, 0.01, 1), 1);
    EXPECT_EQ(steps("latticeTimeStep 5e-4;", 0.005, 0.005, 0.01, 1), 10);
    EXPECT_EQ(steps("latticeTimeStep 0.000333333;", 0.001, 1, 1, 1), 3);

    EXPECT_SAYS
    (
        messageOf([&]{ steps("latticeTimeStep 3e-4;", 0.001, 1, 1, 1); }),
        "does not divide deltaT"
    );
    EXPECT_SAYS
    (
        messageOf([&]{ steps("", 1e6, 1e-6, 1, 1); }),
        "more than can be counted"
    );
    EXPECT_SAYS(messageOf([&]{ steps("", 1, 1, -1, 1); }), "above 0");
}


TEST(LatticeMapping, referenceVelocity)
{
    const auto reference = [](mapped& x, const scalar nu)
    {
        return x.m.referenceVelocity(x.c.U(), x.c.p(), x.settings, nu);
    };

    const scalar nu = 0.1;

    mapped lid(square(2, 4, 4));
    EXPECT_NEAR(reference(lid, nu).speed, std::sqrt(10.0), 1e-14);
    EXPECT_SAYS(reference(lid, nu).from, "patch lid");
    EXPECT_EQ(reference(lid, nu).pressureRate, 0);

    lid.c.U().primitiveFieldRef()[5] = vector(0, 8, 0);
    EXPECT_EQ(reference(lid, nu).speed, 8);
    EXPECT_SAYS(reference(lid, nu).from, "cell 5");

    mapped given(square(2, 4, 4), "referenceVelocity 2;");
    EXPECT_EQ(reference(given, nu).speed, 2);
    EXPECT_SAYS(reference(given, nu).from, "entry referenceVelocity");

    // Walls normal to y, 0.6 m apart
    gridRegion channel = square(2, 3, 6);
    channel.cyclic[0] = true;
    channel.lidAxis = -1;

    mapped laminar(channel, "bodyForce (2 0 0);");
    EXPECT_NEAR(reference(laminar, nu).speed, 2*0.36/0.8, 1e-12);
    EXPECT_SAYS(reference(laminar, nu).from, "laminar channel 0.6 m wide");

    EXPECT_NEAR(reference(laminar, 1e-5).speed, 20*std::sqrt(0.6), 1e-12);
    EXPECT_SAYS(reference(laminar, 1e-5).from, "turbulent");

    mapped rest(channel);
    EXPECT_EQ(reference(rest, nu).speed, 0);
    EXPECT_SAYS(reference(rest, nu).from, "nothing moves");
}


// A pump at one end: what it takes comes through half as many faces at the other
TEST(LatticeMapping, referenceVelocityByContinuity)
{
    const auto reference = [](const int nFaces)
    {
        gridRegion r = channel(4, 4);
        r.patches = [nFaces](const place& p, int axis, int step)
        {
            return
                axis != 0 ? ""
              : step < 0 && p[0] == 0 ? "inlet"
              : step > 0 && p[0] == 3 && p[1] < nFaces ? "outlet"
              : "";
        };

        mappedFields c
        (
            r,
            {{
                {{"inlet", "fixedValue", "zeroGradient"}},
                {{"outlet", "zeroGradient", "fixedValue"}}
            }},
            inletVelocity(vector(-1, 0, 0))
        );
        return c.m->referenceVelocity(c.c.U(), c.c.p(), *c.settings, 0.1);
    };

    EXPECT_NEAR(reference(2).speed, 2, 1e-12);
    EXPECT_SAYS(reference(2).from, "continuity");
    EXPECT_NEAR(reference(4).speed, 1, 1e-12);
    EXPECT_SAYS(reference(4).from, "largest speed at the boundary");
}

} // End namespace
