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

#include "latticeMemory.H"
#include "engine.H"

#include <cstdio>
#include <fstream>
#ifdef __GLIBC__
    #include <malloc.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Address space in use [B], 0 if the system does not tell
scalar addressSpace()
{
    scalar pages = 0;
    std::ifstream("/proc/self/statm") >> pages;

    return pages*sysconf(_SC_PAGESIZE);
}


//- Return memory that is free in this process to the system
void returnFreedMemory()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

void Foam::refuseMemory(const std::string& what, const scalar nBytes)
{
    FatalErrorInFunction
        << "Out of memory" << nl
        << "    for      : " << what.c_str();

    if (nBytes > 0)
    {
        FatalError<< ", about " << printBytes(nBytes).c_str();
    }

    FatalError
        << nl
        << "    free     : " << printBytes(memoryAvailable()).c_str()
        << " of the host; the run has " << printBytes(addressSpace()).c_str()
        << " of address space" << nl
        << "    possible : fewer cells or nodes (refinement, latticeSpacing),"
        << " precision single or half, secondChance no"
        << Foam::exit(FatalError);

    ::exit(1);
}


Foam::scalar Foam::memoryAvailable()
{
    returnFreedMemory();

    scalar available = lbm::engine::memoryFree("host", 0);

    rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    {
        available =
            min(available, max(scalar(0), limit.rlim_cur - addressSpace()));
    }

    return available;
}


std::string Foam::printBytes(const scalar nBytes)
{
    const char* units[] = {"B", "kB", "MB", "GB", "TB"};

    scalar value = nBytes;
    int i = 0;

    for (; value >= 1000 && i < 4; ++i)
    {
        value /= 1000;
    }

    char text[32];
    snprintf(text, sizeof(text), "%.4g %s", double(value), units[i]);
    return text;
}


void Foam::checkRoom(const std::string& what, const scalar nBytes)
{
    if (nBytes > memoryAvailable())
    {
        refuseMemory(what, nBytes);
    }
}


Foam::freedMemoryKept::freedMemoryKept()
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}


Foam::freedMemoryKept::~freedMemoryKept()
{
#ifdef __GLIBC__
    // The defaults, thresholds as far as they would grow by themselves
    constexpr int threshold = 32 << 20;

    mallopt(M_MMAP_MAX, 65536);
    mallopt(M_MMAP_THRESHOLD, threshold);
    mallopt(M_TRIM_THRESHOLD, 2*threshold);
#endif

    returnFreedMemory();
}


// ************************************************************************* //
