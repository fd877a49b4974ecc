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
#include "latticeMemory.H"
#include "polyMesh.H"
#include "Pstream.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Solid thinner than this is none [spacings]
static constexpr double thinnestSolid = 1e-6;

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// ************************************************************************* //
