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
#include "latticeMemory.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
