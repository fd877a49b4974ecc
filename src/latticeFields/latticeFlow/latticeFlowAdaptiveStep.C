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
#include "effectiveViscosity.H"
#include "engineCall.H"
#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

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

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
