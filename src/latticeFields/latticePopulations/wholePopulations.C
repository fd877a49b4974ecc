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

#include "wholePopulations.H"
#include "engine.H"
#include "exchange/rangePart.H"
#include "parallelCommit.H"
#include "Pstream.H"
#include "PstreamBuffers.H"
#include "UIPstream.H"
#include "UOPstream.H"

#include <algorithm>
#include <new>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

const UPstream::commsTypes nonBlocking = UPstream::commsTypes::nonBlocking;

const char* const notAll =
    "the nodes of the processes are not those of the lattice";


typedef std::vector<lbm::partition::run> runList;


void sendRuns(UOPstream& to, const runList& runs)
{
    const std::int64_t n = runs.size();

    to.write(reinterpret_cast<const char*>(&n), sizeof(n));

    if (n)
    {
        to.write
        (
            reinterpret_cast<const char*>(runs.data()),
            n*sizeof(lbm::partition::run)
        );
    }
}


runList receiveRuns(UIPstream& from)
{
    std::int64_t n = 0;
    from.read(reinterpret_cast<char*>(&n), sizeof(n));

    runList runs(n);

    if (n)
    {
        from.read
        (
            reinterpret_cast<char*>(runs.data()),
            n*sizeof(lbm::partition::run)
        );
    }

    return runs;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::wholePopulations::wholePopulations
(
    lbm::engine& engine,
    const std::vector<lbm::partition::run>& runs,
    const std::int64_t nNodes
)
:
    engine_(engine),
    runs_(runs),
    nNodes_(nNodes),
    nodeBytes_(engine.populationBytes())
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::string Foam::wholePopulations::get
(
    const std::function<void(const char*, std::size_t)>& take
) const
{
    const bool master = UPstream::master();

    std::string failure;
    std::vector<char> whole;
    std::vector<char> part;

    for (std::int64_t first = 0; first < nNodes_; first += chunk)
    {
        const std::int64_t count = std::min(chunk, nNodes_ - first);
        const lbm::rangePart own(runs_, first, count);

        // Whatever fails here, the others wait for the part of this process
        try
        {
            part.resize(own.count*nodeBytes_);

            if (own.count > 0 && failure.empty())
            {
                engine_.getPopulations(own.own, own.count, part.data());
            }
        }
        catch (const std::exception& err)
        {
            failure = err.what();
        }

        PstreamBuffers buffers(nonBlocking);

        if (!master)
        {
            UOPstream to(UPstream::masterNo(), buffers);
            sendRuns(to, own.runs);

            if (own.count > 0)
            {
                to.write(part.data(), own.count*nodeBytes_);
            }
        }

        buffers.finishedSends();

        if (!master)
        {
            continue;
        }

        whole.resize(count*nodeBytes_);

        std::int64_t n = lbm::rangePart::toRange
        (
            own.runs,
            nodeBytes_,
            part.data(),
            whole.data()
        );

        for (label proci = 0; proci < UPstream::nProcs(); ++proci)
        {
            if (proci == UPstream::masterNo())
            {
                continue;
            }

            UIPstream from(proci, buffers);
            const runList runs(receiveRuns(from));
            const std::int64_t size = lbm::rangePart::size(runs, count);

            if (size > 0)
            {
                part.resize(size*nodeBytes_);
                from.read(part.data(), size*nodeBytes_);
                n += lbm::rangePart::toRange
                (
                    runs,
                    nodeBytes_,
                    part.data(),
                    whole.data()
                );
            }
        }

        if (n != count && failure.empty())
        {
            failure = notAll;
        }

        take(whole.data(), whole.size());
    }

    parallelCommit::agree(failure);

    return failure;
}


bool Foam::wholePopulations::set
(
    const std::function<bool(char*, std::size_t)>& give
) const
{
    const bool master = UPstream::master();

    std::vector<char> whole;
    std::vector<char> part;

    for (std::int64_t first = 0; first < nNodes_; first += chunk)
    {
        const std::int64_t count = std::min(chunk, nNodes_ - first);
        const lbm::rangePart own(runs_, first, count);

        PstreamBuffers questions(nonBlocking);
        PstreamBuffers answers(nonBlocking);

        if (!master)
        {
            UOPstream to(UPstream::masterNo(), questions);
            sendRuns(to, own.runs);
        }

        questions.finishedSends();

        bool good = true;

        if (master)
        {
            whole.resize(count*nodeBytes_);
            good = give(whole.data(), whole.size());
        }

        Pstream::scatter(good);

        if (!good)
        {
            return false;
        }

        if (master)
        {
            for (label proci = 0; proci < UPstream::nProcs(); ++proci)
            {
                if (proci == UPstream::masterNo())
                {
                    continue;
                }

                UIPstream from(proci, questions);
                const runList runs(receiveRuns(from));
                const std::int64_t size = lbm::rangePart::size(runs, count);

                if (size > 0)
                {
                    part.resize(size*nodeBytes_);
                    lbm::rangePart::fromRange
                    (
                        runs,
                        nodeBytes_,
                        whole.data(),
                        part.data()
                    );

                    UOPstream to(proci, answers);
                    to.write(part.data(), size*nodeBytes_);
                }
            }
        }

        answers.finishedSends();

        if (own.count == 0)
        {
            continue;
        }

        part.resize(own.count*nodeBytes_);

        if (master)
        {
            lbm::rangePart::fromRange
            (
                own.runs,
                nodeBytes_,
                whole.data(),
                part.data()
            );
        }
        else
        {
            UIPstream from(UPstream::masterNo(), answers);
            from.read(part.data(), part.size());
        }

        engine_.setPopulations(own.own, own.count, part.data());
    }

    return true;
}


// ************************************************************************* //
