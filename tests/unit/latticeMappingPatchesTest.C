// Patches through which the fluid flows or along which it slips: kinds, numbers
// and values of their links

#include "latticeUnits.H"
#include "mappedFields.H"
#include "mixedFvPatchFields.H"

using namespace Foam;
using namespace lbmTest;

namespace
{

TEST(LatticeMapping, channelWithInletAndOutlet)
{
    const gridRegion r = channel(6, 4);
    mappedFields c
    (
        r,
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}}
        }},
        inletVelocity(vector(1, 0, 0))
    );
    const latticeMapping& m = *c.m;

    const label in = c.group("inlet", "velocity");
    const label out = c.group("outlet", "pressure");
    ASSERT_NE(in, -1);
    ASSERT_NE(out, -1);

    // Links through the edges belong to the walls
    EXPECT_EQ(m.groupLinks(in), 3*4 - 2);
    EXPECT_EQ(m.groupLinks(out), 3*4 - 2);
    EXPECT_EQ(m.description().groups[out].face.size(), 10u);
    EXPECT_TRUE(m.hasPressure());
    EXPECT_FALSE(m.closed());
    EXPECT_FALSE(m.groupTimeVarying(in));
    EXPECT_FALSE(m.groupDependsOnFlow(out));
    checkArrivals(m);

    // All that flows through the faces flows through the links
    const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());
    const std::vector<double> u
    (
        m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)
    );
    EXPECT_NEAR(linkFlux(m, in, u), -4*units.velocityToLattice(1.0), 1e-14);

    c.p("outlet") == 7;
    const std::vector<double> p
    (
        m.boundaryValues(out, c.c.U(), c.c.p(), units, 5)
    );
    const std::size_t n = lbm::valuesPerFace("pressure");
    ASSERT_EQ(p.size(), 4*n);
    EXPECT_NEAR(p[2*n], units.pressureToLattice(2), 1e-15);

    // Out of the fluid, in the axes of the lattice
    const lbm::linkGroup& group = m.description().groups[out];
    ASSERT_EQ(group.normal.size(), group.size());
    for (const auto& normal : group.normal)
    {
        EXPECT_NEAR(normal[0], 1, 1e-6);
        EXPECT_NEAR(normal[1], 0, 1e-6);
        EXPECT_EQ(normal[2], 0);
    }
}


