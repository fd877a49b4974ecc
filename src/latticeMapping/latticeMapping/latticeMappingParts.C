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
#include "checksum.H"
#include "cutLinks.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::int64_t Foam::latticeMapping::wholeIndex
(
    const std::array<std::int64_t, 3>& node
) const
{
    const std::array<std::int64_t, 3>& size = description_.wholeSize;

    return node[0] + size[0]*(node[1] + size[1]*node[2]);
}


std::int64_t Foam::latticeMapping::ownIndex
(
    const std::array<std::int64_t, 3>& node
) const
{
    std::int64_t result = 0;

    for (int a = 2; a >= 0; --a)
    {
        const std::int64_t x = node[a] - description_.origin[a];

        if (x < 0 || x >= description_.size[a])
        {
            return -1;
        }
        result = x + description_.size[a]*result;
    }

    return result;
}


std::array<std::int64_t, 3> Foam::latticeMapping::coordinates
(
    const std::int64_t i
) const
{
    const std::array<std::int64_t, 3>& size = description_.size;
    const std::array<std::int64_t, 3>& origin = description_.origin;

    return
    {
        origin[0] + i % size[0],
        origin[1] + (i/size[0]) % size[1],
        origin[2] + i/(size[0]*size[1])
    };
}


void Foam::latticeMapping::takePart(const std::vector<int>& nodeProcesses)
{
    const int proci = Pstream::myProcNo();

    std::vector<int> owners(description_.fluid.size(), 0);

    for (std::size_t i = 0, node = 0; i < owners.size(); ++i)
    {
        if (description_.fluid[i])
        {
            owners[i] = nodeProcesses[node++];
        }
    }

    labelList own(nFluid());
    label nOwn = 0;

    forAll(nodeCells_, node)
    {
        if (nodeProcesses[node] == proci)
        {
            own[nOwn] = node;
            nodeCells_[nOwn++] = nodeCells_[node];
        }
    }
    own.setSize(nOwn);
    nodeCells_.setSize(nOwn);

    cells_->keepOwn(own, nodeProcesses);

    DynamicList<axisLink> axisLinks;
    std::vector<std::array<std::int64_t, 3>> places;

    for (const axisLink& link : axisLinks_)
    {
        if (owners[link.node] == proci)
        {
            axisLinks.append(link);
            places.push_back(coordinates(link.node));
        }
    }

    // Those of cyclic patches that are to be links to other processes
    groupLinks_.setSize(groupPatches_.size(), 0);

    forAll(groupLinks_, groupi)
    {
        const lbm::linkGroup& group = description_.groups[groupi];

        for (std::size_t l = 0; l < group.partner.size(); ++l)
        {
            groupLinks_[groupi] +=
                owners[group.node[l]] == proci
             && owners[group.partner[l]] != proci;
        }
    }

    {
        lbm::partition whole
        (
            description_,
            lattice_,
            Pstream::nProcs(),
            std::move(owners)
        );

        lbm::latticeDescription part
        (
            std::move(whole.parts[proci].description)
        );
        part.wholeSize = description_.size;
        description_ = std::move(part);
    }

    axisLinks_.assign(axisLinks.begin(), axisLinks.end());
    for (std::size_t i = 0; i < axisLinks_.size(); ++i)
    {
        axisLinks_[i].node = ownIndex(places[i]);
    }

    stretchBox_.clear();
    stretchFluid_.clear();
    setStretches();
}


