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

#include "latticeWalls.H"
#include "latticeMapping.H"
#include "latticeUnits.H"
#include "parallel.H"
#include "profiling.H"
#include "volFields.H"
#include "wallFvPatch.H"

#include <algorithm>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{
namespace
{

//- Nodes of a fit lie within this radius [spacings]
constexpr scalar nodeRadius = 3.5;

//- Weight of the velocity of nodes with links at distances, beside that of
//  others: it has the errors of the interpolation on the links
constexpr scalar weightOfLinked = 0.03;

//- Weight of the velocity of a moving wall that the nodes do not keep to,
//  beside that of a node at the face
constexpr scalar weightOfMoving = 0.01;

//- Faces of the wall within this one, at most so many, and with normals
//  that differ less than by 60 degrees
constexpr scalar faceRadius = 1.6;
constexpr label mostFaces = 16;
constexpr scalar alike = 0.5;

//- How far behind the plane of the face a node may lie [spacings]
constexpr scalar behind = 0.25;

//- Faces for each thread that fits or evaluates them, at least
constexpr std::int64_t facesPerThread = 256;

//- Terms of the largest fit
constexpr int mostTerms = 10;

//- Far outside of its points, a fit makes more of errors than of values: the
//  largest sum of the magnitudes of the weights
constexpr scalar largestSum = 20;

typedef std::array<std::int64_t, 3> place;

struct fitPoint
{
    //- From the centre of the face, along lattice axes [spacings]
    vector d;

    //- Fluid node, or face of the patch
    label index;

    //- Of a face: how far the value is on the way to it from that of the face
    //  that is fitted
    scalar part;

    //- How much it counts in the fit
    scalar weight;
};


//- How much a point counts by its distance
scalar nearness(const vector& d)
{
    return 1/sqr(1 + magSqr(d));
}


//- Functions whose sum is fitted, at a point
struct basis
{
    int n = 0;
    std::array<scalar, mostTerms> f;

    void add(const scalar value)
    {
        f[n++] = value;
    }
};


//- Weights with which the values at points give the coefficient of the first
//  function. False if they do not determine it.
//  \param functions at each point
//  \param w weight of each point in the fit
//  \param stiffness against the last function, as a point at which it is 1
bool fitFirst
(
    const std::vector<basis>& functions,
    const std::vector<scalar>& w,
    const scalar stiffness,
    std::vector<scalar>& weights
)
{
    constexpr scalar singular = 1e-10;

    const int n = functions.empty() ? 0 : functions[0].n;

    if (n == 0 || label(functions.size()) < n)
    {
        return false;
    }

    std::array<std::array<scalar, mostTerms>, mostTerms> A{};

    for (std::size_t p = 0; p < functions.size(); ++p)
    {
        const auto& f = functions[p].f;

        for (int i = 0; i < n; ++i)
        {
            for (int j = 0; j < n; ++j)
            {
                A[i][j] += w[p]*f[i]*f[j];
            }
        }
    }
    A[n - 1][n - 1] += stiffness;

    // Terms of like size
    std::array<scalar, mostTerms> scale, x;
    for (int i = 0; i < n; ++i)
    {
        if (A[i][i] < VSMALL)
        {
            return false;
        }
        scale[i] = 1/std::sqrt(A[i][i]);
    }
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            A[i][j] *= scale[i]*scale[j];
        }
    }

    // Cholesky
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j <= i; ++j)
        {
            scalar sum = A[i][j];
            for (int k = 0; k < j; ++k)
            {
                sum -= A[i][k]*A[j][k];
            }

            if (i != j)
            {
                A[i][j] = sum/A[j][j];
            }
            else if (sum > singular)
            {
                A[i][i] = std::sqrt(sum);
            }
            else
            {
                return false;
            }
        }
    }

    // First row of the inverse
    for (int i = 0; i < n; ++i)
    {
        scalar sum = i == 0;
        for (int k = 0; k < i; ++k)
        {
            sum -= A[i][k]*x[k];
        }
        x[i] = sum/A[i][i];
    }
    for (int i = n - 1; i >= 0; --i)
    {
        scalar sum = x[i];
        for (int k = i + 1; k < n; ++k)
        {
            sum -= A[k][i]*x[k];
        }
        x[i] = sum/A[i][i];
    }

    scalar sumMag = 0;
    weights.resize(functions.size());

    for (std::size_t p = 0; p < functions.size(); ++p)
    {
        weights[p] = 0;
        for (int i = 0; i < n; ++i)
        {
            weights[p] += scale[0]*x[i]*scale[i]*functions[p].f[i];
        }
        weights[p] *= w[p];
        sumMag += mag(weights[p]);
    }

    return sumMag < largestSum;
}


