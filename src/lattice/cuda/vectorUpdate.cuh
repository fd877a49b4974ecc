/*---------------------------------------------------------------------------*\
Description
    Collides and streams several neighbouring nodes a thread, with loads and
    stores of whole vectors, where neighbours in memory are neighbours of the
    lattice.

    Populations that move along x enter and leave through the slot of the next
    node. Such slots are loaded and stored as the vectors that they lie in,
    and handed on to the neighbouring thread; only at the ends of a stretch of
    nodes are they touched one by one, since no thread may write a slot of
    another.
\*---------------------------------------------------------------------------*/

#ifndef lbm_vectorUpdate_cuh
#define lbm_vectorUpdate_cuh

#include "lineList.H"
#include "nodeKernels.H"

#include <cstring>
#include <type_traits>

namespace lbm
{

constexpr int cudaBlock = 128;
constexpr unsigned cudaWarp = lineList::length;

//- Does a function update nodes
template<class Function, class = void>
struct updates
:
    std::false_type
{};

template<class Function>
struct updates<Function, std::void_t<typename Function::model>>
:
    std::true_type
{};

template<class Function>
constexpr bool updatesNodes()
{
    return updates<Function>::value;
}

//- Nodes a thread
template<class Function>
constexpr int vectorWidth()
{
    if constexpr (updatesNodes<Function>())
    {
        return nodesAThread
        (
            Function::model::layout::contiguous,
            Function::hasTerms,
            sizeof(typename Function::T)
        );
    }
    return 1;
}

//- Can it take several nodes a thread: it takes one scalar then
template<class Update>
bool takesVectors(const Update& update)
{
    if constexpr (Update::hasScalars)
    {
        return update.scalars.count == 1;
    }
    return true;
}

//- Blocks of a multiprocessor: as many as leave registers for the populations
//  of the nodes of a thread and the work on them
template<class Function>
constexpr int vectorBlocks()
{
    constexpr int words = sizeof(typename Function::T)/4;
    constexpr int q = Function::Lattice::q + Function::scalarsType::q;
    constexpr int registers = words*(q*vectorWidth<Function>() + 45);
    constexpr int most = 65536/(registers*cudaBlock);
    return most > 6 ? 6 : most;
}

//- Lines by which what leads to populations is fetched ahead of its use: more
//  than a device has under way
constexpr unsigned linesAhead = 1 << 13;

//- Bring a sector of memory near
__device__ __forceinline__ void fetchAhead(const void* p)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" :: "l"(p));
#endif
}

//- Words of a device
template<int bytes>
using wordOf =
    std::conditional_t
    <
        bytes == 16,
        uint4,
        std::conditional_t<bytes == 8, uint2, unsigned>
    >;

//- Neighbouring populations as they lie in memory, loaded and stored as one
//  word, and what they are in arithmetic
template<class Precision, int n>
struct vectorOf
{
    using storage = typename Precision::storage;
    using T = typename Precision::arithmetic;
    using word = wordOf<n*sizeof(storage)>;
    static_assert(n*sizeof(storage) == sizeof(word), "a word of a device");

    word bits;

    __device__ __forceinline__ void load(const storage* from)
    {
        bits = *reinterpret_cast<const word*>(from);
    }

    //- The populations times unit of the precision
    __device__ __forceinline__ void expand(T (&x)[n]) const
    {
        storage value[n];
        memcpy(static_cast<void*>(value), &bits, sizeof(bits));
        Precision::expand(value, x);
    }

    //- Store populations times unit
    __device__ __forceinline__ static void store(storage* to, const T (&x)[n])
    {
        storage value[n];
        Precision::reduce(x, value);
        word w;
        memcpy(&w, value, sizeof(w));

        // The compiler would take a plain assignment apart
        __stwb(reinterpret_cast<word*>(to), w);
    }
};

//- Slots of the node at position 0: those of all nodes follow, where neighbours
//  in memory are neighbours of the lattice
template<class Populations, int parity>
struct slotsOf
{
    using storage = typename Populations::storage;
    static constexpr int q = Populations::q;

