#include "scalarLattice.H"

#include <set>

namespace lbm
{

scalarLink scalarLinkOf(const scalarGroup& g)
{
    const std::vector<std::pair<std::string, scalarLink>> kinds
    {
        {"value", scalarLink::value},
        {"mixed", scalarLink::mixed},
        {"flux", scalarLink::flux},
        {"transfer", scalarLink::transfer},
        {"cyclic", scalarLink::cyclic}
    };
    std::string valid;
    for (const auto& kind : kinds)
    {
        if (kind.first == g.type)
        {
            return kind.second;
        }
        valid += " " + kind.first;
    }
    throw error
    (
        "unknown kind of scalar group '" + g.type + "', valid ones are:" + valid
    );
}


int valuesPerFace(scalarLink kind)
{
    return
        kind == scalarLink::cyclic ? 0
      : kind == scalarLink::mixed || kind == scalarLink::transfer ? 3
      : 1;
}


bool hasDistance(scalarLink kind)
{
    return kind == scalarLink::value || kind == scalarLink::mixed;
}


bool linksReadNode(const scalarGroup& g)
{
    const scalarLink kind = scalarLinkOf(g);
    return
        g.throughFlow
     || kind == scalarLink::transfer
     || (kind == scalarLink::flux && !g.image.empty());
}


//- Throws if an entry of a group has not as many values as there are links, or
//  is there without need
static void checkSizes(const scalarGroup& g)
{
    const scalarLink kind = scalarLinkOf(g);
    const bool cyclic = kind == scalarLink::cyclic;
    const auto check = [&](const char* what, std::size_t n, bool needed)
    {
        if (n != (needed ? g.size() : 0))
        {
            throw error
            (
                "scalar group '" + g.name + "' of kind " + g.type + " has "
              + std::to_string(g.size()) + " links and " + std::to_string(n)
              + " of " + what
            );
        }
    };
    check("direction", g.direction.size(), true);
    check("partner", g.partner.size(), cyclic);
    check("face", g.face.size(), !cyclic);
    const bool flux = kind == scalarLink::flux;
    check
    (
        "image",
        g.image.size(),
        kind == scalarLink::mixed || kind == scalarLink::transfer
     || (flux && !g.image.empty())
    );
    check
    (
        "factor",
        g.factor.size(),
        kind == scalarLink::mixed || flux || kind == scalarLink::transfer
    );
    check
    (
        "distance", g.distance.size(), !g.distance.empty() && hasDistance(kind)
    );
    if (g.throughFlow && !hasDistance(kind))
    {
        throw error
        (
            "scalar group '" + g.name + "' of kind " + g.type + " has a"
            " through-flow"
        );
    }
    for (const scalarImage& image : g.image)
    {
        if (image.node.size() != image.weight.size())
        {
            throw error
            (
                "scalar group '" + g.name + "': an image has "
              + std::to_string(image.node.size()) + " nodes and "
              + std::to_string(image.weight.size()) + " weights"
            );
        }
    }
}


bool facesAnother
(
    const latticeDescription& d,
    std::int64_t node,
    int direction,
    int nDimensions
)
{
    // Axes come first in all of them
    static const auto two = directions("D2Q9"), three = directions("D3Q19");
    const auto& c = nDimensions == 2 ? two : three;
    return d.isFluid(d.neighbour(node, c[direction]));
}


void checkScalar
(
    const scalarDescription& s,
    const latticeDescription& d,
    int nDimensions
)
{
    const auto c = directions(nDimensions == 2 ? "D2Q9" : "D3Q19");
    const auto text = [](std::int64_t node, int i)
    {
        return
            "node " + std::to_string(node) + " in direction "
          + std::to_string(i);
    };

    // Of a part of a lattice: what goes to other parts
    std::vector<std::pair<std::int64_t, int>> cut;
    for (const haloLinks& h : d.halos)
    {
        for (std::size_t l = 0; l < h.node.size(); ++l)
        {
            if (h.direction[l] <= 2*nDimensions)
            {
                cut.emplace_back(h.node[l], h.direction[l]);
            }
        }
    }
    std::sort(cut.begin(), cut.end());
    const auto isCut = [&](std::int64_t node, int i)
    {
        return
            std::binary_search(cut.begin(), cut.end(), std::make_pair(node, i));
    };

    std::vector<std::pair<std::int64_t, int>> links, cyclics, facing, away;
    std::set<std::string> names;
    for (const scalarGroup& g : s.groups)
    {
        checkSizes(g);
        if (!names.insert(g.name).second)
        {
            throw error("there are two scalar groups '" + g.name + "'");
        }
        const bool cyclic = scalarLinkOf(g) == scalarLink::cyclic;
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const std::int64_t node = g.node[l];
            const int i = g.direction[l];
            const auto fail = [&](const std::string& why)
            {
                throw error
                (
                    "scalar group '" + g.name + "', " + text(node, i) + ": "
                  + why
                );
            };
            if
            (
                node < 0 || node >= std::int64_t(d.fluid.size())
             || !d.isFluid(node)
            )
            {
                fail("the node is not fluid");
            }
            if (i < 1 || i > 2*nDimensions)
            {
                fail("the direction is not along an axis");
            }
            if (cyclic && !d.isFluid(g.partner[l]))
            {
                fail("the partner is not fluid");
            }
            if (!cyclic && facesAnother(d, node, i, nDimensions))
            {
                facing.emplace_back(node, i);
            }
            const bool apart =
                !cyclic && !g.distance.empty() && g.distance[l] != 0.5f;
            if (apart && !(g.distance[l] >= 0 && g.distance[l] <= 1))
            {
                fail("the distance is not between 0 and 1");
            }
            if (apart)
            {
                away.emplace_back(node, i);
            }
            (cyclic ? cyclics : links).emplace_back(node, i);
        }
    }

