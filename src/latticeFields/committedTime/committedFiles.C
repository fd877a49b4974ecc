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

#include "committedFiles.H"
#include "backgroundWriter.H"
#include "committedTime.H"
#include "masterUncollatedFileOperation.H"
#include "recordField.H"
#include "regIOobject.H"
#include "timeDirectory.H"

#include <memory>
#include <stdexcept>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(committedFiles, 0);
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::fileName Foam::committedFiles::scratch(const regIOobject& io)
{
    return io.time().path()/committedTime::writingDir;
}


bool Foam::committedFiles::inCase(const regIOobject& io)
{
    // Elsewhere may be another file system, where renaming fails
    return io.objectPath().find(io.time().path() + '/') == 0;
}


bool Foam::committedFiles::writeObject
(
    const regIOobject& io,
    const IOstream::streamFormat format,
    const IOstream::versionNumber version,
    const bool compressed
)
{
    const auto record =
        std::make_shared<recordedStream>(io.objectPath(), format, version);

    if
    (
        !io.writeHeader(*record)
     || (!recordField(io, *record) && !io.writeData(*record))
    )
    {
        return false;
    }

    IOobject::writeEndDivider(*record);

    const auto* runTime = dynamic_cast<const committedTime*>(&io.time());
    const std::string target(io.objectPath());

    if (runTime && runTime->writing())
    {
        // The whole directory is a scratch directory
        runTime->addFile
        (
            [=]{ timeDirectory::write(*record, target, compressed); }
        );

        return true;
    }

    const std::string written(scratch(io)/io.name());

    const auto write = [=]
    {
        try
        {
            timeDirectory::write(*record, written, compressed);
            timeDirectory::commitFile(written, target, compressed);
        }
        catch (const std::exception& err)
        {
            throw std::runtime_error
            (
                "Cannot write " + target + "\n    " + err.what()
            );
        }
    };

    // An object that is watched has to be there, for its date. Other times
    // than the last one are complete: what could be added is without bounds

    if
    (
        runTime
     && !runTime->lastWritten().empty()
     && io.watchIndices().empty()
     && target.find(runTime->path()/runTime->lastWritten() + '/') == 0
    )
    {
        runTime->addFile
        (
            target,
            [=](const std::string& file)
            {
                timeDirectory::write(*record, file, compressed);
            }
        );

        // The last one of all functionObjects: what their fields belong to, an
        // average its weight
        if (io.name() == "functionObjectProperties")
        {
            committedTime::commitFiles();
        }

        return true;
    }

    committedTime::finishWriting();

    try
    {
        write();
    }
    catch (const std::exception& err)
    {
        FatalErrorInFunction
            << err.what()
            << exit(FatalError);
    }

    return true;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::committedFiles::committedFiles()
:
    fileOperations::uncollatedFileOperation(false)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::committedFiles::install()
{
    const word& found = Foam::fileHandler().type();
    const word& ordinary =
        fileOperations::uncollatedFileOperation::typeName;
    const word& ofMaster =
        fileOperations::masterUncollatedFileOperation::typeName;

    // Each process commits its own directory
    if (UPstream::parRun() && found != ordinary && found != ofMaster)
    {
        FatalErrorInFunction
            << "Found the file handler " << found << " in a parallel run" << nl
            << "    Possible are " << ordinary << " and " << ofMaster << ": by"
            << " the option -fileHandler, or fileHandler in the"
            << " OptimisationSwitches of controlDict"
            << exit(FatalError);
    }

    if (found != ordinary)
    {
        return;
    }

    autoPtr<fileOperation> handler(new committedFiles());

    #if (OPENFOAM >= 2006)
    Foam::fileHandler(std::move(handler));
    #else
    Foam::fileHandler(handler);
    #endif
}


#if (OPENFOAM >= 2006)

bool Foam::committedFiles::writeObject
(
    const regIOobject& io,
    IOstreamOption streamOpt,
    const bool valid
) const
{
    if (!valid || !inCase(io))
    {
        return uncollatedFileOperation::writeObject(io, streamOpt, valid);
    }

    return writeObject
    (
        io,
        streamOpt.format(),
        streamOpt.version(),
        streamOpt.compression() == IOstream::COMPRESSED
    );
}

#else

bool Foam::committedFiles::writeObject
(
    const regIOobject& io,
    IOstream::streamFormat fmt,
    IOstream::versionNumber ver,
    IOstream::compressionType cmp,
    const bool valid
) const
{
    if (!valid || !inCase(io))
    {
        return uncollatedFileOperation::writeObject(io, fmt, ver, cmp, valid);
    }

    return writeObject(io, fmt, ver, cmp == IOstream::COMPRESSED);
}

#endif


// ************************************************************************* //
