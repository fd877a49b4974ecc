/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2011-2016 OpenFOAM Foundation
    Copyright (C) 2015-2020 OpenCFD Ltd.
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

#include "latticeForces.H"
#include "engineCall.H"
#include "latticeFlow.H"
#include "addToRunTimeSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeForces, 0);
    addToRunTimeSelectionTable(functionObject, latticeForces, dictionary);
}
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeForces::readPatches(const dictionary& dict)
{
    const polyBoundaryMesh& pbm = mesh_.boundaryMesh();
    const latticeFlow* flow = findFlow();

    // Those with links that bear a load
    labelHashSet possible;
    wordList names(pbm.names());

    if (flow)
    {
        const latticeMapping& mapping = flow->mapping();
        names.clear();

        forAll(mapping.groupPatches(), groupi)
        {
            const label patchi = mapping.groupPatches()[groupi];

            if
            (
                mapping.description().groups[groupi].type != "cyclic"
             && possible.insert(patchi)
            )
            {
                names.append(pbm[patchi].name());
            }
        }
    }

    patches_.clear();
    drawn_ = false;

    for (const wordRe& name : dict.get<wordRes>("patches"))
    {
        const labelHashSet found
        (
            pbm.patchSet(List<wordRe>({name}), false, true)
        );

        if (found.empty() && name == latticeObstacle::surfaceName)
        {
            drawn_ = true;
            continue;
        }

        if (found.empty())
        {
            FatalIOErrorInFunction(dict)
                << "patches of " << type() << ' ' << this->name()
                << ": no patch and no group of patches is " << name << nl
                << "    Possible are the patches " << flatOutput(names) << nl
                << exit(FatalIOError);
        }

        for (const label patchi : found)
        {
            if (!flow || possible.found(patchi))
            {
                patches_.insert(patchi);
            }
            else if (pbm[patchi].name() == name && pbm[patchi].size())
            {
                FatalIOErrorInFunction(dict)
                    << "patches of " << type() << ' ' << this->name()
                    << ": patch " << name << " is " << pbm[patchi].type()
                    << ", the lattice bears no load there" << nl
                    << "    Possible are the patches " << flatOutput(names)
                    << nl
                    << exit(FatalIOError);
            }
        }
    }

    if (patches_.empty() && !drawn_)
    {
        FatalIOErrorInFunction(dict)
            << "patches of " << type() << ' ' << this->name()
            << ": the lattice bears a load on none of "
            << flatOutput(dict.get<wordRes>("patches")) << nl
            << "    Possible are the patches " << flatOutput(names) << nl
            << exit(FatalIOError);
    }
}


void Foam::functionObjects::latticeForces::writeFileHeader
(
    const word& title,
    Ostream& os
) const
{
    writeHeader(os, title);
    writeHeaderValue(os, "CofR", coordSys_.origin());
    writeHeader(os, "");
    writeCommented(os, "Time");
    writeTabbed(os, "(total_x total_y total_z)");
    writeTabbed(os, "(pressure_x pressure_y pressure_z)");
    writeTabbed(os, "(viscous_x viscous_y viscous_z)");
    os  << endl;
}


