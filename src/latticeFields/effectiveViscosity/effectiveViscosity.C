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

#include "effectiveViscosity.H"
#include "finalSolvers.H"
#include "fvMatrices.H"
#include "linearViscousStress.H"
#include "nodeValues.H"
#include "nonlinearEddyViscosity.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "singlePhaseTransportModel.H"
#include "turbulentTransportModel.H"
#include "withoutLastDigits.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Is the stress of a model of this kind, RAS or LES, 2 nuEff S
template<class Model>
bool ofOneViscosity(const turbulenceModel& model)
{
    return
        isA<linearViscousStress<Model>>(model)
     && !isA<nonlinearEddyViscosity<Model>>(model);
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::effectiveViscosity::checkPositive(const volScalarField& nu) const
{
    const scalar least = gMin(nu.primitiveField());
    const scalar largest = gMax(nu.primitiveField());

    if (!(least > 0 && largest < GREAT))
    {
        FatalIOErrorInFunction(*transport_)
            << "Found viscosities from " << least << " to " << largest
            << " m2/s of " << description().c_str()
            << ", possible: > 0 and below " << GREAT << '.' << nl
            << "    The relaxation time of the lattice is 1/2 + 3 nu dt/dx^2"
            << " and must be above 1/2."
            << exit(FatalIOError);
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::effectiveViscosity::effectiveViscosity(const dimensionedScalar& nu)
:
    transport_(nullptr),
    turbulence_(nullptr),
    reference_(nu.value())
{}


Foam::effectiveViscosity::effectiveViscosity
(
    singlePhaseTransportModel& transport,
    turbulenceModel* turbulence
)
:
    transport_(&transport),
    turbulence_(turbulence),
    reference_(0)
{
    checkPositive(transport.nu()());

    if
    (
        turbulent(turbulence_)
     && !ofOneViscosity<incompressible::RASModel>(*turbulence_)
     && !ofOneViscosity<incompressible::LESModel>(*turbulence_)
    )
    {
        FatalIOErrorInFunction(turbulence_->coeffDict())
            << "Found the turbulence model " << turbulence_->type()
            << ", whose stress is more than that of a viscosity." << nl
            << "    Possible: models of one eddy viscosity (kEpsilon,"
            << " kOmegaSST, SpalartAllmaras, Smagorinsky, WALE, kEqn, ...)."
            << exit(FatalIOError);
    }

    if (turbulence_)
    {
        turbulence_->validate();
        checkPositive(field()());
    }

    reference_ =
        turbulent(turbulence_) ? mean() : gMin(field()().primitiveField());
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::effectiveViscosity::turbulent
(
    const turbulenceModel* model
)
{
    return
        model
     && !isA<incompressible::laminarModel>(*model);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::scalar Foam::effectiveViscosity::leastOfFluid() const
{
    return gMin(transport_->nu()().primitiveField());
}


Foam::scalar Foam::effectiveViscosity::mean() const
{
    if (!variable())
    {
        return reference_;
    }

    const volScalarField nu(field());

    return withoutLastDigits(nu.weightedAverage(nu.mesh().V()).value());
}


Foam::tmp<Foam::volScalarField> Foam::effectiveViscosity::field() const
{
    return turbulence_ ? turbulence_->nuEff() : transport_->nu();
}


std::vector<double> Foam::effectiveViscosity::onNodes
(
    const latticeMapping& mapping
) const
{
    return nodeValues(field()(), mapping);
}


void Foam::effectiveViscosity::correct()
{
    transport_->correct();

    if (turbulence_)
    {
        const fvMesh& mesh = turbulence_->mesh();
        const finalSolvers solvers(mesh, finalSolvers::needed(mesh));

        turbulence_->correct();
    }

    checkPositive(field()());
}


void Foam::effectiveViscosity::correctWalls()
{
    volScalarField& nut = turbulence_->mesh().lookupObjectRef<volScalarField>
    (
        turbulence_->nut()().name()
    );

    for (fvPatchScalarField& nutp : nut.boundaryFieldRef())
    {
        if (isA<nutWallFunctionFvPatchScalarField>(nutp))
        {
            nutp.evaluate();
        }
    }
}


Foam::string Foam::effectiveViscosity::description() const
{
    string result
    (
        transport_->getOrDefault<word>("transportModel", "Newtonian")
    );

    if (turbulent(turbulence_))
    {
        result += " and " + turbulence_->type();
    }

    return result;
}


// ************************************************************************* //
