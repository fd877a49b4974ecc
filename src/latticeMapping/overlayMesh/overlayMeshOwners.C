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
#include "allProcesses.H"
#include "DynamicList.H"
#include "Pstream.H"
#include "wholeBoundary.H"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

template<class Function>
void Foam::overlayMesh::forNumbers
(
    const fluidRuns& some,
    const Function& f
) const
{
    some.forRuns([&](const std::int64_t rowi, const fluidRuns::run& r)
    {
        const fluidRuns::run* const whole = fluid_.row(rowi).from(r.begin);
        const std::int64_t number = whole->first + (r.begin - whole->begin);

        for (std::int64_t i = 0; i < r.end - r.begin; ++i)
        {
            f(r.first + i, number + i);
        }
    });
}


void Foam::overlayMesh::shareNodes(const fluidRuns& around, labelList& cellAt)
{
    // Nodes that follow one another: first, and one beyond the last
    DynamicList<std::int64_t> own;

    forNumbers(around, [&](const std::int64_t n, const std::int64_t number)
    {
        if (cellAt[n] == -1)
        {
            return;
        }
        if (own.size() && own.last() == number)
        {
            ++own.last();
        }
        else
        {
            own.append(number);
            own.append(number + 1);
        }
    });

    // Where they begin and end
    struct bound
    {
        std::int64_t at;
        int process;
        bool begins;

        bool operator<(const bound& b) const
        {
            return at < b.at;
        }
    };
    std::vector<bound> bounds;
    {
        const auto all(allProcesses(List<std::int64_t>(std::move(own))));

        forAll(all, proci)
        {
            forAll(all[proci], i)
            {
                bounds.push_back({all[proci][i], proci, i % 2 == 0});
            }
        }
    }
    std::sort(bounds.begin(), bounds.end());

    noteMemory
    (
        around.bytes()
      + double(cellAt.size())*sizeof(label)
      + double(bounds.capacity())*(sizeof(bound) + sizeof(std::int64_t))
    );

    // Processes that claim the nodes from a bound to the next one
    std::set<int> having;
    const auto pass = [&](std::vector<bound>::const_iterator& b)
    {
        const std::int64_t at = b->at;

        for (; b != bounds.cend() && b->at == at; ++b)
        {
            if (b->begins)
            {
                having.insert(b->process);
            }
            else
            {
                having.erase(b->process);
            }
        }

        return at;
    };

    // Nodes on a face between processes: the first cell of the whole mesh has
    // them, as in a serial run
    List<std::int64_t> contested;

    for (auto b = bounds.cbegin(); b != bounds.cend(); )
    {
        const std::int64_t at = pass(b);

        if (having.size() > 1)
        {
            for (std::int64_t number = at; number < b->at; ++number)
            {
                contested.append(number);
            }
        }
    }

    std::vector<int> winners(contested.size());

    if (contested.size())
    {
        labelList whole;
        const bool known = wholeBoundary::addressing
        (
            mesh_,
            "cellProcAddressing",
            mesh_.nCells(),
            whole
        );

        // Cells of the contested nodes here, as numbers in the whole mesh
        List<std::int64_t> own
        (
            contested.size(),
            std::numeric_limits<std::int64_t>::max()
        );

        forNumbers(around, [&](const std::int64_t n, const std::int64_t number)
        {
            const auto found =
                std::lower_bound(contested.begin(), contested.end(), number);

            if
            (
                found != contested.end() && *found == number && cellAt[n] != -1
            )
            {
                own[found - contested.begin()] =
                    known ? whole[cellAt[n]] : Pstream::myProcNo();
            }
        });

        const auto all(allProcesses(own));

        forAll(contested, i)
        {
            for (label proci = 1; proci < all.size(); ++proci)
            {
                if (all[proci][i] < all[winners[i]][i])
                {
                    winners[i] = proci;
                }
            }
        }
    }

    owners_.assign(1, {0, -1});

    const auto add = [&](const std::int64_t at, const int process)
    {
        if (owners_.back().first == at)
        {
            owners_.back().process = process;
        }
        else if (owners_.back().process != process)
        {
            owners_.push_back({at, process});
        }
    };

    having.clear();
    auto winner = winners.cbegin();

    for (auto b = bounds.cbegin(); b != bounds.cend(); )
    {
        const std::int64_t at = pass(b);

        if (having.size() > 1)
        {
            for (std::int64_t number = at; number < b->at; ++number)
            {
                add(number, *winner++);
            }
        }
        else
        {
            add(at, having.empty() ? -1 : *having.begin());
        }
    }
    owners_.push_back({fluid_.nNodes(), -1});

    auto o = owners_.cbegin();
    forNumbers(around, [&](const std::int64_t n, const std::int64_t number)
    {
        while ((o + 1)->first <= number)
        {
            ++o;
        }
        if (o->process != Pstream::myProcNo())
        {
            cellAt[n] = -1;
        }
    });
}


std::vector<Foam::overlayMesh::owner>::const_iterator
Foam::overlayMesh::ownerOf(const std::int64_t number) const
{
    return
        std::upper_bound
        (
            owners_.begin(),
            owners_.end(),
            number,
            [](const std::int64_t n, const owner& o) { return n < o.first; }
        )
      - 1;
}


void Foam::overlayMesh::setRuns()
{
    std::int64_t nOwn = 0;

    for (std::size_t i = 0; i + 1 < owners_.size(); ++i)
    {
        if (owners_[i].process == Pstream::myProcNo())
        {
            const std::int64_t n = owners_[i + 1].first - owners_[i].first;
            runs_.push_back({owners_[i].first, nOwn, n});
            nOwn += n;
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::overlayMesh::bound(place& begin, place& end) const
{
    begin = size_;
    end = place{0, 0, 0};

    for (const point& x : mesh_.points())
    {
        for (int a = 0; a < 3; ++a)
        {
            const direction d = axes_[a];
            const double y =
                a < nDims() ? (x[d] - origin_[d])/dx_ - 0.5 : 0;

            begin[a] = std::min(begin[a], std::int64_t(std::floor(y)));
            end[a] = std::max(end[a], std::int64_t(std::ceil(y)) + 1);
        }
    }

    const auto add = [&]
    (
        const place& p,
        std::int64_t,
        const std::int64_t count
    )
    {
        for (int a = 0; a < 3; ++a)
        {
            begin[a] = std::min(begin[a], p[a]);
            end[a] = std::max(end[a], p[a] + (a == 0 ? count : 1));
        }
    };

    for (const run& r : runs_)
    {
        fluid_.forNodes(r.whole, r.count, add);
    }
}


std::int64_t Foam::overlayMesh::ownNumber(const std::int64_t number) const
{
    auto r = std::upper_bound
    (
        runs_.begin(),
        runs_.end(),
        number,
        [](const std::int64_t n, const run& x) { return n < x.whole; }
    );

    if (r == runs_.begin())
    {
        return -1;
    }
    --r;

    return
        number < r->whole + r->count ? r->own + (number - r->whole) : -1;
}


// ************************************************************************* //
