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

#include "caseChecks.H"
#include "eddyVariables.H"
#include "effectiveViscosity.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "singlePhaseTransportModel.H"
#include "turbulentTransportModel.H"
#include "wordRe.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

bool has(const std::vector<std::string>& names, const word& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}


//- A list of names for a message
string listed(const std::vector<std::string>& names)
{
    string result;

    for (const std::string& name : names)
    {
        if (name != "none")
        {
            result += (result.empty() ? "" : ", ") + name;
        }
    }

    return result;
}


//- Parameters of a law from the coefficients of OpenFOAM's model of that name
std::vector<double> parameters(const word& law, const dictionary& coeffs)
{
    std::vector<double> result;

    for (const lbm::lawParameter& p : lbm::lawParameters(law))
    {
        const word name(p.name);

        if (name == "second")
        {
            result.push_back(1);
            continue;
        }

        // Switches, of kOmegaSST and SpalartAllmarasDES
        if (name == "F3" || name == "lowReCorrection")
        {
            result.push_back(coeffs.getOrDefault<Switch>(name, false));
            continue;
        }
        if
        (
            (name == "kInf" || name == "omegaInf")
         && !coeffs.getOrDefault<Switch>("decayControl", false)
        )
        {
            result.push_back(0);
            continue;
        }

        const dimensionSet dims(0, p.length, p.time, 0, 0);

        // As BirdCarreau.C
        const scalar a = 2;

        result.push_back
        (
            name == "a" && !coeffs.found(name)
          ? a
          : dimensionedScalar(name, dims, coeffs).value()
        );
    }

    return result;
}


//- Value of a parameter of a law, or another one where it has none of the name
double valueOf
(
    const std::string& law,
    const std::vector<double>& values,
    const word& name,
    const double otherwise
)
{
    const auto kinds(lbm::lawParameters(law));

    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        if (kinds[i].name == name)
        {
            return values[i];
        }
    }

    return otherwise;
}


//- Does the viscosity of a fluid rise so steeply with the strain rate that, where
//  the stress is given, viscosity and strain rate would follow each other up and
//  down from one evaluation to the next
bool thickens(const std::string& law, const std::vector<double>& values)
{
    // Under a given stress, nu ~ rate^(n - 1) maps rate to rate^(1 - n)
    constexpr double steep = 1.5;

    const double nu0 = valueOf(law, values, "nu0", 0);

    return
        valueOf(law, values, "nuInf", nu0) > nu0
     || (law != "CrossPowerLaw" && valueOf(law, values, "n", 1) > steep);
}


//- Does the filter width of an LES model depend on the mesh alone
bool ofMeshAlone(const word& delta)
{
    return
        delta == "cubeRootVol"
     || delta == "maxDeltaxyz"
     || delta == "maxDeltaxyzCubeRoot"
     || delta == "IDDESDelta"
     || delta == "smooth";
}


//- hmax of IDDESDelta, the filter width of SpalartAllmarasIDDES
const volScalarField& longestEdges(const incompressible::LESModel& model)
{
    return model.mesh().lookupObject<volScalarField>("hmax");
}


//- Filter width of the cell of each node, a single one where all are equal
std::vector<double> widths
(
    const volScalarField& ofCells,
    const latticeMapping& mapping
)
{
    std::vector<double> result;

    // In single precision: the last digits of volumes depend on the order of the
    // faces of a cell, which decomposePar changes
    for (const label celli : mapping.nodeCells())
    {
        result.push_back(float(ofCells[celli]));
    }

    // That of the first node, of all processes, if all have the same
    scalar least = GREAT;
    scalar largest = 0;
    scalar first = 0;

    for (const double width : result)
    {
        least = min(least, width);
        largest = max(largest, width);
    }
    if (result.size() && mapping.runs()[0].whole == 0)
    {
        first = result[0];
    }
    reduce(least, minOp<scalar>());
    reduce(largest, maxOp<scalar>());
    reduce(first, maxOp<scalar>());

    if (largest - least < 1e-6*largest)
    {
        result.assign(1, first);
    }

    return result;
}


