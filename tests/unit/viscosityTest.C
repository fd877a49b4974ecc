// Flows whose viscosity changes in space, against exact profiles, and what holds
// for any viscosity of the nodes

#include "lidRoom.H"

#include <algorithm>

namespace lbmTest
{

class viscosity : public lidRoomTest
{
protected:

    using profile = std::function<double(double)>;

    //- Between plates at y = 0 and y = 1, the upper one moving at the exact
    //  velocity there
    struct flow
    {
        //- Viscosity in units of the mean one, and velocity
        profile nu, u;

        //- Acceleration times H^2/nu
        double g = 0;
    };

    //- Relative L2 error of the velocity with H nodes across
    double errorOf
    (
        const flow& f,
        const std::string& lattice,
        const std::string& collision,
        int H
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {3, H, is3D(lattice) ? 3 : 1};
        b.periodic[1] = false;
        b.lidAxis = 1;

        // Mach numbers and steps of a diffusive scaling
        const double nu = 0.1, peak = 0.4/H;

        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.variableViscosity = true;
        s.bodyForce = {peak*f.g*nu/(H*H), 0, 0};
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d);

        const std::int64_t N = e->nFluid();
        const auto height = [&](std::int64_t n)
        {
            return ((n/3) % H + 0.5)/H;
        };
        std::vector<double> rho(N), u(3*N), S(6*N), nus(N);
        for (std::int64_t n = 0; n < N; ++n)
        {
            nus[n] = nu*f.nu(height(n));
            u[3*n] = peak*f.u(height(n));
        }
        e->setViscosity(0, N, nus.data());
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        const double lid[3] = {peak*f.u(1), 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, lid, 1);
            }
        }

        const meanFields result = runToSteady(*e, 2*H*H, 1e-9);
        double sum = 0, norm = 0;
        for (std::int64_t n = 0; n < N; ++n)
        {
            const double exact = peak*f.u(height(n));
            sum += std::pow(result.u[3*n] - exact, 2);
            norm += exact*exact;
        }
        return std::sqrt(sum/norm);
    }

    //- Errors with 8, 16 and, in two dimensions, 32 nodes across
    std::vector<double> errorsOf
    (
        const flow& f,
        const std::string& lattice,
        const std::string& collision
    ) const
    {
        std::vector<double> result;
        for (int H = 8; H <= (is3D(lattice) ? 16 : 32); H *= 2)
        {
            result.push_back(errorOf(f, lattice, collision, H));
        }
        return result;
    }

    static std::vector<double> someViscosity(std::int64_t n)
    {
        return randomValues(n, 0.02, 0.2);
    }

    static double largestDifference(lbm::engine& a, lbm::engine& b)
    {
        const auto x = populations(a), y = populations(b);
        const double* p = reinterpret_cast<const double*>(x.data());
        const double* q = reinterpret_cast<const double*>(y.data());
        double result = 0;
        for (std::size_t i = 0; i < x.size()/sizeof(double); ++i)
        {
            result = std::max(result, std::abs(p[i] - q[i]));
        }
        return result;
    }
};


// nu = 1/2 + y: u = ln(1 + 2 y)/ln 3
TEST_P(viscosity, couetteOfLinearViscosityHasOrderTwo)
{
    flow f;
    f.nu = [](double y) { return 0.5 + y; };
    f.u = [](double y) { return std::log(1 + 2*y)/std::log(3.0); };

    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto errors = errorsOf(f, lattice, collision);
        recordOrder("u, " + lattice + ", " + collision, errors);
        EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
        EXPECT_LE(errors[0], 0.01) << lattice << collision;
    }
}


// Two layers, the lower one three times as viscous, meeting half-way between
// nodes: the stress is continuous. TRT and MRT, which are exact in each layer,
// are so in both
TEST_P(viscosity, layersOfPoiseuille)
{
    const double a = 1.5, b = 0.5, g = 1;
    flow f;
    f.g = g;
    f.nu = [=](double y) { return y < 0.5 ? a : b; };

    // u = (-g y^2/2 + C y)/a below, g(1 - y)(...)/b above; stress C - g y
    const double C = g*(1/a + 3/b)/(4*(1/a + 1/b));
    f.u = [=](double y)
    {
        return
            y < 0.5
          ? (C*y - g*y*y/2)/a
          : (C*(y - 1) - g*(y*y - 1)/2)/b;
    };
    ASSERT_NEAR(f.u(0.5 - 1e-9), f.u(0.5), 1e-6);

    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto errors = errorsOf(f, lattice, collision);
        const std::string name = "u, " + lattice + ", " + collision;
        if (lbm::traitsOf(collision).hasMagic)
        {
            recordValue("error of " + name, std::max(errors[0], errors[1]));
            EXPECT_LE(errors[0], 1e-8) << lattice;
            EXPECT_LE(errors[1], 1e-8) << lattice;
        }
        else
        {
            recordOrder(name, errors);
            EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
        }
    }
}


