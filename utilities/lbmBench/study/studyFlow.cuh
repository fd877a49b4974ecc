/*---------------------------------------------------------------------------*\
Description
    What the studies share: a periodic box, ways to lay populations out and to
    stream them, a flow that a variant advances, its check against a plain
    loop on the host, and its timing.
\*---------------------------------------------------------------------------*/

#ifndef lbmBench_studyFlow_cuh
#define lbmBench_studyFlow_cuh

#include "studyList.H"

#include "collision/TRT.H"
#include "cudaHandles.cuh"
#include "descriptors/D2Q9.H"
#include "descriptors/D3Q19.H"
#include "forcing/noForcing.H"

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <sstream>

namespace lbmBench
{

using lbm::cudaArray;
using lbm::forEachIndex;
using lbm::forEachPair;

constexpr int threadsPerBlock = 128;


//- Periodic box; the sizes are powers of two, so that wrapping round takes no
//  branch. The first axis is the fastest.
struct periodicBox
{
    unsigned log2Size[3];

    periodicBox(unsigned nx, unsigned ny, unsigned nz)
    {
        const unsigned size[3] = {nx, ny, nz};
        for (int a = 0; a < 3; ++a)
        {
            log2Size[a] = 0;
            while (1u << log2Size[a] < size[a])
            {
                ++log2Size[a];
            }
            if (1u << log2Size[a] != size[a])
            {
                throw lbm::error("sizes must be powers of two");
            }
        }
    }

    LBM_HOST_DEVICE unsigned size(int axis) const
    {
        return 1u << log2Size[axis];
    }

    LBM_HOST_DEVICE unsigned nodes() const
    {
        return 1u << (log2Size[0] + log2Size[1] + log2Size[2]);
    }

    LBM_HOST_DEVICE unsigned neighbour(unsigned n, int cx, int cy, int cz) const
    {
        const unsigned x = (n + cx) & (size(0) - 1);
        const unsigned y = ((n >> log2Size[0]) + cy) & (size(1) - 1);
        const unsigned z =
            ((n >> (log2Size[0] + log2Size[1])) + cz) & (size(2) - 1);
        return x | (y | z << log2Size[1]) << log2Size[0];
    }

    //- Neighbour in a direction times a sign
    template<class Lattice>
    LBM_HOST_DEVICE unsigned neighbour(unsigned n, int i, int sign) const
    {
        return neighbour
        (
            n,
            sign*Lattice::c(i, 0),
            sign*Lattice::c(i, 1),
            sign*Lattice::c(i, 2)
        );
    }
};


//- The k-th of the slots of node n
struct slotAt
{
    int k;
    unsigned n;
};


// How slots follow each other in memory, given their number at all nodes

    struct structureOfArrays
    {
        static constexpr const char* name = "structure of arrays";

        template<int q>
        LBM_HOST_DEVICE static std::size_t slot(slotAt s, unsigned nNodes)
        {
            return std::size_t(nNodes)*s.k + s.n;
        }
    };

    struct arrayOfStructures
    {
        static constexpr const char* name = "array of structures";

        template<int q>
        LBM_HOST_DEVICE static std::size_t slot(slotAt s, unsigned)
        {
            return std::size_t(s.n)*q + s.k;
        }
    };

    //- Structures of the arrays of so many nodes
    template<unsigned size>
    struct blocksOfNodes
    {
        static constexpr const char* name =
            size == 32 ? "blocks of 32 nodes"
          : size == 128 ? "blocks of 128 nodes" : "blocks of 1024 nodes";

        template<int q>
        LBM_HOST_DEVICE static std::size_t slot(slotAt s, unsigned)
        {
            return std::size_t(s.n/size)*(size*q) + size*s.k + s.n % size;
        }
    };


// Streaming: through which slots populations enter and leave a node

    //- Read from the neighbours of one copy, write to another
    struct pull
    {
        static constexpr const char* name = "pull";
        static constexpr int copies = 2;

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt in
        (
            const periodicBox& b, int, int i, unsigned n
        )
        {
            return {i, b.neighbour<Lattice>(n, i, -1)};
        }

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt out
        (
            const periodicBox&, int, int i, unsigned n
        )
        {
            return {i, n};
        }
    };

    //- Write to the neighbours in another copy
    struct push
    {
        static constexpr const char* name = "push";
        static constexpr int copies = 2;

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt in
        (
            const periodicBox&, int, int i, unsigned n
        )
        {
            return {i, n};
        }

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt out
        (
            const periodicBox& b, int, int i, unsigned n
        )
        {
            return {i, b.neighbour<Lattice>(n, i, 1)};
        }
    };

