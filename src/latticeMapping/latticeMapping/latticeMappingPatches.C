/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | OpenFOAM: The Open Source CFD Toolbox
   \\    /   O peration     |
    \\  /    A nd           | www.openfoam.com
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2026 lbmGpuFoam contributors
-------------------------------------------------------------------------------
License
    This file is part of lbmGpuFoam, a plugin for OpenFOAM.

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

#include "latticeMapping.H"
#include "latticeInflow.H"
#include "latticeSettings.H"
#include "latticeUnits.H"
#include "wallFunctionLatticePatch.H"
#include "parallel.H"
#include "PstreamReduceOps.H"

#include <type_traits>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeMapping::setPatches
(
    const volVectorField& U,
    const volScalarField& p,
    const latticeSettings& settings
)
{
    patches_.setSize(boundary_.nPatches());
    patchGroups_.setSize(patches_.size(), -1);
    faceRanks_.setSize(patches_.size());
    faceTypes_.setSize(patches_.size());
    faceAreas_.setSize(patches_.size());

    DynamicList<label> groups(patches_.size());

    forAll(patches_, patchi)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];

        // Unlike that of fvPatch, this size counts the faces of empty patches
        if
        (
            boundary_.size(patchi) > 0
         || returnReduce(patch.patch().size(), sumOp<label>()) > 0
        )
        {
            patches_.set(patchi, latticePatch::New(patch, U, p).ptr());

            const latticePatch& treatment = patches_[patchi];

            if (treatment.linkTypes().size() > 1)
            {
                labelField ranks(patch.size());
                labelField types(patch.size());

                forAll(ranks, i)
                {
                    ranks[i] = treatment.faceRank(i);
                    types[i] = treatment.linkTypeOf(i);
                }

                faceRanks_[patchi] = boundary_.gather(patchi, ranks)();
                faceTypes_[patchi] = boundary_.gather(patchi, types)();
            }

            bool needsNormals = false;

            for (const word& type : patches_[patchi].linkTypes())
            {
                if (patchGroups_[patchi] == -1)
                {
                    patchGroups_[patchi] = groups.size();
                }
                groups.append(patchi);

                lbm::linkGroup group;
                group.name = patch.name();
                group.type = type;
                group.varies =
                    settings.boundaryUpdateInterval() == 1
                 && lbm::valuesPerFace(group.type) > 0
                 && patches_[patchi].followsTime();
                description_.groups.push_back(group);

                needsNormals =
                    needsNormals
                 || lbm::hasGhostNodes(group.type)
                 || group.type == "wallStress";
            }

            if (needsNormals)
            {
                faceAreas_[patchi] = boundary_.gather(patchi, patch.Sf());
            }
        }
    }

    groupPatches_.transfer(groups);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::latticeMapping::hasPressure() const
{
    for (const lbm::linkGroup& group : description_.groups)
    {
        if (group.type == "pressure")
        {
            return true;
        }
    }

    return false;
}


bool Foam::latticeMapping::enclosed() const
{
    forAll(groupPatches_, groupi)
    {
        const std::string& type = description_.groups[groupi].type;

        if
        (
            type == "pressure"
         || type == "slip"
         || groupPatch(groupi).throughFlow()
        )
        {
            return false;
        }
    }

    return true;
}


