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
#include "latticeDescription.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Points are rounded to this part of a spacing, so that the sides of lines
//  are decided exactly
static constexpr std::int64_t unit = std::int64_t(1) << 22;

//- A crossing nearer than this to a node goes through it [spacings]
static constexpr double atNode = 1e-9;

typedef __int128 wide;


static inline int signOf(const wide x)
{
    return (x > 0) - (x < 0);
}


static inline std::int64_t floorDiv(const std::int64_t x, const std::int64_t y)
{
    return x >= 0 ? x/y : -((-x + y - 1)/y);
}


static inline std::int64_t ceilDiv(const std::int64_t x, const std::int64_t y)
{
    return -floorDiv(-x, y);
}


//- Move a crossing off the node that it goes through, to the side on which
//  the shifted node does not lie
static inline double offNode(const double at, const bool nodeIsAbove)
{
    const double s = std::round(at);
    return std::abs(at - s) < atNode ? s + (nodeIsAbove ? -2 : 2)*atNode : at;
}

} // End namespace Foam


// * * * * * * * * * * * * * * * Local Classes * * * * * * * * * * * * * * * //

Foam::overlayMesh::lineFamily::lineFamily
(
    const std::array<int, 3>& c,
    const int up,
    const int down
)
:
    c(c),
    up(up),
    down(down),
    a(0)
{
    while (!c[a])
    {
        ++a;
    }

    if (c[a] < 0)
    {
        for (int& x : this->c)
        {
            x = -x;
        }
        std::swap(this->up, this->down);
    }

    b = (a + 1) % 3;
    d = (a + 2) % 3;
}


