// Bytes that a step moves, counted, and the time predicted from them

#include "closedBox.H"
#include "latticeCase.H"
#include "stepModel.H"

namespace lbmTest
{

using lbm::stepKernel;

class stepModelTest : public ::testing::Test
{
protected:

    static lbm::engineSettings settings
    (
        const std::string& lattice = "D3Q19",
        const std::string& precision = "single",
        const std::string& layout = "dense"
    )
    {
        lbm::engineSettings s;
        s.lattice = lattice;
        s.precision = precision;
        s.layout = layout;
        s.backend = "cuda";
        return s;
    }

    static const lbm::kernelTraffic& kernel
    (
        const lbm::stepTraffic& t,
        stepKernel kind,
        const std::string& name
    )
    {
        for (const lbm::kernelTraffic& k : t.kernels)
        {
            if (k.kind == kind && k.name == name)
            {
                return k;
            }
        }
        throw lbm::error("there is no kernel " + name);
    }

    //- A box of velocities on all sides
    static lbm::latticeDescription movingBox
    (
        const std::array<std::int64_t, 3>& size
    )
    {
        auto d = lbmBench::closedBox("D2Q9", size);
        d.groups[0].type = "velocity";
        d.groups[0].face.assign(d.groups[0].size(), 0);
        return d;
    }

    //- A box open on all sides
    static lbm::latticeDescription openBox
    (
        const std::array<std::int64_t, 3>& size
    )
    {
        auto d = lbmBench::closedBox("D2Q9", size);
        lbm::linkGroup& g = d.groups[0];
        g.type = "pressure";
        g.face.assign(g.size(), 0);
        const auto c = lbm::directions("D2Q9");
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const auto& i = c[g.direction[l]];
            const std::int64_t x = g.node[l] % size[0] + i[0];
            const bool aside = x < 0 || x >= size[0];
            g.normal.push_back
            ({
                aside ? float(i[0]) : 0, aside ? 0 : float(i[1]), 0
            });
        }
        return d;
    }

    //- A periodic box with a slip wall below and another one above
    static lbm::latticeDescription slipChannel()
    {
        box b;
        b.lattice = "D2Q9";
        b.size = {32, 8, 1};
        b.periodic = {true, false, true};
        lbm::latticeDescription d = b.description();
        for (lbm::linkGroup& g : d.groups)
        {
            if (g.type == "wall")
            {
                g.type = "slip";
                for (const std::int64_t node : g.node)
                {
                    g.normal.push_back({0, node < b.size[0] ? -1.0f : 1.0f, 0});
                }
            }
        }
        return d;
    }
};


TEST_F(stepModelTest, bytesOfAPopulationAreThoseOfItsPrecision)
{
    EXPECT_EQ(lbm::engine::bytesPerPopulation("single"), 4);
    EXPECT_EQ(lbm::engine::bytesPerPopulation("double"), 8);
    EXPECT_THROW(lbm::engine::bytesPerPopulation("none"), lbm::error);
}


TEST_F(stepModelTest, bytesOfANodeAreThoseOfThePapers)
{
    EXPECT_EQ(lbm::engine::bytesPerNode(settings()), 152);
    EXPECT_EQ(lbm::engine::bytesPerNode(settings("D3Q19", "double")), 304);
    EXPECT_EQ(lbm::engine::bytesPerNode(settings("D2Q9")), 72);
    EXPECT_EQ(lbm::engine::bytesPerNode(settings("D3Q27")), 216);
    EXPECT_EQ
    (
        lbm::engine::bytesPerNode(settings("D3Q19", "single", "list")),
        152 + 9*4/32.0
    );
}


// What engines report is what the count is based on
TEST_F(stepModelTest, populationsOfAnEngineHaveThatManyBytes)
{
    for (const std::string& precision : lbm::engine::validNames("precision"))
    {
        for (const std::string& lattice : lbm::engine::validNames("lattice"))
        {
            lbm::engineSettings s = settings(lattice, precision);
            s.backend = "host";
            const int depth = lattice[1] == '2' ? 1 : 4;
            const auto d = lbmBench::closedBox(lattice, {4, 4, depth});
            EXPECT_EQ
            (
                lbm::engine::New(s, d)->populationBytes(),
                lbm::directions(lattice).size()
               *lbm::engine::bytesPerPopulation(precision)
            );
        }
    }
}