std::vector<double> Foam::latticeMapping::boundaryValues
(
    const label groupi,
    const volVectorField& U,
    const volScalarField& p,
    const latticeUnits& units,
    const scalar pReference,
    const volScalarField* offset
) const
{
    const label patchi = groupPatches_[groupi];
    const fvPatch& patch = mesh_.boundary()[patchi];
    const std::string& type = description_.groups[groupi].type;
    const label nFaces = lbm::valuesPerFace(type) ? boundary_.size(patchi) : 0;

    const UList<blend>& blends = groupBlends_[groupi];

    std::vector<double> values
    (
        (nFaces + blends.size())*lbm::valuesPerFace(type)
    );

    const auto setVector = [&](const label i, const vector& v)
    {
        values[3*i] = v.x();
        values[3*i + 1] = v.y();
        values[3*i + 2] = twoD_ ? 0 : v.z();
    };

    if (lbm::givesVelocity(type))
    {
        const linkVelocity links(velocityOf(groupi, U));
        const vectorField& Up = links.U;

        scalar scale = 1;

        // The profile that an inlet has across it is kept, with one factor
        if (patches_[patchi].throughFlow())
        {
            scalar net = 0, gross = 0, all = 0;

            for (const label groupj : groupContinues_[groupi])
            {
                const linkVelocity part
                (
                    groupj == groupi ? links : velocityOf(groupj, U)
                );

                net += part.net;
                gross += part.gross;
                all += part.links;
            }

            // A small net flux is a difference, and its ratio any number
            if (net*all > 0 && min(mag(net), mag(all)) > 0.1*gross)
            {
                scale = net/all;
            }
        }

        forAll(Up, i)
        {
            setVector(i, units.velocityToLattice(scale*toLattice(Up[i])));
        }
    }
    else if (type == "wallStress")
    {
        const auto friction =
            refCast<const wallFunctionLatticePatch>(patches_[patchi])
           .frictionOf(U.boundaryField()[patchi]);

        // A serial run has all values
        const auto whole = [&](const auto& values)
        {
            return
                Pstream::parRun()
              ? boundary_.gather(patchi, values)
              : tmp<std::decay_t<decltype(values)>>(values);
        };

        const vectorField& ownUp = U.boundaryField()[patchi];

        const auto tUp(whole(ownUp));
        const auto tconductance(whole(friction.conductance));
        const auto tdistance(whole(friction.distance));
        const auto tyPlusPerLength(whole(friction.yPlusPerLength));

        const vectorField& Up = tUp();
        const scalarField& conductance = tconductance();
        const scalarField& distance = tdistance();
        const scalarField& yPlusPerLength = tyPlusPerLength();

        const label width = lbm::valuesPerFace(type);

        lbm::inParallel(Up.size(), [&](std::int64_t begin, std::int64_t end)
        {
            for (label i = begin; i < end; ++i)
            {
                double* value = values.data() + i*width;

                const vector Uw(units.velocityToLattice(toLattice(Up[i])));

                for (direction d = 0; d < (twoD_ ? 2 : 3); ++d)
                {
                    value[d] = Uw[d];
                }

                value[3] = units.velocityToLattice(conductance[i]);
                value[4] = distance[i]/dx_;
                value[5] = yPlusPerLength[i]*dx_;
            }
        }, 4096);
    }
    else if (type == "pressure")
    {
        tmp<scalarField> tpp
        (
            patches_[patchi].pressure(p.boundaryField()[patchi])
        );

        if (offset)
        {
            tpp = tpp - offset->boundaryField()[patchi];
        }

        const latticeInflow inflow(U.boundaryField()[patchi]);
        const scalar pressureType =
            patches_[patchi].totalPressure() ? 1
          : patches_[patchi].pressureFollows() ? -1
          : 0;
        const scalarField floats
        (
            boundary_.gather
            (
                patchi,
                patches_[patchi].floatingPressure
                (
                    U.boundaryField()[patchi],
                    p.boundaryField()[patchi]
                )()
            )
        );
        const scalarField pp(boundary_.gather(patchi, tpp()));
        const vectorField givens(boundary_.gather(patchi, inflow.given));
        const vectorField alongs(boundary_.gather(patchi, inflow.along));

        // Without the last digits: cell centres have the rounding of the order
        // of their faces
        scalarField deltaCoeffs
        (
            boundary_.gather<scalar>(patchi, patch.deltaCoeffs())
        );
        for (scalar& d : deltaCoeffs)
        {
            d = float(d);
        }

        forAll(pp, i)
        {
            double* value = values.data() + i*lbm::valuesPerFace(type);

            const vector given(units.velocityToLattice(toLattice(givens[i])));
            const vector along(toLattice(alongs[i]));

            value[0] = units.pressureToLattice(pp[i] - pReference);

            for (direction d = 0; d < (twoD_ ? 2 : 3); ++d)
            {
                value[1 + d] = given[d];
                value[4 + d] = along[d];
            }

            value[7] = inflow.keep;
            value[8] = pressureType;
            value[9] = inflow.side;
            value[10] =
                units.velocityToLattice(units.nu()*deltaCoeffs[i]);
            value[11] = floats[i];
        }

        const label width = lbm::valuesPerFace(type);

        forAll(blends, i)
        {
            for (label k = 0; k < width; ++k)
            {
                const auto at = [&](const label facei)
                {
                    return values[width*facei + k];
                };

                values[width*(nFaces + i) + k] = blends[i].value(at);
            }
        }
    }

    return values;
}


bool Foam::latticeMapping::straightenInflow
(
    const label groupi,
    std::vector<double>& values
) const
{
    if (description_.groups[groupi].type != "pressure")
    {
        return false;
    }

    bool changed = false;

    const std::size_t width = lbm::valuesPerFace("pressure");

    for (std::size_t i = 0; i + width <= values.size(); i += width)
    {
        double& keep = values[i + 7];

        if (keep == 1 && values[i + 9] == latticeInflow::INFLOW)
        {
            keep = 0;
            changed = true;
        }
    }

    return changed;
}


// ************************************************************************* //
