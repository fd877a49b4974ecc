/*---------------------------------------------------------------------------*\
Description
    Runs the functors of the engine in CUDA kernels.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaBackend_cuh
#define lbm_cudaBackend_cuh

#include "cudaHandles.cuh"
#include "cudaTransport.cuh"
#include "engine/engineInstances.H"
#include "lineUpdate.cuh"
#include "vectorUpdate.cuh"

#include <algorithm>
#include <cub/block/block_reduce.cuh>

namespace lbm
{

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

//- A tile a block
template<class March>
__global__ void __launch_bounds__(March::nThreads, March::nBlocksAtOnce)
tilesKernel(const March march)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    auto* const shared = reinterpret_cast<typename March::number*>(bytes);

    auto own = march.start(blockIdx.x, threadIdx.x);
    const int n = march.planesOf(blockIdx.x) + 2;
    for (int k = 0; k < n; ++k)
    {
        march.putPlane(own, threadIdx.x, blockIdx.x, k, shared);
        __syncthreads();
        march.takePlane(own, threadIdx.x, blockIdx.x, k, shared);
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

template<class V>
struct valueAt
{
    const V* values;

    __device__ V operator()(std::int64_t i) const
    {
        return values[i];
    }
};

//- Blocks of a reduction, whatever its size, so that the order of the sum is
//  fixed; one more adds their results
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
        i += std::int64_t(gridDim.x)*cudaBlock
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
    int device_;

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

    template<class Precision> using stepsOf = termsOfSteps;

    static constexpr bool linksAtOnce = true;
    static constexpr bool scalarsAtOnce = true;

    //- With fewer nodes a second kernel costs more than it saves
    static constexpr std::int64_t apartFrom = severalFrom;

    using stream = cudaStream;
    using event = cudaMark;
    using timer = cudaTimer;
    using graph = cudaReplay;
    using shelf = cudaShelf;
    using pinned = cudaPinned;
    using transport = cudaTransport<cudaBackend>;
    template<class V> using array = cudaArray<V>;

    //- Where values rest on their way to the host; made when first needed
    class stage
    {
        friend class cudaBackend;

        std::int64_t nBytes_;
        cudaPinned memory_;
        cudaMark arrived_;

    public:

        explicit stage(std::int64_t nBytes)
        :
            nBytes_(nBytes)
        {}
    };

    //- Nodes of a kind as a list of lines
    class nodes
    {
        friend class cudaBackend;

        cudaArray<std::uint32_t> line_, marks_, mark_, first_, numbers_;
        lineList list_;

    public:

        nodes
        (
            const std::vector<std::uint8_t>& flags,
            const nodeLayout& layout,
            const std::vector<markedNode>& marked,
            nodeKind kind
        )
        {
            static_assert(enginePlan::block == cudaWarp, "a warp a line");

            const lineNumbers numbers(flags, layout, marked, kind);
            line_ = onDevice(numbers.line);
            marks_ = onDevice(numbers.marks);
            mark_ = onDevice(numbers.mark);
            if (numbers.terms)
            {
                first_ = onDevice(numbers.first);
            }
            numbers_ = onDevice(numbers.numbers);
            list_ =
            {
                static_cast<unsigned>(numbers.line.size()),
                line_.data(),
                marks_.data(),
                mark_.data(),
                first_.data(),
                numbers_.data()
            };
        }
    };


    explicit cudaBackend(const engineSettings& s)
    :
        device_(s.device)
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
        use();
    }


    // Several of them

        //- What the calling thread does next is for this device
        void use() const
        {
            lbmCuda(cudaSetDevice(device_));
        }

        //- Can memory of another be written from here
        bool reaches(const cudaBackend& other) const
        {
            if (other.device_ == device_)
            {
                return true;
            }
            int can = 0;
            lbmCuda(cudaDeviceCanAccessPeer(&can, device_, other.device_));
            if (!can)
            {
                return false;
            }
            const cudaError_t code =
                cudaDeviceEnablePeerAccess(other.device_, 0);
            if (code == cudaErrorPeerAccessAlreadyEnabled)
            {
                cudaGetLastError();
                return true;
            }
            checkCuda(code, "cudaDeviceEnablePeerAccess");
            return true;
        }

        //- Copy to memory of another
        template<class V>
        void copyTo
        (
            stream& s,
            const cudaBackend& other,
            V* to,
            const V* from,
            std::int64_t n
        ) const
        {
            lbmCuda
            (
                cudaMemcpyPeerAsync
                (
                    to, other.device_, from, device_, n*sizeof(V), s.get()
                )
            );
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

        //- Wait on the host
        void waitFor(event& e) const
        {
            lbmCuda(cudaEventSynchronize(e.get()));
        }

        //- In a graph, too: with each replay
        void stamp(stream& s, timer& t) const
        {
            cudaStreamCaptureStatus status;
            lbmCuda(cudaStreamIsCapturing(s.get(), &status));
            lbmCuda
            (
                cudaEventRecordWithFlags
                (
                    t.get(),
                    s.get(),
                    status == cudaStreamCaptureStatusActive
                  ? cudaEventRecordExternal
                  : cudaEventRecordDefault
                )
            );
        }

        double secondsBetween(const timer& from, const timer& to) const
        {
            float milliseconds = 0;
            lbmCuda
            (
                cudaEventElapsedTime(&milliseconds, from.get(), to.get())
            );
            return 1e-3*milliseconds;
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


        //- Start to copy bytes to or from pinned memory
        void travel(stream& s, void* to, const void* from, std::int64_t n) const
        {
            if (n > 0)
            {
                lbmCuda
                (
                    cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s.get())
                );
            }
        }

        //- Start to bring bytes to a stage
        void send(stream& s, stage& to, const void* from, std::int64_t n) const
        {
            if (!to.memory_.get())
            {
                to.memory_ = cudaPinned(to.nBytes_);
            }
            lbmCuda
            (
                cudaMemcpyAsync
                (
                    to.memory_.get(), from, n, cudaMemcpyDeviceToHost, s.get()
                )
            );
            record(s, to.arrived_);
        }

        //- Are they there
        bool hasArrived(stage& s) const
        {
            const cudaError_t code = cudaEventQuery(s.arrived_.get());
            if (code == cudaErrorNotReady)
            {
                return false;
            }
            checkCuda(code, "cudaEventQuery");
            return true;
        }

        //- The bytes, once they are there. The stage is free again when the
        //  caller has taken them
        const void* arrived(stage& from) const
        {
            lbmCuda(cudaEventSynchronize(from.arrived_.get()));
            return from.memory_.get();
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
            }
            else
            {
                constexpr int width = vectorWidth<Function>();
                if constexpr (width > 1)
                {
                    if (n >= severalFrom && takesVectors(f))
                    {
                        vectorKernel
                        <<<blocks(n/width), cudaBlock, 0, s.get()>>>
                        (
                            lines, 0, slotsOfUpdate<Function>(f), f
                        );
                        checkLaunch("vectorKernel");
                        return;
                    }
                }
                linesKernel<<<blocks(n), cudaBlock, 0, s.get()>>>(lines, 0, f);
                checkLaunch("linesKernel");
            }
        }

        //- Bytes that a block of tiles shares
        template<class March>
        static constexpr int sharedBytes()
        {
            return March::nShared*sizeof(typename March::number);
        }

        //- Throws if there is no memory for blocks of tiles
        template<class March>
        void checkTiles() const
        {
            int most = 0;
            lbmCuda
            (
                cudaDeviceGetAttribute
                (
                    &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_
                )
            );
            if (most < sharedBytes<March>())
            {
                throw error
                (
                    "moments need " + std::to_string(sharedBytes<March>())
                  + " bytes that a block of threads shares, and the device has "
                  + std::to_string(most) + "; storage populations is possible"
                );
            }
        }

        //- Do a step of tiles (moments/tileMarch.H)
        template<class March>
        void forTiles(stream& s, const March& march) const
        {
            constexpr int nBytes = sharedBytes<March>();
            lbmCuda
            (
                cudaFuncSetAttribute
                (
                    tilesKernel<March>,
                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                    nBytes
                )
            );
            tilesKernel
            <<<
                static_cast<unsigned>(march.nBlocks()),
                March::nThreads,
                nBytes,
                s.get()
            >>>(march);
            checkLaunch("tilesKernel");
        }

        //- A result on its way
        template<class Result>
        struct pending
        {
            const Result* value;
        };

        //- Start f(begin) + ... + f(end - 1). init: what adds nothing. The
        //  result is to be taken before the next one is started
        template<class Result, class Function>
        pending<Result> startReduce
        (
            stream& s,
            std::int64_t begin,
            std::int64_t end,
            const Function& f,
            const Result& init
        )
        {
            constexpr std::size_t nPartial = reductionBlocks;
            if (scratchBytes_ < (nPartial + 1)*sizeof(Result))
            {
                scratchBytes_ = (nPartial + 1)*sizeof(Result);
                scratch_ = cudaArray<char>(scratchBytes_);
            }
            Result* const partial = reinterpret_cast<Result*>(scratch_.data());
            reduceKernel<<<reductionBlocks, cudaBlock, 0, s.get()>>>
            (
                begin, end, f, init, partial
            );
            checkLaunch("reduceKernel");

            reduceKernel<<<1, cudaBlock, 0, s.get()>>>
            (
                0, nPartial, valueAt<Result>{partial}, init, partial + nPartial
            );
            checkLaunch("reduceKernel");

            return {partial + nPartial};
        }

        template<class Result>
        Result finishReduce(stream& s, const pending<Result>& p) const
        {
            Result result;
            download(s, &result, p.value, 1);
            return result;
        }


    // Graphs

        //- Record what f gives to a stream and to those that wait for it.
        //  priorities: the work of urgent streams goes first
        template<class Function>
        graph recordGraph
        (
            stream& s,
            bool priorities,
            const Function& f
        ) const
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

            graph result(recorded, priorities);
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
