#include "host/hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D3Q19, dense)

} // End namespace lbm
