#include "engine/engineInstances.H"
#include "host/hostBackend.H"

namespace lbm
{

lbmEngineSteps(, hostBackend, D2Q9, dense)

} // End namespace lbm
