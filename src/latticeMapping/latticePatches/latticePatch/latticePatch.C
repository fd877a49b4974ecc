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

#include "latticePatch.H"
#include "fixedValueFvPatchFields.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticePatch, 0);
    defineRunTimeSelectionTable(latticePatch, fields);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Treatment that the velocity of a patch asks for; empty if there is none
static word velocityTreatment(const fvPatchVectorField& Up)
{
    // Mixed conditions, too, say that they fix a value
    if (!isA<fixedValueFvPatchVectorField>(Up) || !Up.fixesValue())
    {
        return word::null;
    }

    if (Up.type() == "noSlip")
    {
        return "wall";
    }

    // Only a plain fixedValue is known to stay what it is
    if (Up.type() == fixedValueFvPatchVectorField::typeName)
    {
        for (const vector& u : Up)
        {
            if (u != vector::zero)
            {
                return "movingWall";
            }
        }

        return "wall";
    }

    return "movingWall";
}

} // End namespace Foam


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

void Foam::latticePatch::checkPressureFloats
(
    const fvPatch& patch,
    const volScalarField& p
)
{
    const fvPatchScalarField& pp = p.boundaryField()[patch.index()];

    if (pp.fixesValue())
    {
        refuse
        (
            p,
            patch,
            "type " + pp.type() + ", which fixes the pressure where the"
            " velocity is fixed too",
            "a type that does not, such as zeroGradient"
        );
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticePatch::latticePatch(const fvPatch& patch)
:
    patch_(patch)
{}


// * * * * * * * * * * * * * * * * * Selectors * * * * * * * * * * * * * * * //

Foam::autoPtr<Foam::latticePatch> Foam::latticePatch::New
(
    const fvPatch& patch,
    const volVectorField& U,
    const volScalarField& p
)
{
    const fvPatchVectorField& Up = U.boundaryField()[patch.index()];

    const bool constraint = polyPatch::constraintType(patch.type());
    const word treatment(constraint ? patch.type() : velocityTreatment(Up));

    auto cstrIter = fieldsConstructorTablePtr_->cfind(treatment);

    if (!cstrIter.found())
    {
        string possible;
        for (const word& name : fieldsConstructorTablePtr_->sortedToc())
        {
            if (polyPatch::constraintType(name))
            {
                possible += (possible.empty() ? "" : ", ") + name;
            }
        }

        possible =
            "patches of type " + possible + "; on others a velocity that is"
            " given: noSlip, fixedValue and types derived from it";

        refuse
        (
            U,
            patch,
            constraint
          ? "a patch of type " + patch.type()
            + ", for which the lattice has no treatment"
          : "type " + Up.type() + ", for which the lattice has no treatment",
            possible
        );
    }

    return cstrIter()(patch, U, p);
}


// ************************************************************************* //
