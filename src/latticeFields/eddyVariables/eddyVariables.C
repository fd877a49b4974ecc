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

#include "eddyVariables.H"
#include "engine.H"
#include "evaluateProcessors.H"
#include "fvOptions.H"
#include "inletOutletFvPatchFields.H"
#include "IStringStream.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "nodeValues.H"
#include "OStringStream.H"
#include "parallel.H"
#include "processorFvPatch.H"
#include "turbulentTransportModel.H"
#include "wallDist.H"
#include "wallFvPatch.H"
#include "wordRe.H"
#include "zeroGradientFvPatchFields.H"

#include <algorithm>
#include <cmath>
#include <mutex>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes that are worked on at a time
constexpr label chunk = 1 << 18;


//- Entries of a condition as it is written
dictionary entriesOf(const fvPatchScalarField& condition)
{
    OStringStream os;
    condition.write(os);

    return dictionary(IStringStream(os.str())());
}


//- Does a condition fix the variable in the cells beside its patch
bool fixesCells(const fvPatchScalarField& condition)
{
    return
        condition.type() == "omegaWallFunction"
     || condition.type() == "epsilonWallFunction";
}


//- Is the value that of the cell
bool isOfCell(const fvPatchScalarField& condition)
{
    return
        isA<zeroGradientFvPatchScalarField>(condition)
     || condition.coupled()
     || condition.patch().constraintType(condition.patch().type())
     || condition.type() == "slip";
}


//- Does a condition give all faces one value, which depends on time at most
bool isOfTime(const fvPatchScalarField& condition)
{
    const word& type = condition.type();

    return type == "fixedValue" || type == "uniformFixedValue";
}


//- Does it give each face a value, which depends on time at most
bool isOfTimeAndPlace(const fvPatchScalarField& condition)
{
    const word& type = condition.type();

    return
        isOfTime(condition)
     || type == "timeVaryingMappedFixedValue"
     || type == "codedFixedValue"
     || type == "turbulentInlet";
}


//- Reference of a condition: what it gives where the fluid enters, or everywhere
tmp<scalarField> reference(const fvPatchScalarField& condition)
{
    if (isA<inletOutletFvPatchScalarField>(condition))
    {
        return refCast<const mixedFvPatchScalarField>(condition).refValue();
    }

    return tmp<scalarField>(new scalarField(condition));
}


//- Are all values of a field the same, in all processes
bool isUniform(const scalarField& values)
{
    return !(gMax(values) > gMin(values));
}


//- Has a patch links at which U floats
bool floats(const latticeMapping& mapping, const label patchi)
{
    forAll(mapping.groupPatches(), groupi)
    {
        if
        (
            mapping.groupPatches()[groupi] == patchi
         && mapping.description().groups[groupi].type == "pressure"
        )
        {
            return true;
        }
    }

    return false;
}


//- Why the lattice has no such condition; empty if it has
string refused
(
    const fvPatchScalarField& condition,
    const latticeMapping& mapping
)
{
    const word& type = condition.type();

    const string here
    (
        condition.internalField().name() + " has " + type + " on patch "
      + condition.patch().name()
    );

    if (fixesCells(condition) || isOfCell(condition))
    {
        return string::null;
    }
    if
    (
        !isA<inletOutletFvPatchScalarField>(condition)
     && !isOfTimeAndPlace(condition)
    )
    {
        return here;
    }

    // Of U on the patch, where that is given
    if
    (
        isA<inletOutletFvPatchScalarField>(condition)
     && type != "inletOutlet"
     && floats(mapping, condition.patch().index())
    )
    {
        return here + ", where U floats";
    }

    // Links that lie between faces take values of several
    if
    (
        !mapping.nodesAtCellCentres()
     && !((isOfTime(condition) || type == "inletOutlet")
         && isUniform(reference(condition)))
    )
    {
        return here + ", which may vary along it";
    }

    return string::null;
}


