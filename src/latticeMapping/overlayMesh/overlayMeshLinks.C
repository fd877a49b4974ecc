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
#include "latticeMemory.H"
#include "polyMesh.H"
#include "wholeBoundary.H"
#include "emptyPolyPatch.H"
#include "latticeDescription.H"
#include "parallel.H"
#include "Pstream.H"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Points are rounded to this part of a spacing, so that the sides of lines
//  are decided exactly
static constexpr std::int64_t unit = std::int64_t(1) << 22;

//- Crossings nearer than this are in one place [spacings]
static constexpr double samePlace = 2e-6;

//- Solid thinner than this is none [spacings]
static constexpr double thinnestSolid = 1e-6;

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


Foam::overlayMesh::place Foam::overlayMesh::next
(
    place p,
    const std::array<int, 3>& c,
    const int sign
)
{
    for (int a = 0; a < 3; ++a)
    {
        p[a] += sign*c[a];
    }
    return p;
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


void Foam::overlayMesh::clean(crossingList& lines) const
{
    const auto opposite = [&](const crossing& u, const crossing& v)
    {
        const vector n(surface_.faces()[u.face].unitNormal(surface_.points()));
        const vector m(surface_.faces()[v.face].unitNormal(surface_.points()));
        return u.face != v.face && (n & m) < -0.999;
    };

    // Crossings of a line that are no touches
    std::vector<std::size_t> line;
    std::vector<std::uint8_t> drop(lines.size(), 0);

    for (std::size_t begin = 0; begin < lines.size(); )
    {
        line.clear();
        std::size_t end = begin;
        for (; end < lines.size() && lines[end].line == lines[begin].line; ++end)
        {
            if (!lines[end].touch)
            {
                line.push_back(end);
            }
        }

        for (std::size_t i = 0; i + 1 < line.size(); ++i)
        {
            // Inside before every other crossing
            crossing& u = lines[line[i]];
            crossing& v = lines[line[i + 1]];
            if
            (
                u.out == (i % 2 == 0)
             && v.out != u.out
             && v.at - u.at < samePlace
             && std::floor(u.at) == std::floor(v.at)
            )
            {
                std::swap(u.face, v.face);
                std::swap(u.out, v.out);
            }
        }

        for (std::size_t i = 0; i + 1 < line.size(); ++i)
        {
            const crossing& u = lines[line[i]];
            const crossing& v = lines[line[i + 1]];
            if
            (
                u.out != v.out
             && v.at - u.at < thinnestSolid
             && std::floor(u.at) == std::floor(v.at)
             && ((u.out && !opposite(u, v)) || u.face == v.face)
            )
            {
                drop[line[i]] = 1;
                drop[line[i + 1]] = 1;
                ++i;
            }
        }

        begin = end;
    }

    std::size_t n = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
        if (!drop[i])
        {
            lines[n++] = lines[i];
        }
    }
    lines.resize(n);
}


void Foam::overlayMesh::setFluid(const crossingList& lines)
{
    const std::int64_t n = size_[0];
    fluidRuns::stretchList stretches;

    for (std::size_t begin = 0; begin < lines.size(); )
    {
        const std::int64_t line = lines[begin].line;
        const std::int64_t width = size_[1] + 2*n;
        const std::int64_t j = line % width - n;
        const std::int64_t k = line/width - n;

        int winding = 0;
        std::int64_t from = 0;
        std::size_t i = begin;

        for (; i < lines.size() && lines[i].line == line; ++i)
        {
            if (lines[i].touch)
            {
                continue;
            }

            const std::int64_t to =
                std::min(std::max(std::int64_t(std::ceil(lines[i].at)),
                std::int64_t(0)), n);

            if
            (
                winding > 0
             && j >= 0 && j < size_[1] && k >= 0 && k < size_[2]
            )
            {
                fluidRuns::append(stretches, j + size_[1]*k, from, to);
            }
            winding += lines[i].out ? -1 : 1;
            from = to;
        }

        if (winding != 0)
        {
            const label facei = lines[begin].face;

            FatalErrorInFunction
                << "The boundary of the mesh is not closed: a line through"
                << " face " << facei << " of patch "
                << surface_.boundaryMesh()[patchOf(facei)].name() << " at "
                << surface_.faces()[facei].centre(surface_.points()) << " m enters"
                << " and leaves the mesh unequal times" << nl
                << "    Possible are meshes that checkMesh finds no fault with"
                << nl
                << exit(FatalError);
        }
        begin = i;
    }

    fluid_ = fluidRuns(size_, stretches);

    // The flags, and the cells of fluid nodes: a share of them
    checkRoom
    (
        "the nodes in the box of the lattice",
        (scalar(nBox()) + scalar(fluid_.nNodes())*sizeof(label))
       /Pstream::nProcs()
    );
}


