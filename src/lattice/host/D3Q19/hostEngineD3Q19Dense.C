#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, dense)
lbmNewEngine(hostBackend, D3Q19, dense);

static const registeredHostEngine registered
(
    "D3Q19", "dense", newEngine<hostBackend, D3Q19, dense>
);

} // End namespace lbm
