// An obstacle that is put into the lattice and taken out again between steps

#include "latticeRegion.H"

#include <cstring>

namespace lbmTest
{

class obstacle
:
    public testing::TestWithParam<std::tuple<std::string, std::string>>
{
protected:

    std::string backend_ = std::get<0>(GetParam());
    std::string precision_ = std::get<1>(GetParam());

    void SetUp() override
    {
        if (!available(backend_))
        {
            GTEST_SKIP() << "no CUDA device";
        }
    }

    std::vector<std::string> lattices() const
    {
        return latticesOf(backend_, precision_);
    }

    lbm::engineSettings settings
    (
        const std::string& lattice,
        const std::string& layout
    ) const
    {
        lbm::engineSettings s;
        s.lattice = lattice;
        s.layout = layout;
        s.backend = backend_;
        s.precision = precision_;
        s.relaxationTime = 0.6;
        s.bodyForce = {1e-5, 2e-6, 0};
        return s;
    }

    //- A periodic box, an odd number of nodes along no axis alike
    static box periodicBox(const std::string& lattice)
    {
        box b;
        b.lattice = lattice;
        b.size = {37, 14, is3D(lattice) ? 11 : 1};
        return b;
    }

    //- A body with a hollow, a thin plate and a single node, off the sides
    static bool inBody(const std::string& lattice, int i, int j, int k)
    {
        const bool inner = !is3D(lattice) || (k > 2 && k < 8);
        const bool hollow = i == 12 && j > 4 && j < 7;
        return
            inner
         && (
                (i > 8 && i < 15 && j > 3 && j < 9 && !hollow)
             || (i == 22 && j > 2 && j < 10)
             || (i == 30 && j == 6)
            );
    }

    static std::vector<std::int64_t> bodyNodes(const box& b)
    {
        std::vector<std::int64_t> result;
        b.forNodes([&](int i, int j, int k)
        {
            if (inBody(b.lattice, i, j, k))
            {
                result.push_back(i + b.size[0]*(j + b.size[1]*k));
            }
        });
        return result;
    }

    //- Waves in all nodes of an engine. box: number of each
    static void disturb
    (
        lbm::engine& e,
        const std::vector<std::int64_t>& boxIndex
    )
    {
        const std::int64_t N = e.nFluid();
        std::vector<double> rho(N), u(3*N, 0.0), S(6*N, 0.0);
        for (std::int64_t n = 0; n < N; ++n)
        {
            const double x = boxIndex[n];
            rho[n] = 0.01*std::sin(7*x);
            u[3*n] = 0.03 + 0.02*std::cos(3*x);
            u[3*n + 1] = 0.02*std::sin(5*x);
            S[6*n + 3] = 0.001*std::sin(x);
        }
        e.initialise(0, N, rho.data(), u.data(), S.data());
    }

    static std::vector<std::int64_t> allNodes(std::int64_t n)
    {
        std::vector<std::int64_t> result(n);
        for (std::int64_t i = 0; i < n; ++i)
        {
            result[i] = i;
        }
        return result;
    }
};


TEST_P(obstacle, givesTheFluidTheBitsOfAWall)
{
    for (const std::string& lattice : lattices())
    {
        for (const std::string layout : {"dense", "list"})
        {
            const std::string name = lattice + ' ' + layout;
            const lbm::engineSettings s = settings(lattice, layout);
            box b = periodicBox(lattice);
            const auto open = lbm::engine::New(s, b.description());
            const std::vector<std::int64_t> body = bodyNodes(b);
            b.solid = [&](int i, int j, int k)
            {
                return inBody(lattice, i, j, k);
            };
            const lbm::latticeDescription d = b.description();
            const auto walled = lbm::engine::New(s, d);

            std::vector<std::int64_t> outside;
            for (std::size_t n = 0; n < d.fluid.size(); ++n)
            {
                if (d.fluid[n])
                {
                    outside.push_back(n);
                }
            }
            disturb(*open, allNodes(open->nFluid()));
            disturb(*walled, outside);
            open->setObstacle(body.size(), body.data());

            int wall = -1;
            for (std::size_t g = 0; g < d.groups.size(); ++g)
            {
                wall = d.groups[g].type == "wall" ? g : wall;
            }
            ASSERT_GE(wall, 0);

            for (const int steps : {1, 2, 33})
            {
                open->step(steps);
                walled->step(steps);
                const std::vector<char> a = populations(*open);
                const std::vector<char> w = populations(*walled);
                const std::size_t bytes = open->populationBytes();
                std::size_t nDifferent = 0;
                for (std::size_t n = 0; n < outside.size(); ++n)
                {
                    nDifferent += std::memcmp
                    (
                        &a[bytes*outside[n]], &w[bytes*n], bytes
                    ) != 0;
                }
                EXPECT_EQ(nDifferent, 0u) << name << ' ' << steps;

                const auto f = open->obstacleLoad({3, 4, 5});
                const auto g = walled->groupLoad(wall, {3, 4, 5});
                EXPECT_GT(std::abs(g.force[0]), 1e-3) << name;
                for (int a = 0; a < 3; ++a)
                {
                    EXPECT_EQ(f.force[a], g.force[a]) << name;
                    EXPECT_EQ(f.pressureForce[a], g.pressureForce[a]) << name;
                    EXPECT_EQ(f.moment[a], g.moment[a]) << name;
                }
            }
        }
    }
}


TEST_P(obstacle, restsAndKeepsItsMass)
{
    for (const std::string& lattice : lattices())
    {
        const box b = periodicBox(lattice);
        lbm::engineSettings s = settings(lattice, "dense");
        s.bodyForce = {0, 0, 0};
        const auto e = lbm::engine::New(s, b.description());
        disturb(*e, allNodes(e->nFluid()));
        e->step(7);
        const double before = e->statistics().massDeviation;
        const std::vector<std::int64_t> body = bodyNodes(b);
        e->addObstacle(body.size(), body.data());

        // Over all nodes
        const double eps =
            precision_ == "double" ? 1e-12
          : precision_ == "single" ? 1e-4
          : 1e-2;
        EXPECT_NEAR(e->statistics().massDeviation, before, eps);
        fields f(*e);
        for (const std::int64_t n : body)
        {
            EXPECT_NEAR(f.u[3*n], 0, precision_ == "double" ? 1e-16 : 2e-8);
        }

        e->step(200);
        EXPECT_TRUE(e->statistics().finite);
        EXPECT_NEAR(e->statistics().massDeviation, before, 20*eps);
        const fields later(*e);
        for (const std::int64_t n : body)
        {
            EXPECT_NEAR(later.u[3*n], 0, 1e-2) << lattice;
        }
    }
}


// What enters the nodes again is what surrounds them
TEST_P(obstacle, leavesAUniformFlowBehind)
{
    for (const std::string& lattice : lattices())
    {
        const box b = periodicBox(lattice);
        lbm::engineSettings s = settings(lattice, "list");
        s.bodyForce = {0, 0, 0};
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N, 0.01), u(3*N, 0.0);
        for (std::int64_t n = 0; n < N; ++n)
        {
            u[3*n] = 0.05;
            u[3*n + 1] = -0.02;
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);

        const std::vector<std::int64_t> body = bodyNodes(b);
        e->addObstacle(body.size(), body.data());
        e->removeObstacle(body.size(), body.data());

        const double eps =
            precision_ == "double" ? 1e-15
          : precision_ == "single" ? 1e-7
          : 1e-5;
        for (int i = 0; i < 2; ++i)
        {
            const fields f(*e);
            for (std::int64_t n = 0; n < N; ++n)
            {
                ASSERT_NEAR(f.rho[n], 0.01, eps) << lattice << ' ' << n;
                ASSERT_NEAR(f.u[3*n], 0.05, 10*eps) << lattice << ' ' << n;
                ASSERT_NEAR(f.u[3*n + 1], -0.02, 10*eps);
            }
            e->step(3);
        }
        EXPECT_EQ(e->obstacleLoad({0, 0, 0}).force[0], 0);
    }
}


