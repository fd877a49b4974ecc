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

#include "initialState.H"
#include "fluxPotential.H"
#include "latticeMapping.H"
#include "latticeProjection.H"
#include "latticeUnits.H"
#include "velocityProjection.H"
#include "fvMatrices.H"
#include "gaussGrad.H"
#include "gaussLaplacianScheme.H"
#include "uncorrectedSnGrad.H"
#include "linear.H"
#include "parallel.H"
#include "processorCyclicFvPatch.H"
#include "StringStream.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- The equation of the initial p is solved to a tenth of this residual
constexpr scalar converged = 1e-9;


//- Above either of these a velocity is none of an incompressible flow between
//  its boundaries. Results of icoFoam on coarse meshes, interpolated to their
//  faces, have up to 0.05 and 0.01; an impulsive start has 0.3 to 1
constexpr scalar largeMismatch = 0.1;
constexpr scalar largeContinuityError = 0.1;


//- All values equal
bool sameEverywhere(const volVectorField& U)
{
    const vector low(gMin(U.primitiveField()));
    const vector high(gMax(U.primitiveField()));

    return low == high;
}


//- U with a zero gradient at pressure patches: the shear of an inflow condition
//  there is not yet in the fluid
tmp<volVectorField> zeroGradientAtPressures
(
    const volVectorField& U,
    const latticeMapping& mapping
)
{
    auto tresult = tmp<volVectorField>::New
    (
        fluxPotential::temporary(U.name(), U.mesh()),
        U
    );

    forAll(mapping.groupPatches(), groupi)
    {
        if (mapping.description().groups[groupi].type == "pressure")
        {
            fvPatchVectorField& Up =
                tresult.ref().boundaryFieldRef()[mapping.groupPatches()[groupi]];

            Up == Up.patchInternalField();
        }
    }

    return tresult;
}