// 96 x 40 nodes in rows of three lines of memory and one of margin. The row at
// the lid is shell, the others are interior. A row has 12 sectors of single
// precision; three of the nine arrays are touched one place further, in 13. What
// comes back over links goes to slots of its own, whose sectors are read before
// unless they are written whole.
TEST_F(stepModelTest, sectorsOfTheInteriorAreCounted)
{
    const auto d = lbmBench::closedBox("D2Q9", {96, 40, 1});
    const auto t = lbm::trafficOf(settings("D2Q9"), d);
    const auto& interior = kernel(t, stepKernel::interior, "interior");
    const auto& shell = kernel(t, stepKernel::shell, "shell");

    EXPECT_EQ(interior.n, 96*39);
    EXPECT_EQ(shell.n, 96);
    // A link across the rows has a sector for itself: three directions at each
    // end of 39 rows, but for the four at the lower wall that go down
    const int across = 6*39 - 2;
    const int along = 12 + 12 + 13;
    EXPECT_EQ(interior.written, 32*(39*(6*12 + 3*13) + across + along));

    // And the list of lines, with the marks of the first and the last line of
    // a row, and of all at the lower wall
    EXPECT_EQ
    (
        interior.read,
        32*(39*(6*12 + 3*13) + across + 2)
      + 39*3*8 + (2*38 + 3)*32*4
    );

    // The lid's links: 96 up, 95 to each side; the walls' at its nodes: two to
    // each end beside the corners, two in them
    EXPECT_EQ(shell.written, 32*(6*12 + 3*13 + 3*12 + 6));

    // Two words a place for marks and first terms, and a term for each link
    EXPECT_EQ
    (
        shell.read,
        32*(6*12 + 3*13 + 2 + 6) + 3*8 + 3*2*32*4 + (96 + 2*95 + 6)*2*4
    );
}


// The lid of a box is all of its shell, or one row of seven where all of a list
// is shell
TEST_F(stepModelTest, linesWithTermsAreCounted)
{
    const auto part =
        [](const std::string& layout, const std::array<std::int64_t, 3>& size)
    {
        const auto t = lbm::trafficOf
        (
            settings("D2Q9", "single", layout),
            lbmBench::closedBox("D2Q9", size)
        );
        return kernel(t, stepKernel::shell, "shell").withTerms;
    };
    EXPECT_DOUBLE_EQ(part("dense", {96, 40, 1}), 1);
    EXPECT_DOUBLE_EQ(part("list", {96, 40, 1}), 1);
    EXPECT_DOUBLE_EQ(part("list", {96, 7, 1}), 1/7.0);
}


// Vectors where there are many nodes and neighbours follow; what a layout is
// cut into
TEST_F(stepModelTest, aThreadTakesSeveralNodesOfALargeDenseLattice)
{
    const auto small = lbmBench::closedBox("D2Q9", {1000, 1000, 1});
    const auto large = lbmBench::closedBox("D2Q9", {1100, 1000, 1});
    const auto perThread =
        [](const lbm::engineSettings& s, const lbm::latticeDescription& d)
    {
        const auto t = lbm::trafficOf(s, d);
        EXPECT_EQ(kernel(t, stepKernel::shell, "shell").perThread, 1);
        return kernel(t, stepKernel::interior, "interior").perThread;
    };
    EXPECT_EQ(perThread(settings("D2Q9"), small), 1);
    EXPECT_EQ(perThread(settings("D2Q9"), large), 4);
    EXPECT_EQ(perThread(settings("D2Q9", "half"), large), 4);
    EXPECT_EQ(perThread(settings("D2Q9", "double"), large), 2);
    EXPECT_EQ(perThread(settings("D2Q9", "single", "list"), large), 1);

    // Rows of 1100 nodes and one of margin, on pairs of lines of memory
    EXPECT_EQ(lbm::trafficOf(settings("D2Q9"), large).pieceBytes, 4*1152);
    EXPECT_EQ
    (
        lbm::trafficOf(settings("D2Q9", "single", "list"), large).pieceBytes, 0
    );
}


