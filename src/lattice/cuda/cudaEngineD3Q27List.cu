#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D3Q27, list)

} // End namespace lbm
