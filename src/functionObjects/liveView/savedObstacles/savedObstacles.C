/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam.

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

#include "savedObstacles.H"
#include "cellSet.H"
#include "latticeMapping.H"
#include "OFstream.H"
#include "OSspecific.H"
#include "regionSplit.H"
#include "syncTools.H"
#include "volFields.H"

#include <cmath>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

const Foam::word Foam::savedObstacles::drawnName("drawn");
const Foam::word Foam::savedObstacles::notDrawnName("notDrawn");


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::label Foam::savedObstacles::nearestNode(const point& place) const
{
    const std::array<std::int64_t, 3>& size = mapping_.description().size;
    const vector from
    (
        mapping_.toLattice(place - mapping_.boxCentre(0))/mapping_.dx()
    );

    std::array<std::int64_t, 3> middle;
    for (int a = 0; a < 3; ++a)
    {
        middle[a] =
            a == 2 && mapping_.twoD() ? 0 : std::int64_t(std::round(from[a]));
    }

    label nearest = -1;
    scalar least = GREAT;

    // Beside curved walls the place itself and those around it may be solid
    const std::int64_t reach = 2;
    const std::int64_t reachZ = mapping_.twoD() ? 0 : reach;

    for (std::int64_t k = -reachZ; k <= reachZ; ++k)
    {
        for (std::int64_t j = -reach; j <= reach; ++j)
        {
            for (std::int64_t i = -reach; i <= reach; ++i)
            {
                const std::array<std::int64_t, 3> at
                {
                    middle[0] + i, middle[1] + j, middle[2] + k
                };

                bool inside = true;
                scalar distance = 0;

                for (int a = 0; a < 3; ++a)
                {
                    inside = inside && at[a] >= 0 && at[a] < size[a];

                    if (a < 2 || !mapping_.twoD())
                    {
                        distance += sqr(at[a] - from[a]);
                    }
                }

                if (!inside || distance >= least)
                {
                    continue;
                }

                const label nodei = mapping_.fluidIndex
                (
                    at[0] + size[0]*(at[1] + size[1]*at[2])
                );

                if (nodei != -1)
                {
                    nearest = nodei;
                    least = distance;
                }
            }
        }
    }

    return nearest;
}


void Foam::savedObstacles::setCells()
{
    const labelList& nodeCells = mapping_.nodeCells();

    labelList nNodes(mesh_.nCells(), Zero);
    labelList nDrawn(mesh_.nCells(), Zero);

    forAll(nodeCells, nodei)
    {
        ++nNodes[nodeCells[nodei]];

        if (drawn_.test(nodei))
        {
            ++nDrawn[nodeCells[nodei]];
        }
    }

    forAll(nNodes, celli)
    {
        if (nNodes[celli])
        {
            cells_.set(celli, 2*nDrawn[celli] > nNodes[celli]);
        }
        else
        {
            const label nodei = nearestNode(mesh_.cellCentres()[celli]);

            cells_.set(celli, nodei != -1 && drawn_.test(nodei));
        }
    }
}


void Foam::savedObstacles::setFluid()
{
    fluid_ = cells_;
    fluid_.flip();

    labelList beyond;
    {
        labelList drawn(mesh_.nCells(), Zero);
        for (const label celli : cells_)
        {
            drawn[celli] = 1;
        }
        syncTools::swapBoundaryCellList(mesh_, drawn, beyond);
    }

    boolList blocked;
    blocked.setSize(mesh_.nFaces(), false);

    for (label facei = 0; facei < mesh_.nFaces(); ++facei)
    {
        const bool other =
            mesh_.isInternalFace(facei)
          ? cells_.test(mesh_.faceNeighbour()[facei])
          : beyond[facei - mesh_.nInternalFaces()] != 0;

        blocked[facei] = cells_.test(mesh_.faceOwner()[facei]) != other;
    }

    const regionSplit regions(mesh_, blocked);

    labelList sizes(regions.nRegions(), Zero);
    for (const label celli : fluid_)
    {
        ++sizes[regions[celli]];
    }

    // Regions where a pressure is given, fluid enters or leaves, or a wall
    // moves
    const auto& U = mesh_.lookupObject<volVectorField>("U");
    const auto& p = mesh_.lookupObject<volScalarField>("p");

    boolList kept(regions.nRegions(), false);

    forAll(U.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U.boundaryField()[patchi];
        const labelUList& faceCells = Up.patch().faceCells();

        if (Up.coupled() || Up.empty())
        {
            continue;
        }

        const bool pressure = p.boundaryField()[patchi].fixesValue();
        const bool velocity = Up.fixesValue();
        const vectorField n(Up.patch().nf());

        forAll(Up, i)
        {
            const scalar through = mag(Up[i] & n[i]);

            if
            (
                pressure
             || (velocity && mag(Up[i]) > VSMALL)
             || through > 1e-6*max(mag(Up[i]), VSMALL)
            )
            {
                kept[regions[faceCells[i]]] = true;
            }
        }
    }

    kept[findMax(sizes)] = true;

    for (label celli = 0; celli < mesh_.nCells(); ++celli)
    {
        if (!kept[regions[celli]])
        {
            fluid_.unset(celli);
        }
    }
}


