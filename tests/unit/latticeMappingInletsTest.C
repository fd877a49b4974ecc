// Velocities at the links of inlets and of lids: where they are, what flows
// through them

#include "latticeUnits.H"
#include "mappedFields.H"
#include "unitConversion.H"

using namespace Foam;
using namespace lbmTest;

namespace
{

// What a lid lets in at its one end and out at the other one, weighted with a
// half of a cosine along it: next to nothing, and in the mean a small part of
// what the links alone do. The bound detects change, it proves no order
TEST(LatticeMapping, linksOfALidLetNothingThroughAtItsEnds)
{
    const label n = 40;
    scalar all = 0, alone = 0;

    for (const scalar degrees : {7, 20, 33, 45, 58, 71})
    {
        const scalar angle = degToRad(degrees);
        const vector e1(std::cos(angle), std::sin(angle), 0);
        const vector e2(-std::sin(angle), std::cos(angle), 0);

        gridRegion r = square(2, n, n);
        r.cell = vector(1.0/n, 1.0/n, 0.37);
        r.points = [&](const point& x)
        {
            return point(x.x()*e1 + x.y()*e2 + vector(0, 0, x.z()));
        };

        mappedFields c
        (
            r,
            {{{{"lid", "fixedValue", "zeroGradient"}}}},
            [&](meshCase& c)
            {
                const label lid = c.mesh().boundaryMesh().findPatchID("lid");
                c.U().boundaryFieldRef()[lid] == e1;
            }
        );
        const label lid = c.group("lid", "velocity");
        ASSERT_NE(lid, -1);

        const latticeMapping& m = *c.m;
        ASSERT_FALSE(m.conforming());

        const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());
        const std::vector<double> u
        (
            m.boundaryValues(lid, c.c.U(), c.c.p(), units, 0)
        );
        const auto directions = lbm::directions(m.lattice());
        const auto weights = lbm::weights(m.lattice());
        const lbm::linkGroup& group = m.description().groups[lid];
        const vectorField& centres = c.c.mesh().boundary()["lid"].Cf();

        scalar ends = 0, raw = 0;
        for (std::size_t l = 0; l < group.size(); ++l)
        {
            const auto& d = directions[group.direction[l]];
            const vector v(d[0], d[1], 0);
            const label face = group.face[l];
            ASSERT_LT(face, n);

            const scalar w =
                6*weights[group.direction[l]]
               *std::cos(M_PI*(centres[face] & e1));

            ends += w*(v & vector(u[3*face], u[3*face + 1], 0));
            raw += w*(v & m.toLattice(e1))*units.velocityToLattice(1.0);
        }
        all += mag(ends)/units.velocityToLattice(1.0);
        alone += mag(raw)/units.velocityToLattice(1.0);
    }

    EXPECT_LT(all, 0.35*alone) << all << ' ' << alone;
}


TEST(LatticeMapping, inletsKeepTheirVelocityWhateverItIsAlongThem)
{
    // The link that an inlet lacks at its corner with a wall has a flux of a sixth
    // of the velocity along it, here 6 % of its own; at the other end the fluid
    // goes on
    gridRegion r = channel(6, 60);
    r.patches = [ends = r.patches](const place& p, int axis, int step)
    {
        return axis == 1 && step > 0 ? "top" : ends(p, axis, step);
    };
    r.patchEntries["top"] = "type patch;";

    mappedFields c
    (
        r,
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}},
            {{"top", "slip", "zeroGradient"}}
        }},
        inletVelocity(vector(1, 20, 0))
    );
    const latticeMapping& m = *c.m;
    const label in = c.group("inlet", "velocity");
    const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());

    const std::vector<double> u
    (
        m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)
    );

    EXPECT_NEAR
    (
        linkFlux(m, in, u),
        faceFlux(c, "inlet", units),
        1e-12
    );

    const scalar along = units.velocityToLattice(20.0);
    const scalar across = units.velocityToLattice(1.0);
    const vectorField& centres = c.U("inlet").patch().Cf();
    const scalar length = 60*m.dx();

    forAll(centres, facei)
    {
        const scalar fromWall = centres[facei].y() - min(centres.component(1)());

        EXPECT_NEAR(u[3*facei + 1], along, 0.012*along);

        // All of the change is beside the wall
        if (fromWall > 0.6*length)
        {
            EXPECT_NEAR(u[3*facei], across, 0.012*across) << facei;
        }
    }
}


