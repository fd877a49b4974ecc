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

#include "scalarOnLattice.H"
#include "boundaryFit.H"
#include "basicSymmetryFvPatchFields.H"
#include "engine.H"
#include "fixedGradientFvPatchFields.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "mixedFvPatchFields.H"
#include "nodeValues.H"
#include "parallel.H"
#include "symmetryFvPatchFields.H"
#include "symmetryPlaneFvPatchFields.H"
#include "zeroGradientFvPatchFields.H"

#include <algorithm>
#include <cmath>
#include <limits>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes that are held in memory at a time
constexpr label chunk = 1 << 18;

//- Diffusivity in units of the lattice below which stability comes first: at a
//  Mach number of 0.1 the cell Peclet number is 30 there
constexpr scalar stableBelow = 2e-3;

//- Stencil of a place on a boundary, within a spacing of a node: the nodes around
//  that one reaches from there through fluid, by their offset from the place
struct boundaryStencil
{
    DynamicList<vector> offset;
    DynamicList<std::int64_t> node;

    boundaryStencil
    (
        const lbm::latticeDescription& d,
        const std::vector<std::array<int, 3>>& c,
        const int nDirections,
        const std::int64_t start,
        const vector& place
    )
    {
        constexpr scalar radius = 2.5;

        offset.append(-place);
        node.append(start);

        for (label k = 0; k < node.size(); ++k)
        {
            for (int i = 1; i <= nDirections; ++i)
            {
                const vector x
                (
                    offset[k] + vector(c[i][0], c[i][1], c[i][2])
                );
                const std::int64_t n = d.neighbour(node[k], c[i]);

                if (magSqr(x) < sqr(radius) && d.isFluid(n) && !node.found(n))
                {
                    offset.append(x);
                    node.append(n);
                }
            }
        }
    }
};

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::word Foam::scalarOnLattice::kindOf
(
    const latticeMapping& mapping,
    const label patchi
) const
{
    const fvPatchScalarField& pf = field_.boundaryField()[patchi];

    if (pf.type() == "cyclic")
    {
        return "cyclic";
    }

    if (pf.coupled())
    {
        return word::null;
    }

    if (isA<mixedFvPatchScalarField>(pf))
    {
        return "mixed";
    }

    if (pf.fixesValue())
    {
        return "value";
    }

    if
    (
        isA<zeroGradientFvPatchScalarField>(pf)
     || isA<fixedGradientFvPatchScalarField>(pf)
     || isA<basicSymmetryFvPatchScalarField>(pf)
     || isA<symmetryFvPatchScalarField>(pf)
     || isA<symmetryPlaneFvPatchScalarField>(pf)
    )
    {
        return throughFlow(mapping, patchi) ? "mixed" : "flux";
    }

    return word::null;
}


bool Foam::scalarOnLattice::throughFlow
(
    const latticeMapping& mapping,
    const label patchi
) const
{
    forAll(mapping.groupPatches(), groupi)
    {
        if
        (
            mapping.groupPatches()[groupi] == patchi
         && (
                mapping.groupPatch(groupi).throughFlow()
             || mapping.description().groups[groupi].type == "pressure"
            )
        )
        {
            return true;
        }
    }

    return false;
}


void Foam::scalarOnLattice::setImages
(
    const latticeMapping& mapping,
    lbm::scalarGroup& group,
    const std::vector<vector>& normals
) const
{
    const lbm::latticeDescription& d = mapping.description();
    const auto c = lbm::directions(mapping.lattice());
    const int nDirections = mapping.twoD() ? 4 : 6;
    const bool flux = group.type == "flux";

    group.image.resize(group.size());
    group.factor.resize(group.size());

    lbm::inParallel(group.size(), [&](std::int64_t begin, std::int64_t end)
    {
        for (std::int64_t l = begin; l < end; ++l)
        {
            const std::int64_t node = group.node[l];
            const int i = group.direction[l];
            const vector link(c[i][0], c[i][1], c[i][2]);
            const scalar q =
                group.distance.empty() ? 0.5 : group.distance[l];

            lbm::scalarImage& image = group.image[l];

            const boundaryStencil around(d, c, nDirections, node, q*link);
            boundaryFit fit(mapping.twoD(), normals[l], around.offset);

            if
            (
                flux
              ? fit.derivative((0.5 - q)*link, link)
              : fit.value(Zero)
            )
            {
                image.node.assign(around.node.begin(), around.node.end());
                image.weight.assign
                (
                    fit.weights().begin(), fit.weights().end()
                );
                group.factor[l] = fit.gradientPart();
            }
            else if (flux)
            {
                group.factor[l] = link & normals[l];
            }
            else
            {
                image.node = {node};
                image.weight = {1.0f};
                group.factor[l] = q*(link & normals[l]);
            }
        }
    });
}


