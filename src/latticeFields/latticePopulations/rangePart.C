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

#include "rangePart.H"

#include <algorithm>
#include <cstring>

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::rangePart::rangePart
(
    const std::vector<lbm::partition::run>& all,
    const std::int64_t first,
    const std::int64_t nNodes
)
:
    own(0),
    count(0),
    runs()
{
    typedef lbm::partition::run run;

    auto r = std::upper_bound
    (
        all.begin(),
        all.end(),
        first,
        [](const std::int64_t node, const run& b)
        {
            return node < b.whole + b.count;
        }
    );

    for (; r != all.end() && r->whole < first + nNodes; ++r)
    {
        const std::int64_t begin = std::max(r->whole, first);
        const std::int64_t end = std::min(r->whole + r->count, first + nNodes);

        if (runs.empty())
        {
            own = r->own + begin - r->whole;
        }

        runs.push_back(begin - first);
        runs.push_back(end - begin);
        count += end - begin;
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::int64_t Foam::rangePart::toRange
(
    const std::vector<std::int64_t>& runs,
    const std::size_t nodeBytes,
    const char* part,
    char* range
)
{
    std::int64_t n = 0;

    for (std::size_t i = 0; i < runs.size(); i += 2)
    {
        std::memcpy
        (
            range + runs[i]*nodeBytes,
            part + n*nodeBytes,
            runs[i + 1]*nodeBytes
        );
        n += runs[i + 1];
    }

    return n;
}


std::int64_t Foam::rangePart::fromRange
(
    const std::vector<std::int64_t>& runs,
    const std::size_t nodeBytes,
    const char* range,
    char* part
)
{
    std::int64_t n = 0;

    for (std::size_t i = 0; i < runs.size(); i += 2)
    {
        std::memcpy
        (
            part + n*nodeBytes,
            range + runs[i]*nodeBytes,
            runs[i + 1]*nodeBytes
        );
        n += runs[i + 1];
    }

    return n;
}


std::int64_t Foam::rangePart::size
(
    const std::vector<std::int64_t>& runs,
    const std::int64_t nNodes
)
{
    std::int64_t n = 0;
    std::int64_t end = 0;

    for (std::size_t i = 0; i < runs.size(); i += 2)
    {
        if (runs[i] < end || runs[i + 1] < 0 || runs[i] + runs[i + 1] > nNodes)
        {
            return -1;
        }

        end = runs[i] + runs[i + 1];
        n += runs[i + 1];
    }

    return n;
}


// ************************************************************************* //
