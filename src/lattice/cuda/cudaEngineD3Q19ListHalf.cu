#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q19, list, halfPrecision)

} // End namespace lbm
