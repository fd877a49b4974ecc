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

#include "overlayMesh.H"
#include "polyMesh.H"
#include "wallPolyPatch.H"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::overlayMesh::dropPockets()
{
    const auto all = families();

    const auto isThin = [&](const std::int64_t node, const int direction)
    {
        return std::binary_search
        (
            thinLinks_.begin(),
            thinLinks_.end(),
            linkKey(node, direction)
        );
    };

    // Nodes of a row that no wall separates are connected: runs, cut at walls
    // across the first axis
    fluidRuns::stretchList parts;
    parts.reserve(fluid_.nRuns());
    {
        auto thin = thinLinks_.cbegin();

        fluid_.forRuns([&](const std::int64_t rowi, const fluidRuns::run& r)
        {
            const std::int64_t row = size_[0]*rowi;
            std::int32_t begin = r.begin;

            for
            (
                ;
                thin != thinLinks_.cend() && *thin < linkKey(row + r.end, 0);
                ++thin
            )
            {
                const std::int32_t end = *thin/32 - row + 1;

                if (*thin % 32 == all.front().up && end < r.end)
                {
                    parts.push_back({rowi, begin, end});
                    begin = end;
                }
            }
            parts.push_back({rowi, begin, r.end});
        });
    }
    const fluidRuns connected(size_, parts);

    // Regions of connected ones: the first of each, by way of others
    std::vector<std::int64_t> region(parts.size());
    std::iota(region.begin(), region.end(), std::int64_t(0));

    const auto root = [&](std::int64_t n)
    {
        while (region[n] != n)
        {
            region[n] = region[region[n]];
            n = region[n];
        }
        return n;
    };

    const auto join = [&](const std::int64_t n, const std::int64_t m)
    {
        const std::int64_t u = root(n);
        const std::int64_t v = root(m);
        region[max(u, v)] = min(u, v);
    };

    const auto numberOf = [&](const fluidRuns::run* const r)
    {
        return r - connected.row(0).begin();
    };

    const auto partOf = [&](const std::int64_t node)
    {
        return numberOf(connected.row(node/size_[0]).from(node % size_[0]));
    };

    for (const lineFamily& lf : all)
    {
        if (!lf.c[1] && !lf.c[2])
        {
            continue;
        }

        for (std::int64_t k = 0; k < size_[2]; ++k)
        for (std::int64_t j = 0; j < size_[1]; ++j)
        {
            const auto here = connected.row(j, k);
            const auto there = connected.row(j + lf.c[1], k + lf.c[2]);
            const std::int64_t row = size_[0]*(j + size_[1]*k);

            auto r = here.begin();
            auto s = there.begin();

            while (r != here.end() && s != there.end())
            {
                std::int64_t i = max(r->begin, s->begin - lf.c[0]);
                const std::int64_t end = min(r->end, s->end - lf.c[0]);

                if (i < end && root(numberOf(r)) != root(numberOf(s)))
                {
                    while
                    (
                        i < end
                     && !thinLinks_.empty() && isThin(row + i, lf.up)
                    )
                    {
                        ++i;
                    }
                    if (i < end)
                    {
                        join(numberOf(r), numberOf(s));
                    }
                }

                const bool first = r->end == end;
                s += s->end - lf.c[0] == end;
                r += first;
            }
        }
    }

    for (const link& l : links_)
    {
        if (l.partner >= 0)
        {
            join(partOf(l.node), partOf(l.partner));
        }
    }

    // Sizes, by root
    std::map<std::int64_t, std::int64_t> sizes;
    {
        // Neighbours mostly have the same
        auto last = sizes.end();
        for (std::size_t n = 0; n < parts.size(); ++n)
        {
            const std::int64_t r = root(n);
            if (last == sizes.end() || last->first != r)
            {
                last = sizes.emplace(r, 0).first;
            }
            last->second += parts[n].end - parts[n].begin;
        }
    }

    noteMemory
    (
        connected.bytes()
      + double(parts.capacity())
       *(sizeof(fluidRuns::stretch) + sizeof(std::int64_t))
    );

    // Few nodes, at walls only
    const std::int64_t few = twoD_ ? 9 : 27;
    std::int64_t largest = 0;
    for (const auto& s : sizes)
    {
        largest = std::max(largest, s.second);
    }

    std::vector<std::int64_t> small;
    for (const auto& s : sizes)
    {
        if (s.second <= few && s.second < largest)
        {
            small.push_back(s.first);
        }
    }

    const auto isSmall = [&](const std::int64_t part)
    {
        return std::binary_search(small.begin(), small.end(), root(part));
    };

    if (small.size())
    {
        std::vector<std::int64_t> open;
        for (const link& l : links_)
        {
            if
            (
                !isA<wallPolyPatch>(surface_.boundaryMesh()[patchOf(l.face)])
             && isSmall(partOf(l.node))
            )
            {
                open.push_back(root(partOf(l.node)));
            }
        }
        std::sort(open.begin(), open.end());
        small.erase
        (
            std::remove_if
            (
                small.begin(),
                small.end(),
                [&](const std::int64_t r)
                {
                    return std::binary_search(open.begin(), open.end(), r);
                }
            ),
            small.end()
        );
    }

    if (small.size())
    {
        links_.erase
        (
            std::remove_if
            (
                links_.begin(),
                links_.end(),
                [&](const link& l)
                {
                    return isSmall(partOf(l.node));
                }
            ),
            links_.end()
        );

        fluidRuns::stretchList rest;
        for (std::size_t n = 0; n < parts.size(); ++n)
        {
            const fluidRuns::stretch& s = parts[n];

            if (isSmall(n))
            {
                report_.nPocketNodes += s.end - s.begin;
            }
            else
            {
                fluidRuns::append(rest, s.row, s.begin, s.end);
            }
        }
        fluid_ = fluidRuns(size_, rest);

        report_.nPockets = small.size();
    }

    for (const auto& s : sizes)
    {
        if (!std::binary_search(small.begin(), small.end(), s.first))
        {
            report_.regionSizes.push_back(s.second);
        }
    }
    std::sort
    (
        report_.regionSizes.begin(),
        report_.regionSizes.end(),
        std::greater<std::int64_t>()
    );
}


// ************************************************************************* //
