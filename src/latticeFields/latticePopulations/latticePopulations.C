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

#include "latticePopulations.H"
#include "checksum.H"
#include "committedTime.H"
#include "OSstream.H"
#include "latticeMapping.H"
#include "latticeMemory.H"
#include "lostFile.H"
#include "parallelCommit.H"
#include "Pstream.H"
#include "StringStream.H"
#include "OSspecific.H"
#include "profiling.H"
#include "recordedStream.H"
#include "timeDirectory.H"

#include <cinttypes>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticePopulations, 0);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Format of the file
constexpr label formatVersion = 2;

//- First and last entry of the header that its checksum covers
const std::string firstEntry("\nformatVersion ");
const std::string lastEntry("\nheaderChecksum ");

//- Between header and data
const char* const marker = "\ndata\n";

//- Nodes that are held in memory at a time
constexpr std::int64_t chunk = wholePopulations::chunk;

//- What damaged data are
const char* const endsEarly = "they are damaged: the file ends too early";

std::string hex(const std::uint64_t value)
{
    char text[17];
    snprintf(text, sizeof(text), "%016" PRIx64, value);
    return text;
}


//- Bytes of the populations. A string: a label may have 32 bits
std::streamoff nBytes(const dictionary& header)
{
    std::streamoff n = -1;
    std::istringstream(header.get<string>("nBytes")) >> n;

    if (n < 0)
    {
        FatalIOErrorInFunction(header)
            << "Bad nBytes" << exit(FatalIOError);
    }

    return n;
}


//- A header of the master to all, with all bits of its numbers
void scatter(dictionary& header)
{
    if (!UPstream::parRun())
    {
        return;
    }

    OStringStream os;
    os.precision(17);
    header.write(os, false);

    string text(os.str());
    Pstream::scatter(text);

    if (!UPstream::master())
    {
        IStringStream is(text);
        header = dictionary(is);
    }
}


//- Are the bytes after the populations their checksum
bool checksumFollows(std::istream& is, const std::uint64_t sum, string& why)
{
    std::string keyword, value;
    is >> keyword >> value;

    if (keyword != "checksum" || value != hex(sum) + ';')
    {
        why = "they are damaged: the checksum differs";
    }

    return why.empty();
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::fileName Foam::latticePopulations::file(const objectRegistry& db)
{
    return db.time().timePath()/"uniform"/db.dbDir()/typeName;
}


bool Foam::latticePopulations::readHeader
(
    std::istream& is,
    dictionary& header,
    string& why
)
{
    constexpr std::size_t maxHeader = 16384;

    std::string text(maxHeader, '\0');
    is.read(&text[0], maxHeader);
    text.resize(is.gcount());
    is.clear();

    const auto end = text.find(marker);

    if (end == std::string::npos)
    {
        why = "they are damaged: no header found";
        return false;
    }

    const std::streamoff dataStart = end + std::strlen(marker);
    text.resize(end);

    const bool throwing = FatalIOError.throwExceptions();

    try
    {
        IStringStream headerStream(text);
        header = dictionary(headerStream);

        const label version = header.get<label>("formatVersion");

        if (version != formatVersion)
        {
            why =
                "their format has version " + Foam::name(version) + ", not "
              + Foam::name(formatVersion);
        }

        const auto first = text.find(firstEntry);
        const auto last = text.find(lastEntry);

        if
        (
            why.empty()
         && (
                first == std::string::npos
             || last == std::string::npos
             || last < first
             || header.get<string>("headerChecksum")
             != hex
                (
                    latticePopulations::checksum
                    (
                        text.data() + first,
                        last - first
                    )
                )
            )
        )
        {
            why = "they are damaged: the checksum of the header differs";
        }

        const std::streamoff needed = dataStart + nBytes(header);

        is.seekg(0, std::ios::end);

        if (why.empty() && is.tellg() < needed)
        {
            why = endsEarly;
        }
    }
    catch (const Foam::error&)
    {
        why = "they are damaged: the header cannot be read";
    }

    FatalIOError.throwExceptions(throwing);

    is.seekg(dataStart);

    return why.empty();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticePopulations::latticePopulations
(
    const objectRegistry& db,
    const latticeMapping& mapping,
    lbm::engine& engine,
    const std::function<dictionary()>& header
)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            db.time().timeName(),
            "uniform",
            db,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        )
    ),
    mapping_(mapping),
    engine_(engine),
    header_(header)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

