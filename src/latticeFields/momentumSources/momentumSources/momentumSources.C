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

#include "momentumSources.H"
#include "IOdictionary.H"
#include "Time.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::dictionary Foam::momentumSources::entries(const fvMesh& mesh)
{
    for (const word& instance : {mesh.time().constant(), mesh.time().system()})
    {
        IOobject io
        (
            "fvOptions",
            instance,
            mesh,
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        );

        if (!io.typeHeaderOk<IOdictionary>(true))
        {
            continue;
        }

        const IOdictionary file(io);

        // The sources may stand in a sub-dictionary of their own
        const dictionary& options = file.optionalSubDict("options");

        // Of the same name: messages say where an entry stands
        dictionary active(options.name());

        for (const entry& e : options)
        {
            if (e.isDict() && e.dict().getOrDefault("active", true))
            {
                active.add(e);
            }
        }

        // As OpenFOAM: the first file that is there
        return active;
    }

    return dictionary();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::momentumSources::momentumSources(const fvMesh& mesh)
{
    const dictionary active(entries(mesh));

    for (const entry& e : active)
    {
        if (momentumSource::takes(e.dict()))
        {
            append(momentumSource::New(e.keyword(), e.dict(), mesh).ptr());
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::dictionary Foam::momentumSources::others(const fvMesh& mesh)
{
    dictionary result(entries(mesh));

    for (const word& name : result.toc())
    {
        if (momentumSource::takes(result.subDict(name)))
        {
            result.remove(name);
        }
    }

    return result;
}


bool Foam::momentumSources::variable() const
{
    for (const momentumSource& source : *this)
    {
        if (source.variable())
        {
            return true;
        }
    }

    return false;
}


Foam::vector Foam::momentumSources::acceleration() const
{
    vector sum(Zero);

    for (const momentumSource& source : *this)
    {
        sum += source.acceleration();
    }

    return sum;
}


Foam::scalar Foam::momentumSources::meanSpeed() const
{
    scalar speed = 0;

    for (const momentumSource& source : *this)
    {
        speed = max(speed, source.meanSpeed());
    }

    return speed;
}


void Foam::momentumSources::start
(
    const vector& UMean,
    const scalar latticeStep,
    const bool restarted
)
{
    for (momentumSource& source : *this)
    {
        source.start(UMean, latticeStep, restarted);
    }
}


void Foam::momentumSources::changeLatticeStep
(
    const scalar from,
    const scalar to
)
{
    for (momentumSource& source : *this)
    {
        source.changeLatticeStep(from, to);
    }
}


void Foam::momentumSources::beginStep
(
    const scalar deltaT,
    const scalar latticeStep,
    const scalar soundSpeed
)
{
    for (momentumSource& source : *this)
    {
        source.beginStep(deltaT, latticeStep, soundSpeed);
    }
}


void Foam::momentumSources::endStep
(
    const vector& UMean,
    const scalar deltaT,
    const scalar latticeStep,
    const scalar soundSpeed
)
{
    for (momentumSource& source : *this)
    {
        source.endStep(UMean, deltaT, latticeStep, soundSpeed);
    }
}


// ************************************************************************* //
