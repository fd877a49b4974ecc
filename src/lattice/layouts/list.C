#include "list.H"
#include "parallel.H"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace lbm
{

namespace
{

//- Nodes in a part of a loop over many
constexpr std::int64_t partSize = 65536;

std::int64_t nParts(std::int64_t n)
{
    return (n + partSize - 1)/partSize;
}

//- f(part, begin, end) for all parts of [0, n), by all cores
template<class Function>
void forParts(std::int64_t n, const Function& f)
{
    const auto several = [&](std::int64_t first, std::int64_t last)
    {
        for (std::int64_t part = first; part < last; ++part)
        {
            f(part, part*partSize, std::min((part + 1)*partSize, n));
        }
    };
    inParallel(nParts(n), several, 1);
}

} // End anonymous namespace


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

    // Nodes before each part of the box
    std::vector<std::int64_t> before(nParts(nBox) + 1, 0);
    forParts(nBox, [&](std::int64_t part, std::int64_t b, std::int64_t last)
    {
        before[part + 1] = std::count_if
        (
            d.fluid.begin() + b,
            d.fluid.begin() + last,
            [](std::uint8_t fluid) { return fluid != 0; }
        );
    });
    std::partial_sum(before.begin(), before.end(), before.begin());

    placeAt_.assign((size_[0] + 2)*(size_[1] + 2)*(size_[2] + 2), none);
    boxAt_.resize(before.back());
    forParts(nBox, [&](std::int64_t part, std::int64_t b, std::int64_t last)
    {
        std::int64_t n = before[part];
        for (; b < last; ++b)
        {
            if (d.fluid[b])
            {
                placeAt_[padded(b, {0, 0, 0})] = n;
                boxAt_[n++] = b;
            }
        }
    });
    begin = 0;
    end = boxAt_.size();
    rows_ = roundUp(end, nAlign);
    nPlaces = rows_;

    // Slots of nodes that have neighbours without a place
    std::vector<std::vector<std::size_t>> missing(nParts(end));
    table_.assign(nPairs_*rows_, 0);
    forParts(end, [&](std::int64_t part, std::int64_t n, std::int64_t last)
    {
        for (; n < last; ++n)
        {
            for (int pair = 0; pair < nPairs_; ++pair)
            {
                const std::uint32_t place =
                    placeAt_[padded(boxAt_[n], c[2*pair + 1])];
                table_[pair*rows_ + n] = place;
                if (place == none)
                {
                    missing[part].push_back(pair*rows_ + n);
                }
            }
        }
    });

    // Numbered in the order of nodes, whatever the number of threads
    for (const std::vector<std::size_t>& slots : missing)
    {
        for (const std::size_t slot : slots)
        {
            const std::int64_t pair = slot/rows_;
            std::uint32_t& place =
                placeAt_[padded(boxAt_[slot % rows_], c[2*pair + 1])];
            if (place == none)
            {
                place = nPlaces++;
            }
            table_[slot] = place;
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
    if (!numbers_.empty())
    {
        const auto own =
            numbers_.begin() + firstPlace/line*nNumbers(nPairs_);
        result.insert(result.end(), own, own + nNumbers(nPairs_));
        return;
    }
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


void listLayout::release()
{
    std::vector<std::uint32_t> numbers;
    numbers.reserve((end + line - 1)/line*nNumbers(nPairs_));
    for (std::int64_t place = 0; place < end; place += line)
    {
        appendNeighbours(place, numbers);
    }
    numbers_ = std::move(numbers);
    placeAt_ = std::vector<std::uint32_t>();
    table_ = std::vector<std::uint32_t>();
}

} // End namespace lbm