// The viscosity of a power-law fluid in the exact profile, n = 1/2 and 3/2:
// nu = |du/dy|^(n - 1), bounded in the middle. TRT and MRT alone: the walls of the
// other collisions move with the viscosity
TEST_P(viscosity, profilesOfPowerLaw)
{
    for (const double n : {0.5, 1.5})
    {
        // Wall shear rate 1: u' = (1 - 2y)^(1/n), nu u' = 1 - 2y; g = 2
        flow f;
        f.g = 2;
        f.nu = [=](double y)
        {
            const double rate = std::pow(std::abs(1 - 2*y), 1/n);
            return std::min(std::pow(rate, n - 1), 20.0);
        };
        f.u = [=](double y)
        {
            const double p = 1 + 1/n;
            return (1 - std::pow(std::abs(1 - 2*y), p))/(2*p);
        };

        for (const std::string& lattice : lattices())
        for (const std::string& collision : lbm::collisionsOn(lattice))
        {
            if (!lbm::traitsOf(collision).hasMagic)
            {
                continue;
            }
            const auto errors = errorsOf(f, lattice, collision);
            recordOrder
            (
                "u, " + lattice + ", " + collision + ", n " + textOf(n), errors
            );
            EXPECT_GE(orderOf(errors), 1.8) << lattice << collision << n;
            EXPECT_LE(errors.back(), 0.01) << lattice << collision << n;
        }
    }
}


// Equal viscosities are a relaxation time, to the bit
TEST_P(viscosity, equalOnesGiveTheBitsOfARelaxationTime)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.relaxationTime = 0.5 + 3*0.07;
        const auto e = lbm::engine::New(s, d);
        s.relaxationTime = 0.9;
        s.variableViscosity = true;
        const auto f = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        f->setViscosity(0, n, someViscosity(n).data());
        f->setViscosity(0, n, std::vector<double>(n, 0.07).data());

        setLid(*e, d);
        setLid(*f, d);
        e->step(40);
        f->step(40);
        EXPECT_EQ(populations(*e), populations(*f))
            << lattice << layout << collision;
    }
}


// Where all nodes but some that nothing reaches have the same viscosity, the
// others go as if it were a relaxation time
TEST_P(viscosity, isARelaxationTimeWhereNodesHaveTheSame)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    for (const double bulk : {0.0, 3.0})
    {
        // A node in a cell of its own, in the corner that comes first
        box b = room(lattice);
        b.solid = [](int i, int j, int k)
        {
            return i < 2 && j < 2 && k < 2 && i + j + k > 0;
        };
        const auto d = b.description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.bulkRelaxationTime = bulk;
        s.largestOddTime = 2;
        s.bodyForce = {1e-5, 0, 0};
        s.relaxationTime = 0.5 + 3*0.03;
        const auto e = lbm::engine::New(s, d);
        s.relaxationTime = 0.9;
        s.variableViscosity = true;
        const auto f = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        std::vector<double> nu(n, 0.03);
        nu[0] = 0.2;
        f->setViscosity(0, n, nu.data());

        setLid(*e, d);
        setLid(*f, d);
        e->step(100);
        f->step(100);
        EXPECT_LT(fields(*e).difference(fields(*f)), 1e-13)
            << lattice << layout << collision << bulk;
    }
}


// A cell of one node is set alone, and pieces are the whole
TEST_P(viscosity, isSetInPieces)
{
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        const auto d = room("D3Q19").description();
        lbm::engineSettings s = settings("D3Q19");
        s.layout = layout;
        s.variableViscosity = true;
        const auto e = lbm::engine::New(s, d), f = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        const auto nu = someViscosity(n);
        e->setViscosity(0, n, nu.data());
        for (std::int64_t first = 0; first < n; first += 100)
        {
            f->setViscosity
            (
                first, std::min<std::int64_t>(100, n - first), &nu[first]
            );
        }
        setLid(*e, d);
        setLid(*f, d);
        e->step(20);
        f->step(20);
        EXPECT_EQ(populations(*e), populations(*f)) << layout;
    }
}


// The initial state is the one that belongs to the viscosity of each node, and
// another step is that of the viscosity there
TEST_P(viscosity, goesWithTheStepThereAndBack)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.relaxationTime = 0.8;
        s.variableViscosity = true;
        s.bodyForce = {1e-5, 0, 0};
        const auto e = lbm::engine::New(s, d), f = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        const auto nu = someViscosity(n);
        for (lbm::engine* x : {e.get(), f.get()})
        {
            x->setViscosity(0, n, nu.data());
            setLid(*x, d);
            x->step(37);
        }
        e->rescale(0.4, 0.5 + 0.4*0.3);
        EXPECT_GT(largestDifference(*e, *f), 1e-4);
        e->rescale(2.5, 0.8);
        EXPECT_LT(largestDifference(*e, *f), 1e-16)
            << lattice << layout << collision;
        e->setBodyForce(s.bodyForce);
        setLid(*e, d);
        e->step(50);
        f->step(50);
        EXPECT_LT(largestDifference(*e, *f), 1e-14)
            << lattice << layout << collision;
    }
}


TEST_P(viscosity, isRefusedWhereItCannotBe)
{
    const auto d = room("D2Q9").description();
    lbm::engineSettings s = settings("D2Q9");
    const auto without = lbm::engine::New(s, d);
    const std::vector<double> nu(without->nFluid(), 0.1);
    EXPECT_THROW(without->setViscosity(0, 1, nu.data()), lbm::error);

    s.variableViscosity = true;
    EXPECT_GT
    (
        lbm::engine::memoryNeeded(s, d).populations,
        without->memory().populations
    );
    EXPECT_EQ(lbm::engine::bytesPerNode(s), 2*9*8 + 8);
    const auto with = lbm::engine::New(s, d);
    for (const double bad : {0.0, -0.1, std::nan(""), double(INFINITY)})
    {
        EXPECT_THROW(with->setViscosity(3, 1, &bad), lbm::error);
    }
}

lbmForDoubleEngines(viscosity);

} // End namespace lbmTest
