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
#include "drawnStroke.H"
#include "latticeFlow.H"
#include "OSspecific.H"
#include "savedObstacles.H"
#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

constexpr scalar degreesPerPixel = 0.4;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::array<double, 3> Foam::functionObjects::liveView::placeOf
(
    const vector2D& p
) const
{
    const point first(mapping().boxCentre(0));
    const FixedList<direction, 3> axes(plane_->components());
    const scalar spacing = plane_->spacing();

    return plane_->nodeAt
    (
        (p.x() - first[axes[0]])/spacing,
        (p.y() - first[axes[1]])/spacing
    );
}


void Foam::functionObjects::liveView::stroke
(
    const std::array<double, 3>& from,
    const std::array<double, 3>& to,
    const bool solid
)
{
    if (refuseDrawing())
    {
        return;
    }

    flow_->draw(drawnStroke::nodes(mapping(), from, to, brush_), solid);
    refresh_ = true;
}


void Foam::functionObjects::liveView::takeScript()
{
    while (script_.nextTime() < now_ + 0.5*step_)
    {
        const mouseScript::event& e = script_.next();

        if (e.kind == "brush")
        {
            brush_ = e.brush/mapping().dx();
        }
        else if (e.kind == "key")
        {
            key(e.key);
        }
        else
        {
            for (label i = 0; i < e.points.size(); ++i)
            {
                stroke
                (
                    placeOf(e.points[max(label(0), i - 1)]),
                    placeOf(e.points[i]),
                    e.kind == "draw"
                );
            }
        }
    }
}


std::vector<lbmView::viewEvent> Foam::functionObjects::liveView::newEvents()
{
    // While a picture is drawn, the places of the mouse are not known
    if (drawing())
    {
        return {};
    }

    std::unique_lock<std::mutex> lock(displayMutex_, std::try_to_lock);

    if (!lock)
    {
        return {};
    }

    return display_->events();
}


void Foam::functionObjects::liveView::takeEvents
(
    const std::vector<lbmView::viewEvent>& events
)
{
    typedef lbmView::viewEvent::kind kind;

    for (const lbmView::viewEvent& e : events)
    {
        switch (e.what)
        {
            case kind::press:
            case kind::move:
            {
                inVolume_ ? turnByMouse(e) : drawByMouse(e);
                break;
            }

            case kind::release:
            {
                strokeButton_ = 0;
                break;
            }

            case kind::wheel:
            {
                const scalar factor = std::pow(1.2, e.notches);

                if (inVolume_)
                {
                    zoom_ = min(max(zoom_*factor, scalar(0.1)), scalar(40));
                }
                else
                {
                    brush_ = min(max(brush_*factor, scalar(0.5)), scalar(500));
                }
                refresh_ = true;
                break;
            }

            case kind::key:
            {
                key(e.name);
                break;
            }

            case kind::close:
            {
                if (e.name == "gone")
                {
                    stopDisplay("the window has gone");
                    return;
                }
                quit_ = true;
                break;
            }
        }

    }
}


void Foam::functionObjects::liveView::drawByMouse(const lbmView::viewEvent& e)
{
    typedef lbmView::viewEvent::kind kind;

    // Not where another plane or the volume is still shown
    double i, j;
    const bool inside = shown_ && scene_.valueAt(e.x, e.y, i, j);

    if (e.what == kind::press)
    {
        strokeButton_ = 0;
    }

    if (Pstream::parRun())
    {
        if (e.what == kind::press && inside && (e.button == 1 || e.button == 3))
        {
            refuseDrawing();
        }
        return;
    }

    mouseX_ = inside ? i : -1;
    mouseY_ = inside ? j : -1;
    refresh_ = true;

    if (!inside || (e.button != 1 && e.button != 3))
    {
        strokeButton_ = 0;
        return;
    }

    const std::array<double, 3> at(plane_->nodeAt(i, j));

    stroke(strokeButton_ == e.button ? stroke_ : at, at, e.button == 1);
    stroke_ = at;
    strokeButton_ = e.button;
}


