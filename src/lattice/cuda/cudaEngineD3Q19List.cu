#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D3Q19, list)

} // End namespace lbm
