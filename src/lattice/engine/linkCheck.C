#include "linkCheck.H"
#include "choices.H"

#include <algorithm>

namespace lbm
{

namespace
{

//- Whether the links of a description are what the engine needs
class linkCheck
{
    const engineSettings& settings_;
    const latticeDescription& d_;
    const std::vector<std::array<int, 3>> c_;
    const std::int64_t nBox_;

    //- Links as 32 node + direction, sorted; of local kinds and of cyclic ones
    std::vector<std::uint64_t> local_, cyclic_;

    static std::uint64_t key(std::int64_t node, int direction)
    {
        return 32*std::uint64_t(node) + direction;
    }

    //- Add those of a group, which mostly come in order
    static void add(const linkGroup& g, std::vector<std::uint64_t>& keys)
    {
        const auto nBefore = keys.size();
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            keys.push_back(key(g.node[l], g.direction[l]));
        }
        const auto begin = keys.begin() + nBefore;
        if (!std::is_sorted(begin, keys.end()))
        {
            std::sort(begin, keys.end());
        }
        std::inplace_merge(keys.begin(), begin, keys.end());
    }

    static bool found(const std::vector<std::uint64_t>& keys, std::uint64_t k)
    {
        return std::binary_search(keys.begin(), keys.end(), k);
    }

    bool isFluid(std::int64_t node) const
    {
        return node < nBox_ && d_.isFluid(node);
    }

    [[noreturn]] void fail
    (
        const linkGroup& g,
        std::size_t l,
        const std::string& what
    ) const
    {
        std::string place;
        std::int64_t rest = g.node[l];
        for (int a = 0; a < 3; ++a)
        {
            place += (a ? " " : "") + std::to_string(rest % d_.size[a]);
            rest /= d_.size[a];
        }
        throw error
        (
            "link group '" + g.name + "', link " + std::to_string(l)
          + " of node (" + place + ") in direction "
          + std::to_string(g.direction[l]) + ": " + what
        );
    }

    void checkSizes(const linkGroup& g) const
    {
        const std::size_t kind = indexOf<links>("kind of link group", g.type);
        mp::mp_with_index<mp::mp_size<links>>(kind, [&](auto k)
        {
            using Link = mp::mp_at<links, decltype(k)>;
            const std::size_t n = g.size();
            if
            (
                g.direction.size() != n
             || (!Link::local && g.partner.size() != n)
             || (Link::nValues && g.face.size() != n)
             || (Link::ghost && g.normal.size() != n)
             || !(g.held.empty() || (Link::ghost && g.held.size() == n))
             || !(g.distance.empty() || (Link::local && g.distance.size() == n))
            )
            {
                throw error
                (
                    "link group '" + g.name + "' has lists of unequal size"
                );
            }
        });

        for (std::size_t l = 0; l < g.size(); ++l)
        {
            if
            (
                !isFluid(g.node[l])
             || g.direction[l] == 0 || g.direction[l] >= c_.size()
             || (!g.partner.empty() && !isFluid(g.partner[l]))
            )
            {
                throw error
                (
                    "link " + std::to_string(l) + " of group '" + g.name
                  + "' does not join fluid nodes in a direction of "
                  + settings_.lattice
                );
            }
        }
    }

    void checkLink(const linkGroup& g, std::size_t l) const
    {
        const int i = g.direction[l];

        if (!g.distance.empty())
        {
            const float q = g.distance[l];
            if (!(q >= 0 && q <= 1))
            {
                fail(g, l, "distance " + std::to_string(q) + " is not in [0, 1]");
            }
            if (q != 0.5f && found(local_, key(g.node[l], opposite(i))))
            {
                fail
                (
                    g,
                    l,
                    "has no node behind it, so that its distance must be 1/2"
                );
            }
        }

        const std::int64_t m = d_.neighbour(g.node[l], c_[i]);
        if (!d_.isFluid(m))
        {
            return;
        }
        if (!g.partner.empty() || !found(local_, key(m, opposite(i))))
        {
            fail
            (
                g,
                l,
                "its neighbour is fluid; a boundary between two fluid nodes"
                " must have local links on both sides"
            );
        }
    }

    //- Links to other parts
    void checkHalo(const haloLinks& h) const
    {
        bool good = h.direction.size() == h.node.size();
        for (std::size_t l = 0; good && l < h.node.size(); ++l)
        {
            const int i = h.direction[l];
            good =
                isFluid(h.node[l]) && i > 0 && std::size_t(i) < c_.size()
             && !d_.isFluid(d_.neighbour(h.node[l], c_[i]));
        }
        if (!good)
        {
            throw error
            (
                "links to part " + std::to_string(h.peer)
              + " of the lattice do not lead from fluid nodes to others"
            );
        }
    }

    //- Nodes that are sent, or received
    void checkRemote(const remoteNodes& r, std::uint8_t flag) const
    {
        for (const std::int64_t node : r.node)
        {
            if (node < 0 || node >= nBox_ || d_.fluid[node] != flag)
            {
                throw error
                (
                    "nodes for part " + std::to_string(r.peer)
                  + " of the lattice are not what they should be: node "
                  + std::to_string(node)
                );
            }
        }
    }

public:

    linkCheck(const engineSettings& s, const latticeDescription& d)
    :
        settings_(s),
        d_(d),
        c_(directions(s.lattice)),
        nBox_(d.size[0]*d.size[1]*d.size[2])
    {}

    void run()
    {
        for (const linkGroup& g : d_.groups)
        {
            checkSizes(g);
            add(g, g.partner.empty() ? local_ : cyclic_);
        }
        for (const haloLinks& h : d_.halos)
        {
            checkHalo(h);
            linkGroup links;
            links.node = h.node;
            links.direction = h.direction;
            add(links, cyclic_);
        }
        for (const remoteNodes& r : d_.sent)
        {
            checkRemote(r, 1);
        }
        for (const remoteNodes& r : d_.received)
        {
            checkRemote(r, latticeDescription::remote);
        }

        std::vector<std::uint64_t> all(local_.size() + cyclic_.size());
        std::merge
        (
            local_.begin(), local_.end(), cyclic_.begin(), cyclic_.end(),
            all.begin()
        );
        const auto twice = std::adjacent_find(all.begin(), all.end());
        if (twice != all.end())
        {
            throw error
            (
                "node " + std::to_string(*twice/32) + " has two links in"
                " direction " + std::to_string(*twice % 32)
            );
        }
        all = std::vector<std::uint64_t>();

        for (const linkGroup& g : d_.groups)
        {
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                checkLink(g, l);
            }
        }
    }
};

} // End anonymous namespace


void checkLinks(const engineSettings& s, const latticeDescription& d)
{
    linkCheck(s, d).run();
}

} // End namespace lbm
