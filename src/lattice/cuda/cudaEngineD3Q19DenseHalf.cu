#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q19, dense, halfPrecision)

} // End namespace lbm
