// Properties of the engine that hold whatever the flow: conservation,
// symmetry, the same bits from every schedule, host and device alike

#include "latticeCase.H"

#include <cfenv>
#include <random>
#include <thread>

namespace lbmTest
{

class anyEngine : public engineTest
{
protected:

    //- Cavity with a lid that moves along its first tangent
    box cavity(const std::string& lattice, int n = 12) const
    {
        const bool inDepth = is3D(lattice);
        box b;
        b.lattice = lattice;
        b.size = {n + 3, n, inDepth ? n - 2 : 1};
        b.periodic = {false, false, !inDepth};
        b.lidAxis = 1;
        return b;
    }

    //- All kinds of link at once: solid blocks, lid, walls and a cyclic pair
    box mixed(const std::string& lattice) const
    {
        box b = cavity(lattice);
        b.periodic[0] = true;
        b.solid = [](int i, int j, int)
        {
            return (i > 3 && i < 7 && j > 2 && j < 6) || (i == 9 && j == 8);
        };
        return b;
    }

    static void setLid
    (
        lbm::engine& e,
        const lbm::latticeDescription& d,
        const vec& U
    )
    {
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e.setBoundaryValues(g, U.data(), 1);
            }
        }
    }

    //- Set random populations, so that no part of the state is special
    static void scatter(lbm::engine& e)
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> any(-0.01, 0.01);
        const std::int64_t N = e.nFluid();
        std::vector<double> rho(N), u(3*N), S(6*N);
        const auto fill = [&](std::vector<double>& v)
        {
            for (double& x : v)
            {
                x = any(random);
            }
        };
        fill(rho);
        fill(u);
        fill(S);
        e.initialise(0, N, rho.data(), u.data(), S.data());
    }

    std::unique_ptr<lbm::engine> made
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d,
        const vec& U = {0.05, 0, 0}
    ) const
    {
        auto e = lbm::engine::New(s, d);
        scatter(*e);
        setLid(*e, d, U);
        return e;
    }

    static vec momentum(lbm::engine& e, const vec& F)
    {
        const fields f(e);
        vec sum{0, 0, 0};
        for (std::size_t i = 0; i < f.u.size(); ++i)
        {
            sum[i % 3] += f.u[i] - F[i % 3]/2;
        }
        return sum;
    }
};


TEST_P(anyEngine, keepsTheMassOfAClosedBox)
{
    for (const std::string& lattice : lattices())
    {
        const box b = cavity(lattice);
        const auto d = b.description();
        const auto e = made(settings(b), d);
        const double before = e->statistics().massDeviation;
        e->step(500);
        const double drift =
            (e->statistics().massDeviation - before)/e->nFluid();
        EXPECT_NEAR(drift, 0, single_ ? 8e-9 : 1e-17);
    }
}


TEST_P(anyEngine, givesTheWallsWhatTheFluidLoses)
{
    for (const std::string& lattice : lattices())
    {
        const box b = mixed(lattice);
        const auto d = b.description();
        lbm::engineSettings s = settings(b);
        const vec F{1e-5, -3e-6, is3D(lattice) ? 2e-6 : 0.0};
        s.bodyForce = F;
        const auto e = made(s, d);
        e->step(7);

        const vec before = momentum(*e, F);
        e->step(1);
        const vec after = momentum(*e, F);

        // A wall between periodic ends lacks the reference pressure only
        // where its links are not in balance; here they are
        vec walls{0, 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type != "cyclic")
            {
                const vec f = e->groupLoad(g, {0, 0, 0}).force;
                for (int a = 0; a < 3; ++a)
                {
                    walls[a] += f[a];
                }
            }
        }

        const double scale = e->nFluid()*0.01;
        for (int a = 0; a < 3; ++a)
        {
            EXPECT_NEAR
            (
                after[a] - before[a] + walls[a],
                F[a]*e->nFluid(),
                scale*(single_ ? 4e-7 : 7e-16)
            );
        }
    }
}


