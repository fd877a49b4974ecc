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

#include "fvOptionForces.H"
#include "endOfStep.H"
#include "fvMatrices.H"
#include "fvOptions.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Where the coefficients of an fvOption stand
const dictionary& coeffsOf(const dictionary& dict)
{
    return dict.optionalSubDict(dict.get<word>("type") + "Coeffs");
}


//- Is it an acceleration and a rate that depend on time at most
bool isLinear(const dictionary& dict)
{
    const word type(dict.get<word>("type"));

    return type == "vectorSemiImplicitSource" || type == "buoyancyForce";
}


//- Has a linear one no entry by which it can change in time
bool independentOfTime(const dictionary& dict)
{
    const dictionary& coeffs = coeffsOf(dict);

    if (coeffs.getOrDefault<scalar>("timeStart", -1) >= 0)
    {
        return false;
    }

    if (dict.get<word>("type") == "buoyancyForce")
    {
        return true;
    }

    // Later versions of OpenFOAM may have functions of time there
    const dictionary& rates = coeffs.subOrEmptyDict("injectionRateSuSp");

    for (const entry& e : rates)
    {
        if
        (
            !e.isStream() || e.stream().empty()
         || e.stream().first() != token::BEGIN_LIST
        )
        {
            return false;
        }
    }

    return rates.size();
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::fvOptionForces::checkType(const word& name, const dictionary& dict)
{
    const word type(dict.get<word>("type"));

    const char* found = nullptr;
    const char* possible = nullptr;

    if
    (
        type == "patchMeanVelocityForce"
     || type == "directionalPressureGradientExplicitSource"
    )
    {
        found = "it corrects U after each solution for the pressure";
        possible =
            "meanVelocityForce, whose mean is that of its cells, or a"
            " vectorSemiImplicitSource";
    }
    else if
    (
        type == "vectorFixedValueConstraint"
     || type == "velocityDampingConstraint"
    )
    {
        found = "it constrains the equation for U";
        possible =
            "a drag: vectorSemiImplicitSource with an implicit part below zero,"
            " explicitPorositySource, acousticDampingSource";
    }
    else if (type == "limitVelocity")
    {
        found = "it limits U after each solution";
        possible = "remove it, or set active to false";
    }
    else if (type == "solidificationMeltingSource")
    {
        found = "it couples the equations for U and T in each solution";
        possible =
            "remove it, or set active to false; what has set already can be an"
            " explicitPorositySource";
    }
    else if (type == "vectorPhaseLimitStabilization")
    {
        found = "it belongs to a phase of several";
        possible = "remove it, or set active to false";
    }

    if (!found)
    {
        return;
    }

    const dictionary& coeffs = coeffsOf(dict);

    FatalIOErrorInFunction(dict)
        << "The fvOption " << name << " of type " << type << " is active" << nl
        << "    found    : "
        << (coeffs.found("selectionMode") ? "selectionMode " : "")
        << coeffs.getOrDefault<word>("selectionMode", word::null)
        << (coeffs.found("selectionMode") ? "; " : "")
        << found << ", which the lattice does not solve" << nl
        << "    possible : " << possible
        << exit(FatalIOError);
}


void Foam::fvOptionForces::checkOption
(
    fv::option& option,
    const dictionary& dict
)
{
    volVectorField& U = present();
    const label fieldi = option.applyToField(U.name());
    const string what
    (
        "The fvOption " + option.name() + " of type "
      + dict.get<word>("type")
    );

    {
        fvVectorMatrix M(U, dimVelocity*dimVolume/dimTime);

        if (option.isActive())
        {
            option.addSup(M, fieldi);
        }

        checkDiagonal(M, what, dict);
    }

    // An equation whose solution is U
    fvVectorMatrix M(U, dimVelocity*dimVolume/dimTime);
    M.diag() = mesh().V();
    M.source() = mesh().V()*U.primitiveField();

    const scalarField diag(M.diag());
    const vectorField source(M.source());
    const vectorField before(U.primitiveField());

    option.constrain(M, fieldi);

    const bool constrains =
        M.hasUpper() || M.hasLower()
     || diag != M.diag() || source != M.source()
     || before != U.primitiveField();

    option.correct(U);

    if (constrains || before != U.primitiveField())
    {
        FatalIOErrorInFunction(dict)
            << what.c_str() << nl
            << "    found    : it "
            << (constrains ? "constrains the equation for U" : "corrects U")
            << ", which the lattice does not solve" << nl
            << "    possible : a force that is added to the equation for U"
            << exit(FatalIOError);
    }
}


Foam::tmp<Foam::vectorField> Foam::fvOptionForces::linearForce
(
    const vector& U
)
{
    volVectorField& field = present();
    field.primitiveFieldRef() = U;

    return acceleration(linear_(field)());
}


bool Foam::fvOptionForces::addLinear
(
    vectorField& a,
    symmTensorField& sigma
)
{
    const vectorField atRest(linearForce(Zero));
    const vectorField change(linearForce(vector::one) - atRest);
    const vectorField& U = present();

    bool grows = false;

    forAll(change, celli)
    {
        // The same in each direction
        const scalar rate = change[celli].x();

        grows = grows || rate > 0;
        sigma[celli] -= min(rate, scalar(0))*symmTensor::I;
        a[celli] += inDirections
        (
            atRest[celli] + max(rate, scalar(0))*U[celli]
        );
    }

    return returnReduce(grows, orOp<bool>());
}


void Foam::fvOptionForces::setDependence()
{
    vectorField a(mesh().nCells(), Zero);
    symmTensorField sigma(mesh().nCells(), Zero);

    usesFlow_ =
        options_.size() || resistances_.size()
     || (linear_.size() && addLinear(a, sigma));
    constant_ = !usesFlow_;

    for (const entry& e : dicts_)
    {
        constant_ =
            constant_ && isLinear(e.dict()) && independentOfTime(e.dict());
    }
}


// * * * * * * * * * * * * Protected Member Functions  * * * * * * * * * * * //

Foam::tmp<Foam::fvVectorMatrix> Foam::fvOptionForces::matrix
(
    volVectorField& U
)
{
    return options_(U);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::fvOptionForces::fvOptionForces
(
    const volVectorField& U,
    const dictionary& entries
)
:
    assembledForces(U),
    options_(U.mesh()),
    linear_(U.mesh()),
    resistances_(U.mesh()),
    dicts_(entries.name()),
    usesFlow_(false),
    constant_(true)
{
    const endOfStep first(U.time());

    for (const entry& e : entries)
    {
        checkType(e.keyword(), e.dict());
    }

    for (const entry& e : entries)
    {
        autoPtr<fv::option> option
        (
            fv::option::New(e.keyword(), e.dict(), U.mesh())
        );

        if (option->applyToField(U.name()) != -1)
        {
            checkOption(*option, e.dict());
            dicts_.add(e);

            fv::optionList& kind =
                isLinear(e.dict()) ? linear_
              : e.dict().get<word>("type") == "explicitPorositySource"
              ? resistances_
              : options_;

            kind.append(option.ptr());
        }
    }

    if (!empty())
    {
        setDependence();
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::fvOptionForces::setApplied(const fvMesh& mesh, const word& field)
{
    if (mesh.foundObject<fv::options>(fv::options::typeName))
    {
        fv::optionList& others =
            mesh.lookupObjectRef<fv::options>(fv::options::typeName);

        for (fv::option& option : others)
        {
            const label fieldi = option.applyToField(field);

            if (fieldi != -1)
            {
                option.setApplied(fieldi);
            }
        }
    }
}


void Foam::fvOptionForces::add
(
    const scalar deltaT,
    vectorField& a,
    symmTensorField& sigma
)
{
    setApplied(mesh(), present().name());

    if (options_.size())
    {
        assembledForces::add(deltaT, a, sigma);
    }

    if (linear_.size())
    {
        addLinear(a, sigma);
    }

    if (resistances_.size())
    {
        addResistance
        (
            [this](volVectorField& U){ return resistances_(U); },
            a,
            sigma
        );
    }
}


void Foam::fvOptionForces::addDragAt
(
    const scalar speed,
    symmTensorField& sigma
)
{
    if (resistances_.size())
    {
        sigma += dragAt
        (
            [this](volVectorField& U){ return resistances_(U); },
            scalarField(mesh().nCells(), speed)
        );
    }
}


void Foam::fvOptionForces::writeSummary(Ostream& os) const
{
    for (const entry& e : dicts_)
    {
        os  << "    force in cells        " << e.keyword()
            << " of fvOptions: " << e.dict().get<word>("type");

        const dictionary& coeffs = coeffsOf(e.dict());

        os  << ", "
            << (
                   coeffs.found("selectionMode")
                 ? cells(coeffs)
                 : string("all cells")
               ).c_str()
            << nl;
    }
}


// ************************************************************************* //
