#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(extern, hostBackend, D2Q9, dense)
lbmNewEngine(hostBackend, D2Q9, dense);

} // End namespace lbm
