// Nodes that keep moments do what nodes that keep populations do

#include "partsCase.H"

#include <omp.h>

namespace lbmTest
{

class moments : public partsTest
{
protected:

    //- Wide enough for inner nodes in several tiles and planes
    static region wideChannel(bool cyclicEnds)
    {
        return channel("D3Q19", cyclicEnds, true, {37, 21});
    }

    lbm::engineSettings recursive(const std::string& storage) const
    {
        lbm::engineSettings s = settings("D3Q19");
        s.collision = "recursiveRegularised";
        s.layout = "list";
        s.storage = storage;
        return s;
    }

    //- What an engine gave as numbers, those of each kind apart
    struct numbers
    {
        std::vector<double> rho, u, loads, sums;
    };

    static void start(lbm::engine& e, const region& g)
    {
        g.setValues(e);
        const std::int64_t n = e.nFluid();
        std::mt19937 generator(7);
        const auto rho = random(generator, n, -1e-2, 1e-2);
        const auto u = random(generator, 3*n, -5e-2, 5e-2);
        const auto S = random(generator, 6*n, -1e-3, 1e-3);
        e.initialise(0, n, rho.data(), u.data(), S.data());
    }

    //- stepped: it has made a step since it was given populations, without which
    //  walls have not returned anything
    static void add
    (
        lbm::engine& e,
        const region& g,
        bool stepped,
        numbers& result
    )
    {
        const fields f(e);
        result.rho.insert(result.rho.end(), f.rho.begin(), f.rho.end());
        result.u.insert(result.u.end(), f.u.begin(), f.u.end());

        const lbm::latticeStatistics s = e.statistics();
        EXPECT_TRUE(s.finite);
        const double n = e.nFluid();
        for
        (
            const double x :
            {
                s.massDeviation/n, s.maxSpeed, s.sumAbsVelocity/n,
                s.maxAbsVelocity, s.sumVelocity[0]/n, s.sumVelocity[1]/n,
                s.sumVelocity[2]/n, e.alternatingVelocity()[0],
                e.alternatingVelocity()[1], e.alternatingVelocity()[2]
            }
        )
        {
            result.sums.push_back(x);
        }
        const std::array<double, 3> x
        {
            double(s.maxSpeedNode % g.d.size[0]),
            double(s.maxSpeedNode/g.d.size[0] % g.d.size[1]),
            double(s.maxSpeedNode/g.d.size[0]/g.d.size[1])
        };
        result.sums.insert(result.sums.end(), x.begin(), x.end());
        for (std::size_t i = 0; stepped && i < g.d.groups.size(); ++i)
        {
            if (g.d.groups[i].type != "cyclic")
            {
                const lbm::boundaryLoad load = e.groupLoad(i, {1, 2, 3});
                for (int a = 0; a < 3; ++a)
                {
                    result.loads.push_back(load.force[a]/n);
                    result.loads.push_back(load.pressureForce[a]/n);
                }
            }
        }
    }

    //- Steps with all that may happen between them
    static numbers course(lbm::engine& e, const region& g, bool forced)
    {
        numbers result;
        start(e, g);
        add(e, g, false, result);
        e.step(1);
        add(e, g, true, result);
        e.step(6);
        add(e, g, true, result);
        e.shiftDensity(1e-3);
        e.addAlternatingVelocity({1e-3, 2e-3, -1e-3});
        e.step(2);
        e.rescale(0.8, 0.58);
        g.setValues(e);
        add(e, g, false, result);
        e.step(3);
        e.setRelaxationTime(0.7);
        e.setBulkRelaxationTime(0.9);
        if (forced)
        {
            e.setBodyForce({2e-5, 1e-5, -1e-5});
        }
        e.step(20);
        add(e, g, true, result);
        return result;
    }

    static double largest
    (
        const std::vector<double>& a,
        const std::vector<double>& b
    )
    {
        EXPECT_EQ(a.size(), b.size());
        double result = 0;
        for (std::size_t l = 0; l < a.size(); ++l)
        {
            const double d = std::abs(a[l] - b[l]);
            result = d <= result ? result : d;
        }
        return result;
    }

