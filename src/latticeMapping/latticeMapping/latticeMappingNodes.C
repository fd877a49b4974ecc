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
#include "latticeMemory.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

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


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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


// ************************************************************************* //