void Foam::functionObjects::liveView::turnByMouse(const lbmView::viewEvent& e)
{
    if (e.what == lbmView::viewEvent::kind::move && e.button == 1)
    {
        azimuth_ = std::fmod(azimuth_ - degreesPerPixel*(e.x - mouseX_), 360.0);
        elevation_ = min
        (
            max
            (
                elevation_ + degreesPerPixel*(e.y - mouseY_),
                scalar(-89)
            ),
            scalar(89)
        );
        refresh_ = true;
    }

    mouseX_ = e.x;
    mouseY_ = e.y;
}


void Foam::functionObjects::liveView::key(const word& name)
{
    if (name == "Space")
    {
        paused_ = !paused_ && live_;
    }
    else if (name == "n")
    {
        paused_ = live_;
        single_ = true;
    }
    else if (name == "r")
    {
        awaitDrawing();
        rangeGiven_ = !rangeGiven_ && shownRange_[0] < shownRange_[1];
        range_[0] = shownRange_[0];
        range_[1] = shownRange_[1];
        forgetRange();
    }
    else if (name == "v" && !mapping().twoD())
    {
        awaitDrawing();
        sampling_ = false;

        try
        {
            openVolume();
            inVolume_ = !inVolume_;
        }
        catch (const lbmView::viewError& err)
        {
            WarningInFunction
                << type() << ' ' << this->name() << ": no view of the volume: "
                << err.what() << endl;
        }

        rangeGiven_ = false;
        forgetRange();
        shown_ = false;
        mouseX_ = mouseY_ = -1;
        strokeButton_ = 0;
    }
    else if (name == "PageUp" || name == "PageDown")
    {
        const label n = mapping().description().wholeSize[normal_];

        movePlane((name == "PageUp" ? 1 : -1)*max(label(1), n/20));
    }
    else if (name == "c")
    {
        eraseAll();
    }
    else if (name == "p")
    {
        const fileName at(folder());
        if (display_)
        {
            mkDir(at);
        }
        copy_ = at/"picture.png";
        Info<< type() << ' ' << this->name() << ": picture " << copy_ << nl
            << endl;
    }
    else if (name == "o")
    {
        saveObstacles();
    }
    else if (name == "q" || name == "Escape")
    {
        quit_ = true;
    }
    else if (name == "a" && !mapping().twoD())
    {
        normal_ = (normal_ + 1) % 3;
        layer_ = mapping().description().wholeSize[normal_]/2;
        setPlane();
    }
    else if (inVolume_)
    {
        volumeKey(name);
    }
    else
    {
        planeKey(name);
    }

    refresh_ = true;
}


void Foam::functionObjects::liveView::planeKey(const word& name)
{
    if (name == "f")
    {
        const wordList& names = planeSample::fieldNames;

        field_ = names[(names.find(field_) + 1) % names.size()];
        rangeGiven_ = false;
        setPlane();
    }
    else if (name == "Up" || name == "Down")
    {
        movePlane(name == "Up" ? 1 : -1);
    }
}


void Foam::functionObjects::liveView::volumeKey(const word& name)
{
    // Used by the thread that draws
    awaitDrawing();

    if (name == "s")
    {
        surface_ =
            surfaceNames[(surfaceNames.find(surface_) + 1) % surfaceNames.size()];
        level_.reset();
    }
    else if (name == "l")
    {
        streamlines_ = !streamlines_;
    }
    else if (name == "Left" || name == "Right")
    {
        azimuth_ += name == "Left" ? -10 : 10;
    }
    else if (name == "Up" || name == "Down")
    {
        elevation_ = min
        (
            max(elevation_ + (name == "Up" ? 10 : -10), scalar(-89)),
            scalar(89)
        );
    }
}


void Foam::functionObjects::liveView::movePlane(const label by)
{
    const label n = mapping().description().wholeSize[normal_];
    const label layer = min(max(layer_ + by, label(0)), n - 1);

    if (layer != layer_)
    {
        layer_ = layer;
        setPlane();
    }
}


void Foam::functionObjects::liveView::eraseAll()
{
    if (!refuseDrawing())
    {
        flow_->draw(flow_->obstacle().nodes(), false);
    }
}


void Foam::functionObjects::liveView::saveObstacles()
{
    if (refuseDrawing())
    {
        return;
    }

    savedObstacles
    (
        mapping(),
        mesh_,
        flow_->obstacle().nodes()
    ).write(folder());
}


// ************************************************************************* //
