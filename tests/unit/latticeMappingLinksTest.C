/*---------------------------------------------------------------------------*\
Description
    Links that a mapping finds.

    The links of whole cases are held against a search on the grid from which
    the mesh was made, which knows nothing of faces.
\*---------------------------------------------------------------------------*/

#include "engine.H"
#include "gridSearch.H"
#include "mappedCase.H"

#include <map>
#include <random>

using namespace Foam;
using namespace lbmTest;

namespace
{

//- Hold all nodes and links of a case on a lattice against the search
void checkLattice(const gridRegion& r, const std::string& LBM)
{
    const mapped c(r, LBM.c_str());
    const latticeMapping& m = c.m;
    const gridSearch search(r, m);
    const auto directions = lbm::directions(m.lattice());
    const lbm::latticeDescription& d = m.description();

    std::map<std::pair<std::int64_t, int>, expectedLink> found;

    for (const lbm::linkGroup& group : d.groups)
    {
        const bool cyclic = group.type == "cyclic";

        ASSERT_EQ(group.direction.size(), group.size());
        ASSERT_EQ(group.partner.size(), cyclic ? group.size() : 0);
        ASSERT_EQ
        (
            group.face.size(),
            group.type == "velocity" ? group.size() : 0
        );

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const auto inserted = found.insert
            ({
                {group.node[i], group.direction[i]},
                {group.type, cyclic ? group.partner[i] : -1}
            });

            ASSERT_TRUE(inserted.second) << "link in two groups";
        }
    }

    std::size_t nLinks = 0;
    label fluidi = 0;

    for (std::int64_t boxi = 0; boxi < std::int64_t(d.fluid.size()); ++boxi)
    {
        ASSERT_EQ(bool(d.fluid[boxi]), search.fluid(boxi)) << "node " << boxi;

        if (!d.fluid[boxi])
        {
            ASSERT_EQ(m.fluidIndex(boxi), -1);
            continue;
        }

        ASSERT_EQ(m.fluidIndex(boxi), fluidi);
        ASSERT_EQ(m.boxIndex(fluidi), boxi);

        // The node lies in its cell, one of n^d places
        const vector offset
        (
            m.nodeCentre(fluidi) - c.c.mesh().C()[m.nodeCells()[fluidi]]
        );
        for (direction a = 0; a < 3; ++a)
        {
            const scalar n = a == r.emptyAxis ? 1 : m.refinement();
            const scalar i = n*(offset[a]/r.cell[a] + 0.5) - 0.5;

            ASSERT_NEAR(i, std::round(i), 1e-9);
            ASSERT_GT(i, -0.5);
            ASSERT_LT(i, n - 0.5);
        }

        for (std::size_t q = 1; q < directions.size(); ++q)
        {
            const expectedLink expected(search.link(boxi, directions[q]));
            const auto iter = found.find({boxi, q});
            const expectedLink link
            (
                iter == found.end() ? expectedLink() : iter->second
            );

            const place p(search.placeOf(boxi));
            ASSERT_EQ(link.type, expected.type)
                << "node " << p[0] << ' ' << p[1] << ' ' << p[2]
                << ", direction " << q;
            ASSERT_EQ(link.partner, expected.partner);

            nLinks += !expected.type.empty();
        }

        ++fluidi;
    }

    EXPECT_EQ(m.nFluid(), fluidi);
    EXPECT_EQ(m.nFluid(), c.c.mesh().nCells()*m.nodesPerCell());
    EXPECT_EQ(found.size(), nLinks);
    EXPECT_GT(nLinks, 0u);

    checkArrivals(m);
}


//- The same on all lattices
void checkAgainstGrid(const gridRegion& r, const std::string& LBM = "")
{
    for (const std::string& name : lbm::engine::validNames("lattice"))
    {
        if (lbm::nDimensions(name) == (r.emptyAxis == -1 ? 3 : 2))
        {
            SCOPED_TRACE(name);
            checkLattice(r, LBM + " lattice " + name + ";");
        }
    }
}


