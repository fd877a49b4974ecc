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

#include "leastSquares.H"
#include "scalarMatrices.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Far outside of its points, a fit makes more of errors than of values: the
//  largest sum of the magnitudes of the weights
constexpr scalar largestSum = 20;

//- Smallest pivot of the equations, whose diagonal is 1: points that do not
//  determine a fit have one of the size of rounding
constexpr scalar smallestPivot = 1e-10;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Functions * * * * * * * * * * * * * * * * //

bool Foam::leastSquares::solve
(
    const std::vector<basis>& functions,
    const std::vector<scalar>& w,
    const int coefficient,
    const scalar stiffness,
    std::vector<scalar>& weights
)
{
    const int n = functions.empty() ? 0 : functions[0].n;

    if (n == 0 || label(functions.size()) < n)
    {
        return false;
    }

    scalarSquareMatrix A(n, Zero);

    for (std::size_t p = 0; p < functions.size(); ++p)
    {
        const auto& f = functions[p].f;

        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                A(i, j) += w[p]*f[i]*f[j];
            }
        }
    }
    A(n - 1, n - 1) += stiffness;

    // Terms of like size
    std::array<scalar, mostTerms> scale;
    for (int i = 0; i < n; ++i)
    {
        if (!(A(i, i) > VSMALL))
        {
            return false;
        }
        scale[i] = 1/std::sqrt(A(i, i));
    }
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            A(i, j) *= scale[i]*scale[j];
        }
    }

    labelList pivots(n);
    LUDecompose(A, pivots);

    for (int i = 0; i < n; ++i)
    {
        if (mag(A(i, i)) < smallestPivot)
        {
            return false;
        }
    }

    scalarField x(n, Zero);
    x[coefficient] = 1;
    LUBacksubstitute(A, pivots, x);

    scalar sumMag = 0;
    weights.resize(functions.size());

    for (std::size_t p = 0; p < functions.size(); ++p)
    {
        weights[p] = 0;
        for (int i = 0; i < n; ++i)
        {
            weights[p] += scale[coefficient]*x[i]*scale[i]*functions[p].f[i];
        }
        weights[p] *= w[p];
        sumMag += mag(weights[p]);
    }

    return sumMag < largestSum;
}


// ************************************************************************* //
