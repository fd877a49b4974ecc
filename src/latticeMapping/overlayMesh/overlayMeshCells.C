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
#include "emptyPolyPatch.H"
#include "allProcesses.H"
#include "PstreamReduceOps.H"

#include <algorithm>
#include <cmath>
#include <map>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::overlayMesh::setCells()
{
    const label nCells = mesh_.nCells();
    const int dims = nDims();

    // Face planes in lattice coordinates: normal . x <= offset at the owner
    typedef std::array<double, 4> plane;
    std::vector<plane> planes(mesh_.nFaces());
    std::vector<std::uint8_t> ignored(mesh_.nFaces(), 0);

    const auto toLattice = [&](const point& x)
    {
        std::array<double, 3> y{0, 0, 0};
        for (int a = 0; a < dims; ++a)
        {
            y[a] = (x[axes_[a]] - origin_[axes_[a]])/dx_ - 0.5;
        }
        return y;
    };

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp))
        {
            std::fill_n(ignored.begin() + pp.start(), pp.size(), 1);
        }
    }

    forAll(mesh_.faces(), facei)
    {
        const face& f = mesh_.faces()[facei];
        const vector n(f.unitNormal(mesh_.points()));
        const std::array<double, 3> y(toLattice(f.centre(mesh_.points())));

        plane& p = planes[facei];
        p[3] = 0;
        for (int a = 0; a < 3; ++a)
        {
            p[a] = a < dims ? n[axes_[a]] : 0;
            p[3] += p[a]*y[a];
        }
    }

    // Cell of each node, -1: none yet
    const bool parallel = Pstream::parRun();
    place begin, end;
    bound(begin, end);
    const fluidRuns clipped
    (
        parallel ? fluid_.clipped(begin, end) : fluidRuns()
    );
    const fluidRuns& around = parallel ? clipped : fluid_;
    labelList cellAt(around.nNodes(), -1);

    noteMemory
    (
        clipped.bytes()
      + double(cellAt.size())*sizeof(label)
      + double(planes.size())*(sizeof(plane) + 1)
    );

    for (label celli = 0; celli < nCells; ++celli)
    {
        const cell& faces = mesh_.cells()[celli];

        std::array<double, 3> low{GREAT, GREAT, GREAT};
        std::array<double, 3> high{-GREAT, -GREAT, -GREAT};
        for (const label facei : faces)
        {
            for (const label pointi : mesh_.faces()[facei])
            {
                const auto y(toLattice(mesh_.points()[pointi]));
                for (int a = 0; a < 3; ++a)
                {
                    low[a] = std::min(low[a], y[a]);
                    high[a] = std::max(high[a], y[a]);
                }
            }
        }

        std::array<std::int64_t, 3> first, last;
        for (int a = 0; a < 3; ++a)
        {
            first[a] = std::max
            (
                std::int64_t(std::ceil(low[a] - 1e-9)),
                std::int64_t(0)
            );
            last[a] = std::min
            (
                std::int64_t(std::floor(high[a] + 1e-9)),
                size_[a] - 1
            );
        }

        for (std::int64_t k = first[2]; k <= last[2]; ++k)
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
        {
            // The part of the row that is behind all faces
            double from = first[0];
            double to = last[0];

            for (const label facei : faces)
            {
                if (ignored[facei])
                {
                    continue;
                }
                const plane& p = planes[facei];
                const double s = mesh_.faceOwner()[facei] == celli ? 1 : -1;
                const double rest = s*(p[3] - p[1]*j - p[2]*k) + 1e-9;
                const double n = s*p[0];

                if (n > 1e-12)
                {
                    to = std::min(to, rest/n);
                }
                else if (n < -1e-12)
                {
                    from = std::max(from, rest/n);
                }
                else if (rest < 0)
                {
                    to = -1;
                }
                if (from > to)
                {
                    break;
                }
            }
            if (from > to)
            {
                continue;
            }

            std::int64_t i = std::int64_t(std::ceil(from));
            const std::int64_t end = std::int64_t(std::floor(to)) + 1;
            const auto row = around.row(j, k);

            for (auto r = row.from(i); r != row.end() && r->begin < end; ++r)
            {
                i = std::max<std::int64_t>(i, r->begin);
                label* const cell = cellAt.data() + (r->first - r->begin);

                for (; i < end && i < r->end; ++i)
                {
                    if (cell[i] == -1)
                    {
                        cell[i] = celli;
                    }
                }
            }
        }
    }

    if (parallel)
    {
        shareNodes(around, cellAt);
    }
    else
    {
        owners_ = {{0, 0}, {fluid_.nNodes(), -1}};
    }

    // The others: the nearest of the cells of their neighbours, and of those
    // next to these
    struct openNode
    {
        place p;
        std::int64_t number;
    };
    std::vector<openNode> open;

    const auto addOpen = [&]
    (
        const place& p,
        const std::int64_t number,
        const std::int64_t count
    )
    {
        for (std::int64_t i = 0; i < count; ++i)
        {
            open.push_back({{p[0] + i, p[1], p[2]}, number + i});
        }
    };

    if (parallel)
    {
        for (std::size_t i = 0; i + 1 < owners_.size(); ++i)
        {
            if (owners_[i].process == -1)
            {
                const std::int64_t first = owners_[i].first;
                fluid_.forNodes(first, owners_[i + 1].first - first, addOpen);
            }
        }
    }
    else
    {
        for (label n = cellAt.find(-1); n != -1; n = cellAt.find(-1, n + 1))
        {
            fluid_.forNodes(n, 1, addOpen);
        }
    }
    report_.nNearestCell = open.size();

    // What becomes of them; their cells where they are not around
    std::map<std::int64_t, int> openProcesses;
    std::map<place, label> elsewhere;

    const auto cellOf = [&](const place& p)
    {
        const std::int64_t n = around.number(p);

        if (n != -1)
        {
            return cellAt[n];
        }

        const auto found = elsewhere.find(p);
        return found == elsewhere.end() ? label(-1) : found->second;
    };

    const auto setCell = [&](const place& p, const label celli)
    {
        const std::int64_t n = around.number(p);
        (n != -1 ? cellAt[n] : elsewhere[p]) = celli;
    };

    const pointField& centres = mesh_.cellCentres();
    const auto distance = [&](const label celli, const place& p)
    {
        vector d(centres[celli] - position(p));
        if (twoD_)
        {
            d[axes_[2]] = 0;
        }
        return magSqr(d);
    };

    while (open.size())
    {
        std::vector<openNode> rest;
        std::vector<label> found;
        scalarField lengths(open.size(), GREAT);

        for (const openNode& n : open)
        {
            const place& p = n.p;
            label best = -1;
            scalar least = GREAT;

            for (int a = 0; a < dims; ++a)
            for (int step = -1; step <= 1; step += 2)
            {
                place q(p);
                q[a] += step;

                const label celli = cellOf(q);
                if (celli == -1)
                {
                    continue;
                }

                const auto consider = [&](const label cellj)
                {
                    const scalar d = distance(cellj, p);
                    if (d < least)
                    {
                        least = d;
                        best = cellj;
                    }
                };

                consider(celli);
                for (const label cellj : mesh_.cellCells()[celli])
                {
                    consider(cellj);
                }
            }
            lengths[found.size()] = least;
            found.push_back(best);
        }

        // -2: that of another process
        const auto giveToNearest = [&]()
        {
            if (!parallel)
            {
                return;
            }

            const List<scalarField> all(allProcesses(lengths));

            for (std::size_t i = 0; i < open.size(); ++i)
            {
                int nearest = -1;
                scalar least = GREAT;
                forAll(all, proci)
                {
                    if (all[proci][i] < least)
                    {
                        least = all[proci][i];
                        nearest = proci;
                    }
                }

                openProcesses[open[i].number] = nearest;
                if (nearest != -1 && nearest != Pstream::myProcNo())
                {
                    found[i] = -2;
                }
            }
        };
        giveToNearest();

        bool progress = false;
        for (std::size_t i = 0; i < open.size(); ++i)
        {
            if (found[i] == -1)
            {
                rest.push_back(open[i]);
            }
            else
            {
                setCell(open[i].p, max(found[i], label(-1)));
                progress = true;
            }
        }

        if (!progress)
        {
            open.swap(rest);
            lengths.setSize(open.size());
            found.assign(open.size(), -1);
            for (std::size_t i = 0; i < open.size(); ++i)
            {
                const place& p = open[i].p;
                lengths[i] = GREAT;
                for (label celli = 0; celli < nCells; ++celli)
                {
                    const scalar d = distance(celli, p);
                    if (d < lengths[i])
                    {
                        lengths[i] = d;
                        found[i] = celli;
                    }
                }
            }
            giveToNearest();
            for (std::size_t i = 0; i < open.size(); ++i)
            {
                setCell(open[i].p, max(found[i], label(-1)));
            }
            rest.clear();
        }
        open.swap(rest);
    }

    if (parallel)
    {
        std::vector<owner> all;

        const auto add = [&](const std::int64_t first, const int process)
        {
            if (all.empty() || all.back().process != process)
            {
                all.push_back({first, process});
            }
        };

        auto next = openProcesses.cbegin();
        for (std::size_t i = 0; i + 1 < owners_.size(); ++i)
        {
            if (owners_[i].process != -1)
            {
                add(owners_[i].first, owners_[i].process);
                continue;
            }
            for
            (
                ;
                next != openProcesses.cend()
             && next->first < owners_[i + 1].first;
                ++next
            )
            {
                add(next->first, next->second);
            }
        }
        all.push_back({fluid_.nNodes(), -1});
        owners_.swap(all);
    }

    setRuns();

    if (parallel)
    {
        nodeCells_.setSize
        (
            runs_.empty() ? 0 : runs_.back().own + runs_.back().count
        );
        for (const run& r : runs_)
        {
            label* cell = nodeCells_.data() + r.own;

            fluid_.forNodes
            (
                r.whole,
                r.count,
                [&](place p, std::int64_t, const std::int64_t count)
                {
                    for (std::int64_t i = 0; i < count; ++i, ++p[0])
                    {
                        *cell++ = cellOf(p);
                    }
                }
            );
        }
    }
    else
    {
        nodeCells_.transfer(cellAt);
    }

    std::vector<std::uint8_t> hasNode(nCells, 0);
    for (const label celli : nodeCells_)
    {
        hasNode[celli] = 1;
    }

    report_.nCellsWithoutNodes = returnReduce
    (
        label(std::count(hasNode.begin(), hasNode.end(), 0)),
        sumOp<label>()
    );
}


// ************************************************************************* //
