#include "imageSearch.H"

#include <algorithm>
#include <cmath>

namespace lbm
{

namespace
{

//- Is one of the values, sorted
bool contains(const std::vector<std::int64_t>& values, std::int64_t value)
{
    return std::binary_search(values.begin(), values.end(), value);
}


//- Links of a node to walls of given friction
struct wallLinks
{
    std::size_t n = 0;
    std::array<double, 3> normals{0, 0, 0};
    bool oblique = false;

    //- Directions, as bits
    std::uint32_t directions = 0;

    void add(int i, const enginePlan::ghostImage& image)
    {
        ++n;
        directions |= 1u << i;
        oblique = oblique || image.axis() < 0;
        for (int a = 0; a < 3; ++a)
        {
            normals[a] += image.normal[a];
        }
    }

    //- Magnitude of the sum of the normals
    double resultant() const
    {
        return std::sqrt
        (
            normals[0]*normals[0] + normals[1]*normals[1]
          + normals[2]*normals[2]
        );
    }

    //- Do they form an edge: less than this part of their normals adds up, as of
    //  two planes whose normals are 64 degrees apart
    bool formEdge() const
    {
        constexpr double aligned = 0.85;
        return resultant() < aligned*n;
    }

    //- Is a direction within 45 degrees of the inward normal
    bool isInward(const std::array<int, 3>& c) const
    {
        constexpr double within = 0.7;
        const double magC =
            std::sqrt(double(c[0]*c[0] + c[1]*c[1] + c[2]*c[2]));
        const double inwards =
            -(c[0]*normals[0] + c[1]*normals[1] + c[2]*normals[2]);
        return inwards >= within*magC*resultant();
    }
};


//- Do all inward directions of the nth node with ghost nodes lead to walls of
//  given friction, or to nodes beside them. beside: all of these, sorted
bool isEnclosed
(
    std::size_t n,
    const wallLinks& w,
    const imageSearch& search,
    const std::vector<std::int64_t>& beside
)
{
    const std::vector<std::array<int, 3>>& c = search.directions();
    for (std::size_t i = 1; i < c.size(); ++i)
    {
        const std::int64_t to = search.to(n, i);
        const bool wall =
            to == imageSearch::nowhere
          ? w.directions & (1u << i)
          : contains(beside, to);
        if (w.isInward(c[i]) && !wall)
        {
            return false;
        }
    }
    return true;
}

} // End anonymous namespace


std::vector<std::vector<std::uint8_t>> heldLinks
(
    const latticeDescription& d,
    const imageSearch& search,
    const std::vector<std::vector<enginePlan::ghostImage>>& images,
    const addRemoteNodes& exchange
)
{
    std::vector<std::vector<std::uint8_t>> result;
    bool given = !exchange;
    for (const linkGroup& g : d.groups)
    {
        given = given && (!isSpecular(g) || g.held.size() == g.size());
        result.push_back(g.held);
    }
    if (given)
    {
        return result;
    }

    const std::vector<std::int64_t>& nodes = search.nodes();
    std::vector<wallLinks> walls(nodes.size());
    search.forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
    {
        walls[n].add(d.groups[groupi].direction[l], images[groupi][l]);
    });

    std::vector<std::int64_t> beside;
    for (std::size_t n = 0; n < nodes.size(); ++n)
    {
        if (walls[n].n)
        {
            beside.push_back(nodes[n]);
        }
    }
    if (exchange)
    {
        exchange(beside);
    }

    std::vector<std::int64_t> held;
    for (std::size_t n = 0; n < nodes.size(); ++n)
    {
        const wallLinks& w = walls[n];
        if (w.oblique && (w.formEdge() || isEnclosed(n, w, search, beside)))
        {
            held.push_back(nodes[n]);
        }
    }
    if (exchange)
    {
        exchange(held);
    }

    // Links whose mirror image a held node sends as well, or mass would be lost
    result.assign(images.size(), {});
    search.forWallLinks([&](std::size_t groupi, std::size_t l, std::size_t n)
    {
        result[groupi].push_back
        (
            contains(held, nodes[n])
         || contains(held, images[groupi][l].beside)
        );
    });
    return result;
}


std::vector<std::vector<std::uint8_t>> heldLinks
(
    const latticeDescription& d,
    const std::string& lattice,
    const addRemoteNodes& exchange
)
{
    // The same on all parts: each has all groups
    if (std::none_of(d.groups.begin(), d.groups.end(), isSpecular))
    {
        return std::vector<std::vector<std::uint8_t>>(d.groups.size());
    }
    const std::vector<std::array<int, 3>> c = directions(lattice);
    const imageSearch search(d, c);
    return heldLinks(d, search, search.images(), exchange);
}

} // End namespace lbm
