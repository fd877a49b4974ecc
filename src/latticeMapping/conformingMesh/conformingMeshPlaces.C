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
#include "conformingMeshShared.H"
#include "allProcesses.H"
#include "DynamicList.H"
#include "latticeMemory.H"
#include "polyMesh.H"
#include "PstreamReduceOps.H"
#include "StringStream.H"
#include "wholeBoundary.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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

    bitSet onCut(mesh_.nPoints());

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (pp.coupled())
        {
            for (const label pointi : pp.meshPoints())
            {
                onCut.set(pointi);
            }
        }
    }

    bitSet cut(mesh_.nCells());

    forAll(mesh_.faces(), facei)
    {
        for (const label pointi : mesh_.faces()[facei])
        {
            if (onCut[pointi])
            {
                cut.set(mesh_.faceOwner()[facei]);

                if (mesh_.isInternalFace(facei))
                {
                    cut.set(mesh_.faceNeighbour()[facei]);
                }
            }
        }
    }

    DynamicList<label> own;

    for (const label celli : cut)
    {
        own.append(cellPlace[celli]);
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


// ************************************************************************* //
