/*---------------------------------------------------------------------------*\
Description
    Mapping of meshes to the lattice: nodes, links and what is refused.

    The links of whole cases are held against a search on the grid from which
    the mesh was made, which knows nothing of faces.
\*---------------------------------------------------------------------------*/

#include "conformingMesh.H"
#include "engine.H"
#include "latticeMapping.H"
#include "latticeSettings.H"
#include "latticeUnits.H"
#include "OFstream.H"
#include "OSspecific.H"
#include "mixedFvPatchFields.H"
#include "meshCase.H"
#include "unitConversion.H"

#include <omp.h>

using namespace Foam;
using namespace lbmTest;

namespace
{

//- A link: kind, and the node where it arrives (cyclic)
struct expectedLink
{
    std::string type;
    std::int64_t partner = -1;
};


//- Links by a search on the grid: step along the axes in every order
class gridSearch
{
    const gridRegion& r_;
    const latticeMapping& m_;

    //- Nodes in a cell, along the axes of space
    place n_;

    place cellOf(const place& node) const
    {
        place cell;
        for (int a = 0; a < 3; ++a)
        {
            cell[a] =
                node[a] >= 0 ? node[a]/n_[a] : (node[a] + 1)/n_[a] - 1;
        }
        return cell;
    }

    bool fluid(const place& node) const
    {
        return r_.inside(r_.wrapped(cellOf(node)));
    }

    //- What stops a step from a fluid node along an axis; empty for nothing
    std::string stops(const place& from, const int axis, const int step) const
    {
        const place to(next(from, axis, step));
        const place cell(cellOf(from));

        if (cellOf(to) == cell)
        {
            return "";
        }

        const std::string patch(r_.patch(r_.wrapped(cell), axis, step));

        return
            fluid(to) && patch != "baffle" ? ""
          : patch == "lid" ? "velocity"
          : "wall";
    }

    void follow
    (
        const place& at,
        const place& left,
        bool& arrives,
        std::string& type
    ) const
    {
        if (left == place{0, 0, 0})
        {
            arrives = true;
        }

        for (int a = 0; a < 3; ++a)
        {
            if (left[a])
            {
                const std::string stop(stops(at, a, left[a]));

                if (stop.empty())
                {
                    place rest(left);
                    rest[a] = 0;
                    follow(next(at, a, left[a]), rest, arrives, type);
                }
                else if (type != "wall")
                {
                    type = stop;
                }
            }
        }
    }


public:

    gridSearch(const gridRegion& r, const latticeMapping& m)
    :
        r_(r),
        m_(m)
    {
        for (int a = 0; a < 3; ++a)
        {
            n_[a] = a == r.emptyAxis ? 1 : m.refinement();
        }
    }

    //- Place of a node along the axes of space
    place placeOf(const std::int64_t boxi) const
    {
        const auto& size = m_.description().size;

        place p;
        p[m_.axes()[0]] = boxi % size[0];
        p[m_.axes()[1]] = (boxi/size[0]) % size[1];
        p[m_.axes()[2]] = boxi/(size[0]*size[1]);
        return p;
    }

    std::int64_t boxIndex(const place& p) const
    {
        return m_.description().boxIndex
        (
            p[m_.axes()[0]],
            p[m_.axes()[1]],
            p[m_.axes()[2]]
        );
    }

    bool fluid(const std::int64_t boxi) const
    {
        return r_.inside(cellOf(placeOf(boxi)));
    }

    //- Fate of a population; no type if it streams
    expectedLink link
    (
        const std::int64_t boxi,
        const std::array<int, 3>& c
    ) const
    {
        const place from(placeOf(boxi));

        place step;
        for (int a = 0; a < 3; ++a)
        {
            step[m_.axes()[a]] = c[a];
        }

        bool arrives = false;
        expectedLink result;
        follow(from, step, arrives, result.type);

        if (arrives)
        {
            result.type.clear();

            place to;
            for (int a = 0; a < 3; ++a)
            {
                to[a] = from[a] + step[a];
            }

            place inBox(to);
            for (int a = 0; a < 3; ++a)
            {
                const int N = r_.size[a]*n_[a];
                inBox[a] = (inBox[a] + N) % N;
            }

            if (inBox != to)
            {
                result.type = "cyclic";
                result.partner = boxIndex(inBox);
            }
        }

        return result;
    }
};


dictionary settingsDict(const char* entries)
{
    IStringStream is(entries);
    return dictionary(is);
}


//- Case, settings and mapping of a region
struct mapped
{
    meshCase c;
    latticeSettings settings;
    latticeMapping m;

