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
#include "Pair.H"
#include "polyMesh.H"
#include "PstreamReduceOps.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
