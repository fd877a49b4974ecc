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

#include "latticeInflow.H"
#include "advectiveFvPatchFields.H"
#include "directionMixedFvPatchFields.H"
#include "HashSet.H"
#include "inletOutletFvPatchFields.H"
#include "mixedFvPatchFields.H"
#include "outletInletFvPatchFields.H"
#include "pressureInletOutletVelocityFvPatchVectorField.H"
#include "StringStream.H"
#include "symmTensorField.H"

// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeInflow::latticeInflow(const fvPatchVectorField& Up)
:
    given(Up.size(), Zero),
    along(Up.patch().nf()),
    keep(0),
    side(INFLOW)
{
    const word& type = Up.type();

    // Entries that the class keeps for itself
    const auto written = [&]
    {
        OStringStream os;
        Up.write(os);
        IStringStream is(os.str());
        return dictionary(is);
    };

    static const wordHashSet directed
    ({
        "pressureDirectedInletVelocity",
        "pressureDirectedInletOutletVelocity"
    });

    if (const auto* p = isA<pressureInletOutletVelocityFvPatchVectorField>(Up))
    {
        // Tangential by construction
        given = p->refValue();
    }
    else if
    (
        isA<inletOutletFvPatchVectorField>(Up)
     || isA<outletInletFvPatchVectorField>(Up)
     || type == "uniformInletOutlet"
     || type == "freestreamVelocity"
    )
    {
        given = refCast<const mixedFvPatchVectorField>(Up).refValue();
        along = Zero;
        side =
            isA<outletInletFvPatchVectorField>(Up) ? OUTFLOW
          : type == "freestreamVelocity" ? BLENDED
          : INFLOW;
    }
    else if (type == "pressureInletVelocity")
    {
        side = BOTH;
    }
    else if
    (
        type == "pressureInletUniformVelocity"
     || isA<advectiveFvPatchVectorField>(Up)
    )
    {
        // Evaluated from the flow
        given = Up;
        along = Zero;
        side = BOTH;
    }
    else if (directed.found(type))
    {
        const dictionary dict(written());
        const vectorField d("inletDirection", dict, Up.size());

        forAll(d, i)
        {
            const scalar dn = d[i] & along[i];

            if (mag(dn) < 1e-3*mag(d[i]) || mag(d[i]) < VSMALL)
            {
                FatalErrorInFunction
                    << "Patch " << Up.patch().name() << " of field "
                    << Up.internalField().name() << ", type " << type << nl
                    << "    found    : inletDirection " << d[i] << " of face "
                    << i << ", which does not lead through it: its normal is "
                    << along[i] << nl
                    << "    possible : a direction through the patch" << nl
                    << exit(FatalError);
            }
            along[i] = d[i]/dn;
        }

        side = type == "pressureDirectedInletVelocity" ? BOTH : INFLOW;
    }
    else if (type == "fixedNormalInletOutletVelocity")
    {
        const symmTensorField normal(sqr(along));

        given = normal & refCast<const directionMixedFvPatchVectorField>
        (
            Up
        ).refValue();
        along = Zero;
        side = BOTH;
        keep =
            written().getOrDefault("fixTangentialInflow", true)
          ? WHERE_IT_LEAVES
          : 1;
    }
    else if (type != "pressureNormalInletOutletVelocity")
    {
        // The velocity of the flow
        keep = 1;
    }
}


// ************************************************************************* //
