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
#include "PstreamReduceOps.H"

#include <algorithm>
#include <numeric>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

typedef std::array<std::int64_t, 3> place;
typedef std::array<int, 3> latticeVector;


//- The axes along which a direction steps, in all orders
static std::vector<std::vector<int>> axisOrders(const latticeVector& c)
{
    std::vector<int> order;
    for (int a = 0; a < 3; ++a)
    {
        if (c[a])
        {
            order.push_back(a);
        }
    }

    std::vector<std::vector<int>> orders;
    do
    {
        orders.push_back(order);
    }
    while (std::next_permutation(order.begin(), order.end()));

    return orders;
}


//- Walks from node to node, along the axes and through the faces of the mesh
class nodeWalker
{
public:

    //- Where a population goes that leaves a node
    struct destination
    {
        enum { STREAMS, CYCLIC, BLOCKED } fate;

        //- Node at which it arrives, unless it is blocked
        place node;

        //- First coupled face that it crosses
        label crossed;

        //- The face that has the link if it is blocked, and would have it
        //  without coupled patches; -1 if there is none
        label blocking;
    };


private:

    const conformingMesh& cells_;
    const wholeBoundary& boundary_;
    const PtrList<latticePatch>& patches_;

    //- By patch with several ranks: that of each face
    const labelListList& ranks_;

    //- By patch of given velocity: square of the speed of each face
    List<scalarField> speeds_;

    //- Nodes along the edges of a cell
    place n_;

    std::vector<latticeVector> directions_;
    std::vector<std::vector<std::vector<int>>> orders_;

    //- For coupled patches: cells between the one reached and the place next
    //  to the one left
    std::vector<place> offsets_;


    //- Centre of a place, with n of them along the edge of a cell [m]
    point centre(const place& p, const label n) const
    {
        point x(cells_.origin());

        for (int a = 0; a < cells_.nDims(); ++a)
        {
            x[cells_.axes()[a]] += (p[a] + 0.5)*cells_.cellSize()/n;
        }

        return x;
    }

    //- Find the offset of a coupled patch, which all of its faces share
    void setOffset
    (
        const label patchi,
        const std::vector<std::int64_t>& facePlaces
    );

    //- Is the first face to have the link, rather than the second?
    //  -1 stands for none
    bool precedes
    (
        const label face,
        const bool atNode,
        const label other,
        const bool otherAtNode
    ) const;


public:

    nodeWalker
    (
        const conformingMesh& cells,
        const wholeBoundary& boundary,
        const PtrList<latticePatch>& patches,
        const labelListList& ranks,
        const volVectorField& U,
        const label refinement,
        const std::vector<latticeVector>& directions
    );

    label patchOf(const label facei) const
    {
        return boundary_.patchOf(facei);
    }

    label rankOf(const label facei) const
    {
        const label patchi = patchOf(facei);

        return
            ranks_[patchi].empty()
          ? patches_[patchi].rank()
          : ranks_[patchi][facei - boundary_.start(patchi)];
    }

    const place& nodesOfCell() const
    {
        return n_;
    }

    //- Where a population goes
    destination walk(const place& node, const int direction) const;

    //- The same, but a coupled node must lead back
    destination link(const place& node, const int direction) const;
};


nodeWalker::nodeWalker
(
    const conformingMesh& cells,
    const wholeBoundary& boundary,
    const PtrList<latticePatch>& patches,
    const labelListList& ranks,
    const volVectorField& U,
    const label refinement,
    const std::vector<latticeVector>& directions
)
:
    cells_(cells),
    boundary_(boundary),
    patches_(patches),
    ranks_(ranks),
    speeds_(patches.size()),
    n_{refinement, refinement, cells.twoD() ? 1 : refinement},
    directions_(directions),
    orders_(directions.size()),
    offsets_(patches.size(), place{0, 0, 0})
{
    for (std::size_t q = 1; q < directions.size(); ++q)
    {
        orders_[q] = axisOrders(directions[q]);
    }

    bool coupled = false;
    forAll(patches_, patchi)
    {
        coupled =
            coupled || (patches_.set(patchi) && patches_[patchi].coupled());

        if
        (
            patches_.set(patchi)
         && patches_[patchi].rank() >= latticePatch::INLET
        )
        {
            const vectorField& Up = U.boundaryField()[patchi];

            speeds_[patchi] =
                boundary.gather(patchi, scalarField(magSqr(Up)));
        }
    }

    if (coupled)
    {
        std::vector<std::int64_t> facePlaces
        (
            boundary.start(boundary.nPatches()) - boundary.start(0),
            -1
        );

        for (const auto& keyFace : cells.boundaryFaces())
        {
            facePlaces[keyFace.second - boundary.start(0)] = keyFace.first;
        }

        forAll(patches_, patchi)
        {
            if (patches_.set(patchi) && patches_[patchi].coupled())
            {
                setOffset(patchi, facePlaces);
            }
        }
    }
}


