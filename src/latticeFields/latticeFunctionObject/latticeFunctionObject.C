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

#include "latticeFunctionObject.H"
#include "engineCall.H"
#include "latticeFlow.H"
#include "PstreamReduceOps.H"

#include <functional>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes that are asked for at a time
constexpr label chunk = 1 << 18;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeFunctionObject::findReference
(
    const latticeFlow& flow
) const
{
    foundReference_ = true;
    hasReference_ = false;
    referenceNodes_.clear();
    referenceWeights_.clear();

    const volScalarField* p = mesh_.findObject<volScalarField>("p");
    label referenceCell = -1;

    if
    (
        !p
     || !flow.settings().getReference(*p, referenceCell, referenceValue_)
    )
    {
        return;
    }

    hasReference_ = true;

    if (referenceCell < 0)
    {
        return;
    }

    // The mapping says which cells a node adds to, not the other way round:
    // halve the nodes until one is left
    const latticeMapping& mapping = flow.mapping();
    const label nMax = min(chunk, mapping.nFluid());

    const std::vector<double> rho(nMax, 1), u(3*nMax, 0);
    scalarField rhoCells(mesh_.nCells());
    vectorField uCells(mesh_.nCells());

    const std::function<void(label, label)> search =
        [&](const label first, const label count)
    {
        rhoCells[referenceCell] = 0;
        mapping.addToCells
        (
            first, count, rho.data(), u.data(), rhoCells, uCells
        );

        const scalar weight = rhoCells[referenceCell];

        if (weight == 0)
        {
            return;
        }

        if (count == 1)
        {
            referenceNodes_.append(first);
            referenceWeights_.append(weight);
        }
        else
        {
            search(first, count/2);
            search(first + count/2, count - count/2);
        }
    };

    rhoCells = 0;
    uCells = Zero;

    for (label first = 0; first < mapping.nFluid(); first += nMax)
    {
        search(first, min(nMax, mapping.nFluid() - first));
    }
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeFunctionObject::refuseParallel
(
    const dictionary& dict
) const
{
    if (Pstream::parRun())
    {
        FatalIOErrorInFunction(dict)
            << type() << ' ' << name() << ": found a parallel run of "
            << Pstream::nProcs() << " processes, possible is a serial one"
            << exit(FatalIOError);
    }
}


const Foam::latticeFlow*
Foam::functionObjects::latticeFunctionObject::findFlow() const
{
    return mesh_.findObject<latticeFlow>(latticeFlow::typeName);
}


const Foam::latticeFlow*
Foam::functionObjects::latticeFunctionObject::findFlow
(
    const char* alternative
) const
{
    const latticeFlow* flow = findFlow();

    if (!flow && !warned_)
    {
        warned_ = true;

        WarningInFunction
            << type() << ' ' << name() << ": there is no lattice here, and so"
            << " it does nothing." << nl
            << "    It works in a running lbmGpuFoam; " << alternative << '.'
            << endl;
    }

    return flow;
}


Foam::scalar Foam::functionObjects::latticeFunctionObject::pReference
(
    const latticeFlow& flow
) const
{
    if (!foundReference_)
    {
        findReference(flow);
    }

    if (!hasReference_)
    {
        return flow.pReference();
    }

    scalar sum = 0;

    forAll(referenceNodes_, i)
    {
        double rho, u[3];

        engineCall
        (
            [&]
            {
                flow.engine().macroscopic(referenceNodes_[i], 1, &rho, u);
            }
        );

        sum += referenceWeights_[i]*rho;
    }

    // One process has the cell
    reduce(sum, sumOp<scalar>());

    return referenceValue_ - flow.units().pressureToSI(sum);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeFunctionObject::latticeFunctionObject
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict),
    referenceNodes_(),
    referenceWeights_(),
    referenceValue_(0),
    hasReference_(false),
    foundReference_(false),
    warned_(false)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeFunctionObject::read(const dictionary& dict)
{
    foundReference_ = false;

    return fvMeshFunctionObject::read(dict);
}


// ************************************************************************* //
