#include "innerPartition.H"
#include "collision/recursiveRegularised.H"
#include "descriptors/D3Q19.H"
#include "exchange/communicator.H"
#include "links/bounceBack.H"
#include "momentSums.H"
#include "precision.H"

#include <algorithm>
#include <map>
#include <tuple>

namespace lbm
{

std::string innerPartition::refused
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    const auto need = [](const std::string& what, const std::string& found)
    {
        return "moments need " + what + ", and " + found;
    };
    if (s.lattice != D3Q19::name)
    {
        return need(D3Q19::name, "the lattice is " + s.lattice);
    }
    if (s.collision != recursiveRegularised::name)
    {
        return need
        (
            recursiveRegularised::name, "the collision is " + s.collision
        );
    }
    if (s.precision != singlePrecision::name && s.precision != doublePrecision::name)
    {
        return need
        (
            "single or double precision", "the precision is " + s.precision
        );
    }
    const std::string no = "moments do not go with ";
    if (s.variableViscosity)
    {
        return no + "viscosities of nodes";
    }
    if (s.nodeForces)
    {
        return no + "forces of nodes";
    }
    if (!d.scalars.empty())
    {
        return no + "scalars that the flow carries";
    }
    if (s.devices.size() > 1)
    {
        return no + "several devices";
    }
    if (s.communicator && s.communicator->size() > 1)
    {
        return no + "several processes";
    }
    return "";
}


bool innerPartition::halfway(const linkGroup& g)
{
    return g.type == bounceBack::name && g.distance.empty();
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
        const bool wall = halfway(g);
        for (std::size_t l = 0; l < g.size(); ++l)
        {
                    // Across a wall without thickness there is a node
            if (!wall || d.isFluid(d.neighbour(g.node[l], c[g.direction[l]])))
            {
                inner[g.node[l]] = 0;
            }
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
    where(d.size),
    inner(where.nPlaces(), 0),
    node(where.nPlaces(), 0)
{
    // Tiles know a column by twice its distance in a plane (tileMarch.H)
    if
    (
        where.nPlaces() > std::int64_t(UINT32_MAX)
     || where.plane > std::int64_t(1) << 29
    )
    {
        throw error
        (
            std::to_string(where.nPlaces()) + " places, " + std::to_string
            (
                where.plane
            )
          + " of them in a plane, are more than the 4294967295 and 536870912 that"
            " moments can have"
        );
    }
    const std::vector<std::array<int, 3>> c(directions(lattice));
    std::vector<std::uint8_t> inBox = innerNodes(d, c);
    setWalls(d, inBox);

    boundary = d;
    for (std::size_t n = 0; n < inBox.size(); ++n)
    {
        if (d.isFluid(n))
        {
            node[where.place(n)] = 1;
        }
        if (inBox[n])
        {
            places.push_back(where.place(n));
            inner[places.back()] = inBox[n];
            boundary.fluid[n] = 0;
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
    for (linkGroup& g : boundary.groups)
    {
        std::size_t n = 0;
        for (std::size_t l = 0; halfway(g) && l < g.size(); ++l)
        {
            if (!inBox[g.node[l]])
            {
                g.node[n] = g.node[l];
                g.direction[n++] = g.direction[l];
            }
        }
        if (halfway(g))
        {
            g.node.resize(n);
            g.direction.resize(n);
        }
    }
    setLinks(inBox, c);
    setRuns(d, inBox);
}


void innerPartition::setWalls
(
    const latticeDescription& d,
    std::vector<std::uint8_t>& inBox
)
{
    // Links of all nodes beside such walls
    std::map<std::int64_t, std::uint32_t> links;
    for (const linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; halfway(g) && l < g.size(); ++l)
        {
            if (inBox[g.node[l]])
            {
                links[g.node[l]] |= 1u << g.direction[l];
            }
        }
    }

    // A number is a byte: nodes with others keep populations
    std::map<std::uint32_t, std::uint8_t> numbers;
    for (const auto& node : links)
    {
        const auto found = numbers.find(node.second);
        if (found != numbers.end())
        {
            inBox[node.first] = found->second;
        }
        else if (wallLinks.size() <= UINT8_MAX)
        {
            numbers[node.second] = inBox[node.first] = wallLinks.size();
            wallLinks.push_back(node.second);
        }
        else
        {
            inBox[node.first] = 0;
        }
    }

    groups.resize(d.groups.size());
    for (std::size_t groupi = 0; groupi < d.groups.size(); ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        std::map<std::int64_t, std::uint32_t> own;
        for (std::size_t l = 0; halfway(g) && l < g.size(); ++l)
        {
            if (inBox[g.node[l]])
            {
                own[g.node[l]] |= 1u << g.direction[l];
            }
        }
        for (const auto& node : own)
        {
            groups[groupi].place.push_back(where.place(node.first));
            groups[groupi].links.push_back(node.second);
        }
    }
}


void innerPartition::setLinks
(
    const std::vector<std::uint8_t>& inBox,
    const std::vector<std::array<int, 3>>& c
)
{
    // By the node that sends, and its direction
    struct link
    {
        std::int64_t from;
        int i;
        std::int64_t to;

        bool operator<(const link& b) const
        {
            return std::tie(from, i) < std::tie(b.from, b.i);
        }
    };
    std::vector<link> links;
    std::int64_t number = 0;
    for (std::size_t node = 0; node < inBox.size(); ++node)
    {
        if (!boundary.isFluid(node))
        {
            continue;
        }
        bool any = false;
        for (std::size_t i = 1; i < c.size(); ++i)
        {
            const std::int64_t m = boundary.neighbour(node, c[i]);
            if (m >= 0 && inBox[m])
            {
                links.push_back({m, opposite(int(i)), std::int64_t(node)});
                any = true;
            }
        }
        if (any)
        {
            beside.push_back(number);
            besidePlaces.push_back(where.place(node));
        }
        ++number;
    }
    std::sort(links.begin(), links.end());

    haloLinks halo;
    halo.peer = 1;
    for (const link& l : links)
    {
        const std::uint32_t from = where.place(l.from);
        if (sending.empty() || sending.back() != from)
        {
            sending.push_back(from);
            firstLink.push_back(halo.node.size());
            mark.push_back(0);
        }
        mark.back() |= 1u << l.i;
        halo.node.push_back(l.to);
        halo.direction.push_back(opposite(l.i));
    }
    boundary.halos.push_back(std::move(halo));
}


void innerPartition::setRuns
(
    const latticeDescription& d,
    const std::vector<std::uint8_t>& inBox
)
{
    std::int64_t whole = 0;
    std::array<std::int64_t, 2> own{0, 0};
    int last = -1;
    for (std::size_t node = 0; node < inBox.size(); ++node)
    {
        if (!d.isFluid(node))
        {
            continue;
        }
        const int part = inBox[node] > 0;
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


std::int64_t innerPartition::chunk(std::int64_t nInner)
{
    return std::min<std::int64_t>(nInner, 1 << 17);
}


memoryUse innerPartition::memory
(
    const momentPlaces& where,
    std::int64_t nInner,
    int bytes
)
{
    memoryUse result;
    result.buffers =
        chunk(nInner)*(D3Q19::q*sizeof(double) + sizeof(std::uint32_t));
    result.populations =
        2*std::int64_t(nMoments)*bytes*where.nPlaces();
    result.flags = where.nPlaces();
    return result;
}

} // End namespace lbm
