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

#include "linkFluxes.H"
#include "DynamicList.H"
#include "lduMatrix.H"
#include "lduPrimitiveMesh.H"
#include "polyMesh.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::scalarField Foam::linkFluxes::nearness(const labelUList& edges) const
{
    const scalarField none(patch_.size(), Zero);

    return edges.empty() ? none : smoothed(none, edges);
}


Foam::scalarField Foam::linkFluxes::excess(const vectorField& U) const
{
    scalarField result(patch_.size(), Zero);

    forAll(faces_, i)
    {
        result[faces_[i]] += U[i] & areas_[i];
    }
    forAll(Sf_, facei)
    {
        if (here_[facei])
        {
            result[facei] -= U[facei] & Sf_[facei];
        }
    }

    return result;
}


Foam::scalarField Foam::linkFluxes::smoothed
(
    const scalarField& r,
    const labelUList& edges
) const
{
    const primitivePatch& pp = patch_;

    DynamicList<label> lower(pp.nInternalEdges());
    DynamicList<label> upper(pp.nInternalEdges());
    DynamicList<scalar> coeffs(pp.nInternalEdges());

    for (label edgei = 0; edgei < pp.nInternalEdges(); ++edgei)
    {
        const labelList& f = pp.edgeFaces()[edgei];

        if (f.size() == 2 && here_[f[0]] && here_[f[1]])
        {
            lower.append(min(f[0], f[1]));
            upper.append(max(f[0], f[1]));
            coeffs.append
            (
                -sqr(length*dx_)
               *pp.edges()[edgei].mag(pp.localPoints())
               /mag(pp.faceCentres()[f[0]] - pp.faceCentres()[f[1]])
            );
        }
    }

    labelList l(std::move(lower));
    labelList u(std::move(upper));

    // Faces as cells, edges between them as faces
    const lduPrimitiveMesh addressing
    (
        pp.size(),
        l,
        u,
        UPstream::worldComm,
        true
    );

    lduMatrix matrix(addressing);

    matrix.upper() = coeffs;
    matrix.diag() = magSf_;
    matrix.negSumDiag();

    scalarField source(r);

    for (const label edgei : edges)
    {
        const edge& e = pp.edges()[edgei];
        const label facei = pp.edgeFaces()[edgei][0];

        const scalar coeff =
            sqr(length*dx_)
           *e.mag(pp.localPoints())
           /mag(pp.faceCentres()[facei] - e.centre(pp.localPoints()));

        matrix.diag()[facei] += coeff;
        source[facei] += coeff;
    }

    dictionary controls;
    controls.add("solver", word("PCG"));
    controls.add("preconditioner", word("diagonal"));
    controls.add("tolerance", 0);
    controls.add("relTol", 1e-8);

    const FieldField<Field, scalar> none(0);

    scalarField result(r.size(), Zero);

    // All processes solve the same equation, each by itself
    const bool parallel = UPstream::parRun();
    UPstream::parRun() = false;

    lduMatrix::solver::New
    (
        "linkFluxes",
        matrix,
        none,
        none,
        lduInterfaceFieldPtrsList(),
        controls
    )->solve(result, source);

    UPstream::parRun() = parallel;

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::linkFluxes::linkFluxes
(
    const primitivePatch& patch,
    const vectorField& Sf,
    const boolList& here,
    const labelList& faces,
    const vectorField& areas,
    const surroundings& beside,
    const scalar dx
)
:
    patch_(patch),
    Sf_(Sf),
    magSf_(mag(Sf)),
    here_(here),
    faces_(faces),
    areas_(areas),
    dx_(dx),
    ends_(nearness(beside.otherVelocity)),
    closed_
    (
          beside.open ? nearness(beside.closed) : scalarField()
    )
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::linkFluxes::match(vectorField& U, const bool throughFlow) const
{
    if (U == given_)
    {
        U = matched_;
        return;
    }

    given_ = U;

    // A wall that moves along itself does so where its faces are, not between
    vectorField across(U.size());

    forAll(U, i)
    {
        const vector n(Sf_[faces_[i]]/magSf_[faces_[i]]);
        across[i] = n*(n & U[throughFlow ? i : faces_[i]]);
    }

    scalarField more(ends_*excess(U - across));

    if (!throughFlow)
    {
        more += excess(across);
    }

    // That of a velocity across an inlet is round-off
    if (max(mag(more)) > 1e-12*max(mag(areas_))*max(mag(U)))
    {
        const scalarField g(smoothed(more));

        forAll(faces_, i)
        {
            U[i] -= g[faces_[i]]*Sf_[faces_[i]]/magSf_[faces_[i]];
        }
    }

    matched_ = U;
}


Foam::scalar Foam::linkFluxes::links(const vectorField& U) const
{
    return
        closed_.empty()
      ? sum(U & areas_)
      : faces(U)[0] + sum(closed_*excess(U));
}


Foam::Pair<Foam::scalar> Foam::linkFluxes::faces(const vectorField& U) const
{
    Pair<scalar> result(0, 0);

    forAll(here_, facei)
    {
        if (here_[facei])
        {
            result[0] += U[facei] & Sf_[facei];
            result[1] += mag(U[facei] & Sf_[facei]);
        }
    }

    return result;
}


// ************************************************************************* //
