// Every kind of link at once, some at a distance, some face to face: what
// must hold whatever the flow

#include "latticeCase.H"

#include <random>

namespace lbmTest
{

//- A channel with an inlet, an outlet, a wall and a slip wall, periodic in
//  depth, with a round body whose wall lies at distances and a plate without
//  thickness
class everyLink : public engineTest
{
protected:

    const std::array<std::int64_t, 3> size2_{26, 15, 1}, size3_{18, 13, 8};

    static bool inBody(double x, double y)
    {
        return (x - 7.2)*(x - 7.2) + (y - 6.6)*(y - 6.6) < 2.6*2.6;
    }

    //- Part of the way from (x, y) along c at which the body begins
    static float distance(double x, double y, const std::array<int, 3>& c)
    {
        double low = 0, high = 1;
        for (int n = 0; n < 40; ++n)
        {
            const double q = (low + high)/2;
            (inBody(x + q*c[0], y + q*c[1]) ? high : low) = q;
        }
        return low;
    }

    lbm::latticeDescription description(const std::string& lattice) const
    {
        return description(lattice, is3D(lattice) ? size3_ : size2_);
    }

    lbm::latticeDescription description
    (
        const std::string& lattice,
        const std::array<std::int64_t, 3>& size
    ) const
    {
        const bool inDepth = is3D(lattice);
        lbm::latticeDescription d;
        d.size = size;
        const auto c = lbm::directions(lattice);
        const auto& n = d.size;

        for (std::int64_t k = 0; k < n[2]; ++k)
        for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i)
        {
            d.fluid.push_back(!inBody(i, j));
        }

        const char* types[] =
        {
            "velocity", "pressure", "wall", "slip", "wall", "wall", "outflow",
            "cyclic"
        };
        const char* names[] =
        {
            "lower inlet", "outlet", "bottom", "top", "body", "plate",
            "upper inlet", "ends"
        };
        constexpr int nGroups = 8, ends = nGroups - 1;
        d.groups.resize(nGroups);
        for (int g = 0; g < nGroups; ++g)
        {
            d.groups[g].name = names[g];
            d.groups[g].type = types[g];
        }
        if (!inDepth)
        {
            d.groups.pop_back();
        }

        for (std::int64_t k = 0; k < n[2]; ++k)
        for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i)
        for (std::size_t q = 1; q < c.size(); ++q)
        {
            const std::int64_t node = d.boxIndex(i, j, k);
            const std::array<std::int64_t, 3> to
                {i + c[q][0], j + c[q][1], k + c[q][2]};
            if (!d.fluid[node])
            {
                continue;
            }

            // The plate lies above row 6, right of the body
            const bool crossesPlate =
                i >= 12 && i < 15 && (j < 7) != (to[1] < 7);

            int g = -1;
            if (to[1] < 0)
            {
                g = 2;
            }
            else if (to[0] < 0)
            {
                g = j < 7 ? 0 : 6;
            }
            else if (to[1] >= n[1])
            {
                g = 3;
            }
            else if (to[0] >= n[0])
            {
                g = 1;
            }
            else if (crossesPlate && to[0] >= 12 && to[0] < 15)
            {
                g = 5;
            }
            else if (inBody(to[0], to[1]))
            {
                g = 4;
            }
            else if (to[2] < 0 || to[2] >= n[2])
            {
                g = ends;
            }
            else
            {
                continue;
            }

            lbm::linkGroup& group = d.groups[g];
            group.node.push_back(node);
            group.direction.push_back(q);
            if (g == 4)
            {
                group.distance.push_back(distance(i, j, c[q]));
            }
            if (g == 0 || g == 1 || g == 3 || g == 6)
            {
                group.distance.push_back(g == 1 ? 0.8f : g == 3 ? 0.3f : 0.6f);
            }
            if (lbm::valuesPerFace(group.type))
            {
                group.face.push_back(j);
            }
            if (lbm::hasGhostNodes(group.type))
            {
                group.normal.push_back
                (
                    g == 3
                  ? std::array<float, 3>{0, 1, 0}
                  : std::array<float, 3>{g == 1 ? 1.0f : -1.0f, 0, 0}
                );
            }
            if (g == ends)
            {
                group.partner.push_back
                (
                    d.boxIndex(to[0], to[1], (to[2] + n[2]) % n[2])
                );
            }
        }

