// A lattice cut into parts has the bits of the whole: populations, sums, loads,
// whatever lies at the cuts

#include "partsCase.H"
#include "scatteredWalls.H"

namespace lbmTest
{

class parts : public partsTest
{
protected:

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


TEST_P(parts, transportEddies)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            const region g = channel(lattice, cyclicEnds);
            lbm::engineSettings s = settings(lattice);
            s.variableViscosity = true;
            s.modelledViscosity = true;
            s.transportedVariables = 2;
            compare(s, g);
        }
    }
}


TEST_P(parts, haveScalarsAndLaws)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            region g = channel(lattice, cyclicEnds, false);
            lbm::engineSettings s = settings(lattice);
            s.variableViscosity = true;
            s.modelledViscosity = !cyclicEnds;
            addScalars(g);
            compare(s, g);
        }
    }
}


TEST_P(parts, holdTheNodesThatTheWholeHolds)
{
    for (const std::string& lattice : lattices())
    {
        lbm::engineSettings s = settings(lattice);
        s.collision = "recursiveRegularised";
        s.variableViscosity = true;
        compare(s, scatteredWalls(lattice, 8));
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
    if (!hasLattice(backend_, precision_, "D3Q19"))
    {
        GTEST_SKIP() << "no D3Q19 in half precision here";
    }
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
    if (!hasLattice(backend_, precision_, "D3Q19"))
    {
        GTEST_SKIP() << "no D3Q19 in half precision here";
    }
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
