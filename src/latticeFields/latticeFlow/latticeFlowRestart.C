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
#include "latticeFlowShared.H"
#include "latticeObstacle.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::dictionary Foam::latticeFlow::stepSettings() const
{
    dictionary dict;
    dict.add("maxMach", settings_.maxMach());
    dict.add("maxRelaxationTime", settings_.maxRelaxationTime());
    dict.add("latticeTimeStep", settings_.latticeTimeStep());
    dict.add("referenceVelocity", settings_.referenceVelocity());
    return dict;
}


Foam::dictionary Foam::latticeFlow::latticeHeader() const
{
    const lbm::latticeDescription& lattice = mapping_->description();

    FixedList<label, 3> size;
    forAll(size, i)
    {
        size[i] = label(lattice.wholeSize[i]);
    }

    const std::uint64_t geometry = mapping_->geometryChecksum();

    dictionary dict;
    dict.add("lattice", mapping_->lattice());
    dict.add("precision", settings_.precision());
    dict.add("size", size);
    dict.add("nodes", label(mapping_->nFluidWhole()));
    dict.add("geometry", string(std::to_string(geometry)));
    dict.add("spacing", mapping_->dx());
    dict.add("refinement", refinement_);
    dict.add("viscosity", nu_);
    return dict;
}


Foam::dictionary Foam::latticeFlow::restartHeader() const
{
    dictionary dict(latticeHeader());
    dict.add("latticeStep", units_->dt());
    dict.add("relaxationTime", units_->tau());
    dict.add("deltaT", deltaT_);
    dict.add("stepsPerDeltaT", nSteps_);
    dict.add("referenceVelocity", Uref_);
    dict.add("referenceVelocityFrom", UrefReason_);
    dict.add("pReference", fields_.pReference());
    dict.add("massStart", massStart_);
    dict.add("massAdded", massAdded_);
    dict.add("stepSettings", stepSettings());

    // Counts may exceed a label
    dict.add("latticeSteps", string(std::to_string(latticeSteps_)));
    if (eddies_.valid())
    {
        dict.add("lawsInterval", label(laws_.interval));
    }
    if (settings_.magicParameter() <= 0)
    {
        dict.add("largestOddTime", engineSettings_.largestOddTime);
    }
    dict.add("stepVelocity", stepSpeed_);
    dict.add("stepViscosity", stepViscosity_);
    dict.add("leastStepVelocity", leastStepSpeed_);
    dict.add("pressureRate", pressureRate_);
    dict.add("meanDrag", meanDrag_);
    dict.add("stepDue", stepDue_);
    dict.add("watchedSince", string(std::to_string(watchedSince_)));
    dict.add("watchedLeast", watchedLeast_);
    dict.add("watchedLargest", watchedLargest_);
    dict.add("calmUntil", string(std::to_string(calmUntil_)));
    dict.add("halved", nHalved_);
    dict.add("soundVelocity", sound_.largestVelocity());
    dict.add("soundPressure", sound_.largestPressure());
    dict.add("soundSteps", string(std::to_string(soundSteps_)));
    dict.add("fluxSteps", string(std::to_string(fluxSteps_)));

    if (collisionChanged_)
    {
        dict.add("collisionGiven", settings_.collision());
        dict.add("collision", word(engineSettings_.collision));
    }

    dict.add("storage", word(engineSettings_.storage));

    if (bulkChanged_)
    {
        dict.add("bulkRelaxationTime", engineSettings_.bulkRelaxationTime);
    }

    if (inflowStraightened_)
    {
        dict.add("straightInflow", true);
    }

    if (obstacle_->size() > 0)
    {
        dict.add("obstacle", obstacle_->checksum());
    }

    return dict;
}


bool Foam::latticeFlow::restartFits
(
    const dictionary& header,
    string& why
) const
{
    const dictionary mine(latticeHeader());

    const bool throwing = FatalIOError.throwExceptions();

    try
    {
        for (const char* key : {"lattice", "precision"})
        {
            const word theirs(header.get<word>(key));
            const word ours(mine.get<word>(key));

            if (theirs != ours)
            {
                why = "their " + word(key) + " is " + theirs + ", not " + ours;
            }
        }

        typedef FixedList<label, 3> size3;

        if
        (
            why.empty()
         && (
                header.get<size3>("size") != mine.get<size3>("size")
             || header.get<label>("nodes") != mine.get<label>("nodes")
             || header.get<string>("geometry") != mine.get<string>("geometry")
            )
        )
        {
            why = "they belong to other nodes";
        }

        for (const char* key : {"spacing", "viscosity"})
        {
            const scalar theirs = header.get<scalar>(key);
            const scalar ours = mine.get<scalar>(key);

            if (why.empty() && !same(theirs, ours))
            {
                why =
                    "their " + word(key) + " is " + Foam::name(theirs)
                  + ", not " + Foam::name(ours);
            }
        }

        // These are read later on
        for
        (
            const char* key
          : {
                "latticeStep",
                "referenceVelocity",
                "massStart",
                "massAdded",
                "stepVelocity",
                "leastStepVelocity",
                "watchedLeast",
                "watchedLargest"
            }
        )
        {
            (void)header.get<scalar>(key);
        }
        (void)header.get<bool>("stepDue");
        (void)header.get<label>("halved");
        (void)header.get<string>("referenceVelocityFrom");
        (void)header.subDict("stepSettings");
        (void)count(header, "latticeSteps");
        (void)count(header, "watchedSince");
    }
    catch (const Foam::error&)
    {
        why = "they are damaged: the header is incomplete";
    }

    FatalIOError.throwExceptions(throwing);

    return why.empty();
}


void Foam::latticeFlow::readBoundaryValues()
{
    List<std::vector<double>> values(latticeBoundaryValues::read(U_.mesh()));

    if (!boundaryValuesFile_.valid() || values.size() != boundaryValues_.size())
    {
        return;
    }

    forAll(values, groupi)
    {
        if (values[groupi].size() != boundaryValues_[groupi].size())
        {
            return;
        }
    }

    forAll(values, groupi)
    {
        setBoundaryValues(groupi, std::move(values[groupi]));
    }

    boundaryEvaluated_ = true;
}


void Foam::latticeFlow::readObstacle(const bool restarted)
{
    string why;
    const labelList nodes(obstacle_->read(why));

    if (!why.empty())
    {
        Info<< "No obstacle in the flow: " << why.c_str() << nl << endl;
    }

    if (nodes.empty())
    {
        return;
    }

    if (restarted)
    {
        obstacle_->resume(nodes);
    }
    else
    {
        draw(nodes);
    }

    Info<< "Obstacle that was drawn into the flow: " << obstacle_->size()
        << " nodes" << nl << endl;
}


// ************************************************************************* //
