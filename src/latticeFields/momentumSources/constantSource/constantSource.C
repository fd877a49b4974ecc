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

#include "constantSource.H"
#include "volFields.H"
#include "Tuple2.H"
#include "addToRunTimeSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(constantSource, 0);
    addToRunTimeSelectionTable(momentumSource, constantSource, dictionary);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::constantSource::constantSource
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
:
    momentumSource(name, dict, mesh),
    acceleration_(Zero)
{
    const word mode(coeffs().get<word>("volumeMode"));

    if (mode != "specific" && mode != "absolute")
    {
        FatalIOErrorInFunction(coeffs())
            << "The fvOption " << name << " has volumeMode " << mode
            << ", possible: absolute specific"
            << exit(FatalIOError);
    }

    const dictionary& rates = coeffs().subDict("injectionRateSuSp");

    for (const entry& e : rates)
    {
        if (e.keyword() != "U")
        {
            FatalIOErrorInFunction(rates)
                << "The fvOption " << name << " has a source for "
                << e.keyword() << ", possible: U"
                << exit(FatalIOError);
        }
    }

    const auto rate = rates.get<Tuple2<vector, scalar>>("U");

    if (rate.second() != 0)
    {
        FatalIOErrorInFunction(rates)
            << "The fvOption " << name << " has the implicit part "
            << rate.second() << ", possible: 0." << nl
            << "    A force in proportion to the velocity is not possible."
            << exit(FatalIOError);
    }

    checkDirection("The source", rate.first());

    acceleration_ =
        mode == "absolute"
      ? rate.first()/gSum(mesh.V())
      : rate.first();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::constantSource::writeSummary(Ostream& os) const
{
    os  << acceleration_ << " m/s2, " << name() << " of fvOptions";
}


// ************************************************************************* //
