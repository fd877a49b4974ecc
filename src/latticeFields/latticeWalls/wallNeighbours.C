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

#include "wallNeighbours.H"
#include "allProcesses.H"
#include "latticeMapping.H"
#include "PstreamBuffers.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Where a process has its nodes in the whole lattice: first place, and size
typedef FixedList<std::int64_t, 6> window;

typedef List<std::int64_t> indexList;


bool inside
(
    const window& w,
    const std::array<std::int64_t, 3>& wholeSize,
    std::int64_t index
)
{
    for (int a = 0; a < 3; ++a)
    {
        const std::int64_t x = index % wholeSize[a] - w[a];

        if (x < 0 || x >= w[3 + a])
        {
            return false;
        }
        index /= wholeSize[a];
    }

    return true;
}


//- Send a list to each process, and get one from each
template<class Type>
List<List<Type>> exchanged(const List<List<Type>>& sent)
{
    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    forAll(sent, proci)
    {
        if (sent[proci].size())
        {
            UOPstream os(proci, buffers);
            os << sent[proci];
        }
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    List<List<Type>> received(sent.size());

    forAll(received, proci)
    {
        if (sizes[proci])
        {
            UIPstream is(proci, buffers);
            is >> received[proci];
        }
    }

    return received;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::wallNeighbours::wallNeighbours
(
    const latticeMapping& mapping,
    const std::vector<std::int64_t>& wanted
)
:
    nodes_(),
    sent_(Pstream::nProcs()),
    received_(Pstream::nProcs())
{
    const lbm::latticeDescription& d = mapping.description();
    const label me = Pstream::myProcNo();

    window own;

    for (int a = 0; a < 3; ++a)
    {
        own[a] = d.origin[a];
        own[3 + a] = d.size[a];
    }

    const List<window> windows(allProcesses(own));

    List<indexList> asked(Pstream::nProcs());

    forAll(asked, proci)
    {
        DynamicList<std::int64_t> there;

        if (proci != me)
        {
            for (const std::int64_t index : wanted)
            {
                if (inside(windows[proci], d.wholeSize, index))
                {
                    there.append(index);
                }
            }
        }

        asked[proci] = there;
    }

    const List<indexList> askedHere(exchanged(asked));

    // Of each fluid node: its index; stopped, and 64 more if it is linked

    constexpr std::int64_t linked = 64;

    List<indexList> answers(Pstream::nProcs());

    forAll(askedHere, proci)
    {
        DynamicList<std::int64_t> answer;
        DynamicList<label> nodes;

        for (const std::int64_t index : askedHere[proci])
        {
            std::int64_t rest = index;
            std::array<std::int64_t, 3> x;

            for (int a = 0; a < 3; ++a)
            {
                x[a] = rest % d.wholeSize[a] - d.origin[a];
                rest /= d.wholeSize[a];
            }

            const std::int64_t boxi = d.boxIndex(x[0], x[1], x[2]);

            if (!d.isFluid(boxi))
            {
                continue;
            }

            const latticeShell::node* shell = shellOf(mapping, boxi);

            std::int64_t flags = 0;

            if (shell)
            {
                flags =
                    shell->stopped
                  + (shell->kind != latticeShell::CYCLIC ? linked : 0);
            }

            answer.append(index);
            answer.append(flags);
            nodes.append(mapping.fluidIndex(boxi));
        }

        answers[proci] = answer;
        sent_[proci] = nodes;
    }

    const List<indexList> answersHere(exchanged(answers));

    for (const indexList& answer : answersHere)
    {
        for (label i = 0; i < answer.size(); i += 2)
        {
            nodes_.push_back
            ({
                answer[i],
                answer[i + 1] >= linked,
                std::uint8_t(answer[i + 1] % linked)
            });
        }
    }

    std::sort
    (
        nodes_.begin(),
        nodes_.end(),
        [](const node& a, const node& b) { return a.index < b.index; }
    );

    forAll(answersHere, proci)
    {
        const indexList& answer = answersHere[proci];

        received_[proci].setSize(answer.size()/2);

        forAll(received_[proci], i)
        {
            received_[proci][i] = find(answer[2*i]);
        }
    }
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

const Foam::latticeShell::node* Foam::wallNeighbours::shellOf
(
    const latticeMapping& mapping,
    const std::int64_t boxi
)
{
    const auto& nodes = mapping.shell().nodes();

    const auto iter = std::lower_bound
    (
        nodes.begin(),
        nodes.end(),
        boxi,
        [](const latticeShell::node& a, const std::int64_t index)
        {
            return a.index < index;
        }
    );

    const bool found = iter != nodes.end() && iter->index == boxi;

    return found ? &*iter : nullptr;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::label Foam::wallNeighbours::find(const std::int64_t index) const
{
    const auto iter = std::lower_bound
    (
        nodes_.begin(),
        nodes_.end(),
        index,
        [](const node& a, const std::int64_t i) { return a.index < i; }
    );

    return
        iter != nodes_.end() && iter->index == index
      ? label(iter - nodes_.begin())
      : -1;
}


std::vector<std::int64_t> Foam::wallNeighbours::sentNodes() const
{
    std::vector<std::int64_t> nodes;

    for (const labelList& sent : sent_)
    {
        nodes.insert(nodes.end(), sent.begin(), sent.end());
    }

    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());

    return nodes;
}


std::vector<double> Foam::wallNeighbours::exchange
(
    const std::vector<double>& own
) const
{
    const std::vector<std::int64_t> nodes(sentNodes());

    List<List<double>> values(sent_.size());

    forAll(sent_, proci)
    {
        DynamicList<double> ofProcess(4*sent_[proci].size());

        for (const label node : sent_[proci])
        {
            const auto i =
                std::lower_bound(nodes.begin(), nodes.end(), node)
              - nodes.begin();

            for (int k = 0; k < 4; ++k)
            {
                ofProcess.append(own[4*i + k]);
            }
        }

        values[proci] = ofProcess;
    }

    const List<List<double>> valuesHere(exchanged(values));

    std::vector<double> result(4*nodes_.size());

    forAll(received_, proci)
    {
        forAll(received_[proci], i)
        {
            std::copy_n
            (
                valuesHere[proci].begin() + 4*i,
                4,
                result.begin() + 4*received_[proci][i]
            );
        }
    }

    return result;
}


// ************************************************************************* //
