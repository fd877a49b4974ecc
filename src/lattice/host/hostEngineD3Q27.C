#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmNewEngine(hostBackend, D3Q27, dense);
lbmNewEngine(hostBackend, D3Q27, list);

} // End namespace lbm