TEST(LatticeMapping, inletLinksHaveTheVelocityWhereTheyMeetIt)
{
    // One that grows along the patch: the oblique links of a node have
    // different ones, or the fluid slips along the patch
    const auto profile = [](const scalar y) { return 1 + 3*y; };

    for (const char* LBM : {"", "refinement 2;", "latticeSpacing 0.07;"})
    {
        SCOPED_TRACE(LBM);
        mappedFields c
        (
            channel(6, 8),
            {{
                {{"inlet", "fixedValue", "zeroGradient"}},
                {{"outlet", "zeroGradient", "fixedValue"}}
            }},
            inletProfile([&](const point& x) { return profile(x.y()); }),
            LBM
        );
        const latticeMapping& m = *c.m;
        const label in = c.group("inlet", "velocity");
        const lbm::linkGroup& group = m.description().groups[in];
        const auto directions(lbm::directions(m.lattice()));
        const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());

        const std::vector<double> u
        (
            m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)
        );

        // Scaled, so that all that flows through the faces enters
        const scalar scale =
            u[0]/units.velocityToLattice(c.U("inlet")[0].x());
        EXPECT_NEAR(scale, 1, 0.1);
        EXPECT_NEAR
        (
            linkFlux(m, in, u),
            faceFlux(c, "inlet", units),
            1e-12
        );

        ASSERT_GT(group.size(), 10u);
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const scalar q =
                group.distance.empty() ? 0.5 : group.distance[i];
            const scalar y =
                m.boxCentre(group.node[i]).y()
              + q*m.dx()*directions[group.direction[i]][1];

            EXPECT_NEAR
            (
                u[3*group.face[i]]/scale,
                units.velocityToLattice(profile(y)),
                1e-6*mag(u[0])
            );

            const label facei = m.faceOfLink(in, group.face[i]);
            EXPECT_LT
            (
                mag(c.U("inlet").patch().Cf()[facei].y() - y),
                0.051 + 0.5*m.dx()
            );
        }
    }
}


TEST(LatticeMapping, inletLinksHaveTheVelocityWhereTheyMeetItInThreeDimensions)
{
    const auto profile = [](const point& x)
    {
        return 1 + 2*x.y() - x.z();
    };

    gridRegion r = box(4, 6, 5);
    r.lidAxis = -1;
    r.patches = [](const place& p, int axis, int step)
    {
        return
            axis != 0 ? ""
          : step < 0 && p[0] == 0 ? "inlet"
          : step > 0 && p[0] == 3 ? "outlet"
          : "";
    };
    r.patchEntries["inlet"] = "type patch;";
    r.patchEntries["outlet"] = "type patch;";

    for
    (
        const char* LBM
      : {
            "",
            "latticeSpacing 0.07;",
            "lattice D3Q27;",
            "lattice D3Q27; latticeSpacing 0.07;"
        }
    )
    {
        SCOPED_TRACE(LBM);
        mappedFields c
        (
            r,
            {{
                {{"inlet", "fixedValue", "zeroGradient"}},
                {{"outlet", "zeroGradient", "fixedValue"}}
            }},
            inletProfile(profile),
            LBM
        );
        const latticeMapping& m = *c.m;
        const label in = c.group("inlet", "velocity");
        const lbm::linkGroup& group = m.description().groups[in];
        const auto directions(lbm::directions(m.lattice()));
        const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());

        const std::vector<double> u
        (
            m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)
        );
        const scalar scale =
            u[0]/units.velocityToLattice(c.U("inlet")[0].x());
        EXPECT_NEAR
        (
            linkFlux(m, in, u),
            faceFlux(c, "inlet", units),
            1e-12
        );

        ASSERT_GT(group.size(), 60u);
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const auto& q = directions[group.direction[i]];
            const scalar part =
                group.distance.empty() ? 0.5 : group.distance[i];

            EXPECT_NEAR
            (
                u[3*group.face[i]]/scale,
                units.velocityToLattice
                (
                    profile
                    (
                        m.boxCentre(group.node[i])
                      + part*m.dx()*vector(q[0], q[1], q[2])
                    )
                ),
                1e-6*mag(u[0])
            );
        }
    }
}


