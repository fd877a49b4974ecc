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

#include "inputChecks.H"
#include "faceIOList.H"
#include "labelIOList.H"
#include "localIOdictionary.H"
#include "pointIOField.H"
#include "StringStream.H"

#include <algorithm>
#include <vector>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- A file of the mesh
IOobject meshFile
(
    const Time& runTime,
    const word& name,
    const fileName& instance
)
{
    return IOobject
    (
        name,
        instance,
        polyMesh::meshSubDir,
        runTime,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
}


//- Result of reading a file of the mesh; errors that name no file get that
template<class Read>
auto readMeshFile(const IOobject& file, const Read& read) -> decltype(read())
{
    string message;

    try
    {
        return read();
    }
    catch (const Foam::IOerror&)
    {
        throw;
    }
    catch (const Foam::error& err)
    {
        message = err.message();
    }

    FatalErrorInFunction
        << file.objectPath() << nl
        << "    " << message.c_str()
        << exit(FatalError);

    ::exit(1);
}


template<class List>
List readMeshList(const IOobject& file)
{
    return readMeshFile(file, [&]{ return List(file); });
}


//- Points of all faces in one list: a list for each face would take longer than
//  all other checks
struct meshFaces
{
    //- Offset of each face, and of the end
    labelList start;

    labelList points;

    label size() const
    {
        return start.size() - 1;
    }
};


meshFaces readFaces(const IOobject& file)
{
    IOobject header(file);
    autoPtr<ISstream> isPtr(fileHandler().NewIFstream(file.objectPath()));

    meshFaces result;

    if
    (
        isPtr().good()
     && header.readHeader(isPtr())
     && header.headerClassName() == faceCompactIOList::typeName
    )
    {
        readMeshFile
        (
            file,
            [&]
            {
                isPtr() >> result.start >> result.points;
                return 0;
            }
        );

        const labelList& start = result.start;

        if
        (
            start.empty()
         || start.first() != 0
         || start.last() != result.points.size()
         || !std::is_sorted(start.begin(), start.end())
        )
        {
            FatalErrorInFunction
                << file.objectPath() << nl
                << "    found    : offsets of faces that do not rise from 0 to"
                << " the number of their points" << nl
                << "    possible : offsets that begin with 0, do not decrease"
                << " and end with " << result.points.size()
                << exit(FatalError);
        }

        return result;
    }

    const auto faces = readMeshList<faceCompactIOList>(file);

    result.start.setSize(faces.size() + 1, 0);

    forAll(faces, facei)
    {
        result.start[facei + 1] = result.start[facei] + faces[facei].size();
    }

    result.points.setSize(result.start.last());

    forAll(faces, facei)
    {
        std::copy
        (
            faces[facei].begin(),
            faces[facei].end(),
            result.points.begin() + result.start[facei]
        );
    }

    return result;
}


//- Stop if a label is not one of n
void checkLabel
(
    const IOobject& file,
    const label facei,
    const label found,
    const char* what,
    const label n
)
{
    if (found < 0 || found >= n)
    {
        FatalErrorInFunction
            << file.objectPath() << nl
            << "    face     : " << facei << nl
            << "    found    : " << what << ' ' << found << nl
            << "    possible : 0 to " << n - 1
            << exit(FatalError);
    }
}


//- Whether a component is not a number, or beyond the largest
template<class Type>
bool isBad(const Type& value)
{
    for (direction d = 0; d < pTraits<Type>::nComponents; ++d)
    {
        if (!(mag(component(value, d)) < caseChecks::largestValue))
        {
            return true;
        }
    }

    return false;
}


//- Stop if points are not numbers
void checkPoints(const pointIOField& points)
{
    forAll(points, pointi)
    {
        if (isBad(points[pointi]))
        {
            FatalErrorInFunction
                << points.objectPath() << nl
                << "    found    : point " << pointi << " at "
                << points[pointi] << nl
                << "    possible : numbers below "
                << caseChecks::largestValue
                << exit(FatalError);
        }
    }
}


//- Stop if the patches do not follow each other from the first face at the
//  boundary to the last
void checkPatches
(
    const IOobject& file,
    const label nInternalFaces,
    const label nFaces
)
{
    IOobject header(file);
    autoPtr<ISstream> isPtr(fileHandler().NewIFstream(file.objectPath()));
    ISstream& is = isPtr();

    if (!is.good() || !header.readHeader(is))
    {
        FatalErrorInFunction
            << "Cannot read " << file.objectPath() << exit(FatalError);
    }

    const PtrList<entry> patches(is);

    label start = nInternalFaces;
    dictionary last;
    wordHashSet names;

    for (const entry& patch : patches)
    {
        if (!names.insert(patch.keyword()))
        {
            FatalIOErrorInFunction(is)
                << file.objectPath() << nl
                << "    found    : patch " << patch.keyword() << " twice" << nl
                << "    possible : each name once"
                << exit(FatalIOError);
        }

        if (!patch.isDict())
        {
            FatalIOErrorInFunction(is)
                << file.objectPath() << nl
                << "Found " << patch.keyword()
                << " without a dictionary, possible: name { ... }"
                << exit(FatalIOError);
        }

        last = patch.dict();

        // Their construction, with the mesh, ends the run where a partner is
        // not found, or is not where it should be
        const word type(last.get<word>("type"));

        if (type.find("AMI") != std::string::npos)
        {
            FatalIOErrorInFunction(last)
                << file.objectPath() << ", patch " << patch.keyword() << nl
                << "    found    : type " << type << nl
                << "    possible : cyclic, where the faces of both patches"
                << " fit each other; empty, patch, wall, symmetry,"
                << " symmetryPlane"
                << exit(FatalIOError);
        }

        // OpenFOAM takes it for a patch of which nothing is known
        if (!polyPatch::dictionaryConstructorTablePtr_->found(type))
        {
            FatalIOErrorInFunction(last)
                << file.objectPath() << ", patch " << patch.keyword() << nl
                << "    found    : unknown type " << type << nl
                << "    possible : cyclic, empty, patch, symmetry,"
                << " symmetryPlane, wall, or a type of a library in libs of"
                << " system/controlDict"
                << exit(FatalIOError);
        }

        const label startFace = last.get<label>("startFace");
        const label size = last.get<label>("nFaces");

        if (startFace != start || size < 0 || size > nFaces - start)
        {
            FatalIOErrorInFunction(last)
                << file.objectPath() << ", patch " << patch.keyword() << nl
                << "    found    : nFaces " << size << ", startFace "
                << startFace << nl
                << "    possible : nFaces 0 to " << nFaces - start
                << ", startFace " << start << ", as the patches before it end"
                << " there. The mesh has " << nFaces << " faces, "
                << nInternalFaces << " of them between cells."
                << exit(FatalIOError);
        }

        start += size;
    }

    if (start != nFaces)
    {
        FatalErrorInFunction
            << file.objectPath() << nl
            << "    found    : patches that end with face " << start - 1 << nl
            << "    possible : to end with the last face, " << nFaces - 1
            << exit(FatalError);
    }
}


//- Cells whose faces do not meet each other, though their areas may sum up to
//  zero: one of them belongs to another cell.
//
//  In a cell each edge belongs to two faces, which go along it in opposite
//  directions: signed hashes of all edges cancel. Where they do not, a point in
//  the midst of an edge may be missing in one face, which does no harm. Then,
//  as in any closed surface, the sum of x Sf is the volume times the unit tensor.
boolList scatteredFaces(const polyMesh& mesh)
{
    // Part of the sum of |x||Sf|: faces need not be plane
    const scalar tolerance = 1e-3;

    const labelList& owner = mesh.faceOwner();
    const labelList& neighbour = mesh.faceNeighbour();

    std::vector<uint64_t> sums(mesh.nCells(), 0);

    forAll(owner, facei)
    {
        const face& f = mesh.faces()[facei];
        uint64_t sum = 0;

        forAll(f, i)
        {
            const uint64_t a = f[i];
            const uint64_t b = f.nextLabel(i);

            // splitmix64
            uint64_t hash = (min(a, b) << 32) ^ max(a, b);
            hash += 0x9e3779b97f4a7c15ull;
            hash = (hash ^ (hash >> 30))*0xbf58476d1ce4e5b9ull;
            hash = (hash ^ (hash >> 27))*0x94d049bb133111ebull;
            hash ^= hash >> 31;

            sum += a < b ? hash : -hash;
        }

        sums[owner[facei]] += sum;

        if (mesh.isInternalFace(facei))
        {
            sums[neighbour[facei]] -= sum;
        }
    }

    boolList scattered(mesh.nCells(), false);

    forAll(scattered, celli)
    {
        if (sums[celli])
        {
            const point& centre = mesh.cellCentres()[celli];
            tensor moment(Zero);
            scalar size = 0;

            for (const label facei : mesh.cells()[celli])
            {
                const vector x(mesh.faceCentres()[facei] - centre);
                const vector& Sf = mesh.faceAreas()[facei];

                moment += (owner[facei] == celli ? 1 : -1)*x*Sf;
                size += mag(x)*mag(Sf);
            }

            scattered[celli] =
                !(mag(moment - I*(tr(moment)/3)) <= tolerance*size);
        }
    }

    return scattered;
}


//- The file of a field, read again as dictionary: that knows its lines
template<class Type>
localIOdictionary fileOf
(
    const GeometricField<Type, fvPatchField, volMesh>& field
)
{
    return localIOdictionary
    (
        IOobject
        (
            field.name(),
            field.instance(),
            field.db(),
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        ),
        GeometricField<Type, fvPatchField, volMesh>::typeName
    );
}


//- Stop with the dictionary of a field, of a patch if there is one
template<class Type, class Value>
[[noreturn]] void refuseValue
(
    const GeometricField<Type, fvPatchField, volMesh>& field,
    const word& patch,
    const string& where,
    const Value& found
)
{
    const localIOdictionary file(fileOf(field));

    const dictionary& dict =
    (
        patch.empty()
      ? file
      : file.subDict("boundaryField").optionalSubDict(patch)
    );

    FatalIOErrorInFunction(dict)
        << "Field " << field.name() << ", " << where.c_str() << nl
        << "    found    : " << found << nl
        << "    possible : numbers below " << caseChecks::largestValue
        << exit(FatalIOError);

    ::exit(1);
}


//- Name of a number that is not one, as it is printed
bool isNotFinite(const string& word)
{
    const std::string name(word.substr(word[0] == '-' ? 1 : 0));

    return name == "nan" || name == "inf";
}


//- The first token of a dictionary, sub-dictionaries included, that is no
//  number below a limit; undefined if there is none
token firstBadNumber(const dictionary& dict, const scalar limit)
{
    for (const entry& e : dict)
    {
        if (e.isDict())
        {
            const token t(firstBadNumber(e.dict(), limit));

            if (t.good())
            {
                return t;
            }
        }
        else
        {
            for (const token& t : e.stream())
            {
                if
                (
                    (t.isNumber() && !(mag(t.number()) < limit))
                 || (t.isWord() && isNotFinite(t.wordToken()))
                )
                {
                    return t;
                }
            }
        }
    }

    return token();
}


//- Index of the first value that is not a number or too large, -1 if none is
template<class Type>
label firstBad(const UList<Type>& values)
{
    forAll(values, i)
    {
        if (isBad(values[i]))
        {
            return i;
        }
    }

    return -1;
}


//- Stop if no patch lets the flow adjust and these conditions of U let more in
//  than out, or less
void checkNet
(
    const volVectorField& U,
    const volScalarField& p,
    const UPtrList<const fvPatchVectorField>& conditions
)
{
    // Of what flows through; of what could, which is larger by far where all
    // patches are walls
    const scalar tolerance = 1e-3;
    const scalar wallTolerance = 1e-4;

    // As p.needReference(), but a patch without faces fixes nothing
    for (const fvPatchScalarField& patch : p.boundaryField())
    {
        // Not of patches between processes, which are not everywhere
        if (patch.fixesValue() && returnReduce(patch.size(), sumOp<label>()))
        {
            return;
        }
    }

    scalar net = 0;
    scalar sum = 0;
    scalar sumMag = 0;
    OStringStream fluxes;

    for (const fvPatchVectorField& patch : conditions)
    {
        if
        (
            patch.coupled()
         || !returnReduce(patch.size(), sumOp<label>())
        )
        {
            continue;
        }

        const scalarField flux(patch & patch.patch().Sf());
        const scalar patchNet = gSum(flux);

        if (!patch.fixesValue() && gSum(mag(flux)) > 0)
        {
            return;
        }

        net += patchNet;
        sum += gSum(mag(flux));
        sumMag += gSum(mag(patch)*patch.patch().magSf());

        if (patchNet != 0)
        {
            fluxes << ' ' << patch.patch().name() << ' ' << -patchNet;
        }
    }

    if (mag(net) > max(tolerance*sum, wallTolerance*sumMag))
    {
        const localIOdictionary file(fileOf(U));

        FatalIOErrorInFunction(file)
            << "Field " << U.name() << nl
            << "    found    : an inflow of " << -net
            << " m3/s more than flows out, and no patch that fixes the"
            << " pressure. Inflow of the patches:" << fluxes.str().c_str() << nl
            << "    possible : inflows whose sum is zero, or a patch with"
            << " fixedValue or totalPressure in field " << p.name()
            << exit(FatalIOError);
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

void Foam::caseChecks::checkMeshFiles(const Time& runTime)
{
    const fileName& dir = polyMesh::meshSubDir;
    const fileName instance(runTime.findInstance(dir, "faces"));

    const auto points = readMeshList<pointIOField>
    (
        meshFile(runTime, "points", runTime.findInstance(dir, "points"))
    );

    checkPoints(points);

    const IOobject facesFile(meshFile(runTime, "faces", instance));
    const meshFaces faces(readFaces(facesFile));
    const auto owner =
        readMeshList<labelIOList>(meshFile(runTime, "owner", instance));
    auto neighbour =
        readMeshList<labelIOList>(meshFile(runTime, "neighbour", instance));

    if (owner.size() != faces.size())
    {
        FatalErrorInFunction
            << owner.objectPath() << nl
            << "    found    : " << owner.size() << " labels" << nl
            << "    possible : " << faces.size() << ", one for each of the"
            << " faces in " << facesFile.objectPath()
            << exit(FatalError);
    }

    // A neighbour of -1 for each face at the boundary is an old format
    if (neighbour.size() == owner.size())
    {
        neighbour.resize(max(neighbour.find(-1), label(0)));
    }

    if (faces.size() <= 0 || neighbour.size() >= owner.size())
    {
        FatalErrorInFunction
            << neighbour.objectPath() << nl
            << "    found    : " << neighbour.size() << " faces between cells"
            << nl << "    possible : fewer than the " << faces.size()
            << " faces in " << facesFile.objectPath()
            << exit(FatalError);
    }

    for (label facei = 0; facei < faces.size(); ++facei)
    {
        const label begin = faces.start[facei];
        const label end = faces.start[facei + 1];

        if (end - begin < 3)
        {
            FatalErrorInFunction
                << facesFile.objectPath() << nl
                << "    face     : " << facei << nl
                << "    found    : " << end - begin << " points" << nl
                << "    possible : 3 or more"
                << exit(FatalError);
        }

        for (label i = begin; i < end; ++i)
        {
            checkLabel
            (
                facesFile,
                facei,
                faces.points[i],
                "point",
                points.size()
            );
        }
    }

    // A cell has four faces at least, a face two cells at most
    const label nCellsMax = (owner.size() + neighbour.size())/4;

    forAll(owner, facei)
    {
        checkLabel(owner, facei, owner[facei], "cell", nCellsMax);
    }

    forAll(neighbour, facei)
    {
        checkLabel(neighbour, facei, neighbour[facei], "cell", nCellsMax);
    }

    checkPatches
    (
        meshFile
        (
            runTime,
            "boundary",
            runTime.findInstance(dir, "boundary", IOobject::MUST_READ, instance)
        ),
        neighbour.size(),
        faces.size()
    );
}


void Foam::caseChecks::checkCells(const polyMesh& mesh)
{
    const scalar tolerance = 1e-6;

    const vectorField& areas = mesh.faceAreas();
    vectorField sum(mesh.nCells(), Zero);
    vectorField sumMag(mesh.nCells(), Zero);

    forAll(areas, facei)
    {
        const vector magnitude(cmptMag(areas[facei]));

        sum[mesh.faceOwner()[facei]] += areas[facei];
        sumMag[mesh.faceOwner()[facei]] += magnitude;

        if (mesh.isInternalFace(facei))
        {
            sum[mesh.faceNeighbour()[facei]] -= areas[facei];
            sumMag[mesh.faceNeighbour()[facei]] += magnitude;
        }
    }

    const boolList scattered(scatteredFaces(mesh));

    label nOpen = 0;
    label nEmpty = 0;
    label first = -1;

    forAll(sum, celli)
    {
        const bool open =
            scattered[celli]
         || !(mag(sum[celli]) <= tolerance*mag(sumMag[celli]));
        const bool empty = !(mesh.cellVolumes()[celli] > 0);

        nOpen += open;
        nEmpty += !open && empty;

        if (first == -1 && (open || empty))
        {
            first = celli;
        }
    }

    if (first != -1)
    {
        FatalErrorInFunction
            << "The mesh in " << mesh.facesInstance()/mesh.meshDir() << nl
            << "    found    : " << nOpen << " open cells, whose faces leave a"
            << " gap or lie twice in one place, and " << nEmpty
            << " more of no volume; the first is cell " << first << " at "
            << mesh.cellCentres()[first] << nl
            << "    possible : closed cells of positive volume."
            << " See the output of checkMesh."
            << exit(FatalError);
    }
}


template<class Type>
void Foam::caseChecks::checkValues
(
    const GeometricField<Type, fvPatchField, volMesh>& field
)
{
    {
        const label celli = firstBad(field.primitiveField());

        if (celli != -1)
        {
            refuseValue
            (
                field,
                word::null,
                "cell " + Foam::name(celli),
                field[celli]
            );
        }
    }

    for (const fvPatchField<Type>& patch : field.boundaryField())
    {
        const label facei = firstBad(patch);

        if (facei != -1)
        {
            refuseValue
            (
                field,
                patch.patch().name(),
                "patch " + patch.patch().name() + ", face "
              + Foam::name(facei),
                patch[facei]
            );
        }

        // Parameters, as the patch prints them
        OStringStream os;
        patch.write(os);
        const token bad
        (
            firstBadNumber(dictionary(IStringStream(os.str())()), largestValue)
        );

        if (bad.good())
        {
            refuseValue
            (
                field,
                patch.patch().name(),
                "patch " + patch.patch().name() + ", type " + patch.type(),
                bad
            );
        }
    }
}


void Foam::caseChecks::checkPatchTypes
(
    const IOobject& field,
    const word& fieldType,
    const fvMesh& mesh
)
{
    const localIOdictionary file
    (
        IOobject
        (
            field.name(),
            field.instance(),
            field.db(),
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        ),
        fieldType
    );

    const dictionary& conditions = file.subDict("boundaryField");

    for (const fvPatch& patch : mesh.boundary())
    {
        const dictionary* condition = conditions.findDict(patch.name());

        if (!condition)
        {
            continue;
        }

        const word type(condition->get<word>("type"));

        const bool needsPartner =
            type.find("yclic") != std::string::npos
         || type.find("Jump") != std::string::npos
         || type.find("processor") == 0;

        const bool constraint =
            polyPatch::dictionaryConstructorTablePtr_->found(type)
         && polyPatch::constraintType(type);

        if
        (
            (needsPartner && !patch.coupled())
         || (constraint && type != patch.type())
        )
        {
            FatalIOErrorInFunction(*condition)
                << "Field " << field.name() << ", patch " << patch.name() << nl
                << "    found    : type " << type << " on a patch of type "
                << patch.type() << " in polyMesh/boundary" << nl
                << "    possible : another type in " << field.name()
                << ", or in polyMesh/boundary "
                << (needsPartner ? word("cyclic") : type)
                << exit(FatalIOError);
        }
    }
}


template<class Type>
void Foam::caseChecks::checkBoundaryValues
(
    const GeometricField<Type, fvPatchField, volMesh>& field
)
{
    for (const fvPatchField<Type>& patch : field.boundaryField())
    {
        const label facei = firstBad(patch);

        if (facei != -1)
        {
            FatalErrorInFunction
                << "Field " << field.name() << ", patch "
                << patch.patch().name() << ", face " << facei << ", type "
                << patch.type() << " at time " << field.time().timeName()
                << " s" << nl
                << "    found    : " << patch[facei] << nl
                << "    possible : numbers below " << largestValue
                << exit(FatalError);
        }
    }
}


void Foam::caseChecks::checkPatchSizes(const volVectorField& U)
{
    for (const fvPatchVectorField& patch : U.boundaryField())
    {
        // Patches between processes have other types, and are not everywhere
        if
        (
            patch.type().find("lowRate") != std::string::npos
         && returnReduce(patch.size(), sumOp<label>()) == 0
        )
        {
            const word& name = patch.patch().name();
            const localIOdictionary file(fileOf(U));

            FatalIOErrorInFunction
            (
                file.subDict("boundaryField").optionalSubDict(name)
            )   << "Patch " << name << nl
                << "    found    : type " << patch.type()
                << " on a patch without faces" << nl
                << "    possible : a flow rate on patches that have faces;"
                << " fixedValue, noSlip"
                << exit(FatalIOError);
        }
    }
}


void Foam::caseChecks::checkFluxes
(
    const volVectorField& U,
    const volScalarField& p
)
{
    UPtrList<const fvPatchVectorField> conditions(U.boundaryField().size());

    forAll(conditions, patchi)
    {
        conditions.set(patchi, &U.boundaryField()[patchi]);
    }

    checkNet(U, p, conditions);
}


void Foam::caseChecks::checkThroughFlow
(
    const volVectorField& U,
    const volScalarField& p
)
{
    // Copies of the conditions, with the clock set to the end of the first step

    auto& runTime = const_cast<Time&>(U.time());

    const scalar now = runTime.value();
    const label index = runTime.timeIndex();

    PtrList<fvPatchVectorField> copies(U.boundaryField().size());
    UPtrList<const fvPatchVectorField> conditions(copies.size());

    const bool throwing = FatalError.throwExceptions();
    const bool throwingIO = FatalIOError.throwExceptions();

    bool evaluated = true;

    try
    {
        runTime.setTime(now + runTime.deltaTValue(), index + 1);

        forAll(copies, patchi)
        {
            const fvPatchVectorField& Up = U.boundaryField()[patchi];

            copies.set(patchi, Up.clone().ptr());
            conditions.set(patchi, &copies[patchi]);

            if (Up.fixesValue() && !Up.coupled())
            {
                copies[patchi].evaluate();
            }
        }
    }
    catch (const Foam::error&)
    {
        // It may need what the step brings
        evaluated = false;
    }

    runTime.setTime(now, index);

    FatalError.throwExceptions(throwing);
    FatalIOError.throwExceptions(throwingIO);

    if (returnReduce(evaluated, andOp<bool>()))
    {
        checkNet(U, p, conditions);
    }
}


void Foam::caseChecks::checkDeltaT(const Time& runTime)
{
    const scalar deltaT = runTime.deltaTValue();

    if (!(deltaT > 0 && deltaT < largestValue))
    {
        FatalIOErrorInFunction(runTime.controlDict())
            << "Found deltaT " << deltaT << " s, possible: above 0 and below "
            << largestValue
            << exit(FatalIOError);
    }

    // What is left of a run may be less than a step, and is not made then

    const scalar start = runTime.startTime().value();
    const scalar end = runTime.endTime().value();

    if (end > start && deltaT > (1 + 1e-6)*max(end, end - start))
    {
        FatalIOErrorInFunction(runTime.controlDict())
            << "Found deltaT " << deltaT << " s, beyond endTime " << end
            << " s, possible: at most " << end - start << " s, from startTime "
            << start << " s to endTime"
            << exit(FatalIOError);
    }
}


template void
Foam::caseChecks::checkBoundaryValues(const Foam::volScalarField&);
template void
Foam::caseChecks::checkBoundaryValues(const Foam::volVectorField&);
template void Foam::caseChecks::checkValues(const Foam::volScalarField&);
template void Foam::caseChecks::checkValues(const Foam::volVectorField&);


// ************************************************************************* //
