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
#include "exchange/communicator.H"
#include "parallel.H"
#include "PstreamBuffers.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

typedef std::array<std::int64_t, 3> place;

//- How far nodes for a fit may be from the one nearest to the centre
const int reach = 2;


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
        std::int32_t group;
        std::int32_t link;

        bool operator<(const wallLink& b) const
        {
            return node < b.node;
        }
    };

    const latticeMapping& mapping_;
    const lbm::latticeDescription& description_;
    const std::vector<std::array<int, 3>> directions_;
    const int nDims_;
    const vectorField& faceCentres_;

    //- The first node of the box
    const vector first_;

    //- Nodes with links, and the directions of these along the axes: bit
    //  2*axis + (1 if towards larger coordinates)
    std::vector<std::int64_t> shell_;
    std::vector<std::uint8_t> blocked_;

    //- One bit a place: is the node in the shell?
    std::vector<bool> inShell_;

    //- Links of walls, by node
    std::vector<wallLink> wallLinks_;


public:

    explicit neighbourhood(const latticeMapping& mapping);

    std::int64_t boxIndex(const place& p) const
    {
        return description_.boxIndex(p[0], p[1], p[2]);
    }

    bool fluid(const place& p) const
    {
        for (int a = 0; a < nDims_; ++a)
        {
            if (p[a] < 0 || p[a] >= description_.size[a])
            {
                return false;
            }
        }
        return description_.fluid[boxIndex(p)];
    }

    //- Does a node have links?
    bool inShell(const std::int64_t boxi) const
    {
        return inShell_[boxi];
    }

    //- Can one go from a fluid node to the next along an axis?
    bool open(const std::int64_t boxi, const int axis, const bool up) const
    {
        if (!inShell_[boxi])
        {
            return true;
        }

        const auto iter = std::lower_bound(shell_.begin(), shell_.end(), boxi);

        return !(blocked_[iter - shell_.begin()] & (1u << (2*axis + up)));
    }

    //- A point in coordinates in which nodes lie at whole numbers
    vector coordinates(const point& p) const
    {
        vector x((mapping_.toLattice(p) - first_)/mapping_.dx());
        if (nDims_ < 3)
        {
            x.z() = 0;
        }
        return x;
    }

    //- Add the points at which the links of a node meet walls.
    //  \param x centre of the cell
    //  \param d from there to the node
    void addWalls
    (
        const std::int64_t boxi,
        const vector& x,
        const vector& d,
        std::vector<source>& sources
    ) const;
};


neighbourhood::neighbourhood(const latticeMapping& mapping)
:
    mapping_(mapping),
    description_(mapping.description()),
    directions_(lbm::directions(mapping.lattice())),
    nDims_(mapping.twoD() ? 2 : 3),
    faceCentres_(mapping.boundary().surface().faceCentres()),
    first_(mapping.toLattice(mapping.boxCentre(0))),
    inShell_(description_.fluid.size(), false)
{
    std::vector<std::pair<std::int64_t, std::uint8_t>> sides;

    forAll(mapping.groupPatches(), groupi)
    {
        const lbm::linkGroup& group = description_.groups[groupi];
        const bool wall = group.type == "wall" || lbm::givesVelocity(group.type);

        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const std::array<int, 3>& c = directions_[group.direction[i]];

            inShell_[group.node[i]] = true;

            if (mag(c[0]) + mag(c[1]) + mag(c[2]) == 1)
            {
                const int axis = c[0] ? 0 : c[1] ? 1 : 2;
                sides.push_back
                ({
                    group.node[i],
                    std::uint8_t(1u << (2*axis + (c[axis] > 0)))
                });
            }
            else
            {
                sides.push_back({group.node[i], 0});
            }

            if (wall)
            {
                wallLinks_.push_back
                ({
                    group.node[i],
                    std::int32_t(groupi),
                    std::int32_t(i)
                });
            }
        }
    }

    std::sort(sides.begin(), sides.end());
    std::sort(wallLinks_.begin(), wallLinks_.end());

    for (const auto& side : sides)
    {
        if (shell_.empty() || shell_.back() != side.first)
        {
            shell_.push_back(side.first);
            blocked_.push_back(0);
        }
        blocked_.back() |= side.second;
    }
}


