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

#include "savedObstacles.H"
#include "IOobjectList.H"
#include "latticeMapping.H"
#include "localIOdictionary.H"
#include "OFstream.H"
#include "OSspecific.H"
#include "surfaceFields.H"
#include "surfaceInterpolate.H"
#include "Time.H"
#include "volFields.H"
#include "wallPolyPatch.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Largest Courant number of the finite volumes
const scalar maxCourant = 0.4;


//- Names in @ are filled in
const char* const allrun = R"sh(#!/bin/sh
cd "${0%/*}" || exit                            # Run from this directory
#------------------------------------------------------------------------------
# The case with the obstacles drawn at time @time@, with finite volumes on the
# cells that are left, compared with the lattice.
#
#     Allrun.finiteVolume [time]
#
#     time    of the lattice, up to which to run and at which to compare
#             [the last one that is written]
#
# This folder becomes the case. Results of an earlier run are removed; files of
# system/ that are here are kept, so that schemes can be changed.
#------------------------------------------------------------------------------

if [ -z "$WM_PROJECT_DIR" ]
then
    echo "Set up the environment of OpenFOAM first"
    exit 1
fi
. "$WM_PROJECT_DIR"/bin/tools/RunFunctions

case=$(cd "@case@" && pwd) || exit
start=@startTime@

# As runApplication, but stop if it fails
run()
{
    runApplication "$@"

    if ! grep -q '^End' "log.$1"
    then
        tail -n 20 "log.$1"
        echo "$1 failed: see $PWD/log.$1"
        exit 1
    fi
}

# Copy the mesh and the fluid cells to a folder
copyMesh()
{
    mkdir -p "$1"/constant/polyMesh || exit
    for instance in @instances@
    do
        cp -r "$case/$instance"/polyMesh/. "$1"/constant/polyMesh/ || exit
    done
    rm -rf "$1"/constant/polyMesh/sets
    mkdir "$1"/constant/polyMesh/sets
    cp ../fluid "$1"/constant/polyMesh/sets/
}

# Take out the drawn cells, and make a wall of the faces around them
takeOut()
{
    run subsetMesh -overwrite -patch drawn fluid
    run changeDictionary

    # Belongs to the mesh with all cells
    rm -rf constant/polyMesh/sets
}

rm -rf constant lattice postProcessing dynamicCode log.* [0-9]*

if [ ! -d "$case/$start" ]
then
    echo "There are no fields of time $start in $case"
    exit 1
fi

last=${1:-$(foamListTimes -case "$case" -latestTime -noZero 2> /dev/null)}
if
    [ -z "$last" ] \
 || ! awk "BEGIN { exit !($last > $start) }" || [ ! -d "$case/$last" ]
then
    echo "No time${1:+ $1} of the lattice after $start in $case:" \
        "running to the end, without a comparison"
    last=
fi

# The case, with all cells
for file in "$case"/system/*
do
    [ -e "system/${file##*/}" ] || cp -r "$file" system/
done
copyMesh .
for file in "$case"/constant/*
do
    [ "${file##*/}" = polyMesh ] || cp -r "$file" constant/
done
cp -r "$case/$start" "$start"
rm -rf "$start"/uniform "$start"/polyMesh "$start"/phi "$start"/phi.gz

end=${last:-@endTime@}
interval=$(awk "BEGIN { printf \"%.12g\", $end - $start }")
sed -i "
    s/^endTime .*/endTime         $end;/
    s/^writeInterval .*/writeInterval   $interval;/
" system/controlDict
@fvSolution@
takeOut

# The lattice in the same cells
if [ -n "$last" ]
then
    copyMesh lattice
    mkdir "lattice/$last"
    for field in U p
    do
        cp "$case/$last/$field" "lattice/$last/" 2> /dev/null \
     || cp "$case/$last/$field".gz "lattice/$last/" || exit
    done
    cp -r system lattice/
    sed -i "s/^startFrom .*/startFrom       latestTime;/" \
        lattice/system/controlDict
    ( cd lattice && takeOut ) || exit
fi

run $(getApplication)

[ -n "$last" ] || exit 0

if ! command -v compareFields > /dev/null
then
    echo "Not compared: compareFields of lbmGpuFoam is not on the PATH"
    exit 0
fi

echo "Comparing with the lattice at time $last"
compareFields -reference lattice -time latestTime -referenceTime latestTime \
    -fields "(U p)"@removeMean@ > log.compareFields 2>&1
if [ $? -eq 2 ]
then
    tail -n 20 log.compareFields
    exit 1
fi
echo
sed -n '/^Case  *\//,/^End/{/^End/d; p}' log.compareFields

#------------------------------------------------------------------------------
)sh";


