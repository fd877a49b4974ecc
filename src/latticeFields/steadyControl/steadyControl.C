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
#include "FixedList.H"
#include "labelVector.H"
#include "parallel.H"
#include "solverPerformance.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- As the linear solvers of OpenFOAM call theirs
const char* const solverName = "lattice";

//- Cells that are added up at a time: the order of sums is the same on any
//  number of threads
constexpr std::int64_t cellsOfSum = 4096;


//- Sums over all cells, those of f(celli, sums) in each
template<unsigned n, class Function>
FixedList<scalar, n> sumOverCells(const label nCells, const Function& f)
{
    const std::int64_t nParts = (nCells + cellsOfSum - 1)/cellsOfSum;

    List<FixedList<scalar, n>> parts(nParts, FixedList<scalar, n>(Zero));

    lbm::inParallel(nParts, [&](std::int64_t begin, std::int64_t end)
    {
        for (std::int64_t part = begin; part < end; ++part)
        {
            const label last = min((part + 1)*cellsOfSum, std::int64_t(nCells));

            for (label celli = part*cellsOfSum; celli < last; ++celli)
            {
                f(celli, parts[part]);
            }
        }
    }, 4);

    FixedList<scalar, n> result(Zero);

    for (const FixedList<scalar, n>& part : parts)
    {
        for (unsigned i = 0; i < n; ++i)
        {
            result[i] += part[i];
        }
    }

    for (scalar& sum : result)
    {
        reduce(sum, sumOp<scalar>());
    }

    return result;
}


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
    const vectorField& Ui = U.primitiveField();
    const scalarField& pi = p.primitiveField();

    // Without an iteration before, all has changed
    vector changeU(vector::one);
    scalar changeP = 1;
    scalar passages = 1;

    // A process may be without cells
    if (returnReduce(U_.empty(), andOp<bool>()))
    {
        U_ = Ui;
        p_ = pi;
    }
    else
    {
        // The volume, p, |U|, |U|^2 and the changes of U
        const auto sums = sumOverCells<7>
        (
            V.size(),
            [&](const label celli, FixedList<scalar, 7>& sum)
            {
                const scalar v = V[celli];
                const scalar magSqrU = magSqr(Ui[celli]);
                const vector change(cmptMag(Ui[celli] - U_[celli]));

                sum[0] += v;
                sum[1] += v*pi[celli];
                sum[2] += v*Foam::sqrt(magSqrU);
                sum[3] += v*magSqrU;
                sum[4] += v*change.x();
                sum[5] += v*change.y();
                sum[6] += v*change.z();

                U_[celli] = Ui[celli];
            }
        );

        const scalar pMean = sums[1]/sums[0];

        const auto sumsP = sumOverCells<2>
        (
            V.size(),
            [&](const label celli, FixedList<scalar, 2>& sum)
            {
                sum[0] += V[celli]*mag(pi[celli] - pMean);
                sum[1] += V[celli]*mag(pi[celli] - p_[celli]);

                p_[celli] = pi[celli];
            }
        );

        const scalar sumU = sums[2] + VSMALL;
        const scalar sumP = sumsP[0] + 0.5*sums[3] + VSMALL;

        passages =
            interval
           *(sums[3]/sumU/dx + 2*mesh_.nGeometricD()*nu/sqr(dx));

        changeU = vector(sums[4], sums[5], sums[6])/(sumU*passages);
        changeP = sumsP[1]/(sumP*passages);
    }

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
        const scalarField& now = field.primitiveField();
        scalarField& before = transported_(field.name());

        scalar change = 1;

        if (returnReduce(before.empty(), andOp<bool>()))
        {
            before = now;
        }
        else
        {
            // The zero of temperatures is far away
            const scalar level =
                field.dimensions() == dimTemperature ? gAverage(now) : 0;

            const auto sums = sumOverCells<2>
            (
                V.size(),
                [&](const label celli, FixedList<scalar, 2>& sum)
                {
                    sum[0] += V[celli]*mag(now[celli] - before[celli]);
                    sum[1] += V[celli]*mag(now[celli] - level);

                    before[celli] = now[celli];
                }
            );

            change = sums[0]/((sums[1] + VSMALL)*passages);
        }

        set(field.name(), change, nSteps);
    }
}


// ************************************************************************* //
