#include "enginePlan.H"
#include "heldLinks.H"
#include "choices.H"

#include <algorithm>
#include <cmath>

namespace lbm
{

namespace
{

//- Sort values and keep each once
template<class T>
void sortOnce(std::vector<T>& values)
{
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

//- Is one of the values, sorted
template<class T>
bool contains(const std::vector<T>& values, const T& value)
{
    return std::binary_search(values.begin(), values.end(), value);
}

struct mirrorTraits
{
    bool mirrors = false, drags = false;
};

//- Do ghost nodes of a group mirror the flow, and do its links carry friction
mirrorTraits mirrorTraitsOf(const linkGroup& g)
{
    mirrorTraits result;
    withNamed<links>("kind of link group", g.type, [&](auto kind)
    {
        using Link = typename decltype(kind)::type;
        if constexpr (Link::ghost)
        {
            result = {Link::mirrors, Link::drags};
        }
    });
    return result;
}

//- Has a group specular images: a wall of given friction
bool isSpecular(const linkGroup& g)
{
    return mirrorTraitsOf(g).drags;
}


//- Images of the ghost nodes of links, from the neighbours of their nodes
class imageSearch
{
    using ghostImage = enginePlan::ghostImage;
    using direction = std::array<int, 3>;
    using vector = std::array<double, 3>;

    static constexpr std::int64_t nowhere = -1;

    //- Cosine from which on a wall lies roughly across an axis
    static constexpr double roughly = 0.9;

    const latticeDescription& d_;
    const std::vector<direction>& c_;

    //- Nodes whose links have ghost nodes, sorted
    std::vector<std::int64_t> nodes_;

    //- Where the links of each node lead: over a cyclic boundary to the partner,
    //  over others nowhere
    std::vector<std::int64_t> to_;

    //- Sides of nodes at which a wall of given friction lies across an axis, and
    //  where one does roughly
    std::vector<std::uint8_t> wallSides_, roughSides_;

    //- Image, and the node beside
    struct chosenImage
    {
        imageChoice choice;
        std::int64_t beside;
    };

    static std::uint8_t sideBit(int axis, int sign)
    {
        return std::uint8_t(1u << (2*axis + (sign > 0)));
    }

    static std::uint8_t bothSides(int axis)
    {
        return sideBit(axis, -1) | sideBit(axis, 1);
    }

    std::size_t numberOf(std::int64_t node) const
    {
        return
            std::lower_bound(nodes_.begin(), nodes_.end(), node)
          - nodes_.begin();
    }

    std::int64_t to(std::size_t n, std::size_t i) const
    {
        return to_[n*c_.size() + i];
    }

    //- Do walls lie roughly across an axis on both sides
    bool isGap(std::size_t n, int a) const
    {
        const std::uint8_t both = bothSides(a);
        return (roughSides_[n] & both) == both;
    }

    void setNodes()
    {
        for (const linkGroup& g : d_.groups)
        {
            if (hasGhostNodes(g.type))
            {
                nodes_.insert(nodes_.end(), g.node.begin(), g.node.end());
            }
        }
        sortOnce(nodes_);
    }

    void setNeighbours()
    {
        const std::size_t q = c_.size();
        to_.assign(nodes_.size()*q, nowhere);
        for (std::size_t n = 0; n < nodes_.size(); ++n)
        {
            for (std::size_t i = 1; i < q; ++i)
            {
                const std::int64_t m = d_.neighbour(nodes_[n], c_[i]);
                to_[n*q + i] = m >= 0 && d_.fluid[m] ? m : nowhere;
            }
        }
        for (const linkGroup& g : d_.groups)
        {
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                const std::size_t n = numberOf(g.node[l]);
                if (n < nodes_.size() && nodes_[n] == g.node[l])
                {
                    to_[n*q + g.direction[l]] =
                        g.partner.empty() ? nowhere : g.partner[l];
                }
            }
        }
    }

    //- Call f(group, its link, number of the node) for the links to walls of
    //  given friction
    template<class Function>
    void forWallLinks(const Function& f) const
    {
        for (std::size_t groupi = 0; groupi < d_.groups.size(); ++groupi)
        {
            const linkGroup& g = d_.groups[groupi];
            const std::size_t nLinks = isSpecular(g) ? g.size() : 0;
            for (std::size_t l = 0; l < nLinks; ++l)
            {
                f(groupi, l, numberOf(g.node[l]));
            }
        }
    }

    void setWallSides()
    {
        wallSides_.assign(nodes_.size(), 0);
        roughSides_.assign(nodes_.size(), 0);
        forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
        {
            const linkGroup& g = d_.groups[groupi];
            const direction& ci = c_[g.direction[l]];
            const int nAxes =
                std::abs(ci[0]) + std::abs(ci[1]) + std::abs(ci[2]);
            for (int a = 0; nAxes == 1 && a < 3; ++a)
            {
                const double cn = ci[a]*g.normal[l][a];
                wallSides_[n] |= cn > 0.9999 ? sideBit(a, ci[a]) : 0;
                roughSides_[n] |= cn > roughly ? sideBit(a, ci[a]) : 0;
            }
        });
    }

