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
#include "inputChecks.H"
#include "latticeWalls.H"
#include "profiling.H"
#include "Time.H"
#include "withoutLastDigits.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeFlow, 0);
}


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

void Foam::latticeFlow::setBoundaryValues
(
    const label groupi,
    std::vector<double>&& values
)
{
    if (inflowStraightened_)
    {
        mapping_->straightenInflow(groupi, values);
    }

    if (values.empty() || values == boundaryValues_[groupi])
    {
        return;
    }

    const int nValues =
        lbm::valuesPerFace(mapping_->description().groups[groupi].type);

    engineCall
    (
        [&]
        {
            engine_->setBoundaryValues
            (
                groupi,
                values.data(),
                values.size()/nValues
            );
        }
    );

    boundaryValues_[groupi] = std::move(values);
}


void Foam::latticeFlow::setBoundaryValues()
{
    const label nGroups = mapping_->groupPatches().size();

    boundaryValues_.setSize(nGroups);
    firstValues_.setSize(nGroups);

    for (label groupi = 0; groupi < nGroups; ++groupi)
    {
        setBoundaryValues(groupi, evaluatedValues(groupi));
    }
}


std::vector<double> Foam::latticeFlow::evaluatedValues
(
    const label groupi
) const
{
    std::vector<double> values
    (
        mapping_->boundaryValues
        (
            groupi,
            U_,
            p_,
            *units_,
            fields_.pReference(),
            pressureOffset_
        )
    );

    if (inflowStraightened_)
    {
        mapping_->straightenInflow(groupi, values);
    }

    return values;
}


void Foam::latticeFlow::beginBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        std::vector<double> values(evaluatedValues(groupi));

        if (!mapping_->description().groups[groupi].varies)
        {
            setBoundaryValues(groupi, std::move(values));
        }
        else if (values != boundaryValues_[groupi])
        {
            firstValues_[groupi] = std::move(boundaryValues_[groupi]);
            boundaryValues_[groupi] = std::move(values);
        }
        else if (!firstValues_[groupi].empty())
        {
            firstValues_[groupi].clear();
            boundaryValues_[groupi].clear();
            setBoundaryValues(groupi, std::move(values));
        }
    }
}


void Foam::latticeFlow::renewBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        if (mapping_->description().groups[groupi].varies)
        {
            boundaryValues_[groupi] = evaluatedValues(groupi);
        }
    }

    boundaryRescaled_ = false;
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


bool Foam::latticeFlow::boundaryUpdateDue() const
{
    return
        variableBoundary_
     && (
            !boundaryEvaluated_
         || runTime_.timeIndex() % settings_.boundaryUpdateInterval() == 0
        );
}


Foam::scalar Foam::latticeFlow::meanFixedPressure() const
{
    scalar sum = 0;
    scalar area = 0;

    forAll(mapping_->groupPatches(), groupi)
    {
        if (mapping_->description().groups[groupi].type == "pressure")
        {
            const fvPatchScalarField& pp =
                p_.boundaryField()[mapping_->groupPatches()[groupi]];

            sum += gSum(pp*pp.patch().magSf());
            area += gSum(pp.patch().magSf());

            if (pressureOffset_)
            {
                sum -= gSum
                (
                    pressureOffset_->boundaryField()[pp.patch().index()]
                   *pp.patch().magSf()
                );
            }
        }
    }

    return area > 0 ? withoutLastDigits(sum/area) : 0;
}