    //- Through which populations enter; what goes the opposite way leaves
    //  through the same slot
    storage* entering[q];

    //- Through which what went over a link enters in the next step
    storage* returning[q];

    explicit slotsOf(const Populations& f)
    {
        const std::int64_t n = 0;
        forEachIndex<q>([&](auto i)
        {
            entering[i] = &f.template incoming<parity, i>(n);
            returning[i] =
                &f.template incoming<1 - parity, opposite(i)>(n);
        });
    }

    __device__ __forceinline__ storage* leaving(int i) const
    {
        return entering[opposite(i)];
    }
};

//- Nodes of a thread among those of its warp: do those of its neighbours follow in
//  memory, and are all nodes of theirs and of its own present
struct stretchOfNodes
{
    bool joinsBefore, joinsAfter;
    bool whole, wholeBefore, wholeAfter;
};


//- Populations of the nodes of a thread, those of a direction side by side
template<class Populations, int width>
struct populationRows
{
    using Precision = typename Populations::precision;
    using storage = typename Populations::storage;
    using T = typename Populations::T;
    using vector = vectorOf<Precision, width>;
    static constexpr int q = Populations::q;
    static constexpr unsigned all = 0xffffffffu;

    vector loaded[q];
    storage behind[q];

    //- Load those that enter the nodes from position n on
    template<class Slots>
    __device__ __forceinline__ void load
    (
        const Slots& slots,
        std::int64_t n,
        bool joinsAfter
    )
    {
        forEachIndex<q>([&](auto i)
        {
            constexpr int lead = Populations::lead(true, i);
            const storage* const at = slots.entering[i] + n - lead;
            loaded[i].load(at);
            if (lead != 0 && !joinsAfter)
            {
                behind[i] = at[width];
            }
        });
    }

    //- Those of each node, times unit of the precision
    __device__ __forceinline__ void expand
    (
        T (&h)[width][q],
        bool joinsAfter
    ) const
    {
        forEachIndex<q>([&](auto i)
        {
            T x[width];
            loaded[i].expand(x);
            if constexpr (Populations::lead(true, i) == 0)
            {
                for (int k = 0; k < width; ++k)
                {
                    h[k][i] = x[k];
                }
            }
            else
            {
                const T next = __shfl_down_sync(all, x[0], 1);
                for (int k = 0; k < width - 1; ++k)
                {
                    h[k][i] = x[k + 1];
                }
                h[width - 1][i] =
                    joinsAfter ? next : Precision::expanded(behind[i]);
            }
        });
    }

    //- Store those that leave the nodes from position n on, but over links of
    //  these marks
    template<class Slots>
    __device__ __forceinline__ static void store
    (
        const Slots& slots,
        std::int64_t n,
        const T (&h)[width][q],
        const std::uint32_t (&mark)[width],
        const stretchOfNodes& s
    )
    {
        forEachIndex<q>([&](auto i)
        {
            constexpr int lead = Populations::lead(false, i);
            T x[width];
            for (int k = lead; k < width; ++k)
            {
                x[k] = h[k - lead][i];
            }
            if constexpr (lead != 0)
            {
                x[0] = __shfl_up_sync(all, h[width - 1][i], 1);
            }
            if (lead == 0 ? s.whole : s.whole && s.wholeBefore)
            {
                vector::store(slots.leaving(i) + n - lead, x);
            }
        });

        // The ends of a stretch of nodes
        if (s.whole && !s.wholeBefore)
        {
            forEachIndex<q>([&](auto i)
            {
                if constexpr (Populations::lead(false, i) != 0)
                {
                    for (int k = 0; k < width - 1; ++k)
                    {
                        (slots.leaving(i) + n)[k] =
                            Precision::reduced(h[k][i]);
                    }
                }
            });
        }
        if (s.whole && !s.wholeAfter)
        {
            forEachIndex<q>([&](auto i)
            {
                if constexpr (Populations::lead(false, i) != 0)
                {
                    if (!(mark[width - 1] >> i & 1))
                    {
                        (slots.leaving(i) + n)[width - 1] =
                            Precision::reduced(h[width - 1][i]);
                    }
                }
            });
        }

        // Nodes of a vector that is not whole
        if (!s.whole)
        {
            for (int k = 0; k < width; ++k)
            {
                if (mark[k] & presentNode)
                {
                    forEachIndex<q>([&](auto i)
                    {
                        if (!(mark[k] >> i & 1))
                        {
                            (slots.leaving(i) + n)[k] =
                                Precision::reduced(h[k][i]);
                        }
                    });
                }
            }
        }
    }
};


