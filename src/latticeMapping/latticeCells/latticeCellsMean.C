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

#include "latticeCellsFunctions.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Volumes of nodes of this process in cubes of the spacing, of those where it
//  is not 1, in ascending order: along each axis half a spacing to both sides,
//  or as far as the boundary
std::vector<std::pair<label, float>> volumesOf
(
    const latticeMapping& mapping,
    const overlayMesh& overlay
)
{
    const auto directions = lbm::directions(mapping.lattice());

    struct part
    {
        label node;
        int axis;
        float distance;
    };
    std::vector<part> parts;

    for (const lbm::linkGroup& group : mapping.description().groups)
    {
        for (std::size_t l = 0; l < group.distance.size(); ++l)
        {
            const auto& c = directions[group.direction[l]];

            for (int a = 0; a < 3; ++a)
            {
                if (c[a] && !c[(a + 1) % 3] && !c[(a + 2) % 3])
                {
                    const std::int64_t number =
                        overlay.fluid().number(overlay.placeOf(group.node[l]));

                    parts.push_back
                    ({
                        label(overlay.ownNumber(number)),
                        a,
                        group.distance[l]
                    });
                }
            }
        }
    }

    // In the order of the groups
    std::stable_sort
    (
        parts.begin(),
        parts.end(),
        [](const part& a, const part& b) { return a.node < b.node; }
    );

    std::vector<std::pair<label, float>> volumes;

    for (auto p = parts.cbegin(); p != parts.cend(); )
    {
        const label node = p->node;
        std::array<float, 3> l{1, 1, 1};

        for (; p != parts.cend() && p->node == node; ++p)
        {
            l[p->axis] += p->distance - 0.5;
        }
        volumes.push_back({node, l[0]*l[1]*l[2]});
    }

    return volumes;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

namespace Foam
{

boolList cellsInCorners(const fvMesh& mesh)
{
    // cos 30 degrees
    constexpr scalar alike = 0.87;

    boolList result(mesh.nCells(), false);
    vectorField first(mesh.nCells(), Zero);

    for (const fvPatch& patch : mesh.boundary())
    {
        if (patch.coupled())
        {
            continue;
        }

        const vectorField n(patch.nf());

        forAll(n, i)
        {
            const label celli = patch.faceCells()[i];

            if (first[celli] == vector::zero)
            {
                first[celli] = n[i];
            }
            else if ((first[celli] & n[i]) < alike)
            {
                result[celli] = true;
            }
        }
    }

    return result;
}


std::vector<float> meanWeights
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const vectorField& x,
    boolList& hasMean
)
{
    const labelList& nodeCells = mapping.nodeCells();
    const bool twoD = mapping.twoD();
    const label fewest = twoD ? 4 : 8;

    const std::vector<std::pair<label, float>> volumes
    (
        volumesOf(mapping, overlay)
    );

    const auto forNodes = [&](const auto& visit)
    {
        auto next = volumes.begin();

        forOwn
        (
            overlay,
            [&](const label node, label, const vector& place)
            {
                float volume = 1;
                if (next != volumes.end() && next->first == node)
                {
                    volume = next->second;
                    ++next;
                }

                const label celli = nodeCells[node];
                visit(node, celli, volume, place - x[celli]);
            }
        );
    };

    labelList n(x.size(), Zero);
    scalarField V(x.size(), Zero);
    vectorField dMean(x.size(), Zero);
    symmTensorField M(x.size(), Zero);

    forNodes
    ([&](const label, const label celli, const scalar v, const vector& d)
    {
        ++n[celli];
        V[celli] += v;
        dMean[celli] += v*d;
        M[celli] += v*sqr(d);
    });

    // dMean becomes M^-1.dMean/V, rest the part of w/v without d
    scalarField rest(x.size(), Zero);
    bool any = false;

    hasMean.setSize(x.size(), false);

    forAll(x, celli)
    {
        if (n[celli] < fewest)
        {
            continue;
        }

        dMean[celli] /= V[celli];

        symmTensor m(M[celli]/V[celli] - sqr(dMean[celli]));
        if (twoD)
        {
            m.zz() = 1;
        }

        // The least that nodes must lie apart in any direction
        const scalar flat = 0.01;
        const scalar size = tr(m)/3;

        if (det(m) > pow3(flat*size) && size > flat)
        {
            const vector b(inv(m) & dMean[celli]);

            hasMean[celli] = true;
            rest[celli] = (1 + (b & dMean[celli]))/V[celli];
            dMean[celli] = b/V[celli];
        }
    }

    std::vector<float> weights(nodeCells.size(), 0);

    forNodes
    ([&](const label node, const label celli, const float v, const vector& d)
    {
        if (hasMean[celli])
        {
            weights[node] = v*(rest[celli] - (dMean[celli] & d));

            if (weights[node] < 0)
            {
                hasMean[celli] = false;
            }
        }
    });

    forAll(nodeCells, node)
    {
        if (hasMean[nodeCells[node]])
        {
            any = true;
        }
        else
        {
            weights[node] = 0;
        }
    }

    return any ? weights : std::vector<float>();
}

} // End namespace Foam


// ************************************************************************* //
