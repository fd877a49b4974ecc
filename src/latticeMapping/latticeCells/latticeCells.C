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

#include "latticeCells.H"
#include "latticeMapping.H"
#include "overlayMesh.H"
#include "exchange/communicator.H"
#include "parallel.H"
#include "processorCyclicPolyPatch.H"
#include "PstreamBuffers.H"
#include "PstreamReduceOps.H"
#include "syncTools.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

typedef std::array<std::int64_t, 3> place;


//- A point in coordinates in which nodes lie at whole numbers. first: the first
//  node, in the axes of the lattice
vector nodeCoordinates
(
    const latticeMapping& mapping,
    const vector& first,
    const point& p
)
{
    vector x((mapping.toLattice(p) - first)/mapping.dx());

    if (mapping.twoD())
    {
        x.z() = 0;
    }

    return x;
}


//- The first node of the box, in the axes of the lattice
vector firstNode(const latticeMapping& mapping)
{
    return mapping.toLattice(mapping.centreAt({0, 0, 0}));
}


//- Nodes and their links, by place
class neighbourhood
{
public:

    //- A point with a value: a node, or where a link meets a wall
    struct source
    {
        //- From the centre of the cell, in spacings
        vector d;

        //- Node in fluid order; -1 for a point on a wall
        label node;

        //- Group and face of a wall with a velocity; -1 at rest
        label group;
        label face;
    };


private:

    struct wallLink
    {
        std::int64_t node;

        //- Of groups_, or after them of others_
        std::int32_t group;
        std::int32_t link;

        //- The same order whatever other nodes there are: sums have the
        //  rounding of their order
        bool operator<(const wallLink& b) const
        {
            return
                std::tie(node, group, link) < std::tie(b.node, b.group, b.link);
        }
    };

    const latticeMapping& mapping_;
    const overlayMesh& overlay_;

    //- Of nodes of this process, and of others
    const std::vector<lbm::linkGroup>& groups_;
    const std::vector<lbm::linkGroup>& others_;

    const std::vector<std::array<int, 3>> directions_;
    const int nDims_;
    const vectorField& faceCentres_;

    //- The first node of the box
    const vector first_;

    //- Nodes with links, and the directions of these along the axes: bit
    //  2*axis + (1 if towards larger coordinates)
    std::vector<std::int64_t> shell_;
    std::vector<std::uint8_t> blocked_;

    //- The first of each row of the box, and one beyond the last
    std::vector<std::int64_t> shellRows_;

    //- Links of walls, by node
    std::vector<wallLink> wallLinks_;


public:

    neighbourhood
    (
        const latticeMapping& mapping,
        const overlayMesh& overlay,
        const std::vector<lbm::linkGroup>& others
    );

    //- Number of a node in the fluid order of the whole lattice; -1 if there is
    //  none
    label number(const place& p) const
    {
        return overlay_.fluid().number(p);
    }

    bool fluid(const place& p) const
    {
        return overlay_.fluid().contains(p);
    }

    //- Entry of a fluid node with links in shell_; -1 if it has none
    std::int64_t inShell(const place& p) const
    {
        const std::int64_t row = p[1] + overlay_.size()[1]*p[2];
        const auto end = shell_.begin() + shellRows_[row + 1];
        const auto found = std::lower_bound
        (
            shell_.begin() + shellRows_[row],
            end,
            overlay_.index(p)
        );

        return
            found != end && *found == overlay_.index(p)
          ? found - shell_.begin()
          : -1;
    }

    //- Can one go from a fluid node to the next along an axis?
    bool open(const place& p, const int axis, const bool up) const
    {
        const std::int64_t i = inShell(p);

        return i == -1 || !(blocked_[i] & (1u << (2*axis + up)));
    }

    //- A point in coordinates in which nodes lie at whole numbers
    vector coordinates(const point& p) const
    {
        return nodeCoordinates(mapping_, first_, p);
    }

    //- Add the points at which the links of a node meet walls.
    //  \param x centre of the cell
    //  \param d from there to the node
    void addWalls
    (
        const place& p,
        const vector& x,
        const vector& d,
        std::vector<source>& sources
    ) const;
};


neighbourhood::neighbourhood
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const std::vector<lbm::linkGroup>& others
)
:
    mapping_(mapping),
    overlay_(overlay),
    groups_(mapping.description().groups),
    others_(others),
    directions_(lbm::directions(mapping.lattice())),
    nDims_(mapping.twoD() ? 2 : 3),
    faceCentres_(mapping.boundary().surface().faceCentres()),
    first_(firstNode(mapping)),
    shellRows_(overlay.fluid().nRows() + 1, 0)
{
    const label nGroups = groups_.size();

    const auto forGroups = [&](const auto& f)
    {
        for (label groupi = 0; groupi < nGroups; ++groupi)
        {
            f(groupi, groups_[groupi]);
            f(nGroups + groupi, others_[groupi]);
        }
    };

    std::size_t nLinks = 0;
    std::size_t nWallLinks = 0;

    const auto isWall = [](const lbm::linkGroup& group)
    {
        return group.type == "wall" || lbm::givesVelocity(group.type);
    };

    forGroups([&](label, const lbm::linkGroup& group)
    {
        nLinks += group.size();
        nWallLinks += isWall(group) ? group.size() : 0;
    });

    shell_.reserve(nLinks);
    wallLinks_.reserve(nWallLinks);

    forGroups([&](const label groupi, const lbm::linkGroup& group)
    {
        // Those of a node lie one after the other
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            if (i == 0 || group.node[i] != group.node[i - 1])
            {
                shell_.push_back(group.node[i]);
            }
            if (isWall(group))
            {
                wallLinks_.push_back({group.node[i], groupi, std::int32_t(i)});
            }
        }
    });

    std::sort(shell_.begin(), shell_.end());
    shell_.erase(std::unique(shell_.begin(), shell_.end()), shell_.end());
    std::sort(wallLinks_.begin(), wallLinks_.end());

    blocked_.resize(shell_.size(), 0);

    forGroups([&](label, const lbm::linkGroup& group)
    {
        std::size_t at = 0;

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            while (shell_[at] != group.node[i])
            {
                ++at;
            }

            const std::array<int, 3>& c = directions_[group.direction[i]];

            if (mag(c[0]) + mag(c[1]) + mag(c[2]) == 1)
            {
                const int axis = c[0] ? 0 : c[1] ? 1 : 2;
                blocked_[at] |= 1u << (2*axis + (c[axis] > 0));
            }
        }
    });

    for (const std::int64_t node : shell_)
    {
        ++shellRows_[node/overlay.size()[0] + 1];
    }
    std::partial_sum
    (
        shellRows_.begin(), shellRows_.end(), shellRows_.begin()
    );
}


