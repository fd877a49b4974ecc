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
#include "committedTime.H"
#include "regIOobject.H"
#include "OSspecific.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(committedFiles, 0);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Write all of an object to a stream, and close that
bool writeAll(autoPtr<Ostream> stream, const regIOobject& io)
{
    if (!stream.valid() || !stream->good() || !io.writeHeader(*stream))
    {
        return false;
    }

    if (!io.writeData(*stream))
    {
        return false;
    }

    IOobject::writeEndDivider(*stream);
    stream->flush();

    return stream->good();
}


} // End anonymous namespace
} // End namespace Foam


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


bool Foam::committedFiles::commit
(
    const fileName& written,
    const fileName& target
)
{
    const fileName gz(".gz");

    const bool compressed = Foam::isFile(written + gz, false);

    // The other form of an earlier write would be read in place of this one
    const fileName other(compressed ? target : fileName(target + gz));

    if (Foam::isFile(other, false))
    {
        Foam::rm(other);
    }

    Foam::mkDir(target.path());

    const bool ok =
        compressed
      ? Foam::mv(written + gz, target + gz)
      : Foam::mv(written, target);

    // Only if empty
    Foam::rm(written.path());

    return ok;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::committedFiles::committedFiles()
:
    fileOperations::uncollatedFileOperation(false)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::committedFiles::install()
{
    if
    (
        Foam::fileHandler().type()
     != fileOperations::uncollatedFileOperation::typeName
    )
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

    const fileName written(scratch(io)/io.name());

    Foam::mkDir(written.path());

    return
        writeAll(NewOFstream(written, streamOpt), io)
     && commit(written, io.objectPath());
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

    const fileName written(scratch(io)/io.name());

    Foam::mkDir(written.path());

    return
        writeAll(NewOFstream(written, fmt, ver, cmp), io)
     && commit(written, io.objectPath());
}

#endif


// ************************************************************************* //
