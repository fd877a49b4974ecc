/*---------------------------------------------------------------------------*\
Description
    Runs the functors of the engine in CUDA kernels.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaBackend_cuh
#define lbm_cudaBackend_cuh

#include "cudaHandles.cuh"
#include "latticeEngine.H"
#include "vectorUpdate.cuh"

#include <algorithm>
#include <cub/block/block_reduce.cuh>

namespace lbm
{

//- Does a function update nodes whose neighbours are looked up
template<class Function>
constexpr bool looksUp()
{
    if constexpr (updatesNodes<Function>())
    {
        return !Function::model::layout::contiguous;
    }
    return false;
}

//- Blocks that a multiprocessor shall hold at once: enough to cover the
//  latency of memory; with more, registers spill or the many rows open at a
//  time slow the memory down
template<class Function>
constexpr int minBlocks()
{
    // Populations of more directions, and their places, need the registers
    constexpr bool more = decltype(Function::m)::lattice::q > 19;
    if constexpr (updatesNodes<Function>())
    {
        // A list waits for its table before it can load the populations
        if (!Function::model::layout::contiguous)
        {
            return (sizeof(typename Function::T) == 4 ? 6 : 4) - 2*more;
        }
    }
    return (sizeof(typename Function::T) == 4 ? 5 : 4) - more;
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

//- Mark of a position of a line whose marks lie there
__device__ __forceinline__ std::uint32_t markOf
(
    const lineList& lines,
    std::uint32_t marks,
    unsigned lane
)
{
    return
        marks == lineList::none
      ? presentNode
      : lines.mark[std::int64_t(marks)*cudaWarp + lane];
}

//- Nodes of a list of lines, a warp a line and a thread a node
template<class Function>
__global__ void __launch_bounds__(cudaBlock, minBlocks<Function>())
linesKernel
(
    const lineList lines,
    std::int64_t zero,
    const Function f
)
{
    const unsigned i = (blockIdx.x*cudaBlock + threadIdx.x)/cudaWarp;
    if (i < lines.n)
    {
        const sharedPosition n
        {
            std::int64_t(lines.line[i])*cudaWarp, threadIdx.x % cudaWarp, zero
        };
        const std::uint32_t marks = lines.marks[i];
        const std::uint32_t mark = markOf(lines, marks, n.lane);
        if constexpr (updatesNodes<Function>())
        {
            if (marks == lineList::none)
            {
                f(n);
            }
            else if (mark & presentNode)
            {
                f(n, mark);
            }
        }
        else if (mark & presentNode)
        {
            f(n);
        }
    }
}

//- Lines from which on a warp takes several
constexpr unsigned linesPerWarpFrom = 1 << 15;

//- Lines of a warp at most where neighbours are looked up
constexpr unsigned maxLines = 8;

//- Update the nodes of a list of lines whose neighbours are looked up, perWarp
//  lines a warp. Their numbers are loaded together: the latency of that is paid
//  once.
template<class Update>
__global__ void __launch_bounds__(cudaBlock, minBlocks<Update>())
lookedUpKernel
(
    const lineList lines,
    unsigned perWarp,
    std::int64_t zero,
    const Update update
)
{
    using neighbours = decltype(update.m.f.neighbour);
    constexpr int nNumbers = neighbours::nNumbers;
    constexpr unsigned all = 0xffffffffu;
    static_assert(4*maxLines == cudaWarp, "four numbers a line and register");

    const unsigned lane = threadIdx.x % cudaWarp;
    const unsigned first =
        (blockIdx.x*cudaBlock + threadIdx.x)/cudaWarp*perWarp;
    if (first >= lines.n)
    {
        return;
    }
    const unsigned n = min(perWarp, lines.n - first);

    std::uint32_t numbers[nNumbers/4];
    const unsigned own = min(lane/4, n - 1);
    for (int r = 0; r < nNumbers/4; ++r)
    {
        numbers[r] =
            lines.numbers[std::int64_t(first + own)*nNumbers + 4*r + lane % 4];
    }

    for (unsigned l = 0; l < n; ++l)
    {
        const auto number = [&](int i)
        {
            return __shfl_sync(all, numbers[i/4], 4*l + i % 4);
        };
        const std::uint32_t line = number(nNumbers - 2);
        const std::uint32_t marks = number(nNumbers - 1);
        const std::uint32_t mark = markOf(lines, marks, lane);

        const auto located = update.m.f.neighbour.locate
        (
            sharedPosition{std::int64_t(line)*cudaWarp, lane, zero}, number
        );
        if (marks == lineList::none)
        {
            update(located);
        }
        else if (mark & presentNode)
        {
            update(located, mark);
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
    static constexpr bool wallsAtOnce = true;

    using stream = cudaStream;
    using event = cudaMark;
    using graph = cudaReplay;
    template<class V> using array = cudaArray<V>;

    //- Nodes of a kind as a list of lines
    class nodes
    {
        friend class cudaBackend;

        cudaArray<std::uint32_t> line_, marks_, mark_, numbers_;
        lineList list_;

        static cudaArray<std::uint32_t> onDevice
        (
            const std::vector<std::uint32_t>& values
        )
        {
            cudaArray<std::uint32_t> result(values.size());
            lbmCuda
            (
                cudaMemcpy
                (
                    result.data(),
                    values.data(),
                    values.size()*sizeof(std::uint32_t),
                    cudaMemcpyHostToDevice
                )
            );
            return result;
        }

    public:

        nodes
        (
            const std::vector<std::uint8_t>& flags,
            const nodeLayout& layout,
            const std::vector<std::pair<std::uint32_t, std::uint32_t>>& walls,
            nodeKind kind
        )
        {
            static_assert(enginePlan::block == cudaWarp, "a warp a line");

            const lineNumbers numbers(flags, layout, walls, kind);
            line_ = onDevice(numbers.line);
            marks_ = onDevice(numbers.marks);
            mark_ = onDevice(numbers.mark);
            numbers_ = onDevice(numbers.numbers);
            list_ =
            {
                static_cast<unsigned>(numbers.line.size()),
                line_.data(),
                marks_.data(),
                mark_.data(),
                numbers_.data()
            };
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
            const lineList& lines = which.list_;
            if (lines.n == 0)
            {
                return;
            }
            const std::int64_t n = std::int64_t(lines.n)*cudaWarp;
            if constexpr (looksUp<Function>())
            {
                const unsigned perWarp =
                    lines.n >= linesPerWarpFrom ? maxLines : 1;
                const unsigned nWarps = (lines.n + perWarp - 1)/perWarp;
                lookedUpKernel
                <<<
                    blocks(std::int64_t(nWarps)*cudaWarp),
                    cudaBlock,
                    0,
                    s.get()
                >>>(lines, perWarp, 0, f);
                checkLaunch("lookedUpKernel");
                return;
            }
            constexpr int width = vectorWidth<Function>();
            if constexpr (width > 1)
            {
                if (n >= vectorsFrom)
                {
                    vectorKernel<<<blocks(n/width), cudaBlock, 0, s.get()>>>
                    (
                        lines, 0, slotsOf<Function>(f), f
                    );
                    checkLaunch("vectorKernel");
                    return;
                }
            }
            linesKernel<<<blocks(n), cudaBlock, 0, s.get()>>>(lines, 0, f);
            checkLaunch("linesKernel");
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
