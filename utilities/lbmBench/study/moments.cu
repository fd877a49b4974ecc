#include "momentStep.cuh"

#include "collision/BGK.H"

#include <algorithm>
#include <memory>

namespace lbmBench
{

namespace
{

using Lattice = lbm::D3Q19;


// Kernels

    //- Blocks of this many nodes along each axis: what one pulls lies in the
    //  cache for the others
    constexpr dim3 cube{32, 4, 4};

    template<class Work>
    __global__ void __launch_bounds__(512) cubesKernel(const Work work)
    {
        const unsigned x = blockIdx.x*blockDim.x + threadIdx.x;
        const unsigned y = blockIdx.y*blockDim.y + threadIdx.y;
        const unsigned z = blockIdx.z*blockDim.z + threadIdx.z;
        work
        (
            x | (y | z << work.box.log2Size[1]) << work.box.log2Size[0]
        );
    }

    template<class March, int nBlocks>
    __global__ void __launch_bounds__(March::nThreads, nBlocks)
    marchKernel(const March march)
    {
        extern __shared__ float shared[];
        march
        (
            blockIdx.x, int(threadIdx.x), shared, []() { __syncthreads(); }
        );
    }


// Flows

    //- Populations, with a relaxation time of their own
    template<class Operation, class Scheme>
    class populationsFlow
    :
        public boxFlow<Lattice, Operation, structureOfArrays, Scheme>
    {
        parameters p_ = studyParameters<float>();

        template<int parity>
        void advance()
        {
            forNodes
            (
                this->box_.nodes(),
                advanceNode
                <
                    Lattice, Operation, structureOfArrays, Scheme, parity
                >
                {
                    this->box_,
                    this->front(),
                    this->twice_ ? this->back() : this->front(),
                    p_
                }
            );
        }

    public:

        explicit populationsFlow
        (
            const periodicBox& box,
            double tau = relaxationTime
        )
        :
            boxFlow<Lattice, Operation, structureOfArrays, Scheme>(box),
            p_(studyParameters<float>(tau))
        {}

    protected:

        void doStep() override
        {
            if (Scheme::copies == 1 && this->nDone_ % 2)
            {
                advance<Scheme::copies == 1>();
            }
            else
            {
                advance<0>();
            }
        }
    };

    //- The odd moments relax as the even ones do
    struct operationBGK
    {
        template<class L, class Forcing, class T>
        LBM_HOST_DEVICE static void collide
        (
            T (&h)[L::q],
            lbm::collisionParameters<T> p
        )
        {
            p.omegaOdd = p.omegaEven;
            lbm::BGK::operation::collide<L, Forcing>(h, p);
        }
    };


    //- Moments after the collision
    template<class Layout>
    class momentsFlow
    :
        public flow
    {
    protected:

        float keep_;

    public:

        momentsFlow(const periodicBox& box, double tau)
        :
            flow(box, nMoments, 2),
            keep_(1 - float(1/tau))
        {
            allocate();
        }

        std::size_t incoming(int k, unsigned n) const override
        {
            return Layout::slot(k, n, box_.nodes());
        }
    };

    template<class Collision, class Layout>
    class pullFlow
    :
        public momentsFlow<Layout>
    {
        using work = pullMoments<Collision, Layout>;

    public:

        explicit pullFlow
        (
            const periodicBox& box,
            double tau = relaxationTime
        )
        :
            momentsFlow<Layout>(box, tau)
        {
            if
            (
                box.size(0) % cube.x || box.size(1) % cube.y
             || box.size(2) % cube.z
            )
            {
                throw lbm::error("the box is not made of whole blocks");
            }
        }

        kernelUse use() const override
        {
            return
            {
                reinterpret_cast<const void*>(cubesKernel<work>),
                int(cube.x*cube.y*cube.z)
            };
        }

    protected:

        void doStep() override
        {
            const periodicBox& b = this->box_;
            const dim3 blocks
            (
                b.size(0)/cube.x, b.size(1)/cube.y, b.size(2)/cube.z
            );
            cubesKernel<<<blocks, cube>>>
            (
                work{b, this->front(), this->back(), this->keep_}
            );
            lbm::checkLaunch("cubesKernel");
        }
    };

