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

#include "fluxPotential.H"
#include "latticeMapping.H"
#include "fvMatrices.H"
#include "fvcSurfaceIntegrate.H"
#include "gaussGrad.H"
#include "gaussLaplacianScheme.H"
#include "linear.H"
#include "lduPrimitiveMesh.H"
#include "mixedFvPatchFields.H"
#include "pairGAMGAgglomeration.H"
#include "processorFvPatch.H"
#include "uncorrectedSnGrad.H"
#include "wallPolyPatch.H"
#include "engine.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Corrections at most
constexpr label maxCorrections = 50;

//- Cells below which multigrid has nothing to offer
constexpr label fewCells = 2000;


//- Let multigrid agglomerate the cells as it does first of all: each
//  agglomeration walks through them in the direction opposite to the one
//  before. Solutions have the same bits whatever was solved earlier
void forgetAgglomeration(const fvMesh& mesh)
{
    GAMGAgglomeration* old =
        mesh.thisDb().getObjectPtr<GAMGAgglomeration>
        (
            GAMGAgglomeration::typeName
        );

    if (old)
    {
        old->checkOut();
    }

    // Of five cells in a row, the one in the middle joins the last two if the
    // walk begins at the first
    labelList lower({0, 1, 2, 3});
    labelList upper({1, 2, 3, 4});
    const lduPrimitiveMesh row(5, lower, upper, UPstream::worldComm, false);
    const scalarField weights(4, scalar(1));

    label n;
    const labelField first
    (
        pairGAMGAgglomeration::agglomerate(n, row.lduAddr(), weights)
    );

    if (first[2] == first[4])
    {
        pairGAMGAgglomeration::agglomerate(n, row.lduAddr(), weights);
    }
}


//- Along a component of space
vector unitVector(const direction d)
{
    vector result(Zero);
    result[d] = 1;
    return result;
}


//- No lines of the solvers while this lives
class quietSolvers
{
    const label old_;

public:

    quietSolvers()
    :
        old_(solverPerformance::debug)
    {
        solverPerformance::debug = 0;
    }

    ~quietSolvers()
    {
        solverPerformance::debug = old_;
    }
};


//- Largest sine, or so, of the angle between the normal of a face and the line
//  between its cells
scalar largestCorrection(const fvMesh& mesh)
{
    const surfaceVectorField& corrections = mesh.nonOrthCorrectionVectors();

    scalar largest = gMax(mag(corrections.primitiveField())());

    for (const fvsPatchVectorField& patch : corrections.boundaryField())
    {
        if (isA<processorFvPatch>(patch.patch()) && patch.size())
        {
            largest = max(largest, max(mag(patch)));
        }
    }

    return returnReduce(largest, maxOp<scalar>());
}


//- A laplacian without its non-orthogonal part
tmp<fv::laplacianScheme<scalar, scalar>> orthogonalLaplacian
(
    const fvMesh& mesh
)
{
    return tmp<fv::laplacianScheme<scalar, scalar>>
    (
        new fv::gaussLaplacianScheme<scalar, scalar>
        (
            mesh,
            tmp<surfaceInterpolationScheme<scalar>>(new linear<scalar>(mesh)),
            tmp<fv::snGradScheme<scalar>>
            (
                new fv::uncorrectedSnGrad<scalar>(mesh)
            )
        )
    );
}


