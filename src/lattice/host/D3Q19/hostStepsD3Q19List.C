#include "engine/engineInstances.H"
#include "host/hostBackend.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D3Q19, list)

} // End namespace lbm
