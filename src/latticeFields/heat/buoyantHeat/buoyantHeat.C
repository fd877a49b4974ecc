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

#include "buoyantHeat.H"
#include "caseChecks.H"
#include "effectiveViscosity.H"
#include "evaluateProcessors.H"
#include "finalSolvers.H"
#include "findRefCell.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "fixedGradientFvPatchFields.H"
#include "fvm.H"
#include "fvOptionForces.H"
#include "gravityMeshObject.H"
#include "inputChecks.H"
#include "latticeSettings.H"
#include "localIOdictionary.H"
#include "StringStream.H"
#include "wordRes.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Cell Peclet numbers along an axis, with the eddy diffusivity, beyond which it
//  is raised. 10 is what the lattice bears; upwind schemes, which most cases with
//  averaged turbulence have for T, are 2 everywhere
constexpr scalar largestPecletOfLES = 10;
constexpr scalar largestPecletOfRAS = 4;

//- A file of the case that is not registered
IOobject fileIn
(
    const fvMesh& mesh,
    const word& name,
    const fileName& instance,
    const IOobject::readOption readOption = IOobject::MUST_READ
)
{
    return IOobject
    (
        name,
        instance,
        mesh,
        readOption,
        IOobject::NO_WRITE,
        false
    );
}


//- A field of the case that is written
IOobject fieldIn
(
    const fvMesh& mesh,
    const word& name,
    const IOobject::readOption readOption
)
{
    return IOobject
    (
        name,
        mesh.time().timeName(),
        mesh,
        readOption,
        IOobject::AUTO_WRITE
    );
}


//- FatalIOError if a field has other dimensions or values that are no numbers
void checkField(const volScalarField& field, const dimensionSet& dimensions)
{
    caseChecks::checkDimensions(field, dimensions);
    caseChecks::checkValues(field);
}