void Foam::latticeFlow::setFaceDensities()
{
    if (mapping_->conforming())
    {
        meanFaceDensity_ = 1/(units_->dx()*mapping_->refinement());
        maxFaceDensity_ = meanFaceDensity_;
        return;
    }

    // As the fluxes of a velocity with equal components would give

    const fvMesh& mesh = U_.mesh();
    const vectorField& Sf = mesh.faceAreas();

    scalarField area(mesh.nCells(), Zero);

    forAll(Sf, facei)
    {
        scalar projected = 0;

        for (direction d = 0; d < vector::nComponents; ++d)
        {
            if (mesh.geometricD()[d] > 0)
            {
                projected += mag(Sf[facei][d]);
            }
        }

        area[mesh.faceOwner()[facei]] += projected;

        if (mesh.isInternalFace(facei))
        {
            area[mesh.faceNeighbour()[facei]] += projected;
        }
    }

    // Two faces for each direction
    area /= 2*mesh.nGeometricD();

    meanFaceDensity_ = gSum(area)/gSum(mesh.V());
    maxFaceDensity_ = gMax((area/mesh.V())());
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


void Foam::latticeFlow::setAcceleration()
{
    sources_.beginStep(deltaT_, units_->dt(), 1/units_->mach(1));

    const vector acceleration(settings_.bodyForce() + sources_.acceleration());

    if (acceleration != acceleration_)
    {
        acceleration_ = acceleration;

        engineCall([&]{ engine_->setBodyForce(latticeAcceleration()); });
    }
}


void Foam::latticeFlow::updateForces()
{
    if (!forces_.due())
    {
        return;
    }

    addProfiling(forces, "latticeFlow::updateForces");

    if (forces_.usesFlow())
    {
        updateFields();
    }

    forces_.evaluate(U_.mesh(), *mapping_, deltaT_);
    giveForces();
}


void Foam::latticeFlow::giveScalars()
{
    for (scalarOnLattice& s : carried_)
    {
        engineCall([&]{ s.give(*engine_, *mapping_, *units_); });
    }
}


void Foam::latticeFlow::giveForces()
{
    if (forces_.any())
    {
        engineCall([&]{ forces_.give(*engine_, *mapping_, *units_); });
    }
}


Foam::vector Foam::latticeFlow::meanVelocity() const
{
    const std::array<double, 3>& sum = statistics_.sumVelocity;

    return
        mapping_->toPhysical
        (
            units_->velocityToSI(vector(sum[0], sum[1], sum[2]))
        )
       /scalar(mapping_->nFluidWhole());
}


Foam::scalar Foam::latticeFlow::massDrift() const
{
    return
        (statistics_.massDeviation - massStart_ - massAdded_)
       /mapping_->nFluidWhole();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeFlow::latticeFlow
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    effectiveViscosity& viscosity,
    const UPtrList<cellForce>& forces,
    const volScalarField* pressureOffset,
    const UPtrList<scalarOnLattice>& scalars,
    rotatingFrame* frame,
    const bool viewed
)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            U.time().timeName(),
            U.mesh(),
            IOobject::NO_READ,
            IOobject::NO_WRITE
        )
    ),
    U_(U),
    p_(p),
    runTime_(U.time()),
    viscosity_(viscosity),
    nu_(viscosity.reference()),
    stepViscosity_(viscosity.mean()),
    nodeViscosity_(),
    laws_(),
    eddies_(),
    wallFunctions_(false),
    modelsReason_(),
    wallNodes_(),
    modelsBehind_(0),
    modelsBefore_(1),
    settings_(U.mesh()),
    pRef_(),
    nCells_(returnReduce(U.size(), sumOp<label>())),
    mapping_(new latticeMapping(U.mesh(), settings_, U, p)),
    units_(),
    steady_(U.mesh().steady()),
    deltaT_(0),
    nSteps_(0),
    latticeSteps_(0),
    stepsMade_(0),
    Uref_(0),
    UrefReason_(),
    stepSpeed_(0),
    leastStepSpeed_(0),
    pressureRate_(0),
    stepDue_(false),
    watchedSince_(0),
    watchedLeast_(GREAT),
    watchedLargest_(0),
    calmUntil_(0),
    sources_(U.mesh()),
    acceleration_(settings_.bodyForce() + sources_.acceleration()),
    forces_(forces),
    pressureOffset_(pressureOffset),
    scalars_(scalars),
    carried_(),
    engineSettings_(),
    devices_(),
    nOnHost_(1),
    nOnDevice_(1),
    deviceName_(),
    backendReason_(),
    layoutReason_(),
    storageReason_(),
    populationsNeeded_(viewed ? viewsPopulations_ : ""),
    collisionReason_(),
    refinement_(settings_.refinement()),
    refinementReason_(),
    restartHeader_(),
    noRestartReason_(),
    engine_(),
    obstacle_(),
    populations_(),
    boundaryValuesFile_(),
    flags_(),
    fields_(U, p, phi, pressureOffset, frame),
    sound_(U),
    soundSteps_(0),
    fluxSteps_(0),
    functionObjects_(runTime_),
    variableBoundary_(false),
    flowBoundary_(false),
    stepped_(false),
    meanFaceDensity_(0),
    maxFaceDensity_(0),
    boundaryValues_(),
    firstValues_(),
    boundaryRescaled_(false),
    boundaryEvaluated_(false),
    statistics_(),
    massStart_(0),
    massAdded_(0),
    kept_(),
    keepInterval_(0),
    keepMach_(0),
    repeating_(false),
    nHalved_(0),
    bulkChanged_(false),
    inflowStraightened_(false),
    collisionChanged_(false),
    divergence_(),
    warnedMach_(false),
    warnedWalls_(false),
    lineTime_()
{
    pRef_.given =
        settings_.getReference(p, pRef_.cell, pRef_.value)
     && mapping_->closed();

    forAll(mapping_->groupPatches(), groupi)
    {
        flowBoundary_ = flowBoundary_ || mapping_->groupDependsOnFlow(groupi);

        // The offset of p follows from T
        variableBoundary_ =
            variableBoundary_
         || flowBoundary_
         || mapping_->groupTimeVarying(groupi)
         || (
                pressureOffset_
             && mapping_->description().groups[groupi].type == "pressure"
            );

        // The value in the file may be any: a finite-volume solver evaluates it
        // before it is used
        if
        (
            mapping_->groupTimeVarying(groupi)
         && !mapping_->groupDependsOnFlow(groupi)
         && lbm::givesVelocity(mapping_->description().groups[groupi].type)
        )
        {
            U_.boundaryFieldRef()[mapping_->groupPatches()[groupi]].evaluate();
        }

        // The first step begins with it. Total pressures are not read from p
        if
        (
            mapping_->description().groups[groupi].varies
         && mapping_->description().groups[groupi].type == "pressure"
         && !mapping_->groupTotalPressure(groupi)
        )
        {
            p_.boundaryFieldRef()[mapping_->groupPatches()[groupi]].evaluate();
        }
    }

    setRefinement();
    setStep();

    if (pRef_.given)
    {
        fields_.setReferenceCell(pRef_);
    }
    else
    {
        fields_.setReferencePressure
        (
            restartHeader_.getOrDefault<scalar>
            (
                "pReference",
                meanFixedPressure()
            )
        );
    }

    setFaceDensities();
    chooseScalars();
    setEngineSettings();

    writeSummary();
    checkCellReynolds();
    checkCurvedWalls();
    checkInflow();
    memory_ = memoryNeeded();
    writeMemory();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFlow::printCourantNo() const
{
    if (steady_)
    {
        return;
    }

    const scalar scale =
        units_->velocityToSI(scalar(1))*runTime_.deltaTValue();

    Info<< "Courant Number mean: "
        << scale*meanFaceDensity_*statistics_.sumAbsVelocity
          /mapping_->nFluidWhole()
        << " max: "
        << scale*maxFaceDensity_*statistics_.maxAbsVelocity << endl;
}


void Foam::latticeFlow::correctBoundaryConditions()
{
    for (scalarOnLattice& s : carried_)
    {
        if (s.varies())
        {
            if (s.usesFlow())
            {
                updateFields();
            }

            engineCall
            (
                [&]{ s.correctBoundaryConditions(*engine_, *units_); }
            );
        }
    }

    if (!boundaryUpdateDue())
    {
        return;
    }

    sound_.keepBoundary();

    if (flowBoundary_)
    {
        fields_.invalidate();
        updateFields();
    }
    else
    {
        U_.correctBoundaryConditions();
        p_.correctBoundaryConditions();
    }

    caseChecks::checkBoundaryValues(U_);
    caseChecks::checkBoundaryValues(p_);

    beginBoundaryValues();
    boundaryEvaluated_ = true;
}


void Foam::latticeFlow::advance()
{
    addProfiling(advance, "latticeFlow::advance");

    if (!steady_ && runTime_.deltaTValue() != deltaT_)
    {
        changeDeltaT();
    }

    takeStep();
    setAcceleration();
    updateForces();

    stepsMade_ = 0;
    beginOuterStep();

    bool finished = makeSteps(0);

    while (!finished)
    {
        finished = tryAgain();
    }

    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<scalar> elapsed(now - lineTime_);
    lineTime_ = now;

    const scalar updates = scalar(mapping_->nFluidWhole())*stepsMade_;

    Info<< "Lattice: " << stepsMade_ << " steps, "
        << 1e-6*updates/max(elapsed.count(), SMALL) << " MLUPS, largest Mach "
        << units_->mach(units_->velocityToSI(scalar(statistics_.maxSpeed)))
        << ", mass drift " << massDrift() << endl;

    fields_.invalidate();
    stepped_ = true;

    if (boundaryRescaled_)
    {
        renewBoundaryValues();
    }

    sources_.endStep
    (
        meanVelocity(), deltaT_, units_->dt(), 1/units_->mach(1)
    );
    correctViscosity();

    guardInflow();
    followFlow();
}


void Foam::latticeFlow::updateFields()
{
    if (sound_.kept())
    {
        soundSteps_ = latticeSteps_;
    }

    engineCall
    (
        [&]
        {
            const bool follow = !fields_.current();

            // The pressure of buoyant flow follows from the temperature
            for (scalarOnLattice& s : carried_)
            {
                if (follow)
                {
                    s.update(*engine_, *mapping_);
                }
            }

            fields_.update(*engine_, *mapping_, *units_, stepped_, sound_);

            for (const scalarOnLattice& s : carried_)
            {
                if (follow)
                {
                    s.flowChanged();
                }
            }
        }
    );
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


void Foam::latticeFlow::updateFieldsForTransport()
{
    updateFields();

    if (settings_.conservativeFlux() != "no")
    {
        fields_.conserve(*mapping_);
    }
}


void Foam::latticeFlow::updateFieldsForOutput()
{
    updateFieldsAndFlux();
    updateModels();
    checkWalls();
}


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


void Foam::latticeFlow::updateFieldsAndFlux()
{
    updateFields();

    if (conservesFlux())
    {
        fields_.conserve(*mapping_);
        fluxSteps_ = latticeSteps_;
    }
}


bool Foam::latticeFlow::updateFieldsForFunctionObjects()
{
    const functionObjectTimes::demand demand(functionObjects_.due());

    if (demand.transport && settings_.conservativeFlux() != "no")
    {
        updateFieldsForTransport();
    }
    else if (demand.flux)
    {
        updateFieldsAndFlux();
    }
    else if (demand.fields)
    {
        updateFields();
    }

    if (demand.viscosity)
    {
        updateModels();
    }

    if (demand.walls && !obstacle_->size())
    {
        engineCall
        (
            [&]{ fields_.setWallPressure(*engine_, *mapping_, *units_); }
        );
    }

    return demand.transport || demand.flux || demand.fields || demand.viscosity;
}


void Foam::latticeFlow::addObserver(latticeObserver* observer)
{
    if (!observers_.found(observer))
    {
        observers_.append(observer);
    }
}


const Foam::latticeWalls* Foam::latticeFlow::walls()
{
    const latticeWalls* result = nullptr;

    // Nodes of an obstacle are fluid to the fits
    if (engine_ && !obstacle_->size())
    {
        engineCall
        (
            [&]{ result = &fields_.walls(*engine_, *mapping_, *units_); }
        );
    }

    return result;
}


// ************************************************************************* //
