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
#include "conservativeFlux.H"
#include "eddyVariables.H"
#include "effectiveViscosity.H"
#include "endOfStep.H"
#include "engineCall.H"
#include "exchange/communicator.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "latticeMemory.H"
#include "latticeObstacle.H"
#include "initialState.H"
#include "latticeProjection.H"
#include "OSspecific.H"
#include "Time.H"
#include "wallFunctionLatticePatch.H"
#include "wallFvPatch.H"
#include "zeroGradientFvPatchFields.H"

#include <algorithm>
#include <cmath>
#include <sstream>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Spacing in wall units up to which a boundary layer is resolved: with 8, the
//  friction velocity of a channel is 12 to 24 % too low
constexpr scalar resolvedSpacing = 4;

//- Walls with a wall function whose radius of curvature is smaller, in spacings:
//  cylinders of 10 and 20 had a drag below zero
constexpr scalar slippedRadius = 50;

//- Edges where two faces turn by more than this [rad] are none of a smooth wall
constexpr scalar sharpTurn = 0.5;


//- Largest relaxation time of the odd moments in TRT where the fluid passes the
//  boundary: larger ones let disturbances of inlets and outlets grow
constexpr scalar largestOddTime = 1.5;

//- Largest one in closed boxes. Above it odd moments make noise: in the pressure
//  of plane flows, and so much in three dimensions that vortices break. There
//  the smaller limit holds where the magic parameter asks for more than this
constexpr scalar largestOddTimeInside = 10;

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


//- Mean turn of a patch from face to face over the distance of their centres
//  [1/m], without sharp edges
scalar curvature(const polyPatch& patch)
{
    const vectorField& n = patch.faceNormals();
    const vectorField& C = patch.faceCentres();

    scalar turn = 0;
    scalar distance = 0;

    for (label edgei = 0; edgei < patch.nInternalEdges(); ++edgei)
    {
        const labelList& faces = patch.edgeFaces()[edgei];

        if (faces.size() != 2)
        {
            continue;
        }

        const scalar turned = mag(n[faces[0]] - n[faces[1]]);

        if (turned < sharpTurn)
        {
            const scalar length =
                patch.edges()[edgei].mag(patch.localPoints());

            turn += turned*length;
            distance += mag(C[faces[0]] - C[faces[1]])*length;
        }
    }

    reduce(turn, sumOp<scalar>());
    reduce(distance, sumOp<scalar>());

    return turn/max(distance, VSMALL);
}


//- Devices of a backend, at least one
label numberOfDevices(const std::string& backend)
{
    label n = 0;

    try
    {
        while (true)
        {
            (void)lbm::engine::deviceName(backend, n);
            ++n;
        }
    }
    catch (const lbm::error&)
    {}

    return max(n, label(1));
}


//- Nodes whose state is set at a time
constexpr label chunk = 1 << 20;


//- Equal but for the rounding of a file
bool same(const scalar a, const scalar b)
{
    return mag(a - b) <= 1e-12*max(mag(a), mag(b));
}


//- A number of steps in the header of restart data
std::int64_t count(const dictionary& header, const word& key)
{
    std::int64_t n = -1;
    std::istringstream(header.get<string>(key)) >> n;

    if (n < 0)
    {
        FatalIOErrorInFunction(header)
            << "Bad " << key << exit(FatalIOError);
    }

    return n;
}

//- Largest cell Peclet number with which the lattice carries a scalar by itself.
//  Fronts ripple by 3 % at 80, and grow in cavities at 260
constexpr scalar cellPecletLimit = 100;

} // End anonymous namespace
} // End namespace Foam


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

    // Of plane Poiseuille flow, over the density
    const scalar drop = 12*stepViscosity_*U*length/sqr(mapping_->wallDistance());

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


std::array<double, 3> Foam::latticeFlow::latticeAcceleration() const
{
    const vector g
    (
        mapping_->toLattice(units_->accelerationToLattice(acceleration_))
    );

    return {g.x(), g.y(), mapping_->twoD() ? 0 : g.z()};
}


void Foam::latticeFlow::checkViscosity() const
{
    // The rate of relaxation is 2 without viscosity
    const bool inDouble = settings_.precision() == "double";
    const scalar rate = 1/units_->tau();
    const scalar rounded = inDouble ? rate : scalar(float(rate));

    if (rounded < 2)
    {
        return;
    }

    // The next smaller number
    const scalar below =
        inDouble
      ? std::nextafter(2.0, 0.0)
      : scalar(std::nextafter(2.0f, 0.0f));

    const scalar least = (1/below - 0.5)*sqr(units_->dx())/(3*units_->dt());

    const IOdictionary* dict =
        U_.db().findObject<IOdictionary>("transportProperties");

    FatalIOErrorInFunction(dict ? *dict : settings_.dict())
        << "Found nu = " << nu_ << " m2/s: the relaxation time of the lattice,"
        << " 1/2 + 3 nu dt/dx^2, rounds to 1/2 in precision "
        << settings_.precision() << nl
        << "    possible : nu above " << least << " m2/s with the spacing "
        << units_->dx() << " m and the step " << units_->dt()
        << " s of the lattice"
        << (inDouble ? "" : "; precision double")
        << exit(FatalIOError);
}


