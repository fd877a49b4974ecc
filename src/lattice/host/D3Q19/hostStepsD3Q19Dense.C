#include "engine/engineInstances.H"
#include "host/hostBackend.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D3Q19, dense)

} // End namespace lbm
