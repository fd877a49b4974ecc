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

#include "latticeHeatFlux.H"
#include "addToRunTimeSelectionTable.H"
#include "latticeFlow.H"
#include "turbulentTransportModel.H"
#include "wallPolyPatch.H"
#include "wordRes.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeHeatFlux, 0);
    addToRunTimeSelectionTable(functionObject, latticeHeatFlux, dictionary);
}
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::scalarField> Foam::functionObjects::latticeHeatFlux::flux
(
    const label patchi
) const
{
    const volScalarField& T = lookupObject<volScalarField>("T");

    tmp<scalarField> alphaEff(conductivity(patchi));

    if (foundObject<volScalarField>("alphat"))
    {
        alphaEff.ref() +=
            lookupObject<volScalarField>("alphat").boundaryField()[patchi];
    }

    tmp<scalarField> q(alphaEff*T.boundaryField()[patchi].snGrad());

    if (rhoCp_ > 0 && foundObject<volScalarField>(qrName_))
    {
        q.ref() -=
            lookupObject<volScalarField>(qrName_).boundaryField()[patchi]
           /rhoCp_;
    }

    return q;
}


Foam::tmp<Foam::scalarField>
Foam::functionObjects::latticeHeatFlux::conductivity
(
    const label patchi
) const
{
    const incompressible::turbulenceModel& turbulence =
        lookupObject<incompressible::turbulenceModel>
        (
            turbulenceModel::propertiesName
        );

    const dimensionedScalar Pr
    (
        "Pr",
        dimless,
        lookupObject<dictionary>("transportProperties")
    );

    return turbulence.nu(patchi)/Pr.value();
}


