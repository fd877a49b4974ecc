#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q19, list, singlePrecision)

} // End namespace lbm