Foam::scalar Foam::latticeFlow::cellPeclet(const scalarOnLattice& s) const
{
    return
        Uref_*units_->dx()
       /s.diffusivity(s.mixes() ? viscosity_.mean() : viscosity_.reference());
}


Foam::string Foam::latticeFlow::whyOnMesh(const scalarOnLattice& s) const
{
    const scalar Pe = cellPeclet(s);

    if (settings_.heat() == "host")
    {
        return "heat host";
    }
    if (viscosity_.variable() && !s.mixes())
    {
        return "the viscosity is not constant";
    }
    if (s.reason().empty() && settings_.heat() == "auto")
    {
        // Plumes that never rest do so with relaxation factors alone
        if (steady_)
        {
            return "the case is steady";
        }
        if (Pe > cellPecletLimit)
        {
            return
                "the cell Peclet number, " + Foam::name(Pe) + ", is above "
              + Foam::name(cellPecletLimit);
        }
    }

    return s.reason();
}


void Foam::latticeFlow::chooseScalars()
{
    std::vector<lbm::scalarDescription> descriptions;

    for (scalarOnLattice& s : scalars_)
    {
        string reason(s.request() ? s.reason() : whyOnMesh(s));

        if (reason.empty() && s.carry(*mapping_, descriptions, reason))
        {
            carried_.append(&s);
            continue;
        }

        if (s.request())
        {
            FatalIOErrorInFunction(*s.request())
                << "The lattice cannot carry " << s.name() << " as "
                << s.request()->dictName() << " wants: " << reason.c_str() << nl
                << "    possible : the functionObject scalarTransport, with the"
                << " same entries"
                << exit(FatalIOError);
        }
        if (settings_.heat() == "device")
        {
            FatalIOErrorInFunction(settings_.dict())
                << "Found heat device, but " << reason.c_str() << nl
                << "    possible : heat host or auto"
                << exit(FatalIOError);
        }

        s.leave(reason);
    }

    // Remote nodes of one renumber those of the others
    if (Pstream::parRun() && carried_.size() > 1)
    {
        descriptions.clear();

        for (scalarOnLattice& s : carried_)
        {
            string reason;
            s.carry(*mapping_, descriptions, reason);
        }
    }

    if (descriptions.size())
    {
        mapping_->setScalars(std::move(descriptions));
    }
}


Foam::scalarOnLattice* Foam::latticeFlow::carriedHeat() const
{
    for (const scalarOnLattice& s : carried_)
    {
        if (!s.request())
        {
            return const_cast<scalarOnLattice*>(&s);
        }
    }

    return nullptr;
}


bool Foam::latticeFlow::scalarsVary() const
{
    for (const scalarOnLattice& s : carried_)
    {
        if (s.varies())
        {
            return true;
        }
    }

    return false;
}


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


void Foam::latticeFlow::chooseBackend()
{
    std::string& backend = engineSettings_.backend;

    if (backend != "auto")
    {
        backendReason_ = "as given in LBM of system/fvSolution";
        return;
    }

    std::string reason;
    backend = engineCall([&]{ return lbm::engine::defaultBackend(reason); });
    backendReason_ = reason;

    if
    (
        returnReduce(backend == "host", orOp<bool>())
     && backend != "host"
    )
    {
        backend = "host";
        backendReason_ = "no device answers to another process";
    }
}


