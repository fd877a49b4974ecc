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
#include "profiling.H"
#include "Time.H"

#include <cmath>

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

//- Above this the flow is taken for diverging: the equilibrium is an
//  expansion in the Mach number
constexpr scalar divergedMach = 0.6;

//- Above this the compressibility error, Ma^2, is some per cent
constexpr scalar largeMach = 0.3;

//- Lattice steps between looks at the flow, where deltaT has more
constexpr label checkInterval = 10000;

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

void Foam::latticeFlow::setBoundaryValues
(
    const label groupi,
    std::vector<double>&& values
)
{
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

    for (label groupi = 0; groupi < nGroups; ++groupi)
    {
        setBoundaryValues
        (
            groupi,
            mapping_->boundaryValues
            (
                groupi,
                U_,
                p_,
                *units_,
                fields_.pReference()
            )
        );
    }
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
        }
    }

    return area > 0 ? sum/area : 0;
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


void Foam::latticeFlow::changeDeltaT()
{
    const scalar deltaT = runTime_.deltaTValue();
    const scalar ratio = deltaT/units_->dt();
    const scalar nSteps = std::round(ratio);

    if (nSteps >= 1 && mag(ratio - nSteps) < 1e-9*nSteps)
    {
        deltaT_ = deltaT;
        nSteps_ = label(nSteps);

        Info<< "deltaT is now " << deltaT << " s, " << nSteps_
            << " steps of the lattice" << endl;

        return;
    }

    // Another lattice step means another relaxation time: start again from
    // the present U and p. They are still those of the time before.

    // Boundary conditions get the values of then once more, at the time of now

    fields_.invalidate();
    updateFields();

    populations_.clear();
    boundaryValuesFile_.clear();
    engine_.reset();
    stepped_ = false;
    boundaryValues_.clear();
    boundaryEvaluated_ = false;

    mapping_.reset(new latticeMapping(U_.mesh(), settings_, U_, p_));

    setStep(false);
    setEngineSettings();

    Info<< "deltaT is now " << deltaT << " s, which is no multiple of the"
        << " lattice step" << nl
        << "    New lattice step " << units_->dt() << " s, " << nSteps_
        << " per deltaT, relaxation time " << units_->tau() << endl;

    makeEngine();
    consistentStart("they belong to another lattice step", "no", nullptr);

    sources_.start(meanVelocity(), units_->dt(), false);
}