// Where many lines of a list have links whose terms are read, nothing is
// interior
TEST_F(stepModelTest, aLargeShellIsAll)
{
    const auto d = lbmBench::closedBox("D2Q9", {96, 7, 1});
    const auto t = lbm::trafficOf(settings("D2Q9", "single", "list"), d);
    EXPECT_EQ(kernel(t, stepKernel::shell, "shell").n, 96*7);
    EXPECT_THROW(kernel(t, stepKernel::interior, "interior"), lbm::error);
}


// Half as many places share a sector. Rows of 127 nodes and one of margin
TEST_F(stepModelTest, doublePrecisionTouchesTwiceTheSectors)
{
    const auto d = lbmBench::closedBox("D2Q9", {127, 40, 1});
    const auto t = lbm::trafficOf(settings("D2Q9", "double"), d);
    const auto& interior = kernel(t, stepKernel::interior, "interior");

    // With what comes back over links, as above
    EXPECT_EQ(interior.written, 32*(39*9*32 + 6*39 - 2 + 3*32));
}


// The rows of a list are not padded: those of 96 fill three lines each
TEST_F(stepModelTest, aListReadsItsTable)
{
    auto d = lbmBench::closedBox("D2Q9", {96, 40, 1});
    d.groups.clear();
    const auto dense = lbm::trafficOf(settings("D2Q9"), d);
    const auto listed = lbm::trafficOf(settings("D2Q9", "single", "list"), d);
    const auto& interior = kernel(listed, stepKernel::interior, "interior");

    // 8 numbers for each line, and 32 more for each of 4 pairs where the last
    // node of a row has its neighbour beyond the box: in three pairs, but in
    // one of them those of the last row are all beyond it
    EXPECT_EQ(interior.n, 96*40);
    EXPECT_EQ
    (
        interior.read - interior.written, 40*3*8*4 + (40*3 - 1)*32*4
    );
    EXPECT_GT(listed.total(), dense.total());
}


// Where links are not worked on by the step of their nodes
TEST_F(stepModelTest, linksAcrossTheRowsMoveWholeSectors)
{
    auto s = settings("D2Q9");
    s.backend = "host";
    const auto traffic = [&](const std::array<std::int64_t, 3>& size)
    {
        const auto t = lbm::trafficOf(s, movingBox(size));
        const auto& k = kernel(t, stepKernel::links, "wall");
        return (k.read + k.written)/k.n;
    };
    const double along = traffic({4096, 4, 1});
    const double across = traffic({4, 4096, 1});

    // Node 4, direction 1, term 8; a slot read and one written, 4 each or,
    // with the line of 64 bytes that is written read before, 3 x 64
    EXPECT_NEAR(along, 13 + 8, 0.5);
    EXPECT_NEAR(across, 13 + 3*64, 0.5);
}


// Along the rows the slots of what comes back share sectors, across them each
// link has one for itself
TEST_F(stepModelTest, ghostNodesWriteWholeSectorsAcrossTheRows)
{
    const auto traffic = [&](const std::array<std::int64_t, 3>& size)
    {
        const auto t = lbm::trafficOf(settings("D2Q9"), openBox(size));
        return kernel(t, stepKernel::links, "wall");
    };
    const auto along = traffic({4096, 4, 1});
    const auto across = traffic({4, 4096, 1});

    // Node 4, direction 1, population 4; a slot is written, and the sector that
    // it is a part of is read before
    EXPECT_NEAR(along.read/along.n, 9, 0.5);
    EXPECT_NEAR(along.written/along.n, 4, 0.5);
    EXPECT_NEAR(across.read/across.n, 9 + 32, 0.5);
    EXPECT_NEAR(across.written/across.n, 32, 0.5);
}


TEST_F(stepModelTest, linksAtDistancesReadWhatIsBehindThem)
{
    auto s = settings("D2Q9");
    s.backend = "host";
    auto d = movingBox({64, 64, 1});
    const auto half = lbm::trafficOf(s, d);
    d.groups[0].distance.assign(d.groups[0].size(), 0.5f);
    const auto given = lbm::trafficOf(s, d);
    const auto& wall = kernel(half, stepKernel::links, "wall");
    const auto& at = kernel(given, stepKernel::links, "wall");

    // The node behind; at 1/2 what is behind is not read
    EXPECT_EQ(at.read - wall.read, 4*wall.n);
    EXPECT_EQ(at.written, wall.written);
    EXPECT_FALSE(wall.afterCyclic);
    EXPECT_TRUE(at.afterCyclic);

    // A link across the rows whose wall is not half-way: two more lines
    d.groups[0].distance[0] = 0.25f;
    const auto moved = lbm::trafficOf(s, d);
    EXPECT_EQ
    (
        kernel(moved, stepKernel::links, "wall").read - at.read, 2*64
    );
}


