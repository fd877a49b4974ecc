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
#include "profiling.H"
#include "Time.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeFlow, 0);
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


std::array<double, 3> Foam::latticeFlow::latticeAcceleration() const
{
    const vector g
    (
        mapping_->toLattice(units_->accelerationToLattice(acceleration_))
    );

    return {g.x(), g.y(), mapping_->twoD() ? 0 : g.z()};
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
    meanDrag_(0),
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
    checkMovingWalls();
    checkInflow();
    memory_ = memoryNeeded();
    writeMemory();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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

    writeProcessTimes();

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


void Foam::latticeFlow::addObserver(latticeObserver* observer)
{
    if (!observers_.found(observer))
    {
        observers_.append(observer);
    }
}


// ************************************************************************* //
