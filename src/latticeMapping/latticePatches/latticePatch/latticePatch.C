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
#include "HashSet.H"
#include "advectiveFvPatchFields.H"
#include "basicSymmetryFvPatchFields.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "fixedValueFvPatchFields.H"
#include "freestreamFvPatchFields.H"
#include "freestreamVelocityFvPatchVectorField.H"
#include "inletOutletFvPatchFields.H"
#include "outletInletFvPatchFields.H"
#include "SRFFreestreamVelocityFvPatchVectorField.H"
#include "StringStream.H"
#include "wallFunctionLatticePatch.H"
#include "waveTransmissiveFvPatchFields.H"
#include "zeroGradientFvPatchFields.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticePatch, 0);
    defineRunTimeSelectionTable(latticePatch, fields);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Does the velocity adjust itself to the flow: does it ask for a pressure?
static bool velocityFloats(const fvPatchVectorField& Up)
{
    // Types that the flux sets, although some of them are fixedValue
    static const wordHashSet types
    ({
        "pressureInletVelocity",
        "pressureInletUniformVelocity",
        "pressureDirectedInletVelocity",
        "pressureInletOutletVelocity",
        "pressureInletOutletParSlipVelocity",
        "pressureNormalInletOutletVelocity",
        "pressureDirectedInletOutletVelocity",
        "rotatingPressureInletOutletVelocity",
        "fixedNormalInletOutletVelocity",
        "uniformInletOutlet"
    });

    return
        types.found(Up.type())
     || isA<zeroGradientFvPatchVectorField>(Up)
     || isA<inletOutletFvPatchVectorField>(Up)
     || isA<outletInletFvPatchVectorField>(Up)
     || isA<advectiveFvPatchVectorField>(Up);
}


//- Is it an inletOutlet whose inflow velocity enters through every face
static bool bringsIn(const fvPatchVectorField& Up)
{
    if (!isA<inletOutletFvPatchVectorField>(Up))
    {
        return false;
    }

    const vectorField& inflow =
        refCast<const mixedFvPatchVectorField>(Up).refValue();

    return gMax((inflow & Up.patch().nf())()) < 0;
}


//- Does the pressure have a value to give?
static bool pressureGiven(const fvPatchScalarField& pp)
{
    return
        isA<fixedValueFvPatchScalarField>(pp)
     || isA<advectiveFvPatchScalarField>(pp);
}


//- The field of compressibility that a patch needs and the case does not
//  have; empty if there is none
template<class Type>
static word missingPsi(const fvPatchField<Type>& patchField)
{
    if (patchField.type() != waveTransmissiveFvPatchField<Type>::typeName)
    {
        return word::null;
    }

    OStringStream os;
    patchField.write(os);
    IStringStream is(os.str());

    const word psi(dictionary(is).getOrDefault<word>("psi", "thermo:psi"));

    return patchField.db().template foundObject<volScalarField>(psi) ? "" : psi;
}