TEST_F(stepModelTest, slipUpdatesItsGhostNodes)
{
    // Of a node: density, velocity, strain. Of a ghost node: normal, part, distances,
    // ratio, chord error, flags, share in a friction
    const int state = 10*4, place = 13*4;
    const auto d = slipChannel();
    const auto t = lbm::trafficOf(settings("D2Q9"), d);
    int nCopied = 0, nPrepared = 0, nCyclic = 0;
    for (const lbm::kernelTraffic& k : t.kernels)
    {
        nCyclic += k.kind == stepKernel::cyclic;
        if (k.kind == stepKernel::links)
        {
            // Of each link direction, place and what comes back
            EXPECT_GE(k.read, (1 + 4 + 4)*3*2*32);
        }
        if (k.kind == stepKernel::copy)
        {
            // All populations of two rows with links, whose nodes have a first
            // link, and of the two beside them; places
            ++nCopied;
            EXPECT_EQ(k.n, 4*32);
            EXPECT_EQ(k.read, 4*9*32*4 + 4*k.n + 4*2*32);
            EXPECT_EQ(k.written, 4*9*32*4);
        }
        if (k.kind == stepKernel::prepare)
        {
            ++nPrepared;
            EXPECT_EQ(k.n, 2*32);

            // First the states of the nodes beside those of oblique links: of
            // two rows, a place and the copies
            if (nPrepared % 2)
            {
                EXPECT_EQ(k.read, 2*9*32*4 + 4*k.n);
                EXPECT_EQ(k.written, state*k.n);
                continue;
            }

            // Then what goes out and comes back over each link: copies of two
            // rows; the states; the first link of each node and the end;
            // direction, two numbers and the place of each ghost node
            EXPECT_EQ
            (
                k.read,
                2*9*32*4
              + 2*32*state
              + 4*(2*32 + 1)
              + (1 + 2*4 + place)*3*2*32
            );
            EXPECT_EQ(k.written, 2*4*3*2*32);
        }
    }
    EXPECT_EQ(nCopied, 1);
    EXPECT_EQ(nPrepared, 2);
    EXPECT_GE(nCyclic, 1);
}


TEST_F(stepModelTest, nodesWithLinksAreCountedOnce)
{
    const auto d = lbmBench::closedBox("D2Q9", {20, 10, 1});
    EXPECT_EQ(lbm::nodesWithLinks(d), 20*10 - 18*8);
}


// Times by hand: 1 GB read and written at 4 GB/s, the rest at 2 and 1 GB/s;
// nodes at 5 GB/s, half of it where links have terms
TEST_F(stepModelTest, aKernelTakesItsBytesOverTheBandwidth)
{
    lbmBench::deviceLimits d;
    d.update = 4e9;
    d.streaming = 5e9;
    d.withTerms = 2.5e9;
    d.read = 2e9;
    d.write = 1e9;

    lbm::kernelTraffic k;
    k.kind = stepKernel::links;
    k.read = k.written = 1e9;
    EXPECT_DOUBLE_EQ(lbmBench::memoryTime(k, d), 0.5);
    k.read = 2e9;
    EXPECT_DOUBLE_EQ(lbmBench::memoryTime(k, d), 0.5 + 0.5);
    k.read = 0;
    EXPECT_DOUBLE_EQ(lbmBench::memoryTime(k, d), 1);

    k.read = 1e9;
    for (const stepKernel kind : {stepKernel::shell, stepKernel::interior})
    {
        k.kind = kind;
        EXPECT_DOUBLE_EQ(lbmBench::memoryTime(k, d), 0.4);
        k.withTerms = 0.25;
        EXPECT_DOUBLE_EQ(lbmBench::memoryTime(k, d), 0.3 + 0.2);
        k.withTerms = 0;
    }
}


