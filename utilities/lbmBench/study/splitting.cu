#include "studyFlow.cuh"

#include "closedBox.H"
#include "collision/recursiveRegularised.H"
#include "links/velocity.H"

namespace lbmBench
{

namespace
{

// Branches: nodes that need another collision, by a mask

    using Lattice = lbm::D3Q19;
    constexpr int q = Lattice::q;

    using otherOperation = lbm::recursiveRegularised::operation;

    template<class T>
    lbm::collisionParameters<T> otherParameters()
    {
        auto p = studyParameters<T>();
        p.omegaOdd =
            T(lbm::recursiveRegularised::omegaOdd(relaxationTime, 0, 0));
        return p;
    }

    template<class Operation>
    using pullWork =
        advanceNode<Lattice, Operation, structureOfArrays, pull, 0>;

    //- Both in one kernel
    struct eitherNode
    {
        pullWork<operationTRT> work;
        parameters other;
        const std::uint8_t* mask;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[q];
            work.load(n, h);
            if (mask[n])
            {
                otherOperation::collide<Lattice, lbm::noForcing>(h, other);
            }
            else
            {
                operationTRT::collide<Lattice, lbm::noForcing>(h, work.p);
            }
            work.store(n, h);
        }
    };

    //- A kernel for each, on all nodes
    template<class Work>
    struct maskedNode
    {
        Work work;
        const std::uint8_t* mask;
        std::uint8_t chosen;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            if (mask[n] == chosen)
            {
                work(n);
            }
        }
    };

    enum branchWays
    {
        oneKernel,
        twoMasked,
        twoListed
    };

    const char* const branchNames[] =
    {
        "one kernel", "two, mask tested in each", "two, index lists"
    };

    class branchFlow
    :
        public flow
    {
        branchWays way_;
        cudaArray<std::uint8_t> mask_;
        cudaArray<std::uint32_t> lists_[2];
        unsigned counts_[2] = {0, 0};

        using plain = pullWork<operationTRT>;
        using other = pullWork<otherOperation>;

    public:

        branchFlow
        (
            const periodicBox& box,
            const std::vector<std::uint8_t>& mask,
            branchWays way
        )
        :
            flow(box, q, 2),
            way_(way),
            mask_(onDevice(mask))
        {
            allocate();
            if (way == twoListed)
            {
                for (const int chosen : {0, 1})
                {
                    std::vector<std::uint32_t> list;
                    for (unsigned n = 0; n < box.nodes(); ++n)
                    {
                        if (mask[n] == chosen)
                        {
                            list.push_back(n);
                        }
                    }
                    counts_[chosen] = list.size();
                    lists_[chosen] = onDevice(list);
                }
            }
        }

        std::size_t incoming(int i, unsigned n) const override
        {
            const slotAt s = pull::in<Lattice>(box_, 0, i, n);
            return std::size_t(box_.nodes())*s.k + s.n;
        }

        kernelUse use() const override
        {
            return use(0);
        }

        //- Of the kernel for the plain (0) or the other nodes (1)
        kernelUse use(int chosen) const
        {
            const void* const kernels[3][2] =
            {
                {kernelOf<eitherNode>(), kernelOf<eitherNode>()},
                {
                    kernelOf<maskedNode<plain>>(),
                    kernelOf<maskedNode<other>>()
                },
                {
                    kernelOf<listedNodes<plain>>(),
                    kernelOf<listedNodes<other>>()
                }
            };
            return {kernels[way_][chosen], threadsPerBlock};
        }

    protected:

        void doStep() override
        {
            const plain a{box_, front(), back(), studyParameters<float>()};
            const other b{box_, front(), back(), otherParameters<float>()};
            const unsigned n = box_.nodes();
            switch (way_)
            {
                case oneKernel:
                    forNodes(n, eitherNode{a, b.p, mask_.data()});
                    break;

                case twoMasked:
                    forNodes(n, maskedNode<plain>{a, mask_.data(), 0});
                    forNodes(n, maskedNode<other>{b, mask_.data(), 1});
                    break;

                case twoListed:
                    forNodes
                    (
                        counts_[0],
                        listedNodes<plain>{a, lists_[0].data()}
                    );
                    forNodes
                    (
                        counts_[1],
                        listedNodes<other>{b, lists_[1].data()}
                    );
                    break;
            }
        }
    };

    std::vector<std::uint8_t> makeMask
    (
        const periodicBox& box, bool random, double share
    )
    {
        std::vector<std::uint8_t> mask(box.nodes());
        for (unsigned n = 0; n < box.nodes(); ++n)
        {
            mask[n] =
                (random ? scattered(n) : n/double(box.nodes())) < share;
        }
        return mask;
    }

    void measureBranches
    (
        studyResults& results, const std::string& part, bool random
    )
    {
        std::string checks[3];
        {
            const periodicBox box(32, 16, 16);
            const auto mask = makeMask(box, random, 0.3);
            const auto work = [&](unsigned n, double (&h)[q])
            {
                if (mask[n])
                {
                    otherOperation::collide<Lattice, lbm::noForcing>
                    (
                        h, otherParameters<double>()
                    );
                }
                else
                {
                    collideNode<Lattice>()(n, h);
                }
            };
            plainReference reference(Lattice(), box, work);
            for (int w = 0; w < 3; ++w)
            {
                branchFlow small(box, mask, branchWays(w));
                checks[w] = reference.check(branchNames[w], small);
            }
        }

        const periodicBox box(256, 256, 256);
        for (const int percent : {0, 1, 10, 25, 50, 75, 100})
        {
            const double share = 0.01*percent;
            const auto mask = makeMask(box, random, share);
            double occupancy = 0, glups = 0;
            for (int w = 0; w < 3; ++w)
            {
                branchFlow large(box, mask, branchWays(w));
                large.scatter();
                const double seconds = secondsPerStep(large, results.nSteps);
                large.checkAlive(branchNames[w]);

                studyRow r;
                r.part = part;
                r.variant = branchNames[w];
                r.x = percent;
                r.value = 1e-9*box.nodes()/seconds;
                r.bytes = 8*q + (w == oneKernel ? 1 : w == twoMasked ? 2 : 4);
                r.ofCopy = 1e9*r.value*r.bytes/results.copyBandwidth;
                r.check = checks[w];
                if (w == oneKernel)
                {
                    occupancy = large.use(0).occupancy;
                    glups = r.value;
                    r.predicted = glups;
                }
                else
                {
                    // As if time went with the inverse of occupancy
                    r.predicted =
                        glups/occupancy
                       /(
                            (1 - share)/large.use(0).occupancy
                          + share/large.use(1).occupancy
                        );
                }
                const kernelUse use = large.use(percent == 100);
                r.registers = use.registers;
                r.localBytes = use.localBytes;
                r.occupancy = use.occupancy;
                results.add(r);
            }
        }
    }

    void addKernel
    (
        studyResults& results,
        const std::string& name,
        const kernelUse& use,
        double value = 0
    )
    {
        studyRow r;
        r.part = "kernels";
        r.variant = name;
        r.value = value;
        r.registers = use.registers;
        r.localBytes = use.localBytes;
        r.occupancy = use.occupancy;
        results.add(r);
    }


