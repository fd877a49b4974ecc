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
#include "eddyVariables.H"
#include "effectiveViscosity.H"
#include "engineCall.H"
#include "profiling.H"
#include "Time.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- The lattice step is chosen anew where the mean viscosity has changed by more
//  than this factor since
constexpr scalar viscosityBand = 1.25;

//- Most steps between evaluations of laws that transport variables
constexpr Foam::label largestTransportInterval = 8;


//- Several outer steps as one
class longStep
:
    public TimeState
{
public:

    //- n of them, after as many as n0 before
    longStep(const TimeState& present, const label n, const label n0)
    :
        TimeState(present)
    {
        deltaT_ *= n;
        deltaT0_ *= n0;
    }
};

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::chooseModels()
{
    bool& hasLaws = engineSettings_.modelledViscosity;
    hasLaws = false;

    if (!viscosity_.variable())
    {
        return;
    }
    if (settings_.models() == "host")
    {
        modelsReason_ = "models host";
        return;
    }
    if (pressureOffset_ && !carriedHeat())
    {
        modelsReason_ = "the transport of heat asks for them on the mesh";
    }
    else
    {
        hasLaws = viscosity_.laws(*mapping_, laws_, modelsReason_);
    }

    wallNodes_.clear();
    wallFunctions_ = false;
    eddies_.clear();
    engineSettings_.transportedVariables = 0;

    if (hasLaws)
    {
        engineSettings_.transportedVariables =
            lbm::transportedVariables(laws_.eddies).size();

        if (engineSettings_.transportedVariables > 0)
        {
            eddies_.reset
            (
                new eddyVariables(*viscosity_.turbulence(), laws_.eddies)
            );
        }

        std::vector<bool> besideWall(U_.size(), false);

        forAll(mapping_->groupPatches(), groupi)
        {
            if (mapping_->description().groups[groupi].type == "wallStress")
            {
                wallFunctions_ = true;

                const label patchi = mapping_->groupPatches()[groupi];

                for (const label celli : U_.mesh().boundary()[patchi].faceCells())
                {
                    besideWall[celli] = true;
                }
            }
        }

        const labelList& cells = mapping_->nodeCells();

        forAll(cells, node)
        {
            if (besideWall[cells[node]])
            {
                wallNodes_.push_back(node);
            }
        }
    }

    if (!hasLaws && settings_.models() == "device")
    {
        FatalIOErrorInFunction(settings_.dict())
            << "Found models device, but " << modelsReason_.c_str() << nl
            << "    possible : models host or auto"
            << exit(FatalIOError);
    }
}


void Foam::latticeFlow::giveViscosity()
{
    if (hasLaws())
    {
        engineCall
        (
            [&]
            {
                engine_->setViscosityModel
                (
                    effectiveViscosity::inLatticeUnits(laws_, *units_)
                );

                if (eddies_.valid())
                {
                    eddies_->giveBoundary(*engine_, *mapping_, *units_, true);
                }
            }
        );
    }
    else if (!nodeViscosity_.empty())
    {
        giveNodeViscosity();
    }
}


Foam::label Foam::latticeFlow::lawsInterval(const scalar nu) const
{
    if (steady_)
    {
        return largestTransportInterval;
    }

    // A node advances by the whole interval if no more than its value can leave
    // it meanwhile: diffusivities are up to 1.5 times the viscosity
    const scalar nD = U_.mesh().nGeometricD();
    const scalar diffusion = 2*nD*1.5*nu*units_->dt()/sqr(units_->dx());

    const scalar speed =
        statistics_.maxAbsVelocity > 0
      ? scalar(statistics_.maxAbsVelocity)
      : ::sqrt(nD/3)*settings_.maxMach();

    return max
    (
        label(1),
        label(min(scalar(largestTransportInterval), 1/(diffusion + 2*speed)))
    );
}


bool Foam::latticeFlow::setLawsInterval()
{
    if (!eddies_.valid())
    {
        return false;
    }

    const std::int64_t before = laws_.interval;

    laws_.interval = lawsInterval
    (
        scalar(statistics_.maxViscosity)*sqr(units_->dx())/units_->dt()
    );

    return laws_.interval != before;
}


void Foam::latticeFlow::followLawsInterval()
{
    if (setLawsInterval())
    {
        engine_->setViscosityInterval(laws_.interval);
    }
}


void Foam::latticeFlow::giveNodeViscosity()
{
    const scalar toLattice = units_->dt()/sqr(units_->dx());

    std::vector<double> nu(nodeViscosity_);

    for (double& value : nu)
    {
        value *= toLattice;
    }

    engineCall([&]{ engine_->setViscosity(0, nu.size(), nu.data()); });
}


