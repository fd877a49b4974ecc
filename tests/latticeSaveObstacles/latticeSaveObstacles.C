/*---------------------------------------------------------------------------*\
License
    This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
    Copyright (C) 2026 lbmGpuFoam contributors

\*---------------------------------------------------------------------------*/

#include "latticeSaveObstacles.H"
#include "latticeFlow.H"
#include "DynamicList.H"
#include "addToRunTimeSelectionTable.H"

// The library has no other part of it
#include "savedObstacles.C"
#include "savedObstaclesFiniteVolume.C"
#include "savedObstaclesSurface.C"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeSaveObstacles, 0);
    addToRunTimeSelectionTable
    (
        functionObject,
        latticeSaveObstacles,
        dictionary
    );
}
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::functionObjects::latticeSaveObstacles::latticeSaveObstacles
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeFunctionObject(name, runTime, dict),
    boxes_(),
    balls_()
{
    read(dict);
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::functionObjects::latticeSaveObstacles::read(const dictionary& dict)
{
    latticeFunctionObject::read(dict);

    dict.readIfPresent("boxes", boxes_);
    dict.readIfPresent("balls", balls_);

    return true;
}


bool Foam::functionObjects::latticeSaveObstacles::execute()
{
    return true;
}


bool Foam::functionObjects::latticeSaveObstacles::write()
{
    const latticeFlow* flow = findFlow();

    if (!flow)
    {
        return true;
    }

    const latticeMapping& mapping = flow->mapping();
    DynamicList<label> nodes;

    for (label nodei = 0; nodei < mapping.nFluid(); ++nodei)
    {
        const point centre(mapping.nodeCentre(nodei));
        bool inside = false;

        const auto counts = [&](const direction d)
        {
            return !mapping.twoD() || d != mapping.axes()[2];
        };

        for (const Pair<point>& box : boxes_)
        {
            bool in = true;
            for (direction d = 0; d < 3; ++d)
            {
                in = in
                 && (
                        !counts(d)
                     || (
                            centre[d] > box.first()[d]
                         && centre[d] < box.second()[d]
                        )
                    );
            }
            inside = inside || in;
        }

        for (const Tuple2<point, scalar>& ball : balls_)
        {
            scalar distance = 0;
            for (direction d = 0; d < 3; ++d)
            {
                distance += counts(d) ? sqr(centre[d] - ball.first()[d]) : 0;
            }
            inside = inside || distance < sqr(ball.second());
        }

        if (inside)
        {
            nodes.append(nodei);
        }
    }

    savedObstacles(mapping, mesh_, nodes).write
    (
        time_.globalPath()/outputPrefix/name()/time_.timeName()
    );

    return true;
}


// ************************************************************************* //
