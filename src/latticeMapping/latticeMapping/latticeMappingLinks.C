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
#include "conformingMesh.H"
#include "cutLinks.H"
#include "nodeWalker.H"
#include "PstreamReduceOps.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

static bool isAlongAxis(const latticeVector& c)
{
    return mag(c[0]) + mag(c[1]) + mag(c[2]) == 1;
}


//- Mark the nodes from which a population can meet a boundary face: those next
//  to it, and those from which an oblique step leads past them
static std::vector<std::uint64_t> markNodes
(
    const conformingMesh& cells,
    const nodeWalker& walker,
    const lbm::latticeDescription& description,
    const std::vector<latticeVector>& directions
)
{
    const place& n = walker.nodesOfCell();
    const place& size = description.size;
    const place& origin = description.origin;

    std::vector<std::uint64_t> marked(description.fluid.size()/64 + 1, 0);

    for (const auto& keyFace : cells.boundaryFaces())
    {
        const int side = keyFace.first % 8;
        const int axis = side/2;
        const int sign = side % 2 ? 1 : -1;

        place low(cells.placeOf(keyFace.first/8));
        place count(n);
        for (int a = 0; a < 3; ++a)
        {
            low[a] *= n[a];
        }
        low[axis] += sign > 0 ? n[axis] - 1 : 0;
        count[axis] = 1;

        for (const latticeVector& c : directions)
        {
            if (c[axis] != sign)
            {
                continue;
            }

            // The step along the axis comes after any of the other ones
            latticeVector before;
            for (int bits = 0; bits < 8; ++bits)
            {
                bool possible = true;
                for (int a = 0; a < 3; ++a)
                {
                    const bool taken = bits & (1 << a);
                    before[a] = taken ? c[a] : 0;
                    possible = possible && !(taken && (a == axis || !c[a]));
                }

                if (!possible)
                {
                    continue;
                }

                place at;
                for (at[2] = low[2]; at[2] < low[2] + count[2]; ++at[2])
                for (at[1] = low[1]; at[1] < low[1] + count[1]; ++at[1])
                for (at[0] = low[0]; at[0] < low[0] + count[0]; ++at[0])
                {
                    place node;
                    bool inside = true;
                    for (int a = 0; a < 3; ++a)
                    {
                        node[a] = at[a] - before[a] - origin[a];
                        inside = inside && node[a] >= 0 && node[a] < size[a];
                    }

                    if (inside)
                    {
                        const std::int64_t i =
                            description.boxIndex(node[0], node[1], node[2]);

                        marked[i/64] |= std::uint64_t(1) << (i % 64);
                    }
                }
            }
        }
    }

    return marked;
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::setLinks
(
    const conformingMesh& cells,
    const volVectorField& U
)
{
    const std::vector<latticeVector> directions(lbm::directions(lattice()));

    const nodeWalker walker
    (
        cells,
        boundary_,
        patches_,
        faceRanks_,
        U,
        refinement_,
        directions
    );

    const std::vector<std::uint64_t> marked
    (
        markNodes(cells, walker, description_, directions)
    );

    const auto isMarked = [&](const std::int64_t boxi)
    {
        return marked[boxi/64] & (std::uint64_t(1) << (boxi % 64));
    };

    axisLinks_.clear();
    groupLinks_.setSize(groupPatches_.size(), 0);
    cyclicHalos_.resize(groupPatches_.size());

    const auto processOf = [&](const place& node)
    {
        const place& n = walker.nodesOfCell();

        return cells.processOf({node[0]/n[0], node[1]/n[1], node[2]/n[2]});
    };

    cutLinks cuts(*this, processOf);

    std::vector<nodeWalker::destination> ways(directions.size());
    std::vector<label> faces(directions.size(), -1);
    std::vector<std::size_t> like;

    nShell_ = 0;

    const auto setNode = [&](const std::int64_t boxi)
    {
        const place node(coordinates(boxi));

        for (std::size_t q = 1; q < directions.size(); ++q)
        {
            ways[q] = walker.link(node, q);
            faces[q] =
                ways[q].fate == nodeWalker::destination::BLOCKED
              ? ways[q].blocking
              : -1;
        }

        openEdges(directions, faces, like);

        bool shell = false;
        bool ghosts = false;

        for (std::size_t q = 1; q < directions.size(); ++q)
        {
            const nodeWalker::destination& to = ways[q];

            const bool cyclic = to.fate == nodeWalker::destination::CYCLIC;

            if (to.fate != nodeWalker::destination::BLOCKED)
            {
                if (!cuts.own(to.node))
                {
                    cuts.add(node, q, to.node);

                    if (cyclic)
                    {
                        const label groupi = groupOf(to.crossed);

                        ++groupLinks_[groupi];
                        cyclicHalos_[groupi].node.push_back(boxi);
                        cyclicHalos_[groupi].direction.push_back(q);
                        shell = true;
                    }
                    continue;
                }
                else if (!cyclic)
                {
                    continue;
                }
            }

            const label facei = cyclic ? to.crossed : faces[like[q]];

            lbm::linkGroup& group = description_.groups[groupOf(facei)];

            group.node.push_back(boxi);
            group.direction.push_back(q);

            if (cyclic)
            {
                group.partner.push_back(ownIndex(to.node));
            }
            else
            {
                addFace(group, facei);

                if (isAlongAxis(directions[q]))
                {
                    axisLinks_.push_back
                    ({
                        boxi, faces[q], 0.5f, std::uint8_t(q)
                    });
                }
            }

            shell = true;
            ghosts = ghosts || lbm::hasGhostNodes(group.type);
        }

        for (std::size_t q = 1; ghosts && q < directions.size(); ++q)
        {
            if
            (
                ways[q].fate != nodeWalker::destination::BLOCKED
             && !cuts.own(ways[q].node)
            )
            {
                cuts.addRemote(node, directions[q], ways[q].node);
            }
        }

        nShell_ += shell;
    };

    for (std::size_t word = 0; word < marked.size(); ++word)
    {
        for (int bit = 0; marked[word] && bit < 64; ++bit)
        {
            const std::int64_t boxi = 64*std::int64_t(word) + bit;

            if
            (
                (marked[word] & (std::uint64_t(1) << bit))
             && description_.fluid[boxi]
            )
            {
                setNode(boxi);
            }
        }
    }

    // Away from boundaries populations stream
    const place& n = walker.nodesOfCell();

    for (const auto& cell : cells.cutCells())
    {
        if (cell.second != Pstream::myProcNo())
        {
            continue;
        }

        const place first(cells.placeOf(cell.first));

        place at;
        for (at[2] = 0; at[2] < n[2]; ++at[2])
        for (at[1] = 0; at[1] < n[1]; ++at[1])
        for (at[0] = 0; at[0] < n[0]; ++at[0])
        {
            const place node
            {
                n[0]*first[0] + at[0],
                n[1]*first[1] + at[1],
                n[2]*first[2] + at[2]
            };

            if (isMarked(ownIndex(node)))
            {
                continue;
            }

            for (std::size_t q = 1; q < directions.size(); ++q)
            {
                const latticeVector& c = directions[q];
                const place to{node[0] + c[0], node[1] + c[1], node[2] + c[2]};

                if (!cuts.own(to))
                {
                    cuts.add(node, q, to);
                }
            }
        }
    }

    reduce(nShell_, sumOp<std::int64_t>());

    if (Pstream::parRun())
    {
        cuts.finish();
    }
}


void Foam::latticeMapping::setLinks
(
    const overlayMesh& overlay,
    const labelUList& seeds,
    std::vector<lbm::linkGroup>& others
)
{
    const std::vector<latticeVector> directions(lbm::directions(lattice()));
    std::vector<label> faces(directions.size());
    std::vector<float> distances(directions.size());
    std::vector<std::size_t> like;

    // Over all processes: do all links of a group meet it half-way?
    std::vector<std::uint8_t> halfWay(description_.groups.size(), 1);

    for (const lbm::linkGroup& group : description_.groups)
    {
        others.emplace_back();
        others.back().type = group.type;
    }

    // What fits of values in the cells reach
    place begin, end;
    overlay.bound(begin, end);

    for (const label seed : seeds)
    {
        if (seed != -1 && overlay.ownNumber(seed) == -1)
        {
            const place p(overlay.fluid().placeOf(seed));

            for (int a = 0; a < 3; ++a)
            {
                begin[a] = min(begin[a], p[a]);
                end[a] = max(end[a], p[a] + 1);
            }
        }
    }

    const auto isOwn = [&](const place& p)
    {
        return
            !Pstream::parRun()
         || overlay.ownNumber(overlay.fluid().number(p)) != -1;
    };

    const auto isNear = [&](const place& p)
    {
        bool result = true;
        for (int a = 0; a < 3; ++a)
        {
            result =
                result
             && p[a] >= begin[a] - latticeCells::reach
             && p[a] < end[a] + latticeCells::reach;
        }
        return result;
    };

    nShell_ = 0;
    axisLinks_.clear();

    // Those of a node lie one after the other
    const auto& links = overlay.links();
    for (std::size_t first = 0, last = 0; first < links.size(); first = last)
    {
        std::fill(faces.begin(), faces.end(), -1);

        while (last < links.size() && links[last].node == links[first].node)
        {
            const overlayMesh::link& link = links[last++];

            if (description_.groups[groupOf(link.face)].type != "cyclic")
            {
                faces[link.direction] = link.face;
                distances[link.direction] = link.distance;
            }
        }

        openEdges(directions, faces, like);

        const place p(overlay.placeOf(links[first].node));
        const bool near = isNear(p);
        const bool own = near && isOwn(p);

        for (std::size_t i = first; i < last; ++i)
        {
            const overlayMesh::link& link = links[i];
            const std::size_t q = like[link.direction];
            const label facei = faces[q] == -1 ? link.face : faces[q];
            const label groupi = groupOf(facei);

            lbm::linkGroup& group =
                own ? description_.groups[groupi] : others[groupi];

            // A wall may stand in for a cyclic partner that is missing
            const bool cyclic = group.type == "cyclic";

            if (!cyclic && distances[q] != 0.5f)
            {
                halfWay[groupi] = 0;
            }

            if (!near)
            {
                continue;
            }

            group.node.push_back(link.node);
            group.direction.push_back(link.direction);

            if (cyclic)
            {
                group.partner.push_back(link.partner);
            }
            else
            {
                group.distance.push_back(distances[q]);

                addFace(group, facei);

                if (own && isAlongAxis(directions[link.direction]))
                {
                    axisLinks_.push_back
                    ({
                        link.node, link.face, link.distance, link.direction
                    });
                }
            }
        }

        ++nShell_;
    }

    forAll(groupPatches_, groupi)
    {
        if (halfWay[groupi])
        {
            description_.groups[groupi].distance = std::vector<float>();
            others[groupi].distance = std::vector<float>();
        }
    }
}


// ************************************************************************* //
