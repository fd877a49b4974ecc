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

#include "cellWeights.H"
#include "latticeMapping.H"
#include "volFields.H"

// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

Foam::tmp<Foam::volScalarField> Foam::cellWeights
(
    const fvMesh& mesh,
    const latticeMapping& mapping
)
{
    tmp<volScalarField> tweights
    (
        new volScalarField
        (
            IOobject
            (
                "cellWeights",
                mesh.time().timeName(),
                mesh,
                IOobject::NO_READ,
                IOobject::NO_WRITE
            ),
            mesh,
            dimensionedScalar(dimless, Zero)
        )
    );
    scalarField& weights = tweights.ref().primitiveFieldRef();

    for (const label celli : mapping.nodeCells())
    {
        weights[celli] += 1;
    }

    // Cells without nodes are work outside steps
    const scalar least = 0.01*gAverage(weights);

    for (scalar& weight : weights)
    {
        weight = max(weight, least);
    }

    return tweights;
}


// ************************************************************************* //