//- Finds the points around a face
class surroundings
{
    const latticeMapping& mapping_;
    const lbm::latticeDescription& description_;
    const int nDims_;

    //- The first node of the box
    const vector first_;

    static constexpr int reach = 4;
    static constexpr int width = 2*reach + 1;

    std::vector<char> reached_;
    std::vector<int> stack_;
    std::vector<label> found_;


    bool fluid(const place& p) const
    {
        for (int a = 0; a < nDims_; ++a)
        {
            if (p[a] < 0 || p[a] >= description_.size[a])
            {
                return false;
            }
        }
        return description_.fluid[description_.boxIndex(p[0], p[1], p[2])];
    }

    //- Entry of a node with links, or null
    const latticeShell::node* shell(const std::int64_t boxi) const
    {
        const auto& nodes = mapping_.shell().nodes();

        const auto iter = std::lower_bound
        (
            nodes.begin(),
            nodes.end(),
            boxi,
            [](const latticeShell::node& a, const std::int64_t index)
            {
                return a.index < index;
            }
        );

        return iter != nodes.end() && iter->index == boxi ? &*iter : nullptr;
    }

    //- Has a node links to what is no cyclic patch
    bool linked(const std::int64_t boxi) const
    {
        const latticeShell::node* node = shell(boxi);

        return node && node->kind != latticeShell::CYCLIC;
    }

    //- Can one go from a fluid node to the next along an axis
    bool open(const std::int64_t boxi, const int axis, const bool up) const
    {
        const latticeShell::node* node = shell(boxi);

        return !(node && node->stopped & (1u << (2*axis + up)));
    }


public:

    explicit surroundings(const latticeMapping& mapping)
    :
        mapping_(mapping),
        description_(mapping.description()),
        nDims_(mapping.twoD() ? 2 : 3),
        first_(mapping.toLattice(mapping.boxCentre(0)))
    {}

    //- Along lattice axes [spacings], without the empty direction
    vector toLattice(const vector& r) const
    {
        vector d(mapping_.toLattice(r)/mapping_.dx());
        if (nDims_ < 3)
        {
            d.z() = 0;
        }
        return d;
    }

    //- Add the nodes.
    //  \param x, n centre of the face and normal into the fluid, in space
    //  \param celli cell of the face
    void addNodes
    (
        const point& x,
        const vector& n,
        const label celli,
        std::vector<fitPoint>& points
    );

    //- Add the faces of the patch around one. Those beyond the radius give a
    //  place on the way to them. False if the fluid turns round an edge of the
    //  patch within the radius
    bool addFaces
    (
        const fvPatch& patch,
        const label facei,
        std::vector<fitPoint>& points
    );
};


void surroundings::addNodes
(
    const point& x,
    const vector& n,
    const label celli,
    std::vector<fitPoint>& points
)
{
    const vector normal(mapping_.toLattice(n));
    vector centre(mapping_.toLattice(x) - first_);
    centre /= mapping_.dx();
    if (nDims_ < 3)
    {
        centre.z() = 0;
    }

    const place middle
    {
        std::int64_t(std::round(centre[0])),
        std::int64_t(std::round(centre[1])),
        std::int64_t(std::round(centre[2]))
    };

    const int nBlock = width*width*(nDims_ > 2 ? width : 1);

    const auto placeOf = [&](const int i)
    {
        return place
        {
            middle[0] + i % width - reach,
            middle[1] + (i/width) % width - reach,
            nDims_ > 2 ? middle[2] + i/(width*width) - reach : 0
        };
    };

    const auto distance = [&](const place& p)
    {
        return vector(p[0], p[1], p[2]) - centre;
    };

    // The nearest node in front of the face, if possible in its cell
    reached_.assign(nBlock, 0);

    int seed = -1;
    bool seedInCell = false;
    scalar seedDistance = sqr(nodeRadius);

    for (int i = 0; i < nBlock; ++i)
    {
        const place p(placeOf(i));
        const vector d(distance(p));
        const scalar r = magSqr(d);

        if
        (
            r > sqr(nodeRadius)
         || (d & normal) < -behind
         || !fluid(p)
        )
        {
            // Not to be reached
            reached_[i] = 1;
            continue;
        }

        if ((d & normal) < SMALL)
        {
            continue;
        }

        const std::int64_t boxi = description_.boxIndex(p[0], p[1], p[2]);
        const bool inCell =
            mapping_.nodeCells()[mapping_.fluidIndex(boxi)] == celli;

        if (inCell > seedInCell || (inCell == seedInCell && r < seedDistance))
        {
            seed = i;
            seedInCell = inCell;
            seedDistance = r;
        }
    }

    if (seed == -1)
    {
        return;
    }

    stack_.assign(1, seed);
    reached_[seed] = 1;

    while (!stack_.empty())
    {
        const int i = stack_.back();
        stack_.pop_back();

        const place p(placeOf(i));
        const std::int64_t boxi = description_.boxIndex(p[0], p[1], p[2]);

        const vector d(distance(p));

        // Half-way links interpolate nothing
        const bool interpolated = linked(boxi) && !mapping_.conforming();

        points.push_back
        ({
            d,
            mapping_.fluidIndex(boxi),
            1,
            nearness(d)*(interpolated ? weightOfLinked : 1)
        });

        int stride = 1;
        for (int a = 0; a < nDims_; ++a)
        {
            const int at = (i/stride) % width;

            for (int up = 0; up < 2; ++up)
            {
                const int j = i + (up ? stride : -stride);

                if
                (
                    (up ? at < width - 1 : at > 0)
                 && !reached_[j]
                 && open(boxi, a, up)
                )
                {
                    reached_[j] = 1;
                    stack_.push_back(j);
                }
            }
            stride *= width;
        }
    }
}


