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
#include "latticeFlowShared.H"
#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- A lattice whose cell Reynolds number is larger is made finer, up to so many
//  nodes along the edge of a cell in a plane and in space, as long as it has no
//  more nodes than these: they are too few to occupy a GPU
constexpr scalar coarseReynolds = 8;
constexpr label largestRefinement2D = 4;
constexpr label largestRefinement3D = 2;
constexpr scalar fewNodes = 262144;

//- A lattice laid over a mesh: at any cell Reynolds number once, and again if it
//  is still above this one, as long as there are no more nodes than these
constexpr scalar fineReynolds = 4;
constexpr scalar coarseNodes = 65536;

//- Deviation of the density that the pressure drop of a laminar flow may have:
//  a flow fills its volume with half of that part of what passes
constexpr scalar viscousDeviation = 0.05;

//- Part of a flow that may fill its volume, rather than pass, as its pressure
//  goes up and down
constexpr scalar storedPart = 0.02;

//- The lattice step is at most so many times smaller for that
constexpr scalar mostForDeviation = 4;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::referenceSpeed Foam::latticeFlow::referenceVelocity() const
{
    // Laminar flow in a pipe or a duct has about twice its mean velocity
    constexpr scalar largestOverMean = 2;

    referenceSpeed result = mapping_->referenceVelocity
    (
        U_,
        p_,
        settings_,
        stepViscosity_,
        sources_.acceleration()
    );

    if (settings_.referenceVelocity() <= 0)
    {
        result.known = max(result.known, sources_.meanSpeed());

        const scalar Umean = largestOverMean*sources_.meanSpeed();

        if (Umean > result.speed)
        {
            result.speed = Umean;
            result.from = "twice the mean velocity of fvOptions";
        }

        if (forces_.speed() > result.speed)
        {
            result.speed = forces_.speed();
            result.from =
                "estimated from the forces in cells, buoyancy and rotation included";
        }
    }

    return result;
}


Foam::scalar Foam::latticeFlow::stepSpeedFor(const scalar U) const
{
    if
    (
        !settings_.adaptiveStep()
     || settings_.referenceVelocity() > 0
     || mapping_->closed()
    )
    {
        return U;
    }

    const scalar length = mapping_->length();

    // Of plane Poiseuille flow and of porous zones, over the density
    const scalar drop =
        (12*stepViscosity_/sqr(mapping_->wallDistance()) + meanDrag_)*U*length;

    // Half of the volume is filled by a change at one end, on the average
    const scalar storage = 0.5*pressureRate_*length/max(U, VSMALL);

    // Square of the speed of sound
    const scalar c2 = max(drop/viscousDeviation, storage/storedPart);

    return min(mostForDeviation*U, max(U, settings_.maxMach()*Foam::sqrt(c2)));
}


void Foam::latticeFlow::setRefinement()
{
    // A turbulence model and its wall functions go by the cells of the mesh
    if (!settings_.automaticRefinement() || viscosity_.usesFlux())
    {
        return;
    }

    dictionary header;
    string why;

    if
    (
        settings_.restartData()
     && latticePopulations::readHeader(U_.mesh(), header, why)
     && why.empty()
     && header.found("refinement")
    )
    {
        refinement_ = header.get<label>("refinement");

        if (refinement_ > 1)
        {
            refinementReason_ = "of the restart data";
        }
    }
    else
    {
        const scalar Re = referenceVelocity().speed*mapping_->dx()/nu_;

        refinementReason_ =
            "cell Reynolds number " + Foam::name(Re) + " with 1";

        scalar nNodes = mapping_->nFluidWhole();

        const label largest =
            mapping_->twoD() ? largestRefinement2D : largestRefinement3D;

        while (refinement_ < largest)
        {
            nNodes *= mapping_->twoD() ? 4 : 8;

            const bool fast = Re > refinement_*coarseReynolds;
            const bool coarse =
                !mapping_->conforming()
             && (refinement_ == 1 || Re > refinement_*fineReynolds);

            if (!fast && (!coarse || nNodes > coarseNodes))
            {
                break;
            }

            if (nNodes > fewNodes)
            {
                refinementReason_ +=
                    ", " + Foam::name(nNodes) + " nodes with "
                  + Foam::name(2*refinement_) + " (at most "
                  + Foam::name(fewNodes) + " by itself)";
                break;
            }

            if (!fast)
            {
                refinementReason_ +=
                    ", " + Foam::name(nNodes) + " nodes with "
                  + Foam::name(2*refinement_) + " (at most "
                  + Foam::name(coarseNodes) + " by itself)";
            }

            refinement_ *= 2;
        }
    }

    if (refinement_ > 1)
    {
        mapping_.reset
        (
            new latticeMapping(U_.mesh(), settings_, U_, p_, refinement_)
        );
    }
}


