/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

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

#include "caseTime.H"
#include "IOobjectList.H"
#include "OSspecific.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::fileName Foam::caseTime::checkedPath(const fileName& path)
{
    fileName full(path);
    full.expand();
    full.toAbsolute();
    full.clean();

    if (!isFile(full/"system"/Time::controlDictName))
    {
        FatalErrorInFunction
            << "Not an OpenFOAM case: " << full << nl
            << "    It has no system/" << Time::controlDictName
            << exit(FatalError);
    }

    // Dictionaries may refer to files relative to their case
    setEnv("FOAM_CASE", full, true);
    setEnv("FOAM_CASENAME", full.name(), true);

    return full;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::caseTime::caseTime(const fileName& path)
:
    path_(checkedPath(path)),
    time_
    (
        Time::controlDictName,
        path_.path(),
        path_.name(),
        word("system"),
        word("constant"),
        false           // No functionObjects
    ),
    mesh_(),
    fields_()
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::instantList Foam::caseTime::times() const
{
    const instantList all(time_.times());

    DynamicList<instant> numbered(all.size());
    for (const instant& t : all)
    {
        if (t.name() != time_.constant())
        {
            numbered.append(t);
        }
    }

    return instantList(std::move(numbered));
}


Foam::string Foam::caseTime::timeNames() const
{
    string names;
    for (const instant& t : times())
    {
        names += (names.empty() ? "" : " ") + t.name();
    }

    return names;
}


void Foam::caseTime::setTime(const word& time)
{
    const instantList available(times());

    scalar value = 0;
    label timei = -1;

    if (available.size() && time == "latestTime")
    {
        timei = available.size() - 1;
    }
    else if (available.size() && time == "firstTime")
    {
        timei = 0;
    }
    else if (readScalar(time, value))
    {
        timei = Time::findClosestTimeIndex(available, value);

        // The name of a time is rounded to timePrecision digits
        if
        (
            timei >= 0
         && mag(available[timei].value() - value)
          > 1e-5*max(mag(value), ROOTVSMALL)
        )
        {
            timei = -1;
        }
    }

    if (timei < 0)
    {
        FatalErrorInFunction
            << "No time " << time << " in case " << path_ << nl
            << "    Available: latestTime, firstTime, " << timeNames().c_str()
            << exit(FatalError);
    }

    setTime(available[timei]);
}


void Foam::caseTime::setTime(const instant& time)
{
    time_.setTime(time, 0);
}


void Foam::caseTime::read(const word& regionName)
{
    setEnv("FOAM_CASE", path_, true);
    setEnv("FOAM_CASENAME", path_.name(), true);

    mesh_.reset
    (
        new polyMesh
        (
            IOobject(regionName, timeName(), time_, IOobject::MUST_READ)
        )
    );

    fields_.clear();

    const IOobjectList objects(mesh(), timeName());
    for (const word& name : objects.names())
    {
        const word& type = objects[name]->headerClassName();

        for
        (
            const char* volType :
            {
                "volScalarField",
                "volVectorField",
                "volSphericalTensorField",
                "volSymmTensorField",
                "volTensorField"
            }
        )
        {
            if (type == volType)
            {
                fields_.insert(name, type);
            }
        }
    }
}


// ************************************************************************* //
