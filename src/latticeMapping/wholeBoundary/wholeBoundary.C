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

Class
\*---------------------------------------------------------------------------*/

#include "wholeBoundary.H"
#include "cyclicPolyPatch.H"
#include "emptyPolyPatch.H"
#include "globalIndex.H"
#include "globalMeshData.H"
#include "labelIOList.H"
#include "ListListOps.H"
#include "processorCyclicPolyPatch.H"
#include "SortableList.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::labelList Foam::wholeBoundary::faceNumbers() const
{
    labelList numbers;

    if (addressing(mesh_, "faceProcAddressing", mesh_.nFaces(), numbers))
    {
        for (label& number : numbers)
        {
            // Counted from 1, below 0 where the face is turned
            number = mag(number) - 1;
        }

        return numbers;
    }

    for (const polyPatch& pp : mesh_.boundaryMesh())
    {
        if
        (
            isA<processorCyclicPolyPatch>(pp)
         || (isA<cyclicPolyPatch>(pp) && pp.size())
        )
        {
            FatalErrorInFunction
                << "Found patch " << pp.name() << " of type " << pp.type()
                << " in a mesh without faceProcAddressing of all processes in "
                << mesh_.facesInstance()/polyMesh::meshSubDir << nl
                << "    possible : cyclic patches of meshes that decomposePar"
                << " has decomposed" << exit(FatalError);
        }
    }

    Info<< "No faceProcAddressing: boundary faces are in the order of the"
        << " processes," << nl
        << "    and the last digits depend on the domains" << nl << endl;

    const globalIndex whole(mesh_.nFaces());

    numbers.setSize(mesh_.nFaces());
    forAll(numbers, facei)
    {
        numbers[facei] = whole.toGlobal(facei);
    }

    return numbers;
}


Foam::labelList Foam::wholeBoundary::pointNumbers() const
{
    labelList numbers;

    if (!addressing(mesh_, "pointProcAddressing", mesh_.nPoints(), numbers))
    {
        labelList unique;
        mesh_.globalData().mergePoints(numbers, unique);
    }

    return numbers;
}


void Foam::wholeBoundary::setNumbers()
{
    const polyBoundaryMesh& patches = mesh_.boundaryMesh();
    const label nPatches = this->nPatches();

    const labelList whole(faceNumbers());

    // Faces of each patch: their numbers in the whole mesh, and here
    List<DynamicList<label>> given(nPatches);
    own_.setSize(nPatches);

    const auto add = [&](const label patchi, const polyPatch& pp)
    {
        forAll(pp, i)
        {
            given[patchi].append(whole[pp.start() + i]);
            own_[patchi].append(pp.start() + i);
        }
    };

    for (label patchi = 0; patchi < nPatches; ++patchi)
    {
        if (!isA<emptyPolyPatch>(patches[patchi]))
        {
            add(patchi, patches[patchi]);
        }
    }

    for (label patchi = nPatches; patchi < patches.size(); ++patchi)
    {
        const polyPatch& pp = patches[patchi];

        if (isA<processorCyclicPolyPatch>(pp))
        {
            add(refCast<const processorCyclicPolyPatch>(pp).referPatchID(), pp);
        }
    }

    numbers_.setSize(mesh_.nFaces() - mesh_.nInternalFaces(), -1);
    order_.setSize(nPatches);

    for (label patchi = 0; patchi < nPatches; ++patchi)
    {
        const labelListList all(allProcesses(labelList(given[patchi])));

        const SortableList<label> sorted
        (
            ListListOps::combine<labelList>(all, accessOp<labelList>())
        );

        order_[patchi].setSize(sorted.size());
        forAll(sorted, i)
        {
            order_[patchi][sorted.indices()[i]] = i;
        }

        label first = 0;
        for (label proci = 0; proci < Pstream::myProcNo(); ++proci)
        {
            first += all[proci].size();
        }

        forAll(own_[patchi], i)
        {
            numbers_[own_[patchi][i] - mesh_.nInternalFaces()] =
                starts_[patchi] + order_[patchi][first + i];
        }

        starts_[patchi + 1] = starts_[patchi] + sorted.size();
    }
}


