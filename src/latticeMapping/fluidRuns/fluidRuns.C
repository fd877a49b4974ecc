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

#include "fluidRuns.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::fluidRuns::fluidRuns(const place& size)
:
    size_(size),
    rows_(size[1]*size[2] + 1, 0)
{}


Foam::fluidRuns::fluidRuns
(
    const place& size,
    const stretchList& stretches
)
:
    fluidRuns(size)
{
    runs_.reserve(stretches.size());

    std::int64_t rowi = 0;
    std::int64_t n = 0;

    for (const stretch& s : stretches)
    {
        for (; rowi < s.row; ++rowi)
        {
            rows_[rowi + 1] = runs_.size();
        }
        runs_.push_back({s.begin, s.end, n});
        n += s.end - s.begin;
    }
    for (; rowi < nRows(); ++rowi)
    {
        rows_[rowi + 1] = runs_.size();
    }
}


// * * * * * * * * * * * * * * Static Functions  * * * * * * * * * * * * * * //

void Foam::fluidRuns::append
(
    stretchList& stretches,
    const std::int64_t row,
    const std::int64_t begin,
    const std::int64_t end
)
{
    if (begin >= end)
    {
        return;
    }

    if
    (
        !stretches.empty()
     && stretches.back().row == row
     && stretches.back().end == begin
    )
    {
        stretches.back().end = end;
    }
    else
    {
        stretches.push_back({row, std::int32_t(begin), std::int32_t(end)});
    }
}


// * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * * //

Foam::fluidRuns Foam::fluidRuns::clipped
(
    const place& begin,
    const place& end
) const
{
    stretchList stretches;

    for (std::int64_t k = begin[2]; k < end[2]; ++k)
    for (std::int64_t j = begin[1]; j < end[1]; ++j)
    {
        for (const run& r : row(j, k))
        {
            append
            (
                stretches,
                j + size_[1]*k,
                std::max<std::int64_t>(r.begin, begin[0]),
                std::min<std::int64_t>(r.end, end[0])
            );
        }
    }

    return fluidRuns(size_, stretches);
}


// ************************************************************************* //
