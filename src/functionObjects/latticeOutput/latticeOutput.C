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

#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPImageDataWriter.h>
#include <vtkXMLUtilities.h>

#include "latticeOutput.H"
#include "allProcesses.H"
#include "engineCall.H"
#include "latticeFlow.H"
#include "latticePiece.H"
#include "OSspecific.H"
#include "addToRunTimeSelectionTable.H"

#include <fstream>
#include <limits>
#include <map>
#include <sstream>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeOutput, 0);
    addToRunTimeSelectionTable(functionObject, latticeOutput, dictionary);
}
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- A field on the points of an image, filled with a value
template<class Array, class Type>
Array* addField
(
    vtkImageData& image,
    const char* name,
    const int nComponents,
    const Type value
)
{
    vtkNew<Array> array;

    array->SetName(name);
    array->SetNumberOfComponents(nComponents);
    array->SetNumberOfTuples(image.GetNumberOfPoints());
    array->FillValue(value);
    image.GetPointData()->AddArray(array);

    return array;
}


//- Write a file, with a writer of VTK
template<class Writer>
bool writeImage(vtkImageData& image, const fileName& file)
{
    vtkNew<Writer> writer;
    writer->SetInputData(&image);
    writer->SetFileName(file.c_str());
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetCompressorTypeToZLib();
    writer->SetHeaderTypeToUInt64();

    // Write() alone is true for some of the errors
    return writer->Write() && writer->GetErrorCode() == vtkErrorCode::NoError;
}


//- Where a file is written: in its place it is never half of one
fileName partOf(const fileName& file)
{
    return file + ".part";
}


//- Write an XML file; false if that fails
bool writeElement(vtkXMLDataElement& element, const fileName& file)
{
    std::ofstream os(file);
    element.PrintXML(os, vtkIndent());
    os.close();

    return os.good();
}


//- File of a piece
word pieceName(const label proci)
{
    return "lattice_" + Foam::name(proci) + ".vti";
}


//- An element of VTK's XML files
vtkSmartPointer<vtkXMLDataElement> newElement
(
    const char* name,
    vtkXMLDataElement* parent = nullptr
)
{
    auto element = vtkSmartPointer<vtkXMLDataElement>::New();

    element->SetName(name);

    if (parent)
    {
        parent->AddNestedElement(element);
    }

    return element;
}


//- The outermost element of a file
vtkSmartPointer<vtkXMLDataElement> newFile
(
    const char* type,
    const char* version
)
{
    auto element = newElement("VTKFile");

    element->SetAttribute("type", type);
    element->SetAttribute("version", version);

    return element;
}


//- Numbers as text that is read back as the same ones
template<class Numbers>
std::string textOf(const Numbers& numbers)
{
    std::ostringstream os;
    os.precision(std::numeric_limits<double>::max_digits10);

    const char* separator = "";

    for (const auto& number : numbers)
    {
        os  << separator << number;
        separator = " ";
    }

    return os.str();
}


//- Name the arrays of an image
void addArrays(vtkDataSetAttributes& data, vtkXMLDataElement& parent)
{
    if (data.GetScalars())
    {
        parent.SetAttribute("Scalars", data.GetScalars()->GetName());
    }
    if (data.GetVectors())
    {
        parent.SetAttribute("Vectors", data.GetVectors()->GetName());
    }

    for (int i = 0; i < data.GetNumberOfArrays(); ++i)
    {
        vtkDataArray* array = data.GetArray(i);
        const auto element = newElement("PDataArray", &parent);

        element->SetAttribute
        (
            "type",
            array->GetDataType() == VTK_FLOAT ? "Float32"
          : array->GetDataType() == VTK_INT ? "Int32"
          : "UInt8"
        );
        element->SetAttribute("Name", array->GetName());

        if (array->GetNumberOfComponents() > 1)
        {
            element->SetIntAttribute
            (
                "NumberOfComponents",
                array->GetNumberOfComponents()
            );
        }
    }
}


