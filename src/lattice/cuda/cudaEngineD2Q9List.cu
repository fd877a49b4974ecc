#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D2Q9, list)

} // End namespace lbm
