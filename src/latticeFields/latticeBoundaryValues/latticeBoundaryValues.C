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

#include "latticeBoundaryValues.H"
#include "latticePopulations.H"
#include "IFstream.H"
#include "IOobject.H"
#include "Pstream.H"
#include "sigFpe.H"
#include "Time.H"
#include "scalarList.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeBoundaryValues, 0);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Of the bits of all values, which come back as they were
string checksum(const List<std::vector<double>>& values)
{
    std::uint64_t sum = 0;

    for (const std::vector<double>& group : values)
    {
        sum = latticePopulations::checksum
        (
            group.data(),
            group.size()*sizeof(double),
            sum
        );
    }

    return std::to_string(sum);
}


//- Values in a file; none if they cannot be read or their checksum differs
List<std::vector<double>> valuesIn(Istream& is)
{
    List<std::vector<double>> values;

    // A damaged number may be one that cannot be stored
    const sigFpe::ignore reading;

    const bool throwing = FatalIOError.throwExceptions();

    try
    {
        const dictionary dict(is);
        const auto lists = dict.get<List<scalarList>>("values");

        values.setSize(lists.size());

        forAll(lists, groupi)
        {
            values[groupi].assign
            (
                lists[groupi].begin(),
                lists[groupi].end()
            );
        }

        if (dict.get<string>("checksum") != checksum(values))
        {
            values.clear();
        }
    }
    catch (const Foam::error&)
    {
        values.clear();
    }

    FatalIOError.throwExceptions(throwing);

    return values;
}


//- Those of the master to all
void scatter(List<std::vector<double>>& values)
{
    if (!UPstream::parRun())
    {
        return;
    }

    List<scalarList> lists(values.size());

    forAll(values, groupi)
    {
        const std::vector<double>& group = values[groupi];

        lists[groupi] = scalarList(group.begin(), group.end());
    }

    Pstream::scatter(lists);

    values.setSize(lists.size());

    forAll(lists, groupi)
    {
        values[groupi].assign(lists[groupi].begin(), lists[groupi].end());
    }
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeBoundaryValues::latticeBoundaryValues
(
    const objectRegistry& db,
    const List<std::vector<double>>& values
)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            db.time().timeName(),
            "uniform",
            db,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        )
    ),
    values_(values)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::List<std::vector<double>> Foam::latticeBoundaryValues::read
(
    const objectRegistry& db
)
{
    List<std::vector<double>> values;

    if (UPstream::master())
    {
        IFstream is(db.time().timePath()/"uniform"/db.dbDir()/typeName);

        if (is.good())
        {
            values = valuesIn(is);

            if (values.empty())
            {
                Info<< "The " << typeName << " of time "
                    << db.time().timeName()
                    << " are damaged: boundary conditions are evaluated anew"
                    << nl << endl;
            }
        }
    }

    scatter(values);

    return values;
}


bool Foam::latticeBoundaryValues::writeData(Ostream& os) const
{
    const int precision = os.precision(17);

    os  << "values" << nl << '(' << nl;

    for (const std::vector<double>& group : values_)
    {
        os  << label(group.size()) << token::BEGIN_LIST;

        for (const double value : group)
        {
            os  << value << nl;
        }

        os  << token::END_LIST << nl;
    }

    os  << ')' << token::END_STATEMENT << nl
        << "checksum        " << checksum(values_) << token::END_STATEMENT
        << nl;

    os.precision(precision);

    return os.good();
}


#if (OPENFOAM >= 2006)

bool Foam::latticeBoundaryValues::writeObject
(
    IOstreamOption streamOpt,
    const bool valid
) const
{
    return !UPstream::master() || regIOobject::writeObject(streamOpt, valid);
}

#else

bool Foam::latticeBoundaryValues::writeObject
(
    IOstream::streamFormat fmt,
    IOstream::versionNumber ver,
    IOstream::compressionType cmp,
    const bool valid
) const
{
    return
        !UPstream::master() || regIOobject::writeObject(fmt, ver, cmp, valid);
}

#endif


// ************************************************************************* //
