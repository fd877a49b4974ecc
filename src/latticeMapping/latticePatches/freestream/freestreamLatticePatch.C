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

#include "freestreamLatticePatch.H"
#include "addToRunTimeSelectionTable.H"
#include "boolList.H"
#include "freestreamPressureFvPatchScalarField.H"
#include "freestreamVelocityFvPatchVectorField.H"
#include "fixedValueFvPatchFields.H"
#include "mixedFvPatchFields.H"
#include "outletInletFvPatchFields.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(freestreamLatticePatch, 0);
    addToRunTimeSelectionTable(latticePatch, freestreamLatticePatch, fields);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Is this a pressure with a value, its refValue, where the stream leaves?
static bool givenWhereItLeaves(const fvPatchScalarField& pp)
{
    return
        isA<freestreamPressureFvPatchScalarField>(pp)
     || isA<outletInletFvPatchScalarField>(pp);
}

//- Above this part the velocity of a face is given and its pressure floats; up
//  to it links/pressure.H blends the two
static const scalar mostFloating = 0.75;

//- Part in which OpenFOAM's mixed conditions give the velocity of the stream
static tmp<scalarField> streamPart(const fvPatchVectorField& Up)
{
    const vectorField stream
    (
        refCast<const mixedFvPatchVectorField>(Up).refValue()
    );

    return 0.5 - 0.5*(stream & Up.patch().nf())/max(mag(stream), VSMALL);
}

} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::freestreamLatticePatch::freestreamLatticePatch
(
    const fvPatch& patch,
    const volVectorField& U,
    const volScalarField& p
)
:
    latticePatch(patch),
    enters_(patch.size())
{
    const fvPatchVectorField& Up = U.boundaryField()[patch.index()];
    const fvPatchScalarField& pp = p.boundaryField()[patch.index()];

    const bool fixedPressure = isA<fixedValueFvPatchScalarField>(pp);

    if (!fixedPressure && !givenWhereItLeaves(pp))
    {
        refuse
        (
            p,
            patch,
            "type " + pp.type() + ", with the velocity " + Up.type(),
            "freestreamPressure, outletInlet, fixedValue and types derived"
            " from it"
        );
    }

    // The type freestream may take its velocity from another condition
    timeVarying_ =
        !isA<freestreamVelocityFvPatchVectorField>(Up)
     || (fixedPressure && pp.type() != fixedValueFvPatchScalarField::typeName);

    const vectorField stream(velocity(Up));
    const scalarField floats(streamPart(Up));

    forAll(enters_, i)
    {
        enters_[i] =
            fixedPressure ? false
          : isA<freestreamPressureFvPatchScalarField>(pp)
          ? floats[i] > mostFloating
          : (stream[i] & patch.Sf()[i])
          < -1e-6*mag(stream[i])*patch.magSf()[i];
    }
}



// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::wordList Foam::freestreamLatticePatch::linkTypes() const
{
    return wordList({"velocity", "pressure"});
}


Foam::tmp<Foam::vectorField> Foam::freestreamLatticePatch::velocity
(
    const fvPatchVectorField& Up
) const
{
    return tmp<vectorField>::New
    (
        refCast<const mixedFvPatchVectorField>(Up).refValue()
    );
}


Foam::tmp<Foam::scalarField> Foam::freestreamLatticePatch::pressure
(
    const fvPatchScalarField& pp
) const
{
    if (givenWhereItLeaves(pp))
    {
        return tmp<scalarField>::New
        (
            refCast<const mixedFvPatchScalarField>(pp).refValue()
        );
    }

    return latticePatch::pressure(pp);
}


Foam::tmp<Foam::scalarField> Foam::freestreamLatticePatch::floatingPressure
(
    const fvPatchVectorField& Up,
    const fvPatchScalarField& pp
) const
{
    if (!isA<freestreamPressureFvPatchScalarField>(pp))
    {
        return latticePatch::floatingPressure(Up, pp);
    }

    // Both conditions blend with the direction of the same velocity
    if (isA<freestreamVelocityFvPatchVectorField>(Up))
    {
        return tmp<scalarField>::New(pp.size(), -1);
    }

    return streamPart(Up);
}


// ************************************************************************* //