//- Let x, whose patches are mixed, have a value on these faces, and no gradient
//  on the others
template<class Condition>
void setValue(volScalarField& x, const scalar value, const Condition& isFixed)
{
    forAll(x.boundaryField(), patchi)
    {
        fvPatchScalarField& patch = x.boundaryFieldRef()[patchi];

        if (isA<mixedFvPatchScalarField>(patch))
        {
            mixedFvPatchScalarField& mixed =
                refCast<mixedFvPatchScalarField>(patch);

            mixed.refValue() = value;
            mixed.refGrad() = Zero;

            forAll(mixed, facei)
            {
                mixed.valueFraction()[facei] = isFixed(patchi, facei);
            }
        }
    }

    x.correctBoundaryConditions();
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::fluxPotential::fluxPotential
(
    const fvMesh& mesh,
    const latticeMapping& mapping,
    const scalar converged
)
:
    mesh_(mesh),
    converged_(converged),
    open_(mesh_.boundary().size()),
    wall_(mesh_.boundary().size(), false),
    closed_(mapping.closed()),
    orthogonal_(largestCorrection(mesh) < 1e-6),
    mobility_
    (
        temporary("mobility", mesh),
        mesh,
        dimensionedScalar("one", dimless, 1)
    ),
    nSolutions_(0)
{
    forAll(open_, patchi)
    {
        open_[patchi].setSize(mesh_.boundary()[patchi].size(), false);
    }

    forAll(mapping.groupPatches(), groupi)
    {
        const latticePatch& patch = mapping.groupPatch(groupi);
        const wordList types(patch.linkTypes());

        const label patchi = mapping.groupPatches()[groupi];

        wall_[patchi] =
            types[0] == "wall"
         || types[0] == "wallStress"
         || (
                lbm::givesVelocity(types[0])
             && isA<wallPolyPatch>(mesh_.boundaryMesh()[patchi])
            );

        boolList& open = open_[patchi];

        forAll(open, facei)
        {
            open[facei] = types[patch.linkTypeOf(facei)] == "pressure";
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::dictionary Foam::fluxPotential::solverControls
(
    const fvMesh& mesh,
    const bool once,
    const scalar converged
)
{
    dictionary controls;

    if (returnReduce(mesh.nCells(), sumOp<label>()) < fewCells)
    {
        controls.add("solver", word("PCG"));
        controls.add("preconditioner", word("DIC"));
    }
    else
    {
        forgetAgglomeration(mesh);

        controls.add("solver", word("GAMG"));
        controls.add("smoother", word("DICGaussSeidel"));
        controls.add("cacheAgglomeration", false);
    }

    controls.add("tolerance", 0.1*converged);
    controls.add("relTol", scalar(once ? 0 : 1e-3));
    controls.add("maxIter", 10000);

    return controls;
}


Foam::IOobject Foam::fluxPotential::temporary
(
    const word& name,
    const fvMesh& mesh
)
{
    return IOobject
    (
        name,
        mesh.time().timeName(),
        mesh,
        IOobject::NO_READ,
        IOobject::NO_WRITE,
        false
    );
}


Foam::wordList Foam::fluxPotential::patchTypes
(
    const fvMesh& mesh,
    const word& type
)
{
    wordList types(mesh.boundary().size(), type);

    forAll(types, patchi)
    {
        const word& patch = mesh.boundaryMesh()[patchi].type();

        if (polyPatch::constraintType(patch))
        {
            types[patchi] = patch;
        }
    }

    return types;
}


Foam::tmp<Foam::surfaceScalarField> Foam::fluxPotential::fluxOf
(
    const volVectorField& U
)
{
    return linear<vector>(U.mesh()).dotInterpolate(U.mesh().Sf(), U);
}


Foam::tmp<Foam::scalarField> Foam::fluxPotential::sumOf
(
    const surfaceScalarField& phi
)
{
    auto tsum = tmp<scalarField>::New(phi.mesh().nCells(), Zero);

    fvc::surfaceIntegrate(tsum.ref(), phi);
    tsum.ref() *= phi.mesh().V();

    return tsum;
}


Foam::scalarField Foam::fluxPotential::netFlux
(
    const surfaceScalarField& phi
) const
{
    scalarField net(sumOf(phi));

    if (closed_)
    {
        const scalarField& V = mesh_.V();
        net -= V*(gSum(net)/gSum(V));
    }

    return net;
}


Foam::tmp<Foam::surfaceScalarField> Foam::fluxPotential::gradientFlux
(
    const volScalarField& x
) const
{
    tmp<surfaceScalarField> tflux
    (
        fv::snGradScheme<scalar>::snGrad
        (
            x,
            mesh_.nonOrthDeltaCoeffs(),
            "snGrad"
        )
       *mesh_.magSf()
    );

    if (!orthogonal_)
    {
        const volVectorField gradient
        (
            fv::gaussGrad<scalar>(mesh_).calcGrad(x, "grad(x)")
        );

        tflux.ref() +=
            linear<vector>(mesh_).dotInterpolate
            (
                mesh_.nonOrthCorrectionVectors()*mesh_.magSf(),
                gradient
            );
    }

    tflux.ref() *= mobility_;

    return tflux;
}


void Foam::fluxPotential::solve
(
    volScalarField& x,
    const scalarField& source,
    const label refCell,
    const scalar refValue
)
{
    const quietSolvers quiet;
    const dictionary controls(solverControls(mesh_, orthogonal_, converged_));

    tmp<fv::laplacianScheme<scalar, scalar>> laplacian
    (
        orthogonalLaplacian(mesh_)
    );

    scalar last = GREAT;

    for (label i = 0; i < maxCorrections; ++i)
    {
        fvScalarMatrix equation(laplacian.ref().fvmLaplacian(mobility_, x));

        equation.source() += source;

        if (!orthogonal_)
        {
            const volVectorField gradient
            (
                fv::gaussGrad<scalar>(mesh_).calcGrad(x, "grad(x)")
            );

            scalarField correction(mesh_.nCells(), Zero);
            fvc::surfaceIntegrate
            (
                correction,
                (
                    mobility_
                   *linear<vector>(mesh_).dotInterpolate
                    (
                        mesh_.nonOrthCorrectionVectors()*mesh_.magSf(),
                        gradient
                    )
                )()
            );

            equation.source() -= correction*mesh_.V();
        }

        if (refCell >= 0)
        {
            equation.setReference(refCell, refValue, true);
        }

        const scalar residual = equation.solve(controls).initialResidual();
        ++nSolutions_;

        // Where corrections no longer help, or never did
        if (residual < converged_ || (i > 5 && residual > 0.99*last))
        {
            break;
        }

        last = residual;
    }
}


bool Foam::fluxPotential::removeDivergence
(
    surfaceScalarField& phi,
    const scalarField& keep,
    const labelUList& refCells,
    const scalar limit
)
{
    constexpr label maxSolutions = 5;

    const quietSolvers quiet;

    const surfaceScalarField one
    (
        temporary("one", mesh_),
        mesh_,
        dimensionedScalar("one", dimless, 1)
    );
    const surfaceScalarField& deltaCoeffs = mesh_.nonOrthDeltaCoeffs();

    tmp<fv::laplacianScheme<scalar, scalar>> laplacian
    (
        orthogonalLaplacian(mesh_)
    );

    for (label i = 0; ; ++i)
    {
        const scalarField net(sumOf(phi) - keep);

        const scalar largest = gMax(mag(net)());

        if (largest <= limit || i == maxSolutions)
        {
            return largest <= limit;
        }

        volScalarField x
        (
            temporary("x", mesh_),
            mesh_,
            dimensionedScalar(phi.dimensions()/dimLength, Zero),
            patchTypes(mesh_, mixedFvPatchScalarField::typeName)
        );

        setValue
        (
            x,
            0,
            [&](const label patchi, const label facei)
            {
                return open(patchi, facei);
            }
        );

        fvScalarMatrix equation(laplacian.ref().fvmLaplacian(one, x));

        equation.source() += net;

        for (const label celli : refCells)
        {
            equation.setReference(celli, 0, true);
        }

        // The solver looks at the mean. One sweep of the cheapest smoother a
        // cycle takes half of the time of two of DICGaussSeidel
        dictionary controls(solverControls(mesh_, true, 3*limit/largest));
        controls.set("smoother", word("DIC"));
        controls.add("nPostSweeps", 1);
        controls.add("nFinestSweeps", 1);

        equation.solve(controls);
        ++nSolutions_;

        phi -=
            fv::snGradScheme<scalar>::snGrad(x, deltaCoeffs, "snGrad")
           *mesh_.magSf();
    }
}


Foam::vectorField Foam::fluxPotential::reconstruct
(
    const surfaceScalarField& phi
) const
{
    const surfaceVectorField& Sf = mesh_.Sf();

    symmTensorField faces(mesh_.nCells(), Zero);
    vectorField velocity(mesh_.nCells(), Zero);

    const auto add =
        [&](const label celli, const vector& area, const scalar flux)
        {
            const scalar magnitude = max(mag(area), VSMALL);

            faces[celli] += sqr(area)/magnitude;
            velocity[celli] += area*(flux/magnitude);
        };

    forAll(mesh_.owner(), facei)
    {
        add(mesh_.owner()[facei], Sf[facei], phi[facei]);
    }

    forAll(mesh_.neighbour(), facei)
    {
        add(mesh_.neighbour()[facei], Sf[facei], phi[facei]);
    }

    forAll(phi.boundaryField(), patchi)
    {
        const labelUList& cells = mesh_.boundary()[patchi].faceCells();

        forAll(phi.boundaryField()[patchi], i)
        {
            add
            (
                cells[i],
                Sf.boundaryField()[patchi][i],
                phi.boundaryField()[patchi][i]
            );
        }
    }

    forAll(velocity, celli)
    {
        symmTensor& t = faces[celli];

        // No faces are normal to an empty direction
        for (direction d = 0; d < vector::nComponents; ++d)
        {
            if (mesh_.geometricD()[d] < 0)
            {
                velocity[celli][d] = 0;
                t += sqr(unitVector(d))*tr(t);
            }
        }

        velocity[celli] = inv(t) & velocity[celli];
    }

    return velocity;
}


void Foam::fluxPotential::setMobility(const scalar layer)
{
    const quietSolvers quiet;

    // What walls take away from 1: a residual relative to 1 could not fall where
    // there are none
    volScalarField held
    (
        temporary("held", mesh_),
        mesh_,
        dimensionedScalar(dimless, Zero),
        patchTypes(mesh_, mixedFvPatchScalarField::typeName)
    );

    setValue
    (
        held,
        1,
        [&](const label patchi, label) { return wall_[patchi]; }
    );

    const surfaceScalarField square
    (
        temporary("square", mesh_),
        mesh_,
        dimensionedScalar("square", dimArea, sqr(layer))
    );

    fvScalarMatrix equation
    (
        orthogonalLaplacian(mesh_).ref().fvmLaplacian(square, held)
    );

    equation.diag() -= mesh_.V();
    equation.solve(solverControls(mesh_, true, converged_));

    mobility_ = scalar(1) - linear<scalar>(mesh_).interpolate(held);
}


Foam::tmp<Foam::volScalarField> Foam::fluxPotential::potential
(
    const scalarField& source,
    const dimensionSet& dimensions
)
{
    auto tPhi = tmp<volScalarField>::New
    (
        temporary("Phi", mesh_),
        mesh_,
        dimensionedScalar(dimensions, Zero),
        patchTypes(mesh_, mixedFvPatchScalarField::typeName)
    );
    volScalarField& Phi = tPhi.ref();

    setValue
    (
        Phi,
        0,
        [&](const label patchi, const label facei)
        {
            return open(patchi, facei);
        }
    );

    scalarField balanced(source);

    if (closed_)
    {
        const scalarField& V = mesh_.V();
        balanced -= V*(gSum(source)/gSum(V));
    }

    solve(Phi, balanced, closed_ && Pstream::master() ? 0 : -1, 0);

    return tPhi;
}


Foam::tmp<Foam::volScalarField> Foam::fluxPotential::potential
(
    const surfaceScalarField& phi
)
{
    return potential(netFlux(phi), phi.dimensions()/dimLength);
}


// ************************************************************************* //
