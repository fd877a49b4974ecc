#include "studyLibrary.H"

#include <dlfcn.h>

namespace lbmBench
{

namespace
{

//- A function of the library, of the type of another
template<class Function>
Function* find(const char* name)
{
    const char* const library = "liblbmBenchStudy.so";
    void* const handle = dlopen(library, RTLD_NOW);
    if (!handle)
    {
        throw lbm::error
        (
            "kernels of lbmBench need a build with CUDA; "
          + std::string(library) + " was not found or does not load ("
          + dlerror() + ")"
        );
    }
    const auto function =
        reinterpret_cast<Function*>(dlsym(handle, name));
    if (!function)
    {
        throw lbm::error
        (
            std::string(library) + " is of another build (" + dlerror() + ")"
        );
    }
    return function;
}

} // End anonymous namespace


const std::vector<study>& studies()
{
    return *find<decltype(lbmBenchStudies)>("lbmBenchStudies")();
}


nodeRate nodeRateOf(const lbm::engineSettings& s, bool severalNodesAThread)
{
    return find<decltype(lbmBenchNodeRate)>("lbmBenchNodeRate")
    (
        s, severalNodesAThread
    );
}


double streamingTime
(
    const lbm::engineSettings& s,
    const lbm::latticeDescription& d
)
{
    return find<decltype(lbmBenchStreamingTime)>("lbmBenchStreamingTime")
    (
        s, d
    );
}

} // End namespace lbmBench