    //- Walls of a gap one node wide are taken to be across its axis: their
    //  inclination is less than the lattice resolves
    void closeGaps()
    {
        for (std::size_t n = 0; n < nodes_.size(); ++n)
        {
            for (int a = 0; a < 3; ++a)
            {
                wallSides_[n] |= isGap(n, a) ? bothSides(a) : 0;
            }
        }
    }

    //- Normal at a wall of given friction: along the axis of a gap
    vector straightened(std::size_t n, vector normal) const
    {
        for (int a = 0; a < 3; ++a)
        {
            if (std::abs(normal[a]) > roughly && isGap(n, a))
            {
                const double sign = std::copysign(1, normal[a]);
                normal = {0, 0, 0};
                normal[a] = sign;
            }
        }
        return normal;
    }

    //- Axes along which walls beside the boundary reflect a link, as bits
    std::uint8_t reflections
    (
        std::size_t n,
        const direction& ci,
        const vector& normal
    ) const
    {
        std::uint8_t result = 0;
        for (int a = 0; a < 3; ++a)
        {
            if
            (
                ci[a] && std::abs(normal[a]) < 1e-4
             && (wallSides_[n] & sideBit(a, ci[a]))
            )
            {
                result |= 1u << a;
            }
        }
        return result;
    }

    //- Image at a wall of given friction
    chosenImage specularImage
    (
        std::size_t n,
        const direction& ci,
        double distance,
        const vector& normal
    ) const
    {
        chosenImage result
        {
            imageChoice::specular(ci, distance, normal), nodes_[n]
        };
        imageChoice& image = result.choice;
        const direction along = imageChoice::besideMirror(ci, normal);
        image.mirrored = along == direction{0, 0, 0};
        for (std::size_t i = 1; i < c_.size(); ++i)
        {
            if (along == c_[i] && to(n, i) != nowhere)
            {
                image.part = 1;
                image.mirrored = true;
                result.beside = to(n, i);
            }
        }
        return result;
    }

    //- Image of least fault between the node and one of its neighbours
    chosenImage bestImage
    (
        std::size_t n,
        const direction& ci,
        double distance,
        const vector& normal
    ) const
    {
        chosenImage best
        {
            imageChoice(ci, distance, normal, {0, 0, 0}), nodes_[n]
        };
        for (std::size_t i = 1; i < c_.size(); ++i)
        {
            const imageChoice other(ci, distance, normal, c_[i]);
            constexpr double better = 1e-6;
            if
            (
                to(n, i) != nowhere && other.part > 0
             && other.fault < best.choice.fault - better
            )
            {
                best = {other, to(n, i)};
            }
        }
        return best;
    }

    //- Links of a node to walls of given friction
    struct wallLinks
    {
        std::size_t n = 0;
        vector normals{0, 0, 0};
        bool oblique = false;

        //- Directions, as bits
        std::uint32_t directions = 0;

        //- Do they form an edge: less than this part of their normals adds up,
        //  as of two planes whose normals are 64 degrees apart
        bool formEdge() const
        {
            constexpr double aligned = 0.85;
            const double square =
                normals[0]*normals[0] + normals[1]*normals[1]
              + normals[2]*normals[2];
            return square < aligned*aligned*n*n;
        }
    };

