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

#include "latticeCells.H"
#include "latticeCellsFunctions.H"
#include "latticeMapping.H"
#include "neighbourhood.H"
#include "overlayMesh.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeCells::latticeCells
(
    const latticeMapping& mapping,
    const fvMesh& mesh,
    const overlayMesh& overlay,
    const std::vector<lbm::linkGroup>& others,
    const labelUList& seedNodes
)
:
    nodeCells_(mapping.nodeCells()),
    nReceived_(0),
    nMean_(0),
    nFitted_(0),
    nNearest_(0)
{
    const neighbourhood nodes(mapping, overlay, others);
    const vectorField& C = mesh.cellCentres();
    const labelList& nodeCells = mapping.nodeCells();
    const int nDims = mapping.twoD() ? 2 : 3;
    const int nCorners = 1 << nDims;

    vectorField centres(C.size());
    forAll(C, celli)
    {
        centres[celli] = nodes.coordinates(C[celli]);
    }
    boolList hasMean;
    mean_ = meanWeights(mapping, overlay, centres, hasMean);

    // By their numbers in the whole lattice: what a node gives to a cell
    const auto give = []
    (
        const overlayMesh& overlay,
        std::vector<share>& own,
        std::vector<share>& remote,
        const label number,
        const label celli,
        const scalar weight
    )
    {
        const label node = overlay.ownNumber(number);

        if (node != -1)
        {
            own.push_back({node, celli, float(weight)});
        }
        else
        {
            remote.push_back({number, celli, float(weight)});
        }
    };

    // In corners the mean is the velocity's alone
    const boolList inCorner(cellsInCorners(mesh));

    for (std::size_t node = 0; node < mean_.size(); ++node)
    {
        if (mean_[node] != 0 && inCorner[nodeCells[node]])
        {
            velocity_.push_back
            ({
                label(node),
                nodeCells[node],
                mean_[node]
            });
            mean_[node] = 0;
        }
    }

    // Some node that gives to the cell, by its number in the whole lattice; -1
    // if none does
    labelList nearest(mesh.nCells(), -1);
    bool complete = true;

    forAll(hasMean, celli)
    {
        nMean_ += hasMean[celli];
    }

    both_.reserve(std::size_t(nCorners)*(mesh.nCells() - nMean_));

    std::vector<neighbourhood::source> sources;
    std::vector<scalar> weights;

    const int width = 2*reach + 1;
    const int nBlock = width*width*(nDims > 2 ? width : 1);
    std::vector<std::int8_t> reached(nBlock);
    std::vector<int> stack;

    const auto middleOf = [&](const vector& x)
    {
        return place
        {
            std::int64_t(std::round(x[0])),
            std::int64_t(std::round(x[1])),
            std::int64_t(std::round(x[2]))
        };
    };

    const auto inBlock = [&](const place& middle, const int i)
    {
        return place
        {
            middle[0] + i % width - reach,
            middle[1] + (i/width) % width - reach,
            nDims > 2 ? middle[2] + i/(width*width) - reach : 0
        };
    };

    // Where the nearest node is another process's, cells of the nodes around
    std::map<label, cellOfAll> theirCells;

    if (Pstream::parRun())
    {
        std::set<label> numbers;

        forAll(C, celli)
        {
            const label seed = seedNodes[celli];

            if (seed == -1 || overlay.ownNumber(seed) != -1)
            {
                continue;
            }

            numbers.insert(seed);

            for (int i = 0; i < nBlock; ++i)
            {
                const label number =
                    nodes.number(inBlock(middleOf(centres[celli]), i));

                if (number != -1 && overlay.ownNumber(number) == -1)
                {
                    numbers.insert(number);
                }
            }
        }

        theirCells = cellsOf(numbers, overlay, nodeCells);
    }

    const auto cellOf = [&](const label number)
    {
        const label node = overlay.ownNumber(number);

        if (node != -1)
        {
            return cellOfAll(Pstream::myProcNo(), nodeCells[node]);
        }

        const auto found = theirCells.find(number);

        return found == theirCells.end() ? cellOfAll(-1, -1) : found->second;
    };

    forAll(C, celli)
    {
        const vector& x = centres[celli];

        if (hasMean[celli] && !inCorner[celli])
        {
            nearest[celli] = seedNodes[celli];
            continue;
        }

        std::vector<share>& shares = hasMean[celli] ? density_ : both_;
        std::vector<share>& remoteShares =
            hasMean[celli] ? remoteDensity_ : remoteBoth_;

        place base;
        vector f;
        for (int a = 0; a < 3; ++a)
        {
            base[a] = std::floor(x[a]);
            f[a] = x[a] - base[a];

            // Centres on a node need no other ones
            if (f[a] > 1 - 1e-6)
            {
                ++base[a];
                f[a] = 0;
            }
            else if (f[a] < 1e-6)
            {
                f[a] = 0;
            }
        }

        // The nodes around the centre

        place corner[8];
        scalar weight[8];
        bool all = true;
        bool shell = false;

        for (int i = 0; i < nCorners; ++i)
        {
            weight[i] = 1;
            for (int a = 0; a < 3; ++a)
            {
                const int up = (i >> a) & 1;
                corner[i][a] = base[a] + up;
                weight[i] *= up ? f[a] : 1 - f[a];
            }

            if (weight[i] > 0)
            {
                all = all && nodes.fluid(corner[i]);
                shell =
                    shell || (all && nodes.inShell(corner[i]) != -1);
            }
        }

        // No walls between them?
        if (all && shell)
        {
            for (int i = 0; i < nCorners; ++i)
            {
                for (int a = 0; a < nDims; ++a)
                {
                    const int j = i ^ (1 << a);

                    all =
                        all
                     && (
                            weight[i] == 0
                         || weight[j] == 0
                         || nodes.open(corner[i], a, j > i)
                        );
                }
            }
        }

        if (all)
        {
            for (int i = 0; i < nCorners; ++i)
            {
                if (weight[i] > 0)
                {
                    nearest[celli] = nodes.number(corner[i]);
                    give
                    (
                        overlay,
                        shares,
                        remoteShares,
                        nearest[celli],
                        celli,
                        weight[i]
                    );
                }
            }
            continue;
        }

        // A fit: go from the nearest node, if possible in the cell or one that
        // is joined to it, to others

        place middle(middleOf(x));

        const auto placeOf = [&](const int i)
        {
            return inBlock(middle, i);
        };

        const auto distance = [&](const place& p)
        {
            return vector(p[0] - x[0], p[1] - x[1], p[2] - x[2]);
        };

        const label seedNode = seedNodes[celli];

        int seed = -1;
        scalar seedDistance = GREAT;

        for (int i = 0; i < nBlock; ++i)
        {
            reached[i] = 0;

            const place p(placeOf(i));
            const label node = nodes.number(p);

            if (node != -1)
            {
                const scalar d = magSqr(distance(p));

                if
                (
                    d < seedDistance
                 && (seedNode == -1 || cellOf(node) == cellOf(seedNode))
                )
                {
                    seed = i;
                    seedDistance = d;
                }
            }
        }

        if (seed == -1 && seedNode != -1)
        {
            // Too far away: around the node instead of the centre
            middle = overlay.fluid().placeOf(seedNode);
            seed = nBlock/2;
        }

        if (seed == -1)
        {
            complete = false;
            continue;
        }

        sources.clear();
        stack.assign(1, seed);
        reached[seed] = 1;

        while (!stack.empty())
        {
            const int i = stack.back();
            stack.pop_back();

            const place p(placeOf(i));

            sources.push_back
            ({
                distance(p),
                nodes.number(p),
                -1,
                -1
            });

            int stride = 1;
            for (int a = 0; a < nDims; ++a)
            {
                const int at = (i/stride) % width;

                for (int up = 0; up < 2; ++up)
                {
                    const int j = i + (up ? stride : -stride);

                    if
                    (
                        (up ? at < width - 1 : at > 0)
                     && !reached[j]
                     && nodes.fluid(placeOf(j))
                     && nodes.open(p, a, up)
                    )
                    {
                        reached[j] = 1;
                        stack.push_back(j);
                    }
                }
                stride *= width;
            }
        }

        const std::size_t nNodes = sources.size();
        nearest[celli] = sources[0].node;

        const auto add =
        [&](std::vector<share>& shares, std::vector<share>& remoteShares)
        {
            for (std::size_t i = 0; i < sources.size(); ++i)
            {
                if (sources[i].node != -1)
                {
                    give
                    (
                        overlay,
                        shares,
                        remoteShares,
                        sources[i].node,
                        celli,
                        weights[i]
                    );
                }
                else if (sources[i].group != -1)
                {
                    faces_.push_back
                    ({
                        sources[i].group,
                        sources[i].face,
                        celli,
                        float(weights[i])
                    });
                }
            }
        };

        bool fitted = fitOrMean(sources, nDims, weights);

        add(density_, remoteDensity_);

        if (hasMean[celli])
        {
            continue;
        }

        for (std::size_t i = 0; i < nNodes; ++i)
        {
            place p;
            for (int a = 0; a < 3; ++a)
            {
                p[a] = std::llround(sources[i].d[a] + x[a]);
            }

            if (nodes.inShell(p) != -1)
            {
                const vector d(sources[i].d);
                nodes.addWalls(p, x, d, sources);
            }
        }

        fitted = fitOrMean(sources, nDims, weights) && fitted;

        add(velocity_, remoteVelocity_);

        ++(fitted ? nFitted_ : nNearest_);
    }

    // Cells far from any node: go through the mesh

    if (!complete)
    {
        const labelList& owner = mesh.faceOwner();
        const labelList& neighbour = mesh.faceNeighbour();

        labelList ahead(nearest);

        for (bool changed = true; changed; )
        {
            changed = false;

            forAll(neighbour, facei)
            {
                const label a = owner[facei];
                const label b = neighbour[facei];

                if ((nearest[a] == -1) != (nearest[b] == -1))
                {
                    ahead[a] = max(ahead[a], nearest[b]);
                    ahead[b] = max(ahead[b], nearest[a]);
                    changed = true;
                }
            }

            forAll(nearest, celli)
            {
                if (nearest[celli] == -1 && ahead[celli] != -1)
                {
                    nearest[celli] = ahead[celli];
                    give
                    (
                        overlay, both_, remoteBoth_, nearest[celli], celli, 1
                    );
                    ++nNearest_;
                }
            }
        }

        // Parts of the mesh without any node
        forAll(nearest, celli)
        {
            if (nearest[celli] != -1)
            {
                continue;
            }

            scalar smallest = GREAT;

            const auto nearestOf =
            [&](const std::int64_t rowi, const fluidRuns::run& r)
            {
                const std::int64_t ny = overlay.size()[1];
                const std::int64_t near = std::floor(centres[celli][0]);

                // Those to both sides, or the end that is nearest
                const std::int64_t begin = std::min<std::int64_t>
                (
                    std::max<std::int64_t>(near, r.begin),
                    r.end - 1
                );
                const std::int64_t end =
                    std::min<std::int64_t>(begin + 2, r.end);

                for (std::int64_t i = begin; i < end; ++i)
                {
                    const scalar d = magSqr
                    (
                        mapping.centreAt({i, rowi % ny, rowi/ny}) - C[celli]
                    );

                    if (d < smallest)
                    {
                        smallest = d;
                        nearest[celli] = r.first + (i - r.begin);
                    }
                }
            };

            overlay.fluid().forRuns(nearestOf);

            if (nearest[celli] != -1)
            {
                give(overlay, both_, remoteBoth_, nearest[celli], celli, 1);
                ++nNearest_;
            }
        }
    }

    const auto byNode = [](const share& a, const share& b)
    {
        return a.node < b.node || (a.node == b.node && a.cell < b.cell);
    };

    std::sort(both_.begin(), both_.end(), byNode);
    std::sort(density_.begin(), density_.end(), byNode);
    std::sort(velocity_.begin(), velocity_.end(), byNode);
    std::sort(remoteBoth_.begin(), remoteBoth_.end(), byNode);
    std::sort(remoteDensity_.begin(), remoteDensity_.end(), byNode);
    std::sort(remoteVelocity_.begin(), remoteVelocity_.end(), byNode);
    std::sort
    (
        faces_.begin(),
        faces_.end(),
        [](const faceShare& a, const faceShare& b)
        {
            return
                a.group < b.group
             || (
                    a.group == b.group
                 && (a.face < b.face || (a.face == b.face && a.cell < b.cell))
                );
        }
    );

    both_.shrink_to_fit();
    density_.shrink_to_fit();
    velocity_.shrink_to_fit();
    faces_.shrink_to_fit();

    if (Pstream::parRun())
    {
        setExchanges(overlay);
    }
}


// ************************************************************************* //
