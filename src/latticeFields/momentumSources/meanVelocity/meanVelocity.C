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

#include "meanVelocity.H"
#include "caseChecks.H"
#include "fvMesh.H"
#include "momentumSource.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::meanVelocity::meanVelocity
(
    const word& name,
    const dictionary& coeffs,
    const fvMesh& mesh
)
:
    Ubar_(coeffs.get<vector>("Ubar")),
    relaxation_(coeffs.getOrDefault<scalar>("relaxation", 1))
{
    if (!(mag(Ubar_) > 0 && mag(Ubar_) < GREAT))
    {
        FatalIOErrorInFunction(coeffs)
            << "The fvOption " << name << " has Ubar " << Ubar_
            << " m/s, possible: a velocity other than zero"
            << exit(FatalIOError);
    }

    const wordList fields(coeffs.get<wordList>("fields"));

    const word U(caseChecks::velocityName(mesh));

    if (fields != wordList({U}))
    {
        FatalIOErrorInFunction(coeffs)
            << "The fvOption " << name << " has fields " << fields
            << ", possible: (" << U << ")"
            << exit(FatalIOError);
    }

    if (!(relaxation_ > 0 && relaxation_ <= 1))
    {
        FatalIOErrorInFunction(coeffs)
            << "The fvOption " << name << " has relaxation " << relaxation_
            << ", possible: above 0, at most 1"
            << exit(FatalIOError);
    }

    momentumSource::checkDirection(name, coeffs, mesh, "Ubar", Ubar_);
}


// ************************************************************************* //
