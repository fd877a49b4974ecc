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
#include "backgroundWriter.H"
#include "functionObjectTimes.H"
#include "lostFile.H"
#include "parallelCommit.H"
#include "timeDirectory.H"
#include "argList.H"
#include "IOdictionary.H"
#include "OSspecific.H"
#include "Pstream.H"
#include "profiling.H"

#include <new>
#include <stdexcept>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

// Hidden, and no numbers: no program takes them for times

std::string Foam::committedTime::added_;

const Foam::word Foam::committedTime::writingDir(".writing");
const Foam::word Foam::committedTime::replacedDir(".replaced");
const Foam::word Foam::committedTime::addedDir("added");
const Foam::word Foam::committedTime::addingDir(".adding");

const std::vector<std::string> Foam::committedTime::stateObjects
({
    "latticePopulations", "latticeBoundaryValues"
});


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

const char* const outOfMemory = "Out of memory for a copy of what is written";

//- What to say if a time cannot be written
std::string cannotWrite
(
    const std::string& name,
    const std::string& casePath,
    const std::string& reason
)
{
    return
        "Cannot write time " + name + " of case " + casePath + '\n'
      + (reason.empty() ? "" : "    " + reason + '\n')
      + "    The times written before are as they were.";
}


//- The same if parts of it are lost
std::string incomplete
(
    const std::string& name,
    const std::string& casePath,
    const std::string& lost
)
{
    return
        "Time " + name + " of case " + casePath + " is incomplete\n" + lost
      + "    Its other files are written.";
}


//- Write files; returns what is lost
std::string writeAll(const std::vector<std::function<void()>>& files)
{
    std::string lost;

    for (const std::function<void()>& write : files)
    {
        try
        {
            write();
        }
        catch (const lostFile& err)
        {
            lost += std::string("    ") + err.what() + '\n';
        }
    }

    return lost;
}


