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
#include "latticeUnits.H"
#include "localIOdictionary.H"
#include "Pstream.H"

#include <algorithm>
#include <cstring>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::checkMesh(const fvMesh& mesh)
{
    if (Pstream::parRun())
    {
        FatalErrorInFunction
            << "The case is decomposed into " << Pstream::nProcs()
            << " domains" << nl
            << "    Possible is a run on one process; its backends use all"
            << " cores, or a GPU" << nl
            << exit(FatalError);
    }

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
    const volScalarField& p
)
{
    patches_.setSize(mesh_.boundary().size());

    DynamicList<label> groups(patches_.size());

    for (const fvPatch& patch : mesh_.boundary())
    {
        // Unlike that of fvPatch, this size counts the faces of empty patches
        if (patch.patch().size())
        {
            patches_.set(patch.index(), latticePatch::New(patch, U, p).ptr());

            if (!patches_[patch.index()].linkType().empty())
            {
                groups.append(patch.index());
            }
        }
    }

    groupPatches_.transfer(groups);
    description_.groups.resize(groupPatches_.size());

    forAll(groupPatches_, groupi)
    {
        const latticePatch& lp = patches_[groupPatches_[groupi]];

        description_.groups[groupi].name = lp.patch().name();
        description_.groups[groupi].type = lp.linkType();
    }
}


