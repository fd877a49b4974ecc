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

#include "latticeMapping.H"
#include "conformingMesh.H"
#include "latticeSettings.H"
#include "turbulenceModel.H"
#include "wallFunctionLatticePatch.H"
#include "engine.H"
#include "localIOdictionary.H"
#include "pstreamCommunicator.H"
#include "PstreamReduceOps.H"
#include "Time.H"

#include <algorithm>
#include <chrono>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::checkMesh(const fvMesh& mesh)
{
    IOobject io
    (
        "dynamicMeshDict",
        mesh.time().constant(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );

    if (io.typeHeaderOk<localIOdictionary>(false))
    {
        const localIOdictionary dict(io);
        const word type
        (
            dict.getOrDefault<word>("dynamicFvMesh", "staticFvMesh")
        );

        if (type != "staticFvMesh")
        {
            FatalIOErrorInFunction(dict)
                << "dynamicFvMesh is " << type
                << ", but the lattice does not move" << nl
                << "    Possible is staticFvMesh, or no dynamicMeshDict" << nl
                << exit(FatalIOError);
        }
    }

    if (mesh.changing())
    {
        FatalErrorInFunction
            << "The mesh moves or changes, but the lattice does not" << nl
            << exit(FatalError);
    }
}


void Foam::latticeMapping::setWallDistance()
{
    scalar area = 0;
    scalar widest = 0;

    for (const label patchi : groupPatches_)
    {
        if (patches_[patchi].rank() >= latticePatch::MOVING_WALL)
        {
            area += gSum(mesh_.boundary()[patchi].magSf());
        }
    }

    for (int a = 0; a < (twoD_ ? 2 : 3); ++a)
    {
        widest = max(widest, dx_*description_.wholeSize[a]);
    }

    const scalar volume = nWhole_*sqr(dx_)*thickness_;

    wallDistance_ = area > 0 ? min(2*volume/area, widest) : widest;
}


void Foam::latticeMapping::setWallDistance(const conformingMesh& cells)
{
    bool walls[3] = {false, false, false};

    for (const auto& keyFace : cells.boundaryFaces())
    {
        const label patchi = boundary_.patchOf(keyFace.second);

        if (patches_[patchi].rank() >= latticePatch::MOVING_WALL)
        {
            walls[(keyFace.first % 8)/2] = true;
        }
    }

    scalar narrowest = GREAT;
    scalar widest = 0;

    for (int a = 0; a < (twoD_ ? 2 : 3); ++a)
    {
        const scalar extent = dx_*description_.wholeSize[a];

        widest = max(widest, extent);
        if (walls[a])
        {
            narrowest = min(narrowest, extent);
        }
    }

    wallDistance_ = narrowest < GREAT ? narrowest : widest;
}


bool Foam::latticeMapping::resolvesEddies() const
{
    const auto* model =
        mesh_.findObject<turbulenceModel>(turbulenceModel::propertiesName);

    if
    (
        !model
     || model->getOrDefault<word>("simulationType", "laminar") != "LES"
    )
    {
        return false;
    }

    const auto* nut = mesh_.findObject<volScalarField>("nut");
    bool wallFunctions = false;

    forAll(patches_, patchi)
    {
        // nutLowReWallFunction has no eddy viscosity at the wall
        wallFunctions =
            wallFunctions
         || (
                patches_.set(patchi)
             && isA<wallFunctionLatticePatch>(patches_[patchi])
             && nut
             && nut->boundaryField()[patchi].type() != "nutLowReWallFunction"
            );
    }

    return !returnReduce(wallFunctions, orOp<bool>());
}


void Foam::latticeMapping::setLattice(const latticeSettings& settings)
{
    const int nDims = mesh_.nGeometricD() < 3 ? 2 : 3;
    const word& collision = settings.collision();

    const auto has = [](const word& lattice, const word& collision)
    {
        const std::vector<std::string> valid(lbm::collisionsOn(lattice));

        return std::find(valid.begin(), valid.end(), collision) != valid.end();
    };

    // In the order of their number of velocities
    wordList lattices;
    wordList withCollision;

    for (const std::string& name : lbm::engine::validNames("lattice"))
    {
        if (lbm::nDimensions(name) == nDims)
        {
            lattices.append(name);

            if (collision == "auto" || has(name, collision))
            {
                withCollision.append(name);
            }
        }
    }

    lattice_ = settings.lattice();

    if (lattice_ == "auto")
    {
        if (withCollision.empty())
        {
            wordList possible({"auto"});

            for (const word& name : lattices)
            {
                for (const std::string& valid : lbm::collisionsOn(name))
                {
                    if (!possible.found(valid))
                    {
                        possible.append(valid);
                    }
                }
            }

            FatalIOErrorInFunction(settings.dict())
                << "collision is " << collision
                << ", which is not for the " << nDims
                << " dimensions of the mesh" << nl
                << "    Possible are " << flatOutput(possible) << nl
                << exit(FatalIOError);
        }

        lattice_ = withCollision.first();

        if (collision == "auto" && resolvesEddies())
        {
            for (const word& name : lattices)
            {
                if (has(name, "cumulant"))
                {
                    lattice_ = name;
                    latticeReason_ =
                        "large-eddy simulation without wall functions,"
                        " collision auto";
                }
            }
        }
    }
    else if (!lattices.found(lattice_))
    {
        wordList possible({"auto"});
        possible.append(lattices);

        FatalIOErrorInFunction(settings.dict())
            << "lattice is " << lattice_ << ", but the mesh has " << nDims
            << " dimensions" << nl
            << "    Possible are " << flatOutput(possible) << nl
            << exit(FatalIOError);
    }
}


void Foam::latticeMapping::checkForce(const latticeSettings& settings) const
{
    if (twoD_)
    {
        const direction d = axes_[2];
        const vector& g = settings.bodyForce();

        if (mag(g[d]) > SMALL*mag(g))
        {
            FatalIOErrorInFunction(settings.dict())
                << "bodyForce " << g << " m/s2 has a component in the empty"
                << " direction, " << "xyz"[d] << nl
                << "    Possible are the two directions of the flow" << nl
                << exit(FatalIOError);
        }
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeMapping::latticeMapping
(
    const fvMesh& mesh,
    const latticeSettings& settings,
    const volVectorField& U,
    const volScalarField& p,
    const label refinement
)
:
    mesh_(mesh),
    boundary_(mesh),
    communicator_
    (
        Pstream::parRun()
      ? std::make_shared<pstreamCommunicator>()
      : nullptr
    ),
    refinement_(refinement > 0 ? refinement : settings.refinement()),
    cellSize_(0),
    nWhole_(0),
    geometryChecksum_(0),
    nShell_(0)
{
    const auto start = std::chrono::steady_clock::now();

    checkMesh(mesh);
    setPatches(U, p, settings);

    autoPtr<conformingMesh> cells(conformingMesh::New(mesh, boundary_, whyOverlay_));
    setLattice(settings);

    scalar spacing = settings.latticeSpacing();

    if (cells.valid() && spacing > 0)
    {
        const scalar ratio = cells->cellSize()/spacing;

        refinement_ = max(label(1), label(std::round(ratio)));

        if (mag(ratio - refinement_) > 1e-4*ratio)
        {
            whyOverlay_ =
                "latticeSpacing " + name(spacing) + " m does not divide the"
                " cells of " + name(cells->cellSize()) + " m";
            refinement_ = 1;
        }
    }

    if (conforming())
    {
        axes_ = cells->axes();
        twoD_ = cells->twoD();
        cellSize_ = cells->cellSize();
        dx_ = cellSize_/refinement_;
        thickness_ = twoD_ ? cells->thickness() : dx_;
        origin_ = cells->origin();

        checkForce(settings);
        setNodes(*cells);
        setWallDistance(*cells);
        setLinks(*cells, U);
        setStretches();
    }
    else
    {
        cells.clear();

        const auto rank = [this](const label patchi)
        {
            return patches_.set(patchi) ? patches_[patchi].rank() : label(0);
        };

        string refined;

        if (spacing <= 0 && refinement_ > 1)
        {
            const overlayMesh coarse(mesh, boundary_, 0, rank, lattice_);

            spacing = coarse.dx()/refinement_;
            refined =
                "1/" + name(refinement_) + " of " + name(coarse.dx()) + " m: "
              + coarse.report().spacingReason;
        }

        overlayMesh overlay(mesh, boundary_, spacing, rank, lattice_);

        overlay_ = overlay.report();
        if (!refined.empty())
        {
            overlay_.spacingReason = refined;
        }
        axes_ = overlay.axes();
        twoD_ = overlay.twoD();
        dx_ = overlay.dx();
        thickness_ = twoD_ ? overlay.thickness() : dx_;
        origin_ = overlay.origin();

        if (twoD_)
        {
            const direction d = axes_[2];
            origin_[d] = overlay.position({0, 0, 0})[d] - 0.5*thickness_;
        }

        checkForce(settings);
        setNodes(overlay);
        setWallDistance();

        {
            const labelList seeds
            (
                latticeCells::nearestNodes(*this, overlay, mesh)
            );
            std::vector<lbm::linkGroup> others;

            setLinks(overlay, seeds, others);

            // Room for the cells
            overlay.takeLinks();

            cells_.reset(new latticeCells(*this, mesh, overlay, others, seeds));
        }

        takePart(overlay);
        setStretches();
    }

    setRuns();
    finishLinks(U);

    if (!conforming())
    {
        holdLinks();
    }

    seconds_ =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
       .count();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeMapping::releaseLinks()
{
    shell_ =
        latticeShell(description_, lattice(), groupPatches_, cyclicHalos_);

    for (lbm::linkGroup& group : description_.groups)
    {
        lbm::linkGroup released;
        released.name = group.name;
        released.type = group.type;
        released.varies = group.varies;
        group = std::move(released);
    }

    axisLinks_ = std::vector<axisLink>();
    cyclicHalos_ = std::vector<latticeShell::moreLinks>();
    stretches_ = std::vector<stretch>();

    for (lbm::scalarDescription& scalar : description_.scalars)
    {
        scalar.groups.clear();
    }
}


Foam::symmTensor Foam::latticeMapping::toLattice(const symmTensor& t) const
{
    static const direction component[3][3] =
    {
        {symmTensor::XX, symmTensor::XY, symmTensor::XZ},
        {symmTensor::XY, symmTensor::YY, symmTensor::YZ},
        {symmTensor::XZ, symmTensor::YZ, symmTensor::ZZ}
    };

    symmTensor result;

    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            result[component[i][j]] = t[component[axes_[i]][axes_[j]]];
        }
    }

    return result;
}


Foam::symmTensor Foam::latticeMapping::toPhysical(const symmTensor& t) const
{
    static const direction component[3][3] =
    {
        {symmTensor::XX, symmTensor::XY, symmTensor::XZ},
        {symmTensor::XY, symmTensor::YY, symmTensor::YZ},
        {symmTensor::XZ, symmTensor::YZ, symmTensor::ZZ}
    };

    symmTensor result;

    for (int i = 0; i < 3; ++i)
    {
        for (int j = i; j < 3; ++j)
        {
            result[component[axes_[i]][axes_[j]]] = t[component[i][j]];
        }
    }

    return result;
}


// ************************************************************************* //
