#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q19, dense, doublePrecision)

} // End namespace lbm
