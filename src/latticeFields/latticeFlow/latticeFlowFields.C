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
#include "engineCall.H"
#include "Time.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Lattice steps after a start in which its jumps at walls and corners dominate
//  the acceleration of the fluid
constexpr label settled = 100;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


bool Foam::latticeFlow::removesSound() const
{
    if
    (
        settings_.writtenFields() == "lattice"
     || !runTime_.writeTime()
     || nSteps_ < acousticPart::nSteps
     || latticeSteps_ < settled
     || obstacle_->size() > 0       // Cells of the mesh know nothing of it
    )
    {
        return false;
    }

    const scalar steps = latticeSteps_ + nSteps_ - soundSteps_;

    return
        settings_.writtenFields() == "incompressible"
     || acousticPart::cheap
        (
            nCells_,
            steps*mapping_->nFluidWhole()
        );
}


bool Foam::latticeFlow::conservesFlux() const
{
    return
        settings_.conservativeFlux() == "yes"
     || (
            settings_.conservativeFlux() == "auto"
         && (
                functionObjects_.transport()
             || (
                    obstacle_->size() == 0
                 && conservativeFlux::cheap
                    (
                        nCells_,
                        scalar(latticeSteps_ - fluxSteps_)
                       *mapping_->nFluidWhole()
                    )
                )
            )
        );
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
