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

#include "recordedStream.H"
#include "parallel.H"

#include <algorithm>
#include <charconv>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Numbers and characters in a segment: few enough that memory is given back
//  while it is written
constexpr std::size_t maxNumbers = 1 << 16;
constexpr std::size_t maxText = 1 << 18;

//- Bytes that are given to the other stream at a time
constexpr std::ptrdiff_t maxPiece = 1 << 16;

//- In place of a gap: that much text, and no number
constexpr std::uint8_t noNumber = 255;

//- Characters of a number, at most
constexpr std::ptrdiff_t maxDigits = 64;


//- Whether format() can be used: the format of a new stream
bool ordinary(const std::streamsize precision, const std::ios_base::fmtflags f)
{
    #ifdef __cpp_lib_to_chars
    return
        f == (std::ios_base::skipws | std::ios_base::dec)
     && precision > 0 && precision < maxDigits/2;
    #else
    return false;
    #endif
}


//- Write a number as an ordinary stream does, several times faster; the end
char* format(char* to, const double value, const std::streamsize precision)
{
    #ifdef __cpp_lib_to_chars
    return std::to_chars
    (
        to,
        to + maxDigits,
        value,
        std::chars_format::general,
        int(precision)
    ).ptr;
    #else
    return to;
    #endif
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::recordBuffer::segment& Foam::recordBuffer::last()
{
    if
    (
        !segments_.empty()
     && !segments_.back().closed
     && segments_.back().numbers.size() < maxNumbers
     && segments_.back().text.size() < maxText
    )
    {
        return segments_.back();
    }

    segments_.emplace_back();

    segment& s = segments_.back();

    if (segments_.size() > 1)
    {
        // The next part of a list is like the one before it
        const segment& previous = *(segments_.end() - 2);

        s.precision = previous.precision;
        s.flags = previous.flags;

        if (!previous.closed)
        {
            s.text.reserve(previous.text.size());
            s.numbers.reserve(previous.numbers.size());
            s.gaps.reserve(previous.gaps.size());
        }
    }

    return s;
}


void Foam::recordBuffer::write(const segment& s, std::ostream& os)
{
    if (s.function)
    {
        s.function(os);
        return;
    }

    if (s.nComponents > 0)
    {
        writeList(s, os);
        return;
    }

    if (s.block)
    {
        os.write(s.block.get(), s.nBlock);
        return;
    }

    const char* text = s.text.data();
    const double* number = s.numbers.data();

    std::vector<char> piece(maxPiece);
    char* end = piece.data();

    const auto flush = [&]
    {
        os.write(piece.data(), end - piece.data());
        end = piece.data();
    };

    const bool fast = ordinary(s.precision, s.flags);

    os.precision(s.precision);
    os.flags(s.flags);

    for (const std::uint8_t gap : s.gaps)
    {
        if (end - piece.data() > maxPiece - maxDigits - noNumber)
        {
            flush();
        }

        end = std::copy_n(text, gap, end);
        text += gap;

        if (gap == noNumber)
        {
            continue;
        }

        if (fast)
        {
            end = format(end, *number, s.precision);
        }
        else
        {
            flush();
            os << *number;
        }

        ++number;
    }

    flush();

    os.write(text, s.text.data() + s.text.size() - text);
}


void Foam::recordBuffer::writeList(const segment& s, std::ostream& os)
{
    // Numbers that a thread formats at a time
    constexpr std::size_t pieceNumbers = 1 << 14;

    const double* values = reinterpret_cast<const double*>(s.block.get());
    const std::size_t nElements =
        s.nBlock/(sizeof(double)*s.nComponents);
    const std::size_t perPiece = pieceNumbers/s.nComponents;

    // The other half is left to the solver
    const int nThreads =
        std::max(1, lbm::hostThreads(nElements, perPiece)/2);

    std::vector<std::vector<char>> text(nThreads);
    std::vector<char*> end(nThreads);

    for (std::vector<char>& piece : text)
    {
        piece.resize(pieceNumbers*maxDigits);
    }

    const auto formatPiece = [&](const std::size_t first, const int piece)
    {
        const std::size_t last = std::min(first + perPiece, nElements);
        char* to = text[piece].data();

        for (std::size_t i = first; i < last; ++i)
        {
            const double* element = values + i*s.nComponents;

            if (s.nComponents > 1)
            {
                *to++ = '(';
            }

            for (int c = 0; c < s.nComponents; ++c)
            {
                if (c > 0)
                {
                    *to++ = ' ';
                }

                to = format(to, element[c], s.precision);
            }

            if (s.nComponents > 1)
            {
                *to++ = ')';
            }

            *to++ = '\n';
        }

        end[piece] = to;
    };

    os << '\n' << nElements << "\n(\n";

    for (std::size_t first = 0; first < nElements; first += nThreads*perPiece)
    {
        lbm::onThreads(nThreads, [&](int thread, int n)
        {
            for (int piece = thread; piece < nThreads; piece += n)
            {
                if (first + piece*perPiece < nElements)
                {
                    formatPiece(first + piece*perPiece, piece);
                }
                else
                {
                    end[piece] = text[piece].data();
                }
            }
        });

        for (int piece = 0; piece < nThreads; ++piece)
        {
            os.write(text[piece].data(), end[piece] - text[piece].data());
        }
    }

    os << ")\n";
}


Foam::recordBuffer::segment& Foam::recordBuffer::addBlock
(
    const char* data,
    const std::size_t n
)
{
    if (!segments_.empty())
    {
        segments_.back().closed = true;
    }

    segment& s = last();

    s.block = lbm::largeBuffer(n);
    s.nBlock = n;
    s.closed = true;

    lbm::copyInParallel(s.block.get(), data, n);

    return s;
}


// * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * * //

Foam::recordBuffer::int_type Foam::recordBuffer::overflow(int_type c)
{
    if (!traits_type::eq_int_type(c, traits_type::eof()))
    {
        append(traits_type::to_char_type(c));
    }

    return traits_type::not_eof(c);
}


std::streamsize Foam::recordBuffer::xsputn
(
    const char* data,
    std::streamsize n
)
{
    if (std::size_t(n) < maxText)
    {
        segment& s = last();

        s.text.insert(s.text.end(), data, data + n);

        return n;
    }

    addBlock(data, n);

    return n;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::recordBuffer::append
(
    const double value,
    const std::ios_base& format
)
{
    segment* s = &last();

    if
    (
        s->precision != format.precision()
     || s->flags != format.flags()
    )
    {
        if (!s->numbers.empty())
        {
            s->closed = true;
            s = &last();
        }

        s->precision = format.precision();
        s->flags = format.flags();
    }

    std::size_t gap = s->text.size() - s->covered;

    for (; gap >= noNumber; gap -= noNumber)
    {
        s->gaps.push_back(noNumber);
    }

    s->gaps.push_back(gap);
    s->numbers.push_back(value);
    s->covered = s->text.size();
}


bool Foam::recordBuffer::listsIn(const std::ios_base& format)
{
    return ordinary(format.precision(), format.flags());
}


void Foam::recordBuffer::append
(
    const double* values,
    const std::size_t nElements,
    const int nComponents,
    const std::ios_base& format
)
{
    segment& s = addBlock
    (
        reinterpret_cast<const char*>(values),
        nElements*nComponents*sizeof(double)
    );

    s.nComponents = nComponents;
    s.precision = format.precision();
    s.flags = format.flags();
}


void Foam::recordBuffer::append
(
    const std::function<void(std::ostream&)>& function
)
{
    if (!segments_.empty())
    {
        segments_.back().closed = true;
    }

    segment& s = last();
    s.function = function;
    s.closed = true;
}


std::size_t Foam::recordBuffer::nBytes() const
{
    std::size_t n = 0;

    for (const segment& s : segments_)
    {
        n +=
            s.text.capacity()
          + s.nBlock
          + s.numbers.capacity()*sizeof(double)
          + s.gaps.capacity();
    }

    return n;
}


void Foam::recordBuffer::writeTo(std::ostream& os)
{
    while (!segments_.empty() && os.good())
    {
        write(segments_.front(), os);
        segments_.pop_front();
    }

    segments_.clear();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::recordBufferStream::recordBufferStream()
:
    buffer_(),
    output_(&buffer_)
{
    // A stream would keep silent about a lack of memory
    output_.exceptions(std::ios_base::badbit);
}


Foam::recordedStream::recordedStream
(
    const fileName& name,
    streamFormat format,
    versionNumber version
)
:
    recordBufferStream(),
    OSstream(output_, name, format, version)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::Ostream& Foam::recordedStream::write(const char c)
{
    buffer_.append(c);

    if (c == '\n')
    {
        ++lineNumber_;
    }

    return *this;
}


Foam::Ostream& Foam::recordedStream::write(const floatScalar val)
{
    return write(doubleScalar(val));
}


Foam::Ostream& Foam::recordedStream::write(const doubleScalar val)
{
    // Numbers in columns are formatted at once
    if (output_.width() != 0)
    {
        return OSstream::write(val);
    }

    buffer_.append(val, output_);

    return *this;
}


void Foam::recordedStream::writeList
(
    const double* values,
    const std::size_t nElements,
    const int nComponents
)
{
    buffer_.append(values, nElements, nComponents, output_);

    // Its own line, and two for size and delimiter each
    lineNumber_ += nElements + 4;
}


void Foam::recordedStream::writeLater
(
    const std::function<void(std::ostream&)>& function
)
{
    buffer_.append(function);
}

// ************************************************************************* //
