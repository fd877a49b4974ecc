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

#include "latticeFlow.H"
#include "conservativeFlux.H"
#include "effectiveViscosity.H"
#include "engineCall.H"
#include "latticeMemory.H"
#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Above this the flow is taken for diverging: the equilibrium is an
//  expansion in the Mach number
constexpr scalar divergedMach = 0.6;

//- Above this the compressibility error, Ma^2, is some per cent
constexpr scalar largeMach = 0.3;

//- Lattice steps between looks at the flow, which cost up to three steps each
constexpr label checkInterval = 500;

//- The same while steps are made anew
constexpr label repeatedInterval = 20;

//- The same, where no patch fixes the pressure and walls lie anywhere between
//  nodes: there the lattice gains or loses up to 1e-5 of its mass in a step
constexpr label massInterval = 100;

//- Lattice steps between which the alternating velocity is taken away, where
//  walls lie anywhere between nodes: there it grows, by up to 1e-4 in a step
constexpr label alternatingInterval = 500;

//- What is taken away is a multiple of this power of two: see below
const scalar alternatingQuantum = std::ldexp(1, -30);

//- Correct the mean density beyond this deviation, in these quanta. Powers of
//  two: the correction does not depend on rounding in the sum over the nodes
const scalar massTolerance = std::ldexp(1, -16);
const scalar massQuantum = std::ldexp(1, -20);

//- The lattice step is chosen for the speed of the flow times this
constexpr scalar speedMargin = 1.25;

//- Above the first, in units of maxMach but at most the second, the next outer
//  step has smaller steps. Flows around bodies and out of nozzles are often
//  1.5 to 2 times as fast as their inlets
constexpr scalar fastFactor = 2;
constexpr scalar fastMach = 0.4;

//- The same for smaller steps at once
constexpr scalar tooFast = 3;
constexpr scalar tooFastMach = 0.45;

//- For so many steps another collision may calm the flow before its steps become
//  smaller
constexpr label calming = 500;

//- A speed of more than so many times what the boundary, the pressures and the
//  body force account for is no flow but an instability: following it would
//  only make its steps ever smaller
constexpr scalar incredible = 10;

//- A speed of more than so many times that is suspicious where fluid enters with
//  the tangential velocity that the flow has: nothing there keeps it from
//  growing
constexpr scalar suspicious = 3;

//- Below this, in units of maxMach, larger steps come into question; they must
//  save this share of them
constexpr scalar slow = 0.4;
constexpr scalar worthwhile = 0.25;

//- The first of a steady case, where the way to the end is all that steps are
//  for
constexpr scalar slowSteady = 0.6;

//- They are taken if the largest speed has not changed by more than this for so
//  many steps, and for this part of the time that friction takes to come from
//  the walls
constexpr scalar steady = 1.1;
constexpr scalar fewestWatched = 2000;
constexpr scalar partOfFriction = 0.1;

//- Lattice steps between states that are kept. A copy costs about one step on
//  the host, some ten on a device, some hundred from a device to the host
constexpr label keepIntervalHost = 2000;
constexpr label keepIntervalDevice = 5000;
constexpr label keepIntervalTransfer = 50000;

//- Lattice steps after a start in which its jumps at walls and corners dominate
//  the acceleration of the fluid
constexpr label settled = 100;

//- Device memory that stays free, for work that takes memory as it goes
constexpr scalar deviceReserve = 256e6;

//- A state is kept if the Mach number is below the band's top, or has not grown
//  by more than this since the last one that might have been
constexpr scalar sound = 1.25;

//- Most halvings of the lattice step in a simulation
constexpr label maxHalved = 3;

//- The bulk relaxation time of a second chance: sound dies out
constexpr scalar dampingTime = 10;

//- The collision of a last chance: it keeps nothing but density, velocity and
//  stress
const char* const stableCollision = "recursiveRegularised";

//- Boundary values to keep, shared with those of an outer step before where they
//  are the same. bytes: of those that are not
List<std::shared_ptr<const std::vector<double>>> shared
(
    const List<std::vector<double>>& values,
    const List<std::shared_ptr<const std::vector<double>>>& before,
    scalar& bytes
)
{
    List<std::shared_ptr<const std::vector<double>>> result(values.size());

    forAll(values, groupi)
    {
        if (before.size() && *before[groupi] == values[groupi])
        {
            result[groupi] = before[groupi];
        }
        else
        {
            result[groupi] =
                std::make_shared<const std::vector<double>>(values[groupi]);
            bytes += scalar(values[groupi].size())*sizeof(double);
        }
    }

    return result;
}


//- Boundary values of an outer step that was kept
List<std::vector<double>> copied
(
    const List<std::shared_ptr<const std::vector<double>>>& values
)
{
    List<std::vector<double>> result(values.size());

    forAll(values, groupi)
    {
        result[groupi] = *values[groupi];
    }

    return result;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::giveBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        if (firstValues_[groupi].empty())
        {
            std::vector<double> values(std::move(boundaryValues_[groupi]));
            boundaryValues_[groupi].clear();

            setBoundaryValues(groupi, std::move(values));
        }
    }
}