//- No scalar in the update of the nodes of a thread
template<class Update, bool any = Update::hasScalars>
struct scalarRows
{
    using T = typename Update::T;
    static constexpr int width = vectorWidth<Update>();

    struct slots
    {
        explicit slots(const Update&)
        {}
    };

    __device__ __forceinline__ void load
    (
        const slots&,
        const Update&,
        std::int64_t,
        bool
    )
    {}

    template<class OfNode>
    __device__ __forceinline__ void collide
    (
        const Update& update,
        std::int64_t,
        const OfNode (&own)[width],
        T (&h)[width][Update::Lattice::q],
        bool
    )
    {
        forEachIndex<width>([&](auto k) { update.collide(h[k], own[k]); });
    }

    __device__ __forceinline__ void store
    (
        const slots&,
        const Update&,
        std::int64_t,
        const std::uint32_t (&)[width],
        const stretchOfNodes&
    ) const
    {}
};


//- One scalar (nodeScalars.H)
template<class Update>
struct scalarRows<Update, true>
{
    using T = typename Update::T;
    using populations = typename Update::scalarsType::populationsType;
    static constexpr int width = vectorWidth<Update>();
    using rows = populationRows<populations, width>;

    struct slots
    :
        slotsOf<populations, Update::parity>
    {
        explicit slots(const Update& update)
        :
            slotsOf<populations, Update::parity>(update.scalars.scalar[0].g)
        {}
    };

    rows entering;
    T g[width][populations::q];
    T C[width];

    __device__ __forceinline__ void load
    (
        const slots& s,
        const Update& update,
        std::int64_t n,
        bool joinsAfter
    )
    {
        entering.load(s, update.scalars.places.inScalar(n), joinsAfter);
    }

    template<class OfNode>
    __device__ __forceinline__ void collide
    (
        const Update& update,
        std::int64_t n,
        const OfNode (&own)[width],
        T (&h)[width][Update::Lattice::q],
        bool joinsAfter
    )
    {
        entering.expand(g, joinsAfter);
        forEachIndex<width>([&](auto k)
        {
            C[k] = update.collideWith(g[k], h[k], own[k], n + k);
        });
    }

    __device__ __forceinline__ void store
    (
        const slots& to,
        const Update& update,
        std::int64_t n,
        const std::uint32_t (&mark)[width],
        const stretchOfNodes& s
    ) const
    {
        const auto& scalars = update.scalars;
        std::uint32_t present[width];
        for (int k = 0; k < width; ++k)
        {
            present[k] = mark[k] & presentNode;
        }
        rows::store(to, scalars.places.inScalar(n), g, present, s);

        T* const value = scalars.value[0] + scalars.places.place(n);
        if (s.whole)
        {
            rows::vector::store(value, C);
        }
        else
        {
            for (int k = 0; k < width; ++k)
            {
                if (present[k])
                {
                    value[k] = C[k];
                }
            }
        }
    }
};


//- Slots of the flow and of its scalar
template<class Update>
struct slotsOfUpdate
{
    slotsOf<typename Update::populationsType, Update::parity> flow;
    typename scalarRows<Update>::slots scalar;

    explicit slotsOfUpdate(const Update& update)
    :
        flow(update.m.f),
        scalar(update)
    {}
};

