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

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
