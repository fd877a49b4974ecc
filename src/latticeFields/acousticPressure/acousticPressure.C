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

#include "acousticPressure.H"
#include "latticeMapping.H"
#include "calculatedFvPatchFields.H"
#include "Time.H"

#include <algorithm>

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::acousticPressure::acousticPressure(const volVectorField& U)
:
    U_(U),
    potential_(),
    before_(),
    elapsed_(0),
    boundaryBefore_(),
    boundaryTime_(U.time().value()),
    boundaryElapsed_(0)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::acousticPressure::cheap
(
    const label nCells,
    const scalar nUpdates
)
{
    constexpr label fewCells = 100000;

    // Of a solution [s/cell], and of a device [s/update]: which files hold
    // sound must not depend on the machine
    constexpr scalar solutionTime = 1e-5;
    constexpr scalar updateTime = 1e-10;

    constexpr scalar part = 0.1;

    return
        nCells <= fewCells
     || solutionTime*nCells < part*updateTime*nUpdates;
}


Foam::label Foam::acousticPressure::nSteps(const latticeMapping& mapping)
{
    constexpr label partOfPeriod = 64;

    const std::array<std::int64_t, 3>& size = mapping.description().size;
    const scalar period =
        2*Foam::sqrt(scalar(3))
       *std::max(size[0], std::max(size[1], size[2]));

    return 2*max(label(1), label(0.5*period/partOfPeriod));
}


void Foam::acousticPressure::keepBoundary()
{
    const scalar now = U_.time().value();

    boundaryElapsed_ = now - boundaryTime_;
    boundaryTime_ = now;

    boundaryBefore_.setSize(U_.boundaryField().size());

    forAll(boundaryBefore_, patchi)
    {
        boundaryBefore_[patchi] = U_.boundaryField()[patchi];
    }
}


void Foam::acousticPressure::keep
(
    const vectorField& velocity,
    const scalar elapsed
)
{
    before_ = velocity;
    elapsed_ = elapsed;
}


Foam::tmp<Foam::scalarField> Foam::acousticPressure::calculate
(
    const latticeMapping& mapping,
    const label refCell
)
{
    const fvMesh& mesh = U_.mesh();

    if (!potential_.valid())
    {
        potential_.reset(new fluxPotential(mesh, mapping));
    }

    wordList types(mesh.boundary().size());

    forAll(types, patchi)
    {
        const word& type = mesh.boundaryMesh()[patchi].type();

        types[patchi] =
        (
            polyPatch::constraintType(type)
          ? type
          : calculatedFvPatchField<vector>::typeName
        );
    }

    volVectorField A
    (
        fluxPotential::temporary("A", mesh),
        mesh,
        dimensionedVector(dimAcceleration, Zero),
        types
    );

    A.primitiveFieldRef() = (U_.primitiveField() - before_)/elapsed_;
    A.correctBoundaryConditions();

    forAll(types, patchi)
    {
        fvPatchVectorField& Ap = A.boundaryFieldRef()[patchi];

        if (polyPatch::constraintType(mesh.boundaryMesh()[patchi].type()))
        {
            continue;
        }

        const vectorField inside(Ap.patchInternalField());
        vectorField values(Ap.size(), Zero);

        if (boundaryBefore_.size() && boundaryElapsed_ > 0)
        {
            values =
                (U_.boundaryField()[patchi] - boundaryBefore_[patchi])
               /boundaryElapsed_;
        }

        forAll(values, facei)
        {
            if (potential_->open(patchi, facei))
            {
                values[facei] = inside[facei];
            }
        }

        Ap == values;
    }

    // Along A: the potential of the waves is that of its divergence
    tmp<scalarField> tps
    (
        -potential_->potential(fluxPotential::fluxOf(A)())().primitiveField()
    );

    if (potential_->closed())
    {
        scalarField& ps = tps.ref();
        ps -= scalar(ps[refCell]);
    }

    clear();

    return tps;
}


void Foam::acousticPressure::clear()
{
    before_.clear();
}


// ************************************************************************* //
