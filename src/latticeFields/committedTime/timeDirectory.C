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

#include "timeDirectory.H"
#include "gzstream.h"
#include "lostFile.H"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

const std::string gz(".gz");

//- Throw that a file cannot be written, and why if that is known
[[noreturn]] void cannotWrite(const fs::path& file, const int reason)
{
    throw std::runtime_error
    (
        "Cannot write " + file.filename().string()
      + (reason ? ": " + std::generic_category().message(reason) : "")
    );
}


template<class Stream>
void writeTo(recordedStream& record, const std::string& file)
{
    errno = 0;

    Stream os(file.c_str(), std::ios_base::out | std::ios_base::binary);

    try
    {
        record.writeTo(os);
    }
    catch (const lostFile& err)
    {
        os.close();
        fs::remove(file);

        throw lostFile
        (
            fs::path(file).filename().string() + ": " + err.what()
        );
    }

    // The rest is written here
    os.close();

    if (!os.good())
    {
        cannotWrite(file, errno);
    }
}

//- Have a file, or the entries of a directory, survive a power cut
void sync(const std::string& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && ::fsync(fd) == 0;
    const int reason = errno;

    if (fd >= 0)
    {
        ::close(fd);
    }

    // Some file systems cannot
    if (!done && reason != EINVAL && reason != ENOTSUP)
    {
        cannotWrite(path, reason);
    }
}


//- Move the files of a directory to another one, in place of its own
void moveAll(const fs::path& from, const fs::path& to)
{
    fs::create_directories(to);

    for (const fs::directory_entry& entry : fs::directory_iterator(from))
    {
        const fs::path target(to/entry.path().filename());

        if (entry.is_directory())
        {
            moveAll(entry.path(), target);
            continue;
        }

        // The other form of an earlier write would be read in place of this one
        fs::remove
        (
            target.extension() == gz
          ? fs::path(target).replace_extension()
          : fs::path(target.string() + gz)
        );
        fs::rename(entry.path(), target);
    }
}


