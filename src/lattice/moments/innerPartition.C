#include "innerPartition.H"
#include "collision/recursiveRegularised.H"
#include "descriptors/D3Q19.H"
#include "leavingMoments.H"
#include "precision.H"

#include <algorithm>
#include <tuple>

namespace lbm
{

std::string innerPartition::obstacle
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    if (s.lattice != D3Q19::name)
    {
        return "the lattice is " + s.lattice + ", not " + D3Q19::name;
    }
    if (s.collision != recursiveRegularised::name)
    {
        return
            "the collision " + s.collision + " needs more than moments, which "
          + recursiveRegularised::name + " does not";
    }
    if (s.precision != singlePrecision::name && s.precision != doublePrecision::name)
    {
        return "the precision is " + s.precision + ", not single or double";
    }
    if (s.variableViscosity)
    {
        return "nodes have viscosities of their own";
    }
    if (s.nodeForces)
    {
        return "nodes have forces of their own";
    }
    if (!d.scalars.empty())
    {
        return "the flow carries scalars";
    }
    if (s.devices.size() > 1)
    {
        return "the lattice is on several devices";
    }
    if (s.communicator)
    {
        return "the lattice is that of several processes";
    }
    return "";
}


std::vector<std::uint8_t> innerPartition::innerNodes
(
    const latticeDescription& d,
    const std::vector<std::array<int, 3>>& c
)
{
    std::vector<std::uint8_t> inner(d.fluid.size());
    std::transform
    (
        d.fluid.begin(),
        d.fluid.end(),
        inner.begin(),
        [](std::uint8_t fluid) { return fluid == 1; }
    );
    for (const linkGroup& g : d.groups)
    {
        const bool ghosts = hasGhostNodes(g.type);
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            inner[g.node[l]] = 0;
            for (std::size_t i = 1; ghosts && i < c.size(); ++i)
            {
                const std::int64_t beside = d.neighbour(g.node[l], c[i]);
                if (beside >= 0)
                {
                    inner[beside] = 0;
                }
            }
        }
        for (const std::int64_t node : g.partner)
        {
            inner[node] = 0;
        }
    }
    return inner;
}


innerPartition::innerPartition
(
    const latticeDescription& d,
    const std::string& lattice
)
:
    size(d.size)
{
    const std::vector<std::array<int, 3>> c(directions(lattice));
    inner = innerNodes(d, c);
    for (std::size_t node = 0; node < inner.size(); ++node)
    {
        if (inner[node])
        {
            places.push_back(node);
        }
    }
    if (places.empty())
    {
        throw error
        (
            "no node can keep moments: all are beside a boundary; keep"
            " populations"
        );
    }

    boundary = d;
    for (const std::uint32_t node : places)
    {
        boundary.fluid[node] = 0;
    }
    setLinks(c);
    setRuns(d);
}


void innerPartition::setLinks(const std::vector<std::array<int, 3>>& c)
{
    // By the node that sends, and its direction
    struct link
    {
        std::uint32_t from;
        int i;
        std::uint32_t to;

        bool operator<(const link& b) const
        {
            return std::tie(from, i) < std::tie(b.from, b.i);
        }
    };
    std::vector<link> links;
    std::int64_t number = 0;
    for (std::size_t node = 0; node < inner.size(); ++node)
    {
        if (!boundary.isFluid(node))
        {
            continue;
        }
        bool any = false;
        for (std::size_t i = 1; i < c.size(); ++i)
        {
            const std::int64_t m = boundary.neighbour(node, c[i]);
            if (m >= 0 && inner[m])
            {
                links.push_back
                ({
                    std::uint32_t(m), opposite(int(i)), std::uint32_t(node)
                });
                any = true;
            }
        }
        if (any)
        {
            beside.push_back(number);
            besidePlaces.push_back(node);
        }
        ++number;
    }
    std::sort(links.begin(), links.end());

    haloLinks halo;
    halo.peer = 1;
    for (const link& l : links)
    {
        if (sending.empty() || sending.back() != l.from)
        {
            sending.push_back(l.from);
            firstLink.push_back(halo.node.size());
            mark.push_back(0);
        }
        mark.back() |= 1u << l.i;
        halo.node.push_back(l.to);
        halo.direction.push_back(opposite(l.i));
    }
    boundary.halos.push_back(std::move(halo));
}


void innerPartition::setRuns(const latticeDescription& d)
{
    std::int64_t whole = 0;
    std::array<std::int64_t, 2> own{0, 0};
    int last = -1;
    for (std::size_t node = 0; node < inner.size(); ++node)
    {
        if (!d.isFluid(node))
        {
            continue;
        }
        const int part = inner[node];
        if (part != last)
        {
            runs[part].push_back({whole, own[part], 0});
        }
        ++runs[part].back().count;
        ++own[part];
        ++whole;
        last = part;
    }
}


memoryUse innerPartition::memory(std::int64_t nBox, int bytes)
{
    memoryUse result;
    result.populations = 2*std::int64_t(nMoments)*bytes*nBox;
    result.flags = nBox;
    return result;
}

} // End namespace lbm