TEST_P(anyEngine, balancesTheForcesOfASteadyCavity)
{
    const box b = cavity("D2Q9", 16);
    const auto d = b.description();
    lbm::engineSettings s = settings(b);
    s.relaxationTime = 0.8;
    const auto e = lbm::engine::New(s, d);
    setLid(*e, d, {0.05, 0, 0});
    e->step(20000);

    vec sum{0, 0, 0};
    double lid = 0;
    for (std::size_t g = 0; g < d.groups.size(); ++g)
    {
        const vec f = e->groupLoad(g, {0, 0, 0}).force;
        if (d.groups[g].type == "velocity")
        {
            lid = f[0];
        }
        for (int a = 0; a < 2; ++a)
        {
            sum[a] += f[a];
        }
    }

    // The fluid holds the lid back
    EXPECT_LT(lid, -1e-3);
    EXPECT_NEAR(sum[0]/lid, 0, single_ ? 4e-5 : 4e-13);
    EXPECT_NEAR(sum[1]/lid, 0, single_ ? 4e-5 : 4e-13);
}


TEST_P(anyEngine, givesTheSameBitsFromEverySchedule)
{
    for (const std::string& lattice : lattices())
    {
        const box b = mixed(lattice);
        const auto d = b.description();
        lbm::engineSettings s = settings(b);
        s.bodyForce = {1e-5, 0, 0};

        std::vector<std::vector<char>> results;
        for (const bool concurrent : {false, true})
        {
            for (const bool graph : {false, true})
            {
                s.concurrent = concurrent;
                s.graph = graph;
                const auto e = made(s, d);
                e->step(37);
                e->step(1);
                e->step(20);
                results.push_back(populations(*e));
            }
        }
        for (const auto& r : results)
        {
            EXPECT_EQ(r, results[0]);
        }
    }
}


TEST_P(anyEngine, continuesFromStoredPopulationsWithTheSameBits)
{
    for (const std::string& lattice : lattices())
    {
        const box b = mixed(lattice);
        const auto d = b.description();
        const lbm::engineSettings s = settings(b);

        const auto whole = made(s, d);
        whole->step(11);
        const auto stored = populations(*whole);
        whole->step(12);

        const auto second = lbm::engine::New(s, d);
        setLid(*second, d, {0.05, 0, 0});
        second->setPopulations(0, second->nFluid(), stored.data());
        EXPECT_EQ(populations(*second), stored);
        second->step(12);

        EXPECT_EQ(populations(*second), populations(*whole));
    }
}


TEST_P(anyEngine, bringsPiecesOfAnySizeInOrder)
{
    // More nodes than several transfers take
    box b;
    b.size = {600, 500, 1};
    const auto d = b.description();
    const auto e = made(settings(b), d);
    const std::int64_t n = e->nFluid();

    std::vector<double> rho(n), u(3*n, 0);
    for (std::int64_t i = 0; i < n; ++i)
    {
        rho[i] = 1e-6*i;
        u[3*i] = 1e-7*i;
        u[3*i + 1] = -1e-7*(n - i);
    }
    e->initialise(0, n, rho.data(), u.data(), nullptr);

    const fields whole(*e);
    const std::vector<char> stored = populations(*e);
    const auto held = e->holdPopulations();
    const std::size_t nodeBytes = e->populationBytes();

    const double tolerance = single_ ? 1e-7 : 1e-15;
    for (std::int64_t i = 0; i < n; ++i)
    {
        ASSERT_NEAR(whole.rho[i], rho[i], tolerance) << i;
        ASSERT_NEAR(whole.u[3*i], u[3*i], tolerance) << i;
        ASSERT_NEAR(whole.u[3*i + 1], u[3*i + 1], tolerance) << i;
    }

    const std::pair<std::int64_t, std::int64_t> pieces[] =
    {
        {0, 1}, {n - 1, 1}, {65530, 20}, {7, 65536}, {12345, 131072},
        {70001, 200003}
    };
    for (const auto& [first, count] : pieces)
    {
        std::vector<double> rhoPiece(count), uPiece(3*count);
        e->macroscopic(first, count, rhoPiece.data(), uPiece.data());
        std::vector<char> piece(count*nodeBytes);
        e->getPopulations(first, count, piece.data());
        std::vector<char> heldPiece(piece.size());
        held->get(first, count, heldPiece.data());

        EXPECT_TRUE(heldPiece == piece);
        EXPECT_TRUE
        (
            std::equal
            (
                rhoPiece.begin(), rhoPiece.end(), whole.rho.begin() + first
            )
        );
        EXPECT_TRUE
        (
            std::equal
            (
                uPiece.begin(), uPiece.end(), whole.u.begin() + 3*first
            )
        );
        EXPECT_TRUE
        (
            std::equal
            (
                piece.begin(), piece.end(), stored.begin() + first*nodeBytes
            )
        );
    }
}