bool surroundings::addFaces
(
    const fvPatch& patch,
    const label facei,
    std::vector<fitPoint>& points
)
{
    const polyPatch& pp = patch.patch();
    const labelListList& faceFaces = pp.faceFaces();
    const vectorField::subField x(pp.faceCentres());
    const vectorField::subField S(pp.faceAreas());
    const vector n(S[facei]/mag(S[facei]));

    // Faces within the radius, and the nearest ones beyond it, as far as they
    // follow one another
    found_.assign(1, facei);

    for
    (
        std::size_t i = 0;
        i < found_.size() && found_.size() < 4*mostFaces;
        ++i
    )
    {
        for (const label j : faceFaces[found_[i]])
        {
            if (std::find(found_.begin(), found_.end(), j) != found_.end())
            {
                continue;
            }

            const vector r(x[j] - x[facei]);
            const scalar d = mag(toLattice(r));

            if ((n & S[j]) < alike*mag(S[j]))
            {
                // n points out of the fluid
                if (d <= faceRadius && (n & r) > 0)
                {
                    return false;
                }
                continue;
            }

            if (d <= faceRadius)
            {
                found_.push_back(j);
            }
            else if (i == 0)
            {
                // In the plane of this face, or in that of the other one
                const scalar part = faceRadius/d;
                const vector m(S[j]/mag(S[j]));

                const vector between
                (
                    toLattice
                    (
                        part < 0.5
                      ? part*(r - n*(n & r))
                      : r - (1 - part)*(r - m*(m & r))
                    )
                );

                points.push_back({between, j, part, nearness(between)});
            }
        }
    }

    const label stride = 1 + (found_.size() - 1)/mostFaces;

    for (std::size_t i = 1; i < found_.size(); i += stride)
    {
        const label j = found_[i];
        const vector r(toLattice(x[j] - x[facei]));

        points.push_back({r, j, 1, nearness(r)});
    }

    return true;
}


//- Fits at one face
class faceFit
{
    const int nDims_;
    const bool moving_;

    vector normal_;

    //- Along the face; the second one in three dimensions
    std::array<vector, 2> along_;

    //- Curvature of the wall: its height is
    //  K0 s0^2 + K1 s0 s1 + K2 s1^2
    std::array<scalar, 3> curvature_;

    std::vector<basis> functions_;
    std::vector<scalar> weights_;
    std::vector<scalar> result_;

    int nAlong() const
    {
        return nDims_ - 1;
    }

    scalar s(const vector& d, const int i) const
    {
        return d & along_[i];
    }

    //- Distance to the wall
    scalar distance(const vector& d) const
    {
        scalar z = 0;
        int k = 0;
        for (int i = 0; i < nAlong(); ++i)
        {
            for (int j = i; j < nAlong(); ++j)
            {
                z += curvature_[k++]*s(d, i)*s(d, j);
            }
        }

        return (d & normal_) - z;
    }

    void setAxes(const vector& normal);

    void setCurvature(const std::vector<fitPoint>& faces);

