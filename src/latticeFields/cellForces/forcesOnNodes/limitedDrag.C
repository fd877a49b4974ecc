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

#include "limitedDrag.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Part of a tensor that its elements off the diagonal may keep
constexpr scalar diagonal = 1e-14;

//- Sweeps over the three planes: they converge quadratically
constexpr label maxSweeps = 12;


//- Turn a symmetric tensor into the axes in which it is diagonal, returned as
//  rows, by Jacobi's method: eigenValues() of v1912 fails where two are equal
//  and one is 0, as in planes
tensor turnToAxes(symmTensor& s)
{
    tensor axes(tensor::I);

    for (label sweep = 0; sweep < maxSweeps; ++sweep)
    {
        tensor t(s);

        if (mag(t.xy()) + mag(t.xz()) + mag(t.yz()) <= diagonal*mag(s))
        {
            break;
        }

        for (direction i = 0; i < 2; ++i)
        {
            for (direction j = i + 1; j < 3; ++j)
            {
                const scalar angle =
                    0.5*std::atan2(2*t(i, j), t(j, j) - t(i, i));

                tensor turn(tensor::I);
                turn(i, i) = turn(j, j) = std::cos(angle);
                turn(i, j) = -std::sin(angle);
                turn(j, i) = std::sin(angle);

                t = turn & t & turn.T();
                axes = turn & axes;
            }
        }

        s = symm(t);
    }

    return axes;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Global Functions  * * * * * * * * * * * * * //

Foam::scalar Foam::limitDrag(const scalar largest, symmTensor& sigma, vector& a)
{
    if (mag(sigma) <= largest)
    {
        return 0;
    }

    symmTensor turned(sigma);
    const tensor axes(turnToAxes(turned));
    vector along(axes & a);

    const direction diagonalOf[] =
        {symmTensor::XX, symmTensor::YY, symmTensor::ZZ};
    scalar found = 0;

    for (direction i = 0; i < vector::nComponents; ++i)
    {
        scalar& rate = turned[diagonalOf[i]];
        rate = max(rate, scalar(0));    // Rounding

        if (rate > largest)
        {
            found = max(found, rate);
            along[i] *= largest/rate;
            rate = largest;
        }
    }

    if (found > 0)
    {
        sigma = symm(axes.T() & tensor(turned) & axes);
        a = axes.T() & along;
    }

    return found;
}


Foam::scalar Foam::leastRate(const symmTensor& sigma)
{
    symmTensor turned(sigma);
    turnToAxes(turned);

    return min(turned.xx(), min(turned.yy(), turned.zz()));
}


// ************************************************************************* //
