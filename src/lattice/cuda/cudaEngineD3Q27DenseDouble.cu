#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q27, dense, doublePrecision)

} // End namespace lbm
