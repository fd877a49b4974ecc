// Mapping of meshes to the lattice: its directions, the faces of links, their
// values and their numbers

#include "latticeUnits.H"
#include "mappedCase.H"

#include <sstream>

using namespace Foam;
using namespace lbmTest;

namespace
{

TEST(LatticeMapping, choosesTheLatticeByTheDimensions)
{
    const gridRegion cube = box(3, 3, 3), flat = square(1, 4, 3);
    const auto lattice = [](const gridRegion& r, const char* LBM)
    {
        return std::string(mapped(r, LBM).m.lattice());
    };

    EXPECT_EQ(lattice(cube, ""), "D3Q19");
    EXPECT_EQ(lattice(cube, "lattice auto;"), "D3Q19");
    EXPECT_EQ(lattice(cube, "lattice D3Q27;"), "D3Q27");
    EXPECT_EQ(lattice(flat, ""), "D2Q9");
    EXPECT_EQ(lattice(flat, "lattice D2Q9;"), "D2Q9");

    std::string text = refusal(cube, "lattice D2Q9;");
    EXPECT_SAYS(text, "lattice is D2Q9, but the mesh has 3 dimensions");
    EXPECT_SAYS(text, "(auto D3Q19 D3Q27)");

    // Also where a lattice has to be laid over the mesh
    text = refusal(flat, "lattice D3Q27; latticeSpacing 0.07;");
    EXPECT_SAYS(text, "lattice is D3Q27, but the mesh has 2 dimensions");
    EXPECT_SAYS(text, "(auto D2Q9)");

    text = refusal(cube, "lattice D3Q15;");
    EXPECT_SAYS(text, "Unknown lattice D3Q15");
    EXPECT_SAYS(text, "D3Q27");
}


TEST(LatticeMapping, lidLinksNameTheirFace)
{
    const char* const refined[] = {"", "refinement 2;"};

    for (const char* LBM : refined)
    {
        const mapped c(box(5, 4, 3), LBM);
        const latticeMapping& m = c.m;

        forAll(m.groupPatches(), groupi)
        {
            const lbm::linkGroup& group = m.description().groups[groupi];
            if (group.type != "velocity")
            {
                continue;
            }

            const vectorField& Cf =
                c.c.mesh().boundary()[m.groupPatches()[groupi]].Cf();

            for (std::size_t i = 0; i < group.size(); ++i)
            {
                // Above the node's own cell
                const label celli = m.nodeCells()[m.fluidIndex(group.node[i])];
                const vector d(Cf[group.face[i]] - c.c.mesh().C()[celli]);

                EXPECT_NEAR(d.x(), 0, 1e-12);
                EXPECT_NEAR(d.y(), 0.05, 1e-12);
                EXPECT_NEAR(d.z(), 0, 1e-12);
            }
        }
    }
}


TEST(LatticeMapping, slowestFaceHasTheCorner)
{
    // One patch all round, of which only the top moves: links through the
    // upper corners belong to the faces that rest
    gridRegion r = square(2, 4, 4);
    r.lidAxis = -1;
    meshCase c(r);

    const label patchi = c.mesh().boundaryMesh().findPatchID("walls");
    wordList types(meshCase::types(c.U()));
    types[patchi] = "fixedValue";
    c.setFields(types, meshCase::types(c.p()));

    fvPatchVectorField& Up = c.U().boundaryFieldRef()[patchi];
    vectorField values(Up.size(), Zero);
    forAll(values, i)
    {
        if (Up.patch().Cf()[i].y() > 0.399)
        {
            values[i] = vector(1, 0, 0);
        }
    }
    Up == values;

    const latticeSettings settings(c.mesh());
    const latticeMapping m(c.mesh(), settings, c.U(), c.p());

    ASSERT_EQ(m.description().groups.size(), 1u);
    const lbm::linkGroup& group = m.description().groups[0];
    EXPECT_EQ(group.type, "velocity");

    int moving = 0;
    for (const std::int32_t facei : group.face)
    {
        moving += mag(values[facei]) > 0;
    }
    EXPECT_EQ(moving, 3*4 - 2);
}


TEST(LatticeMapping, boundaryValuesInLatticeUnits)
{
    const mapped lid(square(0, 3, 3));
    meshCase c(square(0, 3, 3));
    const latticeUnits units(0.1, 0.002, 0.01);

    c.U().boundaryFieldRef()[c.mesh().boundaryMesh().findPatchID("lid")] ==
        vector(1, 2, 3);

    forAll(lid.m.groupPatches(), groupi)
    {
        const std::vector<double> values
        (
            lid.m.boundaryValues(groupi, c.U(), c.p(), units, 0)
        );

        if (lid.m.description().groups[groupi].name == "lid")
        {
            // (1 2 3) m/s seen along y, z
            ASSERT_EQ(values.size(), 9u);
            EXPECT_NEAR(values[3], 0.04, 1e-15);
            EXPECT_NEAR(values[4], 0.06, 1e-15);
            EXPECT_EQ(values[5], 0);
        }
        else
        {
            EXPECT_TRUE(values.empty());
        }
    }
}


TEST(LatticeMapping, releasedLinksAreStillCounted)
{
    mapped c(square(2, 4, 4));
    const std::int64_t n = c.links("walls");

    const tmp<volScalarField> flags(c.m.flags());
    EXPECT_EQ(flags()[c.c.cell({1, 1, 0})], latticeMapping::INTERIOR);
    EXPECT_EQ(flags()[c.c.cell({1, 0, 0})], latticeMapping::WALL);
    EXPECT_EQ(flags()[c.c.cell({1, 3, 0})], latticeMapping::VELOCITY);
    EXPECT_EQ(flags()[c.c.cell({0, 3, 0})], latticeMapping::WALL);

    c.m.releaseLinks();
    EXPECT_EQ(c.links("walls"), n);
    EXPECT_EQ(c.m.description().groups[0].size(), 0u);

    OStringStream os;
    c.m.writeSummary(os);
    EXPECT_SAYS(os.str(), "16 fluid, of which 12 have links");
    EXPECT_SAYS(os.str(), "walls: " + std::to_string(n) + " wall");
}


TEST(LatticeMapping, roundedPointsAreAccepted)
{
    // writePrecision 6, far from the origin
    gridRegion r = box(40, 3, 3);
    r.cell = vector::uniform(0.00512);
    r.origin = point(1.2345, -0.6, 0);
    r.points = [](const point& x)
    {
        point y;
        for (direction a = 0; a < 3; ++a)
        {
            std::ostringstream os;
            os.precision(6);
            os << x[a];
            y[a] = std::stod(os.str());
        }
        return y;
    };

    const mapped c(r);
    EXPECT_EQ(c.m.nFluid(), 360);
    EXPECT_NEAR(c.m.dx(), 0.00512, 1e-6);
    EXPECT_EQ(c.m.description().size[0], 40);
}

} // End namespace