    //- Tangential gradient from the velocity of faces: weights
    void setTangential(const std::vector<fitPoint>& faces);

    bool setSlope(const std::vector<fitPoint>& nodes, const int order);

    bool setPressure(const std::vector<fitPoint>& nodes, const int order);


public:

    //- Weights of nodes in the pressure, and in the derivative of the velocity
    //  along the normal, without what faces give to it
    std::vector<scalar> pressure;
    std::vector<scalar> slope;

    //- Weights of faces in the gradient
    std::vector<vector> gradient;

    faceFit(const int nDims, const bool moving)
    :
        nDims_(nDims),
        moving_(moving)
    {}

    //- normal: into the fluid, along lattice axes. False if there are too few
    //  nodes
    bool set
    (
        const vector& normal,
        const std::vector<fitPoint>& nodes,
        const std::vector<fitPoint>& faces
    );
};


void faceFit::setAxes(const vector& normal)
{
    normal_ = normal;

    if (nDims_ < 3)
    {
        along_[0] = vector(-normal.y(), normal.x(), 0);
        return;
    }

    // The axis to which the normal is least inclined
    direction axis = 0;
    for (direction a = 1; a < 3; ++a)
    {
        if (mag(normal[a]) < mag(normal[axis]))
        {
            axis = a;
        }
    }

    vector e(Zero);
    e[axis] = 1;

    along_[0] = normalised(e - normal*(e & normal));
    along_[1] = normal ^ along_[0];
}


void faceFit::setCurvature(const std::vector<fitPoint>& faces)
{
    const int n = nAlong() > 1 ? 3 : 1;

    curvature_ = {{0, 0, 0}};

    for (int k = 0; k < n; ++k)
    {
        // That of each is the first function once
        functions_.clear();
        weights_.clear();

        for (const fitPoint& p : faces)
        {
            basis b;
            const scalar s0 = s(p.d, 0);
            const scalar s1 = n > 1 ? s(p.d, 1) : 0;
            const std::array<scalar, 3> f{{s0*s0, s0*s1, s1*s1}};

            for (int i = 0; i < n; ++i)
            {
                b.add(f[(k + i) % n]);
            }
            functions_.push_back(b);
            weights_.push_back(p.weight);
        }

        if (!fitFirst(functions_, weights_, 0, result_))
        {
            curvature_ = {{0, 0, 0}};
            return;
        }

        for (std::size_t i = 0; i < faces.size(); ++i)
        {
            curvature_[k] += result_[i]*(faces[i].d & normal_);
        }
    }
}


void faceFit::setTangential(const std::vector<fitPoint>& faces)
{
    gradient.assign(faces.size(), vector(Zero));

    for (int k = 0; k < nAlong(); ++k)
    {
        functions_.clear();
        weights_.clear();

        for (const fitPoint& p : faces)
        {
            basis b;
            for (int i = 0; i < nAlong(); ++i)
            {
                b.add(s(p.d, (k + i) % nAlong()));
            }
            functions_.push_back(b);
            weights_.push_back(p.weight);
        }

        if (!fitFirst(functions_, weights_, 0, result_))
        {
            gradient.assign(faces.size(), vector(Zero));
            return;
        }

        for (std::size_t i = 0; i < faces.size(); ++i)
        {
            gradient[i] += along_[k]*result_[i]*faces[i].part;
        }
    }
}


bool faceFit::setSlope(const std::vector<fitPoint>& nodes, const int order)
{
    functions_.clear();
    weights_.clear();

    for (const fitPoint& p : nodes)
    {
        const scalar y = distance(p.d);

        basis b;
        b.add(y);

        if (order > 1)
        {
            b.add(sqr(y));
            for (int i = 0; i < nAlong(); ++i)
            {
                b.add(y*s(p.d, i));
            }
        }

        if (order > 2)
        {
            for (int i = 0; i < nAlong(); ++i)
            {
                for (int j = i; j < nAlong(); ++j)
                {
                    b.add(y*s(p.d, i)*s(p.d, j));
                }
            }
        }

        if (moving_)
        {
            b.add(1);
        }

        functions_.push_back(b);
        weights_.push_back(p.weight);
    }

    return fitFirst(functions_, weights_, moving_ ? weightOfMoving : 0, slope);
}


