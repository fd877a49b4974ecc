#include "list.H"

#include <algorithm>
#include <stdexcept>

namespace lbm
{

listLayout::listLayout
(
    const latticeDescription& d,
    const std::vector<std::array<int, 3>>& c,
    std::int64_t nAlign
)
:
    size_(d.size),
    nPairs_((int(c.size()) - 1)/2)
{
    const std::int64_t nBox = size_[0]*size_[1]*size_[2];
    if (nBox > std::int64_t(UINT32_MAX))
    {
        throw std::length_error
        (
            "a box of " + std::to_string(nBox) + " nodes is larger than the"
            " 4294967295 that the list layout can number"
        );
    }

    placeAt_.assign((size_[0] + 2)*(size_[1] + 2)*(size_[2] + 2), none);
    for (std::int64_t b = 0; b < nBox; ++b)
    {
        if (d.fluid[b])
        {
            placeAt_[padded(b, {0, 0, 0})] = boxAt_.size();
            boxAt_.push_back(b);
        }
    }
    begin = 0;
    end = boxAt_.size();
    rows_ = roundUp(end, nAlign);
    nPlaces = rows_;

    table_.assign(nPairs_*rows_, 0);
    for (std::int64_t n = 0; n < end; ++n)
    {
        for (int pair = 0; pair < nPairs_; ++pair)
        {
            std::uint32_t& place = placeAt_[padded(boxAt_[n], c[2*pair + 1])];
            if (place == none)
            {
                place = nPlaces++;
            }
            table_[pair*rows_ + n] = place;
        }
    }
    nPlaces = roundUp(nPlaces, 64);
    stride = nPlaces;
}


void listLayout::appendNeighbours
(
    std::int64_t firstPlace,
    std::vector<std::uint32_t>& result
) const
{
    const std::int64_t n = std::min<std::int64_t>(line, end - firstPlace);
    for (int pair = 0; pair < nPairs_; ++pair)
    {
        const std::uint32_t* const row =
            table_.data() + pair*rows_ + firstPlace;
        bool follows = true;
        for (std::int64_t i = 1; i < n; ++i)
        {
            follows = follows && row[i] == row[0] + i;
        }
        result.push_back(follows ? row[0] : none);
    }
    result.resize(result.size() + nNumbers(nPairs_) - nPairs_, none);
}

} // End namespace lbm
