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

#include "planeSample.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

const Foam::wordList Foam::planeSample::fieldNames
({
    "magU", "U_x", "U_y", "U_z", "p", "vorticity", "Q", "flags"
});


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::scalar Foam::planeSample::gradient
(
    const float* values,
    const std::vector<std::uint8_t>& contents,
    const label i,
    const label j,
    const label along,
    const label component
) const
{
    const label middle = nLayers_/2;
    const label own = place(i, j, middle);
    scalar sum = 0;
    label nSides = 0;

    for (const label side : {-1, 1})
    {
        label x[3] = {i, j, middle};
        x[along] += side;

        if
        (
            x[0] < 0 || x[0] >= n_[0]
         || x[1] < 0 || x[1] >= n_[1]
         || x[2] < 0 || x[2] >= nLayers_
        )
        {
            continue;
        }

        const label other = place(x[0], x[1], x[2]);

        if (contents[other] == FLUID)
        {
            sum +=
                side
               *(
                    at(values, other)[1 + component]
                  - at(values, own)[1 + component]
                );
            ++nSides;
        }
    }

    // The layers are neighbours
    return nSides > 0 ? sum/(nSides*(along == 2 ? 1 : stride_)) : 0;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::planeSample::planeSample
(
    const latticeFlow& flow,
    const word& field,
    const label normal,
    const label layer,
    const FixedList<label, 2>& most
)
:
    latticeSample(flow),
    field_(field),
    axis_
    ({
        normal == 0 ? 1 : 0,
        normal == 2 ? 1 : 2,
        normal
    }),
    layer_(layer),
    stride_(1),
    nLayers_(field == "Q" && !flow.mapping().twoD() ? 3 : 1)
{
    const latticeMapping& mapping = flow.mapping();
    const auto& size = mapping.description().size;

    for (direction d = 0; d < 2; ++d)
    {
        stride_ = max
        (
            stride_,
            label((size[axis_[d]] + most[d] - 1)/max(label(1), most[d]))
        );
    }

    for (direction d = 0; d < 2; ++d)
    {
        n_[d] = (size[axis_[d]] + stride_ - 1)/stride_;
    }

    std::vector<coordinates> places;
    places.reserve(std::size_t(n_[0])*n_[1]*nLayers_);

    for (label k = 0; k < nLayers_; ++k)
    {
        for (label j = 0; j < n_[1]; ++j)
        {
            for (label i = 0; i < n_[0]; ++i)
            {
                coordinates x;
                x[axis_[0]] = i*stride_;
                x[axis_[1]] = j*stride_;
                x[axis_[2]] = layer_ + k - nLayers_/2;
                places.push_back(x);
            }
        }
    }

    sample(places);

    if (field_ == "flags")
    {
        kinds_.assign(nodes_.size(), 0);

        const auto& shell = mapping.shell().nodes();

        for (std::size_t i = 0; i < nodes_.size(); ++i)
        {
            if (nodes_[i] < 0)
            {
                continue;
            }

            const std::int64_t boxi = mapping.boxIndex(nodes_[i]);
            const auto found = std::lower_bound
            (
                shell.begin(),
                shell.end(),
                boxi,
                [](const latticeShell::node& node, const std::int64_t index)
                {
                    return node.index < index;
                }
            );

            kinds_[i] =
                found != shell.end() && found->index == boxi
              ? found->kind
              : latticeShell::INTERIOR;
        }
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::FixedList<Foam::direction, 3> Foam::planeSample::components() const
{
    const FixedList<direction, 3>& axes = flow_.mapping().axes();

    return {axes[axis_[0]], axes[axis_[1]], axes[axis_[2]]};
}


Foam::scalar Foam::planeSample::spacing() const
{
    return stride_*flow_.mapping().dx();
}


Foam::point Foam::planeSample::origin() const
{
    const auto& d = flow_.mapping().description();
    std::array<std::int64_t, 3> x{0, 0, 0};
    x[axis_[2]] = layer_;

    return flow_.mapping().boxCentre(d.boxIndex(x[0], x[1], x[2]));
}


std::array<double, 3> Foam::planeSample::nodeAt
(
    const double i,
    const double j
) const
{
    std::array<double, 3> x;
    x[axis_[0]] = i*stride_;
    x[axis_[1]] = j*stride_;
    x[axis_[2]] = layer_;

    return x;
}


bool Foam::planeSample::isSigned() const
{
    return field_ != "magU" && field_ != "flags";
}


Foam::string Foam::planeSample::title() const
{
    const string unit
    (
        field_ == "p" ? "m2/s2"
      : field_ == "vorticity" ? "1/s"
      : field_ == "Q" ? "1/s2"
      : "m/s"
    );

    return
        field_ == "flags" ? string("kind of node")
      : (field_ == "magU" ? string("|U|") : string(field_))
      + " [" + unit + ']';
}


void Foam::planeSample::evaluate
(
    const float* values,
    const std::vector<std::uint8_t>& contents,
    const scalar velocity,
    const scalar pressure,
    const scalar pReference,
    std::vector<float>& field,
    std::vector<std::uint8_t>& content
) const
{
    const label middle = nLayers_/2;
    const label n = n_[0]*n_[1];
    field.assign(n, 0);
    content.assign
    (
        contents.begin() + middle*n,
        contents.begin() + (middle + 1)*n
    );

    // Lattice component of the velocity in space
    label component = -1;

    if (field_.size() == 3 && field_[0] == 'U')
    {
        component = flow_.mapping().axes().find(field_[2] - 'x');
    }

    const scalar perTime = velocity/flow_.mapping().dx();
    const label nDims = flow_.mapping().twoD() ? 2 : 3;

    // Lattice axes to the right, up and across are right-handed but for y
    const scalar sign = axis_[2] == 1 ? -1 : 1;

    for (label j = 0; j < n_[1]; ++j)
    {
        for (label i = 0; i < n_[0]; ++i)
        {
            const label own = place(i, j, middle);
            float& value = field[i + n_[0]*j];

            if (field_ == "flags")
            {
                value = kinds_[own];
                continue;
            }

            if (contents[own] != FLUID)
            {
                continue;
            }

            const float* const v = at(values, own);

            const auto G = [&](const label along, const label c)
            {
                return gradient(values, contents, i, j, along, axis_[c]);
            };

            if (field_ == "magU")
            {
                value = velocity*std::sqrt(v[1]*v[1] + v[2]*v[2] + v[3]*v[3]);
            }
            else if (field_ == "p")
            {
                value = pressure*v[0] + pReference;
            }
            else if (component >= 0)
            {
                value = velocity*v[1 + component];
            }
            else if (field_ == "vorticity")
            {
                value = sign*perTime*(G(0, 1) - G(1, 0));
            }
            else
            {
                scalar Q = 0;

                for (label a = 0; a < nDims; ++a)
                {
                    for (label b = 0; b < nDims; ++b)
                    {
                        Q -= 0.5*G(a, b)*G(b, a);
                    }
                }

                value = sqr(perTime)*Q;
            }
        }
    }
}


// ************************************************************************* //
