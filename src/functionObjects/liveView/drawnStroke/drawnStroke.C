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

#include "drawnStroke.H"
#include "latticeMapping.H"
#include "DynamicList.H"

// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::labelList Foam::drawnStroke::nodes
(
    const latticeMapping& mapping,
    const place& from,
    const place& to,
    const scalar radius
)
{
    const lbm::latticeDescription& d = mapping.description();
    const label nDims = mapping.twoD() ? 2 : 3;

    // Half the diagonal of a square of nodes: some node is always nearer
    const scalar r = max(radius, 0.5*std::sqrt(2.0));

    std::array<std::int64_t, 3> first{0, 0, 0}, last{0, 0, 0};

    for (label a = 0; a < nDims; ++a)
    {
        const scalar lower = std::floor(min(from[a], to[a]) - r);
        const scalar upper = std::ceil(max(from[a], to[a]) + r);

        if (upper < 0 || lower > d.size[a] - 1)
        {
            return labelList();
        }

        first[a] = max(scalar(0), lower);
        last[a] = min(scalar(d.size[a] - 1), upper);
    }

    scalar lengthSqr = 0;
    for (label a = 0; a < nDims; ++a)
    {
        lengthSqr += sqr(to[a] - from[a]);
    }

    DynamicList<label> result;

    for (std::int64_t k = first[2]; k <= last[2]; ++k)
    {
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
        {
            for (std::int64_t i = first[0]; i <= last[0]; ++i)
            {
                const std::array<scalar, 3> x{scalar(i), scalar(j), scalar(k)};

                scalar along = 0;
                for (label a = 0; a < nDims; ++a)
                {
                    along += (x[a] - from[a])*(to[a] - from[a]);
                }
                const scalar part =
                    lengthSqr > 0
                  ? min(scalar(1), max(scalar(0), along/lengthSqr))
                  : 0;

                scalar distanceSqr = 0;
                for (label a = 0; a < nDims; ++a)
                {
                    distanceSqr +=
                        sqr(x[a] - from[a] - part*(to[a] - from[a]));
                }

                if (distanceSqr > sqr(r))
                {
                    continue;
                }

                const label node = mapping.fluidIndex(d.boxIndex(i, j, k));

                if (node >= 0)
                {
                    result.append(node);
                }
            }
        }
    }

    return labelList(std::move(result));
}


// ************************************************************************* //