        // Where there is no node behind, the boundary must be half-way
        std::map<std::pair<std::int64_t, int>, int> links;
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            for (std::size_t l = 0; l < d.groups[g].size(); ++l)
            {
                links[{d.groups[g].node[l], d.groups[g].direction[l]}] = g;
            }
        }
        for (lbm::linkGroup& group : d.groups)
        {
            for (std::size_t l = 0; l < group.distance.size(); ++l)
            {
                const int q = group.direction[l];
                const auto behind =
                    links.find({group.node[l], q % 2 ? q + 1 : q - 1});
                if (behind != links.end() && behind->second != ends)
                {
                    group.distance[l] = 0.5f;
                }
            }
        }
        return d;
    }

    lbm::engineSettings settings(const std::string& lattice) const
    {
        lbm::engineSettings s;
        s.lattice = lattice;
        s.backend = backend_;
        s.precision = precision_;
        s.relaxationTime = 0.7;
        s.bodyForce = {1e-5, -2e-6, 0};
        return s;
    }

    //- An engine in a random state
    std::unique_ptr<lbm::engine> made
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    ) const
    {
        auto e = lbm::engine::New(s, d);
        setValues(*e, d);

        std::mt19937 random(1);
        std::uniform_real_distribution<double> any(-0.01, 0.01);
        std::vector<double> rho(e->nFluid()), u(3*rho.size()), S(6*rho.size());
        for (std::vector<double>* values : {&rho, &u, &S})
        {
            for (double& x : *values)
            {
                x = any(random);
            }
        }
        e->initialise(0, e->nFluid(), rho.data(), u.data(), S.data());
        return e;
    }

    static void setValues(lbm::engine& e, const lbm::latticeDescription& d)
    {
        const int n = d.size[1];
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            const int nValues = lbm::valuesPerFace(d.groups[g].type);
            std::vector<double> values(nValues*n, 0.0);
            for (int j = 0; nValues && j < n; ++j)
            {
                if (d.groups[g].type != "pressure")
                {
                    values[3*j] = 0.04*j*(n - j)/(0.25*n*n);
                }
                else
                {
                    // What enters has no velocity along the boundary
                    double* value = &values[nValues*j];
                    value[0] = 1e-4*j;
                    value[4] = 1;
                    value[9] = 1;
                }
            }
            if (nValues)
            {
                e.setBoundaryValues(g, values.data(), n);
            }
        }
    }
};


TEST_P(everyLink, givesTheSameBitsFromEveryScheduleAndLayout)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = description(lattice);
        auto s = settings(lattice);
        s.collision = collision;

        std::vector<std::vector<char>> results;
        for (const std::string& layout : lbm::engine::validNames("layout"))
        for (const bool concurrent : {false, true})
        for (const bool graph : {false, true})
        {
            s.layout = layout;
            s.concurrent = concurrent;
            s.graph = graph;
            const auto e = made(s, d);
            e->step(37);
            e->step(1);
            e->step(20);
            results.push_back(populations(*e));
        }
        EXPECT_EQ(results.size(), 8u);
        for (const auto& r : results)
        {
            EXPECT_EQ(r, results[0]);
        }
    }
}


TEST_P(everyLink, continuesFromStoredPopulationsWithTheSameBits)
{
    for (const std::string& lattice : lattices())
    {
        const auto d = description(lattice);
        auto s = settings(lattice);

        const auto whole = made(s, d);
        whole->step(11);
        const auto stored = populations(*whole);
        whole->step(12);

        // Also in the other layout
        s.layout = "list";
        const auto second = lbm::engine::New(s, d);
        setValues(*second, d);
        second->setPopulations(0, second->nFluid(), stored.data());
        second->step(12);

        EXPECT_EQ(populations(*second), populations(*whole));
    }
}


TEST_P(everyLink, agreesWithTheHostToRounding)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = description(lattice);
        auto s = settings(lattice);
        s.collision = collision;
        const auto e = made(s, d);
        s.backend = "host";
        if (backend_ == "host")
        {
            s.precision = "double";
        }
        const auto host = made(s, d);
        e->step(200);
        host->step(200);

        const double rounding = single_ ? 3e-6 : 2e-14;
        EXPECT_LE(fields(*e).difference(fields(*host)), rounding);
    }
}


