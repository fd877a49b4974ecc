#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(, cudaBackend, D2Q9, dense, doublePrecision)

} // End namespace lbm
