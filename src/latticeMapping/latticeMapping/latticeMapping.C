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
#include "latticeInflow.H"
#include "latticeMemory.H"
#include "latticeSettings.H"
#include "latticeUnits.H"
#include "turbulenceModel.H"
#include "wallFunctionLatticePatch.H"
#include "engine.H"
#include "localIOdictionary.H"
#include "parallel.H"
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


void Foam::latticeMapping::setPatches
(
    const volVectorField& U,
    const volScalarField& p,
    const latticeSettings& settings
)
{
    patches_.setSize(boundary_.nPatches());
    patchGroups_.setSize(patches_.size(), -1);
    faceRanks_.setSize(patches_.size());
    faceTypes_.setSize(patches_.size());
    faceAreas_.setSize(patches_.size());

    DynamicList<label> groups(patches_.size());

    forAll(patches_, patchi)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];

        // Unlike that of fvPatch, this size counts the faces of empty patches
        if
        (
            boundary_.size(patchi) > 0
         || returnReduce(patch.patch().size(), sumOp<label>()) > 0
        )
        {
            patches_.set(patchi, latticePatch::New(patch, U, p).ptr());

            const latticePatch& treatment = patches_[patchi];

            if (treatment.linkTypes().size() > 1)
            {
                labelField ranks(patch.size());
                labelField types(patch.size());

                forAll(ranks, i)
                {
                    ranks[i] = treatment.faceRank(i);
                    types[i] = treatment.linkTypeOf(i);
                }

                faceRanks_[patchi] = boundary_.gather(patchi, ranks)();
                faceTypes_[patchi] = boundary_.gather(patchi, types)();
            }

            bool needsNormals = false;

            for (const word& type : patches_[patchi].linkTypes())
            {
                if (patchGroups_[patchi] == -1)
                {
                    patchGroups_[patchi] = groups.size();
                }
                groups.append(patchi);

                lbm::linkGroup group;
                group.name = patch.name();
                group.type = type;
                group.varies =
                    settings.boundaryUpdateInterval() == 1
                 && lbm::valuesPerFace(group.type) > 0
                 && patches_[patchi].followsTime();
                description_.groups.push_back(group);

                needsNormals =
                    needsNormals
                 || lbm::hasGhostNodes(group.type)
                 || group.type == "wallStress";
            }

            if (needsNormals)
            {
                faceAreas_[patchi] = boundary_.gather(patchi, patch.Sf());
            }
        }
    }

    groupPatches_.transfer(groups);
}


void Foam::latticeMapping::setNodes(conformingMesh& cells)
{
    const std::int64_t n = refinement_;
    const std::int64_t nz = twoD_ ? 1 : n;
    const std::array<std::int64_t, 3> nCells(cells.windowSize());

    description_.size = {n*nCells[0], n*nCells[1], nz*nCells[2]};
    description_.origin =
    {
        n*cells.windowBegin()[0],
        n*cells.windowBegin()[1],
        nz*cells.windowBegin()[2]
    };
    description_.wholeSize =
        {n*cells.size()[0], n*cells.size()[1], nz*cells.size()[2]};

    const std::array<std::int64_t, 3>& size = description_.size;
    const double nNodes = double(mesh_.nCells())*double(n)*double(n)*double(nz);

    if (nNodes >= double(labelMax))
    {
        FatalErrorInFunction
            << "A refinement of " << refinement_ << " makes " << nNodes
            << " nodes of " << mesh_.nCells() << " cells" << nl
            << "    At most " << labelMax << " can be counted; an OpenFOAM"
            << " with WM_LABEL_SIZE=64 counts more" << nl
            << exit(FatalError);
    }

    // Beside the lists of cells that are there already
    checkRoom
    (
        "the nodes of the lattice",
        double(size[0])*double(size[1])*double(size[2])
       *sizeof(decltype(description_.fluid)::value_type)
      + (refinement_ == 1 ? 0 : nNodes*sizeof(label))
    );

    if (refinement_ == 1)
    {
        // Places of cells and nodes are the same: squeeze the list of cells
        // instead of making another one
        labelList cellAt(cells.takeCells());

        description_.fluid.resize(cellAt.size());

        label nFluid = 0;
        forAll(cellAt, i)
        {
            description_.fluid[i] = cellAt[i] != -1;

            if (cellAt[i] != -1)
            {
                cellAt[nFluid++] = cellAt[i];
            }
        }

        cellAt.setSize(nFluid);
        nodeCells_.transfer(cellAt);

        return;
    }

    const labelList cellAt(cells.takeCells());

    description_.fluid.resize(size[0]*size[1]*size[2]);
    nodeCells_.setSize(label(nNodes));

    std::int64_t boxi = 0;
    label fluidi = 0;

    for (std::int64_t k = 0; k < size[2]; ++k)
    {
        for (std::int64_t j = 0; j < size[1]; ++j)
        {
            const std::int64_t cellLine =
                nCells[0]*(j/n + nCells[1]*(k/nz));

            for (std::int64_t i = 0; i < size[0]; ++i)
            {
                const label celli = cellAt[cellLine + i/n];

                description_.fluid[boxi++] = celli != -1;

                if (celli != -1)
                {
                    nodeCells_[fluidi++] = celli;
                }
            }
        }
    }
}


