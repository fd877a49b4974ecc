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
#include "overlayMeshShared.H"
#include "polyMesh.H"
#include "parallel.H"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

template<class Function>
void Foam::overlayMesh::forEnds
(
    const lineFamily& lf,
    const Function& f
) const
{
    place p;
    for (p[2] = -1; p[2] <= size_[2]; ++p[2])
    for (p[1] = -1; p[1] <= size_[1]; ++p[1])
    {
        const auto compared = [&]
        (
            const std::int64_t begin,
            const std::int64_t end,
            const bool here,
            const bool there
        )
        {
            p[0] = begin;

            if (here != there)
            {
                f(here ? p : next(p, lf.c, 1), end - begin, here ? 1 : -1);
            }
        };

        fluidRuns::compare
        (
            fluid_.row(p[1], p[2]),
            fluid_.row(p[1] + lf.c[1], p[2] + lf.c[2]),
            lf.c[0],
            compared
        );
    }
}


Foam::overlayMesh::link Foam::overlayMesh::linkOf
(
    const lineFamily& lf,
    const crossingList& lines,
    const place& p,
    const int sign,
    const bool beyond,
    linesFound& found
) const
{
    destination to(follow(lf, lines, p, sign, 0));

    if (to.fate == destination::NOWHERE)
    {
        to = follow(lf, lines, p, sign, -samePlace);
    }

    link l;
    l.node = index(p);
    l.partner = -1;
    l.direction = sign > 0 ? lf.up : lf.down;

    if (to.fate == destination::ARRIVES && !beyond)
    {
        l.partner = index(to.node);
        l.face = to.face;
        l.distance = 0.5;
    }
    else if (to.fate == destination::WALL)
    {
        l.face = to.face;
        l.distance =
            std::abs(to.distance - 0.5) < samePlace ? 0.5 : to.distance;
    }
    else
    {
        if (to.fate == destination::ARRIVES || to.face != -1)
        {
            ++found.nCyclicWalls;
        }
        else
        {
            ++found.nNearestFace;
        }
        l.face = -1;
        l.distance = 0.5;
    }

    return l;
}


void Foam::overlayMesh::addLinks
(
    const lineFamily& lf,
    const crossingList& lines,
    linesFound& found
) const
{
    forEnds(lf, [&](place p, const std::int64_t n, const int sign)
    {
        for (const std::int64_t end = p[0] + n; p[0] < end; ++p[0])
        {
            *found.next++ = linkOf(lf, lines, p, sign, false, found);
        }
    });

    // Solid between two fluid nodes: where a line leaves the mesh and comes
    // back on one link
    const std::int64_t n = size_[lf.a];
    const std::int64_t width = size_[lf.b] + 2*n;

    const crossing* out = nullptr;
    std::int64_t last = -1;

    for (const crossing& x : lines)
    {
        if (x.touch)
        {
            continue;
        }
        if (x.out)
        {
            out = &x;
            continue;
        }
        if
        (
            !out
         || out->line != x.line
         || std::floor(out->at) != std::floor(x.at)
        )
        {
            continue;
        }

        place q;
        q[lf.a] = std::int64_t(std::floor(x.at));
        q[lf.b] = x.line % width - n + lf.c[lf.b]*q[lf.a];
        q[lf.d] = x.line/width - n + lf.c[lf.d]*q[lf.a];

        const place r(next(q, lf.c, 1));

        if (isFluid(q) && isFluid(r) && index(q) != last)
        {
            last = index(q);
            ++found.nThinWalls;
            found.thin.push_back(linkOf(lf, lines, q, 1, true, found));
            found.thin.push_back(linkOf(lf, lines, r, -1, true, found));
        }
    }
}