//- Treatment that the fields of a patch ask for; empty if there is none
static word treatmentOf
(
    const fvPatchVectorField& Up,
    const fvPatchScalarField& pp
)
{
    if
    (
        isA<freestreamFvPatchVectorField>(Up)
     || isA<freestreamVelocityFvPatchVectorField>(Up)
    )
    {
        return "freestream";
    }

    if (isA<SRFFreestreamVelocityFvPatchVectorField>(Up) && !pressureGiven(pp))
    {
        return "SRFFreestream";
    }

    if (isA<basicSymmetryFvPatchVectorField>(Up))
    {
        return "slip";
    }

    if (velocityFloats(Up))
    {
        return
            pressureGiven(pp) ? "pressure"
          : bringsIn(Up) ? "velocity"
          : "";
    }

    // Mixed conditions, too, say that they fix a value
    if (!isA<fixedValueFvPatchVectorField>(Up) || !Up.fixesValue())
    {
        return word::null;
    }

    if (wallFunctionLatticePatch::given(Up))
    {
        return wallFunctionLatticePatch::typeName;
    }

    if (Up.type() == "noSlip")
    {
        return "wall";
    }

    // These are known to stay what they are: meshes do not move
    if
    (
        Up.type() == fixedValueFvPatchVectorField::typeName
     || Up.type() == "movingWallVelocity"
    )
    {
        bool moves = false;

        for (const vector& u : Up)
        {
            moves = moves || u != vector::zero;
        }

        return returnReduce(moves, orOp<bool>()) ? "velocity" : "wall";
    }

    return "velocity";
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

    // A finite-volume solver tells it its gradient in each step. Buoyant cases
    // are told the hydrostatic one
    if
    (
        isA<fixedFluxPressureFvPatchScalarField>(pp)
     && p.name() != "p_rgh"
    )
    {
        refuse
        (
            p,
            patch,
            "type " + pp.type() + ", whose gradient comes from the pressure"
            " equation, which the lattice does not have",
            "zeroGradient"
        );
    }

    if (pp.fixesValue())
    {
        refuse
        (
            p,
            patch,
            "type " + pp.type() + ", which fixes the pressure where the"
            " velocity is given too",
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
    const fvPatchScalarField& pp = p.boundaryField()[patch.index()];

    const bool constraint = polyPatch::constraintType(patch.type());

    // A library may have a treatment of its own for a type of U
    const word treatment
    (
        constraint ? patch.type()
      : fieldsConstructorTablePtr_->found(Up.type()) ? Up.type()
      : treatmentOf(Up, pp)
    );

    if (!constraint && treatment.empty() && velocityFloats(Up))
    {
        refuse
        (
            U,
            patch,
            "type " + Up.type() + ", with " + p.name() + " of type "
          + pp.type() + ", which leaves velocity and pressure to float",
            "one of the two given: a pressure (fixedValue, uniformFixedValue,"
            " totalPressure, ..., advective), or a velocity (noSlip,"
            " fixedValue, flowRateInletVelocity, ...)"
        );
    }

    const auto checkPsi = [&](const auto& field, const word& psi)
    {
        if (!psi.empty())
        {
            refuse
            (
                field,
                patch,
                "type waveTransmissive, which takes the speed of sound from"
                " the field " + psi + ", and there is none",
                "advective, or a pressure that is fixed"
            );
        }
    };

    checkPsi(U, missingPsi(Up));
    checkPsi(p, missingPsi(pp));

    auto cstrIter = fieldsConstructorTablePtr_->cfind(treatment);

    if (!cstrIter.found())
    {
        const wordList constraints(polyPatch::constraintTypes());

        string possible;
        for (const word& name : fieldsConstructorTablePtr_->sortedToc())
        {
            if (constraints.found(name))
            {
                possible += (possible.empty() ? "" : ", ") + name;
            }
        }

        possible =
            "patches of type " + possible + "; on others a velocity that is"
            " given (noSlip, fixedValue and types derived from it), slip,"
            " freestream, or one that floats (zeroGradient, inletOutlet,"
            " pressureInletOutletVelocity, ...) where p is given";

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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::wordList Foam::latticePatch::linkTypes() const
{
    const std::string type(linkType());

    return type.empty() ? wordList() : wordList(1, word(type));
}


Foam::tmp<Foam::vectorField> Foam::latticePatch::velocity
(
    const fvPatchVectorField& Up
) const
{
    return tmp<vectorField>::New(Up);
}


Foam::tmp<Foam::scalarField> Foam::latticePatch::pressure
(
    const fvPatchScalarField& pp
) const
{
    return tmp<scalarField>::New(pp);
}


Foam::tmp<Foam::scalarField> Foam::latticePatch::floatingPressure
(
    const fvPatchVectorField&,
    const fvPatchScalarField& pp
) const
{
    return tmp<scalarField>::New(pp.size(), Zero);
}


// ************************************************************************* //
