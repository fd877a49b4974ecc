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

#include "pressureLatticePatch.H"
#include "addToRunTimeSelectionTable.H"
#include "advectiveFvPatchFields.H"
#include "fixedValueFvPatchFields.H"
#include "Function1.H"
#include "HashSet.H"
#include "pressureInletUniformVelocityFvPatchVectorField.H"
#include "StringStream.H"
#include "totalPressureFvPatchScalarField.H"
#include "uniformTotalPressureFvPatchScalarField.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(pressureLatticePatch, 0);
    addToRunTimeSelectionTable(latticePatch, pressureLatticePatch, fields);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::pressureLatticePatch::pressureLatticePatch
(
    const fvPatch& patch,
    const volVectorField& U,
    const volScalarField& p
)
:
    latticePatch(patch),
    timeVarying_
    (
        p.boundaryField()[patch.index()].type()
     != fixedValueFvPatchScalarField::typeName
    ),
    dependsOnFlow_
    (
        // A velocity advected from the step before, or the mean of the flux
        isA<advectiveFvPatchVectorField>(U.boundaryField()[patch.index()])
     || isA<pressureInletUniformVelocityFvPatchVectorField>
        (
            U.boundaryField()[patch.index()]
        )
     || !wordHashSet
        ({
            "fixedValue",
            "uniformFixedValue",
            "timeVaryingMappedFixedValue",
            "fixedProfile",
            "totalPressure",
            "uniformTotalPressure"
        }).found(p.boundaryField()[patch.index()].type())
    ),
    givesProfile_
    (
        isA<advectiveFvPatchVectorField>(U.boundaryField()[patch.index()])
    ),
    totalPressure_
    (
        p.boundaryField()[patch.index()].type()
     == totalPressureFvPatchScalarField::typeName
     || p.boundaryField()[patch.index()].type()
     == uniformTotalPressureFvPatchScalarField::typeName
    ),
    pressureFollows_
    (
        isA<advectiveFvPatchScalarField>(p.boundaryField()[patch.index()])
    )
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::tmp<Foam::scalarField> Foam::pressureLatticePatch::pressure
(
    const fvPatchScalarField& pp
) const
{
    if (pp.type() == totalPressureFvPatchScalarField::typeName)
    {
        return tmp<scalarField>::New
        (
            refCast<const totalPressureFvPatchScalarField>(pp).p0()
        );
    }

    if (pp.type() == uniformTotalPressureFvPatchScalarField::typeName)
    {
        OStringStream os;
        pp.write(os);
        IStringStream is(os.str());

        return tmp<scalarField>::New
        (
            pp.size(),
            Function1<scalar>::New("p0", dictionary(is))
                ->value(pp.db().time().timeOutputValue())
        );
    }

    return latticePatch::pressure(pp);
}


Foam::tmp<Foam::scalarField> Foam::pressureLatticePatch::floatingPressure
(
    const fvPatchVectorField& Up,
    const fvPatchScalarField& pp
) const
{
    // The pressure is given in the mean alone, its deviation forms the profile
    if (isA<pressureInletUniformVelocityFvPatchVectorField>(Up))
    {
        return tmp<scalarField>::New(pp.size(), 0.5);
    }

    return latticePatch::floatingPressure(Up, pp);
}


// ************************************************************************* //
