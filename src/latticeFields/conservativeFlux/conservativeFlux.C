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

#include "conservativeFlux.H"
#include "latticeMapping.H"
#include "profiling.H"
#include "processorFvPatch.H"
#include "regionSplit.H"
#include "Time.H"
#include "wallPolyPatch.H"
#include "engine.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::conservativeFlux::close
(
    const volVectorField& U,
    surfaceScalarField& phi
) const
{
    // Of a wall that moves along itself
    constexpr scalar rounding = 1e-10;

    forAll(tight_, patchi)
    {
        fvsPatchScalarField& phip = phi.boundaryFieldRef()[patchi];

        if (tight_[patchi])
        {
            phip == scalar(0);
        }
        else if (movingWall_[patchi])
        {
            const scalarField& magSf = mesh_.magSf().boundaryField()[patchi];
            const vectorField& Up = U.boundaryField()[patchi];

            forAll(phip, facei)
            {
                if (mag(phip[facei]) < rounding*mag(Up[facei])*magSf[facei])
                {
                    phip[facei] = 0;
                }
            }
        }
    }
}


Foam::tmp<Foam::scalarField> Foam::conservativeFlux::unbalanced
(
    const surfaceScalarField& phi
) const
{
    auto tresult = tmp<scalarField>::New(mesh_.nCells(), Zero);

    if (refCells_.empty())
    {
        return tresult;
    }

    const scalarField& V = mesh_.V();

    scalarField leaves(refCells_.size(), Zero);
    scalarField volume(refCells_.size(), Zero);

    forAll(phi.boundaryField(), patchi)
    {
        const fvsPatchScalarField& phip = phi.boundaryField()[patchi];
        const labelUList& cells = mesh_.boundary()[patchi].faceCells();

        // Inside of the fluid
        if (isA<processorFvPatch>(phip.patch()))
        {
            continue;
        }

        forAll(phip, facei)
        {
            const label parti = closedPart_[cells[facei]];

            // What passes a pair of cyclic patches is counted on both
            if (parti >= 0)
            {
                leaves[parti] += phip[facei];
            }
        }
    }

    forAll(closedPart_, celli)
    {
        if (closedPart_[celli] >= 0)
        {
            volume[closedPart_[celli]] += V[celli];
        }
    }

    for (scalarField* sums : {&leaves, &volume})
    {
        Pstream::listCombineGather(*sums, plusEqOp<scalar>());
        Pstream::listCombineScatter(*sums);
    }

    forAll(closedPart_, celli)
    {
        const label parti = closedPart_[celli];

        if (parti >= 0)
        {
            tresult.ref()[celli] = V[celli]*leaves[parti]/volume[parti];
        }
    }

    return tresult;
}


void Foam::conservativeFlux::printErrors(const scalarField& net)
{
    const scalar scale = mesh_.time().deltaTValue()/gSum(mesh_.V().field());

    const scalar local = scale*gSum(mag(net)());
    const scalar global = scale*gSum(net);

    cumulative_ += global;

    Info<< "time step continuity errors : sum local = " << local
        << ", global = " << global
        << ", cumulative = " << cumulative_ << endl;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::conservativeFlux::conservativeFlux
(
    const fvMesh& mesh,
    const latticeMapping& mapping
)
:
    mesh_(mesh),
    potential_(mesh, mapping),
    tight_(mesh.boundary().size(), false),
    movingWall_(mesh.boundary().size(), false),
    closedPart_(),
    refCells_(),
    cumulative_(0),
    warned_(false)
{
    forAll(mapping.groupPatches(), groupi)
    {
        const label patchi = mapping.groupPatches()[groupi];
        const word type(mapping.groupPatch(groupi).linkTypes()[0]);

        tight_[patchi] =
            type == "wall" || type == "slip" || type == "wallStress";
        movingWall_[patchi] =
            lbm::givesVelocity(type)
         && isA<wallPolyPatch>(mesh.boundaryMesh()[patchi]);
    }

    const regionSplit parts(mesh);

    boolList open(parts.nRegions(), false);

    forAll(mesh.boundary(), patchi)
    {
        const labelUList& cells = mesh.boundary()[patchi].faceCells();

        forAll(cells, facei)
        {
            if (potential_.open(patchi, facei))
            {
                open[parts[cells[facei]]] = true;
            }
        }
    }

    Pstream::listCombineGather(open, orEqOp<bool>());
    Pstream::listCombineScatter(open);

    labelList number(parts.nRegions(), -1);
    label nClosed = 0;

    forAll(number, parti)
    {
        if (!open[parti])
        {
            number[parti] = nClosed++;
        }
    }

    closedPart_.setSize(mesh.nCells(), -1);
    refCells_.setSize(nClosed, -1);

    forAll(closedPart_, celli)
    {
        const label parti = number[parts[celli]];

        if (parti >= 0)
        {
            closedPart_[celli] = parti;

            if (refCells_[parti] < 0)
            {
                refCells_[parti] = celli;
            }
        }
    }

    // The first process that has cells of a part has its cell
    labelList process(nClosed, Pstream::nProcs());

    forAll(process, parti)
    {
        if (refCells_[parti] >= 0)
        {
            process[parti] = Pstream::myProcNo();
        }
    }

    Pstream::listCombineGather(process, minEqOp<label>());
    Pstream::listCombineScatter(process);

    forAll(process, parti)
    {
        if (process[parti] != Pstream::myProcNo())
        {
            refCells_[parti] = -1;
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::conservativeFlux::cheap(const label nCells, const scalar nUpdates)
{
    constexpr label fewCells = 100000;

    // Of a solution [s/cell], and of a device [s/update]: which files hold
    // conservative fluxes must not depend on the machine
    constexpr scalar solutionTime = 1e-6;
    constexpr scalar updateTime = 1e-10;

    constexpr scalar part = 0.02;

    return
        nCells <= fewCells
     || solutionTime*nCells < part*updateTime*nUpdates;
}


void Foam::conservativeFlux::correct
(
    const volVectorField& U,
    surfaceScalarField& phi
)
{
    addProfiling(correct, "conservativeFlux::correct");

    close(U, phi);

    scalar largest = gMax(mag(phi.primitiveField())());

    for (const fvsPatchScalarField& phip : phi.boundaryField())
    {
        if (phip.size())
        {
            largest = max(largest, max(mag(phip)));
        }
    }

    reduce(largest, maxOp<scalar>());

    const tmp<scalarField> keep(unbalanced(phi));

    if (!warned_ && gMax(mag(keep())()) > tolerance*largest)
    {
        warned_ = true;

        WarningInFunction
            << "Time " << mesh_.time().timeName() << " s: " << gSum(keep())
            << " m3/s leave through patches that give the velocity and do not"
            << " enter, and no patch gives the pressure and lets them in." << nl
            << "    phi is not conservative: its divergence is "
            << gMax((mag(keep())/mesh_.V())()) << " 1/s in all cells." << endl;
    }

    const bool converged = potential_.removeDivergence
    (
        phi,
        keep(),
        refCells_,
        tolerance*largest
    );

    const tmp<scalarField> net(fluxPotential::sumOf(phi));

    if (!converged)
    {
        WarningInFunction
            << "Time " << mesh_.time().timeName()
            << " s: phi is not conservative: up to "
            << gMax(mag(net() - keep())()) << " m3/s leave a cell and do not"
            << " enter, the largest flux of a face is " << largest << " m3/s."
            << endl;
    }

    printErrors(net());
}


// ************************************************************************* //
