#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, list)
lbmNewEngine(hostBackend, D3Q19, list);

static const registeredHostEngine registered
(
    "D3Q19", "list", newEngine<hostBackend, D3Q19, list>
);

} // End namespace lbm
