#include "host/hostEngines.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D2Q9, dense)
lbmNewEngine(hostBackend, D2Q9, dense);

static const registeredHostEngine registered
(
    "D2Q9", "dense", newEngine<hostBackend, D2Q9, dense>
);

} // End namespace lbm
