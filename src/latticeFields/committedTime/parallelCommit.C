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

#include "parallelCommit.H"
#include "allProcesses.H"
#include "committedTime.H"
#include "timeDirectory.H"
#include "PstreamReduceOps.H"

#include <stdexcept>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- In the part of the master, while something is committed
const char* const intentFile = "/.committing";


//- Do something on this process, and throw on all if it fails on one
template<class Function>
void together(const bool here, const Function& f)
{
    std::string failure;

    try
    {
        if (here)
        {
            f();
        }
    }
    catch (const std::exception& err)
    {
        failure = err.what();
    }

    if (!parallelCommit::agree(failure))
    {
        throw std::runtime_error(failure);
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::parallelCommit::declare
(
    const std::string& casePath,
    const intent& work
)
{
    together
    (
        UPstream::master(),
        [&]{ timeDirectory::writeLines(casePath + intentFile, work); }
    );
}


void Foam::parallelCommit::carryOutOwn
(
    const std::string& casePath,
    const intent& work
)
{
    const std::string writing(casePath + '/' + committedTime::writingDir);

    if (work[0] == "time")
    {
        timeDirectory::exchange
        (
            writing + '/' + work[1],
            casePath + '/' + work[1],
            casePath + '/' + committedTime::replacedDir + '/' + work[1],
            committedTime::stateObjects
        );
    }
    else
    {
        timeDirectory::addFiles
        (
            writing + '/' + committedTime::addedDir,
            casePath + '/' + committedTime::addingDir,
            casePath
        );
    }
}


void Foam::parallelCommit::carryOut
(
    const std::string& casePath,
    const intent& work
)
{
    for (const bool master : {false, true})
    {
        together
        (
            UPstream::master() == master,
            [&]{ carryOutOwn(casePath, work); }
        );
    }

    for (const bool master : {true, false})
    {
        if (work.size() < 3)
        {
            break;
        }

        together
        (
            UPstream::master() == master,
            [&]
            {
                for (std::size_t i = 2; i < work.size(); ++i)
                {
                    timeDirectory::hide
                    (
                        casePath + '/' + work[i],
                        casePath + '/' + committedTime::writingDir
                    );
                }
            }
        );
    }

    together
    (
        UPstream::master(),
        [&]{ timeDirectory::removeFile(casePath + intentFile); }
    );
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::parallelCommit::agree(std::string& failure)
{
    if (!any(!failure.empty()))
    {
        return true;
    }

    const stringList all(allProcesses(string(failure)));
    const label proci = firstMessage(all);

    failure = "processor" + std::to_string(proci) + ": " + all[proci];

    return false;
}


bool Foam::parallelCommit::any(const bool own)
{
    return returnReduce(own, orOp<bool>());
}


void Foam::parallelCommit::discard(const std::string& writing)
{
    timeDirectory::removeAll(writing);

    (void)any(false);
}


void Foam::parallelCommit::commitTime
(
    const std::string& name,
    const std::string& casePath,
    const std::vector<std::string>& purged
)
{
    intent work({"time", name});
    work.insert(work.end(), purged.begin(), purged.end());

    declare(casePath, work);
    carryOut(casePath, work);
}


void Foam::parallelCommit::commitFiles(const std::string& casePath)
{
    const intent work({"files"});

    declare(casePath, work);
    carryOut(casePath, work);
}


bool Foam::parallelCommit::recover(const std::string& casePath)
{
    stringList lines;

    if (UPstream::master())
    {
        const std::string file(casePath + intentFile);

        for (const std::string& line : timeDirectory::lines(file))
        {
            lines.append(line);
        }
    }

    Pstream::scatter(lines);

    if (lines.empty())
    {
        return false;
    }

    const intent work(lines.begin(), lines.end());

    if (work[0] != "files" && (work[0] != "time" || work.size() < 2))
    {
        throw std::runtime_error
        (
            casePath + intentFile + " is damaged: found " + work[0]
          + ", possible: files, or time and a name"
        );
    }

    carryOut(casePath, work);

    return true;
}


// ************************************************************************* //