    //- One copy: at one parity each node keeps to itself, at the other it
    //  reads from its neighbours and writes to them.
    //  P. Bailey et al., Proc. ICPP (2009) 550, doi:10.1109/ICPP.2009.38
    struct AA
    {
        static constexpr const char* name = "AA";
        static constexpr int copies = 1;

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt in
        (
            const periodicBox& b, int parity, int i, unsigned n
        )
        {
            return parity
              ? slotAt{lbm::opposite(i), b.neighbour<Lattice>(n, i, -1)}
              : slotAt{i, n};
        }

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt out
        (
            const periodicBox& b, int parity, int i, unsigned n
        )
        {
            return parity
              ? slotAt{i, b.neighbour<Lattice>(n, i, 1)}
              : slotAt{lbm::opposite(i), n};
        }
    };

    //- One copy, the engine's: streaming/esotericPull.H, for any layout
    struct esotericPull
    {
        static constexpr const char* name = "esoteric pull";
        static constexpr int copies = 1;

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt in
        (
            const periodicBox& b, int parity, int i, unsigned n
        )
        {
            return
                i == 0 ? slotAt{0, n}
              : i % 2 ? slotAt{parity ? i : i + 1, n}
              : slotAt{parity ? i : i - 1, b.neighbour<Lattice>(n, i - 1, 1)};
        }

        template<class Lattice>
        LBM_HOST_DEVICE static slotAt out
        (
            const periodicBox& b, int parity, int i, unsigned n
        )
        {
            return
                i == 0 ? slotAt{0, n}
              : i % 2
              ? slotAt{parity ? i + 1 : i, b.neighbour<Lattice>(n, i, 1)}
              : slotAt{parity ? i - 1 : i, n};
        }
    };


using parameters = lbm::collisionParameters<float>;
using operationTRT = lbm::TRT::operation;

constexpr double relaxationTime = 0.6;

template<class T>
lbm::collisionParameters<T> studyParameters(double tau = relaxationTime)
{
    constexpr double unlimited = std::numeric_limits<double>::infinity();

    return
    {
        T(1/tau),
        T(lbm::TRT::omegaOdd(tau, 3.0/16, unlimited)),
        T(lbm::TRT::omegaTrace(tau)),
        {0, 0, 0}
    };
}


// Kernels

    template<class Work>
    __global__ void __launch_bounds__(threadsPerBlock)
    nodesKernel(unsigned nNodes, const Work work)
    {
        const unsigned n = blockIdx.x*blockDim.x + threadIdx.x;
        if (n < nNodes)
        {
            work(n);
        }
    }

    template<class Work>
    void forNodes(unsigned nNodes, const Work& work, cudaStream_t stream = 0)
    {
        if (nNodes)
        {
            nodesKernel<<<
                (nNodes + threadsPerBlock - 1)/threadsPerBlock,
                threadsPerBlock, 0, stream
            >>>(nNodes, work);
            lbm::checkLaunch("nodesKernel");
        }
    }

    //- Load, operate on and store the populations of a node
    template
    <
        class Lattice, class Operation, class Layout, class Scheme, int parity
    >
    struct advanceNode
    {
        periodicBox box;
        const float* from;
        float* to;
        parameters p;

        LBM_HOST_DEVICE void load(unsigned n, float (&h)[Lattice::q]) const
        {
            forEachIndex<Lattice::q>
            (
                [&](auto i)
                {
                    h[i] = from
                    [
                        Layout::template slot<Lattice::q>
                        (
                            Scheme::template in<Lattice>(box, parity, i, n),
                            box.nodes()
                        )
                    ];
                }
            );
        }

        LBM_HOST_DEVICE void store(unsigned n, const float (&h)[Lattice::q])
        const
        {
            forEachIndex<Lattice::q>
            (
                [&](auto i)
                {
                    to
                    [
                        Layout::template slot<Lattice::q>
                        (
                            Scheme::template out<Lattice>(box, parity, i, n),
                            box.nodes()
                        )
                    ] = h[i];
                }
            );
        }

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float h[Lattice::q];
            load(n, h);
            Operation::template collide<Lattice, lbm::noForcing>(h, p);
            store(n, h);
        }
    };

    //- Some work on the nodes of a list
    template<class Work>
    struct listedNodes
    {
        Work work;
        const std::uint32_t* nodes;

        LBM_HOST_DEVICE void operator()(unsigned l) const
        {
            work(nodes[l]);
        }
    };

    //- No collision
    struct noOperation
    {
        template<class Lattice, class Forcing, class T>
        LBM_HOST_DEVICE static void collide
        (
            T (&)[Lattice::q],
            const lbm::collisionParameters<T>&
        )
        {}
    };


