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
#include <memory>

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

    // Cell of each fluid node, -1: none yet. Not set elsewhere: what is not
    // touched takes no memory
    const std::unique_ptr<label[]> cellAt(new label[fluid_.size()]);
    forFluid([&](const std::int64_t n) { cellAt[n] = -1; });
    noteMemory
    (
        double(fluid_.size())*sizeof(label)
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

            const std::int64_t row = size_[0]*(j + size_[1]*k);
            for
            (
                std::int64_t i = std::int64_t(std::ceil(from));
                i <= to;
                ++i
            )
            {
                if (fluid_[row + i] && cellAt[row + i] == -1)
                {
                    cellAt[row + i] = celli;
                }
            }
        }
    }

    // Process of each fluid node, -1: none yet
    const bool parallel = Pstream::parRun();
    const std::unique_ptr<int[]> processAt
    (
        parallel ? new int[fluid_.size()] : nullptr
    );
    if (parallel)
    {
        shareNodes(cellAt.get(), processAt.get());
    }

    // The others: the nearest of the cells of their neighbours, and of those
    // next to these
    std::vector<std::int64_t> open;
    forFluid([&](const std::int64_t n)
    {
        if (parallel ? processAt[n] == -1 : cellAt[n] == -1)
        {
            open.push_back(n);
        }
    });
    report_.nNearestCell = open.size();

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
        std::vector<std::int64_t> rest;
        std::vector<label> found;
        scalarField lengths(open.size(), GREAT);

        for (const std::int64_t n : open)
        {
            const place p(placeOf(n));
            label best = -1;
            scalar least = GREAT;

            for (int a = 0; a < dims; ++a)
            for (int step = -1; step <= 1; step += 2)
            {
                place q(p);
                q[a] += step;
                if (!isFluid(q) || cellAt[index(q)] == -1)
                {
                    continue;
                }

                const label celli = cellAt[index(q)];
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

                processAt[open[i]] = nearest;
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
                cellAt[open[i]] = found[i] >= 0 ? found[i] : -1;
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
                const place p(placeOf(open[i]));
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
                cellAt[open[i]] = found[i] >= 0 ? found[i] : -1;
            }
            rest.clear();
        }
        open.swap(rest);
    }

    std::vector<std::uint8_t> hasNode(nCells, 0);
    nodeCells_.resize(report_.nNodes);
    label count = 0;
    forFluid([&](const std::int64_t n)
    {
        nodeCells_[count++] = cellAt[n];
        if (cellAt[n] != -1)
        {
            hasNode[cellAt[n]] = 1;
        }
        if (parallel)
        {
            nodeProcesses_.push_back(processAt[n]);
        }
    });

    report_.nCellsWithoutNodes = returnReduce
    (
        label(std::count(hasNode.begin(), hasNode.end(), 0)),
        sumOp<label>()
    );
}


void Foam::overlayMesh::shareNodes(label* cellAt, int* processAt) const
{
    // Nodes that follow one another: first and number
    DynamicList<std::int64_t> own;
    std::int64_t last = -2;

    forFluid([&](const std::int64_t n)
    {
        processAt[n] = -1;

        if (cellAt[n] == -1)
        {
            return;
        }
        if (n == last + 1)
        {
            ++own.last();
        }
        else
        {
            own.append(n);
            own.append(1);
        }
        last = n;
    });

    const auto all(allProcesses(List<std::int64_t>(std::move(own))));

    // On a face between two processes: the first of them
    forAll(all, proci)
    {
        for (label i = 0; i < all[proci].size(); i += 2)
        {
            const std::int64_t end = all[proci][i] + all[proci][i + 1];

            for (std::int64_t n = all[proci][i]; n < end; ++n)
            {
                if (processAt[n] == -1)
                {
                    processAt[n] = proci;
                }
                else if (proci == Pstream::myProcNo())
                {
                    cellAt[n] = -1;
                }
            }
        }
    }
}


// ************************************************************************* //
