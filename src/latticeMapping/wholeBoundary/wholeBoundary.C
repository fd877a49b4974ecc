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
#include "labelIOList.H"
#include "ListListOps.H"
#include "processorCyclicPolyPatch.H"
#include "SortableList.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::labelList Foam::wholeBoundary::addressing
(
    const word& name,
    const label size
) const
{
    IOobject io
    (
        name,
        mesh_.facesInstance(),
        polyMesh::meshSubDir,
        mesh_,
        IOobject::READ_IF_PRESENT,
        IOobject::NO_WRITE,
        false
    );

    const labelIOList result(io);

    if (result.size() != size)
    {
        FatalErrorInFunction
            << "Found no list " << name << " of the parts of the mesh in "
            << io.objectPath() << ", or one of another mesh" << nl
            << "    possible : a mesh that decomposePar has decomposed"
            << exit(FatalError);
    }

    return result;
}


void Foam::wholeBoundary::setNumbers()
{
    const polyBoundaryMesh& patches = mesh_.boundaryMesh();
    const label nPatches = this->nPatches();

    const labelList whole(addressing("faceProcAddressing", mesh_.nFaces()));

    // Faces of each patch: their numbers in the whole mesh, and here
    List<DynamicList<label>> given(nPatches);
    own_.setSize(nPatches);

    const auto add = [&](const label patchi, const polyPatch& pp)
    {
        forAll(pp, i)
        {
            given[patchi].append(mag(whole[pp.start() + i]) - 1);
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
        labelListList all(Pstream::nProcs());
        all[Pstream::myProcNo()] = given[patchi];
        Pstream::gatherList(all);
        Pstream::scatterList(all);

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
    const labelList whole(addressing("pointProcAddressing", mesh_.nPoints()));

    // Corners of faces by their numbers in the whole mesh
    List<faceList> allFaces(Pstream::nProcs());
    List<pointField> allPoints(Pstream::nProcs());
    labelListList allNumbers(Pstream::nProcs());

    {
        DynamicList<face> faces;
        labelHashSet used;

        for (const auto& own : own_)
        {
            for (const label facei : own)
            {
                face f(mesh_.faces()[facei]);

                used.insert(f);
                inplaceRenumber(whole, f);
                faces.append(f);
            }
        }

        const labelList points(used.sortedToc());
        const label proci = Pstream::myProcNo();

        allFaces[proci].transfer(faces);
        allPoints[proci] = pointField(mesh_.points(), points);
        allNumbers[proci] = labelUIndList(whole, points);
    }

    Pstream::gatherList(allFaces);
    Pstream::scatterList(allFaces);
    Pstream::gatherList(allPoints);
    Pstream::scatterList(allPoints);
    Pstream::gatherList(allNumbers);
    Pstream::scatterList(allNumbers);

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
        labelList sizes(Pstream::nProcs(), 0);
        sizes[Pstream::myProcNo()] = own_[patchi].size();
        Pstream::gatherList(sizes);
        Pstream::scatterList(sizes);

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
