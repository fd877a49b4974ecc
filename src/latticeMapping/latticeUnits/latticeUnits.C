/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

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

#include "latticeUnits.H"
#include "latticeSettings.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeUnits::latticeUnits
(
    const scalar dx,
    const scalar dt,
    const scalar nu
)
:
    latticeUnits(dx, dt, nu, dx)
{}


Foam::latticeUnits::latticeUnits
(
    const scalar dx,
    const scalar dt,
    const scalar nu,
    const scalar depth
)
:
    dx_(dx),
    dt_(dt),
    nu_(nu),
    depth_(depth)
{
    if (!(dx_ > 0 && dt_ > 0 && nu_ > 0 && depth_ > 0))
    {
        FatalErrorInFunction
            << "Lattice spacing " << dx_ << " m, step " << dt_
            << " s, viscosity " << nu_ << " m2/s and depth " << depth_
            << " m must be above 0" << nl
            << exit(FatalError);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::scalar Foam::latticeUnits::largestStep
(
    const scalar dx,
    const scalar nu,
    const scalar Uref,
    const latticeSettings& settings
)
{
    if (settings.latticeTimeStep() > 0)
    {
        return settings.latticeTimeStep();
    }

    const scalar step = (settings.maxRelaxationTime() - 0.5)*sqr(dx)/(3*nu);

    return
        Uref > 0
      ? min(step, settings.maxMach()*dx/(Foam::sqrt(scalar(3))*Uref))
      : step;
}


Foam::label Foam::latticeUnits::stepsPerDeltaT
(
    const scalar deltaT,
    const scalar dx,
    const scalar nu,
    const scalar Uref,
    const latticeSettings& settings
)
{
    if (!(deltaT > 0 && dx > 0 && nu > 0))
    {
        FatalErrorInFunction
            << "deltaT " << deltaT << " s, lattice spacing " << dx
            << " m and viscosity " << nu << " m2/s must be above 0" << nl
            << exit(FatalError);
    }

    scalar steps;

    if (settings.latticeTimeStep() > 0)
    {
        const scalar ratio = deltaT/settings.latticeTimeStep();
        steps = std::round(ratio);

        // The step is then deltaT/steps: the entry may be as inexact as a
        // number written with six digits
        if (steps < 1 || mag(ratio - steps) > 1e-5*steps)
        {
            FatalIOErrorInFunction(settings.dict())
                << "latticeTimeStep " << settings.latticeTimeStep()
                << " s does not divide deltaT " << deltaT << " s: ratio "
                << ratio << nl
                << "    Possible are deltaT/n, n a whole number; near by "
                << deltaT/max(scalar(1), std::ceil(ratio)) << " s" << nl
                << exit(FatalIOError);
        }
    }
    else
    {
        const scalar dtMax = largestStep(dx, nu, Uref, settings);

        // A ratio that is whole but for rounding is taken as whole
        steps = max(scalar(1), std::ceil(deltaT/dtMax*(1 - 1e-9)));
    }

    if (!(steps < scalar(labelMax)))
    {
        FatalErrorInFunction
            << "deltaT " << deltaT << " s holds " << steps
            << " lattice steps, more than can be counted (" << labelMax << ")"
            << nl << "    Reduce deltaT, or check the viscosity " << nu
            << " m2/s and the reference velocity " << Uref << " m/s" << nl
            << exit(FatalError);
    }

    return label(steps);
}


// ************************************************************************* //