void Foam::overlayMesh::findPassage
(
    const lineFamily& lf,
    const crossingList& lines,
    scalar& width,
    point& where
) const
{
    const crossing* in = nullptr;

    for (const crossing& x : lines)
    {
        if (x.touch)
        {
            continue;
        }
        if (!x.out || !in || in->line != x.line)
        {
            in = x.out ? nullptr : &x;
            continue;
        }

        if (!cyclic_[patchOf(in->face)] && !cyclic_[patchOf(x.face)])
        {
            const face& f = surface_.faces()[in->face];
            const face& g = surface_.faces()[x.face];
            const vector n(f.unitNormal(surface_.points()));
            const vector m(g.unitNormal(surface_.points()));

            // Between walls that face each other, not across a corner
            const scalar w = (x.at - in->at)*mag(n[axes_[lf.a]])*dx_;

            if ((n & m) < -0.9 && mag(n[axes_[lf.a]]) > 0.7 && w < width)
            {
                width = w;
                where =
                    0.5*(f.centre(surface_.points()) + g.centre(surface_.points()));
            }
        }
        in = nullptr;
    }
}


Foam::overlayMesh::crossingList::const_iterator Foam::overlayMesh::firstOut
(
    const lineFamily& lf,
    const crossingList& lines,
    const place& p,
    const int sign,
    const double from,
    const double to
) const
{
    crossing key{lineOf(lf, p), 0, 0, false, false};
    const double s = p[lf.a];

    if (sign > 0)
    {
        key.at = s + from;
        for
        (
            auto i = std::lower_bound(lines.begin(), lines.end(), key);
            i != lines.end() && i->line == key.line && i->at < s + to;
            ++i
        )
        {
            if (!i->touch && i->out)
            {
                return i;
            }
        }
    }
    else
    {
        key.at = s - from;
        for
        (
            auto i = std::upper_bound(lines.begin(), lines.end(), key);
            i != lines.begin();
        )
        {
            --i;
            if (i->line != key.line || i->at <= s - to)
            {
                break;
            }
            if (!i->touch && !i->out)
            {
                return i;
            }
        }
    }
    return lines.end();
}


Foam::label Foam::overlayMesh::faceAt
(
    const crossingList& lines,
    const crossingList::const_iterator at
) const
{
    label best = at->face;

    const auto consider = [&](const crossing& x)
    {
        if
        (
            x.line != at->line
         || std::abs(x.at - at->at) > samePlace
        )
        {
            return false;
        }

        const label patchi = patchOf(x.face);
        const label bestPatch = patchOf(best);
        if (x.out == at->out && !cyclic_[patchi])
        {
            const label r = rank_(patchi);
            const label s = rank_(bestPatch);
            if (r > s || (r == s && x.face < best))
            {
                best = x.face;
            }
        }
        return true;
    };

    for (auto i = at; i != lines.end() && consider(*i); ++i)
    {}
    for (auto i = at; i != lines.begin() && consider(*(i - 1)); --i)
    {}

    return best;
}


Foam::overlayMesh::destination Foam::overlayMesh::follow
(
    const lineFamily& lf,
    const crossingList& lines,
    const place& start,
    const int sign,
    const double from
) const
{
    destination result{destination::NOWHERE, start, -1, 0};
    place p(start);
    double t = from;

    // Corners of cyclic boxes take three
    for (int hop = 0; hop < 8; ++hop)
    {
        const auto i = firstOut
        (
            lf,
            lines,
            p,
            sign,
            t,
            1 + (from < 0 ? samePlace : 0)
        );

        if (i == lines.end())
        {
            result.node = next(p, lf.c, sign);
            if (result.face != -1 && isFluid(result.node))
            {
                result.fate = destination::ARRIVES;
            }
            return result;
        }

        const double distance = sign*(i->at - p[lf.a]);
        const label patchi = patchOf(i->face);

        if (!cyclic_[patchi])
        {
            result.fate = destination::WALL;
            result.face = faceAt(lines, i);
            result.distance = std::min(std::max(distance, 0.0), 1.0);
            return result;
        }

        if (result.face == -1)
        {
            result.face = i->face;
        }
        for (int a = 0; a < 3; ++a)
        {
            p[a] += offset_[patchi][a];
        }
        t = distance - samePlace;
    }
    return result;
}


