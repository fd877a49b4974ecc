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

#include "boundaryFit.H"
#include "scalarMatrices.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::vector Foam::boundaryFit::along(const vector& x) const
{
    return vector(axes_[0] & x, axes_[1] & x, twoD_ ? 0 : axes_[2] & x);
}


Foam::scalarList Foam::boundaryFit::terms
(
    const vector& x,
    const vector* d,
    const bool quadratic
) const
{
    const scalar t = x.y(), r = x.z();

    DynamicList<scalar> result(9);

    // A product of two coordinates, or its derivative
    const auto product = [&](const direction i, const direction j)
    {
        result.append(d ? x[i]*(*d)[j] + x[j]*(*d)[i] : x[i]*x[j]);
    };

    result.append(d ? 0 : 1);
    result.append(d ? d->y() : t);

    if (!twoD_)
    {
        result.append(d ? d->z() : r);
    }

    if (quadratic)
    {
        product(0, 0);
        product(0, 1);
        product(1, 1);

        if (!twoD_)
        {
            product(0, 2);
            product(1, 2);
            product(2, 2);
        }
    }

    return scalarList(std::move(result));
}


bool Foam::boundaryFit::fit
(
    const vector& x,
    const vector* d,
    const bool quadratic
)
{
    const scalarList wanted(terms(x, d, quadratic));
    const label n = wanted.size();

    if (places_.size() < n)
    {
        return false;
    }

    scalarSquareMatrix matrix(n, Zero);
    List<scalarList> rows(places_.size());
    scalarField importance(places_.size());

    forAll(places_, k)
    {
        rows[k] = terms(places_[k], nullptr, quadratic);
        importance[k] = 1/(0.5 + magSqr(places_[k]));

        for (label p = 0; p < n; ++p)
        {
            for (label q = 0; q < n; ++q)
            {
                matrix(p, q) += importance[k]*rows[k][p]*rows[k][q];
            }
        }
    }

    scalarField solution(wanted);
    LUsolve(matrix, solution);

    weights_.setSize(places_.size());
    gradientPart_ = d ? d->x() : x.x();
    scalarField found(n, Zero);

    forAll(places_, k)
    {
        weights_[k] = 0;

        for (label p = 0; p < n; ++p)
        {
            weights_[k] += importance[k]*rows[k][p]*solution[p];
        }
        for (label p = 0; p < n; ++p)
        {
            found[p] += weights_[k]*rows[k][p];
        }

        gradientPart_ -= weights_[k]*places_[k].x();
    }

    // A matrix that decides nothing gives anything
    constexpr scalar tolerance = 1e-6;
    constexpr scalar largest = 5;

    return
        max(mag(found - scalarField(wanted))) < tolerance
     && max(mag(weights_)) < largest;
}


bool Foam::boundaryFit::fit(const vector& x, const vector* d)
{
    return fit(x, d, true) || fit(x, d, false);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::boundaryFit::boundaryFit
(
    const bool twoD,
    const vector& normal,
    const UList<vector>& nodes
)
:
    twoD_(twoD),
    axes_(),
    places_(nodes.size()),
    weights_(),
    gradientPart_(0)
{
    const vector n(normal/mag(normal));

    // Across the component of the normal that is the smallest
    const vector size(cmptMag(n));
    const vector other
    (
        twoD ? vector(0, 0, 1)
      : size.x() <= min(size.y(), size.z()) ? vector(1, 0, 0)
      : size.y() <= size.z() ? vector(0, 1, 0)
      : vector(0, 0, 1)
    );

    axes_[0] = n;
    axes_[1] = other ^ n;
    axes_[1] /= mag(axes_[1]);
    axes_[2] = n ^ axes_[1];

    forAll(nodes, k)
    {
        places_[k] = along(nodes[k]);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::boundaryFit::value(const vector& x)
{
    return fit(along(x), nullptr);
}


bool Foam::boundaryFit::derivative(const vector& x, const vector& d)
{
    const vector own(along(d));

    return fit(along(x), &own);
}


// ************************************************************************* //
