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

#include "wallSurroundings.H"
#include "fvPatch.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes of a fit lie within this radius [spacings]
constexpr scalar nodeRadius = 3.5;

//- Weight of the velocity of nodes with links at distances, beside that of
//  others: it has the errors of the interpolation on the links
constexpr scalar weightOfLinked = 0.03;

//- Faces of the wall within this one, at most so many, and with normals
//  that differ less than by 60 degrees
constexpr scalar faceRadius = 1.6;
constexpr label mostFaces = 16;
constexpr scalar alike = 0.5;

//- How far behind the plane of the face a node may lie [spacings]
constexpr scalar behind = 0.25;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::wallSurroundings::addNodes
(
    const point& x,
    const vector& n,
    const label celli,
    std::vector<wallFit::point>& points
)
{
    const vector normal(mapping_.toLattice(n));
    vector centre(mapping_.toLattice(x) - first_);
    centre /= mapping_.dx();
    if (nDims_ < 3)
    {
        centre.z() = 0;
    }

    const place middle
    {
        std::int64_t(std::round(centre[0])),
        std::int64_t(std::round(centre[1])),
        std::int64_t(std::round(centre[2]))
    };

    const int nBlock = width*width*(nDims_ > 2 ? width : 1);

    const auto placeOf = [&](const int i)
    {
        return place
        {
            middle[0] + i % width - reach,
            middle[1] + (i/width) % width - reach,
            nDims_ > 2 ? middle[2] + i/(width*width) - reach : 0
        };
    };

    const auto distance = [&](const place& p)
    {
        return vector(p[0], p[1], p[2]) - centre;
    };

    // The nearest node in front of the face, if possible in its cell
    reached_.assign(nBlock, 0);

    int seed = -1;
    bool seedInCell = false;
    scalar seedDistance = sqr(nodeRadius);

    for (int i = 0; i < nBlock; ++i)
    {
        const place p(placeOf(i));
        const vector d(distance(p));
        const scalar r = magSqr(d);

        if
        (
            r > sqr(nodeRadius)
         || (d & normal) < -behind
         || !fluid(p)
        )
        {
            // Not to be reached
            reached_[i] = 1;
            continue;
        }

        if ((d & normal) < SMALL)
        {
            continue;
        }

        const std::int64_t boxi = description_.boxIndex(p[0], p[1], p[2]);
        const bool inCell =
            mapping_.nodeCells()[mapping_.fluidIndex(boxi)] == celli;

        if (inCell > seedInCell || (inCell == seedInCell && r < seedDistance))
        {
            seed = i;
            seedInCell = inCell;
            seedDistance = r;
        }
    }

    if (seed == -1)
    {
        return;
    }

    stack_.assign(1, seed);
    reached_[seed] = 1;

    while (!stack_.empty())
    {
        const int i = stack_.back();
        stack_.pop_back();

        const place p(placeOf(i));
        const std::int64_t boxi = description_.boxIndex(p[0], p[1], p[2]);

        const vector d(distance(p));

        // Half-way links interpolate nothing
        const bool interpolated = linked(boxi) && !mapping_.conforming();

        points.push_back
        ({
            d,
            mapping_.fluidIndex(boxi),
            1,
            wallFit::nearness(d)*(interpolated ? weightOfLinked : 1)
        });

        int stride = 1;
        for (int a = 0; a < nDims_; ++a)
        {
            const int at = (i/stride) % width;

            for (int up = 0; up < 2; ++up)
            {
                const int j = i + (up ? stride : -stride);

                if
                (
                    (up ? at < width - 1 : at > 0)
                 && !reached_[j]
                 && open(boxi, a, up)
                )
                {
                    reached_[j] = 1;
                    stack_.push_back(j);
                }
            }
            stride *= width;
        }
    }
}


bool Foam::wallSurroundings::addFaces
(
    const fvPatch& patch,
    const label facei,
    std::vector<wallFit::point>& points
)
{
    const polyPatch& pp = patch.patch();
    const labelListList& faceFaces = pp.faceFaces();
    const vectorField::subField x(pp.faceCentres());
    const vectorField::subField S(pp.faceAreas());
    const vector n(normalised(S[facei]));

    // Faces within the radius, and the nearest ones beyond it, as far as they
    // follow one another
    found_.assign(1, facei);

    for
    (
        std::size_t i = 0;
        i < found_.size() && found_.size() < 4*mostFaces;
        ++i
    )
    {
        for (const label j : faceFaces[found_[i]])
        {
            if (std::find(found_.begin(), found_.end(), j) != found_.end())
            {
                continue;
            }

            const vector r(x[j] - x[facei]);
            const scalar d = mag(toLattice(r));

            if ((n & S[j]) < alike*mag(S[j]))
            {
                // n points out of the fluid
                if (d <= faceRadius && (n & r) > 0)
                {
                    return false;
                }
                continue;
            }

            if (d <= faceRadius)
            {
                found_.push_back(j);
            }
            else if (i == 0)
            {
                // In the plane of this face, or in that of the other one
                const scalar part = faceRadius/d;
                const vector m(normalised(S[j]));

                const vector between
                (
                    toLattice
                    (
                        part < 0.5
                      ? part*(r - n*(n & r))
                      : r - (1 - part)*(r - m*(m & r))
                    )
                );

                points.push_back
                (
                    {between, j, part, wallFit::nearness(between)}
                );
            }
        }
    }

    const label stride = 1 + (found_.size() - 1)/mostFaces;

    for (std::size_t i = 1; i < found_.size(); i += stride)
    {
        const label j = found_[i];
        const vector r(toLattice(x[j] - x[facei]));

        points.push_back({r, j, 1, wallFit::nearness(r)});
    }

    return true;
}


// ************************************************************************* //
