#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q27, dense, halfPrecision)

} // End namespace lbm