    explicit mapped(const gridRegion& r, const char* LBM = "")
    :
        c(r, settingsDict(LBM)),
        settings(c.mesh()),
        m(c.mesh(), settings, c.U(), c.p())
    {}

    //- Links of a patch, 0 if it has none
    std::int64_t links(const std::string& patch) const
    {
        forAll(m.groupPatches(), groupi)
        {
            if (m.description().groups[groupi].name == patch)
            {
                return m.groupLinks(groupi);
            }
        }
        return 0;
    }
};


//- Every slot of a fluid node must get one population in a step, no more
void checkArrivals(const latticeMapping& m)
{
    const auto directions = lbm::directions(m.lattice());
    const lbm::latticeDescription& d = m.description();
    const int Q = directions.size();

    const auto opposite = [](const int q)
    {
        return q % 2 ? q + 1 : q - 1;
    };

    std::vector<int> arrivals(Q*d.fluid.size(), 0);
    std::vector<bool> linked(Q*d.fluid.size(), false);

    for (const lbm::linkGroup& group : d.groups)
    {
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const int q = group.direction[i];

            linked[Q*group.node[i] + q] = true;
            ++arrivals
            [
                group.type == "cyclic"
              ? Q*group.partner[i] + q
              : Q*group.node[i] + opposite(q)
            ];
        }
    }

    for (std::int64_t boxi = 0; boxi < std::int64_t(d.fluid.size()); ++boxi)
    {
        const std::int64_t ijk[] =
        {
            boxi % d.size[0],
            (boxi/d.size[0]) % d.size[1],
            boxi/(d.size[0]*d.size[1])
        };

        for (int q = 1; q < Q && d.fluid[boxi]; ++q)
        {
            if (linked[Q*boxi + q])
            {
                continue;
            }

            std::int64_t to[3];
            for (int a = 0; a < 3; ++a)
            {
                to[a] = ijk[a] + directions[q][a];
                ASSERT_GE(to[a], 0);
                ASSERT_LT(to[a], d.size[a]);
            }
            ++arrivals[Q*d.boxIndex(to[0], to[1], to[2]) + q];
        }
    }

    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        ASSERT_EQ(arrivals[i], d.fluid[i/Q] && i % Q) << "slot " << i;
    }
}


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


gridRegion box(const int nx, const int ny, const int nz)
{
    gridRegion r;
    r.size = {nx, ny, nz};
    return r;
}