bool Foam::scalarOnLattice::describe
(
    const latticeMapping& mapping,
    lbm::scalarDescription& description,
    string& reason
) const
{
    const lbm::latticeDescription& d = mapping.description();
    const auto c = lbm::directions(mapping.lattice());
    const int nDirections = mapping.twoD() ? 4 : 6;
    const fvMesh& mesh = field_.mesh();

    labelList groupOf(field_.boundaryField().size(), -1);
    List<std::vector<vector>> normals;

    const auto groupAt = [&](const label patchi) -> label
    {
        if (groupOf[patchi] == -1)
        {
            groupOf[patchi] = description.groups.size();

            lbm::scalarGroup group;
            group.name = field_.boundaryField()[patchi].patch().name();
            group.type = kindOf(mapping, patchi);
            group.throughFlow =
                (group.type == "value" || group.type == "mixed")
             && throughFlow(mapping, patchi);
            description.groups.push_back(group);
            normals.append(std::vector<vector>());
        }

        return groupOf[patchi];
    };

    description.acts = magSqr(acceleration_) > 0;

    forAll(mapping.groupPatches(), groupi)
    {
        const lbm::linkGroup& links = d.groups[groupi];

        for (std::size_t l = 0; links.type == "cyclic" && l < links.size(); ++l)
        {
            if (links.direction[l] <= nDirections)
            {
                lbm::scalarGroup& group =
                    description.groups[groupAt(mapping.groupPatches()[groupi])];

                group.node.push_back(links.node[l]);
                group.direction.push_back(links.direction[l]);
                group.partner.push_back(links.partner[l]);
            }
        }
    }

    for (const latticeMapping::axisLink& link : mapping.axisLinks())
    {
        const label patchi = mesh.boundaryMesh().whichPatch(link.face);

        if (d.isFluid(d.neighbour(link.node, c[link.direction])))
        {
            reason =
                "no solid node lies between the two sides of patch "
              + mesh.boundary()[patchi].name();
            return false;
        }

        const label groupi = groupAt(patchi);
        lbm::scalarGroup& group = description.groups[groupi];

        if (group.type == "cyclic")
        {
            reason =
                "cyclic patch " + mesh.boundary()[patchi].name()
              + " has links without a partner";
            return false;
        }

        group.node.push_back(link.node);
        group.direction.push_back(link.direction);
        group.face.push_back(link.face - mesh.boundaryMesh()[patchi].start());
        group.distance.push_back(link.distance);

        vector n(mapping.toLattice(mesh.faceAreas()[link.face]));
        n.z() = mapping.twoD() ? 0 : n.z();
        normals[groupi].push_back(n/max(mag(n), VSMALL));
    }

    forAll(normals, groupi)
    {
        lbm::scalarGroup& group = description.groups[groupi];

        if (group.type == "flux" && mapping.conforming())
        {
            group.factor.assign(group.size(), 1);
        }
        else if (group.type == "flux" || group.type == "mixed")
        {
            setImages(mapping, group, normals[groupi]);
        }

        if
        (
            group.type == "flux"
         || std::all_of
            (
                group.distance.begin(),
                group.distance.end(),
                [](const float q) { return q == 0.5f; }
            )
        )
        {
            group.distance.clear();
        }
    }

    return true;
}


