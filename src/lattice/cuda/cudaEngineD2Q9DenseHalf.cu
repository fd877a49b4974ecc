#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D2Q9, dense, halfPrecision)

} // End namespace lbm
