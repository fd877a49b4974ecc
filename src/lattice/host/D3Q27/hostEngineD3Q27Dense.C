#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q27, dense)
lbmNewEngine(hostBackend, D3Q27, dense);

static const registeredHostEngine registered
(
    "D3Q27", "dense", newEngine<hostBackend, D3Q27, dense>
);

} // End namespace lbm