//- Does a wall function of nut need the velocity beside the wall alone
bool ofVelocityAlone(const word& type)
{
    static const wordRe types("nutU.*WallFunction", wordRe::REGEX);

    return types.match(type);
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::effectiveViscosity::laws
(
    const latticeMapping& mapping,
    lbm::viscosityModel& model,
    string& why
) const
{
    model = lbm::viscosityModel();

    const word fluid
    (
        transport_->getOrDefault<word>("transportModel", "Newtonian")
    );

    if (!has(lbm::fluidLawNames(), fluid))
    {
        why =
            "transportModel " + fluid + " is none of "
          + listed(lbm::fluidLawNames());
        return false;
    }

    model.fluid = fluid;
    model.fluidParameters = parameters
    (
        fluid,
        fluid == "Newtonian"
      ? *transport_
      : transport_->optionalSubDict(fluid + "Coeffs")
    );

    if (thickens(model.fluid, model.fluidParameters))
    {
        model.interval = 1;
    }

    if (!turbulent(turbulence_))
    {
        return true;
    }

    const auto* les = isA<incompressible::LESModel>(*turbulence_);
    const auto* ras = isA<incompressible::RASModel>(*turbulence_);
    const word eddies(turbulence_->type());

    if ((!les && !ras) || !has(lbm::eddyLawNames(), eddies))
    {
        why =
            "turbulence model " + eddies + " is none of "
          + listed(lbm::eddyLawNames());
        return false;
    }

    if
    (
        caseChecks::describesRotatingFrame(turbulence_->mesh())
     && (eddies == "WALE" || eddies.find("SpalartAllmaras") == 0)
    )
    {
        why =
            eddies + " depends on the vorticity of the absolute velocity, and"
            " the lattice has that of the relative one";
        return false;
    }

    if (les)
    {
        const dictionary& dict = les->subDict("LES");
        const word delta(dict.get<word>("delta"));

        // IDDESDelta has a filter width of its own, hmax
        const word hmax
        (
            dict.optionalSubDict("IDDESDeltaCoeffs").getOrDefault<word>
            (
                "hmax",
                "maxDeltaxyz"
            )
        );

        for (const word& width : {delta, hmax})
        {
            if (!ofMeshAlone(width))
            {
                why = "delta " + width + " changes with the flow";
                return false;
            }
        }
    }

    forAll(mapping.groupPatches(), groupi)
    {
        if (mapping.description().groups[groupi].type != "wallStress")
        {
            continue;
        }

        const fvPatchScalarField& nut =
            turbulence_->nut()().boundaryField()[mapping.groupPatches()[groupi]];

        if
        (
            fluid != "Newtonian"
         || !(ofVelocityAlone(nut.type()) || eddyVariables::hasK(eddies))
        )
        {
            why =
                nut.type() + " of patch " + nut.patch().name()
              + " needs more than U and k of a Newtonian fluid";
            return false;
        }
    }

    model.eddies = eddies;
    model.eddyParameters = parameters
    (
        eddies,
        les ? les->coeffDict() : ras->coeffDict()
    );

    for (const word exponent : {"Cd2", "Cdt2"})
    {
        const double value = valueOf(eddies, model.eddyParameters, exponent, 1);

        if (value < 1 || value > std::floor(value))
        {
            why =
                "exponent " + exponent + " " + name(value) + " of " + eddies
              + " is not whole";
            return false;
        }
    }

    if (lbm::transportedVariables(eddies).size() && model.interval == 1)
    {
        why =
            eddies + " is advanced every few steps, and " + fluid
          + " thickens steeply";
        return false;
    }

    if
    (
        lbm::transportedVariables(eddies).size()
     && !eddyVariables::possible(mapping, *turbulence_, model, why)
    )
    {
        return false;
    }

    if (!les)
    {
        return true;
    }

    model.delta = widths(les->delta(), mapping);

    if (lbm::usesLongestEdge(eddies))
    {
        model.longestEdge = widths(longestEdges(*les), mapping);
    }

    return true;
}


lbm::viscosityModel Foam::effectiveViscosity::inLatticeUnits
(
    const lbm::viscosityModel& model,
    const latticeUnits& units
)
{
    const auto convert =
    [&](const std::string& law, std::vector<double>& values)
    {
        const auto kinds(lbm::lawParameters(law));

        for (std::size_t i = 0; i < values.size(); ++i)
        {
            values[i] /=
                std::pow(units.dx(), kinds[i].length)
               *std::pow(units.dt(), kinds[i].time);
        }
    };

    lbm::viscosityModel result(model);

    convert(model.fluid, result.fluidParameters);
    convert(model.eddies, result.eddyParameters);

    for (double& delta : result.delta)
    {
        delta /= units.dx();
    }
    for (double& edge : result.longestEdge)
    {
        edge /= units.dx();
    }
    for (double& distance : result.wallDistance)
    {
        distance /= units.dx();
    }

    return result;
}


// ************************************************************************* //
