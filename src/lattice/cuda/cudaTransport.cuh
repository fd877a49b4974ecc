/*---------------------------------------------------------------------------*\
Description
    How packed values get from a device to those of other processes: by NCCL,
    as work of the stream, or through memory of the host (exchange/transport.H)
    where NCCL is missing, cannot be used, or is not to be.

    NCCL is loaded when it is first asked for, so that nothing depends on it.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaTransport_cuh
#define lbm_cudaTransport_cuh

#include "exchange/gathered.H"
#include "exchange/transport.H"
#include "cudaHandles.cuh"
#include "floatingPointScope.H"

#include <cstring>
#include <dlfcn.h>
#include <string>

#if __has_include(<nccl.h>)
    #include <nccl.h>
    #define LBM_HAS_NCCL 1
#else
    #define LBM_HAS_NCCL 0
#endif

namespace lbm
{

#if LBM_HAS_NCCL

//- Functions of the library that is there at run time
class ncclLibrary
{
    void* handle_ = nullptr;

    template<class Function>
    void find(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(dlsym(handle_, name));
        complete = complete && function;
    }

    ncclLibrary()
    {
        const floatingPointScope scope;
        handle_ = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!handle_)
        {
            return;
        }
        complete = true;
        find(getUniqueId, "ncclGetUniqueId");
        find(commInitRank, "ncclCommInitRank");
        find(commDestroy, "ncclCommDestroy");
        find(groupStart, "ncclGroupStart");
        find(groupEnd, "ncclGroupEnd");
        find(send, "ncclSend");
        find(recv, "ncclRecv");
        find(errorString, "ncclGetErrorString");
    }

public:

    bool complete = false;

    decltype(ncclGetUniqueId)* getUniqueId = nullptr;
    decltype(ncclCommInitRank)* commInitRank = nullptr;
    decltype(ncclCommDestroy)* commDestroy = nullptr;
    decltype(ncclGroupStart)* groupStart = nullptr;
    decltype(ncclGroupEnd)* groupEnd = nullptr;
    decltype(ncclSend)* send = nullptr;
    decltype(ncclRecv)* recv = nullptr;
    decltype(ncclGetErrorString)* errorString = nullptr;

    static const ncclLibrary& get()
    {
        static const ncclLibrary library;
        return library;
    }

    void check(ncclResult_t result) const
    {
        if (result != ncclSuccess)
        {
            throw error(std::string("NCCL: ") + errorString(result));
        }
    }
};


//- The devices of all processes
class ncclGroup
{
    ncclComm_t comm_ = nullptr;

public:

    //- Null where NCCL cannot be used by all, for a reason
    static std::shared_ptr<ncclGroup> New
    (
        communicator& processes,
        std::string& reason
    )
    {
        // It and the threads that it starts divide by zero
        const floatingPointScope scope;
        const ncclLibrary& nccl = ncclLibrary::get();
        if (inAny(&processes, !nccl.complete))
        {
            reason = "as libnccl.so.2 is missing";
            return nullptr;
        }

        // One process a device: NCCL refuses others
        int device = 0;
        lbmCuda(cudaGetDevice(&device));
        cudaDeviceProp own;
        lbmCuda(cudaGetDeviceProperties(&own, device));
        const auto all = gathered(processes, &own.uuid, 1);
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            for (std::size_t j = 0; j < i; ++j)
            {
                if (std::memcmp(&all[i], &all[j], sizeof(all[i])) == 0)
                {
                    reason = "as processes share a device";
                    return nullptr;
                }
            }
        }

        ncclUniqueId id{};
        ncclResult_t result = ncclSuccess;
        if (processes.rank() == 0)
        {
            result = nccl.getUniqueId(&id);
        }
        id = gathered(processes, &id, 1)[0];
        auto group = std::make_shared<ncclGroup>();
        if (result == ncclSuccess)
        {
            result = nccl.commInitRank
            (
                &group->comm_, processes.size(), id, processes.rank()
            );
        }
        if (inAny(&processes, result != ncclSuccess))
        {
            reason =
                result != ncclSuccess
              ? std::string("as NCCL reports ") + nccl.errorString(result)
              : "as NCCL failed in another process";
            return nullptr;
        }
        return group;
    }

    ncclGroup() = default;
    ncclGroup(const ncclGroup&) = delete;

    ~ncclGroup()
    {
        if (comm_)
        {
            ncclLibrary::get().commDestroy(comm_);
        }
    }

    //- Exchange messages on a stream
    void exchange
    (
        const std::vector<communicator::message>& messages,
        cudaStream_t s
    ) const
    {
        const floatingPointScope scope;
        const ncclLibrary& nccl = ncclLibrary::get();
        nccl.check(nccl.groupStart());
        for (const communicator::message& m : messages)
        {
            if (m.nSent > 0)
            {
                nccl.check
                (
                    nccl.send(m.sent, m.nSent, ncclChar, m.peer, comm_, s)
                );
            }
            if (m.nReceived > 0)
            {
                nccl.check
                (
                    nccl.recv
                    (
                        m.received, m.nReceived, ncclChar, m.peer, comm_, s
                    )
                );
            }
        }
        nccl.check(nccl.groupEnd());
    }
};

#else

class ncclGroup
{
public:

    static std::shared_ptr<ncclGroup> New(communicator&, std::string& reason)
    {
        reason = "as nccl.h was missing when this was compiled";
        return nullptr;
    }

    void exchange
    (
        const std::vector<communicator::message>&,
        cudaStream_t
    ) const
    {}
};

#endif


template<class Backend>
class cudaTransport
{
    stagedTransport<Backend> staged_;
    std::shared_ptr<ncclGroup> nccl_;
    std::vector<communicator::message> messages_;
    bool any_ = false;

public:

    cudaTransport() = default;

    cudaTransport
    (
        std::shared_ptr<communicator> peers,
        std::vector<communicator::message> messages
    )
    :
        messages_(std::move(messages)),
        any_(bool(peers))
    {
        std::string reason = "as given in LBM of system/fvSolution";
        if (!peers->staged)
        {
            nccl_ = ncclGroup::New(*peers, reason);
        }
        if (nccl_)
        {
            peers->transport = "NCCL";

            // It connects when it is first used, which cannot be recorded
            const typename Backend::stream s;
            nccl_->exchange(messages_, s.get());
            lbmCuda(cudaStreamSynchronize(s.get()));
            return;
        }
        peers->transport = "staged in memory of the host, " + reason;
        staged_ = stagedTransport<Backend>(std::move(peers), messages_);
    }

    //- Does the host wait for what a stream has been given
    bool waits() const
    {
        return any_ && !nccl_;
    }

    explicit operator bool() const
    {
        return any_;
    }

    void start(const Backend& backend, typename Backend::stream& s)
    {
        if (nccl_)
        {
            nccl_->exchange(messages_, s.get());
        }
        else
        {
            staged_.start(backend, s);
        }
    }

    void finish(const Backend& backend, typename Backend::stream& s)
    {
        if (!nccl_)
        {
            staged_.finish(backend, s);
        }
    }
};

} // End namespace lbm

#endif
