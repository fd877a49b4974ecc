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
#include "browserDisplay.H"
#include "caseChecks.H"
#include "framesDisplay.H"
#include "windowDisplay.H"
#include "engine.H"
#include "engineCall.H"
#include "floatingPointScope.H"
#include "latticeFlow.H"
#include "savedObstacles.H"
#include "Time.H"
#include "addToRunTimeSelectionTable.H"

#include <cmath>
#include <cstdlib>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(liveView, 0);
    addToRunTimeSelectionTable(functionObject, liveView, dictionary);
}
}

const Foam::wordList Foam::functionObjects::liveView::surfaceNames
({
    "none", "Q", "magU"
});


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Time between two looks at viewer and picture [s]
constexpr double lookTime = 2e-3;

//- Steps between two looks, at most
constexpr label mostSteps = 512;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

const Foam::latticeMapping& Foam::functionObjects::liveView::mapping() const
{
    return flow_->mapping();
}


Foam::fileName Foam::functionObjects::liveView::folder() const
{
    return
        time_.globalPath()/functionObject::outputPrefix/name()
       /Time::timeName(now_);
}


void Foam::functionObjects::liveView::readPlane(const dictionary& dict)
{
    field_ = dict.getOrDefault<word>("field", "magU");

    if (!planeSample::fieldNames.found(field_))
    {
        FatalIOErrorInFunction(dict)
            << "field of " << type() << ' ' << name() << " is " << field_ << nl
            << "    Possible are " << flatOutput(planeSample::fieldNames)
            << exit(FatalIOError);
    }

    const auto& size = mapping().description().wholeSize;

    if (mapping().twoD())
    {
        normal_ = 2;
        layer_ = 0;
    }
    else
    {
        normal_ = 2;
        for (const label a : {1, 0})
        {
            normal_ = size[a] < size[normal_] ? a : normal_;
        }

        if (dict.found("normal"))
        {
            const word normal(dict.get<word>("normal"));

            if (normal != "x" && normal != "y" && normal != "z")
            {
                FatalIOErrorInFunction(dict)
                    << "normal of " << type() << ' ' << name() << " is "
                    << normal << nl << "    Possible are x, y, z"
                    << exit(FatalIOError);
            }

            normal_ = mapping().axes().find(normal[0] - 'x');
        }

        layer_ = size[normal_]/2;

        if (dict.found("position"))
        {
            const scalar position = dict.get<scalar>("position");
            const scalar first =
                mapping().centreAt({0, 0, 0})[mapping().axes()[normal_]];
            const scalar dx = mapping().dx();
            const scalar layer = std::round((position - first)/dx);

            if (!(layer >= -1 && layer <= size[normal_]))
            {
                FatalIOErrorInFunction(dict)
                    << "position of " << type() << ' ' << name() << " is "
                    << position << " m" << nl << "    Possible is "
                    << first - 0.5*dx << " to "
                    << first + (size[normal_] - 0.5)*dx << " m"
                    << exit(FatalIOError);
            }

            layer_ = min(max(label(layer), label(0)), label(size[normal_] - 1));
        }
    }
}


void Foam::functionObjects::liveView::readVolume(const dictionary& dict)
{
    const word view(dict.getOrDefault<word>("view", "plane"));

    if (view != "plane" && view != "volume")
    {
        FatalIOErrorInFunction(dict)
            << "view of " << type() << ' ' << name() << " is " << view << nl
            << "    Possible are plane, volume" << exit(FatalIOError);
    }

    if (view == "volume" && mapping().twoD())
    {
        FatalIOErrorInFunction(dict)
            << "view of " << type() << ' ' << name() << " is volume, and the"
            << " case has two dimensions" << nl << "    Possible is plane"
            << exit(FatalIOError);
    }

    surface_ = dict.getOrDefault<word>("surface", "Q");

    if (!surfaceNames.found(surface_))
    {
        FatalIOErrorInFunction(dict)
            << "surface of " << type() << ' ' << name() << " is " << surface_
            << nl << "    Possible are " << flatOutput(surfaceNames)
            << exit(FatalIOError);
    }

    level_.reset();
    if (dict.found("level"))
    {
        level_ = dict.get<scalar>("level");
    }

    streamlines_ = dict.getOrDefault("streamlines", false);
    slice_ = dict.getOrDefault("slice", true);
    azimuth_ = dict.getOrDefault<scalar>("azimuth", 30);
    elevation_ = dict.getCheckOrDefault<scalar>
    (
        "elevation", 25, [](const scalar x) { return mag(x) < 90; }
    );

    inVolume_ = view == "volume";

    if (inVolume_)
    {
        try
        {
            openVolume();
        }
        catch (const lbmView::viewError& err)
        {
            FatalIOErrorInFunction(dict)
                << "view volume of " << type() << ' ' << name() << ": "
                << err.what() << exit(FatalIOError);
        }
    }
}


