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

#include "nodeWalker.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

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


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

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


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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

} // End namespace Foam


// ************************************************************************* //