//- Squares normal to an axis
gridRegion square(const int emptyAxis, const int n0, const int n1)
{
    gridRegion r;
    r.emptyAxis = emptyAxis;
    r.size[emptyAxis] = 1;
    r.size[(emptyAxis + 1) % 3] = n0;
    r.size[(emptyAxis + 2) % 3] = n1;
    r.cell[emptyAxis] = 0.37;
    r.lidAxis = (emptyAxis + 2) % 3;
    return r;
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


std::string refusal
(
    const gridRegion& r,
    const char* LBM = "",
    const std::function<void(meshCase&)>& change = nullptr
)
{
    return messageOf([&]
    {
        meshCase c(r, settingsDict(LBM));
        if (change)
        {
            change(c);
        }
        latticeSettings settings(c.mesh());
        latticeMapping m(c.mesh(), settings, c.U(), c.p());
    });
}


#define EXPECT_SAYS(message, part)                                            \
    EXPECT_NE(std::string(message).find(part), std::string::npos) << message


// Links

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


// Inlets, outlets and symmetry

namespace
{

//- A channel along x in two dimensions: inlet, outlet, walls
gridRegion channel(const int nx, const int ny)
{
    gridRegion r = square(2, nx, ny);
    r.lidAxis = -1;
    r.patches = [nx](const place& p, int axis, int step)
    {
        return
            axis != 0 ? ""
          : step < 0 && p[0] == 0 ? "inlet"
          : step > 0 && p[0] == nx - 1 ? "outlet"
          : "";
    };
    r.patchEntries["inlet"] = "type patch;";
    r.patchEntries["outlet"] = "type patch;";
    return r;
}


//- Case, settings and mapping of a region with conditions of its own
struct mappedFields
{
    meshCase c;
    autoPtr<latticeSettings> settings;
    autoPtr<latticeMapping> m;

    //- types: patch, velocity, pressure
    mappedFields
    (
        const gridRegion& r,
        const std::vector<std::array<const char*, 3>>& types,
        const std::function<void(meshCase&)>& change = nullptr,
        const char* LBM = ""
    )
    :
        c(r, settingsDict(LBM))
    {
        wordList Utypes(meshCase::types(c.U()));
        wordList pTypes(meshCase::types(c.p()));

        for (const auto& type : types)
        {
            const label patchi = c.mesh().boundaryMesh().findPatchID(type[0]);
            Utypes[patchi] = type[1];
            pTypes[patchi] = type[2];
        }
        c.setFields(Utypes, pTypes);

        if (change)
        {
            change(c);
        }

        settings.reset(new latticeSettings(c.mesh()));
        m.reset(new latticeMapping(c.mesh(), *settings, c.U(), c.p()));
    }

    fvPatchVectorField& U(const word& patch)
    {
        return c.U().boundaryFieldRef()
            [c.mesh().boundaryMesh().findPatchID(patch)];
    }

    fvPatchScalarField& p(const word& patch)
    {
        return c.p().boundaryFieldRef()
            [c.mesh().boundaryMesh().findPatchID(patch)];
    }

    //- Group of a patch and kind; -1 if there is none
    label group(const std::string& patch, const std::string& type) const
    {
        forAll(m->groupPatches(), groupi)
        {
            const lbm::linkGroup& group = m->description().groups[groupi];
            if (group.name == patch && group.type == type)
            {
                return groupi;
            }
        }
        return -1;
    }
};


//- Velocity of an inlet
std::function<void(meshCase&)> inletVelocity(const vector& u)
{
    return [=](meshCase& c)
    {
        c.U().boundaryFieldRef()
            [c.mesh().boundaryMesh().findPatchID("inlet")] == u;
    };
}


//- What flows through the links of a velocity group: sum 6 w c.u
scalar linkFlux
(
    const latticeMapping& m,
    const label groupi,
    const std::vector<double>& values
)
{
    const auto directions = lbm::directions(m.lattice());
    const auto weights = lbm::weights(m.lattice());
    const lbm::linkGroup& group = m.description().groups[groupi];
    scalar flux = 0;

    for (std::size_t i = 0; i < group.size(); ++i)
    {
        const auto& c = directions[group.direction[i]];
        const scalar w = weights[group.direction[i]];

        for (int a = 0; a < 3; ++a)
        {
            flux += 6*w*c[a]*values[3*group.face[i] + a];
        }
    }

    return flux;
}

} // End namespace


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
        [&](meshCase& c)
        {
            c.U().boundaryFieldRef()
                [c.mesh().boundaryMesh().findPatchID("inlet")]
             == vector(1, 20, 0);
        }
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
        units.velocityToLattice(sum(c.U("inlet") & c.U("inlet").patch().Sf()))
       /(m.dx()*m.thickness()),
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
            [&](meshCase& c)
            {
                fvPatchVectorField& Up = c.U().boundaryFieldRef()
                    [c.mesh().boundaryMesh().findPatchID("inlet")];

                vectorField values(Up.size(), Zero);
                forAll(values, i)
                {
                    values[i].x() = profile(Up.patch().Cf()[i].y());
                }
                Up == values;
            },
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
            units.velocityToLattice(sum(c.U("inlet") & c.U("inlet").patch().Sf()))
           /(m.dx()*m.thickness()),
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
            [&](meshCase& c)
            {
                fvPatchVectorField& Up = c.U().boundaryFieldRef()
                    [c.mesh().boundaryMesh().findPatchID("inlet")];

                vectorField values(Up.size(), Zero);
                forAll(values, i)
                {
                    values[i].x() = profile(Up.patch().Cf()[i]);
                }
                Up == values;
            },
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
            units.velocityToLattice(sum(c.U("inlet") & c.U("inlet").patch().Sf()))
           /sqr(m.dx()),
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


// A lattice over the mesh

namespace
{

//- Turned and stretched squares
gridRegion curved(const int n)
{
    gridRegion r = square(2, n, n);
    r.cell = vector(1.0/n, 1.0/n, 0.37);
    r.lidAxis = -1;
    r.points = [](const point& x)
    {
        return point
        (
            x.x() + 0.2*x.y() + 0.1*sqr(x.y()),
            x.y() + 0.15*sqr(x.x()),
            x.z()
        );
    };
    return r;
}


//- Largest errors of a velocity and a density in the cells of an overlay that
//  are given at its nodes, and at its walls. rhoCell: what is expected in a
//  cell with this centre; by default the density there
std::pair<scalar, scalar> cellErrors
(
    const gridRegion& r,
    const std::function<vector(const point&)>& U,
    const std::function<scalar(const point&)>& rho,
    const char* LBM,
    const std::function<scalar(const point&)>& rhoCell = {}
)
{
    mappedFields c
    (
        r,
        {{{{"walls", "fixedValue", "zeroGradient"}}}},
        [&](meshCase& c)
        {
            fvPatchVectorField& Up = c.U().boundaryFieldRef()
                [c.mesh().boundaryMesh().findPatchID("walls")];

            vectorField values(Up.size());
            forAll(values, i)
            {
                values[i] = U(Up.patch().Cf()[i]);
            }
            Up == values;
        },
        LBM
    );
    const latticeMapping& m = *c.m;
    EXPECT_FALSE(m.conforming());

    const label n = m.nFluid();
    std::vector<double> rhos(n), us(3*n);

    for (label i = 0; i < n; ++i)
    {
        const point x(m.nodeCentre(i));
        const vector u(m.toLattice(U(x)));
        rhos[i] = rho(x);
        us[3*i] = u.x();
        us[3*i + 1] = u.y();
        us[3*i + 2] = u.z();
    }

    scalarField rhoCells(c.c.mesh().nCells(), Zero);
    vectorField uCells(c.c.mesh().nCells(), Zero);

    // In pieces, as it is done
    for (label first = 0; first < n; first += 7)
    {
        m.addToCells
        (
            first,
            min(label(7), n - first),
            rhos.data() + first,
            us.data() + 3*first,
            rhoCells,
            uCells
        );
    }

    const latticeUnits units(m.dx(), m.dx(), 0.01, m.thickness());
    m.completeCells(c.c.U(), units, rhoCells, uCells);

    scalar uError = 0;
    scalar rhoError = 0;

    forAll(uCells, celli)
    {
        const point& x = c.c.mesh().C()[celli];
        uError = max(uError, mag(m.toPhysical(uCells[celli]) - U(x)));
        rhoError = max
        (
            rhoError,
            mag(rhoCells[celli] - (rhoCell ? rhoCell : rho)(x))
        );
    }

    return {uError, rhoError};
}

} // End namespace


// Threads share the cells, not the nodes
TEST(LatticeMapping, cellsGetTheSameBitsFromAnyNumberOfThreads)
{
    const gridRegion r = box(45, 44, 43);
    const int before = omp_get_max_threads();

    for
    (
        const char* LBM :
        {
            "refinement 1;", "refinement 2;",
            "latticeSpacing 0.07;", "latticeSpacing 0.097;"
        }
    )
    {
        const mapped c(r, LBM);
        const label n = c.m.nFluid();
        const label nCells = c.c.mesh().nCells();

        std::mt19937 random(3);
        std::uniform_real_distribution<double> number(-1, 1);
        std::vector<double> rho(n), u(3*n);
        for (double& x : rho) { x = number(random); }
        for (double& x : u) { x = number(random); }

        // Too few nodes at a time for a second thread
        scalarField rhoCells(nCells, Zero);
        vectorField uCells(nCells, Zero);
        const label piece = 1000;
        for (label first = 0; first < n; first += piece)
        {
            c.m.addToCells
            (
                first,
                min(piece, n - first),
                rho.data() + first,
                u.data() + 3*first,
                rhoCells,
                uCells
            );
        }

        for (const int nThreads : {1, 2, 5, 8})
        {
            omp_set_num_threads(nThreads);
            scalarField rhoAtOnce(nCells, Zero);
            vectorField uAtOnce(nCells, Zero);
            c.m.addToCells(0, n, rho.data(), u.data(), rhoAtOnce, uAtOnce);
            EXPECT_TRUE(rhoAtOnce == rhoCells) << LBM << nThreads;
            EXPECT_TRUE(uAtOnce == uCells) << LBM << nThreads;
        }
        omp_set_num_threads(before);
    }
}


TEST(LatticeMapping, overlayGivesConstantsBack)
{
    for (const char* LBM : {"", "latticeSpacing 0.03;", "latticeSpacing 0.15;"})
    {
        const auto errors = cellErrors
        (
            curved(12),
            [](const point&) { return vector(3, -2, 0); },
            [](const point&) { return 5; },
            LBM
        );
        EXPECT_LT(errors.first, 3e-6);
        EXPECT_LT(errors.second, 3e-6);
    }
}


TEST(LatticeMapping, overlayGivesLinearFieldsBack)
{
    for (const char* LBM : {"", "latticeSpacing 0.03;", "latticeSpacing 0.1;"})
    {
        const auto errors = cellErrors
        (
            curved(12),
            [](const point& x)
            {
                return vector(1 + x.x() + 4*x.y(), 2*x.x() - 3*x.y(), 0);
            },
            [](const point& x) { return 1 + 2*x.x() - 3*x.y(); },
            LBM
        );
        EXPECT_LT(errors.first, 3e-6);
        EXPECT_LT(errors.second, 3e-6);
    }
}


TEST(LatticeMapping, overlayKeepsToOneSideOfAnObliquePlate)
{
    // Cells far thinner than the spacing on both sides of a plate: nodes in
    // the nearest cells may lie on the other side
    const auto middle = [](const scalar y) { return 0.5 + 0.3*(y - 0.5); };

    gridRegion r;
    r.size = {20, 10, 1};
    r.emptyAxis = 2;
    r.lidAxis = -1;
    r.cell = vector(0.05, 0.1, 0.1);
    r.baffles = [](const place& p, const int axis)
    {
        return axis == 0 && p[0] == 9;
    };
    r.points = [=](const point& x)
    {
        const scalar s = 2*x.x() - 1;
        return point(middle(x.y()) + 0.5*s*mag(s), x.y(), x.z());
    };

    for (const char* LBM :
        {"latticeSpacing 0.1;", "latticeSpacing 0.06;", "latticeSpacing 0.033;"})
    {
        SCOPED_TRACE(LBM);
        const auto errors = cellErrors
        (
            r,
            [](const point&) { return vector::zero; },
            [&](const point& x) { return x.x() < middle(x.y()) ? 1 : 2; },
            LBM
        );
        EXPECT_LT(errors.second, 1e-6);
    }
}


TEST(LatticeMapping, overlayHasSlopesAlongAGapWithOneNodeAcross)
{
    gridRegion r;
    r.size = {20, 7, 1};
    r.emptyAxis = 2;
    r.lidAxis = -1;
    r.cell = vector(0.07, 0.13/7, 0.1);

    const auto errors = cellErrors
    (
        r,
        [](const point&) { return vector::zero; },
        [](const point& x) { return 1 + x.x(); },
        "latticeSpacing 0.1;"
    );

    // What the stiffness costs; the nearest node would be off by 0.03
    EXPECT_LT(errors.second, 1e-3);
}


TEST(LatticeMapping, overlayIsOfSecondOrder)
{
    const auto U = [](const point& x)
    {
        return vector(sqr(x.y()) - x.x()*x.y(), std::sin(2*x.x()), 0);
    };
    const auto rho = [](const point& x)
    {
        return sqr(x.x()) - 2*x.x()*x.y();
    };

    const auto coarse = cellErrors(curved(10), U, rho, "latticeSpacing 0.1;");
    const auto fine = cellErrors(curved(40), U, rho, "latticeSpacing 0.025;");

    EXPECT_GT(std::log(coarse.first/fine.first)/std::log(4.0), 1.6)
        << coarse.first << ' ' << fine.first;
    EXPECT_GT(std::log(coarse.second/fine.second)/std::log(4.0), 1.6)
        << coarse.second << ' ' << fine.second;
}


TEST(LatticeMapping, overlayTakesTheMeanOfCellsWithManyNodes)
{
    // Parallelograms of edges (h 0), (0.2 h, h)
    const scalar h = 0.1;

    gridRegion r = square(2, 10, 10);
    r.cell = vector(h, h, 0.37);
    r.lidAxis = -1;
    r.points = [](const point& x)
    {
        return point(x.x() + 0.2*x.y(), x.y(), x.z());
    };

    const auto none = [](const point&) { return vector::zero; };
    const auto rho = [](const point& x) { return sqr(x.x()); };

    // That of the centre in corners
    const auto mean = [&](const point& x)
    {
        const auto atEnd = [&](const scalar y)
        {
            return y < h || y > 1 - h;
        };

        return
            atEnd(x.y()) && atEnd(x.x() - 0.2*x.y())
          ? sqr(x.x())
          : sqr(x.x()) + sqr(h)*(1 + sqr(0.2))/12;
    };

    const auto error = [&](const char* LBM)
    {
        return cellErrors(r, none, rho, LBM, mean).second;
    };

    // The value in the centre is off by 8.7e-4; two nodes across a cell do
    // not make a mean
    const scalar few = error("latticeSpacing 0.05;");
    const scalar some = error("latticeSpacing 0.02;");
    const scalar many = error("latticeSpacing 0.005;");

    EXPECT_LT(some, 0.3e-3) << few << ' ' << some << ' ' << many;
    EXPECT_LT(many, 0.03e-3) << few << ' ' << some << ' ' << many;
}


TEST(LatticeMapping, spacingChoosesTheLattice)
{
    const gridRegion r = square(2, 4, 4);

    const mapped divides(r, "latticeSpacing 0.05;");
    EXPECT_TRUE(divides.m.conforming());
    EXPECT_EQ(divides.m.refinement(), 2);
    EXPECT_EQ(divides.m.nFluid(), 64);

    const mapped other(r, "latticeSpacing 0.04;");
    EXPECT_FALSE(other.m.conforming());
    EXPECT_NEAR(other.m.dx(), 0.04, 1e-6);
    EXPECT_EQ(other.m.nFluid(), 100);
    EXPECT_FALSE(other.m.nodesAtCellCentres());
    checkArrivals(other.m);

    OStringStream os;
    other.m.writeSummary(os);
    EXPECT_SAYS(os.str(), "laid over the mesh");
    EXPECT_SAYS(os.str(), "0.04 m does not divide the cells of 0.1 m");

    const mapped turned(curved(8));
    EXPECT_FALSE(turned.m.conforming());
    const mapped finer(curved(8), "refinement 2;");
    EXPECT_NEAR(turned.m.dx()/finer.m.dx(), 2, 0.05);
    checkArrivals(finer.m);
}


TEST(LatticeMapping, overlayInletKeepsItsFlux)
{
    gridRegion r = channel(6, 5);
    r.points = [](const point& x)
    {
        return point(x.x() + 0.3*x.y(), x.y(), x.z());
    };

    mappedFields c
    (
        r,
        {{
            {{"inlet", "fixedValue", "zeroGradient"}},
            {{"outlet", "zeroGradient", "fixedValue"}}
        }},
        inletVelocity(vector(1, 0.2, 0))
    );
    const latticeMapping& m = *c.m;
    ASSERT_FALSE(m.conforming());
    checkArrivals(m);

    const latticeUnits units(m.dx(), 0.01, 0.01, m.thickness());
    const label in = c.group("inlet", "velocity");

    EXPECT_NEAR
    (
        linkFlux(m, in, m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)),
        units.velocityToLattice(sum(c.U("inlet") & c.U("inlet").patch().Sf()))
       /(m.dx()*m.thickness()),
        1e-12
    );

    // As much enters as leaves: nothing to scale to
    fvPatchVectorField& Up = c.U("inlet");
    const vectorField n(Up.patch().nf());
    forAll(Up, i)
    {
        Up[i] = (i < 2 ? -1 : i > 2 ? 1 : 1e-9)*n[i];
    }
    const std::vector<double> v
    (
        m.boundaryValues(in, c.c.U(), c.c.p(), units, 0)
    );
    forAll(Up, i)
    {
        for (direction d = 0; d < 2; ++d)
        {
            EXPECT_NEAR(v[3*i + d], units.velocityToLattice(Up[i][d]), 1e-12);
        }
    }
}


// What is refused

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


TEST(LatticeMapping, refusesForceInEmptyDirection)
{
    EXPECT_SAYS
    (
        refusal(square(1, 3, 3), "bodyForce (0 1 0);"),
        "empty direction, y"
    );
    EXPECT_EQ(refusal(square(1, 3, 3), "bodyForce (1 0 1);"), "");
}


// Settings

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


// Units and the step

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
