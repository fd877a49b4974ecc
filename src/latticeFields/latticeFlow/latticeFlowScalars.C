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
#include "effectiveViscosity.H"
#include "engineCall.H"
#include "latticeFlowShared.H"

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::scalar Foam::latticeFlow::cellPeclet(const scalarOnLattice& s) const
{
    return
        Uref_*units_->dx()
       /s.diffusivity(s.mixes() ? viscosity_.mean() : viscosity_.reference());
}


Foam::string Foam::latticeFlow::whyOnMesh(const scalarOnLattice& s) const
{
    const scalar Pe = cellPeclet(s);

    if (settings_.heat() == "host")
    {
        return "heat host";
    }
    if (viscosity_.variable() && !s.mixes())
    {
        return "the viscosity is not constant";
    }
    if (s.reason().empty() && settings_.heat() == "auto")
    {
        // Plumes that never rest do so with relaxation factors alone
        if (steady_)
        {
            return "the case is steady";
        }
        if (Pe > cellPecletLimit)
        {
            return
                "the cell Peclet number, " + Foam::name(Pe) + ", is above "
              + Foam::name(cellPecletLimit);
        }
    }

    return s.reason();
}


void Foam::latticeFlow::chooseScalars()
{
    std::vector<lbm::scalarDescription> descriptions;

    for (scalarOnLattice& s : scalars_)
    {
        string reason(s.request() ? s.reason() : whyOnMesh(s));

        if (reason.empty() && s.carry(*mapping_, descriptions, reason))
        {
            carried_.append(&s);
            continue;
        }

        if (s.request())
        {
            FatalIOErrorInFunction(*s.request())
                << "The lattice cannot carry " << s.name() << " as "
                << s.request()->dictName() << " wants: " << reason.c_str() << nl
                << "    possible : the functionObject scalarTransport, with the"
                << " same entries"
                << exit(FatalIOError);
        }
        if (settings_.heat() == "device")
        {
            FatalIOErrorInFunction(settings_.dict())
                << "Found heat device, but T cannot be on the lattice: "
                << reason.c_str() << nl
                << "    possible : heat host or auto"
                << exit(FatalIOError);
        }

        s.leave(reason);
    }

    // Remote nodes of one renumber those of the others
    if (Pstream::parRun() && carried_.size() > 1)
    {
        descriptions.clear();

        for (scalarOnLattice& s : carried_)
        {
            string reason;
            s.carry(*mapping_, descriptions, reason);
        }
    }

    if (descriptions.size())
    {
        mapping_->setScalars(std::move(descriptions));
    }
}


Foam::scalarOnLattice* Foam::latticeFlow::carriedHeat() const
{
    for (const scalarOnLattice& s : carried_)
    {
        if (!s.request())
        {
            return const_cast<scalarOnLattice*>(&s);
        }
    }

    return nullptr;
}


std::optional<Foam::scalar> Foam::latticeFlow::heatFlux
(
    const label patchi
) const
{
    const scalarOnLattice* heat = carriedHeat();

    if (!heat)
    {
        return {};
    }

    return
        engineCall([&]{ return heat->flux(*engine_, *units_, patchi); });
}


bool Foam::latticeFlow::scalarsVary() const
{
    for (const scalarOnLattice& s : carried_)
    {
        if (s.varies())
        {
            return true;
        }
    }

    return false;
}


void Foam::latticeFlow::giveScalars()
{
    forAll(carried_, i)
    {
        engineCall
        (
            [&]
            {
                engine_->setRateOfSum(i, settings_.scalarRateOfSum());
                carried_[i].give(*engine_, *mapping_, *units_);
            }
        );
    }
}


// ************************************************************************* //
