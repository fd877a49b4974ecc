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

#include "latticeMapping.H"
#include "allProcesses.H"

#include <algorithm>

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

namespace Foam
{

typedef std::array<int, 3> latticeVector;

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::latticeMapping::blend Foam::latticeMapping::blendOf
(
    const lbm::linkGroup& group,
    const std::size_t linki,
    const primitivePatch& pp
) const
{
    const label facei = group.face[linki];

    blend result{facei, {facei, facei}, {0, 0}};

    const auto along = [&](vector v)
    {
        const vector n(pp.faceNormals()[facei]);

        v -= n*(n & v);
        if (twoD_)
        {
            v[axes_[2]] = 0;
        }
        return v;
    };

    // From the centre of the face to the place where the link meets it, or to
    // its ghost node
    const latticeVector c
    (
        lbm::directions(lattice())[group.direction[linki]]
    );
    const scalar q =
        !lbm::givesVelocity(group.type) ? 1
      : group.distance.empty() ? 0.5
      : group.distance[linki];

    vector d
    (
        along
        (
            boxCentre(group.node[linki])
          + q*dx_*toPhysical(vector(c[0], c[1], c[2]))
          - pp.faceCentres()[facei]
        )
    );

    // The distance may have been set for want of a node, or its face
    const scalar size = Foam::sqrt(pp.magFaceAreas()[facei]) + dx_;

    if (mag(d) > size)
    {
        return result;
    }

    for (int i = 0; i < (twoD_ ? 1 : 2); ++i)
    {
        if (mag(d) < 1e-3*dx_)
        {
            break;
        }

        // The face in this direction, or beyond the last one the opposite
        scalar best = 0;
        vector step(Zero);

        for (const label other : pp.faceFaces()[facei])
        {
            if ((pp.faceNormals()[other] & pp.faceNormals()[facei]) < 0.9)
            {
                continue;
            }

            const vector e
            (
                along(pp.faceCentres()[other] - pp.faceCentres()[facei])
            );
            const scalar cosine = (d & e)/max(mag(d)*mag(e), VSMALL);

            if
            (
                mag(cosine) > 0.1
             && (cosine > 0 ? best < cosine : best <= 0 && cosine < best)
            )
            {
                best = cosine;
                step = e;
                result.other[i] = other;
            }
        }

        if (best == 0)
        {
            break;
        }

        result.part[i] = min(scalar(1), max(scalar(-1), (d & step)/magSqr(step)));
        d -= step*(d & step)/magSqr(step);
    }

    return result;
}


Foam::labelList Foam::latticeMapping::gatherBlends
(
    const lbm::linkGroup& group,
    const UList<std::size_t>& links,
    DynamicList<blend>& blends
) const
{
    if (!Pstream::parRun())
    {
        return identity(blends.size());
    }

    // The node in the whole lattice and the direction, which order the links

    List<std::int64_t> keys(links.size());
    labelList faces(3*links.size());
    scalarList parts(2*links.size());

    forAll(links, i)
    {
        const blend& b = blends[i];

        keys[i] =
            32*wholeIndex(coordinates(group.node[links[i]]))
          + group.direction[links[i]];
        faces[3*i] = b.face;
        faces[3*i + 1] = b.other[0];
        faces[3*i + 2] = b.other[1];
        parts[2*i] = b.part[0];
        parts[2*i + 1] = b.part[1];
    }

    const auto allKeys(allProcesses(keys));
    const auto allFaces(allProcesses(faces));
    const auto allParts(allProcesses(parts));

    std::vector<std::array<std::int64_t, 3>> order;

    forAll(allKeys, proci)
    {
        forAll(allKeys[proci], i)
        {
            order.push_back({allKeys[proci][i], proci, i});
        }
    }

    std::sort(order.begin(), order.end());

    labelList numbers(links.size());
    blends.clear();

    for (const auto& entry : order)
    {
        const label proci = entry[1];
        const label i = entry[2];

        if (proci == Pstream::myProcNo())
        {
            numbers[i] = blends.size();
        }

        const label* f = allFaces[proci].cdata() + 3*i;
        const scalar* part = allParts[proci].cdata() + 2*i;

        blends.append(blend{f[0], {f[1], f[2]}, {part[0], part[1]}});
    }

    return numbers;
}


void Foam::latticeMapping::setBlends(const volVectorField& U)
{
    groupBlends_.setSize(groupPatches_.size());

    forAll(groupPatches_, groupi)
    {
        lbm::linkGroup& group = description_.groups[groupi];
        const latticePatch& treatment = groupPatch(groupi);
        const label patchi = groupPatches_[groupi];
        DynamicList<blend>& blends = groupBlends_[groupi];

        // The ends of a patch with two kinds lie anywhere in it
        if
        (
            treatment.linkTypes().size() > 1
         || !(lbm::givesVelocity(group.type) || treatment.givesProfile())
        )
        {
            continue;
        }

        const vectorField Up
        (
            boundary_.gather
            (
                patchi,
                treatment.velocity(U.boundaryField()[patchi])()
            )
        );
        const primitivePatch& pp = boundary_.patch(patchi);
        const label nFaces = boundary_.size(patchi);

        // Links that have a place of their own
        DynamicList<std::size_t> links;

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const blend b(blendOf(group, i, pp));

            const bool varies =
                treatment.timeVarying()
             || treatment.givesProfile()
             || b.value(Up) != Up[b.face];

            if ((b.part[0] != 0 || b.part[1] != 0) && varies)
            {
                links.append(i);
                blends.append(b);
            }
        }

        const labelList numbers(gatherBlends(group, links, blends));

        forAll(links, i)
        {
            group.face[links[i]] = nFaces + numbers[i];
        }

        blends.shrink();
    }
}


// ************************************************************************* //
