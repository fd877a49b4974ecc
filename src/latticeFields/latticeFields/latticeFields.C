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

#include "latticeFields.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "linear.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeFields, 0);
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFields::read
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    vectorField& U,
    scalarField& p
)
{
    const labelList& cells = mapping.nodeCells();
    const label nMax = min(chunk, mapping.nFluid());

    rho_.resize(nMax);
    u_.resize(3*nMax);

    U = Zero;
    p = Zero;

    for (label first = 0; first < mapping.nFluid(); first += nMax)
    {
        const label count = min(nMax, mapping.nFluid() - first);

        engine.macroscopic(first, count, rho_.data(), u_.data());

        for (label i = 0; i < count; ++i)
        {
            const label celli = cells[first + i];

            U[celli] += vector(u_[3*i], u_[3*i + 1], u_[3*i + 2]);
            p[celli] += rho_[i];
        }
    }

    const scalar share = 1.0/mapping.nodesPerCell();

    forAll(U, celli)
    {
        U[celli] = mapping.toPhysical(units.velocityToSI(share*U[celli]));
        p[celli] = units.pressureToSI(share*p[celli]);
    }

    if (pRefCell_ >= 0)
    {
        pReference_ = pRefValue_ - p[pRefCell_];
        p += pReference_;
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeFields::latticeFields
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi
)
:
    U_(U),
    p_(p),
    phi_(phi),
    pRefCell_(-1),
    pRefValue_(0),
    pReference_(0),
    rho_(),
    u_(),
    timeIndex_(U.time().timeIndex()),
    nReads_(0)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFields::update
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    if (timeIndex_ == U_.time().timeIndex())
    {
        return;
    }

    timeIndex_ = U_.time().timeIndex();
    ++nReads_;

    if (debug)
    {
        Info<< "Reading the lattice at time " << U_.time().timeName()
            << ", number " << nReads_ << endl;
    }

    read
    (
        engine,
        mapping,
        units,
        U_.primitiveFieldRef(),
        p_.primitiveFieldRef()
    );

    U_.correctBoundaryConditions();
    p_.correctBoundaryConditions();

    const fvMesh& mesh = U_.mesh();

    phi_ = linear<vector>(mesh).dotInterpolate(mesh.Sf(), U_);
}


bool Foam::latticeFields::differ
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    // Files may have been written with few digits
    constexpr scalar tolerance = 1e-3;

    vectorField U(U_.size());
    scalarField p(p_.size());

    read(engine, mapping, units, U, p);

    // Digits are lost to the whole of p, its reference included
    scalarField pGiven(p_.primitiveField());
    const scalar pDigits = max(gMax(mag(pGiven)()), gMax(mag(p)()));

    pGiven -= gAverage(pGiven);
    p -= gAverage(p);

    // The lattice has no velocity in the empty direction
    vectorField difference(U_.primitiveField() - U);

    if (mapping.twoD())
    {
        for (vector& d : difference)
        {
            d[mapping.axes()[2]] = 0;
        }
    }

    return
        gMax(mag(difference)()) > tolerance*gMax(mag(U)()) + VSMALL
     || gMax(mag(pGiven - p)()) > tolerance*pDigits + VSMALL;
}


// ************************************************************************* //