Foam::scalar Foam::functionObjects::latticeHeatFlux::pairOf
(
    const dictionary& dict,
    const word& first,
    const word& second,
    const bool ratio
)
{
    if (!dict.found(first) && !dict.found(second))
    {
        return 0;
    }

    const scalar a = dict.get<scalar>(first);
    const scalar b = dict.get<scalar>(second);

    if (!(a > 0 && b > 0 && a < GREAT && b < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Found " << first << " = " << a << " and " << second << " = "
            << b << ", possible: both above 0, or neither"
            << exit(FatalIOError);
    }

    return ratio ? a/b : a*b;
}


void Foam::functionObjects::latticeHeatFlux::makeField(const dictionary& dict)
{
    const word result(dict.getOrDefault<word>("result", typeName));
    const dimensionSet dimensions
    (
        rhoCp_ > 0 ? dimPower/dimArea : dimTemperature*dimVelocity
    );

    if (!result_.empty())
    {
        mesh_.objectRegistry::checkOut
        (
            lookupObjectRef<volScalarField>(result_)
        );
        result_.clear();
    }

    if (foundObject<regIOobject>(result))
    {
        FatalIOErrorInFunction(dict)
            << "Found a field " << result << " already, possible: another name"
            << " by the entry result"
            << exit(FatalIOError);
    }

    mesh_.objectRegistry::store
    (
        new volScalarField
        (
            IOobject(result, mesh_.time().timeName(), mesh_),
            mesh_,
            dimensionedScalar(dimensions, Zero)
        )
    );
    result_ = result;
}


void Foam::functionObjects::latticeHeatFlux::writeFileHeader(Ostream& os) const
{
    writeHeader
    (
        os,
        rhoCp_ > 0
      ? "Wall heat-flux"
      : "Wall heat-flux over density and heat capacity"
    );
    writeCommented(os, "Time");
    writeTabbed(os, "patch");
    writeTabbed(os, "min");
    writeTabbed(os, "max");
    writeTabbed(os, "integral");
    if (lengthOverT_ > 0)
    {
        writeTabbed(os, "Nu");
    }
    os  << endl;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeHeatFlux::latticeHeatFlux
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict),
    writeFile(obr_, name, typeName, dict),
    patches_(),
    rhoCp_(0),
    lengthOverT_(0),
    qrName_("qr"),
    result_()
{
    read(dict);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeHeatFlux::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    writeFile::read(dict);

    const bool first = result_.empty();
    const bool power = rhoCp_ > 0;
    const bool Nusselt = lengthOverT_ > 0;

    rhoCp_ = pairOf(dict, "rhoRef", "CpRef", false);
    lengthOverT_ = pairOf(dict, "lRef", "TDiff", true);
    qrName_ = dict.getOrDefault<word>("qr", "qr");
    makeField(dict);

    if
    (
        Pstream::master()
     && (first || (rhoCp_ > 0) != power || (lengthOverT_ > 0) != Nusselt)
    )
    {
        writeFileHeader(file());
    }

    const polyBoundaryMesh& pbm = mesh_.boundaryMesh();
    labelHashSet walls(pbm.findPatchIDs<wallPolyPatch>());

    wordRes names;
    dict.readIfPresent("patches", names);

    if (names.size())
    {
        labelHashSet found(pbm.patchSet(names));
        found.filterKeys
        (
            [&](const label patchi){ return patchi < pbm.nNonProcessor(); }
        );

        for (const label patchi : found)
        {
            if (!walls.found(patchi))
            {
                FatalIOErrorInFunction(dict)
                    << "Patch " << pbm[patchi].name() << " is of type "
                    << pbm[patchi].type() << ", possible: wall"
                    << exit(FatalIOError);
            }
        }

        if (found.empty())
        {
            wordList possible;

            for (const label patchi : walls.sortedToc())
            {
                possible.append(pbm[patchi].name());
            }

            FatalIOErrorInFunction(dict)
                << "Found no patch that matches " << names << ", possible: "
                << possible
                << exit(FatalIOError);
        }

        walls = found;
    }

    // Meshing tools leave patches without faces
    walls.filterKeys
    (
        [&](const label patchi)
        {
            return returnReduce(pbm[patchi].size(), sumOp<label>()) > 0;
        }
    );

    patches_ = walls.sortedToc();

    Info<< type() << " " << name() << ":" << nl
        << "    processing wall patches: " << nl;

    for (const label patchi : patches_)
    {
        Info<< "        " << pbm[patchi].name() << nl;
    }

    Info<< endl;

    return true;
}


bool Foam::functionObjects::latticeHeatFlux::execute()
{
    if
    (
        !foundObject<volScalarField>("T")
     || !foundObject<dictionary>("transportProperties")
     || !foundObject<incompressible::turbulenceModel>
        (
            turbulenceModel::propertiesName
        )
    )
    {
        FatalErrorInFunction
            << "Found no T with the transport and the turbulence model of an"
            << " incompressible fluid" << nl
            << "    possible : cases of buoyantBoussinesqPimpleFoam and"
            << " -SimpleFoam, with T and p_rgh"
            << exit(FatalError);
    }

    volScalarField& q = lookupObjectRef<volScalarField>(result_);

    for (const label patchi : patches_)
    {
        q.boundaryFieldRef()[patchi] = (rhoCp_ > 0 ? rhoCp_ : 1)*flux(patchi);
    }

    return true;
}


Foam::scalar Foam::functionObjects::latticeHeatFlux::integralOf
(
    const label patchi
) const
{
    const latticeFlow* flow = mesh_.findObject<latticeFlow>(latticeFlow::typeName);

    if (flow)
    {
        if (const auto q = flow->heatFlux(patchi))
        {
            return (rhoCp_ > 0 ? rhoCp_ : 1)*(*q);
        }
    }

    return
        gSum
        (
            mesh_.boundary()[patchi].magSf()
           *lookupObject<volScalarField>(result_).boundaryField()[patchi]
        );
}


bool Foam::functionObjects::latticeHeatFlux::write()
{
    const volScalarField& q = lookupObject<volScalarField>(result_);

    Log << type() << " " << name() << " write:" << nl
        << "    writing field " << q.name() << endl;

    q.write();

    Ostream& os = Pstream::master() ? file() : Snull;

    for (const label patchi : patches_)
    {
        const word& patch = mesh_.boundary()[patchi].name();
        const scalarField& qp = q.boundaryField()[patchi];
        const scalarField& magSf = mesh_.boundary()[patchi].magSf();

        const scalar least = gMin(qp);
        const scalar largest = gMax(qp);
        const scalar integral = integralOf(patchi);

        setResult("min(" + patch + ")", least);
        setResult("max(" + patch + ")", largest);
        setResult("int(" + patch + ")", integral);

        Log << "    min/max/integ(" << patch << ") = "
            << least << ", " << largest << ", " << integral;

        writeCurrentTime(os);
        os  << token::TAB << patch
            << token::TAB << least
            << token::TAB << largest
            << token::TAB << integral;

        if (lengthOverT_ > 0)
        {
            const scalar conducted =
                (rhoCp_ > 0 ? rhoCp_ : 1)
               *gSum(magSf*conductivity(patchi))/lengthOverT_;

            const scalar Nu = integral/conducted;

            setResult("Nu(" + patch + ")", Nu);

            Log << ", Nu = " << Nu;

            os << token::TAB << Nu;
        }

        Log << endl;

        os << endl;
    }

    Log << endl;

    return true;
}


// ************************************************************************* //