void Foam::functionObjects::liveView::openDisplay(const dictionary& dict)
{
    const char* const screen = std::getenv("DISPLAY");

    word chosen
    (
        dict.getOrDefault<word>
        (
            "display",
            screen && *screen ? "window" : "browser"
        )
    );

    // Processes of other hosts may have another environment
    Pstream::scatter(chosen);

    if (showing_ && chosen == displayName_)
    {
        return;
    }

    if (chosen != "window" && chosen != "browser" && chosen != "frames")
    {
        FatalIOErrorInFunction(dict)
            << "display of " << type() << ' ' << name() << " is " << chosen
            << nl << "    Possible are window, browser, frames"
            << exit(FatalIOError);
    }

    const std::string title = time_.globalCaseName() + " - lbmGpuFoam";

    const auto open = [&]
    {
        // Its threads are not to stop for a floating-point exception
        const lbm::floatingPointScope scope;

        if (chosen == "window")
        {
            lbmView::windowDisplay::options o;
            o.title = title;
            display_ = std::make_unique<lbmView::windowDisplay>(o);
        }
        else if (chosen == "browser")
        {
            lbmView::browserDisplay::options o;
            o.title = title;
            o.address = dict.getOrDefault<string>("address", o.address);
            o.port = dict.getOrDefault<label>("port", 0);
            o.allowRemote = dict.getOrDefault("allowRemote", false);
            display_ = std::make_unique<lbmView::browserDisplay>(o);
        }
        else
        {
            display_ = std::make_unique<lbmView::framesDisplay>
            (
                time_.globalPath()/functionObject::outputPrefix/name()
               /time_.timeName()
            );
        }
    };

    try
    {
        onMaster(open);
    }
    catch (const lbmView::viewError& err)
    {
        FatalIOErrorInFunction(dict)
            << "display " << chosen << " of " << type() << ' ' << name()
            << ": " << err.what() << exit(FatalIOError);
    }

    displayName_ = chosen;
    live_ = chosen != "frames";
    showing_ = true;

    if (display_)
    {
        Info<< type() << ' ' << name() << ": " << chosen << ' '
            << display_->where().c_str() << nl << endl;
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::liveView::liveView
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeFunctionObject(name, runTime, dict),
    flow_(nullptr),
    live_(true),
    showing_(false),
    field_("magU"),
    normal_(2),
    layer_(0),
    inVolume_(false),
    surface_("Q"),
    streamlines_(false),
    slice_(true),
    azimuth_(30),
    elevation_(25),
    zoom_(1),
    rangeGiven_(false),
    range_(Zero),
    rate_(30),
    interval_(0),
    brush_(3),
    saveObstacles_(false),
    now_(runTime.value()),
    step_(0),
    nextFrame_(0),
    paused_(false),
    single_(false),
    quit_(false),
    refresh_(true),
    started_(false),
    refused_(false),
    rotates_(caseChecks::describesRotatingFrame(mesh_)),
    nSteps_(1),
    looked_(clock::now()),
    pictured_(),
    picturedSteps_(0),
    next_(),
    speed_(0),
    stroke_{},
    strokeButton_(0),
    mouseX_(-1),
    mouseY_(-1),
    sampling_(false),
    drawing_(false),
    ending_(false),
    shownRange_{GREAT, -GREAT},
    shown_(false)
{
    read(dict);
}


// * * * * * * * * * * * * * * * * Destructor  * * * * * * * * * * * * * * * //

Foam::functionObjects::liveView::~liveView()
{
    if (flow_ && mesh_.foundObject<latticeFlow>(latticeFlow::typeName))
    {
        flow_->removeObserver(this);
    }

    if (drawer_.joinable())
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ending_ = true;
        }
        change_.notify_all();
        drawer_.join();
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::liveView::read(const dictionary& dict)
{
    latticeFunctionObject::read(dict);

    const latticeFlow* flow = findFlow
    (
        "the functionObject runTimePostProcessing works on fields"
    );

    if (!flow)
    {
        return true;
    }

    if (!flow->engine().parts().empty())
    {
        FatalIOErrorInFunction(dict)
            << type() << ' ' << name() << " needs a lattice on one device, and"
            << " this one is on several" << nl
            << "    Possible is one number as device in LBM of"
            << " system/fvSolution" << exit(FatalIOError);
    }

    if (flow->engineSettings().storage == "moments")
    {
        FatalIOErrorInFunction(dict)
            << type() << ' ' << name() << " reads and changes the populations of"
            << " all nodes, and this lattice keeps moments of most" << nl
            << "    Possible is storage populations in LBM of"
            << " system/fvSolution" << exit(FatalIOError);
    }

    flow_ = const_cast<latticeFlow*>(flow);

    // They are used by the thread that draws
    awaitDrawing();

    readPlane(dict);
    readVolume(dict);

    rangeGiven_ = dict.found("range");
    if (rangeGiven_)
    {
        range_ = dict.get<FixedList<scalar, 2>>("range");

        if (!(range_[0] < range_[1]))
        {
            FatalIOErrorInFunction(dict)
                << "range of " << type() << ' ' << name() << " is "
                << flatOutput(range_) << ": the least value is not below the"
                << " largest" << exit(FatalIOError);
        }
    }

    rate_ = dict.getCheckOrDefault<scalar>
    (
        "rate", 30, [](const scalar x) { return x > 0; }
    );
    interval_ = dict.getCheckOrDefault<scalar>
    (
        "interval",
        time_.deltaTValue(),
        [](const scalar x) { return x > 0; }
    );
    brush_ =
        dict.getCheckOrDefault<scalar>
        (
            "brush",
            3*mapping().dx(),
            [](const scalar x) { return x >= 0; }
        )
       /mapping().dx();
    saveObstacles_ = dict.getOrDefault("saveObstacles", false);

    if (saveObstacles_)
    {
        saveObstacles_ = !refuseDrawing();
    }

    fileName file(dict.getOrDefault<fileName>("script", fileName()));
    file.expand();

    if (!file.empty() && file != scriptFile_)
    {
        scriptFile_ = file;
        script_ = mouseScript(file);

        const scalar brush = script_.skipTo(time_.value());

        if (brush >= 0)
        {
            brush_ = brush/mapping().dx();
        }
    }

    openDisplay(dict);
    setPlane();

    if (live_ && !pace_ && mapping().nFluid() > 0)
    {
        const std::int64_t node = 0;
        pace_ = engineCall([&]{ return flow_->engine().sampler(1, &node); });
    }

    if (!started_)
    {
        started_ = true;
        now_ = time_.value();
        nextFrame_ = label(std::ceil(now_/interval_ - 1e-6));
        picturedSteps_ = flow_->latticeSteps();
        pictured_ = clock::now();

        if (display_)
        {
            const lbm::floatingPointScope scope;
            drawer_ = std::thread([this]{ drawPictures(); });
        }

        // What the run starts from
        if (!live_ && nextFrame_*interval_ < now_ + 1e-6*interval_)
        {
            beginPicture();
            passPicture(true);
        }
    }

    flow_->addObserver(this);

    return true;
}


Foam::label Foam::functionObjects::liveView::nSteps() const
{
    // The first look tells how long a step is
    if (single_ || step_ == 0)
    {
        return 1;
    }

    label n = live_ ? nSteps_ : mostSteps;

    // Not beyond what is to happen at a time
    const scalar next =
        min(script_.nextTime(), live_ ? GREAT : nextFrame_*interval_);

    if (next < now_ + n*step_)
    {
        n = max(label(1), label(std::round((next - now_)/step_)));
    }

    return n;
}


void Foam::functionObjects::liveView::observe
(
    const label done,
    const label nSteps
)
{
    step_ = time_.deltaTValue()/nSteps;
    now_ = time_.value() - (nSteps - done)*step_;

    // What a single step has made is seen
    refresh_ = refresh_ || single_;
    single_ = false;

    // A device makes its steps later: not more than those of two looks are
    // queued, or a picture would come after all of them
    if (pace_)
    {
        engineCall
        (
            [&]
            {
                pace_->values();
                pace_->start();
            }
        );
    }

    // As many steps as take the time of a look
    const clock::time_point now = clock::now();
    const double passed =
        std::chrono::duration<double>(now - looked_).count();
    looked_ = now;

    if (Pstream::parRun() && !showing_)
    {
        // The master has told the others for the last time
        nSteps_ = mostSteps;
    }
    else if (passed < 0.5*lookTime)
    {
        nSteps_ = min(2*nSteps_, mostSteps);
    }
    else if (passed > 2*lookTime)
    {
        nSteps_ = max(nSteps_/2, label(1));
    }

    do
    {
        takeScript();

        if (Pstream::parRun())
        {
            lookTogether();
        }
        else
        {
            if (display_)
            {
                takeEvents(newEvents());
            }

            passPicture(false);

            if (due())
            {
                beginPicture();
                passPicture(!live_);
            }

            const std::string failure(takeFailure());

            if (!failure.empty())
            {
                stopDisplay(failure);
            }
        }

        if (paused_ && !quit_ && !single_)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            looked_ = clock::now();
        }
    }
    while (paused_ && !quit_ && !single_);
}


bool Foam::functionObjects::liveView::execute()
{
    if (quit_ && flow_)
    {
        quit_ = false;

        Info<< type() << ' ' << name() << ": the viewer ends the run" << nl
            << endl;

        // A time that the loop has just written is there already
        if (time_.writeTime())
        {
            const_cast<Time&>(time_).stopAt(Time::saEndTime);
            const_cast<Time&>(time_).setEndTime(time_.value());
        }
        else
        {
            flow_->updateFieldsForOutput();
            const_cast<Time&>(time_).writeAndEnd();
        }
    }

    return true;
}


bool Foam::functionObjects::liveView::write()
{
    return true;
}


bool Foam::functionObjects::liveView::end()
{
    if (flow_)
    {
        if (showing_)
        {
            passPicture(true);
            awaitDrawing();

            try
            {
                if
                (
                    auto* frames =
                        dynamic_cast<lbmView::framesDisplay*>(display_.get())
                )
                {
                    frames->finish();
                }
            }
            catch (const lbmView::viewError& err)
            {
                stopDisplay(err.what());
            }

            display_.reset();
            showing_ = false;
        }

        if (saveObstacles_)
        {
            saveObstacles();
        }
    }

    return true;
}


// ************************************************************************* //
