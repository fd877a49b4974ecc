#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q27, list, halfPrecision)

} // End namespace lbm
