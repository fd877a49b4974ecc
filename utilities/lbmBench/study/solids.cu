#include "studyFlow.cuh"

#include "layouts/list.H"
#include "precision.H"
#include "streaming/esotericPull.H"

#include <algorithm>

namespace lbmBench
{

namespace
{

using Lattice = lbm::D3Q19;
constexpr int q = Lattice::q;

//- Nodes of a block, and the mark of one that is not all fluid
constexpr unsigned blockSize = 32;
constexpr std::uint32_t mixedBlock = 1u << 31;

//- Which nodes become solid first
enum patterns
{
    inRows,
    inBlock,
    inRandomOrder,
    inSpheres
};

struct rankNode
{
    periodicBox box;
    patterns pattern;
    int nSpheres;
    float* rank;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        if (pattern == inRows)
        {
            rank[n] = float(n/box.size(0));
        }
        else if (pattern == inBlock)
        {
            rank[n] = float(n);
        }
        else if (pattern == inRandomOrder)
        {
            rank[n] = scattered(n);
        }
        else
        {
            rank[n] = distanceSqr(n);
        }
    }

    //- From the nearest centre of a sphere
    LBM_HOST_DEVICE float distanceSqr(unsigned n) const
    {
        const unsigned nx = box.size(0), ny = box.size(1);
        const float x[3] =
        {
            float(n % nx), float(n/nx % ny), float(n/nx/ny)
        };
        float nearest = 1e30f;
        for (int s = 0; s < nSpheres; ++s)
        {
            float sum = 0;
            for (int a = 0; a < 3; ++a)
            {
                const float size = box.size(a);
                float d = x[a] - scattered(3*s + a)*size;
                d = d < 0 ? -d : d;
                d = d < size - d ? d : size - d;
                sum += d*d;
            }
            nearest = sum < nearest ? sum : nearest;
        }
        return nearest;
    }
};

struct flagNode
{
    const float* rank;
    float limit;
    std::uint8_t* flags;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        flags[n] = rank[n] >= limit;
    }
};

//- Mark nodes through whose slots a fluid node streams
struct markUsed
{
    periodicBox box;
    const std::uint8_t* flags;
    std::uint8_t* used;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        if (flags[n])
        {
            used[n] = 1;
            for (int i = 1; i < q; i += 2)
            {
                used[box.neighbour<Lattice>(n, i, 1)] = 1;
            }
        }
    }
};

struct tabulateNode
{
    periodicBox box;
    const std::uint32_t* nodes;
    const std::uint32_t* places;
    std::uint32_t* table;
    std::size_t rows;

    LBM_HOST_DEVICE void operator()(unsigned l) const
    {
        for (int i = 1; i < q; i += 2)
        {
            table[i/2*rows + l] =
                places[box.neighbour<Lattice>(nodes[l], i, 1)];
        }
    }
};


struct region
{
    periodicBox box;

    //- 1 fluid, 0 solid
    std::vector<std::uint8_t> fluid;
    cudaArray<std::uint8_t> flags;

    //- Fluid nodes, and blocks that hold one
    cudaArray<std::uint32_t> nodes, blocks;
    unsigned nFluid, nBlocks;

    //- Places of the list layout: fluid nodes first, then others that they
    //  stream through
    std::vector<std::uint32_t> places;
    std::size_t rows, nPlaces;
    cudaArray<std::uint32_t> table;

    region
    (
        const periodicBox& box,
        const cudaArray<float>& rank,
        float limit
    )
    :
        box(box),
        flags(box.nodes()),
        places(box.nodes(), UINT32_MAX)
    {
        const unsigned n = box.nodes();
        cudaArray<std::uint8_t> usedNodes(n);
        forNodes(n, flagNode{rank.data(), limit, flags.data()});
        forNodes(n, markUsed{box, flags.data(), usedNodes.data()});
        fluid = onHost(flags, n);
        const auto used = onHost(usedNodes, n);

        std::vector<std::uint32_t> list, blockList;
        for (unsigned first = 0; first < n; first += blockSize)
        {
            const std::size_t before = list.size();
            for (unsigned i = first; i < first + blockSize; ++i)
            {
                if (fluid[i])
                {
                    places[i] = list.size();
                    list.push_back(i);
                }
            }
            const std::size_t nHere = list.size() - before;
            if (nHere)
            {
                blockList.push_back
                (
                    first/blockSize | (nHere < blockSize ? mixedBlock : 0)
                );
            }
        }
        nFluid = list.size();
        nBlocks = blockList.size();
        rows = lbm::roundUp(nFluid, blockSize);
        nPlaces = rows;
        for (unsigned i = 0; i < n; ++i)
        {
            if (used[i] && !fluid[i])
            {
                places[i] = nPlaces++;
            }
        }
        nPlaces = lbm::roundUp(nPlaces, blockSize);

        nodes = onDevice(list);
        blocks = onDevice(blockList);
        table = cudaArray<std::uint32_t>(rows*(q/2));
        const auto devicePlaces = onDevice(places);
        forNodes
        (
            nFluid,
            tabulateNode
            {
                box, nodes.data(), devicePlaces.data(), table.data(), rows
            }
        );
        lbmCuda(cudaDeviceSynchronize());
    }
};


