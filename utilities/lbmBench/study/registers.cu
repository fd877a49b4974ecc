#include "studyFlow.cuh"

namespace lbmBench
{

namespace
{

using Lattice = lbm::D3Q19;

template<int parity>
using work =
    advanceNode
    <
        Lattice, operationTRT, structureOfArrays, esotericPull, parity
    >;

//- With so many registers a thread at most
template<int parity, int nRegisters>
__global__ void __maxnreg__(nRegisters) boundedKernel(const work<parity> w)
{
    w(blockIdx.x*blockDim.x + threadIdx.x);
}


template<int nRegisters>
class boundedFlow
:
    public boxFlow<Lattice, operationTRT, structureOfArrays, esotericPull>
{
    int block_;

public:

    boundedFlow(const periodicBox& box, int block)
    :
        boxFlow<Lattice, operationTRT, structureOfArrays, esotericPull>(box),
        block_(block)
    {}

    kernelUse use() const override
    {
        return
        {
            reinterpret_cast<const void*>(boundedKernel<0, nRegisters>), block_
        };
    }

protected:

    void doStep() override
    {
        const parameters p = studyParameters<float>();
        const unsigned nBlocks = box_.nodes()/block_;
        if (nDone_ % 2)
        {
            boundedKernel<1, nRegisters><<<nBlocks, block_>>>
            (
                {box_, front(), front(), p}
            );
        }
        else
        {
            boundedKernel<0, nRegisters><<<nBlocks, block_>>>
            (
                {box_, front(), front(), p}
            );
        }
        lbm::checkLaunch("boundedKernel");
    }
};


template<int nRegisters>
void measureBound(studyResults& results, plainReference& reference)
{
    const std::string variant =
        "at most " + std::to_string(nRegisters) + " registers";
    for (const int block : {64, 128, 256, 512, 1024})
    {
        if (block*nRegisters <= 65536)
        {
            std::string check;
            {
                boundedFlow<nRegisters> small(reference.box(), block);
                check = reference.check(variant, small);
            }
            boundedFlow<nRegisters> large({256, 256, 256}, block);
            measure
            (
                results, "registers", variant, block, large, 8*Lattice::q,
                check
            );
        }
    }
}

} // End anonymous namespace


void registers(studyResults& results)
{
    results.addPart
    (
        {
            "registers",
            "Registers and size of a block, D3Q19 single, 256^3, esoteric pull",
            "threads a block", "GLUPS"
        }
    );
    plainReference reference
    (
        Lattice(), {32, 16, 16}, collideNode<Lattice>()
    );
    measureBound<32>(results, reference);
    measureBound<40>(results, reference);
    measureBound<48>(results, reference);
    measureBound<64>(results, reference);
    measureBound<80>(results, reference);
    measureBound<96>(results, reference);
    measureBound<128>(results, reference);
}

} // End namespace lbmBench
