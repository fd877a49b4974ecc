/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

    lbmGpuFoam is free software: you can redistribute it and/or modify it
    under the terms of the GNU General Public License as published by
    the Free Software Foundation, either version 3 of the License, or
    (at your option) any later version.

    lbmGpuFoam is distributed in the hope that it will be useful, but WITHOUT
    ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
    FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
    for more details.

    You should have received a copy of the GNU General Public License
    along with lbmGpuFoam.  If not, see <http://www.gnu.org/licenses/>.
\*---------------------------------------------------------------------------*/

#include "latticeMapping.H"
#include "allProcesses.H"
#include "checksum.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::int64_t Foam::latticeMapping::wholeIndex
(
    const std::array<std::int64_t, 3>& node
) const
{
    const std::array<std::int64_t, 3>& size = description_.wholeSize;

    return node[0] + size[0]*(node[1] + size[1]*node[2]);
}


void Foam::latticeMapping::setRuns()
{
    // Nodes of a row that follow one another: first and number
    DynamicList<std::int64_t> own(2*stretchBox_.size());

    for (std::size_t i = 0; i < stretchBox_.size(); ++i)
    {
        const std::int64_t end =
            i + 1 < stretchBox_.size() ? stretchFluid_[i + 1] : nFluid();

        std::int64_t box = stretchBox_[i];
        std::int64_t left = end - stretchFluid_[i];

        while (left > 0)
        {
            const std::int64_t n =
                min(left, description_.size[0] - box % description_.size[0]);

            own.append(wholeIndex(coordinates(box)));
            own.append(n);
            box += n;
            left -= n;
        }
    }

    const auto all(allProcesses(List<std::int64_t>(std::move(own))));

    std::vector<stretch> stretches;

    forAll(all, proci)
    {
        for (label i = 0; i < all[proci].size(); i += 2)
        {
            stretches.push_back({all[proci][i], all[proci][i + 1], proci});
        }
    }

    std::sort
    (
        stretches.begin(),
        stretches.end(),
        [](const stretch& a, const stretch& b) { return a.first < b.first; }
    );

    nWhole_ = 0;
    std::int64_t nOwn = 0;

    for (const stretch& s : stretches)
    {
        if (s.process == Pstream::myProcNo())
        {
            if
            (
                !runs_.empty()
             && runs_.back().whole + runs_.back().count == nWhole_
            )
            {
                runs_.back().count += s.count;
            }
            else
            {
                runs_.push_back({nWhole_, nOwn, s.count});
            }
            nOwn += s.count;
        }
        nWhole_ += s.count;
    }

    // The flags of the whole box, piece by piece
    constexpr std::int64_t piece = 1 << 20;

    const std::array<std::int64_t, 3>& size = description_.wholeSize;
    const std::int64_t nBox = size[0]*size[1]*size[2];

    std::vector<std::uint8_t> flags;
    auto next = stretches.cbegin();
    lbm::checksum sum;

    for (std::int64_t first = 0; first < nBox; first += piece)
    {
        const std::int64_t end = min(first + piece, nBox);

        flags.assign(end - first, 0);

        while (next != stretches.cend() && next->first < end)
        {
            const std::int64_t last = next->first + next->count;

            std::fill
            (
                flags.begin() + (max(next->first, first) - first),
                flags.begin() + (min(last, end) - first),
                1
            );

            if (last > end)
            {
                break;
            }
            ++next;
        }

        sum.add(flags.data(), flags.size());
    }

    geometryChecksum_ = sum.value();

    if (Pstream::parRun())
    {
        stretches_ = std::move(stretches);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::int64_t Foam::latticeMapping::ownIndex
(
    const std::array<std::int64_t, 3>& node
) const
{
    std::int64_t result = 0;

    for (int a = 2; a >= 0; --a)
    {
        const std::int64_t x = node[a] - description_.origin[a];

        if (x < 0 || x >= description_.size[a])
        {
            return -1;
        }
        result = x + description_.size[a]*result;
    }

    return result;
}


std::array<std::int64_t, 3> Foam::latticeMapping::coordinates
(
    const std::int64_t i
) const
{
    const std::array<std::int64_t, 3>& size = description_.size;
    const std::array<std::int64_t, 3>& origin = description_.origin;

    return
    {
        origin[0] + i % size[0],
        origin[1] + (i/size[0]) % size[1],
        origin[2] + i/(size[0]*size[1])
    };
}


int Foam::latticeMapping::processOf
(
    const std::array<std::int64_t, 3>& node
) const
{
    if (!Pstream::parRun())
    {
        return description_.isFluid(ownIndex(node)) ? 0 : -1;
    }

    for (int a = 0; a < 3; ++a)
    {
        if (node[a] < 0 || node[a] >= description_.wholeSize[a])
        {
            return -1;
        }
    }

    const std::int64_t i = wholeIndex(node);

    auto s = std::upper_bound
    (
        stretches_.begin(),
        stretches_.end(),
        i,
        [](const std::int64_t i, const stretch& s) { return i < s.first; }
    );

    if (s == stretches_.begin())
    {
        return -1;
    }
    --s;

    return i < s->first + s->count ? s->process : -1;
}


// ************************************************************************* //
