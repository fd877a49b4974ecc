#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D3Q27, dense)

} // End namespace lbm
