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
#include "allProcesses.H"
#include "basicSymmetryFvPatchFields.H"
#include "engine.H"
#include "IOmanip.H"
#include "fixedGradientFvPatchFields.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "mixedFvPatchFields.H"
#include "nodeValues.H"
#include "parallel.H"
#include "symmetryFvPatchFields.H"
#include "symmetryPlaneFvPatchFields.H"
#include "wholeBoundary.H"
#include "zeroGradientFvPatchFields.H"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes that are held in memory at a time
constexpr label chunk = 1 << 18;

typedef std::array<std::int64_t, 3> latticePlace;

latticePlace next(latticePlace p, const std::array<int, 3>& c)
{
    for (int a = 0; a < 3; ++a)
    {
        p[a] += c[a];
    }

    return p;
}


//- Links along axes that lead to a fluid node, of walls without thickness
class thinWalls
{
    std::set<std::pair<latticePlace, int>> links_;

public:

    //- Of the nodes of this process
    thinWalls
    (
        const latticeMapping& mapping,
        const std::vector<std::array<int, 3>>& c
    )
    {
        for (const latticeMapping::axisLink& link : mapping.axisLinks())
        {
            const latticePlace p(mapping.coordinates(link.node));

            if (mapping.processOf(next(p, c[link.direction])) >= 0)
            {
                links_.emplace(p, link.direction);
            }
        }
    }

    //- Is one between a node and the next one
    bool between(const latticePlace& p, const int direction) const
    {
        return links_.count({p, direction});
    }
};


//- Stencil of a place on a boundary, within a spacing of a node: the nodes around
//  that one reaches from there through fluid, by their offset from the place.
//  They may be those of other processes
struct boundaryStencil
{
    DynamicList<vector> offset;
    std::vector<latticePlace> node;

    boundaryStencil
    (
        const latticeMapping& mapping,
        const std::vector<std::array<int, 3>>& c,
        const int nDirections,
        const thinWalls& walls,
        const std::int64_t start,
        const vector& place
    )
    {
        constexpr scalar radius = 2.5;

        offset.append(-place);
        node.push_back(mapping.coordinates(start));

        for (std::size_t k = 0; k < node.size(); ++k)
        {
            for (int i = 1; i <= nDirections; ++i)
            {
                const vector x
                (
                    offset[k] + vector(c[i][0], c[i][1], c[i][2])
                );
                const latticePlace n(next(node[k], c[i]));

                if
                (
                    magSqr(x) < sqr(radius)
                 && mapping.processOf(n) >= 0
                 && !walls.between(node[k], i)
                 && std::find(node.begin(), node.end(), n) == node.end()
                )
                {
                    offset.append(x);
                    node.push_back(n);
                }
            }
        }
    }
};


//- Of a link at the distance q: its stencil is that of the place on the boundary
vector placeOf(const std::array<int, 3>& c, const scalar q)
{
    return q*vector(c[0], c[1], c[2]);
}


//- Place of the node behind that of a link, or its own where none is reached
latticePlace behind
(
    const latticeMapping& mapping,
    const std::vector<std::array<int, 3>>& c,
    const thinWalls& walls,
    const std::int64_t node,
    const int direction
)
{
    const latticePlace own(mapping.coordinates(node));
    // The opposite of an odd direction is the next one
    const int back = direction % 2 ? direction + 1 : direction - 1;
    const latticePlace other(next(own, c[back]));

    return
        mapping.processOf(other) >= 0 && !walls.between(own, back)
      ? other
      : own;
}


//- Let all processes have the first reason of any. Is there one
bool shareReason(string& reason)
{
    if (Pstream::parRun())
    {
        const List<string> all(allProcesses(reason));
        const label first = firstMessage(all);

        reason = first >= 0 ? all[first] : string();
    }

    return !reason.empty();
}

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

    const bool mixed = isA<mixedFvPatchScalarField>(pf);

    if (mixed || pf.fixesValue())
    {
        return
            hasWallFunction(patchi) ? "transfer"
          : mixed ? "mixed"
          : "value";
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
        return
            throughFlow(mapping, patchi) ? "mixed"
          : mapping.conforming() ? "transfer"
          : "flux";
    }

    return word::null;
}


