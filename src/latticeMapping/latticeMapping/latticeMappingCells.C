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
#include "latticeUnits.H"
#include "parallel.H"

// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::labelList Foam::latticeMapping::closestNodes() const
{
    return
        cells_.valid()
      ? cells_->closestNodes(mesh_.nCells())
      : labelList();
}


void Foam::latticeMapping::addToCells
(
    const label first,
    const label count,
    const double* rho,
    const double* u,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (cells_.valid())
    {
        cells_->addNodes(first, count, rho, u, rhoCells, uCells);
        return;
    }

    const scalar share = 1.0/nodesPerCell();
    const label nodesPerThread = latticeCells::nodesPerThread;

    const auto add = [&](const label i, const label celli)
    {
        rhoCells[celli] += share*rho[i];

        if (u)
        {
            uCells[celli] += share*vector(u[3*i], u[3*i + 1], u[3*i + 2]);
        }
    };

    if (nodesPerCell() == 1)
    {
        lbm::inParallel(count, [&](std::int64_t begin, std::int64_t end)
        {
            for (label i = begin; i < end; ++i)
            {
                add(i, nodeCells_[first + i]);
            }
        }, nodesPerThread);
        return;
    }

    const int nParts = lbm::hostThreads(count, nodesPerThread);

    lbm::onThreads(nParts, [&](int thread, int nThreads)
    {
        const latticeCells::partOfCells mine(thread, nThreads);

        for (label i = 0; i < count; ++i)
        {
            const label celli = nodeCells_[first + i];

            if (mine(celli))
            {
                add(i, celli);
            }
        }
    });
}


void Foam::latticeMapping::addRemoteToCells
(
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (cells_.valid() && communicator_)
    {
        cells_->addRemote(*communicator_, rhoCells, uCells);
    }
}


void Foam::latticeMapping::densityNodes
(
    const label celli,
    DynamicList<label>& nodes,
    DynamicList<scalar>& weights
) const
{
    if (cells_.valid())
    {
        cells_->densityNodes(celli, nodes, weights);
        return;
    }

    forAll(nodeCells_, node)
    {
        if (celli != -1 && nodeCells_[node] == celli)
        {
            nodes.append(node);
            weights.append(1.0/nodesPerCell());
        }
    }
}


void Foam::latticeMapping::completeCells
(
    const volVectorField& U,
    const latticeUnits& units,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (!cells_.valid())
    {
        return;
    }

    addRemoteToCells(rhoCells, uCells);

    forAll(groupPatches_, groupi)
    {
        if (lbm::givesVelocity(description_.groups[groupi].type))
        {
            const label patchi = groupPatches_[groupi];

            vectorField u
            (
                boundary_.gather
                (
                    patchi,
                    patches_[patchi].velocity(U.boundaryField()[patchi])()
                )
            );

            for (vector& v : u)
            {
                v = units.velocityToLattice(toLattice(v));
            }

            cells_->addFaces(groupi, u, uCells);
        }
    }
}


// ************************************************************************* //
