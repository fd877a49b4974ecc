#include "studyFlow.cuh"

namespace lbmBench
{

namespace
{

using Lattice = lbm::D3Q19;
constexpr int q = Lattice::q;

//- Density deviation and velocity of all nodes, [4][nodes]
struct fields
{
    float* data;
    unsigned nNodes;

    LBM_HOST_DEVICE float& at(int k, unsigned n) const
    {
        return data[std::size_t(nNodes)*k + n];
    }

    LBM_HOST_DEVICE void store(unsigned n, const float (&h)[q]) const
    {
        float u[3];
        at(0, n) = lbm::densityVelocity<Lattice>(h, u);
        for (int a = 0; a < 3; ++a)
        {
            at(1 + a, n) = u[a];
        }
    }
};

LBM_HOST_DEVICE std::size_t slot(int k, unsigned n, unsigned nNodes)
{
    return std::size_t(nNodes)*k + n;
}

//- From the node itself to the node itself
struct stay
{
    template<class L>
    LBM_HOST_DEVICE static slotAt in(const periodicBox&, int, int i, unsigned n)
    {
        return {i, n};
    }

    template<class L>
    LBM_HOST_DEVICE static slotAt out
    (
        const periodicBox&, int, int i, unsigned n
    )
    {
        return {i, n};
    }
};

template<class Operation, class Scheme>
using work = advanceNode<Lattice, Operation, structureOfArrays, Scheme, 0>;


//- Stream and collide, and write the fields on the way
struct withFields
{
    work<operationTRT, pull> w;
    fields f;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        float h[q];
        w.load(n, h);
        f.store(n, h);
        operationTRT::collide<Lattice, lbm::noForcing>(h, w.p);
        w.store(n, h);
    }
};

struct storeFields
{
    work<noOperation, stay> w;
    fields f;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        float h[q];
        w.load(n, h);
        f.store(n, h);
    }
};

//- Equilibrium from the fields
struct storeEquilibrium
{
    float* to;
    fields f;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        const float rho = f.at(0, n);
        const float u[3] = {f.at(1, n), f.at(2, n), f.at(3, n)};
        const float uu = lbm::dot<Lattice>(u, u);
        to[slot(0, n, f.nNodes)] =
            lbm::weight<Lattice, float>(0)*(rho - 1.5f*uu);
        forEachPair<Lattice>
        (
            [&](auto i, auto j)
            {
                constexpr float w = lbm::weight<Lattice, float>(i);
                const auto eq = lbm::equilibrium<Lattice, i>(rho, u, uu);
                to[slot(i, n, f.nNodes)] = w*(eq.even + eq.odd);
                to[slot(j, n, f.nNodes)] = w*(eq.even - eq.odd);
            }
        );
    }
};

//- Relax to an equilibrium that is stored
struct relax
{
    const float* equilibrium;
    float* h;
    unsigned nNodes;
    parameters p;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        const std::size_t s = slot(0, n, nNodes);
        h[s] += p.omegaEven*(equilibrium[s] - h[s]);
        forEachPair<Lattice>
        (
            [&](auto i, auto j)
            {
                const std::size_t si = slot(i, n, nNodes);
                const std::size_t sj = slot(j, n, nNodes);
                const float hi = h[si], hj = h[sj];
                const float di = equilibrium[si] - hi;
                const float dj = equilibrium[sj] - hj;
                const float even = p.omegaEven*0.5f*(di + dj);
                const float odd = p.omegaOdd*0.5f*(di - dj);
                h[si] = hi + (even + odd);
                h[sj] = hj + (even - odd);
            }
        );
    }
};


// Shifted directions through shared memory: a block is a row, and what is
// shifted along it is shifted there, so that memory is read and written in line

    constexpr int nAlong = 10;

    //- Place of a direction among those that lead along the row
    constexpr int alongIndex(int i)
    {
        int k = 0;
        for (int j = 0; j < i; ++j)
        {
            k += Lattice::c(j, 0) != 0;
        }
        return k;
    }

    template<bool pulling>
    __global__ void __launch_bounds__(256)
    sharedKernel(const work<operationTRT, push> w)
    {
        extern __shared__ float row[];
        const unsigned nx = blockDim.x;
        const unsigned x = threadIdx.x;
        const unsigned n = blockIdx.x*nx + x;
        const unsigned nNodes = w.box.nodes();
        constexpr int sign = pulling ? -1 : 1;

        //- Slot of a direction, shifted across the row only
        const auto across = [&](int i)
        {
            const unsigned m = w.box.neighbour
            (
                n, 0, sign*Lattice::c(i, 1), sign*Lattice::c(i, 2)
            );
            return slot(i, m, nNodes);
        };

        //- Hand over along the row
        const auto shift = [&](float (&h)[q])
        {
            forEachIndex<q>([&](auto i)
            {
                if constexpr (Lattice::c(i, 0) != 0)
                {
                    const unsigned to =
                        (int(x) + Lattice::c(i, 0)) & (int(nx) - 1);
                    row[alongIndex(i)*nx + to] = h[i];
                }
            });
            __syncthreads();
            forEachIndex<q>([&](auto i)
            {
                if constexpr (Lattice::c(i, 0) != 0)
                {
                    h[i] = row[alongIndex(i)*nx + x];
                }
            });
        };

        float h[q];
        forEachIndex<q>([&](auto i)
        {
            h[i] = w.from[pulling ? across(i) : slot(i, n, nNodes)];
        });
        if (pulling)
        {
            shift(h);
        }
        operationTRT::collide<Lattice, lbm::noForcing>(h, w.p);
        if (!pulling)
        {
            shift(h);
        }
        forEachIndex<q>([&](auto i)
        {
            w.to[pulling ? slot(i, n, nNodes) : across(i)] = h[i];
        });
    }


