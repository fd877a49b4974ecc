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

#include "velocityProjection.H"
#include "latticeMapping.H"
#include "fvcSurfaceIntegrate.H"
#include "gaussGrad.H"
#include "linear.H"
#include "processorFvPatch.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::scalar Foam::velocityProjection::continuityError
(
    const surfaceScalarField& phi
) const
{
    // Two processes share the faces between them
    constexpr scalar share = 0.5;

    scalar all = gSum(mag(phi.primitiveField())());
    scalar area = gSum(mesh_.magSf().primitiveField());
    scalar between = 0;
    scalar areaBetween = 0;

    forAll(phi.boundaryField(), patchi)
    {
        const fvsPatchScalarField& phip = phi.boundaryField()[patchi];

        if (isA<processorFvPatch>(phip.patch()))
        {
            between += share*sum(mag(phip));
            areaBetween += share*sum(phip.patch().magSf());
        }
        else
        {
            all += gSum(mag(phip)());
        }
    }

    all += returnReduce(between, sumOp<scalar>());
    area += returnReduce(areaBetween, sumOp<scalar>());

    // A wall that does not move quite along itself is no inlet
    all = max(all, 1e-3*largestSpeed()*area);

    return gSum(mag(potential_.netFlux(phi))())/max(all, VSMALL);
}


Foam::scalar Foam::velocityProjection::largestSpeed() const
{
    scalar largest = gMax(mag(U_.primitiveField())());

    for (const fvPatchVectorField& Up : U_.boundaryField())
    {
        if (Up.size())
        {
            largest = max(largest, max(mag(Up)));
        }
    }

    reduce(largest, maxOp<scalar>());

    return largest;
}


Foam::scalar Foam::velocityProjection::boundaryMismatch() const
{
    const scalar largest = largestSpeed();
    scalar result = 0;

    forAll(U_.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (Up.coupled())
        {
            continue;
        }

        const vectorField& Sf = Up.patch().Sf();
        const scalarField flux((Up - Up.patchInternalField()) & Sf);

        scalar sum = 0;
        scalar area = 0;

        forAll(flux, facei)
        {
            if (!potential_.open(patchi, facei))
            {
                sum += mag(flux[facei]);
                area += mag(Sf[facei]);
            }
        }

        reduce(sum, sumOp<scalar>());
        reduce(area, sumOp<scalar>());

        result = max(result, sum/max(area*largest, VSMALL));
    }

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::velocityProjection::velocityProjection
(
    const volVectorField& U,
    const latticeMapping& mapping
)
:
    mesh_(U.mesh()),
    potential_(U.mesh(), mapping),
    // Patch fields look up their field of the time before by its name
    U_(fluxPotential::temporary(U.name(), mesh_), U),
    phi_
    (
        fluxPotential::temporary("phiStart", mesh_),
        mesh_,
        dimensionedScalar(U.dimensions()*dimArea, Zero)
    ),
    mismatch_(0),
    errorBefore_(0),
    errorAfter_(0),
    change_(0)
{
    U_.correctBoundaryConditions();
    phi_ = fluxPotential::fluxOf(U_);

    mismatch_ = boundaryMismatch();
    errorBefore_ = errorAfter_ = continuityError(phi_);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::velocityProjection::project()
{
    const tmp<volScalarField> Phi(potential_.potential(phi_));

    // What the cells let through, whatever the boundary says
    surfaceScalarField phiCells(phi_);

    phi_ -= potential_.gradientFlux(Phi());
    errorAfter_ = continuityError(phi_);

    forAll(U_.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (!Up.coupled())
        {
            phiCells.boundaryFieldRef()[patchi] ==
                (Up.patchInternalField() & Up.patch().Sf());
        }
    }

    const vectorField change(potential_.reconstruct(phi_ - phiCells));

    change_ = gMax(mag(change)());

    U_.primitiveFieldRef() += change;
    U_.correctBoundaryConditions();
}


Foam::tmp<Foam::volTensorField> Foam::velocityProjection::gradient() const
{
    volVectorField U
    (
        fluxPotential::temporary(U_.name() + "Slip", mesh_),
        mesh_,
        dimensionedVector(U_.dimensions(), Zero),
        fluxPotential::patchTypes
        (
            mesh_,
            calculatedFvPatchField<vector>::typeName
        )
    );

    U.primitiveFieldRef() = U_.primitiveField();

    forAll(mesh_.boundary(), patchi)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];

        if (!polyPatch::constraintType(patch.type()))
        {
            const vectorField n(patch.nf());
            const vectorField cells
            (
                U.boundaryField()[patchi].patchInternalField()
            );
            const scalarField un(phi_.boundaryField()[patchi]/patch.magSf());

            U.boundaryFieldRef()[patchi] == cells + n*(un - (n & cells));
        }
    }

    U.correctBoundaryConditions();

    return fv::gaussGrad<vector>(mesh_).calcGrad(U, "grad(U)");
}


Foam::tmp<Foam::volScalarField> Foam::velocityProjection::pressure
(
    const volScalarField& p,
    const referenceCell& pRef,
    const scalar pReference
)
{
    auto tp = tmp<volScalarField>::New
    (
        fluxPotential::temporary(p.name(), mesh_),
        p
    );

    if (!pRef.given)
    {
        tp.ref().primitiveFieldRef() = pReference;
    }

    tp.ref().correctBoundaryConditions();

    volVectorField momentum
    (
        fluxPotential::temporary("div(phi,U)", mesh_),
        mesh_,
        dimensionedVector(U_.dimensions()*phi_.dimensions()/dimVolume, Zero)
    );

    fvc::surfaceIntegrate
    (
        momentum.primitiveFieldRef(),
        (phi_*linear<vector>(mesh_).interpolate(U_))()
    );

    momentum.correctBoundaryConditions();

    surfaceScalarField flux(fluxPotential::fluxOf(momentum));

    forAll(mesh_.boundary(), patchi)
    {
        if (mesh_.boundary()[patchi].coupled())
        {
            continue;
        }

        fvsPatchScalarField& fluxp = flux.boundaryFieldRef()[patchi];

        const scalarField cells
        (
            momentum.boundaryField()[patchi].patchInternalField()
          & mesh_.boundary()[patchi].Sf()
        );

        forAll(fluxp, facei)
        {
            fluxp[facei] = potential_.open(patchi, facei) ? cells[facei] : 0;
        }
    }

    potential_.solve
    (
        tp.ref(),
        -potential_.netFlux(flux),
        potential_.closed() ? pRef.orFirst() : -1,
        pRef.value
    );

    return tp;
}


// ************************************************************************* //
