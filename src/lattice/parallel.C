#include "parallel.H"

#include <algorithm>
#include <cstring>
#include <exception>
#include <omp.h>

namespace lbm
{

int hostThreads(std::int64_t n, std::int64_t perThread)
{
    return std::clamp<std::int64_t>(n/perThread, 1, omp_get_max_threads());
}


void onThreads(int nThreads, const std::function<void(int, int)>& f)
{
    // An exception that leaves a thread ends the program
    std::exception_ptr failure;

    #pragma omp parallel num_threads(nThreads)
    {
        try
        {
            f(omp_get_thread_num(), omp_get_num_threads());
        }
        catch (...)
        {
            #pragma omp critical
            failure = std::current_exception();
        }
    }

    if (failure)
    {
        std::rethrow_exception(failure);
    }
}


void inParallel
(
    std::int64_t n,
    const std::function<void(std::int64_t, std::int64_t)>& f,
    std::int64_t perThread
)
{
    const int nParts = hostThreads(n, perThread);
    if (nParts == 1)
    {
        f(0, n);
        return;
    }

    // Always as many threads: where their number changes, they are started anew
    onThreads(omp_get_max_threads(), [&](int thread, int nThreads)
    {
        for (std::int64_t part = thread; part < nParts; part += nThreads)
        {
            f(n*part/nParts, n*(part + 1)/nParts);
        }
    });
}


void copyInParallel(void* to, const void* from, std::size_t nBytes)
{
    constexpr std::int64_t perThread = 1 << 18;

    const auto copy = [&](std::int64_t begin, std::int64_t end)
    {
        std::memcpy
        (
            static_cast<char*>(to) + begin,
            static_cast<const char*>(from) + begin,
            end - begin
        );
    };
    inParallel(nBytes, copy, perThread);
}

} // End namespace lbm