void Foam::latticeFlow::giveVaryingValues(const label done)
{
    forAll(firstValues_, groupi)
    {
        std::vector<double>& first = firstValues_[groupi];
        const int nValues =
            lbm::valuesPerFace(mapping_->description().groups[groupi].type);

        if (!first.empty())
        {
            if (inflowStraightened_)
            {
                mapping_->straightenInflow(groupi, first);
                mapping_->straightenInflow(groupi, boundaryValues_[groupi]);
            }

            engineCall
            (
                [&]
                {
                    engine_->varyBoundaryValues
                    (
                        groupi,
                        first.data(),
                        boundaryValues_[groupi].data(),
                        first.size()/nValues,
                        done,
                        nSteps_
                    );
                }
            );
        }
    }
}


void Foam::latticeFlow::rescaleBoundaryValues(const scalar ratio)
{
    if (!variableBoundary_)
    {
        // As a restart does: the same bits
        for (std::vector<double>& values : boundaryValues_)
        {
            values.clear();
        }
        setBoundaryValues();
        return;
    }

    forAll(boundaryValues_, groupi)
    {
        const std::vector<int> powers
        (
            lbm::valuePowers(mapping_->description().groups[groupi].type)
        );

        for (auto* values : {&boundaryValues_[groupi], &firstValues_[groupi]})
        {
            for (std::size_t i = 0; i < values->size(); ++i)
            {
                (*values)[i] *= Foam::pow(ratio, powers[i % powers.size()]);
            }
        }
    }

    boundaryRescaled_ = true;
    giveBoundaryValues();
}


Foam::label Foam::latticeFlow::stepsFor(const scalar speed) const
{
    return latticeUnits::stepsPerDeltaT
    (
        deltaT_,
        mapping_->dx(),
        stepViscosity_,
        speed,
        settings_
    );
}


Foam::scalar Foam::latticeFlow::timeAfter(const label done) const
{
    return
        runTime_.value()
      - runTime_.deltaTValue()*(1 - scalar(done)/nSteps_);
}


Foam::string Foam::latticeFlow::timeText(const scalar time) const
{
    const word name(Time::timeName(time));

    return steady_ ? "iteration " + name : name + " s";
}


const char* Foam::latticeFlow::perOuterStep() const
{
    return steady_ ? " per iteration" : " per deltaT";
}


void Foam::latticeFlow::resizeIteration()
{
    const label nSteps = settings_.iterationSteps();

    if (!steady_ || nSteps_ == nSteps)
    {
        return;
    }

    deltaT_ *= scalar(nSteps)/nSteps_;
    nSteps_ = nSteps;

    // The steps of other iterations cannot be made anew
    kept_.since.clear();
}


void Foam::latticeFlow::changeStep(const label nSteps)
{
    const scalar oldStep = units_->dt();
    const scalar newStep = deltaT_/nSteps;
    const scalar ratio = newStep/oldStep;

    units_.reset
    (
        new latticeUnits(mapping_->dx(), newStep, nu_, mapping_->thickness())
    );
    nSteps_ = nSteps;

    engineSettings_.relaxationTime = units_->tau();
    engineSettings_.bodyForce = latticeAcceleration();

    engineCall
    (
        [&]
        {
            engine_->rescale(ratio, units_->tau());
            engine_->setBodyForce(latticeAcceleration());
        }
    );

    // The limit of the drag follows the step
    giveForces();
    giveScalars();

    if (hasLaws())
    {
        giveViscosity();
    }

    statistics_.massDeviation *= sqr(ratio);
    statistics_.maxViscosity *= ratio;
    statistics_.sumViscosity *= ratio;
    statistics_.maxSpeed *= ratio;
    statistics_.sumAbsVelocity *= ratio;
    statistics_.maxAbsVelocity *= ratio;
    for (double& u : statistics_.sumVelocity)
    {
        u *= ratio;
    }

    massStart_ *= sqr(ratio);
    massAdded_ *= sqr(ratio);

    rescaleBoundaryValues(ratio);
    sources_.changeLatticeStep(oldStep, newStep);

    watchedSince_ = latticeSteps_;
    watchedLeast_ = GREAT;
    watchedLargest_ = 0;
}


void Foam::latticeFlow::changeDeltaT()
{
    const scalar deltaT = runTime_.deltaTValue();
    const scalar ratio = deltaT/units_->dt();
    const scalar nSteps = std::round(ratio);

    deltaT_ = deltaT;

    // The steps of another deltaT cannot be made anew
    kept_.since.clear();

    if (nSteps >= 1 && mag(ratio - nSteps) < 1e-9*nSteps)
    {
        nSteps_ = label(nSteps);

        Info<< "deltaT is now " << deltaT << " s, " << nSteps_
            << " steps of the lattice" << endl;

        return;
    }

    stepDue_ = false;

    changeStep
    (
        stepsFor(stepSpeed_)
    );

    Info<< "deltaT is now " << deltaT << " s, which is no multiple of the"
        << " lattice step" << nl
        << "    New lattice step " << units_->dt() << " s, " << nSteps_
        << " per deltaT, relaxation time " << units_->tau() << endl;
}