    //- Away from the walls of given friction at a node, within 45 degrees: is
    //  there no node but beside such walls. beside: all of these, sorted
    bool isEnclosed
    (
        std::size_t n,
        const wallLinks& w,
        const std::vector<std::int64_t>& beside
    ) const
    {
        constexpr double within = 0.7;
        const vector& N = w.normals;
        const double magN = std::sqrt(N[0]*N[0] + N[1]*N[1] + N[2]*N[2]);
        for (std::size_t i = 1; i < c_.size(); ++i)
        {
            const direction& c = c_[i];
            const double magC =
                std::sqrt(double(c[0]*c[0] + c[1]*c[1] + c[2]*c[2]));
            const double inwards = -(c[0]*N[0] + c[1]*N[1] + c[2]*N[2]);
            if (inwards < within*magC*magN)
            {
                continue;
            }
            const bool enclosed =
                to(n, i) == nowhere
              ? w.directions & (1u << i)
              : contains(beside, to(n, i));
            if (!enclosed)
            {
                return false;
            }
        }
        return true;
    }

    ghostImage imageOf(const linkGroup& g, std::size_t l, bool specular) const
    {
        const std::size_t n = numberOf(g.node[l]);
        const double distance = g.distance.empty() ? 0.5 : g.distance[l];
        vector normal{g.normal[l][0], g.normal[l][1], g.normal[l][2]};
        if (specular)
        {
            normal = straightened(n, normal);
        }

        direction ci = c_[g.direction[l]];
        const std::uint8_t reflects = reflections(n, ci, normal);
        for (int a = 0; a < 3; ++a)
        {
            ci[a] = reflects & (1u << a) ? 0 : ci[a];
        }

        const chosenImage image =
            specular
          ? specularImage(n, ci, distance, normal)
          : bestImage(n, ci, distance, normal);
        return
        {
            image.beside,
            normal,
            image.choice.part,
            image.choice.ratio,
            image.choice.depth,
            image.choice.mirrored,
            reflects,
            false,
            false
        };
    }

public:

    imageSearch
    (
        const latticeDescription& d,
        const std::vector<std::array<int, 3>>& c
    )
    :
        d_(d),
        c_(c)
    {
        setNodes();
        if (!empty())
        {
            setNeighbours();
            setWallSides();
            closeGaps();
        }
    }

    //- Are there no ghost nodes
    bool empty() const
    {
        return nodes_.empty();
    }

    //- Images of the links of each group with ghost nodes
    std::vector<std::vector<ghostImage>> images() const
    {
        std::vector<std::vector<ghostImage>> result;
        for (const linkGroup& g : d_.groups)
        {
            result.emplace_back();
            const bool specular = isSpecular(g);
            const std::size_t nLinks = hasGhostNodes(g.type) ? g.size() : 0;
            for (std::size_t l = 0; l < nLinks; ++l)
            {
                result.back().push_back(imageOf(g, l, specular));
            }
        }
        return result;
    }

    //- Of the links of each group: does a wall of given friction hold it. The
    //  nodes at edges of oblique walls and those that these enclose are held, and
    //  the links that mirror what such a node sends, or mass would be lost
    std::vector<std::vector<std::uint8_t>> heldLinks
    (
        const std::vector<std::vector<ghostImage>>& images,
        const addRemoteNodes& addRemote
    ) const
    {
        std::vector<wallLinks> walls(nodes_.size());
        forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
        {
            const ghostImage& image = images[groupi][l];
            wallLinks& w = walls[n];
            ++w.n;
            w.directions |= 1u << d_.groups[groupi].direction[l];
            w.oblique = w.oblique || image.axis() < 0;
            for (int a = 0; a < 3; ++a)
            {
                w.normals[a] += image.normal[a];
            }
        });

        std::vector<std::int64_t> beside;
        for (std::size_t n = 0; n < nodes_.size(); ++n)
        {
            if (walls[n].n)
            {
                beside.push_back(nodes_[n]);
            }
        }
        addRemote(beside);

        std::vector<std::int64_t> held;
        for (std::size_t n = 0; n < nodes_.size(); ++n)
        {
            const wallLinks& w = walls[n];
            if (w.oblique && (w.formEdge() || isEnclosed(n, w, beside)))
            {
                held.push_back(nodes_[n]);
            }
        }
        addRemote(held);

        std::vector<std::vector<std::uint8_t>> result(images.size());
        forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
        {
            result[groupi].push_back
            (
                contains(held, nodes_[n])
             || contains(held, images[groupi][l].beside)
            );
        });
        return result;
    }

    //- Nodes beside oblique walls of given friction, sorted
    std::vector<std::int64_t> besideOblique
    (
        const std::vector<std::vector<ghostImage>>& images
    ) const
    {
        std::vector<std::int64_t> result;
        forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
        {
            if (images[groupi][l].axis() < 0)
            {
                result.push_back(nodes_[n]);
            }
        });
        sortOnce(result);
        return result;
    }
};

