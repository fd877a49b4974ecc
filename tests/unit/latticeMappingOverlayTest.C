// A lattice over the mesh: when it is laid, what cells get from its nodes, and
// the flux of its inlets

#include "latticeUnits.H"
#include "mappedFields.H"

#include <omp.h>
#include <random>

using namespace Foam;
using namespace lbmTest;

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
        faceFlux(c, "inlet", units),
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

} // End namespace
