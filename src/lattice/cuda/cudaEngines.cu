#include "cudaBackend.cuh"
#include "engine/newBackendEntry.H"

namespace lbm
{

lbmNewEngines(extern, cudaBackend, D2Q9, dense)
lbmNewEngines(extern, cudaBackend, D2Q9, list)
lbmNewEngines(extern, cudaBackend, D3Q19, dense)
lbmNewEngines(extern, cudaBackend, D3Q19, list)
lbmNewEngines(extern, cudaBackend, D3Q27, dense)
lbmNewEngines(extern, cudaBackend, D3Q27, list)

namespace
{

__global__ void probeKernel()
{}

bool cudaAvailable(std::string& reason)
{
    int n = 0;
    const cudaError_t code = cudaGetDeviceCount(&n);
    if (code == cudaErrorNoDevice || (code == cudaSuccess && n == 0))
    {
        reason = "no CUDA device was found";
        return false;
    }
    if (code == cudaErrorInsufficientDriver)
    {
        reason = "there is no NVIDIA driver, or one older than this CUDA";
        return false;
    }
    if (code != cudaSuccess)
    {
        reason =
            std::string("no CUDA device answers (") + cudaGetErrorString(code)
          + ")";
        return false;
    }

    cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, probeKernel) != cudaSuccess)
    {
        reason =
            std::string("the CUDA device cannot run what was compiled (")
          + cudaGetErrorString(cudaGetLastError())
          + "); set NVARCH to its compute capability and build again";
        return false;
    }
    return true;
}

//- Registers the backend when the library is loaded
const bool registered = []()
{
    backendEntry entry = newBackendEntry<cudaBackend>();
    entry.New = newEngineOf<cudaBackend>;
    entry.available = cudaAvailable;

    entry.memoryFree = [](int device)
    {
        std::size_t available = 0, total = 0;
        lbmCuda(cudaSetDevice(device));
        lbmCuda(cudaMemGetInfo(&available, &total));
        return static_cast<std::int64_t>(available);
    };

    entry.deviceName = [](int device)
    {
        cudaDeviceProp properties;
        lbmCuda(cudaGetDeviceProperties(&properties, device));
        return std::string(properties.name);
    };

    entry.deviceSoftware = [](int)
    {
        int driver = 0, runtime = 0;
        lbmCuda(cudaDriverGetVersion(&driver));
        lbmCuda(cudaRuntimeGetVersion(&runtime));
        const auto version = [](int v)
        {
            return std::to_string(v/1000) + '.' + std::to_string(v % 1000/10);
        };
        return
            "driver for CUDA " + version(driver) + ", runtime "
          + version(runtime);
    };

    entry.deviceAddress = [](int device)
    {
        char address[32];
        lbmCuda(cudaDeviceGetPCIBusId(address, sizeof(address), device));
        return std::string(address);
    };

    registerBackend(entry);
    return true;
}();

} // End anonymous namespace

} // End namespace lbm
