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

#include "latticeFields.H"
#include "acousticPart.H"
#include "conservativeFlux.H"
#include "fixedGradientFvPatchFields.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "latticeWalls.H"
#include "parallel.H"
#include "profiling.H"
#include "rotatingFrame.H"
#include "zeroGradientFvPatchFields.H"

// * * * * * * * * * * * * * * Static Data Members * * * * * * * * * * * * * //

namespace Foam
{
    defineTypeNameAndDebug(latticeFields, 0);
}


// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Kind of the links of a group
const std::string& groupType(const latticeMapping& mapping, const label groupi)
{
    return mapping.description().groups[groupi].type;
}


//- Faces of its patch that a group stands for
labelList groupFaces(const latticeMapping& mapping, const label groupi)
{
    const latticePatch& patch = mapping.groupPatch(groupi);
    const wordList types(patch.linkTypes());

    DynamicList<label> faces(patch.patch().size());

    for (label facei = 0; facei < patch.patch().size(); ++facei)
    {
        if (types[patch.linkTypeOf(facei)] == groupType(mapping, groupi))
        {
            faces.append(facei);
        }
    }

    return labelList(std::move(faces));
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::latticeFields::read
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    vectorField& U,
    scalarField& p
)
{
    addProfiling(read, "latticeFields::read");

    lbm::inParallel(U.size(), [&](std::int64_t begin, std::int64_t end)
    {
        std::fill(U.begin() + begin, U.begin() + end, vector(Zero));
        std::fill(p.begin() + begin, p.begin() + end, scalar(0));
    });

    engine.macroscopic
    (
        0,
        mapping.nFluid(),
        [&]
        (
            const std::int64_t first,
            const std::int64_t count,
            const double* rho,
            const double* u
        )
        {
            mapping.addToCells(first, count, rho, u, p, U);
        }
    );

    mapping.completeCells(U_, units, p, U);

    if (pRef_.given)
    {
        pReference_ =
            pRef_.value
          - units.pressureToSI(referenceCell::valueIn(p, pRef_.cell));

        if (offset_)
        {
            pReference_ -= referenceCell::valueIn(*offset_, pRef_.cell);
        }
    }

    lbm::inParallel(U.size(), [&](std::int64_t begin, std::int64_t end)
    {
        for (label celli = begin; celli < end; ++celli)
        {
            U[celli] = mapping.toPhysical(units.velocityToSI(U[celli]));
            p[celli] = units.pressureToSI(p[celli]) + pReference_;
        }
    });

    if (offset_)
    {
        p += offset_->primitiveField();
    }
}


void Foam::latticeFields::interpolateFlux()
{
    addProfiling(flux, "latticeFields::interpolateFlux");

    const fvMesh& mesh = U_.mesh();
    const labelUList& owner = mesh.owner();
    const labelUList& neighbour = mesh.neighbour();
    const surfaceScalarField& weights = mesh.weights();
    const surfaceVectorField& Sf = mesh.Sf();
    const vectorField& U = U_.primitiveField();
    scalarField& phi = phi_.primitiveFieldRef();

    lbm::inParallel(phi.size(), [&](std::int64_t begin, std::int64_t end)
    {
        for (label facei = begin; facei < end; ++facei)
        {
            const vector& UN = U[neighbour[facei]];

            phi[facei] =
                Sf[facei] & (weights[facei]*(U[owner[facei]] - UN) + UN);
        }
    });

    forAll(U_.boundaryField(), patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        const fvsPatchScalarField& w = weights.boundaryField()[patchi];
        fvsPatchScalarField& phip = phi_.boundaryFieldRef()[patchi];

        if (Up.coupled())
        {
            phip =
                Up.patch().Sf()
              & (
                    w*Up.patchInternalField()
                  + (1.0 - w)*Up.patchNeighbourField()
                );
        }
        else
        {
            phip = Up.patch().Sf() & Up;
        }
    }
}


void Foam::latticeFields::setFluxOfCells
(
    const latticeMapping& mapping,
    const bool inflowAlone
)
{
    forAll(mapping.groupPatches(), groupi)
    {
        if (groupType(mapping, groupi) != "pressure")
        {
            continue;
        }

        const label patchi = mapping.groupPatches()[groupi];
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        fvsPatchScalarField& phip = phi_.boundaryFieldRef()[patchi];

        const scalarField flux(Up.patchInternalField() & Up.patch().Sf());

        forAll(flux, i)
        {
            if (!inflowAlone || flux[i] < 0)
            {
                phip[i] = flux[i];
            }
        }
    }
}


