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
#include "fvcSurfaceIntegrate.H"
#include "linear.H"
#include "referenceCell.H"
#include "Time.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::volVectorField> Foam::acousticPart::field
(
    const vectorField& values,
    const dimensionSet& dimensions
) const
{
    const fvMesh& mesh = U_.mesh();

    auto tresult = tmp<volVectorField>::New
    (
        fluxPotential::temporary("x", mesh),
        mesh,
        dimensionedVector(dimensions, Zero),
        fluxPotential::patchTypes
        (
            mesh,
            calculatedFvPatchField<vector>::typeName
        )
    );
    volVectorField& result = tresult.ref();

    result.primitiveFieldRef() = values;
    result.correctBoundaryConditions();

    forAll(mesh.boundary(), patchi)
    {
        fvPatchVectorField& patch = result.boundaryFieldRef()[patchi];

        if (polyPatch::constraintType(mesh.boundaryMesh()[patchi].type()))
        {
            continue;
        }

        vectorField inside(patch.patchInternalField());

        forAll(inside, facei)
        {
            if (!potential_->open(patchi, facei))
            {
                inside[facei] = Zero;
            }
        }

        patch == inside;
    }

    return tresult;
}


Foam::tmp<Foam::vectorField> Foam::acousticPart::convection
(
    const vectorField& U
) const
{
    const tmp<volVectorField> Uf(field(U, dimVelocity));

    auto tresult = tmp<vectorField>::New(U.size(), Zero);

    fvc::surfaceIntegrate
    (
        tresult.ref(),
        (
            fluxPotential::fluxOf(Uf())
           *linear<vector>(U_.mesh()).interpolate(Uf())
        )()
    );

    return tresult;
}


Foam::tmp<Foam::scalarField> Foam::acousticPart::pressure
(
    const vectorField& U,
    const vectorField& Us
)
{
    const fvMesh& mesh = U_.mesh();

    const tmp<volVectorField> tA
    (
        field
        (
            (U - UBefore_)/elapsed_ + convection(U) - convection(U - Us),
            dimAcceleration
        )
    );

    surfaceScalarField flux(fluxPotential::fluxOf(tA()));

    if (boundaryBefore_.size() && boundaryElapsed_ > 0)
    {
        forAll(boundaryBefore_, patchi)
        {
            if
            (
                polyPatch::constraintType(mesh.boundaryMesh()[patchi].type())
            )
            {
                continue;
            }

            const scalarField given
            (
                (U_.boundaryField()[patchi] - boundaryBefore_[patchi])
              & mesh.boundary()[patchi].Sf()
               /boundaryElapsed_
            );

            forAll(given, facei)
            {
                if (!potential_->open(patchi, facei))
                {
                    flux.boundaryFieldRef()[patchi][facei] = given[facei];
                }
            }
        }
    }

    return -potential_->potential(flux)().primitiveField();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::acousticPart::acousticPart(const volVectorField& U)
:
    U_(U),
    potential_(),
    mobile_(),
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
    const scalar nu,
    const label refCell,
    vectorField& U,
    scalarField& p
)
{
    // The velocity and pressure of the waves are small beside those of the flow
    constexpr scalar converged = 1e-4;

    const fvMesh& mesh = U_.mesh();

    if (!potential_.valid())
    {
        potential_.reset(new fluxPotential(mesh, mapping, converged));
        mobile_.reset(new fluxPotential(mesh, mapping, converged));
    }

    // Closed domains have another reference in each state
    const scalarField change
    (
        p - pBefore_ - (potential_->closed() ? gAverage(p - pBefore_) : 0)
    );
    const scalarField& V = mesh.V();
    const scalar level = potential_->closed() ? gAverage(p) : 0;
    const scalar rate =
        Foam::sqrt
        (
            gSum(V*sqr(change)())
           /max(gSum(V*sqr(p - level)()), VSMALL)
        )
       /elapsed_;

    // Beyond its size all of the fluid moves as friction lets it
    const scalar size = mesh.bounds().mag();
    mobile_->setMobility(min(Foam::sqrt(nu/max(rate, VSMALL)), size));

    const surfaceScalarField flux
    (
        mobile_->gradientFlux
        (
            mobile_->potential
            (
                (-change/(sqr(c)*elapsed_)*V)(),
                dimViscosity
            )()
        )
    );

    const vectorField Us(mobile_->reconstruct(flux));

    scalarField ps(pressure(U, Us));

    if (potential_->closed())
    {
        ps -= referenceCell::valueIn(ps, refCell);
    }

    U -= Us;

    // Of the time that A belongs to
    const scalarField pLattice(p);
    p = 0.5*(p + pBefore_) - ps;

    clear();

    largestVelocity_ = gMax(mag(Us)());
    largestPressure_ = gMax(mag(pLattice - p)());

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