void Foam::latticeFlow::followFlow()
{
    if (!settings_.adaptiveStep() || stepDue_)
    {
        return;
    }

    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar Ma = units_->mach(U);

    watchedLeast_ = min(watchedLeast_, U);
    watchedLargest_ = max(watchedLargest_, U);

    const bool calms =
        latticeSteps_ < calmUntil_
     && Ma <= min(tooFast*settings_.maxMach(), tooFastMach);

    if (isFast(Ma))
    {
        if (U < credibleSpeed() && !calms)
        {
            stepSpeed_ = stepSpeedFor(speedMargin*U);
            stepDue_ = true;
        }
        return;
    }

    // What friction may still speed up, in time
    const scalar friction =
        steady_
      ? 0
      : sqr(mapping_->wallDistance())/(stepViscosity_*units_->dt());

    if
    (
        latticeSteps_ - watchedSince_
      < max(fewestWatched, partOfFriction*friction)
    )
    {
        return;
    }

    const scalar speed = max
    (
        stepSpeedFor(speedMargin*watchedLargest_),
        leastStepSpeed_
    );

    if
    (
        Ma < (steady_ ? slowSteady : slow)*settings_.maxMach()
     && watchedLeast_ > 0
     && watchedLargest_ < steady*watchedLeast_
     && speed < stepSpeed_
     && stepsFor(speed) < (1 - worthwhile)*nSteps_
    )
    {
        stepSpeed_ = speed;
        stepDue_ = true;
    }

    watchedSince_ = latticeSteps_;
    watchedLeast_ = GREAT;
    watchedLargest_ = 0;
}


Foam::scalar Foam::latticeFlow::boundarySpeed() const
{
    scalar largest = 0;

    forAll(boundaryValues_, groupi)
    {
        const std::string& type = mapping_->description().groups[groupi].type;

        if (lbm::givesVelocity(type) || type == "wallStress")
        {
            const std::vector<double>& u = boundaryValues_[groupi];
            const std::size_t width = lbm::valuesPerFace(type);

            for (std::size_t i = 0; i < u.size(); i += width)
            {
                largest = max(largest, mag(vector(u[i], u[i + 1], u[i + 2])));
            }
        }
    }

    return units_->velocityToSI(largest);
}


Foam::scalar Foam::latticeFlow::accountedSpeed() const
{
    scalar least = GREAT;
    scalar largest = -GREAT;

    forAll(boundaryValues_, groupi)
    {
        // Pressures that depend on the flow account for nothing
        if
        (
            mapping_->description().groups[groupi].type == "pressure"
         && !mapping_->groupDependsOnFlow(groupi)
        )
        {
            const std::vector<double>& values = boundaryValues_[groupi];
            const std::size_t width = lbm::valuesPerFace("pressure");

            for (std::size_t i = 0; i < values.size(); i += width)
            {
                least = min(least, values[i]);
                largest = max(largest, values[i]);
            }
        }
    }

    const scalarOnLattice* heat = carriedHeat();
    const scalar dp = max(scalar(0), units_->pressureToSI(largest - least));
    const scalar time =
        steady_
      ? latticeSteps_*units_->dt()
      : max(scalar(0), runTime_.value());

    return
        max(Uref_, boundarySpeed())
      + Foam::sqrt(2*dp)
      + (
            mag(acceleration_)
          + forces_.largest()
          + (heat ? heat->largest() : 0)
        )
       *time;
}


Foam::scalar Foam::latticeFlow::credibleSpeed() const
{
    return incredible*accountedSpeed();
}


void Foam::latticeFlow::guardInflow()
{
    if (!settings_.secondChance() || inflowStraightened_)
    {
        return;
    }

    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar accounted = accountedSpeed();

    if (U < suspicious*accounted)
    {
        return;
    }

    const wordList patches(freeInflows());

    if (patches.empty())
    {
        return;
    }

    Info<< "Largest speed " << U << " m/s, " << U/accounted
        << " times the speed that boundary values account for: from now on"
        << " fluid enters through " << flatOutput(patches)
        << " along the normal" << endl;

    straightenInflow();
}


void Foam::latticeFlow::straightenInflow()
{
    inflowStraightened_ = true;

    // As they are, but for what setBoundaryValues(groupi, values) changes
    giveBoundaryValues();
}


bool Foam::latticeFlow::isFast(const scalar Ma) const
{
    return Ma > min(fastFactor*settings_.maxMach(), fastMach);
}


Foam::scalar Foam::latticeFlow::cellReynolds(const scalar U) const
{
    return
        viscosity_.usesFlux()
      ? U*units_->dx()/viscosity_.leastOfFluid()
      : units_->cellReynolds(U);
}


