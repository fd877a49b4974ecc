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

//- Nodes from which on vectors are worth it: with fewer, a node a thread keeps
//  more loads under way
constexpr std::int64_t vectorsFrom = 1 << 20;

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

//- Nodes a thread: 1 if a function does not update nodes, or not in a layout
//  that is contiguous
template<class Function>
constexpr int vectorWidth()
{
    if constexpr (updatesNodes<Function>())
    {
        return
            !Function::model::layout::contiguous ? 1
          : sizeof(typename Function::T) == 8 ? 2
          : 4;
    }
    return 1;
}

//- Blocks of a multiprocessor: as many as leave registers for the populations
//  of the nodes of a thread and the work on them
template<class Function>
constexpr int vectorBlocks()
{
    constexpr int words = sizeof(typename Function::T)/4;
    constexpr int registers =
        words*(Function::Lattice::q*vectorWidth<Function>() + 45);
    constexpr int most = 65536/(registers*cudaBlock);
    return most > 6 ? 6 : most;
}

//- Neighbouring values, loaded and stored as one word
template<class V, int n>
struct vectorOf
{
    static_assert(n*sizeof(V) == 16 || n*sizeof(V) == 8, "a word of a device");
    using word = std::conditional_t<n*sizeof(V) == 16, uint4, uint2>;

    V value[n];

    __device__ __forceinline__ void load(const V* from)
    {
        const word w = *reinterpret_cast<const word*>(from);
        memcpy(static_cast<void*>(value), &w, sizeof(w));
    }

    __device__ __forceinline__ void store(V* to) const
    {
        word w;
        memcpy(&w, value, sizeof(w));

        // The compiler would take a plain assignment apart
        __stwb(reinterpret_cast<word*>(to), w);
    }
};

//- Value of the thread before this one or after it
template<class V>
__device__ __forceinline__ V shuffled(const V& v, int delta)
{
    using bits = std::conditional_t
    <
        sizeof(V) == 8,
        unsigned long long,
        std::conditional_t<sizeof(V) == 4, unsigned, unsigned short>
    >;
    bits b;
    memcpy(&b, &v, sizeof(V));
    b =
        delta > 0
      ? __shfl_down_sync(0xffffffffu, b, 1)
      : __shfl_up_sync(0xffffffffu, b, 1);
    V result;
    memcpy(static_cast<void*>(&result), &b, sizeof(V));
    return result;
}

template<class Update>
__global__ void __launch_bounds__(cudaBlock, vectorBlocks<Update>())
vectorKernel(const lineList lines, std::int64_t zero, const Update update)
{
    using storage = typename Update::model::storage;
    using T = typename Update::T;
    using Lattice = typename Update::Lattice;
    using Populations = decltype(update.m.f);
    constexpr int parity = Update::parity;
    constexpr int width = vectorWidth<Update>();
    constexpr int perLine = cudaWarp/width;
    constexpr unsigned all = 0xffffffffu;
    using vector = vectorOf<storage, width>;

    const unsigned thread = blockIdx.x*cudaBlock + threadIdx.x;
    const unsigned lane = threadIdx.x % cudaWarp;
    const unsigned part = thread % perLine;
    const bool active = thread/perLine < lines.n;

    // Threads without nodes load what is there, but store nothing
    const unsigned l = active ? thread/perLine : 0;
    const std::uint32_t line = lines.line[l];
    std::int64_t n = std::int64_t(line)*cudaWarp + part*width;

    const std::uint32_t before = __shfl_up_sync(all, line, 1);
    const std::uint32_t after = __shfl_down_sync(all, line, 1);
    const bool joinsBefore = lane > 0 && (part > 0 || before + 1 == line);
    const bool joinsAfter =
        lane < cudaWarp - 1 && (part < perLine - 1 || line + 1 == after);

    T h[width][Lattice::q];
    forEachIndex<Lattice::q>([&](auto i)
    {
        constexpr int lead = Populations::lead(true, i);
        const storage* const slots =
            &update.m.f.template incoming<parity, i>(n) - lead;
        vector v;
        v.load(slots);
        if constexpr (lead == 0)
        {
            for (int k = 0; k < width; ++k)
            {
                h[k][i] = T(v.value[k]);
            }
        }
        else
        {
            storage next = shuffled(v.value[0], 1);
            if (!joinsAfter)
            {
                next = slots[width];
            }
            for (int k = 0; k < width - 1; ++k)
            {
                h[k][i] = T(v.value[k + 1]);
            }
            h[width - 1][i] = T(next);
        }
    });

    for (int k = 0; k < width; ++k)
    {
        update.collide(h[k]);
    }

    // Computed again, the addresses need no registers in between
    n += zero;

    // Directions in which not all nodes of this thread, and of those beside it,
    // are there and without a wall
    const std::uint32_t marks = active ? lines.marks[l + zero] : 0;
    const std::uint32_t* const mark =
        lines.mark + (std::int64_t(marks)*cudaWarp + part*width);
    std::uint32_t special = active ? 0 : all;
    if (active && marks != lineList::none)
    {
        for (int k = 0; k < width; ++k)
        {
            special |= mark[k] & presentNode ? mark[k] & ~presentNode : all;
        }
    }
    const std::uint32_t shuffledUp = __shfl_up_sync(all, special, 1);
    const std::uint32_t shuffledDown = __shfl_down_sync(all, special, 1);
    const std::uint32_t specialBefore = joinsBefore ? shuffledUp : all;
    const std::uint32_t specialAfter = joinsAfter ? shuffledDown : all;

    forEachIndex<Lattice::q>([&](auto i)
    {
        constexpr int lead = Populations::lead(false, i);
        storage* const slots =
            &update.m.f.template outgoing<parity, i>(n) - lead;
        const bool plain = !(special >> i & 1);
        vector v;
        if constexpr (lead == 0)
        {
            for (int k = 0; k < width; ++k)
            {
                v.value[k] = storage(h[k][i]);
            }
            if (plain)
            {
                v.store(slots);
            }
        }
        else
        {
            const storage last = storage(h[width - 1][i]);
            v.value[0] = shuffled(last, -1);
            for (int k = 1; k < width; ++k)
            {
                v.value[k] = storage(h[k - 1][i]);
            }
            const bool whole = plain && !(specialBefore >> i & 1);
            if (whole)
            {
                v.store(slots);
            }
            if (plain && !whole)
            {
                for (int k = 1; k < width; ++k)
                {
                    slots[k] = v.value[k];
                }
            }
            if (plain && specialAfter >> i & 1)
            {
                slots[width] = last;
            }
        }

        if (active && !plain)
        {
            for (int k = 0; k < width; ++k)
            {
                if (mark[k] & presentNode)
                {
                    update.template store<i>(n + k + zero, mark[k], h[k]);
                }
            }
        }
    });
}

} // End namespace lbm

#endif