    //- Rounding of a velocity of 0.05 in some dozens of steps
    double rounding() const
    {
        return single_ ? 5e-7 : 1e-15;
    }
};


TEST_P(moments, stepAsPopulationsDo)
{
    for (const bool cyclicEnds : {true, false})
    {
        for (const bool forced : {false, true})
        {
            const region g = wideChannel(cyclicEnds);
            numbers result[2];
            for (const std::string& storage : lbm::engine::validNames("storage"))
            {
                lbm::engineSettings s = recursive(storage);
                if (forced)
                {
                    s.bodyForce = {1e-5, -2e-5, 3e-5};
                }
                const auto e = lbm::engine::New(s, g.d);
                result[storage == "moments"] = course(*e, g, forced);
            }
            EXPECT_LT(largest(result[0].rho, result[1].rho), 3*rounding());
            EXPECT_LT(largest(result[0].u, result[1].u), rounding());
            EXPECT_LT(largest(result[0].loads, result[1].loads), rounding());
            EXPECT_LT(largest(result[0].sums, result[1].sums), rounding());
        }
    }
}


TEST_P(moments, haveTheBitsOfTheHost)
{
    const region g = wideChannel(false);
    lbm::engineSettings s = recursive("moments");
    s.bodyForce = {1e-5, -2e-5, 3e-5};
    const auto here = after(s, g).bytes;
    s.backend = "host";
    EXPECT_TRUE(after(s, g).bytes == here);
}


TEST_P(moments, haveTheBitsOfOneStreamAndOneThread)
{
    const region g = wideChannel(false);
    lbm::engineSettings s = recursive("moments");
    const auto here = after(s, g).bytes;
    for (const bool concurrent : {true, false})
    {
        for (const bool graph : {true, false})
        {
            s.concurrent = concurrent;
            s.graph = graph;
            EXPECT_TRUE(after(s, g).bytes == here) << concurrent << graph;
        }
    }
    const int nThreads = omp_get_max_threads();
    omp_set_num_threads(1);
    EXPECT_TRUE(after(s, g).bytes == here);
    omp_set_num_threads(nThreads);
}


TEST_P(moments, goOnFromWhatWasWritten)
{
    const region g = wideChannel(false);
    const auto from = [&]
    (
        const std::string& storage,
        const std::vector<char>& written
    )
    {
        auto e = lbm::engine::New(recursive(storage), g.d);
        g.setValues(*e);
        e->setPopulations(0, e->nFluid(), written.data());
        e->step(7);
        return e;
    };
    std::unique_ptr<lbm::engine> all[2];
    std::vector<char> written[2];
    for (const bool keep : {false, true})
    {
        const std::string storage = keep ? "moments" : "populations";
        auto e = lbm::engine::New(recursive(storage), g.d);
        start(*e, g);
        e->step(6);
        written[keep] = populations(*e);
        e->step(7);
        all[keep] = std::move(e);

        // The same storage: to the bit
        EXPECT_TRUE
        (
            populations(*from(storage, written[keep])) == populations(*all[keep])
        );
    }

    // The other one
    for (const bool keep : {false, true})
    {
        const auto e = from(keep ? "moments" : "populations", written[!keep]);
        EXPECT_LT(largest(fields(*e).u, fields(*all[keep]).u), rounding());
        EXPECT_LT(largest(fields(*e).rho, fields(*all[keep]).rho), 3*rounding());
    }
}


TEST_P(moments, keepALidDrivenRoomAtRestInItsCorners)
{
    // Many steps of a box with nothing but walls: mass stays, and the flow is
    // that of populations
    box b;
    b.lattice = "D3Q19";
    b.size = {40, 21, 24};
    b.periodic = {false, true, false};
    b.lidAxis = 2;
    const lbm::latticeDescription d = b.description();
    std::unique_ptr<lbm::engine> all[2];
    for (const bool keep : {false, true})
    {
        lbm::engineSettings s = recursive(keep ? "moments" : "populations");
        s.relaxationTime = 0.53;
        auto e = lbm::engine::New(s, d);
        const std::vector<double> zero(3*e->nFluid(), 0);
        e->initialise(0, e->nFluid(), zero.data(), zero.data(), nullptr);
        const double U[3] = {0.1, 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, U, 1);
            }
        }
        e->step(backend_ == "emulated" ? 50 : 400);
        EXPECT_LT
        (
            std::abs(e->statistics().massDeviation)/e->nFluid(),
            single_ ? 5e-8 : 1e-16
        );
        all[keep] = std::move(e);
    }
    EXPECT_LT
    (
        largest(fields(*all[0]).u, fields(*all[1]).u), single_ ? 2e-6 : 5e-15
    );
    EXPECT_GT(fields(*all[1]).u[0], 0);
}


