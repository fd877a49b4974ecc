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

Application
    compareFields

Group
    grpPostProcessingUtilities

Description
    Compare the volume fields of two cases, or of two times of one case.

    Prints the volume-weighted L1 and L2 norms and the largest value of the
    difference, absolute and relative to the same norm of the reference, and
    where the difference is largest.

Usage
    \b compareFields [OPTION]

      - \par -reference \<dir\>
        The case to compare with (default: the same case)

      - \par -time \<time\>, -referenceTime \<time\>
        A number, latestTime or firstTime (default: the latest time that both
        cases have)

      - \par -fields \<wordRes\>
        Fields to compare (default: all volume fields that both have)

      - \par -mapped
        Allow different meshes: compare on the one with fewer cells, to which
        the other field is averaged by volume of overlap

      - \par -removeMean \<wordRes\>
        Fields from which the mean over the volume is taken off first

      - \par -tolerance \<number\> or \<(field number ...)\>
        Largest difference allowed

      - \par -norm \<L1|L2|max\>
        Norm that the tolerance is for (default: L2)

      - \par -absolute
        The tolerance is an absolute one

      - \par -csv \<file\>
        Write all numbers to a file as well

    Exit status: 0 if nothing exceeds its tolerance, 1 if something does,
    2 if the fields cannot be compared.

\*---------------------------------------------------------------------------*/

#include "argList.H"
#include "caseTime.H"
#include "fieldDifference.H"
#include "meshToMesh.H"
#include "OFstream.H"
#include "wordRes.H"

#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>

using namespace Foam;

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

namespace
{

//- The SI unit of these dimensions, eg, m2/s2
word unitName(const dimensionSet& dimensions)
{
    static const FixedList<word, 7> units
    ({
        "kg", "m", "s", "K", "mol", "A", "cd"
    });

    std::ostringstream above, below;

    forAll(units, i)
    {
        const scalar exponent = dimensions[i];
        std::ostream& os = (exponent > 0 ? above : below);

        if (exponent != 0)
        {
            if (exponent < 0)
            {
                os  << '/';
            }
            else if (!above.str().empty())
            {
                os  << '.';
            }
            os  << units[i];

            if (mag(exponent) != 1)
            {
                os  << mag(exponent);
            }
        }
    }

    const std::string numerator(above.str().empty() ? "1" : above.str());

    return word(numerator + below.str(), false);
}


//- Stop unless two meshes have the same cells in the same order
void checkSameMesh(const polyMesh& mesh, const polyMesh& reference)
{
    if (mesh.nCells() != reference.nCells())
    {
        FatalErrorInFunction
            << "The meshes differ: " << mesh.nCells() << " cells in "
            << mesh.time().path() << ", " << reference.nCells()
            << " cells in " << reference.time().path() << nl
            << "    Use -mapped to compare fields on different meshes."
            << exit(FatalError);
    }

    forAll(mesh.cellCentres(), celli)
    {
        // Against the size of the cell, since a mesh in ascii is rounded
        const scalar size = Foam::cbrt(mag(mesh.cellVolumes()[celli]));

        if
        (
            mag(mesh.cellCentres()[celli] - reference.cellCentres()[celli])
          > 1e-3*size
        )
        {
            FatalErrorInFunction
                << "The meshes differ: the centre of cell " << celli << " is "
                << mesh.cellCentres()[celli] << " in " << mesh.time().path()
                << ", " << reference.cellCentres()[celli] << " in "
                << reference.time().path() << nl
                << "    Use -mapped to compare fields on different meshes."
                << exit(FatalError);
        }
    }
}


//- Take the mean over the volume of some cells off a field
template<class Type>
void removeMean
(
    Field<Type>& field,
    const scalarField& volumes,
    const labelUList& cells
)
{
    Type sum(Zero);
    scalar sumV = 0;

    for (const label celli : cells)
    {
        sum += volumes[celli]*field[celli];
        sumV += volumes[celli];
    }

    field -= sum/sumV;
}


//- What the fields of two cases are compared on
struct comparison
{
    const caseTime& data;
    const caseTime& reference;

