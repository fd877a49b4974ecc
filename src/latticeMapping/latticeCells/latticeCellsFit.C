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

#include "neighbourhood.H"

#include <algorithm>
#include <numeric>

namespace Foam
{

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

neighbourhood::neighbourhood
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const std::vector<lbm::linkGroup>& others
)
:
    mapping_(mapping),
    overlay_(overlay),
    groups_(mapping.description().groups),
    others_(others),
    directions_(lbm::directions(mapping.lattice())),
    nDims_(mapping.twoD() ? 2 : 3),
    faceCentres_(mapping.boundary().surface().faceCentres()),
    first_(firstNode(mapping)),
    shellRows_(overlay.fluid().nRows() + 1, 0)
{
    const label nGroups = groups_.size();

    const auto forGroups = [&](const auto& f)
    {
        for (label groupi = 0; groupi < nGroups; ++groupi)
        {
            f(groupi, groups_[groupi]);
            f(nGroups + groupi, others_[groupi]);
        }
    };

    std::size_t nLinks = 0;
    std::size_t nWallLinks = 0;

    const auto isWall = [](const lbm::linkGroup& group)
    {
        return group.type == "wall" || lbm::givesVelocity(group.type);
    };

    forGroups([&](label, const lbm::linkGroup& group)
    {
        nLinks += group.size();
        nWallLinks += isWall(group) ? group.size() : 0;
    });

    shell_.reserve(nLinks);
    wallLinks_.reserve(nWallLinks);

    forGroups([&](const label groupi, const lbm::linkGroup& group)
    {
        // Those of a node lie one after the other
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            if (i == 0 || group.node[i] != group.node[i - 1])
            {
                shell_.push_back(group.node[i]);
            }
            if (isWall(group))
            {
                wallLinks_.push_back({group.node[i], groupi, std::int32_t(i)});
            }
        }
    });

    std::sort(shell_.begin(), shell_.end());
    shell_.erase(std::unique(shell_.begin(), shell_.end()), shell_.end());
    std::sort(wallLinks_.begin(), wallLinks_.end());

    blocked_.resize(shell_.size(), 0);

    forGroups([&](label, const lbm::linkGroup& group)
    {
        std::size_t at = 0;

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            while (shell_[at] != group.node[i])
            {
                ++at;
            }

            const std::array<int, 3>& c = directions_[group.direction[i]];

            if (mag(c[0]) + mag(c[1]) + mag(c[2]) == 1)
            {
                const int axis = c[0] ? 0 : c[1] ? 1 : 2;
                blocked_[at] |= 1u << (2*axis + (c[axis] > 0));
            }
        }
    });

    for (const std::int64_t node : shell_)
    {
        ++shellRows_[node/overlay.size()[0] + 1];
    }
    std::partial_sum
    (
        shellRows_.begin(), shellRows_.end(), shellRows_.begin()
    );
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void neighbourhood::addWalls
(
    const place& p,
    const vector& x,
    const vector& d,
    std::vector<source>& sources
) const
{
    // A velocity is that of the middle of its face; on a face that is far
    // larger than the spacing, it is that of the whole face
    const scalar near = 36;

    const std::int64_t node = overlay_.index(p);

    auto iter = std::lower_bound
    (
        wallLinks_.begin(),
        wallLinks_.end(),
        wallLink{node, 0, 0}
    );

    for (; iter != wallLinks_.end() && iter->node == node; ++iter)
    {
        const std::int32_t nGroups = groups_.size();
        const bool own = iter->group < nGroups;
        const std::int32_t groupi = iter->group - (own ? 0 : nGroups);
        const lbm::linkGroup& group = (own ? groups_ : others_)[groupi];
        const std::array<int, 3>& c = directions_[group.direction[iter->link]];
        const scalar q =
            group.distance.empty() ? 0.5 : group.distance[iter->link];

        source s{d + q*vector(c[0], c[1], c[2]), -1, -1, -1};

        if (lbm::givesVelocity(group.type))
        {
            s.group = groupi;
            s.face =
                mapping_.faceOfLink(s.group, group.face[iter->link]);

            const vector centre
            (
                coordinates
                (
                    faceCentres_
                    [
                        mapping_.boundary().start
                        (
                            mapping_.groupPatches()[s.group]
                        )
                      + s.face
                    ]
                )
              - x
            );

            if (magSqr(centre) < near)
            {
                s.d = centre;
            }
        }

        sources.push_back(s);
    }
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

//- How much a point counts
scalar fitWeight(const vector& d)
{
    return 1/sqr(0.25 + magSqr(d));
}


//- Weights that give the value of a fitted linear function at the origin.
//  \param stiffness against slopes, which decides about those along which
//      the points do not lie apart; constants are fitted as they are
//  \return false if the points do not determine it
bool fit
(
    const std::vector<neighbourhood::source>& sources,
    const int nDims,
    const scalar stiffness,
    std::vector<scalar>& weights
)
{
    const int n = nDims + 1;

    scalar A[4][5] = {};

    weights.resize(sources.size());

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const vector& d = sources[i].d;
        const scalar basis[4] = {1, d[0], d[1], nDims > 2 ? d[2] : 0};

        weights[i] = fitWeight(d);

        for (int r = 0; r < n; ++r)
        {
            for (int c = 0; c < n; ++c)
            {
                A[r][c] += weights[i]*basis[r]*basis[c];
            }
        }
    }

    // Solve for the first column of the inverse
    scalar scale = 0;
    for (int r = 0; r < n; ++r)
    {
        scale = max(scale, A[r][r]);
    }
    for (int r = 1; r < n; ++r)
    {
        A[r][r] += stiffness*scale;
    }

    A[0][n] = 1;

    for (int k = 0; k < n; ++k)
    {
        int pivot = k;
        for (int r = k + 1; r < n; ++r)
        {
            if (mag(A[r][k]) > mag(A[pivot][k]))
            {
                pivot = r;
            }
        }

        if (mag(A[pivot][k]) < 1e-4*scale)
        {
            return false;
        }

        for (int c = k; c <= n; ++c)
        {
            std::swap(A[k][c], A[pivot][c]);
        }

        for (int r = 0; r < n; ++r)
        {
            if (r != k)
            {
                const scalar f = A[r][k]/A[k][k];
                for (int c = k; c <= n; ++c)
                {
                    A[r][c] -= f*A[k][c];
                }
            }
        }
    }

    scalar sumMag = 0;

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const vector& d = sources[i].d;
        const scalar basis[4] = {1, d[0], d[1], nDims > 2 ? d[2] : 0};

        scalar value = 0;
        for (int r = 0; r < n; ++r)
        {
            value += A[r][n]/A[r][r]*basis[r];
        }

        weights[i] *= value;
        sumMag += mag(weights[i]);
    }

    // Far outside of its points, a fit makes more of errors than of values
    return sumMag < 5;
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

//- The same, or weights of a mean
bool fitOrMean
(
    const std::vector<neighbourhood::source>& sources,
    const int nDims,
    std::vector<scalar>& weights
)
{
    if (fit(sources, nDims, 0, weights))
    {
        return true;
    }

    // In a gap with one node across, there is still a slope along it
    if (fit(sources, nDims, 1e-3, weights))
    {
        return false;
    }

    scalar sum = 0;

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        weights[i] = fitWeight(sources[i].d);
        sum += weights[i];
    }
    for (scalar& w : weights)
    {
        w /= sum;
    }

    return false;
}

} // End namespace Foam


// ************************************************************************* //
