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

#include "conformingMesh.H"
#include "allProcesses.H"
#include "latticeMemory.H"
#include "wholeBoundary.H"
#include "emptyPolyPatch.H"
#include "Pair.H"
#include "StringStream.H"
#include "polyMesh.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Box around the points of a face
struct faceBox
{
    point min;
    point max;

    faceBox(const face& f, const pointField& points)
    :
        min(points[f[0]]),
        max(min)
    {
        for (label fp = 1; fp < f.size(); ++fp)
        {
            min = Foam::min(min, points[f[fp]]);
            max = Foam::max(max, points[f[fp]]);
        }
    }

    vector span() const
    {
        return max - min;
    }
};


//- Component in which a face is thinnest
static inline direction thinnest(const vector& span)
{
    direction a = 0;
    for (direction d = 1; d < 3; ++d)
    {
        if (span[d] < span[a])
        {
            a = d;
        }
    }
    return a;
}


static inline bool isEmpty(const polyPatch& pp)
{
    return isA<emptyPolyPatch>(pp);
}


static const char* const componentNames[] = {"x", "y", "z"};

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::conformingMesh::stop(const OStringStream& message)
{
    throw refusal{message.str()};
}


void Foam::conformingMesh::together(const std::function<void()>& part)
{
    string own;

    try
    {
        part();
    }
    catch (const refusal& r)
    {
        own = r.reason;
    }

    const stringList reasons(allProcesses(own));
    const label proci = firstMessage(reasons);

    if (proci != -1)
    {
        throw refusal{reasons[proci]};
    }
}


void Foam::conformingMesh::refuse(const label celli, const string& reason) const
{
    point low(point::uniform(GREAT));
    point high(point::uniform(-GREAT));
    label nCellFaces = 0;

    forAll(mesh_.faces(), facei)
    {
        if
        (
            mesh_.faceOwner()[facei] == celli
         || (
                mesh_.isInternalFace(facei)
             && mesh_.faceNeighbour()[facei] == celli
            )
        )
        {
            const faceBox box(mesh_.faces()[facei], mesh_.points());
            low = min(low, box.min);
            high = max(high, box.max);
            ++nCellFaces;
        }
    }

    OStringStream message;
    message
        << "Cell " << celli;

    if (Pstream::parRun())
    {
        message << " of processor" << Pstream::myProcNo();
    }

    message
        << " " << reason.c_str() << nl
        << "    centre   : " << 0.5*(low + high) << " m" << nl
        << "    sizes    : " << (high - low) << " m, " << nCellFaces
        << " faces" << nl
        << "    expected : " << expected_ << " m, 6 faces" << nl
        << "    A lattice needs a mesh of equal cubes along the axes, or of"
        << " equal squares," << nl
        << "    one cell thick, between empty patches" << nl;
    stop(message);
}


Foam::direction Foam::conformingMesh::faceNormal
(
    const vector& span,
    const bool empty
) const
{
    if (!twoD_)
    {
        return thinnest(span);
    }

    // However thin the mesh is
    return
        empty ? axes_[2]
      : span[axes_[0]] < span[axes_[1]] ? axes_[0]
      : axes_[1];
}


