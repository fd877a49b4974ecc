#include "cudaBackend.cuh"
#include "moments/momentEngine.H"

namespace lbm
{

extern lbmNewEngine(cudaBackend, D3Q19, list);
lbmNewMomentEngine(cudaBackend);

} // End namespace lbm