//- Coefficients of the wall function of a patch for the second variable
lbm::wallCoefficients coefficientsOf
(
    const fvPatchScalarField& second,
    const fvPatchScalarField& nut,
    string& why
)
{
    const dictionary own(entriesOf(second));
    const dictionary ofNut(entriesOf(nut));

    lbm::wallCoefficients result;

    // Of nut, or of the condition itself
    const auto coefficient = [&](const word& name, const scalar otherwise)
    {
        return own.getOrDefault<scalar>
        (
            name,
            ofNut.getOrDefault<scalar>(name, otherwise)
        );
    };

    result.Cmu = coefficient("Cmu", result.Cmu);
    result.kappa = coefficient("kappa", result.kappa);
    result.beta1 = own.getOrDefault<scalar>("beta1", result.beta1);
    result.lowReynolds = own.getOrDefault<Switch>("lowReCorrection", false);
    result.blended = own.getOrDefault<Switch>("blended", false);

    const word blending(own.getOrDefault<word>("blending", "stepwise"));

    if
    (
        blending.find("binomial") == 0
     && second.type() == "omegaWallFunction"
     && own.getOrDefault<scalar>("n", 2) == 2
    )
    {
        result.blended = true;
    }
    else if (blending != "stepwise")
    {
        why =
            "blending " + blending + " of " + second.type() + " on patch "
          + second.patch().name();
    }

    // As nutWallFunction
    const scalar E = coefficient("E", 9.8);

    result.yPlusLam = 11;

    for (label i = 0; i < 10; ++i)
    {
        result.yPlusLam =
            std::log(std::max(E*result.yPlusLam, 1.0))/result.kappa;
    }

    return result;
}