TEST_P(moments, knowWallsOfAnyShape)
{
    // Stairs and single solid nodes: more kinds of wall nodes than a byte has
    // numbers; forces on two groups of walls
    box b;
    b.lattice = "D3Q19";
    b.size = {40, 21, 37};
    b.periodic = {false, false, true};
    b.lidAxis = 1;
    b.solid = [](int i, int j, int k)
    {
        return
            (i + 2*j)/7 % 5 == 0 && k < 20
         && (i*i + 3*j + 7*k*k + i*k) % 3 != 0;
    };
    lbm::latticeDescription d = b.description();
    lbm::linkGroup upper;
    for (lbm::linkGroup& g : d.groups)
    {
        if (g.type == "wall")
        {
            lbm::linkGroup lower;
            lower.name = lower.type = upper.type = "wall";
            upper.name = "upper";
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                lbm::linkGroup& own = g.direction[l] % 3 ? lower : upper;
                own.node.push_back(g.node[l]);
                own.direction.push_back(g.direction[l]);
            }
            g = lower;
        }
    }
    d.groups.push_back(upper);

    std::unique_ptr<lbm::engine> all[2];
    for (const bool keep : {false, true})
    {
        lbm::engineSettings s = recursive(keep ? "moments" : "populations");
        s.bodyForce = {1e-4, 0, 2e-4};
        auto e = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        std::mt19937 generator(11);
        const auto rho = random(generator, n, -1e-2, 1e-2);
        const auto u = random(generator, 3*n, -5e-2, 5e-2);
        e->initialise(0, n, rho.data(), u.data(), nullptr);
        const double U[3] = {0.05, 0, 0.02};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, U, 1);
            }
        }
        e->step(41);
        e->shiftDensity(1e-2);
        all[keep] = std::move(e);
    }
    EXPECT_LT(largest(fields(*all[0]).u, fields(*all[1]).u), rounding());
    EXPECT_LT(largest(fields(*all[0]).rho, fields(*all[1]).rho), 3*rounding());
    for (std::size_t g = 0; g < d.groups.size(); ++g)
    {
        if (d.groups[g].type == "cyclic")
        {
            continue;
        }
        const lbm::boundaryLoad a = all[0]->groupLoad(g, {1, 2, 3});
        const lbm::boundaryLoad c = all[1]->groupLoad(g, {1, 2, 3});
        double size = 0;
        for (int k = 0; k < 3; ++k)
        {
            size += std::abs(a.moment[k]);
        }
        for (int k = 0; k < 3; ++k)
        {
            EXPECT_NEAR(a.force[k], c.force[k], size*30*rounding());
            EXPECT_NEAR(a.pressureForce[k], c.pressureForce[k], size*30*rounding());
            EXPECT_NEAR(a.moment[k], c.moment[k], size*300*rounding());
            EXPECT_NEAR
            (
                a.pressureMoment[k], c.pressureMoment[k], size*300*rounding()
            );
        }
        EXPECT_GT(size, 1e-3);
    }
}


TEST_P(moments, doWithoutBoundaryNodes)
{
    // A closed room: all nodes are inner ones
    box b;
    b.lattice = "D3Q19";
    b.size = {9, 8, 7};
    b.periodic = {false, false, false};
    const lbm::latticeDescription d = b.description();
    std::unique_ptr<lbm::engine> all[2];
    for (const bool keep : {false, true})
    {
        auto e = lbm::engine::New
        (
            recursive(keep ? "moments" : "populations"), d
        );
        const std::int64_t n = e->nFluid();
        std::mt19937 generator(13);
        const auto rho = random(generator, n, -1e-2, 1e-2);
        const auto u = random(generator, 3*n, -5e-2, 5e-2);
        e->initialise(0, n, rho.data(), u.data(), nullptr);
        e->step(20);
        all[keep] = std::move(e);
    }
    EXPECT_LT(largest(fields(*all[0]).u, fields(*all[1]).u), rounding());
    EXPECT_NEAR
    (
        all[0]->statistics().massDeviation,
        all[1]->statistics().massDeviation,
        1000*rounding()
    );
}


TEST_P(moments, areRefusedWhereTheyAreNotEnough)
{
    const region g = wideChannel(true);
    const auto refused = [&](const lbm::engineSettings& s, const char* why)
    {
        try
        {
            lbm::engine::New(s, g.d);
            FAIL() << why;
        }
        catch (const lbm::error& e)
        {
            EXPECT_NE(std::string(e.what()).find(why), std::string::npos)
                << e.what();
        }
    };
    lbm::engineSettings s = recursive("moments");
    s.collision = "TRT";
    refused(s, "TRT");
    s = recursive("moments");
    s.precision = "half";
    refused(s, "half");
    s = recursive("moments");
    s.variableViscosity = true;
    refused(s, "viscosities");
    s = recursive("moments");
    s.nodeForces = true;
    refused(s, "forces");
    s = recursive("moments");
    s.devices = devices(2);
    refused(s, "devices");
    refused(recursive("numbers"), "numbers");

    s = recursive("moments");
    box b;
    b.lattice = "D3Q19";
    b.size = {9, 9, 1};
    b.periodic = {false, true, true};
    EXPECT_THROW(lbm::engine::New(s, b.description()), lbm::error);
}


TEST_P(moments, takeTheMemoryThatIsSaid)
{
    box b;
    b.lattice = "D3Q19";
    b.size = {64, 64, 64};
    b.periodic = {false, false, false};
    const auto d = b.description();
    const lbm::engineSettings s = recursive("moments");
    const auto e = lbm::engine::New(s, d);
    EXPECT_EQ
    (
        e->memory().populations, lbm::engine::memoryNeeded(s, d).populations
    );
    EXPECT_EQ(lbm::engine::bytesPerNode(s), single_ ? 80 : 160);
}


lbmForEnginesOf(moments, "single", "double");

INSTANTIATE_TEST_SUITE_P
(
    emulated,
    moments,
    testing::Combine
    (
        testing::Values("emulated"), testing::Values("single")
    ),
    [](const auto& info)
    {
        return std::get<0>(info.param) + "_" + std::get<1>(info.param);
    }
);

} // End namespace lbmTest
