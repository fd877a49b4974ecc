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

#include "velocityProjection.H"
#include "latticeMapping.H"
#include "fvMatrices.H"
#include "fvcSurfaceIntegrate.H"
#include "gaussGrad.H"
#include "gaussLaplacianScheme.H"
#include "linear.H"
#include "mixedFvPatchFields.H"
#include "uncorrectedSnGrad.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Initial residual, as OpenFOAM scales it, at which a solution is converged
constexpr scalar converged = 1e-7;

//- Corrections at most
constexpr label maxCorrections = 50;

//- Cells below which multigrid has nothing to offer
constexpr label fewCells = 2000;


//- Controls of the solver of an equation that is solved once, or once for
//  each correction for non-orthogonal faces
dictionary solverControls(const fvMesh& mesh, const bool once)
{
    dictionary controls;

    if (returnReduce(mesh.nCells(), sumOp<label>()) < fewCells)
    {
        controls.add("solver", word("PCG"));
        controls.add("preconditioner", word("DIC"));
    }
    else
    {
        controls.add("solver", word("GAMG"));
        controls.add("smoother", word("DICGaussSeidel"));
        controls.add("cacheAgglomeration", false);
    }

    controls.add("tolerance", 0.1*converged);
    controls.add("relTol", scalar(once ? 0 : 1e-3));
    controls.add("maxIter", 10000);

    return controls;
}


//- Name and place of a field that is neither read nor written
IOobject temporary(const word& name, const fvMesh& mesh)
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

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::surfaceScalarField> Foam::velocityProjection::fluxOf
(
    const volVectorField& U
)
{
    return linear<vector>(U.mesh()).dotInterpolate(U.mesh().Sf(), U);
}


Foam::scalarField Foam::velocityProjection::netFlux
(
    const surfaceScalarField& phi
) const
{
    const scalarField& V = mesh_.V();

    scalarField net(mesh_.nCells(), Zero);
    fvc::surfaceIntegrate(net, phi);
    net *= V;

    if (closed_)
    {
        net -= V*(gSum(net)/gSum(V));
    }

    return net;
}


Foam::scalar Foam::velocityProjection::continuityError
(
    const surfaceScalarField& phi
) const
{
    scalar all = gSum(mag(phi.primitiveField())());

    for (const fvsPatchScalarField& phip : phi.boundaryField())
    {
        all += gSum(mag(phip)());
    }

    // A wall that does not move quite along itself is no inlet
    all = max(all, 1e-3*largestSpeed()*gSum(mesh_.magSf().primitiveField()));

    return gSum(mag(netFlux(phi))())/max(all, VSMALL);
}


Foam::scalar Foam::velocityProjection::largestSpeed() const
{
    scalar largest = gMax(mag(U_.primitiveField())());

    for (const fvPatchVectorField& Up : U_.boundaryField())
    {
        if (Up.size())
        {
            largest = max(largest, max(mag(Up)));
        }
    }

    reduce(largest, maxOp<scalar>());

    return largest;
}


Foam::scalar Foam::velocityProjection::boundaryMismatch() const
{
    const scalar largest = largestSpeed();
    scalar result = 0;

    forAll(U_.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (Up.coupled())
        {
            continue;
        }

        const vectorField& Sf = Up.patch().Sf();
        const scalarField flux((Up - Up.patchInternalField()) & Sf);

        scalar sum = 0;
        scalar area = 0;

        forAll(flux, facei)
        {
            if (!open_[patchi][facei])
            {
                sum += mag(flux[facei]);
                area += mag(Sf[facei]);
            }
        }

        reduce(sum, sumOp<scalar>());
        reduce(area, sumOp<scalar>());

        result = max(result, sum/max(area*largest, VSMALL));
    }

    return result;
}


Foam::tmp<Foam::surfaceScalarField> Foam::velocityProjection::gradientFlux
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

    return tflux;
}


Foam::vectorField Foam::velocityProjection::reconstruct
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


