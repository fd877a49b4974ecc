#include "hostBackend.H"
#include "latticeEngine.H"

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace lbm
{

extern lbmNewEngine(hostBackend, D2Q9, dense);
extern lbmNewEngine(hostBackend, D2Q9, list);
extern lbmNewEngine(hostBackend, D3Q19, dense);
extern lbmNewEngine(hostBackend, D3Q19, list);
extern lbmNewEngine(hostBackend, D3Q27, dense);
extern lbmNewEngine(hostBackend, D3Q27, list);

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

//- Registers the backend when the library is loaded
const bool registered = []()
{
    backendEntry entry = newBackendEntry<hostBackend>();

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
          + std::to_string(omp_get_max_threads()) + " threads";
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

} // End namespace lbm