//- g & C of the reference level [m2/s2], as OpenFOAM has it
dimensionedScalar levelOf
(
    const uniformDimensionedVectorField& g,
    const uniformDimensionedScalarField& hRef
)
{
    const scalar magG = mag(g.value());

    return dimensionedScalar
    (
        "ghRef",
        dimAcceleration*dimLength,
        magG > SMALL
      ? (g.value() & (cmptMag(g.value())/magG))*hRef.value()
      : 0
    );
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::dimensionedScalar Foam::buoyantHeat::coefficient
(
    const word& name,
    const dimensionSet& dimensions,
    const char* possible,
    const bool positive
) const
{
    if (!properties_.found(name))
    {
        FatalIOErrorInFunction(properties_)
            << "Found no " << name << ", possible: " << name << ' ' << possible
            << nl << "    The case has p_rgh and T: buoyant flow needs beta,"
            << " TRef, Pr and Prt."
            << exit(FatalIOError);
    }

    const dimensionedScalar result(name, dimensions, properties_);

    if (!(mag(result.value()) < GREAT && (!positive || result.value() > 0)))
    {
        FatalIOErrorInFunction(properties_)
            << "Found " << name << " = " << result.value() << ", possible: "
            << name << ' ' << possible
            << exit(FatalIOError);
    }

    return result;
}


const Foam::uniformDimensionedVectorField& Foam::buoyantHeat::gravity() const
{
    const IOobject file(fileIn(mesh_, "g", mesh_.time().constant()));

    if (!IOobject(file).typeHeaderOk<uniformDimensionedVectorField>(true))
    {
        FatalIOErrorInFunction(properties_)
            << "Found no file " << file.objectPath() << ", possible:"
            << " dimensions [0 1 -2 0 0 0 0]; value (0 0 -9.81);" << nl
            << "    The case has p_rgh and T: buoyant flow needs gravity."
            << exit(FatalIOError);
    }

    const uniformDimensionedVectorField& g =
        meshObjects::gravity::New(mesh_.time());

    if (g.dimensions() != dimAcceleration)
    {
        const localIOdictionary dict
        (
            file,
            uniformDimensionedVectorField::typeName
        );

        FatalIOErrorInFunction(dict)
            << "Found g with dimensions " << g.dimensions() << ", possible: "
            << dimAcceleration
            << exit(FatalIOError);
    }

    if (!(mag(g.value()) < caseChecks::largestValue))
    {
        const localIOdictionary dict
        (
            file,
            uniformDimensionedVectorField::typeName
        );

        FatalIOErrorInFunction(dict)
            << "Found g = " << g.value() << " m/s2, possible: numbers below "
            << caseChecks::largestValue
            << exit(FatalIOError);
    }

    return g;
}


Foam::volScalarField Foam::buoyantHeat::readAlphat() const
{
    if
    (
        effectiveViscosity::turbulent(&turbulence_)
     || fileIn(mesh_, "alphat", mesh_.time().timeName())
           .typeHeaderOk<volScalarField>(true)
    )
    {
        return caseChecks::readField<scalar>
        (
            fieldIn(mesh_, "alphat", IOobject::MUST_READ),
            mesh_
        );
    }

    return volScalarField
    (
        fieldIn(mesh_, "alphat", IOobject::NO_READ),
        mesh_,
        dimensionedScalar(dimViscosity, Zero)
    );
}


Foam::dictionary Foam::buoyantHeat::heatOptions() const
{
    dictionary result;

    for
    (
        const word& instance
      : {mesh_.time().constant(), mesh_.time().system()}
    )
    {
        IOobject io(fileIn(mesh_, "fvOptions", instance));

        if (!io.typeHeaderOk<IOdictionary>(true))
        {
            continue;
        }

        const IOdictionary file(io);

        for (const entry& e : file.optionalSubDict("options"))
        {
            if
            (
                e.isDict()
             && e.dict().getOrDefault("active", true)
             && heats(e.dict())
            )
            {
                result.add(e);
            }
        }

        // As OpenFOAM: the first file that is there
        break;
    }

    return result;
}


void Foam::buoyantHeat::readReference()
{
    // Of p: the hydrostatic part of p_rgh depends on T

    const dictionary& solution = mesh_.solutionDict();
    dictionary dict;

    for (const word algorithm : {"LBM", "PISO", "PIMPLE", "SIMPLE"})
    {
        const dictionary* found = solution.findDict(algorithm);

        if
        (
            found
         && (
                found->found("pRefCell")
             || found->found("pRefPoint")
             || found->found("pRefValue")
            )
        )
        {
            dict = *found;
            break;
        }
    }

    if (!dict.found("pRefCell") && !dict.found("pRefPoint"))
    {
        dict.add("pRefCell", label(0));
    }
    if (!dict.found("pRefValue"))
    {
        dict.add("pRefValue", scalar(0));
    }

    pRef_.given = latticeSettings::setReferenceCell
    (
        p_,
        p_rgh_,
        dict,
        pRef_.cell,
        pRef_.value
    );
}


Foam::MinMax<Foam::scalar> Foam::buoyantHeat::range() const
{
    MinMax<scalar> result(minMax(T_.primitiveField()));

    for (const fvPatchScalarField& Tp : T_.boundaryField())
    {
        result += minMax(Tp);
    }

    reduce(result, sumOp<MinMax<scalar>>());

    return result;
}


Foam::scalar Foam::buoyantHeat::height() const
{
    const scalar magG = mag(g_.value());

    return
        magG > SMALL
      ? (cmptMag(g_.value())/magG) & mesh_.bounds().span()
      : 0;
}


void Foam::buoyantHeat::setDrivingTemperature()
{
    scalar T = T_.weightedAverage(mesh_.V()).value();

    // As many digits as a file has of it
    OStringStream text;
    text.precision(6);
    text<< T;
    T = readScalar(text.str());

    reference_.readIfPresent("TMean", T);
    reference_.set("TMean", T);

    TDriving_.value() = T;
}


Foam::label Foam::buoyantHeat::patchOfGradient() const
{
    forAll(T_.boundaryField(), patchi)
    {
        const fvPatchScalarField& Tp = T_.boundaryField()[patchi];

        if (isA<fixedGradientFvPatchScalarField>(Tp))
        {
            return patchi;
        }
    }

    return -1;
}


void Foam::buoyantHeat::setOnLattice()
{
    string reason;

    const bool turbulent = effectiveViscosity::turbulent(&turbulence_);
    const word fluid
    (
        properties_.getOrDefault<word>("transportModel", "Newtonian")
    );

    if (turbulent && fluid != "Newtonian")
    {
        reason = "transportModel " + fluid + " with a turbulence model";
    }
    else if (fluid != "Newtonian" && patchOfGradient() >= 0)
    {
        reason =
            "transportModel " + fluid + " and patch "
          + mesh_.boundary()[patchOfGradient()].name()
          + ", where the gradient of T is given";
    }
    else if (radiation_->radiation())
    {
        reason = "radiation " + radiation_->type();
    }
    else if (options_.size())
    {
        reason = "the source " + options_[0].name() + " of T";
    }

    const MinMax<scalar> T(range());
    const scalar difference = T.max() - T.min();
    const scalar nu = gMax(turbulence_.nu()().primitiveField());

    std::unique_ptr<scalarOnLattice::eddyDiffusivity> eddies;

    if (!turbulent && fluid != "Newtonian")
    {
        eddies.reset
        (
            new scalarOnLattice::eddyDiffusivity
            {
                nullptr, 0, 1/Pr_.value(), nu, GREAT
            }
        );
    }
    else if (turbulent)
    {
        eddies.reset
        (
            new scalarOnLattice::eddyDiffusivity
            {
                &alphat_,
                1,
                1/Prt_.value(),
                nu,
                isA<incompressible::LESModel>(turbulence_)
              ? largestPecletOfLES
              : largestPecletOfRAS
            }
        );
    }

    onLattice_.reset
    (
        new scalarOnLattice
        (
            T_,
            nu/Pr_.value(),
            std::move(eddies),
            TDriving_.value(),
            difference > SMALL*mag(T.max()) ? difference : 1,
            -beta_.value()*g_.value(),
            nullptr,
            reason,
            [this]
            {
                updateDensity();
                setPressureGradients();
            },
            [this]{ correctPressure(); }
        )
    );
}


void Foam::buoyantHeat::updateDensity()
{
    rhok_ = 1.0 - beta_*(T_ - TRef_);
    pressureOffset_ = beta_*(T_ - TDriving_)*gh_;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::buoyantHeat::buoyantHeat
(
    const surfaceScalarField& phi,
    volScalarField& p_rgh,
    const incompressible::turbulenceModel& turbulence
)
:
    mesh_(p_rgh.mesh()),
    phi_(phi),
    p_rgh_(p_rgh),
    turbulence_(turbulence),
    properties_
    (
        fileIn(mesh_, "transportProperties", mesh_.time().constant())
    ),
    beta_
    (
        coefficient
        (
            "beta",
            dimless/dimTemperature,
            "3e-3; the thermal expansion coefficient in 1/K",
            false
        )
    ),
    TRef_
    (
        coefficient
        (
            "TRef",
            dimTemperature,
            "300; the temperature of relative density 1 in K",
            false
        )
    ),
    Pr_
    (
        coefficient
        (
            "Pr",
            dimless,
            "0.7; the laminar Prandtl number, above 0",
            true
        )
    ),
    Prt_
    (
        coefficient
        (
            "Prt",
            dimless,
            "0.85; the turbulent Prandtl number, above 0",
            true
        )
    ),
    rhoCpRef_
    (
        "rhoCpRef",
        dimDensity*dimEnergy/dimMass/dimTemperature,
        scalar(1)
    ),
    g_(gravity()),
    hRef_
    (
        IOobject
        (
            "hRef",
            mesh_.time().constant(),
            mesh_,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE
        ),
        dimensionedScalar(dimLength, Zero)
    ),
    ghRef_(levelOf(g_, hRef_)),
    gh_("gh", (g_ & mesh_.C()) - ghRef_),
    ghf_("ghf", (g_ & mesh_.Cf()) - ghRef_),
    T_
    (
        caseChecks::readField<scalar>
        (
            fieldIn(mesh_, "T", IOobject::MUST_READ),
            mesh_
        )
    ),
    alphat_(readAlphat()),
    rhok_
    (
        IOobject("rhok", mesh_.time().timeName(), mesh_),
        mesh_,
        dimensionedScalar("rhok", dimless, 1)
    ),
    pressureOffset_
    (
        IOobject
        (
            "pressureOffset",
            mesh_.time().timeName(),
            mesh_,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        mesh_,
        dimensionedScalar(gh_.dimensions(), Zero)
    ),
    p_
    (
        fieldIn(mesh_, "p", IOobject::NO_READ),
        p_rgh_ + rhok_*gh_
    ),
    reference_
    (
        IOobject
        (
            "buoyantHeatProperties",
            mesh_.time().timeName(),
            "uniform",
            mesh_,
            IOobject::READ_IF_PRESENT,
            IOobject::AUTO_WRITE
        )
    ),
    TDriving_("TMean", dimTemperature, 0),
    pRef_(),
    radiation_(radiation::radiationModel::New(T_)),
    options_(mesh_, heatOptions())
{
    checkField(T_, dimTemperature);
    checkField(alphat_, dimViscosity);
    evaluateProcessors(T_);
    evaluateProcessors(alphat_);

    if (p_rgh_.needReference())
    {
        readReference();
    }

    if (radiation_->radiation())
    {
        rhoCpRef_ =
            coefficient
            (
                "rhoRef",
                dimDensity,
                "1.2; the density in kg/m3 that radiation refers to, above 0",
                true
            )
           *coefficient
            (
                "CpRef",
                dimSpecificHeatCapacity,
                "1000; the heat capacity in J/kg/K that radiation refers to,"
                " above 0",
                true
            );
    }

    setDrivingTemperature();
    setOnLattice();

    updateDensity();
    setPressureGradients();
    correctPressure();
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::buoyantHeat::describedBy(const fvMesh& mesh)
{
    const auto exists = [&](const word& name)
    {
        return fileIn(mesh, name, mesh.time().timeName())
            .typeHeaderOk<volScalarField>(true);
    };

    const bool pressure = exists("p_rgh");
    const bool temperature = exists("T");

    if (pressure && !temperature && !exists("p"))
    {
        FatalErrorInFunction
            << "Found p_rgh in " << mesh.time().timePath() << ", but neither T"
            << " nor p" << nl
            << "    possible : p, or with heat p_rgh and T"
            << exit(FatalError);
    }

    return pressure && temperature;
}


bool Foam::buoyantHeat::heats(const dictionary& option)
{
    const word type(option.getOrDefault<word>("type", word::null));
    const dictionary& coeffs = option.optionalSubDict(type + "Coeffs");

    for (const word key : {"injectionRateSuSp", "sources", "fieldValues"})
    {
        const dictionary* values = coeffs.findDict(key);

        if (values && values->found("T"))
        {
            return true;
        }
    }

    wordRes fields;
    coeffs.readIfPresent("fields", fields);

    return fields.match("T");
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::tmp<Foam::volVectorField> Foam::buoyantHeat::smooth() const
{
    return -beta_*(T_ - TDriving_)*g_;
}


Foam::scalar Foam::buoyantHeat::speed() const
{
    return 0.5*freeFall();
}


Foam::scalar Foam::buoyantHeat::freeFall() const
{
    const MinMax<scalar> T(range());

    return sqrt
    (
        mag(g_.value()*beta_.value())*(T.max() - T.min())*height()
    );
}


void Foam::buoyantHeat::writeSummary(Ostream& os) const
{
    const MinMax<scalar> T(range());
    const scalar L = height();
    const scalar nu = turbulence_.nu()().weightedAverage(mesh_.V()).value();
    const scalar Gr = sqr(freeFall()*L/nu);

    os  << "    temperature           " << T.min() << " to " << T.max()
        << " K, "
        << (
               ofLattice()
             ? string("on the lattice")
             : "on the mesh: " + onLattice_->reason()
           ).c_str()
        << nl
        << "    buoyancy              g " << g_.value() << " m/s2, beta "
        << beta_.value() << " 1/K, TRef " << TRef_.value() << " K" << nl
        << "    Prandtl number        " << Pr_.value();

    if (effectiveViscosity::turbulent(&turbulence_))
    {
        os  << ", turbulent " << Prt_.value();
    }

    os  << nl;

    // T is a passive scalar otherwise
    if (Gr > 0)
    {
        os  << "    Rayleigh number       " << Gr*Pr_.value()
            << ", Grashof number " << Gr << ", of " << T.max() - T.min()
            << " K over " << L << " m" << nl
            << "    free-fall velocity    " << freeFall() << " m/s" << nl;
    }

    if (radiation_->radiation())
    {
        os  << "    radiation             " << radiation_->type() << nl;
    }

    for (const fv::option& option : options_)
    {
        os  << "    source of T           " << option.name() << ", "
            << option.type() << nl;
    }
}


void Foam::buoyantHeat::setPressureGradients()
{
    for (fvPatchScalarField& pp : p_rgh_.boundaryFieldRef())
    {
        if (!isA<fixedFluxPressureFvPatchScalarField>(pp))
        {
            continue;
        }

        auto& flux = refCast<fixedFluxPressureFvPatchScalarField>(pp);
        const label patchi = pp.patch().index();

        const scalarField gradient
        (
           -ghf_.boundaryField()[patchi]
           *rhok_.boundaryField()[patchi].snGrad()
        );

        // It ignores a second gradient until it is evaluated
        flux.updateSnGrad(gradient);
        flux.gradient() = gradient;
    }
}


bool Foam::buoyantHeat::fixesPressure() const
{
    for (const fvPatchScalarField& pp : p_rgh_.boundaryField())
    {
        if (pp.fixesValue())
        {
            return true;
        }
    }

    return false;
}


void Foam::buoyantHeat::correctDiffusivity()
{
    if (ofLattice() && !effectiveViscosity::turbulent(&turbulence_))
    {
        return;
    }

    alphat_ = turbulence_.nut()/Prt_;
    alphat_.correctBoundaryConditions();
}


void Foam::buoyantHeat::correct()
{
    correctDiffusivity();

    const volScalarField alphaEff
    (
        "alphaEff",
        turbulence_.nu()/Pr_ + alphat_
    );

    fvOptionForces::setApplied(mesh_, T_.name());

    fvScalarMatrix TEqn
    (
        fvm::ddt(T_)
      + fvm::div(phi_, T_)
      - fvm::laplacian(alphaEff, T_)
     ==
        options_(T_)
    );

    // Where it is off it has no model of absorption
    if (radiation_->radiation())
    {
        TEqn -= radiation_->ST(rhoCpRef_, T_);
    }

    // A transient solver ends with its final corrector
    const word name(T_.select(!mesh_.steady()));

    if (mesh_.relaxEquation(name))
    {
        TEqn.relax(mesh_.equationRelaxationFactor(name));
    }

    options_.constrain(TEqn);

    TEqn.solve(mesh_.solver(name));

    {
        const finalSolvers solvers(mesh_, !mesh_.steady());
        radiation_->correct();
    }

    options_.correct(T_);

    // P stays
    p_rgh_.primitiveFieldRef() -= pressureOffset_.primitiveField();
    updateDensity();
    p_rgh_.primitiveFieldRef() += pressureOffset_.primitiveField();
}


void Foam::buoyantHeat::correctPressure()
{
    setPressureGradients();
    p_rgh_.correctBoundaryConditions();

    p_ = p_rgh_ + rhok_*gh_;

    if (pRef_.given)
    {
        const dimensionedScalar change
        (
            "p",
            p_.dimensions(),
            pRef_.value - getRefCellValue(p_, pRef_.cell)
        );

        p_ += change;
        p_rgh_ += change;
    }
}


// ************************************************************************* //
