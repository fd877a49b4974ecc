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


void Foam::latticeWalls::makeFits(const fvMesh& mesh)
{
    const int nDims = mapping_.twoD() ? 2 : 3;

    forAll(fits_, patchi)
    {
        bool moving;

        if (!wall(mesh, patchi, moving))
        {
            continue;
        }

        const fvPatch& patch = mesh.boundary()[patchi];
        const vectorField n(patch.nf());
        const vectorField& Cf = patch.Cf();

        // Made on demand, which threads cannot
        patch.patch().faceFaces();

        fits_[patchi].setSize(patch.size());

        lbm::inParallel
        (
            patch.size(),
            [&](const std::int64_t begin, const std::int64_t end)
            {
                wallSurroundings around(mapping_);
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
                        !around.addFaces(patch, facei, faces)
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
    for (const List<fit>& fits : fits_)
    {
        for (const fit& f : fits)
        {
            for (const nodeShare& s : f.nodes)
            {
                nodes_.push_back(s.node);
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
                    std::lower_bound(nodes_.begin(), nodes_.end(), s.node)
                  - nodes_.begin();
            }
        }
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeWalls::latticeWalls
(
    const latticeMapping& mapping,
    const fvMesh& mesh
)
:
    mapping_(mapping),
    fits_(mesh.boundary().size()),
    nodes_(),
    pressure_(fits_.size()),
    gradient_(fits_.size())
{
    addProfiling(walls, "latticeWalls::latticeWalls");

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

    const std::size_t n = nodes_.size();
    std::vector<double> rho(n);
    std::vector<double> u(3*n);

    if (engine.parts().empty())
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

    forAll(fits_, patchi)
    {
        const List<fit>& fits = fits_[patchi];

        if (fits.empty())
        {
            continue;
        }

        const vectorField& Up = U.boundaryField()[patchi];
        const vectorField n(U.boundaryField()[patchi].patch().nf());
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
                        const double* v = u.data() + 3*std::size_t(s.node);

                        const vector velocity
                        (
                            mapping_.toPhysical
                            (
                                units.velocityToSI(vector(v[0], v[1], v[2]))
                            )
                        );

                        density += s.pressure*rho[s.node];
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
                           *(Up[s.face] - Up[facei]);
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