template<class Update>
__global__ void __launch_bounds__(cudaBlock, vectorBlocks<Update>())
vectorKernel
(
    const lineList lines,
    std::int64_t zero,
    const slotsOfUpdate<Update> slots,
    const Update update
)
{
    using Precision = typename Update::model::precision;
    using storage = typename Update::model::storage;
    using T = typename Update::T;
    using Lattice = typename Update::Lattice;
    constexpr int width = vectorWidth<Update>();
    constexpr int perLine = cudaWarp/width;
    constexpr unsigned all = 0xffffffffu;
    using rows = populationRows<typename Update::populationsType, width>;

    const unsigned thread = blockIdx.x*cudaBlock + threadIdx.x;
    const unsigned lane = threadIdx.x % cudaWarp;
    const unsigned part = thread % perLine;
    const bool active = thread/perLine < lines.n;

    // Threads without nodes load what is there, but store nothing
    const unsigned l = active ? thread/perLine : 0;
    const std::uint32_t line = lines.line[l];
    const std::uint32_t marks = lines.marks[l];
    std::int64_t n = std::int64_t(line)*cudaWarp + part*width;

    if (lane < 2 && l + linesAhead < lines.n)
    {
        fetchAhead((lane ? lines.marks : lines.line) + (l + linesAhead));
    }

    stretchOfNodes s;
    const std::uint32_t lineBefore = __shfl_up_sync(all, line, 1);
    const std::uint32_t lineAfter = __shfl_down_sync(all, line, 1);
    s.joinsBefore = lane > 0 && (part > 0 || lineBefore + 1 == line);
    s.joinsAfter =
        lane < cudaWarp - 1 && (part < perLine - 1 || line + 1 == lineAfter);

    // All loads before any is waited for
    rows entering;
    entering.load(slots.flow, n, s.joinsAfter);
    scalarRows<Update> scalar;
    scalar.load(slots.scalar, update, n, s.joinsAfter);

    decltype(update.fieldsAt(n)) own[width];
    for (int k = 0; k < width; ++k)
    {
        own[k] = update.fieldsAt(n + k);
    }

    // Marks of the nodes of this thread
    std::uint32_t mark[width];
    for (int k = 0; k < width; ++k)
    {
        mark[k] = active ? presentNode : 0;
    }
    if (active && marks != lineList::none)
    {
        const std::uint32_t* const from =
            lines.mark + (std::int64_t(marks)*cudaWarp + part*width);
        for (int k = 0; k < width; ++k)
        {
            mark[k] = from[k];
        }
    }
    std::uint32_t anyMark = 0;
    for (int k = 0; k < width; ++k)
    {
        anyMark |= mark[k];
    }

    T h[width][Lattice::q];
    entering.expand(h, s.joinsAfter);
    scalar.collide(update, n, own, h, s.joinsAfter);

    // Memory rewards blocks that store together. Halves are held up by their
    // arithmetic instead.
    if constexpr (sizeof(storage) > 2)
    {
        __syncthreads();
    }

    // Computed again, the addresses need no registers in between
    n += zero;

    std::uint32_t present = presentNode;
    for (int k = 0; k < width; ++k)
    {
        present &= mark[k];
    }
    s.whole = present;
    s.wholeBefore = __shfl_up_sync(all, s.whole, 1) && s.joinsBefore;
    s.wholeAfter = __shfl_down_sync(all, s.whole, 1) && s.joinsAfter;
    rows::store(slots.flow, n, h, mark, s);
    scalar.store(slots.scalar, update, n, mark, s);

    // What comes back over links; what went there as part of a vector is read by
    // none
    if (anyMark & ~presentNode)
    {
        for (int k = 0; k < width; ++k)
        {
            forEachIndex<Lattice::q>([&](auto i)
            {
                if (mark[k] >> i & 1)
                {
                    (slots.flow.returning[i] + n)[k] =
                        Precision::reduced(h[k][i]);
                }
            });
        }
    }
}

} // End namespace lbm

#endif