TEST_P(anyEngine, holdsPopulationsWhileItGoesOn)
{
    for (const std::string& lattice : lattices())
    {
        const box b = mixed(lattice);
        auto e = made(settings(b), b.description());
        e->step(3);

        const std::vector<char> then = populations(*e);
        const std::shared_ptr<lbm::heldPopulations> held
        (
            e->holdPopulations()
        );
        const std::int64_t n = e->nFluid();
        const std::size_t nodeBytes = e->populationBytes();
        const std::int64_t split = n/3;

        e->step(2);

        // The writer is a thread of its own, and may outlive the engine

        std::vector<char> copy(then.size());
        std::thread writer
        (
            [&]
            {
                held->get(split, n - split, copy.data() + split*nodeBytes);
                held->get(0, split, copy.data());
            }
        );
        e->step(2);
        writer.join();

        EXPECT_TRUE(copy == then) << lattice;
        EXPECT_FALSE(copy == populations(*e)) << lattice;
        EXPECT_THROW(held->get(n, 1, copy.data()), lbm::error);
        EXPECT_THROW(held->get(-1, 1, copy.data()), lbm::error);

        e.reset();
        std::vector<char> later(then.size());
        held->get(0, n, later.data());
        EXPECT_TRUE(later == then) << lattice;
    }
}


TEST_P(anyEngine, agreesWithTheHostToRounding)
{
    for (const std::string& lattice : lattices())
    {
        const box b = mixed(lattice);
        const auto d = b.description();
        lbm::engineSettings s = settings(b);
        s.relaxationTime = 0.6;
        s.bodyForce = {1e-5, 1e-6, 0};
        const auto e = made(s, d);

        // On the host itself: single against double
        s.backend = "host";
        if (backend_ == "host")
        {
            s.precision = "double";
        }
        const auto host = made(s, d);
        e->step(200);
        host->step(200);

        const double rounding = single_ ? 1.2e-6 : 8e-15;
        EXPECT_LE(fields(*e).difference(fields(*host)), rounding);

        const auto a = e->statistics(), h = host->statistics();
        EXPECT_NEAR(a.maxSpeed/h.maxSpeed, 1, rounding);
        EXPECT_NEAR(a.sumAbsVelocity/h.sumAbsVelocity, 1, rounding);
        EXPECT_NEAR(a.maxAbsVelocity/h.maxAbsVelocity, 1, rounding);
    }
}


TEST_P(anyEngine, givesMirroredResultsForMirroredCases)
{
    for (const char* lattice : {"D3Q19", "D3Q27"})
    {
        box upper = cavity(lattice);
        box lower = upper;
        lower.lidAtLowerEnd = true;

        const auto run = [&](const box& b, const vec& U)
        {
            const auto d = b.description();
            auto e = lbm::engine::New(settings(b), d);
            setLid(*e, d, U);
            e->step(300);
            return fields(*e);
        };

        const fields f = run(upper, {0.05, 0, 0.02});

        // Turned by half a turn about the third axis
        const fields m = run(lower, {-0.05, 0, 0.02});
        fields turned = m;
        const auto& n = upper.size;
        upper.forNodes
        (
            [&](int i, int j, int k)
            {
                const auto from =
                    (n[0] - 1 - i) + n[0]*((n[1] - 1 - j) + n[1]*k);
                const auto to = i + n[0]*(j + n[1]*k);
                for (int a = 0; a < 3; ++a)
                {
                    turned.u[3*to + a] = (a < 2 ? -1 : 1)*m.u[3*from + a];
                }
            }
        );

        EXPECT_LE(turned.difference(f), single_ ? 1.2e-6 : 1.2e-14);
        EXPECT_GT(m.difference(f), 0.1);
    }
}


