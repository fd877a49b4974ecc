/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

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

#include "overlayMesh.H"
#include "overlayMeshShared.H"
#include "polyMesh.H"
#include "emptyPolyPatch.H"

#include <algorithm>
#include <cmath>
#include <tuple>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::vector<std::pair<Foam::scalar, Foam::scalar>>
Foam::overlayMesh::planes(const int axis) const
{
    const direction d = axes_[axis];
    const scalar length = mesh_.bounds().span()[d];

    std::vector<std::pair<scalar, scalar>> all;
    scalar total = 0;

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp))
        {
            continue;
        }
        for (const face& f : pp)
        {
            const scalar area = f.mag(surface_.points());
            total += area;

            scalar low = GREAT;
            scalar high = -GREAT;
            for (const label pointi : f)
            {
                low = min(low, surface_.points()[pointi][d]);
                high = max(high, surface_.points()[pointi][d]);
            }
            if (high - low < 1e-6*length)
            {
                all.emplace_back(0.5*(low + high), area);
            }
        }
    }

    // Faces in one plane
    std::sort(all.begin(), all.end());
    std::vector<std::pair<scalar, scalar>> result;
    scalar last = -GREAT;
    for (const auto& x : all)
    {
        if (result.size() && x.first - last < 1e-6*length)
        {
            result.back().second += x.second;
        }
        else
        {
            result.push_back(x);
        }
        last = x.first;
    }

    // The largest
    std::sort
    (
        result.begin(),
        result.end(),
        [](const std::pair<scalar, scalar>& x, const std::pair<scalar, scalar>& y)
        {
            return
                x.second > y.second
             || (x.second == y.second && x.first < y.first);
        }
    );
    while
    (
        result.size()
     && (result.size() > 8 || result.back().second < 0.005*total)
    )
    {
        result.pop_back();
    }
    return result;
}


std::array<Foam::scalar, 3> Foam::overlayMesh::offPlanes
(
    const std::array<bool, 3>& free
) const
{
    // Largest component of a normal: rows along other planes are close together
    static constexpr int most = 3;

    // Shifts tried along an axis, in a spacing
    static constexpr int nShifts = 16;

    std::array<scalar, 3> result{0, 0, 0};
    if (std::none_of(free.begin(), free.end(), [](bool b) { return b; }))
    {
        return result;
    }

    // normal . p of a place p in it is part; at nodes it is a whole number
    struct plane
    {
        std::array<int, 3> normal;
        scalar part;
        scalar area;
    };
    std::vector<plane> inclined;

    const auto whole = [&](const vector& n, std::array<int, 3>& m)
    {
        const scalar largest = cmptMax(cmptMag(n));
        for (int k = 1; k <= most; ++k)
        {
            bool fits = true;
            int nAxes = 0;
            for (int a = 0; a < 3; ++a)
            {
                const scalar x = a < nDims() ? k*n[axes_[a]]/largest : 0;
                m[a] = int(std::round(x));
                nAxes += m[a] != 0;
                fits = fits && mag(x - m[a]) < commensurable;
            }
            if (fits)
            {
                return nAxes > 1;
            }
        }
        return false;
    };

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp))
        {
            continue;
        }
        for (const face& f : pp)
        {
            plane x;
            if (!whole(f.unitNormal(surface_.points()), x.normal))
            {
                continue;
            }
            const point centre(f.centre(surface_.points()));
            x.part = 0;
            for (int a = 0; a < nDims(); ++a)
            {
                const direction d = axes_[a];
                x.part += x.normal[a]*((centre[d] - origin_[d])/dx_ - 0.5);
            }
            x.part -= std::floor(x.part);
            x.area = f.mag(surface_.points());

            inclined.push_back(x);
        }
    }

    // Faces in one plane
    std::sort
    (
        inclined.begin(),
        inclined.end(),
        [](const plane& x, const plane& y)
        {
            return std::tie(x.normal, x.part) < std::tie(y.normal, y.part);
        }
    );
    std::size_t nPlanes = 0;
    for (const plane& x : inclined)
    {
        if
        (
            nPlanes > 0
         && inclined[nPlanes - 1].normal == x.normal
         && x.part - inclined[nPlanes - 1].part < 10*commensurable
        )
        {
            inclined[nPlanes - 1].area += x.area;
        }
        else
        {
            inclined[nPlanes++] = x;
        }
    }
    inclined.resize(nPlanes);

    // The largest: a curved boundary has many small ones
    std::sort
    (
        inclined.begin(),
        inclined.end(),
        [](const plane& x, const plane& y) { return x.area > y.area; }
    );
    if (inclined.size() > 8)
    {
        inclined.resize(8);
    }
    if (inclined.empty())
    {
        return result;
    }

    std::array<int, 3> n;
    for (int a = 0; a < 3; ++a)
    {
        n[a] = free[a] ? nShifts : 1;
    }

    scalar least = GREAT;
    for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
    for (int i = 0; i < n[0]; ++i)
    {
        const std::array<int, 3> shift{i, j, k};
        scalar cost = 0;
        for (const plane& x : inclined)
        {
            scalar part = x.part;
            for (int a = 0; a < 3; ++a)
            {
                part -= scalar(x.normal[a]*shift[a])/nShifts;
            }
            cost += x.area*sqr(0.5 - fromWhole(part));
        }
        if (cost < least*(1 - 1e-6))
        {
            least = cost;
            for (int a = 0; a < 3; ++a)
            {
                result[a] = scalar(shift[a])/nShifts;
            }
        }
    }
    return result;
}