//- Cells left out by chance, many of them touching by an edge alone
std::function<bool(const place&)> porous(const double porosity, const int seed)
{
    return [=](const place& p)
    {
        std::mt19937 random(seed + 1000*p[0] + 100*p[1] + 10*p[2]);
        random.discard(5);
        return random()/4294967296.0 < porosity;
    };
}


TEST(LatticeMapping, linksOfBox)
{
    const gridRegion r = box(5, 4, 3);
    checkAgainstGrid(r);

    // By hand: nodes of the side, less those whose oblique population leaves
    // through the edge with a resting wall
    const mapped c(r);
    EXPECT_EQ(c.m.lattice(), "D3Q19");
    EXPECT_EQ(c.links("lid"), 5*3 + 2*4*3 + 2*5*2);
    EXPECT_NEAR(c.m.dx(), 0.1, 1e-15);
    EXPECT_NEAR(c.m.thickness(), 0.1, 1e-15);
    EXPECT_TRUE(c.m.closed());
}


TEST(LatticeMapping, linksInTwoDimensions)
{
    for (int emptyAxis = 0; emptyAxis < 3; ++emptyAxis)
    {
        SCOPED_TRACE(emptyAxis);
        const gridRegion r = square(emptyAxis, 6, 4);
        checkAgainstGrid(r);

        const mapped c(r);
        EXPECT_EQ(c.m.lattice(), "D2Q9");
        EXPECT_EQ(c.links("lid"), 3*6 - 2);
        EXPECT_EQ(c.links("walls"), (6 + 4*2) + 4*(6 + 4 - 1) - 2*5);
        EXPECT_NEAR(c.m.dx(), 0.1, 1e-15);
        EXPECT_NEAR(c.m.thickness(), 0.37, 1e-15);

        const auto& axes = c.m.axes();
        EXPECT_EQ(axes[2], emptyAxis);
        EXPECT_EQ(axes[1], (axes[0] + 1) % 3);
        EXPECT_EQ(axes[2], (axes[1] + 1) % 3);

        const vector v(1, 2, 3);
        EXPECT_EQ(c.m.toPhysical(c.m.toLattice(v)), v);
        EXPECT_EQ(c.m.toLattice(v).z(), v[emptyAxis]);

        const symmTensor t(1, 2, 3, 4, 5, 6);
        EXPECT_EQ(c.m.toPhysical(c.m.toLattice(t)), t);
        EXPECT_NEAR
        (
            c.m.toLattice(v) & c.m.toLattice(t) & c.m.toLattice(v),
            v & t & v,
            1e-12
        );
    }
}


TEST(LatticeMapping, linksOfLShapeAndHole)
{
    gridRegion r = square(2, 7, 6);
    r.cells = [](const place& p){ return p[0] < 3 || p[1] < 2; };
    checkAgainstGrid(r);

    r.cells = [](const place& p)
    {
        return p[0] < 2 || p[0] > 4 || p[1] < 2 || p[1] > 3;
    };
    checkAgainstGrid(r);

    gridRegion b = box(5, 5, 5);
    b.cells = [](const place& p){ return p != place{2, 2, 2}; };
    checkAgainstGrid(b);

    // A cube in the middle is met by one population in each direction, and by
    // no others: all go round its edges
    const mapped c(b);
    const mapped whole(box(5, 5, 5));
    EXPECT_EQ(c.links("walls") - whole.links("walls"), 6 + 12);
}