void Foam::latticeMapping::setNodes(overlayMesh& overlay)
{
    description_.size = overlay.size();
    description_.wholeSize = description_.size;
    nodeCells_ = overlay.takeNodeCells();
    nWhole_ = overlay.fluid().nNodes();
}


void Foam::latticeMapping::setStretches()
{
    std::int64_t fluidi = 0;
    std::uint8_t before = 0;

    for (std::size_t boxi = 0; boxi < description_.fluid.size(); ++boxi)
    {
        const std::uint8_t fluid = description_.fluid[boxi] == 1;

        if (fluid && !before)
        {
            stretchBox_.push_back(boxi);
            stretchFluid_.push_back(fluidi);
        }

        fluidi += fluid;
        before = fluid;
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


std::int64_t Foam::latticeMapping::boxIndex(const label fluidNode) const
{
    if (fluidNode < 0 || fluidNode >= nFluid())
    {
        FatalErrorInFunction
            << "Fluid node " << fluidNode << " is out of range 0 ... "
            << nFluid() - 1 << nl
            << abort(FatalError);
    }

    const std::size_t i =
        std::upper_bound(stretchFluid_.begin(), stretchFluid_.end(), fluidNode)
      - stretchFluid_.begin() - 1;

    return stretchBox_[i] + (fluidNode - stretchFluid_[i]);
}


Foam::label Foam::latticeMapping::fluidIndex(const std::int64_t boxIndex) const
{
    if (description_.fluid[boxIndex] != 1)
    {
        return -1;
    }

    const std::size_t i =
        std::upper_bound(stretchBox_.begin(), stretchBox_.end(), boxIndex)
      - stretchBox_.begin() - 1;

    return stretchFluid_[i] + (boxIndex - stretchBox_[i]);
}


Foam::point Foam::latticeMapping::boxCentre(const std::int64_t boxIndex) const
{
    return centreAt(coordinates(boxIndex));
}


Foam::point Foam::latticeMapping::centreAt
(
    const std::array<std::int64_t, 3>& node
) const
{
    point centre(origin_);
    centre[axes_[0]] += (node[0] + 0.5)*dx_;
    centre[axes_[1]] += (node[1] + 0.5)*dx_;
    centre[axes_[2]] += twoD_ ? 0.5*thickness_ : (node[2] + 0.5)*dx_;

    return centre;
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


bool Foam::latticeMapping::hasPressure() const
{
    for (const lbm::linkGroup& group : description_.groups)
    {
        if (group.type == "pressure")
        {
            return true;
        }
    }

    return false;
}


bool Foam::latticeMapping::enclosed() const
{
    forAll(groupPatches_, groupi)
    {
        const std::string& type = description_.groups[groupi].type;

        if
        (
            type == "pressure"
         || type == "slip"
         || groupPatch(groupi).throughFlow()
        )
        {
            return false;
        }
    }

    return true;
}


std::vector<double> Foam::latticeMapping::boundaryValues
(
    const label groupi,
    const volVectorField& U,
    const volScalarField& p,
    const latticeUnits& units,
    const scalar pReference,
    const volScalarField* offset
) const
{
    const label patchi = groupPatches_[groupi];
    const fvPatch& patch = mesh_.boundary()[patchi];
    const std::string& type = description_.groups[groupi].type;
    const label nFaces = lbm::valuesPerFace(type) ? boundary_.size(patchi) : 0;

    const UList<blend>& blends = groupBlends_[groupi];

    std::vector<double> values
    (
        (nFaces + blends.size())*lbm::valuesPerFace(type)
    );

    const auto setVector = [&](const label i, const vector& v)
    {
        values[3*i] = v.x();
        values[3*i + 1] = v.y();
        values[3*i + 2] = twoD_ ? 0 : v.z();
    };

    if (lbm::givesVelocity(type))
    {
        const linkVelocity links(velocityOf(groupi, U));
        const vectorField& Up = links.U;

        scalar scale = 1;

        // The profile that an inlet has across it is kept, with one factor
        if (patches_[patchi].throughFlow())
        {
            scalar net = 0, gross = 0, all = 0;

            for (const label groupj : groupContinues_[groupi])
            {
                const linkVelocity part
                (
                    groupj == groupi ? links : velocityOf(groupj, U)
                );

                net += part.net;
                gross += part.gross;
                all += part.links;
            }

            // A small net flux is a difference, and its ratio any number
            if (net*all > 0 && min(mag(net), mag(all)) > 0.1*gross)
            {
                scale = net/all;
            }
        }

        forAll(Up, i)
        {
            setVector(i, units.velocityToLattice(scale*toLattice(Up[i])));
        }
    }
    else if (type == "wallStress")
    {
        const auto friction =
            refCast<const wallFunctionLatticePatch>(patches_[patchi])
           .frictionOf(U.boundaryField()[patchi]);

        // A serial run has all values
        const auto whole = [&](const auto& values)
        {
            return
                Pstream::parRun()
              ? boundary_.gather(patchi, values)
              : tmp<std::decay_t<decltype(values)>>(values);
        };

        const vectorField& ownUp = U.boundaryField()[patchi];

        const auto tUp(whole(ownUp));
        const auto tconductance(whole(friction.conductance));
        const auto tdistance(whole(friction.distance));
        const auto tyPlusPerLength(whole(friction.yPlusPerLength));

        const vectorField& Up = tUp();
        const scalarField& conductance = tconductance();
        const scalarField& distance = tdistance();
        const scalarField& yPlusPerLength = tyPlusPerLength();

        const label width = lbm::valuesPerFace(type);

        lbm::inParallel(Up.size(), [&](std::int64_t begin, std::int64_t end)
        {
            for (label i = begin; i < end; ++i)
            {
                double* value = values.data() + i*width;

                const vector Uw(units.velocityToLattice(toLattice(Up[i])));

                for (direction d = 0; d < (twoD_ ? 2 : 3); ++d)
                {
                    value[d] = Uw[d];
                }

                value[3] = units.velocityToLattice(conductance[i]);
                value[4] = distance[i]/dx_;
                value[5] = yPlusPerLength[i]*dx_;
            }
        }, 4096);
    }
    else if (type == "pressure")
    {
        tmp<scalarField> tpp
        (
            patches_[patchi].pressure(p.boundaryField()[patchi])
        );

        if (offset)
        {
            tpp = tpp - offset->boundaryField()[patchi];
        }

        const latticeInflow inflow(U.boundaryField()[patchi]);
        const bool total = patches_[patchi].totalPressure();
        const scalarField floats
        (
            boundary_.gather
            (
                patchi,
                patches_[patchi].floatingPressure
                (
                    U.boundaryField()[patchi],
                    p.boundaryField()[patchi]
                )()
            )
        );
        const scalarField pp(boundary_.gather(patchi, tpp()));
        const vectorField givens(boundary_.gather(patchi, inflow.given));
        const vectorField alongs(boundary_.gather(patchi, inflow.along));

        // Without the last digits: cell centres have the rounding of the order
        // of their faces
        scalarField deltaCoeffs
        (
            boundary_.gather<scalar>(patchi, patch.deltaCoeffs())
        );
        for (scalar& d : deltaCoeffs)
        {
            d = float(d);
        }

        forAll(pp, i)
        {
            double* value = values.data() + i*lbm::valuesPerFace(type);

            const vector given(units.velocityToLattice(toLattice(givens[i])));
            const vector along(toLattice(alongs[i]));

            value[0] = units.pressureToLattice(pp[i] - pReference);

            for (direction d = 0; d < (twoD_ ? 2 : 3); ++d)
            {
                value[1 + d] = given[d];
                value[4 + d] = along[d];
            }

            value[7] = inflow.keep;
            value[8] = total;
            value[9] = inflow.side;
            value[10] =
                units.velocityToLattice(units.nu()*deltaCoeffs[i]);
            value[11] = floats[i];
        }

        const label width = lbm::valuesPerFace(type);

        forAll(blends, i)
        {
            for (label k = 0; k < width; ++k)
            {
                const auto at = [&](const label facei)
                {
                    return values[width*facei + k];
                };

                values[width*(nFaces + i) + k] = blends[i].value(at);
            }
        }
    }

    return values;
}


bool Foam::latticeMapping::straightenInflow
(
    const label groupi,
    std::vector<double>& values
) const
{
    if (description_.groups[groupi].type != "pressure")
    {
        return false;
    }

    bool changed = false;

    const std::size_t width = lbm::valuesPerFace("pressure");

    for (std::size_t i = 0; i + width <= values.size(); i += width)
    {
        double& keep = values[i + 7];

        if (keep == 1 && values[i + 9] == latticeInflow::INFLOW)
        {
            keep = 0;
            changed = true;
        }
    }

    return changed;
}


Foam::labelList Foam::latticeMapping::closestNodes() const
{
    return
        cells_.valid()
      ? cells_->closestNodes(mesh_.nCells())
      : labelList();
}


void Foam::latticeMapping::addToCells
(
    const label first,
    const label count,
    const double* rho,
    const double* u,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (cells_.valid())
    {
        cells_->addNodes(first, count, rho, u, rhoCells, uCells);
        return;
    }

    const scalar share = 1.0/nodesPerCell();
    const label nodesPerThread = latticeCells::nodesPerThread;

    const auto add = [&](const label i, const label celli)
    {
        rhoCells[celli] += share*rho[i];

        if (u)
        {
            uCells[celli] += share*vector(u[3*i], u[3*i + 1], u[3*i + 2]);
        }
    };

    if (nodesPerCell() == 1)
    {
        lbm::inParallel(count, [&](std::int64_t begin, std::int64_t end)
        {
            for (label i = begin; i < end; ++i)
            {
                add(i, nodeCells_[first + i]);
            }
        }, nodesPerThread);
        return;
    }

    const int nParts = lbm::hostThreads(count, nodesPerThread);

    lbm::onThreads(nParts, [&](int thread, int nThreads)
    {
        const latticeCells::partOfCells mine(thread, nThreads);

        for (label i = 0; i < count; ++i)
        {
            const label celli = nodeCells_[first + i];

            if (mine(celli))
            {
                add(i, celli);
            }
        }
    });
}


void Foam::latticeMapping::addRemoteToCells
(
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (cells_.valid() && communicator_)
    {
        cells_->addRemote(*communicator_, rhoCells, uCells);
    }
}


void Foam::latticeMapping::densityNodes
(
    const label celli,
    DynamicList<label>& nodes,
    DynamicList<scalar>& weights
) const
{
    if (cells_.valid())
    {
        cells_->densityNodes(celli, nodes, weights);
        return;
    }

    forAll(nodeCells_, node)
    {
        if (celli != -1 && nodeCells_[node] == celli)
        {
            nodes.append(node);
            weights.append(1.0/nodesPerCell());
        }
    }
}


void Foam::latticeMapping::completeCells
(
    const volVectorField& U,
    const latticeUnits& units,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    if (!cells_.valid())
    {
        return;
    }

    addRemoteToCells(rhoCells, uCells);

    forAll(groupPatches_, groupi)
    {
        if (lbm::givesVelocity(description_.groups[groupi].type))
        {
            const label patchi = groupPatches_[groupi];

            vectorField u
            (
                boundary_.gather
                (
                    patchi,
                    patches_[patchi].velocity(U.boundaryField()[patchi])()
                )
            );

            for (vector& v : u)
            {
                v = units.velocityToLattice(toLattice(v));
            }

            cells_->addFaces(groupi, u, uCells);
        }
    }
}


void Foam::latticeMapping::writeSummary(Ostream& os) const
{
    const std::array<std::int64_t, 3>& size = description_.wholeSize;
    const std::int64_t nBox = size[0]*size[1]*size[2];

    os  << "Mesh: " << returnReduce(mesh_.nCells(), sumOp<label>());

    if (conforming())
    {
        os  << " equal " << (twoD_ ? "squares" : "cubes") << " of "
            << cellSize_ << " m";
    }
    else
    {
        os  << " cells";
    }

    if (twoD_)
    {
        os  << ", normal to " << "xyz"[axes_[2]] << ", " << thickness_
            << " m thick";
    }

    os  << nl
        << "Lattice: " << lattice() << ", spacing " << dx_ << " m, ";

    if (conforming())
    {
        os  << nodesPerCell() << (nodesPerCell() == 1 ? " node" : " nodes")
            << " a cell, ";
    }
    else
    {
        os  << "laid over the mesh, ";
    }

    os  << "box of " << size[0] << " x " << size[1];

    if (!twoD_)
    {
        os  << " x " << size[2];
    }

    if (!conforming())
    {
        writeOverlay(os);
    }

    if (!latticeReason_.empty())
    {
        os  << nl << "    " << lattice() << ": " << latticeReason_.c_str();
    }

    os  << nl
        << "Nodes: " << nWhole_ << " fluid, of which " << nShell_
        << " have links; " << nBox - nWhole_ << " solid" << nl
        << "Links:" << nl;

    forAll(groupPatches_, groupi)
    {
        os  << "    " << description_.groups[groupi].name.c_str() << ": "
            << groupLinks_[groupi] << ' '
            << description_.groups[groupi].type.c_str() << nl;
    }

    if (groupPatches_.empty())
    {
        os  << "    none" << nl;
    }

    os  << "Mapping took " << seconds_ << " s";

    if (!conforming())
    {
        os  << " and up to "
            << returnReduce
               (
                   scalar(overlay_.bytes + cells_->bytes()),
                   maxOp<scalar>()
               )/1e6
            << " MB";
    }

    os  << nl;
}


void Foam::latticeMapping::writeOverlay(Ostream& os) const
{
    const overlayMesh::summary& r = overlay_;

    // The reason goes on to explain; its first line says it
    os  << nl << "    because: "
        << whyOverlay_.substr(0, whyOverlay_.find('\n')).c_str();

    for (std::size_t from = 0; from < r.spacingReason.size(); )
    {
        const std::size_t to =
            std::min(r.spacingReason.find('\n', from), r.spacingReason.size());

        os  << nl << (from ? "             " : "    spacing: ")
            << r.spacingReason.substr(from, to - from).c_str();
        from = to + 1;
    }

    if (r.narrowestPassage > 0)
    {
        os  << nl << "    narrowest passage: " << r.narrowestPassage
            << (r.narrowestPassage == 1 ? " node" : " nodes")
            << " across, near " << r.narrowestPlace << " m";

        if (r.narrowestPassage < 4)
        {
            os  << ": too few for an accurate flow there";
        }
    }

    const auto write = [&](const double n, const char* what)
    {
        if (n > 0)
        {
            os  << nl << "    " << n << ' ' << what;
        }
    };

    write(r.nPockets, "pockets of few nodes, made solid");
    write(r.nThinWalls, "pairs of links across walls without a node between");
    write
    (
        r.nHeld,
        "nodes held without slip, at edges and in gaps of wall functions"
    );
    write(r.nHalfWay, "links with their boundary half-way: no node behind");
    write(r.nNearestFace, "links that met no face, and have the nearest one");
    write(r.nCyclicWalls, "links of cyclic patches without a partner: walls");
    write(r.nNearestCell, "nodes in no cell, given the nearest one");
    write(r.nFacesWithoutLinks, "boundary faces without links");
    write(r.nCellsWithoutNodes, "cells without nodes");

    const auto whole = [](const label n)
    {
        return returnReduce(n, sumOp<label>());
    };

    write(whole(cells_->nMean()), "cells with the mean of their nodes");
    write
    (
        whole(cells_->nFitted()),
        "cells with values fitted to nodes on one side"
    );
    write
    (
        whole(cells_->nNearest()),
        "cells with the value of the nearest node"
    );

    if (r.regionSizes.size() > 1)
    {
        os  << nl << "    " << label(r.regionSizes.size())
            << " regions that are not connected, the smallest of "
            << r.regionSizes.back() << " nodes";
    }
}


Foam::tmp<Foam::volScalarField> Foam::latticeMapping::flags() const
{
    auto tflags = tmp<volScalarField>::New
    (
        IOobject
        (
            "latticeFlags",
            mesh_.time().timeName(),
            mesh_,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        mesh_,
        dimensionedScalar(dimless, Zero)
    );
    volScalarField& flags = tflags.ref();

    if (!shell_.nodes().empty())
    {
        FatalErrorInFunction
            << "The links have been released" << nl
            << abort(FatalError);
    }

    forAll(groupPatches_, groupi)
    {
        const lbm::linkGroup& group = description_.groups[groupi];

        const scalar kind =
            group.type == "cyclic" ? CYCLIC
          : group.type == "slip" ? SLIP
          : group.type == "pressure" ? PRESSURE
          : lbm::givesVelocity(group.type) ? VELOCITY
          : WALL;

        const auto setFlags = [&](const std::vector<std::int64_t>& nodes)
        {
            for (const std::int64_t boxi : nodes)
            {
                scalar& flag = flags[nodeCells_[fluidIndex(boxi)]];
                flag = max(flag, kind);
            }
        };

        setFlags(group.node);

        if (std::size_t(groupi) < cyclicHalos_.size())
        {
            setFlags(cyclicHalos_[groupi].node);
        }
    }

    flags.correctBoundaryConditions();

    return tflags;
}


// ************************************************************************* //