// rho', A, D, k, t, side, R, F of links/pressure.H
TEST(LatticeMapping, pressureLinksHaveTheInflowOfTheirVelocity)
{
    struct inflow
    {
        const char* U;
        const char* p;
        double along, keep, total, side, floats;
    };

    for
    (
        const inflow& f : std::vector<inflow>
        {
            {"zeroGradient", "fixedValue", 1, 1, 0, 1, 0},
            {"inletOutlet", "fixedValue", 0, 0, 0, 1, 0},
            {"outletInlet", "fixedValue", 0, 0, 0, -1, 0},
            {"pressureInletVelocity", "totalPressure", 1, 0, 1, 0, 0},
            {"pressureInletOutletVelocity", "totalPressure", 1, 0, 1, 1, 0},
            {"pressureInletOutletVelocity", "fixedValue", 1, 0, 0, 1, 0},
            {"pressureNormalInletOutletVelocity", "fixedValue", 1, 0, 0, 1, 0},
            {"advective", "fixedValue", 0, 0, 0, 0, 0},
            {"zeroGradient", "advective", 1, 1, -1, 1, 0},
            {"pressureInletUniformVelocity", "fixedValue", 0, 0, 0, 0, 0.5}
        }
    )
    {
        SCOPED_TRACE(std::string(f.U) + ' ' + f.p);
        const vector brought(-0.5, 0.25, 0);
        mappedFields c
        (
            channel(6, 4),
            {{
                {{"inlet", "fixedValue", "zeroGradient"}},
                {{"outlet", f.U, f.p}}
            }},
            [&](meshCase& c)
            {
                inletVelocity(vector(1, 0, 0))(c);
                const label patchi =
                    c.mesh().boundaryMesh().findPatchID("outlet");
                fvPatchVectorField& Up = c.U().boundaryFieldRef()[patchi];
                if (!f.along)
                {
                    Up == brought;
                    if (isA<mixedFvPatchVectorField>(Up))
                    {
                        refCast<mixedFvPatchVectorField>(Up).refValue() =
                            brought;
                    }
                }
            }
        );
        const label out = c.group("outlet", "pressure");
        ASSERT_NE(out, -1);
        const latticeUnits units(c.m->dx(), 0.01, 0.01, c.m->thickness());
        const std::vector<double> v
        (
            c.m->boundaryValues(out, c.c.U(), c.c.p(), units, 0)
        );
        const std::size_t n = lbm::valuesPerFace("pressure");
        ASSERT_EQ(n, 12u);
        // One whose velocity differs from face to face also has those between
        const bool profile = std::string(f.U) == "advective";
        ASSERT_TRUE(profile ? v.size() > 4*n : v.size() == 4*n);
        const bool given = !f.along;
        for (std::size_t face = 0; face < 4; ++face)
        {
            const double* x = &v[n*face];
            for (direction d = 0; d < 3; ++d)
            {
                EXPECT_NEAR
                (
                    x[1 + d],
                    given ? units.velocityToLattice(brought[d]) : 0,
                    1e-15
                );
                EXPECT_NEAR(x[4 + d], d == 0 ? f.along : 0, 1e-15);
            }
            EXPECT_EQ(x[7], f.keep);
            EXPECT_EQ(x[8], f.total);
            EXPECT_EQ(x[9], f.side);

            EXPECT_NEAR
            (
                x[10],
                units.velocityToLattice
                (
                    units.nu()
                   *c.c.mesh().boundary()["outlet"].deltaCoeffs()[face]
                ),
                1e-15
            );
            EXPECT_EQ(x[11], f.floats);
        }
    }
}


TEST(LatticeMapping, slipHasNormals)
{
    const gridRegion r = channel(4, 3);
    const mappedFields c
    (
        r,
        {{
            {{"inlet", "slip", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}}
        }}
    );
    const label groupi = c.group("inlet", "slip");
    ASSERT_NE(groupi, -1);
    EXPECT_EQ(c.m->groupLinks(groupi), 3*3 - 2);

    EXPECT_EQ(lbm::valuesPerFace("slip"), 0);
    const lbm::linkGroup& group = c.m->description().groups[groupi];
    ASSERT_EQ(group.normal.size(), group.size());
    for (const auto& normal : group.normal)
    {
        EXPECT_NEAR(normal[0], -1, 1e-6);
        EXPECT_NEAR(normal[1], 0, 1e-6);
        EXPECT_EQ(normal[2], 0);
    }

    gridRegion mirror = box(3, 3, 2);
    mirror.patches = [](const place&, int axis, int step)
    {
        return axis != 2 ? "" : step > 0 ? "back" : "front";
    };
    mirror.patchEntries["front"] = "type symmetryPlane;";
    mirror.patchEntries["back"] = "type symmetry;";

    const mapped m(mirror);
    EXPECT_EQ(m.m.description().groups[m.m.groupPatches().find
        (m.c.mesh().boundaryMesh().findPatchID("front"))].type, "slip");

    // Links through the edges belong to the walls
    EXPECT_EQ(m.links("front"), 3*3 + 4*2*3);
    checkArrivals(m.m);
}