void Foam::conformingMesh::setAxes()
{
    label emptyAxis = -1;
    label nEmptyFaces = 0;

    // The first one of all processes
    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (isEmpty(pp) && pp.size() && emptyAxis == -1)
        {
            emptyAxis =
                thinnest(faceBox(pp[0], mesh_.points()).span());
        }
    }
    reduce(emptyAxis, maxOp<label>());

    const auto checkEmpty = [&]()
    {
        for (const polyPatch& pp : mesh_.boundaryMesh())
        {
            if (!isEmpty(pp))
            {
                continue;
            }

            for (const face& f : pp)
            {
                const label axis =
                    thinnest(faceBox(f, mesh_.points()).span());

                if (axis != emptyAxis)
                {
                    OStringStream message;
                    message
                        << "Empty patch " << pp.name()
                        << " has a face normal to " << componentNames[axis]
                        << " while other empty faces are normal to "
                        << componentNames[emptyAxis] << nl
                        << "    Possible are three dimensions without empty"
                        << " patches, and two with empty patches normal to one"
                        << " axis;" << nl
                        << "    instead of a second empty direction, use a"
                        << " cyclic pair" << nl;
                    stop(message);
                }

                ++nEmptyFaces;
            }
        }

        if (emptyAxis == -1)
        {
            return;
        }

        for (const polyPatch& pp : mesh_.boundaryMesh())
        {
            for (const face& f : pp)
            {
                if
                (
                    !isEmpty(pp)
                 && thinnest(faceBox(f, mesh_.points()).span()) == emptyAxis
                )
                {
                    OStringStream message;
                    message
                        << "Patch " << pp.name() << " of type " << pp.type()
                        << " has a face normal to "
                        << componentNames[emptyAxis]
                        << ", the empty direction, at "
                        << f.centre(mesh_.points()) << " m" << nl
                        << "    All faces in that direction must be on empty"
                        << " patches" << nl;
                    stop(message);
                }
            }
        }

        if (nEmptyFaces != 2*mesh_.nCells())
        {
            OStringStream message;
            message
                << "The empty patches have " << nEmptyFaces << " faces for "
                << mesh_.nCells() << " cells, expected: "
                << 2*mesh_.nCells() << nl
                << "    A mesh between empty patches must be one cell thick,"
                << " with two empty faces on each cell" << nl;
            stop(message);
        }
    };
    together(checkEmpty);

    twoD_ = emptyAxis != -1;

    for (direction d = 0; d < 3; ++d)
    {
        axes_[d] = twoD_ ? (emptyAxis + 1 + d) % 3 : d;
    }
}


