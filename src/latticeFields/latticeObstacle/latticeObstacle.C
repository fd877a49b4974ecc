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

#include "latticeObstacle.H"
#include "engine.H"
#include "engineCall.H"
#include "latticeMapping.H"
#include "latticePopulations.H"
#include "DynamicList.H"
#include "IFstream.H"
#include "OSspecific.H"
#include "PstreamReduceOps.H"
#include "sigFpe.H"
#include "Time.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeObstacle, 0);
}

const Foam::word Foam::latticeObstacle::surfaceName("drawn");


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::labelList Foam::latticeObstacle::changing
(
    const labelUList& nodes,
    const bool solid
) const
{
    DynamicList<label> result(nodes.size());

    for (const label node : nodes)
    {
        if (found(node) != solid && (!solid || possible(node)))
        {
            result.append(node);
        }
    }

    std::sort(result.begin(), result.end());
    result.setSize
    (
        std::unique(result.begin(), result.end()) - result.begin()
    );

    return labelList(std::move(result));
}


void Foam::latticeObstacle::set(const labelUList& nodes, const bool solid)
{
    if (nodes.empty())
    {
        return;
    }

    solid_.resize(mapping_.nFluid(), false);

    for (const label node : nodes)
    {
        solid_[node] = solid;
    }

    nSolid_ += solid ? nodes.size() : -nodes.size();

    // From now on even without nodes: there may be some in earlier times
    writeOpt() = IOobject::AUTO_WRITE;
}


Foam::string Foam::latticeObstacle::checksum(const labelUList& nodes)
{
    std::vector<std::int64_t> values(nodes.begin(), nodes.end());

    return std::to_string
    (
        latticePopulations::checksum
        (
            values.data(),
            values.size()*sizeof(std::int64_t)
        )
    );
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeObstacle::latticeObstacle
(
    const objectRegistry& db,
    const latticeMapping& mapping,
    lbm::engine& engine
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
            IOobject::NO_WRITE
        )
    ),
    mapping_(mapping),
    engine_(engine),
    solid_(),
    nSolid_(0)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::fileName Foam::latticeObstacle::file(const objectRegistry& db)
{
    return db.time().timePath()/"uniform"/db.dbDir()/typeName;
}


bool Foam::latticeObstacle::isWritten(const objectRegistry& db)
{
    return isFile(file(db));
}


Foam::labelList Foam::latticeObstacle::nodes() const
{
    labelList result(nSolid_);
    label n = 0;

    for (std::size_t node = 0; node < solid_.size(); ++node)
    {
        if (solid_[node])
        {
            result[n++] = node;
        }
    }

    return result;
}


bool Foam::latticeObstacle::possible(const label node) const
{
    return engine_.mayBeObstacle(node);
}


void Foam::latticeObstacle::forFaces
(
    const std::function<void(const point&, const vector&)>& f
) const
{
    const std::array<std::int64_t, 3>& size = mapping_.description().size;
    const scalar dx = mapping_.dx();
    const scalar area = mapping_.twoD() ? dx*mapping_.thickness() : sqr(dx);

    for (const label node : nodes())
    {
        const std::int64_t boxi = mapping_.boxIndex(node);
        const std::int64_t x[3] =
        {
            boxi % size[0], boxi/size[0] % size[1], boxi/(size[0]*size[1])
        };
        std::int64_t stride = 1;

        for (direction a = 0; a < (mapping_.twoD() ? 2 : 3); ++a)
        {
            for (const label side : {-1, 1})
            {
                if (x[a] + side < 0 || x[a] + side >= size[a])
                {
                    continue;
                }

                const label other = mapping_.fluidIndex(boxi + side*stride);

                if (other >= 0 && !found(other))
                {
                    vector towards(Zero);
                    towards[a] = side;
                    towards = mapping_.toPhysical(towards);

                    f
                    (
                        mapping_.boxCentre(boxi) + 0.5*dx*towards,
                        -area*towards
                    );
                }
            }

            stride *= size[a];
        }
    }
}


Foam::label Foam::latticeObstacle::draw(const labelUList& nodes)
{
    const labelList changed(changing(nodes, true));
    const std::vector<std::int64_t> list(changed.begin(), changed.end());

    engineCall([&]{ engine_.addObstacle(list.size(), list.data()); });
    set(changed, true);

    return changed.size();
}


Foam::label Foam::latticeObstacle::erase(const labelUList& nodes)
{
    const labelList changed(changing(nodes, false));
    const std::vector<std::int64_t> list(changed.begin(), changed.end());

    engineCall([&]{ engine_.removeObstacle(list.size(), list.data()); });
    set(changed, false);

    return changed.size();
}


Foam::labelList Foam::latticeObstacle::read(string& why) const
{
    labelList result;

    if (UPstream::parRun())
    {
        if (returnReduce(isWritten(db()), orOp<bool>()))
        {
            why =
                "one that was drawn is in the restart data, but this is a"
                " parallel run, and possible is a serial one";
        }

        return result;
    }

    IFstream is(file(db()));

    if (!is.good())
    {
        return result;
    }

    // A damaged number may be one that cannot be stored
    const sigFpe::ignore reading;

    const bool throwing = FatalIOError.throwExceptions();

    try
    {
        const dictionary dict(is);
        result = dict.get<labelList>("nodes");

        if
        (
            dict.get<string>("checksum") != checksum(result)
         || dict.get<label>("of") != mapping_.nFluid()
         || (!result.empty() && (min(result) < 0 || max(result) >= mapping_.nFluid()))
        )
        {
            why = "the obstacle that was drawn belongs to other nodes";
        }
    }
    catch (const Foam::error&)
    {
        why = "the obstacle that was drawn cannot be read";
    }

    FatalIOError.throwExceptions(throwing);

    if (!why.empty())
    {
        result.clear();
    }

    return result;
}


void Foam::latticeObstacle::resume(const labelUList& nodes)
{
    const std::vector<std::int64_t> list(nodes.begin(), nodes.end());

    engineCall([&]{ engine_.setObstacle(list.size(), list.data()); });

    set(nodes, true);
}


bool Foam::latticeObstacle::writeData(Ostream& os) const
{
    const labelList list(nodes());

    os  << "of              " << mapping_.nFluid() << token::END_STATEMENT << nl
        << "nodes" << nl << token::BEGIN_LIST << nl;

    // One by one: text whatever the format of the fields
    for (const label node : list)
    {
        os  << node << nl;
    }

    os  << token::END_LIST << token::END_STATEMENT << nl
        << "checksum        " << checksum(list) << token::END_STATEMENT << nl;

    return os.good();
}


// ************************************************************************* //
