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

#include "overlayMesh.H"
#include "polyMesh.H"
#include "wholeBoundary.H"
#include "emptyPolyPatch.H"
#include "wedgePolyPatch.H"
#include "cyclicPolyPatch.H"
#include "clockTime.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::overlayMesh::setAxes()
{
    static const char* const names[] = {"x", "y", "z"};

    label emptyAxis = -1;
    label nEmptyFaces = 0;

    // Component along which a face is normal
    const auto normalAxis = [&](const vector& n)
    {
        label a = 0;
        for (label d = 1; d < 3; ++d)
        {
            if (mag(n[d]) > mag(n[a]))
            {
                a = d;
            }
        }
        return a;
    };

    // The first one of all processes
    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp) && pp.size() && emptyAxis == -1)
        {
            emptyAxis = normalAxis(pp[0].areaNormal(mesh_.points()));
        }
    }
    reduce(emptyAxis, maxOp<label>());

    for (label patchi = 0; patchi < boundary_.nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh_.boundaryMesh()[patchi];

        if
        (
            isA<wedgePolyPatch>(pp)
         || (pp.coupled() && !isA<cyclicPolyPatch>(pp))
        )
        {
            FatalErrorInFunction
                << "Patch " << pp.name() << " is of type " << pp.type() << nl
                << "    Possible are cyclic, empty, symmetry, symmetryPlane,"
                << " wall and patch" << nl
                << exit(FatalError);
        }

        if (!isA<emptyPolyPatch>(pp))
        {
            continue;
        }

        for (const face& f : pp)
        {
            const label axis = normalAxis(f.areaNormal(mesh_.points()));

            if (axis != emptyAxis)
            {
                FatalErrorInFunction
                    << "Empty patch " << pp.name() << " has a face normal to "
                    << names[axis] << " while other empty faces are normal to "
                    << names[emptyAxis] << nl
                    << "    Possible are three dimensions without empty"
                    << " patches, and two with empty patches normal to one"
                    << " axis;" << nl
                    << "    instead of a second empty direction, use a cyclic"
                    << " pair" << nl
                    << exit(FatalError);
            }
            ++nEmptyFaces;
        }
    }

    twoD_ = emptyAxis != -1;

    for (direction d = 0; d < 3; ++d)
    {
        axes_[d] = twoD_ ? (emptyAxis + 1 + d) % 3 : d;
    }

    if (!twoD_)
    {
        return;
    }

    for (label patchi = 0; patchi < boundary_.nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh_.boundaryMesh()[patchi];

        for (const face& f : pp)
        {
            const vector n(f.unitNormal(mesh_.points()));
            const scalar along = mag(n[emptyAxis]);

            if (isA<emptyPolyPatch>(pp) ? along < 0.999 : along > 0.01)
            {
                FatalErrorInFunction
                    << "Patch " << pp.name() << " of type " << pp.type()
                    << " has a face with normal " << n << " at "
                    << f.centre(mesh_.points()) << " m" << nl
                    << "    In two dimensions, faces of empty patches must be"
                    << " normal to " << names[emptyAxis]
                    << ", all others along it" << nl
                    << exit(FatalError);
            }
        }
    }

    if (nEmptyFaces != 2*mesh_.nCells())
    {
        FatalErrorInFunction
            << "The empty patches have " << nEmptyFaces << " faces for "
            << mesh_.nCells() << " cells, expected: " << 2*mesh_.nCells() << nl
            << "    A mesh between empty patches must be one cell thick, with"
            << " two empty faces on each cell" << nl
            << exit(FatalError);
    }

    const boundBox& box = mesh_.bounds();
    middle_ = box.midpoint()[axes_[2]];
    thickness_ = box.span()[axes_[2]];
}