//- Fluid at rest, without flow through any boundary
bool atRest(const volVectorField& U)
{
    if (gMax(cmptMag(U.primitiveField())()) != vector::zero)
    {
        return false;
    }

    volVectorField evaluated
    (
        fluxPotential::temporary(U.name(), U.mesh()),
        U
    );
    evaluated.correctBoundaryConditions();

    scalar across = 0, along = 0;

    for (const fvPatchVectorField& Up : evaluated.boundaryField())
    {
        // Others have other ones to processes
        if (!isA<processorFvPatch>(Up.patch()))
        {
            across += gSumMag((Up & Up.patch().Sf())());
            along += gSum((mag(Up)*Up.patch().magSf())());
        }
    }

    return across <= SMALL*along;
}


} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::initialState::uniform(const volScalarField& p)
{
    const scalar low = gMin(p.primitiveField());
    const scalar high = gMax(p.primitiveField());

    return high - low <= 10*SMALL*max(mag(low), mag(high));
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::initialState::project
(
    const volScalarField& p,
    const latticeMapping& mapping,
    const word& projection,
    const referenceCell& pRef,
    latticeProjection* nodes
)
{
    if (projection == "no" || atRest(U_()))
    {
        return false;
    }

    velocityProjection start(U_(), mapping);

    if
    (
        projection == "auto"
     && start.mismatch() < largeMismatch
     && start.errorBefore() < largeContinuityError
    )
    {
        return false;
    }

    if (max(start.mismatch(), start.errorBefore()) < SMALL)
    {
        return false;
    }

    // Where U is the same in all cells, its nodes need no projected ones
    const tmp<volVectorField> given(U_);
    const bool same = sameEverywhere(given());

    start.project();

    U_ = tmp<volVectorField>::New(start.U());

    // Nodes beside a wall lie between its value and that of the cell, or beyond
    if (!mapping.nodesAtCellCentres())
    {
        gradU_ = start.gradient();
    }

    p_ = start.pressure(p, pRef, pReference_);

    OStringStream text;
    text<< "U freed of its divergence, p computed from it" << nl
        << "    mismatch at the boundary " << start.mismatch()
        << ", continuity error " << start.errorBefore() << ", then "
        << start.errorAfter() << nl
        << "    largest change of U " << start.change() << " m/s, "
        << start.nSolutions() << " Poisson equations";

    if (nodes)
    {
        const bool found =
            same
          ? nodes->project(given(), nullptr, p_())
          : nodes->project(U_(), &gradU_().primitiveField(), p_());

        if (found)
        {
            nodes_ = nodes;
            text<< nl << "    and on the nodes, " << nodes->nIterations()
                << " iterations";
        }
    }

    description_ = text.str();

    return true;
}


Foam::tmp<Foam::volScalarField> Foam::initialState::pressureOf
(
    const volScalarField& p,
    const referenceCell& pRef
) const
{
    const fvMesh& mesh = p.mesh();

    auto tresult = tmp<volScalarField>::New(p.name() + "Start", p);
    volScalarField& result = tresult.ref();

    // Conditions that let p flow out need not fix it in this equation
    const bool singular = pRef.given || result.needReference();

    if (!pRef.given)
    {
        result.primitiveFieldRef() = pReference_;
    }

    // Schemes are given here: fvSchemes need not have entries for them

    const surfaceScalarField one
    (
        IOobject
        (
            "one",
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        mesh,
        dimensionedScalar("one", dimless, 1)
    );

    fv::gaussLaplacianScheme<scalar, scalar> laplacian
    (
        mesh,
        tmp<surfaceInterpolationScheme<scalar>>(new linear<scalar>(mesh)),
        tmp<fv::snGradScheme<scalar>>
        (
            new fv::uncorrectedSnGrad<scalar>(mesh)
        )
    );

    fvScalarMatrix equation(laplacian.fvmLaplacian(one, result));

    // The sum of the source over a domain without outlets is zero, but for
    // the errors of its gradients: they must not meet the singular matrix

    if (gradU_.valid())
    {
        scalarField source(-(tr(gradU_() & gradU_()))().primitiveField());

        if (singular)
        {
            source -= gSum(source*mesh.V())/gSum(mesh.V());
        }

        equation.source() += source*mesh.V();
    }

    if (acceleration_.valid())
    {
        // At the boundary it is held by the gradient of p
        const surfaceVectorField af
        (
            linear<vector>(mesh).interpolate(acceleration_())
        );

        forAll(mesh.owner(), facei)
        {
            const scalar flux = af[facei] & mesh.Sf()[facei];

            equation.source()[mesh.owner()[facei]] += flux;
            equation.source()[mesh.neighbour()[facei]] -= flux;
        }

        for (const fvPatch& patch : mesh.boundary())
        {
            // Of other coupled patches nothing is added in a serial run either
            if
            (
                !isA<processorFvPatch>(patch)
             || isA<processorCyclicFvPatch>(patch)
            )
            {
                continue;
            }

            const scalarField flux
            (
                af.boundaryField()[patch.index()] & patch.Sf()
            );

            forAll(flux, facei)
            {
                equation.source()[patch.faceCells()[facei]] += flux[facei];
            }
        }

        // All of p is of its kind
        result.primitiveFieldRef() = pRef.given ? pRef.value : pReference_;
    }

    if (singular)
    {
        equation.setReference
        (
            pRef.orFirst(),
            pRef.given ? pRef.value : pReference_,
            true
        );
    }

    equation.solve(fluxPotential::solverControls(mesh, true, converged));

    return tresult;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::initialState::initialState
(
    const volVectorField& U,
    const volScalarField& p,
    const latticeMapping& mapping,
    const word& projection,
    const referenceCell& pRef,
    const scalar pReference,
    const tmp<volVectorField>& acceleration,
    latticeProjection* nodes
)
:
    U_(U),
    p_(p),
    acceleration_(acceleration),
    gradU_(),
    gradp_(),
    nodes_(nullptr),
    pReference_(pReference),
    description_("fluid at rest")
{
    const fvMesh& mesh = U.mesh();

    const bool projected =
        project(p, mapping, projection, pRef, nodes);

    const bool moving = gMax(magSqr(U_().primitiveField())()) > 0;
    const bool pUniform = uniform(p);

    if (moving)
    {
        if (gradU_.empty())
        {
            gradU_ = fv::gaussGrad<vector>(mesh).calcGrad
            (
                zeroGradientAtPressures(U_(), mapping)(),
                "grad(U)"
            );
        }

        // Cells thinner than the lattice, at a wall, have gradients of U that
        // it cannot hold, and a pressure to suit them

        if (!mapping.nodesAtCellCentres())
        {
            const scalar largest =
                2*Foam::sqrt(gMax(magSqr(U_().primitiveField())()))
               /mapping.dx();

            for (tensor& g : gradU_.ref())
            {
                g *= largest/max(largest, mag(g));
            }
        }

        if (projected && !acceleration_.valid())
        {}
        else if (projected || pUniform)
        {
            p_ = pressureOf(p, pRef);

            if (!projected)
            {
                description_ = "U given, p computed from U";
            }
        }
        else
        {
            description_ = "U and p given";
        }
    }
    else if (!pUniform)
    {
        description_ = "fluid at rest, p given";
    }
    else if (acceleration_.valid())
    {
        p_ = pressureOf(p, pRef);
        description_ = "fluid at rest, p computed from its acceleration";
    }
    else if (!pRef.given)
    {
        p_ = pressureOf(p, pRef);
        description_ = "fluid at rest, p computed from the boundary";
    }

    if (!mapping.nodesAtCellCentres() && (moving || !uniform(p_())))
    {
        gradp_ = fv::gaussGrad<scalar>(mesh).calcGrad(p_(), "grad(p)");
    }

    if (pRef.given)
    {
        pReference_ = gSum(p_().primitiveField()*mesh.V())/gSum(mesh.V());
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::initialState::set
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const label chunk
) const
{
    const volScalarField& p = p_();
    const vectorField& U = U_().primitiveField();
    const vectorField& C = U_().mesh().cellCentres();
    const labelList& cells = mapping.nodeCells();

    const tensorField* gradU =
        gradU_.valid() ? &gradU_().primitiveField() : nullptr;
    const vectorField* gradp =
        gradp_.valid() ? &gradp_().primitiveField() : nullptr;

    const label nMax = min(chunk, mapping.nFluid());
    const label nodesPerThread = latticeCells::nodesPerThread;

    std::vector<double> rho(nMax);
    std::vector<double> u(3*nMax);
    std::vector<double> strainRate(gradU ? 6*nMax : 0);

    for (label first = 0; first < mapping.nFluid(); first += nMax)
    {
        const label count = min(nMax, mapping.nFluid() - first);

        const auto setNodes = [&](std::int64_t begin, std::int64_t end)
        {
            for (label i = begin; i < end; ++i)
            {
                const label celli = cells[first + i];

                scalar pNode = p[celli];
                vector UNode = U[celli];

                if (nodes_)
                {
                    pNode = nodes_->p(first + i);
                    UNode = nodes_->U(first + i);
                }
                else if (gradp)
                {
                    const vector d(mapping.nodeCentre(first + i) - C[celli]);

                    pNode += d & (*gradp)[celli];

                    if (gradU)
                    {
                        UNode += d & (*gradU)[celli];
                    }
                }

                rho[i] = units.pressureToLattice(pNode - pReference_);

                const vector uNode
                (
                    mapping.toLattice(units.velocityToLattice(UNode))
                );

                for (direction d = 0; d < 3; ++d)
                {
                    u[3*i + d] = uNode[d];
                }

                if (gradU)
                {
                    const symmTensor D
                    (
                        mapping.toLattice
                        (
                            units.strainRateToLattice
                            (
                                nodes_
                              ? nodes_->strainRate(first + i)
                              : symm((*gradU)[celli])
                            )
                        )
                    );

                    double* s = &strainRate[6*i];
                    s[0] = D.xx();
                    s[1] = D.yy();
                    s[2] = D.zz();
                    s[3] = D.xy();
                    s[4] = D.xz();
                    s[5] = D.yz();
                }
            }
        };
        lbm::inParallel(count, setNodes, nodesPerThread);

        engine.initialise
        (
            first,
            count,
            rho.data(),
            u.data(),
            gradU ? strainRate.data() : nullptr
        );
    }
}


// ************************************************************************* //