    //- Mesh that the norms are taken on
    const polyMesh& mesh;

    //- Cells of it that both cases cover
    labelList cells;

    //- From the other mesh to this one; none if both are the same
    autoPtr<meshToMesh> map;

    wordRes meanFree;


    template<class Type>
    fieldDifference compare(const word& name) const
    {
        dimensionSet dimensions, referenceDimensions;

        tmp<Field<Type>> tvalues
        (
            data.internalField<Type>(name, dimensions)
        );
        tmp<Field<Type>> tref
        (
            reference.internalField<Type>(name, referenceDimensions)
        );

        if (dimensions != referenceDimensions)
        {
            FatalErrorInFunction
                << "Field " << name << " has dimensions " << dimensions
                << " in " << data.path() << " but " << referenceDimensions
                << " in " << reference.path()
                << exit(FatalError);
        }

        if (map)
        {
            tmp<Field<Type>>& other = (&mesh == &data.mesh() ? tref : tvalues);
            tmp<Field<Type>> mapped(map->mapSrcToTgt(other()));
            other = mapped;
        }

        Field<Type>& values = tvalues.ref();
        Field<Type>& ref = tref.ref();

        if (meanFree.match(name))
        {
            removeMean(values, mesh.cellVolumes(), cells);
            removeMean(ref, mesh.cellVolumes(), cells);
        }

        fieldDifference result;
        result.name = name;
        result.unit = unitName(dimensions);
        result.reference = fieldNorms(ref, mesh.cellVolumes(), cells);

        values -= ref;
        result.absolute = fieldNorms(values, mesh.cellVolumes(), cells);
        result.maxPoint = mesh.cellCentres()[result.absolute.maxCell];

        return result;
    }

