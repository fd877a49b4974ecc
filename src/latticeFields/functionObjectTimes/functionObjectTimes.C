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
#include "PstreamReduceOps.H"
#include "timeControlFunctionObject.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Does a dictionary name a field, by its name, in a string or code, or by a
//  pattern for names of fields
bool names(const dictionary& dict, const word& field)
{
    for (const entry& e : dict)
    {
        if (e.isDict())
        {
            if (names(e.dict(), field))
            {
                return true;
            }
            continue;
        }

        // Elsewhere a string need be no regular expression
        const bool patterns =
            e.keyword().find("field") != std::string::npos
         || e.keyword().find("object") != std::string::npos;

        for (const token& t : e.stream())
        {
            if (t.isWord() ? t.wordToken() == field : t.isStringType())
            {
                if
                (
                    t.isWord()
                 || t.stringToken().find(field) != std::string::npos
                 || (
                        patterns
                     && wordRe(t.stringToken(), wordRe::REGEX).match(field)
                    )
                )
                {
                    return true;
                }
            }
        }
    }

    return false;
}


//- Types that work on fields alone, and write by way of the registry or to
//  postProcessing
const wordHashSet& onFields()
{
    static const wordHashSet types
    ({
        "CourantNo", "Lambda2", "PecletNo", "Q", "add", "components",
        "continuityError", "ddt", "ddt2", "div", "ensightWrite", "enstrophy",
        "fieldAverage", "fieldExtents", "fieldMinMax", "fieldValueDelta",
        "flowType", "flux", "forceCoeffs", "forces", "grad", "histogram",
        "lambVector", "latticeForceCoeffs", "latticeForces", "latticeHeatFlux",
        "latticeOutput", "latticeScalar", "liveView", "mag", "magSqr",
        "momentum", "patchProbes",
        "pressure", "probes", "sets", "solverInfo", "streamFunction", "streamLine", "subtract",
        "surfaceFieldValue", "surfaces", "timeInfo", "turbulenceFields",
        "valueAverage", "volFieldValue", "vorticity", "vtkWrite",
        "wallShearStress", "writeCellCentres", "writeCellVolumes",
        "writeObjects", "yPlus"
    });

    return types;
}


//- May a functionObject use phi without any effect on other fields
bool mayReport(const dictionary& dict)
{
    // Whatever their entries
    static const wordHashSet always
    ({
        "CourantNo", "PecletNo", "blendingFactor", "continuityError",
        "streamFunction"
    });

    return
        always.found(dict.getOrDefault<word>("type", word::null))
     || names(dict, "phi");
}


//- May a functionObject transport a field with phi
bool mayTransport(const dictionary& dict)
{
    // Beside those on fields
    static const wordHashSet others
    ({
        "abort", "blendingFactor", "derivedFields", "mapFields",
        "nearWallFields", "processorField", "randomise",
        "removeRegisteredObject", "runTimeControl", "runTimePostProcessing",
        "setTimeStep", "surfaceDistance", "surfaceInterpolate", "systemCall",
        "thermoCoupleProbes", "timeActivatedFileUpdate", "writeDictionary"
    });

    const word type(dict.getOrDefault<word>("type", word::null));

    return
        !onFields().found(type)
     && !others.found(type)
        // Its code names the fields it uses
     && (type != "coded" || names(dict, "phi"));
}


//- May a functionObject use p at walls
bool mayUseWalls(const dictionary& dict)
{
    // Whatever their entries
    static const wordHashSet always
    ({
        "ensightWrite", "forceCoeffs", "forces", "pressure", "vtkWrite",
        "writeObjects"
    });

    const word type(dict.getOrDefault<word>("type", word::null));

    return
        !onFields().found(type)
     || always.found(type)
     || names(dict, "p");
}


//- May a functionObject use the viscosity, or the variables of its models
bool mayUseViscosity(const dictionary& dict)
{
    // They ask the models for it, or take whatever is there
    static const wordHashSet always
    ({
        "PecletNo", "ensightWrite", "forceCoeffs", "forces", "latticeHeatFlux",
        "solverInfo", "turbulenceFields", "vtkWrite", "wallShearStress",
        "writeObjects", "yPlus"
    });

    const word type(dict.getOrDefault<word>("type", word::null));

    return
        !onFields().found(type)
     || always.found(type)
     || names(dict, "nut")
     || names(dict, "nu")
     || names(dict, "nuEff")
     || names(dict, "k")
     || names(dict, "epsilon")
     || names(dict, "omega")
     || names(dict, "nuTilda");
}

} // End anonymous namespace
} // End namespace Foam


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

    // As the functionObject's, of all processes
    reduce(elapsed, maxOp<scalar>());

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
    flux(true),
    transport(true),
    viscosity(true),
    walls(true),
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

    transport = mayTransport(dict);
    flux = transport || mayReport(dict);
    viscosity = mayUseViscosity(dict);
    walls = mayUseWalls(dict);

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

    // They need no field of the lattice, or ask it themselves
    static const wordList onLattice
    ({
        "latticeForceCoeffs", "latticeForces", "latticeHeatFlux",
        "latticeOutput", "liveView"
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
         && !onFields().found(e.dict().getOrDefault<word>("type", word::null))
        )
        {
            return true;
        }
    }

    return false;
}



Foam::functionObjectTimes::demand Foam::functionObjectTimes::due()
{
    demand result;

    if (!time_.functionObjects().status())
    {
        return result;
    }

    update();

    forAllIters(mirrors_, iter)
    {
        mirror& m = **iter;

        // Without controls it executes in every step
        bool wants = !m.controlled;

        if (m.controlled && m.active(time_))
        {
            // Both are asked: each counts
            const bool execute = m.execute.execute();
            const bool write = m.write.execute();

            wants = write || (execute && !m.onlyWrites);
        }

        if (wants)
        {
            result.fields = true;
            result.flux = result.flux || m.flux;
            result.transport = result.transport || m.transport;
            result.viscosity = result.viscosity || m.viscosity;
            result.walls = result.walls || m.walls;
        }
    }

    return result;
}


bool Foam::functionObjectTimes::transport() const
{
    if (!time_.functionObjects().status())
    {
        return false;
    }

    forAllConstIters(mirrors_, iter)
    {
        if ((*iter)->transport)
        {
            return true;
        }
    }

    return false;
}


// ************************************************************************* //
