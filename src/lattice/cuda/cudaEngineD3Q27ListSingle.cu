#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D3Q27, list, singlePrecision)

} // End namespace lbm
