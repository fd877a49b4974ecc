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

    flow.mapping().densityNodes
    (
        referenceCell,
        referenceNodes_,
        referenceWeights_
    );
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

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

    // Nodes of several processes may make that of the cell
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
