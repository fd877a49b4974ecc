#include "cudaBackend.cuh"

namespace lbm
{

lbmNewEngines(, cudaBackend, D2Q9, dense)

} // End namespace lbm
