#include "host/hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D3Q19, list)

} // End namespace lbm
