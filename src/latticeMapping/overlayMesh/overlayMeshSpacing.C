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

#include "overlayMesh.H"
#include "overlayMeshShared.H"
#include "polyMesh.H"
#include "wholeBoundary.H"
#include "wallPolyPatch.H"
#include "OStringStream.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

//- Nodes wished for across the narrowest passage
static constexpr scalar passageNodes = 8;

//- A chosen spacing is made smaller by up to this part for plane boundaries,
//  or by the second if that takes in all of them
static constexpr scalar adjustment = 0.1;
static constexpr scalar largeAdjustment = 0.25;


//- To 10 digits: sums over cells have the rounding of their order
static inline scalar rounded(const scalar x)
{
    if (x <= 0 || x >= GREAT)
    {
        return x;
    }

    const scalar unit = std::pow(10.0, std::floor(std::log10(x)) - 9);
    const scalar n = std::round(x/unit);

    return unit < 1 ? n/std::round(1/unit) : n*unit;
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::overlayMesh::setSpacing(const scalar spacing)
{
    OStringStream reason;

    // As many nodes as cells
    const scalar volume = gSum(mesh_.cellVolumes());
    const label nCells = returnReduce(mesh_.nCells(), sumOp<label>());
    const scalar mean = rounded
    (
        twoD_
      ? Foam::sqrt(volume/thickness_/nCells)
      : Foam::cbrt(volume/nCells)
    );

    // Thickness of the cells at walls, half of their area above and below. Where
    // two are, as with grading towards one of two walls, the smaller one, whatever
    // the rounding of the sums
    std::vector<std::pair<scalar, scalar>> wallCells;
    scalar wallArea = 0;
    for (label patchi = 0; patchi < boundary_.nPatches(); ++patchi)
    {
        const polyPatch& pp = mesh_.boundaryMesh()[patchi];

        if (!isA<wallPolyPatch>(pp))
        {
            continue;
        }

        scalarField thickness(pp.size());
        scalarField area(pp.size());

        forAll(pp, i)
        {
            const vector n(pp[i].areaNormal(mesh_.points()));
            const vector d
            (
                pp[i].centre(mesh_.points())
              - mesh_.cellCentres()[pp.faceCells()[i]]
            );
            area[i] = mag(n);
            thickness[i] = 2*mag(d & n)/max(area[i], VSMALL);
        }

        thickness = boundary_.gather(patchi, thickness);
        area = boundary_.gather(patchi, area);

        forAll(area, i)
        {
            if (area[i] < VSMALL)
            {
                continue;
            }
            wallCells.emplace_back(thickness[i], area[i]);
            wallArea += area[i];
        }
    }
    for (auto& x : wallCells)
    {
        x.first = rounded(x.first);
    }
    std::sort(wallCells.begin(), wallCells.end());
    scalar wallCell = GREAT;
    scalar sum = 0;
    for (const auto& x : wallCells)
    {
        sum += x.second;
        wallCell = x.first;
        if (sum > (0.5 - 1e-6)*wallArea)
        {
            break;
        }
    }

    scalar wished = spacing;

    if (spacing <= 0)
    {
        // Passages, on a first lattice
        setBox(mean);
        scalar width = GREAT;
        point where;
        for (const lineFamily& lf : families())
        {
            if (lf.c[0]*lf.c[0] + lf.c[1]*lf.c[1] + lf.c[2]*lf.c[2] == 1)
            {
                crossingList lines(crossings(lf));
                clean(lines);
                findPassage(lf, lines, width, where);
            }
        }

        const scalar passage = rounded(width/passageNodes);
        wished = rounded(max(min(mean, min(wallCell, passage)), 0.5*mean));

        reason
            << mean << " m would make as many nodes as cells";
        if (wished < mean)
        {
            reason
                << "; made smaller for "
                << (
                       passage < wallCell
                     ? "the narrowest passage"
                     : "the cells at walls"
                   );
            if (min(passage, wallCell) < wished)
            {
                reason
                    << ", as far as " << (twoD_ ? 4 : 8)
                    << " times the nodes allow";
            }
        }
    }
    else
    {
        reason << "given";
    }

    report_.spacingWished = wished;

    // Components of the vectors between cyclic halves
    struct length
    {
        scalar value;
        label patchi;
    };
    std::vector<length> lengths;
    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        if (cyclic_[pp.index()] && pp.size())
        {
            for (int a = 0; a < nDims(); ++a)
            {
                const scalar x = mag(separation_[pp.index()][axes_[a]]);
                if (x > 1e-4*wished)
                {
                    lengths.push_back({x, pp.index()});
                }
            }
        }
    }

    const auto fits = [&](const scalar dx)
    {
        for (const length& l : lengths)
        {
            if (l.value < 0.5*dx || fromWhole(l.value/dx) > commensurable)
            {
                return false;
            }
        }
        return true;
    };

    // Candidates, and the area of the planes that they bring half-way
    std::vector<std::pair<scalar, scalar>> allPlanes[3];
    for (int a = 0; a < nDims(); ++a)
    {
        allPlanes[a] = planes(a);
    }

    const auto score = [&](const scalar dx)
    {
        scalar total = 0;
        for (int a = 0; a < nDims(); ++a)
        {
            scalar best = 0;
            for (const auto& base : allPlanes[a])
            {
                scalar sum = 0;
                for (const auto& x : allPlanes[a])
                {
                    if (fromWhole((x.first - base.first)/dx) < commensurable)
                    {
                        sum += x.second;
                    }
                }
                best = max(best, sum);
            }
            total += best;
        }
        return total;
    };

    std::vector<scalar> candidates;
    const auto divide = [&](const scalar L, const scalar least)
    {
        const double first = max(std::ceil(L/wished - 1e-6), 1.0);
        candidates.push_back(min(L/first, wished));
        for (double n = first + 1; L/n >= least && n < first + 2000; ++n)
        {
            candidates.push_back(L/n);
        }
    };

    scalar dx = wished;

    if (lengths.size())
    {
        const length* longest = &lengths[0];
        for (const length& l : lengths)
        {
            if (l.value > longest->value)
            {
                longest = &l;
            }
        }

        divide
        (
            longest->value,
            (spacing > 0 ? 0.5 : 1 - adjustment)*wished
        );
        const auto misfit = [&](const scalar x)
        {
            return !fits(x);
        };
        candidates.erase
        (
            std::remove_if(candidates.begin(), candidates.end(), misfit),
            candidates.end()
        );
        if (candidates.empty())
        {
            divide(longest->value, 0.5*wished);
            candidates.erase
            (
                std::remove_if(candidates.begin(), candidates.end(), misfit),
                candidates.end()
            );
            candidates.resize(min(candidates.size(), std::size_t(1)));
        }
        if (candidates.empty())
        {
            OStringStream pairs;
            for (const length& l : lengths)
            {
                pairs
                    << "    " << surface_.boundaryMesh()[l.patchi].name() << ": "
                    << l.value << " m" << nl;
            }
            FatalErrorInFunction
                << "No spacing from " << 0.5*wished << " to " << wished
                << " m divides the distances between all cyclic halves:" << nl
                << pairs.str().c_str()
                << "    Possible are distances that are whole multiples of one"
                << " spacing" << nl
                << exit(FatalError);
        }
        if (spacing > 0)
        {
            candidates.resize(1);
        }
    }
    else if (spacing <= 0)
    {
        candidates.push_back(wished);
        for (int a = 0; a < nDims(); ++a)
        {
            const auto& all = allPlanes[a];
            for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
            {
                divide
                (
                    mag(all[i].first - all[j].first),
                    (1 - largeAdjustment)*wished
                );
            }
        }
        candidates.erase
        (
            std::remove_if
            (
                candidates.begin(),
                candidates.end(),
                [&](const scalar x)
                {
                    return x < (1 - largeAdjustment)*wished;
                }
            ),
            candidates.end()
        );
    }

    if (candidates.size())
    {
        std::sort(candidates.begin(), candidates.end());
        std::reverse(candidates.begin(), candidates.end());

        scalar total = 0;
        for (int a = 0; a < nDims(); ++a)
        {
            for (const auto& x : allPlanes[a])
            {
                total += x.second;
            }
        }

        // The largest spacing with the largest area
        scalar most = -1;
        for (const scalar x : candidates)
        {
            const scalar s = score(x);
            if
            (
                s > most*(1 + 1e-6)
             && (
                    most < 0
                 || x > (1 - adjustment)*wished
                 || s > total*(1 - 1e-6)
                )
            )
            {
                most = s;
                dx = x;
            }
        }
    }

    if (dx < wished*(1 - 1e-12))
    {
        reason
            << "; " << 100*(1 - dx/wished) << " % smaller so that "
            << (
                   lengths.size()
                 ? "cyclic patches are a whole number of spacings apart"
                 : "plane boundaries lie half-way between nodes"
               );
    }
    if (wallCells.size())
    {
        reason << "; cells at walls are " << wallCell << " m thick";
    }

    report_.spacingReason = reason.str();

    setBox(dx);

    for (const polyPatch& pp : surface_.boundaryMesh())
    {
        for (int a = 0; cyclic_[pp.index()] && a < nDims(); ++a)
        {
            offset_[pp.index()][a] =
                std::llround(separation_[pp.index()][axes_[a]]/dx);
        }
    }
}


// ************************************************************************* //