std::vector<double> Foam::scalarOnLattice::boundaryValues
(
    const label groupi
) const
{
    const fvPatchScalarField& pf = field_.boundaryField()[patches_[groupi]];
    const label nFaces = pf.size();
    const scalar perLength = dx_/scale_;

    const auto given = [&](const scalar value)
    {
        return (value - reference_)/scale_;
    };

    if (kinds_[groupi] == "value")
    {
        std::vector<double> values(nFaces);

        forAll(pf, facei)
        {
            values[facei] = given(pf[facei]);
        }

        return values;
    }

    scalarField gradient(nFaces, Zero);

    if (isA<fixedGradientFvPatchScalarField>(pf))
    {
        gradient =
            refCast<const fixedGradientFvPatchScalarField>(pf).gradient();
    }

    if (kinds_[groupi] == "flux")
    {
        std::vector<double> values(nFaces);

        forAll(pf, facei)
        {
            values[facei] = perLength*gradient[facei];
        }

        return values;
    }

    std::vector<double> values(3*nFaces, 0);

    if (!isA<mixedFvPatchScalarField>(pf))
    {
        forAll(pf, facei)
        {
            values[3*facei + 2] = perLength*gradient[facei];
        }

        return values;
    }

    const auto& mixed = refCast<const mixedFvPatchScalarField>(pf);
    const scalarField& deltaCoeffs = pf.patch().deltaCoeffs();

    forAll(pf, facei)
    {
        const scalar f = mixed.valueFraction()[facei];

        values[3*facei] =
            f < 1 - SMALL
          ? f/(1 - f)*deltaCoeffs[facei]*dx_
          : std::numeric_limits<double>::infinity();
        values[3*facei + 1] = given(mixed.refValue()[facei]);
        values[3*facei + 2] = perLength*mixed.refGrad()[facei];
    }

    return values;
}