std::uint64_t Foam::latticePopulations::checksum
(
    const void* data,
    const std::size_t nBytes,
    const std::uint64_t start
)
{
    lbm::checksum sum(start);
    sum.add(data, nBytes);

    return sum.value();
}


bool Foam::latticePopulations::readHeader
(
    const objectRegistry& db,
    dictionary& header,
    string& why
)
{
    header.clear();
    why.clear();

    bool there = false;

    if (UPstream::master())
    {
        const fileName path(file(db));

        there = isFile(path, false);

        if (there)
        {
            std::ifstream is(path, std::ios::binary);

            if (!is.good())
            {
                why = "the file cannot be read";
            }
            else if (!readHeader(is, header, why))
            {
                header.clear();
            }
        }
        else
        {
            why = "there are none";
        }
    }

    Pstream::scatter(there);
    Pstream::scatter(why);
    scatter(header);

    return there;
}


bool Foam::latticePopulations::read
(
    const objectRegistry& db,
    const latticeMapping& mapping,
    lbm::engine& engine,
    string& why
)
{
    const std::size_t nodeBytes = engine.populationBytes();
    const std::int64_t nNodes = mapping.nFluidWhole();

    std::ifstream is;

    if (UPstream::master())
    {
        dictionary header;
        is.open(file(db), std::ios::binary);

        if (!is.good())
        {
            why = "the file cannot be read";
        }
        else if
        (
            readHeader(is, header, why)
         && nBytes(header) != std::streamoff(nNodes*nodeBytes)
        )
        {
            why = "their number differs";
        }
    }

    Pstream::scatter(why);

    if (!why.empty())
    {
        return false;
    }

    std::uint64_t sum = 0;

    const auto give = [&](char* data, const std::size_t size)
    {
        const bool good = is.read(data, size).good();

        if (good)
        {
            sum = checksum(data, size, sum);
        }

        return good;
    };

    bool complete = true;

    if (UPstream::parRun())
    {
        complete =
            wholePopulations(engine, mapping.runs(), nNodes).set(give);
    }
    else
    {
        std::vector<char> buffer(std::min(chunk, nNodes)*nodeBytes);

        for (std::int64_t first = 0; first < nNodes; first += chunk)
        {
            const std::int64_t count = std::min(chunk, nNodes - first);

            complete = give(buffer.data(), count*nodeBytes);

            if (!complete)
            {
                break;
            }

            engine.setPopulations(first, count, buffer.data());
        }
    }

    if (!complete)
    {
        why = endsEarly;
    }
    else if (UPstream::master())
    {
        checksumFollows(is, sum, why);
    }

    Pstream::scatter(why);

    return why.empty();
}


std::string Foam::latticePopulations::headerText
(
    const std::int64_t nBytes
) const
{
    dictionary header;
    header.add("formatVersion", formatVersion);
    header.merge(header_());
    header.add("nBytes", string(std::to_string(nBytes)));

    // Numbers must come back with all their bits
    OStringStream headerStream;
    headerStream.precision(17);
    headerStream << nl;
    header.write(headerStream, false);

    // Up to the line break of the next entry
    std::string text(headerStream.str());
    text.resize(text.find_last_not_of('\n') + 1);

    return
        text + lastEntry + '"' + hex(checksum(text.data(), text.size()))
      + "\";" + marker;
}


