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

#include "latticeCells.H"
#include "latticeCellsFunctions.H"
#include "overlayMesh.H"
#include "exchange/communicator.H"
#include "PstreamBuffers.H"

#include <algorithm>
#include <map>
#include <set>

// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

namespace Foam
{

std::map<label, cellOfAll> cellsOf
(
    const std::set<label>& numbers,
    const overlayMesh& overlay,
    const labelList& nodeCells
)
{
    std::map<int, DynamicList<label>> asked;

    for (const label number : numbers)
    {
        asked[overlay.processOf(number)].append(number);
    }

    PstreamBuffers questions(Pstream::commsTypes::nonBlocking);
    PstreamBuffers answers(Pstream::commsTypes::nonBlocking);

    for (const auto& processNodes : asked)
    {
        UOPstream to(processNodes.first, questions);
        to << processNodes.second;
    }

    labelList sizes;
    questions.finishedSends(sizes);

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, questions);
            labelList cells(from);

            for (label& entry : cells)
            {
                entry = nodeCells[overlay.ownNumber(entry)];
            }

            UOPstream to(proci, answers);
            to << cells;
        }
    }

    answers.finishedSends();

    std::map<label, cellOfAll> result;

    for (const auto& processNodes : asked)
    {
        UIPstream from(processNodes.first, answers);
        const labelList cells(from);

        forAll(cells, i)
        {
            result[processNodes.second[i]] = {processNodes.first, cells[i]};
        }
    }

    return result;
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeCells::setExchanges(const overlayMesh& overlay)
{
    std::map<int, std::set<label>> needed;

    for (const auto* shares : {&remoteBoth_, &remoteDensity_, &remoteVelocity_})
    {
        for (const share& s : *shares)
        {
            needed[overlay.processOf(s.node)].insert(s.node);
        }
    }

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    std::map<int, exchange> exchanges;

    // Of a node, the number among those that are received
    std::map<label, label> numbers;

    for (const auto& processNodes : needed)
    {
        labelList nodes(processNodes.second.size());
        std::copy
        (
            processNodes.second.begin(),
            processNodes.second.end(),
            nodes.begin()
        );

        UOPstream to(processNodes.first, buffers);
        to << nodes;

        exchange& e = exchanges[processNodes.first];
        e.first = nReceived_;
        e.count = nodes.size();

        for (const label node : nodes)
        {
            numbers[node] = nReceived_++;
        }
    }

    for (auto* shares : {&remoteBoth_, &remoteDensity_, &remoteVelocity_})
    {
        for (share& s : *shares)
        {
            s.node = numbers[s.node];
        }
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, buffers);

            for (const label node : labelList(from))
            {
                const label own = overlay.ownNumber(node);

                exchanges[proci].sent.push_back(own);
                sent_.push_back(own);
            }
        }
    }

    std::sort(sent_.begin(), sent_.end());
    sent_.erase(std::unique(sent_.begin(), sent_.end()), sent_.end());
    sentValues_.resize(sent_.size());

    for (auto& processExchange : exchanges)
    {
        exchange& e = processExchange.second;
        e.process = processExchange.first;

        for (label& node : e.sent)
        {
            node =
                std::lower_bound(sent_.begin(), sent_.end(), node)
              - sent_.begin();
        }

        exchanges_.push_back(e);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeCells::addRemote
(
    lbm::communicator& processes,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    typedef std::array<double, 4> value;

    std::vector<value> received(nReceived_);
    std::vector<std::vector<value>> sent;
    sent.reserve(exchanges_.size());
    std::vector<lbm::communicator::message> messages;

    for (const exchange& e : exchanges_)
    {
        sent.emplace_back();
        for (const label i : e.sent)
        {
            sent.back().push_back(sentValues_[i]);
        }

        lbm::communicator::message m;
        m.peer = e.process;
        m.sent = sent.back().data();
        m.nSent = sent.back().size()*sizeof(value);
        m.received = received.data() + e.first;
        m.nReceived = e.count*sizeof(value);
        messages.push_back(m);
    }

    processes.start(messages);
    processes.finish();

    const auto addDensity = [&](const auto& s)
    {
        rhoCells[s.cell] += s.weight*received[s.node][0];
    };
    const auto addVelocity = [&](const auto& s)
    {
        if (uCells.size())
        {
            const value& v = received[s.node];
            uCells[s.cell] += s.weight*vector(v[1], v[2], v[3]);
        }
    };

    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addDensity);
    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addVelocity);
    std::for_each(remoteDensity_.begin(), remoteDensity_.end(), addDensity);
    std::for_each(remoteVelocity_.begin(), remoteVelocity_.end(), addVelocity);
}


void Foam::latticeCells::densityNodes
(
    const label celli,
    DynamicList<label>& nodes,
    DynamicList<scalar>& weights
) const
{
    if (celli != -1)
    {
        forAll(nodeCells_, node)
        {
            if (nodeCells_[node] == celli && !mean_.empty() && mean_[node] != 0)
            {
                nodes.append(node);
                weights.append(mean_[node]);
            }
        }

        for (const auto* shares : {&both_, &density_})
        {
            for (const share& s : *shares)
            {
                if (s.cell == celli)
                {
                    nodes.append(s.node);
                    weights.append(s.weight);
                }
            }
        }
    }

    if (!Pstream::parRun())
    {
        return;
    }

    // Say to those that send them which they are: numbers of what they send

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    for (const exchange& e : exchanges_)
    {
        DynamicList<label> numbers;
        DynamicList<scalar> theirWeights;

        for (const auto* shares : {&remoteBoth_, &remoteDensity_})
        {
            for (const share& s : *shares)
            {
                const label number = s.node - e.first;

                if (s.cell == celli && number >= 0 && number < e.count)
                {
                    numbers.append(number);
                    theirWeights.append(s.weight);
                }
            }
        }

        if (numbers.size())
        {
            UOPstream to(e.process, buffers);
            to << numbers << theirWeights;
        }
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    for (const exchange& e : exchanges_)
    {
        if (sizes[e.process])
        {
            UIPstream from(e.process, buffers);
            const labelList numbers(from);
            const scalarList theirWeights(from);

            forAll(numbers, i)
            {
                nodes.append(sent_[e.sent[numbers[i]]]);
                weights.append(theirWeights[i]);
            }
        }
    }
}


// ************************************************************************* //