//- The file of one image that is in pieces
vtkSmartPointer<vtkXMLDataElement> imageOfPieces
(
    const latticePiece& piece,
    vtkImageData& image,
    const scalar time
)
{
    const auto root = newFile("PImageData", "1.0");
    const auto whole = newElement("PImageData", root);

    const auto set = [](vtkXMLDataElement& e, const char* name, const auto& n)
    {
        e.SetAttribute(name, textOf(n).c_str());
    };

    set(*whole, "WholeExtent", piece.wholeExtent());
    whole->SetIntAttribute("GhostLevel", 0);

    std::array<double, 3> triple;
    image.GetOrigin(triple.data());
    set(*whole, "Origin", triple);
    image.GetSpacing(triple.data());
    set(*whole, "Spacing", triple);

    const auto fields = newElement("FieldData", whole);
    const auto timeValue = newElement("DataArray", fields);
    timeValue->SetAttribute("type", "Float64");
    timeValue->SetAttribute("Name", "TimeValue");
    timeValue->SetAttribute("NumberOfTuples", "1");
    timeValue->SetAttribute("format", "ascii");

    const std::string text(textOf(std::array<double, 1>{time}));
    timeValue->SetCharacterData(text.c_str(), text.size());

    addArrays(*image.GetPointData(), *newElement("PPointData", whole));

    for (label proci = 0; proci < Pstream::nProcs(); ++proci)
    {
        if (piece.writes(proci))
        {
            const auto part = newElement("Piece", whole);
            set(*part, "Extent", piece.extent(proci));
            part->SetAttribute("Source", pieceName(proci).c_str());
        }
    }

    return root;
}


//- The file of images that may overlap: pieces of one block
vtkSmartPointer<vtkXMLDataElement> blockOf(const wordList& pieces)
{
    const auto root = newFile("vtkMultiBlockDataSet", "1.0");
    const auto blocks = newElement("vtkMultiBlockDataSet", root);
    const auto block = newElement("Piece", blocks);
    block->SetAttribute("index", "0");
    block->SetAttribute("name", "lattice");

    forAll(pieces, i)
    {
        const auto part = newElement("DataSet", block);
        part->SetIntAttribute("index", i);
        part->SetAttribute("file", pieces[i].c_str());
    }

    return root;
}


//- Names of the pieces
wordList piecesOf(const latticePiece& piece)
{
    DynamicList<word> names;

    for (label proci = 0; proci < Pstream::nProcs(); ++proci)
    {
        if (piece.writes(proci))
        {
            names.append(pieceName(proci));
        }
    }

    return wordList(std::move(names));
}


//- Names of those that a folder has, by their numbers
wordList piecesIn(const fileName& folder)
{
    static const std::string prefix("lattice_");
    static const regExp named(prefix + "[0-9]+\\.vti");

    std::map<label, word> found;

    for (const fileName& file : readDir(folder, fileName::FILE))
    {
        if (named.match(file))
        {
            found[std::stoi(file.substr(prefix.size()))] = file;
        }
    }

    DynamicList<word> names;
    for (const auto& entry : found)
    {
        names.append(entry.second);
    }

    return wordList(std::move(names));
}


//- ParaView wants all times of a list to be of one type: if some are blocks of
//  pieces, write such a file for the others, too. False if that fails
bool alike(vtkXMLDataElement& times, const fileName& folder)
{
    bool blocks = false;

    const auto fileOf = [&](const int i)
    {
        const char* file = times.GetNestedElement(i)->GetAttribute("file");

        return fileName(file ? file : "");
    };

    for (int i = 0; i < times.GetNumberOfNestedElements(); ++i)
    {
        blocks = blocks || fileOf(i).ext() == "vtm";
    }

    for (int i = 0; blocks && i < times.GetNumberOfNestedElements(); ++i)
    {
        if (fileOf(i).ext() != "pvti" || !isFile(folder/fileOf(i)))
        {
            continue;
        }

        const fileName file(fileOf(i).lessExt() + ".vtm");
        const fileName path(folder/file);

        if
        (
            !writeElement(*blockOf(piecesIn(path.path())), partOf(path))
         || !mv(partOf(path), path)
        )
        {
            return false;
        }

        times.GetNestedElement(i)->SetAttribute("file", file.c_str());
    }

    return true;
}


