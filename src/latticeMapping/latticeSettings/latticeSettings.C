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

#include "latticeSettings.H"
#include "engine.H"
#include "findRefCell.H"
#include "fvMesh.H"
#include "volFields.H"
#include "wholeBoundary.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Valid names of a choice, as the engine knows them
static wordList validWords(const std::string& choice)
{
    const std::vector<std::string> names(lbm::engine::validNames(choice));

    wordList words(names.size());

    forAll(words, i)
    {
        words[i] = names[i];
    }

    return words;
}


//- Name of the dictionary of the parameters of a collision
static word coeffsName(const word& collision)
{
    return collision + "Coeffs";
}

//- Does a dictionary say anything about the reference of a field
static bool foundReference(const dictionary& dict, const word& fieldName)
{
    return
        dict.found(fieldName + "RefCell")
     || dict.found(fieldName + "RefPoint")
     || dict.found(fieldName + "RefValue");
}

//- Numbers of the cells before the case was decomposed; false, and none, if
//  it is not, or where a process does not know them
static bool cellsBefore(const fvMesh& mesh, labelList& cells)
{
    return
        Pstream::parRun()
     && wholeBoundary::addressing
        (
            mesh,
            "cellProcAddressing",
            mesh.nCells(),
            cells
        );
}

//- Name of the entry, below a dictionary, whose value has a word; empty if none
//  has. A semicolon that is missing makes an entry swallow those after it
static word entryWith(const dictionary& dict, const word& found)
{
    for (const entry& e : dict)
    {
        if (e.isDict())
        {
            const word name(entryWith(e.dict(), found));

            if (!name.empty())
            {
                return name;
            }
        }
        else
        {
            for (const token& t : e.stream())
            {
                if (t.isWord() && t.wordToken() == found)
                {
                    return e.keyword();
                }
            }
        }
    }

    return word::null;
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeSettings::checkEntries() const
{
    for (const entry& e : dict_)
    {
        if (!entryNames().found(e.keyword()))
        {
            FatalIOErrorInFunction(dict_)
                << "Unknown entry " << e.keyword() << " in "
                << dict_.name() << nl << nl
                << "Valid entries :" << nl
                << flatOutput(entryNames()) << nl
                << exit(FatalIOError);
        }
    }
}


Foam::word Foam::latticeSettings::readWord
(
    const word& entryName,
    const word& defaultValue,
    const wordList& valid
) const
{
    const word value(dict_.getOrDefault<word>(entryName, defaultValue));

    if (!valid.found(value))
    {
        FatalIOErrorInFunction(dict_)
            << "Unknown " << entryName << " " << value << nl << nl
            << "Valid values of " << entryName << " :" << nl
            << flatOutput(valid) << nl
            << exit(FatalIOError);
    }

    return value;
}


template<class Type>
Type Foam::latticeSettings::readOrAuto
(
    const word& entryName,
    const Type above,
    const char* possible
) const
{
    if (!dict_.found(entryName))
    {
        return Zero;
    }

    const token first(dict_.lookup(entryName));

    if (first.isWord() && first.wordToken() == "auto")
    {
        return Zero;
    }

    const Type number = dict_.get<Type>(entryName);

    if (!(number > above))
    {
        refuse(entryName, number, possible);
    }

    return number;
}


void Foam::latticeSettings::readCollisionCoeffs()
{
    for (const word& collision : validWords("collision"))
    {
        const word name(coeffsName(collision));
        const auto parameters = lbm::traitsOf(collision).parameters;

        if (!dict_.found(name) || parameters.empty())
        {
            continue;
        }

        const dictionary& coeffs = dict_.subDict(name);
        wordList valid;
        HashTable<scalar> given;

        for (const lbm::collisionParameter& p : parameters)
        {
            const word key(p.name);
            valid.append(key);

            if (!coeffs.found(key))
            {
                continue;
            }

            const token first(coeffs.lookup(key));

            if (first.isWord() && first.wordToken() == "auto")
            {
                continue;
            }

            const scalar value = coeffs.get<scalar>(key);

            if (!(value > p.above && value < p.below))
            {
                FatalIOErrorInFunction(coeffs)
                    << key << " is " << value << ", but must be above "
                    << p.above << " and below " << p.below << ", or auto" << nl
                    << exit(FatalIOError);
            }

            given.insert(key, value);
        }

        for (const entry& e : coeffs)
        {
            if (!valid.found(e.keyword()))
            {
                FatalIOErrorInFunction(coeffs)
                    << "Unknown entry " << e.keyword() << " in "
                    << coeffs.name() << nl << nl
                    << "Valid entries :" << nl
                    << flatOutput(valid) << nl
                    << exit(FatalIOError);
            }
        }

        collisionCoeffs_.insert(collision, given);
    }
}


void Foam::latticeSettings::readScalarCollision()
{
    const word collision(readWord("scalarCollision", "TRT", {"TRT", "MRT"}));
    const dictionary coeffs(dict_.subOrEmptyDict("scalarMRTCoeffs"));

    for (const entry& e : coeffs)
    {
        if (e.keyword() != "sSum")
        {
            FatalIOErrorInFunction(coeffs)
                << "Unknown entry " << e.keyword() << " in "
                << coeffs.name() << nl << nl
                << "Valid entries :" << nl
                << "(sSum)" << nl
                << exit(FatalIOError);
        }
    }

    const scalar rate = coeffs.getOrDefault<scalar>("sSum", 1);

    if (!(rate > 0 && rate < 2))
    {
        FatalIOErrorInFunction(coeffs)
            << "sSum is " << rate << ", but must be above 0 and below 2" << nl
            << exit(FatalIOError);
    }

    scalarRateOfSum_ = collision == "MRT" ? rate : 0;
}


void Foam::latticeSettings::readDevices()
{
    devices_ = labelList(1, Zero);
    automaticDevice_ = true;

    if (!dict_.found("device"))
    {
        return;
    }

    const ITstream& stream = dict_.lookup("device");

    if (stream.size() != 1)
    {
        devices_ = dict_.get<labelList>("device");
        automaticDevice_ = false;
    }
    else if (!stream[0].isWord() || stream[0].wordToken() != "auto")
    {
        devices_ = labelList(1, dict_.get<label>("device"));
        automaticDevice_ = false;
    }
}


template<class Type>
void Foam::latticeSettings::refuse
(
    const word& entryName,
    const Type& value,
    const char* possible
) const
{
    FatalIOErrorInFunction(dict_)
        << entryName << " is " << value << ", but must be " << possible << nl
        << exit(FatalIOError);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeSettings::latticeSettings(const fvMesh& mesh)
:
    solutionDict_(mesh.solutionDict()),
    dict_(solutionDict_.subOrEmptyDict("LBM"))
{
    if (solutionDict_.found("LBM") && !solutionDict_.isDict("LBM"))
    {
        FatalIOErrorInFunction(solutionDict_)
            << "LBM must be a dictionary: LBM { ... }" << nl
            << exit(FatalIOError);
    }

    const word swallowed(entryWith(solutionDict_, "LBM"));

    if (!swallowed.empty())
    {
        FatalIOErrorInFunction(solutionDict_)
            << "LBM is part of the entry " << swallowed << nl
            << "    Possible is LBM { ... } after the ; or } that ends "
            << swallowed << nl
            << exit(FatalIOError);
    }

    checkEntries();

    wordList collisions(validWords("collision"));
    collisions.append("auto");

    wordList backends(validWords("backend"));
    if (!backends.found("auto"))
    {
        backends.append("auto");
    }

    wordList layouts(validWords("layout"));
    if (!layouts.found("auto"))
    {
        layouts.append("auto");
    }

    wordList lattices(validWords("lattice"));
    lattices.append("auto");

    lattice_ = readWord("lattice", "auto", lattices);
    refinement_ = readOrAuto<label>("refinement", 0, "1 or more, or auto");
    latticeSpacing_ = dict_.getOrDefault<scalar>("latticeSpacing", 0);
    collision_ = readWord("collision", "auto", collisions);
    readCollisionCoeffs();
    magicParameter_ =
        readOrAuto<scalar>("magicParameter", 0, "above 0, or auto");
    bulkRelaxationTime_ =
        readOrAuto<scalar>("bulkRelaxationTime", 0.5, "above 0.5, or auto");
    models_ = readWord("models", "auto", {"auto", "host", "device"});
    heat_ = readWord("heat", "auto", {"auto", "host", "device"});
    readScalarCollision();
    turbulenceUpdateInterval_ =
        dict_.getOrDefault<label>("turbulenceUpdateInterval", 1);
    precision_ = readWord("precision", "single", validWords("precision"));
    layout_ = readWord("layout", "auto", layouts);

    wordList storages(validWords("storage"));
    storages.append("auto");
    storage_ = readWord("storage", "auto", storages);
    backend_ = readWord("backend", "auto", backends);
    readDevices();
    exchange_ = readWord("exchange", "auto", {"auto", "host", "device"});
    maxMach_ = dict_.getOrDefault<scalar>("maxMach", mesh.steady() ? 0.2 : 0.1);
    maxRelaxationTime_ = dict_.getOrDefault<scalar>("maxRelaxationTime", 1);
    latticeTimeStep_ = dict_.getOrDefault<scalar>("latticeTimeStep", 0);
    iterationSteps_ = dict_.getOrDefault<label>("iterationSteps", 100);
    referenceVelocity_ = dict_.getOrDefault<scalar>("referenceVelocity", -1);
    adaptiveStep_ =
        dict_.getOrDefault<bool>("adaptiveStep", latticeTimeStep_ <= 0);
    secondChance_ = dict_.getOrDefault<bool>("secondChance", true);
    boundaryUpdateInterval_ =
        dict_.getOrDefault<label>("boundaryUpdateInterval", 1);
    bodyForce_ = dict_.getOrDefault<vector>("bodyForce", Zero);
    initialProjection_ =
        readWord("initialProjection", "auto", {"auto", "yes", "nodes", "no"});
    writtenFields_ = readWord
    (
        "writtenFields",
        "auto",
        {"auto", "incompressible", "lattice"}
    );
    conservativeFlux_ =
        readWord("conservativeFlux", "auto", {"auto", "yes", "no"});
    restartData_ = dict_.getOrDefault<bool>("restartData", true);
    concurrentLinks_ = dict_.getOrDefault<bool>("concurrentLinks", true);
    cudaGraph_ = dict_.getOrDefault<bool>("cudaGraph", true);
    writeFlags_ = dict_.getOrDefault<bool>("writeFlags", false);

    if (lattice_ != "auto" && collision_ != "auto")
    {
        wordList possible({"auto"});

        for (const std::string& name : lbm::collisionsOn(lattice_))
        {
            possible.append(name);
        }

        if (!possible.found(collision_))
        {
            FatalIOErrorInFunction(dict_)
                << "lattice " << lattice_ << " has no collision " << collision_
                << nl
                << "    Possible are " << flatOutput(possible) << nl
                << exit(FatalIOError);
        }
    }
    if (dict_.found("latticeSpacing") && !(latticeSpacing_ > 0))
    {
        refuse("latticeSpacing", latticeSpacing_, "above 0 m");
    }
    if (dict_.found("latticeSpacing") && refinement_ > 0)
    {
        FatalIOErrorInFunction(dict_)
            << "Both latticeSpacing " << latticeSpacing_ << " m and refinement "
            << refinement_ << " are given" << nl
            << "    Possible is one of them" << nl
            << exit(FatalIOError);
    }
    if (boundaryUpdateInterval_ < 1)
    {
        refuse("boundaryUpdateInterval", boundaryUpdateInterval_, "1 or more");
    }
    if (turbulenceUpdateInterval_ < 1)
    {
        refuse
        (
            "turbulenceUpdateInterval", turbulenceUpdateInterval_, "1 or more"
        );
    }
    if (devices_.empty() || min(devices_) < 0)
    {
        refuse
        (
            "device",
            flatOutput(devices_),
            "a number, 0 or more, a list of such numbers, or auto"
        );
    }
    if (!(maxMach_ > 0 && maxMach_ <= 0.3))
    {
        refuse("maxMach", maxMach_, "above 0 and at most 0.3");
    }
    if (!(maxRelaxationTime_ > 0.5))
    {
        refuse("maxRelaxationTime", maxRelaxationTime_, "above 0.5");
    }
    if (dict_.found("latticeTimeStep") && !(latticeTimeStep_ > 0))
    {
        refuse("latticeTimeStep", latticeTimeStep_, "above 0 s");
    }
    if (iterationSteps_ < 1)
    {
        refuse("iterationSteps", iterationSteps_, "1 or more");
    }
    if (dict_.found("iterationSteps") && !mesh.steady())
    {
        FatalIOErrorInFunction(dict_)
            << "Found iterationSteps in a transient case" << nl
            << "    Possible: remove it, or default steadyState in ddtSchemes"
            << " of system/fvSchemes" << nl
            << exit(FatalIOError);
    }
    if (adaptiveStep_ && latticeTimeStep_ > 0)
    {
        FatalIOErrorInFunction(dict_)
            << "adaptiveStep is on and latticeTimeStep " << latticeTimeStep_
            << " s fixes the step" << nl
            << "    Possible is one of them" << nl
            << exit(FatalIOError);
    }
    if (dict_.found("referenceVelocity") && !(referenceVelocity_ > 0))
    {
        refuse("referenceVelocity", referenceVelocity_, "above 0 m/s");
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

const Foam::wordList& Foam::latticeSettings::entryNames()
{
    static const wordList names = []()
    {
        wordList all
        ({
            "lattice",
            "latticeSpacing",
            "refinement",
            "collision",
            "magicParameter",
            "bulkRelaxationTime",
            "models",
            "heat",
            "scalarCollision",
            "scalarMRTCoeffs",
            "turbulenceUpdateInterval",
            "precision",
            "layout",
            "storage",
            "backend",
            "device",
            "maxMach",
            "maxRelaxationTime",
            "latticeTimeStep",
            "iterationSteps",
            "referenceVelocity",
            "adaptiveStep",
            "secondChance",
            "boundaryUpdateInterval",
            "bodyForce",
            "pRefCell",
            "pRefPoint",
            "pRefValue",
            "initialProjection",
            "writtenFields",
            "conservativeFlux",
            "restartData",
            "concurrentLinks",
            "cudaGraph",
            "exchange",
            "writeFlags"
        });

        for (const word& collision : validWords("collision"))
        {
            if (!lbm::traitsOf(collision).parameters.empty())
            {
                all.append(coeffsName(collision));
            }
        }

        return all;
    }();

    return names;
}


bool Foam::latticeSettings::getReference
(
    const volScalarField& p,
    label& pRefCell,
    scalar& pRefValue
) const
{
    pRefCell = 0;
    pRefValue = 0;

    if (!p.needReference())
    {
        return false;
    }

    // As OpenFOAM: that of p_rgh is given for p
    const word name(p.name() == "p_rgh" ? "p" : p.name());

    dictionary refDict(dict_);

    if (!foundReference(dict_, name))
    {
        for (const word algorithm : {"PISO", "PIMPLE", "SIMPLE"})
        {
            const dictionary* dictPtr = solutionDict_.findDict(algorithm);

            if (dictPtr && foundReference(*dictPtr, name))
            {
                refDict = *dictPtr;
                break;
            }
        }
    }

    const word cellName(name + "RefCell");
    const word valueName(name + "RefValue");

    const word pointName(name + "RefPoint");

    if (!refDict.found(cellName) && !refDict.found(pointName))
    {
        refDict.add(cellName, label(0));
    }
    else if (!refDict.found(cellName))
    {
        const point place(refDict.get<point>(pointName));

        if (!p.mesh().bounds().contains(place))
        {
            FatalIOErrorInFunction(refDict)
                << "Found " << pointName << ' ' << place
                << " outside of the mesh, possible: a point between "
                << p.mesh().bounds().min() << " and " << p.mesh().bounds().max()
                << exit(FatalIOError);
        }
    }
    if (!refDict.found(valueName))
    {
        refDict.add(valueName, scalar(0));
    }

    if (name != p.name())
    {
        // It asks for entries of this name
        refDict.set(word(p.name() + "RefValue"), refDict.get<scalar>(valueName));

        if (refDict.found(cellName))
        {
            refDict.set(word(p.name() + "RefCell"), refDict.get<label>(cellName));
        }
        else
        {
            refDict.set(word(p.name() + "RefPoint"), refDict.get<point>(pointName));
        }
    }

    return setReferenceCell(p, p, refDict, pRefCell, pRefValue);
}


bool Foam::latticeSettings::setReferenceCell
(
    const volScalarField& field,
    const volScalarField& fieldRef,
    const dictionary& dict,
    label& refCell,
    scalar& refValue
)
{
    const word cellName(field.name() + "RefCell");
    labelList before;

    if
    (
        !dict.found(cellName)
     || !fieldRef.needReference()
     || !cellsBefore(field.mesh(), before)
    )
    {
        return setRefCell(field, fieldRef, dict, refCell, refValue);
    }

    const label whole = dict.get<label>(cellName);

    refCell = before.find(whole);

    if (returnReduce(refCell, maxOp<label>()) < 0)
    {
        FatalIOErrorInFunction(dict)
            << "Illegal " << cellName << ' ' << whole << ". Should be 0 to "
            << returnReduce(field.mesh().nCells(), sumOp<label>()) - 1
            << exit(FatalIOError);
    }

    dict.readEntry(field.name() + "RefValue", refValue);

    return true;
}


Foam::label Foam::latticeSettings::wholeCell
(
    const fvMesh& mesh,
    const label celli
)
{
    labelList before;
    const bool known = cellsBefore(mesh, before);

    return returnReduce
    (
        celli >= 0 && known ? before[celli] : celli,
        maxOp<label>()
    );
}


// ************************************************************************* //
