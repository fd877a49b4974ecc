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

#include "committedTime.H"
#include "argList.H"
#include "IOdictionary.H"
#include "OSspecific.H"

#include <fstream>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

// Hidden, and no numbers: no program takes them for times

const Foam::word Foam::committedTime::writingDir(".writing");
const Foam::word Foam::committedTime::replacedDir(".replaced");

const Foam::wordList Foam::committedTime::stateObjects
({
    "latticePopulations", "latticeBoundaryValues"
});


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::committedTime::recover(const fileName& casePath)
{
    const fileName replaced(casePath/replacedDir);
    const fileName writing(casePath/writingDir);

    // A time that was moved away and not replaced goes back
    for (const fileName& name : readDir(replaced, fileName::DIRECTORY))
    {
        if (!isDir(casePath/name))
        {
            Info<< "Restoring time " << name
                << " from an interrupted write" << nl << endl;

            mv(replaced/name, casePath/name);
        }
        else
        {
            keepOthers(replaced/name, casePath/name);
        }
    }

    for (const fileName& dir : {replaced, writing})
    {
        if (isDir(dir))
        {
            Info<< "Removing " << dir.name()
                << ", left by an interrupted write" << nl << endl;

            rmDir(dir);
        }
    }
}


bool Foam::committedTime::complete(const fileName& file)
{
    std::ifstream is(file, std::ios::binary | std::ios::ate);

    if (!is.good())
    {
        return false;
    }

    constexpr std::streamoff tailSize = 100;

    const std::streamoff size = is.tellg();
    const std::streamoff start = std::max(std::streamoff(0), size - tailSize);

    std::string tail(size - start, '\0');
    is.seekg(start);
    is.read(&tail[0], tail.size());

    return is.good() && tail.find("* //") != std::string::npos;
}


void Foam::committedTime::restoreTime()
{
    const IOdictionary timeDict
    (
        IOobject
        (
            "time",
            timeName(),
            "uniform",
            *this,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE,
            false
        )
    );

    scalar stored = 0;

    if
    (
        timeDict.getOrDefault<string>("name", string::null) == timeName()
     && timeDict.readIfPresent("value", stored)
     && timeName(stored) == timeName()
    )
    {
        setTime(userTimeToTime(stored), timeIndex());
    }
}


Foam::fileName Foam::committedTime::incompleteFile(const fileName& dir)
{
    for (const fileName& name : readDir(dir, fileName::FILE, false))
    {
        // The last line of a compressed file cannot be seen
        if (!name.hasExt("gz") && !complete(dir/name))
        {
            return dir/name;
        }
    }

    for (const fileName& name : readDir(dir, fileName::DIRECTORY))
    {
        const fileName found(incompleteFile(dir/name));

        if (!found.empty())
        {
            return found;
        }
    }

    return fileName::null;
}


void Foam::committedTime::keepOthers
(
    const fileName& oldDir,
    const fileName& newDir
)
{
    for (const fileName& name : readDir(oldDir, fileName::FILE, false))
    {
        const fileName plain(name.hasExt("gz") ? name.lessExt() : name);

        if
        (
            !exists(newDir/plain, false)
         && !exists(newDir/(plain + ".gz"), false)
         && !stateObjects.found(plain)
        )
        {
            mkDir(newDir);
            mv(oldDir/name, newDir/name);
        }
    }

    for (const fileName& name : readDir(oldDir, fileName::DIRECTORY))
    {
        if (isDir(newDir/name))
        {
            keepOthers(oldDir/name, newDir/name);
        }
        else
        {
            mkDir(newDir);
            mv(oldDir/name, newDir/name);
        }
    }
}


bool Foam::committedTime::commit
(
    const fileName& written,
    const fileName& target
) const
{
    if (!isDir(target))
    {
        return mv(written, target);
    }

    // Two renames: recover() undoes the first one if the second is missing

    const fileName replaced(path()/replacedDir/target.name());

    rmDir(replaced, true);
    mkDir(replaced.path());

    if (!mv(target, replaced) || !mv(written, target))
    {
        return false;
    }

    keepOthers(replaced, target);

    return rmDir(replaced.path());
}


void Foam::committedTime::purge() const
{
    if (!purgeWrite_)
    {
        return;
    }

    if (previousWriteTimes_.empty() || previousWriteTimes_.top() != timeName())
    {
        previousWriteTimes_.push(timeName());
    }

    while (previousWriteTimes_.size() > purgeWrite_)
    {
        const word name(previousWriteTimes_.pop());
        const fileName dir(path()/name);

        if (isDir(dir))
        {
            // Renamed first: never visible half removed
            mkDir(path()/writingDir);
            mv(dir, path()/writingDir/name);
            rmDir(path()/writingDir);
        }
    }
}


bool Foam::committedTime::writeCommitted
(
    const std::function<bool()>& write
) const
{
    if (!writeTime())
    {
        return false;
    }

    const fileName target(timePath());
    const fileName writing(path()/writingDir);
    const fileName written(writing/timeName());

    rmDir(writing, true);

    bool writeOK = false;
    string reason;

    {
        // Objects find their path through the name of the case

        auto& self = const_cast<committedTime&>(*this);
        fileName& caseName = self.TimePaths::caseName();

        const fileName savedCase(caseName);
        const label savedPurge = purgeWrite_;

        caseName = savedCase/writingDir;
        self.purgeWrite_ = 0;

        const bool throwing = FatalError.throwExceptions();
        const bool throwingIO = FatalIOError.throwExceptions();

        try
        {
            writeOK = write();
        }
        catch (const Foam::error& err)
        {
            reason = err.message();
        }

        FatalError.throwExceptions(throwing);
        FatalIOError.throwExceptions(throwingIO);

        caseName = savedCase;
        self.purgeWrite_ = savedPurge;
    }

    if (writeOK)
    {
        const fileName incomplete(incompleteFile(written));

        if (!incomplete.empty())
        {
            writeOK = false;
            reason = incomplete.name() + " is incomplete. Is the disk full?";
        }
    }

    if (!writeOK || !commit(written, target))
    {
        rmDir(writing, true);

        FatalErrorInFunction
            << "Cannot write time " << timeName() << " of case " << path()
            << nl;

        if (!reason.empty())
        {
            FatalError<< "    " << reason.c_str() << nl;
        }

        FatalError
            << "    The times written before are as they were."
            << exit(FatalError);
    }

    rmDir(writing, true);

    purge();

    return true;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::committedTime::committedTime
(
    const word& ctrlDictName,
    const argList& args,
    const bool recovery
)
:
    // The start time is chosen on construction: recover before
    Time
    (
        (recovery ? recover(args.path()) : void(), ctrlDictName),
        args
    )
{
    restoreTime();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::committedTime::run() const
{
    if (beforeFunctionObjects_ && timeIndex() != startTimeIndex())
    {
        // What is about to execute is known once controlDict is up to date
        const_cast<committedTime&>(*this).readModifiedObjects();

        beforeFunctionObjects_();
    }

    return Time::run();
}


#if (OPENFOAM >= 2006)

bool Foam::committedTime::writeObject
(
    IOstreamOption streamOpt,
    const bool valid
) const
{
    return writeCommitted
    (
        [&]{ return Time::writeObject(streamOpt, valid); }
    );
}

#else

bool Foam::committedTime::writeObject
(
    IOstream::streamFormat fmt,
    IOstream::versionNumber ver,
    IOstream::compressionType cmp,
    const bool valid
) const
{
    return writeCommitted
    (
        [&]{ return Time::writeObject(fmt, ver, cmp, valid); }
    );
}

#endif


// ************************************************************************* //
