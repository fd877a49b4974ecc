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

#include "latticeProjection.H"
#include "latticeMapping.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes of the coarsest level at most
constexpr label few = 50;

//- Sweeps there
constexpr label nSweeps = 20;

//- Residual over the right side, both in the L2 norm
constexpr scalar relTol = 1e-6;

constexpr label maxIterations = 200;

//- Boundaries nearer than this count as if they were there
constexpr scalar nearest = 0.1;

//- Difference of distances, from node to node, up to which a boundary counts
//  as normal to an axis
constexpr scalar slight = 0.3;


double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        sum += a[i]*b[i];
    }
    return sum;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

const Foam::latticeProjection::side& Foam::latticeProjection::sideOf
(
    const label node,
    const int direction
) const
{
    side wanted;
    wanted.node = node;
    wanted.direction = direction;

    return *std::lower_bound(sides_.begin(), sides_.end(), wanted);
}


Foam::scalar Foam::latticeProjection::width
(
    const label node,
    const int axis
) const
{
    const level& l = levels_[0];

    return
        (l.down[axis][node] == -1 ? sideOf(node, 2*axis).q : 0.5)
      + (l.up[axis][node] == -1 ? sideOf(node, 2*axis + 1).q : 0.5);
}


Foam::scalar Foam::latticeProjection::area
(
    const label node,
    const int axis
) const
{
    scalar result = 1;
    for (int a = 0; a < nDims_; ++a)
    {
        if (a != axis)
        {
            result *= width(node, a);
        }
    }
    return result;
}


void Foam::latticeProjection::setFinest()
{
    const lbm::latticeDescription& description = mapping_.description();
    const auto directions = lbm::directions(mapping_.lattice());

    levels_.resize(1);
    level& l = levels_[0];
    l.n = mapping_.nFluid();

    // Neighbours in the box

    std::int64_t stride = 1;
    for (int a = 0; a < nDims_; ++a)
    {
        l.up[a].resize(l.n, -1);
        l.down[a].resize(l.n, -1);

        const std::int64_t nBox = description.fluid.size();
        label node = 0;
        label ahead = 0;

        for (std::int64_t i = 0; i < min(stride, nBox); ++i)
        {
            ahead += description.fluid[i];
        }

        for (std::int64_t i = 0; i + stride < nBox; ++i)
        {
            const bool last = (i/stride) % size_[a] == size_[a] - 1;

            if (!last && description.fluid[i] && description.fluid[i + stride])
            {
                l.up[a][node] = ahead;
                l.down[a][ahead] = node;
            }
            node += description.fluid[i];
            ahead += description.fluid[i + stride];
        }

        stride *= size_[a];
    }

    // Boundaries

    forAll(mapping_.groupPatches(), groupi)
    {
        const lbm::linkGroup& group = description.groups[groupi];

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const std::array<int, 3>& c = directions[group.direction[i]];

            if (mag(c[0]) + mag(c[1]) + mag(c[2]) != 1)
            {
                continue;
            }

            const int axis = c[0] ? 0 : c[1] ? 1 : 2;
            const bool up = c[axis] > 0;
            const label node = mapping_.fluidIndex(group.node[i]);

            if (group.type == "cyclic")
            {
                (up ? l.up : l.down)[axis][node] =
                    mapping_.fluidIndex(group.partner[i]);
                continue;
            }

            // There may be a node beyond a wall without thickness
            (up ? l.up : l.down)[axis][node] = -1;

            side s;
            s.node = node;
            s.direction = 2*axis + up;
            s.kind =
                lbm::givesVelocity(group.type) ? side::VELOCITY
              : group.type == "pressure" ? side::PRESSURE
              : side::CLOSED;
            s.q = group.distance.empty() ? 0.5 : group.distance[i];
            s.patch = mapping_.groupPatches()[groupi];
            s.face =
                group.face.empty()
              ? -1
              : mapping_.faceOfLink(groupi, group.face[i]);
            sides_.push_back(s);
        }
    }

    std::sort(sides_.begin(), sides_.end());

    // Does the boundary go on at the same distance?

    for (side& s : sides_)
    {
        const int axis = s.direction/2;
        s.normal = true;

        for (int t = 0; t < nDims_; ++t)
        {
            const auto along = [&](const label node)
            {
                return
                    node != -1
                 && (s.direction % 2 ? l.up : l.down)[axis][node] == -1
                 && mag(sideOf(node, s.direction).q - s.q) < slight;
            };

            s.normal =
                s.normal
             && (
                    t == axis
                 || along(l.up[t][s.node])
                 || along(l.down[t][s.node])
                );
        }
    }

    // Conductances

    for (int a = 0; a < nDims_; ++a)
    {
        l.g[a].assign(l.n, 0);

        for (label i = 0; i < l.n; ++i)
        {
            const label j = l.up[a][i];

            if (j != -1)
            {
                scalar g = 1;
                for (int t = 0; t < nDims_; ++t)
                {
                    if (t != a)
                    {
                        g *= 0.5*(width(i, t) + width(j, t));
                    }
                }
                l.g[a][i] = g;
            }
        }
    }

    l.diagonal.assign(l.n, 0);

    for (int a = 0; a < nDims_; ++a)
    {
        for (label i = 0; i < l.n; ++i)
        {
            if (l.up[a][i] != -1)
            {
                l.diagonal[i] += l.g[a][i];
                l.diagonal[l.up[a][i]] += l.g[a][i];
            }
        }
    }

    for (const side& s : sides_)
    {
        if (s.kind == side::PRESSURE)
        {
            l.diagonal[s.node] +=
                area(s.node, s.direction/2)/max(s.q, nearest);
        }
    }
}