bool Foam::scalarOnLattice::hasWallFunction(const label patchi) const
{
    return
        turbulent()
     && eddies_->field->boundaryField()[patchi].type().ends_with("WallFunction");
}


Foam::tmp<Foam::scalarField> Foam::scalarOnLattice::diffusivityOf
(
    const label patchi
) const
{
    tmp<scalarField> result
    (
        new scalarField(field_.boundaryField()[patchi].size(), diffusivity_)
    );

    if (turbulent())
    {
        result.ref() += eddies_->factor*eddies_->field->boundaryField()[patchi];
    }

    return result;
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


void Foam::scalarOnLattice::setFactors
(
    const latticeMapping& mapping,
    lbm::scalarGroup& group,
    const std::vector<vector>& normals
) const
{
    const auto c = lbm::directions(mapping.lattice());
    const int nDirections = mapping.twoD() ? 4 : 6;
    const thinWalls walls(mapping, c);
    const bool flux = group.type == "flux";

    group.factor.resize(group.size());
    group.image.resize(group.size());

    if (group.type == "transfer")
    {
        for (std::size_t l = 0; l < group.size(); ++l)
        {
            const auto& x = c[group.direction[l]];

            group.image[l] =
                {{mapping.ownIndex(behind(mapping, c, walls, group.node[l], group.direction[l]))}, {1.0f}};
            group.factor[l] =
                normals.empty()
              ? 1
              : vector(x[0], x[1], x[2]) & normals[l];
        }

        return;
    }

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

            const boundaryStencil around
            (
                mapping, c, nDirections, walls, node, placeOf(c[i], q)
            );
            boundaryFit fit(mapping.twoD(), normals[l], around.offset);

            if
            (
                flux
              ? fit.derivative((0.5 - q)*link, link)
              : fit.value(Zero)
            )
            {
                for (const latticePlace& n : around.node)
                {
                    image.node.push_back(mapping.ownIndex(n));
                }
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


bool Foam::scalarOnLattice::fitsImages(const lbm::scalarGroup& group)
{
    return group.type == "mixed" || group.type == "flux";
}


bool Foam::scalarOnLattice::needsNormals
(
    const latticeMapping& mapping,
    const lbm::scalarGroup& group
)
{
    return
        fitsImages(group)
     || (group.type == "transfer" && !mapping.conforming());
}


void Foam::scalarOnLattice::receiveImages
(
    latticeMapping& mapping,
    const lbm::scalarDescription& description,
    const labelList& groupOf
) const
{
    if (!Pstream::parRun())
    {
        return;
    }

    const auto c = lbm::directions(mapping.lattice());
    const int nDirections = mapping.twoD() ? 4 : 6;
    const thinWalls walls(mapping, c);

    std::set<latticePlace> nodes;

    for (const latticeMapping::axisLink& link : mapping.axisLinks())
    {
        const lbm::scalarGroup& group =
            description.groups
            [
                groupOf[mapping.boundary().patchOf(link.face)]
            ];

        if (group.type == "transfer")
        {
            const latticePlace n
            (
                behind(mapping, c, walls, link.node, link.direction)
            );

            if (mapping.processOf(n) != Pstream::myProcNo())
            {
                nodes.insert(n);
            }

            continue;
        }
        if (!fitsImages(group))
        {
            continue;
        }

        const boundaryStencil around
        (
            mapping,
            c,
            nDirections,
            walls,
            link.node,
            placeOf(c[link.direction], link.distance)
        );

        for (const latticePlace& n : around.node)
        {
            if (mapping.processOf(n) != Pstream::myProcNo())
            {
                nodes.insert(n);
            }
        }
    }

    mapping.addRemote({nodes.begin(), nodes.end()});
}


bool Foam::scalarOnLattice::describe
(
    latticeMapping& mapping,
    lbm::scalarDescription& description,
    string& reason
) const
{
    const auto c = lbm::directions(mapping.lattice());
    const int nDirections = mapping.twoD() ? 4 : 6;
    const fvMesh& mesh = field_.mesh();
    const wholeBoundary& boundary = mapping.boundary();

    description.acts = magSqr(acceleration_) > 0;

    // Groups of all patches with links, those of other processes as well
    labelList nLinks(boundary.nPatches(), 0);

    forAll(mapping.groupPatches(), groupi)
    {
        const lbm::linkGroup& links = mapping.description().groups[groupi];

        if (links.type == "cyclic")
        {
            nLinks[mapping.groupPatches()[groupi]] += links.size();
        }
    }
    for (const latticeMapping::axisLink& link : mapping.axisLinks())
    {
        const label patchi = boundary.patchOf(link.face);
        const latticePlace place(mapping.coordinates(link.node));

        ++nLinks[patchi];

        if (!reason.empty())
        {
            continue;
        }
        // Images would have to know of thin walls of other processes
        if
        (
            Pstream::parRun()
         && mapping.processOf(next(place, c[link.direction])) >= 0
        )
        {
            reason =
                "no solid node lies between the two sides of patch "
              + mesh.boundary()[patchi].name() + ", in parallel";
        }
        else if (kindOf(mapping, patchi) == "cyclic")
        {
            reason =
                "cyclic patch " + mesh.boundary()[patchi].name()
              + " has links without a partner";
        }
    }

    if (shareReason(reason))
    {
        return false;
    }

    Pstream::listCombineGather(nLinks, plusEqOp<label>());
    Pstream::listCombineScatter(nLinks);

    labelList groupOf(nLinks.size(), -1);
    List<vectorField> areas(nLinks.size());

    forAll(nLinks, patchi)
    {
        if (nLinks[patchi] == 0)
        {
            continue;
        }

        groupOf[patchi] = description.groups.size();

        lbm::scalarGroup group;
        group.name = mesh.boundary()[patchi].name();
        group.type = kindOf(mapping, patchi);
        group.throughFlow =
            (group.type == "value" || group.type == "mixed")
         && throughFlow(mapping, patchi);
        description.groups.push_back(group);

        if (needsNormals(mapping, group))
        {
            areas[patchi] = boundary.gather(patchi, mesh.boundary()[patchi].Sf());
        }
    }

    receiveImages(mapping, description, groupOf);

    const lbm::latticeDescription& d = mapping.description();
    List<std::vector<vector>> normals(description.groups.size());

    forAll(mapping.groupPatches(), groupi)
    {
        const lbm::linkGroup& links = d.groups[groupi];

        for (std::size_t l = 0; links.type == "cyclic" && l < links.size(); ++l)
        {
            if (links.direction[l] <= nDirections)
            {
                lbm::scalarGroup& group =
                    description.groups[groupOf[mapping.groupPatches()[groupi]]];

                group.node.push_back(links.node[l]);
                group.direction.push_back(links.direction[l]);
                group.partner.push_back(links.partner[l]);
            }
        }
    }

    for (const latticeMapping::axisLink& link : mapping.axisLinks())
    {
        const label patchi = boundary.patchOf(link.face);
        const label facei = boundary.inPatch(link.face);
        const label groupi = groupOf[patchi];
        lbm::scalarGroup& group = description.groups[groupi];

        group.node.push_back(link.node);
        group.direction.push_back(link.direction);
        group.face.push_back(facei);
        group.distance.push_back(link.distance);

        if (areas[patchi].size())
        {
            vector n(mapping.toLattice(areas[patchi][facei]));
            n.z() = mapping.twoD() ? 0 : n.z();
            normals[groupi].push_back(n/max(mag(n), VSMALL));
        }
    }

    forAll(normals, groupi)
    {
        lbm::scalarGroup& group = description.groups[groupi];

        if (fitsImages(group) || group.type == "transfer")
        {
            setFactors(mapping, group, normals[groupi]);
        }

        if
        (
            group.type == "flux"
         || group.type == "transfer"
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
    const label patchi = patches_[groupi];
    const fvPatchScalarField& pf = field_.boundaryField()[patchi];
    const label nFaces = pf.size();
    const scalar perLength = dx_/scale_;

    // Of all processes
    const auto whole = [&](const auto& own)
    {
        const auto all(boundary_->gather(patchi, own));
        const auto* begin = reinterpret_cast<const scalar*>(all().cdata());

        return std::vector<double>
        (
            begin, begin + all().byteSize()/sizeof(scalar)
        );
    };

    const auto given = [&](const scalar value)
    {
        return (value - reference_)/scale_;
    };

    if (kinds_[groupi] == "value")
    {
        scalarField values(nFaces);

        forAll(pf, facei)
        {
            values[facei] = given(pf[facei]);
        }

        return whole(values);
    }

    scalarField gradient(nFaces, Zero);

    if (isA<fixedGradientFvPatchScalarField>(pf))
    {
        gradient =
            refCast<const fixedGradientFvPatchScalarField>(pf).gradient();
    }

    if (kinds_[groupi] == "flux")
    {
        return whole(scalarField(perLength*gradient*diffusivityOf(patchi)));
    }

    // Resistance, value, gradient
    vectorField values(nFaces, Zero);

    if (kinds_[groupi] == "transfer")
    {
        const tmp<scalarField> tD(diffusivityOf(patchi));
        const scalarField& D = tD();
        const scalarField& perCell = pf.patch().deltaCoeffs();
        const auto* mixed =
            isA<mixedFvPatchScalarField>(pf)
          ? &refCast<const mixedFvPatchScalarField>(pf)
          : nullptr;

        forAll(pf, facei)
        {
            const scalar f =
                mixed ? mixed->valueFraction()[facei]
              : pf.fixesValue() ? 1
              : 0;

            values[facei].x() = f*D[facei]*float(perCell[facei]*dx_);
            values[facei].y() =
                f > 0 ? given(mixed ? mixed->refValue()[facei] : pf[facei]) : 0;
            values[facei].z() =
                (1 - f)*D[facei]
               *(mixed ? perLength*mixed->refGrad()[facei]
                 : perLength*gradient[facei]);
        }

        return whole(values);
    }

    if (!isA<mixedFvPatchScalarField>(pf))
    {
        forAll(pf, facei)
        {
            values[facei].z() = perLength*gradient[facei];
        }

        return whole(values);
    }

    const auto& mixed = refCast<const mixedFvPatchScalarField>(pf);
    const scalarField& deltaCoeffs = pf.patch().deltaCoeffs();

    forAll(pf, facei)
    {
        const scalar f = mixed.valueFraction()[facei];

        // Centres of cells in single precision: their last digits depend on the
        // order of the faces, which decomposePar changes
        values[facei].x() =
            f < 1 - SMALL
          ? f/(1 - f)*float(deltaCoeffs[facei]*dx_)
          : std::numeric_limits<double>::infinity();
        values[facei].y() = given(mixed.refValue()[facei]);
        values[facei].z() = perLength*mixed.refGrad()[facei];
    }

    return whole(values);
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
    vectorField none;

    for (label first = 0; first < nNodes; first += chunk)
    {
        const label count = min(chunk, nNodes - first);

        engine.getScalar(number_, first, count, values.data());

        mapping.addToCells
        (
            first, count, values.data(), nullptr, result, none
        );
    }
    mapping.addRemoteToCells(result, none);

    result *= scale_;
    result += reference_;

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::scalarOnLattice::scalarOnLattice
(
    volScalarField& field,
    const scalar diffusivity,
    std::unique_ptr<eddyDiffusivity> eddies,
    const scalar reference,
    const scalar scale,
    const vector& acceleration,
    const dictionary* request,
    const string& reason,
    const std::function<void()>& fieldChanged,
    const std::function<void()>& flowChanged
)
:
    field_(field),
    number_(-1),
    diffusivity_(diffusivity),
    eddies_(std::move(eddies)),
    reference_(reference),
    scale_(scale),
    acceleration_(acceleration),
    request_(request),
    reason_(reason),
    fieldChanged_(fieldChanged),
    flowChanged_(flowChanged),
    carried_(false),
    varies_(false),
    usesFlow_(false),
    patches_(),
    kinds_(),
    boundary_(nullptr),
    dx_(0),
    before_(),
    present_()
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::string Foam::scalarOnLattice::refusal(const latticeMapping& mapping) const
{
    string result;

    for
    (
        label patchi = 0;
        patchi < mapping.boundary().nPatches() && result.empty();
        ++patchi
    )
    {
        const fvPatchScalarField& pf = field_.boundaryField()[patchi];

        if (pf.size() && kindOf(mapping, patchi).empty())
        {
            result =
                field_.name() + " of patch " + pf.patch().name() + " is "
              + pf.type();
        }
    }
    shareReason(result);

    return result;
}


bool Foam::scalarOnLattice::carry
(
    latticeMapping& mapping,
    std::vector<lbm::scalarDescription>& scalars,
    string& reason
)
{
    lbm::scalarDescription description;

    patches_.clear();
    kinds_.clear();
    reason = refusal(mapping);

    if (!reason.empty() || !describe(mapping, description, reason))
    {
        return false;
    }

    for (const lbm::scalarGroup& group : description.groups)
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

        varies_ =
            varies_ || hasWallFunction(patchi) || !constant.found(type);
        usesFlow_ =
            usesFlow_ || !(constant.found(type) || ofTime.found(type));
    }

    number_ = scalars.size();
    scalars.push_back(std::move(description));
    boundary_ = &mapping.boundary();
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

    // U and the fields of the model beside walls are of the present
    for (const label patchi : patches_)
    {
        if (hasWallFunction(patchi))
        {
            eddies_->field->boundaryFieldRef()[patchi].evaluate();
        }
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
    const scalar toLattice = units.dt()/sqr(units.dx());

    forAll(patches_, groupi)
    {
        const label patchi = patches_[groupi];
        const bool flux = kinds_[groupi] == "flux";
        const bool transfer = kinds_[groupi] == "transfer";

        std::vector<double> values(present_[groupi]);

        for (std::size_t i = 0; i < values.size(); ++i)
        {
            // Those of time alone are known at both ends, also after a restart
            const bool ofFlow = flux || (transfer && i % 3 != 1);

            if (before_.size() && !(turbulent() && ofFlow))
            {
                values[i] = 0.5*(before_[groupi][i] + values[i]);
            }

            // Coefficient, value and flux of a transfer
            if (ofFlow)
            {
                values[i] *= toLattice;
            }
        }

        engine.setScalarBoundary
        (
            number_,
            field_.mesh().boundary()[patchi].name(),
            values.data(),
            boundary_->size(patchi)
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

    engine.setDiffusivity(number_, D);

    if (eddies_)
    {
        engine.setMixing
        (
            number_,
            eddies_->perViscosity,
            eddies_->viscosity*units.dt()/sqr(units.dx()),
            eddies_->largestPeclet
        );
    }

    if (magSqr(acceleration_) > 0)
    {
        const vector a
        (
            units.accelerationToLattice(scale_*mapping.toLattice(acceleration_))
        );

        engine.setScalarForce(number_, {a.x(), a.y(), a.z()});
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
    const latticeMapping& mapping
) const
{
    std::vector<double> values(nodeValues(field_, mapping));

    for (double& value : values)
    {
        value = (value - reference_)/scale_;
    }

    engine.initialiseScalar(number_, 0, values.size(), values.data(), nullptr);
}


void Foam::scalarOnLattice::update
(
    lbm::engine& engine,
    const latticeMapping& mapping
)
{
    field_.primitiveFieldRef() = cellValues(engine, mapping);
    field_.correctBoundaryConditions();

    if (fieldChanged_)
    {
        fieldChanged_();
    }
}


Foam::scalar Foam::scalarOnLattice::flux
(
    lbm::engine& engine,
    const latticeUnits& units,
    const label patchi
) const
{
    // A patch that the lattice does not resolve has no links
    if (!patches_.found(patchi))
    {
        return 0;
    }

    return
        scale_
       *units.rateToSI
        (
            engine.scalarFlux
            (
                number_, field_.mesh().boundary()[patchi].name()
            )
        );
}


void Foam::scalarOnLattice::writeSummary
(
    Ostream& os,
    const scalar cellPeclet
) const
{
    os  << "    scalar " << name() << setw(max(1, 15 - int(name().size()))) << ' '
        << diffusivity_ << " m2/s";

    if (mixes())
    {
        os  << " + " << eddies_->perViscosity << " nut";
    }

    os  << ", cell Peclet number " << cellPeclet;

    if (cellPeclet > largestPeclet())
    {
        os  << ", limited to " << largestPeclet();
    }

    os  << nl;
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

    const scalar largest = gMax(mag(field_.primitiveField())());
    const scalar difference =
        gMax(mag(cellValues(engine, mapping) - field_.primitiveField())());

    return
        difference
      > digits*largest + 1e-6*min(scale_, largest);
}


// ************************************************************************* //
