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

#include "latticeFlow.H"
#include "allProcesses.H"
#include "engineCall.H"
#include "exchange/communicator.H"
#include "OSspecific.H"
#include "Time.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Devices of a backend, at least one
label numberOfDevices(const std::string& backend)
{
    label n = 0;

    try
    {
        while (true)
        {
            (void)lbm::engine::deviceName(backend, n);
            ++n;
        }
    }
    catch (const lbm::error&)
    {}

    return max(n, label(1));
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::chooseBackend()
{
    std::string& backend = engineSettings_.backend;

    if (backend != "auto")
    {
        backendReason_ = "as given in LBM of system/fvSolution";
        return;
    }

    std::string reason;
    backend = engineCall([&]{ return lbm::engine::defaultBackend(reason); });
    backendReason_ = reason;

    if
    (
        returnReduce(backend == "host", orOp<bool>())
     && backend != "host"
    )
    {
        backend = "host";
        backendReason_ = "no device answers to another process";
    }
}


void Foam::latticeFlow::chooseDevices()
{
    lbm::engineSettings& s = engineSettings_;

    devices_ = settings_.devices();

    const stringList hosts(allProcesses(hostName()));
    labelList devices;

    if (Pstream::parRun())
    {
        const label me = Pstream::myProcNo();

        // Number of this process among those of its host
        const label place = std::count
        (
            hosts.begin(), hosts.begin() + me, hosts[me]
        );

        if (s.backend == "host")
        {
            devices_ = labelList(1, Zero);
        }
        else if (settings_.automaticDevice())
        {
            devices_ = labelList(1, place % numberOfDevices(s.backend));
        }
        else
        {
            devices_ = labelList(1, devices_[place % devices_.size()]);
        }

        devices = allProcesses(devices_.first());

        nOnHost_ = 0;
        nOnDevice_ = 0;

        forAll(hosts, proci)
        {
            if (hosts[proci] == hosts[me])
            {
                ++nOnHost_;
                nOnDevice_ += devices[proci] == devices[me];
            }
        }
    }

    s.device = devices_.first();
    s.devices.clear();
    if (devices_.size() > 1)
    {
        s.devices.assign(devices_.begin(), devices_.end());
    }

    for (const label device : devices_)
    {
        try
        {
            deviceName_ = lbm::engine::deviceName(s.backend, device);
        }
        catch (const lbm::error& err)
        {
            FatalIOErrorInFunction(settings_.dict())
                << "Backend " << s.backend.c_str() << ", device " << device
                << ", cannot be used: " << err.what() << nl
                << "    Possible: another device, backend host, or backend auto"
                << " (cuda where a device answers, else host)."
                << exit(FatalIOError);
        }
    }

    if (Pstream::parRun())
    {
        const label nHosts = HashSet<string>(hosts).size();

        deviceName_ +=
            ", " + std::to_string(Pstream::nProcs()) + " processes on "
          + (nHosts > 1 ? std::to_string(nHosts) + " hosts" : "a host");

        if (s.backend != "host")
        {
            deviceName_ += ", with devices";

            for (const label device : devices)
            {
                deviceName_ += " " + std::to_string(device);
            }
        }
    }
    else if (s.devices.size() > 1)
    {
        deviceName_ += ", " + std::to_string(s.devices.size()) + " parts";

        if (s.backend != "host")
        {
            deviceName_ += " on devices";

            for (const int device : s.devices)
            {
                deviceName_ += " " + std::to_string(device);
            }
        }
    }
}


void Foam::latticeFlow::writeParts() const
{
    const std::vector<lbm::partSize> parts(engine_->parts());

    if (parts.empty())
    {
        return;
    }

    std::int64_t nNodes = 0, most = 0;

    for (const lbm::partSize& p : parts)
    {
        nNodes += p.nNodes;
        most = std::max(most, p.nNodes);
    }

    Info<< "Parts of the lattice, the largest with "
        << scalar(most)*parts.size()/nNodes << " of the mean" << nl;

    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        Info<< "    " << label(i) << ": " << parts[i].nNodes << " nodes, "
            << parts[i].nLinks << " links to boundaries, "
            << parts[i].nHaloLinks << " to other parts" << nl;
    }

    Info<< endl;
}


void Foam::latticeFlow::writeProcesses() const
{
    if (!Pstream::parRun())
    {
        return;
    }

    // Of the largest over the mean
    constexpr scalar uneven = 1.2;

    scalar nLinks = 0;
    for (const lbm::linkGroup& group : mapping_->description().groups)
    {
        nLinks += group.size();
    }

    scalar nCut = 0;
    for (const lbm::haloLinks& halo : mapping_->description().halos)
    {
        nCut += halo.node.size();
    }

    // The least and the most that a process has
    const auto range = [](const scalar own)
    {
        return
            std::to_string
            (
                std::int64_t(returnReduce(own, minOp<scalar>()))
            )
          + " to "
          + std::to_string
            (
                std::int64_t(returnReduce(own, maxOp<scalar>()))
            );
    };

    const scalar nNodes = mapping_->nFluid();
    const scalar balance =
        returnReduce(nNodes, maxOp<scalar>())*Pstream::nProcs()
       /scalar(mapping_->nFluidWhole());

    // All processes take part in what follows
    const string nodes(range(nNodes));
    const string links(range(nLinks));
    const string cut(range(nCut));

    Info<< "Processes " << Pstream::nProcs() << ", " << nodes.c_str()
        << " nodes each, largest over mean " << balance << nl
        << "    links: " << links.c_str() << " of boundaries, "
        << cut.c_str() << " to other processes" << nl;

    const bool host = engineSettings_.backend == "host";
    const string transport(engineSettings_.communicator->transport);

    if
    (
        settings_.exchange() == "device"
     && returnReduce(nCut, maxOp<scalar>()) > 0
     && (host || transport != "NCCL")
    )
    {
        FatalIOErrorInFunction(settings_.dict())
            << "Found exchange device, but values are "
            << (host ? string("exchanged by the host") : transport).c_str()
            << nl << "    Possible: exchange auto, exchange host"
            << exit(FatalIOError);
    }
    if (!host)
    {
        Info<< "    exchange: " << transport.c_str() << nl;
    }

    Info<< endl;

    if (balance > uneven)
    {
        WarningInFunction
            << "Load imbalance: the largest process has " << balance
            << " times the mean number of nodes," << nl
            << "    which is proportional to the volume of its cells." << nl
            << "    Possible: weightField cellWeights, a field that lbmGpuFoam"
            << " -cellWeights writes," << nl
            << "    or other domains, in system/decomposeParDict" << nl << endl;
    }
}


void Foam::latticeFlow::writeProcessTimes()
{
    // Not of the first deltaT, in which devices get ready
    if
    (
        !Pstream::parRun()
     || runTime_.timeIndex() != runTime_.startTimeIndex() + 2
    )
    {
        return;
    }

    scalar own = 0;
    engineCall([&]{ own = engine_->nodesTime(); });

    const scalar least = returnReduce(own, minOp<scalar>());
    const scalar most = returnReduce(own, maxOp<scalar>());
    const scalar mean =
        returnReduce(own, sumOp<scalar>())/Pstream::nProcs();

    Info<< "Node updates of a step: " << least << " to " << most
        << " s a process, largest over mean " << most/max(mean, SMALL) << endl;
}


// ************************************************************************* //
