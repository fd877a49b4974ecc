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

#include "liveView.H"
#include "latticeFlow.H"
#include "Pstream.H"
#include "stringList.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

typedef lbmView::viewEvent::kind kind;

//- Events that are for all processes: keys by their name, the others by one
//  that no key has
const char* const closed = "close window";
const char* const gone = "window gone";

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::liveView::onMaster(const std::function<void()>& f)
{
    string failure;

    if (Pstream::master())
    {
        try
        {
            f();
        }
        catch (const lbmView::viewError& err)
        {
            failure = err.what();
        }
    }

    Pstream::scatter(failure);

    if (!failure.empty())
    {
        throw lbmView::viewError(failure);
    }
}


void Foam::functionObjects::liveView::share
(
    std::vector<lbmView::viewEvent>& events
)
{
    DynamicList<string> names;

    for (const lbmView::viewEvent& e : events)
    {
        if (e.what == kind::key)
        {
            names.append(e.name);
        }
        else if (e.what == kind::close)
        {
            names.append(e.name == "gone" ? gone : closed);
        }
    }

    Pstream::scatter(names);

    if (Pstream::master())
    {
        return;
    }

    for (const string& name : names)
    {
        lbmView::viewEvent e;
        e.what = name == closed || name == gone ? kind::close : kind::key;
        e.name = name == gone ? "gone" : name;
        events.push_back(e);
    }
}


void Foam::functionObjects::liveView::lookTogether()
{
    if (!showing_)
    {
        return;
    }

    std::vector<lbmView::viewEvent> events;
    std::string failure;

    if (display_)
    {
        failure = takeFailure();
        events = newEvents();
    }

    const auto isForAll = [](const lbmView::viewEvent& e)
    {
        return e.what == kind::key || e.what == kind::close;
    };

    // One message a look, where the viewer does nothing
    enum { STEPS, SAMPLE, PICTURE, EVENTS, FAILURE };

    FixedList<label, 5> said;
    said[STEPS] = nSteps_;
    said[SAMPLE] = display_ && !drawing() && sample().ready();
    said[PICTURE] = due();
    said[EVENTS] = std::any_of(events.begin(), events.end(), isForAll);
    said[FAILURE] = !failure.empty();

    Pstream::scatter(said);

    nSteps_ = said[STEPS];

    if (said[FAILURE])
    {
        stopDisplay(failure);
        return;
    }

    bool picture = said[PICTURE];

    if (said[EVENTS])
    {
        share(events);
    }

    takeEvents(events);

    if (said[EVENTS])
    {
        picture = due();
        Pstream::scatter(picture);
    }

    if (said[SAMPLE])
    {
        passPicture(true);
    }

    if (picture)
    {
        beginPicture();

        if (!live_)
        {
            passPicture(true);
        }
    }
}


bool Foam::functionObjects::liveView::refuseDrawing()
{
    if (!Pstream::parRun() && !rotates_)
    {
        return false;
    }

    refresh_ = true;

    if (!refused_)
    {
        refused_ = true;

        Info<< type() << ' ' << name() << ": this is a run "
            << (rotates_ ? "in a rotating frame" : "of several processes")
            << ", into which no obstacle can be drawn." << nl
            << "    Possible is a serial run, at rest" << nl << endl;
    }

    return true;
}


// ************************************************************************* //