void Foam::overlayMesh::setCyclic()
{
    const label nPatches = surface_.boundaryMesh().size();
    cyclic_.assign(nPatches, 0);
    separation_ = vectorField(nPatches, Zero);
    offset_.assign(nPatches, place{0, 0, 0});

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        const cyclicPolyPatch* cyclic = isA<cyclicPolyPatch>(pp);
        if (!cyclic)
        {
            continue;
        }

        const polyPatch& nbr = cyclic->neighbPatch();
        const pointField& points = surface_.points();
        vector& separation = separation_[pp.index()];

        cyclic_[pp.index()] = 1;

        forAll(pp, i)
        {
            separation += (nbr[i].centre(points) - pp[i].centre(points));
        }
        separation /= max(label(1), pp.size());

        forAll(pp, i)
        {
            const vector d(nbr[i].centre(points) - pp[i].centre(points));
            const scalar size = Foam::sqrt(pp[i].mag(points));

            if
            (
                mag(d - separation) > 0.01*size + 1e-5*mag(separation)
             || (pp[i].areaNormal(points) & nbr[i].areaNormal(points))
              > -0.99*pp[i].mag(points)*nbr[i].mag(points)
            )
            {
                FatalErrorInFunction
                    << "Face " << i << " of cyclic patch " << pp.name()
                    << " at " << pp[i].centre(points) << " m goes on at "
                    << nbr[i].centre(points) << " m on patch " << nbr.name()
                    << ", another way than the whole patch, which is shifted"
                    << " by " << separation << " m" << nl
                    << "    Possible are cyclic patches whose other half is"
                    << " the same, shifted, not turned" << nl
                    << exit(FatalError);
            }
        }
    }
}


Foam::label Foam::overlayMesh::patchOf(const label facei) const
{
    return surface_.boundaryMesh().patchID()[facei - surface_.nInternalFaces()];
}


void Foam::overlayMesh::noteMemory(const double more)
{
    report_.bytes = max
    (
        report_.bytes,
        fluid_.bytes()
      + double(links_.size())*sizeof(link)
      + double(owners_.capacity())*sizeof(owner)
      + double(nodeCells_.size())*sizeof(label)
      + more
    );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::overlayMesh::overlayMesh
(
    const polyMesh& mesh,
    const wholeBoundary& boundary,
    const scalar spacing,
    const std::function<label(label)>& rank,
    const std::string& lattice
)
:
    mesh_(mesh),
    boundary_(boundary),
    surface_(boundary.surface()),
    rank_(rank),
    lattice_(lattice),
    axes_(direction(0)),
    twoD_(false),
    dx_(0),
    thickness_(0),
    middle_(0),
    origin_(Zero),
    size_{0, 0, 0}
{
    clockTime clock;
    scalar said = 0;
    const auto progress = [&](const char* what)
    {
        const scalar now = clock.elapsedTime();

        if (now - said > 3)
        {
            Info<< "    " << what << ": " << now << " s" << endl;
            said = now;
        }
    };

    setAxes();
    setCyclic();
    setSpacing(spacing);
    progress("Lattice spacing chosen");

    crossingList lines(crossings(families().front()));
    setFluid(lines);
    report_.nNodes = fluid_.nNodes();

    if (!report_.nNodes)
    {
        FatalErrorInFunction
            << "No node of spacing " << dx_ << " m lies in the mesh"
            << nl
            << "    Possible are spacings below the smallest width of"
            << " the mesh, " << cmptMin
            (
                mesh_.bounds().span()
              + (twoD_ ? GREAT : 0)*vector
                (
                    axes_[2] == 0,
                    axes_[2] == 1,
                    axes_[2] == 2
                )
            )
            << " m along an axis" << nl
            << exit(FatalError);
    }

    findLinks(lines);
    progress("Links found");

    checkCyclic();
    dropPockets();
    setHalfWay();
    progress("Regions found");

    report_.nNodes -= report_.nPocketNodes;
    report_.nLinks = links_.size();

    std::vector<std::uint8_t> linked
    (
        surface_.nFaces() - surface_.nInternalFaces(),
        0
    );
    for (const link& l : links_)
    {
        report_.nCyclicLinks += l.partner >= 0;
        linked[l.face - surface_.nInternalFaces()] = 1;
    }
    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (!isA<emptyPolyPatch>(pp))
        {
            const auto first =
                linked.begin() + (pp.start() - surface_.nInternalFaces());
            report_.nFacesWithoutLinks +=
                std::count(first, first + pp.size(), 0);
        }
    }

    setCells();
    progress("Cells of the nodes found");

    report_.seconds = clock.elapsedTime();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::point Foam::overlayMesh::position(const place& p) const
{
    point x;
    for (int a = 0; a < 3; ++a)
    {
        x[axes_[a]] = origin_[axes_[a]] + (p[a] + 0.5)*dx_;
    }
    if (twoD_)
    {
        x[axes_[2]] = middle_;
    }
    return x;
}


// ************************************************************************* //