void neighbourhood::addWalls
(
    const place& p,
    const vector& x,
    const vector& d,
    std::vector<source>& sources
) const
{
    // A velocity is that of the middle of its face; on a face that is far
    // larger than the spacing, it is that of the whole face
    const scalar near = 36;

    const std::int64_t node = overlay_.index(p);

    auto iter = std::lower_bound
    (
        wallLinks_.begin(),
        wallLinks_.end(),
        wallLink{node, 0, 0}
    );

    for (; iter != wallLinks_.end() && iter->node == node; ++iter)
    {
        const std::int32_t nGroups = groups_.size();
        const bool own = iter->group < nGroups;
        const std::int32_t groupi = iter->group - (own ? 0 : nGroups);
        const lbm::linkGroup& group = (own ? groups_ : others_)[groupi];
        const std::array<int, 3>& c = directions_[group.direction[iter->link]];
        const scalar q =
            group.distance.empty() ? 0.5 : group.distance[iter->link];

        source s{d + q*vector(c[0], c[1], c[2]), -1, -1, -1};

        if (lbm::givesVelocity(group.type))
        {
            s.group = groupi;
            s.face =
                mapping_.faceOfLink(s.group, group.face[iter->link]);

            const vector centre
            (
                coordinates
                (
                    faceCentres_
                    [
                        mapping_.boundary().start
                        (
                            mapping_.groupPatches()[s.group]
                        )
                      + s.face
                    ]
                )
              - x
            );

            if (magSqr(centre) < near)
            {
                s.d = centre;
            }
        }

        sources.push_back(s);
    }
}


//- How much a point counts
scalar fitWeight(const vector& d)
{
    return 1/sqr(0.25 + magSqr(d));
}


//- Weights that give the value of a fitted linear function at the origin.
//  \param stiffness against slopes, which decides about those along which
//      the points do not lie apart; constants are fitted as they are
//  \return false if the points do not determine it
bool fit
(
    const std::vector<neighbourhood::source>& sources,
    const int nDims,
    const scalar stiffness,
    std::vector<scalar>& weights
)
{
    const int n = nDims + 1;

    scalar A[4][5] = {};

    weights.resize(sources.size());

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const vector& d = sources[i].d;
        const scalar basis[4] = {1, d[0], d[1], nDims > 2 ? d[2] : 0};

        weights[i] = fitWeight(d);

        for (int r = 0; r < n; ++r)
        {
            for (int c = 0; c < n; ++c)
            {
                A[r][c] += weights[i]*basis[r]*basis[c];
            }
        }
    }

    // Solve for the first column of the inverse
    scalar scale = 0;
    for (int r = 0; r < n; ++r)
    {
        scale = max(scale, A[r][r]);
    }
    for (int r = 1; r < n; ++r)
    {
        A[r][r] += stiffness*scale;
    }

    A[0][n] = 1;

    for (int k = 0; k < n; ++k)
    {
        int pivot = k;
        for (int r = k + 1; r < n; ++r)
        {
            if (mag(A[r][k]) > mag(A[pivot][k]))
            {
                pivot = r;
            }
        }

        if (mag(A[pivot][k]) < 1e-4*scale)
        {
            return false;
        }

        for (int c = k; c <= n; ++c)
        {
            std::swap(A[k][c], A[pivot][c]);
        }

        for (int r = 0; r < n; ++r)
        {
            if (r != k)
            {
                const scalar f = A[r][k]/A[k][k];
                for (int c = k; c <= n; ++c)
                {
                    A[r][c] -= f*A[k][c];
                }
            }
        }
    }

    scalar sumMag = 0;

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const vector& d = sources[i].d;
        const scalar basis[4] = {1, d[0], d[1], nDims > 2 ? d[2] : 0};

        scalar value = 0;
        for (int r = 0; r < n; ++r)
        {
            value += A[r][n]/A[r][r]*basis[r];
        }

        weights[i] *= value;
        sumMag += mag(weights[i]);
    }

    // Far outside of its points, a fit makes more of errors than of values
    return sumMag < 5;
}


