/*---------------------------------------------------------------------------*\
  =========                 |
  \\      /  F ield         | lbmGpuFoam: lattice Boltzmann for OpenFOAM
   \\    /   O peration     |
    \\  /    A nd           |
     \\/     M anipulation  |
-------------------------------------------------------------------------------
    Copyright (C) 2011-2016 OpenFOAM Foundation
    Copyright (C) 2015-2019 OpenCFD Ltd.
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

#include "latticeForceCoeffs.H"
#include "addToRunTimeSelectionTable.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeForceCoeffs, 0);
    addToRunTimeSelectionTable(functionObject, latticeForceCoeffs, dictionary);
}
}


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::functionObjects::latticeForceCoeffs::writeCoeffHeader
(
    Ostream& os
) const
{
    writeHeader(os, "Force coefficients");
    writeHeaderValue(os, "dragDir", coordSys_.e1());
    writeHeaderValue(os, "sideDir", coordSys_.e2());
    writeHeaderValue(os, "liftDir", coordSys_.e3());
    writeHeaderValue(os, "rollAxis", coordSys_.e1());
    writeHeaderValue(os, "pitchAxis", coordSys_.e2());
    writeHeaderValue(os, "yawAxis", coordSys_.e3());
    writeHeaderValue(os, "magUInf", magUInf_);
    writeHeaderValue(os, "lRef", lRef_);
    writeHeaderValue(os, "Aref", Aref_);
    writeHeaderValue(os, "CofR", coordSys_.origin());
    writeHeader(os, "");
    writeCommented(os, "Time");

    for
    (
        const char* column :
        {
            "Cd", "Cs", "Cl", "CmRoll", "CmPitch", "CmYaw",
            "Cd(f)", "Cd(r)", "Cs(f)", "Cs(r)", "Cl(f)", "Cl(r)"
        }
    )
    {
        writeTabbed(os, column);
    }

    os  << endl;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeForceCoeffs::latticeForceCoeffs
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeForces(name, runTime, dict, false),
    magUInf_(0),
    lRef_(0),
    Aref_(0),
    coeffFile_()
{
    read(dict);
    setCoordinateSystem(dict, "liftDir", "dragDir");
    Info<< endl;
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeForceCoeffs::read(const dictionary& dict)
{
    latticeForces::read(dict);

    dict.readEntry("magUInf", magUInf_);
    dict.readEntry("lRef", lRef_);
    dict.readEntry("Aref", Aref_);

    return true;
}


bool Foam::functionObjects::latticeForceCoeffs::execute()
{
    if (!calcForcesMoment())
    {
        return true;
    }

    if (writeToFile() && Pstream::master() && !coeffFile_.valid())
    {
        coeffFile_ = createFile("coefficient");
        writeCoeffHeader(coeffFile_());
    }

    // Pressure and viscous part: along the axes, about the axes
    FixedList<vector, 2> C, Cm;

    const scalar pDyn = 0.5*rhoRef_*sqr(magUInf_);

    forAll(C, i)
    {
        C[i] = coordSys_.localVector(force_[i])/(Aref_*pDyn + SMALL);
        Cm[i] = coordSys_.localVector(moment_[i])/(Aref_*pDyn*lRef_ + SMALL);
    }

    Log << type() << ' ' << name() << " execute:" << nl
        << "    Coefficients" << nl;

    const auto logCoeff = [&]
    (
        const char* title,
        const FixedList<vector, 2>& coeff,
        const direction d
    )
    {
        Log << "        " << title << "       : " << coeff[0][d] + coeff[1][d]
            << token::TAB << "(pressure: " << coeff[0][d]
            << token::TAB << "viscous: " << coeff[1][d] << ')' << endl;
    };

    logCoeff("Cd", C, 0);
    logCoeff("Cs", C, 1);
    logCoeff("Cl", C, 2);
    logCoeff("CmRoll", Cm, 0);
    logCoeff("CmPitch", Cm, 1);
    logCoeff("CmYaw", Cm, 2);

    const vector total(C[0] + C[1]);
    const vector moment(Cm[0] + Cm[1]);

    // Shares of the front and the rear
    const scalar Cdf = 0.5*total[0] + moment[0];
    const scalar Cdr = 0.5*total[0] - moment[0];
    const scalar Csf = 0.5*total[1] + moment[2];
    const scalar Csr = 0.5*total[1] - moment[2];
    const scalar Clf = 0.5*total[2] + moment[1];
    const scalar Clr = 0.5*total[2] - moment[1];

    Log << "        Cd(f)    : " << Cdf << nl
        << "        Cd(r)    : " << Cdr << nl
        << "        Cs(f)    : " << Csf << nl
        << "        Cs(r)    : " << Csr << nl
        << "        Cl(f)    : " << Clf << nl
        << "        Cl(r)    : " << Clr << nl << endl;

    if (coeffFile_.valid())
    {
        Ostream& os = coeffFile_();

        writeCurrentTime(os);

        os  << tab << total[0] << tab << total[1] << tab << total[2]
            << tab << moment[0] << tab << moment[1] << tab << moment[2]
            << tab << Cdf << tab << Cdr
            << tab << Csf << tab << Csr
            << tab << Clf << tab << Clr << endl;
    }

    setResult("Cd", total[0]);
    setResult("Cs", total[1]);
    setResult("Cl", total[2]);
    setResult("CmRoll", moment[0]);
    setResult("CmPitch", moment[1]);
    setResult("CmYaw", moment[2]);
    setResult("Cd(f)", Cdf);
    setResult("Cd(r)", Cdr);
    setResult("Cs(f)", Csf);
    setResult("Cs(r)", Csr);
    setResult("Cl(f)", Clf);
    setResult("Cl(r)", Clr);

    return true;
}


// ************************************************************************* //