void Foam::velocityProjection::solve
(
    volScalarField& x,
    const scalarField& source,
    const label refCell,
    const scalar refValue
)
{
    const quietSolvers quiet;
    const dictionary controls(solverControls(mesh_, orthogonal_));

    const surfaceScalarField one
    (
        temporary("one", mesh_),
        mesh_,
        dimensionedScalar("one", dimless, 1)
    );

    fv::gaussLaplacianScheme<scalar, scalar> laplacian
    (
        mesh_,
        tmp<surfaceInterpolationScheme<scalar>>(new linear<scalar>(mesh_)),
        tmp<fv::snGradScheme<scalar>>
        (
            new fv::uncorrectedSnGrad<scalar>(mesh_)
        )
    );

    scalar last = GREAT;

    for (label i = 0; i < maxCorrections; ++i)
    {
        fvScalarMatrix equation(laplacian.fvmLaplacian(one, x));

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
                linear<vector>(mesh_).dotInterpolate
                (
                    mesh_.nonOrthCorrectionVectors()*mesh_.magSf(),
                    gradient
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
        if (residual < converged || (i > 5 && residual > 0.99*last))
        {
            break;
        }

        last = residual;
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::velocityProjection::velocityProjection
(
    const volVectorField& U,
    const latticeMapping& mapping
)
:
    mesh_(U.mesh()),
    open_(mesh_.boundary().size()),
    closed_(mapping.closed()),
    orthogonal_
    (
        gMax(mag(mesh_.nonOrthCorrectionVectors().primitiveField())())
      < 1e-6
    ),
    // Patch fields look up their field of the time before by its name
    U_(temporary(U.name(), mesh_), U),
    phi_
    (
        temporary("phiStart", mesh_),
        mesh_,
        dimensionedScalar(U.dimensions()*dimArea, Zero)
    ),
    mismatch_(0),
    errorBefore_(0),
    errorAfter_(0),
    change_(0),
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

        boolList& open = open_[mapping.groupPatches()[groupi]];

        forAll(open, facei)
        {
            open[facei] = types[patch.linkTypeOf(facei)] == "pressure";
        }
    }

    U_.correctBoundaryConditions();
    phi_ = fluxOf(U_);

    mismatch_ = boundaryMismatch();
    errorBefore_ = errorAfter_ = continuityError(phi_);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::velocityProjection::project()
{
    wordList types(mesh_.boundary().size());

    forAll(types, patchi)
    {
        const polyPatch& patch = mesh_.boundaryMesh()[patchi];

        types[patchi] =
        (
            polyPatch::constraintType(patch.type())
          ? patch.type()
          : mixedFvPatchScalarField::typeName
        );
    }

    volScalarField Phi
    (
        temporary("Phi", mesh_),
        mesh_,
        dimensionedScalar(U_.dimensions()*dimLength, Zero),
        types
    );

    forAll(open_, patchi)
    {
        fvPatchScalarField& patch = Phi.boundaryFieldRef()[patchi];

        if (isA<mixedFvPatchScalarField>(patch))
        {
            mixedFvPatchScalarField& mixed =
                refCast<mixedFvPatchScalarField>(patch);

            mixed.refValue() = Zero;
            mixed.refGrad() = Zero;

            forAll(mixed, facei)
            {
                mixed.valueFraction()[facei] = open_[patchi][facei];
            }
        }
    }

    Phi.correctBoundaryConditions();

    solve(Phi, netFlux(phi_), closed_ ? 0 : -1, 0);

    // What the cells let through, whatever the boundary says
    surfaceScalarField phiCells(phi_);

    phi_ -= gradientFlux(Phi);
    errorAfter_ = continuityError(phi_);

    forAll(U_.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];

        if (!Up.coupled())
        {
            phiCells.boundaryFieldRef()[patchi] ==
                (Up.patchInternalField() & Up.patch().Sf());
        }
    }

    const vectorField change(reconstruct(phi_ - phiCells));

    change_ = gMax(mag(change)());

    U_.primitiveFieldRef() += change;
    U_.correctBoundaryConditions();
}


Foam::tmp<Foam::volTensorField> Foam::velocityProjection::gradient() const
{
    wordList types(mesh_.boundary().size());

    forAll(types, patchi)
    {
        const polyPatch& patch = mesh_.boundaryMesh()[patchi];

        types[patchi] =
        (
            polyPatch::constraintType(patch.type())
          ? patch.type()
          : calculatedFvPatchField<vector>::typeName
        );
    }

    volVectorField U
    (
        temporary(U_.name() + "Slip", mesh_),
        mesh_,
        dimensionedVector(U_.dimensions(), Zero),
        types
    );

    U.primitiveFieldRef() = U_.primitiveField();

    forAll(types, patchi)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];

        if (!polyPatch::constraintType(patch.type()))
        {
            const vectorField n(patch.nf());
            const vectorField cells
            (
                U.boundaryField()[patchi].patchInternalField()
            );
            const scalarField un(phi_.boundaryField()[patchi]/patch.magSf());

            U.boundaryFieldRef()[patchi] == cells + n*(un - (n & cells));
        }
    }

    U.correctBoundaryConditions();

    return fv::gaussGrad<vector>(mesh_).calcGrad(U, "grad(U)");
}


Foam::tmp<Foam::volScalarField> Foam::velocityProjection::pressure
(
    const volScalarField& p,
    const label pRefCell,
    const scalar pRefValue,
    const scalar pReference
)
{
    auto tp = tmp<volScalarField>::New
    (
        temporary(p.name(), mesh_),
        p
    );

    if (pRefCell < 0)
    {
        tp.ref().primitiveFieldRef() = pReference;
    }

    tp.ref().correctBoundaryConditions();

    volVectorField momentum
    (
        temporary("div(phi,U)", mesh_),
        mesh_,
        dimensionedVector(U_.dimensions()*phi_.dimensions()/dimVolume, Zero)
    );

    fvc::surfaceIntegrate
    (
        momentum.primitiveFieldRef(),
        (phi_*linear<vector>(mesh_).interpolate(U_))()
    );

    momentum.correctBoundaryConditions();

    surfaceScalarField flux(fluxOf(momentum));

    forAll(open_, patchi)
    {
        if (mesh_.boundary()[patchi].coupled())
        {
            continue;
        }

        fvsPatchScalarField& fluxp = flux.boundaryFieldRef()[patchi];

        const scalarField cells
        (
            momentum.boundaryField()[patchi].patchInternalField()
          & mesh_.boundary()[patchi].Sf()
        );

        forAll(fluxp, facei)
        {
            fluxp[facei] = open_[patchi][facei] ? cells[facei] : 0;
        }
    }

    solve(tp.ref(), -netFlux(flux), closed_ ? max(pRefCell, 0) : -1, pRefValue);

    return tp;
}


// ************************************************************************* //
