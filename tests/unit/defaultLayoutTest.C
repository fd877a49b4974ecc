// The layout and the storage that are taken where none is given

#include "latticeCase.H"

#include <gtest/gtest.h>

namespace lbmTest
{

class defaultLayout : public testing::Test
{
protected:

    static constexpr std::int64_t plenty_ = std::int64_t(1) << 40;

    std::string reason_;

    //- Layout for rows in which so many of every eight nodes are fluid
    std::string of
    (
        const std::string& backend,
        int nFluid,
        std::int64_t memoryFree = plenty_
    )
    {
        box b;
        b.lattice = "D3Q19";
        b.size = {64, 8, 8};
        b.solid = [=](int i, int, int) { return i % 8 >= nFluid; };

        lbm::engineSettings s;
        s.backend = backend;
        return lbm::engine::defaultLayout
        (
            s, b.description(), memoryFree, reason_
        );
    }
};


TEST_F(defaultLayout, isDenseWhereAllIsFluid)
{
    EXPECT_EQ(of("cuda", 8), "dense");
    EXPECT_EQ(of("host", 8), "dense");
    EXPECT_NE(reason_.find("100 % of the box is fluid"), std::string::npos)
        << reason_;
}


// A sector costs 32 bytes of each of 19 arrays, read and written: 1216 B, and
// 608 a node where two nodes share it. A list costs 152 B, on a device 36 for
// its table, on a host 228
TEST_F(defaultLayout, isAListWhereSectorsAreNearlyEmpty)
{
    for (const std::string backend : {"cuda", "host"})
    {
        EXPECT_EQ(of(backend, 2), "list");
        EXPECT_NE(reason_.find("608 B a fluid node dense"), std::string::npos)
            << reason_;
    }
}


TEST_F(defaultLayout, dependsOnWhoWorksOnIt)
{
    // 304 B against 188 and 380
    EXPECT_EQ(of("cuda", 4), "list");
    EXPECT_EQ(of("host", 4), "dense");
}


TEST_F(defaultLayout, isAListWhereADenseOneDoesNotFit)
{
    const std::int64_t needed = 19*4*64*8*8;

    EXPECT_EQ(of("host", 8, needed), "dense");
    EXPECT_EQ(of("host", 8, needed - 1), "list");
    EXPECT_NE(reason_.find("are free"), std::string::npos) << reason_;
}


class defaultStorage : public testing::Test
{
protected:

    std::string reason_;

    static lbm::engineSettings settings()
    {
        lbm::engineSettings s;
        s.backend = "cuda";
        s.collision = "recursiveRegularised";
        return s;
    }

    static box room()
    {
        box b;
        b.lattice = "D3Q19";
        b.size = {100, 90, 80};
        b.periodic = {false, false, false};
        return b;
    }

    std::string of
    (
        const lbm::engineSettings& s,
        const box& b,
        std::int64_t memoryFree = std::int64_t(1) << 40
    )
    {
        return lbm::engine::defaultStorage
        (
            s, b.description(), memoryFree, reason_
        );
    }

    bool says(const char* text) const
    {
        return reason_.find(text) != std::string::npos;
    }
};


TEST_F(defaultStorage, isMomentsOfLargeRooms)
{
    EXPECT_EQ(of(settings(), room()), "moments") << reason_;
    EXPECT_TRUE(says("100.0 % of the nodes are inner ones")) << reason_;

    lbm::engineSettings s = settings();
    s.storage = "moments";
    const std::int64_t needed =
        lbm::engine::memoryNeeded(s, room().description()).total();
    EXPECT_GT(needed, 2*10*4*std::int64_t(100*90*80));
    EXPECT_EQ(of(settings(), room(), needed), "moments");
    EXPECT_EQ(of(settings(), room(), needed - 1), "populations");
    EXPECT_TRUE(says("are free")) << reason_;
}


TEST_F(defaultStorage, isPopulationsWhereMomentsAreNotEnough)
{
    lbm::engineSettings s = settings();
    s.collision = "TRT";
    EXPECT_EQ(of(s, room()), "populations");
    EXPECT_TRUE(says("TRT")) << reason_;
    s = settings();
    s.variableViscosity = true;
    EXPECT_EQ(of(s, room()), "populations");
    EXPECT_TRUE(says("viscosities")) << reason_;
}


TEST_F(defaultStorage, isPopulationsWhereTheyAreFaster)
{
    lbm::engineSettings s = settings();
    s.backend = "host";
    EXPECT_EQ(of(s, room()), "populations");
    EXPECT_TRUE(says("host")) << reason_;

    box b = room();
    b.size = {60, 60, 60};
    EXPECT_EQ(of(settings(), b), "populations");
    EXPECT_TRUE(says("few nodes")) << reason_;

    // Half of the box is solid, and has places as well
    b = room();
    b.size = {100, 100, 120};
    b.solid = [](int, int j, int) { return j >= 50; };
    EXPECT_EQ(of(settings(), b), "populations");
    EXPECT_TRUE(says("B with populations")) << reason_;

    // Cyclic links in thin layers: populations on a third of the nodes
    b = room();
    b.size = {400, 400, 6};
    b.periodic = {false, false, true};
    EXPECT_EQ(of(settings(), b), "populations");
    EXPECT_TRUE(says("66.7 % of the nodes")) << reason_;
}

} // End namespace lbmTest