//- Remove what an earlier run has written of a time, but for pieces that are
//  written anew
void removeOthers(const fileName& folder, const wordHashSet& kept)
{
    static const regExp named("lattice(_[0-9]+\\.vti|\\.pvti|\\.vtm)");

    for (const fileName& file : readDir(folder, fileName::FILE))
    {
        if (named.match(file) && !kept.found(file))
        {
            rm(folder/file);
        }
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeOutput::addFlow
(
    const latticeFlow& flow,
    const latticePiece& points,
    vtkImageData& image
) const
{
    vtkFloatArray* U = nullptr;
    vtkFloatArray* p = nullptr;

    if (fields_.found("U"))
    {
        U = addField<vtkFloatArray>(image, "U", 3, 0.0f);
        image.GetPointData()->SetActiveVectors("U");
    }
    if (fields_.found("p"))
    {
        p = addField<vtkFloatArray>(image, "p", 1, 0.0f);
        image.GetPointData()->SetActiveScalars("p");
    }
    if (!U && !p)
    {
        return;
    }

    const latticeMapping& mapping = flow.mapping();
    const latticeUnits& units = flow.units();
    const lbm::latticeDescription& description = mapping.description();

    const scalar pRef = p ? pReference(flow) : 0;
    std::int64_t boxi = -1;

    const auto set =
    [&]
    (
        const std::int64_t,
        const std::int64_t count,
        const double* rho,
        const double* u
    )
    {
        for (std::int64_t i = 0; i < count; ++i)
        {
            do ++boxi; while (!description.isFluid(boxi));

            const std::int64_t pointi = points(boxi);

            if (U)
            {
                const vector v(u[3*i], u[3*i + 1], u[3*i + 2]);
                const vector Ui(mapping.toPhysical(units.velocityToSI(v)));

                U->SetTypedComponent(pointi, 0, Ui.x());
                U->SetTypedComponent(pointi, 1, Ui.y());
                U->SetTypedComponent(pointi, 2, Ui.z());
            }
            if (p)
            {
                p->SetValue(pointi, units.pressureToSI(rho[i]) + pRef);
            }
        }
    };

    engineCall
    (
        [&]{ flow.engine().macroscopic(0, mapping.nFluid(), set); }
    );
}


void Foam::functionObjects::latticeOutput::addNodes
(
    const latticeFlow& flow,
    const latticePiece& points,
    vtkImageData& image
) const
{
    const latticeMapping& mapping = flow.mapping();
    const lbm::latticeDescription& description = mapping.description();

    points.hideOthers(image);

    if (fields_.found("flags"))
    {
        vtkUnsignedCharArray* flags = addField<vtkUnsignedCharArray>
        (
            image, "flags", 1, latticeShell::SOLID
        );

        const std::int64_t nBox = description.fluid.size();

        for (std::int64_t boxi = 0; boxi < nBox; ++boxi)
        {
            if (description.isFluid(boxi))
            {
                flags->SetValue(points(boxi), latticeShell::INTERIOR);
            }
        }
        for (const latticeShell::node& node : mapping.shell().nodes())
        {
            flags->SetValue(points(node.index), node.kind);
        }
    }

    if (fields_.found("wallDistance"))
    {
        vtkFloatArray* distance =
            addField<vtkFloatArray>(image, "wallDistance", 1, -1.0f);

        for (const latticeShell::node& node : mapping.shell().nodes())
        {
            if (node.distance >= 0)
            {
                distance->SetValue
                (
                    points(node.index),
                    mapping.dx()*node.distance
                );
            }
        }
    }

    if (fields_.found("patch"))
    {
        vtkIntArray* patch = addField<vtkIntArray>(image, "patch", 1, -1);

        for (const latticeShell::node& node : mapping.shell().nodes())
        {
            patch->SetValue(points(node.index), node.patch);
        }
    }
}


Foam::fileName Foam::functionObjects::latticeOutput::directory() const
{
    return time_.globalPath()/functionObject::outputPrefix/name();
}


Foam::fileName Foam::functionObjects::latticeOutput::seriesFile() const
{
    return directory()/(name() + ".pvd");
}


void Foam::functionObjects::latticeOutput::checkAll
(
    const fileName& failed
) const
{
    const stringList all(allProcesses(string(failed)));
    const label proci = firstMessage(all);

    if (proci != -1)
    {
        FatalErrorInFunction
            << type() << ' ' << name() << ": could not write "
            << all[proci] << exit(FatalError);
    }
}


void Foam::functionObjects::latticeOutput::writePieces
(
    const latticePiece& piece,
    vtkImageData& image,
    const fileName& file
) const
{
    const label me = Pstream::myProcNo();
    const fileName own(file.path()/pieceName(me));

    fileName failed;

    if
    (
        piece.writes(me)
     && !writeImage<vtkXMLImageDataWriter>(image, partOf(own))
    )
    {
        failed = own;
    }
    else if (Pstream::master())
    {
        const auto root =
            piece.tiled()
          ? imageOfPieces(piece, image, time_.value())
          : blockOf(piecesOf(piece));

        failed = writeElement(*root, partOf(file)) ? fileName() : file;
    }

    // Until all have written, what was there stays
    if (returnReduce(!failed.empty(), orOp<bool>()))
    {
        rm(partOf(own));

        if (Pstream::master())
        {
            rm(partOf(file));
        }
    }
    checkAll(failed);

    // No file may name pieces of two runs, not even for a moment
    if (Pstream::master())
    {
        removeOthers(file.path(), wordHashSet(piecesOf(piece)));
    }
    checkAll(failed);

    if (piece.writes(me) && !mv(partOf(own), own))
    {
        failed = own;
    }
    checkAll(failed);

    if (Pstream::master() && !mv(partOf(file), file))
    {
        failed = file;
    }
    checkAll(failed);
}


bool Foam::functionObjects::latticeOutput::addToSeries
(
    const fileName& file
) const
{
    const fileName series(seriesFile());

    const auto times = newElement("Collection");

    // Of an earlier run, keep what lies before
    if (isFile(series))
    {
        const auto root = vtkSmartPointer<vtkXMLDataElement>::Take
        (
            vtkXMLUtilities::ReadElementFromFile(series.c_str())
        );
        vtkXMLDataElement* old =
            root ? root->FindNestedElementWithName("Collection") : nullptr;

        for (int i = 0; old && i < old->GetNumberOfNestedElements(); ++i)
        {
            vtkXMLDataElement* entry = old->GetNestedElement(i);
            double t = 0;

            if
            (
                entry->GetScalarAttribute("timestep", t)
             && t < time_.value() - 0.5*time_.deltaTValue()
            )
            {
                times->AddNestedElement(entry);
            }
        }
    }

    const auto entry = newElement("DataSet", times);
    entry->SetDoubleAttribute("timestep", time_.value());
    entry->SetAttribute("file", file.c_str());

    const auto root = newFile("Collection", "0.1");
    root->AddNestedElement(times);

    if
    (
        alike(*times, directory())
     && writeElement(*root, partOf(series))
     && mv(partOf(series), series)
    )
    {
        return true;
    }

    rm(partOf(series));

    return false;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeOutput::latticeOutput
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeFunctionObject(name, runTime, dict),
    fields_()
{
    read(dict);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeOutput::read(const dictionary& dict)
{
    static const wordList valid({"U", "p", "flags", "wallDistance", "patch"});

    latticeFunctionObject::read(dict);

    fields_ = dict.getOrDefault<wordList>("fields", wordList({"U", "p"}));

    for (const word& field : fields_)
    {
        if (!valid.found(field))
        {
            FatalIOErrorInFunction(dict)
                << "fields of " << type() << ' ' << name() << ": found "
                << field << nl
                << "    Possible are " << flatOutput(valid) << nl
                << exit(FatalIOError);
        }
    }

    return true;
}


bool Foam::functionObjects::latticeOutput::execute()
{
    return true;
}


bool Foam::functionObjects::latticeOutput::write()
{
    const latticeFlow* flow = findFlow
    (
        "foamToVTK writes the fields of the mesh"
    );

    if (!flow)
    {
        return true;
    }

    const latticeMapping& mapping = flow->mapping();
    const latticePiece piece(mapping);
    const point origin(mapping.centreAt({0, 0, 0}));

    double spacing[3];

    for (label a = 0; a < 3; ++a)
    {
        spacing[mapping.axes()[a]] =
            a == 2 ? mapping.thickness() : mapping.dx();
    }

    vtkNew<vtkImageData> image;
    image->SetExtent(piece.extent(Pstream::myProcNo()).data());
    image->SetSpacing(spacing);
    image->SetOrigin(origin.x(), origin.y(), origin.z());

    vtkNew<vtkDoubleArray> timeValue;
    timeValue->SetName("TimeValue");
    timeValue->InsertNextValue(time_.value());
    image->GetFieldData()->AddArray(timeValue);

    addNodes(*flow, piece, *image);
    addFlow(*flow, piece, *image);
    piece.addOthers(*image);

    const fileName file
    (
        time_.timeName()
       /word(piece.tiled() ? "lattice.pvti" : "lattice.vtm")
    );
    const fileName path(directory()/file);

    mkDir(path.path());

    if (Pstream::parRun())
    {
        writePieces(piece, *image, path);
    }
    else
    {
        removeOthers(path.path(), wordHashSet({pieceName(0)}));
        checkAll
        (
            writeImage<vtkXMLPImageDataWriter>(*image, path)
          ? fileName()
          : path
        );
    }

    checkAll
    (
        !Pstream::master() || addToSeries(file)
      ? fileName()
      : seriesFile()
    );

    const FixedList<int, 6> whole(piece.wholeExtent());

    Log << type() << ' ' << name() << " write:" << nl
        << "    " << whole[1] + 1 << " x " << whole[3] + 1 << " x "
        << whole[5] + 1 << " points to " << file << nl << endl;

    return true;
}


// ************************************************************************* //
