#include "cudaBackend.cuh"
#include "moments/momentEngine.H"

namespace lbm
{

lbmNewEngines(extern, cudaBackend, D3Q19, list)
lbmNewMomentEngine(cudaBackend, singlePrecision);
lbmNewMomentEngine(cudaBackend, doublePrecision);

} // End namespace lbm
