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

#include "latticeLaminarModel.H"
#include "latticeFlow.H"
#include "latticeWalls.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

const Foam::latticeWalls* Foam::latticeLaminarModel::walls() const
{
    latticeFlow* flow = mesh_.getObjectPtr<latticeFlow>(latticeFlow::typeName);

    return flow ? flow->walls() : nullptr;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeLaminarModel::latticeLaminarModel
(
    const volVectorField& U,
    const surfaceScalarField& phi,
    const transportModel& transport,
    const word& properties
)
:
    laminarModels::Stokes<incompressible::turbulenceModel>
    (
        geometricOneField(),
        geometricOneField(),
        U,
        phi,
        phi,
        transport,
        properties
    )
{
    if (properties != propertiesName)
    {
        rename(propertiesName);
    }
}


// * * * * * * * * * * * * * * * * Selectors * * * * * * * * * * * * * * * * //

Foam::autoPtr<Foam::incompressible::turbulenceModel>
Foam::latticeLaminarModel::New
(
    const volVectorField& U,
    const surfaceScalarField& phi,
    const transportModel& transport
)
{
    const IOdictionary properties
    (
        IOobject
        (
            propertiesName,
            U.time().constant(),
            U.db(),
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        )
    );

    const word kind(properties.get<word>("simulationType"));

    if (kind != "laminar")
    {
        return incompressible::turbulenceModel::New(U, phi, transport);
    }

    Info<< "Selecting turbulence model type " << kind << nl
        << "Selecting laminar stress model "
        << laminarModels::Stokes<incompressible::turbulenceModel>::typeName
        << endl;

    return autoPtr<incompressible::turbulenceModel>
    (
        new latticeLaminarModel(U, phi, transport)
    );
}


// * * * * * * * * * * * * * * * Static Functions  * * * * * * * * * * * * * //

bool Foam::latticeLaminarModel::diffusesScalar(const dictionary& controlDict)
{
    for (const entry& e : controlDict.subOrEmptyDict("functions"))
    {
        if
        (
            e.isDict()
         && e.dict().getOrDefault<word>("type", word::null) == "scalarTransport"
         && !e.dict().found("D")
         && !e.dict().found("nut")
        )
        {
            return true;
        }
    }

    return false;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::tmp<Foam::volSymmTensorField>
Foam::latticeLaminarModel::devRhoReff() const
{
    tmp<volSymmTensorField> tstress
    (
        laminarModels::Stokes<incompressible::turbulenceModel>::devRhoReff()
    );

    const latticeWalls* walls = this->walls();

    if (!walls)
    {
        return tstress;
    }

    volSymmTensorField::Boundary& stress = tstress.ref().boundaryFieldRef();

    forAll(stress, patchi)
    {
        if (!walls->has(patchi))
        {
            continue;
        }

        const tensorField& gradient = walls->gradient(patchi);
        const scalarField nu(this->nu(patchi));

        forAll(gradient, facei)
        {
            if (walls->known(patchi, facei))
            {
                stress[patchi][facei] =
                    -nu[facei]*dev(twoSymm(gradient[facei]));
            }
        }
    }

    return tstress;
}


Foam::tmp<Foam::scalarField> Foam::latticeLaminarModel::nuEff
(
    const label patchi
) const
{
    const latticeWalls* walls = this->walls();

    if (!walls || !walls->has(patchi))
    {
        return this->nu(patchi);
    }

    auto tnu = tmp<scalarField>::New(this->nu(patchi)());
    scalarField& nu = tnu.ref();
    const tensorField& gradient = walls->gradient(patchi);
    const vectorField n(mesh_.boundary()[patchi].nf());
    const scalarField magSlope(mag(U_.boundaryField()[patchi].snGrad()));

    forAll(nu, facei)
    {
        if (walls->known(patchi, facei) && magSlope[facei] > VSMALL)
        {
            const vector shear(n[facei] & twoSymm(gradient[facei]));

            nu[facei] *=
                mag(shear - n[facei]*(n[facei] & shear))/magSlope[facei];
        }
    }

    return tnu;
}


// ************************************************************************* //