Foam::scalarField Foam::scalarOnLattice::cellValues
(
    lbm::engine& engine,
    const latticeMapping& mapping
) const
{
    scalarField result(field_.size(), Zero);

    const label nNodes = mapping.nFluid();

    std::vector<double> values(min(chunk, nNodes));

    // As the density
    const std::vector<double> rest(3*values.size(), 0);
    vectorField unused(field_.size(), Zero);

    for (label first = 0; first < nNodes; first += chunk)
    {
        const label count = min(chunk, nNodes - first);

        engine.getScalar(0, first, count, values.data());

        mapping.addToCells
        (
            first, count, values.data(), rest.data(), result, unused
        );
    }

    result *= scale_;
    result += reference_;

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::scalarOnLattice::scalarOnLattice
(
    volScalarField& field,
    const scalar diffusivity,
    const scalar reference,
    const scalar scale,
    const vector& acceleration,
    const string& reason,
    const std::function<void()>& fieldChanged,
    const std::function<void()>& flowChanged
)
:
    field_(field),
    diffusivity_(diffusivity),
    reference_(reference),
    scale_(scale),
    acceleration_(acceleration),
    reason_(reason),
    fieldChanged_(fieldChanged),
    flowChanged_(flowChanged),
    carried_(false),
    varies_(false),
    usesFlow_(false),
    patches_(),
    kinds_(),
    dx_(0),
    before_(),
    present_()
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::string Foam::scalarOnLattice::refusal(const latticeMapping& mapping) const
{
    for (const fvPatchScalarField& pf : field_.boundaryField())
    {
        if
        (
            pf.size()
         && kindOf(mapping, pf.patch().index()).empty()
        )
        {
            return
                field_.name() + " of patch " + pf.patch().name() + " is "
              + pf.type();
        }
    }

    return string::null;
}


bool Foam::scalarOnLattice::carry(latticeMapping& mapping, string& reason)
{
    std::vector<lbm::scalarDescription> scalars(1);

    reason = refusal(mapping);

    if (!reason.empty() || !describe(mapping, scalars[0], reason))
    {
        return false;
    }

    for (const lbm::scalarGroup& group : scalars[0].groups)
    {
        if (group.type == "cyclic")
        {
            continue;
        }

        const label patchi =
            field_.mesh().boundaryMesh().findPatchID(group.name);

        patches_.append(patchi);
        kinds_.append(group.type);

        // Types whose values stay what they are, and those that time alone
        // changes
        static const wordHashSet constant
        ({
            "fixedValue", "zeroGradient", "fixedGradient", "mixed", "symmetry",
            "symmetryPlane", "slip"
        });
        static const wordHashSet ofTime
        ({
            "uniformFixedValue", "uniformFixedGradient",
            "timeVaryingMappedFixedValue"
        });

        const word& type = field_.boundaryField()[patchi].type();

        varies_ = varies_ || !constant.found(type);
        usesFlow_ =
            usesFlow_ || !(constant.found(type) || ofTime.found(type));
    }

    mapping.setScalars(std::move(scalars));
    dx_ = mapping.dx();
    carried_ = true;

    return true;
}


void Foam::scalarOnLattice::evaluate()
{
    if (varies_)
    {
        field_.correctBoundaryConditions();
    }

    before_ = present_;
    present_.setSize(patches_.size());

    forAll(present_, groupi)
    {
        present_[groupi] = boundaryValues(groupi);
    }
}


void Foam::scalarOnLattice::giveBoundaryValues
(
    lbm::engine& engine,
    const latticeUnits& units
) const
{
    const scalar D = diffusivity_*units.dt()/sqr(units.dx());

    forAll(patches_, groupi)
    {
        const fvPatch& patch = field_.mesh().boundary()[patches_[groupi]];
        const scalar factor = kinds_[groupi] == "flux" ? D : 1;

        std::vector<double> values(present_[groupi]);

        for (std::size_t i = 0; i < values.size(); ++i)
        {
            if (before_.size())
            {
                values[i] = 0.5*(before_[groupi][i] + values[i]);
            }

            values[i] *= factor;
        }

        engine.setScalarBoundary
        (
            0, patch.name(), values.data(), patch.size()
        );
    }
}


void Foam::scalarOnLattice::give
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    const scalar D = diffusivity_*units.dt()/sqr(units.dx());

    // Magic parameters: the most stable one where little diffuses, else the most
    // accurate one
    engine.setDiffusivity(0, D, D < stableBelow ? 1.0/4 : 1.0/6);

    if (magSqr(acceleration_) > 0)
    {
        const vector a
        (
            units.accelerationToLattice(scale_*mapping.toLattice(acceleration_))
        );

        engine.setScalarForce(0, {a.x(), a.y(), a.z()});
    }

    if (present_.empty())
    {
        evaluate();
    }

    giveBoundaryValues(engine, units);
}


void Foam::scalarOnLattice::correctBoundaryConditions
(
    lbm::engine& engine,
    const latticeUnits& units
)
{
    evaluate();
    giveBoundaryValues(engine, units);
}


void Foam::scalarOnLattice::initialise
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const std::function<void()>& setFlow
) const
{
    std::vector<double> values(nodeValues(field_, mapping));

    for (double& value : values)
    {
        value = (value - reference_)/scale_;
    }

    // The flow begins with its force, the scalar with the velocity
    engine.initialiseScalar(0, 0, values.size(), values.data(), nullptr);
    setFlow();
    engine.initialiseScalar(0, 0, values.size(), values.data(), nullptr);
}


void Foam::scalarOnLattice::update
(
    lbm::engine& engine,
    const latticeMapping& mapping
)
{
    field_.primitiveFieldRef() = cellValues(engine, mapping);
    field_.correctBoundaryConditions();
    fieldChanged_();
}


bool Foam::scalarOnLattice::differs
(
    lbm::engine& engine,
    const latticeMapping& mapping
) const
{
    // Digits of a file, and of its values
    const scalar digits =
        max(pow(scalar(10), 1 - scalar(IOstream::defaultPrecision())), 1e-12);

    const scalar difference =
        gMax(mag(cellValues(engine, mapping) - field_.primitiveField())());

    return
        difference
      > digits*gMax(mag(field_.primitiveField())()) + 1e-6*scale_;
}


// ************************************************************************* //
