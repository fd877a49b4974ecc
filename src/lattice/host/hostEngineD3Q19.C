#include "hostBackend.H"
#include "latticeEngine.H"

namespace lbm
{

lbmNewEngine(hostBackend, D3Q19, dense);
lbmNewEngine(hostBackend, D3Q19, list);

} // End namespace lbm
