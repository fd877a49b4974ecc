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

#include "volumeSample.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::volumeSample::volumeSample(const latticeFlow& flow, const label most)
:
    latticeSample(flow),
    stride_(1)
{
    const latticeMapping& mapping = flow.mapping();
    const auto& size = mapping.description().wholeSize;

    const auto n = [&](const label d)
    {
        return (size[axis_[d]] + stride_ - 1)/stride_;
    };

    for (direction d = 0; d < 3; ++d)
    {
        axis_[d] = mapping.axes().find(d);
    }

    while (std::int64_t(n(0))*n(1)*n(2) > most)
    {
        ++stride_;
    }

    box_.nx = n(0);
    box_.ny = n(1);
    box_.nz = n(2);
    box_.spacing = stride_*mapping.dx();

    const point origin(mapping.centreAt({0, 0, 0}));
    for (direction d = 0; d < 3; ++d)
    {
        box_.origin[d] = origin[d];
    }

    std::vector<coordinates> places;
    places.reserve(std::size_t(box_.nx)*box_.ny*box_.nz);

    for (label k = 0; k < box_.nz; ++k)
    {
        for (label j = 0; j < box_.ny; ++j)
        {
            for (label i = 0; i < box_.nx; ++i)
            {
                coordinates x;
                x[axis_[0]] = i*stride_;
                x[axis_[1]] = j*stride_;
                x[axis_[2]] = k*stride_;
                places.push_back(x);
            }
        }
    }

    sample(places);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

const lbmView::volumeValues& Foam::volumeSample::evaluate
(
    const float* values,
    const std::vector<std::uint8_t>& contents,
    const scalar velocity
)
{
    box_.kind = contents;
    box_.U.assign(3*contents.size(), 0);

    for (std::size_t i = 0; i < contents.size(); ++i)
    {
        if (contents[i] == FLUID)
        {
            const float* const v = at(values, i);

            for (direction d = 0; d < 3; ++d)
            {
                box_.U[3*i + d] = velocity*v[1 + axis_[d]];
            }
        }
    }

    return box_;
}


// ************************************************************************* //
