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

#include "rotatingFrame.H"
#include "heldSRFFreestreamVelocity.H"
#include "surfaceFields.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::autoPtr<Foam::SRF::SRFModel> Foam::rotatingFrame::newModel
(
    const volVectorField& Urel
)
{
    autoPtr<SRF::SRFModel> model(SRF::SRFModel::New(Urel));

    // Forces, patches and U follow from it, and not in the same outer step: it
    // stays that of the start
    model->watchIndices().clear();

    const vector axis(model->get<vector>("axis"));
    const vector omega(model->omega().value());

    if (!(mag(axis) > VSMALL) || !(mag(omega) < GREAT))
    {
        FatalIOErrorInFunction(model())
            << "Found axis " << axis << " and an angular velocity of " << omega
            << " rad/s, possible: an axis other than zero, and a finite velocity"
            << exit(FatalIOError);
    }

    // Empty directions have -1
    const Vector<label>& directions = Urel.mesh().geometricD();

    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if
        (
            Urel.mesh().nGeometricD() == 2
         && directions[d] == 1
         && mag(omega[d]) > 1e-6*mag(omega)
        )
        {
            FatalIOErrorInFunction(model())
                << "Found axis " << axis << ", possible in a plane case: that"
                << " normal to its empty patches"
                << exit(FatalIOError);
        }
    }

    return model;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::rotatingFrame::rotatingFrame
(
    volVectorField& Urel,
    const volScalarField& p
)
:
    Urel_(Urel),
    model_(newModel(Urel)),
    U_
    (
        IOobject
        (
            "U",
            Urel.time().timeName(),
            Urel.mesh(),
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        Urel + model_->U()
    )
{
    volVectorField::Boundary& bf = Urel.boundaryFieldRef();

    forAll(bf, patchi)
    {
        const auto* freestream =
            isA<SRFFreestreamVelocityFvPatchVectorField>(bf[patchi]);

        if (freestream && !p.boundaryField()[patchi].fixesValue())
        {
            bf.set(patchi, new heldSRFFreestreamVelocity(*freestream));
        }

        // Values in the file may be any: they follow from the frame
        if (bf[patchi].fixesValue())
        {
            bf[patchi].evaluate();
        }
    }

    correct();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::rotatingFrame::correct()
{
    U_ == Urel_ + model_->U();
}


Foam::vector Foam::rotatingFrame::at(const point& x) const
{
    const vector& Omega = model_->omega().value();

    return -(Omega ^ (Omega ^ (x - model_->origin().value())));
}


Foam::tmp<Foam::volVectorField> Foam::rotatingFrame::smooth() const
{
    const dimensionedVector& Omega = model_->omega();

    return
       -(Omega ^ (Omega ^ (Urel_.mesh().C() - model_->origin())))
      - 2*(Omega ^ Urel_);
}


Foam::scalar Foam::rotatingFrame::speed() const
{
    return gMax(mag(model_->velocity(Urel_.mesh().points()))());
}


void Foam::rotatingFrame::writeSummary(Ostream& os) const
{
    const vector& Omega = model_->omega().value();

    os  << "    rotating frame        " << mag(Omega) << " rad/s about "
        << normalised(Omega) << " through " << model_->origin().value()
        << ", up to " << speed() << " m/s" << nl;
}


// ************************************************************************* //