void Foam::overlayMesh::setBox(const scalar dx)
{
    dx_ = dx;
    if (!twoD_)
    {
        thickness_ = dx;
    }
    size_ = place{1, 1, 1};
    origin_ = mesh_.bounds().min();
    std::array<bool, 3> free{false, false, false};

    for (int a = 0; a < nDims(); ++a)
    {
        const direction d = axes_[a];
        const scalar low = mesh_.bounds().min()[d];
        const scalar high = mesh_.bounds().max()[d];
        const auto all = planes(a);

        // In the middle, or half-way between the planes of the largest area
        scalar start =
            0.5*(low + high - dx*std::ceil((high - low)/dx - commensurable));
        scalar most = 0;

        for (const auto& base : all)
        {
            scalar sum = 0;
            scalar off = 0;
            for (const auto& x : all)
            {
                const scalar y = (x.first - base.first)/dx;
                if (fromWhole(y) < commensurable)
                {
                    sum += x.second;
                    off += x.second*(y - std::round(y));
                }
            }
            if (sum > most*(1 + 1e-6))
            {
                most = sum;
                start = base.first + dx*off/sum;
                start -=
                    dx*std::ceil((start - low)/dx - commensurable);
            }
        }

        origin_[d] = start;
        free[a] = most == 0;
    }

    const std::array<scalar, 3> shift(offPlanes(free));

    for (int a = 0; a < nDims(); ++a)
    {
        // A first row before the mesh, as far as the nodes are shifted
        const direction d = axes_[a];
        if (shift[a] > 0)
        {
            origin_[d] += (shift[a] - 1)*dx;
        }
        size_[a] = std::max<std::int64_t>
        (
            std::llround
            (
                std::ceil
                (
                    (mesh_.bounds().max()[d] - origin_[d])/dx - commensurable
                )
            ),
            1
        );
    }

    const double n = double(size_[0])*double(size_[1])*double(size_[2]);
    if (n > labelMax
     || *std::max_element(size_.begin(), size_.end()) > (1 << 20))
    {
        FatalErrorInFunction
            << "The box around the mesh has " << n << " nodes of spacing "
            << dx << " m" << nl
            << "    Possible are " << labelMax << " nodes, that is, spacings"
            << " above "
            << dx*(twoD_ ? std::sqrt(n/labelMax) : std::cbrt(n/labelMax))
            << " m" << nl
            << exit(FatalError);
    }
}


// ************************************************************************* //
