#include "studyFlow.cuh"

namespace lbmBench
{

namespace
{

template<class Lattice, class Operation, class Scheme>
void measureScheme
(
    studyResults& results,
    const std::string& part,
    plainReference& reference,
    const periodicBox& box,
    const std::string& variant
)
{
    using variantFlow = boxFlow<Lattice, Operation, structureOfArrays, Scheme>;
    std::string check;
    {
        variantFlow small(reference.box());
        check = reference.check(variant, small);
    }
    variantFlow large(box);
    measure(results, part, variant, 0, large, 8*Lattice::q, check);
}


template<class Lattice>
void measureSchemes
(
    studyResults& results,
    const std::string& part,
    const periodicBox& smallBox,
    const periodicBox& box
)
{
    plainReference reference
    (
        Lattice(), smallBox, collideNode<Lattice>()
    );
    measureScheme<Lattice, operationTRT, pull>
    (
        results, part, reference, box, "pull, two copies"
    );
    measureScheme<Lattice, operationTRT, push>
    (
        results, part, reference, box, "push, two copies"
    );
    measureScheme<Lattice, operationTRT, esotericPull>
    (
        results, part, reference, box, "esoteric pull, in place"
    );
    measureScheme<Lattice, operationTRT, AA>
    (
        results, part, reference, box, "AA, in place"
    );

    plainReference streaming
    (
        Lattice(), smallBox, collideNode<Lattice, noOperation>()
    );
    measureScheme<Lattice, noOperation, pull>
    (
        results, part, streaming, box, "pull without collision"
    );
    measureScheme<Lattice, noOperation, push>
    (
        results, part, streaming, box, "push without collision"
    );
}


// Copies

    //- Arrays, as many as their numbers keep enough bytes on their way
    constexpr int nArrays = 16;
    constexpr unsigned arraySize = 1u << 24;
    constexpr unsigned arrayStride = arraySize + 64;

    struct shiftedCopy
    {
        const float* from;
        float* to;
        unsigned shiftFrom, shiftTo;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float values[nArrays];
            forEachIndex<nArrays>([&](auto k)
            {
                values[k] = from[k*arrayStride + n + shiftFrom];
            });
            forEachIndex<nArrays>([&](auto k)
            {
                to[k*arrayStride + n + shiftTo] = values[k];
            });
        }
    };

    //- Write to some arrays the sum of the others
    template<int nRead>
    struct mixedCopy
    {
        const float* from;
        float* to;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            float sum = 0;
            forEachIndex<nRead>([&](auto k)
            {
                sum += from[k*arrayStride + n];
            });
            forEachIndex<nArrays - nRead>([&](auto k)
            {
                to[k*arrayStride + n] = sum;
            });
        }
    };

    struct countUp
    {
        float* to;

        LBM_HOST_DEVICE void operator()(unsigned n) const
        {
            to[n] = float(n % 1000003);
        }
    };

    class copies
    {
        studyResults& results_;
        cudaArray<float> from_{std::int64_t(nArrays)*arrayStride};
        cudaArray<float> to_{std::int64_t(nArrays)*arrayStride};

    public:

        explicit copies(studyResults& results)
        :
            results_(results)
        {
            forNodes(nArrays*arrayStride, countUp{from_.data()});
        }

        const float* from() const
        {
            return from_.data();
        }

        float* to() const
        {
            return to_.data();
        }

        //- expected(i): the i-th number of the first array from shift on
        template<class Copy, class Expected>
        void add
        (
            const std::string& part,
            const std::string& variant,
            double x,
            int nMoved,
            const Copy& copy,
            unsigned shift,
            const Expected& expected
        )
        {
            const auto repeat = [&](int nTimes)
            {
                for (int i = 0; i < nTimes; ++i)
                {
                    forNodes(arraySize, copy);
                }
            };
            repeat(20);
            const double seconds =
                secondsOf([&]() { repeat(results_.nSteps); })/results_.nSteps;

            std::vector<float> first(1 << 16);
            lbmCuda
            (
                cudaMemcpy
                (
                    first.data(), to() + shift, first.size()*sizeof(float),
                    cudaMemcpyDeviceToHost
                )
            );
            for (unsigned i = 0; i < first.size(); ++i)
            {
                if (first[i] != expected(i))
                {
                    throw lbm::error("the copy '" + variant + "' is wrong");
                }
            }

            studyRow r;
            r.part = part;
            r.variant = variant;
            r.x = x;
            r.value = 1e-9*4*nMoved*double(arraySize)/seconds;
            r.ofCopy = 1e9*r.value/results_.copyBandwidth;
            const kernelUse use(kernelOf<Copy>(), threadsPerBlock);
            r.registers = use.registers;
            r.localBytes = use.localBytes;
            r.occupancy = use.occupancy;
            r.check = "bits";
            results_.add(r);
        }

        void addShifted
        (
            const std::string& variant, unsigned shift, unsigned from,
            unsigned to
        )
        {
            add
            (
                "copies", variant, shift, 2*nArrays,
                shiftedCopy{this->from(), this->to(), from, to}, to,
                [&](unsigned i) { return float(i + from); }
            );
        }

        template<int nRead>
        void addMixed()
        {
            add
            (
                "mix", "16 arrays", nRead, nArrays,
                mixedCopy<nRead>{from(), to()}, 0,
                [&](unsigned i)
                {
                    float sum = 0;
                    for (unsigned k = 0; k < nRead; ++k)
                    {
                        sum += float((k*arrayStride + i) % 1000003);
                    }
                    return sum;
                }
            );
        }
    };

} // End anonymous namespace


void propagation(studyResults& results)
{
    results.addPart
    (
        {"D3Q19", "Propagation, D3Q19 single, 256^3", "", "GLUPS"}
    );
    measureSchemes<lbm::D3Q19>(results, "D3Q19", {32, 16, 16}, {256, 256, 256});

    results.addPart
    (
        {"D2Q9", "Propagation, D2Q9 single, 4096^2", "", "GLUPS"}
    );
    measureSchemes<lbm::D2Q9>(results, "D2Q9", {64, 32, 1}, {4096, 4096, 1});

    copies c(results);
    results.addPart
    (
        {
            "copies", "Copies of 16 arrays of 2^24 numbers, shifted",
            "shift in numbers of 4 bytes", "GB/s"
        }
    );
    for (const unsigned shift : {0u, 1u, 2u, 4u, 8u, 16u, 31u, 32u})
    {
        c.addShifted("shifted reads", shift, shift, 0);
        c.addShifted("shifted writes", shift, 0, shift);
        c.addShifted("both shifted alike", shift, shift, shift);
    }

    results.addPart
    (
        {
            "mix", "Some of 16 arrays of 2^24 numbers read, the others written",
            "arrays read", "GB/s"
        }
    );
    c.addMixed<4>();
    c.addMixed<8>();
    c.addMixed<12>();
    c.addMixed<15>();
}

} // End namespace lbmBench
