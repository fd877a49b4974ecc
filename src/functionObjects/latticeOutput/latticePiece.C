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

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include "latticePiece.H"
#include "allProcesses.H"
#include "latticeMapping.H"
#include "PstreamBuffers.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- The arrays with values of the points of an image
std::vector<vtkDataArray*> valuesOf(vtkImageData& image)
{
    std::vector<vtkDataArray*> arrays;

    for (int i = 0; i < image.GetPointData()->GetNumberOfArrays(); ++i)
    {
        vtkDataArray* array = image.GetPointData()->GetArray(i);

        if (array != image.GetPointGhostArray())
        {
            arrays.push_back(array);
        }
    }

    return arrays;
}


//- The bytes of a point's values in an array, and their number
char* bytesOf(vtkDataArray& array, const std::int64_t pointi, label& n)
{
    n = array.GetNumberOfComponents()*array.GetDataTypeSize();

    return static_cast<char*>(array.GetVoidPointer(0)) + pointi*n;
}


//- Does a box hold a place
template<class Box, class Place>
bool holds(const Box& b, const Place& x)
{
    for (int a = 0; a < 3; ++a)
    {
        if (x[a] < b[a] || x[a] >= b[3 + a])
        {
            return false;
        }
    }

    return true;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::latticePiece::box Foam::latticePiece::ownBox() const
{
    const lbm::latticeDescription& d = mapping_.description();
    const place& whole = d.wholeSize;

    if (!Pstream::parRun())
    {
        return {0, 0, 0, whole[0], whole[1], whole[2]};
    }

    if (mapping_.nFluid() == 0)
    {
        return {0, 0, 0, 0, 0, 0};
    }

    box result({whole[0], whole[1], whole[2], 0, 0, 0});

    const std::int64_t nBox = d.fluid.size();

    for (std::int64_t boxi = 0; boxi < nBox; ++boxi)
    {
        if (d.isFluid(boxi))
        {
            const place x(placeOf(boxi, d.size, d.origin));

            for (int a = 0; a < 3; ++a)
            {
                result[a] = min(result[a], x[a]);
                result[3 + a] = max(result[3 + a], x[a] + 1);
            }
        }
    }

    return result;
}


Foam::latticePiece::box Foam::latticePiece::allBoxes() const
{
    const place& whole = mapping_.description().wholeSize;

    box result({whole[0], whole[1], whole[2], 0, 0, 0});

    forAll(boxes_, proci)
    {
        for (int a = 0; writes(proci) && a < 3; ++a)
        {
            result[a] = min(result[a], boxes_[proci][a]);
            result[3 + a] = max(result[3 + a], boxes_[proci][3 + a]);
        }
    }

    return result;
}


bool Foam::latticePiece::fillBounds() const
{
    const place& whole = mapping_.description().wholeSize;
    const box& all = bounds_;

    std::int64_t left = (all[3] - all[0])*(all[4] - all[1])*(all[5] - all[2]);

    forAll(boxes_, proci)
    {
        const box& b = boxes_[proci];

        left -= (b[3] - b[0])*(b[4] - b[1])*(b[5] - b[2]);

        if (!writes(proci))
        {
            continue;
        }

        for (int a = 0; a < 3; ++a)
        {
            // A plane without cells
            if (whole[a] > 1 && b[a] == whole[a] - 1)
            {
                return false;
            }
        }

        for (label procj = 0; procj < proci; ++procj)
        {
            const box& c = boxes_[procj];
            bool overlap = writes(procj);

            for (int a = 0; a < 3; ++a)
            {
                overlap = overlap && b[a] < c[3 + a] && c[a] < b[3 + a];
            }

            if (overlap)
            {
                return false;
            }
        }
    }

    return left == 0;
}


Foam::latticePiece::box Foam::latticePiece::imageOf(const box& b) const
{
    const place& whole = mapping_.description().wholeSize;

    box result(b);

    for (int a = 0; a < 3; ++a)
    {
        if (tiled_ && b[a] == bounds_[a])
        {
            result[a] = 0;
        }

        result[3 + a] =
            tiled_ && b[3 + a] == bounds_[3 + a]
          ? whole[a]
          : min(b[3 + a] + 1, whole[a]);
    }

    return result;
}


Foam::FixedList<int, 6> Foam::latticePiece::extent(const box& b) const
{
    FixedList<int, 6> result;

    for (int a = 0; a < 3; ++a)
    {
        const direction d = mapping_.axes()[a];

        result[2*d] = b[a];
        result[2*d + 1] = b[3 + a] - 1;
    }

    return result;
}


std::int64_t Foam::latticePiece::pointAt(const place& x) const
{
    return
        stride_[0]*(x[0] - image_[0])
      + stride_[1]*(x[1] - image_[1])
      + stride_[2]*(x[2] - image_[2]);
}


Foam::latticePiece::place Foam::latticePiece::placeOf
(
    std::int64_t index,
    const place& size,
    const place& begin
)
{
    const std::int64_t row = index/size[0];

    return
    {
        begin[0] + index % size[0],
        begin[1] + row % size[1],
        begin[2] + row/size[1]
    };
}


std::int64_t Foam::latticePiece::ownNode(const place& x) const
{
    const lbm::latticeDescription& d = mapping_.description();
    place i;

    for (int a = 0; a < 3; ++a)
    {
        i[a] = x[a] - d.origin[a];

        if (i[a] < 0 || i[a] >= d.size[a])
        {
            return -1;
        }
    }

    const std::int64_t boxi = d.boxIndex(i[0], i[1], i[2]);

    return d.isFluid(boxi) ? boxi : -1;
}


bool Foam::latticePiece::isCorner(const place& x) const
{
    for (int bits = 0; bits < 8; ++bits)
    {
        if
        (
            ownNode
            ({
                x[0] - (bits & 1), x[1] - ((bits >> 1) & 1), x[2] - (bits >> 2)
            }) != -1
        )
        {
            return true;
        }
    }

    return false;
}


template<class Function>
void Foam::latticePiece::forPlaces(const Function& f) const
{
    place x;

    for (x[2] = image_[2]; x[2] < image_[5]; ++x[2])
    {
        for (x[1] = image_[1]; x[1] < image_[4]; ++x[1])
        {
            for (x[0] = image_[0]; x[0] < image_[3]; ++x[0])
            {
                f(x);
            }
        }
    }
}


void Foam::latticePiece::hideCells(vtkImageData& image) const
{
    vtkUnsignedCharArray* ghosts = image.AllocateCellGhostArray();

    const place& whole = mapping_.description().wholeSize;
    const FixedList<direction, 3>& axes = mapping_.axes();

    int n[3];
    image.GetDimensions(n);

    place stride;

    for (int a = 0; a < 3; ++a)
    {
        const direction d = axes[a];

        stride[a] =
            d == 0 ? 1
          : d == 1 ? max(n[0] - 1, 1)
          : std::int64_t(max(n[0] - 1, 1))*max(n[1] - 1, 1);
    }

    forPlaces([&](const place& x)
    {
        std::int64_t celli = 0;
        bool own = ownNode(x) != -1;

        for (int a = 0; a < 3; ++a)
        {
            // The last place of the image has no cell beside it
            if (x[a] + 1 == image_[3 + a] && image_[3 + a] - image_[a] > 1)
            {
                return;
            }

            own = own && (whole[a] == 1 || x[a] + 1 < whole[a]);
            celli += stride[a]*(x[a] - image_[a]);
        }

        if (!own)
        {
            ghosts->SetValue(celli, vtkDataSetAttributes::HIDDENCELL);
        }
    });
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticePiece::latticePiece(const latticeMapping& mapping)
:
    mapping_(mapping),
    boxes_(allProcesses(ownBox())),
    bounds_(allBoxes()),
    tiled_(fillBounds()),
    image_(imageOf(boxes_[Pstream::myProcNo()]))
{
    std::int64_t stride = 1;

    for (direction d = 0; d < 3; ++d)
    {
        const label a = mapping.axes().find(d);

        stride_[a] = stride;
        stride *= image_[3 + a] - image_[a];
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::FixedList<int, 6> Foam::latticePiece::wholeExtent() const
{
    const place& whole = mapping_.description().wholeSize;

    box b;

    for (int a = 0; a < 3; ++a)
    {
        b[a] = 0;
        b[3 + a] = whole[a];
    }

    return extent(b);
}


std::int64_t Foam::latticePiece::operator()(const std::int64_t boxi) const
{
    const lbm::latticeDescription& d = mapping_.description();

    return pointAt(placeOf(boxi, d.size, d.origin));
}


void Foam::latticePiece::hideOthers(vtkImageData& image) const
{
    const place& whole = mapping_.description().wholeSize;

    if (tiled_ && mapping_.nFluidWhole() == whole[0]*whole[1]*whole[2])
    {
        return;
    }

    vtkUnsignedCharArray* ghosts = image.AllocatePointGhostArray();

    forPlaces([&](const place& x)
    {
        if (ownNode(x) == -1)
        {
            ghosts->SetValue(pointAt(x), vtkDataSetAttributes::HIDDENPOINT);
        }
    });

    if (!tiled_)
    {
        hideCells(image);
    }
}


void Foam::latticePiece::addOthers(vtkImageData& image) const
{
    if (!Pstream::parRun())
    {
        return;
    }

    const label me = Pstream::myProcNo();
    const place& whole = mapping_.description().wholeSize;
    const std::vector<vtkDataArray*> arrays(valuesOf(image));

    // Ask all that may have them

    List<DynamicList<std::int64_t>> asked(Pstream::nProcs());

    forPlaces([&](const place& x)
    {
        const bool wanted =
            tiled_
          ? !holds(boxes_[me], x)
          : ownNode(x) == -1 && isCorner(x);

        for (label proci = 0; wanted && proci < asked.size(); ++proci)
        {
            if (proci != me && holds(boxes_[proci], x))
            {
                asked[proci].append(x[0] + whole[0]*(x[1] + whole[1]*x[2]));
            }
        }
    });

    PstreamBuffers questions(Pstream::commsTypes::nonBlocking);
    PstreamBuffers answers(Pstream::commsTypes::nonBlocking);

    forAll(asked, proci)
    {
        if (asked[proci].size())
        {
            UOPstream to(proci, questions);
            to << asked[proci];
        }
    }

    labelList sizes;
    questions.finishedSends(sizes);

    label n = 0;
    label nBytes = 0;

    for (vtkDataArray* array : arrays)
    {
        bytesOf(*array, 0, n);
        nBytes += n;
    }

    forAll(sizes, proci)
    {
        if (!sizes[proci])
        {
            continue;
        }

        UIPstream from(proci, questions);
        const List<std::int64_t> places(from);

        // Which of them are nodes of this process, and their values
        DynamicList<label> found;
        DynamicList<char> values;

        forAll(places, i)
        {
            const std::int64_t boxi =
                ownNode(placeOf(places[i], whole, {0, 0, 0}));

            if (boxi == -1)
            {
                continue;
            }

            const std::int64_t pointi = operator()(boxi);

            label at = values.size();
            found.append(i);
            values.setSize(at + nBytes);

            for (vtkDataArray* array : arrays)
            {
                const char* bytes = bytesOf(*array, pointi, n);

                std::copy_n(bytes, n, values.begin() + at);
                at += n;
            }
        }

        UOPstream to(proci, answers);
        to << found << values;
    }

    answers.finishedSends(sizes);

    vtkUnsignedCharArray* ghosts = image.GetPointGhostArray();

    forAll(sizes, proci)
    {
        if (!sizes[proci])
        {
            continue;
        }

        UIPstream from(proci, answers);
        const labelList found(from);
        const List<char> values(from);

        auto at = values.begin();

        for (const label i : found)
        {
            const std::int64_t pointi =
                pointAt(placeOf(asked[proci][i], whole, {0, 0, 0}));

            for (vtkDataArray* array : arrays)
            {
                char* bytes = bytesOf(*array, pointi, n);

                std::copy_n(at, n, bytes);
                at += n;
            }

            if (ghosts)
            {
                ghosts->SetValue
                (
                    pointi,
                    tiled_ ? 0 : vtkDataSetAttributes::DUPLICATEPOINT
                );
            }
        }
    }
}


// ************************************************************************* //
