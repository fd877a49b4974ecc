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

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::vector Foam::boundaryFit::along(const vector& x) const
{
    return vector(axes_[0] & x, axes_[1] & x, twoD_ ? 0 : axes_[2] & x);
}


Foam::leastSquares::basis Foam::boundaryFit::terms
(
    const vector& x,
    const vector* d,
    const bool quadratic
) const
{
    leastSquares::basis result;

    const int nDims = twoD_ ? 2 : 3;

    result.add(d ? 0 : 1);

    // But along the normal, where the gradient is given
    for (int i = 1; i < nDims; ++i)
    {
        result.add(d ? (*d)[i] : x[i]);
    }

    for (int i = 0; quadratic && i < nDims; ++i)
    {
        for (int j = i; j < nDims; ++j)
        {
            result.add(d ? x[i]*(*d)[j] + x[j]*(*d)[i] : x[i]*x[j]);
        }
    }

    return result;
}


bool Foam::boundaryFit::fit
(
    const vector& x,
    const vector* d,
    const bool quadratic
)
{
    const leastSquares::basis wanted(terms(x, d, quadratic));

    // Functions of which one has 1 for the wanted value, the others 0: it is the
    // coefficient of that one
    int one = 0;
    for (int p = 1; p < wanted.n; ++p)
    {
        if (mag(wanted.f[p]) > mag(wanted.f[one]))
        {
            one = p;
        }
    }

    if (wanted.f[one] == 0)
    {
        // Along the normal in a linear fit
        weights_.assign(places_.size(), 0);
        gradientPart_ = d ? d->x() : x.x();
        return true;
    }

    std::vector<leastSquares::basis> functions;
    std::vector<scalar> nearness;

    for (const vector& place : places_)
    {
        leastSquares::basis own(terms(place, nullptr, quadratic));

        own.f[one] /= wanted.f[one];
        for (int p = 0; p < own.n; ++p)
        {
            if (p != one)
            {
                own.f[p] -= wanted.f[p]*own.f[one];
            }
        }

        functions.push_back(own);
        nearness.push_back(1/(0.5 + magSqr(place)));
    }

    if (!leastSquares::solve(functions, nearness, one, 0, weights_))
    {
        return false;
    }

    gradientPart_ = d ? d->x() : x.x();

    forAll(places_, k)
    {
        gradientPart_ -= weights_[k]*places_[k].x();
    }

    return true;
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
