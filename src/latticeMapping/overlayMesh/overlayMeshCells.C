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
#include "wholeBoundary.H"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

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
