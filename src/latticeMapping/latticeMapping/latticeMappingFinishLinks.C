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
#include "engine/heldLinks.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"

#include <algorithm>
#include <cmath>
#include <set>

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

namespace Foam
{

typedef std::array<int, 3> latticeVector;

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::finishLinks(const volVectorField& U)
{
    const std::vector<latticeVector> directions(lbm::directions(lattice()));
    const std::vector<double> weights(lbm::weights(lattice()));

    setBlends(U);

    groupLinks_.setSize(groupPatches_.size(), 0);
    groupFluxes_.setSize(groupPatches_.size());
    PtrList<linkFluxes::surroundings> beside(groupPatches_.size());

    forAll(groupPatches_, groupi)
    {
        const std::string& type = description_.groups[groupi].type;

        if
        (
            lbm::givesVelocity(type)
         && (groupPatch(groupi).throughFlow() || !conforming())
        )
        {
            // The links of an outflow have no staircase
            beside.set
            (
                groupi,
                new linkFluxes::surroundings
                (
                    type == "velocity"
                  ? surroundingsOf(groupPatches_[groupi], U)
                  : linkFluxes::surroundings()
                )
            );
        }
    }

    joinInlets(beside);

    forAll(groupPatches_, groupi)
    {
        lbm::linkGroup& group = description_.groups[groupi];

        group.node.shrink_to_fit();
        group.direction.shrink_to_fit();
        group.partner.shrink_to_fit();
        group.face.shrink_to_fit();
        group.normal.shrink_to_fit();
        group.distance.shrink_to_fit();

        // Beside those of cyclic patches that are links to other processes
        groupLinks_[groupi] += group.size();
        reduce(groupLinks_[groupi], sumOp<std::int64_t>());

        if (beside.set(groupi))
        {
            const label patchi = groupPatches_[groupi];
            const label nFaces = boundary_.size(patchi);
            const UList<blend>& blends = groupBlends_[groupi];

            boolList here(nFaces);
            labelList faces(nFaces + blends.size());

            forAll(here, i)
            {
                here[i] = groupOf(boundary_.start(patchi) + i) == groupi;
                faces[i] = i;
            }
            forAll(blends, i)
            {
                faces[nFaces + i] = blends[i].face;
            }

            // Weights are multiples of 1/216: sums have no rounding, whatever
            // their order
            constexpr scalar parts = 216;

            vectorField areas(faces.size(), Zero);

            for (std::size_t i = 0; i < group.size(); ++i)
            {
                const latticeVector& c = directions[group.direction[i]];

                areas[group.face[i]] +=
                    std::round(parts*weights[group.direction[i]])
                   *vector(c[0], c[1], c[2]);
            }

            Pstream::listCombineGather(areas, plusEqOp<vector>());
            Pstream::listCombineScatter(areas);

            for (vector& area : areas)
            {
                area = 6*dx_*thickness_/parts*toPhysical(area);
            }

            groupFluxes_.set
            (
                groupi,
                new linkFluxes
                (
                    boundary_.patch(patchi),
                    boundary_.gather(patchi, mesh_.boundary()[patchi].Sf()),
                    here,
                    faces,
                    areas,
                    beside[groupi],
                    dx_
                )
            );
        }
    }

    faceAreas_.clear();
}


void Foam::latticeMapping::holdLinks()
{
    const auto exchange = [&](std::vector<std::int64_t>& nodes)
    {
        PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

        for (const lbm::remoteNodes& sent : description_.sent)
        {
            DynamicList<bool> among(sent.node.size());

            for (const std::int64_t node : sent.node)
            {
                among.append
                (
                    std::binary_search(nodes.begin(), nodes.end(), node)
                );
            }

            UOPstream to(sent.peer, buffers);
            to << among;
        }

        buffers.finishedSends();

        for (const lbm::remoteNodes& received : description_.received)
        {
            UIPstream from(received.peer, buffers);
            const List<bool> among(from);

            forAll(among, i)
            {
                if (among[i])
                {
                    nodes.push_back(received.node[i]);
                }
            }
        }

        std::sort(nodes.begin(), nodes.end());
    };

    const auto held = lbm::heldLinks(description_, lattice(), exchange);

    std::set<std::int64_t> nodes;

    for (std::size_t groupi = 0; groupi < held.size(); ++groupi)
    {
        lbm::linkGroup& group = description_.groups[groupi];
        group.held = held[groupi];

        for (std::size_t l = 0; l < group.held.size(); ++l)
        {
            if (group.held[l])
            {
                nodes.insert(group.node[l]);
            }
        }
    }

    overlay_.nHeld = nodes.size();
    reduce(overlay_.nHeld, sumOp<std::int64_t>());
}


// ************************************************************************* //