const char* const allclean = R"sh(#!/bin/sh
cd "${0%/*}" || exit                            # Run from this directory
#------------------------------------------------------------------------------

rm -rf constant lattice postProcessing dynamicCode log.* [0-9]*

# Copies of the case
for file in system/*
do
    case "${file##*/}" in
        controlDict | changeDictionaryDict) ;;
        *) rm -rf "$file" ;;
    esac
done

#------------------------------------------------------------------------------
)sh";


//- Write a script that can be run
void writeScript(const fileName& file, const string& text)
{
    {
        OFstream os(file);
        os.writeQuoted(text, false);
    }
    chMod(file, 0755);
}


//- Write a dictionary with the heading of OpenFOAM
void writeDictionary
(
    const fileName& folder,
    const word& name,
    const dictionary& dict
)
{
    mkDir(folder/"system");
    OFstream os(folder/"system"/name);

    os.precision(15);
    IOobject::writeBanner(os)
        << "FoamFile\n{\n"
        << "    version     2.0;\n"
        << "    format      ascii;\n"
        << "    class       dictionary;\n"
        << "    location    \"system\";\n"
        << "    object      " << name << ";\n"
        << "}\n";
    IOobject::writeDivider(os) << nl;
    dict.write(os, false);
    IOobject::writeEndDivider(os);
}


//- Does an entry hold a value for each face or cell
bool isNonuniform(const dictionary& dict, const word& keyword)
{
    const entry* ePtr = dict.findEntry(keyword, keyType::LITERAL);

    if (!ePtr || !ePtr->isStream())
    {
        return false;
    }

    const tokenList& tokens = ePtr->stream();

    return
        tokens.size()
     && tokens[0].isWord()
     && tokens[0].wordToken() == "nonuniform";
}


//- Set the entry value of a patch
void setUniform(dictionary& dict, const scalar value)
{
    tokenList tokens(2);
    tokens[0] = token(word("uniform"));
    tokens[1] = token(value);

    dict.set
    (
        new primitiveEntry("value", static_cast<const UList<token>&>(tokens))
    );
}