//- The same, or weights of a mean
bool fitOrMean
(
    const std::vector<neighbourhood::source>& sources,
    const int nDims,
    std::vector<scalar>& weights
)
{
    if (fit(sources, nDims, 0, weights))
    {
        return true;
    }

    // In a gap with one node across, there is still a slope along it
    if (fit(sources, nDims, 1e-3, weights))
    {
        return false;
    }

    scalar sum = 0;

    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        weights[i] = fitWeight(sources[i].d);
        sum += weights[i];
    }
    for (scalar& w : weights)
    {
        w /= sum;
    }

    return false;
}


//- visit(node, number, d) for each node of this process: its number among them
//  and among all
template<class Visit>
void forOwn(const overlayMesh& overlay, const Visit& visit)
{
    for (const overlayMesh::run& r : overlay.runs())
    {
        const auto visitRow = [&]
        (
            const place& p,
            const std::int64_t number,
            const std::int64_t count
        )
        {
            const std::int64_t node = r.own + (number - r.whole);

            for (std::int64_t i = 0; i < count; ++i)
            {
                visit
                (
                    label(node + i),
                    label(number + i),
                    vector(p[0] + i, p[1], p[2])
                );
            }
        };

        overlay.fluid().forNodes(r.whole, r.count, visitRow);
    }
}


//- Nodes to which the way through the mesh is shortest (latticeCells.H).
//  \param x centres of the cells, in coordinates of nodes
labelList nearestTo
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const fvMesh& mesh,
    const vectorField& x
)
{
    typedef std::pair<scalar, label> way;

    const labelList& nodeCells = mapping.nodeCells();

    labelList result(x.size(), -1);
    scalarField length(x.size(), GREAT);

    const auto compare =
    [&](const label node, const label number, const vector& place)
    {
        const label celli = nodeCells[node];
        const scalar d = mag(place - x[celli]);

        if (d < length[celli])
        {
            length[celli] = d;
            result[celli] = number;
        }
    };

    forOwn(overlay, compare);

    std::priority_queue<way, std::vector<way>, std::greater<way>> ways;
    const labelListList& cellCells = mesh.cellCells();

    // Cells with nodes of their own stay as they are
    boolList own(x.size(), false);

    forAll(own, celli)
    {
        if (result[celli] != -1)
        {
            own[celli] = true;
            ways.push({length[celli], celli});
        }
    }

    // Centres beyond faces between processes
    vectorField beyond;
    syncTools::swapBoundaryCellList(mesh, x, beyond);

    const auto follow = [&]()
    {
        while (!ways.empty())
        {
            const way at = ways.top();
            ways.pop();

            const label celli = at.second;

            if (at.first > length[celli])
            {
                continue;
            }

            for (const label cellj : cellCells[celli])
            {
                const scalar d = at.first + mag(x[cellj] - x[celli]);

                if (!own[cellj] && d < length[cellj])
                {
                    length[cellj] = d;
                    result[cellj] = result[celli];
                    ways.push({d, cellj});
                }
            }
        }
    };

    follow();

    // Ways from the cells of other processes, as long as they make any shorter
    while (Pstream::parRun())
    {
        scalarField theirLength;
        labelList theirs;
        syncTools::swapBoundaryCellList(mesh, length, theirLength);
        syncTools::swapBoundaryCellList(mesh, result, theirs);

        for (const polyPatch& pp : mesh.boundaryMesh())
        {
            if
            (
                !isA<processorPolyPatch>(pp)
             || isA<processorCyclicPolyPatch>(pp)
            )
            {
                continue;
            }

            forAll(pp, i)
            {
                const label facei = pp.start() + i - mesh.nInternalFaces();
                const label celli = pp.faceCells()[i];
                const scalar d =
                    theirLength[facei] + mag(x[celli] - beyond[facei]);

                if (theirs[facei] != -1 && !own[celli] && d < length[celli])
                {
                    length[celli] = d;
                    result[celli] = theirs[facei];
                    ways.push({d, celli});
                }
            }
        }

        if (!returnReduce(!ways.empty(), orOp<bool>()))
        {
            break;
        }

        follow();
    }

    return result;
}


//- A cell: its process, and its label there
typedef std::pair<int, label> cellOfAll;


//- Cells of nodes of other processes, by the numbers of the nodes in the whole
//  lattice. For all processes together
std::map<label, cellOfAll> cellsOf
(
    const std::set<label>& numbers,
    const overlayMesh& overlay,
    const labelList& nodeCells
)
{
    std::map<int, DynamicList<label>> asked;

    for (const label number : numbers)
    {
        asked[overlay.processOf(number)].append(number);
    }

    PstreamBuffers questions(Pstream::commsTypes::nonBlocking);
    PstreamBuffers answers(Pstream::commsTypes::nonBlocking);

    for (const auto& processNodes : asked)
    {
        UOPstream to(processNodes.first, questions);
        to << processNodes.second;
    }

    labelList sizes;
    questions.finishedSends(sizes);

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, questions);
            labelList cells(from);

            for (label& entry : cells)
            {
                entry = nodeCells[overlay.ownNumber(entry)];
            }

            UOPstream to(proci, answers);
            to << cells;
        }
    }

    answers.finishedSends();

    std::map<label, cellOfAll> result;

    for (const auto& processNodes : asked)
    {
        UIPstream from(processNodes.first, answers);
        const labelList cells(from);

        forAll(cells, i)
        {
            result[processNodes.second[i]] = {processNodes.first, cells[i]};
        }
    }

    return result;
}


