#include "partition.H"
#include "engine.H"
#include "engine/heldLinks.H"
#include "parallel.H"

#include <algorithm>
#include <map>
#include <numeric>

namespace lbm
{

namespace
{

//- What a node beside a cut across each axis costs, in nodes
constexpr double cutCost[3] = {16, 2, 1};


//- Fluid nodes in each plane across an axis
std::vector<std::int64_t> profile(const latticeDescription& d, int axis)
{
    const std::int64_t nx = d.size[0], ny = d.size[1];
    std::vector<std::int64_t> result(d.size[axis], 0);
    for (std::int64_t row = 0; row < ny*d.size[2]; ++row)
    {
        const std::uint8_t* const fluid = d.fluid.data() + row*nx;
        if (axis == 0)
        {
            for (std::int64_t i = 0; i < nx; ++i)
            {
                result[i] += fluid[i] != 0;
            }
        }
        else
        {
            result[axis == 1 ? row % ny : row/ny] +=
                nx - std::count(fluid, fluid + nx, std::uint8_t(0));
        }
    }
    return result;
}


//- Planes at which parts with about as many nodes begin, and one beyond the
//  last; empty if there are fewer planes with nodes than parts
std::vector<std::int64_t> balancedCuts
(
    const std::vector<std::int64_t>& nodes,
    int nParts
)
{
    // Nodes, and planes with nodes, before each plane
    const std::int64_t n = nodes.size();
    std::vector<std::int64_t> before(n + 1, 0), filled(n + 1, 0);
    for (std::int64_t i = 0; i < n; ++i)
    {
        before[i + 1] = before[i] + nodes[i];
        filled[i + 1] = filled[i] + (nodes[i] > 0);
    }
    if (filled[n] < nParts)
    {
        return {};
    }

    std::vector<std::int64_t> cuts{0};
    for (int p = 1; p < nParts; ++p)
    {
        std::int64_t best = -1;
        double least = 0;
        for (std::int64_t i = cuts.back() + 1; i < n; ++i)
        {
            if
            (
                filled[i] == filled[cuts.back()]
             || filled[n] - filled[i] < nParts - p
            )
            {
                continue;
            }
            const double off =
                std::abs(double(before[i]) - double(before[n])*p/nParts);
            if (best < 0 || off < least)
            {
                best = i;
                least = off;
            }
        }
        cuts.push_back(best);
    }
    cuts.push_back(n);
    return cuts;
}


//- Nodes of the part that costs most
double cost
(
    const std::vector<std::int64_t>& nodes,
    const std::vector<std::int64_t>& cuts,
    int axis
)
{
    double most = 0;
    for (std::size_t p = 0; p + 1 < cuts.size(); ++p)
    {
        const std::int64_t begin = cuts[p], end = cuts[p + 1];
        double own = std::accumulate
        (
            nodes.begin() + begin, nodes.begin() + end, std::int64_t(0)
        );
        own += p > 0 ? cutCost[axis]*nodes[begin] : 0;
        own += p + 2 < cuts.size() ? cutCost[axis]*nodes[end - 1] : 0;
        most = std::max(most, own);
    }
    return most;
}


//- A link, for comparison with others
std::uint64_t linkKey(std::int64_t node, int direction)
{
    return 32*std::uint64_t(node) + direction;
}

} // End anonymous namespace


partition::partition
(
    const latticeDescription& d,
    const std::string& lattice,
    int nParts,
    int axisOfCuts
)
:
    d_(d),
    lattice_(lattice),
    c_(directions(lattice))
{
    std::vector<std::int64_t> best;
    double least = 0;
    for (int a = nDimensions(lattice) - 1; a >= 0; --a)
    {
        if (axisOfCuts >= 0 && a != axisOfCuts)
        {
            continue;
        }
        const std::vector<std::int64_t> nodes(profile(d, a));
        const std::vector<std::int64_t> cuts(balancedCuts(nodes, nParts));
        const double own = cost(nodes, cuts, a);
        if (!cuts.empty() && (best.empty() || own < least))
        {
            axis = a;
            best = cuts;
            least = own;
        }
    }
    if (best.empty())
    {
        throw error
        (
            "the lattice cannot be cut into " + std::to_string(nParts)
          + " slabs: along no axis has it as many planes with fluid nodes"
        );
    }
    makeSlabs(best);
    make();
}


partition::partition
(
    const latticeDescription& d,
    const std::string& lattice,
    int nParts,
    std::vector<int> owner
)
:
    d_(d),
    lattice_(lattice),
    c_(directions(lattice)),
    owner_(std::move(owner))
{
    const auto outside = std::find_if
    (
        owner_.begin(),
        owner_.end(),
        [=](int p) { return p < 0 || p >= nParts; }
    );
    if (owner_.size() != d.fluid.size() || outside != owner_.end())
    {
        throw error
        (
            "each node of the lattice needs one of "
          + std::to_string(nParts) + " parts"
        );
    }
    parts.resize(nParts);
    makeBoxes();
    make();
}


std::int64_t partition::local
(
    const part& p,
    const std::array<std::int64_t, 3>& x
)
{
    const latticeDescription& d = p.description;
    return d.boxIndex
    (
        x[0] - d.origin[0], x[1] - d.origin[1], x[2] - d.origin[2]
    );
}


void partition::makeSlabs(const std::vector<std::int64_t>& cuts)
{
    const int nParts = cuts.size() - 1;
    parts.resize(nParts);
    partAt_.resize(d_.size[axis]);
    for (int p = 0; p < nParts; ++p)
    {
        parts[p].end = d_.size;
        parts[p].begin[axis] = cuts[p];
        parts[p].end[axis] = cuts[p + 1];
        std::fill
        (
            partAt_.begin() + cuts[p], partAt_.begin() + cuts[p + 1], p
        );
    }
}


void partition::makeBoxes()
{
    for (part& p : parts)
    {
        p.begin = d_.size;
    }
    for (std::size_t node = 0; node < d_.fluid.size(); ++node)
    {
        if (d_.fluid[node])
        {
            part& p = parts[owner(node)];
            const std::array<std::int64_t, 3> x = coordinates(node);
            for (int a = 0; a < 3; ++a)
            {
                p.begin[a] = std::min(p.begin[a], x[a]);
                p.end[a] = std::max(p.end[a], x[a] + 1);
            }
        }
    }

    // There is no box without nodes
    for (part& p : parts)
    {
        if (p.end[0] == 0)
        {
            p.begin = {0, 0, 0};
            p.end = {1, 1, 1};
        }
    }
}


void partition::make()
{
    addRemoteNodes();
    addFluid();
    addLinks();
    addScalars();
    addHalos();
    addRuns();
}


void partition::addRemoteNodes()
{
    // Nodes with ghost nodes whose neighbours may belong to another part
    std::vector<std::int64_t> nodes;
    for (const linkGroup& g : d_.groups)
    {
        if (hasGhostNodes(g.type))
        {
            nodes.insert(nodes.end(), g.node.begin(), g.node.end());
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());

    const auto isOne = [&](std::int64_t node)
    {
        return std::binary_search(nodes.begin(), nodes.end(), node);
    };

    // What images of scalars read
    std::vector<std::pair<std::int64_t, std::int64_t>> read;
    for (const scalarDescription& s : d_.scalars)
    {
        for (const scalarGroup& g : s.groups)
        {
            for (std::size_t l = 0; l < g.image.size(); ++l)
            {
                for (const std::int64_t node : g.image[l].node)
                {
                    if (owner(node) != owner(g.node[l]))
                    {
                        read.emplace_back(g.node[l], node);
                    }
                }
            }
        }
    }

    // Their links, which lead nowhere or, if cyclic, to a partner
    std::vector<std::uint64_t> linked;

    // Of each part: coordinates of the place, and the node that is there
    std::vector<std::map<std::array<std::int64_t, 3>, std::int64_t>>
        remote(parts.size());
    const auto addAt =
    [&](int part, const std::array<std::int64_t, 3>& x, std::int64_t other)
    {
        const auto entry = remote[part].emplace(x, other);
        if (entry.first->second != other)
        {
            throw error
            (
                "cyclic links over a cut between parts of the lattice lead"
                " from one place to two nodes"
            );
        }
    };
    const auto add = [&](std::int64_t node, int i, std::int64_t other)
    {
        std::array<std::int64_t, 3> x = coordinates(node);
        for (int a = 0; a < 3; ++a)
        {
            x[a] += c_[i][a];
        }
        addAt(owner(node), x, other);
    };
    for (const auto& pair : read)
    {
        addAt(owner(pair.first), coordinates(pair.second), pair.second);
    }

    for (const linkGroup& g : d_.groups)
    {
        for (std::size_t l = 0; !nodes.empty() && l < g.size(); ++l)
        {
            if (!isOne(g.node[l]))
            {
                continue;
            }
            linked.push_back(linkKey(g.node[l], g.direction[l]));
            if (!g.partner.empty() && owner(g.partner[l]) != owner(g.node[l]))
            {
                add(g.node[l], g.direction[l], g.partner[l]);
            }
        }
    }
    std::sort(linked.begin(), linked.end());

    for (const std::int64_t node : nodes)
    {
        for (std::size_t i = 1; i < c_.size(); ++i)
        {
            const std::int64_t m = d_.neighbour(node, c_[i]);
            if
            (
                d_.isFluid(m) && owner(m) != owner(node)
             && !std::binary_search
                (
                    linked.begin(), linked.end(), linkKey(node, i)
                )
            )
            {
                add(node, i, m);
            }
        }
    }

    // Boxes hold them
    for (std::size_t p = 0; p < parts.size(); ++p)
    {
        std::array<std::int64_t, 3> begin = parts[p].begin;
        std::array<std::int64_t, 3> end = parts[p].end;
        for (const auto& entry : remote[p])
        {
            for (int a = 0; a < 3; ++a)
            {
                begin[a] = std::min(begin[a], entry.first[a]);
                end[a] = std::max(end[a], entry.first[a] + 1);
            }
        }
        latticeDescription& d = parts[p].description;
        d.origin = begin;
        d.wholeSize = d_.size;
        for (int a = 0; a < 3; ++a)
        {
            d.size[a] = end[a] - begin[a];
        }
        d.fluid.assign(d.size[0]*d.size[1]*d.size[2], 0);
    }

    const auto listFor = [](std::vector<remoteNodes>& lists, int peer)
    -> std::vector<std::int64_t>&
    {
        for (remoteNodes& r : lists)
        {
            if (r.peer == peer)
            {
                return r.node;
            }
        }
        lists.emplace_back();
        lists.back().peer = peer;
        return lists.back().node;
    };
    for (std::size_t p = 0; p < parts.size(); ++p)
    {
        latticeDescription& d = parts[p].description;
        for (const auto& entry : remote[p])
        {
            const std::int64_t place = local(parts[p], entry.first);
            d.fluid[place] = latticeDescription::remote;

            const int o = owner(entry.second);
            listFor(d.received, o).push_back(place);
            listFor(parts[o].description.sent, p).push_back
            (
                local(parts[o], entry.second)
            );
        }
    }
}


void partition::addFluid()
{
    for (std::size_t node = 0; node < owner_.size(); ++node)
    {
        if (d_.fluid[node])
        {
            part& p = parts[owner(node)];
            p.description.fluid[local(p, node)] = d_.fluid[node];
        }
    }
    if (!owner_.empty())
    {
        return;
    }
    for (part& p : parts)
    {
        const std::int64_t nx = p.end[0] - p.begin[0];
        const std::int64_t ny = p.end[1] - p.begin[1];
        const auto rows = [&](std::int64_t first, std::int64_t last)
        {
            for (; first < last; ++first)
            {
                const std::array<std::int64_t, 3> x
                {
                    p.begin[0], p.begin[1] + first % ny, p.begin[2] + first/ny
                };
                std::copy_n
                (
                    d_.fluid.begin() + d_.boxIndex(x[0], x[1], x[2]),
                    nx,
                    p.description.fluid.begin() + local(p, x)
                );
            }
        };
        inParallel(ny*(p.end[2] - p.begin[2]), rows, 256);
    }
}


template<class Group, class GroupOf>
partition::part* partition::addLink
(
    const Group& g,
    std::size_t link,
    const GroupOf& groupOf
)
{
    part& p = parts[owner(g.node[link])];
    if (!g.partner.empty() && &parts[owner(g.partner[link])] != &p)
    {
        return nullptr;
    }
    Group& own = groupOf(p);
    own.node.push_back(local(p, g.node[link]));
    own.direction.push_back(g.direction[link]);
    if (!g.partner.empty())
    {
        own.partner.push_back(local(p, g.partner[link]));
    }
    if (!g.face.empty())
    {
        own.face.push_back(g.face[link]);
    }
    if (!g.distance.empty())
    {
        own.distance.push_back(g.distance[link]);
    }
    return &p;
}


void partition::addLinks()
{
    const auto groupOf = [](part& p) -> linkGroup&
    {
        return p.description.groups.back();
    };
    const auto held = heldLinks(d_, lattice_);
    for (std::size_t groupi = 0; groupi < d_.groups.size(); ++groupi)
    {
        const linkGroup& g = d_.groups[groupi];
        for (part& p : parts)
        {
            linkGroup own;
            own.name = g.name;
            own.type = g.type;
            own.varies = g.varies;
            p.description.groups.push_back(std::move(own));
        }
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            part* const p = addLink(g, l, groupOf);
            if (!p)
            {
                continue;
            }
            if (!g.normal.empty())
            {
                groupOf(*p).normal.push_back(g.normal[l]);
            }
            if (!held[groupi].empty())
            {
                groupOf(*p).held.push_back(held[groupi][l]);
            }
            ++p->nLinks;
        }
    }
}


void partition::addScalars()
{
    const auto groupOf = [](part& p) -> scalarGroup&
    {
        return p.description.scalars.back().groups.back();
    };
    for (const scalarDescription& s : d_.scalars)
    {
        for (part& p : parts)
        {
            p.description.scalars.emplace_back();
            p.description.scalars.back().acts = s.acts;
        }
        for (const scalarGroup& g : s.groups)
        {
            for (part& p : parts)
            {
                scalarGroup own;
                own.name = g.name;
                own.type = g.type;
                own.throughFlow = g.throughFlow;
                p.description.scalars.back().groups.push_back(std::move(own));
            }
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                part* const p = addLink(g, l, groupOf);
                if (!p)
                {
                    continue;
                }
                if (!g.factor.empty())
                {
                    groupOf(*p).factor.push_back(g.factor[l]);
                }
                if (!g.image.empty())
                {
                    scalarImage image(g.image[l]);
                    for (std::int64_t& node : image.node)
                    {
                        node = local(*p, node);
                    }
                    groupOf(*p).image.push_back(std::move(image));
                }
            }
        }
    }
}


