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

#include "acousticPart.H"
#include "latticeMapping.H"
#include "calculatedFvPatchFields.H"
#include "Time.H"


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::volVectorField> Foam::acousticPart::acceleration
(
    const vectorField& U
) const
{
    const fvMesh& mesh = U_.mesh();

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

    auto tA = tmp<volVectorField>::New
    (
        fluxPotential::temporary("A", mesh),
        mesh,
        dimensionedVector(dimAcceleration, Zero),
        types
    );
    volVectorField& A = tA.ref();

    A.primitiveFieldRef() = (U - UBefore_)/elapsed_;
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

    return tA;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::acousticPart::acousticPart(const volVectorField& U)
:
    U_(U),
    potential_(),
    UBefore_(),
    pBefore_(),
    elapsed_(0),
    boundaryBefore_(),
    boundaryTime_(U.time().value()),
    boundaryElapsed_(0),
    flux_(),
    largestVelocity_(0),
    largestPressure_(0)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::acousticPart::cheap
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


void Foam::acousticPart::keepBoundary()
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


void Foam::acousticPart::keep
(
    vectorField&& U,
    scalarField&& p,
    const scalar elapsed
)
{
    UBefore_ = std::move(U);
    pBefore_ = std::move(p);
    elapsed_ = elapsed;
}


void Foam::acousticPart::remove
(
    const latticeMapping& mapping,
    const scalar c,
    const label refCell,
    vectorField& U,
    scalarField& p
)
{
    // Sound is smaller than the flow by itself
    constexpr scalar converged = 1e-4;

    const fvMesh& mesh = U_.mesh();

    if (!potential_.valid())
    {
        potential_.reset(new fluxPotential(mesh, mapping, converged));
    }

    const tmp<volVectorField> A(acceleration(U));

    scalarField ps
    (
        -potential_->potential(fluxPotential::fluxOf(A())())().primitiveField()
    );

    if (potential_->closed())
    {
        ps -= scalar(ps[refCell]);
    }

    const surfaceScalarField flux
    (
        potential_->gradientFlux
        (
            potential_->potential
            (
                ((pBefore_ - p)/(sqr(c)*elapsed_)*mesh.V())(),
                dimViscosity
            )()
        )
    );

    const vectorField Us(potential_->reconstruct(flux));

    U -= Us;
    p -= ps;

    clear();

    largestVelocity_ = gMax(mag(Us)());
    largestPressure_ = gMax(mag(ps)());

    flux_.setSize(flux.boundaryField().size());

    forAll(flux_, patchi)
    {
        flux_[patchi] = flux.boundaryField()[patchi];
    }
}


void Foam::acousticPart::clear()
{
    UBefore_.clear();
    pBefore_.clear();
    flux_.clear();
    largestVelocity_ = 0;
    largestPressure_ = 0;
}


// ************************************************************************* //
