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
#include "EdgeMap.H"
#include "PstreamReduceOps.H"
#include "StringStream.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Can the velocity of a condition change
static bool changes(const fvPatchVectorField& Up)
{
    // movingWallVelocity keeps its value on a mesh that does not move
    static const wordHashSet constant
    ({
        "fixedValue",
        "noSlip",
        "movingWallVelocity"
    });

    return !constant.found(Up.type());
}


//- Have two conditions that change one velocity where they meet, at all times.
//  Their values say so for the present alone, and a restart has others. For all
//  processes together
static bool sameMotion
(
    const fvPatchVectorField& a,
    const fvPatchVectorField& b
)
{
    // Their velocity depends on the place alone, not on the patch
    static const wordHashSet types
    ({
        "cylindricalInletVelocity",
        "rotatingWallVelocity",
        "SRFFreestreamVelocity",
        "SRFVelocity",
        "SRFWallVelocity",
        "translatingWallVelocity",
        "uniformFixedValue"
    });

    const auto entries = [](const fvPatchVectorField& Up)
    {
        OStringStream os;
        Up.write(os);
        dictionary dict(IStringStream(os.str())());
        dict.remove("value");
        return dict;
    };

    return returnReduce
    (
        a.type() == b.type()
     && types.found(a.type())
     && entries(a) == entries(b),
        andOp<bool>()
    );
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::linkFluxes::surroundings Foam::latticeMapping::surroundingsOf
(
    const label patchi,
    const volVectorField& U
) const
{
    const primitivePatch& pp = boundary_.patch(patchi);

    EdgeMap<label> edges(2*(pp.nEdges() - pp.nInternalEdges()));

    for (label edgei = pp.nInternalEdges(); edgei < pp.nEdges(); ++edgei)
    {
        const edge& e = pp.edges()[edgei];
        edges.insert
        (
            edge(pp.meshPoints()[e[0]], pp.meshPoints()[e[1]]),
            edgei
        );
    }

    const auto velocity = [&](const label patchj)
    {
        return boundary_.gather
        (
            patchj,
            patches_[patchj].velocity(U.boundaryField()[patchj])()
        );
    };

    const tmp<vectorField> tU(velocity(patchi));

    DynamicList<label> otherVelocity;
    DynamicList<label> closed;

    // A patch with two kinds of links has a given pressure beside its velocity
    linkFluxes::surroundings result;
    result.open = patches_[patchi].linkTypes().size() > 1;

    forAll(patches_, patchj)
    {
        // A patch without faces has no treatment
        if
        (
            patchj == patchi
         || !patches_.set(patchj)
         || patches_[patchj].rank() == latticePatch::NONE
        )
        {
            continue;
        }

        const latticePatch& treatment = patches_[patchj];
        const bool given = treatment.rank() >= latticePatch::INLET;
        const bool rests = treatment.rank() == latticePatch::RESTING_WALL;

        const fvPatchVectorField& Ui = U.boundaryField()[patchi];
        const fvPatchVectorField& Uj = U.boundaryField()[patchj];

        const bool varies = given && (changes(Ui) || changes(Uj));
        const bool same = varies && sameMotion(Ui, Uj);
        const tmp<vectorField> tUj
        (
            given ? velocity(patchj) : tmp<vectorField>::New()
        );
        const primitivePatch& ppj = boundary_.patch(patchj);

        forAll(ppj, facej)
        {
            const face& f = ppj[facej];

            forAll(f, i)
            {
                const auto found = edges.cfind(f.faceEdge(i));

                if (!found.found())
                {
                    continue;
                }

                if (!given)
                {
                    // The fluid comes and goes as it likes, or slips along
                    if (treatment.rank() == latticePatch::PRESSURE)
                    {
                        result.open = true;
                    }
                    else
                    {
                        closed.append(*found);
                    }

                    continue;
                }

                const vector& here = tU()[pp.edgeFaces()[*found][0]];
                const vector& there = tUj()[facej];

                const bool differs =
                    varies
                  ? !same
                  : mag(here - there) > 0.1*max(mag(here), mag(there));

                if (differs)
                {
                    otherVelocity.append(*found);
                }

                if (differs || rests)
                {
                    closed.append(*found);
                }
                else if
                (
                    treatment.throughFlow()
                 && treatment.linkType() == "velocity"
                )
                {
                    result.continues.insert(patchj);
                }
                else
                {
                    result.open = true;
                }
            }
        }
    }

    result.otherVelocity = std::move(otherVelocity);
    result.closed = std::move(closed);

    return result;
}


void Foam::latticeMapping::joinInlets(PtrList<linkFluxes::surroundings>& beside)
{
    groupContinues_.setSize(groupPatches_.size());

    const auto isInlet = [&](const label groupi)
    {
        return beside.set(groupi) && groupPatch(groupi).throughFlow();
    };

    const auto touch = [&](const label groupi, const label groupj)
    {
        return
            beside[groupi].continues.found(groupPatches_[groupj])
         || beside[groupj].continues.found(groupPatches_[groupi]);
    };

    labelHashSet found;

    forAll(groupPatches_, groupi)
    {
        if (found.found(groupi) || !isInlet(groupi))
        {
            continue;
        }

        // The inlet of which it is a part
        DynamicList<label> inlet(1, groupi);
        bool open = false;
        found.insert(groupi);

        for (label i = 0; i < inlet.size(); ++i)
        {
            open = open || beside[inlet[i]].open;

            forAll(groupPatches_, groupj)
            {
                if
                (
                    !found.found(groupj)
                 && isInlet(groupj)
                 && touch(inlet[i], groupj)
                )
                {
                    found.insert(groupj);
                    inlet.append(groupj);
                }
            }
        }

        for (const label groupj : inlet)
        {
            beside[groupj].open = open;
            groupContinues_[groupj] = inlet;
        }
    }
}


Foam::latticeMapping::linkVelocity Foam::latticeMapping::velocityOf
(
    const label groupi,
    const volVectorField& U
) const
{
    const label patchi = groupPatches_[groupi];
    const UList<blend>& blends = groupBlends_[groupi];

    linkVelocity result;
    vectorField& Up = result.U;

    Up = boundary_.gather
    (
        patchi,
        patches_[patchi].velocity(U.boundaryField()[patchi])()
    );

    const label nFaces = Up.size();
    Up.setSize(nFaces + blends.size());

    forAll(blends, i)
    {
        Up[nFaces + i] = blends[i].value(Up);
    }

    if (groupFluxes_.set(groupi))
    {
        const linkFluxes& fluxes = groupFluxes_[groupi];
        const Pair<scalar> faces(fluxes.faces(Up));

        fluxes.match(Up, patches_[patchi].throughFlow());

        result.net = faces[0];
        result.gross = faces[1];
        result.links = fluxes.links(Up);
    }

    return result;
}


// ************************************************************************* //
