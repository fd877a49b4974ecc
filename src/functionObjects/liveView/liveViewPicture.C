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
#include "floatingPointScope.H"
#include "latticeFlow.H"
#include "latticeShell.H"
#include "framesDisplay.H"
#include "Time.H"

#include <cmath>
#include <utility>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

const char* const Foam::functionObjects::liveView::planeHelp =
    "left: draw   right: erase   wheel: brush   space: pause   n: step"
    "   f: field   r: range   c: clear   p: picture   o: save   q: quit";

const char* const Foam::functionObjects::liveView::sliceHelp =
    "   up, down: move   a: axis   v: volume";

const char* const Foam::functionObjects::liveView::volumeHelp =
    "left: turn   wheel: zoom   space: pause   n: step   s: surface"
    "   l: streamlines   v: plane   r: range   p: picture   q: quit";

const char* const Foam::functionObjects::liveView::parallelHelp =
    "space: pause   n: step   f: field   r: range   p: picture   q: quit";

const char* const Foam::functionObjects::liveView::refusedHelp =
    "nothing can be drawn on several processes   ";


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Places of the plane that are shown, at most
constexpr label mostAcross = 1920;
constexpr label mostUp = 1080;

//- Places of the volume: the processor may have to draw it
constexpr label mostInVolume = 700000;

//- Streamlines along the longer side
constexpr label nStreamlines = 8;

//- Part of the range by which it shrinks from picture to picture
constexpr scalar shrink = 0.02;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::liveView::setPlane()
{
    awaitDrawing();
    sampling_ = false;

    plane_ = std::make_unique<planeSample>
    (
        *flow_,
        field_,
        normal_,
        layer_,
        FixedList<label, 2>({mostAcross, mostUp})
    );

    forgetRange();
    shown_ = false;
    refresh_ = true;
}


void Foam::functionObjects::liveView::openVolume()
{
    if (volume_)
    {
        return;
    }

    // Its thread is not to stop for a floating-point exception
    const lbm::floatingPointScope scope;

    onMaster
    (
        [&]{ volumeScene_ = std::make_unique<lbmView::volumeScene>(); }
    );
    volume_ = std::make_unique<volumeSample>(*flow_, mostInVolume);

    if (!volumeScene_)
    {
        return;
    }

    Info<< type() << ' ' << name() << ": the volume is drawn by "
        << volumeScene_->where().c_str();

    if (volume_->stride() > 1)
    {
        Info<< ", from one of " << volume_->stride()
            << " nodes along each axis";
    }

    Info<< nl << endl;
}


void Foam::functionObjects::liveView::forgetRange()
{
    shownRange_[0] = GREAT;
    shownRange_[1] = -GREAT;
}


bool Foam::functionObjects::liveView::drawing() const
{
    std::lock_guard<std::mutex> lock(mutex_);

    return drawing_;
}


void Foam::functionObjects::liveView::awaitDrawing()
{
    std::unique_lock<std::mutex> lock(mutex_);

    change_.wait(lock, [&]{ return !drawing_; });
}


bool Foam::functionObjects::liveView::due()
{
    if (!display_)
    {
        return false;
    }

    if (!live_)
    {
        return now_ > nextFrame_*interval_ - 0.5*step_;
    }

    if (sampling_ || drawing())
    {
        return false;
    }

    if (clock::now() < next_ || (paused_ && !refresh_))
    {
        return false;
    }

    std::unique_lock<std::mutex> lock(displayMutex_, std::try_to_lock);

    return lock && display_->wanted();
}


void Foam::functionObjects::liveView::beginPicture()
{
    // It reads what is set here, and the sample
    awaitDrawing();

    const std::int64_t steps = flow_->latticeSteps();
    const clock::time_point now = clock::now();
    const double passed =
        std::chrono::duration<double>(now - pictured_).count();

    if (steps > picturedSteps_ && passed > 0)
    {
        speed_ = 1e-6*mapping().nFluidWhole()*(steps - picturedSteps_)/passed;
    }

    pictured_ = now;
    picturedSteps_ = steps;

    // On average as many as asked for, though some come late
    const clock::duration period =
        std::chrono::duration_cast<clock::duration>
        (
            std::chrono::duration<double>(1/rate_)
        );
    next_ = std::max(next_, now - period) + period;
    refresh_ = false;

    if (!live_)
    {
        nextFrame_ =
            label
            (
                std::floor(now_/interval_ + max(0.5*step_/interval_, 1e-6))
            )
          + 1;
    }

    const latticeUnits& units = flow_->units();

    work_.contents = sample().contents();
    work_.velocity = units.velocityToSI(scalar(1));
    work_.pressure = units.pressureToSI(1);
    work_.pReference =
        field_ == "p" ? pReference(*flow_) : 0;
    work_.step = steps;
    work_.time = now_;
    work_.copy = copy_;
    copy_.clear();
    work_.volume = inVolume_;

    lbmView::pictureLook& look =
        inVolume_
      ? static_cast<lbmView::pictureLook&>(work_.volumeLook)
      : static_cast<lbmView::pictureLook&>(work_.look);

    look.title = inVolume_ ? string("|U| [m/s]") : plane_->title();
    look.time = now_;
    look.step = steps;
    look.mlups = speed_;
    look.paused = paused_;
    if (live_)
    {
        look.help =
            inVolume_ ? volumeHelp
          : Pstream::parRun() ? parallelHelp
          : planeHelp;

        if (!inVolume_ && !mapping().twoD())
        {
            look.help += sliceHelp;
        }
        if (refused_)
        {
            look.help.insert(0, refusedHelp);
        }
    }
    else
    {
        look.help.clear();
    }

    if (inVolume_)
    {
        typedef lbmView::volumeLook::surface surface;
        lbmView::volumeLook& volume = work_.volumeLook;

        volume.iso = surface(surfaceNames.find(surface_));
        volume.level = level_;
        volume.azimuth = azimuth_;
        volume.elevation = elevation_;
        volume.zoom = zoom_;
        volume.slices.clear();

        if (slice_)
        {
            const direction across = plane_->components()[2];

            volume.slices.push_back({across, plane_->origin()[across]});
        }
    }
    else
    {
        lbmView::planeLook& plane = work_.look;

        plane.colours = plane_->isSigned() ? "coolToWarm" : "viridis";
        plane.brush.reset();
        if (live_ && mouseX_ >= 0)
        {
            plane.brush = lbmView::planeBrush
            {
                mouseX_, mouseY_, brush_*mapping().dx()/plane_->spacing()
            };
        }
        plane.smooth = plane_->field() != "flags";
    }

    sample().start();
    sampling_ = true;
}


