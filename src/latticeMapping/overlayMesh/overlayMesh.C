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
#include "wholeBoundary.H"
#include "emptyPolyPatch.H"
#include "wedgePolyPatch.H"
#include "wallPolyPatch.H"
#include "cyclicPolyPatch.H"
#include "clockTime.H"

#include <algorithm>
#include <map>
#include <numeric>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::overlayMesh::setAxes()
{
    static const char* const names[] = {"x", "y", "z"};

    label emptyAxis = -1;
    label nEmptyFaces = 0;

    // Component along which a face is normal
    const auto normalAxis = [&](const vector& n)
    {
        label a = 0;
        for (label d = 1; d < 3; ++d)
        {
            if (mag(n[d]) > mag(n[a]))
            {
                a = d;
            }
        }
        return a;
    };

    // The first one of all processes
    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp) && pp.size() && emptyAxis == -1)
        {
            emptyAxis = normalAxis(pp[0].areaNormal(mesh_.points()));
        }
    }
    reduce(emptyAxis, maxOp<label>());

    for (label patchi = 0; patchi < boundary_.nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh_.boundaryMesh()[patchi];

        if
        (
            isA<wedgePolyPatch>(pp)
         || (pp.coupled() && !isA<cyclicPolyPatch>(pp))
        )
        {
            FatalErrorInFunction
                << "Patch " << pp.name() << " is of type " << pp.type() << nl
                << "    Possible are cyclic, empty, symmetry, symmetryPlane,"
                << " wall and patch" << nl
                << exit(FatalError);
        }

        if (!isA<emptyPolyPatch>(pp))
        {
            continue;
        }

        for (const face& f : pp)
        {
            const label axis = normalAxis(f.areaNormal(mesh_.points()));

            if (axis != emptyAxis)
            {
                FatalErrorInFunction
                    << "Empty patch " << pp.name() << " has a face normal to "
                    << names[axis] << " while other empty faces are normal to "
                    << names[emptyAxis] << nl
                    << "    Possible are three dimensions without empty"
                    << " patches, and two with empty patches normal to one"
                    << " axis;" << nl
                    << "    instead of a second empty direction, use a cyclic"
                    << " pair" << nl
                    << exit(FatalError);
            }
            ++nEmptyFaces;
        }
    }

    twoD_ = emptyAxis != -1;

    for (direction d = 0; d < 3; ++d)
    {
        axes_[d] = twoD_ ? (emptyAxis + 1 + d) % 3 : d;
    }

    if (!twoD_)
    {
        return;
    }

    for (label patchi = 0; patchi < boundary_.nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh_.boundaryMesh()[patchi];

        for (const face& f : pp)
        {
            const vector n(f.unitNormal(mesh_.points()));
            const scalar along = mag(n[emptyAxis]);

            if (isA<emptyPolyPatch>(pp) ? along < 0.999 : along > 0.01)
            {
                FatalErrorInFunction
                    << "Patch " << pp.name() << " of type " << pp.type()
                    << " has a face with normal " << n << " at "
                    << f.centre(mesh_.points()) << " m" << nl
                    << "    In two dimensions, faces of empty patches must be"
                    << " normal to " << names[emptyAxis]
                    << ", all others along it" << nl
                    << exit(FatalError);
            }
        }
    }

    if (nEmptyFaces != 2*mesh_.nCells())
    {
        FatalErrorInFunction
            << "The empty patches have " << nEmptyFaces << " faces for "
            << mesh_.nCells() << " cells, expected: " << 2*mesh_.nCells() << nl
            << "    A mesh between empty patches must be one cell thick, with"
            << " two empty faces on each cell" << nl
            << exit(FatalError);
    }

    const boundBox& box = mesh_.bounds();
    middle_ = box.midpoint()[axes_[2]];
    thickness_ = box.span()[axes_[2]];
}