void Foam::savedObstacles::writeSet
(
    const fileName& folder,
    const word& name,
    const bitSet& cells,
    const bool toMesh
) const
{
    cellSet set(mesh_, name, cells.toc());

    const auto writeTo = [&](const fileName& file)
    {
        mkDir(file.path());

        // An earlier one
        rm(file);
        rm(file + ".gz");

        OFstream os(file);
        set.writeHeader(os);
        set.writeData(os);
        IOobject::writeEndDivider(os);
    };

    writeTo(folder/name);

    if (toMesh)
    {
        writeTo(set.objectPath());
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::savedObstacles::savedObstacles
(
    const latticeMapping& mapping,
    const fvMesh& mesh,
    const labelUList& drawnNodes
)
:
    mapping_(mapping),
    mesh_(mesh),
    drawn_(mapping.nFluid()),
    cells_(mesh.nCells()),
    fluid_()
{
    for (const label nodei : drawnNodes)
    {
        if (nodei < 0 || nodei >= mapping.nFluid())
        {
            FatalErrorInFunction
                << "Node " << nodei << " is drawn, the lattice has "
                << mapping.nFluid() << nl
                << exit(FatalError);
        }
        drawn_.set(nodei);
    }

    if (!empty())
    {
        setCells();
    }
    setFluid();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::savedObstacles::write(const fileName& folder) const
{
    if (empty())
    {
        Info<< "Nothing is drawn: no obstacles to save" << nl << endl;

        return false;
    }

    mkDir(folder);
    for (const word& name : {drawnName, notDrawnName, word("fluid")})
    {
        rm(folder/name);
    }
    rmDir(folder/"finiteVolume", true);

    {
        // As exact as the mesh, also far from the origin
        const unsigned int precision = IOstream::defaultPrecision(12);

        surface().write(folder/(drawnName + ".stl"));

        IOstream::defaultPrecision(precision);
    }

    const label nCells = cells_.count();

    Info<< "Saved obstacles: " << drawn_.count() << " nodes, " << nCells
        << " cells of " << mesh_.nCells() << nl
        << "    " << folder << nl;

    if (!nCells)
    {
        Info<< "    No cell has more than half of its nodes drawn: there is"
            << " only the surface, and nothing for finite volumes" << nl
            << endl;

        return false;
    }
    if (fluid_.none())
    {
        Info<< "    All cells are drawn: there is only the surface, and no"
            << " fluid for finite volumes" << nl << endl;

        return false;
    }

    bitSet notDrawn(cells_);
    notDrawn.flip();

    writeSet(folder, drawnName, cells_, true);
    writeSet(folder, notDrawnName, notDrawn, true);
    writeSet(folder, "fluid", fluid_, false);

    const label nEnclosed = notDrawn.count() - fluid_.count();
    if (nEnclosed)
    {
        Info<< "    " << nEnclosed << " cells are cut off from the flow, and"
            << " are left out of the finite volumes" << nl;
    }

    writeFiniteVolume(folder/"finiteVolume");

    const dictionary* LBM = mesh_.solutionDict().findDict("LBM");
    if (LBM && mag(LBM->getOrDefault<vector>("bodyForce", Zero)) > 0)
    {
        Info<< "    The finite volumes are without the bodyForce of LBM" << nl;
    }

    Info<< "    For finite volumes: finiteVolume/Allrun.finiteVolume" << nl
        << endl;

    return true;
}


// ************************************************************************* //
