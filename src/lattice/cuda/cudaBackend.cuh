/*---------------------------------------------------------------------------*\
Description
    Runs the functors of the engine in CUDA kernels.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaBackend_cuh
#define lbm_cudaBackend_cuh

#include "cudaHandles.cuh"
#include "latticeEngine.H"

#include <algorithm>
#include <cub/block/block_reduce.cuh>

namespace lbm
{

constexpr int cudaBlock = 128;
constexpr unsigned cudaWarp = 32;

//- Mark of a block of places that holds nodes of several kinds
constexpr std::uint32_t mixedBlock = 1u << 31;

//- Blocks that a multiprocessor shall hold at once: enough to cover the
//  latency of memory; with more, registers spill or the many rows open at a
//  time slow the memory down
template<class Function>
constexpr int minBlocks()
{
    return sizeof(typename Function::T) == 4 ? 5 : 4;
}

template<class Function>
__global__ void __launch_bounds__(cudaBlock)
loopKernel(std::int64_t n, const Function f)
{
    const std::int64_t i =
        std::int64_t(blockIdx.x)*cudaBlock + threadIdx.x;
    if (i < n)
    {
        f(i);
    }
}

//- Nodes of a kind in a list of blocks of places, a warp a block. Only in
//  blocks marked as mixed do the flags have to be read.
template<class Function>
__global__ void __launch_bounds__(cudaBlock, minBlocks<Function>())
blocksKernel
(
    std::int64_t nBlocks,
    const std::uint32_t* __restrict__ blocks,
    const std::uint8_t* __restrict__ flags,
    nodeKind kind,
    std::int64_t zero,
    const Function f
)
{
    const std::int64_t i =
        (std::int64_t(blockIdx.x)*cudaBlock + threadIdx.x)/cudaWarp;
    if (i < nBlocks)
    {
        const std::uint32_t entry = blocks[i];
        const sharedPlace n
        {
            std::int64_t(entry & ~mixedBlock)*cudaWarp,
            threadIdx.x % cudaWarp,
            zero
        };
        if (!(entry & mixedBlock) || flags[n.base + n.lane] == kind)
        {
            f(n);
        }
    }
}

struct combine
{
    template<class V>
    __device__ V operator()(const V& a, const V& b) const
    {
        return a + b;
    }
};

//- Blocks of a reduction, whatever its size: the order of the sum is fixed
constexpr int reductionBlocks = 1024;

//- A sum for each block
template<class Function, class Result>
__global__ void __launch_bounds__(cudaBlock)
reduceKernel
(
    std::int64_t begin,
    std::int64_t end,
    const Function f,
    const Result init,
    Result* partial
)
{
    using blockReduce = cub::BlockReduce<Result, cudaBlock>;
    __shared__ typename blockReduce::TempStorage shared;

    Result sum = init;
    for
    (
        std::int64_t i =
            begin + std::int64_t(blockIdx.x)*cudaBlock + threadIdx.x;
        i < end;
        i += std::int64_t(reductionBlocks)*cudaBlock
    )
    {
        sum = sum + f(i);
    }
    sum = blockReduce(shared).Reduce(sum, combine());
    if (threadIdx.x == 0)
    {
        partial[blockIdx.x] = sum;
    }
}


class cudaBackend
{
    //- Temporary storage of reductions
    cudaArray<char> scratch_;
    std::size_t scratchBytes_ = 0;

    static unsigned blocks(std::int64_t n)
    {
        return static_cast<unsigned>((n + cudaBlock - 1)/cudaBlock);
    }

public:

    static constexpr const char* name = "cuda";
    static constexpr bool hasGraphs = true;

    using stream = cudaStream;
    using event = cudaMark;
    using graph = cudaReplay;
    template<class V> using array = cudaArray<V>;

    //- Nodes of a kind as a list of the blocks that hold one
    class nodes
    {
        friend class cudaBackend;

        const std::uint8_t* flags_;
        nodeKind kind_;
        cudaArray<std::uint32_t> blocks_;
        std::int64_t nBlocks_;

    public:

        nodes
        (
            const std::vector<std::uint8_t>& flags,
            const std::uint8_t* deviceFlags,
            nodeKind kind
        )
        :
            flags_(deviceFlags),
            kind_(kind)
        {
            static_assert(enginePlan::block == cudaWarp, "a warp a block");

            std::vector<std::uint32_t> blocks;
            for (std::size_t first = 0; first < flags.size(); first += cudaWarp)
            {
                const auto begin = flags.begin() + first;
                const auto n = std::count(begin, begin + cudaWarp, kind);
                if (n > 0)
                {
                    blocks.push_back
                    (
                        first/cudaWarp | (n < cudaWarp ? mixedBlock : 0)
                    );
                }
            }
            nBlocks_ = blocks.size();
            blocks_ = cudaArray<std::uint32_t>(nBlocks_);
            lbmCuda
            (
                cudaMemcpy
                (
                    blocks_.data(),
                    blocks.data(),
                    nBlocks_*sizeof(std::uint32_t),
                    cudaMemcpyHostToDevice
                )
            );
        }
    };


    explicit cudaBackend(const engineSettings& s)
    {
        int n = 0;
        lbmCuda(cudaGetDeviceCount(&n));
        if (s.device < 0 || s.device >= n)
        {
            throw error
            (
                "there is no CUDA device " + std::to_string(s.device)
              + ", valid ones are 0 to " + std::to_string(n - 1)
            );
        }
        lbmCuda(cudaSetDevice(s.device));
    }


    // Streams

        void record(stream& s, event& e) const
        {
            lbmCuda(cudaEventRecord(e.get(), s.get()));
        }

        void wait(stream& s, event& e) const
        {
            lbmCuda(cudaStreamWaitEvent(s.get(), e.get(), 0));
        }

        void synchronise() const
        {
            lbmCuda(cudaDeviceSynchronize());
        }


    // Copies; complete on return as far as host memory is concerned

        template<class V>
        void upload(stream& s, V* to, const V* from, std::int64_t n) const
        {
            copy(s, to, from, n, cudaMemcpyHostToDevice);
        }

        template<class V>
        void download(stream& s, V* to, const V* from, std::int64_t n) const
        {
            copy(s, to, from, n, cudaMemcpyDeviceToHost);
        }

        template<class V>
        void copy
        (
            stream& s,
            V* to,
            const V* from,
            std::int64_t n,
            cudaMemcpyKind kind
        ) const
        {
            if (n > 0)
            {
                lbmCuda
                (
                    cudaMemcpyAsync(to, from, n*sizeof(V), kind, s.get())
                );
                lbmCuda(cudaStreamSynchronize(s.get()));
            }
        }


    // Loops

        template<class Function>
        void forEach(stream& s, std::int64_t n, const Function& f) const
        {
            if (n > 0)
            {
                loopKernel<<<blocks(n), cudaBlock, 0, s.get()>>>(n, f);
                checkLaunch("loopKernel");
            }
        }

        template<class Function>
        void forNodes(stream& s, const nodes& which, const Function& f) const
        {
            if (which.nBlocks_ > 0)
            {
                const std::int64_t n = which.nBlocks_*cudaWarp;
                blocksKernel<<<blocks(n), cudaBlock, 0, s.get()>>>
                (
                    which.nBlocks_,
                    which.blocks_.data(),
                    which.flags_,
                    which.kind_,
                    0,
                    f
                );
                checkLaunch("blocksKernel");
            }
        }

        //- init + f(begin) + ... + f(end - 1)
        template<class Result, class Function>
        Result reduce
        (
            stream& s,
            std::int64_t begin,
            std::int64_t end,
            const Function& f,
            const Result& init
        )
        {
            constexpr std::size_t nPartial = reductionBlocks;
            if (scratchBytes_ < nPartial*sizeof(Result))
            {
                scratchBytes_ = nPartial*sizeof(Result);
                scratch_ = cudaArray<char>(scratchBytes_);
            }
            Result* const partial = reinterpret_cast<Result*>(scratch_.data());
            reduceKernel<<<reductionBlocks, cudaBlock, 0, s.get()>>>
            (
                begin, end, f, init, partial
            );
            checkLaunch("reduceKernel");

            std::vector<Result> sums(nPartial, init);
            download(s, sums.data(), partial, nPartial);
            Result result = init;
            for (const Result& sum : sums)
            {
                result = result + sum;
            }
            return result;
        }


    // Graphs

        //- Record what f gives to a stream and to those that wait for it
        template<class Function>
        graph recordGraph(stream& s, const Function& f) const
        {
            lbmCuda
            (
                cudaStreamBeginCapture
                (
                    s.get(), cudaStreamCaptureModeThreadLocal
                )
            );
            cudaGraph_t recorded = nullptr;
            try
            {
                f();
            }
            catch (...)
            {
                cudaStreamEndCapture(s.get(), &recorded);
                cudaGraphDestroy(recorded);
                throw;
            }
            lbmCuda(cudaStreamEndCapture(s.get(), &recorded));

            graph result(recorded);
            lbmCuda(cudaGraphDestroy(recorded));
            return result;
        }

        void launch(stream& s, graph& g) const
        {
            lbmCuda(cudaGraphLaunch(g.get(), s.get()));
        }
};

} // End namespace lbm

#endif