//- Registers, local memory and occupancy of a kernel
struct kernelUse
{
    int registers = 0, localBytes = 0;
    double occupancy = 0;

    kernelUse() = default;

    kernelUse(const void* kernel, int block, std::size_t sharedBytes = 0)
    {
        cudaFuncAttributes a;
        lbmCuda(cudaFuncGetAttributes(&a, kernel));
        registers = a.numRegs;
        localBytes = int(a.localSizeBytes);

        int blocks = 0, device = 0, most = 0;
        lbmCuda
        (
            cudaOccupancyMaxActiveBlocksPerMultiprocessor
            (
                &blocks, kernel, block, sharedBytes
            )
        );
        lbmCuda(cudaGetDevice(&device));
        lbmCuda
        (
            cudaDeviceGetAttribute
            (
                &most, cudaDevAttrMaxThreadsPerMultiProcessor, device
            )
        );
        occupancy = double(blocks)*block/most;
    }
};

template<class Work>
const void* kernelOf()
{
    return reinterpret_cast<const void*>(nodesKernel<Work>);
}


//- A periodic flow that a variant advances
class flow
{
protected:

    periodicBox box_;
    int q_;

    //- Populations; the second copy may be empty
    cudaArray<float> copies_[2];
    bool twice_;

    int nDone_ = 0;

    float* front() const
    {
        return copies_[twice_ && nDone_ % 2].data();
    }

    float* back() const
    {
        return copies_[twice_ && nDone_ % 2 == 0].data();
    }

    virtual void doStep() = 0;

    //- Slots of a copy, if that is not q a node
    virtual std::size_t nSlots() const
    {
        return std::size_t(box_.nodes())*q_;
    }

    //- Take the memory; not before nSlots() is known
    void allocate()
    {
        copies_[0] = cudaArray<float>(nSlots());
        if (twice_)
        {
            copies_[1] = cudaArray<float>(nSlots());
        }
    }

public:

    flow(const periodicBox& box, int q, int nCopies)
    :
        box_(box),
        q_(q),
        twice_(nCopies == 2)
    {}

    virtual ~flow() = default;

    //- Slot through which a population enters a node next, or noSlot
    virtual std::size_t incoming(int i, unsigned n) const = 0;

    static constexpr std::size_t noSlot = SIZE_MAX;

    //- What is added to the slot on the way
    virtual float added(int, unsigned) const
    {
        return 0;
    }

    //- Whether the populations of a node are part of the flow
    virtual bool active(unsigned) const
    {
        return true;
    }

    //- Nodes that a step updates
    virtual unsigned nUpdated() const
    {
        return box_.nodes();
    }

    virtual kernelUse use() const = 0;

    const periodicBox& box() const
    {
        return box_;
    }

    void step()
    {
        doStep();
        ++nDone_;
    }

    //- Set the populations that enter, [q][nodes]
    void set(const std::vector<float>& h)
    {
        std::vector<float> slots(nSlots(), 0);
        for (int i = 0; i < q_; ++i)
        {
            for (unsigned n = 0; n < box_.nodes(); ++n)
            {
                const std::size_t slot = incoming(i, n);
                if (slot != noSlot)
                {
                    slots[slot] =
                        h[std::size_t(i)*box_.nodes() + n] - added(i, n);
                }
            }
        }
        lbmCuda
        (
            cudaMemcpy
            (
                front(), slots.data(), slots.size()*sizeof(float),
                cudaMemcpyHostToDevice
            )
        );
    }

    std::vector<float> get() const
    {
        std::vector<float> slots(nSlots());
        lbmCuda(cudaDeviceSynchronize());
        lbmCuda
        (
            cudaMemcpy
            (
                slots.data(), front(), slots.size()*sizeof(float),
                cudaMemcpyDeviceToHost
            )
        );
        std::vector<float> h(std::size_t(q_)*box_.nodes());
        for (int i = 0; i < q_; ++i)
        {
            for (unsigned n = 0; n < box_.nodes(); ++n)
            {
                const std::size_t slot = incoming(i, n);
                if (slot != noSlot)
                {
                    h[std::size_t(i)*box_.nodes() + n] =
                        slots[slot] + added(i, n);
                }
            }
        }
        return h;
    }

    //- Fill all slots with random numbers: zeros are kinder to a device
    void scatter();

    //- Throws unless the first slots hold finite numbers, not all of them zero
    void checkAlive(const std::string& name) const;
};