int Foam::overlayMesh::lineFamily::shiftSign
(
    const std::int64_t db,
    const std::int64_t dd
) const
{
    std::int64_t derivative[3];
    derivative[a] = -(db*c[b] + dd*c[d]);
    derivative[b] = db;
    derivative[d] = dd;

    for (const std::int64_t x : derivative)
    {
        if (x)
        {
            return signOf(x);
        }
    }
    return 0;
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::overlayMesh::place Foam::overlayMesh::snapped(const label pointi) const
{
    const point& x = surface_.points()[pointi];

    place y{0, 0, 0};
    for (int a = 0; a < nDims(); ++a)
    {
        const direction d = axes_[a];
        y[a] = std::llround(((x[d] - origin_[d])/dx_ - 0.5)*unit);
    }
    return y;
}


std::vector<Foam::overlayMesh::lineFamily>
Foam::overlayMesh::families() const
{
    const auto c(lbm::directions(lattice_));

    std::vector<lineFamily> result;
    for (std::size_t q = 1; q + 1 < c.size(); q += 2)
    {
        result.emplace_back(c[q], q, q + 1);
    }
    return result;
}


std::int64_t Foam::overlayMesh::lineOf
(
    const lineFamily& lf,
    const place& p
) const
{
    const std::int64_t n = size_[lf.a];

    return
        p[lf.b] - lf.c[lf.b]*p[lf.a] + n
      + (size_[lf.b] + 2*n)*(p[lf.d] - lf.c[lf.d]*p[lf.a] + n);
}


void Foam::overlayMesh::crossTriangle
(
    const lineFamily& lf,
    const std::array<place, 3>& y,
    const std::array<label, 3>& points,
    const label facei,
    crossingList& result
) const
{
    // In coordinates sheared so that the lines are along the main axis
    std::int64_t hb[3], hd[3];
    for (int i = 0; i < 3; ++i)
    {
        hb[i] = y[i][lf.b] - lf.c[lf.b]*y[i][lf.a];
        hd[i] = y[i][lf.d] - lf.c[lf.d]*y[i][lf.a];
    }

    const std::int64_t slack = std::llround(samePlace*unit);
    const std::int64_t n = size_[lf.a] - 1;

    const auto range = [&](const std::int64_t* h, const int axis)
    {
        return std::make_pair
        (
            std::max(ceilDiv(*std::min_element(h, h + 3) - slack, unit), -n),
            std::min
            (
                floorDiv(*std::max_element(h, h + 3) + slack, unit),
                size_[axis] - 1 + n
            )
        );
    };

    const auto rangeb = range(hb, lf.b);
    const auto ranged = range(hd, lf.d);

    if (rangeb.first > rangeb.second || ranged.first > ranged.second)
    {
        return;
    }

    const wide area =
        wide(hb[1] - hb[0])*(hd[2] - hd[0])
      - wide(hd[1] - hd[0])*(hb[2] - hb[0]);

    if (area == 0)
    {
        return;
    }

    // Normal of the triangle: on which side is a node that lies on it?
    bool nodeIsAbove = true;
    for (int i = 0; i < 3; ++i)
    {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;

        const int s = signOf
        (
            wide(y[1][j] - y[0][j])*(y[2][k] - y[0][k])
          - wide(y[1][k] - y[0][k])*(y[2][j] - y[0][j])
        );
        if (s)
        {
            nodeIsAbove = s == signOf(area);
            break;
        }
    }

    for (std::int64_t kd = ranged.first; kd <= ranged.second; ++kd)
    for (std::int64_t kb = rangeb.first; kb <= rangeb.second; ++kb)
    {
        wide side[3];
        int sign[3];

        for (int i = 0; i < 3; ++i)
        {
            // The same for both triangles at an edge
            int u = (i + 1) % 3;
            int v = (i + 2) % 3;
            const bool swap = points[u] > points[v];
            if (swap)
            {
                std::swap(u, v);
            }

            const std::int64_t db = -(hd[v] - hd[u]);
            const std::int64_t dd = hb[v] - hb[u];

            side[i] =
                wide(dd)*(kd*unit - hd[u]) + wide(db)*(kb*unit - hb[u]);
            sign[i] = signOf(side[i]);

            if (!sign[i])
            {
                sign[i] = lf.shiftSign(db, dd);
            }
            if (!sign[i])
            {
                sign[i] = 1;
            }
            if (swap)
            {
                side[i] = -side[i];
                sign[i] = -sign[i];
            }
        }

        bool touch = false;
        if (sign[0] != sign[1] || sign[1] != sign[2])
        {
            // Along a triangle within the rounding of its edges?
            touch = true;
            for (int i = 0; i < 3 && touch; ++i)
            {
                const int u = (i + 1) % 3;
                const int v = (i + 2) % 3;
                touch =
                    double(side[i])*signOf(area)
                 >= -double(slack)*std::hypot(hb[v] - hb[u], hd[v] - hd[u]);
            }
            if (!touch)
            {
                continue;
            }
        }

        const double at =
            y[0][lf.a]
          + (
                double(side[1])*double(y[1][lf.a] - y[0][lf.a])
              + double(side[2])*double(y[2][lf.a] - y[0][lf.a])
            )/double(area);

        const std::int64_t m = size_[lf.a];

        result.push_back
        ({
            kb + m + (size_[lf.b] + 2*m)*(kd + m),
            offNode(at/unit, nodeIsAbove),
            facei,
            area > 0,
            touch
        });
    }
}


void Foam::overlayMesh::crossSegment
(
    const lineFamily& lf,
    const std::array<place, 2>& y,
    const label facei,
    crossingList& result
) const
{
    const int b = 1 - lf.a;
    const int cb = lf.c[b];

    const std::int64_t h[2] =
    {
        y[0][b] - cb*y[0][lf.a],
        y[1][b] - cb*y[1][lf.a]
    };

    const std::int64_t slack = std::llround(samePlace*unit);
    const std::int64_t n = size_[lf.a];

    const std::int64_t first =
        std::max(ceilDiv(std::min(h[0], h[1]) - slack, unit), 1 - n);
    const std::int64_t last =
        std::min
        (
            floorDiv(std::max(h[0], h[1]) + slack, unit),
            size_[b] + n - 2
        );

    // The mesh is on the left of the segment
    const int out = (lf.a == 0 ? 1 : -1)*signOf(h[1] - h[0]);
    if (!out)
    {
        return;
    }

    const int normal0 = signOf(y[1][1] - y[0][1]);
    const int normal1 = -signOf(y[1][0] - y[0][0]);
    const bool nodeIsAbove = (normal0 ? normal0 : normal1) == out;

    // How the lines shift with the nodes
    const int shift = b == 1 ? (cb ? -cb : 1) : 1;

    for (std::int64_t k = first; k <= last; ++k)
    {
        bool above[2];
        for (int i = 0; i < 2; ++i)
        {
            const std::int64_t x = h[i] - k*unit;
            above[i] = x > 0 || (x == 0 && shift < 0);
        }

        const double part = double(k*unit - h[0])/double(h[1] - h[0]);
        const double at =
            y[0][lf.a] + part*double(y[1][lf.a] - y[0][lf.a]);

        place p{0, 0, 0};
        p[b] = k;

        result.push_back
        ({
            lineOf(lf, p),
            offNode(at/unit, nodeIsAbove),
            facei,
            out > 0,
            above[0] == above[1]
        });
    }
}


Foam::overlayMesh::crossingList Foam::overlayMesh::crossings
(
    const lineFamily& lf
) const
{
    crossingList result;

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp))
        {
            continue;
        }

        forAll(pp, i)
        {
            const label facei = pp.start() + i;
            const face& f = surface_.faces()[facei];

            if (twoD_)
            {
                // The points on the lower side, in the order of the face
                const auto low = [&](const label fp)
                {
                    return surface_.points()[f[fp]][axes_[2]] < middle_;
                };

                forAll(f, fp)
                {
                    const label fq = f.fcIndex(fp);
                    if (low(fp) && low(fq))
                    {
                        crossSegment
                        (
                            lf,
                            {snapped(f[fp]), snapped(f[fq])},
                            facei,
                            result
                        );
                    }
                }
                continue;
            }

            // From the lowest point on: so do both sides of a baffle, and
            // cyclic halves
            label first = 0;
            place lowest(snapped(f[0]));
            for (label fp = 1; fp < f.size(); ++fp)
            {
                const place y(snapped(f[fp]));
                if (y < lowest)
                {
                    lowest = y;
                    first = fp;
                }
            }

            label fp = f.fcIndex(first);
            place y(snapped(f[fp]));
            for (label t = 2; t < f.size(); ++t)
            {
                const label fq = f.fcIndex(fp);
                const place z(snapped(f[fq]));
                crossTriangle
                (
                    lf,
                    {lowest, y, z},
                    {f[first], f[fp], f[fq]},
                    facei,
                    result
                );
                fp = fq;
                y = z;
            }
        }
    }

    std::sort(result.begin(), result.end());
    return result;
}


// ************************************************************************* //
