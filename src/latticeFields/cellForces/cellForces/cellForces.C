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

#include "cellForces.H"
#include "fvOptionForces.H"
#include "meanVelocityForces.H"
#include "momentumSources.H"
#include "porosityForces.H"
#include "IOdictionary.H"
#include "Time.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::cellForces::addViscosity(const fvMesh& mesh)
{
    if (mesh.foundObject<volScalarField>("nu"))
    {
        return;
    }

    const IOdictionary transportProperties
    (
        IOobject
        (
            "transportProperties",
            mesh.time().constant(),
            mesh,
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        )
    );

    nu_.reset
    (
        new volScalarField
        (
            IOobject
            (
                "nu",
                mesh.time().timeName(),
                mesh,
                IOobject::NO_READ,
                IOobject::NO_WRITE
            ),
            mesh,
            dimensionedScalar("nu", dimViscosity, transportProperties)
        )
    );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::cellForces::cellForces(const volVectorField& U)
{
    dictionary options(momentumSources::others(U.mesh()));
    dictionary held(options.name());

    for (const word& name : options.toc())
    {
        if (meanVelocityForces::takes(options.subDict(name)))
        {
            held.add(name, options.subDict(name));
            options.remove(name);
        }
    }

    const dictionary zones(porosityForces::zones(U.mesh()));

    if (options.size() || zones.size())
    {
        addViscosity(U.mesh());
    }

    if (options.size())
    {
        autoPtr<fvOptionForces> forces(new fvOptionForces(U, options));

        if (!forces->empty())
        {
            append(forces.ptr());
        }
    }

    if (held.size())
    {
        append(new meanVelocityForces(U, held));
    }

    if (zones.size())
    {
        append(new porosityForces(U, zones));
    }
}


// ************************************************************************* //