    //- Shared memory that so many blocks of a multiprocessor need, of all that
    //  it may have: the rest stays with its cache, through which reads pass
    int sharedPercentage(int nBlocks, std::size_t bytes)
    {
        int device = 0, all = 0, reserved = 0;
        lbmCuda(cudaGetDevice(&device));
        lbmCuda
        (
            cudaDeviceGetAttribute
            (
                &all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device
            )
        );
        lbmCuda
        (
            cudaDeviceGetAttribute
            (
                &reserved, cudaDevAttrReservedSharedMemoryPerBlock, device
            )
        );
        const double share = nBlocks*double(bytes + reserved)/all;
        return int(std::ceil(100*std::min(1.0, share)));
    }

    //- Tiles of nx*ny columns, worked through so many planes at a time
    template<class Collision, class Layout, int nx, int ny>
    class tilesFlow
    :
        public momentsFlow<Layout>
    {
        using march = tileMarch<Collision, Layout, nx, ny>;

        //- Blocks of threads on a multiprocessor: registers to the last
        static constexpr int nBlocks = 1024/march::nThreads;

        unsigned nPlanes_;

        static const void* kernel()
        {
            return reinterpret_cast<const void*>(marchKernel<march, nBlocks>);
        }

    public:

        tilesFlow
        (
            const periodicBox& box,
            unsigned nPlanes,
            double tau = relaxationTime
        )
        :
            momentsFlow<Layout>(box, tau),
            nPlanes_(std::min(nPlanes, box.size(2)))
        {
            if
            (
                box.size(0) % nx || box.size(1) % ny
             || box.size(2) % nPlanes_
            )
            {
                throw lbm::error("the box is not made of whole tiles");
            }
            lbmCuda
            (
                cudaFuncSetAttribute
                (
                    kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                    int(march::sharedBytes)
                )
            );
            lbmCuda
            (
                cudaFuncSetAttribute
                (
                    kernel(), cudaFuncAttributePreferredSharedMemoryCarveout,
                    sharedPercentage(nBlocks, march::sharedBytes)
                )
            );
        }

        kernelUse use() const override
        {
            return {kernel(), march::nThreads, march::sharedBytes};
        }

    protected:

        void doStep() override
        {
            const march m
            {
                this->box_, this->front(), this->back(), this->keep_, nPlanes_
            };
            const unsigned nTiles =
                m.tilesAlong(0)*m.tilesAlong(1)*m.tilesAlong(2);
            marchKernel<march, nBlocks>
                <<<nTiles, march::nThreads, march::sharedBytes>>>(m);
            lbm::checkLaunch("marchKernel");
        }
    };


//- Makes a flow in a box
using maker = std::function<std::unique_ptr<flow>(const periodicBox&)>;

template<class Flow, class... Arguments>
maker makes(Arguments... arguments)
{
    return [=](const periodicBox& box)
    {
        return std::make_unique<Flow>(box, arguments...);
    };
}

using projectedOperation = populationsThroughMoments<projection>;
using recursiveOperation = lbm::recursiveRegularised::operation;


// The collisions in plain form, on the host

    constexpr int at(int a, int b)
    {
        return lbm::regularisedRelaxation::at(std::min(a, b), std::max(a, b));
    }

    struct plainProjection
    {
        //- Populations from density, velocity and non-equilibrium stress
        static void rebuild
        (
            double (&h)[Lattice::q],
            double rho,
            const double (&u)[3],
            const double (&n)[6]
        )
        {
            const double uu = lbm::dot<Lattice>(u, u);
            for (int i = 0; i < Lattice::q; ++i)
            {
                double cu = 0, stress = 0;
                for (int a = 0; a < 3; ++a)
                {
                    cu += Lattice::c(i, a)*u[a];
                    for (int b = 0; b < 3; ++b)
                    {
                        const double third = a == b ? 1.0/3 : 0;
                        stress +=
                            (Lattice::c(i, a)*Lattice::c(i, b) - third)
                           *n[at(a, b)];
                    }
                }
                h[i] =
                    lbm::weight<Lattice, double>(i)
                   *(rho + 3*cu + 4.5*cu*cu - 1.5*uu + 4.5*stress);
            }
        }

