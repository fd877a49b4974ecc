#include "host/hostBackend.H"
#include "moments/momentEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, list)
extern lbmNewEngine(hostBackend, D3Q19, list);
lbmNewMomentEngine(hostBackend);

} // End namespace lbm