void Foam::latticeFields::scaleFluxes
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const acousticPart& sound
)
{
    if (mapping.closed())
    {
        return;
    }

    // A scale beyond this is no error of interpolation: the flux changes
    // sign on the patch, or is next to nothing
    constexpr scalar largest = 2;

    // Said beyond this share of the flux
    constexpr scalar notableDifference = 0.05;

    const label nGroups = mapping.groupPatches().size();

    scalarField flux(nGroups, Zero);
    scalarField sum(nGroups, Zero);
    scalar outflow = 0;
    scalar leak = 0;

    for (label groupi = 0; groupi < nGroups; ++groupi)
    {
        if (groupType(mapping, groupi) == "cyclic")
        {
            continue;
        }

        // Momentum over velocity, of the faces of all processes
        flux[groupi] =
            units.forceToSI(engine.groupLoad(groupi, {0, 0, 0}).massFlux)
           *units.dt()/units.dx();

        if (!Pstream::master())
        {
            flux[groupi] = 0;
        }

        const label patchi = mapping.groupPatches()[groupi];
        const fvsPatchScalarField& phip = phi_.boundaryField()[patchi];
        const scalarField& soundFlux = sound.flux(patchi);

        for (const label i : groupFaces(mapping, groupi))
        {
            sum[groupi] += phip[i];

            if (soundFlux.size())
            {
                flux[groupi] -= soundFlux[i];
            }
        }

        reduce(flux[groupi], sumOp<scalar>());
        reduce(sum[groupi], sumOp<scalar>());

        if (groupType(mapping, groupi) == "pressure")
        {
            outflow += mag(flux[groupi]);
        }
        else
        {
            leak += flux[groupi] - sum[groupi];
        }
    }

    for (label groupi = 0; groupi < nGroups; ++groupi)
    {
        if (groupType(mapping, groupi) != "pressure" || outflow < VSMALL)
        {
            continue;
        }

        const label patchi = mapping.groupPatches()[groupi];
        const scalarField& magSf = U_.mesh().boundary()[patchi].magSf();
        fvsPatchScalarField& phip = phi_.boundaryFieldRef()[patchi];

        const labelList faces(groupFaces(mapping, groupi));

        const scalar target = flux[groupi] + leak*mag(flux[groupi])/outflow;
        const scalar scale =
            mag(sum[groupi]) > VSMALL ? target/sum[groupi] : 0;

        scalar area = 0;
        scalar sumMag = 0;

        for (const label i : faces)
        {
            area += magSf[i];
            sumMag += mag(phip[i]);
        }

        reduce(area, sumOp<scalar>());
        reduce(sumMag, sumOp<scalar>());

        for (const label i : faces)
        {
            if (scale > 1/largest && scale < largest)
            {
                phip[i] *= scale;
            }
            else
            {
                phip[i] += (target - sum[groupi])*magSf[i]/area;
            }
        }

        if
        (
            debug
         || mag(target - sum[groupi])
          > notableDifference*max(sumMag, mag(target))
        )
        {
            Info<< "Flux of the lattice through "
                << U_.mesh().boundary()[patchi].name() << ' ' << target
                << " m3/s, interpolated " << sum[groupi] << " m3/s" << endl;
        }
    }

    if (debug)
    {
        Info<< "The lattice loses " << leak << " m3/s at walls and inlets of "
            << outflow << " m3/s" << endl;
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeFields::latticeFields
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    const volScalarField* offset,
    rotatingFrame* frame
)
:
    U_(U),
    p_(p),
    phi_(phi),
    pRef_(),
    pReference_(0),
    offset_(offset),
    frame_(frame),
    current_(true),
    conservative_(false),
    correction_(),
    walls_(),
    wallsCurrent_(false),
    soundU_(),
    soundP_(),
    nReads_(0)
{}


// * * * * * * * * * * * * * * * * Destructor  * * * * * * * * * * * * * * * //

// Here the types of correction and walls are known
Foam::latticeFields::~latticeFields()
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeFields::update
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const bool stepped,
    acousticPart& sound
)
{
    if (current_)
    {
        return;
    }

    current_ = true;
    conservative_ = false;
    wallsCurrent_ = false;
    ++nReads_;

    addProfiling(update, "latticeFields::update");

    if (debug)
    {
        Info<< "Reading the lattice at time " << U_.time().timeName()
            << ", number " << nReads_ << endl;
    }

    read
    (
        engine,
        mapping,
        units,
        U_.primitiveFieldRef(),
        p_.primitiveFieldRef()
    );

    if (sound.kept())
    {
        addProfiling(sound, "acousticPart::remove");

        // The offset of p is none of it
        if (offset_)
        {
            p_.primitiveFieldRef() -= offset_->primitiveField();
        }

        soundU_ = U_.primitiveField();
        soundP_ = p_.primitiveField();

        sound.remove
        (
            mapping,
            Foam::sqrt(units.pressureToSI(1)),
            units.nu(),
            pRef_.orFirst(),
            U_.primitiveFieldRef(),
            p_.primitiveFieldRef()
        );

        soundU_ -= U_.primitiveField();
        soundP_ -= p_.primitiveField();

        if (offset_)
        {
            p_.primitiveFieldRef() += offset_->primitiveField();
        }
    }
    else
    {
        sound.clear();
        soundU_.clear();
        soundP_.clear();
    }

    setFluxOfCells(mapping, false);

    U_.correctBoundaryConditions();
    p_.correctBoundaryConditions();

    if (frame_)
    {
        frame_->correct();
    }

    interpolateFlux();

    // U of inletOutlet and others is not that of the lattice where it enters
    setFluxOfCells(mapping, true);

    if (stepped)
    {
        scaleFluxes(engine, mapping, units, sound);
    }
}