        static void collide(double (&h)[Lattice::q])
        {
            const auto p = studyParameters<double>();
            double u[3], neq[Lattice::q], n[6] = {0, 0, 0, 0, 0, 0};
            const double rho = lbm::densityVelocity<Lattice>(h, u);
            rebuild(neq, rho, u, n);
            for (int i = 0; i < Lattice::q; ++i)
            {
                for (int a = 0; a < 3; ++a)
                {
                    for (int b = a; b < 3; ++b)
                    {
                        n[at(a, b)] +=
                            Lattice::c(i, a)*Lattice::c(i, b)
                           *(1 - p.omegaEven)*(h[i] - neq[i]);
                    }
                }
            }
            rebuild(h, rho, u, n);
        }
    };

    struct plainRecursion
    {
        static void rebuild
        (
            double (&h)[Lattice::q],
            double rho,
            const double (&u)[3],
            const double (&n)[6]
        )
        {
            constexpr double force[3] = {0, 0, 0};
            lbm::regularisedRelaxation::rebuildD3Q19
            <
                Lattice, lbm::noForcing, 1
            >(h, rho, u, n, force);
        }

        static void collide(double (&h)[Lattice::q])
        {
            recursiveOperation::collide<Lattice, lbm::noForcing>
            (
                h, studyParameters<double>()
            );
        }
    };

    //- Populations that enter the nodes from what moments send, [q][nodes]
    template<class Plain>
    std::vector<double> entering
    (
        const periodicBox& box,
        const std::vector<float>& moments
    )
    {
        const std::size_t nNodes = box.nodes();
        std::vector<double> result(nNodes*Lattice::q);
        for (unsigned n = 0; n < nNodes; ++n)
        {
            double m[nMoments], h[Lattice::q], stress[6];
            for (int k = 0; k < nMoments; ++k)
            {
                m[k] = moments[k*nNodes + n];
            }
            const double u[3] = {m[1], m[2], m[3]};
            for (int a = 0; a < 3; ++a)
            {
                for (int b = a; b < 3; ++b)
                {
                    stress[at(a, b)] = m[4 + at(a, b)] - u[a]*u[b];
                }
            }
            Plain::rebuild(h, m[0], u, stress);
            for (int i = 0; i < Lattice::q; ++i)
            {
                result[i*nNodes + box.neighbour<Lattice>(n, i, 1)] = h[i];
            }
        }
        return result;
    }


//- Plain steps of populations on the host, and of their moments
struct references
{
    plainReference populations, moments;
};

template<class Plain>
references plainSteps(const periodicBox& box)
{
    const std::size_t nNodes = box.nodes();

    // Large enough for the third order to be seen
    std::vector<float> start = randomPopulations(box, nMoments);
    for (float& m : start)
    {
        m *= 30;
    }

    std::vector<double> h = entering<Plain>(box, start);
    const std::vector<float> startPopulations(h.begin(), h.end());
    std::vector<double> next(h.size()), moments(start.size());
    for (int t = 0; t < nCheckSteps; ++t)
    {
        for (unsigned n = 0; n < nNodes; ++n)
        {
            double out[Lattice::q], u[3];
            for (int i = 0; i < Lattice::q; ++i)
            {
                out[i] = h[i*nNodes + n];
            }
            Plain::collide(out);

            double m[nMoments] = {lbm::densityVelocity<Lattice>(out, u)};
            for (int a = 0; a < 3; ++a)
            {
                m[1 + a] = u[a];
                m[4 + a] = -m[0]/3;
            }
            for (int i = 0; i < Lattice::q; ++i)
            {
                next[i*nNodes + box.neighbour<Lattice>(n, i, 1)] = out[i];
                for (int a = 0; a < 3; ++a)
                {
                    for (int b = a; b < 3; ++b)
                    {
                        m[4 + at(a, b)] +=
                            Lattice::c(i, a)*Lattice::c(i, b)*out[i];
                    }
                }
            }
            for (int k = 0; k < nMoments; ++k)
            {
                moments[k*nNodes + n] = m[k];
            }
        }
        h.swap(next);
    }
    return {{box, startPopulations, h}, {box, start, moments}};
}


void addChecked
(
    studyResults& results,
    const std::string& part,
    const std::string& variant,
    double x,
    const periodicBox& box,
    plainReference& reference,
    const maker& make,
    double bytes
)
{
    const std::string check =
        reference.check(variant, *make(reference.box()));
    measure(results, part, variant, x, *make(box), bytes, check);
}

constexpr double populationBytes = 8*Lattice::q;
constexpr double momentBytes = 8*nMoments;
constexpr unsigned usualPlanes = 64;

template<class Collision>
using usualTiles = tilesFlow<Collision, momentVectors, 32, 8>;


// The vortex of Taylor and Green across the first and the third axis, in a box
// that drifts with the largest velocity along both. With k = 2 pi/N
//
//     u_x = U [1 - exp(-2 nu k^2 t) cos X sin Z],  X = k (x - U t)
//     u_z = U [1 + exp(-2 nu k^2 t) sin X cos Z],  Z = k (z - U t)
//     p   = -U^2/4 exp(-4 nu k^2 t) (cos 2X + cos 2Z)
//
// G.I. Taylor, A.E. Green, Proc. R. Soc. A 158 (1937) 499,
// doi:10.1098/rspa.1937.0036

