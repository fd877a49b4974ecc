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
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLPImageDataWriter.h>
#include <vtkXMLUtilities.h>

#include "latticeOutput.H"
#include "engineCall.H"
#include "latticeFlow.H"
#include "OSspecific.H"
#include "addToRunTimeSelectionTable.H"

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

//- From box indices to the points of an image in the axes of space
class imagePoints
{
    const std::array<std::int64_t, 3> size_;

    //- Points of the image from a node to the next one, along lattice axes
    std::array<std::int64_t, 3> stride_;

public:

    explicit imagePoints(const latticeMapping& mapping)
    :
        size_(mapping.description().size)
    {
        const FixedList<direction, 3>& axes = mapping.axes();
        std::int64_t stride = 1;

        for (direction d = 0; d < 3; ++d)
        {
            const label a = axes.find(d);

            stride_[a] = stride;
            stride *= size_[a];
        }
    }

    std::int64_t operator()(const std::int64_t boxi) const
    {
        return
            stride_[0]*(boxi % size_[0])
          + stride_[1]*((boxi/size_[0]) % size_[1])
          + stride_[2]*(boxi/(size_[0]*size_[1]));
    }
};


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

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeOutput::addFlow
(
    const latticeFlow& flow,
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
    const std::vector<std::uint8_t>& fluid = mapping.description().fluid;
    const imagePoints points(mapping);

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
            do ++boxi; while (!fluid[boxi]);

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
    vtkImageData& image
) const
{
    const latticeMapping& mapping = flow.mapping();
    const std::vector<std::uint8_t>& fluid = mapping.description().fluid;
    const imagePoints points(mapping);

    if (std::int64_t(fluid.size()) > mapping.nFluid())
    {
        vtkUnsignedCharArray* hidden = image.AllocatePointGhostArray();

        for (std::int64_t boxi = 0; boxi < std::int64_t(fluid.size()); ++boxi)
        {
            if (!fluid[boxi])
            {
                hidden->SetValue
                (
                    points(boxi),
                    vtkDataSetAttributes::HIDDENPOINT
                );
            }
        }
    }

    if (fields_.found("flags"))
    {
        vtkUnsignedCharArray* flags = addField<vtkUnsignedCharArray>
        (
            image, "flags", 1, latticeShell::SOLID
        );

        for (std::int64_t boxi = 0; boxi < std::int64_t(fluid.size()); ++boxi)
        {
            if (fluid[boxi])
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


void Foam::functionObjects::latticeOutput::addToSeries
(
    const fileName& file
) const
{
    const fileName series(directory()/(name() + ".pvd"));

    vtkNew<vtkXMLDataElement> times;
    times->SetName("Collection");

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

    vtkNew<vtkXMLDataElement> entry;
    entry->SetName("DataSet");
    entry->SetDoubleAttribute("timestep", time_.value());
    entry->SetAttribute("file", file.c_str());
    times->AddNestedElement(entry);

    vtkNew<vtkXMLDataElement> root;
    root->SetName("VTKFile");
    root->SetAttribute("type", "Collection");
    root->SetAttribute("version", "0.1");
    root->AddNestedElement(times);

    // Never a file that is half written
    const fileName part(series + ".part");

    root->PrintXML(part.c_str());
    mv(part, series);
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
    refuseParallel(dict);
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
    const std::array<std::int64_t, 3>& size = mapping.description().size;
    const point origin(mapping.boxCentre(0));

    vtkNew<vtkImageData> image;
    int n[3];
    double spacing[3];

    for (label a = 0; a < 3; ++a)
    {
        const direction d = mapping.axes()[a];

        n[d] = int(size[a]);
        spacing[d] = a == 2 ? mapping.thickness() : mapping.dx();
    }

    image->SetDimensions(n);
    image->SetSpacing(spacing);
    image->SetOrigin(origin.x(), origin.y(), origin.z());

    vtkNew<vtkDoubleArray> timeValue;
    timeValue->SetName("TimeValue");
    timeValue->InsertNextValue(time_.value());
    image->GetFieldData()->AddArray(timeValue);

    addNodes(*flow, *image);
    addFlow(*flow, *image);

    const fileName file(time_.timeName()/word("lattice.pvti"));

    mkDir((directory()/file).path());

    vtkNew<vtkXMLPImageDataWriter> writer;
    writer->SetInputData(image);
    writer->SetFileName((directory()/file).c_str());
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetCompressorTypeToZLib();
    writer->SetHeaderTypeToUInt64();

    if (!writer->Write())
    {
        FatalErrorInFunction
            << type() << ' ' << name() << ": could not write "
            << directory()/file << exit(FatalError);
    }

    addToSeries(file);

    Log << type() << ' ' << name() << " write:" << nl
        << "    " << n[0] << " x " << n[1] << " x " << n[2] << " points to "
        << file << nl << endl;

    return true;
}


// ************************************************************************* //