void Foam::latticeFields::updateNodes
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const std::vector<std::int64_t>& nodes
)
{
    if (current_)
    {
        return;
    }

    const std::size_t n = nodes.size();
    std::vector<double> rho(n);
    std::vector<double> u(3*n);

    engine.macroscopicAt(n, nodes.data(), rho.data(), u.data());

    vectorField& U = U_.primitiveFieldRef();

    for (std::size_t i = 0; i < n; ++i)
    {
        const vector velocity(u[3*i], u[3*i + 1], u[3*i + 2]);

        U[mapping.nodeCells()[nodes[i]]] =
            mapping.toPhysical(units.velocityToSI(velocity));
    }

    if (frame_)
    {
        frame_->correct();
    }
}


void Foam::latticeFields::conserve(const latticeMapping& mapping)
{
    if (conservative_)
    {
        return;
    }

    conservative_ = true;

    if (!correction_.valid())
    {
        correction_.reset(new conservativeFlux(U_.mesh(), mapping));
    }

    correction_->correct(U_, phi_);
}


const Foam::latticeWalls& Foam::latticeFields::walls
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    if (wallsCurrent_)
    {
        return *walls_;
    }

    if (!walls_.valid())
    {
        walls_.reset(new latticeWalls(mapping, U_.mesh()));

        if (debug)
        {
            Info<< "Walls take " << 1e-6*walls_->bytes()
                << " MB, and values of " << walls_->nNodes() << " nodes"
                << endl;
        }
    }

    wallsCurrent_ = true;
    walls_->read(engine, units, U_, pReference_);

    if (current_ && soundP_.size())
    {
        walls_->subtract(soundU_, soundP_, U_.mesh());
    }

    return *walls_;
}


void Foam::latticeFields::setWallPressure
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units
)
{
    const latticeWalls& walls = this->walls(engine, mapping, units);

    forAll(p_.boundaryField(), patchi)
    {
        fvPatchScalarField& pp = p_.boundaryFieldRef()[patchi];

        if
        (
            walls.has(patchi)
         && (
                isA<zeroGradientFvPatchScalarField>(pp)
             || isA<fixedGradientFvPatchScalarField>(pp)
            )
        )
        {
            forAll(pp, facei)
            {
                if (walls.known(patchi, facei))
                {
                    pp[facei] = walls.pressure(patchi)[facei];

                    if (offset_)
                    {
                        pp[facei] += offset_->boundaryField()[patchi][facei];
                    }
                }
            }
        }
    }
}


void Foam::latticeFields::keep
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const scalar elapsed,
    acousticPart& sound
)
{
    vectorField U(U_.size());
    scalarField p(U_.size());

    read(engine, mapping, units, U, p);

    if (offset_)
    {
        p -= offset_->primitiveField();
    }

    sound.keep(std::move(U), std::move(p), elapsed);
}


bool Foam::latticeFields::differ
(
    lbm::engine& engine,
    const latticeMapping& mapping,
    const latticeUnits& units,
    const scalar velocity,
    const scalar pressure
)
{
    // Files may have been written with few digits
    constexpr scalar tolerance = 1e-3;

    vectorField U(U_.size());
    scalarField p(p_.size());

    read(engine, mapping, units, U, p);

    // Digits are lost to the whole of p, its reference included
    scalarField pGiven(p_.primitiveField());
    const scalar pDigits = max(gMax(mag(pGiven)()), gMax(mag(p)()));

    pGiven -= gAverage(pGiven);
    p -= gAverage(p);

    // The lattice has no velocity in the empty direction
    vectorField difference(U_.primitiveField() - U);

    if (mapping.twoD())
    {
        for (vector& d : difference)
        {
            d[mapping.axes()[2]] = 0;
        }
    }

    return
        gMax(mag(difference)())
      > tolerance*gMax(mag(U)()) + (1 + tolerance)*velocity + VSMALL
     || gMax(mag(pGiven - p)())
      > tolerance*pDigits + 2*(1 + tolerance)*pressure + VSMALL;
}


// ************************************************************************* //
