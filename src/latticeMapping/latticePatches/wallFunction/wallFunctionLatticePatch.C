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

#include "wallFunctionLatticePatch.H"
#include "addToRunTimeSelectionTable.H"
#include "parallel.H"
#include "turbulenceModel.H"
#include "wallFvPatch.H"
#include "wordRe.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(wallFunctionLatticePatch, 0);
    addToRunTimeSelectionTable(latticePatch, wallFunctionLatticePatch, fields);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::wallFunctionLatticePatch::wallFunctionLatticePatch
(
    const fvPatch& patch,
    const volVectorField&,
    const volScalarField& p
)
:
    latticePatch(patch)
{
    checkPressureFloats(patch, p);
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::wallFunctionLatticePatch::given(const fvPatchVectorField& Up)
{
    static const wordRe wallFunctions("nut.*WallFunction", wordRe::REGEX);

    if (!isA<wallFvPatch>(Up.patch()))
    {
        return false;
    }

    const volScalarField* nut = Up.db().findObject<volScalarField>
    (
        IOobject::groupName("nut", Up.internalField().group())
    );

    return
        nut
     && wallFunctions.match
        (
            nut->boundaryField()[Up.patch().index()].type()
        );
}


Foam::wallFunctionLatticePatch::friction
Foam::wallFunctionLatticePatch::frictionOf(const fvPatchVectorField& Up)
{
    const turbulenceModel& model = Up.db().lookupObject<turbulenceModel>
    (
        IOobject::groupName
        (
            turbulenceModel::propertiesName,
            Up.internalField().group()
        )
    );

    const fvPatch& patch = Up.patch();
    const label patchi = patch.index();
    const tmp<scalarField> tnu(model.nu(patchi));
    const tmp<scalarField> tnuEff(model.nuEff(patchi));
    const scalarField& nu = tnu();
    const scalarField& nuEff = tnuEff();
    const scalarField& magSf = patch.magSf();
    const vectorField& Sf = patch.Sf();
    const scalarField& deltaCoeffs = patch.deltaCoeffs();

    const label n = patch.size();

    friction result
    {
        scalarField(n), scalarField(n), scalarField(n)
    };

    const tmp<vectorField> tslope(Up.snGrad());
    const vectorField& slope = tslope();

    lbm::inParallel(n, [&](std::int64_t begin, std::int64_t end)
    {
        for (label i = begin; i < end; ++i)
        {
            const vector normal(Sf[i]/magSf[i]);
            const vector tangential(slope[i] - normal*(normal & slope[i]));

            result.conductance[i] = nuEff[i]*deltaCoeffs[i];
            result.distance[i] = 1/deltaCoeffs[i];
            result.yPlusPerLength[i] =
                Foam::sqrt(nuEff[i]*mag(tangential))/nu[i];
        }
    }, 4096);

    return result;
}


// ************************************************************************* //
