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

#include "wallFit.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Weight of the velocity of a moving wall that the nodes do not keep to,
//  beside that of a node at the face
constexpr scalar weightOfMoving = 0.01;

//- Extent of the nodes in a direction, of three of them at least [spacings]:
//  where they have less, between cyclic patches one cell apart say, nothing is
//  fitted along it
constexpr scalar leastExtent = 1.5;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::wallFit::setAxes
(
    const vector& normal,
    const std::vector<point>& nodes
)
{
    normal_ = normal;
    nAlong_ = 0;

    std::array<vector, 2> axes;

    if (nDims_ < 3)
    {
        axes[0] = vector(-normal.y(), normal.x(), 0);
    }
    else
    {
        // The axis to which the normal is least inclined
        direction axis = 0;
        for (direction a = 1; a < 3; ++a)
        {
            if (mag(normal[a]) < mag(normal[axis]))
            {
                axis = a;
            }
        }

        vector e(Zero);
        e[axis] = 1;

        axes[0] = normalised(e - normal*(e & normal));
        axes[1] = normal ^ axes[0];
    }

    for (int i = 0; i < nDims_ - 1; ++i)
    {
        scalar least = GREAT, largest = -GREAT;
        for (const point& p : nodes)
        {
            least = min(least, p.d & axes[i]);
            largest = max(largest, p.d & axes[i]);
        }

        if (largest - least > leastExtent)
        {
            along_[nAlong_++] = axes[i];
        }
    }
}


void Foam::wallFit::setCurvature(const std::vector<point>& faces)
{
    const int n = nAlong_*(nAlong_ + 1)/2;

    curvature_ = {{0, 0, 0}};

    functions_.clear();
    weights_.clear();

    for (const point& p : faces)
    {
        basis b;
        for (int i = 0; i < nAlong_; ++i)
        {
            for (int j = i; j < nAlong_; ++j)
            {
                b.add(s(p.d, i)*s(p.d, j));
            }
        }
        functions_.push_back(b);
        weights_.push_back(p.weight);
    }

    for (int k = 0; k < n; ++k)
    {
        if (!leastSquares::solve(functions_, weights_, k, 0, result_))
        {
            curvature_ = {{0, 0, 0}};
            return;
        }

        for (std::size_t i = 0; i < faces.size(); ++i)
        {
            curvature_[k] += result_[i]*(faces[i].d & normal_);
        }
    }
}


void Foam::wallFit::setTangential(const std::vector<point>& faces)
{
    gradient.assign(faces.size(), vector(Zero));

    functions_.clear();
    weights_.clear();

    for (const point& p : faces)
    {
        basis b;
        for (int i = 0; i < nAlong_; ++i)
        {
            b.add(s(p.d, i));
        }
        functions_.push_back(b);
        weights_.push_back(p.weight);
    }

    for (int k = 0; k < nAlong_; ++k)
    {
        if (!leastSquares::solve(functions_, weights_, k, 0, result_))
        {
            gradient.assign(faces.size(), vector(Zero));
            return;
        }

        for (std::size_t i = 0; i < faces.size(); ++i)
        {
            gradient[i] += along_[k]*result_[i]*faces[i].part;
        }
    }
}


bool Foam::wallFit::setSlope(const std::vector<point>& nodes, const int order)
{
    functions_.clear();
    weights_.clear();

    for (const point& p : nodes)
    {
        const scalar y = distance(p.d);

        basis b;
        b.add(y);

        if (order > 1)
        {
            b.add(sqr(y));
            for (int i = 0; i < nAlong_; ++i)
            {
                b.add(y*s(p.d, i));
            }
        }

        if (order > 2)
        {
            for (int i = 0; i < nAlong_; ++i)
            {
                for (int j = i; j < nAlong_; ++j)
                {
                    b.add(y*s(p.d, i)*s(p.d, j));
                }
            }
        }

        if (moving_)
        {
            b.add(1);
        }

        functions_.push_back(b);
        weights_.push_back(p.weight);
    }

    return leastSquares::solve
    (
        functions_,
        weights_,
        0,
        moving_ ? weightOfMoving : 0,
        slope
    );
}


bool Foam::wallFit::setPressure
(
    const std::vector<point>& nodes,
    const int order
)
{
    functions_.clear();
    weights_.clear();

    for (const point& p : nodes)
    {
        const std::array<scalar, 3> x
        {{
            p.d & normal_,
            nAlong_ > 0 ? s(p.d, 0) : 0,
            nAlong_ > 1 ? s(p.d, 1) : 0
        }};

        basis b;
        b.add(1);

        for (int i = 0; order > 0 && i <= nAlong_; ++i)
        {
            b.add(x[i]);
        }
        for (int i = 0; order > 1 && i <= nAlong_; ++i)
        {
            for (int j = i; j <= nAlong_; ++j)
            {
                b.add(x[i]*x[j]);
            }
        }

        functions_.push_back(b);
        weights_.push_back(nearness(p.d));
    }

    return leastSquares::solve(functions_, weights_, 0, 0, pressure);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::wallFit::set
(
    const vector& normal,
    const std::vector<point>& nodes,
    const std::vector<point>& faces
)
{
    setAxes(normal, nodes);
    setCurvature(faces);
    setTangential(faces);

    if
    (
        !(setSlope(nodes, 3) || setSlope(nodes, 2) || setSlope(nodes, 1))
     || !(
            setPressure(nodes, 2)
         || setPressure(nodes, 1)
         || setPressure(nodes, 0)
        )
    )
    {
        return false;
    }

    // Beside the face the wall has another velocity
    vector moment(Zero);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        moment += slope[i]*nodes[i].d;
    }
    for (vector& g : gradient)
    {
        g -= normal_*(moment & g);
    }

    return true;
}


// ************************************************************************* //
