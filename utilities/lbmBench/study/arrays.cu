#include "studyFlow.cuh"

namespace lbmBench
{

namespace
{

template<class Layout, class Scheme>
void measureLayout
(
    studyResults& results,
    plainReference& reference
)
{
    using Lattice = lbm::D3Q19;
    using variantFlow = boxFlow<Lattice, operationTRT, Layout, Scheme>;
    const std::string variant =
        std::string(Layout::name) + ", " + Scheme::name;
    std::string check;
    {
        variantFlow small(reference.box());
        check = reference.check(variant, small);
    }
    variantFlow large({256, 256, 256});
    measure(results, "layouts", variant, 0, large, 8*Lattice::q, check);
}


//- The threads of a block are a row of the box
__global__ void __launch_bounds__(512)
rowKernel
(
    const advanceNode
    <
        lbm::D3Q19, operationTRT, structureOfArrays, pull, 0
    > work
)
{
    work(blockIdx.x*blockDim.x + threadIdx.x);
}

class rowFlow
:
    public boxFlow<lbm::D3Q19, operationTRT, structureOfArrays, pull>
{
    using base = boxFlow<lbm::D3Q19, operationTRT, structureOfArrays, pull>;

public:

    using base::base;

    kernelUse use() const override
    {
        return
        {
            reinterpret_cast<const void*>(rowKernel), int(box_.size(0))
        };
    }

protected:

    void doStep() override
    {
        const unsigned nx = box_.size(0);
        rowKernel<<<box_.nodes()/nx, nx>>>
        (
            {box_, front(), back(), studyParameters<float>()}
        );
        lbm::checkLaunch("rowKernel");
    }
};


//- Boxes of 2^24 nodes with one short axis of nx
template<class Flow>
void measureAxes
(
    studyResults& results,
    const std::string& variant,
    unsigned nx,
    bool fastest
)
{
    using Lattice = lbm::D3Q19;
    const unsigned nz = (1u << 16)/nx;
    const periodicBox smallBox(fastest ? nx : 8, 4, fastest ? 8 : nx);
    const periodicBox box(fastest ? nx : nz, 256, fastest ? nz : nx);

    plainReference reference(Lattice(), smallBox, collideNode<Lattice>());
    std::string check;
    {
        Flow small(smallBox);
        check = reference.check(variant, small);
    }
    Flow large(box);
    measure(results, "axes", variant, nx, large, 8*Lattice::q, check);
}

template<class Scheme>
using anyFlow = boxFlow<lbm::D3Q19, operationTRT, structureOfArrays, Scheme>;

} // End anonymous namespace


void arrays(studyResults& results)
{
    results.addPart
    (
        {"layouts", "Layout of the populations, D3Q19 single, 256^3", "",
            "GLUPS"}
    );
    {
        plainReference reference
        (
            lbm::D3Q19(), {32, 16, 16}, collideNode<lbm::D3Q19>()
        );
        measureLayout<structureOfArrays, pull>(results, reference);
        measureLayout<structureOfArrays, push>(results, reference);
        measureLayout<structureOfArrays, esotericPull>(results, reference);
        measureLayout<blocksOfNodes<32>, pull>(results, reference);
        measureLayout<blocksOfNodes<32>, push>(results, reference);
        measureLayout<blocksOfNodes<32>, esotericPull>(results, reference);
        measureLayout<blocksOfNodes<128>, pull>(results, reference);
        measureLayout<blocksOfNodes<128>, esotericPull>(results, reference);
        measureLayout<blocksOfNodes<1024>, pull>(results, reference);
        measureLayout<blocksOfNodes<1024>, esotericPull>(results, reference);
        measureLayout<arrayOfStructures, pull>(results, reference);
        measureLayout<arrayOfStructures, push>(results, reference);
        measureLayout<arrayOfStructures, esotericPull>(results, reference);
    }

    results.addPart
    (
        {
            "axes", "Order of axes, D3Q19 single, 2^24 nodes, one axis short",
            "nodes along the short axis", "GLUPS"
        }
    );
    for (const unsigned nx : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    {
        measureAxes<anyFlow<pull>>
        (
            results, "pull, short axis fastest", nx, true
        );
        measureAxes<anyFlow<pull>>
        (
            results, "pull, short axis slowest", nx, false
        );
        measureAxes<rowFlow>
        (
            results, "pull, short axis fastest, a block a row", nx, true
        );
        measureAxes<anyFlow<esotericPull>>
        (
            results, "esoteric pull, short axis fastest", nx, true
        );
        measureAxes<anyFlow<esotericPull>>
        (
            results, "esoteric pull, short axis slowest", nx, false
        );
    }
}

} // End namespace lbmBench
