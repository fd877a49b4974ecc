// The parts of a range of nodes make the range

#include "exchange/rangePart.H"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace lbm
{

class rangePartTest : public ::testing::TestWithParam<int>
{
protected:

    static constexpr std::int64_t nNodes = 1000;

    std::vector<int> owner = std::vector<int>(nNodes);

    rangePartTest()
    {
        // Runs of different lengths; a process may have none
        std::mt19937 random(GetParam());
        for (std::int64_t n = 0; n < nNodes;)
        {
            const int process = random() % GetParam();
            for (int length = 1 + random() % 60; length && n < nNodes; --length)
            {
                owner[n++] = process;
            }
        }
    }

    std::vector<partition::run> runsOf(int process) const
    {
        std::vector<partition::run> runs;
        std::int64_t own = 0;

        for (std::int64_t n = 0; n < nNodes; ++n)
        {
            if (owner[n] != process)
            {
                continue;
            }
            if (n > 0 && owner[n - 1] == process)
            {
                ++runs.back().count;
            }
            else
            {
                runs.push_back({n, own, 1});
            }
            ++own;
        }

        return runs;
    }
};


TEST_P(rangePartTest, makesTheRangeOfAllParts)
{
    // Three bytes a node: its number, and the first digit again
    constexpr std::size_t nodeBytes = 3;
    std::vector<char> whole(nodeBytes*nNodes);
    for (std::int64_t n = 0; n < nNodes; ++n)
    {
        whole[3*n] = n % 128;
        whole[3*n + 1] = n/128;
        whole[3*n + 2] = n % 10;
    }

    for (const std::int64_t chunk : {1, 7, 64, 999, 1000})
    {
        std::vector<std::int64_t> done(GetParam(), 0);

        for (std::int64_t first = 0; first < nNodes; first += chunk)
        {
            const std::int64_t count = std::min(chunk, nNodes - first);
            const char* const from = whole.data() + nodeBytes*first;
            std::vector<char> range(nodeBytes*count, -1);
            std::int64_t n = 0;

            for (int process = 0; process < GetParam(); ++process)
            {
                const rangePart p(runsOf(process), first, count);
                std::vector<char> part(nodeBytes*p.count);

                // What follows in the own order is what comes next
                if (p.count > 0)
                {
                    EXPECT_EQ(p.own, done[process]);
                }
                done[process] += p.count;

                EXPECT_EQ(rangePart::size(p.runs, count), p.count);
                EXPECT_EQ
                (
                    rangePart::fromRange(p.runs, nodeBytes, from, part.data()),
                    p.count
                );
                n += rangePart::toRange
                (
                    p.runs, nodeBytes, part.data(), range.data()
                );
            }

            EXPECT_EQ(n, count);
            EXPECT_TRUE(std::equal(range.begin(), range.end(), from));
        }

        EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), nNodes);
    }
}


TEST(rangePartRuns, areRefusedOutsideTheRange)
{
    EXPECT_EQ(rangePart::size({}, 10), 0);
    EXPECT_EQ(rangePart::size({{0, 0, 4}, {6, 4, 4}}, 10), 8);
    EXPECT_EQ(rangePart::size({{0, 0, 4}, {6, 4, 5}}, 10), -1);
    EXPECT_EQ(rangePart::size({{-1, 0, 4}}, 10), -1);
    EXPECT_EQ(rangePart::size({{0, 0, 4}, {3, 4, 2}}, 10), -1);
    EXPECT_EQ(rangePart::size({{0, 0, 4}, {6, 3, 4}}, 10), -1);
    EXPECT_EQ(rangePart::size({{0, 0, -1}}, 10), -1);
}


INSTANTIATE_TEST_SUITE_P
(
    numberOfProcesses,
    rangePartTest,
    ::testing::Values(1, 2, 3, 8)
);

} // End namespace lbm