void Foam::latticeMapping::setRuns()
{
    // Nodes of a row that follow one another: first and number
    DynamicList<std::int64_t> own(2*stretchBox_.size());

    for (std::size_t i = 0; i < stretchBox_.size(); ++i)
    {
        const std::int64_t end =
            i + 1 < stretchBox_.size() ? stretchFluid_[i + 1] : nFluid();

        std::int64_t box = stretchBox_[i];
        std::int64_t left = end - stretchFluid_[i];

        while (left > 0)
        {
            const std::int64_t n =
                min(left, description_.size[0] - box % description_.size[0]);

            own.append(wholeIndex(coordinates(box)));
            own.append(n);
            box += n;
            left -= n;
        }
    }

    const auto all(allProcesses(List<std::int64_t>(std::move(own))));

    struct stretch
    {
        std::int64_t first;
        std::int64_t count;
        int process;
    };

    std::vector<stretch> stretches;

    forAll(all, proci)
    {
        for (label i = 0; i < all[proci].size(); i += 2)
        {
            stretches.push_back({all[proci][i], all[proci][i + 1], proci});
        }
    }

    std::sort
    (
        stretches.begin(),
        stretches.end(),
        [](const stretch& a, const stretch& b) { return a.first < b.first; }
    );

    nWhole_ = 0;
    std::int64_t nOwn = 0;

    for (const stretch& s : stretches)
    {
        if (s.process == Pstream::myProcNo())
        {
            if
            (
                !runs_.empty()
             && runs_.back().whole + runs_.back().count == nWhole_
            )
            {
                runs_.back().count += s.count;
            }
            else
            {
                runs_.push_back({nWhole_, nOwn, s.count});
            }
            nOwn += s.count;
        }
        nWhole_ += s.count;
    }

    // The flags of the whole box, piece by piece
    constexpr std::int64_t piece = 1 << 20;

    const std::array<std::int64_t, 3>& size = description_.wholeSize;
    const std::int64_t nBox = size[0]*size[1]*size[2];

    std::vector<std::uint8_t> flags;
    auto next = stretches.cbegin();
    lbm::checksum sum;

    for (std::int64_t first = 0; first < nBox; first += piece)
    {
        const std::int64_t end = min(first + piece, nBox);

        flags.assign(end - first, 0);

        while (next != stretches.cend() && next->first < end)
        {
            const std::int64_t last = next->first + next->count;

            std::fill
            (
                flags.begin() + (max(next->first, first) - first),
                flags.begin() + (min(last, end) - first),
                1
            );

            if (last > end)
            {
                break;
            }
            ++next;
        }

        sum.add(flags.data(), flags.size());
    }

    geometryChecksum_ = sum.value();
}


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
    for (axisLink& link : axisLinks_)
    {
        link.node = moved(link.node);
    }
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

    place begin(d.origin);
    place end{0, 0, 0};

    for (const auto& r : remote_)
    {
        for (int a = 0; a < 3; ++a)
        {
            begin[a] = min(begin[a], r.first[a]);
            end[a] = max(end[a], r.first[a] + 1);
        }
    }

    if (!remote_.empty())
    {
        mapping_.extendBox(begin, end);
    }

    // Ask the others for these nodes

    std::map<int, DynamicList<std::int64_t>> asked;
    std::map<int, lbm::remoteNodes> received;

    for (const auto& r : remote_)
    {
        const std::int64_t i = mapping_.ownIndex(r.first);

        d.fluid[i] = lbm::latticeDescription::remote;

        received[r.second.first].node.push_back(i);
        asked[r.second.first].append(r.second.second);
    }

    for (auto& peerNodes : received)
    {
        peerNodes.second.peer = peerNodes.first;
        d.received.push_back(std::move(peerNodes.second));
    }

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    for (const auto& peerNodes : asked)
    {
        UOPstream to(peerNodes.first, buffers);
        to << peerNodes.second;
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, buffers);
            const List<std::int64_t> nodes(from);

            lbm::remoteNodes sent;
            sent.peer = proci;

            const place& size = d.wholeSize;

            for (const std::int64_t i : nodes)
            {
                sent.node.push_back
                (
                    mapping_.ownIndex
                    ({
                        i % size[0],
                        (i/size[0]) % size[1],
                        i/(size[0]*size[1])
                    })
                );
            }

            d.sent.push_back(std::move(sent));
        }
    }
}


// ************************************************************************* //
