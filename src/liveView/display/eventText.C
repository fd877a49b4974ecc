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

#include "eventText.H"

#include <algorithm>
#include <locale>
#include <sstream>
#include <vector>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

using lbmView::viewEvent;

bool isDigit(const char c)
{
    return c >= '0' && c <= '9';
}


// Not by the library: it knows exponents, infinity and the user's decimal
// comma, and may raise the floating point exceptions that OpenFOAM traps
bool readNumber(std::string_view word, double& value)
{
    const bool negative = !word.empty() && word[0] == '-';
    if (negative)
    {
        word.remove_prefix(1);
    }

    const std::size_t point = std::min(word.find('.'), word.size());
    const std::string_view whole = word.substr(0, point);
    const std::string_view decimals =
        point < word.size() ? word.substr(point + 1) : std::string_view("0");

    if
    (
        whole.empty() || whole.size() > 7
     || decimals.empty() || decimals.size() > 6
    )
    {
        return false;
    }

    double digits = 0;
    double unit = 1;
    for (const char c : whole)
    {
        if (!isDigit(c)) return false;
        digits = 10*digits + (c - '0');
    }
    for (const char c : decimals)
    {
        if (!isDigit(c)) return false;
        digits = 10*digits + (c - '0');
        unit *= 10;
    }

    value = (negative ? -digits : digits)/unit;
    return true;
}


bool readButton(std::string_view word, int& button)
{
    if (word.size() != 1 || word[0] < '0' || word[0] > '3')
    {
        return false;
    }
    button = word[0] - '0';
    return true;
}


std::vector<std::string_view> words(std::string_view line)
{
    std::vector<std::string_view> result;

    for (;;)
    {
        const std::size_t end = line.find(' ');
        result.push_back(line.substr(0, end));
        if (end == std::string_view::npos)
        {
            return result;
        }
        line.remove_prefix(end + 1);
    }
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

bool lbmView::isKeyName(std::string_view name)
{
    if (name.size() == 1)
    {
        return name[0] > ' ' && name[0] < 127;
    }

    for
    (
        const char* known :
        {
            "Escape", "Up", "Down", "Left", "Right", "PageUp", "PageDown",
            "Space"
        }
    )
    {
        if (name == known) return true;
    }
    return false;
}


bool lbmView::readCount
(
    std::string_view word,
    unsigned long& value,
    const int most
)
{
    if (word.empty() || word.size() > static_cast<std::size_t>(most))
    {
        return false;
    }

    value = 0;
    for (const char c : word)
    {
        if (!isDigit(c)) return false;
        value = 10*value + static_cast<unsigned long>(c - '0');
    }
    return true;
}


std::string lbmView::eventText(const viewEvent& event)
{
    std::ostringstream line;
    line.imbue(std::locale::classic());
    line.setf(std::ios::fixed);
    line.precision(3);

    const auto mouse = [&](const char* what)
    {
        line << what << ' ' << event.x << ' ' << event.y << ' ';
    };

    switch (event.what)
    {
        case viewEvent::kind::press:
            mouse("press");
            line << event.button;
            break;
        case viewEvent::kind::move:
            mouse("move");
            line << event.button;
            break;
        case viewEvent::kind::release:
            mouse("release");
            line << event.button;
            break;
        case viewEvent::kind::wheel:
            mouse("wheel");
            line << event.notches;
            break;
        case viewEvent::kind::key:
            line << "key " << event.name;
            break;
        case viewEvent::kind::close:
            line << "close";
            break;
    }
    return line.str();
}


bool lbmView::readEvent(std::string_view line, viewEvent& event)
{
    using kind = viewEvent::kind;

    const std::vector<std::string_view> word = words(line);
    event = viewEvent();

    if (word[0] == "close")
    {
        event.what = kind::close;
        return word.size() == 1;
    }
    if (word[0] == "key")
    {
        if (word.size() != 2 || !isKeyName(word[1]))
        {
            return false;
        }
        event.what = kind::key;
        event.name = std::string(word[1]);
        return true;
    }

    if
    (
        word.size() != 4
     || !readNumber(word[1], event.x)
     || !readNumber(word[2], event.y)
    )
    {
        return false;
    }

    if (word[0] == "wheel")
    {
        event.what = kind::wheel;
        return readNumber(word[3], event.notches);
    }
    if (word[0] == "move")
    {
        event.what = kind::move;
        return readButton(word[3], event.button);
    }

    if (word[0] == "press")
    {
        event.what = kind::press;
    }
    else if (word[0] == "release")
    {
        event.what = kind::release;
    }
    else
    {
        return false;
    }
    return readButton(word[3], event.button) && event.button != 0;
}


// ************************************************************************* //
