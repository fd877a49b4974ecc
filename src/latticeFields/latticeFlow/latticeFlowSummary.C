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
#include "conservativeFlux.H"
#include "effectiveViscosity.H"
#include "latticeFlowShared.H"
#include "Time.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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

    if (carried_.size() && settings_.scalarRateOfSum() > 0)
    {
        Info<< "    scalar collision      MRT, rate "
            << settings_.scalarRateOfSum() << " of the sum of even moments" << nl;
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


// ************************************************************************* //
