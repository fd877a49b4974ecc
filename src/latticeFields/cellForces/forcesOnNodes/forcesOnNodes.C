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

#include "forcesOnNodes.H"
#include "DynamicList.H"
#include "engine.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "limitedDrag.H"
#include "nodeValues.H"
#include "withoutLastDigits.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Of a drag times a lattice step: 2/3 of the momentum is left, reversed. With
//  100, flow that meets a porous block diverges
constexpr scalar largestDrag = 10;

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::labelList Foam::forcesOnNodes::setCells
(
    const fvMesh& mesh,
    const latticeMapping& mapping
)
{
    nNodes_ = labelList(mesh.nCells(), Zero);

    for (const label celli : mapping.nodeCells())
    {
        ++nNodes_[celli];
    }

    const labelList closest(mapping.closestNodes());
    DynamicList<label> far;

    forAll(closest, celli)
    {
        if (closest[celli] != -1)
        {
            small_.push_back({closest[celli], celli});
        }
        else if (nNodes_[celli] == 0)
        {
            far.append(celli);
        }
    }

    std::stable_sort
    (
        small_.begin(),
        small_.end(),
        [](const smallCell& a, const smallCell& b) { return a.node < b.node; }
    );

    return labelList(std::move(far));
}


template<class Type>
Type Foam::forcesOnNodes::meanAt
(
    const scalarField& V,
    const label node,
    const label celli,
    const Field<Type>& values,
    std::vector<smallCell>::const_iterator& small
) const
{
    scalar sum = V[celli]/nNodes_[celli];
    Type result(sum*values[celli]);

    for (; small != small_.cend() && small->node == node; ++small)
    {
        const scalar more = V[small->cell];
        result += more*values[small->cell];
        sum += more;
    }

    return result/sum;
}


Foam::scalar Foam::forcesOnNodes::zoneFactor
(
    const fvMesh& mesh,
    const latticeMapping& mapping,
    const vectorField& a,
    const symmTensorField& sigma
) const
{
    const scalarField& V = mesh.V();
    const scalar perNode = sqr(mapping.dx())*mapping.thickness();
    const scalarField strength
    (
        gMax(magSqr(a)()) > 0 ? mag(a) : mag(sigma)
    );

    if (gMin(strength) > 0)
    {
        return 1;
    }

    const labelList& cells = mapping.nodeCells();
    scalar sum = 0;
    auto small = small_.cbegin();

    forAll(cells, node)
    {
        sum += perNode*meanAt(V, node, cells[node], strength, small);
    }

    sum = returnReduce(sum, sumOp<scalar>());

    return
        sum > 0
      ? withoutLastDigits(gSum((V*strength)())/sum)
      : 1;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::forcesOnNodes::forcesOnNodes(const UPtrList<cellForce>& forces)
:
    forces_(forces),
    evaluated_(false),
    nodes_(),
    acceleration_(),
    drag_(),
    largest_(0),
    limited_(false)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::forcesOnNodes::any() const
{
    for (const cellForce& force : forces_)
    {
        if (!force.ofLattice())
        {
            return true;
        }
    }

    return false;
}


bool Foam::forcesOnNodes::constant() const
{
    for (const cellForce& force : forces_)
    {
        if (!force.ofLattice() && !force.constant())
        {
            return false;
        }
    }

    return true;
}


bool Foam::forcesOnNodes::usesFlow() const
{
    for (const cellForce& force : forces_)
    {
        if (force.usesFlow())
        {
            return true;
        }
    }

    return false;
}


Foam::scalar Foam::forcesOnNodes::speed() const
{
    scalar result = 0;

    for (const cellForce& force : forces_)
    {
        result = max(result, force.speed());
    }

    return result;
}


Foam::scalar Foam::forcesOnNodes::meanDrag
(
    const fvMesh& mesh,
    const scalar speed
)
{
    symmTensorField sigma(mesh.nCells(), Zero);

    for (cellForce& force : forces_)
    {
        force.addDragAt(speed, sigma);
    }

    const scalarField& V = mesh.V();
    symmTensor mean(gSum(V*sigma)/gSum(V));

    if (magSqr(mean) == 0)
    {
        return 0;
    }

    // Nothing flows across a plane
    const scalar large = 2*mag(mean);

    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if (mesh.geometricD()[d] < 0)
        {
            tensor t(mean);
            for (direction e = 0; e < vector::nComponents; ++e)
            {
                t(d, e) = t(e, d) = 0;
            }
            t(d, d) = large;
            mean = symm(t);
        }
    }

    return max(scalar(0), leastRate(mean));
}


Foam::tmp<Foam::volVectorField> Foam::forcesOnNodes::smooth
(
    const bool all
) const
{
    tmp<volVectorField> sum;

    for (const cellForce& force : forces_)
    {
        if ((force.ofLattice() || force.ofPlace()) && !all)
        {
            continue;
        }

        const tmp<volVectorField> own(force.smooth());

        if (own.valid())
        {
            sum = sum.valid() ? sum + own : own;
        }
    }

    return sum;
}


