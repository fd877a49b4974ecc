/*---------------------------------------------------------------------------*\
Description
    A heated cube whose flow is on a lattice and whose temperature is by finite
    differences: its memory, on the host or on a device, its steps, and a plain loop
    that they are compared with.
\*---------------------------------------------------------------------------*/

#ifndef lbmBench_hybridFlow_cuh
#define lbmBench_hybridFlow_cuh

#include "heatedCube.H"
#include "hybridNode.H"
#include "studyFlow.cuh"

#include "collision/MRT.H"
#include "precision.H"

namespace lbmBench
{

//- The threads of a block are a part of a row
template<class Work>
__global__ void __launch_bounds__(threadsPerBlock)
rowsKernel(int n, const Work work)
{
    const int x = blockIdx.x*blockDim.x;
    const int lane = threadIdx.x;
    if (x + lane < n)
    {
        work(x, lane, blockIdx.y, blockIdx.z);
    }
}


//- Numbers in memory of the host or of a device
template<class V>
class placedArray
{
    std::vector<V> host_;
    cudaArray<V> device_;
    std::size_t size_;

public:

    placedArray(std::size_t size, bool onHost)
    :
        host_(onHost ? size : 0, V(0)),
        device_(onHost ? 0 : size),
        size_(size)
    {}

    std::size_t size() const
    {
        return size_;
    }

    V* data()
    {
        return device_.data() ? device_.data() : host_.data();
    }

    std::vector<V> get() const
    {
        return device_.data() ? onHost(device_, size_) : host_;
    }

    void set(const std::vector<V>& values)
    {
        if (!device_.data())
        {
            host_ = values;
            return;
        }
        lbmCuda
        (
            cudaMemcpy
            (
                device_.data(), values.data(), size_*sizeof(V),
                cudaMemcpyHostToDevice
            )
        );
    }
};


template<class T>
struct scatterNumber
{
    T* to;
    T size;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        to[n] = size*(T(scattered(n)) - T(0.5));
    }
};


//- What enters the nodes, [q][nodes], and their temperature, [nodes]
struct hybridState
{
    std::vector<double> h, T;
};


//- Rates of a collision, and those that it alone has
template<class Collision, class T>
struct ratesOf
{
    lbm::collisionParameters<T> p;
    typename Collision::operation::template rates<T> own;

    explicit ratesOf(double tau)
    {
        constexpr double unlimited = std::numeric_limits<double>::infinity();
        p =
        {
            T(1/tau),
            T(Collision::omegaOdd(tau, 3.0/16, unlimited)),
            T(Collision::omegaTrace(tau)),
            {0, 0, 0}
        };
        std::vector<double> values;
        for (const lbm::collisionParameter& one : Collision::parameters())
        {
            values.push_back(one.value);
        }
        own = decltype(own)::from(values);
    }
};


