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

#include "functionObjectTimes.H"
#include "timeControlFunctionObject.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::functionObjectTimes::control::control
(
    const Time& runTime,
    const word& prefix
)
:
    control_(runTime, prefix),
    clockIndex_(0)
{}


void Foam::functionObjectTimes::control::read(const dictionary& dict)
{
    control_.read(dict);
}


bool Foam::functionObjectTimes::control::execute()
{
    // The functionObject looks at the clock a moment later
    constexpr scalar margin = 2;

    const Time& runTime = control_.time();

    scalar elapsed = 0;

    switch (control_.control())
    {
        case timeControl::ocClockTime:
            elapsed = runTime.elapsedClockTime();
            break;

        case timeControl::ocCpuTime:
            elapsed = runTime.elapsedCpuTime();
            break;

        default:
            return control_.execute();
    }

    const scalar interval = control_.interval();
    const bool due = label((elapsed + margin)/interval) > clockIndex_;

    clockIndex_ = label(elapsed/interval);

    return due;
}


Foam::functionObjectTimes::mirror::mirror(const Time& runTime)
:
    digest(),
    timeStart(-VGREAT),
    timeEnd(VGREAT),
    triggered(false),
    controlled(false),
    onlyWrites(false),
    execute(runTime, "execute"),
    write(runTime, "write")
{}


void Foam::functionObjectTimes::mirror::read
(
    const Time& runTime,
    const dictionary& dict
)
{
    static const wordList writers
    ({
        "patchProbes", "probes", "sets", "surfaces"
    });

    digest = dict.digest();

    controlled = functionObjects::timeControl::entriesPresent(dict);
    triggered = dict.found("triggerStart");

    onlyWrites =
        writers.found(dict.getOrDefault<word>("type", word::null))
     && !dict.getOrDefault("sampleOnExecute", false);

    if (controlled)
    {
        // As the functionObject: entries that are gone leave their values

        if (dict.readIfPresent("timeStart", timeStart))
        {
            timeStart = runTime.userTimeToTime(timeStart);
        }
        if (dict.readIfPresent("timeEnd", timeEnd))
        {
            timeEnd = runTime.userTimeToTime(timeEnd);
        }

        execute.read(dict);
        write.read(dict);
    }
}


bool Foam::functionObjectTimes::mirror::active(const Time& runTime) const
{
    const scalar half = 0.5*runTime.deltaTValue();

    return
        triggered
     || (
            runTime.value() >= timeStart - half
         && runTime.value() <= timeEnd + half
        );
}


void Foam::functionObjectTimes::update()
{
    const dictionary* functions = time_.controlDict().findDict("functions");

    if (!functions)
    {
        mirrors_.clear();
        return;
    }

    // These ask the lattice for what they need
    static const wordList onLattice
    ({
        "latticeForceCoeffs", "latticeForces", "latticeOutput"
    });

    wordHashSet names;

    for (const entry& e : *functions)
    {
        if
        (
            !e.isDict()
         || !e.dict().getOrDefault("enabled", true)
         || onLattice.found(e.dict().getOrDefault<word>("type", word::null))
        )
        {
            continue;
        }

        names.insert(e.keyword());

        auto iter = mirrors_.find(e.keyword());

        if (!iter.found())
        {
            mirrors_.set(e.keyword(), new mirror(time_));
            iter = mirrors_.find(e.keyword());
            (*iter)->read(time_, e.dict());
        }
        else if ((*iter)->digest != e.dict().digest())
        {
            (*iter)->read(time_, e.dict());
        }
    }

    mirrors_.retain(names);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjectTimes::functionObjectTimes(const Time& runTime)
:
    time_(runTime)
{
    update();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjectTimes::mayReadTimes(const Time& runTime)
{
    // Known to work on fields alone, and to write by way of the registry, or
    // to postProcessing
    static const wordHashSet onFields
    ({
        "CourantNo", "Lambda2", "PecletNo", "Q", "add", "components",
        "continuityError", "ddt", "ddt2", "div", "ensightWrite", "enstrophy",
        "fieldAverage", "fieldExtents", "fieldMinMax", "fieldValueDelta",
        "flowType", "flux", "forceCoeffs", "forces", "grad", "histogram",
        "lambVector", "latticeForceCoeffs", "latticeForces", "latticeOutput",
        "mag", "magSqr", "momentum", "patchProbes", "pressure", "probes",
        "sets", "solverInfo", "streamFunction", "streamLine", "subtract",
        "surfaceFieldValue", "surfaces", "timeInfo", "turbulenceFields",
        "valueAverage", "volFieldValue", "vorticity", "vtkWrite",
        "wallShearStress", "writeCellCentres", "writeCellVolumes",
        "writeObjects", "yPlus"
    });

    const dictionary* functions = runTime.controlDict().findDict("functions");

    if (!functions || !runTime.functionObjects().status())
    {
        return false;
    }

    for (const entry& e : *functions)
    {
        if
        (
            e.isDict()
         && e.dict().getOrDefault("enabled", true)
         && !onFields.found(e.dict().getOrDefault<word>("type", word::null))
        )
        {
            return true;
        }
    }

    return false;
}



bool Foam::functionObjectTimes::due()
{
    if (!time_.functionObjects().status())
    {
        return false;
    }

    update();

    bool any = false;

    forAllIters(mirrors_, iter)
    {
        mirror& m = **iter;

        if (!m.controlled)
        {
            any = true;
        }
        else if (m.active(time_))
        {
            // Both are asked: each counts
            const bool execute = m.execute.execute();
            const bool write = m.write.execute();

            any = any || write || (execute && !m.onlyWrites);
        }
    }

    return any;
}


// ************************************************************************* //
