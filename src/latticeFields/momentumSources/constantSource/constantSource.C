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
#include "addToMemberFunctionSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(constantSource, 0);
    addToRunTimeSelectionTable(momentumSource, constantSource, dictionary);

    addToMemberFunctionSelectionTable
    (
        momentumSource,
        constantSource,
        takes,
        dictionary
    );
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

    checkDirection(name, coeffs(), mesh, "The source", rate.first());

    acceleration_ =
        mode == "absolute"
      ? rate.first()/gSum(mesh.V())
      : rate.first();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::constantSource::takes(const dictionary& coeffs)
{
    const dictionary& rates = coeffs.subOrEmptyDict("injectionRateSuSp");

    // That of a rotating frame is left to OpenFOAM
    if (!rates.found("U"))
    {
        return coeffs.found("injectionRateSuSp") && !rates.found("Urel");
    }

    // Later versions of OpenFOAM may have functions of time there
    if (rates.isDict("U"))
    {
        return false;
    }

    const ITstream& stream = rates.lookup("U");

    return
        stream.size()
     && stream.first() == token::BEGIN_LIST
     && rates.get<Tuple2<vector, scalar>>("U").second() == 0;
}


void Foam::constantSource::writeSummary(Ostream& os) const
{
    os  << acceleration_ << " m/s2, " << name() << " of fvOptions";
}


// ************************************************************************* //