    class vortex
    {
        periodicBox box_;
        double tau_, U_, k_;

    public:

        //- Velocity falls as spacing does: the Reynolds number stays
        vortex(unsigned edge, double tau)
        :
            box_(edge, 8, edge),
            tau_(tau),
            U_(0.04*32/edge),
            k_(2*std::acos(-1.0)/edge)
        {}

        const periodicBox& box() const
        {
            return box_;
        }

        double U() const
        {
            return U_;
        }

        double decayRate() const
        {
            return 2*(tau_ - 0.5)/3*k_*k_;
        }

        //- Until it has lost 1/e of its velocity
        int nSteps() const
        {
            return int(std::lround(1/decayRate()));
        }

        //- Moments after the collision at a time, [10][nodes]
        std::vector<double> moments(double t) const
        {
            const std::size_t nNodes = box_.nodes();
            std::vector<double> result(nNodes*nMoments);
            const double left = std::exp(-decayRate()*t);
            for (unsigned n = 0; n < nNodes; ++n)
            {
                const unsigned x = n & (box_.size(0) - 1);
                const unsigned z = n >> (box_.log2Size[0] + box_.log2Size[1]);
                const double X = k_*(x - U_*t), Z = k_*(z - U_*t);
                const double u[3] =
                {
                    U_*(1 - left*std::cos(X)*std::sin(Z)),
                    0,
                    U_*(1 + left*std::sin(X)*std::cos(Z))
                };
                const double p =
                    -0.25*U_*U_*left*left*(std::cos(2*X) + std::cos(2*Z));

                double m[nMoments] = {3*p, u[0], u[1], u[2]};
                for (int a = 0; a < 3; ++a)
                {
                    for (int b = a; b < 3; ++b)
                    {
                        m[4 + at(a, b)] = u[a]*u[b];
                    }
                }
                const double strain =
                    U_*left*k_*std::sin(X)*std::sin(Z);
                m[4] -= 2.0/3*(tau_ - 1)*strain;
                m[6] += 2.0/3*(tau_ - 1)*strain;

                for (int k = 0; k < nMoments; ++k)
                {
                    result[k*nNodes + n] = m[k];
                }
            }
            return result;
        }

        //- Velocity at the end, [3][nodes], of a flow of moments
        std::vector<double> ofMoments(flow& f) const
        {
            const auto start = moments(0);
            f.set({start.begin(), start.end()});
            for (int t = 0; t < nSteps(); ++t)
            {
                f.step();
            }
            const auto m = f.get();
            const std::size_t nNodes = box_.nodes();
            return {m.begin() + nNodes, m.begin() + 4*nNodes};
        }