bool Foam::latticeFlow::followCollision(const scalar U)
{
    if
    (
        settings_.collision() != "auto"
     || engineSettings_.collision == stableCollision
    )
    {
        return false;
    }

    const scalar limit =
        lbm::traitsOf(engineSettings_.collision).cellReynoldsLimit;
    const scalar Re = cellReynolds(U);

    if (Re <= limit)
    {
        return false;
    }

    Info<< "Collision " << stableCollision << " in place of "
        << engineSettings_.collision.c_str()
        << ": the cell Reynolds number is " << Re << ", above " << limit
        << endl;

    engineSettings_.collision = stableCollision;
    collisionChanged_ = true;

    engineCall([&]{ engine_->setCollision(stableCollision); });

    return true;
}


void Foam::latticeFlow::takeStep()
{
    scalar Ma = units_->mach
    (
        units_->velocityToSI(scalar(statistics_.maxSpeed))
    );
    bool fastBoundary = false;

    if (settings_.adaptiveStep())
    {
        const scalar U = boundarySpeed();

        if (isFast(units_->mach(U)))
        {
            fastBoundary = true;
            Ma = max(Ma, units_->mach(U));
            stepSpeed_ = max(U, stepDue_ ? stepSpeed_ : 0);
            stepDue_ = true;
        }
    }

    if (!stepDue_)
    {
        resizeIteration();
        return;
    }

    stepDue_ = false;

    const label before = nSteps_;
    const scalar dtBefore = units_->dt();
    const label nSteps = stepsFor(stepSpeed_);

    if (nSteps == before)
    {
        resizeIteration();
        return;
    }

    // What grew may have been no flow, unless it is the boundary's
    if
    (
        nSteps > before
     && isFast(Ma)
     && followCollision(Ma/units_->mach(1))
     && !fastBoundary
    )
    {
        calmUntil_ = latticeSteps_ + calming;
        stepSpeed_ = settings_.maxMach()/units_->mach(1);
        changeStep(before);
        resizeIteration();
        return;
    }

    if (kept_.done > 0)
    {
        // Its steps may be no multiple of the new ones
        kept_.since.clear();
    }

    changeStep(nSteps);

    resizeIteration();

    Info<< "Lattice step " << units_->dt() << " s, ";

    if (steady_)
    {
        Info<< dtBefore << " s before";
    }
    else
    {
        Info<< nSteps_ << " per deltaT in place of " << before;
    }

    Info<< ", relaxation time "
        << units_->tau() << ": the largest Mach number is " << Ma
        << ", aimed at is " << settings_.maxMach();

    if (viscosity_.variable())
    {
        Info<< ", the mean viscosity is " << stepViscosity_ << " m2/s";
    }

    Info<< endl;
}


Foam::label Foam::latticeFlow::refineStep(const label done)
{
    const scalar maxMach = settings_.maxMach();
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar Ma = units_->mach(U);

    if
    (
        !settings_.adaptiveStep()
     || Ma <= min(tooFast*maxMach, tooFastMach)
     || U >= credibleSpeed()
    )
    {
        return done;
    }

    const scalar parts = max(scalar(2), std::ceil(Ma/maxMach));

    if (parts*nSteps_ >= scalar(labelMax))
    {
        return done;
    }

    const scalar time = timeAfter(done);

    changeStep(label(parts)*nSteps_);

    stepSpeed_ = maxMach/units_->mach(1);
    stepDue_ = false;

    Info<< "Lattice step " << units_->dt() << " s from "
        << timeText(time).c_str() << " on, " << nSteps_ << perOuterStep() << ", relaxation time "
        << units_->tau() << ": the largest Mach number is " << Ma << ", aimed at is "
        << maxMach << endl;

    return label(parts)*done;
}


void Foam::latticeFlow::step(label n)
{
    stepsMade_ += n;

    if (mapping_->conforming())
    {
        engine_->step(n);
        latticeSteps_ += n;
        return;
    }

    while (n > 0)
    {
        const label left =
            alternatingInterval - label(latticeSteps_ % alternatingInterval);
        const label m = min(n, left);

        n -= m;
        latticeSteps_ += m;

        if (m < left)
        {
            engine_->step(m);
            continue;
        }

        engine_->step(m - 1);
        const std::array<double, 3> previous(engine_->alternatingVelocity());
        engine_->step(1);
        std::array<double, 3> u(engine_->alternatingVelocity());

        for (int a = 0; a < 3; ++a)
        {
            const scalar half = 0.5*(previous[a] - u[a]);
            u[a] = alternatingQuantum*std::round(half/alternatingQuantum);
        }
        engine_->addAlternatingVelocity(u);
    }
}


bool Foam::latticeFlow::removesSound() const
{
    if
    (
        settings_.writtenFields() == "lattice"
     || !runTime_.writeTime()
     || nSteps_ < acousticPart::nSteps
     || latticeSteps_ < settled
     || obstacle_->size() > 0       // Cells of the mesh know nothing of it
    )
    {
        return false;
    }

    const scalar steps = latticeSteps_ + nSteps_ - soundSteps_;

    return
        settings_.writtenFields() == "incompressible"
     || acousticPart::cheap
        (
            nCells_,
            steps*mapping_->nFluidWhole()
        );
}


