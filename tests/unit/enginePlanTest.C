// Which nodes are shell, and which the interior may work on beside other streams

#include "engine/enginePlan.H"

#include <gtest/gtest.h>

namespace
{

//- Rows of fluid nodes of a device, without the links of their ends
class enginePlan
:
    public testing::Test
{
protected:

    static constexpr std::int64_t length = 320;
    static constexpr std::int64_t nRows = 6;

    lbm::latticeDescription d;
    lbm::engineSettings s;

    enginePlan()
    {
        d.size = {length, nRows, 1};
        d.fluid.assign(length*nRows, 1);
        s.backend = "cuda";
        s.lattice = "D2Q9";
        s.layout = "list";
    }

    //- A link of a node in the middle of a row, along x
    std::int64_t addLink(const std::string& type, int row, float distance)
    {
        lbm::linkGroup g;
        g.name = g.type = type;
        g.node = {d.boxIndex(length/2, row, 0)};
        g.direction = {1};
        if (distance != 0.5f)
        {
            g.distance = {distance};
        }
        g.face = {0};
        d.groups.push_back(g);
        return g.node[0];
    }

    int kindOf(std::int64_t node) const
    {
        const lbm::enginePlan plan(s, d);
        return plan.flags[plan.layout->place(node)];
    }

    std::int64_t wall()
    {
        const std::int64_t node = addLink("wall", 2, 0.3f);
        d.fluid[node + 1] = 0;
        return node;
    }
};

} // End namespace


TEST_F(enginePlan, leavesNodesBesideRestingWallsOfAListToTheInterior)
{
    const std::int64_t node = wall();
    EXPECT_EQ(kindOf(node), lbm::interiorNode);

    const lbm::enginePlan plan(s, d);
    EXPECT_TRUE(plan.haveTerms[lbm::interiorNode]);
    EXPECT_FALSE(plan.haveTerms[lbm::shellNode]);

    // Vectors of a dense layout have no terms
    s.layout = "dense";
    EXPECT_EQ(kindOf(node), lbm::shellNode);
}


TEST_F(enginePlan, takesIntoTheShellWhatOthersTouch)
{
    // A velocity may change while the interior goes on
    EXPECT_EQ(kindOf(addLink("velocity", 1, 0.3f)), lbm::shellNode);

    // What is sent is read, what is received is put beside
    const std::int64_t node = wall();
    const std::int64_t sent = d.boxIndex(length/2, 4, 0);
    EXPECT_EQ(kindOf(sent), lbm::interiorNode);
    d.sent.push_back({1, {sent}});
    EXPECT_EQ(kindOf(sent), lbm::shellNode);

    d.fluid[node + 1] = lbm::latticeDescription::remote;
    EXPECT_EQ(kindOf(node), lbm::shellNode);
}


TEST_F(enginePlan, hasAShellOfAllLinesOnlyWhereItIsALargePart)
{
    // Ten lines a row
    const std::int64_t other = d.boxIndex(0, 0, 0);
    lbm::haloLinks halo;
    halo.peer = 1;
    for (int line = 0; line < 20; ++line)
    {
        const std::int64_t node = d.boxIndex(32*(line % 10), 4 + line/10, 0);
        halo.node.push_back(node);
        halo.direction.push_back(1);
    }
    wall();
    d.halos.push_back(halo);
    EXPECT_EQ(kindOf(other), lbm::interiorNode);

    for (int line = 0; line < 20; ++line)
    {
        d.halos[0].node.push_back(d.boxIndex(32*(line % 10), 2 + line/10, 0));
        d.halos[0].direction.push_back(1);
    }
    EXPECT_EQ(kindOf(other), lbm::shellNode);
}
