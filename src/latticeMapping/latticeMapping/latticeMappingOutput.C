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
#include "PstreamReduceOps.H"
#include "Time.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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
