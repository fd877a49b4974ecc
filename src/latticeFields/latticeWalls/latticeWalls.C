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

#include "latticeWalls.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "parallel.H"
#include "profiling.H"
#include "volFields.H"
#include "wallFit.H"
#include "wallFvPatch.H"
#include "wallSurroundings.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Faces for each thread that fits or evaluates them, at least
constexpr std::int64_t facesPerThread = 256;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::latticeWalls::wall
(
    const fvMesh& mesh,
    const label patchi,
    bool& moving
) const
{
    bool result = false;
    moving = false;

    forAll(mapping_.groupPatches(), groupi)
    {
        if (mapping_.groupPatches()[groupi] == patchi)
        {
            const std::string& type =
                mapping_.description().groups[groupi].type;

            if (type == "velocity" && isA<wallFvPatch>(mesh.boundary()[patchi]))
            {
                // Half-way nodes of equal cells keep to it
                moving = !mapping_.conforming();
            }
            else if (type != "wall")
            {
                return false;
            }

            result = true;
        }
    }

    return result;
}


void Foam::latticeWalls::setNeighbours(const fvMesh& mesh)
{
    if (!Pstream::parRun())
    {
        return;
    }

    const wallSurroundings around(mapping_, nullptr);
    std::vector<std::int64_t> places;

    forAll(wall_, patchi)
    {
        if (!wall_[patchi])
        {
            continue;
        }

        const fvPatch& patch = mesh.boundary()[patchi];
        const vectorField n(patch.nf());

        forAll(n, facei)
        {
            around.addMissing(patch.Cf()[facei], -n[facei], places);
        }

        // Those of neighbouring faces are the same
        std::sort(places.begin(), places.end());
        places.erase
        (
            std::unique(places.begin(), places.end()),
            places.end()
        );
    }

    neighbours_ = wallNeighbours(mapping_, places);
}


void Foam::latticeWalls::makeFits(const fvMesh& mesh)
{
    const int nDims = mapping_.twoD() ? 2 : 3;
    const wholeBoundary& boundary = mapping_.boundary();

    forAll(wall_, patchi)
    {
        if (!wall_[patchi])
        {
            continue;
        }

        bool moving;
        (void)wall(mesh, patchi, moving);

        const fvPatch& patch = mesh.boundary()[patchi];
        const vectorField n(patch.nf());
        const vectorField& Cf = patch.Cf();

        // All faces of the patch, and the number there of each of this process.
        // Made here, on demand, which threads cannot

        const labelListList& faceFaces = boundary.patch(patchi).faceFaces();
        const tmp<vectorField> tcentres(boundary.gather(patchi, Cf));
        const tmp<vectorField> tareas(boundary.gather(patchi, patch.Sf()));
        const vectorField& centres = tcentres();
        const vectorField& areas = tareas();

        labelList number(patch.size());

        forAll(number, facei)
        {
            number[facei] = boundary.inPatch
            (
                boundary.number(patch.start() + facei)
            );
        }

        fits_[patchi].setSize(patch.size());

        lbm::inParallel
        (
            patch.size(),
            [&](const std::int64_t begin, const std::int64_t end)
            {
                wallSurroundings around(mapping_, &neighbours_);
                wallFit fitted(nDims, moving);
                std::vector<wallFit::point> nodes;
                std::vector<wallFit::point> faces;

                for (label facei = begin; facei < end; ++facei)
                {
                    nodes.clear();
                    faces.clear();

                    around.addNodes
                    (
                        Cf[facei],
                        -n[facei],
                        patch.faceCells()[facei],
                        nodes
                    );

                    if
                    (
                        !around.addFaces
                        (
                            faceFaces,
                            centres,
                            areas,
                            number[facei],
                            faces
                        )
                     || !fitted.set
                        (
                            mapping_.toLattice(-n[facei]),
                            nodes,
                            faces
                        )
                    )
                    {
                        continue;
                    }

                    fit& f = fits_[patchi][facei];
                    f.nodes.reserve(nodes.size());
                    f.faces.reserve(faces.size());

                    for (std::size_t i = 0; i < nodes.size(); ++i)
                    {
                        f.nodes.push_back
                        ({
                            std::int32_t(nodes[i].index),
                            float(fitted.pressure[i]),
                            float(fitted.slope[i])
                        });
                    }

                    for (std::size_t i = 0; i < faces.size(); ++i)
                    {
                        const vector& g = fitted.gradient[i];

                        f.faces.push_back
                        ({
                            faces[i].index,
                            {{float(g[0]), float(g[1]), float(g[2])}}
                        });
                    }
                }
            },
            facesPerThread
        );
    }
}


void Foam::latticeWalls::numberNodes()
{
    const label nFluid = mapping_.nFluid();

    nodes_ = neighbours_.sentNodes();

    for (const List<fit>& fits : fits_)
    {
        for (const fit& f : fits)
        {
            for (const nodeShare& s : f.nodes)
            {
                if (s.node < nFluid)
                {
                    nodes_.push_back(s.node);
                }
            }
        }

        std::sort(nodes_.begin(), nodes_.end());
        nodes_.erase
        (
            std::unique(nodes_.begin(), nodes_.end()),
            nodes_.end()
        );
    }
    nodes_.shrink_to_fit();

    for (List<fit>& fits : fits_)
    {
        for (fit& f : fits)
        {
            for (nodeShare& s : f.nodes)
            {
                s.node =
                    s.node < nFluid
                  ? std::lower_bound(nodes_.begin(), nodes_.end(), s.node)
                  - nodes_.begin()
                  : nodes_.size() + (s.node - nFluid);
            }
        }
    }
}


