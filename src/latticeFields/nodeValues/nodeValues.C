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

#include "nodeValues.H"
#include "gradScheme.H"
#include "IStringStream.H"
#include "latticeMapping.H"
#include "volFields.H"

// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

std::vector<double> Foam::nodeValues
(
    const volScalarField& field,
    const latticeMapping& mapping
)
{
    const labelList& cells = mapping.nodeCells();

    std::vector<double> result(cells.size());

    if (mapping.nodesAtCellCentres())
    {
        forAll(cells, node)
        {
            result[node] = field[cells[node]];
        }

        return result;
    }

    // The scheme is given here: fvSchemes need not have an entry for it
    IStringStream scheme("cellLimited Gauss linear 1");
    const fvMesh& mesh = field.mesh();
    const volVectorField slope
    (
        fv::gradScheme<scalar>::New(mesh, scheme)().calcGrad
        (
            field,
            "grad(" + field.name() + ')'
        )
    );

    const scalar least = gMin(field.primitiveField());
    const scalar largest = gMax(field.primitiveField());

    forAll(cells, node)
    {
        const label celli = cells[node];
        const vector r(mapping.nodeCentre(node) - mesh.C()[celli]);

        result[node] =
            max(least, min(largest, field[celli] + (slope[celli] & r)));
    }

    return result;
}


// ************************************************************************* //
