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
#include "engineCall.H"
#include "latticeMemory.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::scalar Foam::latticeFlow::memoryFree(const std::string& backend) const
{
    if (backend == "host")
    {
        return memoryAvailable()/nOnHost_;
    }

    // As much for each part as there is for the one that has least
    scalar least = GREAT;

    for (const label device : devices_)
    {
        const scalar free = engineCall
        (
            [&]{ return lbm::engine::memoryFree(backend, device); }
        );

        const scalar nParts =
            nOnDevice_*std::count(devices_.begin(), devices_.end(), device);

        least = min(least, free/nParts);
    }

    return devices_.size()*least;
}


lbm::memoryUse Foam::latticeFlow::memoryNeeded() const
{
    return engineCall
    (
        [&]
        {
            return lbm::engine::memoryNeeded
            (
                engineSettings_,
                mapping_->description()
            );
        }
    );
}


void Foam::latticeFlow::writeMemory() const
{
    const lbm::engineSettings& s = engineSettings_;

    // Of all processes
    const auto whole = [](const scalar own)
    {
        return returnReduce(own, sumOp<scalar>());
    };

    const scalar needed = whole(memory_.total());
    const scalar viscosity = whole(memory_.viscosity);
    const scalar forces = whole(memory_.forces);
    const scalar scalars = whole(memory_.scalars);
    const scalar free = whole(memoryFree(s.backend));

    // U, p and phi: see recordedStream

    scalar written =
        sizeof(scalar)
       *(
            scalar(nCells_)*(vector::nComponents + 1)
          + whole(U_.mesh().nInternalFaces())
        );

    // Of the nodes alone
    const scalar populations =
        scalar(mapping_->nFluidWhole())
       *(
            lbm::directions(s.lattice).size()
           *lbm::engine::bytesPerPopulation(s.precision)
          + carried_.size()*(mapping_->twoD() ? 5 : 7)
           *(s.precision == "double" ? 8 : 4)
        );

    const bool onDevice = settings_.restartData() && s.backend != "host";

    if (settings_.restartData() && !onDevice)
    {
        written += populations;
    }

    Info<< "Memory needed " << printBytes(needed).c_str() << ", "
        << needed/mapping_->nFluidWhole() << " B a node, free "
        << printBytes(free).c_str() << nl
        << "    " << s.storage.c_str() << ' '
        << printBytes(whole(memory_.populations)).c_str()
        << ", flags " << printBytes(whole(memory_.flags)).c_str()
        << ", neighbours " << printBytes(whole(memory_.neighbours)).c_str()
        << ", links " << printBytes(whole(memory_.links)).c_str()
        << ", buffers " << printBytes(whole(memory_.buffers)).c_str()
        << (
               viscosity > 0
             ? ", viscosity " + printBytes(viscosity)
             : std::string()
           ).c_str()
        << (
               forces > 0
             ? ", forces of nodes " + printBytes(forces)
             : std::string()
           ).c_str()
        << (
               scalars > 0
             ? ", scalars " + printBytes(scalars)
             : std::string()
           ).c_str()
        << nl
        << "    " << printBytes(written).c_str() << " of the host, "
        << written/nCells_ << " B a cell, while a time is written";

    if (settings_.secondChance())
    {
        Info<< nl << "    " << printBytes(populations).c_str()
            << " for a second chance"
            << (s.backend == "host" ? "" : ", where there is room");
    }

    if (onDevice)
    {
        Info<< nl << "    and " << printBytes(populations).c_str()
            << " more of the device, or of the host where that has no room";
    }

    Info<< nl << endl;
}


void Foam::latticeFlow::checkMemory() const
{
    const lbm::engineSettings& s = engineSettings_;

    const scalar needed = memory_.total();
    const scalar free = memoryFree(s.backend);

    // None takes its part before all have looked
    (void)returnReduce(free, minOp<scalar>());

    if (needed > free)
    {
        const scalar nodes = mapping_->nFluidWhole()*free/needed;
        const label d = mapping_->twoD() ? 2 : 3;

        FatalErrorInFunction
            << "The lattice needs " << printBytes(needed).c_str()
            << ", but only " << printBytes(free).c_str() << " are free on "
            << deviceName_.c_str() << '.' << nl
            << "    Largest grid that would fit: about "
            << label(std::floor(std::pow(nodes, 1.0/d)))
            << '^' << d << " nodes (this one has " << mapping_->nFluidWhole()
            << ')';

        if (s.precision == "double")
        {
            FatalError<< "; precision single needs half of it";
        }

        FatalError<< '.' << exit(FatalError);
    }
}


// ************************************************************************* //