void partition::addHalos()
{
    struct link
    {
        //- The same on both sides, and different for all links
        std::uint64_t key;

        std::int64_t node;
        std::uint8_t direction;

        bool operator<(const link& b) const
        {
            return key < b.key;
        }
    };

    const int nParts = parts.size();
    std::vector<std::vector<link>> links(nParts*nParts);

    // In the order of the node on the side from which the link leaves in an odd
    // direction, pair by pair: neighbours in memory are packed together
    const auto add = [&](std::int64_t node, int i, std::int64_t other)
    {
        const std::uint64_t pair = (i - 1)/2;
        const std::int64_t odd = i % 2 ? node : other;
        links[owner(node)*nParts + owner(other)].push_back
        ({
            pair*d_.fluid.size() + odd, node, std::uint8_t(i)
        });
    };

    // Links across walls without thickness are no halo
    std::vector<std::uint64_t> walls;
    for (const linkGroup& g : d_.groups)
    {
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const int i = g.direction[l];
            if (g.partner.empty())
            {
                const std::int64_t m = d_.neighbour(g.node[l], c_[i]);
                if (d_.isFluid(m) && owner(m) != owner(g.node[l]))
                {
                    walls.push_back(linkKey(g.node[l], i));
                }
            }
            else if (owner(g.partner[l]) != owner(g.node[l]))
            {
                add(g.node[l], i, g.partner[l]);
            }
        }
    }
    std::sort(walls.begin(), walls.end());

    // Those of a node over a cut
    const auto addOf = [&](std::int64_t node)
    {
        for (std::size_t i = 1; d_.fluid[node] && i < c_.size(); ++i)
        {
            const std::int64_t m = d_.neighbour(node, c_[i]);
            if
            (
                d_.isFluid(m) && owner(m) != owner(node)
             && !std::binary_search
                (
                    walls.begin(), walls.end(), linkKey(node, i)
                )
            )
            {
                add(node, i, m);
            }
        }
    };
    for (std::size_t node = 0; node < owner_.size(); ++node)
    {
        addOf(node);
    }
    for (int p = 0; owner_.empty() && p < nParts; ++p)
    {
        std::vector<std::int64_t> planes{parts[p].begin[axis]};
        if (parts[p].end[axis] - 1 > planes[0])
        {
            planes.push_back(parts[p].end[axis] - 1);
        }
        for (const std::int64_t plane : planes)
        {
            std::array<std::int64_t, 3> b = parts[p].begin, e = parts[p].end;
            b[axis] = plane;
            e[axis] = plane + 1;
            std::array<std::int64_t, 3> x;
            for (x[2] = b[2]; x[2] < e[2]; ++x[2])
            for (x[1] = b[1]; x[1] < e[1]; ++x[1])
            for (x[0] = b[0]; x[0] < e[0]; ++x[0])
            {
                addOf(d_.boxIndex(x[0], x[1], x[2]));
            }
        }
    }

    for (int p = 0; p < nParts; ++p)
    {
        for (int o = 0; o < nParts; ++o)
        {
            std::vector<link>& own = links[p*nParts + o];
            std::sort(own.begin(), own.end());
            if (own.empty())
            {
                continue;
            }
            haloLinks h;
            h.peer = o;
            for (const link& l : own)
            {
                h.node.push_back(local(parts[p], l.node));
                h.direction.push_back(l.direction);
            }
            parts[p].nHaloLinks += own.size();
            parts[p].description.halos.push_back(std::move(h));
        }
    }

    for (int p = 0; p < nParts; ++p)
    {
        for (int o = p + 1; o < nParts; ++o)
        {
            const std::vector<link>& a = links[p*nParts + o];
            const std::vector<link>& b = links[o*nParts + p];
            const bool same = std::equal
            (
                a.begin(),
                a.end(),
                b.begin(),
                b.end(),
                [](const link& x, const link& y)
                {
                    return
                        x.key == y.key
                     && (x.direction - 1)/2 == (y.direction - 1)/2
                     && x.direction != y.direction;
                }
            );
            if (!same)
            {
                throw error
                (
                    "the lattice cannot be cut between its parts "
                  + std::to_string(p) + " and " + std::to_string(o)
                  + ": not every link there has one back"
                );
            }
        }
    }
}