//- Throw if a file of a time is not written to its end
void checkComplete(const std::string& written)
{
    const std::string found(timeDirectory::incompleteFile(written));

    if (!found.empty())
    {
        throw std::runtime_error
        (
            fileName::name(found) + " is incomplete. Is the disk full?"
        );
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::committedTime::recover(const fileName& casePath)
{
    const fileName replaced(casePath/replacedDir);
    const fileName writing(casePath/writingDir);

    if (UPstream::parRun())
    {
        try
        {
            if (parallelCommit::recover(casePath))
            {
                Info<< "Finished an interrupted write" << nl << endl;
            }
        }
        catch (const std::exception& err)
        {
            FatalErrorInFunction
                << "Cannot finish an interrupted write of case " << casePath
                << nl << "    " << err.what()
                << exit(FatalError);
        }
    }

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
            try
            {
                timeDirectory::keepOthers
                (
                    replaced/name,
                    casePath/name,
                    stateObjects
                );
            }
            catch (const std::exception& err)
            {
                FatalErrorInFunction
                    << "Cannot finish the interrupted write of time " << name
                    << " of case " << casePath << nl
                    << "    " << err.what()
                    << exit(FatalError);
            }
        }
    }

    const fileName adding(casePath/addingDir);

    if (isDir(adding))
    {
        Info<< "Adding the files of functionObjects from an interrupted write"
            << nl << endl;

        try
        {
            timeDirectory::add(adding, casePath);
        }
        catch (const std::exception& err)
        {
            FatalErrorInFunction
                << "Cannot finish the interrupted write of functionObjects"
                << " of case " << casePath << nl
                << "    " << err.what()
                << exit(FatalError);
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


std::vector<std::string> Foam::committedTime::purged() const
{
    std::vector<std::string> names;

    if (!purgeWrite_)
    {
        return names;
    }

    if (previousWriteTimes_.empty() || previousWriteTimes_.top() != timeName())
    {
        previousWriteTimes_.push(timeName());
    }

    while (previousWriteTimes_.size() > purgeWrite_)
    {
        names.push_back(previousWriteTimes_.pop());
    }

    return names;
}


void Foam::committedTime::commitTime
(
    const std::string& name,
    const std::string& casePath,
    const std::vector<std::function<void()>>& files
)
{
    const std::string writing(casePath + '/' + writingDir);
    const std::string written(writing + '/' + name);

    std::string reason;

    try
    {
        const std::string lost(writeAll(files));

        checkComplete(written);

        timeDirectory::commit
        (
            written,
            casePath + '/' + name,
            casePath + '/' + replacedDir + '/' + name,
            stateObjects
        );
        timeDirectory::removeAll(writing);

        if (lost.empty())
        {
            return;
        }

        throw lostFile(incomplete(name, casePath, lost));
    }
    catch (const lostFile&)
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        reason = outOfMemory;
    }
    catch (const std::exception& err)
    {
        reason = err.what();
    }

    timeDirectory::removeAll(writing);

    throw std::runtime_error(cannotWrite(name, casePath, reason));
}


void Foam::committedTime::commitTogether
(
    const std::string& name,
    const std::string& casePath,
    const std::vector<std::function<void()>>& files,
    const std::vector<std::function<void()>>& sharedFiles,
    const std::vector<std::string>& purged
)
{
    const std::string writing(casePath + '/' + writingDir);
    const std::string written(writing + '/' + name);

    std::string reason;
    std::string lost;

    backgroundWriter::instance().add
    (
        [&files]
        {
            for (const std::function<void()>& write : files)
            {
                write();
            }
        }
    );

    try
    {
        lost = writeAll(sharedFiles);
    }
    catch (const std::exception& err)
    {
        reason = err.what();
    }

    try
    {
        // It uses the files
        backgroundWriter::instance().finish();

        if (reason.empty())
        {
            checkComplete(written);
            timeDirectory::syncAll(written);
        }
    }
    catch (const std::bad_alloc&)
    {
        reason = outOfMemory;
    }
    catch (const std::exception& err)
    {
        reason = err.what();
    }

    if (!parallelCommit::agree(reason))
    {
        parallelCommit::discard(writing);

        throw std::runtime_error(cannotWrite(name, casePath, reason));
    }

    // From here on the time belongs to the case: a start goes on with this
    parallelCommit::commitTime(name, casePath, purged);

    backgroundWriter::instance().add
    (
        [writing]{ timeDirectory::removeAll(writing); }
    );

    if (!lost.empty())
    {
        throw lostFile(incomplete(name, casePath, lost));
    }
}


void Foam::committedTime::commitFilesTogether(const std::string& casePath)
{
    if (!parallelCommit::any(!added_.empty()))
    {
        return;
    }

    const std::string writing(casePath + '/' + writingDir);
    const std::string added(writing + '/' + addedDir);
    std::string reason;

    try
    {
        backgroundWriter::instance().finish();

        if (!added_.empty())
        {
            timeDirectory::syncAll(added);
        }
    }
    catch (const std::exception& err)
    {
        reason = err.what();
    }

    added_.clear();

    try
    {
        if (!parallelCommit::agree(reason))
        {
            throw std::runtime_error(reason);
        }

        parallelCommit::commitFiles(casePath);
    }
    catch (const std::exception& err)
    {
        FatalErrorInFunction
            << "Cannot write the files of functionObjects of case "
            << casePath << nl << "    " << err.what()
            << exit(FatalError);
    }

    backgroundWriter::instance().add
    (
        [writing]{ timeDirectory::removeAll(writing); }
    );
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

    // One at a time: each holds a copy of what it writes
    finishWriting();

    if (UPstream::parRun())
    {
        commitFilesTogether(path());
    }

    addProfiling(record, "committedTime::write");

    const std::string name(timeName());
    const std::string casePath(path());
    const fileName writing(path()/writingDir);

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
        writing_ = true;

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
        catch (const std::bad_alloc&)
        {
            reason = outOfMemory;
        }

        FatalError.throwExceptions(throwing);
        FatalIOError.throwExceptions(throwingIO);

        caseName = savedCase;
        self.purgeWrite_ = savedPurge;
        writing_ = false;
    }

    const std::vector<std::function<void()>> files(std::move(files_));
    const std::vector<std::function<void()>> sharedFiles
    (
        std::move(sharedFiles_)
    );
    files_.clear();
    sharedFiles_.clear();

    if (UPstream::parRun())
    {
        std::string failure
        (
            writeOK || !reason.empty() ? reason : "An object cannot be written"
        );

        writeOK = parallelCommit::agree(failure);
        reason = failure;
    }

    if (!writeOK)
    {
        parallelCommit::discard(writing);

        FatalErrorInFunction
            << cannotWrite(name, casePath, reason).c_str()
            << exit(FatalError);
    }

    lastWritten_ = timeName();

    if (UPstream::parRun())
    {
        try
        {
            commitTogether(name, casePath, files, sharedFiles, purged());
        }
        catch (const std::exception& err)
        {
            FatalErrorInFunction
                << err.what()
                << exit(FatalError);
        }

        return true;
    }

    backgroundWriter::instance().add
    (
        [name, casePath, files, old = purged()]
        {
            commitTime(name, casePath, files);

            for (const std::string& dir : old)
            {
                timeDirectory::remove
                (
                    casePath + '/' + dir,
                    casePath + '/' + writingDir
                );
            }
        }
    );

    // Another file handler has written by itself, and will go on to do so
    if (files.empty())
    {
        finishWriting();
    }

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
    ),
    beforeFunctionObjects_(),
    writing_(false),
    files_(),
    sharedFiles_(),
    lastWritten_()
{
    restoreTime();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::committedTime::addFile
(
    const std::string& file,
    const std::function<void(const std::string&)>& write
) const
{
    const std::string added(path()/writingDir/addedDir);
    const std::string relative(file.substr(path().size() + 1));

    added_ = added;

    backgroundWriter::instance().add
    (
        [=]
        {
            try
            {
                write(added + '/' + relative);
            }
            catch (const std::exception& err)
            {
                throw std::runtime_error
                (
                    "Cannot write " + file + "\n    " + err.what()
                );
            }
        }
    );
}


void Foam::committedTime::commitFiles()
{
    if (added_.empty() || UPstream::parRun())
    {
        return;
    }

    const std::string added(added_);
    added_.clear();

    const std::string writing(fileName::path(added));
    const std::string casePath(fileName::path(writing));

    backgroundWriter::instance().add
    (
        [=]
        {
            try
            {
                timeDirectory::commitFiles
                (
                    added,
                    casePath + '/' + addingDir,
                    casePath
                );
            }
            catch (const std::exception& err)
            {
                throw std::runtime_error
                (
                    "Cannot write the files of functionObjects of case "
                  + casePath + "\n    " + err.what()
                );
            }

            timeDirectory::removeAll(writing);
        }
    );
}


void Foam::committedTime::finishWriting()
{
    addProfiling(waiting, "committedTime::finishWriting");

    commitFiles();

    try
    {
        backgroundWriter::instance().finish();
    }
    catch (const std::exception& err)
    {
        FatalErrorInFunction
            << err.what()
            << exit(FatalError);
    }
}


void Foam::committedTime::checkWriting()
{
    try
    {
        backgroundWriter::instance().check();
    }
    catch (const std::exception& err)
    {
        FatalErrorInFunction
            << err.what()
            << exit(FatalError);
    }
}


bool Foam::committedTime::run() const
{
    checkWriting();

    if (beforeFunctionObjects_ && timeIndex() != startTimeIndex())
    {
        // What is about to execute is known once controlDict is up to date
        const_cast<committedTime&>(*this).readModifiedObjects();

        if (functionObjectTimes::mayReadTimes(*this))
        {
            finishWriting();
        }

        beforeFunctionObjects_();
    }

    const bool running = Time::run();

    // They add files to this time only
    if (UPstream::parRun() && timeName() == lastWritten_)
    {
        commitFilesTogether(path());
    }

    if (!running)
    {
        finishWriting();
    }

    return running;
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