void Foam::overlayMesh::setCyclic()
{
    const label nPatches = surface_.boundaryMesh().size();
    cyclic_.assign(nPatches, 0);
    separation_ = vectorField(nPatches, Zero);
    offset_.assign(nPatches, place{0, 0, 0});

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        const cyclicPolyPatch* cyclic = isA<cyclicPolyPatch>(pp);
        if (!cyclic)
        {
            continue;
        }

        const polyPatch& nbr = cyclic->neighbPatch();
        const pointField& points = surface_.points();
        vector& separation = separation_[pp.index()];

        cyclic_[pp.index()] = 1;

        forAll(pp, i)
        {
            separation += (nbr[i].centre(points) - pp[i].centre(points));
        }
        separation /= max(label(1), pp.size());

        forAll(pp, i)
        {
            const vector d(nbr[i].centre(points) - pp[i].centre(points));
            const scalar size = Foam::sqrt(pp[i].mag(points));

            if
            (
                mag(d - separation) > 0.01*size + 1e-5*mag(separation)
             || (pp[i].areaNormal(points) & nbr[i].areaNormal(points))
              > -0.99*pp[i].mag(points)*nbr[i].mag(points)
            )
            {
                FatalErrorInFunction
                    << "Face " << i << " of cyclic patch " << pp.name()
                    << " at " << pp[i].centre(points) << " m goes on at "
                    << nbr[i].centre(points) << " m on patch " << nbr.name()
                    << ", another way than the whole patch, which is shifted"
                    << " by " << separation << " m" << nl
                    << "    Possible are cyclic patches whose other half is"
                    << " the same, shifted, not turned" << nl
                    << exit(FatalError);
            }
        }
    }
}


Foam::label Foam::overlayMesh::patchOf(const label facei) const
{
    return surface_.boundaryMesh().patchID()[facei - surface_.nInternalFaces()];
}


void Foam::overlayMesh::noteMemory(const double more)
{
    report_.bytes = max
    (
        report_.bytes,
        fluid_.bytes()
      + double(links_.size())*sizeof(link)
      + double(owners_.capacity())*sizeof(owner)
      + double(nodeCells_.size())*sizeof(label)
      + more
    );
}


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


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::overlayMesh::overlayMesh
(
    const polyMesh& mesh,
    const wholeBoundary& boundary,
    const scalar spacing,
    const std::function<label(label)>& rank,
    const std::string& lattice
)
:
    mesh_(mesh),
    boundary_(boundary),
    surface_(boundary.surface()),
    rank_(rank),
    lattice_(lattice),
    axes_(direction(0)),
    twoD_(false),
    dx_(0),
    thickness_(0),
    middle_(0),
    origin_(Zero),
    size_{0, 0, 0}
{
    clockTime clock;
    scalar said = 0;
    const auto progress = [&](const char* what)
    {
        const scalar now = clock.elapsedTime();

        if (now - said > 3)
        {
            Info<< "    " << what << ": " << now << " s" << endl;
            said = now;
        }
    };

    setAxes();
    setCyclic();
    setSpacing(spacing);
    progress("Lattice spacing chosen");

    crossingList lines(crossings(families().front()));
    setFluid(lines);
    report_.nNodes = fluid_.nNodes();

    if (!report_.nNodes)
    {
        FatalErrorInFunction
            << "No node of spacing " << dx_ << " m lies in the mesh"
            << nl
            << "    Possible are spacings below the smallest width of"
            << " the mesh, " << cmptMin
            (
                mesh_.bounds().span()
              + (twoD_ ? GREAT : 0)*vector
                (
                    axes_[2] == 0,
                    axes_[2] == 1,
                    axes_[2] == 2
                )
            )
            << " m along an axis" << nl
            << exit(FatalError);
    }

    findLinks(lines);
    progress("Links found");

    checkCyclic();
    dropPockets();
    setHalfWay();
    progress("Regions found");

    report_.nNodes -= report_.nPocketNodes;
    report_.nLinks = links_.size();

    std::vector<std::uint8_t> linked
    (
        surface_.nFaces() - surface_.nInternalFaces(),
        0
    );
    for (const link& l : links_)
    {
        report_.nCyclicLinks += l.partner >= 0;
        linked[l.face - surface_.nInternalFaces()] = 1;
    }
    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (!isA<emptyPolyPatch>(pp))
        {
            const auto first =
                linked.begin() + (pp.start() - surface_.nInternalFaces());
            report_.nFacesWithoutLinks +=
                std::count(first, first + pp.size(), 0);
        }
    }

    setCells();
    progress("Cells of the nodes found");

    report_.seconds = clock.elapsedTime();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::point Foam::overlayMesh::position(const place& p) const
{
    point x;
    for (int a = 0; a < 3; ++a)
    {
        x[axes_[a]] = origin_[axes_[a]] + (p[a] + 0.5)*dx_;
    }
    if (twoD_)
    {
        x[axes_[2]] = middle_;
    }
    return x;
}


// ************************************************************************* //