void Foam::conformingMesh::setSpacing()
{
    const faceList& faces = mesh_.faces();
    const pointField& points = mesh_.points();
    const labelList& owner = mesh_.faceOwner();
    const labelList& neighbour = mesh_.faceNeighbour();

    // The first cell sets what the others are compared with
    point low(point::uniform(GREAT));
    point high(point::uniform(-GREAT));

    forAll(faces, facei)
    {
        if
        (
            owner[facei] == 0
         || (facei < neighbour.size() && neighbour[facei] == 0)
        )
        {
            const faceBox box(faces[facei], points);
            low = min(low, box.min);
            high = max(high, box.max);
        }
    }

    // That of the first process that has one
    const List<Pair<point>> firstCells(allProcesses(Pair<point>(low, high)));

    label first = 0;
    while (firstCells[first].second().x() < firstCells[first].first().x())
    {
        ++first;
    }
    const bool hasFirst = first == Pstream::myProcNo();

    const vector size0(firstCells[first].second() - firstCells[first].first());
    const scalar h0 = 0.5*(size0[axes_[0]] + size0[axes_[1]]);

    expected_ = vector::uniform(h0);
    if (twoD_)
    {
        expected_[axes_[2]] = size0[axes_[2]];
    }

    const vector magPoint
    (
        max(mag(mesh_.bounds().min().x()), mag(mesh_.bounds().max().x())),
        max(mag(mesh_.bounds().min().y()), mag(mesh_.bounds().max().y())),
        max(mag(mesh_.bounds().min().z()), mag(mesh_.bounds().max().z()))
    );

    // Six digits: a coordinate is off by up to 5e-6 of its value, a
    // difference of two by twice that
    const scalar rounding = 1e-5*cmptMax(magPoint);
    tolerance_ = max(scalar(0.01), min(scalar(0.05), 2*rounding/h0));

    const vector slack
    (
        tolerance_*h0,
        tolerance_*h0,
        tolerance_*h0
    );

    const auto fits = [&](const vector& span, const direction normal)
    {
        for (direction d = 0; d < 3; ++d)
        {
            if (mag(span[d] - (d == normal ? 0 : expected_[d])) > slack[d])
            {
                return false;
            }
        }
        return true;
    };

    together([&]()
    {
        if
        (
            hasFirst
         && (
                mag(size0[axes_[1]] - size0[axes_[0]]) > slack.x()
             || (!twoD_ && mag(size0[axes_[2]] - size0[axes_[0]]) > slack.x())
            )
        )
        {
            refuse
            (
                0,
                twoD_
              ? "is not a square along the axes"
              : "is not a cube along the axes"
            );
        }
    });

    label badCell = labelMax;
    vector sum(Zero);
    FixedList<label, 3> n(0);
    low = point::uniform(GREAT);
    high = point::uniform(-GREAT);

    const auto addFace = [&](const label facei, const bool empty)
    {
        const faceBox box(faces[facei], points);
        const vector span(box.span());
        const direction normal = faceNormal(span, empty);

        low = min(low, box.min);
        high = max(high, box.max);

        if (faces[facei].size() < 4 || !fits(span, normal))
        {
            badCell = min(badCell, owner[facei]);

            if (facei < neighbour.size())
            {
                badCell = min(badCell, neighbour[facei]);
            }
        }

        for (direction d = 0; d < 3; ++d)
        {
            if (d != normal)
            {
                sum[d] += span[d];
                ++n[d];
            }
        }
    };

    for (label facei = 0; facei < mesh_.nInternalFaces(); ++facei)
    {
        addFace(facei, false);
    }

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        forAll(pp, i)
        {
            addFace(pp.start() + i, isEmpty(pp));
        }
    }

    together([&]()
    {
        if (badCell == labelMax)
        {
            return;
        }

        if (badCell != 0 || !hasFirst)
        {
            refuse(badCell, "differs from cell 0 or is turned");
        }

        const scalar V = mesh_.cellVolumes()[0];
        const scalar h =
            twoD_ ? Foam::sqrt(V/size0[axes_[2]]) : Foam::cbrt(V);

        for (int a = 0; a < nDims(); ++a)
        {
            expected_[axes_[a]] = h;
        }

        refuse(0, "is turned against the axes, or no hexahedron");
    });

    reduce(low, minOp<point>());
    reduce(high, maxOp<point>());
    reduce(sum, sumOp<vector>());
    for (label& count : n)
    {
        reduce(count, sumOp<label>());
    }

    // The mean size is far more exact than that of one cell: the rounding of
    // inner points cancels
    vector size(expected_);
    size_ = place{1, 1, 1};
    thickness_ = high[axes_[2]] - low[axes_[2]];

    for (int a = 0; a < nDims(); ++a)
    {
        const direction d = axes_[a];
        const scalar length = high[d] - low[d];
        const scalar mean = sum[d]/n[d];

        size_[a] = std::max(std::llround(length/mean), 1LL);

        // No whole number of cells: some are off the grid, which setPlaces
        // will find
        size[d] =
            mag(length - size_[a]*mean) < 0.1*mean ? length/size_[a] : mean;
    }

    together([&]()
    {
        for (int a = 1; a < nDims(); ++a)
        {
            const direction d0 = axes_[0];
            const direction d = axes_[a];

            const scalar inexact =
                1e-4
              + rounding/(high[d0] - low[d0])
              + rounding/(high[d] - low[d]);

            if (hasFirst && mag(size[d]/size[d0] - 1) > inexact)
            {
                expected_ = size;
                expected_[d] = size[d0];
                refuse
                (
                    0,
                    string(twoD_ ? "is not a square" : "is not a cube")
                  + ": the mean size along " + componentNames[d] + " is "
                  + name(size[d]) + " m, along " + componentNames[d0] + " "
                  + name(size[d0]) + " m"
                );
            }
        }
    });

    cellSize_ =
        twoD_
      ? Foam::sqrt(size[axes_[0]]*size[axes_[1]])
      : Foam::cbrt(size.x()*size.y()*size.z());

    if (!twoD_)
    {
        thickness_ = cellSize_;
    }

    expected_ = size;
    origin_ = low;
}