bool Foam::latticeFlow::conservesFlux() const
{
    return
        settings_.conservativeFlux() == "yes"
     || (
            settings_.conservativeFlux() == "auto"
         && (
                functionObjects_.transport()
             || (
                    obstacle_->size() == 0
                 && conservativeFlux::cheap
                    (
                        nCells_,
                        scalar(latticeSteps_ - fluxSteps_)
                       *mapping_->nFluidWhole()
                    )
                )
            )
        );
}


bool Foam::latticeFlow::makeSteps(label done)
{
    const label interval =
        mapping_->closed() && !mapping_->conforming()
      ? massInterval
      : checkInterval;

    // What diverged before is looked at more often
    const label look = repeating_ ? min(interval, repeatedInterval) : interval;

    bool removeSound = removesSound();
    sound_.clear();

    giveVaryingValues(done);

    if (hasLaws() && done == 0 && !eddies_.valid())
    {
        // A restart begins with it
        engineCall([&]{ engine_->updateViscosity(); });
    }

    while (done < nSteps_)
    {
        label n = min(nSteps_ - done, look - label(latticeSteps_ % look));

        if (removeSound)
        {
            const label first = max(label(0), nSteps_ - acousticPart::nSteps);

            if (done < first)
            {
                n = min(n, first - done);
            }
            else if (!sound_.kept())
            {
                engineCall
                (
                    [&]
                    {
                        if (scalarOnLattice* heat = carriedHeat())
                        {
                            heat->update(*engine_, *mapping_);
                        }

                        fields_.keep
                        (
                            *engine_,
                            *mapping_,
                            *units_,
                            (nSteps_ - done)*units_->dt(),
                            sound_
                        );
                    }
                );
            }
        }

        for (const latticeObserver* observer : observers_)
        {
            n = min(n, max(label(1), observer->nSteps()));
        }

        // Looks at the flow must not depend on when p is written
        const bool looks =
            done + n == nSteps_ || (latticeSteps_ + n) % look == 0;

        engineCall
        (
            [&]
            {
                step(n);

                if (looks)
                {
                    statistics_ = engine_->statistics();
                    followLawsInterval();
                }
            }
        );

        done += n;

        for (latticeObserver* observer : observers_)
        {
            observer->observe(done, nSteps_);
        }

        if (obstacle_->size() > 0)
        {
            removeSound = false;
            sound_.clear();
        }

        if (!looks)
        {
            continue;
        }

        if (diverges())
        {
            return false;
        }

        checkMach();

        if (latticeSteps_ % interval == 0)
        {
            correctMass();
        }

        if (done < nSteps_)
        {
            const label before = nSteps_;
            done = refineStep(done);
            if (nSteps_ != before)
            {
                giveVaryingValues(done);
            }
            keepIfDue(done);
        }
    }

    return true;
}


Foam::label Foam::latticeFlow::draw(const labelUList& nodes, const bool solid)
{
    if (carried_.size())
    {
        static bool said = false;

        if (!said)
        {
            said = true;

            Info<< "Nothing can be drawn into a flow with "
                << carried_[0].name() << " on the lattice: "
                << (
                       carried_[0].request()
                     ? "the functionObject scalarTransport"
                     : "heat host in LBM of system/fvSolution"
                   )
                << " lets it" << endl;
        }

        return 0;
    }

    const auto mass = [&]
    {
        return engineCall([&]{ return engine_->statistics().massDeviation; });
    };

    const scalar before = mapping_->closed() ? mass() : 0;

    const label n = solid ? obstacle_->draw(nodes) : obstacle_->erase(nodes);

    if (n > 0 && mapping_->closed())
    {
        // Fluid that enters or leaves with them is no drift
        massStart_ += mass() - before;
    }

    if (n > 0)
    {
        // Steps from before cannot be made anew
        kept_.since.clear();
    }

    return n;
}


bool Foam::latticeFlow::diverges() const
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));

    return !statistics_.finite || !(units_->mach(U) < divergedMach);
}


void Foam::latticeFlow::checkMach()
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar Ma = units_->mach(U);

    if (Ma > largeMach && !warnedMach_)
    {
        warnedMach_ = true;

        WarningInFunction
            << "The Mach number has reached " << Ma << ", aimed at was "
            << settings_.maxMach() << "." << nl
            << "    Errors from compressibility grow with its square. "
            << (
                   settings_.adaptiveStep()
                 ? "The lattice step follows; to start with a smaller one, give"
                 : "Give"
               )
            << " referenceVelocity in LBM of system/fvSolution (now " << Uref_
            << " m/s, reached " << U << " m/s)." << endl;
    }
}


