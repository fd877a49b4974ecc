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

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Above this the flow is taken for diverging: the equilibrium is an
//  expansion in the Mach number
constexpr scalar divergedMach = 0.6;

//- Most halvings of the lattice step in a simulation
constexpr label maxHalved = 3;

//- The bulk relaxation time of a second chance: sound dies out
constexpr scalar dampingTime = 10;

//- The collision of a last chance: it keeps nothing but density, velocity and
//  stress
const char* const stableCollision = "recursiveRegularised";


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

bool Foam::latticeFlow::diverges() const
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));

    return !statistics_.finite || !(units_->mach(U) < divergedMach);
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