void nodeWalker::setOffset
(
    const label patchi,
    const std::vector<std::int64_t>& facePlaces
)
{
    const label nbr = patches_[patchi].neighbPatch();
    const label first = boundary_.start(0);

    for (label i = 0; i < boundary_.size(patchi); ++i)
    {
        const std::int64_t here =
            facePlaces[boundary_.start(patchi) + i - first];
        const std::int64_t there =
            facePlaces[boundary_.start(nbr) + i - first];

        const int side = here % 8;

        place from(cells_.placeOf(here/8));
        from[side/2] += side % 2 ? 1 : -1;

        const place to(cells_.placeOf(there/8));
        const place offset{to[0] - from[0], to[1] - from[1], to[2] - from[2]};

        if (there % 8 != (side ^ 1) || (i > 0 && offset != offsets_[patchi]))
        {
            FatalErrorInFunction
                << "Face " << i << " of cyclic patch "
                << patches_[patchi].patch().name() << ", of the cell at "
                << centre(cells_.placeOf(here/8), 1) << " m, goes on at "
                << centre(to, 1) << " m on patch "
                << patches_[nbr].patch().name() << ", another way than the first face of the patch" << nl
                << "    Possible are cyclic patches whose other half is the"
                << " same, shifted along an axis" << nl
                << exit(FatalError);
        }

        offsets_[patchi] = offset;
    }
}


bool nodeWalker::precedes
(
    const label face,
    const bool atNode,
    const label other,
    const bool otherAtNode
) const
{
    if (other == -1 || face == other)
    {
        return other == -1;
    }

    const label patchi = patchOf(face);
    const label patchj = patchOf(other);

    const label ranki = rankOf(face);
    const label rankj = rankOf(other);

    if (ranki != rankj)
    {
        return ranki > rankj;
    }

    // A face of the node's own cell: along a plane wall, links then see the
    // same velocity to either side
    if (atNode != otherAtNode)
    {
        return atNode;
    }

    const auto speed = [&](const label facei, const label patchk)
    {
        return
            patches_[patchk].rank() >= latticePatch::INLET
          ? speeds_[patchk][facei - boundary_.start(patchk)]
          : 0;
    };

    const scalar speedi = speed(face, patchi);
    const scalar speedj = speed(other, patchj);

    return speedi < speedj || (speedi == speedj && face < other);
}


nodeWalker::destination nodeWalker::walk
(
    const place& node,
    const int direction
) const
{
    const latticeVector& c = directions_[direction];

    destination result{destination::BLOCKED, node, -1, -1};
    bool blockedAtNode = false;

    for (const std::vector<int>& order : orders_[direction])
    {
        place at(node);
        label crossed = -1;
        bool free = true;
        bool first = true;

        for (const int a : order)
        {
            place cell;
            for (int b = 0; b < 3; ++b)
            {
                cell[b] = at[b]/n_[b];
            }

            const bool positive = c[a] > 0;
            const bool leaves =
                at[a] % n_[a] == (positive ? n_[a] - 1 : 0);

            at[a] += c[a];

            const label facei =
                leaves
              ? cells_.boundaryFace(cell, a, positive)
              : -1;

            if (facei != -1)
            {
                const label patchi = patchOf(facei);

                if (!patches_[patchi].coupled())
                {
                    if (precedes(facei, first, result.blocking, blockedAtNode))
                    {
                        result.blocking = facei;
                        blockedAtNode = first;
                    }
                    free = false;
                    break;
                }

                for (int b = 0; b < 3; ++b)
                {
                    at[b] += n_[b]*offsets_[patchi][b];
                }

                if (crossed == -1)
                {
                    crossed = facei;
                }
            }

            first = false;
        }

        if (free && crossed == -1)
        {
            return destination{destination::STREAMS, at, -1, -1};
        }

        if (free && result.crossed == -1)
        {
            result.fate = destination::CYCLIC;
            result.node = at;
            result.crossed = crossed;
        }
    }

    return result;
}


nodeWalker::destination nodeWalker::link
(
    const place& node,
    const int direction
) const
{
    destination result(walk(node, direction));

    if (result.fate == destination::CYCLIC)
    {
        const destination back
        (
            walk(result.node, direction % 2 ? direction + 1 : direction - 1)
        );

        if (back.fate != destination::CYCLIC || back.node != node)
        {
            // The other node has a neighbour in its own part of the mesh
            if (result.blocking == -1)
            {
                FatalErrorInFunction
                    << "Two ways lead from the other side of cyclic patch "
                    << patches_[patchOf(result.crossed)].patch().name()
                    << " back to this one, near " << centre(node, n_[0])
                    << " m" << nl
                    << exit(FatalError);
            }

            result.fate = destination::BLOCKED;
        }
    }

    return result;
}


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


// ************************************************************************* //
