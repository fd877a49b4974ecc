// Places and neighbours of a list of nodes

#include "latticeCase.H"
#include "layouts/list.H"

#include <omp.h>

namespace lbmTest
{

//- Box with holes, of more nodes than one thread takes
static lbm::latticeDescription withHoles()
{
    box b;
    b.lattice = "D3Q19";
    b.size = {70, 61, 53};
    b.periodic = {false, false, false};
    b.solid = [](int i, int j, int k) { return (i*7 + j*5 + k*3) % 11 < 4; };
    return b.description();
}


TEST(listLayout, numbersNodesAndNeighboursAsOneThreadWould)
{
    const lbm::latticeDescription d = withHoles();
    const auto c = lbm::directions("D3Q19");

    // Nodes by box index, then what is beside them, node by node
    std::map<std::array<std::int64_t, 3>, std::uint32_t> place;
    std::vector<std::array<std::int64_t, 3>> nodes;
    std::int64_t b = 0;
    for (int k = 0; k < d.size[2]; ++k)
    {
        for (int j = 0; j < d.size[1]; ++j)
        {
            for (int i = 0; i < d.size[0]; ++i, ++b)
            {
                if (d.fluid[b])
                {
                    place[{i, j, k}] = nodes.size();
                    nodes.push_back({i, j, k});
                }
            }
        }
    }
    ASSERT_GT(nodes.size(), 100000);

    const int nThreads = omp_get_max_threads();
    for (const int n : {1, 2, 3, 16})
    {
        omp_set_num_threads(n);
        const lbm::listLayout layout(d, c, 32);
        omp_set_num_threads(nThreads);

        ASSERT_EQ(layout.end, std::int64_t(nodes.size()));

        auto known = place;
        std::uint32_t next = layout.rows();
        for (std::size_t node = 0; node < nodes.size(); ++node)
        {
            for (std::size_t pair = 0; pair < c.size()/2; ++pair)
            {
                auto at = nodes[node];
                for (int a = 0; a < 3; ++a)
                {
                    at[a] += c[2*pair + 1][a];
                }
                const auto found = known.emplace(at, next);
                next += found.second;

                ASSERT_EQ
                (
                    layout.table()[pair*layout.rows() + node],
                    found.first->second
                )
                    << "node " << node << ", pair " << pair << ", " << n
                    << " threads";
            }
        }
        EXPECT_GE(layout.nPlaces, next);
        EXPECT_LT(layout.nPlaces, next + 64);
    }
}


TEST(listLayout, knowsTheNumbersOfLinesWithoutItsTable)
{
    // Most lines follow, and some do not
    box b;
    b.lattice = "D3Q19";
    b.size = {70, 61, 5};
    b.periodic = {false, false, false};
    b.solid = [](int i, int j, int) { return i < 20 && j < 20; };
    lbm::listLayout layout(b.description(), lbm::directions(b.lattice), 32);

    const auto numbers = [&]
    {
        std::vector<std::uint32_t> result;
        for
        (
            std::int64_t place = 0;
            place < layout.end;
            place += lbm::listLayout::line
        )
        {
            layout.appendNeighbours(place, result);
        }
        return result;
    };

    const std::vector<std::uint32_t> before = numbers();
    const std::ptrdiff_t nNone =
        std::count(before.begin(), before.end(), lbm::listLayout::none);
    ASSERT_GT(std::ptrdiff_t(before.size()), 2*nNone);

    // Three of the twelve numbers of each line are no neighbours
    ASSERT_GT(nNone, std::ptrdiff_t(before.size())/4);
    layout.release();
    EXPECT_TRUE(layout.table().empty());
    EXPECT_EQ(numbers(), before);
}

} // End namespace lbmTest
