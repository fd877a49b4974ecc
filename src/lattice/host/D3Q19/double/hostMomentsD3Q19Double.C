#include "host/hostBackend.H"
#include "moments/momentEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, list, doublePrecision)
lbmNewEngine(extern, hostBackend, D3Q19, list, doublePrecision)
lbmNewMomentEngine(hostBackend, doublePrecision);

} // End namespace lbm