TEST(LatticeMapping, valuesOfAUniformInletAreThoseOfItsFaces)
{
    mappedFields c
    (
        channel(6, 8),
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}}
        }},
        inletVelocity(vector(1, 0, 0))
    );
    const label in = c.group("inlet", "velocity");
    const latticeUnits units(0.1, 0.01, 0.01);

    EXPECT_EQ
    (
        c.m->boundaryValues(in, c.c.U(), c.c.p(), units, 0).size(),
        std::size_t(3*8)
    );
}


TEST(LatticeMapping, inletsAreNoMovingWalls)
{
    // Along the patch: a moving wall, and its flux stays what it is
    mappedFields slides
    (
        channel(4, 4),
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}}
        }},
        inletVelocity(vector(0, 1, 0))
    );
    const label groupi = slides.group("inlet", "velocity");
    EXPECT_EQ
    (
        slides.m->groupPatch(groupi).rank(),
        label(latticePatch::MOVING_WALL)
    );
    const latticeUnits units(0.1, 0.01, 0.01);
    EXPECT_NEAR
    (
        slides.m->boundaryValues
        (
            groupi,
            slides.c.U(),
            slides.c.p(),
            units,
            0
        )[1],
        0.1,
        1e-15
    );

    // A lid beside an inlet: links through the edge are the lid's
    gridRegion r = channel(4, 4);
    const auto ends = r.patches;
    r.patches = [=](const place& p, int axis, int step)
    {
        return
            axis == 1 && step > 0 && p[1] == 3 ? std::string("top")
          : ends(p, axis, step);
    };
    r.patchEntries["top"] = "type patch;";

    const mappedFields c
    (
        r,
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}},
            {{"top", "fixedValue", "zeroGradient"}}
        }},
        [](meshCase& c)
        {
            inletVelocity(vector(1, 0, 0))(c);
            c.U().boundaryFieldRef()
                [c.mesh().boundaryMesh().findPatchID("top")] == vector(1, 0, 0);
        }
    );
    EXPECT_EQ(c.m->groupLinks(c.group("top", "velocity")), 3*4);
    EXPECT_EQ(c.m->groupLinks(c.group("inlet", "velocity")), 3*4 - 2);
}


TEST(LatticeMapping, straightInflow)
{
    for (const auto& type : std::vector<std::pair<const char*, bool>>
    {
        {"zeroGradient", true},
        {"pressureInletOutletVelocity", false},
        {"inletOutlet", false}
    })
    {
        mappedFields c
        (
            channel(4, 4),
            {{
                {{"inlet", "fixedValue", "zeroGradient"}},
                {{"outlet", type.first, "fixedValue"}}
            }},
            inletVelocity(vector(1, 0, 0))
        );
        const latticeMapping& m = *c.m;
        const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());

        for (const char* kind : {"velocity", "pressure"})
        {
            const bool out = std::string(kind) == "pressure";
            const label group = c.group(out ? "outlet" : "inlet", kind);
            std::vector<double> u
            (
                m.boundaryValues(group, c.c.U(), c.c.p(), units, 0)
            );
            const std::vector<double> before(u);

            EXPECT_EQ(m.straightenInflow(group, u), out && type.second)
                << type.first;
            EXPECT_EQ(u != before, out && type.second) << type.first;
            EXPECT_FALSE(m.straightenInflow(group, u)) << type.first;
        }
        EXPECT_FALSE(m.enclosed());
    }
    EXPECT_TRUE(mapped(square(2, 4, 4)).m.enclosed());
}

} // End namespace