void neighbourhood::addWalls
(
    const std::int64_t boxi,
    const vector& x,
    const vector& d,
    std::vector<source>& sources
) const
{
    // A velocity is that of the middle of its face; on a face that is far
    // larger than the spacing, it is that of the whole face
    const scalar near = 36;

    const auto range = std::equal_range
    (
        wallLinks_.begin(),
        wallLinks_.end(),
        wallLink{boxi, 0, 0}
    );

    for (auto iter = range.first; iter != range.second; ++iter)
    {
        const lbm::linkGroup& group = description_.groups[iter->group];
        const std::array<int, 3>& c = directions_[group.direction[iter->link]];
        const scalar q =
            group.distance.empty() ? 0.5 : group.distance[iter->link];

        source s{d + q*vector(c[0], c[1], c[2]), -1, -1, -1};

        if (lbm::givesVelocity(group.type))
        {
            s.group = iter->group;
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

//- For each cell the node to which the way through the mesh is shortest, hence
//  one on the same side of walls without thickness; -1 if there is none.
//  \param x centres of the cells, in coordinates of nodes
labelList nearestNodes
(
    const latticeMapping& mapping,
    const fvMesh& mesh,
    const vectorField& x
)
{
    typedef std::pair<scalar, label> way;

    const lbm::latticeDescription& description = mapping.description();
    const labelList& nodeCells = mapping.nodeCells();

    labelList result(x.size(), -1);
    scalarField length(x.size(), GREAT);

    std::int64_t boxi = 0;
    label node = 0;
    for (std::int64_t k = 0; k < description.size[2]; ++k)
    for (std::int64_t j = 0; j < description.size[1]; ++j)
    for (std::int64_t i = 0; i < description.size[0]; ++i)
    {
        if (!description.fluid[boxi++])
        {
            continue;
        }

        const label celli = nodeCells[node];

        if (celli != -1)
        {
            const scalar d = mag(vector(i, j, k) - x[celli]);

            if (d < length[celli])
            {
                length[celli] = d;
                result[celli] = node;
            }
        }
        ++node;
    }

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


//- Volume of each node in cubes of the spacing: along each axis half a spacing
//  to both sides, or as far as the boundary
std::vector<float> volumesOf(const latticeMapping& mapping)
{
    const lbm::latticeDescription& description = mapping.description();
    const auto directions = lbm::directions(mapping.lattice());

    std::vector<std::array<float, 3>> length
    (
        mapping.nodeCells().size(),
        {1, 1, 1}
    );

    for (const lbm::linkGroup& group : description.groups)
    {
        for (std::size_t l = 0; l < group.distance.size(); ++l)
        {
            const auto& c = directions[group.direction[l]];

            for (int a = 0; a < 3; ++a)
            {
                if (c[a] && !c[(a + 1) % 3] && !c[(a + 2) % 3])
                {
                    length[mapping.fluidIndex(group.node[l])][a] +=
                        group.distance[l] - 0.5;
                }
            }
        }
    }

    std::vector<float> volumes;
    volumes.reserve(length.size());
    for (const auto& l : length)
    {
        volumes.push_back(l[0]*l[1]*l[2]);
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
    const vectorField& x,
    boolList& hasMean
)
{
    const lbm::latticeDescription& description = mapping.description();
    const labelList& nodeCells = mapping.nodeCells();
    const bool twoD = mapping.twoD();
    const label fewest = twoD ? 4 : 8;

    const auto forNodes = [&](const auto& visit)
    {
        std::int64_t boxi = 0;
        label node = 0;
        for (std::int64_t k = 0; k < description.size[2]; ++k)
        for (std::int64_t j = 0; j < description.size[1]; ++j)
        for (std::int64_t i = 0; i < description.size[0]; ++i)
        {
            if (description.fluid[boxi++])
            {
                const label celli = nodeCells[node];

                if (celli != -1)
                {
                    visit(node, celli, vector(i, j, k) - x[celli]);
                }
                ++node;
            }
        }
    };

    const std::vector<float> volumes(volumesOf(mapping));

    labelList n(x.size(), Zero);
    scalarField V(x.size(), Zero);
    vectorField dMean(x.size(), Zero);
    symmTensorField M(x.size(), Zero);

    forNodes([&](const label node, const label celli, const vector& d)
    {
        const scalar v = volumes[node];

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

    forNodes([&](const label node, const label celli, const vector& d)
    {
        if (hasMean[celli])
        {
            weights[node] =
                volumes[node]*(rest[celli] - (dMean[celli] & d));

            if (weights[node] < 0)
            {
                hasMean[celli] = false;
            }
        }
    });

    forNodes([&](const label node, const label celli, const vector&)
    {
        if (hasMean[celli])
        {
            any = true;
        }
        else
        {
            weights[node] = 0;
        }
    });

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


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeCells::latticeCells
(
    const latticeMapping& mapping,
    const fvMesh& mesh
)
:
    nodeCells_(mapping.nodeCells()),
    nReceived_(0),
    nMean_(0),
    nFitted_(0),
    nNearest_(0)
{
    const neighbourhood nodes(mapping);
    const vectorField& C = mesh.cellCentres();
    const labelList& nodeCells = mapping.nodeCells();
    const int nDims = mapping.twoD() ? 2 : 3;
    const int nCorners = 1 << nDims;
    const lbm::latticeDescription& description = mapping.description();

    vectorField centres(C.size());
    forAll(C, celli)
    {
        centres[celli] = nodes.coordinates(C[celli]);
    }
    const labelList seedNodes(nearestNodes(mapping, mesh, centres));

    boolList hasMean;
    mean_ = meanWeights(mapping, centres, hasMean);

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

    // Some node that gives to the cell; -1 if none does
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

    forAll(C, celli)
    {
        const vector& x = centres[celli];

        if (hasMean[celli] && !inCorner[celli])
        {
            nearest[celli] = seedNodes[celli];
            continue;
        }

        std::vector<share>& shares = hasMean[celli] ? density_ : both_;

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
                    shell || (all && nodes.inShell(nodes.boxIndex(corner[i])));
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
                         || nodes.open
                            (
                                nodes.boxIndex(corner[i]),
                                a,
                                j > i
                            )
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
                    const label node =
                        mapping.fluidIndex(nodes.boxIndex(corner[i]));

                    shares.push_back({node, celli, float(weight[i])});
                    nearest[celli] = node;
                }
            }
            continue;
        }

        // A fit: go from the nearest node, if possible in the cell or one that
        // is joined to it, to others

        place middle
        {
            std::int64_t(std::round(x[0])),
            std::int64_t(std::round(x[1])),
            std::int64_t(std::round(x[2]))
        };

        const auto placeOf = [&](const int i)
        {
            return place
            {
                middle[0] + i % width - reach,
                middle[1] + (i/width) % width - reach,
                nDims > 2 ? middle[2] + i/(width*width) - reach : 0
            };
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
            if (nodes.fluid(p))
            {
                const label node = mapping.fluidIndex(nodes.boxIndex(p));
                const scalar d = magSqr(distance(p));

                if
                (
                    d < seedDistance
                 && (
                        seedNode == -1
                     || nodeCells[node] == nodeCells[seedNode]
                    )
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
            const std::int64_t boxi = mapping.boxIndex(seedNode);
            const auto& size = description.size;

            middle =
            {
                boxi % size[0],
                (boxi/size[0]) % size[1],
                boxi/(std::int64_t(size[0])*size[1])
            };
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
            const std::int64_t boxi = nodes.boxIndex(p);

            sources.push_back
            ({
                distance(p),
                mapping.fluidIndex(boxi),
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
                     && nodes.open(boxi, a, up)
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

        const auto add = [&](std::vector<share>& shares)
        {
            for (std::size_t i = 0; i < sources.size(); ++i)
            {
                if (sources[i].node != -1)
                {
                    shares.push_back
                    ({
                        sources[i].node,
                        celli,
                        float(weights[i])
                    });
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

        add(density_);

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

            if (nodes.inShell(nodes.boxIndex(p)))
            {
                const vector d(sources[i].d);
                nodes.addWalls(nodes.boxIndex(p), x, d, sources);
            }
        }

        fitted = fitOrMean(sources, nDims, weights) && fitted;

        add(velocity_);

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
                    both_.push_back({nearest[celli], celli, 1});
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

            for (label node = 0; node < mapping.nFluid(); ++node)
            {
                const scalar d = magSqr(mapping.nodeCentre(node) - C[celli]);

                if (d < smallest)
                {
                    smallest = d;
                    nearest[celli] = node;
                }
            }

            if (nearest[celli] != -1)
            {
                both_.push_back({nearest[celli], celli, 1});
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
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

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
        const double* v = u + 3*std::size_t(s.node - first);

        uCells[s.cell] += s.weight*vector(v[0], v[1], v[2]);
    };

    for
    (
        auto i = std::lower_bound(sent_.begin(), sent_.end(), first);
        i != sent_.end() && *i < first + count;
        ++i
    )
    {
        const double* v = u + 3*std::size_t(*i - first);

        sentValues_[i - sent_.begin()] = {rho[*i - first], v[0], v[1], v[2]};
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


void Foam::latticeCells::keepOwn
(
    const labelUList& own,
    const std::vector<int>& processes
)
{
    // Own number of each node; of those of others that are needed, the number
    // among these
    labelList numbers(processes.size(), -1);

    forAll(own, i)
    {
        numbers[own[i]] = i;
    }

    std::map<int, std::set<label>> needed;

    for (const auto* shares : {&both_, &density_, &velocity_})
    {
        for (const auto& s : *shares)
        {
            if (numbers[s.node] == -1)
            {
                needed[processes[s.node]].insert(s.node);
            }
        }
    }

    PstreamBuffers buffers(Pstream::commsTypes::nonBlocking);

    std::map<int, exchange> exchanges;

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

    const auto split = [&](auto& all, auto& remote)
    {
        std::size_t n = 0;
        for (const auto& s : all)
        {
            const bool isOwn = processes[s.node] == Pstream::myProcNo();
            auto& to = isOwn ? all[n++] : (remote.emplace_back(), remote.back());
            to = s;
            to.node = numbers[s.node];
        }
        all.resize(n);
    };
    split(both_, remoteBoth_);
    split(density_, remoteDensity_);
    split(velocity_, remoteVelocity_);

    if (!mean_.empty())
    {
        forAll(own, i)
        {
            mean_[i] = mean_[own[i]];
        }
        mean_.resize(own.size());
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
                exchanges[proci].sent.push_back(numbers[node]);
                sent_.push_back(numbers[node]);
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
        const value& v = received[s.node];
        uCells[s.cell] += s.weight*vector(v[1], v[2], v[3]);
    };

    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addDensity);
    std::for_each(remoteBoth_.begin(), remoteBoth_.end(), addVelocity);
    std::for_each(remoteDensity_.begin(), remoteDensity_.end(), addDensity);
    std::for_each(remoteVelocity_.begin(), remoteVelocity_.end(), addVelocity);
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