    std::sort(links.begin(), links.end());
    const std::vector<std::pair<std::int64_t, int>> closed(links);
    links.insert(links.end(), cyclics.begin(), cyclics.end());
    std::sort(links.begin(), links.end());
    const auto twice = std::adjacent_find(links.begin(), links.end());
    if (twice != links.end())
    {
        throw error
        (
            text(twice->first, twice->second) + " is in two scalar groups"
        );
    }
    const auto isLink = [&](std::int64_t node, int i)
    {
        return
            std::binary_search
            (
                links.begin(), links.end(), std::make_pair(node, i)
            );
    };
    for (const auto& [node, i] : facing)
    {
        if (!isLink(d.neighbour(node, c[i]), opposite(i)))
        {
            throw error
            (
                text(node, i) + " leads to a fluid node that has no link back"
            );
        }
    }
    for (const auto& [node, i] : away)
    {
        if
        (
            std::binary_search
            (
                closed.begin(), closed.end(), std::make_pair(node, opposite(i))
            )
        )
        {
            throw error
            (
                text(node, i) + ": the distance is to be 1/2 without a node"
                " behind"
            );
        }
    }
    for (const linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; g.partner.empty() && l < g.size(); ++l)
        {
            if
            (
                g.direction[l] <= 2*nDimensions
             && facesAnother(d, g.node[l], g.direction[l], nDimensions)
             && !isLink(g.node[l], g.direction[l])
            )
            {
                throw error
                (
                    text(g.node[l], g.direction[l]) + " is in no scalar group,"
                    " while a wall is between two nodes there"
                );
            }
        }
    }
    for (std::int64_t node = 0; node < std::int64_t(d.fluid.size()); ++node)
    {
        for (int i = 1; d.isFluid(node) && i <= 2*nDimensions; ++i)
        {
            if
            (
                !d.isFluid(d.neighbour(node, c[i]))
             && !isCut(node, i)
             && !isLink(node, i)
            )
            {
                throw error(text(node, i) + " is in no scalar group");
            }
        }
    }
}


std::int64_t scalarBytes
(
    const scalarDescription& s,
    const nodeLayout& layout,
    int nDimensions,
    int arithmeticBytes
)
{
    const int q = 2*nDimensions + 1;
    std::int64_t result = (q + 1)*arithmeticBytes*layout.nPlaces;
    for (const scalarGroup& g : s.groups)
    {
        const scalarLink kind = scalarLinkOf(g);
        const bool partner =
            kind == scalarLink::cyclic
         || (hasDistance(kind) && !g.distance.empty());
        result += g.size()
           *(
                5
              + (partner ? 4 : 0)
              + (linksReadNode(g) ? 4 : 0)
              + (g.throughFlow ? arithmeticBytes : 0)
              + (kind == scalarLink::cyclic ? 0 : 2*arithmeticBytes)
              + (g.image.empty() ? 0 : 4)
              + (valuesPerFace(kind) == 3 ? arithmeticBytes : 0)
              + (kind == scalarLink::transfer ? 12 : 0)
            );
        for (const scalarImage& image : g.image)
        {
            result += image.node.size()*(4 + arithmeticBytes);
        }
    }
    return result;
}

} // End namespace lbm
