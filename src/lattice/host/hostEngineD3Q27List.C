#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q27, list)
lbmNewEngine(hostBackend, D3Q27, list);

} // End namespace lbm
