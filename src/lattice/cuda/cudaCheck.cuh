/*---------------------------------------------------------------------------*\
Description
    Turns CUDA's error codes into lbm::error with the name and the meaning.
\*---------------------------------------------------------------------------*/

#ifndef lbm_cudaCheck_cuh
#define lbm_cudaCheck_cuh

#include "engine.H"

#include <cuda_runtime.h>

namespace lbm
{

inline void checkCuda(cudaError_t code, const char* what)
{
    if (code != cudaSuccess)
    {
        // Reported here: the next launch is not to find it
        cudaGetLastError();
        throw error
        (
            std::string("CUDA: ") + what + ": " + cudaGetErrorName(code)
          + ", " + cudaGetErrorString(code)
        );
    }
}

#define lbmCuda(call) ::lbm::checkCuda(call, #call)

//- After a launch
inline void checkLaunch(const char* what)
{
    checkCuda(cudaGetLastError(), what);
}

} // End namespace lbm

#endif
