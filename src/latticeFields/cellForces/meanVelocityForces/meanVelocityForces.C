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

#include "meanVelocityForces.H"
#include "IFstream.H"
#include "Time.H"
#include "volFields.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- The dictionary of an entry, or stop if its cellZone is not there
const dictionary& checked
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
{
    const dictionary& coeffs =
        dict.optionalSubDict(dict.get<word>("type") + "Coeffs");

    if (coeffs.get<word>("selectionMode") == "cellZone")
    {
        const word zone(coeffs.get<word>("cellZone"));

        if (mesh.cellZones().findZoneID(zone) < 0)
        {
            FatalIOErrorInFunction(coeffs)
                << "The fvOption " << name << " has cellZone " << zone
                << ", possible: " << flatOutput(mesh.cellZones().names())
                << exit(FatalIOError);
        }
    }

    return dict;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * Private Classes * * * * * * * * * * * * * * //

Foam::meanVelocityForces::force::force
(
    const word& name,
    const dictionary& dict,
    const fvMesh& mesh
)
:
    IOdictionary
    (
        IOobject
        (
            name + "Properties",
            mesh.time().timeName(),
            "uniform",
            mesh,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        )
    ),
    option_
    (
        name,
        dict.get<word>("type"),
        checked(name, dict, mesh),
        mesh
    ),
    target_(name, option_.coeffs(), mesh),
    gradient_(0)
{
    if (returnReduce(option_.cells().size(), sumOp<label>()) == 0)
    {
        FatalIOErrorInFunction(option_.coeffs())
            << "The fvOption " << name << " has no cells, possible: a "
            << option_.coeffs().get<word>("selectionMode") << " with cells"
            << exit(FatalIOError);
    }

    IFstream file
    (
        mesh.time().timePath()/"uniform"/mesh.dbDir()/(name + "Properties")
    );

    if (file.good())
    {
        dictionary(file).readEntry("gradient", gradient_);
    }

    // All processes go on from the same
    Pstream::scatter(gradient_);
}


void Foam::meanVelocityForces::force::add
(
    const vectorField& U,
    const scalar deltaT,
    vectorField& a
)
{
    if (!option_.isActive())
    {
        return;
    }

    const vector flow(target_.direction());
    const scalarField& V = option_.mesh().V();

    scalar mean = 0;

    for (const label celli : option_.cells())
    {
        mean += V[celli]*(flow & U[celli]);
    }
    reduce(mean, sumOp<scalar>());
    mean /= option_.V();

    // Not a number where the flow diverges, which is found out elsewhere
    const scalar correction =
        mag(mean) < GREAT
      ? target_.relaxation()*(target_.speed() - mean)/deltaT
      : 0;

    gradient_ += correction;

    for (const label celli : option_.cells())
    {
        a[celli] += (gradient_ + correction)*flow;
    }

    // As OpenFOAM says it
    Info<< "Pressure gradient source: uncorrected Ubar = " << mean
        << ", pressure gradient = " << gradient_ << endl;
}


bool Foam::meanVelocityForces::force::writeData(Ostream& os) const
{
    const int precision = os.precision(17);
    os.writeEntry("gradient", gradient_);
    os.precision(precision);

    return os.good();
}


void Foam::meanVelocityForces::force::writeSummary(Ostream& os) const
{
    os  << "    force in cells        " << option_.name()
        << " of fvOptions: meanVelocityForce, "
        << returnReduce(option_.cells().size(), sumOp<label>()) << " cells, Ubar "
        << target_.Ubar() << " m/s; gradient at the start " << gradient_ << " m/s2"
        << nl;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::meanVelocityForces::meanVelocityForces
(
    const volVectorField& U,
    const dictionary& entries
)
:
    U_(U),
    forces_(entries.size())
{
    label i = 0;

    for (const entry& e : entries)
    {
        forces_.set(i++, new force(e.keyword(), e.dict(), U.mesh()));
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::meanVelocityForces::takes(const dictionary& dict)
{
    return dict.get<word>("type") == "meanVelocityForce";
}


void Foam::meanVelocityForces::add
(
    const scalar deltaT,
    vectorField& a,
    symmTensorField& sigma
)
{
    for (force& f : forces_)
    {
        f.add(U_, deltaT, a);
    }
}


Foam::scalar Foam::meanVelocityForces::speed() const
{
    scalar result = 0;

    for (const force& f : forces_)
    {
        result = max(result, f.speed());
    }

    return result;
}


void Foam::meanVelocityForces::writeSummary(Ostream& os) const
{
    for (const force& f : forces_)
    {
        f.writeSummary(os);
    }
}


// ************************************************************************* //
