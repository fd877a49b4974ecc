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

#include "momentumSource.H"
#include "Time.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(momentumSource, 0);
    defineRunTimeSelectionTable(momentumSource, dictionary);
    defineMemberFunctionSelectionTable(momentumSource, takes, dictionary);
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

bool Foam::momentumSource::acting() const
{
    const scalar t = mesh_.time().value();

    return
        timeStart_ < 0
     || (
            t >= mesh_.time().userTimeToTime(timeStart_)
         && t <= mesh_.time().userTimeToTime(timeStart_ + duration_)
        );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::momentumSource::momentumSource
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
:
    name_(name),
    mesh_(mesh),
    dict_(dict),
    coeffs_(dict_.optionalSubDict(dict_.get<word>("type") + "Coeffs")),
    timeStart_(-1),
    duration_(0)
{
    if (coeffs_.readIfPresent("timeStart", timeStart_) && timeStart_ >= 0)
    {
        coeffs_.readEntry("duration", duration_);
    }
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

void Foam::momentumSource::checkDirection
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh,
    const word& entry,
    const vector& v
)
{
    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if (mesh.geometricD()[d] < 0 && mag(v[d]) > SMALL*mag(v))
        {
            FatalIOErrorInFunction(dict)
                << entry << ' ' << v << " of the fvOption " << name
                << " has a component in the empty direction, " << "xyz"[d]
                << nl << "    Possible are the two directions of the flow"
                << exit(FatalIOError);
        }
    }
}


// * * * * * * * * * * * * * * * * Selectors * * * * * * * * * * * * * * * * //

bool Foam::momentumSource::takes(const dictionary& dict)
{
    const word type(dict.get<word>("type"));

    if (!dictionaryConstructorTablePtr_->found(type))
    {
        return false;
    }

    const dictionary& coeffs = dict.optionalSubDict(type + "Coeffs");

    if (coeffs.get<word>("selectionMode") != "all")
    {
        return false;
    }

    // A class that does not answer takes all
    const auto iter = takesdictionaryMemberFunctionTablePtr_->cfind(type);

    return !iter.found() || iter()(coeffs);
}


Foam::autoPtr<Foam::momentumSource> Foam::momentumSource::New
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
{
    const auto iter =
        dictionaryConstructorTablePtr_->cfind(dict.get<word>("type"));

    return autoPtr<momentumSource>(iter()(name, dict, mesh));
}


// ************************************************************************* //
