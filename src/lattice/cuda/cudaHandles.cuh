/*---------------------------------------------------------------------------*\
Description
    Owners of device memory, streams, events and graphs.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaHandles_cuh
#define lbm_cudaHandles_cuh

#include "cudaCheck.cuh"

#include <memory>
#include <utility>
#include <vector>

namespace lbm
{

//- A handle of CUDA's, released with it. Release errors cannot be reported
//  from a destructor; what caused them has been by then.
template<class Handle, cudaError_t (*release)(Handle)>
class cudaHandle
{
protected:

    Handle handle_ = nullptr;

public:

    cudaHandle() = default;

    cudaHandle(cudaHandle&& h) noexcept
    :
        handle_(std::exchange(h.handle_, nullptr))
    {}

    cudaHandle& operator=(cudaHandle&& h) noexcept
    {
        std::swap(handle_, h.handle_);
        return *this;
    }

    ~cudaHandle()
    {
        if (handle_)
        {
            release(handle_);
        }
    }

    Handle get() const
    {
        return handle_;
    }
};


//- A stream that does not wait for the default stream. The work of urgent
//  ones goes first.
class cudaStream
:
    public cudaHandle<cudaStream_t, cudaStreamDestroy>
{
public:

    explicit cudaStream(bool urgent = false)
    {
        int lowest = 0, highest = 0;
        lbmCuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
        lbmCuda
        (
            cudaStreamCreateWithPriority
            (
                &handle_,
                cudaStreamNonBlocking,
                urgent ? highest : lowest
            )
        );
    }
};


class cudaMark
:
    public cudaHandle<cudaEvent_t, cudaEventDestroy>
{
public:

    cudaMark()
    {
        lbmCuda(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming));
    }
};


//- Time at which a stream has done what it was given before
class cudaTimer
:
    public cudaHandle<cudaEvent_t, cudaEventDestroy>
{
public:

    cudaTimer()
    {
        lbmCuda(cudaEventCreate(&handle_));
    }
};


//- Executable graph; empty until recorded
class cudaReplay
:
    public cudaHandle<cudaGraphExec_t, cudaGraphExecDestroy>
{
public:

    cudaReplay() = default;

    //- priorities: the work of urgent streams goes first in the graph, too
    cudaReplay(cudaGraph_t graph, bool priorities)
    {
        lbmCuda
        (
            cudaGraphInstantiate
            (
                &handle_,
                graph,
                priorities ? cudaGraphInstantiateFlagUseNodePriority : 0
            )
        );
    }
};


//- Device array of n values, zero at the start
template<class V>
class cudaArray
{
    cudaHandle<void*, cudaFree> memory_;

    class allocation
    :
        public cudaHandle<void*, cudaFree>
    {
    public:

        explicit allocation(std::size_t bytes)
        {
            const cudaError_t code = cudaMalloc(&handle_, bytes);
            if (code == cudaErrorMemoryAllocation)
            {
                cudaGetLastError();
                std::size_t available = 0, total = 0;
                lbmCuda(cudaMemGetInfo(&available, &total));
                throw error
                (
                    "the device has no room for "
                  + std::to_string(bytes >> 20) + " MiB more: "
                  + std::to_string(available >> 20) + " MiB of "
                  + std::to_string(total >> 20) + " MiB are free"
                );
            }
            checkCuda(code, "cudaMalloc");
            lbmCuda(cudaMemset(handle_, 0, bytes));
            lbmCuda(cudaDeviceSynchronize());
        }
    };

public:

    cudaArray() = default;

    explicit cudaArray(std::int64_t n)
    {
        if (n > 0)
        {
            memory_ = allocation(n*sizeof(V));
        }
    }

    V* data() const
    {
        return static_cast<V*>(memory_.get());
    }
};


//- Values as an array of the device
template<class V>
cudaArray<V> onDevice(const std::vector<V>& values)
{
    cudaArray<V> result(values.size());
    lbmCuda
    (
        cudaMemcpy
        (
            result.data(),
            values.data(),
            values.size()*sizeof(V),
            cudaMemcpyHostToDevice
        )
    );
    return result;
}


//- Host memory that a device reaches by itself, without the copy that other
//  memory takes on the way
class cudaPinned
:
    public cudaHandle<void*, cudaFreeHost>
{
public:

    cudaPinned() = default;

    explicit cudaPinned(std::size_t bytes)
    {
        lbmCuda(cudaMallocHost(&handle_, bytes));
    }
};


//- Device memory for a while, which any thread may bring to the host. In a
//  stream of its own: neither that nor the release waits for other work
class cudaShelf
{
    //- What stays free, for work that takes memory as it goes
    static constexpr std::size_t reserve = std::size_t(256) << 20;

    struct memory
    {
        int device = 0;
        cudaStream stream;
        void* data = nullptr;

        ~memory()
        {
            if (data && cudaSetDevice(device) == cudaSuccess)
            {
                cudaFreeAsync(data, stream.get());
            }
        }
    };

    std::unique_ptr<memory> memory_;

public:

    cudaShelf(const engineSettings& s, std::int64_t nBytes)
    :
        memory_(std::make_unique<memory>())
    {
        memory& m = *memory_;
        m.device = s.device;

        std::size_t available = 0, total = 0;
        lbmCuda(cudaMemGetInfo(&available, &total));

        if (available < nBytes + reserve)
        {
            return;
        }
        if (cudaMallocAsync(&m.data, nBytes, m.stream.get()) != cudaSuccess)
        {
            // None of its memory, or no pools of memory
            cudaGetLastError();
            m.data = nullptr;
            return;
        }
        lbmCuda(cudaStreamSynchronize(m.stream.get()));
    }

    void* data() const
    {
        return memory_->data;
    }

    void get(std::int64_t first, std::int64_t count, void* to) const
    {
        const memory& m = *memory_;
        lbmCuda(cudaSetDevice(m.device));
        lbmCuda
        (
            cudaMemcpyAsync
            (
                to,
                static_cast<const char*>(m.data) + first,
                count,
                cudaMemcpyDeviceToHost,
                m.stream.get()
            )
        );
        lbmCuda(cudaStreamSynchronize(m.stream.get()));
    }
};

} // End namespace lbm

#endif
