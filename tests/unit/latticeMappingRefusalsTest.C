// Meshes, patches and settings that no lattice is made for, and what is said

#include "conformingMesh.H"
#include "mappedCase.H"
#include "OFstream.H"
#include "OSspecific.H"
#include "wholeBoundary.H"

using namespace Foam;
using namespace lbmTest;

namespace
{

TEST(ConformingMesh, saysWhyMeshesDoNotConform)
{
    const auto reasonOf = [](const gridRegion& r)
    {
        const meshCase c(r);
        string reason;
        EXPECT_FALSE(conformingMesh::New(c.mesh(), wholeBoundary(c.mesh()), reason).valid());
        return reason;
    };

    gridRegion r = box(4, 4, 4);

    r.cell = vector(0.1, 0.1, 0.11);
    EXPECT_SAYS(reasonOf(r), "Cell 0 is not a cube");
    r.cell = vector(0.1, 0.1, 0.1005);
    EXPECT_SAYS(reasonOf(r), "Cell 0 is not a cube");
    r.cell = vector::uniform(0.1);

    // Graded along x: the first cell that differs
    r.points = [](const point& x)
    {
        return x + vector(0.2*max(x.x() - 0.2, scalar(0)), 0, 0);
    };
    const std::string graded(reasonOf(r));
    EXPECT_SAYS(graded, "Cell 2 ");
    EXPECT_SAYS(graded, "(0.26 0.05 0.05)");
    EXPECT_SAYS(graded, "(0.12 0.1 0.1)");
    EXPECT_SAYS(graded, "(0.1 0.1 0.1)");

    // Turned by 30 degrees
    r.points = [](const point& x)
    {
        return point
        (
            0.866025*x.x() - 0.5*x.y(),
            0.5*x.x() + 0.866025*x.y(),
            x.z()
        );
    };
    EXPECT_SAYS(reasonOf(r), "Cell 0 ");

    // Equal cells, two of them half a cell off the others
    r.points = nullptr;
    r.size = {2, 3, 1};
    r.cells = [](const place& p){ return p[1] != 1; };
    r.points = [](const point& x)
    {
        return x.y() > 0.15 ? point(x + vector(0.05, 0, 0)) : x;
    };
    EXPECT_SAYS(reasonOf(r), "off the grid");

    // Two cells between empty patches
    gridRegion s = square(2, 4, 4);
    s.size[2] = 2;
    EXPECT_SAYS(reasonOf(s), "32 faces for 32 cells");

    // Rectangles
    s = square(2, 4, 4);
    s.cell.x() = 0.2;
    EXPECT_SAYS(reasonOf(s), "Cell 0 is not a square");
}


TEST(LatticeMapping, refusesOneDimension)
{
    gridRegion r = square(2, 4, 1);
    r.patches = [](const place&, int axis, int)
    {
        return axis == 1 ? "sides" : "";
    };
    r.patchEntries["sides"] = "type empty;";

    const std::string message(refusal(r));
    EXPECT_SAYS(message, "Empty patch");
    EXPECT_SAYS(message, "normal to y");
    EXPECT_SAYS(message, "normal to z");
}


TEST(LatticeMapping, refusesWallInEmptyDirection)
{
    gridRegion r = square(2, 4, 4);
    r.patches = [](const place& p, int axis, int step)
    {
        return axis == 2 && step > 0 && p[0] == 1 ? "cover" : "";
    };
    r.patchEntries["cover"] = "type wall;";

    EXPECT_SAYS(refusal(r), "Patch cover of type wall has a face with normal (0 0 1)");
}


TEST(LatticeMapping, refusesOtherConstraints)
{
    const auto ends = [](const place&, int axis, int step)
    {
        return axis != 2 ? "" : step > 0 ? "back" : "front";
    };

    // Opening along x
    gridRegion wedge = box(3, 3, 1);
    wedge.origin = point(0.2, 0, -0.05);
    wedge.points = [](const point& x)
    {
        return point(x.x(), x.y(), x.z()*x.x());
    };
    wedge.patches = ends;
    wedge.patchEntries["front"] = "type wedge;";
    wedge.patchEntries["back"] = "type wedge;";
    EXPECT_SAYS(refusal(wedge), "a patch of type wedge");

    // A quarter that turns into itself
    gridRegion quarter = box(3, 3, 1);
    quarter.patches = [](const place& p, int axis, int step)
    {
        return
            step > 0 ? ""
          : axis == 0 && p[0] == 0 ? "start"
          : axis == 1 && p[1] == 0 ? "turned"
          : "";
    };
    const std::string turn
    (
        "type cyclic; transform rotational; rotationAxis (0 0 1);"
        " rotationCentre (0 0 0);"
    );
    quarter.patchEntries["start"] = turn + "neighbourPatch turned;";
    quarter.patchEntries["turned"] = turn + "neighbourPatch start;";
    EXPECT_SAYS(refusal(quarter), "cyclic patch that turns");
}


TEST(LatticeMapping, refusesMovingMesh)
{
    const fileName root(::testing::TempDir() + "latticeMappingTest");
    const fileName constant(root/"meshCase/constant");
    mkDir(constant);

    const auto withMesh = [&](const std::string& type)
    {
        {
            OFstream os(constant/"dynamicMeshDict");
            os  << "FoamFile { version 2.0; format ascii; class dictionary; "
                << "object dynamicMeshDict; }" << nl
                << "dynamicFvMesh " << type.c_str() << ";" << nl;
        }

        return messageOf([&]
        {
            meshCase c(square(2, 2, 2), dictionary(), root);
            latticeSettings settings(c.mesh());
            latticeMapping m(c.mesh(), settings, c.U(), c.p());
        });
    };

    const std::string message(withMesh("dynamicMotionSolverFvMesh"));
    EXPECT_SAYS(message, "dynamicFvMesh is dynamicMotionSolverFvMesh");
    EXPECT_SAYS(message, "constant/dynamicMeshDict");
    EXPECT_EQ(withMesh("staticFvMesh"), "");

    rmDir(root);
}


TEST(LatticeMapping, refusesOtherPatches)
{
    const gridRegion r = square(2, 4, 4);

    const auto with = [&](const word& Utype, const word& pType)
    {
        return refusal(r, "", [&](meshCase& c)
        {
            const label lidi = c.mesh().boundaryMesh().findPatchID("lid");
            wordList Utypes(meshCase::types(c.U()));
            wordList pTypes(meshCase::types(c.p()));
            Utypes[lidi] = Utype;
            pTypes[lidi] = pType;
            c.setFields(Utypes, pTypes);
        });
    };

    EXPECT_EQ(with("fixedValue", "zeroGradient"), "");
    EXPECT_EQ(with("noSlip", "zeroGradient"), "");
    EXPECT_SAYS(with("noSlip", "fixedFluxPressure"), "possible : zeroGradient");

    EXPECT_EQ(with("slip", "zeroGradient"), "");
    EXPECT_EQ(with("zeroGradient", "fixedValue"), "");
    EXPECT_EQ(with("zeroGradient", "advective"), "");
    EXPECT_EQ(with("inletOutlet", "totalPressure"), "");
    EXPECT_EQ(with("pressureInletVelocity", "totalPressure"), "");
    EXPECT_EQ(with("pressureInletOutletVelocity", "fixedValue"), "");

    for
    (
        const char* type
      : {"zeroGradient", "inletOutlet", "calculated", "partialSlip",
         "fixedNormalSlip", "mixed", "fixedGradient"}
    )
    {
        const std::string message(with(type, "zeroGradient"));
        EXPECT_SAYS(message, "Patch lid");
        EXPECT_SAYS(message, std::string("type ") + type);
        EXPECT_SAYS(message, "possible");
        EXPECT_SAYS(message, "/U");
        EXPECT_SAYS(message, "noSlip");
        EXPECT_SAYS(message, "fixedValue");
    }

    EXPECT_SAYS(with("calculated", "zeroGradient"), "cyclic, empty, symmetry");
    EXPECT_SAYS(with("zeroGradient", "zeroGradient"), "to float");
    EXPECT_SAYS(with("zeroGradient", "zeroGradient"), "totalPressure");
    EXPECT_SAYS(with("slip", "fixedValue"), "fixes the pressure");
    EXPECT_SAYS(with("freestream", "zeroGradient"), "freestreamPressure");

    const std::string message(with("noSlip", "fixedValue"));
    EXPECT_SAYS(message, "Patch lid");
    EXPECT_SAYS(message, "field p");
    EXPECT_SAYS(message, "zeroGradient");
}


TEST(LatticeMapping, refusesForceInEmptyDirection)
{
    EXPECT_SAYS
    (
        refusal(square(1, 3, 3), "bodyForce (0 1 0);"),
        "empty direction, y"
    );
    EXPECT_EQ(refusal(square(1, 3, 3), "bodyForce (1 0 1);"), "");
}

} // End namespace