TEST_P(obstacle, goesOnFromPopulationsWithTheSameBits)
{
    for (const std::string layout : {"dense", "list"})
    {
        const box b = periodicBox("D3Q19");
        const lbm::engineSettings s = settings("D3Q19", layout);
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();
        disturb(*e, allNodes(N));
        e->step(20);
        const std::vector<char> untouched = populations(*e);

        const std::vector<std::int64_t> body = bodyNodes(b);
        const std::size_t half = body.size()/2;
        e->addObstacle(body.size(), body.data());
        e->step(5);
        e->removeObstacle(half, body.data());
        e->step(13);
        const std::vector<char> state = populations(*e);
        e->step(24);
        const std::vector<char> end = populations(*e);

        const auto other = lbm::engine::New(s, b.description());
        other->setPopulations(0, N, state.data());
        other->setObstacle(body.size() - half, body.data() + half);
        other->step(24);
        EXPECT_TRUE(populations(*other) == end) << layout;
        EXPECT_EQ
        (
            other->obstacleLoad({0, 0, 0}).force,
            e->obstacleLoad({0, 0, 0}).force
        );

        // Undone: as if it had never been
        const auto plain = lbm::engine::New(s, b.description());
        plain->setPopulations(0, N, untouched.data());
        plain->step(17);
        e->setObstacle(0, nullptr);
        e->setPopulations(0, N, untouched.data());
        e->step(17);
        EXPECT_TRUE(populations(*plain) == populations(*e)) << layout;
    }
}