void Foam::overlayMesh::findLinks(crossingList& first)
{
    const auto all = families();
    std::vector<linesFound> found(all.size());

    // Room for all, where each family has its own
    std::vector<std::size_t> ends(1, 0);
    for (const lineFamily& lf : all)
    {
        ends.push_back(ends.back());
        forEnds(lf, [&](const place&, const std::int64_t n, int)
        {
            ends.back() += n;
        });
    }
    // Few links more between fluid nodes; what is not used takes no memory
    links_.reserve(ends.back() + ends.back()/8 + 64);
    links_.resize(ends.back());

    for (std::size_t i = 0; i < all.size(); ++i)
    {
        found[i].next = links_.data() + ends[i];
    }

    // Made when first asked for, which threads may not do at once
    surface_.boundaryMesh().patchID();

    const int nThreads = std::min<std::int64_t>
    (
        all.size(), lbm::hostThreads(nBox())
    );
    std::atomic<std::size_t> next(0);
    lbm::onThreads(nThreads, [&](int, int)
    {
        for (std::size_t i = next++; i < all.size(); i = next++)
        {
            const lineFamily& lf = all[i];
            crossingList lines;
            if (i == 0)
            {
                lines.swap(first);
            }
            else
            {
                lines = crossings(lf);
            }
            found[i].bytes = double(lines.capacity())*sizeof(crossing);
            clean(lines);
            if (lf.c[0]*lf.c[0] + lf.c[1]*lf.c[1] + lf.c[2]*lf.c[2] == 1)
            {
                findPassage(lf, lines, found[i].width, found[i].narrowest);
            }
            addLinks(lf, lines, found[i]);
        }
    });

    std::vector<double> bytes;
    for (const linesFound& f : found)
    {
        bytes.push_back(f.bytes);
    }
    std::sort(bytes.rbegin(), bytes.rend());
    noteMemory(std::accumulate(bytes.begin(), bytes.begin() + nThreads, 0.0));

    scalar width = GREAT;
    for (const linesFound& f : found)
    {
        for (const link& l : f.thin)
        {
            links_.push_back(l);
            thinLinks_.push_back(linkKey(l.node, l.direction));
        }
        report_.nThinWalls += f.nThinWalls;
        report_.nCyclicWalls += f.nCyclicWalls;
        report_.nNearestFace += f.nNearestFace;
        if (f.width < width)
        {
            width = f.width;
            report_.narrowestPlace = f.narrowest;
        }
    }
    for (link& l : links_)
    {
        if (l.face == -1)
        {
            l.face = nearestFace(placeOf(l.node));
        }
    }
    if (width < GREAT)
    {
        report_.narrowestPassage = label(width/dx_ + 1e-3);
    }

    std::sort
    (
        links_.begin(),
        links_.end(),
        [](const link& l, const link& m)
        {
            return
                l.node < m.node
             || (l.node == m.node && l.direction < m.direction);
        }
    );
    std::sort(thinLinks_.begin(), thinLinks_.end());
}


const Foam::overlayMesh::link* Foam::overlayMesh::findLink
(
    const std::int64_t node,
    const int direction
) const
{
    const auto i = std::lower_bound
    (
        links_.begin(),
        links_.end(),
        node,
        [&](const link& l, const std::int64_t)
        {
            return
                l.node < node || (l.node == node && l.direction < direction);
        }
    );

    return
        i != links_.end() && i->node == node && i->direction == direction
      ? &*i
      : nullptr;
}


void Foam::overlayMesh::checkCyclic()
{
    bool changed = true;
    while (changed)
    {
        changed = false;
        for (link& l : links_)
        {
            if (l.partner < 0)
            {
                continue;
            }
            const int opposite = l.direction % 2 ? l.direction + 1 : l.direction - 1;
            const link* back = findLink(l.partner, opposite);

            if (!back || back->partner != l.node)
            {
                l.partner = -1;
                l.face = nearestFace(placeOf(l.node));
                ++report_.nCyclicWalls;
                changed = true;
            }
        }
    }
}


void Foam::overlayMesh::setHalfWay()
{
    for (link& l : links_)
    {
        if (l.partner >= 0 || l.distance == 0.5f)
        {
            continue;
        }
        const int opposite = l.direction % 2 ? l.direction + 1 : l.direction - 1;
        const link* behind = findLink(l.node, opposite);

        if (behind && behind->partner < 0)
        {
            l.distance = 0.5;
            ++report_.nHalfWay;
        }
    }
}


// ************************************************************************* //
