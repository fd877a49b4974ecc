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

#include "mouseScript.H"
#include "dictionary.H"
#include "IFstream.H"
#include "IStringStream.H"
#include "ListOps.H"
#include "Pstream.H"
#include "SortableList.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::mouseScript::mouseScript(const fileName& file)
:
    next_(0)
{
    string text;
    bool good = true;

    if (Pstream::master())
    {
        IFstream is(file);
        good = is.good();

        if (good)
        {
            text.assign
            (
                std::istreambuf_iterator<char>(is.stdStream()),
                std::istreambuf_iterator<char>()
            );
        }
    }

    // All processes act at the same time: none may read another number
    Pstream::scatter(good);
    Pstream::scatter(text);

    if (!good)
    {
        FatalErrorInFunction
            << "The script of a mouse, " << file << ", cannot be read"
            << exit(FatalError);
    }

    IStringStream is(text);
    is.name() = file;
    const dictionary dict(is);
    const List<dictionary> entries(dict.lookup("events"));

    scalarList times(entries.size());
    List<event> events(entries.size());
    static const wordList kinds({"brush", "draw", "erase", "key"});

    forAll(entries, i)
    {
        const dictionary& entry = entries[i];
        event& e = events[i];

        e.time = entry.get<scalar>("time");
        times[i] = e.time;

        for (const word& kind : kinds)
        {
            if (entry.found(kind))
            {
                if (!e.kind.empty())
                {
                    FatalIOErrorInFunction(dict)
                        << "Event " << i << " of the mouse has both " << e.kind
                        << " and " << kind << nl
                        << "    Possible is one of " << flatOutput(kinds)
                        << exit(FatalIOError);
                }
                e.kind = kind;
            }
        }

        if (e.kind == "brush")
        {
            e.brush = entry.get<scalar>("brush");

            if (e.brush < 0)
            {
                FatalIOErrorInFunction(dict)
                    << "Event " << i << " of the mouse: the radius of the brush,"
                    << " " << e.brush << " m, is negative"
                    << exit(FatalIOError);
            }
        }
        else if (e.kind == "key")
        {
            e.key = entry.get<word>("key");
        }
        else if (e.kind.empty())
        {
            FatalIOErrorInFunction(dict)
                << "Event " << i << " of the mouse, at " << e.time
                << " s, does nothing" << nl
                << "    Possible is one of " << flatOutput(kinds)
                << exit(FatalIOError);
        }
        else
        {
            e.points = entry.get<List<vector2D>>(e.kind);
        }
    }

    for (const label i : sortedOrder(times))
    {
        events_.append(events[i]);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::scalar Foam::mouseScript::skipTo(const scalar time)
{
    scalar brush = -1;

    while (nextTime() < time)
    {
        const event& e = next();

        if (e.kind == "brush")
        {
            brush = e.brush;
        }
    }

    return brush;
}


// ************************************************************************* //