void partition::addRuns()
{
    const auto append = [](part& p, std::int64_t whole, std::int64_t n)
    {
        if
        (
            !p.runs.empty()
         && p.runs.back().whole + p.runs.back().count == whole
        )
        {
            p.runs.back().count += n;
        }
        else
        {
            p.runs.push_back({whole, p.nFluid, n});
        }
        p.nFluid += n;
    };

    std::int64_t nBefore = 0;
    for (std::size_t node = 0; node < owner_.size(); ++node)
    {
        if (d_.fluid[node])
        {
            append(parts[owner(node)], nBefore++, 1);
        }
    }
    if (!owner_.empty())
    {
        return;
    }

    // Fluid nodes before each row
    const std::int64_t nx = d_.size[0], nRows = d_.size[1]*d_.size[2];
    std::vector<std::int64_t> before(nRows + 1, 0);
    const auto inRow = [&](std::int64_t row, std::int64_t b, std::int64_t e)
    {
        const std::uint8_t* const fluid = d_.fluid.data() + row*nx;
        return e - b - std::count(fluid + b, fluid + e, std::uint8_t(0));
    };
    inParallel
    (
        nRows,
        [&](std::int64_t row, std::int64_t last)
        {
            for (; row < last; ++row)
            {
                before[row + 1] = inRow(row, 0, nx);
            }
        },
        256
    );
    std::partial_sum(before.begin(), before.end(), before.begin());

    for (part& p : parts)
    {
        for (std::int64_t k = p.begin[2]; k < p.end[2]; ++k)
        {
            for (std::int64_t j = p.begin[1]; j < p.end[1]; ++j)
            {
                const std::int64_t row = j + d_.size[1]*k;
                const std::int64_t n = inRow(row, p.begin[0], p.end[0]);
                const std::int64_t whole =
                    before[row] + inRow(row, 0, p.begin[0]);
                if (n == 0)
                {
                    continue;
                }
                append(p, whole, n);
            }
        }
    }
}

} // End namespace lbm
