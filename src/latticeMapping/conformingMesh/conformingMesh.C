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
#include "polyMesh.H"
#include "StringStream.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

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
