#include "cudaBackend.cuh"

namespace lbm
{

template std::unique_ptr<engine> newEngine<cudaBackend, D3Q19, list>
(
    const engineSettings&,
    const latticeDescription&
);

} // End namespace lbm
