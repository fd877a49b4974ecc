#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D2Q9, list, halfPrecision)

} // End namespace lbm
