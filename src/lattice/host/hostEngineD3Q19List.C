#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, list)
lbmNewEngine(hostBackend, D3Q19, list);

} // End namespace lbm
