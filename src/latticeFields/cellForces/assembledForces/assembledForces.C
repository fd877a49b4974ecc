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

#include "assembledForces.H"
#include "fvMatrices.H"
#include "calculatedFvPatchFields.H"
#include "cellSet.H"
#include "inputChecks.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::assembledForces::assembledForces(const volVectorField& U)
:
    U_(U),
    present_
    (
        IOobject
        (
            U.name(),
            U.time().timeName(),
            U.mesh(),
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        U,
        calculatedFvPatchVectorField::typeName
    )
{}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

Foam::volVectorField& Foam::assembledForces::present()
{
    present_.primitiveFieldRef() = U_.primitiveField();
    present_.boundaryFieldRef() == U_.boundaryField();

    return present_;
}


Foam::vector Foam::assembledForces::inDirections(const vector& v) const
{
    vector result(v);

    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if (mesh().geometricD()[d] < 0)
        {
            result[d] = 0;
        }
    }

    return result;
}


void Foam::assembledForces::checkDiagonal
(
    const fvVectorMatrix& M,
    const word& what,
    const dictionary& dict
)
{
    bool ofPatches = false;

    forAll(M.internalCoeffs(), patchi)
    {
        // Of those of this process, which has patches of its own
        ofPatches =
            ofPatches
         || sum(mag(M.internalCoeffs()[patchi])) > 0
         || sum(mag(M.boundaryCoeffs()[patchi])) > 0;
    }

    if (M.hasUpper() || M.hasLower() || ofPatches)
    {
        FatalIOErrorInFunction(dict)
            << what << nl
            << "    found    : coefficients between cells or of patches in the"
            << " equation for U" << nl
            << "    possible : a force that follows from a cell's own velocity:"
            << " a source and a diagonal"
            << exit(FatalIOError);
    }
}


void Foam::assembledForces::addMatrix
(
    const fvVectorMatrix& M,
    vectorField& a,
    symmTensorField& sigma
) const
{
    const vectorField& U = M.psi();
    const scalarField& V = mesh().V();
    const bool hasDiag = M.hasDiag();

    forAll(V, celli)
    {
        const scalar rate = hasDiag ? M.diag()[celli]/V[celli] : 0;

        vector acceleration(-M.source()[celli]/V[celli]);

        if (rate > 0)
        {
            acceleration += rate*U[celli];
        }
        else
        {
            sigma[celli] -= rate*symmTensor::I;
        }

        if
        (
            !(mag(acceleration) < caseChecks::largestValue)
         || !(mag(rate) < caseChecks::largestValue)
        )
        {
            FatalErrorInFunction
                << "Force in cell " << celli << " at " << mesh().C()[celli]
                << " at time " << mesh().time().timeName() << " s" << nl
                << "    found    : an acceleration of " << acceleration
                << " m/s2, a drag of " << -rate << " 1/s" << nl
                << "    possible : numbers below " << caseChecks::largestValue
                << ". A power law with an exponent below 1 has no value in"
                << " fluid at rest."
                << exit(FatalError);
        }

        a[celli] += inDirections(acceleration);
    }
}


Foam::tmp<Foam::vectorField> Foam::assembledForces::acceleration
(
    const fvVectorMatrix& M
) const
{
    auto result = tmp<vectorField>::New(-M.source()/mesh().V());

    if (M.hasDiag())
    {
        result.ref() += M.diag()/mesh().V()*M.psi().primitiveField();
    }

    return result;
}


Foam::tmp<Foam::symmTensorField> Foam::assembledForces::dragAt
(
    const std::function<tmp<fvVectorMatrix>(volVectorField&)>& matrix,
    const scalarField& speed
)
{
    tensorField resistance(speed.size(), Zero);

    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if (mesh().geometricD()[d] < 0)
        {
            continue;
        }

        vector axis(Zero);
        axis[d] = 1;

        volVectorField& probe = present();
        probe.primitiveFieldRef() = speed*axis;

        const vectorField held(-acceleration(matrix(probe)())/speed);

        forAll(resistance, celli)
        {
            for (direction e = 0; e < vector::nComponents; ++e)
            {
                resistance[celli](e, d) = inDirections(held[celli])[e];
            }
        }
    }

    return symm(resistance);
}


void Foam::assembledForces::addResistance
(
    const std::function<tmp<fvVectorMatrix>(volVectorField&)>& matrix,
    vectorField& a,
    symmTensorField& sigma
)
{
    // A power of |U| need not have a value in fluid at rest
    constexpr scalar slowest = 1e-3;

    const vectorField U(present().primitiveField());
    const scalarField speed
    (
        max(mag(U), max(slowest*gMax(mag(U)()), scalar(1e-6)))
    );
    const symmTensorField drag(dragAt(matrix, speed));

    sigma += drag;

    // The rest, by which the force is the right one for the present U
    const vectorField all(acceleration(matrix(present())()));

    forAll(a, celli)
    {
        a[celli] += inDirections(all[celli]) + (drag[celli] & U[celli]);
    }
}


Foam::string Foam::assembledForces::cells(const dictionary& dict) const
{
    const word mode(dict.getOrDefault<word>("selectionMode", "cellZone"));

    label n = -1;

    if (mode == "all")
    {
        n = mesh().nCells();
    }
    else if (mode == "cellSet" && dict.found("cellSet"))
    {
        n = cellSet(mesh(), dict.get<word>("cellSet")).size();
    }
    else if (mode == "cellZone" && dict.found("cellZone"))
    {
        const wordRe zone(dict.get<wordRe>("cellZone"));
        n = 0;

        for (const cellZone& z : mesh().cellZones())
        {
            n += zone.match(z.name()) ? z.size() : 0;
        }
    }
    else if (mode == "points" && dict.found("points"))
    {
        return "the cells of points";
    }

    reduce(n, sumOp<label>());

    return n < 0 ? string("all cells") : string(Foam::name(n) + " cells");
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::assembledForces::add
(
    const scalar deltaT,
    vectorField& a,
    symmTensorField& sigma
)
{
    const tmp<fvVectorMatrix> M(matrix(present()));

    addMatrix(M(), a, sigma);
}


// ************************************************************************* //