void Foam::forcesOnNodes::evaluate
(
    const fvMesh& mesh,
    const latticeMapping& mapping,
    const scalar deltaT
)
{
    vectorField a(mesh.nCells(), Zero);
    symmTensorField sigma(mesh.nCells(), Zero);

    labelList far;

    if (!evaluated_)
    {
        far = setCells(mesh, mapping);
    }

    for (cellForce& force : forces_)
    {
        if (mapping.conforming())
        {
            force.add(deltaT, a, sigma);
            continue;
        }

        vectorField own(a.size(), Zero);
        symmTensorField ownSigma(a.size(), Zero);

        force.add(deltaT, own, ownSigma);

        const scalar factor = zoneFactor(mesh, mapping, own, ownSigma);

        a += factor*own;
        sigma += factor*ownSigma;
    }

    label nLost = 0;

    for (const label celli : far)
    {
        nLost += magSqr(a[celli]) > 0 || magSqr(sigma[celli]) > 0;
    }

    if (returnReduce(nLost, sumOp<label>()) > 0)
    {
        WarningInFunction
            << "The forces of " << returnReduce(nLost, sumOp<label>())
            << " cells are lost: no node of their process is close to them."
            << nl << "    Possible: a smaller latticeSpacing, or another"
            << " decomposition" << endl;
    }

    const labelList& cells = mapping.nodeCells();
    const label nNodes = cells.size();

    acceleration_.assign(3*nNodes, 0);

    const tmp<volVectorField> smooth(this->smooth(false));

    if (smooth.valid())
    {
        for (direction d = 0; d < vector::nComponents; ++d)
        {
            const std::vector<double> component
            (
                nodeValues(smooth().component(d)(), mapping)
            );

            for (label node = 0; node < nNodes; ++node)
            {
                acceleration_[3*node + d] = component[node];
            }
        }
    }

    const bool drags = gMax(mag(sigma)()) > 0;

    nodes_.clear();
    drag_.clear();
    largest_ = 0;

    auto smallCells = small_.cbegin();

    for (label node = 0; node < nNodes; ++node)
    {
        const label celli = cells[node];
        vector own(a[celli]);
        symmTensor ownSigma(sigma[celli]);

        if (smallCells != small_.cend() && smallCells->node == node)
        {
            const auto first = smallCells;
            own = meanAt(mesh.V(), node, celli, a, smallCells);
            smallCells = first;
            ownSigma = meanAt(mesh.V(), node, celli, sigma, smallCells);
        }

        for (direction d = 0; d < vector::nComponents; ++d)
        {
            own[d] += acceleration_[3*node + d];
        }

        for (const cellForce& force : forces_)
        {
            if (force.ofPlace())
            {
                own += force.at(mapping.nodeCentre(node));
            }
        }

        if (magSqr(own) == 0 && !(drags && magSqr(ownSigma) > 0))
        {
            continue;
        }

        const std::size_t i = nodes_.size();

        for (direction d = 0; d < vector::nComponents; ++d)
        {
            acceleration_[3*i + d] = own[d];
        }

        if (drags)
        {
            const symmTensor s(mapping.toLattice(ownSigma));

            drag_.insert
            (
                drag_.end(),
                {s.xx(), s.yy(), s.zz(), s.xy(), s.xz(), s.yz()}
            );
        }

        nodes_.push_back(node);
        largest_ = max(largest_, mag(own));
    }

    reduce(largest_, maxOp<scalar>());

    acceleration_.resize(3*nodes_.size());
    evaluated_ = true;
}


void Foam::forcesOnNodes::give
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    const scalar largest = largestDrag/units.dt();

    std::vector<double> a(acceleration_);
    std::vector<double> sigma(drag_);
    scalar found = 0;

    for (std::size_t i = 0; i < a.size()/3; ++i)
    {
        double* const ai = a.data() + 3*i;
        vector own(mapping.toLattice(vector(ai[0], ai[1], ai[2])));

        if (!sigma.empty())
        {
            double* const si = sigma.data() + 6*i;
            symmTensor drag(si[0], si[3], si[4], si[1], si[5], si[2]);

            if (mapping.twoD())
            {
                drag.xz() = drag.yz() = drag.zz() = 0;
            }

            found = max(found, limitDrag(largest, drag, own));

            const double inOrder[] =
            {
                drag.xx(), drag.yy(), drag.zz(),
                drag.xy(), drag.xz(), drag.yz()
            };
            for (label k = 0; k < 6; ++k)
            {
                si[k] = units.dt()*inOrder[k];
            }
        }

        own = units.accelerationToLattice(own);

        for (direction d = 0; d < vector::nComponents; ++d)
        {
            ai[d] = own[d];
        }
    }

    reduce(found, maxOp<scalar>());

    if (found > 0 && !limited_)
    {
        Info<< "Drag of cells, of " << found << " 1/s, limited to " << largest
            << " 1/s, " << largestDrag << " in a lattice step" << endl;
    }
    limited_ = limited_ || found > 0;

    vector Omega(Zero);

    for (const cellForce& force : forces_)
    {
        Omega += force.angularVelocity();
    }

    // A new rotation makes the engine record its steps again
    if (magSqr(Omega) > 0)
    {
        const vector x(mapping.toLattice(vector(1, 0, 0)));
        const vector y(mapping.toLattice(vector(0, 1, 0)));
        const vector z(mapping.toLattice(vector(0, 0, 1)));

        // An axial vector: axes in another order may turn its direction
        vector along(units.dt()*((x ^ y) & z)*mapping.toLattice(Omega));

        if (mapping.twoD())
        {
            along.x() = along.y() = 0;
        }

        engine.setRotation({along.x(), along.y(), along.z()});
    }

    engine.setForces
    (
        nodes_.size(),
        nodes_.data(),
        a.data(),
        sigma.empty() ? nullptr : sigma.data()
    );
}


void Foam::forcesOnNodes::writeSummary(Ostream& os) const
{
    for (const cellForce& force : forces_)
    {
        force.writeSummary(os);
    }
}


// ************************************************************************* //
