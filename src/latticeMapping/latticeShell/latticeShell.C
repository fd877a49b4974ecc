/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam.

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

#include "latticeShell.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

latticeShell::nodeKind kindOf(const std::string& linkType)
{
    return
        linkType == "cyclic" ? latticeShell::CYCLIC
      : linkType == "slip" ? latticeShell::SLIP
      : linkType == "pressure" ? latticeShell::PRESSURE
      : lbm::givesVelocity(linkType) ? latticeShell::VELOCITY
      : latticeShell::WALL;
}


//- Take what a link, or another node in the same place, adds
void combine(latticeShell::node& a, const latticeShell::node& b)
{
    a.kind = std::max(a.kind, b.kind);
    a.stopped |= b.stopped;

    if (b.distance >= 0 && (a.distance < 0 || b.distance < a.distance))
    {
        a.distance = b.distance;
        a.patch = b.patch;
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeShell::latticeShell
(
    const lbm::latticeDescription& description,
    const std::string& lattice,
    const labelUList& groupPatches,
    const std::vector<moreLinks>& more
)
{
    std::vector<float> length;
    std::vector<std::uint8_t> side;

    for (const std::array<int, 3>& c : lbm::directions(lattice))
    {
        const int square = c[0]*c[0] + c[1]*c[1] + c[2]*c[2];
        const int axis = c[0] ? 0 : c[1] ? 1 : 2;

        length.push_back(std::sqrt(float(square)));
        side.push_back(square == 1 ? 1u << (2*axis + (c[axis] > 0)) : 0);
    }

    for (std::size_t groupi = 0; groupi < description.groups.size(); ++groupi)
    {
        const lbm::linkGroup& group = description.groups[groupi];
        const nodeKind kind = kindOf(group.type);

        const std::size_t first = nodes_.size();

        const auto add = [&]
        (
            const std::int64_t boxi,
            const std::uint8_t direction,
            const float q
        )
        {
            const node n
            {
                boxi,
                q < 0 ? q : q*length[direction],
                groupPatches[groupi],
                kind,
                side[direction]
            };

            // The links of a node often follow one another
            if (nodes_.size() > first && nodes_.back().index == n.index)
            {
                combine(nodes_.back(), n);
            }
            else
            {
                nodes_.push_back(n);
            }
        };

        for (std::size_t l = 0; l < group.size(); ++l)
        {
            const float q =
                kind == CYCLIC ? -1
              : group.distance.empty() ? 0.5f
              : group.distance[l];

            add(group.node[l], group.direction[l], q);
        }

        if (groupi < more.size())
        {
            const moreLinks& links = more[groupi];

            for (std::size_t l = 0; l < links.node.size(); ++l)
            {
                add(links.node[l], links.direction[l], -1);
            }
        }
    }

    std::stable_sort
    (
        nodes_.begin(),
        nodes_.end(),
        [](const node& a, const node& b) { return a.index < b.index; }
    );

    auto last = nodes_.begin();

    for (auto iter = nodes_.begin(); iter != nodes_.end(); ++iter)
    {
        if (iter == nodes_.begin())
        {
            continue;
        }

        if (iter->index == last->index)
        {
            combine(*last, *iter);
        }
        else
        {
            *++last = *iter;
        }
    }

    if (!nodes_.empty())
    {
        nodes_.erase(last + 1, nodes_.end());
        nodes_.shrink_to_fit();
    }
}


// ************************************************************************* //
