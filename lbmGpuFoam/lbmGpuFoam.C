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

Application
    lbmGpuFoam

Group
    grpIncompressibleSolvers

Description
    Transient and steady-state solver for incompressible flow with the lattice
    Boltzmann method, on a GPU or on all cores of the host.

    \heading Solver details
    Runs the case of icoFoam, nonNewtonianIcoFoam, pisoFoam, pimpleFoam,
    simpleFoam, SRFPimpleFoam, SRFSimpleFoam, buoyantBoussinesqPimpleFoam or
    buoyantBoussinesqSimpleFoam unmodified, with the transport and turbulence
    models of OpenFOAM.
    In place of the equations of continuity and momentum it advances the
    populations f_i of a lattice of nodes in the cells,

        \f[
            f_i(\vec{x} + \vec{c}_i, t + 1) - f_i(\vec{x}, t)
          = \Omega_i(f)
        \f]

    in as many steps per deltaT as the Mach number allows. Their moments are
    U and p, which are written as usual. With steadyState in ddtSchemes, time
    counts iterations of iterationSteps lattice steps each, and the run ends
    where the residuals are those of residualControl.

    \heading Required fields
    \plaintable
        U       | Velocity [m/s]
        p       | Kinematic pressure, p/rho [m2/s2]
    \endplaintable

    With heat, see Foam::buoyantHeat, in place of p:
    \plaintable
        p_rgh   | Kinematic pressure without its hydrostatic part [m2/s2]
        T       | Temperature [K]
        alphat  | Turbulent thermal diffusivity [m2/s]
    \endplaintable

    In a rotating frame (SRFProperties) the relative velocity Urel is read in
    place of U, which is written as well, see Foam::rotatingFrame.

Usage
    \b lbmGpuFoam [OPTIONS]

      - \par -dry-run
        Print the summary, with the memory needed, and stop

      - \par -postProcess
        Execute functionObjects only; needs no GPU

      - \par -parallel
        Run on the domains of decomposePar, by mpirun

      - \par -cellWeights
        Write the field cellWeights, a weightField for decomposePar, and stop

      - \par -view
        Show the flow while it runs, and let a mouse draw into it: the
        functionObject liveView with its defaults

    Choices, all with defaults, in the sub-dictionary \c LBM of
    system/fvSolution: see Foam::latticeSettings.

\*---------------------------------------------------------------------------*/

#include "fvCFD.H"
#include "buoyantHeat.H"
#include "caseChecks.H"
#include "cellForces.H"
#include "cellWeights.H"
#include "committedFiles.H"
#include "committedTime.H"
#include "constantTransportModel.H"
#include "effectiveViscosity.H"
#include "errorReport.H"
#include "evaluateProcessors.H"
#include "functionObject.H"
#include "inputChecks.H"
#include "latticeFlow.H"
#include "latticeLaminarModel.H"
#include "latticeMemory.H"
#include "latticeScalars.H"
#include "profiling.H"
#include "rotatingFrame.H"
#include "sigFpe.H"
#include "singlePhaseTransportModel.H"
#include "steadyControl.H"
#include "turbulentTransportModel.H"

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

//- Open the library of the live view, before anything takes long
static void openView(Time& runTime)
{
    if (!runTime.libs().open(fileName("latticeLiveView")))
    {
        FatalErrorInFunction
            << "The option -view needs the library latticeLiveView, which could"
            << " not be opened (see above). Allwmake builds it where headers of"
            << " VTK 9 are"
            << exit(FatalError);
    }
}


//- The live view of the option -view; none if the case has one itself
static autoPtr<functionObject> newView(const Time& runTime)
{
    for (const entry& e : runTime.controlDict().subOrEmptyDict("functions"))
    {
        if
        (
            e.isDict()
         && e.dict().getOrDefault<word>("type", word::null) == "liveView"
         && e.dict().getOrDefault("enabled", true)
        )
        {
            Info<< "The case has a live view already, " << e.keyword() << nl
                << endl;

            return nullptr;
        }
    }

    dictionary dict;
    dict.add("type", "liveView");
    dict.add("libs", wordList({"latticeLiveView"}));

    return functionObject::New("view", runTime, dict);
}


