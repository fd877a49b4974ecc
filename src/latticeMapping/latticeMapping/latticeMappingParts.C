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
#include "engine/heldLinks.H"
#include "latticeMemory.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"

#include <algorithm>
#include <set>

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


void Foam::latticeMapping::takePart(const overlayMesh& overlay)
{
    typedef std::array<std::int64_t, 3> place;

    const bool parallel = Pstream::parRun();
    const fluidRuns& fluid = overlay.fluid();

    // The box of the nodes; there is none without
    place begin{0, 0, 0};
    place end(overlay.size());

    if (parallel)
    {
        std::swap(begin, end);

        const auto add = [&]
        (
            const place& p,
            std::int64_t,
            const std::int64_t count
        )
        {
            for (int a = 0; a < 3; ++a)
            {
                begin[a] = min(begin[a], p[a]);
                end[a] = max(end[a], p[a] + (a == 0 ? count : 1));
            }
        };

        for (const lbm::partition::run& r : overlay.runs())
        {
            fluid.forNodes(r.whole, r.count, add);
        }

        if (overlay.runs().empty())
        {
            begin = {0, 0, 0};
            end = {1, 1, 1};
        }
    }

    description_.origin = begin;
    for (int a = 0; a < 3; ++a)
    {
        description_.size[a] = end[a] - begin[a];
    }

    const place& size = description_.size;

    checkRoom
    (
        "the nodes of the lattice",
        scalar(size[0])*scalar(size[1])*scalar(size[2])
       *sizeof(decltype(description_.fluid)::value_type)
    );

    description_.fluid.assign(size[0]*size[1]*size[2], 0);

    for (const lbm::partition::run& r : overlay.runs())
    {
        fluid.forNodes
        (
            r.whole,
            r.count,
            [&](const place& p, std::int64_t, const std::int64_t count)
            {
                std::fill_n
                (
                    description_.fluid.begin() + ownIndex(p), count, 1
                );
            }
        );
    }

    if (parallel)
    {
        cutAround(overlay);
    }
}