template<int parity>
using denseWork =
    advanceNode
    <
        Lattice, operationTRT, structureOfArrays, esotericPull, parity
    >;

template<int parity>
struct flaggedNode
{
    denseWork<parity> work;
    const std::uint8_t* flags;

    LBM_HOST_DEVICE void operator()(unsigned n) const
    {
        if (flags[n])
        {
            work(n);
        }
    }
};

//- A warp a block, and flags read in mixed ones only
template<int parity>
struct blockedNode
{
    denseWork<parity> work;
    const std::uint32_t* blocks;
    const std::uint8_t* flags;

    LBM_HOST_DEVICE void operator()(unsigned l) const
    {
        const std::uint32_t entry = blocks[l/blockSize];
        const unsigned n = (entry & ~mixedBlock)*blockSize + l % blockSize;
        if (!(entry & mixedBlock) || flags[n])
        {
            work(n);
        }
    }
};

//- The same, but nodes wait for their flag with the store only
template<int parity>
struct lateNode
{
    denseWork<parity> work;
    const std::uint32_t* blocks;
    const std::uint8_t* flags;

    LBM_HOST_DEVICE void operator()(unsigned l) const
    {
        const std::uint32_t entry = blocks[l/blockSize];
        const unsigned n = (entry & ~mixedBlock)*blockSize + l % blockSize;
        float h[q];
        work.load(n, h);
        const bool fluid = !(entry & mixedBlock) || flags[n];
        operationTRT::collide<Lattice, lbm::noForcing>(h, work.p);
        if (fluid)
        {
            work.store(n, h);
        }
    }
};

//- A list of nodes with a table of their neighbours
template<int parity>
struct storedNode
{
    lbm::populations<Lattice, lbm::singlePrecision, lbm::list> f;
    parameters p;

    LBM_HOST_DEVICE void operator()(unsigned l) const
    {
        float h[q];
        f.load<parity>(std::int64_t(l), h);
        operationTRT::collide<Lattice, lbm::noForcing>(h, p);
        f.storeReduced<parity>(std::int64_t(l), h);
    }
};


enum ways
{
    flagsInKernel,
    indexList,
    blockList,
    lateBlockList,
    listLayout,
    nWays
};

class partlySolidFlow
:
    public flow
{
    const region& region_;
    ways way_;

    template<int parity>
    void doStep()
    {
        const parameters p = studyParameters<float>();
        const denseWork<parity> work{box_, front(), front(), p};
        switch (way_)
        {
            case flagsInKernel:
                forNodes
                (
                    box_.nodes(),
                    flaggedNode<parity>{work, region_.flags.data()}
                );
                break;

            case indexList:
                forNodes
                (
                    region_.nFluid,
                    listedNodes<denseWork<parity>>
                    {
                        work, region_.nodes.data()
                    }
                );
                break;

            case blockList:
                forNodes
                (
                    region_.nBlocks*blockSize,
                    blockedNode<parity>
                    {
                        work, region_.blocks.data(), region_.flags.data()
                    }
                );
                break;

            case lateBlockList:
                forNodes
                (
                    region_.nBlocks*blockSize,
                    lateNode<parity>
                    {
                        work, region_.blocks.data(), region_.flags.data()
                    }
                );
                break;

            default:
            {
                storedNode<parity> stored;
                stored.f.setArrays(front(), region_.nPlaces);
                stored.f.neighbour =
                {
                    region_.table.data(), std::int64_t(region_.rows)
                };
                stored.p = p;
                forNodes(region_.nFluid, stored);
                break;
            }
        }
    }

public:

    partlySolidFlow(const region& r, ways way)
    :
        flow(r.box, q, 1),
        region_(r),
        way_(way)
    {
        allocate();
    }

    std::size_t nSlots() const override
    {
        return
            way_ == listLayout ? region_.nPlaces*q : flow::nSlots();
    }

    std::size_t incoming(int i, unsigned n) const override
    {
        const slotAt s = esotericPull::in<Lattice>(box_, nDone_ % 2, i, n);
        if (way_ != listLayout)
        {
            return std::size_t(box_.nodes())*s.k + s.n;
        }
        const std::uint32_t place = region_.places[s.n];
        return place == UINT32_MAX ? noSlot : region_.nPlaces*s.k + place;
    }

    bool active(unsigned n) const override
    {
        return region_.fluid[n];
    }

    unsigned nUpdated() const override
    {
        return region_.nFluid;
    }

    kernelUse use() const override
    {
        switch (way_)
        {
            case flagsInKernel:
                return {kernelOf<flaggedNode<0>>(), threadsPerBlock};
            case indexList:
                return
                    {kernelOf<listedNodes<denseWork<0>>>(), threadsPerBlock};
            case blockList:
                return {kernelOf<blockedNode<0>>(), threadsPerBlock};
            case lateBlockList:
                return {kernelOf<lateNode<0>>(), threadsPerBlock};
            default:
                return {kernelOf<storedNode<0>>(), threadsPerBlock};
        }
    }

protected:

    void doStep() override
    {
        if (nDone_ % 2)
        {
            doStep<1>();
        }
        else
        {
            doStep<0>();
        }
    }
};


