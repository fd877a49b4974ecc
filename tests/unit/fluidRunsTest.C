/*---------------------------------------------------------------------------*\
Description
    Fluid nodes as runs along rows, against flags of all nodes of the box.
\*---------------------------------------------------------------------------*/

#include "fluidRuns.H"

#include <gtest/gtest.h>

#include <random>

using namespace Foam;

namespace
{

typedef fluidRuns::place place;


//- A box of nodes, each of them fluid or not
struct flaggedBox
{
    place size;
    std::vector<bool> flags;

    flaggedBox(const place& size, const int fluidOfTen)
    :
        size(size)
    {
        std::mt19937 draw(7);
        for (std::int64_t n = 0; n < size[0]*size[1]*size[2]; ++n)
        {
            flags.push_back(int(draw() % 10) < fluidOfTen);
        }
    }

    place placeOf(const std::int64_t n) const
    {
        return {n % size[0], (n/size[0]) % size[1], n/(size[0]*size[1])};
    }

    bool fluid(const place& p) const
    {
        for (int a = 0; a < 3; ++a)
        {
            if (p[a] < 0 || p[a] >= size[a])
            {
                return false;
            }
        }
        return flags[p[0] + size[0]*(p[1] + size[1]*p[2])];
    }

    fluidRuns runs() const
    {
        fluidRuns::stretchList stretches;
        for (std::size_t n = 0; n < flags.size(); ++n)
        {
            if (flags[n])
            {
                const std::int64_t i = n % size[0];
                fluidRuns::append(stretches, n/size[0], i, i + 1);
            }
        }
        return fluidRuns(size, stretches);
    }
};


const std::vector<flaggedBox>& boxes()
{
    static const std::vector<flaggedBox> all
    {
        {{40, 7, 5}, 5}, {{40, 7, 5}, 9}, {{9, 4, 1}, 7}, {{1, 6, 6}, 5},
        {{12, 3, 3}, 10}, {{12, 3, 3}, 0}
    };
    return all;
}

} // End anonymous namespace


TEST(fluidRuns, areTheFlags)
{
    for (const flaggedBox& box : boxes())
    {
        const fluidRuns runs(box.runs());

        std::int64_t number = 0;
        place p;
        for (p[2] = -1; p[2] <= box.size[2]; ++p[2])
        for (p[1] = -1; p[1] <= box.size[1]; ++p[1])
        for (p[0] = -1; p[0] <= box.size[0]; ++p[0])
        {
            ASSERT_EQ(runs.contains(p), box.fluid(p));
            ASSERT_EQ(runs.number(p), box.fluid(p) ? number : -1);
            if (box.fluid(p))
            {
                ASSERT_EQ(runs.placeOf(number), p);
                ++number;
            }
        }
        EXPECT_EQ(runs.nNodes(), number);
    }
}


TEST(fluidRuns, visitNodesInFluidOrder)
{
    for (const flaggedBox& box : boxes())
    {
        const fluidRuns runs(box.runs());

        for (const std::int64_t first : {0, 1, 17})
        for (const std::int64_t count : {0, 1, 30, 1000})
        {
            const std::int64_t end = std::min(first + count, runs.nNodes());
            std::int64_t expected = first;

            runs.forNodes(first, end - first, [&]
            (
                place p,
                const std::int64_t number,
                const std::int64_t n
            )
            {
                ASSERT_EQ(number, expected);
                for (std::int64_t i = 0; i < n; ++i, ++p[0])
                {
                    ASSERT_EQ(runs.number(p), number + i);
                }
                expected += n;
            });
            EXPECT_EQ(expected, std::max(first, end));
        }
    }
}


TEST(fluidRuns, compareRowsNodeByNode)
{
    for (const flaggedBox& box : boxes())
    {
        const fluidRuns runs(box.runs());

        for (std::int64_t j = -1; j <= box.size[1]; ++j)
        for (const std::int64_t step : {-1, 0, 1})
        for (const std::int64_t shift : {-1, 0, 1})
        {
            std::vector<int> found(box.size[0] + 4, 0);

            fluidRuns::compare(runs.row(j, 0), runs.row(j + step, 0), shift, [&]
            (
                const std::int64_t begin,
                const std::int64_t end,
                const bool here,
                const bool there
            )
            {
                for (std::int64_t i = begin; i < end; ++i)
                {
                    found[i + 2] += 1*here + 2*there;
                }
            });

            for (std::int64_t i = -2; i < box.size[0] + 2; ++i)
            {
                const bool here = box.fluid({i, j, 0});
                const bool there = box.fluid({i + shift, j + step, 0});
                ASSERT_EQ(found[i + 2], 1*here + 2*there);
            }
        }
    }
}


TEST(fluidRuns, clipToABox)
{
    const place begin{3, -2, 1};
    const place end{30, 5, 9};

    for (const flaggedBox& box : boxes())
    {
        const fluidRuns runs(box.runs().clipped(begin, end));

        std::int64_t number = 0;
        for (std::size_t n = 0; n < box.flags.size(); ++n)
        {
            const place p(box.placeOf(n));
            bool inside = box.fluid(p);
            for (int a = 0; a < 3; ++a)
            {
                inside = inside && p[a] >= begin[a] && p[a] < end[a];
            }
            ASSERT_EQ(runs.number(p), inside ? number : -1);
            number += inside;
        }
    }
}


TEST(fluidRuns, takeMemoryOfTheSurface)
{
    const std::int64_t n = 300;
    fluidRuns::stretchList stretches;
    for (std::int64_t row = 0; row < n*n; ++row)
    {
        fluidRuns::append(stretches, row, 1, n - 1);
    }
    const fluidRuns runs({n, n, n}, stretches);

    EXPECT_EQ(runs.nNodes(), n*n*(n - 2));
    EXPECT_LT(runs.bytes(), 25.0*n*n);
}