enum kernels
{
    onePull,
    oneWithFields,
    twoFieldsApart,
    twoStreamingApart,
    threeApart,
    fourApart,
    onePush,
    sharedPush,
    sharedPull
};

class mergedFlow
:
    public flow
{
    kernels which_;
    cudaArray<float> fields_, equilibrium_;

    bool pulls() const
    {
        return
            which_ == onePull || which_ == oneWithFields
         || which_ == twoFieldsApart || which_ == sharedPull;
    }

    std::size_t sharedBytes() const
    {
        return nAlong*box_.size(0)*sizeof(float);
    }

public:

    mergedFlow(const periodicBox& box, kernels which)
    :
        flow(box, q, 2),
        which_(which),
        fields_(std::size_t(4)*box.nodes()),
        equilibrium_(which == fourApart ? std::size_t(q)*box.nodes() : 0)
    {
        allocate();
    }

    std::size_t incoming(int i, unsigned n) const override
    {
        const slotAt s =
            pulls()
          ? pull::in<Lattice>(box_, 0, i, n) : push::in<Lattice>(box_, 0, i, n);
        return slot(s.k, s.n, box_.nodes());
    }

    kernelUse use() const override
    {
        const int block = box_.size(0);
        switch (which_)
        {
            case onePull:
                return {kernelOf<work<operationTRT, pull>>(), threadsPerBlock};
            case oneWithFields:
                return {kernelOf<withFields>(), threadsPerBlock};
            case onePush:
                return {kernelOf<work<operationTRT, push>>(), threadsPerBlock};
            case sharedPush:
                return
                {
                    reinterpret_cast<const void*>(sharedKernel<false>),
                    block, sharedBytes()
                };
            case sharedPull:
                return
                {
                    reinterpret_cast<const void*>(sharedKernel<true>),
                    block, sharedBytes()
                };
            default:
                return {};
        }
    }

protected:

    void doStep() override
    {
        const unsigned n = box_.nodes();
        const unsigned nx = box_.size(0);
        const parameters p = studyParameters<float>();
        const fields f{fields_.data(), n};
        float* const a = front();
        float* const b = back();
        switch (which_)
        {
            case onePull:
                forNodes(n, work<operationTRT, pull>{box_, a, b, p});
                break;

            case oneWithFields:
                forNodes(n, withFields{{box_, a, b, p}, f});
                break;

            case twoFieldsApart:
                forNodes(n, work<operationTRT, pull>{box_, a, b, p});
                forNodes(n, storeFields{{box_, b, b, p}, f});
                break;

            case threeApart:
                forNodes(n, storeFields{{box_, a, a, p}, f});
                [[fallthrough]];

            case twoStreamingApart:
                forNodes(n, work<operationTRT, stay>{box_, a, a, p});
                forNodes(n, work<noOperation, push>{box_, a, b, p});
                break;

            case fourApart:
                forNodes(n, storeFields{{box_, a, a, p}, f});
                forNodes(n, storeEquilibrium{equilibrium_.data(), f});
                forNodes(n, relax{equilibrium_.data(), a, n, p});
                forNodes(n, work<noOperation, push>{box_, a, b, p});
                break;

            case onePush:
                forNodes(n, work<operationTRT, push>{box_, a, b, p});
                break;

            case sharedPush:
                sharedKernel<false><<<n/nx, nx, sharedBytes()>>>
                (
                    {box_, a, b, p}
                );
                lbm::checkLaunch("sharedKernel");
                break;

            case sharedPull:
                sharedKernel<true><<<n/nx, nx, sharedBytes()>>>
                (
                    {box_, a, b, p}
                );
                lbm::checkLaunch("sharedKernel");
                break;
        }
    }
};

} // End anonymous namespace


void merging(studyResults& results)
{
    const periodicBox smallBox(32, 16, 16);
    plainReference reference(Lattice(), smallBox, collideNode<Lattice>());

    const auto add = [&]
    (
        const std::string& part,
        const std::string& variant,
        kernels which,
        double bytes
    )
    {
        std::string check;
        {
            mergedFlow small(smallBox, which);
            check = reference.check(variant, small);
        }
        mergedFlow large({256, 256, 256}, which);
        measure(results, part, variant, 0, large, bytes, check);
    };

    const double all = 4*q;
    results.addPart
    (
        {"kernels", "Kernels of a step, D3Q19 single, 256^3", "", "GLUPS"}
    );
    add("kernels", "one, no fields", onePull, 2*all);
    add("kernels", "one, with fields", oneWithFields, 2*all + 16);
    add
    (
        "kernels", "two: stream and collide, fields", twoFieldsApart,
        3*all + 16
    );
    add
    (
        "kernels", "two: collide, stream; no fields", twoStreamingApart, 4*all
    );
    add
    (
        "kernels", "three: fields, collide, stream", threeApart, 5*all + 16
    );
    add
    (
        "kernels", "four: fields, equilibrium, relax, stream", fourApart,
        7*all + 32
    );

    results.addPart
    (
        {
            "shared",
            "Shared memory for what is shifted along a row, D3Q19 single,"
            " 256^3",
            "", "GLUPS"
        }
    );
    add("shared", "pull", onePull, 2*all);
    add("shared", "pull, shifted in shared memory", sharedPull, 2*all);
    add("shared", "push", onePush, 2*all);
    add("shared", "push, shifted in shared memory", sharedPush, 2*all);
}

} // End namespace lbmBench
