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

#include "meanVelocitySource.H"
#include "IFstream.H"
#include "Time.H"
#include "addToRunTimeSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(meanVelocitySource, 0);
    addToRunTimeSelectionTable(momentumSource, meanVelocitySource, dictionary);
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::meanVelocitySource::properties::properties
(
    const meanVelocitySource& source
)
:
    IOdictionary
    (
        IOobject
        (
            source.name() + "Properties",
            source.mesh().time().timeName(),
            "uniform",
            source.mesh(),
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        )
    ),
    source_(source)
{}


bool Foam::meanVelocitySource::properties::writeData(Ostream& os) const
{
    dictionary dict;
    dict.add("gradient", source_.gradient_);
    dict.add("acceleration", source_.force_);
    dict.add("momentum", source_.momentum_);

    const int precision = os.precision(17);
    dict.write(os, false);
    os.precision(precision);

    return os.good();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::meanVelocitySource::meanVelocitySource
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
:
    momentumSource(name, dict, mesh),
    target_(name, coeffs(), mesh),
    gradient_(0),
    force_(0),
    momentum_(0),
    continued_(false),
    started_(false),
    properties_(*this)
{
    IFstream file
    (
        mesh.time().timePath()/"uniform"/mesh.dbDir()/properties_.name()
    );

    if (file.good())
    {
        const dictionary stored(file);

        stored.readEntry("gradient", gradient_);

        continued_ =
            stored.readIfPresent("acceleration", force_)
          & stored.readIfPresent("momentum", momentum_);
    }

    // All processes go on from the same
    Pstream::scatter(gradient_);
    Pstream::scatter(force_);
    Pstream::scatter(momentum_);
    Pstream::scatter(continued_);

    if (!continued_)
    {
        force_ = gradient_;
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::meanVelocitySource::start
(
    const vector& UMean,
    const scalar latticeStep,
    const bool restarted
)
{
    if (!(restarted && continued_))
    {
        momentum_ = (target_.direction() & UMean) - 0.5*force_*latticeStep;
    }
    else
    {
        started_ = true;
    }
}


void Foam::meanVelocitySource::changeLatticeStep
(
    const scalar from,
    const scalar to
)
{
    momentum_ += 0.5*force_*(from - to);
}


Foam::scalar Foam::meanVelocitySource::responseTime
(
    const scalar deltaT,
    const scalar soundSpeed
) const
{
    return max
    (
        deltaT,
        (cmptMag(target_.direction()) & mesh().bounds().span())/soundSpeed
    );
}


void Foam::meanVelocitySource::beginStep
(
    const scalar deltaT,
    const scalar latticeStep,
    const scalar soundSpeed
)
{
    const scalar half = 0.5*latticeStep;
    const scalar response =
        started_ ? responseTime(deltaT, soundSpeed) : deltaT;

    force_ =
        acting()
      ? (
            gradient_
          + target_.relaxation()*(target_.speed() - momentum_ - gradient_*half)
           /(response + half)
        )
      : 0;
}


void Foam::meanVelocitySource::endStep
(
    const vector& UMean,
    const scalar deltaT,
    const scalar latticeStep,
    const scalar soundSpeed
)
{
    const scalar momentum0 = momentum_;
    const scalar UMeanFlow = target_.direction() & UMean;

    momentum_ = UMeanFlow - 0.5*force_*latticeStep;
    started_ = true;

    if (acting())
    {
        const scalar friction = force_ - (momentum_ - momentum0)/deltaT;
        const scalar response = responseTime(deltaT, soundSpeed);

        gradient_ =
            response > deltaT
          ? gradient_ + deltaT/response*(friction - gradient_)
          : friction;

        // As OpenFOAM says it
        Info<< "Pressure gradient source: uncorrected Ubar = " << UMeanFlow
            << ", pressure gradient = " << gradient_ << endl;
    }
}


void Foam::meanVelocitySource::writeSummary(Ostream& os) const
{
    os  << "for a mean velocity of " << target_.Ubar() << " m/s, " << name()
        << " of fvOptions; gradient at the start " << gradient_ << " m/s2";
}


// ************************************************************************* //
