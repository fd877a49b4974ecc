/*---------------------------------------------------------------------------*\
Description
    Works on lines of nodes with a warp a line and a thread a node.
\*---------------------------------------------------------------------------*/

#ifndef lbm_lineUpdate_cuh
#define lbm_lineUpdate_cuh

#include "vectorUpdate.cuh"

namespace lbm
{

//- Does a function update nodes whose neighbours are looked up
template<class Function>
constexpr bool looksUp()
{
    if constexpr (updatesNodes<Function>())
    {
        return !Function::model::layout::contiguous;
    }
    return false;
}

//- Does a function update nodes whose links add something
template<class Function>
constexpr bool hasTerms()
{
    if constexpr (updatesNodes<Function>())
    {
        return Function::hasTerms;
    }
    return false;
}

//- Blocks that a multiprocessor shall hold at once: enough to cover the
//  latency of memory; with more, registers spill or the many rows open at a
//  time slow the memory down
template<class Function>
constexpr int minBlocks()
{
    if constexpr (updatesNodes<Function>())
    {
        // Populations of more directions, and their places, need the registers
        constexpr bool more = Function::Lattice::q > 19;
        constexpr bool single = sizeof(typename Function::T) == 4;

        // A list waits for its table before it can load the populations
        return
            Function::model::layout::contiguous
          ? (single ? 5 : 4) - more
          : (single ? 6 - Function::hasTerms - Function::hasScalars : 4)
          - 2*more;
    }

    // Work between the steps: registers for whatever it needs
    return 3;
}

//- Mark of a position of a line whose marks lie there
__device__ __forceinline__ std::uint32_t markOf
(
    const lineList& lines,
    std::uint32_t marks,
    unsigned lane
)
{
    return
        marks == lineList::none
      ? presentNode
      : lines.mark[std::int64_t(marks)*cudaWarp + lane];
}

//- Update the node at a position of a line, if there is one
template<class Update, class Position>
__device__ __forceinline__ void updateMarked
(
    const lineList& lines,
    std::uint32_t marks,
    std::uint32_t mark,
    unsigned lane,
    const Update& update,
    const Position& n
)
{
    if (marks == lineList::none)
    {
        update(n);
    }
    else if (mark & presentNode)
    {
        std::uint32_t first = 0;
        if constexpr (Update::hasTerms)
        {
            first = lines.first[std::int64_t(marks)*cudaWarp + lane];
        }
        update(n, mark, first);
    }
}

//- Nodes of a list of lines, a warp a line and a thread a node
template<class Function>
__global__ void __launch_bounds__(cudaBlock, minBlocks<Function>())
linesKernel
(
    const lineList lines,
    std::int64_t zero,
    const Function f
)
{
    const unsigned i = (blockIdx.x*cudaBlock + threadIdx.x)/cudaWarp;
    if (i < lines.n)
    {
        const sharedPosition n
        {
            std::int64_t(lines.line[i])*cudaWarp, threadIdx.x % cudaWarp, zero
        };
        std::uint32_t marks = i;
        if constexpr (!hasTerms<Function>())
        {
            marks = lines.marks[i];
        }
        const std::uint32_t mark = markOf(lines, marks, n.lane);
        if constexpr (updatesNodes<Function>())
        {
            updateMarked(lines, marks, mark, n.lane, f, n);
        }
        else if (mark & presentNode)
        {
            f(n);
        }
    }
}

//- Lines from which on a warp takes several
constexpr unsigned linesPerWarpFrom = 1 << 15;

//- Lines of a warp at most where neighbours are looked up
constexpr unsigned maxLines = 8;

//- Update the nodes of a list of lines whose neighbours are looked up, perWarp
//  lines a warp. Their numbers are loaded together: the latency of that is paid
//  once.
template<class Update>
__global__ void __launch_bounds__(cudaBlock, minBlocks<Update>())
lookedUpKernel
(
    const lineList lines,
    unsigned perWarp,
    std::int64_t zero,
    const Update update
)
{
    using neighbours = decltype(update.m.f.neighbour);
    constexpr int nNumbers = neighbours::nNumbers;
    constexpr unsigned all = 0xffffffffu;
    static_assert(4*maxLines == cudaWarp, "four numbers a line and register");

    const unsigned lane = threadIdx.x % cudaWarp;
    const unsigned first =
        (blockIdx.x*cudaBlock + threadIdx.x)/cudaWarp*perWarp;
    if (first >= lines.n)
    {
        return;
    }
    const unsigned left = lines.n - first;
    const unsigned n = perWarp < left ? perWarp : left;

    std::uint32_t numbers[nNumbers/4];
    const unsigned own = lane/4 < n ? lane/4 : n - 1;
    for (int r = 0; r < nNumbers/4; ++r)
    {
        numbers[r] =
            lines.numbers[std::int64_t(first + own)*nNumbers + 4*r + lane % 4];
    }

    for (unsigned l = 0; l < n; ++l)
    {
        const auto number = [&](int i)
        {
            return __shfl_sync(all, numbers[i/4], 4*l + i % 4);
        };
        const std::uint32_t line = number(nNumbers - 2);
        const std::uint32_t marks = number(nNumbers - 1);
        const std::uint32_t mark = markOf(lines, marks, lane);

        const auto located = update.m.f.neighbour.locate
        (
            sharedPosition{std::int64_t(line)*cudaWarp, lane, zero}, number
        );
        updateMarked(lines, marks, mark, lane, update, located);
    }
}

} // End namespace lbm

#endif
