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

#include "runSamples.H"
#include "Function1.H"
#include "PstreamReduceOps.H"
#include "StringStream.H"
#include "TableBase.H"
#include "Time.H"

#include <algorithm>
#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Samples between start and end, and of the first steps of deltaT
constexpr label nEven = 400;
constexpr label nFirst = 200;

//- Ratio of the distances that follow each other where they grow
constexpr scalar growth = 1.1;

//- Values to look at in all samples together, and fewest samples then
constexpr label maxValues = 50000000;
constexpr label minSamples = 50;


//- Errors become exceptions while this lives
class throwingErrors
{
    const bool error_;
    const bool ioError_;

public:

    throwingErrors()
    :
        error_(FatalError.throwExceptions()),
        ioError_(FatalIOError.throwExceptions())
    {}

    ~throwingErrors()
    {
        FatalError.throwExceptions(error_);
        FatalIOError.throwExceptions(ioError_);
    }
};


//- Points of a table; none if the entry is something else
template<class Type>
scalarField tablePoints(const word& keyword, const dictionary& dict)
{
    const throwingErrors throwing;

    try
    {
        const autoPtr<Function1<Type>> function
        (
            Function1<Type>::New(keyword, dict)
        );

        const auto* table =
            dynamic_cast<const Function1Types::TableBase<Type>*>
            (
                function.get()
            );

        if (table)
        {
            return table->x();
        }
    }
    catch (const Foam::error&)
    {}

    return scalarField();
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::runSamples::addPoints(const dictionary& dict)
{
    static const wordHashSet tables({"table", "tableFile", "csvFile"});

    for (const entry& e : dict)
    {
        const word& keyword = e.keyword();
        word type;

        if (e.isDict())
        {
            type = e.dict().getOrDefault<word>("type", word::null);
        }
        else if (e.isStream() && e.stream().size() && e.stream()[0].isWord())
        {
            type = e.stream()[0].wordToken();
        }

        if (tables.found(type))
        {
            points_.append(tablePoints<scalar>(keyword, dict));
            points_.append(tablePoints<vector>(keyword, dict));
        }
    }
}


template<class Type>
Foam::label Foam::runSamples::add
(
    const fvPatchField<Type>& patchField,
    PtrList<fvPatchField<Type>>& copies
)
{
    OStringStream os;
    patchField.write(os);
    IStringStream is(os.str());
    addPoints(dictionary(is));

    nValues_ += patchField.size();
    copies.append(patchField.clone().ptr());

    return copies.size() - 1;
}


Foam::scalarList Foam::runSamples::times() const
{
    const scalar start = time_.value();
    const scalar length = time_.endTime().value() - start;
    const scalar deltaT = time_.deltaTValue();

    DynamicList<scalar> result({start});

    if (length > 0)
    {
        // The same times on all processes, whose values are summed
        const label nValues = returnReduce(nValues_, maxOp<label>());

        const label n =
            max(minSamples, min(nEven, maxValues/(2*max(nValues, label(1)))));

        for (label i = 1; i <= n; ++i)
        {
            result.append(start + i*(length/n));
        }

        const label m = min(n, nFirst);

        for (label i = 1; i <= m && i*deltaT < length; ++i)
        {
            result.append(start + i*deltaT);
        }

        for (scalar t = m*deltaT; t > 0 && t < length; t *= growth)
        {
            result.append(start + t);
        }

        for (const scalar t : points_)
        {
            if (t > start && t < start + length)
            {
                result.append(t);
            }
        }
    }

    std::sort(result.begin(), result.end());
    result.setSize
    (
        std::unique(result.begin(), result.end()) - result.begin()
    );

    return scalarList(std::move(result));
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::runSamples::runSamples(const Time& time)
:
    time_(const_cast<Time&>(time)),
    points_(),
    nValues_(0)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::label Foam::runSamples::add(const fvPatchVectorField& Up)
{
    return add(Up, velocities_);
}


Foam::label Foam::runSamples::add(const fvPatchScalarField& pp)
{
    return add(pp, pressures_);
}


bool Foam::runSamples::forEach
(
    const std::function<void(const scalar)>& look,
    string& why
)
{
    const scalar now = time_.value();
    const label index = time_.timeIndex();

    const throwingErrors throwing;

    try
    {
        label i = 0;

        for (const scalar t : times())
        {
            // Some conditions are evaluated once in an index
            time_.setTime(t, index + i++);

            for (fvPatchVectorField& Up : velocities_)
            {
                Up.evaluate();
            }
            for (fvPatchScalarField& pp : pressures_)
            {
                pp.evaluate();
            }

            look(t);
        }
    }
    catch (const Foam::error& err)
    {
        why = err.message();
    }

    time_.setTime(now, index);

    return why.empty();
}


// ************************************************************************* //