TEST_P(everyLink, givesTheBoundariesWhatTheFluidLoses)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = description(lattice);
        auto s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        const auto e = made(s, d);
        e->step(7);

        const auto before = e->statistics();
        e->step(1);
        const auto after = e->statistics();

        vec force{0, 0, 0};
        double mass = 0;
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type != "cyclic")
            {
                const auto load = e->groupLoad(g, {0, 0, 0});
                mass += load.massFlux;
                for (int a = 0; a < 3; ++a)
                {
                    force[a] += load.force[a];
                }
            }
        }

        const double N = e->nFluid();
        const double scale = 0.01*N*(single_ ? 4e-7 : 6e-15);
        EXPECT_NEAR(after.massDeviation - before.massDeviation, -mass, scale);
        for (int a = 0; a < 3; ++a)
        {
            EXPECT_NEAR
            (
                after.sumVelocity[a] - before.sumVelocity[a] + force[a],
                N*s.bodyForce[a],
                scale
            );
        }
    }
}


// Reading populations completes what came back over links
TEST_P(everyLink, bearsTheSameLoadOnceComplete)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        const auto d = description(lattice);
        auto s = settings(lattice);
        s.layout = layout;
        const auto e = made(s, d);
        for (const int n : {3, 1})
        {
            e->step(n);
            for (std::size_t g = 0; g < d.groups.size(); ++g)
            {
                if (d.groups[g].type != "cyclic")
                {
                    const auto before = e->groupLoad(g, {3, -2, 5});
                    populations(*e);
                    const auto after = e->groupLoad(g, {3, -2, 5});
                    EXPECT_EQ(before.force, after.force) << g;
                    EXPECT_EQ(before.pressureForce, after.pressureForce) << g;
                    EXPECT_EQ(before.moment, after.moment) << g;
                    EXPECT_EQ(before.massFlux, after.massFlux) << g;
                    e->step(1);
                }
            }
        }
    }
}


TEST_P(everyLink, takesMomentsAboutAnyPoint)
{
    const std::string lattice = lattices().back();
    const auto d = description(lattice);
    const auto e = made(settings(lattice), d);
    e->step(5);

    for (const int g : {0, 4, 5})
    {
        const vec r{3, -2, 5};
        const auto a = e->groupLoad(g, {0, 0, 0});
        const auto b = e->groupLoad(g, r);
        for (int k = 0; k < 3; ++k)
        {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            EXPECT_NEAR
            (
                b.moment[k],
                a.moment[k] - r[l]*a.force[m] + r[m]*a.force[l],
                1e-11
            );
            EXPECT_NEAR
            (
                b.pressureMoment[k],
                a.pressureMoment[k]
              - r[l]*a.pressureForce[m] + r[m]*a.pressureForce[l],
                1e-11
            );
        }
    }
}

// D3Q27 summed over the third direction is D2Q9, and so are its links. The
// regularised collision has another bulk viscosity.
TEST_P(everyLink, isOfTwoDimensionsWhereTheFlowIs)
{
    if (!hasLattice(backend_, precision_, "D3Q27"))
    {
        GTEST_SKIP() << "no D3Q27 here";
    }

    for (const char* collision : {"BGK", "TRT"})
    {
        const auto run = [&](const char* lattice, std::int64_t depth)
        {
            const auto d = description(lattice, {26, 15, depth});
            auto s = settings(lattice);
            s.collision = collision;
            auto e = lbm::engine::New(s, d);
            setValues(*e, d);

            const std::int64_t N = e->nFluid(), n = N/depth;
            std::vector<double> rho(N), u(3*N, 0.0), S(6*N, 0.0);
            for (std::int64_t i = 0; i < N; ++i)
            {
                rho[i] = 0.01*std::sin(7*(i % n));
                u[3*i] = 0.02*std::cos(3*(i % n));
                u[3*i + 1] = 0.02*std::sin(5*(i % n));
                S[6*i + 3] = 0.001*std::sin(i % n);
            }
            e->initialise(0, N, rho.data(), u.data(), S.data());
            e->step(200);
            return e;
        };
        const auto flat = run("D2Q9", 1), deep = run("D3Q27", 3);
        const fields f(*flat), g(*deep);
        const std::size_t n = f.rho.size();

        // u is up to 0.04
        const double rounding = single_ ? 1e-7 : 1e-15;
        for (std::size_t i = 0; i < g.rho.size(); ++i)
        {
            ASSERT_NEAR(g.rho[i], f.rho[i % n], rounding) << collision;
            for (int a = 0; a < 3; ++a)
            {
                ASSERT_NEAR(g.u[3*i + a], f.u[3*(i % n) + a], rounding)
                    << collision << ' ' << i;
            }
        }

        // Load a layer
        for (int group = 0; group < 7; ++group)
        {
            const auto a = flat->groupLoad(group, {0, 0, 0});
            const auto b = deep->groupLoad(group, {0, 0, 0});
            for (int k = 0; k < 2; ++k)
            {
                EXPECT_NEAR(b.force[k]/3, a.force[k], 10*rounding) << group;
            }
            EXPECT_NEAR(b.force[2], 0, 10*rounding) << group;
            EXPECT_NEAR(b.massFlux/3, a.massFlux, 10*rounding) << group;
        }
    }
}