void Foam::latticeProjection::setCoarser()
{
    const lbm::latticeDescription& description = mapping_.description();

    // Places of the nodes
    std::array<std::int64_t, 3> size(size_);
    std::vector<std::int64_t> places;
    places.reserve(levels_[0].n);

    for (std::size_t i = 0; i < description.fluid.size(); ++i)
    {
        if (description.fluid[i])
        {
            places.push_back(i);
        }
    }

    while
    (
        levels_.back().n > few
     && (size[0] > 1 || size[1] > 1 || size[2] > 1)
    )
    {
        level& fine = levels_.back();
        level l;

        std::array<std::int64_t, 3> half;
        for (int a = 0; a < 3; ++a)
        {
            half[a] = (size[a] + 1)/2;
        }

        const auto merged = [&](const std::int64_t p)
        {
            const std::int64_t x = p % size[0];
            const std::int64_t y = (p/size[0]) % size[1];
            const std::int64_t z = p/(size[0]*size[1]);

            return x/2 + half[0]*(y/2 + half[1]*(z/2));
        };

        std::vector<label> numbers(half[0]*half[1]*half[2], -1);

        for (const std::int64_t p : places)
        {
            numbers[merged(p)] = 0;
        }

        std::vector<std::int64_t> newPlaces;
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            if (numbers[i] != -1)
            {
                numbers[i] = newPlaces.size();
                newPlaces.push_back(i);
            }
        }

        l.n = newPlaces.size();
        l.diagonal.assign(l.n, 0);
        fine.coarse.resize(fine.n);

        // What the diagonal has beyond the faces belongs to the boundary
        for (label i = 0; i < fine.n; ++i)
        {
            fine.coarse[i] = numbers[merged(places[i])];
            l.diagonal[fine.coarse[i]] += 0.5*fine.diagonal[i];
        }

        for (int a = 0; a < nDims_; ++a)
        {
            l.up[a].assign(l.n, -1);
            l.down[a].assign(l.n, -1);
            l.g[a].assign(l.n, 0);

            for (label i = 0; i < fine.n; ++i)
            {
                const label j = fine.up[a][i];

                if (j == -1)
                {
                    continue;
                }

                const label ci = fine.coarse[i];
                const label cj = fine.coarse[j];

                if
                (
                    ci != cj
                 && (l.up[a][ci] == -1 || l.up[a][ci] == cj)
                 && (l.down[a][cj] == -1 || l.down[a][cj] == ci)
                )
                {
                    l.up[a][ci] = cj;
                    l.down[a][cj] = ci;
                    l.g[a][ci] += 0.5*fine.g[a][i];
                }
                else
                {
                    l.diagonal[ci] -= 0.5*fine.g[a][i];
                    l.diagonal[cj] -= 0.5*fine.g[a][i];
                }
            }
        }

        places = std::move(newPlaces);
        size = half;
        levels_.push_back(std::move(l));
    }

    for (level& l : levels_)
    {
        l.x.resize(l.n);
        l.b.resize(l.n);

        // A node without neighbours, or a block, has nothing to solve
        float largest = 0;
        for (const float d : l.diagonal)
        {
            largest = max(largest, d);
        }
        for (float& d : l.diagonal)
        {
            d = max(d, 1e-5f*largest);
        }
    }
}


