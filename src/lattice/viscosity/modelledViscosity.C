#include "modelledViscosity.H"

namespace lbm
{

std::vector<axisLink> axisLinks
(
    const latticeDescription& d,
    const std::vector<std::array<int, 3>>& directions
)
{
    // Of each direction: 2 axis + side, or -1
    std::vector<int> sides;
    for (const std::array<int, 3>& c : directions)
    {
        int side = -1, n = 0;
        for (int a = 0; a < 3; ++a)
        {
            if (c[a] != 0)
            {
                side = 2*a + (c[a] > 0);
                ++n;
            }
        }
        sides.push_back(n == 1 ? side : -1);
    }

    std::vector<axisLink> result;
    for (std::size_t groupi = 0; groupi < d.groups.size(); ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const int side = sides[g.direction[l]];
            if (side >= 0)
            {
                result.push_back({g.node[l], side, std::int32_t(groupi), l});
            }
        }
    }
    std::size_t nHalo = 0;
    for (const haloLinks& h : d.halos)
    {
        for (std::size_t l = 0; l < h.node.size(); ++l)
        {
            const int side = sides[h.direction[l]];
            if (side >= 0)
            {
                result.push_back({h.node[l], side, axisLink::halo, nHalo++});
            }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}


std::int64_t axisHaloLinks(const latticeDescription& d, int nDimensions)
{
    std::int64_t result = 0;
    for (const haloLinks& h : d.halos)
    {
        result += std::count_if
        (
            h.direction.begin(),
            h.direction.end(),
            [=](int i) { return i <= 2*nDimensions; }
        );
    }
    return result;
}


std::int64_t modelledViscosityBytes
(
    const engineSettings& s,
    const latticeDescription& d,
    const nodeLayout& layout,
    int arithmeticBytes
)
{
    const std::vector<axisLink> links = axisLinks(d, directions(s.lattice));
    const int nSides = 2*nDimensions(s.lattice);
    std::int64_t nNodes = 0, nBoundaries = 0;
    for (std::size_t l = 0; l < links.size(); ++l)
    {
        nNodes += l == 0 || links[l].node != links[l - 1].node;
        nBoundaries +=
            links[l].group != axisLink::halo
         && d.groups[links[l].group].partner.empty();
    }

    // Velocity, filter width and surroundings; of each transported variable two
    // values, gradient, diffusivity and transport; distance from the wall;
    // neighbours
    const int nVariables = s.transportedVariables;
    const int nEddies = (3 + nSides/2)*nVariables;
    const std::int64_t ofPlace =
        (4 + nEddies + (nVariables > 0))*arithmeticBytes + 1
      + (s.layout == list::name ? nSides*sizeof(std::uint32_t) : 0);
    const std::int64_t ofNode =
        (1 + 2*nSides)*sizeof(std::uint32_t);
    const std::int64_t ofBoundary =
        arithmeticBytes == 8
      ? sizeof(boundarySide<double>) + sizeof(eddySide<double>)
      : sizeof(boundarySide<float>) + sizeof(eddySide<float>);

    // Values there, on the way here, and place of the node here
    const std::int64_t nSent =
        valuesBeyondCuts(nSides/2, nVariables)*(nVariables > 0 ? 4 : 1);
    const std::int64_t ofHaloLink =
        (3 + nEddies + (s.communicator ? 2 : 1)*nSent)*arithmeticBytes
      + sizeof(std::uint32_t);

    return
        layout.nPlaces*ofPlace + nNodes*ofNode + nBoundaries*ofBoundary
      + axisHaloLinks(d, nDimensions(s.lattice))*ofHaloLink;
}

} // End namespace lbm
