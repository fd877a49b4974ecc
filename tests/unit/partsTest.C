// A lattice cut into parts has the bits of the whole: populations, sums, loads,
// whatever lies at the cuts

#include "latticeRegion.H"

#include <cstring>
#include <random>

namespace lbmTest
{

class parts : public engineTest
{
protected:

    //- All that an engine gave, byte by byte
    struct record
    {
        std::vector<char> bytes;

        template<class V>
        void add(const V* values, std::size_t n)
        {
            const char* const begin = reinterpret_cast<const char*>(values);
            bytes.insert(bytes.end(), begin, begin + n*sizeof(V));
        }

        template<class V>
        void add(const std::vector<V>& values)
        {
            add(values.data(), values.size());
        }
    };

    //- Every kind of boundary, a curved wall, and a wall without thickness in
    //  the middle across each axis
    static region channel(const std::string& lattice, bool cyclicEnds)
    {
        const bool deep = is3D(lattice);
        const std::array<int, 3> n{12, 10, deep ? 8 : 1};

        region g;
        g.lattice = lattice;
        g.size = {n[0], n[1], n[2]};
        g.periodic = {cyclicEnds, cyclicEnds, !deep || cyclicEnds};
        const vec centre{3.3, 4.2, 0};
        g.fluid = [=](const vec& x)
        {
            return
                std::hypot(x[0] - centre[0], x[1] - centre[1]) > 1.6
             && (cyclicEnds || 0.1*x[0] + x[1] < n[1] - 0.3);
        };
        g.surfaces.push_back
        ({
            "cylinder", "velocity", cylinder(centre, 1.6, false),
            [](const vec& x) { return vec{0.01*x[1], -0.01*x[0], 0}; }
        });

        for (int a = 0; a < (deep ? 3 : 2); ++a)
        {
            // Half of the plane between the nodes in the middle, from both
            // sides
            for (const int side : {1, -1})
            {
                vec normal{0, 0, 0};
                normal[a] = side;
                const double at = n[a]/2 - 0.5;
                shape half = plane(normal, side*at);
                const auto d = half.distance;
                const int b = (a + 1) % (deep ? 3 : 2);
                half.distance = [=](const vec& x, const vec& c)
                {
                    const double t = d(x, c);
                    return
                        t < 1 && std::abs(x[a] - at) < 1
                     && std::min(x[b], x[b] + c[b]) > 0.7*n[b]
                     && x[b] + c[b] < n[b]
                      ? t : never;
                };
                g.surfaces.push_back
                ({
                    "plate" + std::to_string(a) + (side > 0 ? "+" : "-"),
                    a == 1 ? "velocity" : "wall",
                    half,
                    [](const vec& x) { return vec{0.02, 0, 1e-3*x[0]}; }
                });
            }
        }
        if (cyclicEnds)
        {
            g.build();
            return g;
        }

        const auto pressureOf = [](const vec& x)
        {
            return normalInflow(1e-3*std::sin(x[1]), {1, 0, 0});
        };
        const auto stressOf = [](const vec& x)
        {
            return faceValues{0.01, 0, 0, 0.05 + 1e-3*x[0], 0.5, 30};
        };
        const auto velocityOf = [](const vec& x)
        {
            return vec{0.02 + 1e-3*std::sin(x[1] + x[2]), 0, 0};
        };
        g.surfaces.push_back
            ({"inlet", "velocity", plane({-1, 0, 0}, 0.3), velocityOf});
        g.surfaces.push_back
            ({"outlet", "pressure", plane({1, 0, 0}, n[0] - 0.6), pressureOf});
        g.surfaces.push_back
            ({"lower", "wallStress", plane({0, -1, 0}, 0.5), stressOf});
        g.surfaces.push_back
            ({"upper", "slip", plane({0.1, 1, 0}, n[1] - 0.3), nullptr});
        if (deep)
        {
            g.surfaces.push_back
                ({"front", "outflow", plane({0, 0, 1}, n[2] - 0.5), velocityOf});
            g.surfaces.push_back
                ({"back", "wall", plane({0, 0, -1}, 0.2), nullptr});
        }
        g.build();
        return g;
    }

    lbm::engineSettings settings(const std::string& lattice) const
    {
        box b;
        b.lattice = lattice;
        lbm::engineSettings s = engineTest::settings(b);
        s.relaxationTime = 0.6;
        return s;
    }

