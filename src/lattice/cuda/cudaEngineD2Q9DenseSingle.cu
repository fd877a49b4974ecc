#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D2Q9, dense, singlePrecision)

} // End namespace lbm
