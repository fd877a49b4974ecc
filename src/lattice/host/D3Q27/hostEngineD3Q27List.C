#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q27, list)
lbmNewEngine(hostBackend, D3Q27, list);

static const registeredHostEngine registered
(
    "D3Q27", "list", newEngine<hostBackend, D3Q27, list>
);

} // End namespace lbm