//- Set up the case and run it; returns the exit status
static int solve(const argList& args)
{
    // A number too large to be stored is refused where it stands, rather than
    // with a signal from the reader
    sigFpe::ignore readingFiles;

    autoPtr<freedMemoryKept> settingUp(new freedMemoryKept);

    #include "createCommittedTime.H"

    if (args.found("view"))
    {
        openView(runTime);
    }

    addProfiling(mesh, "lbmGpuFoam::createMesh");
    #include "createStaticMesh.H"
    endProfiling(mesh);

    caseChecks::checkModels(mesh);

    addProfiling(fields, "lbmGpuFoam::createFields");
    #include "createFields.H"
    #include "createScalars.H"
    endProfiling(fields);

    readingFiles.restore();

    addProfiling(mapping, "latticeFlow::latticeFlow");
    latticeFlow lattice
    (
        U,
        p,
        phi,
        viscosity(),
        forces,
        heat.valid() ? &heat->pressureOffset() : nullptr,
        scalars,
        frame.valid() ? &frame() : nullptr,
        args.found("view")
    );
    endProfiling(mapping);

    caseChecks::checkThroughFlow(U, p);

    if (args.found("cellWeights"))
    {
        const tmp<volScalarField> weights(cellWeights(mesh, lattice.mapping()));

        Info<< "Writing " << weights().name() << " to "
            << runTime.timeName() << nl << endl;

        if (!weights().write())
        {
            FatalErrorInFunction
                << "Cannot write " << weights().objectPath()
                << exit(FatalError);
        }

        Info<< "End\n" << endl;

        return 0;
    }

    if (args.found("dry-run"))
    {
        Info<< "End\n" << endl;

        return 0;
    }

    // Null in a transient case
    autoPtr<steadyControl> simple
    (
        mesh.steady() ? new steadyControl(mesh) : nullptr
    );

    addProfiling(start, "latticeFlow::start");
    lattice.start();
    settingUp.clear();
    endProfiling(start);

    runTime.beforeFunctionObjects
    (
        [&]
        {
            const bool updated = lattice.updateFieldsForFunctionObjects();

            if (heat.valid() && !heat->ofLattice())
            {
                heat->correctPressure();
            }
            else if (updated && heat.valid())
            {
                heat->correctDiffusivity();
            }
        }
    );

    autoPtr<functionObject> view
    (
        args.found("view") ? newView(runTime) : nullptr
    );

    // * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

    Info<< "\nStarting time loop\n" << endl;

    if (!runTime.run())
    {
        const char* const unit = simple ? "" : " s";

        Info<< "No step to make: the end time, " << runTime.endTime().value()
            << unit << ", is not after the start, " << runTime.timeName()
            << unit << ", or by less than half of deltaT, "
            << runTime.deltaTValue() << unit << '\n' << endl;
    }

    const auto loop = [&]
    {
        if (!simple)
        {
            return runTime.loop();
        }

        // What the loop is about to write
        if (simple->converged())
        {
            lattice.updateFieldsForOutput();

            if (heat.valid() && heat->ofLattice())
            {
                heat->correctDiffusivity();
            }
        }

        return simple->loop();
    };

    // What an error leaves is still there while writing goes on
    return reportErrors
    (
        [&]
        {
            while (loop())
            {
                Info<< "Time = " << runTime.timeName() << nl << endl;

                lattice.printCourantNo();

                // With T on the lattice, p_rgh is evaluated when it is read
                if
                (
                    heat.valid()
                 && (!heat->ofLattice() || lattice.variableBoundary())
                )
                {
                    heat->setPressureGradients();
                }

                lattice.correctBoundaryConditions();

                // Conditions that only the flow of the run could evaluate
                if (runTime.timeIndex() == runTime.startTimeIndex() + 1)
                {
                    caseChecks::checkFluxes(U, p);
                }

                lattice.advance();

                if (heat.valid() && !heat->ofLattice())
                {
                    lattice.updateFieldsForTransport();
                    heat->correct();
                    heat->correctPressure();
                }
                else if (heat.valid() && heat->fixesPressure())
                {
                    lattice.updateFields();
                }

                if (simple)
                {
                    lattice.updateFields();

                    UPtrList<const volScalarField> transported
                    (
                        lattice.updateTransported()
                    );

                    if (heat.valid() && heat->ofLattice())
                    {
                        transported.append(&heat->T());
                    }

                    simple->setResiduals
                    (
                        U,
                        p,
                        transported,
                        lattice.interval(),
                        lattice.nSteps(),
                        lattice.units().dx(),
                        lattice.meanViscosity()
                    );
                }

                if (runTime.writeTime())
                {
                    lattice.updateFieldsForOutput();

                    if (heat.valid() && heat->ofLattice())
                    {
                        heat->correctDiffusivity();
                    }
                }

                runTime.write();

                if (view.valid())
                {
                    view->execute();
                }

                runTime.printExecutionTime(Info);
            }

            if (view.valid())
            {
                view->end();
            }

            Info<< "End\n" << endl;

            return 0;
        }
    );
}


// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

int main(int argc, char *argv[])
{
    argList::addNote
    (
        "Solver for incompressible flow with the lattice Boltzmann method."
    );

    #define NO_CONTROL
    #include "postProcess.H"

    argList::addBoolOption
    (
        "dry-run",
        "Print the summary, with the memory needed, and stop"
    );
    argList::addBoolOption
    (
        "cellWeights",
        "Write the field cellWeights, a weightField for decomposePar, and stop"
    );
    argList::addBoolOption
    (
        "view",
        "Show the flow while it runs, and let a mouse draw into it"
    );

    #include "setRootCaseLists.H"

    // The end of args ends the program with status 0: errors must not get there
    return reportErrors([&]{ return solve(args); });
}


// ************************************************************************* //