TEST_P(obstacle, refusesNodesAtOpenBoundaries)
{
    box b = periodicBox("D2Q9");
    b.periodic = {false, false, true};
    b.lidAxis = 1;
    const auto e = lbm::engine::New(settings("D2Q9", "dense"), b.description());
    disturb(*e, allNodes(e->nFluid()));
    const auto node = [&](int i, int j) { return i + b.size[0]*j; };

    EXPECT_TRUE(e->mayBeObstacle(node(5, 5)));
    EXPECT_TRUE(e->mayBeObstacle(node(0, 0)));
    EXPECT_FALSE(e->mayBeObstacle(node(5, b.size[1] - 1)));
    const std::int64_t lid = node(5, b.size[1] - 1), beyond = e->nFluid();
    EXPECT_THROW(e->addObstacle(1, &lid), lbm::error);
    EXPECT_THROW(e->addObstacle(1, &beyond), lbm::error);

    // One that touches walls
    std::vector<std::int64_t> corner;
    for (int j = 0; j < 5; ++j)
    {
        for (int i = 0; i < 7; ++i)
        {
            corner.push_back(node(i, j));
        }
    }
    e->addObstacle(corner.size(), corner.data());
    e->addObstacle(corner.size(), corner.data());
    e->step(300);
    EXPECT_TRUE(e->statistics().finite);
    EXPECT_LT(e->statistics().maxSpeed, 0.1);
    EXPECT_NE(e->obstacleLoad({0, 0, 0}).force[0], 0);
}


// Beside walls at distances, where what comes back lacks a part until the next
// step
TEST_P(obstacle, hasTheBitsOfTheHostBesideCurvedWalls)
{
    for (const std::string& lattice : lattices())
    {
        region g;
        g.lattice = lattice;
        g.size = {24, 19, is3D(lattice) ? 5 : 1};
        g.periodic = {true, true, true};
        const vec centre{11.6, 9.3, 0};
        g.fluid = [=](const vec& x)
        {
            return std::hypot(x[0] - centre[0], x[1] - centre[1]) > 4.2;
        };
        g.surfaces =
        {
            {"body", "wall", cylinder(centre, 4.2, false), nullptr}
        };
        g.build();

        std::vector<char> first;
        lbm::boundaryLoad load;
        for (const std::string& backend : {backend_, std::string("host")})
        {
            lbm::engineSettings s = settings(lattice, "dense");
            s.backend = backend;
            const auto e = g.make(s);
            std::vector<std::int64_t> all, drawn;
            for (std::int64_t n = 0, m = 0; n < g.size[0]*g.size[1]*g.size[2]; ++n)
            {
                const double x = n % g.size[0], y = n/g.size[0] % g.size[1];
                if (g.fluid({x, y, 0}))
                {
                    all.push_back(n);
                    if
                    (
                        x > 2 && x < 10 && y > 5 && y < 12
                     && e->mayBeObstacle(m)
                    )
                    {
                        drawn.push_back(m);
                    }
                    ++m;
                }
            }
            disturb(*e, all);
            ASSERT_GT(drawn.size(), 10u);
            e->addObstacle(drawn.size(), drawn.data());
            e->step(21);
            e->removeObstacle(5, drawn.data());
            e->step(20);
            EXPECT_TRUE(e->statistics().finite);

            const auto f = e->obstacleLoad({1, 2, 3});
            const std::vector<char> p = populations(*e);
            if (first.empty())
            {
                first = p;
                load = f;
                continue;
            }
            EXPECT_TRUE(p == first) << lattice;
            EXPECT_GT(std::abs(f.force[0]), 1e-3);
            EXPECT_EQ(f.force, load.force) << lattice;
            EXPECT_EQ(f.moment, load.moment) << lattice;
        }
    }
}


TEST_P(obstacle, isSampledWhileStepsGoOn)
{
    for (const std::string& lattice : lattices())
    {
        const box b = periodicBox(lattice);
        const auto e = lbm::engine::New
        (
            settings(lattice, "dense"), b.description()
        );
        disturb(*e, allNodes(e->nFluid()));
        const std::vector<std::int64_t> nodes{7, 3, 100, 3, e->nFluid() - 1};
        const auto sampler = e->sampler(nodes.size(), nodes.data());
        EXPECT_TRUE(sampler->ready());
        for (int i = 0; i < 3; ++i)
        {
            e->step(5);
            const fields f(*e);
            sampler->start();
            e->step(20);
            const float* const v = sampler->values();
            EXPECT_TRUE(sampler->ready());
            for (std::size_t l = 0; l < nodes.size(); ++l)
            {
                EXPECT_EQ(v[4*l], float(f.rho[nodes[l]]));
                for (int a = 0; a < 3; ++a)
                {
                    EXPECT_EQ(v[4*l + 1 + a], float(f.u[3*nodes[l] + a]));
                }
            }
        }
    }
}


#define lbmObstaclesOn(name, backends, ...)                                   \
    INSTANTIATE_TEST_SUITE_P                                                  \
    (                                                                         \
        name,                                                                 \
        obstacle,                                                             \
        testing::Combine(backends, testing::Values(__VA_ARGS__)),             \
        [](const auto& info)                                                  \
        {                                                                     \
            return                                                            \
                std::get<0>(info.param) + "_" + std::get<1>(info.param);      \
        }                                                                     \
    )

lbmObstaclesOn
(
    engines, testing::Values("host", "cuda"), "single", "double", "half"
);
lbmObstaclesOn(emulated, testing::Values("emulated"), "single");

} // End namespace lbmTest