void Foam::latticeFlow::correctMass()
{
    const scalar nNodes = mapping_->nFluidWhole();
    const scalar drift = massDrift() + massAdded_/nNodes;

    if (mapping_->closed() && mag(drift) > massTolerance)
    {
        const scalar delta = -massQuantum*std::round(drift/massQuantum);

        engineCall([&]{ engine_->shiftDensity(delta); });

        massAdded_ += delta*nNodes;
        statistics_.massDeviation += delta*nNodes;
    }
}


void Foam::latticeFlow::setKeepInterval()
{
    keepInterval_ = 0;

    if (!settings_.secondChance())
    {
        return;
    }

    const lbm::engineSettings& s = engineSettings_;
    const scalar needed = scalar(engine_->nFluid())*engine_->populationBytes();

    // Processes go back together
    const auto all = [](const bool own)
    {
        return returnReduce(own, andOp<bool>());
    };

    if
    (
        s.backend != "host"
     && all(memoryFree(s.backend) > needed + deviceReserve)
    )
    {
        keepInterval_ = keepIntervalDevice;
    }
    else if (all(memoryFree("host") > 2*needed))
    {
        keepInterval_ =
            s.backend == "host" ? keepIntervalHost : keepIntervalTransfer;
    }
    else
    {
        Info<< "No second chance for a flow that diverges: a copy of the"
            << " populations takes " << 1e-6*needed << " MB, and "
            << 1e-6*memoryFree("host") << " MB are free" << nl << endl;
    }
}


void Foam::latticeFlow::keep(const label done)
{
    makeRoom
    (
        "the copy of the populations that secondChance keeps",
        scalar(engine_->nFluid())*engine_->populationBytes(),
        [&]
        {
            engineCall([&]{ engine_->holdPopulations(kept_.populations); });
        }
    );

    kept_.done = done;
    kept_.nSteps = nSteps_;
    kept_.time = timeAfter(done);
    kept_.latticeSteps = latticeSteps_;
    kept_.statistics = statistics_;
    kept_.massStart = massStart_;
    kept_.massAdded = massAdded_;
    kept_.since.clear();
    scalar ofState = 0;
    kept_.since.push_back
    (
        {
            units_->dt(),
            acceleration_,
            shared(boundaryValues_, {}, ofState),
            shared(firstValues_, {}, ofState)
        }
    );
    kept_.bytes = 0;
    kept_.nTries = 0;
    kept_.halved = false;
    kept_.leastStepSpeed = leastStepSpeed_;
    kept_.halvedSteps = 0;
}


void Foam::latticeFlow::keepIfDue(const label done)
{
    // Of the populations of a process, the same for all
    const scalar bytes =
        scalar(mapping_->nFluidWhole())*engine_->populationBytes()
       /Pstream::nProcs();

    if
    (
        keepInterval_ == 0
     || repeating_
     || (
            latticeSteps_ - kept_.latticeSteps < keepInterval_
         && kept_.bytes < bytes
        )
    )
    {
        return;
    }

    const scalar Ma = units_->mach
    (
        units_->velocityToSI(scalar(statistics_.maxSpeed))
    );
    const bool fit =
        !isFast(Ma)
     || Ma <= sound*keepMach_;

    keepMach_ = Ma;

    if (fit)
    {
        keep(done);
    }
}


void Foam::latticeFlow::beginOuterStep()
{
    if (keepInterval_ == 0)
    {
        return;
    }

    if
    (
        (forces_.any() && !forces_.constant())
     || scalarsVary()
    )
    {
        // Those of outer steps before the present one are not kept
        kept_.since.clear();
    }

    if (kept_.since.empty())
    {
        keep(0);
        return;
    }

    outerStep present{units_->dt(), acceleration_, {}, {}};

    if (variableBoundary_)
    {
        const auto& before = kept_.since.back().values;

        // Values begin as those before have ended
        present.values = shared(boundaryValues_, before, kept_.bytes);
        present.firstValues = shared(firstValues_, before, kept_.bytes);
    }

    kept_.since.push_back(std::move(present));
    keepIfDue(0);
}


void Foam::latticeFlow::goBack()
{
    const outerStep& first = kept_.since.front();

    sources_.changeLatticeStep(units_->dt(), first.latticeStep);

    units_.reset
    (
        new latticeUnits
        (
            mapping_->dx(),
            first.latticeStep,
            nu_,
            mapping_->thickness()
        )
    );
    nSteps_ = kept_.nSteps;
    acceleration_ = first.acceleration;

    statistics_ = kept_.statistics;
    massStart_ = kept_.massStart;
    massAdded_ = kept_.massAdded;
    latticeSteps_ = kept_.latticeSteps;

    constexpr std::int64_t chunk = 1 << 18;
    const std::int64_t nNodes = engine_->nFluid();
    std::vector<char> buffer
    (
        std::min(chunk, nNodes)*engine_->populationBytes()
    );

    engineCall
    (
        [&]
        {
            if (eddies_.valid())
            {
                // Steps that are made anew are not behind
                engine_->updateViscosity();
            }

            engine_->setRelaxationTime(units_->tau());
            engine_->setBodyForce(latticeAcceleration());

            for (std::int64_t i = 0; i < nNodes; i += chunk)
            {
                const std::int64_t count = std::min(chunk, nNodes - i);

                kept_.populations->get(i, count, buffer.data());
                engine_->setPopulations(i, count, buffer.data());
            }
        }
    );

    setLawsInterval();
    giveViscosity();
    giveForces();
    giveScalars();

    if (hasLaws())
    {
        engineCall([&]{ engine_->updateViscosity(); });
    }
}


