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
#include "cutLinks.H"
#include "PstreamBuffers.H"

#include <algorithm>
#include <map>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::extendBox
(
    const std::array<std::int64_t, 3>& begin,
    const std::array<std::int64_t, 3>& end
)
{
    lbm::latticeDescription before(std::move(description_));

    description_ = lbm::latticeDescription();
    description_.wholeSize = before.wholeSize;
    description_.groups = std::move(before.groups);
    description_.halos = std::move(before.halos);
    description_.sent = std::move(before.sent);
    description_.received = std::move(before.received);

    for (int a = 0; a < 3; ++a)
    {
        description_.origin[a] = min(before.origin[a], begin[a]);
        description_.size[a] =
            max(before.origin[a] + before.size[a], end[a])
          - description_.origin[a];
    }

    const std::array<std::int64_t, 3>& size = description_.size;
    const std::array<std::int64_t, 3>& old = before.size;

    description_.fluid.assign(size[0]*size[1]*size[2], 0);

    const auto moved = [&](const std::int64_t i)
    {
        return ownIndex
        ({
            before.origin[0] + i % old[0],
            before.origin[1] + (i/old[0]) % old[1],
            before.origin[2] + i/(old[0]*old[1])
        });
    };

    for (std::size_t row = 0; row < before.fluid.size(); row += old[0])
    {
        std::copy_n
        (
            before.fluid.begin() + row,
            old[0],
            description_.fluid.begin() + moved(row)
        );
    }

    const auto move = [&](std::vector<std::int64_t>& nodes)
    {
        for (std::int64_t& node : nodes)
        {
            node = moved(node);
        }
    };

    for (lbm::linkGroup& group : description_.groups)
    {
        move(group.node);
        move(group.partner);
    }
    for (lbm::haloLinks& halo : description_.halos)
    {
        move(halo.node);
    }
    for (auto* lists : {&description_.sent, &description_.received})
    {
        for (lbm::remoteNodes& remote : *lists)
        {
            move(remote.node);
        }
    }
    for (axisLink& link : axisLinks_)
    {
        link.node = moved(link.node);
    }
    for (latticeShell::moreLinks& links : cyclicHalos_)
    {
        move(links.node);
    }
}


void Foam::latticeMapping::cutLinks::finish()
{
    lbm::latticeDescription& d = mapping_.description_;

    for (auto& peerLinks : links_)
    {
        std::vector<link>& links = peerLinks.second;

        std::sort(links.begin(), links.end());

        lbm::haloLinks halo;
        halo.peer = peerLinks.first;

        for (const link& l : links)
        {
            halo.node.push_back(l.node);
            halo.direction.push_back(l.direction);
        }

        d.halos.push_back(std::move(halo));
    }

    mapping_.receiveNodes(remote_);
}


void Foam::latticeMapping::receiveNodes
(
    const std::map
    <
        std::array<std::int64_t, 3>,
        std::pair<int, std::int64_t>
    >& remote
)
{
    std::array<std::int64_t, 3> begin(description_.origin);
    std::array<std::int64_t, 3> end{0, 0, 0};

    for (const auto& r : remote)
    {
        for (int a = 0; a < 3; ++a)
        {
            begin[a] = min(begin[a], r.first[a]);
            end[a] = max(end[a], r.first[a] + 1);
        }
    }

    if (!remote.empty())
    {
        extendBox(begin, end);
    }

    const auto listOf =
    [](std::vector<lbm::remoteNodes>& lists, const int peer)
    -> std::vector<std::int64_t>&
    {
        for (lbm::remoteNodes& list : lists)
        {
            if (list.peer == peer)
            {
                return list.node;
            }
        }
        lists.emplace_back();
        lists.back().peer = peer;
        return lists.back().node;
    };

    // Ask the others for these nodes

    std::map<int, DynamicList<std::int64_t>> asked;

    for (const auto& r : remote)
    {
        const std::int64_t i = ownIndex(r.first);

        description_.fluid[i] = lbm::latticeDescription::remote;

        listOf(description_.received, r.second.first).push_back(i);
        asked[r.second.first].append(r.second.second);
    }

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    for (const auto& peerNodes : asked)
    {
        UOPstream to(peerNodes.first, buffers);
        to << peerNodes.second;
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    const std::array<std::int64_t, 3>& size = description_.wholeSize;

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, buffers);

            for (const std::int64_t i : List<std::int64_t>(from))
            {
                listOf(description_.sent, proci).push_back
                (
                    ownIndex
                    ({
                        i % size[0],
                        (i/size[0]) % size[1],
                        i/(size[0]*size[1])
                    })
                );
            }
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeMapping::addRemote
(
    const std::vector<std::array<std::int64_t, 3>>& nodes
)
{
    std::map
    <
        std::array<std::int64_t, 3>,
        std::pair<int, std::int64_t>
    > remote;

    for (const auto& node : nodes)
    {
        if (!description_.isRemote(ownIndex(node)))
        {
            remote.emplace
            (
                node, std::make_pair(processOf(node), wholeIndex(node))
            );
        }
    }

    receiveNodes(remote);

    stretchBox_.clear();
    stretchFluid_.clear();
    setStretches();
}


// ************************************************************************* //