template<class Lattice, class Operation, class Layout, class Scheme>
class boxFlow
:
    public flow
{
    template<int parity>
    using work = advanceNode<Lattice, Operation, Layout, Scheme, parity>;

public:

    explicit boxFlow(const periodicBox& box)
    :
        flow(box, Lattice::q, Scheme::copies)
    {
        allocate();
    }

    std::size_t incoming(int i, unsigned n) const override
    {
        return Layout::template slot<Lattice::q>
        (
            Scheme::template in<Lattice>(box_, nDone_ % 2, i, n),
            box_.nodes()
        );
    }

    kernelUse use() const override
    {
        return {kernelOf<work<0>>(), threadsPerBlock};
    }

protected:

    void doStep() override
    {
        float* const to = twice_ ? back() : front();
        const parameters p = studyParameters<float>();
        if (twice_ || nDone_ % 2 == 0)
        {
            forNodes(box_.nodes(), work<0>{box_, front(), to, p});
        }
        else
        {
            // Two copies need one parity only
            forNodes
            (
                box_.nodes(),
                work<Scheme::copies == 1>{box_, front(), to, p}
            );
        }
    }
};


//- A copy of host memory on the device
template<class V>
cudaArray<V> onDevice(const std::vector<V>& values)
{
    cudaArray<V> result(values.size());
    lbmCuda
    (
        cudaMemcpy
        (
            result.data(), values.data(), values.size()*sizeof(V),
            cudaMemcpyHostToDevice
        )
    );
    return result;
}

template<class V>
std::vector<V> onHost(const cudaArray<V>& values, std::size_t n)
{
    std::vector<V> result(n);
    lbmCuda
    (
        cudaMemcpy
        (
            result.data(), values.data(), n*sizeof(V), cudaMemcpyDeviceToHost
        )
    );
    return result;
}


//- A number in [0, 1) that looks random, of an index
LBM_HOST_DEVICE float scattered(unsigned n)
{
    // Finaliser of SplitMix64
    unsigned long long z = (n + 1ull)*0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30)*0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27)*0x94d049bb133111ebull;
    z ^= z >> 31;
    return float(z >> 40)/float(1 << 24);
}


//- Seconds a step, mean over so many after some for warming up
double secondsPerStep(flow&, int nSteps);

//- Seconds that work given to a stream takes on the device
double secondsOf(const std::function<void()>&, cudaStream_t stream = 0);


//- Random populations for a small box, [q][nodes]
std::vector<float> randomPopulations(const periodicBox&, int q);

constexpr int nCheckSteps = 5;

//- Compare variants of a study with a plain loop on the host in double
//  precision, and with each other
class plainReference
{
    periodicBox box_;
    std::vector<float> start_;
    std::vector<double> expected_;

    //- Of the first variant
    std::vector<float> bits_;

public:

    //- Do some steps on the host; work(n, h) is done at a node
    template<class Lattice, class Work>
    plainReference(const Lattice&, const periodicBox& box, const Work& work)
    :
        box_(box),
        start_(randomPopulations(box, Lattice::q)),
        expected_(start_.begin(), start_.end())
    {
        std::vector<double> next(expected_.size());
        const std::size_t nNodes = box.nodes();
        for (int t = 0; t < nCheckSteps; ++t)
        {
            for (unsigned n = 0; n < nNodes; ++n)
            {
                double h[Lattice::q];
                for (int i = 0; i < Lattice::q; ++i)
                {
                    h[i] = expected_[i*nNodes + n];
                }
                work(n, h);
                for (int i = 0; i < Lattice::q; ++i)
                {
                    next[i*nNodes + box.neighbour<Lattice>(n, i, 1)] = h[i];
                }
            }
            expected_.swap(next);
        }
    }

    //- Expected from elsewhere
    plainReference
    (
        const periodicBox& box,
        const std::vector<float>& start,
        const std::vector<double>& expected
    )
    :
        box_(box),
        start_(start),
        expected_(expected)
    {}

    const periodicBox& box() const
    {
        return box_;
    }

    //- What to say of a variant, over the small box; throws if it fails
    std::string check(const std::string& name, flow&);
};

//- Work of plain flow
template<class Lattice, class Operation = operationTRT>
struct collideNode
{
    void operator()(unsigned, double (&h)[Lattice::q]) const
    {
        Operation::template collide<Lattice, lbm::noForcing>
        (
            h, studyParameters<double>()
        );
    }
};


//- Measure a variant on the box of its study and add the figure, billions of
//  updates a second. bytes: that a node must move in a step
studyRow measure
(
    studyResults&,
    const std::string& part,
    const std::string& variant,
    double x,
    flow&,
    double bytes,
    const std::string& check
);

} // End namespace lbmBench

#endif
