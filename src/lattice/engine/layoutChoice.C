#include "layoutChoice.H"
#include "choices.H"
#include "enginePlan.H"
#include "moments/innerPartition.H"

#include <algorithm>
#include <cstdio>

namespace lbm
{

namespace
{

//- Time of a step with moments as numbers that one with populations moves in it
//  (doc/benchmarks/performance.md): for each population of a boundary node, and for
//  each number that moments of a node move
constexpr double boundaryCost = 12;
constexpr double momentCost = 1.15;

//- Nodes whose populations a device keeps in its cache
constexpr double fewNodes = 500000;

} // End anonymous namespace


const std::vector<std::string>& storages()
{
    static const std::vector<std::string> names{"populations", "moments"};
    return names;
}


bool keepsMoments(const engineSettings& s)
{
    const std::vector<std::string>& valid = storages();
    if (std::find(valid.begin(), valid.end(), s.storage) == valid.end())
    {
        throw error
        (
            "unknown storage '" + s.storage + "', valid ones are: populations"
            " moments"
        );
    }
    return s.storage == valid[1];
}


std::string engine::defaultLayout
(
    const engineSettings& s,
    const latticeDescription& d,
    std::int64_t memoryFree,
    std::string& reason
)
{
    int q = 0;
    std::int64_t bytes = 0;
    withNamed<lattices>("lattice", s.lattice, [&](auto l)
    {
        q = decltype(l)::type::q;
    });
    withNamed<precisions>("precision", s.precision, [&](auto p)
    {
        bytes = sizeof(typename decltype(p)::type::storage);
    });

    // Memory moves in sectors of 32 bytes: a sector with one fluid node costs
    // as much as a full one
    const std::int64_t perSector = 32/bytes;
    std::int64_t nFluid = 0, nSectors = 0, nPartLines = 0;
    for (std::size_t row = 0; row < d.fluid.size(); row += d.size[0])
    {
        for (std::int64_t i = 0; i < d.size[0]; i += enginePlan::block)
        {
            const std::int64_t end = std::min(i + enginePlan::block, d.size[0]);
            std::int64_t nInLine = 0;
            for (std::int64_t j = i; j < end; j += perSector)
            {
                const auto begin = d.fluid.begin() + row + j;
                const std::int64_t n = std::count
                (
                    begin,
                    begin + std::min(perSector, end - j),
                    std::uint8_t(1)
                );
                nInLine += n;
                nSectors += n > 0;
            }
            nFluid += nInLine;
            nPartLines += nInLine > 0 && nInLine < end - i;
        }
    }
    if (nFluid == 0)
    {
        reason = "there is no fluid node";
        return dense::name;
    }

    // A list waits for its table, which costs a device as much as 4 bytes for
    // each pair of directions; finding each population costs a host as much as
    // 12 bytes (doc/benchmarks/performance.md)
    const double node = 2*q*bytes;
    double dense = node*nSectors*perSector/nFluid;

    // Where walls have distances, a line that they cross costs a device twice
    // what it moves
    const bool distances = std::any_of
    (
        d.groups.begin(),
        d.groups.end(),
        [](const linkGroup& g) { return !g.distance.empty(); }
    );
    if (s.linksAtOnce() && distances)
    {
        dense += node*nPartLines*enginePlan::block/nFluid;
    }
    const double list = node + (s.backend == "host" ? 12*q : 4*(q - 1)/2);

    char text[160];
    std::snprintf
    (
        text,
        sizeof(text),
        "%.0f %% of the box is fluid: a step of the flow costs %.0f B a fluid node"
        " dense,"
        " %.0f B as a list",
        100.0*nFluid/d.fluid.size(),
        dense,
        list
    );
    reason = text;
    if (list < dense)
    {
        return lbm::list::name;
    }

    // Without links and lists of lines, which are small beside it
    const double needed = double(q)*bytes*d.fluid.size();
    if (needed > memoryFree)
    {
        std::snprintf
        (
            text,
            sizeof(text),
            ", but dense takes %.1f GB and %.1f are free",
            1e-9*needed,
            1e-9*memoryFree
        );
        reason += text;
        return lbm::list::name;
    }
    return lbm::dense::name;
}


std::string engine::momentsRefused
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    return innerPartition::refused(s, d);
}


std::string engine::defaultStorage
(
    const engineSettings& s,
    const latticeDescription& d,
    std::int64_t memoryFree,
    std::string& reason
)
{
    const std::string& populations = storages()[0];

    reason = innerPartition::refused(s, d);
    if (!reason.empty())
    {
        return populations;
    }
    if (!s.linksAtOnce())
    {
        // It is held up by arithmetic, of which moments need more
        reason = "the host is faster with them";
        return populations;
    }

    const double nBox = d.fluid.size();
    const double nFluid =
        std::count(d.fluid.begin(), d.fluid.end(), std::uint8_t(1));
    const std::vector<std::uint8_t> inner = innerPartition::innerNodes
    (
        d, directions(s.lattice)
    );
    const double nInner = std::count(inner.begin(), inner.end(), 1);
    if (nInner == 0)
    {
        reason = "all nodes are beside a boundary";
        return populations;
    }

    if (nFluid < fewNodes)
    {
        reason = "so few nodes are faster with them";
        return populations;
    }

    // Bytes: moments of the box, and what boundary nodes move
    // (doc/benchmarks/performance.md)
    const int bytes = bytesPerPopulation(s.precision);
    const int q = directions(s.lattice).size();
    const double ofPopulations =
        2*q*bytes + (s.layout == list::name ? 4*(q - 1)/2 : 0);
    const double ofMoments =
        (
            momentCost*2*nMoments*bytes*nBox
          + boundaryCost*q*bytes*(nFluid - nInner)
        )
       /nFluid;

    char text[200];
    std::snprintf
    (
        text,
        sizeof(text),
        "%.1f %% of the nodes are inner ones: a step of the flow costs as much as"
        " %.0f B a node with moments, %.0f B with populations",
        100*nInner/nFluid,
        ofMoments,
        ofPopulations
    );
    reason = text;
    if (!(ofMoments < ofPopulations))
    {
        return populations;
    }
    // To count it takes as long as to make the engine: not where there is plenty
    const double plenty =
        innerPartition::memory(momentPlaces(d.size), nInner, bytes).total()
      + 40.0*q*bytes*(nFluid - nInner);
    if (plenty <= memoryFree)
    {
        return storages()[1];
    }
    engineSettings withMoments(s);
    withMoments.storage = storages()[1];
    const double needed = memoryNeeded(withMoments, d).total();
    if (needed > memoryFree)
    {
        std::snprintf
        (
            text,
            sizeof(text),
            ", but moments take %.1f GB and %.1f are free",
            1e-9*needed,
            1e-9*memoryFree
        );
        reason += text;
        return populations;
    }
    return storages()[1];
}

} // End namespace lbm