void Foam::conformingMesh::setPlaces()
{
    const faceList& faces = mesh_.faces();
    const pointField& points = mesh_.points();
    const labelList& owner = mesh_.faceOwner();
    const labelList& neighbour = mesh_.faceNeighbour();

    const double nPlaces = double(size_[0])*double(size_[1])*double(size_[2]);

    if (nPlaces >= double(labelMax))
    {
        OStringStream message;
        message
            << "The box around the mesh holds " << nPlaces
            << " places for cells, while the mesh has "
            << returnReduce(mesh_.nCells(), sumOp<label>()) << " cells" << nl
            << "    At most " << labelMax << " places can be counted" << nl;
        stop(message);
    }

    // Place of each cell, and the sides at which it has a face
    labelList cellPlace(mesh_.nCells(), -1);
    std::vector<std::uint8_t> sides(mesh_.nCells(), 0);
    label badCell = labelMax;

    const auto mark = [&]
    (
        const label celli,
        const place& where,
        const int axis,
        const bool positive
    )
    {
        const std::uint8_t bit = 1u << (2*axis + positive);

        bool good = !(sides[celli] & bit);

        for (int a = 0; a < 3; ++a)
        {
            good = good && where[a] >= 0 && where[a] < size_[a];
        }

        if (good)
        {
            const label i = label(index(where));
            good = cellPlace[celli] == -1 || cellPlace[celli] == i;
            cellPlace[celli] = i;
            sides[celli] |= bit;
        }

        if (!good)
        {
            badCell = min(badCell, celli);
        }
    };

    // whole: number of a boundary face, or -1
    const auto addFace = [&]
    (
        const label facei,
        const bool empty,
        const label whole
    )
    {
        const face& f = faces[facei];
        const faceBox box(f, points);
        const bool internal = facei < neighbour.size();

        const direction normal = faceNormal(box.span(), empty);

        int axis = 0;
        while (axes_[axis] != normal)
        {
            ++axis;
        }

        place low{0, 0, 0};
        for (int a = 0; a < nDims(); ++a)
        {
            const direction d = axes_[a];
            const scalar x = (box.min[d] - origin_[d])/expected_[d];
            low[a] = std::llround(x);

            if (mag(x - low[a]) > tolerance_)
            {
                badCell = min(badCell, owner[facei]);
                return;
            }
        }

        // The points go round the face so that it looks out of its owner
        const bool positive =
            ((points[f[2]] - points[f[0]])^(points[f[3]] - points[f[1]]))
            [normal] > 0;

        place below(low);
        place above(low);
        if (!empty)
        {
            --below[axis];
        }

        mark(owner[facei], positive ? below : above, axis, positive);

        if (internal)
        {
            mark(neighbour[facei], positive ? above : below, axis, !positive);
        }
        else if (!empty && whole != -1 && cellPlace[owner[facei]] != -1)
        {
            boundaryFaces_.emplace_back
            (
                8*std::int64_t(cellPlace[owner[facei]]) + 2*axis + positive,
                whole
            );
        }
    };

    for (label facei = 0; facei < mesh_.nInternalFaces(); ++facei)
    {
        addFace(facei, false, -1);
    }

    boundaryFaces_.reserve(mesh_.nFaces() - mesh_.nInternalFaces());

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        const bool empty = isEmpty(pp);

        forAll(pp, i)
        {
            const label facei = pp.start() + i;

            addFace(facei, empty, empty ? -1 : boundary_.number(facei));
        }
    }

    setWindow(cellPlace);

    together([&]()
    {
        forAll(cellPlace, celli)
        {
            if (sides[celli] != 0x3F || cellPlace[celli] == -1)
            {
                badCell = min(badCell, celli);
                continue;
            }

            label& there = cellAt_[inWindow(placeOf(cellPlace[celli]))];

            if (there != -1)
            {
                badCell = min(badCell, celli);
            }
            else
            {
                there = celli;
            }
        }

        if (badCell != labelMax)
        {
            refuse
            (
                badCell,
                twoD_
              ? "is off the grid of cell 0, shares its place with another cell,"
                " or has other than one empty face on either side"
              : "is off the grid of cell 0 or shares its place with another"
                " cell"
            );
        }
    });

    gatherFaces();

    setCutCells(cellPlace);

    boundarySides_.assign(cellAt_.size(), 0);
    for (const auto& keyFace : boundaryFaces_)
    {
        const std::int64_t i = inWindow(placeOf(keyFace.first/8));

        if (i != -1)
        {
            boundarySides_[i] |= 1u << (keyFace.first % 8);
        }
    }
}


void Foam::conformingMesh::setWindow(const labelUList& cellPlace)
{
    begin_ = place{0, 0, 0};
    windowSize_ = size_;

    if (Pstream::parRun())
    {
        place end{0, 0, 0};
        begin_ = size_;

        for (const label i : cellPlace)
        {
            const place where(placeOf(max(i, label(0))));

            for (int a = 0; a < 3; ++a)
            {
                begin_[a] = std::min(begin_[a], where[a]);
                end[a] = std::max(end[a], where[a] + 1);
            }
        }

        for (int a = 0; a < 3; ++a)
        {
            begin_[a] = cellPlace.empty() ? 0 : begin_[a];
            windowSize_[a] = end[a] - begin_[a];
        }
    }

    const std::int64_t n = windowSize_[0]*windowSize_[1]*windowSize_[2];

    checkRoom("the cells in the box of the lattice", scalar(n)*sizeof(label));

    cellAt_.setSize(label(n), -1);
}


