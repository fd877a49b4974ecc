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
#include "Pstream.H"
#include "pstreamCommunicator.H"

// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

void Foam::latticeSample::sample(const std::vector<coordinates>& places)
{
    const latticeMapping& mapping = flow_.mapping();
    const lbm::latticeDescription& d = mapping.description();

    nodes_.clear();
    DynamicList<label> own;

    for (std::size_t i = 0; i < places.size(); ++i)
    {
        coordinates x;
        bool inside = true;

        for (direction a = 0; a < 3; ++a)
        {
            x[a] = places[i][a] - d.origin[a];
            inside = inside && x[a] >= 0 && x[a] < d.size[a];
        }

        const label node =
            inside
          ? mapping.fluidIndex(d.boxIndex(x[0], x[1], x[2]))
          : -1;

        if (node >= 0)
        {
            nodes_.push_back(node);
            own.append(i);
        }
    }

    List<labelList> all(Pstream::nProcs());
    all[Pstream::myProcNo()].transfer(own);
    Pstream::gatherList(all);

    if (Pstream::master())
    {
        numbers_.assign(places.size(), -1);
        counts_.setSize(all.size());
        std::int64_t n = 0;

        forAll(all, proci)
        {
            counts_[proci] = all[proci].size();

            for (const label i : all[proci])
            {
                numbers_[i] = n++;
            }
        }
    }

    if (!nodes_.empty())
    {
        sampler_ = engineCall
        (
            [&]{ return flow_.engine().sampler(nodes_.size(), nodes_.data()); }
        );
    }
}


void Foam::latticeSample::gather
(
    const float* own,
    const label width,
    std::vector<float>& all
) const
{
    typedef lbm::communicator::message message;

    pstreamCommunicator processes;
    std::vector<message> messages;

    if (Pstream::master())
    {
        std::int64_t n = 0;

        for (const label count : counts_)
        {
            n += count;
        }
        all.resize(width*n);

        float* to = all.data();

        forAll(counts_, proci)
        {
            n = width*counts_[proci];

            if (proci == Pstream::myProcNo())
            {
                std::copy_n(own, n, to);
            }
            else
            {
                message m;
                m.peer = proci;
                m.received = to;
                m.nReceived = n*sizeof(float);
                messages.push_back(m);
            }
            to += n;
        }
    }
    else
    {
        message m;
        m.peer = Pstream::masterNo();
        m.sent = own;
        m.nSent = width*nodes_.size()*sizeof(float);
        messages.push_back(m);
    }

    processes.start(messages);
    processes.finish();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::vector<std::uint8_t> Foam::latticeSample::contents() const
{
    const latticeObstacle& obstacle = flow_.obstacle();
    std::vector<std::uint8_t> result(numbers_.size());

    // Several processes have no obstacle, nor does one know nodes of others
    for (std::size_t i = 0; i < numbers_.size(); ++i)
    {
        result[i] =
            numbers_[i] < 0 ? NOTHING
          : obstacle.size() && obstacle.found(nodes_[numbers_[i]]) ? DRAWN
          : FLUID;
    }

    return result;
}


void Foam::latticeSample::start()
{
    if (sampler_)
    {
        engineCall([&]{ sampler_->start(); });
    }
}


bool Foam::latticeSample::ready()
{
    return !sampler_ || engineCall([&]{ return sampler_->ready(); });
}


const float* Foam::latticeSample::values()
{
    const float* const own =
        sampler_
      ? engineCall([&]{ return sampler_->values(); })
      : nullptr;

    if (!Pstream::parRun())
    {
        return own;
    }

    gather(own, 4, values_);

    return values_.data();
}


// ************************************************************************* //
