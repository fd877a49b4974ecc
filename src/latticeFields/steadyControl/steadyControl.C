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

#include "steadyControl.H"
#include "labelVector.H"
#include "solverPerformance.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- As the linear solvers of OpenFOAM call theirs
const char* const solverName = "lattice";

//- What keeps the performance of solvers
#if (OPENFOAM >= 2312)
const auto& performance(const fvMesh& mesh)
{
    return mesh.data();
}
#else
const data& performance(const fvMesh& mesh)
{
    return mesh;
}
#endif

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::steadyControl::print
(
    const word& fieldName,
    const scalar residual,
    const label nSteps
)
{
    solverPerformance(solverName, fieldName, residual, residual, nSteps)
        .print(Info);
}


void Foam::steadyControl::set
(
    const word& fieldName,
    const scalar residual,
    const label nSteps
)
{
    print(fieldName, residual, nSteps);

    performance(mesh_).setSolverPerformance
    (
        solverPerformance(solverName, fieldName, residual, residual, nSteps)
    );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::steadyControl::steadyControl(fvMesh& mesh)
:
    simpleControl(mesh),
    U_(),
    p_(),
    transported_()
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::steadyControl::setResiduals
(
    const volVectorField& U,
    const volScalarField& p,
    const UPtrList<const volScalarField>& transported,
    const scalar interval,
    const label nSteps,
    const scalar dx,
    const scalar nu
)
{
    const scalarField& V = mesh_.V();

    // Without an iteration before, all has changed
    vector changeU(vector::one);
    scalar changeP = 1;
    scalar passages = 1;

    if (U_.size())
    {
        const scalarField magU(mag(U.primitiveField()));
        const scalar pMean = gSum((V*p.primitiveField())())/gSum(V);

        const scalar sumU = gSum((V*magU)()) + VSMALL;
        const scalar sumP =
            gSum((V*(mag(p.primitiveField() - pMean) + 0.5*sqr(magU)))())
          + VSMALL;

        passages =
            interval
           *(
                gSum((V*sqr(magU))())/sumU/dx
              + 2*mesh_.nGeometricD()*nu/sqr(dx)
            );

        changeU =
            gSum((V*cmptMag(U.primitiveField() - U_))())/(sumU*passages);
        changeP = gSum((V*mag(p.primitiveField() - p_))())/(sumP*passages);
    }

    U_ = U.primitiveField();
    p_ = p.primitiveField();

    for (direction cmpt = 0; cmpt < vector::nComponents; ++cmpt)
    {
        if (mesh_.solutionD()[cmpt] == -1)
        {
            changeU[cmpt] = 0;
        }
        else
        {
            print
            (
                U.name() + vector::componentNames[cmpt],
                changeU[cmpt],
                nSteps
            );
        }
    }

    SolverPerformance<vector> performanceU(solverName, U.name());
    performanceU.initialResidual() = changeU;
    performanceU.finalResidual() = changeU;
    performanceU.nIterations() = labelVector::uniform(nSteps);

    performance(mesh_).setSolverPerformance(performanceU);

    set(p.name(), changeP, nSteps);

    forAll(transported, i)
    {
        const volScalarField& field = transported[i];
        scalarField& before = transported_(field.name());

        const scalar change =
            before.empty()
          ? 1
          : gSum((V*mag(field.primitiveField() - before))())
           /((gSum((V*mag(field.primitiveField()))()) + VSMALL)*passages);

        before = field.primitiveField();

        set(field.name(), change, nSteps);
    }
}


// ************************************************************************* //