// Loops over the directions

    struct densityAndVelocity
    {
        float* data;
        unsigned nNodes;

        LBM_HOST_DEVICE void store
        (
            unsigned n, float rho, const float (&u)[3]
        ) const
        {
            data[n] = rho;
            for (std::size_t a = 0; a < 3; ++a)
            {
                data[(a + 1)*nNodes + n] = u[a];
            }
        }

        LBM_HOST_DEVICE float load(unsigned n, float (&u)[3]) const
        {
            for (std::size_t a = 0; a < 3; ++a)
            {
                u[a] = data[(a + 1)*nNodes + n];
            }
            return data[n];
        }
    };

    //- Relax the pairs from one to another, given density and velocity, each
    //  on its own
    template<int first, int last>
    struct relaxPairs
    {
        pullWork<operationTRT> w;

        LBM_HOST_DEVICE float read(int i, unsigned n) const
        {
            const slotAt s = pull::in<Lattice>(w.box, 0, i, n);
            return w.from[std::size_t(w.box.nodes())*s.k + s.n];
        }

        LBM_HOST_DEVICE void write(int i, unsigned n, float h) const
        {
            w.to[std::size_t(w.box.nodes())*i + n] = h;
        }

        LBM_HOST_DEVICE void operator()
        (
            unsigned n, float rho, const float (&u)[3]
        ) const
        {
            const float uu = lbm::dot<Lattice>(u, u);
            if (first == 0)
            {
                constexpr float w0 = lbm::weight<Lattice, float>(0);
                const float h = read(0, n);
                write(0, n, h - w.p.omegaEven*(h - w0*(rho - 1.5f*uu)));
            }
            forEachIndex<last - first>
            (
                [&](auto pair)
                {
                    constexpr int i = 2*(first + pair) + 1;
                    constexpr float wi = lbm::weight<Lattice, float>(i);
                    const auto eq = lbm::equilibrium<Lattice, i>(rho, u, uu);
                    const float hi = read(i, n), hj = read(i + 1, n);
                    const float even =
                        w.p.omegaEven*(wi*eq.even - 0.5f*(hi + hj));
                    const float odd =
                        w.p.omegaOdd*(wi*eq.odd - 0.5f*(hi - hj));
                    write(i, n, hi + (even + odd));
                    write(i + 1, n, hj + (even - odd));
                }
            );
        }
    };

    //- Density and velocity first, then the populations again
    struct twoLoops
    {
        pullWork<operationTRT> w;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[q], u[3];
            w.load(n, h);
            const float rho = lbm::densityVelocity<Lattice>(h, u);
            relaxPairs<0, q/2>{w}(n, rho, u);
        }
    };

    struct storeMoments
    {
        pullWork<operationTRT> w;
        densityAndVelocity moments;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[q], u[3];
            w.load(n, h);
            const float rho = lbm::densityVelocity<Lattice>(h, u);
            moments.store(n, rho, u);
        }
    };

    template<int first, int last>
    struct relaxWithMoments
    {
        relaxPairs<first, last> relax;
        densityAndVelocity moments;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float u[3];
            const float rho = moments.load(n, u);
            relax(n, rho, u);
        }
    };

    //- 0: one loop, -1: two in a kernel, else so many kernels after that of
    //  the moments
    class loopFlow
    :
        public flow
    {
        int nParts_;
        cudaArray<float> moments_;

        using work = pullWork<operationTRT>;

        template<int nParts>
        void doParts(const work& w, const densityAndVelocity& m)
        {
            constexpr int size = q/2/nParts;
            forNodes(box_.nodes(), storeMoments{w, m});
            forEachIndex<nParts>
            (
                [&](auto part)
                {
                    forNodes
                    (
                        box_.nodes(),
                        relaxWithMoments<part*size, (part + 1)*size>{{w}, m}
                    );
                }
            );
        }

    public:

        loopFlow(const periodicBox& box, int nParts)
        :
            flow(box, q, 2),
            nParts_(nParts),
            moments_(nParts > 0 ? std::size_t(4)*box.nodes() : 0)
        {
            allocate();
        }

        std::size_t incoming(int i, unsigned n) const override
        {
            const slotAt s = pull::in<Lattice>(box_, 0, i, n);
            return std::size_t(box_.nodes())*s.k + s.n;
        }

        //- Of the last kernel
        kernelUse use() const override
        {
            const void* const kernel =
                nParts_ == 0 ? kernelOf<work>()
              : nParts_ == -1 ? kernelOf<twoLoops>()
              : nParts_ == 1 ? kernelOf<relaxWithMoments<0, 9>>()
              : nParts_ == 3 ? kernelOf<relaxWithMoments<6, 9>>()
              : kernelOf<relaxWithMoments<8, 9>>();
            return {kernel, threadsPerBlock};
        }

    protected:

        void doStep() override
        {
            const work w{box_, front(), back(), studyParameters<float>()};
            const densityAndVelocity m{moments_.data(), box_.nodes()};
            switch (nParts_)
            {
                case 0:
                    forNodes(box_.nodes(), w);
                    break;
                case -1:
                    forNodes(box_.nodes(), twoLoops{w});
                    break;
                case 1:
                    doParts<1>(w, m);
                    break;
                case 3:
                    doParts<3>(w, m);
                    break;
                case 9:
                    doParts<9>(w, m);
                    break;
            }
        }
    };

    void measureLoops(studyResults& results, const std::string& part)
    {
        const periodicBox smallBox(32, 16, 16);
        plainReference reference(Lattice(), smallBox, collideNode<Lattice>());
        double glups = 0, occupancy = 0;
        const auto add = [&](const std::string& variant, int nParts)
        {
            std::string check;
            {
                loopFlow small(smallBox, nParts);
                check = reference.check(variant, small);
            }
            loopFlow large({256, 256, 256}, nParts);
            large.scatter();
            const double seconds = secondsPerStep(large, results.nSteps);
            large.checkAlive(variant);

            studyRow r;
            r.part = part;
            r.variant = variant;
            r.value = 1e-9*large.box().nodes()/seconds;
            r.bytes = 8*q + (nParts > 0 ? 4*q + 16 + 16*nParts : 0);
            r.ofCopy = 1e9*r.value*r.bytes/results.copyBandwidth;
            const kernelUse use = large.use();
            r.registers = use.registers;
            r.localBytes = use.localBytes;
            r.occupancy = use.occupancy;
            r.check = check;
            if (nParts == 0)
            {
                glups = r.value;
                occupancy = use.occupancy;
            }
            r.predicted = glups*use.occupancy/occupancy;
            results.add(r);
        };
        add("one loop", 0);
        add("two loops in one kernel", -1);
        add("two kernels: moments, all pairs", 1);
        add("four kernels: moments, three pairs each", 3);
        add("ten kernels: moments, one pair each", 9);
    }