Foam::label Foam::overlayMesh::nearestFace(const place& p) const
{
    const point x(position(p));
    scalar least = GREAT;
    label result = -1;

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (isA<emptyPolyPatch>(pp) || cyclic_[pp.index()])
        {
            continue;
        }
        forAll(pp, i)
        {
            vector d(pp[i].centre(surface_.points()) - x);
            if (twoD_)
            {
                d[axes_[2]] = 0;
            }
            if (magSqr(d) < least)
            {
                least = magSqr(d);
                result = pp.start() + i;
            }
        }
    }

    if (result == -1)
    {
        FatalErrorInFunction
            << "The node at " << x << " m has a link that meets no boundary,"
            << " and no cyclic patch takes it back to a node" << nl
            << "    Possible are cyclic patches whose faces are the same on"
            << " both halves, shifted along one another" << nl
            << exit(FatalError);
    }
    return result;
}


template<class Function>
void Foam::overlayMesh::forEnds
(
    const lineFamily& lf,
    const Function& f
) const
{
    place p;
    for (p[2] = -1; p[2] <= size_[2]; ++p[2])
    for (p[1] = -1; p[1] <= size_[1]; ++p[1])
    {
        const auto compared = [&]
        (
            const std::int64_t begin,
            const std::int64_t end,
            const bool here,
            const bool there
        )
        {
            p[0] = begin;

            if (here != there)
            {
                f(here ? p : next(p, lf.c, 1), end - begin, here ? 1 : -1);
            }
        };

        fluidRuns::compare
        (
            fluid_.row(p[1], p[2]),
            fluid_.row(p[1] + lf.c[1], p[2] + lf.c[2]),
            lf.c[0],
            compared
        );
    }
}


Foam::overlayMesh::link Foam::overlayMesh::linkOf
(
    const lineFamily& lf,
    const crossingList& lines,
    const place& p,
    const int sign,
    const bool beyond,
    linesFound& found
) const
{
    destination to(follow(lf, lines, p, sign, 0));

    if (to.fate == destination::NOWHERE)
    {
        to = follow(lf, lines, p, sign, -samePlace);
    }

    link l;
    l.node = index(p);
    l.partner = -1;
    l.direction = sign > 0 ? lf.up : lf.down;

    if (to.fate == destination::ARRIVES && !beyond)
    {
        l.partner = index(to.node);
        l.face = to.face;
        l.distance = 0.5;
    }
    else if (to.fate == destination::WALL)
    {
        l.face = to.face;
        l.distance =
            std::abs(to.distance - 0.5) < samePlace ? 0.5 : to.distance;
    }
    else
    {
        if (to.fate == destination::ARRIVES || to.face != -1)
        {
            ++found.nCyclicWalls;
        }
        else
        {
            ++found.nNearestFace;
        }
        l.face = -1;
        l.distance = 0.5;
    }

    return l;
}


void Foam::overlayMesh::addLinks
(
    const lineFamily& lf,
    const crossingList& lines,
    linesFound& found
) const
{
    forEnds(lf, [&](place p, const std::int64_t n, const int sign)
    {
        for (const std::int64_t end = p[0] + n; p[0] < end; ++p[0])
        {
            *found.next++ = linkOf(lf, lines, p, sign, false, found);
        }
    });

    // Solid between two fluid nodes: where a line leaves the mesh and comes
    // back on one link
    const std::int64_t n = size_[lf.a];
    const std::int64_t width = size_[lf.b] + 2*n;

    const crossing* out = nullptr;
    std::int64_t last = -1;

    for (const crossing& x : lines)
    {
        if (x.touch)
        {
            continue;
        }
        if (x.out)
        {
            out = &x;
            continue;
        }
        if
        (
            !out
         || out->line != x.line
         || std::floor(out->at) != std::floor(x.at)
        )
        {
            continue;
        }

        place q;
        q[lf.a] = std::int64_t(std::floor(x.at));
        q[lf.b] = x.line % width - n + lf.c[lf.b]*q[lf.a];
        q[lf.d] = x.line/width - n + lf.c[lf.d]*q[lf.a];

        const place r(next(q, lf.c, 1));

        if (isFluid(q) && isFluid(r) && index(q) != last)
        {
            last = index(q);
            ++found.nThinWalls;
            found.thin.push_back(linkOf(lf, lines, q, 1, true, found));
            found.thin.push_back(linkOf(lf, lines, r, -1, true, found));
        }
    }
}


