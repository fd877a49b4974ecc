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
#include "allProcesses.H"
#include "effectiveViscosity.H"
#include "engineCall.H"
#include "exchange/communicator.H"
#include "latticeObstacle.H"
#include "Time.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Largest relaxation time of the odd moments in TRT where the fluid passes the
//  boundary: larger ones let disturbances of inlets and outlets grow
constexpr scalar largestOddTime = 1.5;

//- Largest one in closed boxes. Above it odd moments make noise: in the pressure
//  of plane flows, and so much in three dimensions that vortices break. There
//  the smaller limit holds where the magic parameter asks for more than this
constexpr scalar largestOddTimeInside = 10;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::setEngineSettings()
{
    lbm::engineSettings& s = engineSettings_;

    s.lattice = mapping_->lattice();
    s.collision = settings_.collision();

    if
    (
        restartHeader_.getOrDefault<word>("collisionGiven", word::null)
     == settings_.collision()
    )
    {
        s.collision = restartHeader_.get<word>("collision");
        collisionChanged_ = true;
        collisionReason_ =
            "collision " + s.collision
          + " of the restart data";
    }
    else if (s.collision == "auto")
    {
        const scalar limit = lbm::traitsOf("TRT").cellReynoldsLimit;
        const scalar Re = cellReynolds(Uref_);
        const bool small = Re <= limit;
        const std::vector<std::string> valid(lbm::collisionsOn(s.lattice));
        const std::string best =
            std::find(valid.begin(), valid.end(), "cumulant") != valid.end()
          ? "cumulant"
          : "recursiveRegularised";

        s.collision = small ? "TRT" : best;
        collisionReason_ =
            (
                viscosity_.usesFlux()
              ? "without the eddy viscosity " + Foam::name(Re) + ", "
              : string()
            )
          + (small ? "at most " : "above ") + Foam::name(limit)
          + ": collision " + s.collision;
    }

    const HashTable<scalar> coeffs(settings_.collisionCoeffs(s.collision));

    forAllConstIters(coeffs, iter)
    {
        s.collisionParameters[iter.key()] = iter.val();
    }

    s.bulkRelaxationTime = settings_.bulkRelaxationTime();

    if
    (
        settings_.bulkRelaxationTime() == 0
     && restartHeader_.found("bulkRelaxationTime")
    )
    {
        s.bulkRelaxationTime =
            restartHeader_.get<scalar>("bulkRelaxationTime");
        bulkChanged_ = true;
    }

    inflowStraightened_ =
        restartHeader_.getOrDefault("straightInflow", false);

    s.precision = settings_.precision();
    checkViscosity();
    s.backend = settings_.backend();
    s.relaxationTime = units_->tau();

    if (settings_.magicParameter() > 0)
    {
        s.magicParameter = settings_.magicParameter();
    }
    else
    {
        const scalar oddTime =
            0.5 + s.magicParameter/(s.relaxationTime - 0.5);

        // A restart keeps what the first relaxation time gave
        s.largestOddTime = restartHeader_.getOrDefault<scalar>
        (
            "largestOddTime",
            mapping_->enclosed()
         && (mapping_->twoD() || oddTime <= largestOddTimeInside)
          ? largestOddTimeInside
          : largestOddTime
        );
    }

    s.bodyForce = latticeAcceleration();
    s.variableBodyForce = sources_.variable();
    s.variableViscosity = viscosity_.variable();
    s.nodeForces = forces_.any();
    chooseModels();

    if (eddies_.valid())
    {
        laws_.interval = restartHeader_.getOrDefault<label>
        (
            "lawsInterval",
            lawsInterval(gMax(viscosity_.field()().primitiveField()))
        );
    }

    s.concurrent = settings_.concurrentLinks();
    s.graph = settings_.cudaGraph();
    s.layout = settings_.layout();
    s.communicator = mapping_->communicator();
    if (s.communicator)
    {
        s.communicator->staged = settings_.exchange() == "host";
    }

    chooseBackend();
    chooseDevices();
    chooseLayout();
    chooseStorage();

    if (s.storage == "moments")
    {
        s.layout = "list";
        layoutReason_ = "of boundary nodes; moments lie in a dense box";
    }
}


void Foam::latticeFlow::chooseLayout()
{
    lbm::engineSettings& s = engineSettings_;

    if (s.layout != "auto")
    {
        layoutReason_ = "as given in LBM of system/fvSolution";
        return;
    }

    s.layout = engineCall
    (
        [&]
        {
            return lbm::engine::defaultLayout
            (
                s,
                mapping_->description(),
                std::int64_t(memoryFree(s.backend)),
                layoutReason_
            );
        }
    );

    if (!Pstream::parRun())
    {
        return;
    }

    // That of the process with most nodes, which the others wait for

    const label largest = findMax(allProcesses(mapping_->nFluid()));

    s.layout = allProcesses(string(s.layout))[largest];
    layoutReason_ = allProcesses(string(layoutReason_))[largest];
}


void Foam::latticeFlow::chooseStorage()
{
    lbm::engineSettings& s = engineSettings_;

    s.storage = settings_.storage();

    if (s.storage == "populations")
    {
        storageReason_ = "as given in LBM of system/fvSolution";
        return;
    }

    std::string refused = engineCall
    (
        [&]
        {
            return lbm::engine::momentsRefused(s, mapping_->description());
        }
    );

    const dictionary functions
    (
        runTime_.controlDict().subOrEmptyDict("functions")
    );

    for (const entry& e : functions)
    {
        if
        (
            e.isDict()
         && e.dict().getOrDefault<word>("type", word::null) == "liveView"
         && e.dict().getOrDefault("enabled", true)
        )
        {
            populationsNeeded_ = viewsPopulations_;
        }
    }

    if (latticeObstacle::isWritten(U_.mesh()))
    {
        populationsNeeded_ = "an obstacle has been drawn into the populations";
    }

    if (!populationsNeeded_.empty())
    {
        refused = populationsNeeded_;
    }

    if (s.storage == "moments")
    {
        if (!refused.empty())
        {
            FatalIOErrorInFunction(settings_.dict())
                << "storage moments is not possible: " << refused.c_str() << nl
                << "    Possible: storage populations, or auto."
                << exit(FatalIOError);
        }

        storageReason_ = "as given in LBM of system/fvSolution";
        return;
    }

    if (!refused.empty())
    {
        s.storage = "populations";
        storageReason_ = refused;
        return;
    }

    if (s.backend != "host" && restartHeader_.found("storage"))
    {
        s.storage = restartHeader_.get<word>("storage");
        storageReason_ = "that of the run which is continued: the same bits";
        return;
    }

    s.storage = engineCall
    (
        [&]
        {
            return lbm::engine::defaultStorage
            (
                s,
                mapping_->description(),
                std::int64_t(memoryFree(s.backend)),
                storageReason_
            );
        }
    );
}


// ************************************************************************* //