void Foam::conformingMesh::gatherFaces()
{
    if (Pstream::parRun())
    {
        DynamicList<std::int64_t> own(2*boundaryFaces_.size());

        for (const auto& keyFace : boundaryFaces_)
        {
            own.append(keyFace.first);
            own.append(keyFace.second);
        }

        boundaryFaces_.clear();
        for
        (
            const auto& those : allProcesses(List<std::int64_t>(std::move(own)))
        )
        {
            for (label i = 0; i < those.size(); i += 2)
            {
                boundaryFaces_.emplace_back(those[i], label(those[i + 1]));
            }
        }
    }

    boundaryFaces_.shrink_to_fit();
    std::sort(boundaryFaces_.begin(), boundaryFaces_.end());
}


void Foam::conformingMesh::setCutCells(const labelUList& cellPlace)
{
    if (!Pstream::parRun())
    {
        return;
    }

    // Cells of two processes that a population can pass between share a point
    // with a face between these, or with one of a cyclic patch on the way

    boolList onCut(mesh_.nPoints(), false);

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (pp.coupled())
        {
            for (const label pointi : pp.meshPoints())
            {
                onCut[pointi] = true;
            }
        }
    }

    boolList cut(mesh_.nCells(), false);

    forAll(mesh_.faces(), facei)
    {
        for (const label pointi : mesh_.faces()[facei])
        {
            if (onCut[pointi])
            {
                cut[mesh_.faceOwner()[facei]] = true;

                if (mesh_.isInternalFace(facei))
                {
                    cut[mesh_.faceNeighbour()[facei]] = true;
                }
            }
        }
    }

    DynamicList<label> own;

    forAll(cut, celli)
    {
        if (cut[celli])
        {
            own.append(cellPlace[celli]);
        }
    }

    const labelListList all(allProcesses(labelList(std::move(own))));

    forAll(all, proci)
    {
        for (const label i : all[proci])
        {
            cutCells_.emplace_back(i, proci);
        }
    }

    std::sort(cutCells_.begin(), cutCells_.end());
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::conformingMesh::conformingMesh
(
    const polyMesh& mesh,
    const wholeBoundary& boundary
)
:
    mesh_(mesh),
    boundary_(boundary)
{
    if (!returnReduce(mesh.nCells(), sumOp<label>()))
    {
        OStringStream message;
        message
            << "The mesh has no cells" << nl;
        stop(message);
    }

    setAxes();
    setSpacing();
    setPlaces();
}


// * * * * * * * * * * * * * * * * Selectors * * * * * * * * * * * * * * * * //

Foam::autoPtr<Foam::conformingMesh> Foam::conformingMesh::New
(
    const polyMesh& mesh,
    const wholeBoundary& boundary,
    string& reason
)
{
    try
    {
        reason.clear();
        return autoPtr<conformingMesh>(new conformingMesh(mesh, boundary));
    }
    catch (const refusal& r)
    {
        reason = r.reason;
        return nullptr;
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::label Foam::conformingMesh::boundaryFace
(
    const place& where,
    const int axis,
    const bool positive
) const
{
    const int side = 2*axis + positive;
    const std::int64_t i = inWindow(where);

    if (i != -1 && !(boundarySides_[i] & (1u << side)))
    {
        return -1;
    }

    const std::int64_t key = 8*index(where) + side;

    const auto found = std::lower_bound
    (
        boundaryFaces_.begin(),
        boundaryFaces_.end(),
        std::make_pair(key, label(0))
    );

    return
        found != boundaryFaces_.end() && found->first == key
      ? found->second
      : -1;
}


int Foam::conformingMesh::processOf(const place& where) const
{
    const std::int64_t key = index(where);

    const auto found = std::lower_bound
    (
        cutCells_.begin(),
        cutCells_.end(),
        std::make_pair(key, 0)
    );

    return
        found != cutCells_.end() && found->first == key ? found->second : -1;
}


// ************************************************************************* //
