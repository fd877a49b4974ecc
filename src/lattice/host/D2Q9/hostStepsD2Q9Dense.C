#include "host/hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D2Q9, dense)

} // End namespace lbm
