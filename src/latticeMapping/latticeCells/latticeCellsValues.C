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

#include "latticeCells.H"
#include "parallel.H"

#include <algorithm>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::array<std::vector<Foam::latticeCells::share>::const_iterator, 2>
Foam::latticeCells::range
(
    const std::vector<share>& shares,
    const label first,
    const label count
)
{
    const auto before = [](const share& s, const label node)
    {
        return s.node < node;
    };

    return
    {{
        std::lower_bound(shares.begin(), shares.end(), first, before),
        std::lower_bound(shares.begin(), shares.end(), first + count, before)
    }};
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::labelList Foam::latticeCells::closestNodes(const label nCells) const
{
    labelList result(nCells, -1);
    List<float> largest(nCells, Zero);

    for (const std::vector<share>* shares : {&both_, &density_})
    {
        for (const share& s : *shares)
        {
            if (s.weight > largest[s.cell])
            {
                largest[s.cell] = s.weight;
                result[s.cell] = s.node;
            }
        }
    }

    for (const label celli : nodeCells_)
    {
        result[celli] = -1;
    }

    return result;
}


void Foam::latticeCells::addNodes
(
    const label first,
    const label count,
    const double* rho,
    const double* u,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    const auto addDensity = [&](const share& s)
    {
        rhoCells[s.cell] += s.weight*rho[s.node - first];
    };

    const auto addVelocity = [&](const share& s)
    {
        if (u)
        {
            const double* v = u + 3*std::size_t(s.node - first);

            uCells[s.cell] += s.weight*vector(v[0], v[1], v[2]);
        }
    };

    for
    (
        auto i = std::lower_bound(sent_.begin(), sent_.end(), first);
        i != sent_.end() && *i < first + count;
        ++i
    )
    {
        auto& value = sentValues_[i - sent_.begin()];

        value = {rho[*i - first], 0, 0, 0};

        if (u)
        {
            std::copy_n(u + 3*std::size_t(*i - first), 3, value.data() + 1);
        }
    }

    const auto both = range(both_, first, count);
    const auto density = range(density_, first, count);
    const auto velocity = range(velocity_, first, count);

    const int nParts = lbm::hostThreads(count, nodesPerThread);

    lbm::onThreads(nParts, [&](int thread, int nThreads)
    {
        const partOfCells mine(thread, nThreads);

        if (!mean_.empty())
        {
            for (label node = first; node < first + count; ++node)
            {
                const share s{node, nodeCells_[node], mean_[node]};

                if (s.weight != 0 && mine(s.cell))
                {
                    addDensity(s);
                    addVelocity(s);
                }
            }
        }

        for (auto s = both[0]; s != both[1]; ++s)
        {
            if (mine(s->cell))
            {
                addDensity(*s);
                addVelocity(*s);
            }
        }

        for (auto s = density[0]; s != density[1]; ++s)
        {
            if (mine(s->cell))
            {
                addDensity(*s);
            }
        }

        for (auto s = velocity[0]; s != velocity[1]; ++s)
        {
            if (mine(s->cell))
            {
                addVelocity(*s);
            }
        }
    });
}


void Foam::latticeCells::addFaces
(
    const label groupi,
    const vectorField& u,
    vectorField& uCells
) const
{
    auto s = std::lower_bound
    (
        faces_.begin(),
        faces_.end(),
        groupi,
        [](const faceShare& s, const label group) { return s.group < group; }
    );

    for (; s != faces_.end() && s->group == groupi; ++s)
    {
        uCells[s->cell] += s->weight*u[s->face];
    }
}


double Foam::latticeCells::bytes() const noexcept
{
    return
        double(mean_.size())*sizeof(float)
      + double(both_.size() + density_.size() + velocity_.size())*sizeof(share)
      + double(faces_.size())*sizeof(faceShare);
}


// ************************************************************************* //