void Foam::latticeFlow::correctViscosity()
{
    if (!viscosity_.variable())
    {
        return;
    }

    ++modelsBehind_;

    if (hasLaws())
    {
        if (eddies_.valid())
        {
            // With the forces of this outer step
            engineCall([&]{ engine_->updateViscosity(); });
        }

        correctWalls();

        if (eddies_.valid())
        {
            engineCall
            (
                [&]
                {
                    eddies_->giveBoundary(*engine_, *mapping_, *units_, false);
                }
            );
        }

        followMeanViscosity();
        return;
    }

    if
    (
        modelsBehind_ < settings_.turbulenceUpdateInterval()
     && !runTime_.writeTime()
    )
    {
        return;
    }

    addProfiling(viscosity, "latticeFlow::correctViscosity");

    if (viscosity_.usesFlux())
    {
        updateFieldsForTransport();
    }
    else
    {
        updateFields();
    }

    followWithModels();
    nodeViscosity_ = viscosity_.onNodes(*mapping_);
    giveViscosity();
    followMeanViscosity();
}


void Foam::latticeFlow::correctWalls()
{
    if (!wallFunctions_)
    {
        return;
    }

    addProfiling(walls, "latticeFlow::correctWalls");

    if (mapping_->nodesAtCellCentres())
    {
        engineCall
        (
            [&]
            {
                fields_.updateNodes(*engine_, *mapping_, *units_, wallNodes_);

                if (eddies_.valid())
                {
                    eddies_->takeNodes
                    (
                        *engine_, *mapping_, *units_, wallNodes_
                    );
                }
            }
        );
    }
    else
    {
        // The cells beside walls have values of several nodes
        updateFields();

        if (eddies_.valid())
        {
            engineCall
            (
                [&]{ eddies_->takeCells(*engine_, *mapping_, *units_); }
            );
        }
    }

    viscosity_.correctWalls();
}


void Foam::latticeFlow::followWithModels()
{
    Time& time = const_cast<Time&>(runTime_);
    const TimeState present(time);

    if (!steady_)
    {
        static_cast<TimeState&>(time) =
            longStep(present, modelsBehind_, modelsBefore_);
    }

    viscosity_.correct();

    static_cast<TimeState&>(time) = present;

    modelsBefore_ = modelsBehind_;
    modelsBehind_ = 0;
}


void Foam::latticeFlow::followMeanViscosity()
{
    if (!settings_.adaptiveStep() || stepDue_)
    {
        return;
    }

    const scalar present = meanViscosity();

    if
    (
        present > viscosityBand*stepViscosity_
     || viscosityBand*present < stepViscosity_
    )
    {
        stepViscosity_ = present;

        // A reference velocity above that of the step was an overestimate
        stepSpeed_ = max(stepSpeed_, stepSpeedFor(min(Uref_, stepSpeed_)));
        stepDue_ = true;
    }
}


void Foam::latticeFlow::updateModels()
{
    if (!hasLaws() || modelsBehind_ == 0)
    {
        return;
    }

    if (eddies_.valid())
    {
        engineCall([&]{ eddies_->take(*engine_, *mapping_, *units_); });

        modelsBehind_ = 0;
    }
    else
    {
        followWithModels();
    }

    if (runTime_.writeTime())
    {
        Info<< "Viscosity of the lattice: " << 100*lawDistance()
            << " % (L2) off the models on the mesh" << endl;
    }
}


Foam::scalar Foam::latticeFlow::lawDistance()
{
    const std::vector<double> wanted(viscosity_.onNodes(*mapping_));
    std::vector<double> nu(wanted.size());

    engineCall
    (
        [&]
        {
            // The next outer step begins with it as well
            engine_->updateViscosity();
            engine_->viscosity(0, nu.size(), nu.data());
        }
    );

    const scalar toSI = sqr(units_->dx())/units_->dt();

    scalar sum = 0;
    scalar norm = 0;

    for (std::size_t node = 0; node < nu.size(); ++node)
    {
        sum += sqr(toSI*nu[node] - wanted[node]);
        norm += sqr(wanted[node]);
    }

    reduce(sum, sumOp<scalar>());
    reduce(norm, sumOp<scalar>());

    return Foam::sqrt(sum/max(norm, VSMALL));
}


Foam::scalar Foam::latticeFlow::cellReynolds(const scalar U) const
{
    return
        viscosity_.usesFlux()
      ? U*units_->dx()/viscosity_.leastOfFluid()
      : units_->cellReynolds(U);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::UPtrList<const Foam::volScalarField>
Foam::latticeFlow::updateTransported()
{
    UPtrList<const volScalarField> fields;

    if (eddies_.valid())
    {
        engineCall
        (
            [&]
            {
                eddies_->takeCells(*engine_, *mapping_, *units_);
                fields = eddies_->fields();
            }
        );
    }

    return fields;
}


Foam::scalar Foam::latticeFlow::meanViscosity() const
{
    // Of the nodes where the engine has the models
    return
        hasLaws()
      ? scalar(statistics_.sumViscosity)/mapping_->nFluidWhole()
       *sqr(units_->dx())/units_->dt()
      : viscosity_.mean();
}


// ************************************************************************* //
