#include "hostEngines.H"
#include "engine/newBackendEntry.H"

#include <array>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace lbm
{

namespace
{

//- Value of a line "key : value" or "key: value" of a file of /proc
std::string procEntry(const char* file, const std::string& key)
{
    std::ifstream is(file);
    std::string line;
    while (std::getline(is, line))
    {
        if (line.compare(0, key.size(), key) == 0)
        {
            const auto colon = line.find(':');
            const auto value = line.find_first_not_of(" \t", colon + 1);
            return value == std::string::npos ? "" : line.substr(value);
        }
    }
    return "";
}

//- Lattice, layout and precision
using engineName = std::array<std::string, 3>;

std::map<engineName, hostEngineMaker>& engines()
{
    static std::map<engineName, hostEngineMaker> table;
    return table;
}

//- Throws if their library is missing, or there is no memory for it, which only
//  the text of the loader tells
hostEngineMaker engineOf
(
    const std::string& lattice,
    const std::string& layout,
    const std::string& precision
)
{
    const engineName name{lattice, layout, precision};
    const auto found = engines().find(name);
    if (found != engines().end())
    {
        return found->second;
    }

    const std::string library =
        "liblbmLatticeHost" + lattice + "-" + precision + ".so";
    const bool open = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!open || !engines().count(name))
    {
        const std::string reason =
            open ? library + " has no layout " + layout : dlerror();
        for (const char* text : {"map segment", "allocate memory"})
        {
            if (reason.find(text) != std::string::npos)
            {
                throw std::bad_alloc();
            }
        }
        throw error
        (
            "the lattice " + lattice + " in " + precision + " precision is not"
            " installed for the host (" + reason + "): Allwmake builds it"
        );
    }
    return engines().at(name);
}

//- Registers the backend when the library is loaded
const bool registered = []()
{
    backendEntry entry = newBackendEntry<hostBackend>();

    entry.New = [](const engineSettings& s, const latticeDescription& d)
    {
        return engineOf(s.lattice, s.layout, s.precision)(s, d);
    };

    entry.checkInstalled = [](const engineSettings& s)
    {
        engineOf(s.lattice, dense::name, s.precision);
    };

    entry.available = [](std::string&) { return true; };

    entry.memoryFree = [](int)
    {
        std::istringstream is(procEntry("/proc/meminfo", "MemAvailable"));
        std::int64_t kB = 0;
        is >> kB;
        return kB > 0
          ? 1024*kB
          : std::int64_t(sysconf(_SC_AVPHYS_PAGES))*sysconf(_SC_PAGESIZE);
    };

    entry.deviceName = [](int)
    {
        std::string cpu = procEntry("/proc/cpuinfo", "model name");
        return
            (cpu.empty() ? std::string("host processor") : cpu) + ", "
          + std::to_string(omp_get_max_threads())
          + (omp_get_max_threads() == 1 ? " thread" : " threads");
    };

    entry.deviceSoftware = [](int)
    {
        // 201511, for one, is the date of OpenMP 4.5
        return
            std::string("compiler ") + __VERSION__ + ", OpenMP "
          + std::to_string(_OPENMP);
    };

    entry.deviceAddress = [](int) { return std::string(); };

    registerBackend(entry);
    return true;
}();

} // End anonymous namespace

registeredHostEngine::registeredHostEngine
(
    const std::string& lattice,
    const std::string& layout,
    const std::string& precision,
    hostEngineMaker maker
)
{
    engines()[{lattice, layout, precision}] = maker;
}

} // End namespace lbm