TEST(LatticeMapping, linksOfCyclicPairs)
{
    for (int pairs = 1; pairs < 8; ++pairs)
    {
        SCOPED_TRACE(pairs);
        gridRegion r = box(4, 3, 5);
        gridRegion s = square(2, 4, 3);

        for (int a = 0; a < 3; ++a)
        {
            r.cyclic[a] = pairs & (1 << a);
            s.cyclic[a] = a < 2 && r.cyclic[a];
        }
        checkAgainstGrid(r);
        checkAgainstGrid(s);

        // One cell wide: it is its own neighbour
        for (int a = 0; a < 3; ++a)
        {
            if (r.cyclic[a])
            {
                r.size[a] = 1;
            }
        }
        checkAgainstGrid(r);
        checkAgainstGrid(r, "refinement 2;");
    }
}


TEST(LatticeMapping, linksOfCyclicPairInside)
{
    // The pair ends where the region goes on: a population that streams on in
    // its own part does not also arrive at the other half
    gridRegion r = square(2, 6, 4);
    r.cells = [](const place& p){ return p[0] < 3 || p[1] >= 2; };
    r.patches = [](const place& p, int axis, int step)
    {
        return
            axis != 0 || p[1] >= 2 ? ""
          : step < 0 && p[0] == 0 ? "left"
          : step > 0 && p[0] == 2 ? "right"
          : "";
    };
    r.patchEntries["left"] = "type cyclic; neighbourPatch right;";
    r.patchEntries["right"] = "type cyclic; neighbourPatch left;";

    const mapped c(r);
    checkArrivals(c.m);

    // Two straight ones, two oblique ones inside the pair, and the oblique one
    // between its upper left cell and the cell above its upper right one; its
    // counterpart streams at one end, and so is stopped at the other
    EXPECT_EQ(c.links("left"), 5);
    EXPECT_EQ(c.links("right"), 5);
}


TEST(LatticeMapping, linksWithRefinement)
{
    gridRegion r = box(3, 2, 3);
    r.cyclic[2] = true;
    r.cells = [](const place& p){ return p != place{1, 0, 1}; };
    checkAgainstGrid(r, "refinement 2;");
    checkAgainstGrid(r, "refinement 3;");

    gridRegion s = square(1, 4, 3);
    s.cyclic[0] = true;
    checkAgainstGrid(s, "refinement 4;");

    EXPECT_NEAR(mapped(s, "refinement 4;").m.dx(), 0.025, 1e-15);
}


TEST(LatticeMapping, linksOfPorousRegions)
{
    for (int seed = 0; seed < 12; ++seed)
    {
        SCOPED_TRACE(seed);
        gridRegion r = box(6, 5, 4);
        r.cells = porous(0.4 + 0.05*seed, seed);
        r.shuffle = true;
        r.cyclic = {bool(seed & 1), bool(seed & 2), bool(seed & 4)};
        checkAgainstGrid(r, seed % 3 ? "" : "refinement 2;");

        gridRegion s = square(seed % 3, 9, 8);
        s.cells = r.cells;
        s.shuffle = true;
        s.cyclic = r.cyclic;
        s.cyclic[s.emptyAxis] = false;
        checkAgainstGrid(s);
    }
}


TEST(LatticeMapping, linksOfBaffles)
{
    // One face long: oblique populations go round its ends
    gridRegion r = square(2, 4, 4);
    r.baffles = [](const place& p, int axis)
    {
        return axis == 0 && p[0] == 1 && p[1] == 1;
    };
    checkAgainstGrid(r);
    EXPECT_EQ(mapped(r).links("baffle"), 2);

    // Two faces long: those through the middle are stopped on both ways
    r.baffles = [](const place& p, int axis)
    {
        return axis == 0 && p[0] == 1 && (p[1] == 1 || p[1] == 2);
    };
    checkAgainstGrid(r);
    EXPECT_EQ(mapped(r).links("baffle"), 4 + 4);

    gridRegion b = box(4, 4, 4);
    b.baffles = [](const place& p, int axis)
    {
        return axis == 2 && p[2] == 1 && p[0] > 0;
    };
    checkAgainstGrid(b);
    checkAgainstGrid(b, "refinement 2;");
}

} // End namespace
