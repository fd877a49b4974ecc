#include "engine/engineInstances.H"
#include "host/hostBackend.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D3Q27, list)

} // End namespace lbm