TEST(LatticeMapping, freestreamHasTwoKinds)
{
    // The stream enters at the bottom and leaves at the top
    gridRegion r = square(2, 4, 4);
    r.lidAxis = -1;
    r.patches = [](const place&, int axis, int)
    {
        return axis == 2 ? "" : "far";
    };
    r.patchEntries["far"] = "type patch;";

    mappedFields c
    (
        r,
        {{{{"far", "freestreamVelocity", "freestreamPressure"}}}},
        [](meshCase& c)
        {
            const label patchi = c.mesh().boundaryMesh().findPatchID("far");

            refCast<mixedFvPatchVectorField>
            (
                c.U().boundaryFieldRef()[patchi]
            ).refValue() = vector(0, 2, 0);
            refCast<mixedFvPatchScalarField>
            (
                c.p().boundaryFieldRef()[patchi]
            ).refValue() = 3;
        }
    );
    const label in = c.group("far", "velocity");
    const label out = c.group("far", "pressure");
    ASSERT_NE(in, -1);
    ASSERT_NE(out, -1);

    // Faces with inflow have the edges
    EXPECT_EQ(c.m->groupLinks(in), 3*4);
    EXPECT_EQ(c.m->groupLinks(out), 3*4 + 2*3*4 - 4);
    checkArrivals(*c.m);

    const latticeUnits units(0.1, 0.01, 0.01, 0.37);
    EXPECT_NEAR
    (
        linkFlux
        (
            *c.m,
            in,
            c.m->boundaryValues(in, c.c.U(), c.c.p(), units, 0)
        ),
        -4*0.2,
        1e-13
    );
    const std::vector<double> v
    (
        c.m->boundaryValues(out, c.c.U(), c.c.p(), units, 1)
    );
    EXPECT_NEAR(v[0], units.pressureToLattice(2), 1e-15);

    // Over the pressure, too, the free stream enters
    EXPECT_NEAR(v[1], 0, 1e-15);
    EXPECT_NEAR(v[2], units.velocityToLattice(scalar(2)), 1e-15);
    EXPECT_EQ(v[4], 0);
    EXPECT_EQ(v[5], 0);
    EXPECT_EQ(v[7], 0);

    // Both conditions blend
    EXPECT_EQ(v[9], 2);
    EXPECT_EQ(v[11], -1);
}


// freestream is inletOutlet: over a pressure that is given it is one, and over
// freestreamPressure a part of the pressure floats where it enters along
TEST(LatticeMapping, freestreamBringsTheStreamOverItsPressure)
{
    for (const char* p : {"fixedValue", "freestreamPressure"})
    {
        SCOPED_TRACE(p);
        gridRegion r = square(2, 4, 4);
        r.lidAxis = -1;
        r.patches = [](const place&, int axis, int)
        {
            return axis == 2 ? "" : "far";
        };
        r.patchEntries["far"] = "type patch;";

        mappedFields c
        (
            r,
            {{{{"far", "freestream", p}}}},
            [](meshCase& c)
            {
                const label patchi = c.mesh().boundaryMesh().findPatchID("far");

                refCast<mixedFvPatchVectorField>
                (
                    c.U().boundaryFieldRef()[patchi]
                ).refValue() = vector(0, 2, 0);
            }
        );
        const bool given = std::string(p) == "fixedValue";
        const label out = c.group("far", "pressure");
        ASSERT_NE(out, -1);

        const latticeUnits units(0.1, 0.01, 0.01, 0.37);
        const std::vector<double> v
        (
            c.m->boundaryValues(out, c.c.U(), c.c.p(), units, 0)
        );
        const fvPatch& patch = c.c.mesh().boundary()["far"];
        const latticePatch& treatment = c.m->groupPatch(out);
        const std::size_t n = lbm::valuesPerFace("pressure");

        forAll(patch, i)
        {
            const double* x = &v[n*i];

            EXPECT_EQ
            (
                treatment.linkTypes()[treatment.linkTypeOf(i)],
                given || patch.nf()()[i].y() > -0.5 ? "pressure" : "velocity"
            );

            EXPECT_NEAR(x[2], units.velocityToLattice(scalar(2)), 1e-15);
            EXPECT_EQ(x[9], 1);
            EXPECT_NEAR
            (
                x[11],
                given ? 0 : 0.5 - 0.5*patch.nf()()[i].y(),
                1e-12
            );
        }
    }
}

} // End namespace