std::vector<double> Foam::latticeWalls::nodeValues(lbm::engine& engine) const
{
    const std::size_t n = nodes_.size();
    std::vector<double> rho(n);
    std::vector<double> u(3*n);

    if (engine.parts().empty() && !Pstream::parRun())
    {
        engine.macroscopicAt(n, nodes_.data(), rho.data(), u.data());
    }
    else
    {
        engine.macroscopic
        (
            0,
            mapping_.nFluid(),
            [&]
            (
                const std::int64_t first,
                const std::int64_t count,
                const double* rhoOfAll,
                const double* uOfAll
            )
            {
                auto iter =
                    std::lower_bound(nodes_.begin(), nodes_.end(), first);

                for (; iter != nodes_.end() && *iter < first + count; ++iter)
                {
                    const std::size_t i = iter - nodes_.begin();
                    const std::int64_t from = *iter - first;

                    rho[i] = rhoOfAll[from];
                    std::copy_n(uOfAll + 3*from, 3, u.begin() + 3*i);
                }
            }
        );
    }

    std::vector<double> values(4*n);

    for (std::size_t i = 0; i < n; ++i)
    {
        values[4*i] = rho[i];
        std::copy_n(u.begin() + 3*i, 3, values.begin() + 4*i + 1);
    }

    if (Pstream::parRun())
    {
        const std::vector<std::int64_t> sent(neighbours_.sentNodes());
        std::vector<double> own(4*sent.size());

        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            const auto from =
                std::lower_bound(nodes_.begin(), nodes_.end(), sent[i])
              - nodes_.begin();

            std::copy_n(values.begin() + 4*from, 4, own.begin() + 4*i);
        }

        const std::vector<double> others(neighbours_.exchange(own));

        values.insert(values.end(), others.begin(), others.end());
    }

    return values;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeWalls::latticeWalls
(
    const latticeMapping& mapping,
    const fvMesh& mesh
)
:
    mapping_(mapping),
    wall_(mesh.boundary().size(), false),
    fits_(mesh.boundary().size()),
    neighbours_(),
    nodes_(),
    pressure_(fits_.size()),
    gradient_(fits_.size())
{
    addProfiling(walls, "latticeWalls::latticeWalls");

    forAll(wall_, patchi)
    {
        bool moving;
        wall_[patchi] = wall(mesh, patchi, moving);
    }

    setNeighbours(mesh);
    makeFits(mesh);
    numberNodes();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeWalls::read
(
    lbm::engine& engine,
    const latticeUnits& units,
    const volVectorField& U,
    const scalar pReference
)
{
    addProfiling(read, "latticeWalls::read");

    const std::vector<double> values(nodeValues(engine));

    forAll(fits_, patchi)
    {
        if (!wall_[patchi])
        {
            continue;
        }

        const List<fit>& fits = fits_[patchi];
        const vectorField& Up = U.boundaryField()[patchi];
        const vectorField n(U.boundaryField()[patchi].patch().nf());

        // Of all processes
        const tmp<vectorField> twhole(mapping_.boundary().gather(patchi, Up));
        const vectorField& whole = twhole();
        scalarField& p = pressure_[patchi];
        tensorField& gradient = gradient_[patchi];

        p.setSize(fits.size());
        gradient.setSize(fits.size());

        lbm::inParallel
        (
            fits.size(),
            [&](const std::int64_t begin, const std::int64_t end)
            {
                for (label facei = begin; facei < end; ++facei)
                {
                    scalar density = 0;
                    vector slope(Zero);
                    tensor G(Zero);

                    for (const nodeShare& s : fits[facei].nodes)
                    {
                        const double* v = values.data() + 4*std::size_t(s.node);

                        const vector velocity
                        (
                            mapping_.toPhysical
                            (
                                units.velocityToSI(vector(v[1], v[2], v[3]))
                            )
                        );

                        density += s.pressure*v[0];
                        slope += s.slope*(velocity - Up[facei]);
                    }

                    for (const faceShare& s : fits[facei].faces)
                    {
                        const vector weight
                        (
                            s.gradient[0], s.gradient[1], s.gradient[2]
                        );

                        G +=
                            mapping_.toPhysical(weight)
                           *(whole[s.face] - Up[facei]);
                    }

                    p[facei] =
                        known(patchi, facei)
                      ? units.pressureToSI(density) + pReference
                      : 0;
                    gradient[facei] = (G - n[facei]*slope)/units.dx();
                }
            },
            facesPerThread
        );
    }
}


void Foam::latticeWalls::subtract
(
    const vectorField& U,
    const scalarField& p,
    const fvMesh& mesh
)
{
    forAll(fits_, patchi)
    {
        const fvPatch& patch = mesh.boundary()[patchi];
        const labelUList& cells = patch.faceCells();
        const scalarField& deltaCoeffs = patch.deltaCoeffs();

        forAll(fits_[patchi], facei)
        {
            if (known(patchi, facei))
            {
                const vector n(patch.Sf()[facei]/patch.magSf()[facei]);

                pressure_[patchi][facei] -= p[cells[facei]];
                gradient_[patchi][facei] +=
                    n*U[cells[facei]]*deltaCoeffs[facei];
            }
        }
    }
}


double Foam::latticeWalls::bytes() const
{
    double result = double(nodes_.size())*sizeof(nodes_[0]);

    for (const List<fit>& fits : fits_)
    {
        for (const fit& f : fits)
        {
            result +=
                double(sizeof(f))
              + double(f.nodes.capacity())*sizeof(nodeShare)
              + double(f.faces.capacity())*sizeof(faceShare);
        }
    }

    return result;
}


// ************************************************************************* //