bool faceFit::setPressure(const std::vector<fitPoint>& nodes, const int order)
{
    functions_.clear();
    weights_.clear();

    for (const fitPoint& p : nodes)
    {
        basis b;
        b.add(1);

        for (int i = 0; order > 0 && i < nDims_; ++i)
        {
            b.add(p.d[i]);
        }
        for (int i = 0; order > 1 && i < nDims_; ++i)
        {
            for (int j = i; j < nDims_; ++j)
            {
                b.add(p.d[i]*p.d[j]);
            }
        }

        functions_.push_back(b);
        weights_.push_back(nearness(p.d));
    }

    return fitFirst(functions_, weights_, 0, pressure);
}


bool faceFit::set
(
    const vector& normal,
    const std::vector<fitPoint>& nodes,
    const std::vector<fitPoint>& faces
)
{
    setAxes(normal);
    setCurvature(faces);
    setTangential(faces);

    if
    (
        !(setSlope(nodes, 3) || setSlope(nodes, 2) || setSlope(nodes, 1))
     || !(
            setPressure(nodes, 2)
         || setPressure(nodes, 1)
         || setPressure(nodes, 0)
        )
    )
    {
        return false;
    }

    // Beside the face the wall has another velocity
    vector moment(Zero);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        moment += slope[i]*nodes[i].d;
    }
    for (vector& g : gradient)
    {
        g -= normal_*(moment & g);
    }

    return true;
}

} // End anonymous namespace
} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::latticeWalls::wall
(
    const fvMesh& mesh,
    const label patchi,
    bool& moving
) const
{
    bool result = false;
    moving = false;

    forAll(mapping_.groupPatches(), groupi)
    {
        if (mapping_.groupPatches()[groupi] == patchi)
        {
            const std::string& type =
                mapping_.description().groups[groupi].type;

            if (type == "velocity" && isA<wallFvPatch>(mesh.boundary()[patchi]))
            {
                // Half-way nodes of equal cells keep to it
                moving = !mapping_.conforming();
            }
            else if (type != "wall")
            {
                return false;
            }

            result = true;
        }
    }

    return result;
}


void Foam::latticeWalls::makeFits(const fvMesh& mesh)
{
    const int nDims = mapping_.twoD() ? 2 : 3;

    forAll(fits_, patchi)
    {
        bool moving;

        if (!wall(mesh, patchi, moving))
        {
            continue;
        }

        const fvPatch& patch = mesh.boundary()[patchi];
        const vectorField n(patch.nf());
        const vectorField& Cf = patch.Cf();

        // Made on demand, which threads cannot
        patch.patch().faceFaces();

        fits_[patchi].setSize(patch.size());

        lbm::inParallel
        (
            patch.size(),
            [&](const std::int64_t begin, const std::int64_t end)
            {
                surroundings around(mapping_);
                faceFit fitted(nDims, moving);
                std::vector<fitPoint> nodes;
                std::vector<fitPoint> faces;

                for (label facei = begin; facei < end; ++facei)
                {
                    nodes.clear();
                    faces.clear();

                    around.addNodes
                    (
                        Cf[facei],
                        -n[facei],
                        patch.faceCells()[facei],
                        nodes
                    );

                    if
                    (
                        !around.addFaces(patch, facei, faces)
                     || !fitted.set
                        (
                            mapping_.toLattice(-n[facei]),
                            nodes,
                            faces
                        )
                    )
                    {
                        continue;
                    }

                    fit& f = fits_[patchi][facei];
                    f.nodes.reserve(nodes.size());
                    f.faces.reserve(faces.size());

                    for (std::size_t i = 0; i < nodes.size(); ++i)
                    {
                        f.nodes.push_back
                        ({
                            std::int32_t(nodes[i].index),
                            float(fitted.pressure[i]),
                            float(fitted.slope[i])
                        });
                    }

                    for (std::size_t i = 0; i < faces.size(); ++i)
                    {
                        const vector& g = fitted.gradient[i];

                        f.faces.push_back
                        ({
                            faces[i].index,
                            {{float(g[0]), float(g[1]), float(g[2])}}
                        });
                    }
                }
            },
            facesPerThread
        );
    }
}