template<class Precision, class Collision, class Heat>
class hybridFlow
:
    public heatedFlow
{
    using T = typename Precision::arithmetic;
    using Lattice = lbm::D3Q19;
    static constexpr int q = Lattice::q;

    template<int parity>
    using work = hybridNode<Precision, Collision, Heat, parity>;

    const heatedCube cube_;
    const bool onHost_;
    const lbm::denseLayout layout_;

    placedArray<T> f_;
    placedArray<T> heat_[2];
    cubeNodes<Precision> nodes_;
    std::int64_t nDone_ = 0;

    static lbm::latticeDescription description(int n)
    {
        lbm::latticeDescription d;
        d.size = {n, n, n};
        return d;
    }

    template<int parity>
    work<parity> workOf(T* from, T* to) const
    {
        const ratesOf<Collision, T> rates(cube_.relaxationTime());
        return
        {
            nodes_, rates.p, rates.own, from, to, T(cube_.hot), T(cube_.cold),
            T(cube_.diffusivity()), T(cube_.perUnit())
        };
    }

    template<class Work>
    void forNodes(const Work& work) const
    {
        const int n = cube_.n;
        if (onHost_)
        {
            for (int z = 0; z < n; ++z)
            {
                for (int y = 0; y < n; ++y)
                {
                    for (int x = 0; x < n; ++x)
                    {
                        work(x, 0, y, z);
                    }
                }
            }
            return;
        }
        const int block = blockSize();
        const dim3 grid((n + block - 1)/block, n, n);
        rowsKernel<<<grid, block>>>(n, work);
        lbm::checkLaunch("rowsKernel");
    }

    int blockSize() const
    {
        return std::min<int>(threadsPerBlock, lbm::roundUp(cube_.n, 32));
    }

    template<int parity>
    void doStep()
    {
        forNodes
        (
            workOf<parity>
            (
                heat_[nDone_ % 2].data(), heat_[(nDone_ + 1) % 2].data()
            )
        );
    }

    //- Call f(l, x, y, z) for all nodes, l being the box index
    template<class Function>
    void forBox(const Function& f) const
    {
        std::int64_t l = 0;
        for (int z = 0; z < cube_.n; ++z)
        {
            for (int y = 0; y < cube_.n; ++y)
            {
                for (int x = 0; x < cube_.n; ++x)
                {
                    f(l++, x, y, z);
                }
            }
        }
    }

    //- Call f(l, i, slot) for all populations, slot being that through which one
    //  enters its node next, in some memory
    template<int parity, class Function>
    void forIncoming(T* memory, const Function& f)
    {
        work<parity> w = workOf<parity>(nullptr, nullptr);
        w.nodes.f.setArrays(memory, layout_.stride, false);
        forBox([&](std::int64_t l, int x, int y, int z)
        {
            const sidesOfNode sides(cube_.n, x, y, z);
            const auto n = nodes_.position(x, 0, y, z);
            forEachIndex<q>([&](auto i)
            {
                f(l, int(i), w.template incoming<i>(sides, n));
            });
        });
    }

    template<class Function>
    void forIncoming(T* memory, const Function& f)
    {
        nDone_ % 2 ? forIncoming<1>(memory, f) : forIncoming<0>(memory, f);
    }

public:

    hybridFlow(const heatedCube& cube, bool onHost)
    :
        cube_(cube),
        onHost_(onHost),
        layout_(description(cube.n), 3, q, 128/sizeof(T)),
        f_(layout_.nPlaces*q, onHost),
        heat_
        {
            {std::size_t(layout_.nPlaces), onHost},
            {std::size_t(layout_.nPlaces), onHost}
        },
        nodes_{}
    {
        const int n = cube.n;
        nodes_.f.setArrays(f_.data(), layout_.stride, false);
        nodes_.f.position = layout_.position;
        nodes_.f.neighbour = lbm::dense::make<Lattice>
        (
            layout_, lbm::directions(Lattice::name), nullptr
        );
        nodes_.n = n;
        nodes_.origin = layout_.place(0);
        nodes_.pitch = layout_.place(n) - nodes_.origin;
        nodes_.plane = layout_.place(std::int64_t(n)*n) - nodes_.origin;

        set({std::vector<double>(q*cube.nNodes(), 0), cube.conduction()});
    }

    void set(const hybridState& state)
    {
        std::vector<T> memory(f_.size(), T(0)), heat(heat_[0].size(), T(0));
        const std::int64_t nNodes = cube_.nNodes();
        forIncoming(memory.data(), [&](std::int64_t l, int i, T& slot)
        {
            slot = T(state.h[i*nNodes + l]);
        });
        forBox([&](std::int64_t l, int x, int y, int z)
        {
            heat[nodes_.place(x, y, z)] = T(state.T[l]);
        });
        f_.set(memory);
        heat_[nDone_ % 2].set(heat);
    }

    hybridState get()
    {
        hybridState state;
        std::vector<T> memory = f_.get();
        const std::int64_t nNodes = cube_.nNodes();
        state.h.resize(q*nNodes);
        forIncoming(memory.data(), [&](std::int64_t l, int i, T& slot)
        {
            state.h[i*nNodes + l] = slot;
        });
        state.T = temperature();
        return state;
    }

    //- Fill the memory with random numbers: zeros are kinder to a device
    void scatter()
    {
        scatter(f_, T(1e-3));
        scatter(heat_[0], T(1));
        scatter(heat_[1], T(1));
    }

    void step(std::int64_t n) override
    {
        for (std::int64_t i = 0; i < n; ++i)
        {
            nDone_ % 2 ? doStep<1>() : doStep<0>();
            ++nDone_;
        }
    }

    void synchronise() override
    {
        if (!onHost_)
        {
            lbmCuda(cudaDeviceSynchronize());
        }
    }

    std::vector<double> temperature() override
    {
        const std::vector<T> heat = heat_[nDone_ % 2].get();
        std::vector<double> result(cube_.nNodes());
        forBox([&](std::int64_t l, int x, int y, int z)
        {
            result[l] = heat[nodes_.place(x, y, z)];
        });
        return result;
    }

    std::vector<double> velocity() override
    {
        const hybridState state = get();
        const std::int64_t nNodes = cube_.nNodes();
        std::vector<double> result(3*nNodes);
        for (std::int64_t l = 0; l < nNodes; ++l)
        {
            double h[q], u[3];
            for (int i = 0; i < q; ++i)
            {
                h[i] = state.h[i*nNodes + l];
            }
            lbm::densityVelocity<Lattice>(h, u);
            u[1] += 0.5*cube_.perUnit()*state.T[l];
            std::copy(u, u + 3, result.begin() + 3*l);
        }
        return result;
    }

    //- Of the odd steps, which know walls
    kernelUse use() const
    {
        return
        {
            reinterpret_cast<const void*>(rowsKernel<work<1>>), blockSize()
        };
    }

private:

    static void scatter(placedArray<T>& a, T size)
    {
        lbmBench::forNodes(a.size(), scatterNumber<T>{a.data(), size});
    }
};


