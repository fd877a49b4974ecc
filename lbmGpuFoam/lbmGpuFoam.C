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
    Runs the case of icoFoam, nonNewtonianIcoFoam, pisoFoam, pimpleFoam or
    simpleFoam unmodified, with the transport and turbulence models of OpenFOAM.
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

Usage
    \b lbmGpuFoam [OPTIONS]

      - \par -dry-run
        Print the summary, with the memory needed, and stop

      - \par -postProcess
        Execute functionObjects only; needs no GPU

    Choices, all with defaults, in the sub-dictionary \c LBM of
    system/fvSolution: see Foam::latticeSettings.

\*---------------------------------------------------------------------------*/

#include "fvCFD.H"
#include "caseChecks.H"
#include "committedFiles.H"
#include "committedTime.H"
#include "effectiveViscosity.H"
#include "errorReport.H"
#include "inputChecks.H"
#include "latticeFlow.H"
#include "sigFpe.H"
#include "singlePhaseTransportModel.H"
#include "steadyControl.H"
#include "turbulentTransportModel.H"

// * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * * //

//- Set up the case and run it; returns the exit status
static int solve(const argList& args)
{
    // A number too large to be stored is refused where it stands, rather than
    // with a signal from the reader
    sigFpe::ignore readingFiles;

    #include "createCommittedTime.H"
    #include "createStaticMesh.H"

    caseChecks::checkModels(mesh);

    #include "createFields.H"

    readingFiles.restore();

    latticeFlow lattice(U, p, phi, viscosity());

    caseChecks::checkThroughFlow(U, p);

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

    lattice.start();

    runTime.beforeFunctionObjects
    (
        [&]{ lattice.updateFieldsForFunctionObjects(); }
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

                lattice.correctBoundaryConditions();

                // Conditions that only the flow of the run could evaluate
                if (runTime.timeIndex() == runTime.startTimeIndex() + 1)
                {
                    caseChecks::checkFluxes(U, p);
                }

                lattice.advance();

                if (simple)
                {
                    lattice.updateFields();

                    simple->setResiduals
                    (
                        U,
                        p,
                        lattice.interval(),
                        lattice.nSteps(),
                        lattice.units().dx(),
                        viscosity->mean()
                    );
                }

                if (runTime.writeTime())
                {
                    lattice.updateFieldsForOutput();
                }

                runTime.write();

                runTime.printExecutionTime(Info);
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

    argList::noParallel();
    argList::addBoolOption
    (
        "dry-run",
        "Print the summary, with the memory needed, and stop"
    );

    caseChecks::checkSerial(argc, argv);

    #include "setRootCaseLists.H"

    // The end of args ends the program with status 0: errors must not get there
    return reportErrors([&]{ return solve(args); });
}


// ************************************************************************* //
