#include "enginePlan.H"
#include "imageSearch.H"

#include <algorithm>

namespace lbm
{

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

    const auto held = heldLinks(d, search, images);
    for (std::size_t groupi = 0; groupi < nGroups; ++groupi)
    {
        for (std::size_t l = 0; l < held[groupi].size(); ++l)
        {
            images[groupi][l].holds = held[groupi][l];
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