void Foam::functionObjects::liveView::passPicture(const bool wait)
{
    if (!sampling_ || (!wait && (drawing() || !sample().ready())))
    {
        return;
    }

    awaitDrawing();
    work_.values = sample().values();
    sampling_ = false;

    if (!display_)
    {
        return;
    }

    {
        std::lock_guard<std::mutex> lock(mutex_);
        drawing_ = true;
    }
    change_.notify_all();
    shown_ = !work_.volume;
}


void Foam::functionObjects::liveView::drawPictures()
{
    std::unique_lock<std::mutex> lock(mutex_);

    for (;;)
    {
        change_.wait(lock, [&]{ return drawing_ || ending_; });

        if (!drawing_)
        {
            return;
        }

        lock.unlock();

        std::string failure;

        try
        {
            drawPicture(work_);
        }
        catch (const std::exception& err)
        {
            failure = err.what();
        }

        lock.lock();
        drawing_ = false;
        failure_ = failure;
        change_.notify_all();
    }
}


void Foam::functionObjects::liveView::drawPicture(work& w)
{
    const lbmView::viewPicture& picture = w.volume ? drawVolume(w) : drawPlane(w);

    if (!w.copy.empty())
    {
        lbmView::writePng(picture, w.copy);
    }

    std::lock_guard<std::mutex> lock(displayMutex_);
    display_->show(picture, w.step, w.time);
}


void Foam::functionObjects::liveView::setRange
(
    const lbmView::valueRange& now,
    lbmView::pictureLook& look
)
{
    if (rangeGiven_)
    {
        look.min = range_[0];
        look.max = range_[1];
        return;
    }

    const scalar least = now.min, most = now.max;

    // Larger at once, smaller slowly
    const scalar width = shownRange_[1] - shownRange_[0];
    scalar& low = shownRange_[0];
    scalar& high = shownRange_[1];
    low = low > high ? least : min(least, low + shrink*width);
    high = width < 0 ? most : max(most, high - shrink*width);

    look.min = low;
    look.max = high;
}


const lbmView::viewPicture& Foam::functionObjects::liveView::drawPlane(work& w)
{
    lbmView::planeValues v;
    v.nx = plane_->size()[0];
    v.ny = plane_->size()[1];
    v.spacing = plane_->spacing();

    const point origin(plane_->origin());
    const FixedList<direction, 3> axes(plane_->components());

    for (direction d = 0; d < 2; ++d)
    {
        v.origin[d] = origin[axes[d]];
        v.axis[d] = std::string(1, "xyz"[axes[d]]);
    }

    plane_->evaluate
    (
        w.values,
        w.contents,
        w.velocity,
        w.pressure,
        w.pReference,
        v.value,
        v.kind
    );

    if (plane_->field() == "flags" && !rangeGiven_)
    {
        w.look.min = 0;
        w.look.max = latticeShell::WALL;
    }
    else
    {
        setRange
        (
            lbmView::valueRange
            (
                v,
                plane_->isSigned() && plane_->field() != "p"
            ),
            w.look
        );
    }

    return scene_.draw(v, w.look);
}


const lbmView::viewPicture& Foam::functionObjects::liveView::drawVolume(work& w)
{
    const lbmView::volumeValues& box =
        volume_->evaluate(w.values, w.contents, w.velocity);

    // Speeds as a plane of one row
    lbmView::planeValues speed;
    speed.nx = w.contents.size();
    speed.ny = 1;
    speed.value.resize(w.contents.size());
    speed.kind = box.kind;

    for (std::size_t i = 0; i < speed.value.size(); ++i)
    {
        const float* const u = &box.U[3*i];

        speed.value[i] = std::sqrt(u[0]*u[0] + u[1]*u[1] + u[2]*u[2]);
    }

    lbmView::valueRange range(speed);
    range.min = 0;
    setRange(range, w.volumeLook);

    w.volumeLook.streamlines.clear();
    if (streamlines_)
    {
        w.volumeLook.streamlines.push_back
        (
            lbmView::upstreamSeeds(box, nStreamlines)
        );
    }

    return volumeScene_->draw(box, w.volumeLook);
}


std::string Foam::functionObjects::liveView::takeFailure()
{
    std::lock_guard<std::mutex> lock(mutex_);

    return std::exchange(failure_, std::string());
}


void Foam::functionObjects::liveView::stopDisplay(const std::string& why)
{
    awaitDrawing();
    sampling_ = false;
    showing_ = false;
    display_.reset();
    pace_.reset();
    paused_ = false;

    WarningInFunction
        << type() << ' ' << name() << ": " << why.c_str() << nl
        << "    The run goes on without it." << endl;
}


// ************************************************************************* //
