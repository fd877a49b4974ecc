/*---------------------------------------------------------------------------*\
Description
    A uniform lattice over any mesh: which nodes are fluid, and the links.

    Every lattice is held against a search of its own: rays from the nodes
    against all boundary faces, in plain floating point.
\*---------------------------------------------------------------------------*/

#include "overlayMesh.H"
#include "wholeBoundary.H"
#include "emptyPolyPatch.H"
#include "cyclicPolyPatch.H"
#include "engine.H"
#include "meshCase.H"
#include "mathematicalConstants.H"

#include <omp.h>

using namespace Foam;
using namespace lbmTest;

namespace
{

typedef overlayMesh::link nodeLink;
using constant::mathematical::pi;


std::vector<std::array<int, 3>> directionsOf(const overlayMesh& o)
{
    return lbm::directions(o.lattice());
}


//- Lattices of as many dimensions as a mesh
std::vector<std::string> latticesOf(const gridRegion& r)
{
    std::vector<std::string> result;
    for (const std::string& name : lbm::engine::validNames("lattice"))
    {
        if (lbm::nDimensions(name) == (r.emptyAxis == -1 ? 3 : 2))
        {
            result.push_back(name);
        }
    }
    return result;
}


int opposite(const int q)
{
    return q % 2 ? q + 1 : q - 1;
}


bool isFluid(const overlayMesh& o, const overlayMesh::place& p)
{
    return o.fluid().contains(p);
}


bool isFluid(const overlayMesh& o, const std::int64_t n)
{
    return isFluid(o, o.placeOf(n));
}


std::int64_t nBox(const overlayMesh& o)
{
    return o.size()[0]*o.size()[1]*o.size()[2];
}


std::int64_t countFluid(const overlayMesh& o)
{
    std::int64_t result = 0;
    for (std::int64_t n = 0; n < nBox(o); ++n)
    {
        result += isFluid(o, n);
    }
    return result;
}


overlayMesh::place neighbour
(
    const overlayMesh& o,
    const std::int64_t node,
    const std::array<int, 3>& c
)
{
    overlayMesh::place p(o.placeOf(node));
    for (int a = 0; a < 3; ++a)
    {
        p[a] += c[a];
    }
    return p;
}


typedef std::map<std::pair<std::int64_t, int>, nodeLink> linkMap;

linkMap linksOf(const overlayMesh& o)
{
    linkMap links;
    for (const nodeLink& l : o.links())
    {
        EXPECT_TRUE
        (
            links.insert({{l.node, int(l.direction)}, l}).second
        ) << "two links of node " << l.node;
    }
    return links;
}


//- Where a ray meets a face, in parts of the ray, the lowest in [from, to];
//  GREAT if nowhere
scalar meets
(
    const polyMesh& mesh,
    const label facei,
    const point& x,
    const vector& ray,
    const scalar from
)
{
    const face& f = mesh.faces()[facei];
    const pointField& points = mesh.points();
    scalar least = GREAT;

    const auto triangle = [&](const point& a, const point& b, const point& c)
    {
        const vector n((b - a)^(c - a));
        const scalar along = n & ray;
        if (mag(along) < 1e-12*mag(n)*mag(ray))
        {
            return;
        }
        const scalar t = (n & (a - x))/along;
        const point y(x + t*ray);
        const scalar slack = -1e-5*magSqr(n);
        if
        (
            t >= from && t < least
         && ((((b - a)^(y - a)) & n) > slack)
         && ((((c - b)^(y - b)) & n) > slack)
         && ((((a - c)^(y - c)) & n) > slack)
        )
        {
            least = t;
        }
    };

    // Both ways to cut a quadrangle
    for (label i = 1; i + 1 < f.size(); ++i)
    {
        triangle(points[f[0]], points[f[i]], points[f[i + 1]]);
        triangle
        (
            points[f[1]],
            points[f[(i + 1) % f.size()]],
            points[f[(i + 2) % f.size()]]
        );
    }
    return least;
}


//- Sizes of the regions that populations connect, largest first: node by node
std::vector<std::int64_t> regionsOf(const overlayMesh& o, const linkMap& links)
{
    const auto c(directionsOf(o));
    std::vector<bool> reached(nBox(o), false);
    std::vector<std::int64_t> stack;
    std::vector<std::int64_t> sizes;

    for (std::int64_t first = 0; first < nBox(o); ++first)
    {
        const auto go = [&](const std::int64_t n)
        {
            if (!reached[n])
            {
                reached[n] = true;
                stack.push_back(n);
                ++sizes.back();
            }
        };

        if (!isFluid(o, first) || reached[first])
        {
            continue;
        }
        sizes.push_back(0);
        go(first);

        while (stack.size())
        {
            const std::int64_t n = stack.back();
            stack.pop_back();

            for (std::size_t q = 1; q < c.size(); ++q)
            {
                const auto l = links.find({n, int(q)});
                const auto p(neighbour(o, n, c[q]));

                if (l != links.end() && l->second.partner >= 0)
                {
                    go(l->second.partner);
                }
                else if (l == links.end() && isFluid(o, p))
                {
                    go(o.index(p));
                }
            }
        }
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
}


//- What holds for every lattice
void checkLattice(const overlayMesh& o, const polyMesh& mesh)
{
    const auto c(directionsOf(o));
    const linkMap links(linksOf(o));

    vector sum(Zero);
    std::int64_t nMissing = 0;
    std::int64_t nWrong = 0;
    std::int64_t nCyclic = 0;

    for (std::int64_t n = 0; n < nBox(o); ++n)
    {
        for (std::size_t q = 1; isFluid(o, n) && q < c.size(); ++q)
        {
            const auto l = links.find({n, int(q)});
            const auto p(neighbour(o, n, c[q]));

            nMissing += l == links.end() && !isFluid(o, p);

            if (l != links.end() && isFluid(o, p))
            {
                // They face each other
                const auto m = links.find({o.index(p), opposite(q)});
                nWrong +=
                    m == links.end()
                 || m->second.partner >= 0
                 || l->second.partner >= 0
                 || (
                        l->second.distance != 0.5f
                     && m->second.distance != 0.5f
                     && l->second.distance + m->second.distance > 1 + 1e-5
                    );
            }
        }
    }
    EXPECT_EQ(regionsOf(o, links), o.report().regionSizes);
    EXPECT_EQ(nMissing, 0) << "populations go nowhere";
    EXPECT_EQ(nWrong, 0) << "links between fluid nodes do not face others";

    nWrong = 0;
    for (const nodeLink& l : o.links())
    {
        const int q = l.direction;
        for (int a = 0; a < 3; ++a)
        {
            sum[a] += c[q][a]*(magSqr(vector(c[q][0], c[q][1], c[q][2])) > 1 ? 1 : 2);
        }
        nWrong +=
            !isFluid(o, l.node)
         || !(l.distance >= 0 && l.distance <= 1)
         || l.face < mesh.nInternalFaces() || l.face >= mesh.nFaces();

        const label patchi = mesh.boundaryMesh().whichPatch(l.face);
        const polyPatch& pp = mesh.boundaryMesh()[patchi];
        nWrong += bool(isA<cyclicPolyPatch>(pp)) != (l.partner >= 0);
        nWrong += bool(isA<emptyPolyPatch>(pp));

        if (l.partner >= 0)
        {
            ++nCyclic;
            const auto back = links.find({l.partner, opposite(q)});
            nWrong += back == links.end() || back->second.partner != l.node;
        }
        else
        {
            const auto behind = links.find({l.node, opposite(q)});
            nWrong +=
                behind != links.end()
             && behind->second.partner < 0
             && l.distance != 0.5f;
        }
    }
    EXPECT_EQ(nWrong, 0) << "wrong links";
    EXPECT_EQ(nCyclic, o.report().nCyclicLinks);
    EXPECT_LT(mag(sum), 1e-9);

    // In their cells, or in no cell at all
    ASSERT_EQ(std::int64_t(o.nodeCells().size()), countFluid(o));
    EXPECT_EQ(o.report().nNodes, countFluid(o));
    label fluidi = 0;
    std::int64_t nOutside = 0;
    for (std::int64_t n = 0; n < nBox(o); ++n)
    {
        if (isFluid(o, n))
        {
            const label celli = o.nodeCells()[fluidi++];
            ASSERT_GE(celli, 0);
            ASSERT_LT(celli, mesh.nCells());

            const point x(o.position(o.placeOf(n)));
            bool inside = true;
            for (const label facei : mesh.cells()[celli])
            {
                const face& f = mesh.faces()[facei];
                const scalar s = mesh.faceOwner()[facei] == celli ? 1 : -1;
                inside =
                    inside
                 && s*((x - f.centre(mesh.points())) & f.unitNormal(mesh.points()))
                  < 1e-6*o.dx();
            }
            nOutside += !inside;
        }
    }
    EXPECT_LE(nOutside, o.report().nNearestCell);
}


//- Distances of all links by rays against all faces; those that are set to
//  1/2 by rule left out. Returns how many were compared
std::int64_t checkDistances
(
    const overlayMesh& o,
    const polyMesh& mesh,
    const scalar tolerance
)
{
    const auto c(directionsOf(o));
    const linkMap links(linksOf(o));

    std::int64_t n = 0;
    std::int64_t nHalfWay = 0;
    scalar worst = 0;
    std::int64_t nWrongFace = 0;

    for (const nodeLink& l : o.links())
    {
        if (l.partner >= 0)
        {
            continue;
        }
        const auto behind = links.find({l.node, opposite(l.direction)});
        if (behind != links.end() && behind->second.partner < 0)
        {
            ++nHalfWay;
            continue;
        }

        vector ray(Zero);
        for (int a = 0; a < 3; ++a)
        {
            ray[o.axes()[a]] = o.dx()*c[l.direction][a];
        }
        const point x(o.position(o.placeOf(l.node)));

        scalar least = GREAT;
        for (const polyPatch& pp : mesh.boundaryMesh())
        {
            for (label i = 0; !isA<emptyPolyPatch>(pp) && i < pp.size(); ++i)
            {
                least =
                    min(least, meets(mesh, pp.start() + i, x, ray, -1e-6));
            }
        }

        worst = max(worst, mag(least - l.distance));
        nWrongFace +=
            mag(meets(mesh, l.face, x, ray, -1e-6) - least) > 1e-5;
        ++n;
    }

    EXPECT_LT(worst, tolerance);
    EXPECT_EQ(nWrongFace, 0);
    EXPECT_GT(n, 0);
    return n;
}


//- Fluid nodes are those for which a function is true
void checkFluid
(
    const overlayMesh& o,
    const std::function<bool(const point&)>& inside
)
{
    std::int64_t nWrong = 0;
    for (std::int64_t n = 0; n < nBox(o); ++n)
    {
        nWrong += inside(o.position(o.placeOf(n))) != isFluid(o, n);
    }
    EXPECT_EQ(nWrong, 0);
}


label byPatch(const label patchi)
{
    return patchi;
}


//- A box with cells of unequal size
gridRegion gradedBox(const int emptyAxis)
{
    gridRegion r;
    r.size = {12, 8, 6};
    r.emptyAxis = emptyAxis;
    if (emptyAxis != -1)
    {
        r.size[emptyAxis] = 1;
    }
    const vector L(0.1*r.size[0], 0.1*r.size[1], 0.1*r.size[2]);
    r.origin = point(-3, 1, 2);
    r.points = [=](point x)
    {
        x -= point(-3, 1, 2);
        for (int a = 0; a < 3; ++a)
        {
            x[a] = L[a]*Foam::pow(x[a]/L[a], a == 1 ? 1.4 : 0.8);
        }
        return x + point(-3, 1, 2);
    };
    return r;
}


//- Turned about an axis
std::function<point(const point&)> turned(const int axis, const scalar angle)
{
    return [=](const point& x)
    {
        const int b = (axis + 1) % 3;
        const int d = (axis + 2) % 3;
        point y(x);
        y[b] = Foam::cos(angle)*x[b] - Foam::sin(angle)*x[d];
        y[d] = Foam::sin(angle)*x[b] + Foam::cos(angle)*x[d];
        return y;
    };
}

} // End namespace


TEST(overlayMesh, halvesInGradedBox)
{
    for (int emptyAxis = -1; emptyAxis < 3; ++emptyAxis)
    {
        SCOPED_TRACE(emptyAxis);
        const gridRegion r(gradedBox(emptyAxis));
        const meshCase c(r);
        for (const std::string& lattice : latticesOf(r))
        {
            SCOPED_TRACE(lattice);
            const wholeBoundary boundary(c.mesh());
            const overlayMesh o(c.mesh(), boundary, 0, byPatch, lattice);

            checkLattice(o, c.mesh());

            std::int64_t box = 1;
            for (int a = 0; a < o.nDims(); ++a)
            {
                box *= o.size()[a];
                EXPECT_NEAR
                (
                    o.size()[a]*o.dx(),
                    c.mesh().bounds().span()[o.axes()[a]],
                    1e-9
                );
            }
            EXPECT_EQ(o.report().nNodes, box);
            EXPECT_EQ(o.report().nHalfWay, 0);
            EXPECT_EQ(o.report().nNearestFace, 0);
            EXPECT_EQ(o.report().nNearestCell, 0);

            for (const nodeLink& l : o.links())
            {
                ASSERT_EQ(l.distance, 0.5f);
            }
        }
    }
}


TEST(overlayMesh, halvesWhereLengthsHaveNoCommonDivisorNearTheCells)
{
    // 1 m x 0.7 m: 0.1, 0.05, ... m divide both, 0.7/12 m only one
    gridRegion r;
    r.size = {16, 12, 1};
    r.emptyAxis = 2;
    r.cell = vector(1.0/16, 0.7/12, 0.1);
    const meshCase c(r);
    const wholeBoundary boundary(c.mesh());
    const overlayMesh o(c.mesh(), boundary, 0, byPatch, "D2Q9");

    checkLattice(o, c.mesh());
    EXPECT_NEAR(o.dx(), 0.05, 1e-9);
    EXPECT_EQ(o.size(), (overlayMesh::place{20, 14, 1}));
}


//- Curved walls, 12 cells along each edge of 1 m
gridRegion wavyBox()
{
    gridRegion r;
    r.size = {12, 12, 12};
    r.cell = vector::uniform(1.0/12);
    r.points = [](const point& x)
    {
        return point
        (
            x.x() + 0.05*Foam::sin(2*pi*x.y()),
            x.y() + 0.05*Foam::sin(2*pi*x.z()),
            x.z() + 0.05*Foam::sin(2*pi*x.x())
        );
    };
    return r;
}


TEST(overlayMesh, needsLittleMemory)
{
    // Far more nodes than cells; the cells of the nodes count
    const meshCase c(wavyBox());
    const int before = omp_get_max_threads();

    // Measured: 15.26 and 22.87, much of it for the surface
    for (const auto& most : std::map<int, double>{{2, 15.7}, {9, 23.4}})
    {
        omp_set_num_threads(most.first);
        const wholeBoundary boundary(c.mesh());
        const overlayMesh o(c.mesh(), boundary, 0.01, byPatch, "D3Q19");
        EXPECT_NEAR(scalar(o.report().nNodes), 1e6, 2e4);
        EXPECT_LT(o.report().bytes/o.report().nNodes, most.second);
    }
    omp_set_num_threads(before);
}


TEST(overlayMesh, isTheSameWithAnyNumberOfThreads)
{
    const meshCase c(wavyBox());
    const int before = omp_get_max_threads();

    for (const char* lattice : {"D3Q19", "D3Q27"})
    {
        omp_set_num_threads(1);
        const wholeBoundary boundary(c.mesh());
        const overlayMesh one(c.mesh(), boundary, 0.0125, byPatch, lattice);

        for (const int nThreads : {2, 5, 16})
        {
            SCOPED_TRACE(nThreads);
            omp_set_num_threads(nThreads);
            const overlayMesh o(c.mesh(), boundary, 0.0125, byPatch, lattice);

            ASSERT_EQ(o.size(), one.size());
            EXPECT_EQ(o.fluid().nNodes(), one.fluid().nNodes());
            std::int64_t nOther = 0;
            for (std::int64_t n = 0; n < nBox(o); ++n)
            {
                nOther += isFluid(o, n) != isFluid(one, n);
            }
            EXPECT_EQ(nOther, 0);
            ASSERT_EQ(o.links().size(), one.links().size());
            for (std::size_t l = 0; l < o.links().size(); ++l)
            {
                const nodeLink& a = o.links()[l];
                const nodeLink& b = one.links()[l];
                ASSERT_EQ(a.node, b.node);
                ASSERT_EQ(a.direction, b.direction);
                ASSERT_EQ(a.partner, b.partner);
                ASSERT_EQ(a.face, b.face);
                ASSERT_EQ(a.distance, b.distance);
            }
            EXPECT_EQ
            (
                o.report().narrowestPassage, one.report().narrowestPassage
            );
            EXPECT_EQ(o.report().narrowestPlace, one.report().narrowestPlace);
        }
    }
    omp_set_num_threads(before);
}


TEST(overlayMesh, turnedSquare)
{
    // 45 degrees: lines along edges, and through corners
    for (int emptyAxis = 0; emptyAxis < 3; ++emptyAxis)
    for (const scalar angle : {pi/4, 0.4, 1.1, pi/2, pi/6})
    for (const scalar spacing : {0.1, 0.0333, 0.1*Foam::sqrt(0.5), 0.05})
    {
        SCOPED_TRACE
        (
            std::to_string(emptyAxis) + " " + std::to_string(angle) + " "
          + std::to_string(spacing)
        );
        gridRegion r;
        r.size = {10, 10, 10};
        r.size[emptyAxis] = 1;
        r.emptyAxis = emptyAxis;
        r.origin = -0.5*vector(1, 1, 1);
        r.origin[emptyAxis] = 0;
        r.points = turned(emptyAxis, angle);

        const meshCase c(r);
        const wholeBoundary boundary(c.mesh());
        const overlayMesh o(c.mesh(), boundary, spacing, byPatch, "D2Q9");

        checkLattice(o, c.mesh());
        checkDistances(o, c.mesh(), 3e-6);
        EXPECT_EQ(o.report().nNearestFace, 0);

        EXPECT_NEAR(countFluid(o)*sqr(o.dx()), 1, 0.14);

        if (angle != pi/4 && angle != pi/2)
        {
            const auto back(turned(emptyAxis, -angle));
            checkFluid(o, [&](const point& x)
            {
                point y(back(x));
                y[emptyAxis] = 0;
                return cmptMax(cmptMag(y)) < 0.5;
            });
        }
    }
}


TEST(overlayMesh, sphere)
{
    gridRegion r;
    r.size = {8, 8, 8};
    r.cell = vector(0.25, 0.25, 0.25);
    r.origin = point(-1, -1, -1);
    r.points = [](const point& x)
    {
        point y;
        for (int a = 0; a < 3; ++a)
        {
            const scalar u = sqr(x[(a + 1) % 3]);
            const scalar v = sqr(x[(a + 2) % 3]);
            y[a] = x[a]*Foam::sqrt(1 - u/2 - v/2 + u*v/3);
        }
        return y;
    };

    const meshCase c(r);
    for (const std::string& lattice : latticesOf(r))
    for (const scalar spacing : {0.0, 0.1, 0.0625})
    {
        SCOPED_TRACE(lattice + " " + std::to_string(spacing));
        const wholeBoundary boundary(c.mesh());
        const overlayMesh o(c.mesh(), boundary, spacing, byPatch, lattice);

        checkLattice(o, c.mesh());
        // Quadrangles are not quite plane: cut one way or the other
        checkDistances(o, c.mesh(), 0.2);
        EXPECT_EQ(o.report().nNearestFace, 0);
        EXPECT_NEAR
        (
            countFluid(o)*pow3(o.dx())/gSum(c.mesh().cellVolumes()),
            1,
            0.03
        );
    }
}


TEST(overlayMesh, turnedBox)
{
    gridRegion r;
    r.size = {6, 5, 4};
    r.origin = point(-0.3, -0.25, -0.2);

    for (int i = 0; i < 3; ++i)
    {
        SCOPED_TRACE(i);
        r.points = [=](const point& x)
        {
            return
                i == 0 ? turned(2, pi/4)(x)
              : i == 1 ? turned(0, pi/4)(turned(2, pi/4)(x))
              : turned(1, 0.3)(turned(2, 0.7)(x));
        };

        const meshCase c(r);
        for (const std::string& lattice : latticesOf(r))
        for (const scalar spacing : {0.05, 0.1*Foam::sqrt(0.5), 0.031})
        {
            SCOPED_TRACE(lattice + " " + std::to_string(spacing));
            const wholeBoundary boundary(c.mesh());
            const overlayMesh o(c.mesh(), boundary, spacing, byPatch, lattice);
            checkLattice(o, c.mesh());
            checkDistances(o, c.mesh(), 4e-6);
            EXPECT_EQ(o.report().nNearestFace, 0);
        }
    }
}


TEST(overlayMesh, cyclicChannel)
{
    for (int emptyAxis = -1; emptyAxis < 3; ++emptyAxis)
    {
        SCOPED_TRACE(emptyAxis);
        gridRegion r(gradedBox(emptyAxis));
        const int along = emptyAxis == 0 ? 1 : 0;
        r.cyclic[along] = true;
        r.lidAxis = -1;

        const meshCase c(r);
        for (const std::string& lattice : latticesOf(r))
        for (const scalar spacing : {0.0, 0.073, 0.1})
        {
            SCOPED_TRACE(lattice + " " + std::to_string(spacing));
            const wholeBoundary boundary(c.mesh());
            const overlayMesh o(c.mesh(), boundary, spacing, byPatch, lattice);
            checkLattice(o, c.mesh());
            EXPECT_GT(o.report().nCyclicLinks, 0);
            EXPECT_EQ(o.report().nCyclicWalls, 0);
            EXPECT_EQ(o.report().nNearestFace, 0);
            EXPECT_LE(o.dx(), spacing > 0 ? spacing*(1 + 1e-12) : GREAT);

            const scalar L = c.mesh().bounds().span()[along];
            EXPECT_NEAR(L/o.dx(), std::round(L/o.dx()), 1e-9);
        }
    }
}


// Nodes in the cyclic halves would have links without a partner
TEST(overlayMesh, cyclicChannelAt45Degrees)
{
    for (const scalar angle : {pi/4, 3*pi/4, -pi/4})
    for (const scalar spacing : {0.1, 0.07, 0.05, 0.033, 0.025, 0.0125})
    {
        SCOPED_TRACE(std::to_string(angle) + ' ' + std::to_string(spacing));
        gridRegion r;
        r.size = {20, 10, 1};
        r.emptyAxis = 2;
        r.cyclic[0] = true;
        r.lidAxis = -1;

        // Rounded as in a file
        r.points = [=](const point& x)
        {
            point y(turned(2, angle)(x));
            for (direction d = 0; d < 3; ++d)
            {
                y[d] = 1e-10*std::round(1e10*y[d]);
            }
            return y;
        };

        const meshCase c(r);
        const wholeBoundary boundary(c.mesh());
        const overlayMesh o(c.mesh(), boundary, spacing, byPatch, "D2Q9");
        checkLattice(o, c.mesh());
        EXPECT_GT(o.report().nCyclicLinks, 0);
        EXPECT_EQ(o.report().nCyclicWalls, 0);
        EXPECT_EQ(o.report().nNearestCell, 0);
        EXPECT_NEAR(countFluid(o)*sqr(o.dx()), 2, 0.1);
    }
}


TEST(overlayMesh, cyclicBoxHasLinksOfCyclicPatchesOnly)
{
    gridRegion r(gradedBox(-1));
    r.cyclic = {true, true, true};
    const meshCase c(r);
    for (const std::string& lattice : latticesOf(r))
    {
        SCOPED_TRACE(lattice);
        const wholeBoundary boundary(c.mesh());
        const overlayMesh o(c.mesh(), boundary, 0, byPatch, lattice);
        checkLattice(o, c.mesh());
        EXPECT_EQ(o.report().nCyclicLinks, o.report().nLinks);
    }
}


TEST(overlayMesh, baffles)
{
    for (int emptyAxis = -1; emptyAxis < 3; emptyAxis += 3)
    {
        gridRegion r;
        r.size = {8, 6, emptyAxis == -1 ? 4 : 1};
        r.emptyAxis = emptyAxis == -1 ? -1 : 2;
        r.baffles = [](const place& p, const int axis)
        {
            return axis == 0 && p[0] == 3 && p[1] < 3;
        };
        const meshCase c(r);

        // Between nodes, and through nodes
        for (const std::string& lattice : latticesOf(r))
        for (const scalar spacing : {0.05, 0.1, 0.8/7, 0.045})
        {
            SCOPED_TRACE(lattice + " " + std::to_string(spacing));
            const wholeBoundary boundary(c.mesh());
            const overlayMesh o(c.mesh(), boundary, spacing, byPatch, lattice);
            checkLattice(o, c.mesh());
            checkDistances(o, c.mesh(), 3e-6);
            EXPECT_GT(o.report().nThinWalls, 0);
            EXPECT_EQ(o.report().nNearestFace, 0);
        }
    }
}


TEST(overlayMesh, regionsBehindWallsWithoutNodes)
{
    // A room of 4 by 4 cells that baffles close, but for a door
    for (const bool door : {false, true})
    for (int emptyAxis = -1; emptyAxis < 3; emptyAxis += 3)
    {
        gridRegion r;
        r.size = {10, 10, emptyAxis == -1 ? 4 : 1};
        r.emptyAxis = emptyAxis == -1 ? -1 : 2;
        r.baffles = [=](const place& p, const int axis)
        {
            const auto inside = [](const label x) { return x > 2 && x < 7; };

            return
                axis < 2
             && (p[axis] == 2 || p[axis] == 6)
             && inside(p[1 - axis])
             && !(door && axis == 0 && p[0] == 6 && p[1] == 4);
        };
        const meshCase c(r);

        for (const std::string& lattice : latticesOf(r))
        {
            SCOPED_TRACE(lattice);
            const wholeBoundary boundary(c.mesh());
            const overlayMesh o(c.mesh(), boundary, 0.05, byPatch, lattice);
            checkLattice(o, c.mesh());
            EXPECT_EQ(o.report().regionSizes.size(), door ? 1u : 2u);
        }
    }
}


TEST(overlayMesh, pocketsOfFewNodes)
{
    gridRegion r;
    r.size = {12, 8, 1};
    r.emptyAxis = 2;
    r.lidAxis = -1;
    r.cells = [](const place& p)
    {
        return p[0] < 8 || (p[0] > 9 && p[1] < 2);
    };
    const meshCase c(r);

    const wholeBoundary boundary(c.mesh());
    const overlayMesh o(c.mesh(), boundary, 0.1, byPatch, "D2Q9");
    checkLattice(o, c.mesh());
    EXPECT_EQ(o.report().nPockets, 1);
    EXPECT_EQ(o.report().nPocketNodes, 4);
    EXPECT_EQ(o.report().nNodes, 64);
    EXPECT_EQ(o.report().regionSizes, std::vector<std::int64_t>{64});
    EXPECT_EQ(o.report().nCellsWithoutNodes, 4);

    const overlayMesh fine(c.mesh(), boundary, 0.05, byPatch, "D2Q9");
    checkLattice(fine, c.mesh());
    EXPECT_EQ(fine.report().nPockets, 0);
    EXPECT_EQ
    (
        fine.report().regionSizes,
        (std::vector<std::int64_t>{256, 16})
    );
}
