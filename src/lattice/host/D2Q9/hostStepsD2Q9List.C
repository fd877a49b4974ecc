#include "host/hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D2Q9, list)

} // End namespace lbm