void Foam::latticeFlow::chooseDevices()
{
    lbm::engineSettings& s = engineSettings_;

    devices_ = settings_.devices();

    const stringList hosts(allProcesses(hostName()));
    labelList devices;

    if (Pstream::parRun())
    {
        const label me = Pstream::myProcNo();

        // Number of this process among those of its host
        const label place = std::count
        (
            hosts.begin(), hosts.begin() + me, hosts[me]
        );

        if (s.backend == "host")
        {
            devices_ = labelList(1, Zero);
        }
        else if (settings_.automaticDevice())
        {
            devices_ = labelList(1, place % numberOfDevices(s.backend));
        }
        else
        {
            devices_ = labelList(1, devices_[place % devices_.size()]);
        }

        devices = allProcesses(devices_.first());

        nOnHost_ = 0;
        nOnDevice_ = 0;

        forAll(hosts, proci)
        {
            if (hosts[proci] == hosts[me])
            {
                ++nOnHost_;
                nOnDevice_ += devices[proci] == devices[me];
            }
        }
    }

    s.device = devices_.first();
    s.devices.clear();
    if (devices_.size() > 1)
    {
        s.devices.assign(devices_.begin(), devices_.end());
    }

    for (const label device : devices_)
    {
        try
        {
            deviceName_ = lbm::engine::deviceName(s.backend, device);
        }
        catch (const lbm::error& err)
        {
            FatalIOErrorInFunction(settings_.dict())
                << "Backend " << s.backend.c_str() << ", device " << device
                << ", cannot be used: " << err.what() << nl
                << "    Possible: another device, backend host, or backend auto"
                << " (cuda where a device answers, else host)."
                << exit(FatalIOError);
        }
    }

    if (Pstream::parRun())
    {
        const label nHosts = HashSet<string>(hosts).size();

        deviceName_ +=
            ", " + std::to_string(Pstream::nProcs()) + " processes on "
          + (nHosts > 1 ? std::to_string(nHosts) + " hosts" : "a host");

        if (s.backend != "host")
        {
            deviceName_ += ", with devices";

            for (const label device : devices)
            {
                deviceName_ += " " + std::to_string(device);
            }
        }
    }
    else if (s.devices.size() > 1)
    {
        deviceName_ += ", " + std::to_string(s.devices.size()) + " parts";

        if (s.backend != "host")
        {
            deviceName_ += " on devices";

            for (const int device : s.devices)
            {
                deviceName_ += " " + std::to_string(device);
            }
        }
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


void Foam::latticeFlow::writeSummary() const
{
    mapping_->writeSummary(Info);

    const lbm::engineSettings& s = engineSettings_;

    Info<< "Lattice " << s.lattice.c_str()
        << ", collision " << s.collision.c_str();

    const lbm::collisionTraits traits(lbm::traitsOf(s.collision));

    if (traits.hasMagic)
    {
        const scalar limit =
            (s.relaxationTime - 0.5)*(s.largestOddTime - 0.5);

        Info<< " (magic parameter " << min(s.magicParameter, limit);

        if (limit < s.magicParameter)
        {
            Info<< ", tau- at most " << s.largestOddTime;
        }

        Info<< ')';
    }

    for (const auto& parameter : s.collisionParameters)
    {
        Info<< ", " << parameter.first.c_str() << ' ' << parameter.second;
    }

    if (s.bulkRelaxationTime > 0)
    {
        Info<< ", bulk relaxation time " << s.bulkRelaxationTime;
    }

    Info<< ", precision " << s.precision.c_str() << nl
        << "    spacing               " << units_->dx() << " m" << nl
        << "    step                  " << units_->dt() << " s, "
        << nSteps_ << perOuterStep()
        << (
               stepSpeed_ > (1 + SMALL)*Uref_
             ? ", smaller than by maxMach: the density would change too much"
             : ""
           )
        << nl;

    if (!steady_ && settings_.onlySIMPLE())
    {
        Info<< "    deltaT                in seconds: no steadyState in"
            << " ddtSchemes, whatever SIMPLE in system/fvSolution says" << nl;
    }

    Info<< "    relaxation time       " << units_->tau() << nl
        << "    reference velocity    " << Uref_ << " m/s, "
        << UrefReason_.c_str() << nl
        << "    Mach number           " << units_->mach(Uref_) << nl
        << "    cell Reynolds number  " << units_->cellReynolds(Uref_);

    if (!collisionReason_.empty())
    {
        Info<< ", " << collisionReason_.c_str();
    }

    if (!refinementReason_.empty())
    {
        Info<< nl
            << "    refinement            " << refinement_ << ", "
            << refinementReason_.c_str();
    }

    Info<< nl;

    if (viscosity_.variable())
    {
        const volScalarField nu(viscosity_.field());

        Info<< "    viscosity             " << gMin(nu.primitiveField())
            << " to " << gMax(nu.primitiveField()) << " m2/s of "
            << viscosity_.description().c_str() << ", " << nu_
            << " in the relaxation time and the cell Reynolds number" << nl
            << "    models                ";

        if (hasLaws())
        {
            Info<< "by the lattice every ";

            if (laws_.interval > 1)
            {
                Info<< label(laws_.interval) << " steps";
            }
            else
            {
                Info<< "step";
            }

            // Then as speed and viscosity allow
            Info<< (eddies_.valid() && !steady_ ? " at first" : "")
                << ", on the mesh when fields are written" << nl;
        }
        else
        {
            Info<< "on the mesh";

            if (settings_.turbulenceUpdateInterval() > 1)
            {
                Info<< " every " << settings_.turbulenceUpdateInterval()
                    << (steady_ ? " iterations" : " deltaT");
            }

            Info<< ": " << modelsReason_.c_str() << nl;
        }
    }

    if (magSqr(settings_.bodyForce()) > 0)
    {
        Info<< "    body force            " << settings_.bodyForce()
            << " m/s2" << nl;
    }

    for (const momentumSource& source : sources_)
    {
        Info<< "    acceleration          ";
        source.writeSummary(Info);
        Info<< nl;
    }

    forces_.writeSummary(Info);

    for (const scalarOnLattice& s : carried_)
    {
        if (s.request())
        {
            s.writeSummary(Info, cellPeclet(s));
        }
        else
        {
            Info<< "    cell Peclet number    " << cellPeclet(s) << ", at most "
                << cellPecletLimit << " for T on the lattice by itself" << nl;
        }
    }

    Info<< "    U and p written       "
        << (
               settings_.writtenFields() == "lattice"
             ? "with their sound: entry writtenFields"
             : nSteps_ < acousticPart::nSteps
             ? "with their sound: one lattice step a deltaT"
             : settings_.writtenFields() == "incompressible"
            || acousticPart::cheap(nCells_, 0)
             ? "freed of sound"
             : "freed of sound where that takes little beside the steps"
           )
        << nl;

    Info<< "    phi                   "
        << (
               settings_.conservativeFlux() == "no"
             ? "interpolated: entry conservativeFlux"
             : settings_.conservativeFlux() == "yes"
            || functionObjects_.transport()
            || conservativeFlux::cheap(nCells_, 0)
             ? "conservative"
             : "conservative where that takes little beside the steps"
           )
        << nl;

    if (pRef_.given)
    {
        Info<< "    reference pressure    " << pRef_.value << " m2/s2 in cell "
            << latticeSettings::wholeCell(U_.mesh(), pRef_.cell) << nl;
    }
    else
    {
        Info<< "    pressure of density 1 " << fields_.pReference()
            << " m2/s2, mean of the patches that fix it" << nl;
    }

    Info<< nl
        << "Backend " << s.backend.c_str() << " on "
        << deviceName_.c_str() << nl
        << "    " << backendReason_.c_str() << nl
        << "Layout " << s.layout.c_str() << nl
        << "    " << layoutReason_.c_str() << nl
        << "Storage " << s.storage.c_str() << nl
        << "    " << storageReason_.c_str() << nl;

    if (runTime_.controlDict().getOrDefault("adjustTimeStep", false))
    {
        Info<< nl
            << "adjustTimeStep is on: deltaT is taken as given all the same,"
            << nl
            << "    the lattice step is chosen by Mach number and relaxation"
            << " time" << nl;
    }

    Info<< endl;
}


void Foam::latticeFlow::checkCellReynolds() const
{
    const scalar Re = units_->cellReynolds(Uref_);
    const std::string& collision = engineSettings_.collision;
    const scalar limit = lbm::traitsOf(collision).cellReynoldsLimit;

    if (Re <= limit)
    {
        return;
    }

    const bool spacing = settings_.latticeSpacing() > 0;

    WarningInFunction
        << "The cell Reynolds number is " << Re << ", above " << limit
        << " collision " << collision.c_str() << " tends to diverge."
        << nl << "    What would do: a lattice spacing of "
        << limit*nu_/Uref_ << " m, with "
        << (spacing ? "latticeSpacing " : "refinement ")
        << (
               spacing
             ? limit*nu_/Uref_
             : std::ceil(refinement_*Re/limit)
           )
        << " in LBM of system/fvSolution, or collision auto." << nl << endl;
}


void Foam::latticeFlow::checkCurvedWalls() const
{
    labelHashSet patches;
    wordList curved;

    forAll(mapping_->groupPatches(), groupi)
    {
        const polyPatch& patch =
            U_.mesh().boundaryMesh()[mapping_->groupPatches()[groupi]];

        if
        (
            mapping_->description().groups[groupi].type == "wallStress"
         && patches.insert(patch.index())
         && curvature(patch)*units_->dx()*slippedRadius > 1
        )
        {
            curved.append(patch.name());
        }
    }

    if (curved.size())
    {
        WarningInFunction
            << "The flow slips along " << flatOutput(curved)
            << ", curved walls with a wall function:" << nl
            << "    their mean radius is less than " << slippedRadius
            << " spacings (latticeSpacing, now " << units_->dx() << " m)," << nl
            << "    it hardly separates from them, and their drag can be"
            << " wrong, even negative." << nl
            << "    Possible: without a wall function (nut calculated) the"
            << " lattice holds the flow at them," << nl
            << "    which suits bodies that are not slender."
            << nl << endl;
    }
}


void Foam::latticeFlow::checkWalls()
{
    if (!viscosity_.usesFlux())
    {
        return;
    }

    labelHashSet patches;
    wordList unresolved;

    forAll(mapping_->groupPatches(), groupi)
    {
        const label patchi = mapping_->groupPatches()[groupi];
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (!isA<wallFvPatch>(Up.patch()) || !patches.insert(patchi))
        {
            continue;
        }

        const scalarField spacing
        (
            units_->dx()
           *wallFunctionLatticePatch::frictionOf(Up).yPlusPerLength
        );

        Info<< "Lattice spacing in wall units at " << Up.patch().name()
            << " min: " << gMin(spacing) << " max: " << gMax(spacing)
            << " average: " << gAverage(spacing) << endl;

        if
        (
            gAverage(spacing) > resolvedSpacing
         && mapping_->description().groups[groupi].type != "wallStress"
        )
        {
            unresolved.append(Up.patch().name());
        }
    }

    if (unresolved.size() && !warnedWalls_)
    {
        warnedWalls_ = true;

        WarningInFunction
            << "The lattice does not resolve the boundary layers of "
            << flatOutput(unresolved) << ", which have no wall function:" << nl
            << "    their friction will be too low. Possible: a wall function"
            << " of nut, say nutUSpaldingWallFunction, or a" << nl
            << "    spacing of at most " << resolvedSpacing
            << " wall units (latticeSpacing, now " << units_->dx() << " m)."
            << nl << endl;
    }
}


void Foam::latticeFlow::checkInflow() const
{
    if (!mapping_->closed())
    {
        return;
    }

    scalar net = 0;
    scalar total = 0;

    for (const label patchi : mapping_->groupPatches())
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (Up.fixesValue())
        {
            const scalarField flux(Up & Up.patch().Sf());

            net += gSum(flux);
            total += gSum((mag(Up)*Up.patch().magSf())());
        }
    }

    if (mag(net) > 1e-6*total)
    {
        WarningInFunction
            << "The velocities at the boundary let " << mag(net)
            << " m3/s more " << (net > 0 ? "out than in" : "in than out")
            << ", and no patch fixes the pressure." << nl
            << "    An incompressible flow cannot do so. The mean density is"
            << " held at its start;" << nl
            << "    the mass drift in the log is what was corrected." << nl
            << endl;
    }
}


Foam::scalar Foam::latticeFlow::memoryFree(const std::string& backend) const
{
    if (backend == "host")
    {
        return memoryAvailable()/nOnHost_;
    }

    // As much for each part as there is for the one that has least
    scalar least = GREAT;

    for (const label device : devices_)
    {
        const scalar free = engineCall
        (
            [&]{ return lbm::engine::memoryFree(backend, device); }
        );

        const scalar nParts =
            nOnDevice_*std::count(devices_.begin(), devices_.end(), device);

        least = min(least, free/nParts);
    }

    return devices_.size()*least;
}


lbm::memoryUse Foam::latticeFlow::memoryNeeded() const
{
    return engineCall
    (
        [&]
        {
            return lbm::engine::memoryNeeded
            (
                engineSettings_,
                mapping_->description()
            );
        }
    );
}


void Foam::latticeFlow::writeMemory() const
{
    const lbm::engineSettings& s = engineSettings_;

    // Of all processes
    const auto whole = [](const scalar own)
    {
        return returnReduce(own, sumOp<scalar>());
    };

    const scalar needed = whole(memory_.total());
    const scalar viscosity = whole(memory_.viscosity);
    const scalar forces = whole(memory_.forces);
    const scalar scalars = whole(memory_.scalars);
    const scalar free = whole(memoryFree(s.backend));

    // U, p and phi: see recordedStream

    scalar written =
        sizeof(scalar)
       *(
            scalar(nCells_)*(vector::nComponents + 1)
          + whole(U_.mesh().nInternalFaces())
        );

    // Of the nodes alone
    const scalar populations =
        scalar(mapping_->nFluidWhole())
       *(
            lbm::directions(s.lattice).size()
           *lbm::engine::bytesPerPopulation(s.precision)
          + carried_.size()*(mapping_->twoD() ? 5 : 7)
           *(s.precision == "double" ? 8 : 4)
        );

    const bool onDevice = settings_.restartData() && s.backend != "host";

    if (settings_.restartData() && !onDevice)
    {
        written += populations;
    }

    Info<< "Memory needed " << printBytes(needed).c_str() << ", "
        << needed/mapping_->nFluidWhole() << " B a node, free "
        << printBytes(free).c_str() << nl
        << "    " << s.storage.c_str() << ' '
        << printBytes(whole(memory_.populations)).c_str()
        << ", flags " << printBytes(whole(memory_.flags)).c_str()
        << ", neighbours " << printBytes(whole(memory_.neighbours)).c_str()
        << ", links " << printBytes(whole(memory_.links)).c_str()
        << ", buffers " << printBytes(whole(memory_.buffers)).c_str()
        << (
               viscosity > 0
             ? ", viscosity " + printBytes(viscosity)
             : std::string()
           ).c_str()
        << (
               forces > 0
             ? ", forces of nodes " + printBytes(forces)
             : std::string()
           ).c_str()
        << (
               scalars > 0
             ? ", scalars " + printBytes(scalars)
             : std::string()
           ).c_str()
        << nl
        << "    " << printBytes(written).c_str() << " of the host, "
        << written/nCells_ << " B a cell, while a time is written";

    if (settings_.secondChance())
    {
        Info<< nl << "    " << printBytes(populations).c_str()
            << " for a second chance"
            << (s.backend == "host" ? "" : ", where there is room");
    }

    if (onDevice)
    {
        Info<< nl << "    and " << printBytes(populations).c_str()
            << " more of the device, or of the host where that has no room";
    }

    Info<< nl << endl;
}


void Foam::latticeFlow::checkMemory() const
{
    const lbm::engineSettings& s = engineSettings_;

    const scalar needed = memory_.total();
    const scalar free = memoryFree(s.backend);

    // None takes its part before all have looked
    (void)returnReduce(free, minOp<scalar>());

    if (needed > free)
    {
        const scalar nodes = mapping_->nFluidWhole()*free/needed;
        const label d = mapping_->twoD() ? 2 : 3;

        FatalErrorInFunction
            << "The lattice needs " << printBytes(needed).c_str()
            << ", but only " << printBytes(free).c_str() << " are free on "
            << deviceName_.c_str() << '.' << nl
            << "    Largest grid that would fit: about "
            << label(std::floor(std::pow(nodes, 1.0/d)))
            << '^' << d << " nodes (this one has " << mapping_->nFluidWhole()
            << ')';

        if (s.precision == "double")
        {
            FatalError<< "; precision single needs half of it";
        }

        FatalError<< '.' << exit(FatalError);
    }
}


void Foam::latticeFlow::writeParts() const
{
    const std::vector<lbm::partSize> parts(engine_->parts());

    if (parts.empty())
    {
        return;
    }

    std::int64_t nNodes = 0, most = 0;

    for (const lbm::partSize& p : parts)
    {
        nNodes += p.nNodes;
        most = std::max(most, p.nNodes);
    }

    Info<< "Parts of the lattice, the largest with "
        << scalar(most)*parts.size()/nNodes << " of the mean" << nl;

    for (std::size_t i = 0; i < parts.size(); ++i)
    {
        Info<< "    " << label(i) << ": " << parts[i].nNodes << " nodes, "
            << parts[i].nLinks << " links to boundaries, "
            << parts[i].nHaloLinks << " to other parts" << nl;
    }

    Info<< endl;
}


void Foam::latticeFlow::writeProcesses() const
{
    if (!Pstream::parRun())
    {
        return;
    }

    // Of the largest over the mean
    constexpr scalar uneven = 1.2;

    scalar nLinks = 0;
    for (const lbm::linkGroup& group : mapping_->description().groups)
    {
        nLinks += group.size();
    }

    scalar nCut = 0;
    for (const lbm::haloLinks& halo : mapping_->description().halos)
    {
        nCut += halo.node.size();
    }

    // The least and the most that a process has
    const auto range = [](const scalar own)
    {
        return
            std::to_string
            (
                std::int64_t(returnReduce(own, minOp<scalar>()))
            )
          + " to "
          + std::to_string
            (
                std::int64_t(returnReduce(own, maxOp<scalar>()))
            );
    };

    const scalar nNodes = mapping_->nFluid();
    const scalar balance =
        returnReduce(nNodes, maxOp<scalar>())*Pstream::nProcs()
       /scalar(mapping_->nFluidWhole());

    // All processes take part in what follows
    const string nodes(range(nNodes));
    const string links(range(nLinks));
    const string cut(range(nCut));

    Info<< "Processes " << Pstream::nProcs() << ", " << nodes.c_str()
        << " nodes each, largest over mean " << balance << nl
        << "    links: " << links.c_str() << " of boundaries, "
        << cut.c_str() << " to other processes" << nl;

    const bool host = engineSettings_.backend == "host";
    const string transport(engineSettings_.communicator->transport);

    if
    (
        settings_.exchange() == "device"
     && returnReduce(nCut, maxOp<scalar>()) > 0
     && (host || transport != "NCCL")
    )
    {
        FatalIOErrorInFunction(settings_.dict())
            << "Found exchange device, but values are "
            << (host ? string("exchanged by the host") : transport).c_str()
            << nl << "    Possible: exchange auto, exchange host"
            << exit(FatalIOError);
    }
    if (!host)
    {
        Info<< "    exchange: " << transport.c_str() << nl;
    }

    Info<< endl;

    if (balance > uneven)
    {
        WarningInFunction
            << "Load imbalance: the largest process has " << balance
            << " times the mean number of nodes," << nl
            << "    which is proportional to the volume of its cells." << nl
            << "    Possible: a weightField of volumes, or other domains, in"
            << " system/decomposeParDict" << nl << endl;
    }
}


void Foam::latticeFlow::makeEngine()
{
    checkMemory();

    makeRoom
    (
        "the lattice",
        memory_.total(),
        [&]
        {
            engine_ = engineCall
            (
                [&]
                {
                    return lbm::engine::New
                    (
                        engineSettings_,
                        mapping_->description()
                    );
                }
            );
        }
    );

    writeParts();
    writeProcesses();

    if (settings_.writeFlags() && !flags_.valid())
    {
        flags_ = mapping_->flags();
        flags_.ref().writeOpt() = IOobject::AUTO_WRITE;
        flags_.ref().checkIn();
    }

    mapping_->releaseLinks();

    obstacle_.reset(new latticeObstacle(U_.mesh(), *mapping_, *engine_));

    setBoundaryValues();
    giveScalars();

    if (settings_.restartData())
    {
        populations_.reset
        (
            new latticePopulations
            (
                U_.mesh(),
                *mapping_,
                *engine_,
                [this]{ return restartHeader(); }
            )
        );

        if (variableBoundary_ && settings_.boundaryUpdateInterval() > 1)
        {
            boundaryValuesFile_.reset
            (
                new latticeBoundaryValues(U_.mesh(), boundaryValues_)
            );
        }
    }
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


Foam::autoPtr<Foam::volScalarField> Foam::latticeFlow::latticePressure() const
{
    if (!pressureOffset_)
    {
        return nullptr;
    }

    // Patches with a gradient that is told to them have none here

    PtrList<fvPatchScalarField> patchFields(p_.boundaryField().size());

    forAll(patchFields, patchi)
    {
        const fvPatchScalarField& pp = p_.boundaryField()[patchi];

        patchFields.set
        (
            patchi,
            isA<fixedFluxPressureFvPatchScalarField>(pp)
          ? new zeroGradientFvPatchScalarField(pp.patch(), p_)
          : pp.clone().ptr()
        );
    }

    autoPtr<volScalarField> result
    (
        new volScalarField
        (
            IOobject
            (
                p_.name(),
                runTime_.timeName(),
                p_.mesh(),
                IOobject::NO_READ,
                IOobject::NO_WRITE,
                false
            ),
            p_.mesh(),
            p_.dimensions(),
            p_.primitiveField(),
            patchFields
        )
    );

    // A uniform one stays so: it is to be computed
    if (!initialState::uniform(p_))
    {
        result->primitiveFieldRef() -= pressureOffset_->primitiveField();
    }

    forAll(p_.boundaryField(), patchi)
    {
        result->boundaryFieldRef()[patchi] ==
            p_.boundaryField()[patchi]
          - pressureOffset_->boundaryField()[patchi];
    }

    return result;
}


void Foam::latticeFlow::consistentStart
(
    const string& why,
    const word& projection,
    latticeProjection* nodes
)
{
    // The value in the file may be any: a finite-volume solver evaluates it
    // before a total pressure reads it
    forAll(mapping_->groupPatches(), groupi)
    {
        if (mapping_->description().groups[groupi].type == "pressure")
        {
            U_.boundaryFieldRef()[mapping_->groupPatches()[groupi]].evaluate();
        }
    }

    const autoPtr<volScalarField> driving(latticePressure());
    const tmp<volVectorField> smooth(forces_.smooth());

    const initialState state
    (
        U_,
        driving.valid() ? *driving : p_,
        mapping_(),
        projection,
        pRef_,
        fields_.pReference(),
        smooth,
        nodes
    );

    engineCall
    (
        [&]
        {
            for (const scalarOnLattice& s : carried_)
            {
                s.initialise(*engine_, *mapping_);
            }

            state.set(*engine_, *mapping_, *units_, chunk);

            for (const scalarOnLattice& s : carried_)
            {
                s.initialise(*engine_, *mapping_);
            }

            statistics_ = engine_->statistics();
        }
    );

    massStart_ = statistics_.massDeviation;
    massAdded_ = 0;
    latticeSteps_ = 0;
    watchedSince_ = 0;
    calmUntil_ = 0;

    Info<< "Consistent start from U and p: " << state.description().c_str()
        << nl << "    populations are not used, " << why.c_str() << nl
        << endl;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFlow::start()
{
    // It needs the links, which the engine takes
    autoPtr<latticeProjection> nodes;

    if
    (
        settings_.initialProjection() == "nodes"
     && !forces_.any()
     && !carriedHeat()
     && latticeProjection::possible(mapping_())
    )
    {
        if (Pstream::parRun())
        {
            Info<< "initialProjection nodes: on the mesh alone, as there are"
                << " several processes" << nl << endl;
        }
        else
        {
            nodes.reset(new latticeProjection(mapping_()));
        }
    }

    makeEngine();

    if (viscosity_.variable())
    {
        nodeViscosity_ = viscosity_.onNodes(*mapping_);
        giveNodeViscosity();
    }

    {
        const endOfStep first(runTime_);

        updateForces();
    }

    bool restarted = false;

    if (noRestartReason_.empty())
    {
        restarted = engineCall
        (
            [&]
            {
                return latticePopulations::read
                (
                    U_.mesh(),
                    *mapping_,
                    *engine_,
                    noRestartReason_
                );
            }
        );
    }

    if (restarted)
    {
        string why;
        const labelList drawn(obstacle_->read(why));

        if
        (
            restartHeader_.getOrDefault<string>("obstacle", string::null)
         != (drawn.empty() ? string::null : latticeObstacle::checksum(drawn))
        )
        {
            restarted = false;
            noRestartReason_ =
                "the obstacle that was drawn is another one or missing";
        }
    }

    if
    (
        restarted
     && eddies_.valid()
     && engineCall
        (
            [&]{ return eddies_->differ(*engine_, *mapping_, *units_); }
        )
    )
    {
        restarted = false;
        noRestartReason_ =
            "fields of the turbulence model have been changed since";
    }

    for (scalarOnLattice& s : carried_)
    {
        if (!restarted)
        {
            break;
        }

        if (s.reset())
        {
            engineCall([&]{ s.initialise(*engine_, *mapping_); });
        }
        else if (engineCall([&]{ return s.differs(*engine_, *mapping_); }))
        {
            restarted = false;
            noRestartReason_ =
                s.name() + " of this time has been changed since";
        }
        else
        {
            // With all digits, which the pressure of buoyant flow depends on
            engineCall([&]{ s.update(*engine_, *mapping_); });
        }
    }

    if
    (
        restarted
     && engineCall
        (
            [&]
            {
                return fields_.differ
                (
                    *engine_,
                    *mapping_,
                    *units_,
                    restartHeader_.getOrDefault<scalar>("soundVelocity", 0),
                    restartHeader_.getOrDefault<scalar>("soundPressure", 0)
                );
            }
        )
    )
    {
        restarted = false;
        noRestartReason_ = "U or p of this time have been changed since";
    }

    if (restarted)
    {
        latticeSteps_ = count(restartHeader_, "latticeSteps");
        soundSteps_ =
            restartHeader_.found("soundSteps")
          ? count(restartHeader_, "soundSteps")
          : latticeSteps_;
        fluxSteps_ =
            restartHeader_.found("fluxSteps")
          ? count(restartHeader_, "fluxSteps")
          : latticeSteps_;
        massStart_ = restartHeader_.get<scalar>("massStart");
        massAdded_ = restartHeader_.get<scalar>("massAdded");

        readBoundaryValues();
        readObstacle(true);

        engineCall([&]{ statistics_ = engine_->statistics(); });

        Info<< "Restarting from the populations of time "
            << runTime_.timeName() << nl << endl;
    }
    else
    {
        consistentStart
        (
            noRestartReason_,
            settings_.initialProjection(),
            nodes.get()
        );
        readObstacle(false);
    }

    if (hasLaws())
    {
        nodeViscosity_.clear();
        giveViscosity();

        if (eddies_.valid())
        {
            engineCall
            (
                [&]
                {
                    if (!restarted)
                    {
                        eddies_->giveNodes(*engine_, *mapping_, *units_);
                    }

                    engine_->updateViscosity();
                }
            );
        }
    }

    sources_.start(meanVelocity(), units_->dt(), restarted);

    restartHeader_.clear();

    setKeepInterval();

    lineTime_ = std::chrono::steady_clock::now();
}


// ************************************************************************* //