        //- The same of a flow of populations, which enter the nodes a step
        //  later than they leave them
        template<class Plain>
        std::vector<double> ofPopulations(flow& f) const
        {
            const auto start = moments(0);
            const auto h =
                entering<Plain>(box_, {start.begin(), start.end()});
            f.set({h.begin(), h.end()});
            for (int t = 1; t < nSteps(); ++t)
            {
                f.step();
            }
            const auto end = f.get();
            const std::size_t nNodes = box_.nodes();
            std::vector<double> result(3*nNodes);
            for (std::size_t n = 0; n < nNodes; ++n)
            {
                double in[Lattice::q], u[3];
                for (int i = 0; i < Lattice::q; ++i)
                {
                    in[i] = end[i*nNodes + n];
                }
                lbm::densityVelocity<Lattice>(in, u);
                for (int a = 0; a < 3; ++a)
                {
                    result[a*nNodes + n] = u[a];
                }
            }
            return result;
        }

        //- Difference of a velocity from the exact one over that of the vortex
        //  itself, root mean square
        double error(const std::vector<double>& u) const
        {
            const std::size_t nNodes = box_.nodes();
            const auto exact = moments(nSteps());
            double sum = 0, all = 0;
            for (int a = 0; a < 3; ++a)
            {
                const double drift = a == 1 ? 0 : U_;
                for (std::size_t n = 0; n < nNodes; ++n)
                {
                    const double e = exact[(1 + a)*nNodes + n];
                    const double d = u[a*nNodes + n] - e;
                    sum += d*d;
                    all += (e - drift)*(e - drift);
                }
            }
            return std::sqrt(sum/all);
        }
    };