void Foam::latticeMapping::cutAround(const overlayMesh& overlay)
{
    typedef std::array<std::int64_t, 3> place;

    const fluidRuns& fluid = overlay.fluid();
    const std::vector<std::array<int, 3>> directions
    (
        lbm::directions(lattice())
    );

    const auto moved = [](place p, const std::array<int, 3>& c)
    {
        for (int a = 0; a < 3; ++a)
        {
            p[a] += c[a];
        }
        return p;
    };

    cutLinks cuts(*this, [&](const place& p)
    {
        const std::int64_t n = fluid.number(p);

        return n == -1 ? -1 : overlay.processOf(n);
    });

    // Nodes with ghost nodes, and all links, by node and direction
    std::vector<std::int64_t> ghosts;
    std::vector<std::int64_t> linked;

    const auto key = [](const std::int64_t node, const int direction)
    {
        return 32*node + direction;
    };

    for (const lbm::linkGroup& group : description_.groups)
    {
        for (std::size_t l = 0; l < group.size(); ++l)
        {
            linked.push_back(key(group.node[l], group.direction[l]));
        }
        if (lbm::hasGhostNodes(group.type))
        {
            ghosts.insert
            (
                ghosts.end(),
                group.node.begin(),
                group.node.end()
            );
        }
    }
    std::sort(linked.begin(), linked.end());
    std::sort(ghosts.begin(), ghosts.end());
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());

    const auto isLinked = [&](const place& p, const int direction)
    {
        return std::binary_search
        (
            linked.begin(),
            linked.end(),
            key(overlay.index(p), direction)
        );
    };

    // Ghost nodes read the nodes around
    for (const std::int64_t node : ghosts)
    {
        const place p(overlay.placeOf(node));

        for (std::size_t q = 1; q < directions.size(); ++q)
        {
            const place to(moved(p, directions[q]));

            if (fluid.contains(to) && !cuts.own(to) && !isLinked(p, q))
            {
                cuts.addRemote(p, directions[q], to);
            }
        }
    }

    // Links of this box, and those of cyclic patches to other processes
    groupLinks_.setSize(groupPatches_.size(), 0);
    cyclicHalos_.resize(groupPatches_.size());

    forAll(groupLinks_, groupi)
    {
        lbm::linkGroup& group = description_.groups[groupi];
        std::size_t n = 0;

        for (std::size_t l = 0; l < group.size(); ++l)
        {
            const place p(overlay.placeOf(group.node[l]));
            const int q = group.direction[l];

            if (!group.partner.empty())
            {
                const place to(overlay.placeOf(group.partner[l]));

                if (!cuts.own(to))
                {
                    cuts.add(p, q, to);
                    ++groupLinks_[groupi];
                    cyclicHalos_[groupi].node.push_back(ownIndex(p));
                    cyclicHalos_[groupi].direction.push_back(q);

                    if
                    (
                        std::binary_search
                        (
                            ghosts.begin(), ghosts.end(), group.node[l]
                        )
                    )
                    {
                        cuts.addRemote(p, directions[q], to);
                    }
                    continue;
                }
                group.direction[n] = q;
                group.partner[n] = ownIndex(to);
            }
            group.node[n++] = ownIndex(p);
        }

        if (!group.partner.empty())
        {
            group.direction.resize(n);
            group.partner.resize(n);
            group.node.resize(n);
        }
    }

    for (axisLink& link : axisLinks_)
    {
        link.node = ownIndex(overlay.placeOf(link.node));
    }

    // Nodes of this process, and those of others in rows around
    fluidRuns::stretchList stretches;

    for (const lbm::partition::run& r : overlay.runs())
    {
        fluid.forNodes
        (
            r.whole,
            r.count,
            [&](const place& p, std::int64_t, const std::int64_t count)
            {
                fluidRuns::append
                (
                    stretches,
                    p[1] + fluid.size()[1]*p[2],
                    p[0],
                    p[0] + count
                );
            }
        );
    }
    const fluidRuns own(fluid.size(), stretches);

    const place begin(description_.origin);
    place end;
    for (int a = 0; a < 3; ++a)
    {
        end[a] = begin[a] + description_.size[a];
    }

    stretches.clear();
    for (std::int64_t k = begin[2] - 1; k <= end[2]; ++k)
    for (std::int64_t j = begin[1] - 1; j <= end[1]; ++j)
    {
        fluidRuns::compare
        (
            fluid.row(j, k),
            own.row(j, k),
            0,
            [&]
            (
                const std::int64_t first,
                const std::int64_t last,
                const bool,
                const bool isOwn
            )
            {
                if (!isOwn)
                {
                    fluidRuns::append
                    (
                        stretches,
                        j + fluid.size()[1]*k,
                        max(first, begin[0] - 1),
                        min(last, end[0] + 1)
                    );
                }
            }
        );
    }
    const fluidRuns others(fluid.size(), stretches);

    place p;
    for (p[2] = begin[2]; p[2] < end[2]; ++p[2])
    for (p[1] = begin[1]; p[1] < end[1]; ++p[1])
    {
        for (std::size_t q = 1; q < directions.size(); ++q)
        {
            const std::array<int, 3>& c = directions[q];

            fluidRuns::compare
            (
                own.row(p[1], p[2]),
                others.row(p[1] + c[1], p[2] + c[2]),
                c[0],
                [&]
                (
                    const std::int64_t first,
                    const std::int64_t last,
                    const bool here,
                    const bool there
                )
                {
                    for (p[0] = first; here && there && p[0] < last; ++p[0])
                    {
                        // Walls without thickness have links
                        if (!isLinked(p, q))
                        {
                            cuts.add(p, q, moved(p, c));
                        }
                    }
                }
            );
        }
    }

    cuts.finish();
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

    if (Pstream::parRun())
    {
        stretches_ = std::move(stretches);
    }
}


int Foam::latticeMapping::processOf
(
    const std::array<std::int64_t, 3>& node
) const
{
    if (!Pstream::parRun())
    {
        return description_.isFluid(ownIndex(node)) ? 0 : -1;
    }

    for (int a = 0; a < 3; ++a)
    {
        if (node[a] < 0 || node[a] >= description_.wholeSize[a])
        {
            return -1;
        }
    }

    const std::int64_t i = wholeIndex(node);

    auto s = std::upper_bound
    (
        stretches_.begin(),
        stretches_.end(),
        i,
        [](const std::int64_t i, const stretch& s) { return i < s.first; }
    );

    if (s == stretches_.begin())
    {
        return -1;
    }
    --s;

    return i < s->first + s->count ? s->process : -1;
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