void Foam::latticeFlow::raiseReferenceVelocity()
{
    // The largest speed of a table is found at other times than before
    constexpr scalar tolerance = 1.02;

    const referenceSpeed present = referenceVelocity();

    if (present.known <= tolerance*Uref_)
    {
        return;
    }

    Uref_ = present.speed;
    UrefReason_ = present.from + ", more than before the restart";
    leastStepSpeed_ = max(leastStepSpeed_, present.known);

    const scalar speed = stepSpeedFor(Uref_);

    if (speed > stepSpeed_)
    {
        // The populations have the present step, and are rescaled
        stepSpeed_ = speed;
        stepDue_ = true;
    }
}


void Foam::latticeFlow::setStep()
{
    restartHeader_.clear();
    noRestartReason_.clear();

    scalar restartStep = 0;

    if (!settings_.restartData())
    {
        noRestartReason_ = "restartData is off";
    }
    else if
    (
        latticePopulations::readHeader
        (
            U_.mesh(),
            restartHeader_,
            noRestartReason_
        )
     && noRestartReason_.empty()
    )
    {
        if (viscosity_.variable())
        {
            nu_ = restartHeader_.getOrDefault<scalar>("viscosity", nu_);
        }

        if (restartFits(restartHeader_, noRestartReason_))
        {
            restartStep = restartHeader_.get<scalar>("latticeStep");
        }
    }

    deltaT_ = runTime_.deltaTValue();

    if (steady_ && restartStep > 0)
    {
        deltaT_ = settings_.iterationSteps()*restartStep;
    }

    // The step of the restart data is kept if it was chosen by the same rules

    bool keepStep = false;

    if (restartStep > 0)
    {
        keepStep = true;

        const dictionary mine(stepSettings());
        const dictionary& theirs = restartHeader_.subDict("stepSettings");

        for (const word& key : mine.toc())
        {
            keepStep =
                keepStep
             && same
                (
                    mine.get<scalar>(key),
                    theirs.getOrDefault<scalar>(key, -VGREAT)
                );
        }

        const scalar ratio = deltaT_/restartStep;
        const scalar n = std::round(ratio);

        keepStep = keepStep && n >= 1 && mag(ratio - n) < 1e-9*n;

        if (keepStep)
        {
            nSteps_ = label(n);
            Uref_ = restartHeader_.get<scalar>("referenceVelocity");
            UrefReason_ = restartHeader_.get<string>("referenceVelocityFrom");
            stepSpeed_ = restartHeader_.get<scalar>("stepVelocity");
            stepViscosity_ = restartHeader_.getOrDefault<scalar>
            (
                "stepViscosity",
                stepViscosity_
            );
            leastStepSpeed_ = restartHeader_.get<scalar>("leastStepVelocity");
            pressureRate_ =
                restartHeader_.getOrDefault<scalar>("pressureRate", 0);
            meanDrag_ = restartHeader_.getOrDefault<scalar>("meanDrag", 0);
            stepDue_ = restartHeader_.get<bool>("stepDue");
            watchedSince_ = count(restartHeader_, "watchedSince");
            watchedLeast_ = restartHeader_.get<scalar>("watchedLeast");
            watchedLargest_ = restartHeader_.get<scalar>("watchedLargest");
            calmUntil_ =
                restartHeader_.found("calmUntil")
              ? count(restartHeader_, "calmUntil")
              : 0;
            nHalved_ = restartHeader_.get<label>("halved");

            raiseReferenceVelocity();
        }
    }

    if (!keepStep)
    {
        const referenceSpeed reference = referenceVelocity();

        Uref_ = reference.speed;
        UrefReason_ = reference.from;
        leastStepSpeed_ = reference.known;
        pressureRate_ = steady_ ? 0 : reference.pressureRate;
        meanDrag_ = forces_.meanDrag(U_.mesh(), Uref_);
        stepSpeed_ = stepSpeedFor(Uref_);

        if (steady_)
        {
            nSteps_ = settings_.iterationSteps();
            deltaT_ =
                nSteps_
               *latticeUnits::largestStep
                (
                    mapping_->dx(),
                    stepViscosity_,
                    stepSpeed_,
                    settings_
                );
        }
        else
        {
            nSteps_ = stepsFor(stepSpeed_);
        }
    }

    scalar dt = deltaT_/nSteps_;

    if (restartStep > 0)
    {
        if (same(dt, restartStep) || keepStep)
        {
            // The same bits
            dt = restartStep;
        }
        else
        {
            noRestartReason_ =
                "their lattice step is " + Foam::name(restartStep)
              + " s, not " + Foam::name(dt) + " s";
        }
    }

    if (!noRestartReason_.empty())
    {
        restartHeader_.clear();
    }

    units_.reset
    (
        new latticeUnits(mapping_->dx(), dt, nu_, mapping_->thickness())
    );
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


// ************************************************************************* //