void Foam::overlayMesh::findLinks(crossingList& first)
{
    const auto all = families();
    std::vector<linesFound> found(all.size());

    // Room for all, where each family has its own
    std::vector<std::size_t> ends(1, 0);
    for (const lineFamily& lf : all)
    {
        ends.push_back(ends.back());
        forEnds(lf, [&](const place&, const std::int64_t n, int)
        {
            ends.back() += n;
        });
    }
    // Few links more between fluid nodes; what is not used takes no memory
    links_.reserve(ends.back() + ends.back()/8 + 64);
    links_.resize(ends.back());

    for (std::size_t i = 0; i < all.size(); ++i)
    {
        found[i].next = links_.data() + ends[i];
    }

    // Made when first asked for, which threads may not do at once
    surface_.boundaryMesh().patchID();

    const int nThreads = std::min<std::int64_t>
    (
        all.size(), lbm::hostThreads(nBox())
    );
    std::atomic<std::size_t> next(0);
    lbm::onThreads(nThreads, [&](int, int)
    {
        for (std::size_t i = next++; i < all.size(); i = next++)
        {
            const lineFamily& lf = all[i];
            crossingList lines;
            if (i == 0)
            {
                lines.swap(first);
            }
            else
            {
                lines = crossings(lf);
            }
            found[i].bytes = double(lines.capacity())*sizeof(crossing);
            clean(lines);
            if (lf.c[0]*lf.c[0] + lf.c[1]*lf.c[1] + lf.c[2]*lf.c[2] == 1)
            {
                findPassage(lf, lines, found[i].width, found[i].narrowest);
            }
            addLinks(lf, lines, found[i]);
        }
    });

    std::vector<double> bytes;
    for (const linesFound& f : found)
    {
        bytes.push_back(f.bytes);
    }
    std::sort(bytes.rbegin(), bytes.rend());
    noteMemory(std::accumulate(bytes.begin(), bytes.begin() + nThreads, 0.0));

    scalar width = GREAT;
    for (const linesFound& f : found)
    {
        for (const link& l : f.thin)
        {
            links_.push_back(l);
            thinLinks_.push_back(linkKey(l.node, l.direction));
        }
        report_.nThinWalls += f.nThinWalls;
        report_.nCyclicWalls += f.nCyclicWalls;
        report_.nNearestFace += f.nNearestFace;
        if (f.width < width)
        {
            width = f.width;
            report_.narrowestPlace = f.narrowest;
        }
    }
    for (link& l : links_)
    {
        if (l.face == -1)
        {
            l.face = nearestFace(placeOf(l.node));
        }
    }
    if (width < GREAT)
    {
        report_.narrowestPassage = label(width/dx_ + 1e-3);
    }

    std::sort
    (
        links_.begin(),
        links_.end(),
        [](const link& l, const link& m)
        {
            return
                l.node < m.node
             || (l.node == m.node && l.direction < m.direction);
        }
    );
    std::sort(thinLinks_.begin(), thinLinks_.end());
}


const Foam::overlayMesh::link* Foam::overlayMesh::findLink
(
    const std::int64_t node,
    const int direction
) const
{
    const auto i = std::lower_bound
    (
        links_.begin(),
        links_.end(),
        node,
        [&](const link& l, const std::int64_t)
        {
            return
                l.node < node || (l.node == node && l.direction < direction);
        }
    );

    return
        i != links_.end() && i->node == node && i->direction == direction
      ? &*i
      : nullptr;
}


void Foam::overlayMesh::checkCyclic()
{
    bool changed = true;
    while (changed)
    {
        changed = false;
        for (link& l : links_)
        {
            if (l.partner < 0)
            {
                continue;
            }
            const int opposite = l.direction % 2 ? l.direction + 1 : l.direction - 1;
            const link* back = findLink(l.partner, opposite);

            if (!back || back->partner != l.node)
            {
                l.partner = -1;
                l.face = nearestFace(placeOf(l.node));
                ++report_.nCyclicWalls;
                changed = true;
            }
        }
    }
}


void Foam::overlayMesh::setHalfWay()
{
    for (link& l : links_)
    {
        if (l.partner >= 0 || l.distance == 0.5f)
        {
            continue;
        }
        const int opposite = l.direction % 2 ? l.direction + 1 : l.direction - 1;
        const link* behind = findLink(l.node, opposite);

        if (behind && behind->partner < 0)
        {
            l.distance = 0.5;
            ++report_.nHalfWay;
        }
    }
}


// ************************************************************************* //