void Foam::latticePopulations::writeWhole(const std::string& file) const
{
    addProfiling(populations, "latticePopulations::writeData");

    const wholePopulations whole
    (
        engine_,
        mapping_.runs(),
        mapping_.nFluidWhole()
    );

    // All of them: it may have to ask the others
    const std::string text(headerText(whole.nBytes()));

    std::string failure;
    bool gathered = false;

    const auto gather = [&](std::ostream* raw)
    {
        gathered = true;

        std::uint64_t sum = 0;

        failure = whole.get
        (
            [&](const char* data, const std::size_t size)
            {
                if (raw)
                {
                    sum = checksum(data, size, sum);
                    raw->write(data, size);
                }
            }
        );

        return sum;
    };

    std::string notWritten;

    if (UPstream::master())
    {
        try
        {
            recordedStream record(file, IOstream::BINARY);

            writeHeader(record);

            record.writeLater
            (
                [&](std::ostream& raw)
                {
                    raw << text;

                    const std::uint64_t sum = gather(&raw);

                    if (!failure.empty())
                    {
                        throw lostFile(failure);
                    }

                    raw << "\nchecksum        " << hex(sum) << ";\n";
                }
            );

            IOobject::writeEndDivider(record);

            timeDirectory::write(record, file, false);
        }
        catch (const lostFile&)
        {}
        catch (const std::exception& err)
        {
            notWritten = err.what();
        }
    }

    // The others wait for the master also where it has no file
    if (!gathered)
    {
        gather(nullptr);
    }

    if (!parallelCommit::agree(notWritten))
    {
        throw std::runtime_error(notWritten);
    }

    if (!failure.empty())
    {
        throw lostFile(typeName + ": " + failure);
    }
}


bool Foam::latticePopulations::writeData(Ostream& os) const
{
    addProfiling(populations, "latticePopulations::writeData");

    const std::int64_t nNodes = engine_.nFluid();
    const std::size_t nodeBytes = engine_.populationBytes();

    const std::string text(headerText(nNodes*nodeBytes));

    // Without the device, or memory for them, the other files of the time are
    // written all the same
    std::shared_ptr<lbm::heldPopulations> populations;
    std::string failure;

    try
    {
        populations = engine_.holdPopulations();
    }
    catch (const lbm::error& err)
    {
        failure = err.what();
    }
    catch (const std::bad_alloc&)
    {
        failure =
            "no memory for a copy of them, "
          + printBytes(scalar(nNodes)*nodeBytes);
    }

    const auto write = [=](std::ostream& raw)
    {
        if (!populations)
        {
            throw lostFile(failure);
        }

        raw << text;

        std::vector<char> piece(std::min(chunk, nNodes)*nodeBytes);
        std::uint64_t sum = 0;

        for (std::int64_t first = 0; first < nNodes; first += chunk)
        {
            const std::int64_t count = std::min(chunk, nNodes - first);
            const std::size_t size = count*nodeBytes;

            try
            {
                populations->get(first, count, piece.data());
                sum = checksum(piece.data(), size, sum);
            }
            catch (const lbm::error& err)
            {
                throw lostFile(err.what());
            }

            raw.write(piece.data(), size);
        }

        raw << "\nchecksum        " << hex(sum) << ";\n";
    };

    // It need not be done now
    if (auto* record = dynamic_cast<recordedStream*>(&os))
    {
        record->writeLater(write);
    }
    else
    {
        try
        {
            write(dynamicCast<OSstream>(os).stdStream());
        }
        catch (const lostFile& err)
        {
            FatalErrorInFunction
                << "Populations: " << err.what() << exit(FatalError);
        }
    }

    return os.good();
}


bool Foam::latticePopulations::writeTogether() const
{
    const_cast<latticePopulations&>(*this).instance() = time().timeName();

    const std::string path(objectPath());
    const auto* runTime = dynamic_cast<const committedTime*>(&time());

    if (runTime && runTime->writing())
    {
        runTime->addSharedFile([this, path]{ writeWhole(path); });

        return true;
    }

    try
    {
        writeWhole(path);
    }
    catch (const std::runtime_error& err)
    {
        FatalErrorInFunction
            << "Populations: " << err.what() << exit(FatalError);
    }

    return true;
}


#if (OPENFOAM >= 2006)

bool Foam::latticePopulations::writeObject
(
    IOstreamOption,
    const bool valid
) const
{
    if (UPstream::parRun())
    {
        return writeTogether();
    }

    return regIOobject::writeObject
    (
        IOstreamOption(IOstream::BINARY),
        valid
    );
}

#else

bool Foam::latticePopulations::writeObject
(
    IOstream::streamFormat,
    IOstream::versionNumber ver,
    IOstream::compressionType,
    const bool valid
) const
{
    if (UPstream::parRun())
    {
        return writeTogether();
    }

    return regIOobject::writeObject
    (
        IOstream::BINARY,
        ver,
        IOstream::UNCOMPRESSED,
        valid
    );
}

#endif


// ************************************************************************* //
