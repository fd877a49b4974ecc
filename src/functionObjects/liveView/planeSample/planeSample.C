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

#include <algorithm>

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

const Foam::wordList Foam::planeSample::fieldNames
({
    "magU", "U_x", "U_y", "U_z", "p", "vorticity", "Q", "flags"
});


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

inline Foam::scalar Foam::planeSample::difference
(
    const float* values,
    const std::vector<std::uint8_t>& contents,
    const label own,
    const label (&x)[3],
    const label along,
    const label component
) const
{
    const label by = along == 0 ? 1 : along == 1 ? n_[0] : n_[0]*n_[1];
    const label last = (along == 2 ? nLayers_ : n_[along]) - 1;
    const bool before = x[along] > 0 && contents[own - by] == FLUID;
    const bool after = x[along] < last && contents[own + by] == FLUID;
    const label low = before ? own - by : own;
    const label high = after ? own + by : own;

    const float sum =
        at(values, high)[1 + component] - at(values, low)[1 + component];

    return before && after ? scalar(0.5)*sum : scalar(sum);
}


void Foam::planeSample::setKinds()
{
    const latticeMapping& mapping = flow_.mapping();
    const auto& shell = mapping.shell().nodes();

    std::vector<float> own(nodes_.size());

    for (std::size_t i = 0; i < nodes_.size(); ++i)
    {
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

        own[i] =
            found != shell.end() && found->index == boxi
          ? found->kind
          : latticeShell::INTERIOR;
    }

    std::vector<float> kinds;
    gather(own.data(), 1, kinds);

    kinds_.assign(numbers_.size(), 0);

    for (std::size_t i = 0; i < numbers_.size(); ++i)
    {
        if (numbers_[i] >= 0)
        {
            kinds_[i] = kinds[numbers_[i]];
        }
    }
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
    quantity_(quantity(fieldNames.find(field))),
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
    const auto& size = mapping.description().wholeSize;

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
        setKinds();
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
    coordinates x{0, 0, 0};
    x[axis_[2]] = layer_;

    return flow_.mapping().centreAt(x);
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

    const scalar perTime = velocity/flow_.mapping().dx();
    const label nDims = flow_.mapping().twoD() ? 2 : 3;

    // Lattice axes to the right, up and across are right-handed but for y
    const scalar sign = axis_[2] == 1 ? -1 : 1;

    // f(values of a place, its number, its place)
    const auto forFluid = [&](const auto& f)
    {
        label x[3] = {0, 0, middle};

        for (x[1] = 0; x[1] < n_[1]; ++x[1])
        {
            for (x[0] = 0; x[0] < n_[0]; ++x[0])
            {
                const label own = place(x[0], x[1], middle);

                if (contents[own] == FLUID)
                {
                    field[own - middle*n] = f(at(values, own), own, x);
                }
            }
        }
    };

    switch (quantity_)
    {
        case quantity::flags:
        {
            std::copy_n(kinds_.begin() + middle*n, n, field.begin());
            break;
        }

        case quantity::magU:
        {
            forFluid([&](const float* v, const label, const label (&)[3])
            {
                return
                    velocity*std::sqrt(v[1]*v[1] + v[2]*v[2] + v[3]*v[3]);
            });
            break;
        }

        case quantity::p:
        {
            forFluid([&](const float* v, const label, const label (&)[3])
            {
                return pressure*v[0] + pReference;
            });
            break;
        }

        case quantity::Ux:
        case quantity::Uy:
        case quantity::Uz:
        {
            const label component =
                flow_.mapping().axes().find
                (
                    label(quantity_) - label(quantity::Ux)
                );

            forFluid([&](const float* v, const label, const label (&)[3])
            {
                return velocity*v[1 + component];
            });
            break;
        }

        case quantity::vorticity:
        {
            const scalar factor = sign*perTime/stride_;

            forFluid([&](const float*, const label own, const label (&x)[3])
            {
                return
                    factor
                   *(
                        difference(values, contents, own, x, 0, axis_[1])
                      - difference(values, contents, own, x, 1, axis_[0])
                    );
            });
            break;
        }

        case quantity::Q:
        {
            forFluid([&](const float*, const label own, const label (&x)[3])
            {
                scalar G[3][3];

                for (label a = 0; a < nDims; ++a)
                {
                    // The layers are neighbours
                    const scalar distance = a == 2 ? 1 : stride_;

                    for (label b = 0; b < nDims; ++b)
                    {
                        G[a][b] =
                            difference(values, contents, own, x, a, axis_[b])
                           /distance;
                    }
                }

                scalar Q = 0;

                for (label a = 0; a < nDims; ++a)
                {
                    for (label b = 0; b < nDims; ++b)
                    {
                        Q -= 0.5*G[a][b]*G[b][a];
                    }
                }

                return sqr(perTime)*Q;
            });
            break;
        }
    }
}


// ************************************************************************* //
