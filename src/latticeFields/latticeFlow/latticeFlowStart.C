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
#include "endOfStep.H"
#include "engineCall.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "initialState.H"
#include "latticeFlowShared.H"
#include "latticeMemory.H"
#include "latticeObstacle.H"
#include "latticeProjection.H"
#include "Time.H"
#include "zeroGradientFvPatchFields.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes whose state is set at a time
constexpr label chunk = 1 << 20;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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

    // Half a step of the forces is part of the velocity, and those that are evaluated
    // again may be others than when it was written
    const scalar ofForces =
        forces_.constant() ? 0 : 0.5*units_->dt()*forces_.largest();

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
                    restartHeader_.getOrDefault<scalar>("soundVelocity", 0)
                  + ofForces,
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