    void addVortices(studyResults& results, double tau)
    {
        std::ostringstream time;
        time << tau;
        const std::string errors = "vortex" + time.str();
        const std::string differences = "rounding" + time.str();
        const std::string edges = "nodes along an edge";
        const std::string ofVortex =
            "Taylor-Green vortex that drifts, relaxation time " + time.str();
        results.addPart
        (
            {
                errors,
                ofVortex + ": error of the velocity when 1/e of it is left",
                edges, "%"
            }
        );
        results.addPart
        (
            {
                differences,
                ofVortex + ": largest difference of moments from populations",
                edges, "1e-6 of the largest velocity"
            }
        );

        for (const unsigned edge : {32u, 64u, 128u})
        {
            const vortex v(edge, tau);
            const auto add = [&]
            (
                const std::string& part,
                const std::string& variant,
                double value
            )
            {
                if (!std::isfinite(value))
                {
                    throw lbm::error
                    (
                        "the vortex of '" + variant + "' has diverged"
                    );
                }
                studyRow r;
                r.part = part;
                r.variant = variant;
                r.x = edge;
                r.value = value;
                results.add(r);
            };

            const auto addPlain = [&]
            (
                const std::string& variant,
                const maker& make
            )
            {
                const auto u =
                    v.ofPopulations<plainProjection>(*make(v.box()));
                add(errors, variant, 100*v.error(u));
            };
            addPlain
            (
                "BGK", makes<populationsFlow<operationBGK, esotericPull>>(tau)
            );
            addPlain
            (
                "TRT", makes<populationsFlow<operationTRT, esotericPull>>(tau)
            );

            const auto addBoth = [&]
            (
                const std::string& collision,
                const std::vector<double>& ofPopulations,
                const maker& make
            )
            {
                const auto u = v.ofMoments(*make(v.box()));
                double largest = 0;
                for (std::size_t k = 0; k < u.size(); ++k)
                {
                    const double d = std::abs(u[k] - ofPopulations[k]);
                    largest =
                        std::max(largest, std::isfinite(d) ? d : HUGE_VAL);
                }
                add
                (
                    errors, collision + ", populations",
                    100*v.error(ofPopulations)
                );
                add(errors, collision + ", moments", 100*v.error(u));
                add(differences, collision, 1e6*largest/(2*v.U()));
                if (!(largest < 5e-2*v.U()))
                {
                    throw lbm::error
                    (
                        "moments and populations differ in the vortex of '"
                      + collision + "'"
                    );
                }
            };
            addBoth
            (
                "regularised",
                v.ofPopulations<plainProjection>
                (
                    *makes<populationsFlow<projectedOperation, esotericPull>>
                    (
                        tau
                    )(v.box())
                ),
                makes<usualTiles<projection>>(usualPlanes, tau)
            );
            addBoth
            (
                "recursive",
                v.ofPopulations<plainRecursion>
                (
                    *makes<populationsFlow<recursiveOperation, esotericPull>>
                    (
                        tau
                    )(v.box())
                ),
                makes<usualTiles<recursion>>(usualPlanes, tau)
            );
        }
    }

} // End anonymous namespace


void moments(studyResults& results)
{
    const periodicBox smallBox(64, 16, 128);
    plainReference plain(Lattice(), smallBox, collideNode<Lattice>());
    references projected = plainSteps<plainProjection>(smallBox);
    references recursive = plainSteps<plainRecursion>(smallBox);

    for (const unsigned edge : {256u, 512u})
    {
        const std::string part = "box" + std::to_string(edge);
        results.addPart
        (
            {
                part, "Populations and moments, D3Q19 single, "
              + std::to_string(edge) + "^3",
                "", "GLUPS"
            }
        );
        const auto add = [&]
        (
            const std::string& variant,
            plainReference& reference,
            const maker& make,
            double bytes
        )
        {
            addChecked
            (
                results, part, variant, 0, {edge, edge, edge}, reference, make,
                bytes
            );
        };
        add
        (
            "populations, TRT, in place", plain,
            makes<populationsFlow<operationTRT, esotericPull>>(),
            populationBytes
        );
        add
        (
            "populations, regularised, in place", projected.populations,
            makes<populationsFlow<projectedOperation, esotericPull>>(),
            populationBytes
        );
        add
        (
            "populations, regularised, pull", projected.populations,
            makes<populationsFlow<projectedOperation, pull>>(),
            populationBytes
        );
        add
        (
            "moments, regularised, pull", projected.moments,
            makes<pullFlow<projection, momentVectors>>(), momentBytes
        );
        add
        (
            "moments, regularised, tiles", projected.moments,
            makes<usualTiles<projection>>(usualPlanes), momentBytes
        );
        add
        (
            "moments, regularised, tiles, ten arrays", projected.moments,
            makes<tilesFlow<projection, momentArrays, 32, 8>>(usualPlanes),
            momentBytes
        );
        add
        (
            "populations, recursive, in place", recursive.populations,
            makes<populationsFlow<recursiveOperation, esotericPull>>(),
            populationBytes
        );
        add
        (
            "moments, recursive, pull", recursive.moments,
            makes<pullFlow<recursion, momentVectors>>(), momentBytes
        );
        add
        (
            "moments, recursive, tiles", recursive.moments,
            makes<usualTiles<recursion>>(usualPlanes), momentBytes
        );
    }

    results.addPart
    (
        {
            "tiles", "Columns of a tile, regularised, D3Q19 single, 256^3",
            "planes a block works through", "GLUPS"
        }
    );
    const auto addTiles = [&]
    (
        const std::string& variant,
        const std::function<maker(unsigned)>& make
    )
    {
        for (const unsigned nPlanes : {16u, 32u, 64u, 128u, 256u})
        {
            addChecked
            (
                results, "tiles", variant, nPlanes, {256, 256, 256},
                projected.moments, make(nPlanes), momentBytes
            );
        }
    };
    addTiles
    (
        "32 x 8",
        makes<tilesFlow<projection, momentVectors, 32, 8>, unsigned>
    );
    addTiles
    (
        "64 x 4",
        makes<tilesFlow<projection, momentVectors, 64, 4>, unsigned>
    );
    addTiles
    (
        "32 x 16",
        makes<tilesFlow<projection, momentVectors, 32, 16>, unsigned>
    );
    addTiles
    (
        "64 x 8",
        makes<tilesFlow<projection, momentVectors, 64, 8>, unsigned>
    );

    addVortices(results, 0.6);
    addVortices(results, 0.51);
}

} // End namespace lbmBench
