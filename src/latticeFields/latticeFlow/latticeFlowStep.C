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
#include "engineCall.H"
#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

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

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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


// ************************************************************************* //
