#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(cudaBackend, D2Q9, list);

} // End namespace lbm