void Foam::latticeProjection::multiply
(
    const std::vector<double>& x,
    std::vector<double>& y
) const
{
    const level& l = levels_[0];

    for (label i = 0; i < l.n; ++i)
    {
        y[i] = l.diagonal[i]*x[i];
    }

    for (int a = 0; a < nDims_; ++a)
    {
        for (label i = 0; i < l.n; ++i)
        {
            const label j = l.up[a][i];

            if (j != -1)
            {
                y[i] -= l.g[a][i]*x[j];
                y[j] -= l.g[a][i]*x[i];
            }
        }
    }
}


void Foam::latticeProjection::smooth(level& l, const bool forward)
{
    for (label n = 0; n < l.n; ++n)
    {
        const label i = forward ? n : l.n - 1 - n;

        double sum = l.b[i];
        for (int a = 0; a < 3; ++a)
        {
            if (l.up[a].empty())
            {
                continue;
            }
            if (l.up[a][i] != -1)
            {
                sum += l.g[a][i]*l.x[l.up[a][i]];
            }
            if (l.down[a][i] != -1)
            {
                sum += l.g[a][l.down[a][i]]*l.x[l.down[a][i]];
            }
        }
        l.x[i] = sum/l.diagonal[i];
    }
}


void Foam::latticeProjection::cycle(const label leveli)
{
    level& l = levels_[leveli];

    std::fill(l.x.begin(), l.x.end(), 0);

    if (leveli + 1 == label(levels_.size()))
    {
        for (label i = 0; i < nSweeps; ++i)
        {
            smooth(l, true);
            smooth(l, false);
        }
        return;
    }

    smooth(l, true);

    level& next = levels_[leveli + 1];
    std::fill(next.b.begin(), next.b.end(), 0);

    for (label i = 0; i < l.n; ++i)
    {
        double residual = l.b[i] - l.diagonal[i]*l.x[i];
        for (int a = 0; a < nDims_; ++a)
        {
            if (l.up[a][i] != -1)
            {
                residual += l.g[a][i]*l.x[l.up[a][i]];
            }
            if (l.down[a][i] != -1)
            {
                residual += l.g[a][l.down[a][i]]*l.x[l.down[a][i]];
            }
        }
        next.b[l.coarse[i]] += residual;
    }

    cycle(leveli + 1);

    for (label i = 0; i < l.n; ++i)
    {
        l.x[i] += next.x[l.coarse[i]];
    }

    smooth(l, false);
}


std::vector<double> Foam::latticeProjection::solve
(
    const std::vector<double>& b
)
{
    converged_ = false;

    level& l = levels_[0];

    std::vector<double> x(l.n, 0);
    std::vector<double> r(b);
    std::vector<double> d(l.n, 0);
    std::vector<double> Ad(l.n);

    const scalar wanted = relTol*Foam::sqrt(dot(b, b));
    double last = 0;

    for
    (
        label i = 0;
        i < maxIterations && Foam::sqrt(dot(r, r)) > wanted;
        ++i
    )
    {
        l.b = r;
        cycle(0);

        const double now = dot(r, l.x);
        const double beta = i ? now/last : 0;
        last = now;

        for (label n = 0; n < l.n; ++n)
        {
            d[n] = l.x[n] + beta*d[n];
        }

        multiply(d, Ad);
        const double alpha = now/dot(d, Ad);

        for (label n = 0; n < l.n; ++n)
        {
            x[n] += alpha*d[n];
            r[n] -= alpha*Ad[n];
        }

        ++nIterations_;
    }

    converged_ = Foam::sqrt(dot(r, r)) <= wanted;

    return x;
}


