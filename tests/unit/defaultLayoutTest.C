// The layout that is taken where none is given

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

} // End namespace lbmTest
