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
#include "allProcesses.H"
#include "latticeSettings.H"
#include "engine.H"
#include "mathematicalConstants.H"
#include "runSamples.H"
#include "StringStream.H"
#include "Time.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- The sine that goes up and down as much as a series, as far and in the same
//  time: a ramp has half a period, however short it is
struct fluctuation
{
    //- Root of the mean square
    scalar size;

    //- Angular [rad/s]
    scalar frequency;

    fluctuation(const scalarUList& times, const scalarUList& values)
    :
        size(0),
        frequency(0)
    {
        const scalar time = times.last() - times.first();
        const scalar half = 0.5*(max(values) - min(values));

        if (time > 0 && half > SMALL*max(mag(max(values)), mag(min(values))))
        {
            scalar way = 0;

            for (label i = 1; i < values.size(); ++i)
            {
                way += mag(values[i] - values[i - 1]);
            }

            size = half/Foam::sqrt(scalar(2));
            frequency = constant::mathematical::piByTwo*way/(half*time);
        }
    }
};

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::scalar Foam::latticeMapping::length() const
{
    const std::array<std::int64_t, 3>& size = description_.wholeSize;
    return dx_*std::max(size[0], std::max(size[1], size[2]));
}


Foam::referenceSpeed Foam::latticeMapping::referenceVelocity
(
    const volVectorField& U,
    const volScalarField& p,
    const latticeSettings& settings,
    const scalar nu,
    const vector& acceleration
) const
{
    referenceSpeed result;
    scalar& Uref = result.speed;
    string& reason = result.from;

    if (settings.referenceVelocity() > 0)
    {
        Uref = result.known = settings.referenceVelocity();
        reason = "entry referenceVelocity";
        return result;
    }

    const scalar length = this->length();

    // Largest difference of pressures that hold at the same time
    scalar dp = 0;

    // Extremes of those that do not change
    scalar pMin = GREAT;
    scalar pMax = -GREAT;

    // What a table holds for later on may be anything: larger than what can be
    // squared, it would end the run with a signal
    constexpr scalar largest = 1e30;
    string unusable;

    const auto usable =
    [&](const auto& values, const label patchi, const string& when)
    {
        string own;

        for (const auto& value : values)
        {
            if (!(cmptMax(cmptMag(value)) < largest))
            {
                OStringStream text;
                text
                    << "patch " << mesh_.boundary()[patchi].name()
                    << when.c_str() << nl << "    found    : " << value;
                own = text.str();
                break;
            }
        }

        const stringList found(allProcesses(own));
        const label proci = firstMessage(found);

        if (proci != -1 && unusable.empty())
        {
            unusable = found[proci];
        }

        return proci == -1;
    };

    const auto lookAtVelocity =
    [&](const label patchi, const fvPatchVectorField& Upf, const string& when)
    {
        if (!usable(Upf, patchi, when))
        {
            return;
        }

        const vectorField Up(patches_[patchi].velocity(Upf));
        scalar fastest = 0;

        for (const vector& u : Up)
        {
            fastest = max(fastest, mag(u));
        }

        reduce(fastest, maxOp<scalar>());

        if (fastest > Uref)
        {
            Uref = fastest;
            reason =
                "largest speed at the boundary, patch "
              + mesh_.boundary()[patchi].name() + when;
        }
    };

    const auto lookAtPressure =
    [&]
    (
        const label groupi,
        const fvPatchScalarField& ppf,
        scalar& least,
        scalar& largest
    )
    {
        const label patchi = groupPatches_[groupi];

        if
        (
            !usable
            (
                ppf,
                patchi,
                " at time " + name(mesh_.time().value()) + " s"
            )
        )
        {
            return;
        }

        const label start = mesh_.boundary()[patchi].start();
        const scalarField pp(patches_[patchi].pressure(ppf));

        forAll(pp, i)
        {
            if (groupOf(boundary_.number(start + i)) == groupi)
            {
                least = min(least, pp[i]);
                largest = max(largest, pp[i]);
            }
        }

        reduce(least, minOp<scalar>());
        reduce(largest, maxOp<scalar>());
    };

    // Of the patches of fixed pressure [m2]
    scalar area = 0;

    forAll(groupPatches_, groupi)
    {
        if (description_.groups[groupi].type == "pressure")
        {
            area += gSum(mesh_.boundary()[groupPatches_[groupi]].magSf());
        }
    }

    // Through patches whose velocity does not change [m3/s]
    scalar steadyFlux = 0;

    const auto lookAtFlux = [&](const scalar flux, const string& when)
    {
        // More than rounding: an outlet is often as wide as its inlet
        if (mag(flux) > (1 + 1e-6)*Uref*area && area > 0)
        {
            Uref = mag(flux)/area;
            reason =
                "mean speed that continuity gives patches of fixed pressure"
              + when;
        }
    };

    const auto fluxThrough =
    [&](const label patchi, const fvPatchVectorField& Upf) -> scalar
    {
        return gSum
        (
            patches_[patchi].velocity(Upf) & mesh_.boundary()[patchi].Sf()
        );
    };

    runSamples samples(mesh_.time());
    DynamicList<label> velocityGroups;
    DynamicList<label> pressureGroups;

    // Of each of these groups over time: mean velocity outwards, or pressure
    DynamicList<scalar> times;
    List<DynamicList<scalar>> velocities;
    List<DynamicList<scalar>> pressures;

    forAll(groupPatches_, groupi)
    {
        const std::string& type = description_.groups[groupi].type;
        const label patchi = groupPatches_[groupi];
        const fvPatchVectorField& Up = U.boundaryField()[patchi];
        const fvPatchScalarField& pp = p.boundaryField()[patchi];
        const bool varying = patches_[patchi].timeVarying();

        if (lbm::givesVelocity(type) && varying)
        {
            velocityGroups.append(groupi);
            samples.add(Up);
        }
        else if (lbm::givesVelocity(type))
        {
            lookAtVelocity(patchi, Up, "");

            if (unusable.empty())
            {
                steadyFlux += fluxThrough(patchi, Up);
            }
        }
        else if (type == "wallStress")
        {
            lookAtVelocity(patchi, Up, "");
        }
        else if (type == "pressure" && varying)
        {
            pressureGroups.append(groupi);
            samples.add(pp);
        }
        else if (type == "pressure")
        {
            lookAtPressure(groupi, pp, pMin, pMax);
        }
    }

    dp = max(dp, pMax - pMin);

    velocities.resize(velocityGroups.size());
    pressures.resize(pressureGroups.size());

    const auto look = [&](const bool evaluated, const scalar t)
    {
        scalar least = pMin;
        scalar largest = pMax;
        scalar flux = steadyFlux;
        const string when(evaluated ? " at time " + name(t) + " s" : "");

        if (evaluated)
        {
            times.append(t);
        }

        forAll(velocityGroups, i)
        {
            const label patchi = groupPatches_[velocityGroups[i]];

            const fvPatchVectorField& Up =
                evaluated ? samples.velocity(i) : U.boundaryField()[patchi];

            lookAtVelocity(patchi, Up, when);

            if (!unusable.empty())
            {
                continue;
            }

            const scalar through = fluxThrough(patchi, Up);
            flux += through;

            if (evaluated)
            {
                velocities[i].append
                (
                    through
                   /max(gSum(mesh_.boundary()[patchi].magSf()), VSMALL)
                );
            }
        }

        lookAtFlux(flux, when);

        forAll(pressureGroups, i)
        {
            const label groupi = pressureGroups[i];

            lookAtPressure
            (
                groupi,
                evaluated
              ? samples.pressure(i)
              : p.boundaryField()[groupPatches_[groupi]],
                least,
                largest
            );

            if (evaluated && unusable.empty())
            {
                pressures[i].append
                (
                    gAverage
                    (
                        patches_[groupPatches_[groupi]].pressure
                        (
                            samples.pressure(i)
                        )()
                    )
                );
            }
        }

        dp = max(dp, largest - least);
    };

    if (velocityGroups.empty())
    {
        lookAtFlux(steadyFlux, "");
    }

    string notEvaluated;

    if
    (
        (velocityGroups.size() || pressureGroups.size())
     && !samples.forEach([&](const scalar t) { look(true, t); }, notEvaluated)
    )
    {
        look(false, 0);
    }

    if (!unusable.empty())
    {
        FatalErrorInFunction
            << "Fields " << U.name() << " and " << p.name() << ", "
            << unusable.c_str() << nl
            << "    possible : numbers below " << largest
            << exit(FatalError);
    }

    result.known = Uref;

    if (notEvaluated.empty())
    {
        const scalar friction = 12*nu*length/sqr(wallDistance_);

        for (const scalarUList& u : velocities)
        {
            const fluctuation f(times, u);
            result.pressureRate = max
            (
                result.pressureRate,
                f.frequency*f.size*(f.frequency*length + friction)
            );
        }

        for (const scalarUList& p : pressures)
        {
            const fluctuation f(times, p);
            result.pressureRate =
                max(result.pressureRate, f.frequency*f.size);
        }
    }

    string cell;
    scalar speed = Uref;

    forAll(U, celli)
    {
        if (mag(U[celli]) > speed)
        {
            speed = mag(U[celli]);
            cell =
                name(celli)
              + (
                    Pstream::parRun()
                  ? " of processor" + name(Pstream::myProcNo())
                  : string()
                );
        }
    }

    const stringList cells(allProcesses(cell));
    const scalarList speeds(allProcesses(speed));

    forAll(speeds, proci)
    {
        if (speeds[proci] > Uref)
        {
            Uref = speeds[proci];
            reason = "largest initial speed, cell " + cells[proci];
        }
    }

    const scalar g = mag(settings.bodyForce() + acceleration);

    if (g > 0)
    {
        const scalar laminar = g*sqr(wallDistance_)/(8*nu);
        const scalar turbulent = 20*Foam::sqrt(g*wallDistance_/2);
        const scalar Uforce = min(laminar, turbulent);

        if (Uforce > Uref)
        {
            Uref = Uforce;
            reason =
                string("estimate for the body force in a ")
              + (laminar < turbulent ? "laminar" : "turbulent")
              + " channel " + name(wallDistance_) + " m wide";
        }
    }

    if (dp > 0)
    {
        const scalar inviscid = Foam::sqrt(2*dp);
        const scalar laminar = dp/length*sqr(wallDistance_)/(8*nu);
        const scalar Udp = min(laminar, inviscid);

        if (Udp > Uref)
        {
            Uref = Udp;
            reason =
                "estimate for pressures " + name(dp) + " m2/s2 apart: "
              + (
                    laminar < inviscid
                  ? "laminar channel " + name(wallDistance_) + " m wide and "
                  + name(length) + " m long"
                  : string("sqrt(2 dp)")
                );
        }
    }

    if (Uref == 0)
    {
        reason =
            "nothing moves at the start: only the relaxation time limits the"
            " lattice step";
    }

    if (!notEvaluated.empty())
    {
        reason +=
            "; boundary values of later times could not be looked at: "
          + notEvaluated;
    }

    return result;
}


// ************************************************************************* //
