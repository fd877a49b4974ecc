// Settings of the dictionary LBM: defaults, and what is refused

#include "latticeSettings.H"
#include "mappedCase.H"

using namespace Foam;
using namespace lbmTest;

namespace
{

TEST(LatticeSettings, defaults)
{
    const meshCase c(square(2, 2, 2));
    const latticeSettings s(c.mesh());

    EXPECT_EQ(s.lattice(), "auto");
    EXPECT_EQ(s.refinement(), 1);
    EXPECT_EQ(s.collision(), "auto");
    EXPECT_EQ(s.magicParameter(), 0);
    EXPECT_EQ(s.bulkRelaxationTime(), 0);
    EXPECT_EQ(s.precision(), "single");
    EXPECT_EQ(s.backend(), "auto");
    EXPECT_EQ(s.maxMach(), 0.1);
    EXPECT_EQ(s.maxRelaxationTime(), 1);
    EXPECT_TRUE(s.adaptiveStep());
    EXPECT_TRUE(s.secondChance());
    EXPECT_TRUE(s.restartData());
    EXPECT_FALSE(s.writeFlags());

    const meshCase given(square(2, 2, 2), settingsDict("latticeTimeStep 1;"));
    EXPECT_FALSE(latticeSettings(given.mesh()).adaptiveStep());
}


TEST(LatticeSettings, readsTheParametersOfACollision)
{
    const meshCase c
    (
        square(2, 2, 2),
        settingsDict("collision MRT; MRTCoeffs { sEpsilon 1.3; sM auto; }")
    );
    const latticeSettings s(c.mesh());
    const auto coeffs = s.collisionCoeffs("MRT");
    EXPECT_EQ(coeffs.size(), 1);
    EXPECT_EQ(coeffs["sEpsilon"], 1.3);
    EXPECT_TRUE(s.collisionCoeffs("TRT").empty());
}


TEST(LatticeSettings, refusesWhatMeansNothing)
{
    const gridRegion r = square(2, 2, 2);

    const std::string entry(refusal(r, "refinment 2;"));
    EXPECT_SAYS(entry, "Unknown entry refinment");
    EXPECT_SAYS(entry, "referenceVelocity");
    EXPECT_SAYS(entry, "LBM");

    const std::string word(refusal(r, "collision SRT;"));
    EXPECT_SAYS(word, "Unknown collision SRT");
    EXPECT_SAYS(word, "TRT");

    const std::string lattice(refusal(r, "lattice D3Q27; collision MRT;"));
    EXPECT_SAYS(lattice, "lattice D3Q27 has no collision MRT");
    EXPECT_SAYS(lattice, "recursiveRegularised");

    const std::string rate(refusal(r, "MRTCoeffs { sPi 2; }"));
    EXPECT_SAYS(rate, "sPi is 2, but must be above 0 and below 2, or auto");
    const std::string rates(refusal(r, "MRTCoeffs { sQ 1; }"));
    EXPECT_SAYS(rates, "Unknown entry sQ");
    EXPECT_SAYS(rates, "sEpsilon");
    EXPECT_SAYS(refusal(r, "TRTCoeffs { sPi 1; }"), "Unknown entry TRTCoeffs");

    EXPECT_SAYS(refusal(r, "precision quarter;"), "half");
    EXPECT_SAYS(refusal(r, "backend opencl;"), "host");
    EXPECT_SAYS(refusal(r, "backend opencl;"), "auto");
    EXPECT_SAYS(refusal(r, "refinement 0;"), "1 or more");
    EXPECT_SAYS(refusal(r, "maxMach 0.4;"), "at most 0.3");
    EXPECT_SAYS(refusal(r, "maxRelaxationTime 0.5;"), "above 0.5");
    EXPECT_SAYS(refusal(r, "magicParameter 0;"), "above 0, or auto");
    EXPECT_SAYS(refusal(r, "bulkRelaxationTime 0.5;"), "above 0.5, or auto");
    EXPECT_SAYS(refusal(r, "latticeTimeStep -1;"), "above 0 s");
    EXPECT_SAYS(refusal(r, "device -1;"), "0 or more");
    EXPECT_SAYS
    (
        refusal(r, "latticeTimeStep 1; adaptiveStep yes;"),
        "fixes the step"
    );
    EXPECT_NE(refusal(r, "refinement many;"), "");
}


TEST(LatticeSettings, referencePressure)
{
    meshCase c(square(2, 4, 4));
    fvSolution& solution = const_cast<fvMesh&>(c.mesh());
    label celli;
    scalar value;

    EXPECT_TRUE(latticeSettings(c.mesh()).getReference(c.p(), celli, value));
    EXPECT_EQ(celli, 0);
    EXPECT_EQ(value, 0);

    solution.add("PISO", settingsDict("pRefCell 3; pRefValue 5;"));
    latticeSettings(c.mesh()).getReference(c.p(), celli, value);
    EXPECT_EQ(celli, 3);
    EXPECT_EQ(value, 5);

    solution.add("LBM", settingsDict("pRefPoint (0.35 0.35 0.1);"));
    latticeSettings(c.mesh()).getReference(c.p(), celli, value);
    EXPECT_EQ(celli, c.cell({3, 3, 0}));
    EXPECT_EQ(value, 0);

    solution.set("LBM", settingsDict("pRefCell 16;"));
    EXPECT_SAYS
    (
        messageOf([&]
        {
            latticeSettings(c.mesh()).getReference(c.p(), celli, value);
        }),
        "16"
    );
}

} // End namespace