// A queue of W warps before memory and scheduler: one of them at a time, or as
// if the other one took no time, or W/(W + 1) of both if they take the same
TEST_F(stepModelTest, warpsQueueForMemoryAndScheduler)
{
    lbmBench::deviceLimits d;
    d.read = 1;
    d.streaming = 1;

    lbm::kernelTraffic k;
    k.kind = stepKernel::interior;
    k.read = 3;
    k.n = 6;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 3);

    // The rate is that of kernels whose threads take as many nodes
    k.perThread = 4;
    d.nodes[1].perSecond = 1e-3;
    d.nodes[1].warps = 1;
    lbmBench::nodeRate& alone = d.nodes[4];
    alone.perSecond = 3;
    alone.warps = 1;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 3 + 2);
    alone.warps = 1000;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 3);
    alone.perSecond = 1;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 6);
    alone.perSecond = 2;
    alone.warps = 4;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 3*5/4.0);
    alone.perSecond = 4;
    EXPECT_DOUBLE_EQ
    (
        lbmBench::kernelTime(k, d), 3*(1 - 1/32.0)/(1 - 1/16.0)
    );

    // Links are left to memory
    d.update = 1;
    k.kind = stepKernel::links;
    EXPECT_DOUBLE_EQ(lbmBench::kernelTime(k, d), 3);
}


TEST_F(stepModelTest, aStepTakesTheLongestOfMemoryChainAndLaunches)
{
    using lbmBench::schedule;

    lbmBench::deviceLimits d;
    d.update = d.streaming = d.read = d.write = 1;
    d.kernel = 1;
    d.step = 5;

    // Reads of so many seconds
    lbm::stepTraffic t;
    const auto add = [&](stepKernel kind, double seconds, bool later = false)
    {
        lbm::kernelTraffic k;
        k.kind = kind;
        k.read = seconds;
        k.afterCyclic = later;
        t.kernels.push_back(k);
    };
    add(stepKernel::interior, 20);
    add(stepKernel::shell, 3);
    add(stepKernel::links, 2);
    add(stepKernel::links, 1);

    auto time = lbmBench::predict(t, d, schedule::oneStream);
    EXPECT_DOUBLE_EQ(time.longest(), 26 + 2*5 + 2*1);

    time = lbmBench::predict(t, d, schedule::graph);
    EXPECT_DOUBLE_EQ(time.device, 26 + 5);
    EXPECT_DOUBLE_EQ(time.chain, (3 + 5) + (2 + 1));
    EXPECT_DOUBLE_EQ(time.launches, 0);
    EXPECT_DOUBLE_EQ(time.longest(), 31);

    time = lbmBench::predict(t, d, schedule::streams);
    EXPECT_DOUBLE_EQ(time.launches, 4);

    // Copies for ghost nodes go before the shell, ghost nodes beside it, the links
    // of interpolated walls after cyclic ones
    add(stepKernel::copy, 1);
    add(stepKernel::prepare, 6);
    add(stepKernel::cyclic, 4);
    add(stepKernel::links, 1, true);
    time = lbmBench::predict(t, d, schedule::graph);
    EXPECT_DOUBLE_EQ(time.chain, (1 + 1) + (3 + 5) + (4 + 1) + (1 + 1));
    add(stepKernel::prepare, 3);
    time = lbmBench::predict(t, d, schedule::graph);
    EXPECT_DOUBLE_EQ(time.chain, (1 + 1) + (7 + 4) + (4 + 1) + (1 + 1));

    // Those of another group have a stream of their own
    add(stepKernel::copy, 2);
    add(stepKernel::prepare, 9);
    time = lbmBench::predict(t, d, schedule::graph);
    EXPECT_DOUBLE_EQ(time.chain, (2 + 1) + (7 + 4) + (4 + 1) + (1 + 1));

    // Latency alone
    d.kernel = 1000;
    time = lbmBench::predict(t, d, schedule::graph);
    EXPECT_DOUBLE_EQ(time.longest(), time.chain);
    time = lbmBench::predict(t, d, schedule::streams);
    EXPECT_DOUBLE_EQ(time.longest(), 11000);
}

} // End namespace lbmTest