void Foam::functionObjects::latticeForces::writeSum
(
    const word& what,
    const vector& pressure,
    const vector& viscous,
    autoPtr<OFstream>& file
) const
{
    const vector total(pressure + viscous);

    Log << "    Sum of " << what << nl
        << "        Total    : " << total << nl
        << "        Pressure : " << pressure << nl
        << "        Viscous  : " << viscous << nl;

    if (file.valid())
    {
        Ostream& os = file();

        writeCurrentTime(os);

        os  << tab << total
            << tab << pressure
            << tab << viscous
            << endl;
    }
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeForces::setCoordinateSystem
(
    const dictionary& dict,
    const word& e3Name,
    const word& e1Name
)
{
    coordSys_.clear();

    point origin;

    if (dict.readIfPresent<point>("CofR", origin))
    {
        coordSys_ = coordSystem::cartesian
        (
            origin,
            e3Name.empty() ? vector(0, 0, 1) : dict.get<vector>(e3Name),
            e1Name.empty() ? vector(1, 0, 0) : dict.get<vector>(e1Name)
        );
    }
    else if (dict.found(coordinateSystem::typeName_()))
    {
        coordSys_ = coordinateSystem::New
        (
            obr_,
            dict,
            coordinateSystem::typeName_()
        );
    }
    else
    {
        coordSys_ = coordSystem::cartesian(dict);
    }
}


bool Foam::functionObjects::latticeForces::calcForcesMoment()
{
    const latticeFlow* flow = findFlow
    (
        "the functionObjects forces and forceCoeffs work on fields"
    );

    if (!flow)
    {
        return false;
    }

    force_ = vector::zero;
    moment_ = vector::zero;

    const latticeMapping& mapping = flow->mapping();
    const latticeUnits& units = flow->units();
    const point& CofR = coordSys_.origin();

    // About the same point, in lattice units and axes
    const vector about
    (
        mapping.toLattice((CofR - mapping.boxCentre(0))/units.dx())
    );
    const std::array<double, 3> origin{about.x(), about.y(), about.z()};

    const auto toSI = [&](const std::array<double, 3>& v)
    {
        return
            rhoRef_
           *units.forceToSI(mapping.toPhysical(vector(v[0], v[1], v[2])));
    };

    const auto add = [&](const lbm::boundaryLoad& load)
    {
        const vector pressure(toSI(load.pressureForce));
        const vector pressureMoment(units.dx()*toSI(load.pressureMoment));

        force_[0] += pressure;
        force_[1] += toSI(load.force) - pressure;
        moment_[0] += pressureMoment;
        moment_[1] += units.dx()*toSI(load.moment) - pressureMoment;
    };

    forAll(mapping.groupPatches(), groupi)
    {
        if
        (
            !patches_.found(mapping.groupPatches()[groupi])
         || mapping.description().groups[groupi].type == "cyclic"
        )
        {
            continue;
        }

        add
        (
            engineCall
            (
                [&]{ return flow->engine().groupLoad(groupi, origin); }
            )
        );
    }

    // From the pressure of the lattice's reference density to pRef
    const scalar pShift = rhoRef_*pReference(*flow) - pRef_;

    for (const label patchi : patches_)
    {
        const vectorField& Sf = mesh_.Sf().boundaryField()[patchi];
        const vectorField& Cf = mesh_.Cf().boundaryField()[patchi];

        force_[0] += pShift*gSum(Sf);
        moment_[0] += pShift*gSum((Cf - CofR) ^ Sf);
    }

    if (drawn_ && flow->obstacle().size() > 0)
    {
        add(engineCall([&]{ return flow->engine().obstacleLoad(origin); }));

        flow->obstacle().forFaces
        (
            [&](const point& centre, const vector& Sf)
            {
                force_[0] += pShift*Sf;
                moment_[0] += pShift*((centre - CofR) ^ Sf);
            }
        );
    }

    return true;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeForces::latticeForces
(
    const word& name,
    const Time& runTime,
    const dictionary& dict,
    const bool readFields
)
:
    latticeFunctionObject(name, runTime, dict),
    writeFile(mesh_, name),
    patches_(),
    drawn_(false),
    pRef_(0),
    forceFile_(),
    momentFile_(),
    rhoRef_(0),
    coordSys_(),
    force_(vector::zero),
    moment_(vector::zero)
{
    if (readFields)
    {
        read(dict);
        setCoordinateSystem(dict);
        Info<< endl;
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeForces::read(const dictionary& dict)
{
    latticeFunctionObject::read(dict);
    writeFile::read(dict);

    Info<< type() << ' ' << name() << ':' << nl;

    for (const word key : {"porosity", "directForceDensity", "writeFields"})
    {
        if (dict.getOrDefault(key, false))
        {
            FatalIOErrorInFunction(dict)
                << key << " is not possible with " << type() << nl
                << "    Possible is no, or the functionObject that works on"
                << " fields" << nl
                << exit(FatalIOError);
        }
    }

    if (dict.found("binData"))
    {
        FatalIOErrorInFunction(dict)
            << "binData is not possible with " << type() << nl
            << "    Possible is a functionObject for each patch, or one that"
            << " works on fields" << nl
            << exit(FatalIOError);
    }

    const word rho(dict.getOrDefault<word>("rho", "rhoInf"));

    if (rho != "rhoInf")
    {
        FatalIOErrorInFunction(dict)
            << "rho is " << rho << ", but the flow is incompressible" << nl
            << "    Possible is rhoInf, with the entry rhoInf [kg/m3]" << nl
            << exit(FatalIOError);
    }

    rhoRef_ = dict.get<scalar>("rhoInf");
    Info<< "    Freestream density (rhoInf) set to " << rhoRef_ << endl;

    if (dict.readIfPresent<scalar>("pRef", pRef_))
    {
        Info<< "    Reference pressure (pRef) set to " << pRef_ << endl;
    }

    readPatches(dict);

    return true;
}


bool Foam::functionObjects::latticeForces::execute()
{
    if (!calcForcesMoment())
    {
        return true;
    }

    if (writeToFile() && Pstream::master() && !forceFile_.valid())
    {
        forceFile_ = createFile("force");
        writeFileHeader("Force", forceFile_());
        momentFile_ = createFile("moment");
        writeFileHeader("Moment", momentFile_());
    }

    Log << type() << ' ' << name() << " write:" << nl;

    writeSum
    (
        "forces",
        coordSys_.localVector(force_[0]),
        coordSys_.localVector(force_[1]),
        forceFile_
    );
    writeSum
    (
        "moments",
        coordSys_.localVector(moment_[0]),
        coordSys_.localVector(moment_[1]),
        momentFile_
    );

    Log << endl;

    setResult("normalForce", force_[0]);
    setResult("tangentialForce", force_[1]);
    setResult("normalMoment", moment_[0]);
    setResult("tangentialMoment", moment_[1]);

    return true;
}


bool Foam::functionObjects::latticeForces::write()
{
    return true;
}


// ************************************************************************* //
