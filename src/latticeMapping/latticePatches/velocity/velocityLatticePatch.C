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

#include "velocityLatticePatch.H"
#include "addToRunTimeSelectionTable.H"
#include "fixedValueFvPatchFields.H"
#include "runSamples.H"
#include "Time.H"
#include "wallFvPatch.H"
#include "StringStream.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(velocityLatticePatch, 0);
    addToRunTimeSelectionTable(latticePatch, velocityLatticePatch, fields);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Least volume that leaves over that which enters, in the run, of an outflow. Links of
//  kind velocity are more accurate where the fluid enters, but disturbances grow where
//  it leaves
constexpr scalar leastLeaving = 0.1;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::velocityLatticePatch::isOutflow
(
    const fvPatch& patch,
    const fvPatchVectorField& Up
) const
{
    const scalar now = gSum(Up & patch.Sf());

    if (!timeVarying_)
    {
        return now > 0;
    }

    runSamples samples(patch.boundaryMesh().mesh().time());
    samples.add(Up);

    scalar out = 0;
    scalar in = 0;
    scalar last = patch.boundaryMesh().mesh().time().value();
    string notEvaluated;

    samples.forEach
    (
        [&](const scalar t)
        {
            const scalar volume =
                (t - last)*gSum(samples.velocity(0) & patch.Sf());

            (volume > 0 ? out : in) += mag(volume);
            last = t;
        },
        notEvaluated
    );

    // Without a time to come, the present one
    return out > leastLeaving*in || (out == 0 && in == 0 && now > 0);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::velocityLatticePatch::velocityLatticePatch
(
    const fvPatch& patch,
    const volVectorField& U,
    const volScalarField& p
)
:
    latticePatch(patch),
    throughFlow_(!isA<wallFvPatch>(patch)),
    leaves_(false),
    timeVarying_
    (
        U.boundaryField()[patch.index()].type()
     != fixedValueFvPatchVectorField::typeName
    ),
    dependsOnFlow_(true)
{
    checkPressureFloats(patch, p);

    const fvPatchVectorField& Up = U.boundaryField()[patch.index()];

    // A velocity that is zero now may come to be an inlet's
    if (throughFlow_)
    {
        const scalar speed = gSum(mag(Up)*patch.magSf());
        const scalar through = gSum(mag(Up & patch.Sf()));

        throughFlow_ = speed == 0 || through > 1e-3*speed;
        leaves_ = throughFlow_ && isOutflow(patch, Up);
    }

    static const wordHashSet given
    ({
        "fixedValue",
        "noSlip",
        "movingWallVelocity",
        "translatingWallVelocity",
        "rotatingWallVelocity",
        "SRFVelocity",
        "SRFWallVelocity",
        "uniformFixedValue",
        "uniformNormalFixedValue",
        "surfaceNormalFixedValue",
        "timeVaryingMappedFixedValue",
        "cylindricalInletVelocity",
        "fixedProfile"
    });

    if (given.found(Up.type()))
    {
        dependsOnFlow_ = false;
    }
    else if (Up.type() == "flowRateInletVelocity")
    {
        OStringStream os;
        Up.write(os);
        IStringStream is(os.str());

        dependsOnFlow_ =
            dictionary(is).getOrDefault("extrapolateProfile", false);
    }
}



// ************************************************************************* //