Foam::latticeFlow::remedy Foam::latticeFlow::nextRemedy() const
{
    if
    (
        kept_.nTries == 1
     && nHalved_ < maxHalved
     && 2*scalar(nSteps_) < scalar(labelMax)
    )
    {
        return remedy::HALF_STEP;
    }
    if (engineSettings_.bulkRelaxationTime == 0)
    {
        return remedy::BULK_VISCOSITY;
    }
    if (!inflowStraightened_ && freeInflows().size())
    {
        return remedy::STRAIGHT_INFLOW;
    }
    if (engineSettings_.collision != stableCollision)
    {
        return remedy::COLLISION;
    }
    if (kept_.halvedSteps > 0)
    {
        return remedy::COLLISION_AND_STEP;
    }
    return remedy::NONE;
}


Foam::wordList Foam::latticeFlow::freeInflows() const
{
    DynamicList<word> names;

    forAll(boundaryValues_, groupi)
    {
        std::vector<double> values(boundaryValues_[groupi]);

        if (mapping_->straightenInflow(groupi, values))
        {
            const label patchi = mapping_->groupPatches()[groupi];
            names.append(U_.mesh().boundary()[patchi].name());
        }
    }

    return wordList(std::move(names));
}


bool Foam::latticeFlow::tryAgain()
{
    if (keepInterval_ == 0 || kept_.nTries == 0)
    {
        divergence_ = statistics_;
    }

    if (keepInterval_ == 0)
    {
        stopDiverged();
    }

    ++kept_.nTries;

    const remedy next = nextRemedy();

    if (next == remedy::NONE)
    {
        stopDiverged();
    }

    Info<< "Second chance: ";

    if (statistics_.finite)
    {
        Info<< "the largest Mach number is "
            << units_->mach(units_->velocityToSI(scalar(statistics_.maxSpeed)));
    }
    else
    {
        Info<< "the flow is not a number";
    }

    if (statistics_.maxSpeedNode >= 0)
    {
        scalar distance;
        const word patch(nearestPatch(statistics_.maxSpeedNode, distance));

        Info<< " at " << wholeCentre(statistics_.maxSpeedNode)
            << " m, " << distance << " m from patch " << patch;
    }

    label nSteps = nSteps_;

    // Small steps, with a relaxation time next to 1/2, are less stable where the
    // cell Reynolds number is large; and the speed that they follow may be one
    // that grew
    const bool undoes =
        next == remedy::COLLISION && nSteps_ > kept_.nSteps;

    if (next == remedy::HALF_STEP)
    {
        kept_.halved = true;
        nSteps = 2*nSteps_;
        ++nHalved_;
    }
    else if (undoes)
    {
        kept_.halvedSteps = nSteps_;
        nSteps = kept_.nSteps;
        nHalved_ -= kept_.halved;
    }
    else if (next == remedy::COLLISION_AND_STEP)
    {
        nSteps = kept_.halvedSteps;
        kept_.halvedSteps = 0;
        nHalved_ += kept_.halved;
    }

    goBack();

    const label done = kept_.done > 0 ? kept_.done*(nSteps/kept_.nSteps) : 0;

    Info<< "; once more from " << timeText(kept_.time).c_str() << " on ";

    if (next == remedy::BULK_VISCOSITY)
    {
        engineSettings_.bulkRelaxationTime = dampingTime;
        bulkChanged_ = true;

        engineCall([&]{ engine_->setBulkRelaxationTime(dampingTime); });

        Info<< "with bulk relaxation time " << dampingTime << endl;
    }
    else if (next == remedy::STRAIGHT_INFLOW)
    {
        Info<< "with fluid that enters through "
            << flatOutput(freeInflows()) << " along the normal" << endl;

        straightenInflow();
    }
    else if (next == remedy::COLLISION)
    {
        Info<< "with collision " << stableCollision << " in place of "
            << engineSettings_.collision.c_str()
            << (undoes ? " and the lattice step as it was, " : "\n");

        engineSettings_.collision = stableCollision;
        collisionChanged_ = true;

        engineCall([&]{ engine_->setCollision(stableCollision); });
    }
    else
    {
        Info<< "with "
            << (next == remedy::HALF_STEP ? "half the" : "the smaller")
            << " lattice step, ";
    }

    const bool changes =
        undoes
     || next == remedy::HALF_STEP
     || next == remedy::COLLISION_AND_STEP;

    if (changes)
    {
        const latticeUnits units
        (
            mapping_->dx(), deltaT_/nSteps, nu_, mapping_->thickness()
        );

        Info<< units.dt() << " s, " << nSteps << perOuterStep()
            << ", relaxation time " << units.tau() << endl;
    }

    changeStep(nSteps);

    if (changes)
    {
        stepSpeed_ = settings_.maxMach()/units_->mach(1);
        leastStepSpeed_ = undoes ? kept_.leastStepSpeed : stepSpeed_;
    }

    stepDue_ = false;
    repeating_ = true;

    bool finished = true;

    for (std::size_t i = 0; finished && i < kept_.since.size(); ++i)
    {
        const outerStep& outer = kept_.since[i];

        acceleration_ = outer.acceleration;
        engineCall([&]{ engine_->setBodyForce(latticeAcceleration()); });

        if (variableBoundary_)
        {
            boundaryValues_ = copied(outer.values);
            firstValues_ = copied(outer.firstValues);
            rescaleBoundaryValues(units_->dt()/outer.latticeStep);
        }

        finished = makeSteps(i == 0 ? done : 0);
    }

    repeating_ = false;

    return finished;
}


