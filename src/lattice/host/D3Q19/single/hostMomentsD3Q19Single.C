#include "host/hostBackend.H"
#include "moments/momentEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D3Q19, list, singlePrecision)
lbmNewEngine(extern, hostBackend, D3Q19, list, singlePrecision)
lbmNewMomentEngine(hostBackend, singlePrecision);

} // End namespace lbm