Foam::tensor Foam::latticeProjection::difference(const label node) const
{
    const level& l = levels_[0];
    tensor result(Zero);

    for (int a = 0; a < nDims_; ++a)
    {
        const label up = l.up[a][node];
        const label down = l.down[a][node];

        vector d(nodeU(up == -1 ? node : up) - nodeU(down == -1 ? node : down));

        if (up != -1 && down != -1)
        {
            d *= 0.5;
        }

        for (direction b = 0; b < 3; ++b)
        {
            result[3*a + b] = d[b];
        }
    }

    return result;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeProjection::latticeProjection(const latticeMapping& mapping)
:
    mapping_(mapping),
    nDims_(mapping.twoD() ? 2 : 3),
    size_(mapping.description().size),
    nIterations_(0),
    converged_(false)
{
    setFinest();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::latticeProjection::possible(const latticeMapping& mapping)
{
    return !mapping.nodesAtCellCentres() && !mapping.closed();
}


bool Foam::latticeProjection::project
(
    const volVectorField& U,
    const tensorField* gradU,
    const volScalarField& p
)
{
    setCoarser();

    const level& l = levels_[0];
    const vectorField& C = U.mesh().cellCentres();
    const labelList& cells = mapping_.nodeCells();

    U_.resize(3*std::size_t(l.n));

    for (label i = 0; i < l.n; ++i)
    {
        vector u(U[cells[i]]);
        if (gradU)
        {
            u += (mapping_.nodeCentre(i) - C[cells[i]]) & (*gradU)[cells[i]];
        }
        u = mapping_.toLattice(u);

        for (int a = 0; a < 3; ++a)
        {
            U_[3*std::size_t(i) + a] = u[a];
        }
    }

    // Flux of a field with values at nodes and boundaries out of each node
    const auto netFlux = [&](const auto& atNode, const auto& atSide)
    {
        std::vector<double> net(l.n, 0);

        for (int a = 0; a < nDims_; ++a)
        {
            for (label i = 0; i < l.n; ++i)
            {
                const label j = l.up[a][i];

                if (j != -1)
                {
                    const double flux =
                        0.5*l.g[a][i]*(atNode(i, a) + atNode(j, a));

                    net[i] += flux;
                    net[j] -= flux;
                }
            }
        }

        for (const side& s : sides_)
        {
            const int a = s.direction/2;

            net[s.node] +=
                (s.direction % 2 ? 1 : -1)*area(s.node, a)*atSide(s, a);
        }

        return net;
    };

    const auto boundaryU = [&](const side& s, const int a) -> scalar
    {
        return
            s.kind == side::VELOCITY
          ? mapping_.toLattice(U.boundaryField()[s.patch][s.face])[a]
          : 0;
    };

    // Velocity

    std::vector<double> net
    (
        netFlux
        (
            [&](const label i, const int a)
            {
                return double(U_[3*std::size_t(i) + a]);
            },
            [&](const side& s, const int a)
            {
                return
                    s.kind == side::PRESSURE
                  ? scalar(U_[3*std::size_t(s.node) + a])
                  : boundaryU(s, a);
            }
        )
    );

    for (double& x : net)
    {
        x = -x;
    }

    const std::vector<double> Phi(solve(net));

    if (!converged_)
    {
        return false;
    }

    const std::vector<float> given(U_);

    for (label i = 0; i < l.n; ++i)
    {
        for (int a = 0; a < nDims_; ++a)
        {
            const auto at = [&](const label n)
            {
                return double(given[3*std::size_t(n) + a]);
            };

            // Distance and velocity of the faces to both sides, if any
            scalar s[2] = {-1, -1};
            scalar v[2] = {0, 0};

            for (int up = 0; up < 2; ++up)
            {
                const label j = (up ? l.up : l.down)[a][i];

                if (j != -1)
                {
                    s[up] = 0.5;
                    v[up] =
                        0.5*(at(i) + at(j)) - (up ? 1 : -1)*(Phi[j] - Phi[i]);
                    continue;
                }

                const side& b = sideOf(i, 2*a + up);

                if (b.kind == side::PRESSURE)
                {
                    const scalar q = max(scalar(b.q), nearest);

                    s[up] = 0.5*q;
                    v[up] = at(i) + (up ? 1 : -1)*Phi[i]/q;
                }
                else if (b.normal)
                {
                    s[up] = b.q;
                    v[up] = boundaryU(b, a);
                }
            }

            float& result = U_[3*std::size_t(i) + a];

            if (s[0] >= 0 && s[1] >= 0)
            {
                result =
                    (s[1]*v[0] + s[0]*v[1])/max(s[0] + s[1], SMALL);
            }
            else
            {
                result = s[0] >= 0 ? v[0] : v[1];
            }
        }
    }

    // Pressure, from the momentum that flows out of a volume

    std::vector<float> change(3*std::size_t(l.n), 0);

    // A flux with the velocity that it carries, out of a node
    const auto carry = [&](const label i, const double flux, const vector& u)
    {
        for (int a = 0; a < 3; ++a)
        {
            change[3*std::size_t(i) + a] += flux*u[a];
        }
    };

    for (int a = 0; a < nDims_; ++a)
    {
        for (label i = 0; i < l.n; ++i)
        {
            const label j = l.up[a][i];

            if (j != -1)
            {
                const double flux =
                    l.g[a][i]
                   *(
                        0.5*given[3*std::size_t(i) + a]
                      + 0.5*given[3*std::size_t(j) + a]
                      - Phi[j] + Phi[i]
                    );
                const vector u(0.5*(nodeU(i) + nodeU(j)));

                carry(i, flux, u);
                carry(j, -flux, u);
            }
        }
    }

    for (const side& s : sides_)
    {
        const label i = s.node;
        const int a = s.direction/2;
        const int sign = s.direction % 2 ? 1 : -1;

        if (s.kind == side::PRESSURE)
        {
            const scalar q = max(scalar(s.q), nearest);

            carry
            (
                i,
                area(i, a)*(sign*given[3*std::size_t(i) + a] + Phi[i]/q),
                nodeU(i)
            );
        }
        else if (s.kind == side::VELOCITY)
        {
            carry
            (
                i,
                area(i, a)*sign*boundaryU(s, a),
                mapping_.toLattice(U.boundaryField()[s.patch][s.face])
            );
        }
    }

    for (label i = 0; i < l.n; ++i)
    {
        scalar volume = 1;
        for (int a = 0; a < nDims_; ++a)
        {
            volume *= max(width(i, a), nearest);
        }
        for (int a = 0; a < 3; ++a)
        {
            change[3*std::size_t(i) + a] /= volume;
        }
    }

    net = netFlux
    (
        [&](const label i, const int a)
        {
            return double(change[3*std::size_t(i) + a]);
        },
        [&](const side& s, const int a)
        {
            return
                s.kind == side::PRESSURE
              ? scalar(change[3*std::size_t(s.node) + a])
              : 0;
        }
    );

    for (const side& s : sides_)
    {
        if (s.kind == side::PRESSURE)
        {
            net[s.node] +=
                area(s.node, s.direction/2)/max(scalar(s.q), nearest)
               *p.boundaryField()[s.patch][s.face];
        }
    }

    const std::vector<double> result(solve(net));
    p_.assign(result.begin(), result.end());

    return converged_;
}


Foam::vector Foam::latticeProjection::U(const label node) const
{
    return mapping_.toPhysical(nodeU(node));
}


Foam::symmTensor Foam::latticeProjection::strainRate(const label node) const
{
    return mapping_.toPhysical(symm(difference(node)/mapping_.dx()));
}


// ************************************************************************* //