//- Read a dictionary of constant/, empty if there is none
dictionary constantDictionary(const fvMesh& mesh, const word& name)
{
    IOobject io
    (
        name,
        mesh.time().constant(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );

    if (!io.typeHeaderOk<localIOdictionary>(false))
    {
        return dictionary();
    }

    return localIOdictionary(io);
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::word Foam::savedObstacles::application() const
{
    if (mesh_.steady())
    {
        return "simpleFoam";
    }

    const dictionary turbulence
    (
        constantDictionary(mesh_, "turbulenceProperties")
    );
    const dictionary transport
    (
        constantDictionary(mesh_, "transportProperties")
    );

    const word simulation
    (
        turbulence.getOrDefault<word>("simulationType", "laminar")
    );
    const bool Newtonian =
        transport.getOrDefault<word>("transportModel", "Newtonian")
     == "Newtonian";

    if (turbulence.found("simulationType"))
    {
        if (mesh_.solutionDict().found("PIMPLE"))
        {
            return "pimpleFoam";
        }
        if (simulation != "laminar" || !Newtonian)
        {
            return "pisoFoam";
        }
    }

    return Newtonian ? "icoFoam" : "nonNewtonianIcoFoam";
}


Foam::scalar Foam::savedObstacles::courantRate() const
{
    const auto& U = mesh_.lookupObject<volVectorField>("U");

    const surfaceScalarField phi(fvc::interpolate(U) & mesh_.Sf());

    scalarField sumPhi(mesh_.nCells(), Zero);
    scalarField widest(mesh_.nCells(), Zero);
    scalar speed = 0;

    const auto add = [&](const label celli, const scalar phi, const scalar S)
    {
        sumPhi[celli] += mag(phi);
        widest[celli] = max(widest[celli], S);
    };

    forAll(phi, facei)
    {
        add(mesh_.owner()[facei], phi[facei], mesh_.magSf()[facei]);
        add(mesh_.neighbour()[facei], phi[facei], mesh_.magSf()[facei]);
    }
    forAll(phi.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U.boundaryField()[patchi];

        forAll(phi.boundaryField()[patchi], i)
        {
            add
            (
                Up.patch().faceCells()[i],
                phi.boundaryField()[patchi][i],
                Up.patch().magSf()[i]
            );
            speed = max(speed, mag(Up[i]));
        }
    }

    // Around an obstacle the flow is faster than where it comes from
    speed *= 2;

    scalar rate = 0;

    for (const label celli : fluid_)
    {
        const scalar V = mesh_.V()[celli];

        rate = max(rate, max(0.5*sumPhi[celli]/V, speed*widest[celli]/V));
    }

    return rate;
}


Foam::dictionary Foam::savedObstacles::controlDict
(
    const word& application
) const
{
    const Time& time = mesh_.time();
    dictionary dict(time.controlDict());

    const scalar startTime = time.startTime().value();
    const scalar endTime = time.endTime().value();
    scalar deltaT = dict.get<scalar>("deltaT");

    const bool steady = application == "simpleFoam";
    const bool adjustable = application == "pimpleFoam";

    if (!steady)
    {
        // A part of deltaT, so that the times are those of the lattice
        deltaT /= max
        (
            scalar(1),
            std::ceil(deltaT*courantRate()/maxCourant - 1e-6)
        );
    }

    dict.remove("FoamFile");
    dict.set("application", application);
    dict.set("startFrom", word("startTime"));
    dict.set("startTime", startTime);
    dict.set("stopAt", word("endTime"));
    dict.set("endTime", endTime);
    dict.set("deltaT", deltaT);
    dict.set
    (
        "writeControl",
        word(adjustable ? "adjustableRunTime" : "runTime")
    );
    dict.set("writeInterval", endTime - startTime);
    dict.set("purgeWrite", label(0));
    dict.set("writeFormat", word("ascii"));
    dict.set("writeCompression", word("off"));

    // Fields of the lattice are compared as they are read
    dict.set
    (
        "writePrecision",
        max(label(12), dict.getOrDefault<label>("writePrecision", 6))
    );

    if (adjustable)
    {
        dict.set("adjustTimeStep", true);
        dict.set("maxCo", maxCourant);
    }

    if (dictionary* functions = dict.findDict("functions"))
    {
        for (const word& name : functions->toc())
        {
            dictionary* function = functions->findDict(name);

            if (!function)
            {
                continue;
            }

            const word type(function->getOrDefault<word>("type", ""));

            if (type == "latticeForces" || type == "latticeForceCoeffs")
            {
                // The same with finite volumes
                function->set
                (
                    "type",
                    word(type == "latticeForces" ? "forces" : "forceCoeffs")
                );
                function->set("libs", wordList({"forces"}));
                function->set("rho", word("rhoInf"));
            }
            else if (type == "liveView" || type.find("lattice") == 0)
            {
                functions->remove(name);
            }
        }
    }

    return dict;
}


Foam::dictionary Foam::savedObstacles::wallEntry
(
    const dictionary& field,
    const word& name,
    const bool isScalar
) const
{
    dictionary result;

    if (name == "U")
    {
        result.add("type", word("noSlip"));
        return result;
    }
    if (name == "p")
    {
        result.add("type", word("zeroGradient"));
        return result;
    }

    const dictionary& boundary = field.subDict("boundaryField");
    const auto& U = mesh_.lookupObject<volVectorField>("U");

    // Of a stationary wall, or of any
    for (const bool stationary : {true, false})
    {
        for (const polyPatch& patch : mesh_.boundaryMesh())
        {
            if (!isA<wallPolyPatch>(patch) || patch.empty())
            {
                continue;
            }

            const fvPatchVectorField& Up = U.boundaryField()[patch.index()];

            if (stationary && (!Up.fixesValue() || max(mag(Up)()) > VSMALL))
            {
                continue;
            }

            // By its name, its groups, or a pattern, as OpenFOAM reads it
            const dictionary* entryPtr =
                boundary.findDict(patch.name(), keyType::LITERAL);

            const wordList& groups = patch.inGroups();

            for (label i = groups.size() - 1; !entryPtr && i >= 0; --i)
            {
                entryPtr = boundary.findDict(groups[i], keyType::LITERAL);
            }
            if (!entryPtr)
            {
                entryPtr = boundary.findDict(patch.name(), keyType::REGEX);
            }
            if (!entryPtr)
            {
                continue;
            }

            result = *entryPtr;

            // Values of its faces do not fit those of another patch
            bool fits = true;

            for (const word& key : result.toc())
            {
                if (isNonuniform(result, key))
                {
                    if (isScalar && key == "value")
                    {
                        const scalarField values(key, result, patch.size());

                        setUniform(result, average(values));
                    }
                    else
                    {
                        fits = false;
                    }
                }
            }

            if (fits)
            {
                return result;
            }
        }
    }

    result.clear();

    static const HashTable<word> wallFunctions
    ({
        {"k", "kqRWallFunction"},
        {"epsilon", "epsilonWallFunction"},
        {"omega", "omegaWallFunction"},
        {"nut", "nutkWallFunction"}
    });

    if (wallFunctions.found(name))
    {
        result.add("type", wallFunctions[name]);

        // What they start from
        if (isNonuniform(field, "internalField"))
        {
            setUniform
            (
                result,
                average(scalarField("internalField", field, mesh_.nCells()))
            );
        }
        else
        {
            result.add
            (
                new primitiveEntry
                (
                    "value",
                    static_cast<const UList<token>&>
                    (
                        field.lookup("internalField", keyType::LITERAL)
                    )
                )
            );
        }
    }
    else
    {
        result.add("type", word("zeroGradient"));
    }

    return result;
}


Foam::dictionary Foam::savedObstacles::patchChanges() const
{
    dictionary changes;

    // One that was there before has its entries
    if (mesh_.boundaryMesh().findPatchID(drawnName) != -1)
    {
        return changes;
    }

    {
        dictionary patch;
        patch.add("type", wallPolyPatch::typeName);

        dictionary patches;
        patches.add(drawnName, patch);

        changes.add("boundary", patches);
    }

    const Time& time = mesh_.time();
    const IOobjectList fields(mesh_, time.timeName(time.startTime().value()));

    for (const word& name : fields.sortedNames())
    {
        const IOobject& io = *fields[name];
        const word& type = io.headerClassName();

        // As a volume field, not its internal part or one of points or faces
        if (type.find("vol") != 0 || type.find("Field::") != std::string::npos)
        {
            continue;
        }

        const localIOdictionary field
        (
            IOobject
            (
                name,
                io.instance(),
                mesh_,
                IOobject::MUST_READ,
                IOobject::NO_WRITE,
                false
            ),
            type
        );

        dictionary boundary;
        boundary.add
        (
            drawnName,
            wallEntry(field, name, type == volScalarField::typeName)
        );

        dictionary change;
        change.add("boundaryField", boundary);
        changes.add(name, change);
    }

    return changes;
}


Foam::string Foam::savedObstacles::solutionChanges
(
    const word& application
) const
{
    const word algorithm
    (
        application == "simpleFoam" ? "SIMPLE"
      : application == "pimpleFoam" ? "PIMPLE"
      : "PISO"
    );

    const dictionary& solution = mesh_.solutionDict();
    const dictionary* controls = solution.findDict(algorithm);

    string commands;

    const auto set = [&](const word& entry, const string& value)
    {
        commands +=
            "foamDictionary system/fvSolution -entry " + entry + " -set "
          + value + " > /dev/null || exit\n";
    };

    if (!controls)
    {
        set(algorithm, "\"{ nCorrectors 2; }\"");
    }

    // The number of the reference cell among those that are left
    if
    (
        mesh_.lookupObject<volScalarField>("p").needReference()
     && !(controls && controls->found("pRefPoint"))
    )
    {
        label cell = 0;

        for (const word name : {"SIMPLE", "PIMPLE", "PISO", "LBM"})
        {
            const dictionary* dict = solution.findDict(name);

            if (dict)
            {
                dict->readIfPresent("pRefCell", cell);
            }
        }

        label number = 0;

        if (cell < mesh_.nCells() && fluid_.test(cell))
        {
            for (label celli = 0; celli < cell; ++celli)
            {
                number += fluid_.test(celli);
            }
        }

        set(algorithm + ".pRefCell", Foam::name(number));

        if (!controls || !controls->found("pRefValue"))
        {
            set(algorithm + ".pRefValue", "0");
        }
    }

    return commands;
}


void Foam::savedObstacles::writeFiniteVolume(const fileName& folder) const
{
    const Time& time = mesh_.time();
    const word solver(application());

    // From the folder to the case, so that both can be moved
    fileName path(time.globalPath());
    path.clean();

    fileName own(folder);
    own.clean();

    if (own.find(path + '/') == 0)
    {
        label depth = 0;
        for (std::size_t i = path.size(); i < own.size(); ++i)
        {
            depth += own[i] == '/';
        }

        path = "..";
        while (--depth > 0)
        {
            path += "/..";
        }
    }

    // Points may be newer than faces
    string instances(mesh_.facesInstance());
    if (mesh_.pointsInstance() != mesh_.facesInstance())
    {
        instances += " " + mesh_.pointsInstance();
    }

    const bool reference =
        mesh_.lookupObject<volScalarField>("p").needReference();

    string script(allrun);
    script.replaceAll("@time@", time.timeName());
    script.replaceAll("@case@", path);
    script.replaceAll
    (
        "@startTime@",
        time.timeName(time.startTime().value())
    );
    script.replaceAll("@endTime@", time.timeName(time.endTime().value()));
    script.replaceAll("@instances@", instances);
    script.replaceAll("@removeMean@", reference ? " -removeMean \"(p)\"" : "");
    script.replaceAll("@fvSolution@\n", solutionChanges(solver));

    mkDir(folder);
    writeScript(folder/"Allrun.finiteVolume", script);
    writeScript(folder/"Allclean", allclean);
    writeDictionary(folder, "controlDict", controlDict(solver));
    writeDictionary(folder, "changeDictionaryDict", patchChanges());
}


// ************************************************************************* //
