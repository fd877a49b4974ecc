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

#include "latticeFlow.H"
#include "effectiveViscosity.H"
#include "wallFunctionLatticePatch.H"
#include "wallFvPatch.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Spacing in wall units up to which a boundary layer is resolved: with 8, the
//  friction velocity of a channel is 12 to 24 % too low
constexpr scalar resolvedSpacing = 4;

//- Walls with a wall function whose radius of curvature is smaller, in spacings:
//  cylinders of 10 and 20 had a drag below zero
constexpr scalar slippedRadius = 50;

//- Edges where two faces turn by more than this [rad] are none of a smooth wall
constexpr scalar sharpTurn = 0.5;

//- Above this the compressibility error, Ma^2, is some per cent
constexpr scalar largeMach = 0.3;

//- Largest component of a normal from which on a wall lies along an axis for the
//  lattice (axisOf)
constexpr scalar alongAxis = 0.99995;


//- Mean turn of a patch from face to face over the distance of their centres
//  [1/m], without sharp edges
scalar curvature(const polyPatch& patch)
{
    const vectorField& n = patch.faceNormals();
    const vectorField& C = patch.faceCentres();

    scalar turn = 0;
    scalar distance = 0;

    for (label edgei = 0; edgei < patch.nInternalEdges(); ++edgei)
    {
        const labelList& faces = patch.edgeFaces()[edgei];

        if (faces.size() != 2)
        {
            continue;
        }

        const scalar turned = mag(n[faces[0]] - n[faces[1]]);

        if (turned < sharpTurn)
        {
            const scalar length =
                patch.edges()[edgei].mag(patch.localPoints());

            turn += turned*length;
            distance += mag(C[faces[0]] - C[faces[1]])*length;
        }
    }

    reduce(turn, sumOp<scalar>());
    reduce(distance, sumOp<scalar>());

    return turn/max(distance, VSMALL);
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::checkViscosity() const
{
    // The rate of relaxation is 2 without viscosity
    const bool inDouble = settings_.precision() == "double";
    const scalar rate = 1/units_->tau();
    const scalar rounded = inDouble ? rate : scalar(float(rate));

    if (rounded < 2)
    {
        return;
    }

    // The next smaller number
    const scalar below =
        inDouble
      ? std::nextafter(2.0, 0.0)
      : scalar(std::nextafter(2.0f, 0.0f));

    const scalar least = (1/below - 0.5)*sqr(units_->dx())/(3*units_->dt());

    const IOdictionary* dict =
        U_.db().findObject<IOdictionary>("transportProperties");

    FatalIOErrorInFunction(dict ? *dict : settings_.dict())
        << "Found nu = " << nu_ << " m2/s: the relaxation time of the lattice,"
        << " 1/2 + 3 nu dt/dx^2, rounds to 1/2 in precision "
        << settings_.precision() << nl
        << "    possible : nu above " << least << " m2/s with the spacing "
        << units_->dx() << " m and the step " << units_->dt()
        << " s of the lattice"
        << (inDouble ? "" : "; precision double")
        << exit(FatalIOError);
}


void Foam::latticeFlow::checkCellReynolds() const
{
    const scalar Re = units_->cellReynolds(Uref_);
    const std::string& collision = engineSettings_.collision;
    const scalar limit = lbm::traitsOf(collision).cellReynoldsLimit;

    if (Re <= limit)
    {
        return;
    }

    const bool spacing = settings_.latticeSpacing() > 0;

    WarningInFunction
        << "The cell Reynolds number is " << Re << ", above " << limit
        << " collision " << collision.c_str() << " tends to diverge."
        << nl << "    What would do: a lattice spacing of "
        << limit*nu_/Uref_ << " m, with "
        << (spacing ? "latticeSpacing " : "refinement ")
        << (
               spacing
             ? limit*nu_/Uref_
             : std::ceil(refinement_*Re/limit)
           )
        << " in LBM of system/fvSolution, or collision auto." << nl << endl;
}


void Foam::latticeFlow::checkCurvedWalls() const
{
    labelHashSet patches;
    wordList curved;

    forAll(mapping_->groupPatches(), groupi)
    {
        const polyPatch& patch =
            U_.mesh().boundaryMesh()[mapping_->groupPatches()[groupi]];

        if
        (
            mapping_->description().groups[groupi].type == "wallStress"
         && patches.insert(patch.index())
         && curvature(patch)*units_->dx()*slippedRadius > 1
        )
        {
            curved.append(patch.name());
        }
    }

    if (curved.size())
    {
        WarningInFunction
            << "The flow slips along " << flatOutput(curved)
            << ", curved walls with a wall function:" << nl
            << "    their mean radius is less than " << slippedRadius
            << " spacings (latticeSpacing, now " << units_->dx() << " m)," << nl
            << "    it hardly separates from them, and their drag can be"
            << " wrong, even negative." << nl
            << "    Possible: without a wall function (nut calculated) the"
            << " lattice holds the flow at them," << nl
            << "    which suits bodies that are not slender."
            << nl << endl;
    }
}


void Foam::latticeFlow::checkMovingWalls() const
{
    labelHashSet patches;
    wordList oblique;

    forAll(mapping_->groupPatches(), groupi)
    {
        const label patchi = mapping_->groupPatches()[groupi];
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if
        (
            mapping_->description().groups[groupi].type != "wallStress"
         || !patches.insert(patchi)
         || gMax(mag(Up)()) <= 0
        )
        {
            continue;
        }

        const tmp<vectorField> n(Up.patch().nf());
        scalar along = 1;

        for (const vector& ni : n())
        {
            along = min(along, cmptMax(cmptMag(mapping_->toLattice(ni))));
        }

        if (returnReduce(along, minOp<scalar>()) < alongAxis)
        {
            oblique.append(Up.patch().name());
        }
    }

    if (oblique.size())
    {
        WarningInFunction
            << "The walls " << flatOutput(oblique)
            << " move, have a wall function, and do not lie along the axes"
            << " of the lattice:" << nl
            << "    the fluid loses more momentum at such walls than a wall"
            << " function gives it, so that a flow" << nl
            << "    which they alone drive is wrong."
            << nl << "    Possible: a mesh whose moving walls lie along the"
            << " axes" << nl << endl;
    }
}


void Foam::latticeFlow::checkWalls()
{
    if (!viscosity_.usesFlux())
    {
        return;
    }

    labelHashSet patches;
    wordList unresolved;

    forAll(mapping_->groupPatches(), groupi)
    {
        const label patchi = mapping_->groupPatches()[groupi];
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (!isA<wallFvPatch>(Up.patch()) || !patches.insert(patchi))
        {
            continue;
        }

        const scalarField spacing
        (
            units_->dx()
           *wallFunctionLatticePatch::frictionOf(Up).yPlusPerLength
        );

        Info<< "Lattice spacing in wall units at " << Up.patch().name()
            << " min: " << gMin(spacing) << " max: " << gMax(spacing)
            << " average: " << gAverage(spacing) << endl;

        if
        (
            gAverage(spacing) > resolvedSpacing
         && mapping_->description().groups[groupi].type != "wallStress"
        )
        {
            unresolved.append(Up.patch().name());
        }
    }

    if (unresolved.size() && !warnedWalls_)
    {
        warnedWalls_ = true;

        WarningInFunction
            << "The lattice does not resolve the boundary layers of "
            << flatOutput(unresolved) << ", which have no wall function:" << nl
            << "    their friction will be too low. Possible: a wall function"
            << " of nut, say nutUSpaldingWallFunction, or a" << nl
            << "    spacing of at most " << resolvedSpacing
            << " wall units (latticeSpacing, now " << units_->dx() << " m)."
            << nl << endl;
    }
}


void Foam::latticeFlow::checkInflow() const
{
    if (!mapping_->closed())
    {
        return;
    }

    scalar net = 0;
    scalar total = 0;

    for (const label patchi : mapping_->groupPatches())
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (Up.fixesValue())
        {
            const scalarField flux(Up & Up.patch().Sf());

            net += gSum(flux);
            total += gSum((mag(Up)*Up.patch().magSf())());
        }
    }

    if (mag(net) > 1e-6*total)
    {
        WarningInFunction
            << "The velocities at the boundary let " << mag(net)
            << " m3/s more " << (net > 0 ? "out than in" : "in than out")
            << ", and no patch fixes the pressure." << nl
            << "    An incompressible flow cannot do so. The mean density is"
            << " held at its start;" << nl
            << "    the mass drift in the log is what was corrected." << nl
            << endl;
    }
}


void Foam::latticeFlow::checkMach()
{
    const scalar U = units_->velocityToSI(scalar(statistics_.maxSpeed));
    const scalar Ma = units_->mach(U);

    if (Ma > largeMach && !warnedMach_)
    {
        warnedMach_ = true;

        WarningInFunction
            << "The Mach number has reached " << Ma << ", aimed at was "
            << settings_.maxMach() << "." << nl
            << "    Errors from compressibility grow with its square. "
            << (
                   settings_.adaptiveStep()
                 ? "The lattice step follows; to start with a smaller one, give"
                 : "Give"
               )
            << " referenceVelocity in LBM of system/fvSolution (now " << Uref_
            << " m/s, reached " << U << " m/s)." << endl;
    }
}


// ************************************************************************* //
