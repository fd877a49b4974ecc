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

#include "latticeScalar.H"
#include "addToRunTimeSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeScalar, 0);
    addToRunTimeSelectionTable(functionObject, latticeScalar, dictionary);
}
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeScalar::latticeScalar
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeFunctionObject(name, runTime, dict),
    fieldName_()
{
    read(dict);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeScalar::read(const dictionary& dict)
{
    fieldName_ = dict.getOrDefault<word>("field", "s");

    return latticeFunctionObject::read(dict);
}


bool Foam::functionObjects::latticeScalar::execute()
{
    if (!findFlow("scalarTransport works with any solver"))
    {
        return true;
    }

    // A scalar added while the solver runs
    if (!foundObject<volScalarField>(fieldName_))
    {
        FatalErrorInFunction
            << "There is no field " << fieldName_ << " for " << name()
            << " on the lattice: a scalar is added when the solver starts" << nl
            << "    possible : start again, or the functionObject scalarTransport"
            << exit(FatalError);
    }

    Log << type() << " execute: " << fieldName_ << endl;

    return true;
}


// ************************************************************************* //
