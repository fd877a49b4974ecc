#include "rangePart.H"

#include <algorithm>
#include <cstring>

namespace lbm
{

std::vector<rangePart::run>::const_iterator rangePart::runAt
(
    const std::vector<run>& runs,
    std::int64_t node
)
{
    return std::upper_bound
    (
        runs.begin(),
        runs.end(),
        node,
        [](std::int64_t n, const run& b)
        {
            return n < b.whole + b.count;
        }
    );
}


rangePart::rangePart
(
    const std::vector<run>& all,
    std::int64_t first,
    std::int64_t nNodes
)
{
    for
    (
        auto r = runAt(all, first);
        r != all.end() && r->whole < first + nNodes;
        ++r
    )
    {
        const std::int64_t begin = std::max(r->whole, first);
        const std::int64_t end = std::min(r->whole + r->count, first + nNodes);
        if (runs.empty())
        {
            own = r->own + begin - r->whole;
        }
        runs.push_back({begin - first, count, end - begin});
        count += end - begin;
    }
}


std::int64_t rangePart::toRange
(
    const std::vector<run>& runs,
    std::size_t nodeBytes,
    const char* part,
    char* range
)
{
    std::int64_t n = 0;
    for (const run& r : runs)
    {
        std::memcpy
        (
            range + r.whole*nodeBytes, part + r.own*nodeBytes, r.count*nodeBytes
        );
        n += r.count;
    }
    return n;
}


std::int64_t rangePart::fromRange
(
    const std::vector<run>& runs,
    std::size_t nodeBytes,
    const char* range,
    char* part
)
{
    std::int64_t n = 0;
    for (const run& r : runs)
    {
        std::memcpy
        (
            part + r.own*nodeBytes, range + r.whole*nodeBytes, r.count*nodeBytes
        );
        n += r.count;
    }
    return n;
}


std::int64_t rangePart::size
(
    const std::vector<run>& runs,
    std::int64_t nNodes
)
{
    std::int64_t n = 0, end = 0;
    for (const run& r : runs)
    {
        if
        (
            r.whole < end
         || r.own != n
         || r.count < 0
         || r.whole + r.count > nNodes
        )
        {
            return -1;
        }
        end = r.whole + r.count;
        n += r.count;
    }
    return n;
}

} // End namespace lbm