    //- As many devices, those that there are in turn
    std::vector<int> devices(int n) const
    {
        int nThere = 1;
        try
        {
            for (; backend_ == "cuda"; ++nThere)
            {
                lbm::engine::deviceName(backend_, nThere);
            }
        }
        catch (const lbm::error&)
        {}
        std::vector<int> result;
        for (int i = 0; i < n; ++i)
        {
            result.push_back(i % nThere);
        }
        return result;
    }

    static std::vector<double> random
    (
        std::mt19937& generator,
        std::int64_t n,
        double from,
        double to
    )
    {
        std::uniform_real_distribution<double> any(from, to);
        std::vector<double> result(n);
        for (double& x : result)
        {
            x = any(generator);
        }
        return result;
    }

    static void addSums(lbm::engine& e, const region& g, record& r)
    {
        const lbm::latticeStatistics s = e.statistics();
        EXPECT_TRUE(s.finite);
        const double sums[] =
        {
            s.massDeviation, s.maxSpeed, double(s.maxSpeedNode),
            s.sumAbsVelocity, s.maxAbsVelocity,
            s.sumVelocity[0], s.sumVelocity[1], s.sumVelocity[2]
        };
        r.add(sums, 8);
        const std::array<double, 3> alternating = e.alternatingVelocity();
        r.add(alternating.data(), 3);
        for (std::size_t i = 0; i < g.d.groups.size(); ++i)
        {
            if (g.d.groups[i].type != "cyclic")
            {
                const lbm::boundaryLoad load = e.groupLoad(i, {1, 2, 3});
                r.add(&load, 1);
            }
        }
    }

    //- Steps with all that may happen between them
    static record after(const lbm::engineSettings& s, const region& g)
    {
        record r;
        const auto e = g.make(s);
        const std::int64_t n = e->nFluid();
        std::mt19937 generator(7);
        const auto rho = random(generator, n, -1e-2, 1e-2);
        const auto u = random(generator, 3*n, -1e-2, 1e-2);
        const auto S = random(generator, 6*n, -1e-3, 1e-3);
        e->initialise(0, n, rho.data(), u.data(), S.data());
        if (s.variableViscosity)
        {
            const auto nu = random(generator, n, 0.01, 0.3);
            e->setViscosity(0, n, nu.data());
            e->step(1);
            e->setViscosity(n/3, n/2, nu.data());
        }
        if (s.nodeForces)
        {
            const auto a = random(generator, 3*n, -1e-4, 1e-4);
            std::vector<double> sigma;
            for (const double x : random(generator, n, 0, 0.1))
            {
                sigma.insert(sigma.end(), {x, 2*x, x, x/2, 0, x/3});
            }
            e->setForces(n, nullptr, a.data(), sigma.data());
            e->step(1);
            std::vector<std::int64_t> some;
            for (std::int64_t l = 0; l < n; l += 3)
            {
                some.push_back(l);
            }
            e->setForces(some.size(), some.data(), a.data(), sigma.data());
        }
        e->step(3);
        r.add(populations(*e));
        addSums(*e, g, r);

        const fields f(*e);
        r.add(f.rho);
        r.add(f.u);

        // A part of the nodes, across cuts
        const std::int64_t first = n/4, count = n/2;
        std::vector<char> some(count*e->populationBytes());
        e->getPopulations(first, count, some.data());
        r.add(some);
        auto held = e->holdPopulations();
        e->step(1);
        held->get(first, count, some.data());
        r.add(some);
        e->setPopulations(first, count, some.data());
        e->holdPopulations(held);
        e->step(2);
        held->get(0, count, some.data());
        r.add(some);
        e->initialise(first, count, rho.data(), u.data(), nullptr);

        e->shiftDensity(1e-3);
        e->addAlternatingVelocity({1e-3, 2e-3, -1e-3});
        e->step(1);
        e->rescale(0.8, 0.58);
        g.setValues(*e);
        e->setCollision("recursiveRegularised");
        g.setValues(*e);
        e->step(17);
        e->setRelaxationTime(0.7);
        e->setBodyForce(s.forced() ? s.bodyForce : std::array<double, 3>{});
        e->step(2);
        r.add(populations(*e));
        addSums(*e, g, r);
        return r;
    }

