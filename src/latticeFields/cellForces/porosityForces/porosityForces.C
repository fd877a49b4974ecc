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

#include "porosityForces.H"
#include "fvMatrices.H"
#include "IOdictionary.H"
#include "Time.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::porosityForces::porosityForces
(
    const volVectorField& U,
    const dictionary& zones
)
:
    assembledForces(U),
    dict_(zones),
    zones_(U.mesh(), dict_)
{
    for (porosityModel& zone : zones_)
    {
        fvVectorMatrix M(present(), dimVelocity*dimVolume/dimTime);
        zone.addResistance(M);

        checkDiagonal
        (
            M,
            "The porous zone " + zone.name() + " of type " + zone.type(),
            dict_.subDict(zone.name())
        );
    }
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::fvVectorMatrix> Foam::porosityForces::matrix
(
    volVectorField& U
)
{
    auto tM = tmp<fvVectorMatrix>::New(U, dimVelocity*dimVolume/dimTime);

    zones_.addResistance(tM.ref());
    tM.ref().negate();

    return tM;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::dictionary Foam::porosityForces::zones(const fvMesh& mesh)
{
    IOobject io
    (
        "porosityProperties",
        mesh.time().constant(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );

    if (!io.typeHeaderOk<IOdictionary>(true))
    {
        return dictionary();
    }

    const IOdictionary file(io);
    const dictionary& all = file;

    // Of the same name: messages say where an entry stands
    dictionary zones(all.name());

    for (const entry& e : all)
    {
        if (e.isDict() && e.dict().getOrDefault("active", true))
        {
            zones.add(e);
        }
    }

    return zones;
}


void Foam::porosityForces::add
(
    const scalar deltaT,
    vectorField& a,
    symmTensorField& sigma
)
{
    addResistance
    (
        [this](volVectorField& U){ return matrix(U); },
        a,
        sigma
    );
}


void Foam::porosityForces::addDragAt
(
    const scalar speed,
    symmTensorField& sigma
)
{
    sigma += dragAt
    (
        [this](volVectorField& U){ return matrix(U); },
        scalarField(mesh().nCells(), speed)
    );
}


void Foam::porosityForces::writeSummary(Ostream& os) const
{
    for (const porosityModel& zone : zones_)
    {
        os  << "    force in cells        " << zone.name()
            << " of porosityProperties: " << zone.type() << ", "
            << cells(dict_.subDict(zone.name())).c_str() << nl;
    }
}


// ************************************************************************* //