const char* const wayNames[] =
{
    "flags in the kernel", "index list", "list of blocks of 32",
    "list of blocks, flags last", "list layout"
};


//- Rank below which a share of the nodes lies
float limitOf(const std::vector<float>& sortedRanks, double share)
{
    return
        share > 0 ? sortedRanks[std::size_t(share*sortedRanks.size())] : -1;
}

std::vector<float> sortedSample(const cudaArray<float>& rank, unsigned n)
{
    // A stride that is no divisor of anything
    const unsigned stride = n > (1u << 20) ? 61 : 1;
    const auto all = onHost(rank, n);
    std::vector<float> sample;
    for (unsigned i = 0; i < n; i += stride)
    {
        sample.push_back(all[i]);
    }
    std::sort(sample.begin(), sample.end());
    return sample;
}


//- Share of solid nodes from which on one column lies above another
void noteCrossing
(
    studyResults& results,
    const std::string& part,
    const std::string& low,
    const std::string& high
)
{
    const auto a = results.column(part, low), b = results.column(part, high);
    std::ostringstream os;
    os.precision(3);
    os << part << ": '" << high << "' ";
    for (std::size_t k = 0; k < a.size(); ++k)
    {
        const double now = b[k].value - a[k].value;
        if (now > 0)
        {
            if (k == 0)
            {
                os << "is faster than '" << low << "' from the start";
            }
            else
            {
                const double last = a[k - 1].value - b[k - 1].value;
                const double x =
                    a[k - 1].x + (a[k].x - a[k - 1].x)*last/(last + now);
                os  << "passes '" << low << "' at " << x << " % of solid nodes";
            }
            results.note(os.str());
            return;
        }
    }
    os << "never passes '" << low << "'";
    results.note(os.str());
}


void measurePattern
(
    studyResults& results,
    const std::string& part,
    patterns pattern
)
{
    std::string checks[nWays];
    {
        const periodicBox box(32, 16, 16);
        cudaArray<float> rank(box.nodes());
        forNodes(box.nodes(), rankNode{box, pattern, 8, rank.data()});
        const region r
        (
            box, rank, limitOf(sortedSample(rank, box.nodes()), 0.4)
        );
        const auto work = [&](unsigned n, double (&h)[q])
        {
            if (r.fluid[n])
            {
                collideNode<Lattice>()(n, h);
            }
            else
            {
                // What arrives goes back, two steps after it left
                for (int i = 1; i < q; i += 2)
                {
                    std::swap(h[i], h[i + 1]);
                }
            }
        };
        plainReference reference(Lattice(), box, work);
        for (int w = 0; w < nWays; ++w)
        {
            partlySolidFlow small(r, ways(w));
            checks[w] = reference.check(wayNames[w], small);
        }
    }

    const periodicBox box(256, 256, 256);
    cudaArray<float> rank(box.nodes());
    forNodes(box.nodes(), rankNode{box, pattern, 512, rank.data()});
    const auto ranks = sortedSample(rank, box.nodes());
    std::vector<int> percents
    {
        0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95
    };
    if (pattern == inBlock)
    {
        percents = {5, 20, 50, 80};
    }
    for (const int percent : percents)
    {
        const region r(box, rank, limitOf(ranks, 0.01*percent));
        const double bytes[nWays] =
        {
            8.0*q + double(box.nodes())/r.nFluid,
            8.0*q + 4,
            8.0*q + 4.0*r.nBlocks/r.nFluid,
            8.0*q + 4.0*r.nBlocks/r.nFluid,
            8.0*q + 4*(q/2)
        };
        for (int w = 0; w < nWays; ++w)
        {
            partlySolidFlow large(r, ways(w));
            measure
            (
                results, part, wayNames[w], percent, large, bytes[w],
                checks[w]
            );
        }
    }
    if (pattern == inBlock)
    {
        return;
    }
    noteCrossing(results, part, wayNames[flagsInKernel], wayNames[indexList]);
    noteCrossing(results, part, wayNames[flagsInKernel], wayNames[listLayout]);
    noteCrossing(results, part, wayNames[blockList], wayNames[listLayout]);
    noteCrossing
    (
        results, part, wayNames[lateBlockList], wayNames[listLayout]
    );
}

} // End anonymous namespace


void solids(studyResults& results)
{
    const std::string box = ", D3Q19 single, 256^3, esoteric pull";
    const auto add = [&]
    (
        const std::string& part, const std::string& title, patterns pattern
    )
    {
        results.addPart
        (
            {part, title + box, "solid nodes, %", "GLUPS of fluid nodes"}
        );
        measurePattern(results, part, pattern);
    };
    add("block", "Solid nodes in one block of whole rows", inRows);
    add
    (
        "shifted", "Solid nodes in one block that ends within a row", inBlock
    );
    add("random", "Solid nodes in random order", inRandomOrder);
    add("porous", "Solid nodes in a packing of spheres", inSpheres);
}

} // End namespace lbmBench