//- Steps by a plain loop in double precision, with two copies and nodes beyond the
//  walls
template<class Collision, class Heat>
hybridState plainSteps
(
    const heatedCube& cube,
    hybridState state,
    int nSteps
)
{
    using Lattice = lbm::D3Q19;
    constexpr int q = Lattice::q;
    const int n = cube.n;
    const std::int64_t nNodes = cube.nNodes();
    const ratesOf<Collision, double> rates(cube.relaxationTime());

    // With a layer of nodes beyond the walls
    const auto padded = [n](int x, int y, int z)
    {
        return x + 1 + (n + 2)*(y + 1 + std::int64_t(n + 2)*(z + 1));
    };
    const auto inside = [n](int x) { return std::min(std::max(x, 0), n - 1); };
    const auto box = [n](int x, int y, int z)
    {
        return x + n*(y + std::int64_t(n)*z);
    };

    for (int t = 0; t < nSteps; ++t)
    {
        std::vector<double> T(padded(n, n, n) + 1);
        for (int z = -1; z <= n; ++z)
        {
            for (int y = -1; y <= n; ++y)
            {
                for (int x = -1; x <= n; ++x)
                {
                    const double image =
                        state.T[box(inside(x), inside(y), inside(z))];
                    T[padded(x, y, z)] =
                        x < 0 ? 2*cube.hot - image
                      : x == n ? 2*cube.cold - image
                      : image;
                }
            }
        }

        hybridState next{state.h, state.T};
        for (std::int64_t l = 0; l < nNodes; ++l)
        {
            const int x = l % n, y = l/n % n, z = l/n/n;
            double h[q], d[q], u[3];
            for (int i = 0; i < q; ++i)
            {
                h[i] = state.h[i*nNodes + l];
                d[i] =
                    T
                    [
                        padded
                        (
                            x + Lattice::c(i, 0),
                            y + Lattice::c(i, 1),
                            z + Lattice::c(i, 2)
                        )
                    ]
                  - state.T[l];
            }
            auto p = rates.p;
            p.force[1] = cube.perUnit()*state.T[l];
            lbm::densityVelocity<Lattice>(h, u);
            u[1] += 0.5*p.force[1];
            if constexpr (Heat::active)
            {
                next.T[l] += Heat::change(d, u, cube.diffusivity());
            }
            Collision::operation::template collide<Lattice, lbm::guoForcing>
            (
                h, p, rates.own
            );
            for (int i = 0; i < q; ++i)
            {
                const int to[3] =
                {
                    x + Lattice::c(i, 0),
                    y + Lattice::c(i, 1),
                    z + Lattice::c(i, 2)
                };
                bool wall = false;
                for (const int c : to)
                {
                    wall = wall || c < 0 || c == n;
                }
                const std::int64_t slot =
                    wall
                  ? lbm::opposite(i)*nNodes + l
                  : i*nNodes + box(to[0], to[1], to[2]);
                next.h[slot] = h[i];
            }
        }
        state = next;
    }
    return state;
}

} // End namespace lbmBench

#endif
