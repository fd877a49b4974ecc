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

#include "latticeFlow.H"
#include "engineCall.H"
#include "inputChecks.H"
#include "Time.H"
#include "withoutLastDigits.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFlow::setBoundaryValues
(
    const label groupi,
    std::vector<double>&& values
)
{
    if (inflowStraightened_)
    {
        mapping_->straightenInflow(groupi, values);
    }

    if (values.empty() || values == boundaryValues_[groupi])
    {
        return;
    }

    const int nValues =
        lbm::valuesPerFace(mapping_->description().groups[groupi].type);

    engineCall
    (
        [&]
        {
            engine_->setBoundaryValues
            (
                groupi,
                values.data(),
                values.size()/nValues
            );
        }
    );

    boundaryValues_[groupi] = std::move(values);
}


void Foam::latticeFlow::setBoundaryValues()
{
    const label nGroups = mapping_->groupPatches().size();

    boundaryValues_.setSize(nGroups);
    firstValues_.setSize(nGroups);

    for (label groupi = 0; groupi < nGroups; ++groupi)
    {
        setBoundaryValues(groupi, evaluatedValues(groupi));
    }
}


std::vector<double> Foam::latticeFlow::evaluatedValues
(
    const label groupi
) const
{
    std::vector<double> values
    (
        mapping_->boundaryValues
        (
            groupi,
            U_,
            p_,
            *units_,
            fields_.pReference(),
            pressureOffset_
        )
    );

    if (inflowStraightened_)
    {
        mapping_->straightenInflow(groupi, values);
    }

    return values;
}


void Foam::latticeFlow::beginBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        std::vector<double> values(evaluatedValues(groupi));

        if (!mapping_->description().groups[groupi].varies)
        {
            setBoundaryValues(groupi, std::move(values));
        }
        else if (values != boundaryValues_[groupi])
        {
            firstValues_[groupi] = std::move(boundaryValues_[groupi]);
            boundaryValues_[groupi] = std::move(values);
        }
        else if (!firstValues_[groupi].empty())
        {
            firstValues_[groupi].clear();
            boundaryValues_[groupi].clear();
            setBoundaryValues(groupi, std::move(values));
        }
    }
}


void Foam::latticeFlow::renewBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        if (mapping_->description().groups[groupi].varies)
        {
            boundaryValues_[groupi] = evaluatedValues(groupi);
        }
    }

    boundaryRescaled_ = false;
}


bool Foam::latticeFlow::boundaryUpdateDue() const
{
    return
        variableBoundary_
     && (
            !boundaryEvaluated_
         || runTime_.timeIndex() % settings_.boundaryUpdateInterval() == 0
        );
}


Foam::scalar Foam::latticeFlow::meanFixedPressure() const
{
    scalar sum = 0;
    scalar area = 0;

    forAll(mapping_->groupPatches(), groupi)
    {
        if (mapping_->description().groups[groupi].type == "pressure")
        {
            const fvPatchScalarField& pp =
                p_.boundaryField()[mapping_->groupPatches()[groupi]];

            sum += gSum(pp*pp.patch().magSf());
            area += gSum(pp.patch().magSf());

            if (pressureOffset_)
            {
                sum -= gSum
                (
                    pressureOffset_->boundaryField()[pp.patch().index()]
                   *pp.patch().magSf()
                );
            }
        }
    }

    return area > 0 ? withoutLastDigits(sum/area) : 0;
}


void Foam::latticeFlow::giveBoundaryValues()
{
    forAll(boundaryValues_, groupi)
    {
        if (firstValues_[groupi].empty())
        {
            std::vector<double> values(std::move(boundaryValues_[groupi]));
            boundaryValues_[groupi].clear();

            setBoundaryValues(groupi, std::move(values));
        }
    }
}


void Foam::latticeFlow::giveVaryingValues(const label done)
{
    forAll(firstValues_, groupi)
    {
        std::vector<double>& first = firstValues_[groupi];
        const int nValues =
            lbm::valuesPerFace(mapping_->description().groups[groupi].type);

        if (!first.empty())
        {
            if (inflowStraightened_)
            {
                mapping_->straightenInflow(groupi, first);
                mapping_->straightenInflow(groupi, boundaryValues_[groupi]);
            }

            engineCall
            (
                [&]
                {
                    engine_->varyBoundaryValues
                    (
                        groupi,
                        first.data(),
                        boundaryValues_[groupi].data(),
                        first.size()/nValues,
                        done,
                        nSteps_
                    );
                }
            );
        }
    }
}


void Foam::latticeFlow::rescaleBoundaryValues(const scalar ratio)
{
    if (!variableBoundary_)
    {
        // As a restart does: the same bits
        for (std::vector<double>& values : boundaryValues_)
        {
            values.clear();
        }
        setBoundaryValues();
        return;
    }

    forAll(boundaryValues_, groupi)
    {
        const std::vector<int> powers
        (
            lbm::valuePowers(mapping_->description().groups[groupi].type)
        );

        for (auto* values : {&boundaryValues_[groupi], &firstValues_[groupi]})
        {
            for (std::size_t i = 0; i < values->size(); ++i)
            {
                (*values)[i] *= Foam::pow(ratio, powers[i % powers.size()]);
            }
        }
    }

    boundaryRescaled_ = true;
    giveBoundaryValues();
}


Foam::scalar Foam::latticeFlow::boundarySpeed() const
{
    scalar largest = 0;

    forAll(boundaryValues_, groupi)
    {
        const std::string& type = mapping_->description().groups[groupi].type;

        if (lbm::givesVelocity(type) || type == "wallStress")
        {
            const std::vector<double>& u = boundaryValues_[groupi];
            const std::size_t width = lbm::valuesPerFace(type);

            for (std::size_t i = 0; i < u.size(); i += width)
            {
                largest = max(largest, mag(vector(u[i], u[i + 1], u[i + 2])));
            }
        }
    }

    return units_->velocityToSI(largest);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFlow::correctBoundaryConditions()
{
    for (scalarOnLattice& s : carried_)
    {
        if (s.varies())
        {
            if (s.usesFlow())
            {
                updateFields();
            }

            engineCall
            (
                [&]{ s.correctBoundaryConditions(*engine_, *units_); }
            );
        }
    }

    if (!boundaryUpdateDue())
    {
        return;
    }

    sound_.keepBoundary();

    if (flowBoundary_)
    {
        fields_.invalidate();
        updateFields();
    }
    else
    {
        U_.correctBoundaryConditions();
        p_.correctBoundaryConditions();
    }

    caseChecks::checkBoundaryValues(U_);
    caseChecks::checkBoundaryValues(p_);

    beginBoundaryValues();
    boundaryEvaluated_ = true;
}


// ************************************************************************* //
