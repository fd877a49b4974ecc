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


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::label Foam::wallSurroundings::fluid(const place& p) const
{
    const std::int64_t boxi = boxIndex(p);

    if (description_.isFluid(boxi))
    {
        return mapping_.fluidIndex(boxi);
    }

    if (!neighbours_)
    {
        return -1;
    }

    const std::int64_t whole = wholeIndex(p);
    const label i = whole < 0 ? -1 : neighbours_->find(whole);

    return i < 0 ? -1 : nFluid_ + i;
}


std::int64_t Foam::wallSurroundings::boxIndex(const place& p) const
{
    place own;

    for (int a = 0; a < 3; ++a)
    {
        own[a] = p[a] - description_.origin[a];

        if (own[a] < 0 || own[a] >= description_.size[a])
        {
            return -1;
        }
    }

    return description_.boxIndex(own[0], own[1], own[2]);
}


std::int64_t Foam::wallSurroundings::wholeIndex(const place& p) const
{
    std::int64_t result = 0;

    for (int a = 2; a >= 0; --a)
    {
        if (p[a] < 0 || p[a] >= description_.wholeSize[a])
        {
            return -1;
        }
        result = p[a] + description_.wholeSize[a]*result;
    }

    return result;
}


Foam::wallSurroundings::block Foam::wallSurroundings::blockAt
(
    const point& x,
    const vector& n
) const
{
    block b;

    b.normal = mapping_.toLattice(n);
    b.centre = mapping_.toLattice(x) - first_;
    b.centre /= mapping_.dx();
    if (nDims_ < 3)
    {
        b.centre.z() = 0;
    }

    for (int a = 0; a < 3; ++a)
    {
        b.middle[a] = std::int64_t(std::round(b.centre[a]));
    }

    return b;
}


bool Foam::wallSurroundings::near(const block& b, const vector& d)
{
    return magSqr(d) <= sqr(nodeRadius) && (d & b.normal) >= -behind;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::wallSurroundings::addMissing
(
    const point& x,
    const vector& n,
    std::vector<std::int64_t>& places
) const
{
    const block b(blockAt(x, n));

    for (int i = 0; i < blockSize(); ++i)
    {
        const place p(placeOf(b, i));

        if (near(b, b.distance(p)) && fluid(p) < 0)
        {
            const std::int64_t whole = wholeIndex(p);

            if (whole >= 0)
            {
                places.push_back(whole);
            }
        }
    }
}


void Foam::wallSurroundings::addNodes
(
    const point& x,
    const vector& n,
    const label celli,
    std::vector<wallFit::point>& points
)
{
    const block b(blockAt(x, n));
    const int nBlock = blockSize();

    // The nearest node in front of the face, if possible in its cell
    reached_.assign(nBlock, 0);

    int seed = -1;
    bool seedInCell = false;
    scalar seedDistance = sqr(nodeRadius);

    for (int i = 0; i < nBlock; ++i)
    {
        const place p(placeOf(b, i));
        const vector d(b.distance(p));
        const scalar r = magSqr(d);
        const label node = near(b, d) ? fluid(p) : -1;

        if (node < 0)
        {
            // Not to be reached
            reached_[i] = 1;
            continue;
        }

        if ((d & b.normal) < SMALL)
        {
            continue;
        }

        const bool inCell =
            node < nFluid_ && mapping_.nodeCells()[node] == celli;

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

        const place p(placeOf(b, i));
        const label node = fluid(p);

        const vector d(b.distance(p));

        // Half-way links interpolate nothing
        const bool interpolated = !mapping_.conforming() && linked(node, p);

        points.push_back
        ({
            d,
            node,
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
                 && open(node, p, a, up)
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
    const labelListList& faceFaces,
    const UList<vector>& x,
    const UList<vector>& S,
    const label facei,
    std::vector<wallFit::point>& points
)
{
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
