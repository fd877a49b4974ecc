#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D2Q9, list)
lbmNewEngine(hostBackend, D2Q9, list);

} // End namespace lbm
