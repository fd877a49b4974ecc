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

#include <algorithm>
#include <numeric>

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

namespace Foam
{

typedef std::array<int, 3> latticeVector;

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::latticeMapping::opens(const label facei) const
{
    // Not an inlet: with all of its velocity given right beside the wall, the
    // flow behind a step does not become steady
    return rankOf(facei) == latticePatch::PRESSURE;
}


Foam::label Foam::latticeMapping::rankOf(const label facei) const
{
    const label patchi = boundary_.patchOf(facei);

    return
        faceRanks_[patchi].empty()
      ? patches_[patchi].rank()
      : faceRanks_[patchi][facei - boundary_.start(patchi)];
}


void Foam::latticeMapping::openEdges
(
    const std::vector<std::array<int, 3>>& directions,
    const std::vector<label>& faces,
    std::vector<std::size_t>& like
) const
{
    like.resize(faces.size());
    std::iota(like.begin(), like.end(), std::size_t(0));

    const auto isOpen = [&](const std::size_t q)
    {
        return faces[like[q]] != -1 && opens(faces[like[q]]);
    };

    bool any = false;
    for (std::size_t q = 1; !any && q < faces.size(); ++q)
    {
        any = isOpen(q);
    }

    // Once more for what goes into the corner of two such walls
    for (int pass = 0; any && pass < 2; ++pass)
    {
        for (std::size_t q = 1; q < faces.size(); ++q)
        {
            if
            (
                faces[q] == -1 || like[q] != q
             || description_.groups[groupOf(faces[q])].type != "wallStress"
            )
            {
                continue;
            }

            const label patchi = boundary_.patchOf(faces[q]);

            vector n
            (
                toLattice
                (
                    faceAreas_[patchi][faces[q] - boundary_.start(patchi)]
                )
            );
            n /= max(mag(n), VSMALL);

            latticeVector along(directions[q]);
            for (int a = 0; a < 3; ++a)
            {
                if (mag(n[a]) > 0.9999)
                {
                    along[a] = 0;
                }
            }

            const std::size_t m =
                std::find(directions.begin(), directions.end(), along)
              - directions.begin();

            if (m < directions.size() && m != q && isOpen(m))
            {
                like[q] = like[m];
            }
        }
    }
}


void Foam::latticeMapping::addFace
(
    lbm::linkGroup& group,
    const label facei
) const
{
    if (lbm::valuesPerFace(group.type))
    {
        group.face.push_back(boundary_.inPatch(facei));
    }

    if (lbm::hasGhostNodes(group.type))
    {
        const label patchi = boundary_.patchOf(facei);

        vector n
        (
            toLattice(faceAreas_[patchi][facei - boundary_.start(patchi)])
        );
        n.z() = twoD_ ? 0 : n.z();
        n /= max(mag(n), VSMALL);

        group.normal.push_back({float(n.x()), float(n.y()), float(n.z())});
    }
}


Foam::label Foam::latticeMapping::groupOf(const label facei) const
{
    const label patchi = boundary_.patchOf(facei);

    return
        patchGroups_[patchi]
      + (
            faceTypes_[patchi].empty()
          ? 0
          : faceTypes_[patchi][facei - boundary_.start(patchi)]
        );
}


// ************************************************************************* //