void Foam::latticeFlow::setAcceleration()
{
    sources_.beginStep(deltaT_, units_->dt());

    const vector acceleration(settings_.bodyForce() + sources_.acceleration());

    if (acceleration != acceleration_)
    {
        acceleration_ = acceleration;

        engineCall([&]{ engine_->setBodyForce(latticeAcceleration()); });
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
       /mapping_->nFluid();
}


Foam::scalar Foam::latticeFlow::massDrift() const
{
    return
        (statistics_.massDeviation - massStart_ - massAdded_)
       /mapping_->nFluid();
}


void Foam::latticeFlow::checkStatistics()
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar Ma = units_->mach(U);

    if (!statistics_.finite || !(Ma < divergedMach))
    {
        FatalErrorInFunction
            << "The flow diverges." << nl
            << "    Time                  " << runTime_.timeName() << " s"
            << nl;

        if (statistics_.maxSpeedNode >= 0)
        {
            FatalError
                << (
                       statistics_.finite
                     ? "    Largest speed at      "
                     : "    Not a number at       "
                   )
                << mapping_->boxCentre(statistics_.maxSpeedNode) << " m"
                << nl;
        }

        if (statistics_.finite)
        {
            FatalError
                << "    Largest speed         " << U << " m/s" << nl
                << "    Mach number           " << Ma << " (limit "
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

        FatalError
            << "    What helps, in LBM of system/fvSolution: a finer lattice (";

        if (settings_.latticeSpacing() > 0)
        {
            FatalError<< "latticeSpacing, now " << units_->dx() << " m";
        }
        else
        {
            FatalError<< "refinement, now " << settings_.refinement();
        }

        FatalError
            << "), a smaller maxMach or a larger referenceVelocity";

        if (engineSettings_.collision != "recursiveRegularised")
        {
            FatalError<< ", collision recursiveRegularised";
        }

        FatalError
            << "; or a larger nu." << nl
            << "    Nothing was written for this time."
            << exit(FatalError);
    }

    if (Ma > largeMach && !warnedMach_)
    {
        warnedMach_ = true;

        WarningInFunction
            << "The Mach number has reached " << Ma << ", aimed at was "
            << settings_.maxMach() << "." << nl
            << "    Errors from compressibility grow with its square. Give"
            << " referenceVelocity in LBM of system/fvSolution (now " << Uref_
            << " m/s, reached " << U << " m/s)." << endl;
    }
}


void Foam::latticeFlow::step(const label first, const label n)
{
    // Counted from the start of the case, so that a restart does the same
    const std::int64_t before =
        std::int64_t(runTime_.timeIndex() - 1)*nSteps_ + first;

    if
    (
        mapping_->conforming()
     || (before + n)/alternatingInterval == before/alternatingInterval
    )
    {
        engine_->step(n);
        return;
    }

    engine_->step(n - 1);
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


void Foam::latticeFlow::correctMass()
{
    const scalar drift = massDrift() + massAdded_/mapping_->nFluid();

    if (mapping_->closed() && mag(drift) > massTolerance)
    {
        const scalar delta = -massQuantum*std::round(drift/massQuantum);

        engineCall([&]{ engine_->shiftDensity(delta); });

        massAdded_ += delta*mapping_->nFluid();
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeFlow::latticeFlow
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    const dimensionedScalar& nu
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
    nu_(nu.value()),
    settings_(U.mesh()),
    pRefCell_(-1),
    pRefValue_(0),
    mapping_(new latticeMapping(U.mesh(), settings_, U, p)),
    units_(),
    deltaT_(0),
    nSteps_(0),
    Uref_(0),
    UrefReason_(),
    sources_(U.mesh()),
    acceleration_(settings_.bodyForce() + sources_.acceleration()),
    engineSettings_(),
    deviceName_(),
    backendReason_(),
    layoutReason_(),
    collisionReason_(),
    restartHeader_(),
    noRestartReason_(),
    engine_(),
    populations_(),
    boundaryValuesFile_(),
    flags_(),
    fields_(U, p, phi),
    functionObjects_(runTime_),
    variableBoundary_(false),
    flowBoundary_(false),
    stepped_(false),
    meanFaceDensity_(0),
    maxFaceDensity_(0),
    boundaryValues_(),
    boundaryEvaluated_(false),
    statistics_(),
    massStart_(0),
    massAdded_(0),
    warnedMach_(false),
    lineTime_()
{
    if
    (
        !settings_.getReference(p, pRefCell_, pRefValue_)
     || !mapping_->closed()
    )
    {
        pRefCell_ = -1;
    }

    forAll(mapping_->groupPatches(), groupi)
    {
        flowBoundary_ = flowBoundary_ || mapping_->groupDependsOnFlow(groupi);

        variableBoundary_ =
            variableBoundary_
         || flowBoundary_
         || mapping_->groupTimeVarying(groupi);

        // The value in the file may be any: a finite-volume solver evaluates it
        // before it is used
        if
        (
            mapping_->groupTimeVarying(groupi)
         && !mapping_->groupDependsOnFlow(groupi)
         && mapping_->description().groups[groupi].type == "velocity"
        )
        {
            U_.boundaryFieldRef()[mapping_->groupPatches()[groupi]].evaluate();
        }
    }

    setStep(true);

    if (pRefCell_ >= 0)
    {
        fields_.setReferenceCell(pRefCell_, pRefValue_);
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
    setEngineSettings();

    writeSummary();
    checkCellReynolds();
    checkInflow();
    writeMemory();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFlow::printCourantNo() const
{
    const scalar scale =
        units_->velocityToSI(scalar(1))*runTime_.deltaTValue();

    Info<< "Courant Number mean: "
        << scale*meanFaceDensity_*statistics_.sumAbsVelocity
          /mapping_->nFluid()
        << " max: "
        << scale*maxFaceDensity_*statistics_.maxAbsVelocity << endl;
}


void Foam::latticeFlow::correctBoundaryConditions()
{
    if (!boundaryUpdateDue())
    {
        return;
    }

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

    setBoundaryValues();
    boundaryEvaluated_ = true;
}


void Foam::latticeFlow::advance()
{
    addProfiling(advance, "latticeFlow::advance");

    if (runTime_.deltaTValue() != deltaT_)
    {
        changeDeltaT();
    }

    setAcceleration();

    const label interval =
        mapping_->closed() && !mapping_->conforming()
      ? massInterval
      : checkInterval;

    for (label done = 0; done < nSteps_; done += interval)
    {
        if (done > 0)
        {
            correctMass();
        }

        engineCall
        (
            [&]
            {
                step(done, min(interval, nSteps_ - done));
                statistics_ = engine_->statistics();
            }
        );

        checkStatistics();
    }

    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<scalar> elapsed(now - lineTime_);
    lineTime_ = now;

    const scalar updates = scalar(mapping_->nFluid())*nSteps_;

    Info<< "Lattice: " << nSteps_ << " steps, "
        << 1e-6*updates/max(elapsed.count(), SMALL) << " MLUPS, largest Mach "
        << units_->mach(units_->velocityToSI(scalar(statistics_.maxSpeed)))
        << ", mass drift " << massDrift() << endl;

    fields_.invalidate();
    stepped_ = true;

    sources_.endStep(meanVelocity(), deltaT_, units_->dt());

    correctMass();
}


void Foam::latticeFlow::updateFields()
{
    engineCall([&]{ fields_.update(*engine_, *mapping_, *units_, stepped_); });
}


void Foam::latticeFlow::updateFieldsForFunctionObjects()
{
    if (functionObjects_.due())
    {
        updateFields();
    }
}


// ************************************************************************* //
