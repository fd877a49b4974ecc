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

#include "latticeSample.H"
#include "engine.H"
#include "engineCall.H"

// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

void Foam::latticeSample::sample(const std::vector<coordinates>& places)
{
    const latticeMapping& mapping = flow_.mapping();
    const auto& size = mapping.description().size;

    nodes_.assign(places.size(), -1);
    numbers_.assign(places.size(), -1);
    std::vector<std::int64_t> sampled;

    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const coordinates& x = places[i];
        bool inside = true;

        for (direction d = 0; d < 3; ++d)
        {
            inside = inside && x[d] >= 0 && x[d] < size[d];
        }

        const label node =
            inside
          ? mapping.fluidIndex
            (
                mapping.description().boxIndex(x[0], x[1], x[2])
            )
          : -1;

        if (node >= 0)
        {
            nodes_[i] = node;
            numbers_[i] = sampled.size();
            sampled.push_back(node);
        }
    }

    sampler_ = engineCall
    (
        [&]{ return flow_.engine().sampler(sampled.size(), sampled.data()); }
    );
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::vector<std::uint8_t> Foam::latticeSample::contents() const
{
    const latticeObstacle& obstacle = flow_.obstacle();
    std::vector<std::uint8_t> result(nodes_.size());

    for (std::size_t i = 0; i < nodes_.size(); ++i)
    {
        result[i] =
            nodes_[i] < 0 ? NOTHING
          : obstacle.found(nodes_[i]) ? DRAWN
          : FLUID;
    }

    return result;
}


void Foam::latticeSample::start()
{
    engineCall([&]{ sampler_->start(); });
}


bool Foam::latticeSample::ready()
{
    return engineCall([&]{ return sampler_->ready(); });
}


const float* Foam::latticeSample::values()
{
    return engineCall([&]{ return sampler_->values(); });
}


// ************************************************************************* //