    fieldDifference compare(const word& name, const word& type) const
    {
        if (type == "volScalarField") return compare<scalar>(name);
        if (type == "volVectorField") return compare<vector>(name);
        if (type == "volSymmTensorField") return compare<symmTensor>(name);
        if (type == "volTensorField") return compare<tensor>(name);

        return compare<sphericalTensor>(name);
    }
};


//- Fields to compare: those that both have, or those asked for
wordList selectFields
(
    const caseTime& data,
    const caseTime& reference,
    const wordRes& wanted
)
{
    wordList names;

    for (const word& name : data.fields().sortedToc())
    {
        if
        (
            reference.fields().found(name)
         && (wanted.empty() || wanted.match(name))
        )
        {
            if (data.fields()[name] != reference.fields()[name])
            {
                FatalErrorInFunction
                    << "Field " << name << " is a " << data.fields()[name]
                    << " in " << data.path() << " but a "
                    << reference.fields()[name] << " in " << reference.path()
                    << exit(FatalError);
            }

            names.append(name);
        }
    }

    auto noField = [&](const std::string& which)
    {
        FatalErrorInFunction
            << which.c_str() << " time " << data.timeName() << " of "
            << data.path() << " and time " << reference.timeName() << " of "
            << reference.path() << nl
            << "    Volume fields of the first: "
            << flatOutput(data.fields().sortedToc()) << nl
            << "    Volume fields of the second: "
            << flatOutput(reference.fields().sortedToc())
            << exit(FatalError);
    };

    for (const wordRe& name : wanted)
    {
        bool used = false;
        for (const word& field : names)
        {
            used = used || name.match(field);
        }

        if (!used)
        {
            noField("Field " + name + " is not in both:");
        }
    }

    if (names.empty())
    {
        noField("No volume field is in both:");
    }

    return names;
}


//- Tolerance of each field from the command line: a number for all, or
//  (name number ...), where a name may be a regular expression
void setTolerances(ITstream& is, UList<fieldDifference>& fields)
{
    auto readTolerance = [&](const token& t)
    {
        if (!t.isNumber() || t.number() < 0)
        {
            FatalErrorInFunction
                << "Found " << t.info() << " in -tolerance instead of a"
                << " number that is not negative" << nl
                << "    Valid: a number for all fields, or pairs such as"
                << " '(U 0.02 p 0.05)'"
                << exit(FatalError);
        }
        return t.number();
    };

    token t(is);

    if (!t.isPunctuation())
    {
        const scalar tolerance = readTolerance(t);
        for (fieldDifference& field : fields)
        {
            field.tolerance = tolerance;
        }
        return;
    }

    for (is >> t; t.good() && !t.isPunctuation(); is >> t)
    {
        const wordRe name
        (
            t.isWord() ? wordRe(t.wordToken())
          : t.isString() ? wordRe(t.stringToken(), wordRe::DETECT)
          : wordRe()
        );

        if (name.empty())
        {
            FatalErrorInFunction
                << "Found " << t.info() << " in -tolerance instead of the"
                << " name of a field" << nl
                << "    Valid: a number for all fields, or pairs such as"
                << " '(U 0.02 p 0.05)'"
                << exit(FatalError);
        }

        is >> t;
        const scalar tolerance = readTolerance(t);

        bool used = false;
        wordList names(fields.size());
        forAll(fields, i)
        {
            names[i] = fields[i].name;
            if (name.match(names[i]))
            {
                fields[i].tolerance = tolerance;
                used = true;
            }
        }

        if (!used)
        {
            FatalErrorInFunction
                << "-tolerance names " << name
                << ", which is not among the fields compared: "
                << flatOutput(names)
                << exit(FatalError);
        }
    }
}


//- Table for people
void printTable
(
    const UList<fieldDifference>& fields,
    const std::function<bool(const fieldDifference&)>& exceeds
)
{
    std::ostringstream os;
    os  << std::scientific << std::setprecision(3) << std::right;

    auto cell = [&](const auto& value) { os << std::setw(11) << value; };

    os  << std::left << std::setw(22) << "Field" << std::right;
    for (const char* title : {"L1", "L2", "max"}) cell(title);
    os  << "   largest at\n";

    for (const fieldDifference& field : fields)
    {
        const fieldNorms relative(field.relative());

        os  << std::left << std::setw(22)
            << (field.name + " [" + field.unit + "]") << std::right;
        cell(field.absolute.L1);
        cell(field.absolute.L2);
        cell(field.absolute.max);
        os  << std::defaultfloat << std::setprecision(6)
            << "   (" << field.maxPoint.x() << ' ' << field.maxPoint.y()
            << ' ' << field.maxPoint.z() << ")\n"
            << std::scientific << std::setprecision(3);

        os  << std::left << std::setw(22) << "    relative" << std::right;
        cell(relative.L1);
        cell(relative.L2);
        cell(relative.max);
        if (field.tolerance >= 0)
        {
            os  << (exceeds(field) ? "   EXCEEDS " : "   within ")
                << std::defaultfloat << field.tolerance
                << std::scientific;
        }
        os  << '\n';
    }

    Info<< os.str().c_str() << endl;
}


//- Table for programs
void writeCsv
(
    const fileName& file,
    const comparison& pair,
    const UList<fieldDifference>& fields,
    const std::function<bool(const fieldDifference&)>& exceeds
)
{
    mkDir(file.path());
    OFstream os(file);

    if (!os.good())
    {
        FatalErrorInFunction
            << "Cannot write " << file
            << exit(FatalError);
    }

    os.precision(12);
    os  << "field,unit,time,referenceTime,cells,"
        << "L1,L2,max,referenceL1,referenceL2,referenceMax,"
        << "relativeL1,relativeL2,relativeMax,x,y,z,tolerance,exceeded"
        << nl;

    for (const fieldDifference& field : fields)
    {
        os  << field.name.c_str() << ',' << field.unit.c_str() << ','
            << pair.data.timeName().c_str() << ','
            << pair.reference.timeName().c_str() << ','
            << pair.cells.size();

        for
        (
            const fieldNorms& norms :
            {field.absolute, field.reference, field.relative()}
        )
        {
            os  << ',' << norms.L1 << ',' << norms.L2 << ',' << norms.max;
        }

        const point& p = field.maxPoint;
        os  << ',' << p.x() << ',' << p.y() << ',' << p.z() << ',';

        if (field.tolerance >= 0)
        {
            os  << field.tolerance;
        }
        os  << ',' << label(exceeds(field)) << nl;
    }
}


//- Let both cases use the times asked for; by default the latest that both have
void setTimes(const argList& args, caseTime& data, caseTime& reference)
{
    word time, referenceTime;
    const bool timeGiven = args.readIfPresent("time", time);
    const bool referenceGiven =
        args.readIfPresent("referenceTime", referenceTime);

    if (timeGiven || referenceGiven)
    {
        data.setTime(timeGiven ? time : "latestTime");
        reference.setTime(referenceGiven ? referenceTime : data.timeName());
        return;
    }

    const instantList times(data.times());
    const instantList referenceTimes(reference.times());

    forAllReverse(times, i)
    {
        const label j =
            Time::findClosestTimeIndex(referenceTimes, times[i].value());

        if
        (
            j >= 0
         && mag(referenceTimes[j].value() - times[i].value())
         <= 1e-5*mag(times[i].value())
        )
        {
            data.setTime(times[i]);
            reference.setTime(referenceTimes[j]);
            return;
        }
    }

    FatalErrorInFunction
        << "The cases have no time in common" << nl
        << "    Times of " << data.path() << ": "
        << data.timeNames().c_str() << nl
        << "    Times of " << reference.path() << ": "
        << reference.timeNames().c_str()
        << exit(FatalError);
}


//- The comparison; true if something exceeds its tolerance
bool compare(const argList& args)
{
    if (!args.found("reference") && !args.found("referenceTime"))
    {
        FatalErrorInFunction
            << "Nothing to compare with: give -reference <case>,"
            << " -referenceTime <time> or both"
            << exit(FatalError);
    }

    const word norm(args.getOrDefault<word>("norm", "L2"));
    if (norm != "L1" && norm != "L2" && norm != "max")
    {
        FatalErrorInFunction
            << "Unknown -norm " << norm << nl
            << "    Valid: L1, L2, max"
            << exit(FatalError);
    }

    const bool absolute = args.found("absolute");
    const fileName casePath(args.globalPath());

    caseTime data(casePath);
    caseTime reference
    (
        args.getOrDefault<fileName>("reference", casePath)
    );

    setTimes(args, data, reference);

    const word region
    (
        args.getOrDefault<word>("region", polyMesh::defaultRegion)
    );
    data.read(region);
    reference.read(region);

    const wordList names
    (
        selectFields
        (
            data,
            reference,
            wordRes(args.getList<wordRe>("fields", false))
        )
    );

    const bool mapped = args.found("mapped");
    const bool onReference =
    (
        mapped && reference.mesh().nCells() < data.mesh().nCells()
    );
    const polyMesh& mesh = (onReference ? reference : data).mesh();
    const polyMesh& other = (onReference ? data : reference).mesh();

    comparison pair{data, reference, mesh, identity(mesh.nCells()), {}, {}};
    pair.meanFree = wordRes(args.getList<wordRe>("removeMean", false));

    if (mapped)
    {
        pair.map.reset
        (
            new meshToMesh
            (
                other,
                mesh,
                meshToMesh::interpolationMethod::imCellVolumeWeight,
                meshToMesh::procMapMethod::pmAABB,
                false
            )
        );
        Info<< nl;

        DynamicList<label> covered(mesh.nCells());
        forAll(pair.map->tgtToSrcCellAddr(), celli)
        {
            if (pair.map->tgtToSrcCellAddr()[celli].size())
            {
                covered.append(celli);
            }
        }
        pair.cells.transfer(covered);

        if (pair.cells.empty())
        {
            FatalErrorInFunction
                << "The meshes do not overlap: " << data.path() << " fills "
                << data.mesh().bounds() << ", " << reference.path()
                << " fills " << reference.mesh().bounds()
                << exit(FatalError);
        }
    }
    else
    {
        checkSameMesh(mesh, other);
    }

    Info<< "Case         " << data.path().c_str() << nl
        << "             time " << data.timeName() << " s, "
        << data.mesh().nCells() << " cells" << nl
        << "Reference    " << reference.path().c_str() << nl
        << "             time " << reference.timeName() << " s, "
        << reference.mesh().nCells() << " cells" << nl
        << "Compared on  " << pair.cells.size() << " cells";

    if (mapped)
    {
        Info<< " of the " << (onReference ? "reference" : "case")
            << ", to which the other fields are averaged";
    }
    Info<< nl << nl;

    DynamicList<fieldDifference> fields(names.size());
    for (const word& name : names)
    {
        fields.append(pair.compare(name, data.fields()[name]));
    }

    if (args.found("tolerance"))
    {
        ITstream is(args.lookup("tolerance"));
        setTolerances(is, fields);
    }

    auto exceeds = [&](const fieldDifference& field)
    {
        const fieldNorms norms(absolute ? field.absolute : field.relative());

        // A NaN exceeds every tolerance
        return
        (
            field.tolerance >= 0
         && (std::isnan(norms[norm]) || norms[norm] > field.tolerance)
        );
    };

    printTable(fields, exceeds);

    fileName csv;
    if (args.readIfPresent("csv", csv))
    {
        writeCsv(csv, pair, fields, exceeds);
    }

    bool failed = false;
    for (const fieldDifference& field : fields)
    {
        if (exceeds(field))
        {
            const fieldNorms norms
            (
                absolute ? field.absolute : field.relative()
            );

            Info<< "Field " << field.name << ": "
                << (absolute ? "absolute " : "relative ") << norm
                << " difference " << norms[norm] << " exceeds the tolerance "
                << field.tolerance << nl;
            failed = true;
        }
    }

    Info<< "End" << nl << endl;

    return failed;
}

} // End anonymous namespace

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

