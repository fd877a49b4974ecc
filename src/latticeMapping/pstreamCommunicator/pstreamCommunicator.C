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

Class
\*---------------------------------------------------------------------------*/

#include "pstreamCommunicator.H"
#include "error.H"
#include "Pstream.H"
#include "UIPstream.H"
#include "UOPstream.H"

#include <cstring>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Of these messages alone
int tag()
{
    return UPstream::msgType() + 1871;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

int Foam::pstreamCommunicator::rank() const
{
    return Pstream::myProcNo();
}


int Foam::pstreamCommunicator::size() const
{
    return Pstream::nProcs();
}


void Foam::pstreamCommunicator::start(const std::vector<message>& messages)
{
    first_ = UPstream::nRequests();

    for (const message& m : messages)
    {
        if (m.nReceived > 0)
        {
            UIPstream::read
            (
                UPstream::commsTypes::nonBlocking,
                m.peer,
                static_cast<char*>(m.received),
                m.nReceived,
                tag()
            );
        }
    }

    for (const message& m : messages)
    {
        if
        (
            m.nSent > 0
         && !UOPstream::write
            (
                UPstream::commsTypes::nonBlocking,
                m.peer,
                static_cast<const char*>(m.sent),
                m.nSent,
                tag()
            )
        )
        {
            FatalErrorInFunction
                << "No message to process " << m.peer << " could be sent"
                << abort(FatalError);
        }
    }
}


void Foam::pstreamCommunicator::finish()
{
    UPstream::waitRequests(first_);
    first_ = -1;
}


std::vector<char> Foam::pstreamCommunicator::allGather
(
    const void* own,
    std::int64_t nBytes
)
{
    std::vector<char> result(nBytes*size());
    std::vector<message> messages;

    for (int proci = 0; proci < size(); ++proci)
    {
        char* const to = result.data() + nBytes*proci;

        if (proci == rank())
        {
            std::memcpy(to, own, nBytes);
        }
        else
        {
            message m;
            m.peer = proci;
            m.sent = own;
            m.nSent = nBytes;
            m.received = to;
            m.nReceived = nBytes;
            messages.push_back(m);
        }
    }

    start(messages);
    finish();

    return result;
}


// ************************************************************************* //