lbmForEveryEngine(everyLink);

INSTANTIATE_TEST_SUITE_P
(
    emulated,
    everyLink,
    testing::Values(std::make_tuple("emulated", "single"))
);


//- Where nodes work on their links themselves
class linksAtOnce : public everyLink {};

TEST_P(linksAtOnce, leaveTheBitsOfTheHost)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        // The operation of TRT
        if (collision == "BGK")
        {
            continue;
        }
        const auto d = description(lattice);
        auto s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        const auto e = made(s, d);
        s.backend = "host";
        const auto host = made(s, d);

        // Reading in between changes nothing
        for (const int n : {1, 4, 2, 33})
        {
            e->step(n);
            e->step(1);
            host->step(n + 1);
            EXPECT_EQ(populations(*e), populations(*host))
                << lattice << ' ' << layout << ' ' << collision << ' ' << n;
        }
    }
}

INSTANTIATE_TEST_SUITE_P
(
    devices,
    linksAtOnce,
    testing::Combine
    (
        testing::Values("emulated", "cuda"),
        testing::Values("single", "half")
    ),
    [](const auto& info)
    {
        return std::get<0>(info.param) + "_" + std::get<1>(info.param);
    }
);


namespace
{

//- What the engine says to a description; empty if it takes it
std::string answer(const lbm::latticeDescription& d)
{
    lbm::engineSettings s;
    s.lattice = "D2Q9";
    try
    {
        lbm::engine::New(s, d);
    }
    catch (const lbm::error& e)
    {
        return e.what();
    }
    return "";
}

} // End anonymous namespace


TEST(link, refusesWhatCannotBeWorkedOn)
{
    box b;
    b.size = {6, 6, 1};
    b.periodic = {true, false, true};
    const auto d = b.description();
    std::size_t wall = 0;
    while (d.groups[wall].type != "wall")
    {
        ++wall;
    }
    EXPECT_EQ(answer(d), "");

    auto damaged = d;
    damaged.groups[wall].distance.assign(d.groups[wall].size(), 1.5f);
    EXPECT_NE(answer(damaged).find("1.5"), std::string::npos);

    damaged = d;
    damaged.groups[wall].distance.assign(3, 0.5f);
    EXPECT_NE(answer(damaged).find("unequal size"), std::string::npos);

    damaged = d;
    damaged.groups[wall].type = "slip";
    EXPECT_NE(answer(damaged).find("unequal size"), std::string::npos);
    damaged.groups[wall].normal.assign(d.groups[wall].size(), {0, 1, 0});
    EXPECT_EQ(answer(damaged), "");

    damaged = d;
    damaged.groups[wall].node.push_back(d.groups[wall].node[0]);
    damaged.groups[wall].direction.push_back(d.groups[wall].direction[0]);
    EXPECT_NE(answer(damaged).find("two links"), std::string::npos);

    // One node between two walls: nothing lies behind either link
    box narrow = b;
    narrow.size = {6, 1, 1};
    auto n = narrow.description();
    for (lbm::linkGroup& g : n.groups)
    {
        if (g.type == "wall")
        {
            g.distance.assign(g.size(), 0.25f);
        }
    }
    EXPECT_NE(answer(n).find("no node behind"), std::string::npos);
}

} // End namespace lbmTest
