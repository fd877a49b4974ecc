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
#include "latticeMemory.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Lattice steps between states that are kept. A copy costs about one step on
//  the host, some ten on a device, some hundred from a device to the host
constexpr label keepIntervalHost = 2000;
constexpr label keepIntervalDevice = 5000;
constexpr label keepIntervalTransfer = 50000;

//- Device memory that stays free, for work that takes memory as it goes
constexpr scalar deviceReserve = 256e6;

//- A state is kept if the Mach number is below the band's top, or has not grown
//  by more than this since the last one that might have been
constexpr scalar sound = 1.25;


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

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