void noRemoteNodes(std::vector<std::int64_t>&)
{}

} // End anonymous namespace


std::vector<std::vector<std::uint8_t>> heldLinks
(
    const latticeDescription& d,
    const std::string& lattice,
    const addRemoteNodes& addRemote
)
{
    // The same on all parts: each has all groups
    if (std::none_of(d.groups.begin(), d.groups.end(), isSpecular))
    {
        return std::vector<std::vector<std::uint8_t>>(d.groups.size());
    }
    const std::vector<std::array<int, 3>> c = directions(lattice);
    const imageSearch search(d, c);
    return search.heldLinks(search.images(), addRemote);
}


std::vector<std::vector<std::uint8_t>> heldLinks
(
    const latticeDescription& d,
    const std::string& lattice
)
{
    return heldLinks(d, lattice, noRemoteNodes);
}


void enginePlan::setImages(const latticeDescription& d)
{
    const std::size_t nGroups = d.groups.size();
    images.resize(nGroups);
    besidePlaces.resize(nGroups);
    nGhostNodes.resize(nGroups);

    const imageSearch search(d, c);
    if (search.empty())
    {
        return;
    }

    images = search.images();
    for (std::size_t groupi = 0; groupi < nGroups; ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        if (!hasGhostNodes(g.type))
        {
            continue;
        }

        std::vector<std::uint32_t>& places = besidePlaces[groupi];
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const std::int64_t beside = images[groupi][l].beside;
            if (d.isFluid(beside))
            {
                flags[layout->place(beside)] = shellNode;
            }
            if (beside != g.node[l])
            {
                places.push_back(layout->place(beside));
            }
        }
        sortOnce(places);

        std::vector<std::int64_t> own(g.node);
        sortOnce(own);
        nGhostNodes[groupi] = own.size();
    }

    const auto found = search.heldLinks(images, noRemoteNodes);
    for (std::size_t groupi = 0; groupi < nGroups; ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        const auto& held = g.held.empty() ? found[groupi] : g.held;
        for (std::size_t l = 0; l < held.size(); ++l)
        {
            images[groupi][l].holds = held[l];
        }
    }
    setBetween(d);

    for (const std::int64_t node : search.besideOblique(images))
    {
        besideOblique.push_back(layout->place(node));
    }
    std::sort(besideOblique.begin(), besideOblique.end());
}


void enginePlan::setBetween(const latticeDescription& d)
{
    const std::size_t q = c.size();

    // Links that a boundary across an axis mirrors
    struct mirrorLink
    {
        std::int64_t key;
        int axis;
        ghostImage* image;
    };
    std::vector<mirrorLink> mirrored;

    for (std::size_t groupi = 0; groupi < d.groups.size(); ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        const mirrorTraits traits = mirrorTraitsOf(g);
        for (std::size_t l = 0; traits.mirrors && l < g.size(); ++l)
        {
            ghostImage& image = images[groupi][l];
            const int axis = image.axis();
            const bool intoEdge = traits.drags && image.part == 0;
            if
            (
                axis >= 0 && c[g.direction[l]][axis]
             && (image.mirrored || intoEdge)
            )
            {
                mirrored.push_back
                ({
                    std::int64_t(g.node[l]*q + g.direction[l]), axis, &image
                });
            }
        }
    }

    std::sort
    (
        mirrored.begin(),
        mirrored.end(),
        [](const mirrorLink& x, const mirrorLink& y) { return x.key < y.key; }
    );

    for (mirrorLink& link : mirrored)
    {
        std::array<int, 3> across = c[link.key % q];
        across[link.axis] *= -1;
        const std::int64_t key =
            link.key - link.key % std::int64_t(q)
          + (std::find(c.begin(), c.end(), across) - c.begin());

        const auto other = std::lower_bound
        (
            mirrored.begin(),
            mirrored.end(),
            key,
            [](const mirrorLink& x, std::int64_t k) { return x.key < k; }
        );
        link.image->between =
            other != mirrored.end() && other->key == key
         && other->axis == link.axis
         && other->image->mirrored == link.image->mirrored
         && other->image->beside == link.image->beside
         && other->image->reflects == link.image->reflects;
    }
}

} // End namespace lbm
