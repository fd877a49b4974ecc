#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngine(cudaBackend, D3Q27, list);

} // End namespace lbm