//- Cells with boundary faces of different directions
boolList cellsInCorners(const fvMesh& mesh)
{
    // cos 30 degrees
    constexpr scalar alike = 0.87;

    boolList result(mesh.nCells(), false);
    vectorField first(mesh.nCells(), Zero);

    for (const fvPatch& patch : mesh.boundary())
    {
        if (patch.coupled())
        {
            continue;
        }

        const vectorField n(patch.nf());

        forAll(n, i)
        {
            const label celli = patch.faceCells()[i];

            if (first[celli] == vector::zero)
            {
                first[celli] = n[i];
            }
            else if ((first[celli] & n[i]) < alike)
            {
                result[celli] = true;
            }
        }
    }

    return result;
}


//- Volumes of nodes of this process in cubes of the spacing, of those where it
//  is not 1, in ascending order: along each axis half a spacing to both sides,
//  or as far as the boundary
std::vector<std::pair<label, float>> volumesOf
(
    const latticeMapping& mapping,
    const overlayMesh& overlay
)
{
    const auto directions = lbm::directions(mapping.lattice());

    struct part
    {
        label node;
        int axis;
        float distance;
    };
    std::vector<part> parts;

    for (const lbm::linkGroup& group : mapping.description().groups)
    {
        for (std::size_t l = 0; l < group.distance.size(); ++l)
        {
            const auto& c = directions[group.direction[l]];

            for (int a = 0; a < 3; ++a)
            {
                if (c[a] && !c[(a + 1) % 3] && !c[(a + 2) % 3])
                {
                    const std::int64_t number =
                        overlay.fluid().number(overlay.placeOf(group.node[l]));

                    parts.push_back
                    ({
                        label(overlay.ownNumber(number)),
                        a,
                        group.distance[l]
                    });
                }
            }
        }
    }

    // In the order of the groups
    std::stable_sort
    (
        parts.begin(),
        parts.end(),
        [](const part& a, const part& b) { return a.node < b.node; }
    );

    std::vector<std::pair<label, float>> volumes;

    for (auto p = parts.cbegin(); p != parts.cend(); )
    {
        const label node = p->node;
        std::array<float, 3> l{1, 1, 1};

        for (; p != parts.cend() && p->node == node; ++p)
        {
            l[p->axis] += p->distance - 0.5;
        }
        volumes.push_back({node, l[0]*l[1]*l[2]});
    }

    return volumes;
}


