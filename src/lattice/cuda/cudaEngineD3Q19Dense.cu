#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D3Q19, dense)

} // End namespace lbm