void Foam::latticeWalls::numberNodes()
{
    for (const List<fit>& fits : fits_)
    {
        for (const fit& f : fits)
        {
            for (const nodeShare& s : f.nodes)
            {
                nodes_.push_back(s.node);
            }
        }

        std::sort(nodes_.begin(), nodes_.end());
        nodes_.erase
        (
            std::unique(nodes_.begin(), nodes_.end()),
            nodes_.end()
        );
    }
    nodes_.shrink_to_fit();

    for (List<fit>& fits : fits_)
    {
        for (fit& f : fits)
        {
            for (nodeShare& s : f.nodes)
            {
                s.node =
                    std::lower_bound(nodes_.begin(), nodes_.end(), s.node)
                  - nodes_.begin();
            }
        }
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::latticeWalls::latticeWalls
(
    const latticeMapping& mapping,
    const fvMesh& mesh
)
:
    mapping_(mapping),
    fits_(mesh.boundary().size()),
    nodes_(),
    pressure_(fits_.size()),
    gradient_(fits_.size())
{
    addProfiling(walls, "latticeWalls::latticeWalls");

    makeFits(mesh);
    numberNodes();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::latticeWalls::read
(
    lbm::engine& engine,
    const latticeUnits& units,
    const volVectorField& U,
    const scalar pReference
)
{
    addProfiling(read, "latticeWalls::read");

    const std::size_t n = nodes_.size();
    std::vector<double> rho(n);
    std::vector<double> u(3*n);

    if (engine.parts().empty())
    {
        engine.macroscopicAt(n, nodes_.data(), rho.data(), u.data());
    }
    else
    {
        engine.macroscopic
        (
            0,
            mapping_.nFluid(),
            [&]
            (
                const std::int64_t first,
                const std::int64_t count,
                const double* rhoOfAll,
                const double* uOfAll
            )
            {
                auto iter =
                    std::lower_bound(nodes_.begin(), nodes_.end(), first);

                for (; iter != nodes_.end() && *iter < first + count; ++iter)
                {
                    const std::size_t i = iter - nodes_.begin();
                    const std::int64_t from = *iter - first;

                    rho[i] = rhoOfAll[from];
                    std::copy_n(uOfAll + 3*from, 3, u.begin() + 3*i);
                }
            }
        );
    }

    forAll(fits_, patchi)
    {
        const List<fit>& fits = fits_[patchi];

        if (fits.empty())
        {
            continue;
        }

        const vectorField& Up = U.boundaryField()[patchi];
        const vectorField n(U.boundaryField()[patchi].patch().nf());
        scalarField& p = pressure_[patchi];
        tensorField& gradient = gradient_[patchi];

        p.setSize(fits.size());
        gradient.setSize(fits.size());

        lbm::inParallel
        (
            fits.size(),
            [&](const std::int64_t begin, const std::int64_t end)
            {
                for (label facei = begin; facei < end; ++facei)
                {
                    scalar density = 0;
                    vector slope(Zero);
                    tensor G(Zero);

                    for (const nodeShare& s : fits[facei].nodes)
                    {
                        const double* v = u.data() + 3*std::size_t(s.node);

                        const vector velocity
                        (
                            mapping_.toPhysical
                            (
                                units.velocityToSI(vector(v[0], v[1], v[2]))
                            )
                        );

                        density += s.pressure*rho[s.node];
                        slope += s.slope*(velocity - Up[facei]);
                    }

                    for (const faceShare& s : fits[facei].faces)
                    {
                        const vector weight
                        (
                            s.gradient[0], s.gradient[1], s.gradient[2]
                        );

                        G +=
                            mapping_.toPhysical(weight)
                           *(Up[s.face] - Up[facei]);
                    }

                    p[facei] =
                        known(patchi, facei)
                      ? units.pressureToSI(density) + pReference
                      : 0;
                    gradient[facei] = (G - n[facei]*slope)/units.dx();
                }
            },
            facesPerThread
        );
    }
}


void Foam::latticeWalls::subtract
(
    const vectorField& U,
    const scalarField& p,
    const fvMesh& mesh
)
{
    forAll(fits_, patchi)
    {
        const fvPatch& patch = mesh.boundary()[patchi];
        const labelUList& cells = patch.faceCells();
        const scalarField& deltaCoeffs = patch.deltaCoeffs();

        forAll(fits_[patchi], facei)
        {
            if (known(patchi, facei))
            {
                const vector n(patch.Sf()[facei]/patch.magSf()[facei]);

                pressure_[patchi][facei] -= p[cells[facei]];
                gradient_[patchi][facei] +=
                    n*U[cells[facei]]*deltaCoeffs[facei];
            }
        }
    }
}


double Foam::latticeWalls::bytes() const
{
    double result = double(nodes_.size())*sizeof(nodes_[0]);

    for (const List<fit>& fits : fits_)
    {
        for (const fit& f : fits)
        {
            result +=
                double(sizeof(f))
              + double(f.nodes.capacity())*sizeof(nodeShare)
              + double(f.faces.capacity())*sizeof(faceShare);
        }
    }

    return result;
}


// ************************************************************************* //