TEST_P(anyEngine, findsTheFastestNode)
{
    const box b = mixed("D3Q19");
    const auto d = b.description();
    const auto e = lbm::engine::New(settings(b), d);

    const std::int64_t N = e->nFluid();
    std::vector<double> rho(N, 0.25), u(3*N, 0.0);
    std::vector<std::int64_t> boxIndex;
    for (std::size_t n = 0; n < d.fluid.size(); ++n)
    {
        if (d.fluid[n])
        {
            boxIndex.push_back(n);
        }
    }
    const std::int64_t fast = N - 5;
    u[3*fast] = 0.03;
    u[3*fast + 1] = -0.04;
    e->initialise(0, N, rho.data(), u.data(), nullptr);

    auto result = e->statistics();
    EXPECT_TRUE(result.finite);
    EXPECT_EQ(result.maxSpeedNode, boxIndex[fast]);
    EXPECT_NEAR(result.maxSpeed, 0.05, 1e-8);
    EXPECT_NEAR(result.sumAbsVelocity, 0.07, 1e-7);
    EXPECT_NEAR(result.maxAbsVelocity, 0.07, 1e-8);
    EXPECT_NEAR(result.massDeviation/N, 0.25, single_ ? 1e-7 : 1e-15);

    e->shiftDensity(-0.25);
    result = e->statistics();
    EXPECT_NEAR(result.massDeviation/N, 0, single_ ? 1e-7 : 1e-15);
    EXPECT_NEAR(result.maxSpeed, 0.05, 1e-7);

    u[3*17] = std::nan("");
    e->initialise(0, N, rho.data(), u.data(), nullptr);

    // Also where the program stops at invalid operations
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    result = e->statistics();
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_FALSE(result.finite);
    EXPECT_EQ(result.maxSpeedNode, boxIndex[17]);
}


TEST_P(anyEngine, takesTheMemoryItAnnounces)
{
    box b = cavity("D3Q19", 96);
    const auto d = b.description();
    const lbm::engineSettings s = settings(b);
    const auto needed = lbm::engine::memoryNeeded(s, d).total();

    const auto before = lbm::engine::memoryFree(backend_, 0);
    const auto e = lbm::engine::New(s, d);
    const auto taken = before - lbm::engine::memoryFree(backend_, 0);
    EXPECT_EQ(e->memory().total(), needed);
    if (backend_ == "cuda")
    {
        EXPECT_NEAR(double(taken)/needed, 1, 0.1);
    }
}

lbmForEveryEngine(anyEngine);


TEST(engine, refusesWhatItDoesNotKnow)
{
    box b;
    b.size = {4, 4, 1};
    const auto d = b.description();

    const auto refused = [&](const std::function<void(lbm::engineSettings&)>& f)
    {
        lbm::engineSettings s;
        s.lattice = "D2Q9";
        f(s);
        try
        {
            lbm::engine::New(s, d);
        }
        catch (const lbm::error& e)
        {
            return std::string(e.what());
        }
        return std::string();
    };

    using S = lbm::engineSettings;
    EXPECT_EQ(refused([](S&) {}), "");
    EXPECT_EQ
    (
        refused([](S& s) { s.collision = "MRT7"; }),
        "unknown collision 'MRT7', valid ones are: BGK TRT MRT"
        " recursiveRegularised cumulant"
    );
    EXPECT_EQ
    (
        refused([](S& s) { s.lattice = "D3Q27"; s.collision = "MRT"; }),
        "D3Q27 has no collision 'MRT', valid ones are: BGK TRT"
        " recursiveRegularised cumulant"
    );
    EXPECT_EQ
    (
        refused([](S& s) { s.lattice = "D3Q7"; }),
        "unknown lattice 'D3Q7', valid ones are: D2Q9 D3Q19 D3Q27"
    );
    EXPECT_EQ
    (
        refused([](S& s) { s.precision = "quad"; }),
        "unknown precision 'quad', valid ones are: half single double"
    );
    EXPECT_NE(refused([](S& s) { s.backend = "tpu"; }).find("host"), -1ul);
    EXPECT_NE(refused([](S& s) { s.relaxationTime = 0.5; }), "");
    EXPECT_NE(refused([](S& s) { s.magicParameter = 0; }), "");
    EXPECT_NE(refused([](S& s) { s.bulkRelaxationTime = 0.5; }), "");
    EXPECT_NE(refused([](S& s) { s.largestOddTime = 0.5; }), "");
}


// Links that face each other share their slots: both are needed
TEST(engine, refusesAWallWithOneSideOnly)
{
    box b;
    b.size = {6, 6, 1};
    auto d = b.description();

    lbm::linkGroup baffle;
    baffle.name = "baffle";
    baffle.type = "wall";
    baffle.node = {d.boxIndex(2, 3, 0)};
    baffle.direction = {1};
    d.groups.push_back(baffle);

    lbm::engineSettings s;
    s.lattice = "D2Q9";
    try
    {
        lbm::engine::New(s, d);
        ADD_FAILURE() << "was accepted";
    }
    catch (const lbm::error& e)
    {
        const std::string text = e.what();
        EXPECT_NE(text.find("'baffle'"), std::string::npos) << text;
        EXPECT_NE(text.find("(2 3 0)"), std::string::npos) << text;
    }
}

} // End namespace lbmTest
