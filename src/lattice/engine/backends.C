#include "backends.H"

#include <dlfcn.h>

namespace lbm
{

namespace
{

std::vector<backendEntry>& table()
{
    static std::vector<backendEntry> entries;
    return entries;
}

//- Why the CUDA library did not open; empty if it did
const std::string& openCuda()
{
    static const std::string failure = []()
    {
        const char* library = "liblbmLatticeCuda.so";
        if (dlopen(library, RTLD_NOW | RTLD_GLOBAL))
        {
            return std::string();
        }
        const std::string reason = dlerror();
        const bool missing =
            reason.find(library) == 0
         && reason.find("No such file") != std::string::npos;
        return missing
          ? "not installed: Allwmake builds it where there is a GPU or NVARCH is"
            " set"
          : "not usable (" + reason + ")";
    }();
    return failure;
}

const backendEntry& backend(const std::string& name)
{
    if (name == "cuda" && !openCuda().empty())
    {
        throw error
        (
            "the backend cuda is " + openCuda() + "; host and auto are valid"
        );
    }
    for (const backendEntry& b : backends())
    {
        if (b.name == name)
        {
            return b;
        }
    }

    std::string text;
    for (const std::string& valid : engine::validNames("backend"))
    {
        text += " " + valid;
    }
    throw error("unknown backend '" + name + "', valid ones are:" + text);
}

} // End anonymous namespace


void registerBackend(backendEntry entry)
{
    table().push_back(std::move(entry));
}


const std::vector<backendEntry>& backends()
{
    return table();
}


const backendEntry& usableBackend(const std::string& name)
{
    const backendEntry& b = backend(name);
    std::string reason;
    if (!b.available(reason))
    {
        throw error("the backend " + name + " cannot run: " + reason);
    }
    return b;
}


std::string engine::defaultBackend(std::string& reason)
{
    if (!openCuda().empty())
    {
        reason = "the CUDA backend is " + openCuda();
        return "host";
    }
    if (!backend("cuda").available(reason))
    {
        return "host";
    }
    reason = "a CUDA device answers";
    return "cuda";
}


std::int64_t engine::memoryFree(const std::string& name, int device)
{
    return usableBackend(name).memoryFree(device);
}


std::string engine::deviceName(const std::string& name, int device)
{
    return usableBackend(name).deviceName(device);
}


std::string engine::deviceSoftware(const std::string& name, int device)
{
    return usableBackend(name).deviceSoftware(device);
}


std::string engine::deviceAddress(const std::string& name, int device)
{
    return usableBackend(name).deviceAddress(device);
}


std::vector<double> engine::bandwidth
(
    const std::string& name,
    int device,
    memoryAccess access,
    std::int64_t bytes,
    int nPasses,
    int nRepetitions
)
{
    return usableBackend(name).bandwidth
    (
        device, access, bytes, nPasses, nRepetitions
    );
}


std::vector<double> engine::arraysBandwidth
(
    const std::string& name,
    int device,
    const arraysAccess& access,
    std::int64_t bytes,
    int nPasses,
    int nRepetitions
)
{
    return usableBackend(name).arraysBandwidth
    (
        device, access, bytes, nPasses, nRepetitions
    );
}


double engine::kernelTime(const std::string& name, int device, bool graph)
{
    return usableBackend(name).kernelTime(device, graph);
}

} // End namespace lbm
