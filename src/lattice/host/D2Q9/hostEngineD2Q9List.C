#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D2Q9, list)
lbmNewEngine(hostBackend, D2Q9, list);

static const registeredHostEngine registered
(
    "D2Q9", "list", newEngine<hostBackend, D2Q9, list>
);

} // End namespace lbm