//- For each node its weight in the mean of its cell, from the volumes v of the
//  nodes and their places d from the centre:
//
//      w = v (1 - dMean.M^-1.(d - dMean))/V,  V = sum v,
//      dMean = sum v d/V,  M = sum v (d - dMean)(d - dMean)/V
//
//  These are near to v/V, while the mean of a
//  linear field is its value at the centre. 0 in cells with too few nodes for
//  that, or with nodes on one side of the centre alone; empty if all are so.
//  \param x centres of the cells, in coordinates of nodes
std::vector<float> meanWeights
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const vectorField& x,
    boolList& hasMean
)
{
    const labelList& nodeCells = mapping.nodeCells();
    const bool twoD = mapping.twoD();
    const label fewest = twoD ? 4 : 8;

    const std::vector<std::pair<label, float>> volumes
    (
        volumesOf(mapping, overlay)
    );

    const auto forNodes = [&](const auto& visit)
    {
        auto next = volumes.begin();

        forOwn
        (
            overlay,
            [&](const label node, label, const vector& place)
            {
                float volume = 1;
                if (next != volumes.end() && next->first == node)
                {
                    volume = next->second;
                    ++next;
                }

                const label celli = nodeCells[node];
                visit(node, celli, volume, place - x[celli]);
            }
        );
    };

    labelList n(x.size(), Zero);
    scalarField V(x.size(), Zero);
    vectorField dMean(x.size(), Zero);
    symmTensorField M(x.size(), Zero);

    forNodes
    ([&](const label, const label celli, const scalar v, const vector& d)
    {
        ++n[celli];
        V[celli] += v;
        dMean[celli] += v*d;
        M[celli] += v*sqr(d);
    });

    // dMean becomes M^-1.dMean/V, rest the part of w/v without d
    scalarField rest(x.size(), Zero);
    bool any = false;

    hasMean.setSize(x.size(), false);

    forAll(x, celli)
    {
        if (n[celli] < fewest)
        {
            continue;
        }

        dMean[celli] /= V[celli];

        symmTensor m(M[celli]/V[celli] - sqr(dMean[celli]));
        if (twoD)
        {
            m.zz() = 1;
        }

        // The least that nodes must lie apart in any direction
        const scalar flat = 0.01;
        const scalar size = tr(m)/3;

        if (det(m) > pow3(flat*size) && size > flat)
        {
            const vector b(inv(m) & dMean[celli]);

            hasMean[celli] = true;
            rest[celli] = (1 + (b & dMean[celli]))/V[celli];
            dMean[celli] = b/V[celli];
        }
    }

    std::vector<float> weights(nodeCells.size(), 0);

    forNodes
    ([&](const label node, const label celli, const float v, const vector& d)
    {
        if (hasMean[celli])
        {
            weights[node] = v*(rest[celli] - (dMean[celli] & d));

            if (weights[node] < 0)
            {
                hasMean[celli] = false;
            }
        }
    });

    forAll(nodeCells, node)
    {
        if (hasMean[nodeCells[node]])
        {
            any = true;
        }
        else
        {
            weights[node] = 0;
        }
    }

    return any ? weights : std::vector<float>();
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::array<std::vector<Foam::latticeCells::share>::const_iterator, 2>
Foam::latticeCells::range
(
    const std::vector<share>& shares,
    const label first,
    const label count
)
{
    const auto before = [](const share& s, const label node)
    {
        return s.node < node;
    };

    return
    {{
        std::lower_bound(shares.begin(), shares.end(), first, before),
        std::lower_bound(shares.begin(), shares.end(), first + count, before)
    }};
}


void Foam::latticeCells::setExchanges(const overlayMesh& overlay)
{
    std::map<int, std::set<label>> needed;

    for (const auto* shares : {&remoteBoth_, &remoteDensity_, &remoteVelocity_})
    {
        for (const share& s : *shares)
        {
            needed[overlay.processOf(s.node)].insert(s.node);
        }
    }

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    std::map<int, exchange> exchanges;

    // Of a node, the number among those that are received
    std::map<label, label> numbers;

    for (const auto& processNodes : needed)
    {
        labelList nodes(processNodes.second.size());
        std::copy
        (
            processNodes.second.begin(),
            processNodes.second.end(),
            nodes.begin()
        );

        UOPstream to(processNodes.first, buffers);
        to << nodes;

        exchange& e = exchanges[processNodes.first];
        e.first = nReceived_;
        e.count = nodes.size();

        for (const label node : nodes)
        {
            numbers[node] = nReceived_++;
        }
    }

    for (auto* shares : {&remoteBoth_, &remoteDensity_, &remoteVelocity_})
    {
        for (share& s : *shares)
        {
            s.node = numbers[s.node];
        }
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    forAll(sizes, proci)
    {
        if (sizes[proci] > 0)
        {
            UIPstream from(proci, buffers);

            for (const label node : labelList(from))
            {
                const label own = overlay.ownNumber(node);

                exchanges[proci].sent.push_back(own);
                sent_.push_back(own);
            }
        }
    }

    std::sort(sent_.begin(), sent_.end());
    sent_.erase(std::unique(sent_.begin(), sent_.end()), sent_.end());
    sentValues_.resize(sent_.size());

    for (auto& processExchange : exchanges)
    {
        exchange& e = processExchange.second;
        e.process = processExchange.first;

        for (label& node : e.sent)
        {
            node =
                std::lower_bound(sent_.begin(), sent_.end(), node)
              - sent_.begin();
        }

        exchanges_.push_back(e);
    }
}


// * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * * //

Foam::labelList Foam::latticeCells::nearestNodes
(
    const latticeMapping& mapping,
    const overlayMesh& overlay,
    const fvMesh& mesh
)
{
    const vector first(firstNode(mapping));
    const vectorField& C = mesh.cellCentres();

    vectorField centres(C.size());
    forAll(C, celli)
    {
        centres[celli] = nodeCoordinates(mapping, first, C[celli]);
    }

    return nearestTo(mapping, overlay, mesh, centres);
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeCells::latticeCells
(
    const latticeMapping& mapping,
    const fvMesh& mesh,
    const overlayMesh& overlay,
    const std::vector<lbm::linkGroup>& others,
    const labelUList& seedNodes
)
:
    nodeCells_(mapping.nodeCells()),
    nReceived_(0),
    nMean_(0),
    nFitted_(0),
    nNearest_(0)
{
    const neighbourhood nodes(mapping, overlay, others);
    const vectorField& C = mesh.cellCentres();
    const labelList& nodeCells = mapping.nodeCells();
    const int nDims = mapping.twoD() ? 2 : 3;
    const int nCorners = 1 << nDims;

    vectorField centres(C.size());
    forAll(C, celli)
    {
        centres[celli] = nodes.coordinates(C[celli]);
    }
    boolList hasMean;
    mean_ = meanWeights(mapping, overlay, centres, hasMean);

    // By their numbers in the whole lattice: what a node gives to a cell
    const auto give = []
    (
        const overlayMesh& overlay,
        std::vector<share>& own,
        std::vector<share>& remote,
        const label number,
        const label celli,
        const scalar weight
    )
    {
        const label node = overlay.ownNumber(number);

        if (node != -1)
        {
            own.push_back({node, celli, float(weight)});
        }
        else
        {
            remote.push_back({number, celli, float(weight)});
        }
    };

    // In corners the mean is the velocity's alone
    const boolList inCorner(cellsInCorners(mesh));

    for (std::size_t node = 0; node < mean_.size(); ++node)
    {
        if (mean_[node] != 0 && inCorner[nodeCells[node]])
        {
            velocity_.push_back
            ({
                label(node),
                nodeCells[node],
                mean_[node]
            });
            mean_[node] = 0;
        }
    }

    // Some node that gives to the cell, by its number in the whole lattice; -1
    // if none does
    labelList nearest(mesh.nCells(), -1);
    bool complete = true;

    forAll(hasMean, celli)
    {
        nMean_ += hasMean[celli];
    }

    both_.reserve(std::size_t(nCorners)*(mesh.nCells() - nMean_));

    std::vector<neighbourhood::source> sources;
    std::vector<scalar> weights;

    const int width = 2*reach + 1;
    const int nBlock = width*width*(nDims > 2 ? width : 1);
    std::vector<std::int8_t> reached(nBlock);
    std::vector<int> stack;

    const auto middleOf = [&](const vector& x)
    {
        return place
        {
            std::int64_t(std::round(x[0])),
            std::int64_t(std::round(x[1])),
            std::int64_t(std::round(x[2]))
        };
    };

    const auto inBlock = [&](const place& middle, const int i)
    {
        return place
        {
            middle[0] + i % width - reach,
            middle[1] + (i/width) % width - reach,
            nDims > 2 ? middle[2] + i/(width*width) - reach : 0
        };
    };

    // Where the nearest node is another process's, cells of the nodes around
    std::map<label, cellOfAll> theirCells;

    if (Pstream::parRun())
    {
        std::set<label> numbers;

        forAll(C, celli)
        {
            const label seed = seedNodes[celli];

            if (seed == -1 || overlay.ownNumber(seed) != -1)
            {
                continue;
            }

            numbers.insert(seed);

            for (int i = 0; i < nBlock; ++i)
            {
                const label number =
                    nodes.number(inBlock(middleOf(centres[celli]), i));

                if (number != -1 && overlay.ownNumber(number) == -1)
                {
                    numbers.insert(number);
                }
            }
        }

        theirCells = cellsOf(numbers, overlay, nodeCells);
    }

    const auto cellOf = [&](const label number)
    {
        const label node = overlay.ownNumber(number);

        if (node != -1)
        {
            return cellOfAll(Pstream::myProcNo(), nodeCells[node]);
        }

        const auto found = theirCells.find(number);

        return found == theirCells.end() ? cellOfAll(-1, -1) : found->second;
    };

    forAll(C, celli)
    {
        const vector& x = centres[celli];

        if (hasMean[celli] && !inCorner[celli])
        {
            nearest[celli] = seedNodes[celli];
            continue;
        }

        std::vector<share>& shares = hasMean[celli] ? density_ : both_;
        std::vector<share>& remoteShares =
            hasMean[celli] ? remoteDensity_ : remoteBoth_;

        place base;
        vector f;
        for (int a = 0; a < 3; ++a)
        {
            base[a] = std::floor(x[a]);
            f[a] = x[a] - base[a];

            // Centres on a node need no other ones
            if (f[a] > 1 - 1e-6)
            {
                ++base[a];
                f[a] = 0;
            }
            else if (f[a] < 1e-6)
            {
                f[a] = 0;
            }
        }

        // The nodes around the centre

        place corner[8];
        scalar weight[8];
        bool all = true;
        bool shell = false;

        for (int i = 0; i < nCorners; ++i)
        {
            weight[i] = 1;
            for (int a = 0; a < 3; ++a)
            {
                const int up = (i >> a) & 1;
                corner[i][a] = base[a] + up;
                weight[i] *= up ? f[a] : 1 - f[a];
            }

            if (weight[i] > 0)
            {
                all = all && nodes.fluid(corner[i]);
                shell =
                    shell || (all && nodes.inShell(corner[i]) != -1);
            }
        }

        // No walls between them?
        if (all && shell)
        {
            for (int i = 0; i < nCorners; ++i)
            {
                for (int a = 0; a < nDims; ++a)
                {
                    const int j = i ^ (1 << a);

                    all =
                        all
                     && (
                            weight[i] == 0
                         || weight[j] == 0
                         || nodes.open(corner[i], a, j > i)
                        );
                }
            }
        }

        if (all)
        {
            for (int i = 0; i < nCorners; ++i)
            {
                if (weight[i] > 0)
                {
                    nearest[celli] = nodes.number(corner[i]);
                    give
                    (
                        overlay,
                        shares,
                        remoteShares,
                        nearest[celli],
                        celli,
                        weight[i]
                    );
                }
            }
            continue;
        }

        // A fit: go from the nearest node, if possible in the cell or one that
        // is joined to it, to others

        place middle(middleOf(x));

        const auto placeOf = [&](const int i)
        {
            return inBlock(middle, i);
        };

        const auto distance = [&](const place& p)
        {
            return vector(p[0] - x[0], p[1] - x[1], p[2] - x[2]);
        };

        const label seedNode = seedNodes[celli];

        int seed = -1;
        scalar seedDistance = GREAT;

        for (int i = 0; i < nBlock; ++i)
        {
            reached[i] = 0;

            const place p(placeOf(i));
            const label node = nodes.number(p);

            if (node != -1)
            {
                const scalar d = magSqr(distance(p));

                if
                (
                    d < seedDistance
                 && (seedNode == -1 || cellOf(node) == cellOf(seedNode))
                )
                {
                    seed = i;
                    seedDistance = d;
                }
            }
        }

        if (seed == -1 && seedNode != -1)
        {
            // Too far away: around the node instead of the centre
            middle = overlay.fluid().placeOf(seedNode);
            seed = nBlock/2;
        }

        if (seed == -1)
        {
            complete = false;
            continue;
        }

        sources.clear();
        stack.assign(1, seed);
        reached[seed] = 1;

        while (!stack.empty())
        {
            const int i = stack.back();
            stack.pop_back();

            const place p(placeOf(i));

            sources.push_back
            ({
                distance(p),
                nodes.number(p),
                -1,
                -1
            });

            int stride = 1;
            for (int a = 0; a < nDims; ++a)
            {
                const int at = (i/stride) % width;

                for (int up = 0; up < 2; ++up)
                {
                    const int j = i + (up ? stride : -stride);

                    if
                    (
                        (up ? at < width - 1 : at > 0)
                     && !reached[j]
                     && nodes.fluid(placeOf(j))
                     && nodes.open(p, a, up)
                    )
                    {
                        reached[j] = 1;
                        stack.push_back(j);
                    }
                }
                stride *= width;
            }
        }

        const std::size_t nNodes = sources.size();
        nearest[celli] = sources[0].node;

        const auto add =
        [&](std::vector<share>& shares, std::vector<share>& remoteShares)
        {
            for (std::size_t i = 0; i < sources.size(); ++i)
            {
                if (sources[i].node != -1)
                {
                    give
                    (
                        overlay,
                        shares,
                        remoteShares,
                        sources[i].node,
                        celli,
                        weights[i]
                    );
                }
                else if (sources[i].group != -1)
                {
                    faces_.push_back
                    ({
                        sources[i].group,
                        sources[i].face,
                        celli,
                        float(weights[i])
                    });
                }
            }
        };

        bool fitted = fitOrMean(sources, nDims, weights);

        add(density_, remoteDensity_);

        if (hasMean[celli])
        {
            continue;
        }

        for (std::size_t i = 0; i < nNodes; ++i)
        {
            place p;
            for (int a = 0; a < 3; ++a)
            {
                p[a] = std::llround(sources[i].d[a] + x[a]);
            }

            if (nodes.inShell(p) != -1)
            {
                const vector d(sources[i].d);
                nodes.addWalls(p, x, d, sources);
            }
        }

        fitted = fitOrMean(sources, nDims, weights) && fitted;

        add(velocity_, remoteVelocity_);

        ++(fitted ? nFitted_ : nNearest_);
    }

    // Cells far from any node: go through the mesh

    if (!complete)
    {
        const labelList& owner = mesh.faceOwner();
        const labelList& neighbour = mesh.faceNeighbour();

        labelList ahead(nearest);

        for (bool changed = true; changed; )
        {
            changed = false;

            forAll(neighbour, facei)
            {
                const label a = owner[facei];
                const label b = neighbour[facei];

                if ((nearest[a] == -1) != (nearest[b] == -1))
                {
                    ahead[a] = max(ahead[a], nearest[b]);
                    ahead[b] = max(ahead[b], nearest[a]);
                    changed = true;
                }
            }

            forAll(nearest, celli)
            {
                if (nearest[celli] == -1 && ahead[celli] != -1)
                {
                    nearest[celli] = ahead[celli];
                    give
                    (
                        overlay, both_, remoteBoth_, nearest[celli], celli, 1
                    );
                    ++nNearest_;
                }
            }
        }

        // Parts of the mesh without any node
        forAll(nearest, celli)
        {
            if (nearest[celli] != -1)
            {
                continue;
            }

            scalar smallest = GREAT;

            const auto nearestOf =
            [&](const std::int64_t rowi, const fluidRuns::run& r)
            {
                const std::int64_t ny = overlay.size()[1];
                const std::int64_t near = std::floor(centres[celli][0]);

                // Those to both sides, or the end that is nearest
                const std::int64_t begin = std::min<std::int64_t>
                (
                    std::max<std::int64_t>(near, r.begin),
                    r.end - 1
                );
                const std::int64_t end =
                    std::min<std::int64_t>(begin + 2, r.end);

                for (std::int64_t i = begin; i < end; ++i)
                {
                    const scalar d = magSqr
                    (
                        mapping.centreAt({i, rowi % ny, rowi/ny}) - C[celli]
                    );

                    if (d < smallest)
                    {
                        smallest = d;
                        nearest[celli] = r.first + (i - r.begin);
                    }
                }
            };

            overlay.fluid().forRuns(nearestOf);

            if (nearest[celli] != -1)
            {
                give(overlay, both_, remoteBoth_, nearest[celli], celli, 1);
                ++nNearest_;
            }
        }
    }

    const auto byNode = [](const share& a, const share& b)
    {
        return a.node < b.node || (a.node == b.node && a.cell < b.cell);
    };

    std::sort(both_.begin(), both_.end(), byNode);
    std::sort(density_.begin(), density_.end(), byNode);
    std::sort(velocity_.begin(), velocity_.end(), byNode);
    std::sort(remoteBoth_.begin(), remoteBoth_.end(), byNode);
    std::sort(remoteDensity_.begin(), remoteDensity_.end(), byNode);
    std::sort(remoteVelocity_.begin(), remoteVelocity_.end(), byNode);
    std::sort
    (
        faces_.begin(),
        faces_.end(),
        [](const faceShare& a, const faceShare& b)
        {
            return
                a.group < b.group
             || (
                    a.group == b.group
                 && (a.face < b.face || (a.face == b.face && a.cell < b.cell))
                );
        }
    );

    both_.shrink_to_fit();
    density_.shrink_to_fit();
    velocity_.shrink_to_fit();
    faces_.shrink_to_fit();

    if (Pstream::parRun())
    {
        setExchanges(overlay);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::labelList Foam::latticeCells::closestNodes(const label nCells) const
{
    labelList result(nCells, -1);
    List<float> largest(nCells, Zero);

    for (const std::vector<share>* shares : {&both_, &density_})
    {
        for (const share& s : *shares)
        {
            if (s.weight > largest[s.cell])
            {
                largest[s.cell] = s.weight;
                result[s.cell] = s.node;
            }
        }
    }

    for (const label celli : nodeCells_)
    {
        result[celli] = -1;
    }

    return result;
}


void Foam::latticeCells::addNodes
(
    const label first,
    const label count,
    const double* rho,
    const double* u,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    const auto addDensity = [&](const share& s)
    {
        rhoCells[s.cell] += s.weight*rho[s.node - first];
    };

    const auto addVelocity = [&](const share& s)
    {
        if (u)
        {
            const double* v = u + 3*std::size_t(s.node - first);

            uCells[s.cell] += s.weight*vector(v[0], v[1], v[2]);
        }
    };

    for
    (
        auto i = std::lower_bound(sent_.begin(), sent_.end(), first);
        i != sent_.end() && *i < first + count;
        ++i
    )
    {
        auto& value = sentValues_[i - sent_.begin()];

        value = {rho[*i - first], 0, 0, 0};

        if (u)
        {
            std::copy_n(u + 3*std::size_t(*i - first), 3, value.data() + 1);
        }
    }

    const auto both = range(both_, first, count);
    const auto density = range(density_, first, count);
    const auto velocity = range(velocity_, first, count);

    const int nParts = lbm::hostThreads(count, nodesPerThread);

    lbm::onThreads(nParts, [&](int thread, int nThreads)
    {
        const partOfCells mine(thread, nThreads);

        if (!mean_.empty())
        {
            for (label node = first; node < first + count; ++node)
            {
                const share s{node, nodeCells_[node], mean_[node]};

                if (s.weight != 0 && mine(s.cell))
                {
                    addDensity(s);
                    addVelocity(s);
                }
            }
        }

        for (auto s = both[0]; s != both[1]; ++s)
        {
            if (mine(s->cell))
            {
                addDensity(*s);
                addVelocity(*s);
            }
        }

        for (auto s = density[0]; s != density[1]; ++s)
        {
            if (mine(s->cell))
            {
                addDensity(*s);
            }
        }

        for (auto s = velocity[0]; s != velocity[1]; ++s)
        {
            if (mine(s->cell))
            {
                addVelocity(*s);
            }
        }
    });
}


void Foam::latticeCells::addRemote
(
    lbm::communicator& processes,
    scalarField& rhoCells,
    vectorField& uCells
) const
{
    typedef std::array<double, 4> value;

    std::vector<value> received(nReceived_);
    std::vector<std::vector<value>> sent;
    sent.reserve(exchanges_.size());
    std::vector<lbm::communicator::message> messages;

    for (const exchange& e : exchanges_)
    {
        sent.emplace_back();
        for (const label i : e.sent)
        {
            sent.back().push_back(sentValues_[i]);
        }

        lbm::communicator::message m;
        m.peer = e.process;
        m.sent = sent.back().data();
        m.nSent = sent.back().size()*sizeof(value);
        m.received = received.data() + e.first;
        m.nReceived = e.count*sizeof(value);
        messages.push_back(m);
    }

    processes.start(messages);
    processes.finish();

    const auto addDensity = [&](const auto& s)
    {
        rhoCells[s.cell] += s.weight*received[s.node][0];
    };
    const auto addVelocity = [&](const auto& s)
    {
        if (uCells.size())
        {
            const value& v = received[s.node];
            uCells[s.cell] += s.weight*vector(v[1], v[2], v[3]);
        }
    };

    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addDensity);
    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addVelocity);
    std::for_each(remoteDensity_.begin(), remoteDensity_.end(), addDensity);
    std::for_each(remoteVelocity_.begin(), remoteVelocity_.end(), addVelocity);
}


void Foam::latticeCells::densityNodes
(
    const label celli,
    DynamicList<label>& nodes,
    DynamicList<scalar>& weights
) const
{
    if (celli != -1)
    {
        forAll(nodeCells_, node)
        {
            if (nodeCells_[node] == celli && !mean_.empty() && mean_[node] != 0)
            {
                nodes.append(node);
                weights.append(mean_[node]);
            }
        }

        for (const auto* shares : {&both_, &density_})
        {
            for (const share& s : *shares)
            {
                if (s.cell == celli)
                {
                    nodes.append(s.node);
                    weights.append(s.weight);
                }
            }
        }
    }

    if (!Pstream::parRun())
    {
        return;
    }

    // Say to those that send them which they are: numbers of what they send

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    for (const exchange& e : exchanges_)
    {
        DynamicList<label> numbers;
        DynamicList<scalar> theirWeights;

        for (const auto* shares : {&remoteBoth_, &remoteDensity_})
        {
            for (const share& s : *shares)
            {
                const label number = s.node - e.first;

                if (s.cell == celli && number >= 0 && number < e.count)
                {
                    numbers.append(number);
                    theirWeights.append(s.weight);
                }
            }
        }

        if (numbers.size())
        {
            UOPstream to(e.process, buffers);
            to << numbers << theirWeights;
        }
    }

    labelList sizes;
    buffers.finishedSends(sizes);

    for (const exchange& e : exchanges_)
    {
        if (sizes[e.process])
        {
            UIPstream from(e.process, buffers);
            const labelList numbers(from);
            const scalarList theirWeights(from);

            forAll(numbers, i)
            {
                nodes.append(sent_[e.sent[numbers[i]]]);
                weights.append(theirWeights[i]);
            }
        }
    }
}


void Foam::latticeCells::addFaces
(
    const label groupi,
    const vectorField& u,
    vectorField& uCells
) const
{
    auto s = std::lower_bound
    (
        faces_.begin(),
        faces_.end(),
        groupi,
        [](const faceShare& s, const label group) { return s.group < group; }
    );

    for (; s != faces_.end() && s->group == groupi; ++s)
    {
        uCells[s->cell] += s->weight*u[s->face];
    }
}


double Foam::latticeCells::bytes() const noexcept
{
    return
        double(mean_.size())*sizeof(float)
      + double(both_.size() + density_.size() + velocity_.size())*sizeof(share)
      + double(faces_.size())*sizeof(faceShare);
}


// ************************************************************************* //