//- Files or directories in a directory, in alphabetical order
std::vector<fs::path> entries(const fs::path& dir, const bool directories)
{
    std::vector<fs::path> found;

    for (const fs::directory_entry& entry : fs::directory_iterator(dir))
    {
        if (entry.is_directory() == directories)
        {
            found.push_back(entry.path());
        }
    }

    std::sort(found.begin(), found.end());

    return found;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::timeDirectory::complete(const std::string& file)
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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::timeDirectory::write
(
    recordedStream& record,
    const std::string& file,
    const bool compressed
)
{
    fs::create_directories(fs::path(file).parent_path());

    if (compressed)
    {
        writeTo<ogzstream>(record, file + gz);
    }
    else
    {
        writeTo<std::ofstream>(record, file);
    }
}


std::string Foam::timeDirectory::incompleteFile(const std::string& dir)
{
    for (const fs::path& file : entries(dir, false))
    {
        // The last line of a compressed file cannot be seen
        if (file.extension() != gz && !complete(file))
        {
            return file;
        }
    }

    for (const fs::path& sub : entries(dir, true))
    {
        const std::string found(incompleteFile(sub));

        if (!found.empty())
        {
            return found;
        }
    }

    return std::string();
}


void Foam::timeDirectory::commitFile
(
    const std::string& written,
    const std::string& target,
    const bool compressed
)
{
    // The other form of an earlier write would be read in place of this one
    fs::remove(compressed ? target : target + gz);

    fs::create_directories(fs::path(target).parent_path());

    const std::string ending(compressed ? gz : "");

    sync(written + ending);
    fs::rename(written + ending, target + ending);

    // Only if empty
    std::error_code notEmpty;
    fs::remove(fs::path(written).parent_path(), notEmpty);
}


void Foam::timeDirectory::commitFiles
(
    const std::string& written,
    const std::string& adding,
    const std::string& casePath
)
{
    syncAll(written);

    // From here on the files belong to the case: a start goes on with this

    addFiles(written, adding, casePath);
}


void Foam::timeDirectory::addFiles
(
    const std::string& written,
    const std::string& adding,
    const std::string& casePath
)
{
    if (fs::is_directory(written))
    {
        fs::rename(written, adding);
        sync(casePath);
    }

    if (fs::is_directory(adding))
    {
        add(adding, casePath);
    }
}


void Foam::timeDirectory::add
(
    const std::string& adding,
    const std::string& casePath
)
{
    for (const fs::directory_entry& time : fs::directory_iterator(adding))
    {
        const fs::path target(fs::path(casePath)/time.path().filename());

        // It may have been purged
        if (fs::is_directory(target))
        {
            moveAll(time.path(), target);
            syncAll(target);
        }
    }

    fs::remove_all(adding);
}


void Foam::timeDirectory::commit
(
    const std::string& written,
    const std::string& target,
    const std::string& replaced,
    const std::vector<std::string>& notKept
)
{
    // A new name may reach the disk before what it names
    syncAll(written);

    exchange(written, target, replaced, notKept);
}


void Foam::timeDirectory::syncAll(const std::string& dir)
{
    for (const fs::directory_entry& entry : fs::directory_iterator(dir))
    {
        if (entry.is_directory())
        {
            syncAll(entry.path().string());
        }
        else
        {
            sync(entry.path());
        }
    }

    sync(dir);
}


void Foam::timeDirectory::exchange
(
    const std::string& written,
    const std::string& target,
    const std::string& replaced,
    const std::vector<std::string>& notKept
)
{
    const fs::path parent(fs::path(target).parent_path());

    // Two renames: what a start finds after the first one, it undoes, or does
    // the second

    if (fs::is_directory(written))
    {
        if (fs::is_directory(target))
        {
            fs::remove_all(replaced);
            fs::create_directories(fs::path(replaced).parent_path());

            fs::rename(target, replaced);
            sync(fs::path(replaced).parent_path());
            sync(parent);
        }

        fs::rename(written, target);
    }

    if (fs::is_directory(replaced))
    {
        keepOthers(replaced, target, notKept);
        syncAll(target);
        sync(parent);

        fs::remove_all(fs::path(replaced).parent_path());
    }
    else
    {
        sync(parent);
    }
}


void Foam::timeDirectory::hide
(
    const std::string& dir,
    const std::string& scratch
)
{
    if (fs::is_directory(dir))
    {
        fs::create_directories(scratch);
        fs::rename(dir, fs::path(scratch)/fs::path(dir).filename());
    }
}


void Foam::timeDirectory::writeLines
(
    const std::string& file,
    const std::vector<std::string>& lines
)
{
    const std::string part(file + ".part");

    errno = 0;

    std::ofstream os(part);

    for (const std::string& line : lines)
    {
        os << line << '\n';
    }

    os.close();

    if (!os.good())
    {
        cannotWrite(part, errno);
    }

    sync(part);
    fs::rename(part, file);
    sync(fs::path(file).parent_path());
}


std::vector<std::string> Foam::timeDirectory::lines(const std::string& file)
{
    std::vector<std::string> found;
    std::ifstream is(file);

    for (std::string line; std::getline(is, line);)
    {
        found.push_back(line);
    }

    return found;
}


void Foam::timeDirectory::removeFile(const std::string& file)
{
    fs::remove(file);
    sync(fs::path(file).parent_path());
}


void Foam::timeDirectory::removeAll(const std::string& dir) noexcept
{
    std::error_code failure;
    fs::remove_all(dir, failure);
}


void Foam::timeDirectory::keepOthers
(
    const std::string& oldDir,
    const std::string& newDir,
    const std::vector<std::string>& notKept
)
{
    const fs::path dir(newDir);

    for (const fs::path& file : entries(oldDir, false))
    {
        const fs::path plain
        (
            file.extension() == gz ? file.stem() : file.filename()
        );

        if
        (
            !fs::exists(dir/plain)
         && !fs::exists((dir/plain).string() + gz)
         && std::find(notKept.begin(), notKept.end(), plain) == notKept.end()
        )
        {
            fs::create_directories(dir);
            fs::rename(file, dir/file.filename());
        }
    }

    for (const fs::path& sub : entries(oldDir, true))
    {
        const fs::path other(dir/sub.filename());

        // What a link leads to, as one of decomposePar does, is another case's
        if (fs::is_directory(other))
        {
            if (!fs::is_symlink(sub))
            {
                keepOthers(sub, other, notKept);
            }
        }
        else
        {
            fs::create_directories(dir);
            fs::rename(sub, other);
        }
    }
}


void Foam::timeDirectory::remove
(
    const std::string& dir,
    const std::string& scratch
) noexcept
{
    std::error_code failure;

    if (fs::is_directory(dir, failure))
    {
        const fs::path renamed(fs::path(scratch)/fs::path(dir).filename());

        fs::create_directories(scratch, failure);
        fs::rename(dir, renamed, failure);
        fs::remove_all(scratch, failure);
    }
}

// ************************************************************************* //