Foam::point Foam::latticeFlow::wholeCentre(std::int64_t boxi) const
{
    std::array<std::int64_t, 3> node;

    for (int a = 0; a < 3; ++a)
    {
        node[a] = boxi % mapping_->description().wholeSize[a];
        boxi /= mapping_->description().wholeSize[a];
    }

    return mapping_->centreAt(node);
}


Foam::word Foam::latticeFlow::nearestPatch
(
    const std::int64_t boxi,
    scalar& distance
) const
{
    const point centre(wholeCentre(boxi));
    const labelList& patches = mapping_->groupPatches();

    label nearest = -1;
    distance = GREAT;

    forAll(patches, groupi)
    {
        for (const point& c : U_.mesh().boundary()[patches[groupi]].Cf())
        {
            if (mag(c - centre) < distance)
            {
                distance = mag(c - centre);
                nearest = groupi;
            }
        }
    }

    const scalar least = returnReduce(distance, minOp<scalar>());

    nearest = returnReduce
    (
        distance > least || nearest < 0 ? labelMax : nearest,
        minOp<label>()
    );
    distance = least;

    return
        nearest < patches.size()
      ? U_.mesh().boundary()[patches[nearest]].name()
      : word::null;
}


void Foam::latticeFlow::stopDiverged() const
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));

    FatalErrorInFunction
        << "The flow diverges." << nl
        << "    Time                  "
        << timeText(runTime_.value()).c_str() << nl;

    if (statistics_.maxSpeedNode >= 0)
    {
        FatalError
            << (
                   statistics_.finite
                 ? "    Largest speed at      "
                 : "    Not a number at       "
               )
            << wholeCentre(statistics_.maxSpeedNode) << " m"
            << nl;
    }

    if (statistics_.finite)
    {
        FatalError
            << "    Largest speed         " << U << " m/s" << nl
            << "    Mach number           " << units_->mach(U) << " (limit "
            << divergedMach << ", aimed at " << settings_.maxMach() << ')'
            << nl
            << "    Cell Reynolds number  " << units_->cellReynolds(U)
            << nl;
    }
    else
    {
        FatalError
            << "    Mach number           " << units_->mach(Uref_)
            << " at the reference velocity, " << Uref_ << " m/s" << nl
            << "    Cell Reynolds number  " << units_->cellReynolds(Uref_)
            << nl;
    }

    if (divergence_.maxSpeedNode >= 0)
    {
        scalar distance;
        const word patch(nearestPatch(divergence_.maxSpeedNode, distance));

        FatalError
            << "    Seen first at         "
            << wholeCentre(divergence_.maxSpeedNode) << " m, "
            << distance << " m from patch " << patch << nl;
    }

    FatalError<< "    Second chance         ";

    if (kept_.nTries > 1)
    {
        FatalError
            << "in vain, from " << timeText(kept_.time).c_str()
            << " on with the lattice step " << units_->dt() << " s, collision "
            << engineSettings_.collision.c_str() << ", bulk relaxation time "
            << engineSettings_.bulkRelaxationTime
            << (inflowStraightened_ ? ", inflow along the normal" : "") << nl;
    }
    else if (kept_.nTries == 1)
    {
        FatalError<< "none is left" << nl;
    }
    else
    {
        FatalError
            << (settings_.secondChance() ? "no memory for it" : "off") << nl;
    }

    FatalError
        << "    What helps, in LBM of system/fvSolution: a finer lattice (";

    if (settings_.latticeSpacing() > 0)
    {
        FatalError<< "latticeSpacing, now " << units_->dx() << " m";
    }
    else
    {
        FatalError<< "refinement, now " << refinement_;
    }

    FatalError
        << "), a smaller maxMach or a larger referenceVelocity";

    if (engineSettings_.collision != stableCollision)
    {
        FatalError<< ", collision " << stableCollision;
    }

    FatalError
        << "; or a larger nu." << nl
        << "    Nothing was written for this time."
        << exit(FatalError);
}


// ************************************************************************* //