void Foam::latticeMapping::setNodes(conformingMesh& cells)
{
    const std::int64_t n = refinement_;
    const std::int64_t nz = twoD_ ? 1 : n;
    const std::array<std::int64_t, 3> nCells(cells.size());

    description_.size = {n*nCells[0], n*nCells[1], nz*nCells[2]};

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

    lineStart_.assign(size[1]*size[2] + 1, 0);

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

            if (i % size[0] == 0)
            {
                lineStart_[i/size[0]] = nFluid;
            }
            if (cellAt[i] != -1)
            {
                cellAt[nFluid++] = cellAt[i];
            }
        }

        lineStart_.back() = nFluid;
        cellAt.setSize(nFluid);
        nodeCells_.transfer(cellAt);

        return;
    }

    const labelList cellAt(cells.takeCells());

    description_.fluid.resize(size[0]*size[1]*size[2]);
    nodeCells_.setSize(label(nNodes));

    std::int64_t boxi = 0;
    std::int64_t line = 0;
    label fluidi = 0;

    for (std::int64_t k = 0; k < size[2]; ++k)
    {
        for (std::int64_t j = 0; j < size[1]; ++j)
        {
            const std::int64_t cellLine =
                nCells[0]*(j/n + nCells[1]*(k/nz));

            lineStart_[line++] = fluidi;

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

    lineStart_.back() = fluidi;
}


void Foam::latticeMapping::setWallDistance(const conformingMesh& cells)
{
    bool walls[3] = {false, false, false};

    for (const auto& keyFace : cells.boundaryFaces())
    {
        const label patchi = mesh_.boundaryMesh().patchID()
        [
            keyFace.second - mesh_.nInternalFaces()
        ];

        if (!patches_[patchi].coupled())
        {
            walls[(keyFace.first % 8)/2] = true;
        }
    }

    scalar narrowest = GREAT;
    scalar widest = 0;

    for (int a = 0; a < (twoD_ ? 2 : 3); ++a)
    {
        const scalar extent = dx_*description_.size[a];

        widest = max(widest, extent);
        if (walls[a])
        {
            narrowest = min(narrowest, extent);
        }
    }

    wallDistance_ = narrowest < GREAT ? narrowest : widest;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeMapping::latticeMapping
(
    const fvMesh& mesh,
    const latticeSettings& settings,
    const volVectorField& U,
    const volScalarField& p
)
:
    mesh_(mesh),
    refinement_(settings.refinement()),
    nShell_(0)
{
    checkMesh(mesh);
    setPatches(U, p);

    conformingMesh cells(mesh);

    axes_ = cells.axes();
    twoD_ = cells.twoD();
    dx_ = cells.cellSize()/refinement_;
    thickness_ = twoD_ ? cells.thickness() : dx_;
    origin_ = cells.origin();

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

    setNodes(cells);
    setWallDistance(cells);
    setLinks(cells, U);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeMapping::releaseLinks()
{
    shell_ = latticeShell(description_, lattice(), groupPatches_);

    for (lbm::linkGroup& group : description_.groups)
    {
        lbm::linkGroup released;
        released.name = group.name;
        released.type = group.type;
        group = std::move(released);
    }
}


Foam::word Foam::latticeMapping::lattice() const
{
    return twoD_ ? "D2Q9" : "D3Q19";
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

    const std::int64_t nx = description_.size[0];

    const std::int64_t line =
        std::upper_bound(lineStart_.begin(), lineStart_.end(), fluidNode)
      - lineStart_.begin() - 1;

    std::int64_t rest = fluidNode - lineStart_[line];

    if (lineStart_[line + 1] - lineStart_[line] == nx)
    {
        return line*nx + rest;
    }

    std::int64_t boxi = line*nx;

    while (!description_.fluid[boxi] || rest--)
    {
        ++boxi;
    }

    return boxi;
}


Foam::label Foam::latticeMapping::fluidIndex(const std::int64_t boxIndex) const
{
    if (!description_.fluid[boxIndex])
    {
        return -1;
    }

    const std::int64_t nx = description_.size[0];
    const std::int64_t line = boxIndex/nx;

    if (lineStart_[line + 1] - lineStart_[line] == nx)
    {
        return lineStart_[line] + boxIndex % nx;
    }

    return
        lineStart_[line]
      + std::count
        (
            description_.fluid.begin() + line*nx,
            description_.fluid.begin() + boxIndex,
            std::uint8_t(1)
        );
}


Foam::point Foam::latticeMapping::boxCentre(const std::int64_t boxIndex) const
{
    const std::array<std::int64_t, 3>& size = description_.size;

    point centre(origin_);
    centre[axes_[0]] += (boxIndex % size[0] + 0.5)*dx_;
    centre[axes_[1]] += ((boxIndex/size[0]) % size[1] + 0.5)*dx_;
    centre[axes_[2]] +=
        twoD_
      ? 0.5*thickness_
      : (boxIndex/(size[0]*size[1]) + 0.5)*dx_;

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


bool Foam::latticeMapping::closed() const
{
    forAll(patches_, patchi)
    {
        if (patches_.set(patchi) && patches_[patchi].fixesPressure())
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
    const latticeUnits& units
) const
{
    std::vector<double> values;

    if (groupPatch(groupi).hasVelocity())
    {
        const fvPatchVectorField& Up =
            U.boundaryField()[groupPatches_[groupi]];

        values.resize(3*Up.size());

        forAll(Up, i)
        {
            const vector u(units.velocityToLattice(toLattice(Up[i])));

            values[3*i] = u.x();
            values[3*i + 1] = u.y();
            values[3*i + 2] = twoD_ ? 0 : u.z();
        }
    }

    return values;
}


Foam::scalar Foam::latticeMapping::referenceVelocity
(
    const volVectorField& U,
    const latticeSettings& settings,
    const scalar nu,
    string& reason
) const
{
    if (settings.referenceVelocity() > 0)
    {
        reason = "entry referenceVelocity";
        return settings.referenceVelocity();
    }

    scalar Uref = 0;
    word varying;

    for (const label patchi : groupPatches_)
    {
        if (!patches_[patchi].hasVelocity())
        {
            continue;
        }

        for (const vector& u : U.boundaryField()[patchi])
        {
            if (mag(u) > Uref)
            {
                Uref = mag(u);
                reason =
                    "largest speed at the boundary, patch "
                  + mesh_.boundary()[patchi].name();
            }
        }

        if (patches_[patchi].timeVarying())
        {
            varying = mesh_.boundary()[patchi].name();
        }
    }

    forAll(U, celli)
    {
        if (mag(U[celli]) > Uref)
        {
            Uref = mag(U[celli]);
            reason = "largest initial speed, cell " + name(celli);
        }
    }

    const scalar g = mag(settings.bodyForce());

    if (g > 0)
    {
        const scalar laminar = g*sqr(wallDistance_)/(8*nu);
        const scalar turbulent = 20*Foam::sqrt(g*wallDistance_/2);
        const scalar Uforce = min(laminar, turbulent);

        if (Uforce > Uref)
        {
            Uref = Uforce;
            reason =
                string("estimate for the body force in a ")
              + (laminar < turbulent ? "laminar" : "turbulent")
              + " channel " + name(wallDistance_) + " m wide";
        }
    }

    if (Uref == 0)
    {
        reason =
            "nothing moves at the start: only the relaxation time limits the"
            " lattice step";
    }

    if (!varying.empty())
    {
        reason +=
            "; the velocity of patch " + varying + " may change in time: if it"
            " grows, set referenceVelocity";
    }

    return Uref;
}


void Foam::latticeMapping::writeSummary(Ostream& os) const
{
    const std::array<std::int64_t, 3>& size = description_.size;
    const std::int64_t nBox = size[0]*size[1]*size[2];

    os  << "Mesh: " << mesh_.nCells() << " equal "
        << (twoD_ ? "squares" : "cubes") << " of " << dx_*refinement_ << " m";

    if (twoD_)
    {
        os  << ", normal to " << "xyz"[axes_[2]] << ", " << thickness_
            << " m thick";
    }

    os  << nl
        << "Lattice: " << lattice() << ", spacing " << dx_ << " m, "
        << nodesPerCell() << (nodesPerCell() == 1 ? " node" : " nodes")
        << " a cell, box of " << size[0] << " x " << size[1];

    if (!twoD_)
    {
        os  << " x " << size[2];
    }

    os  << nl
        << "Nodes: " << nFluid() << " fluid, of which " << nShell_
        << " have links; " << nBox - nFluid() << " solid" << nl
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

    forAll(groupPatches_, groupi)
    {
        const lbm::linkGroup& group = description_.groups[groupi];

        if (std::int64_t(group.size()) != groupLinks_[groupi])
        {
            FatalErrorInFunction
                << "The links have been released" << nl
                << abort(FatalError);
        }

        const scalar kind =
            groupPatch(groupi).coupled() ? CYCLIC
          : groupPatch(groupi).hasVelocity() ? MOVING_WALL
          : WALL;

        for (const std::int64_t boxi : group.node)
        {
            scalar& flag = flags[nodeCells_[fluidIndex(boxi)]];
            flag = max(flag, kind);
        }
    }

    flags.correctBoundaryConditions();

    return tflags;
}


// ************************************************************************* //