    void compare(lbm::engineSettings s, const region& g) const
    {
        for (const std::string layout : {"dense", "list"})
        {
            s.layout = layout;
            s.devices.clear();
            const record whole = after(s, g);
            for (int axis = 0; axis < lbm::nDimensions(s.lattice); ++axis)
            {
                for (const int nParts : {2, 3})
                {
                    // Emulation takes its time
                    if (backend_ == "emulated" && (nParts == 2) == (axis == 2))
                    {
                        continue;
                    }
                    s.cutAxis = axis;
                    s.devices = devices(nParts);
                    EXPECT_TRUE(after(s, g).bytes == whole.bytes)
                        << s.lattice << ' ' << layout << ", " << nParts
                        << " parts across axis " << axis;
                }
            }
        }
    }
};


TEST_P(parts, haveTheBitsOfTheWhole)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            const region g = channel(lattice, cyclicEnds);
            lbm::engineSettings s = settings(lattice);
            compare(s, g);
            s.bodyForce = {1e-5, -2e-5, 0};
            s.variableViscosity = true;
            s.nodeForces = true;
            s.collision =
                !cyclicEnds ? "recursiveRegularised"
              : lattice == "D3Q27" ? "BGK"
              : "MRT";
            compare(s, g);
        }
    }
}


TEST_P(parts, mayBeOneNodeThick)
{
    for (const std::string& lattice : lattices())
    {
        region g;
        g.lattice = lattice;
        g.size = {4, 4, is3D(lattice) ? 4 : 1};
        g.periodic = {true, true, true};
        g.build();
        lbm::engineSettings s = settings(lattice);
        s.devices.assign(1, 0);
        const record whole = after(s, g);
        for (int axis = 0; axis < lbm::nDimensions(lattice); ++axis)
        {
            s.cutAxis = axis;
            s.devices = devices(4);
            EXPECT_TRUE(after(s, g).bytes == whole.bytes)
                << lattice << ", axis " << axis;
        }
    }
}


TEST_P(parts, keepTheBitsInManySteps)
{
    box b;
    b.lattice = "D3Q19";
    b.size = {37, 30, 24};
    b.periodic = {true, false, true};
    b.lidAxis = 1;
    b.solid = [](int i, int j, int k) { return (3*i + 5*j + 7*k) % 41 == 0; };
    const lbm::latticeDescription d = b.description();
    lbm::engineSettings s = engineTest::settings(b);
    s.relaxationTime = 0.6;

    const auto after = [&]()
    {
        const auto e = lbm::engine::New(s, d);
        std::mt19937 generator(3);
        const auto rho = random(generator, e->nFluid(), -1e-2, 1e-2);
        const auto u = random(generator, 3*e->nFluid(), -1e-2, 1e-2);
        e->initialise(0, e->nFluid(), rho.data(), u.data(), nullptr);
        const double U[3] = {0.05, 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, U, 1);
            }
        }
        e->step(backend_ == "cuda" ? 1003 : 33);
        return populations(*e);
    };
    const auto whole = after();
    for (const bool concurrent : {true, false})
    {
        for (const bool graph : {true, false})
        {
            s.concurrent = concurrent;
            s.graph = graph;
            if (backend_ == "cuda" || (concurrent && graph))
            {
                s.devices = devices(4);
                EXPECT_TRUE(after() == whole) << concurrent << ' ' << graph;
            }
        }
    }
}


TEST_P(parts, haveAboutAsManyNodes)
{
    box b;
    b.lattice = "D3Q19";
    b.size = {6, 8, 40};
    b.periodic = {false, false, false};
    b.solid = [](int, int, int k) { return k >= 30; };
    lbm::engineSettings s = engineTest::settings(b);
    s.devices = devices(3);
    const auto e = lbm::engine::New(s, b.description());
    ASSERT_EQ(e->parts().size(), 3u);
    for (const lbm::partSize& p : e->parts())
    {
        EXPECT_EQ(p.nNodes, 6*8*10);
    }

    // In the middle, five links a node and side but for those beside walls
    EXPECT_EQ(e->parts()[1].nHaloLinks, 2*(6*8*5 - 2*6 - 2*8));

    s.devices.clear();
    EXPECT_TRUE(lbm::engine::New(s, b.description())->parts().empty());
}


TEST_P(parts, areRefusedWhereThereAreFewerPlanes)
{
    box b;
    b.size = {3, 4, 1};
    lbm::engineSettings s = engineTest::settings(b);
    s.devices.assign(5, 0);
    EXPECT_THROW(lbm::engine::New(s, b.description()), lbm::error);
}


lbmForEnginesOf(parts, "half", "single", "double");

INSTANTIATE_TEST_SUITE_P
(
    emulated,
    parts,
    testing::Combine
    (
        testing::Values("emulated"), testing::Values("half", "single")
    ),
    [](const auto& info)
    {
        return std::get<0>(info.param) + "_" + std::get<1>(info.param);
    }
);

} // End namespace lbmTest
