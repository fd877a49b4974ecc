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

#include "latticeScalars.H"
#include "evaluateProcessors.H"
#include "inputChecks.H"
#include "Time.H"
#include "turbulenceModel.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- An upwind scheme has 2 everywhere
constexpr scalar defaultPeclet = 10;


word fieldName(const dictionary& dict)
{
    return dict.getOrDefault<word>("field", "s");
}


//- An entry above zero, or a default
scalar positive(const dictionary& dict, const word& name, const scalar otherwise)
{
    const scalar value = dict.getOrDefault<scalar>(name, otherwise);

    if (!(value > 0 && value < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Found " << name << ' ' << value << ", possible: above zero"
            << exit(FatalIOError);
    }

    return value;
}


//- FatalIOError for entries of scalarTransport that the lattice does not follow
void checkEntries(const dictionary& dict)
{
    for (const word name : {"phase", "nut"})
    {
        const word value(dict.getOrDefault<word>(name, "none"));

        if (value != "none")
        {
            FatalIOErrorInFunction(dict)
                << "Found " << name << ' ' << value << ", possible: none"
                << (
                       name == "nut"
                     ? "; alphaDt for the nut of the turbulence model"
                     : ""
                   )
                << nl << "    or the functionObject scalarTransport"
                << exit(FatalIOError);
        }
    }

    const word phi(dict.getOrDefault<word>("phi", "phi"));

    if (phi != "phi")
    {
        FatalIOErrorInFunction(dict)
            << "Found phi " << phi << ", possible: phi"
            << exit(FatalIOError);
    }

    if (dict.subOrEmptyDict("fvOptions").size())
    {
        FatalIOErrorInFunction(dict.subDict("fvOptions"))
            << "Found sources of a scalar on the lattice, possible: none" << nl
            << "    or the functionObject scalarTransport"
            << exit(FatalIOError);
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeScalars::addField(const dictionary& dict, const fvMesh& mesh)
{
    const word name(fieldName(dict));

    if (mesh.foundObject<regIOobject>(name))
    {
        FatalIOErrorInFunction(dict)
            << "Found field " << name << ", which is there already" << nl
            << "    possible : a field of its own"
            << exit(FatalIOError);
    }

    Info<< "Reading field " << name << nl << endl;

    fields_.append
    (
        new volScalarField
        (
            caseChecks::readField<scalar>
            (
                IOobject
                (
                    name,
                    mesh.time().timeName(),
                    mesh,
                    IOobject::MUST_READ,
                    IOobject::AUTO_WRITE
                ),
                mesh
            )
        )
    );

    volScalarField& s = fields_.last();

    caseChecks::checkValues(s);

    if (dict.getOrDefault("resetOnStartUp", false))
    {
        s == dimensionedScalar(s.dimensions(), Zero);
    }

    evaluateProcessors(s);
}


void Foam::latticeScalars::addScalar
(
    const dictionary& dict,
    const turbulenceModel* turbulence,
    const scalar nu
)
{
    checkEntries(dict);

    volScalarField& s = fields_.last();

    const bool constantD = dict.found("D");
    const scalar alphaDt =
        constantD || !turbulence ? 0 : positive(dict, "alphaDt", 1);

    if (!constantD && !(nu > 0))
    {
        FatalIOErrorInFunction(dict)
            << "Found no D for " << s.name() << " in a fluid whose viscosity"
            << " varies, possible: D in m2/s"
            << exit(FatalIOError);
    }

    const scalar D =
        constantD ? positive(dict, "D", 0) : positive(dict, "alphaD", 1)*nu;

    std::unique_ptr<scalarOnLattice::eddyDiffusivity> eddies
    (
        new scalarOnLattice::eddyDiffusivity
        {
            alphaDt > 0
          ? &s.mesh().lookupObjectRef<volScalarField>("nut")
          : nullptr,
            alphaDt,
            alphaDt,
            nu,
            positive(dict, "largestPeclet", defaultPeclet)
        }
    );

    scalars_.append
    (
        new scalarOnLattice
        (
            s,
            D,
            std::move(eddies),
            0,
            1,
            Zero,
            &dict,
            string::null,
            nullptr,
            nullptr
        )
    );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeScalars::latticeScalars
(
    const fvMesh& mesh,
    const turbulenceModel* turbulence,
    const scalar nu
)
{
    for (const entry& e : mesh.time().controlDict().subOrEmptyDict("functions"))
    {
        if
        (
            e.isDict()
         && e.dict().getOrDefault<word>("type", word::null) == "latticeScalar"
         && e.dict().getOrDefault("enabled", true)
        )
        {
            requests_.append(new dictionary(e.dict()));
            addField(requests_.last(), mesh);
            addScalar(requests_.last(), turbulence, nu);
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeScalars::appendTo(UPtrList<scalarOnLattice>& list)
{
    for (scalarOnLattice& s : scalars_)
    {
        list.append(&s);
    }
}


// ************************************************************************* //
