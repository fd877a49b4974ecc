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

#include "savedObstacles.H"
#include "fvMesh.H"
#include "latticeMapping.H"
#include "triSurface.H"

#include <algorithm>
#include <numeric>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

typedef std::array<std::int64_t, 3> place;

//- A face of a drawn cube
struct cubeFace
{
    //- Place of the cube
    place cube;

    //- Its number
    std::int64_t cubei;

    //- Corners, counter-clockwise from outside
    std::array<place, 4> corners;
};


//- An edge of the grid of corners, and the side of a face that lies on it
struct side
{
    std::int64_t edge;
    std::int64_t facei;
    int sidei;

    bool operator<(const side& b) const
    {
        return
            edge < b.edge
         || (edge == b.edge && facei < b.facei);
    }
};


//- Sets of corners of faces that are one point of the surface
class cornerSets
{
    std::vector<std::int64_t> parent_;

public:

    explicit cornerSets(const std::size_t n)
    :
        parent_(n)
    {
        std::iota(parent_.begin(), parent_.end(), std::int64_t(0));
    }

    std::int64_t root(std::int64_t i)
    {
        while (parent_[i] != i)
        {
            i = parent_[i] = parent_[parent_[i]];
        }
        return i;
    }

    void join(const std::int64_t i, const std::int64_t j)
    {
        const std::int64_t a = root(i);
        const std::int64_t b = root(j);

        // The lower one, whatever the order of the calls
        parent_[std::max(a, b)] = std::min(a, b);
    }
};

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::triSurface Foam::savedObstacles::surface() const
{
    const place& size = mapping_.description().size;
    const place stride{1, size[0], size[0]*size[1]};

    // Corners are numbered like nodes, one more along each axis
    const place cornerStride{1, size[0] + 1, (size[0] + 1)*(size[1] + 1)};

    const auto cornerIndex = [&](const place& c)
    {
        return
            c[0]*cornerStride[0] + c[1]*cornerStride[1] + c[2]*cornerStride[2];
    };

    std::vector<bool> drawnAt(size[0]*size[1]*size[2], false);

    for (const label nodei : drawn_)
    {
        drawnAt[mapping_.boxIndex(nodei)] = true;
    }

    std::vector<cubeFace> faces;

    for (const label nodei : drawn_)
    {
        const std::int64_t boxi = mapping_.boxIndex(nodei);
        const place cube
        {
            boxi % size[0],
            (boxi/size[0]) % size[1],
            boxi/stride[2]
        };

        for (int a = 0; a < 3; ++a)
        {
            for (const int up : {0, 1})
            {
                const std::int64_t beyond = cube[a] + (up ? 1 : -1);

                if
                (
                    beyond >= 0
                 && beyond < size[a]
                 && drawnAt[boxi + (up ? stride[a] : -stride[a])]
                )
                {
                    continue;
                }

                const int b = (a + 1) % 3;
                const int c = (a + 2) % 3;

                cubeFace face;
                face.cube = cube;
                face.cubei = boxi;

                for (int corneri = 0; corneri < 4; ++corneri)
                {
                    place& corner = face.corners[up ? corneri : 3 - corneri];

                    corner = cube;
                    corner[a] += up;
                    corner[b] += (corneri == 1 || corneri == 2);
                    corner[c] += (corneri >= 2);
                }

                faces.push_back(face);
            }
        }
    }

    // Sides of faces by the edge on which they lie
    std::vector<side> sides;
    sides.reserve(4*faces.size());

    for (std::size_t facei = 0; facei < faces.size(); ++facei)
    {
        for (int sidei = 0; sidei < 4; ++sidei)
        {
            const place& p = faces[facei].corners[sidei];
            const place& q = faces[facei].corners[(sidei + 1) % 4];

            int axis = 0;
            while (p[axis] == q[axis])
            {
                ++axis;
            }

            sides.push_back
            ({
                3*std::min(cornerIndex(p), cornerIndex(q)) + axis,
                std::int64_t(facei),
                sidei
            });
        }
    }

    std::sort(sides.begin(), sides.end());

    cornerSets sets(4*faces.size());

    // Faces that follow one another over an edge run along it in opposite
    // senses
    const auto joinSides = [&](const side& s, const side& t)
    {
        sets.join(4*s.facei + s.sidei, 4*t.facei + (t.sidei + 1) % 4);
        sets.join(4*s.facei + (s.sidei + 1) % 4, 4*t.facei + t.sidei);
    };

    for (std::size_t i = 0; i < sides.size(); )
    {
        std::size_t end = i + 1;
        while (end < sides.size() && sides[end].edge == sides[i].edge)
        {
            ++end;
        }

        if (end - i == 2)
        {
            joinSides(sides[i], sides[i + 1]);
        }
        else
        {
            // Four faces of two cubes that meet at this edge alone; those of
            // a cube follow one another in the list
            joinSides(sides[i], sides[i + 1]);
            joinSides(sides[i + 2], sides[i + 3]);
        }

        i = end;
    }

    // Points of the surface: corners, those that belong to several sheets of
    // it once for each of them
    std::vector<std::array<std::int64_t, 2>> roots;
    roots.reserve(4*faces.size());

    for (std::size_t facei = 0; facei < faces.size(); ++facei)
    {
        for (int corneri = 0; corneri < 4; ++corneri)
        {
            roots.push_back
            ({
                cornerIndex(faces[facei].corners[corneri]),
                sets.root(4*facei + corneri)
            });
        }
    }

    std::vector<std::array<std::int64_t, 2>> sorted(roots);
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());

    const FixedList<direction, 3>& axes = mapping_.axes();
    const vector edge(mapping_.dx(), mapping_.dx(), mapping_.thickness());
    const point lowest
    (
        mapping_.boxCentre(0) - 0.5*mapping_.toPhysical(edge)
    );

    pointField points(label(sorted.size()));

    forAll(points, pointi)
    {
        const std::int64_t corner = sorted[pointi][0];
        const place c
        {
            corner % cornerStride[1],
            (corner/cornerStride[1]) % (size[1] + 1),
            corner/cornerStride[2]
        };

        points[pointi] = lowest;
        for (int a = 0; a < 3; ++a)
        {
            points[pointi][axes[a]] += c[a]*edge[a];
        }
    }

    List<labelledTri> triangles(label(2*faces.size()));
    vectorField shifts(points.size(), Zero);
    labelList nShifts(points.size(), Zero);

    for (std::size_t facei = 0; facei < faces.size(); ++facei)
    {
        const cubeFace& face = faces[facei];
        FixedList<label, 4> pointis;

        for (int corneri = 0; corneri < 4; ++corneri)
        {
            const label pointi = label
            (
                std::lower_bound
                (
                    sorted.begin(),
                    sorted.end(),
                    roots[4*facei + corneri]
                )
              - sorted.begin()
            );

            pointis[corneri] = pointi;

            // Towards its cubes, where there is another point at this corner
            const std::int64_t corner = sorted[pointi][0];

            if
            (
                (pointi > 0 && sorted[pointi - 1][0] == corner)
             || (
                    pointi + 1 < points.size()
                 && sorted[pointi + 1][0] == corner
                )
            )
            {
                for (int a = 0; a < (mapping_.twoD() ? 2 : 3); ++a)
                {
                    shifts[pointi][axes[a]] +=
                        face.cube[a] + 0.5 - face.corners[corneri][a];
                }
                ++nShifts[pointi];
            }
        }

        triangles[2*facei] = labelledTri(pointis[0], pointis[1], pointis[2], 0);
        triangles[2*facei + 1] =
            labelledTri(pointis[0], pointis[2], pointis[3], 0);
    }

    forAll(points, pointi)
    {
        if (nShifts[pointi])
        {
            points[pointi] +=
                0.02*mapping_.dx()*shifts[pointi]/nShifts[pointi];
        }
    }

    return triSurface
    (
        triangles,
        geometricSurfacePatchList(1, geometricSurfacePatch(drawnName, 0)),
        points
    );
}


// ************************************************************************* //
