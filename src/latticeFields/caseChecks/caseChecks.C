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

#include "caseChecks.H"
#include "localIOdictionary.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Dictionary of the case if it is there, else an empty one
IOdictionary readIfPresent
(
    const fvMesh& mesh,
    const word& name,
    const fileName& instance
)
{
    return IOdictionary
    (
        IOobject
        (
            name,
            instance,
            mesh,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE,
            false
        )
    );
}


//- Stop if the laminar model has a stress that is not that of a viscosity
void checkLaminarModel(const dictionary& turbulenceProperties)
{
    const dictionary& dict = turbulenceProperties.subOrEmptyDict("laminar");

    // Later versions of OpenFOAM call the entry model
    for (const char* key : {"laminarModel", "model"})
    {
        const word model(dict.getOrDefault<word>(key, "Stokes"));

        if (model != "Stokes")
        {
            FatalIOErrorInFunction(dict)
                << "Found " << key << ' ' << model << ", possible: Stokes."
                << nl << "    The stress on the lattice is that of a viscosity:"
                << " transportModel chooses the fluid."
                << exit(FatalIOError);
        }
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

void Foam::caseChecks::checkModels(const fvMesh& mesh)
{
    const Time& runTime = mesh.time();

    {
        const IOdictionary dict
        (
            readIfPresent(mesh, "turbulenceProperties", runTime.constant())
        );

        if
        (
            dict.getOrDefault<word>("simulationType", "laminar") == "laminar"
        )
        {
            checkLaminarModel(dict);
        }
    }

    {
        const IOdictionary dict
        (
            readIfPresent(mesh, "dynamicMeshDict", runTime.constant())
        );

        const word model
        (
            dict.getOrDefault<word>("dynamicFvMesh", "staticFvMesh")
        );

        if (model != "staticFvMesh")
        {
            FatalIOErrorInFunction(dict)
                << "Found dynamicFvMesh " << model
                << ", possible: staticFvMesh." << nl
                << "    The lattice does not move."
                << exit(FatalIOError);
        }
    }

    {
        const IOdictionary dict
        (
            readIfPresent(mesh, "MRFProperties", runTime.constant())
        );

        for (const entry& e : dict)
        {
            if (e.isDict() && e.dict().getOrDefault("active", true))
            {
                FatalIOErrorInFunction(e.dict())
                    << "The MRF zone " << e.keyword() << " is active, but the"
                    << " lattice cannot rotate in part." << nl
                    << "    Possible: remove it, or set active to false;"
                    << " SRFProperties for a frame that rotates as a whole."
                    << exit(FatalIOError);
            }
        }
    }

    {
        const IOdictionary dict
        (
            readIfPresent(mesh, "thermophysicalProperties", runTime.constant())
        );

        if
        (
            dict.size()
         && !readIfPresent(mesh, "transportProperties", runTime.constant())
           .size()
        )
        {
            FatalIOErrorInFunction(dict)
                << "Found thermophysicalProperties and no transportProperties,"
                << " but the fluid of the lattice is incompressible." << nl
                << "    Possible: transportProperties with nu; with heat those"
                << " of buoyantBoussinesqPimpleFoam, nu, beta, TRef, Pr and Prt."
                << exit(FatalIOError);
        }
    }
}


bool Foam::caseChecks::describesRotatingFrame(const fvMesh& mesh)
{
    return IOobject
    (
        "SRFProperties",
        mesh.time().constant(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    ).typeHeaderOk<IOdictionary>(true);
}


Foam::word Foam::caseChecks::velocityName(const fvMesh& mesh)
{
    return describesRotatingFrame(mesh) ? "Urel" : "U";
}


bool Foam::caseChecks::describesTurbulenceModel(const fvMesh& mesh)
{
    return
        readIfPresent
        (
            mesh,
            "transportProperties",
            mesh.time().constant()
        ).found("transportModel")
     && IOobject
        (
            "turbulenceProperties",
            mesh.time().constant(),
            mesh,
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        ).typeHeaderOk<IOdictionary>(true);
}


void Foam::caseChecks::checkTransportModel
(
    const IOdictionary& transportProperties
)
{
    for (const word name : {"transportModel", "nu"})
    {
        if (transportProperties.isDict(name))
        {
            FatalIOErrorInFunction(transportProperties.subDict(name))
                << "Found " << name << " as a dictionary, possible: "
                << (name == "nu" ? "nu 1e-06; in m2/s" : "a name, say Newtonian")
                << exit(FatalIOError);
        }
    }

}


bool Foam::caseChecks::newtonian(const fvMesh& mesh)
{
    const IOdictionary dict
    (
        readIfPresent(mesh, "transportProperties", mesh.time().constant())
    );

    return
        dict.isDict("transportModel")
     || dict.getOrDefault<word>("transportModel", "Newtonian") == "Newtonian";
}


void Foam::caseChecks::checkTransport
(
    const IOdictionary& transportProperties,
    const dimensionedScalar& nu
)
{
    if (!(nu.value() > 0 && nu.value() < GREAT))
    {
        FatalIOErrorInFunction(transportProperties)
            << "Found nu = " << nu.value() << " m2/s, possible: > 0 and below "
            << GREAT << '.'
            << " The relaxation time of the lattice is 1/2 + 3 nu dt/dx^2"
            << " and must be above 1/2."
            << exit(FatalIOError);
    }
}


template<class Type>
void Foam::caseChecks::checkDimensions
(
    const GeometricField<Type, fvPatchField, volMesh>& field,
    const dimensionSet& expected
)
{
    if (field.dimensions() == expected)
    {
        return;
    }

    // Read again as dictionary: it knows the file and its lines
    const localIOdictionary dict
    (
        IOobject
        (
            field.name(),
            field.instance(),
            field.db(),
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        ),
        GeometricField<Type, fvPatchField, volMesh>::typeName
    );

    FatalIOErrorInFunction(dict)
        << "Field " << field.name() << " has dimensions "
        << field.dimensions() << ", expected: " << expected
        << exit(FatalIOError);
}


template void Foam::caseChecks::checkDimensions
(
    const Foam::volScalarField&,
    const Foam::dimensionSet&
);

template void Foam::caseChecks::checkDimensions
(
    const Foam::volVectorField&,
    const Foam::dimensionSet&
);


// ************************************************************************* //