bool same(const lbm::wallCoefficients& a, const lbm::wallCoefficients& b)
{
    return
        a.Cmu == b.Cmu
     && a.kappa == b.kappa
     && a.yPlusLam == b.yPlusLam
     && a.beta1 == b.beta1
     && a.blended == b.blended
     && a.lowReynolds == b.lowReynolds;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::volScalarField& Foam::eddyVariables::field(const label i) const
{
    return turbulence_.mesh().lookupObjectRef<volScalarField>
    (
        variables_[i].name
    );
}


Foam::scalar Foam::eddyVariables::unit
(
    const label i,
    const latticeUnits& units
) const
{
    return
        std::pow(units.dx(), variables_[i].length)
       *std::pow(units.dt(), variables_[i].time);
}


bool Foam::eddyVariables::fixesBeside(const label patchi) const
{
    return
        fixes_
     && fixesCells(field(variables_.size() - 1).boundaryField()[patchi]);
}


std::vector<lbm::transportedValue> Foam::eddyVariables::boundaryValues
(
    const latticeMapping& mapping,
    const label patchi
) const
{
    const label n = variables_.size();

    bool uniform = true;

    // In their order: one may read the one before
    List<scalarField> references(n);

    for (label i = 0; i < n; ++i)
    {
        fvPatchScalarField& value = field(i).boundaryFieldRef()[patchi];

        if (!fixesCells(value) && !isOfCell(value))
        {
            value.updateCoeffs();
            references[i] = reference(value);
            value.evaluate();

            if (isOfTimeAndPlace(value))
            {
                references[i] = value;
            }

            uniform = isUniform(references[i]) && uniform;
        }
    }

    std::vector<lbm::transportedValue> result;

    for (label i = 0; i < n; ++i)
    {
        const fvPatchScalarField& value = field(i).boundaryField()[patchi];
        const bool ofCell = fixesCells(value) || isOfCell(value);

        const double share =
            ofCell ? 0
          : isOfTimeAndPlace(value) ? 1
          : lbm::transportedValue::inflowOnly;

        scalarField whole(1, Zero);

        if (!uniform)
        {
            whole = mapping.boundary().gather<scalar>
            (
                patchi,
                ofCell ? scalarField(value.size(), Zero) : references[i]
            );
        }
        else if (!ofCell)
        {
            whole = gMax(references[i]);
        }

        result.resize(n*whole.size());

        forAll(whole, facei)
        {
            result[n*facei + i] = {share, whole[facei]};
        }
    }

    return result;
}


Foam::scalarField Foam::eddyVariables::cellValues
(
    const label i,
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
) const
{
    const label nNodes = mapping.nFluid();

    scalar least = GREAT;
    scalar largest = -GREAT;

    // Sums over the nodes of a cell, of the variable or its logarithm
    const auto sums = [&](const bool logarithm)
    {
        std::vector<double> values(min(chunk, nNodes));

        scalarField sum(turbulence_.mesh().nCells(), Zero);
        vectorField none;

        std::mutex access;

        for (label first = 0; first < nNodes; first += chunk)
        {
            const label count = min(chunk, nNodes - first);

            engine.getTransported(i, first, count, values.data());

            lbm::inParallel(count, [&](std::int64_t begin, std::int64_t end)
            {
                const auto from = values.begin() + begin;
                const auto to = values.begin() + end;

                if (logarithm)
                {
                    std::transform(from, to, from, [](const double v)
                    {
                        return std::log(std::max(v, double(VSMALL)));
                    });
                    return;
                }

                const auto range = std::minmax_element(from, to);

                const std::lock_guard<std::mutex> lock(access);

                least = min(least, *range.first);
                largest = max(largest, *range.second);
            });

            mapping.addToCells
            (
                first, count, values.data(), nullptr, sum, none
            );
        }
        mapping.addRemoteToCells(sum, none);

        return sum;
    };

    scalarField result(sums(false));

    // Cells beyond the outermost nodes are extrapolated to
    reduce(least, minOp<scalar>());
    reduce(largest, maxOp<scalar>());

    // Where the variable falls steeply a straight line leads to nothing or
    // below, an exponential does not
    if (gMin(result) < least)
    {
        const scalarField logarithm(sums(true));

        forAll(result, celli)
        {
            if (result[celli] < least)
            {
                result[celli] = std::exp(logarithm[celli]);
            }
        }
    }

    const scalar toSI = unit(i, units);

    lbm::inParallel(result.size(), [&](std::int64_t begin, std::int64_t end)
    {
        for (label celli = begin; celli < end; ++celli)
        {
            result[celli] = toSI*max(least, min(largest, result[celli]));
        }
    });

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::eddyVariables::eddyVariables
(
    turbulenceModel& turbulence,
    const std::string& law
)
:
    turbulence_(turbulence),
    variables_(lbm::transportedVariables(law)),
    fixes_(lbm::fixesBesideWalls(law)),
    given_()
{}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

bool Foam::eddyVariables::possible
(
    const latticeMapping& mapping,
    const turbulenceModel& turbulence,
    lbm::viscosityModel& model,
    string& why
)
{
    const std::string& law = model.eddies;
    const auto variables(lbm::transportedVariables(law));
    const fvMesh& mesh = turbulence.mesh();

    const word kind
    (
        isA<incompressible::LESModel>(turbulence) ? "LES" : "RAS"
    );

    if (!turbulence.subDict(kind).getOrDefault<Switch>("turbulence", true))
    {
        why = "turbulence is switched off in " + kind;
        return false;
    }

    const dictionary& coeffs = turbulence.subOrEmptyDict
    (
        kind
    ).subOrEmptyDict(word(law) + "Coeffs");

    if (coeffs.getOrDefault<Switch>("ft2", false))
    {
        why = "ft2 of " + word(law) + " is on";
        return false;
    }

    bool fixes = false;

    for (std::size_t i = 0; i < variables.size(); ++i)
    {
        const volScalarField& field =
            mesh.lookupObject<volScalarField>(variables[i].name);

        if (fv::options::New(const_cast<fvMesh&>(mesh)).appliesToField(field.name()))
        {
            why = "fvOptions act on " + field.name();
            return false;
        }

        for (const fvPatchScalarField& condition : field.boundaryField())
        {
            const label patchi = condition.patch().index();
            const string here
            (
                refused(condition, mapping)
            );

            if (here.size())
            {
                why = here;
                return false;
            }

            if (!fixesCells(condition))
            {
                continue;
            }

            if (i != 1 || !lbm::fixesBesideWalls(law))
            {
                why =
                    condition.type() + " on patch " + condition.patch().name()
                  + " is none of " + word(law);
                return false;
            }

            const lbm::wallCoefficients own
            (
                coefficientsOf
                (
                    condition,
                    turbulence.nut()().boundaryField()[patchi],
                    why
                )
            );

            if (why.size())
            {
                return false;
            }
            if (fixes && !same(own, model.wall))
            {
                why =
                    "the coefficients of " + condition.type()
                  + " differ from patch to patch";
                return false;
            }

            model.wall = own;
            fixes = true;
        }
    }

    // Links of walls have no faces
    forAll(mapping.groupPatches(), groupi)
    {
        const label patchi = mapping.groupPatches()[groupi];

        if (lbm::valuesPerFace(mapping.description().groups[groupi].type) > 0)
        {
            continue;
        }

        for (const lbm::lawParameter& variable : variables)
        {
            const fvPatchScalarField& condition =
                mesh.lookupObject<volScalarField>(variable.name)
               .boundaryField()[patchi];

            if
            (
                !fixesCells(condition)
             && !isOfCell(condition)
             && !(
                    (isOfTime(condition) || condition.type() == "inletOutlet")
                 && isUniform(reference(condition))
                )
            )
            {
                why =
                    word(variable.name) + " varies along the wall "
                  + condition.patch().name();
                return false;
            }
        }
    }

    if (lbm::usesWallDistance(law))
    {
        const volScalarField& y = wallDist::New(mesh).y();

        model.wallDistance = Foam::nodeValues(y, mapping);

        const double least = 0.01*mapping.dx();

        // In single precision: the last digits depend on the domains
        for (double& distance : model.wallDistance)
        {
            distance = std::max(double(float(distance)), least);
        }
    }

    return true;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::eddyVariables::hasK(const std::string& law)
{
    const auto variables(lbm::transportedVariables(law));

    return variables.size() && word(variables[0].name) == "k";
}


Foam::UPtrList<const Foam::volScalarField>
Foam::eddyVariables::fields() const
{
    UPtrList<const volScalarField> result(variables_.size());

    forAll(result, i)
    {
        result.set(i, &field(i));
    }

    return result;
}


void Foam::eddyVariables::giveNodes
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
) const
{
    for (std::size_t i = 0; i < variables_.size(); ++i)
    {
        std::vector<double> values(Foam::nodeValues(field(i), mapping));

        const scalar toSI = unit(i, units);

        for (double& value : values)
        {
            value /= toSI;
        }

        engine.setTransported(i, 0, values.size(), values.data());
    }
}


void Foam::eddyVariables::giveBoundary
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const bool anew
)
{
    const label n = variables_.size();

    given_.setSize(mapping.groupPatches().size());

    forAll(given_, groupi)
    {
        if (mapping.description().groups[groupi].type == "cyclic")
        {
            continue;
        }

        const label patchi = mapping.groupPatches()[groupi];

        std::vector<lbm::transportedValue> values
        (
            boundaryValues(mapping, patchi)
        );

        const bool like =
            values.size() == given_[groupi].size()
         && std::equal
            (
                values.begin(),
                values.end(),
                given_[groupi].begin(),
                []
                (
                    const lbm::transportedValue& a,
                    const lbm::transportedValue& b
                )
                {
                    return a.share == b.share && a.reference == b.reference;
                }
            );

        if (like && !anew)
        {
            continue;
        }

        given_[groupi] = values;

        for (label i = 0; i < n; ++i)
        {
            const scalar toSI = unit(i, units);

            for (std::size_t l = i; l < values.size(); l += n)
            {
                values[l].reference /= toSI;
            }
        }

        engine.setTransportedBoundary
        (
            groupi,
            values.data(),
            values.size()/n,
            isA<wallFvPatch>(turbulence_.mesh().boundary()[patchi]),
            fixesBeside(patchi)
        );
    }
}


void Foam::eddyVariables::takeNodes
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const std::vector<std::int64_t>& nodes
) const
{
    std::vector<double> values(nodes.size());

    for (std::size_t i = 0; i < variables_.size(); ++i)
    {
        engine.getTransportedAt(i, nodes.size(), nodes.data(), values.data());

        const labelList& nodeCells = mapping.nodeCells();
        const scalar toSI = unit(i, units);
        scalarField& cells = field(i).primitiveFieldRef();

        for (std::size_t l = 0; l < nodes.size(); ++l)
        {
            cells[nodeCells[nodes[l]]] = toSI*values[l];
        }
    }
}


