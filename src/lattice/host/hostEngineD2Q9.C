#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmNewEngine(hostBackend, D2Q9, dense);
lbmNewEngine(hostBackend, D2Q9, list);

} // End namespace lbm