// Boundary and fields of a lid-driven cavity

    struct cavityNode
    {
        static constexpr int q = lbm::D2Q9::q;

        periodicBox box;
        const float* from;
        float* to;
        parameters p;

        //- Added to what comes back from the lid
        float fromLid[q];

        //- Node that a population comes from, unless it is behind a wall
        LBM_HOST_DEVICE bool source(int i, unsigned n, unsigned& m) const
        {
            const unsigned x = (n & (box.size(0) - 1)) - lbm::D2Q9::c(i, 0);
            const unsigned y = (n >> box.log2Size[0]) - lbm::D2Q9::c(i, 1);
            m = x + (y << box.log2Size[0]);
            return x < box.size(0) && y < box.size(1);
        }

        //- Whether a population that comes from a wall comes from the lid
        LBM_HOST_DEVICE bool lid(int i, unsigned n) const
        {
            const unsigned x = (n & (box.size(0) - 1)) - lbm::D2Q9::c(i, 0);
            const unsigned y = (n >> box.log2Size[0]) - lbm::D2Q9::c(i, 1);
            return y == box.size(1) && x < box.size(0);
        }

        template<bool walls>
        LBM_HOST_DEVICE void update(unsigned n, float (&h)[q]) const
        {
            const unsigned nNodes = box.nodes();
            forEachIndex<q>([&](auto i)
            {
                unsigned m;
                const bool inside = source(i, n, m);
                if (!walls || inside)
                {
                    h[i] = from[nNodes*i + m];
                }
                else
                {
                    h[i] = from[nNodes*lbm::opposite(i) + n];
                    if (lid(i, n))
                    {
                        h[i] += fromLid[i];
                    }
                }
            });
            operationTRT::collide<lbm::D2Q9, lbm::noForcing>(h, p);
            forEachIndex<q>([&](auto i) { to[nNodes*i + n] = h[i]; });
        }

        LBM_HOST_DEVICE bool atWall(unsigned n) const
        {
            const unsigned x = n & (box.size(0) - 1);
            const unsigned y = n >> box.log2Size[0];
            return
                x == 0 || y == 0
             || x == box.size(0) - 1 || y == box.size(1) - 1;
        }
    };

    LBM_HOST_DEVICE void storeVelocity
    (
        const float (&h)[lbm::D2Q9::q],
        float* fields,
        unsigned n,
        unsigned nNodes
    )
    {
        float u[3];
        fields[n] = lbm::densityVelocity<lbm::D2Q9>(h, u);
        fields[nNodes + n] = u[0];
        fields[2*nNodes + n] = u[1];
    }

    template<bool withFields>
    struct wholeCavity
    {
        cavityNode c;
        float* fields;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[cavityNode::q];
            c.update<true>(n, h);
            if (withFields)
            {
                storeVelocity(h, fields, n, c.box.nodes());
            }
        }
    };

    struct cavityBulk
    {
        cavityNode c;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            if (!c.atWall(n))
            {
                float h[cavityNode::q];
                c.update<false>(n, h);
            }
        }
    };

    struct cavityWalls
    {
        cavityNode c;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[cavityNode::q];
            c.update<true>(n, h);
        }
    };

    struct cavityVelocity
    {
        cavityNode c;
        float* fields;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[cavityNode::q];
            forEachIndex<cavityNode::q>
            (
                [&](auto i) { h[i] = c.to[c.box.nodes()*i + n]; }
            );
            storeVelocity(h, fields, n, c.box.nodes());
        }
    };

    constexpr double lidVelocity[3] = {0.03, 0, 0};

    class cavityFlow
    :
        public flow
    {
        int nKernels_;
        cudaArray<float> fields_;

        //- Nodes at walls, those at the lid last
        cudaArray<std::uint32_t> wallNodes_;
        unsigned nWalls_, nLid_;

        float fromLid_[cavityNode::q] = {};
        lbm::cudaStream stream_;

    public:

        cavityFlow(unsigned edge, int nKernels)
        :
            flow({edge, edge, 1}, cavityNode::q, 2),
            nKernels_(nKernels),
            fields_(std::size_t(3)*edge*edge)
        {
            allocate();
            const cavityNode c = node();
            std::vector<std::uint32_t> list;
            for (unsigned n = 0; n < edge*(edge - 1); ++n)
            {
                if (c.atWall(n))
                {
                    list.push_back(n);
                }
            }
            nWalls_ = list.size();
            nLid_ = edge;
            for (unsigned x = 0; x < edge; ++x)
            {
                list.push_back(edge*(edge - 1) + x);
            }
            wallNodes_ = onDevice(list);

            for (int i = 1; i < cavityNode::q; ++i)
            {
                const int out = lbm::opposite(i);
                const double c[3] =
                {
                    double(lbm::D2Q9::c(out, 0)), double(lbm::D2Q9::c(out, 1)),
                    0
                };
                fromLid_[i] = lbm::velocity::linkValue<lbm::D2Q9>
                (
                    lbm::weight<lbm::D2Q9, double>(out), c, lidVelocity, false
                );
            }
        }

        cavityNode node() const
        {
            cavityNode c{box_, front(), back(), studyParameters<float>(), {}};
            std::copy(fromLid_, fromLid_ + cavityNode::q, c.fromLid);
            return c;
        }

        std::size_t incoming(int i, unsigned n) const override
        {
            unsigned m;
            return
                node().source(i, n, m)
              ? box_.nodes()*i + m : box_.nodes()*lbm::opposite(i) + n;
        }

        float added(int i, unsigned n) const override
        {
            return node().lid(i, n) ? fromLid_[i] : 0;
        }

        kernelUse use() const override
        {
            return {};
        }

        cudaStream_t stream() const
        {
            return stream_.get();
        }

        //- Graph of what f launches
        lbm::cudaReplay record(const std::function<void()>& f)
        {
            lbmCuda
            (
                cudaStreamBeginCapture
                (
                    stream_.get(), cudaStreamCaptureModeThreadLocal
                )
            );
            f();
            cudaGraph_t graph = nullptr;
            lbmCuda(cudaStreamEndCapture(stream_.get(), &graph));
            lbm::cudaReplay result(graph, false);
            lbmCuda(cudaGraphDestroy(graph));
            return result;
        }

        void launchVelocity()
        {
            forNodes
            (
                box_.nodes(), cavityVelocity{node(), fields_.data()}, stream()
            );
        }

        void launchWalls()
        {
            forNodes
            (
                nWalls_ + nLid_,
                listedNodes<cavityWalls>{{node()}, wallNodes_.data()},
                stream()
            );
        }

        void launchBulk()
        {
            forNodes(box_.nodes(), cavityBulk{node()}, stream());
        }

        template<bool withFields>
        void launchWhole()
        {
            forNodes
            (
                box_.nodes(),
                wholeCavity<withFields>{node(), fields_.data()},
                stream()
            );
        }

    protected:

        void doStep() override
        {
            if (nKernels_ == 1)
            {
                launchWhole<true>();
                return;
            }
            if (nKernels_ == 2)
            {
                launchWhole<false>();
            }
            else
            {
                launchBulk();
                if (nKernels_ == 3)
                {
                    launchWalls();
                }
                else
                {
                    const listedNodes<cavityWalls> walls
                    {
                        {node()}, wallNodes_.data()
                    };
                    forNodes(nWalls_, walls, stream());
                    forNodes
                    (
                        nLid_,
                        listedNodes<cavityWalls>
                        {
                            walls.work, walls.nodes + nWalls_
                        },
                        stream()
                    );
                }
            }
            launchVelocity();
        }
    };

    //- The engine on the host, from random populations
    plainReference cavityReference(unsigned edge)
    {
        constexpr int q = cavityNode::q;
        const periodicBox box(edge, edge, 1);
        const std::size_t nNodes = box.nodes();
        const auto start = randomPopulations(box, q);

        lbm::engineSettings s;
        s.lattice = "D2Q9";
        s.precision = "double";
        s.relaxationTime = relaxationTime;
        const auto e =
            lbm::engine::New(s, closedBox("D2Q9", {edge, edge, 1}));
        e->setBoundaryValues(1, lidVelocity, 1);

        std::vector<double> ofNodes(nNodes*q), expected(nNodes*q);
        for (std::size_t n = 0; n < nNodes; ++n)
        {
            for (int i = 0; i < q; ++i)
            {
                ofNodes[n*q + i] = start[i*nNodes + n];
            }
        }
        e->setPopulations(0, nNodes, ofNodes.data());
        e->step(nCheckSteps);
        e->synchronise();
        e->getPopulations(0, nNodes, ofNodes.data());
        for (std::size_t n = 0; n < nNodes; ++n)
        {
            for (int i = 0; i < q; ++i)
            {
                expected[i*nNodes + n] = ofNodes[n*q + i];
            }
        }
        return {box, start, expected};
    }

    void measureCavity(studyResults& results, const std::string& part)
    {
        plainReference reference = cavityReference(32);
        const std::pair<int, std::string> variants[] =
        {
            {1, "one kernel"},
            {2, "two: velocity apart"},
            {3, "three: bulk, walls, velocity"},
            {4, "four: bulk, walls, lid, velocity"}
        };
        for (const auto& [nKernels, name] : variants)
        {
            std::string check;
            {
                cavityFlow small(32, nKernels);
                check = reference.check(name, small);
            }
            for (const unsigned edge : {128u, 256u, 512u, 1024u})
            {
                const int nSteps = 10*results.nSteps;
                studyRow r;
                r.part = part;
                r.x = edge;
                r.check = check;

                cavityFlow f(edge, nKernels);
                f.scatter();
                const auto steps = [&]()
                {
                    for (int t = 0; t < nSteps; ++t)
                    {
                        f.step();
                    }
                };
                steps();
                r.value = 1e6*secondsOf(steps, f.stream())/nSteps;
                f.checkAlive(name);
                r.variant = name;
                results.add(r);

                const lbm::cudaReplay replay = f.record
                (
                    [&]()
                    {
                        f.step();
                        f.step();
                    }
                );
                const auto replays = [&]()
                {
                    for (int t = 0; t < nSteps; t += 2)
                    {
                        lbmCuda(cudaGraphLaunch(replay.get(), f.stream()));
                    }
                };
                replays();
                r.value = 1e6*secondsOf(replays, f.stream())/nSteps;
                f.checkAlive(name);
                r.variant = name + ", graph";
                results.add(r);
            }
        }
    }

    //- Kernels of the cavity of 256^2, each again and again
    void measureCavityKernels(studyResults& results)
    {
        cavityFlow f(256, 1);
        f.scatter();
        const auto add = [&]
        (
            const std::string& name,
            const void* kernel,
            const std::function<void()>& launch
        )
        {
            constexpr int nLaunches = 50;
            const lbm::cudaReplay replay = f.record
            (
                [&]()
                {
                    for (int i = 0; i < nLaunches; ++i)
                    {
                        launch();
                    }
                }
            );
            const auto replays = [&]()
            {
                for (int i = 0; i < results.nSteps; ++i)
                {
                    lbmCuda(cudaGraphLaunch(replay.get(), f.stream()));
                }
            };
            replays();
            addKernel
            (
                results,
                name,
                {kernel, threadsPerBlock},
                1e6*secondsOf(replays, f.stream())/(nLaunches*results.nSteps)
            );
        };
        add
        (
            "cavity 256^2, whole with velocity",
            kernelOf<wholeCavity<true>>(),
            [&]() { f.launchWhole<true>(); }
        );
        add
        (
            "cavity 256^2, whole",
            kernelOf<wholeCavity<false>>(),
            [&]() { f.launchWhole<false>(); }
        );
        add
        (
            "cavity 256^2, bulk",
            kernelOf<cavityBulk>(),
            [&]() { f.launchBulk(); }
        );
        add
        (
            "cavity 256^2, walls and lid",
            kernelOf<listedNodes<cavityWalls>>(),
            [&]() { f.launchWalls(); }
        );
        add
        (
            "cavity 256^2, velocity",
            kernelOf<cavityVelocity>(),
            [&]() { f.launchVelocity(); }
        );
    }

} // End anonymous namespace


void splitting(studyResults& results)
{
    const std::string box = ", D3Q19 single, 256^3, pull";
    const std::string nodes = "nodes of the other kind, %";
    results.addPart
    (
        {
            "linear", "Two collisions, nodes of the other kind in one block"
          + box, nodes, "GLUPS"
        }
    );
    measureBranches(results, "linear", false);
    results.addPart
    (
        {
            "random", "Two collisions, nodes of the other kind in random order"
          + box, nodes, "GLUPS"
        }
    );
    measureBranches(results, "random", true);

    results.addPart({"loops", "Loops over the directions" + box, "", "GLUPS"});
    measureLoops(results, "loops");

    results.addPart
    (
        {
            "cavity", "Lid-driven cavity, D2Q9 single", "nodes along an edge",
            "us a step"
        }
    );
    measureCavity(results, "cavity");

    results.addPart
    (
        {"kernels", "Kernels of the cavity again and again, in a graph", "", "us a launch"}
    );
    measureCavityKernels(results);
}

} // End namespace lbmBench