void Foam::wholeBoundary::setSurface() const
{
    const labelList whole(pointNumbers());

    // Corners of faces by their numbers in the whole mesh
    DynamicList<face> own;
    labelHashSet used;

    for (const auto& patchFaces : own_)
    {
        for (const label facei : patchFaces)
        {
            face f(mesh_.faces()[facei]);

            used.insert(f);
            inplaceRenumber(whole, f);
            own.append(f);
        }
    }

    const labelList corners(used.sortedToc());

    const List<faceList> allFaces(allProcesses(faceList(std::move(own))));
    const List<pointField> allPoints
    (
        allProcesses(pointField(mesh_.points(), corners))
    );
    const labelListList allNumbers
    (
        allProcesses(labelList(labelUIndList(whole, corners)))
    );

    // In the order of the whole mesh

    SortableList<label> numbers
    (
        ListListOps::combine<labelList>(allNumbers, accessOp<labelList>())
    );
    const pointField given
    (
        ListListOps::combine<pointField>(allPoints, accessOp<pointField>())
    );

    Map<label> compact;
    DynamicList<point> points;

    forAll(numbers, i)
    {
        if (compact.insert(numbers[i], points.size()))
        {
            points.append(given[numbers.indices()[i]]);
        }
    }

    faceList faces(starts_.last());

    // The faces of each process come patch by patch
    labelList next(Pstream::nProcs(), 0);

    for (label patchi = 0; patchi < nPatches(); ++patchi)
    {
        const labelList sizes(allProcesses(own_[patchi].size()));

        label i = 0;
        forAll(sizes, proci)
        {
            for (label n = 0; n < sizes[proci]; ++n)
            {
                face& f = faces[starts_[patchi] + order_[patchi][i++]];
                f = allFaces[proci][next[proci]++];

                for (label& pointi : f)
                {
                    pointi = compact[pointi];
                }
            }
        }
    }

    labelList owner(faces.size(), 0);
    labelList neighbour;

    surface_.reset
    (
        new polyMesh
        (
            IOobject
            (
                "wholeBoundary",
                mesh_.facesInstance(),
                mesh_.time(),
                IOobject::NO_READ,
                IOobject::NO_WRITE,
                false
            ),
            pointField(std::move(points)),
            std::move(faces),
            std::move(owner),
            std::move(neighbour),
            false
        )
    );

    List<polyPatch*> patches(nPatches());

    forAll(patches, patchi)
    {
        patches[patchi] = mesh_.boundaryMesh()[patchi].clone
        (
            surface_->boundaryMesh(),
            patchi,
            size(patchi),
            start(patchi)
        ).ptr();
    }

    surface_->addPatches(patches, false);
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::wholeBoundary::addressing
(
    const polyMesh& mesh,
    const word& name,
    const label size,
    labelList& numbers
)
{
    numbers = labelIOList
    (
        IOobject
        (
            name,
            mesh.facesInstance(),
            polyMesh::meshSubDir,
            mesh,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE,
            false
        )
    );

    return returnReduce(numbers.size() == size, andOp<bool>());
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::wholeBoundary::wholeBoundary(const polyMesh& mesh)
:
    mesh_(mesh),
    starts_(mesh.boundaryMesh().nNonProcessor() + 1, 0),
    numbers_(),
    own_(),
    order_(),
    surface_()
{
    if (Pstream::parRun())
    {
        setNumbers();
        return;
    }

    for (label patchi = 0; patchi < nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh.boundaryMesh()[patchi];

        starts_[patchi] = pp.start();
        starts_[patchi + 1] = pp.start() + pp.size();
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::label Foam::wholeBoundary::patchOf(const label facei) const
{
    return
        std::upper_bound(starts_.begin(), starts_.end(), facei)
      - starts_.begin() - 1;
}


// ************************************************************************* //