int main(int argc, char *argv[])
{
    argList::addNote
    (
        "Compare the volume fields of two cases, or of two times of one case.\n"
        "Exit status: 0 if nothing exceeds its tolerance, 1 if something does,"
        " 2 if the fields cannot be compared."
    );

    argList::noParallel();
    argList::noFunctionObjects();

    argList::addOption
    (
        "reference",
        "dir",
        "The case to compare with (default: the same case)"
    );
    argList::addOption
    (
        "time",
        "time",
        "A number, latestTime or firstTime"
        " (default: the latest time that both cases have)"
    );
    argList::addOption
    (
        "referenceTime",
        "time",
        "Time of the reference (default: the same time)"
    );
    argList::addOption
    (
        "fields",
        "wordRes",
        "Fields to compare. Eg, 'U' or '(U p \"alpha.*\")'"
        " (default: all volume fields that both have)"
    );
    argList::addOption
    (
        "region",
        "name",
        "Mesh region of both cases"
    );
    argList::addBoolOption
    (
        "mapped",
        "Allow different meshes: compare on the one with fewer cells,"
        " to which the other field is averaged by volume of overlap"
    );
    argList::addOption
    (
        "removeMean",
        "wordRes",
        "Fields from which the mean over the volume is taken off first."
        " Eg, 'p'"
    );
    argList::addOption
    (
        "tolerance",
        "number|(field number ...)",
        "Largest difference allowed. Eg, 0.01 or '(U 0.02 p 0.05)'"
    );
    argList::addOption
    (
        "norm",
        "L1|L2|max",
        "Norm that the tolerance is for (default: L2)"
    );
    argList::addBoolOption
    (
        "absolute",
        "The tolerance is an absolute one (default: relative to the same norm"
        " of the reference)"
    );
    argList::addOption
    (
        "csv",
        "file",
        "Write all numbers to a file as well"
    );

    argList args(argc, argv, false, false);

    int status = 2;

    // An OpenFOAM error exits with 1, which here means a difference
    FatalError.throwExceptions();
    FatalIOError.throwExceptions();

    try
    {
        if (!args.check())
        {
            FatalError.exit();
        }

        status = (compare(args) ? 1 : 0);
    }
    catch (const Foam::IOerror& err)
    {
        Serr<< nl << err << nl << "FOAM exiting" << nl << endl;
    }
    catch (const Foam::error& err)
    {
        Serr<< nl << err << nl << "FOAM exiting" << nl << endl;
    }

    // To return would destroy the argList, which exits with 0
    std::exit(status);
}


// ************************************************************************* //