void Foam::eddyVariables::takeCells
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
) const
{
    for (std::size_t i = 0; i < variables_.size(); ++i)
    {
        field(i).primitiveFieldRef() = cellValues(i, engine, mapping, units);
    }
}


void Foam::eddyVariables::take
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
) const
{
    takeCells(engine, mapping, units);

    for (std::size_t i = 0; i < variables_.size(); ++i)
    {
        volScalarField& own = field(i);

        // The value of a wall function that fixes cells is that of the cells
        for (fvPatchScalarField& value : own.boundaryFieldRef())
        {
            if (fixesCells(value))
            {
                value == value.patchInternalField();
            }
        }
        for (fvPatchScalarField& value : own.boundaryFieldRef())
        {
            if (!fixesCells(value) && !isA<processorFvPatch>(value.patch()))
            {
                value.initEvaluate();
                value.evaluate();
            }
        }
        evaluateProcessors(own);
    }

    turbulence_.validate();
}


bool Foam::eddyVariables::differ
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
) const
{
    // Digits of a file, and of single precision
    const scalar digits =
        max(pow(scalar(10), 1 - scalar(IOstream::defaultPrecision())), 1e-6);

    bool result = false;

    for (std::size_t i = 0; i < variables_.size(); ++i)
    {
        const scalarField& own = field(i).primitiveField();
        const scalarField nodes(cellValues(i, engine, mapping, units));

        // What is next to nothing may have been bounded
        const scalar least = 1e-6*gMax(mag(own)());

        result =
            gMax((mag(nodes - own)/(mag(own) + least))()) > digits || result;
    }

    return result;
}


// ************************************************************************* //
