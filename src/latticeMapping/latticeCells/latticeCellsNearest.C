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
#include "overlayMesh.H"
#include "processorCyclicPolyPatch.H"
#include "PstreamReduceOps.H"
#include "syncTools.H"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes to which the way through the mesh is shortest (latticeCells.H).
//  \param x centres of the cells, in coordinates of nodes
labelList nearestTo
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const fvMesh& mesh,
    const vectorField& x
)
{
    typedef std::pair<scalar, label> way;

    const labelList& nodeCells = mapping.nodeCells();

    labelList result(x.size(), -1);
    scalarField length(x.size(), GREAT);

    const auto compare =
    [&](const label node, const label number, const vector& place)
    {
        const label celli = nodeCells[node];
        const scalar d = mag(place - x[celli]);

        if (d < length[celli])
        {
            length[celli] = d;
            result[celli] = number;
        }
    };

    forOwn(overlay, compare);

    std::priority_queue<way, std::vector<way>, std::greater<way>> ways;
    const labelListList& cellCells = mesh.cellCells();

    // Cells with nodes of their own stay as they are
    boolList own(x.size(), false);

    forAll(own, celli)
    {
        if (result[celli] != -1)
        {
            own[celli] = true;
            ways.push({length[celli], celli});
        }
    }

    // Centres beyond faces between processes
    vectorField beyond;
    syncTools::swapBoundaryCellList(mesh, x, beyond);

    const auto follow = [&]()
    {
        while (!ways.empty())
        {
            const way at = ways.top();
            ways.pop();

            const label celli = at.second;

            if (at.first > length[celli])
            {
                continue;
            }

            for (const label cellj : cellCells[celli])
            {
                const scalar d = at.first + mag(x[cellj] - x[celli]);

                if (!own[cellj] && d < length[cellj])
                {
                    length[cellj] = d;
                    result[cellj] = result[celli];
                    ways.push({d, cellj});
                }
            }
        }
    };

    follow();

    // Ways from the cells of other processes, as long as they make any shorter
    while (Pstream::parRun())
    {
        scalarField theirLength;
        labelList theirs;
        syncTools::swapBoundaryCellList(mesh, length, theirLength);
        syncTools::swapBoundaryCellList(mesh, result, theirs);

        for (const polyPatch& pp : mesh.boundaryMesh())
        {
            if
            (
                !isA<processorPolyPatch>(pp)
             || isA<processorCyclicPolyPatch>(pp)
            )
            {
                continue;
            }

            forAll(pp, i)
            {
                const label facei = pp.start() + i - mesh.nInternalFaces();
                const label celli = pp.faceCells()[i];
                const scalar d =
                    theirLength[facei] + mag(x[celli] - beyond[facei]);

                if (theirs[facei] != -1 && !own[celli] && d < length[celli])
                {
                    length[celli] = d;
                    result[celli] = theirs[facei];
                    ways.push({d, celli});
                }
            }
        }

        if (!returnReduce(!ways.empty(), orOp<bool>()))
        {
            break;
        }

        follow();
    }

    return result;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

Foam::labelList Foam::latticeCells::nearestNodes
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const fvMesh& mesh
)
{
    const vector first(firstNode(mapping));
    const vectorField& C = mesh.cellCentres();

    vectorField centres(C.size());
    forAll(C, celli)
    {
        centres[celli] = nodeCoordinates(mapping, first, C[celli]);
    }

    return nearestTo(mapping, overlay, mesh, centres);
}


// ************************************************************************* //
