#include "nodes.H"
#include "bandwidth.H"
#include "closedBox.H"
#include "cudaBackend.cuh"

#include <numeric>

namespace lbmBench
{

namespace
{

using lbm::cudaArray;
using lbm::forEachIndex;
using lbm::onDevice;

template<class V>
using bitsOf =
    std::conditional_t
    <
        sizeof(V) == 8,
        std::uint64_t,
        std::conditional_t<sizeof(V) == 4, std::uint32_t, std::uint16_t>
    >;

//- An update whose stores are conditions that never hold, of which the compiler
//  does not know
template<class Update>
struct withoutStores
:
    Update
{
    using T = typename Update::T;
    using storage = typename Update::storage;
    using Update::operator();

    template<class Position>
    LBM_HOST_DEVICE void operator()(const Position& n) const
    {
        T h[Update::Lattice::q];
        this->m.f.template loadExpanded<Update::parity>(n, h);
        this->collide(h, this->fieldsAt(n));
        forEachIndex<Update::Lattice::q>([&](auto i)
        {
            const storage out = Update::Precision::reduced(h[i]);
            bitsOf<storage> bits;
            memcpy(&bits, &out, sizeof(bits));
            if (bits == bitsOf<storage>(-1))
            {
                this->m.f.template outgoing<Update::parity, i>
                (
                    lbm::again(n)
                ) = out;
            }
        });
    }
};


//- What updates of nodes need, without the engine around it
template<class Lattice, class Layout, class Precision>
struct deviceLattice
{
    const lbm::enginePlan plan;
    const typename Layout::layout& layout;

    //- Zero
    cudaArray<lbm::wideWord> populations;

    cudaArray<std::uint32_t> neighbours;
    lbm::model<Lattice, Layout, Precision> model;

    deviceLattice
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    )
    :
        plan(s, d),
        layout(static_cast<const typename Layout::layout&>(*plan.layout)),
        populations(nWords()),
        neighbours(onDevice(Layout::table(layout))),
        model{}
    {
        model.f.setArrays
        (
            reinterpret_cast<typename Precision::storage*>(populations.data()),
            layout.stride
        );
        model.f.position = layout.position;
        model.f.neighbour = Layout::template make<Lattice>
        (
            layout, plan.c, neighbours.data()
        );
        model.p.omegaEven = model.p.omegaOdd = model.p.omegaTrace = 1;
    }

    std::int64_t nWords() const
    {
        return plan.memory.populations/sizeof(lbm::wideWord) + 1;
    }
};


//- Mean seconds of f(stream), so many times in a row
template<class Function>
double meanSeconds
(
    lbm::cudaBackend& backend,
    bool graph,
    int n,
    const Function& f
)
{
    const int nRepetitions = 3;
    const auto times = lbm::measureSeconds(backend, graph, n, nRepetitions, f);
    return std::accumulate(times.begin(), times.end(), 0.0)/nRepetitions/n;
}


//- So many lines, all of which are the same one
constexpr unsigned nLines = 1 << 17;

std::vector<std::uint32_t> repeated(const std::vector<std::uint32_t>& numbers)
{
    std::vector<std::uint32_t> result;
    result.reserve(nLines*numbers.size());
    for (unsigned l = 0; l < nLines; ++l)
    {
        result.insert(result.end(), numbers.begin(), numbers.end());
    }
    return result;
}


//- Of a kernel that launch(stream) works on all lines with
template<class Kernel, class Launch>
nodeRate rateOf
(
    const lbm::engineSettings& s,
    Kernel* kernel,
    const Launch& launch
)
{
    nodeRate result;
    int nBlocks = 0;
    lbmCuda
    (
        cudaOccupancyMaxActiveBlocksPerMultiprocessor
        (
            &nBlocks, kernel, lbm::cudaBlock, 0
        )
    );
    constexpr int schedulers = 4;
    result.warps =
        std::max<int>(nBlocks*(lbm::cudaBlock/lbm::cudaWarp)/schedulers, 1);

    lbm::cudaBackend backend(s);
    const double seconds = meanSeconds
    (
        backend, false, 50, [&](lbm::cudaStream& stream)
        {
            launch(stream.get());
            lbm::checkLaunch("a kernel without stores");
        }
    );
    result.perSecond = nLines*lbm::cudaWarp/seconds;
    return result;
}


template<class Lattice, class Layout, class Precision, class Operation>
nodeRate measured(const lbm::engineSettings& s, bool severalNodesAThread)
{
    using Model = lbm::model<Lattice, Layout, Precision>;
    using Update =
        lbm::updateNode<Model, Operation, lbm::noForcing, 0, lbm::noTerms>;
    constexpr unsigned warp = lbm::cudaWarp;
    constexpr unsigned block = lbm::cudaBlock;

    // A line in the middle of a row, away from walls where there are more rows
    const auto d = closedBox(s.lattice, {3*warp, 4, Lattice::d == 2 ? 1 : 4});
    const deviceLattice<Lattice, Layout, Precision> lattice(s, d);
    const std::int64_t place =
        lattice.layout.place(d.boxIndex(warp, 2, Lattice::d == 2 ? 0 : 2));
    const Update update{lattice.model, {}};

    const std::vector<std::uint32_t> line
    {
        static_cast<std::uint32_t>(lattice.layout.position(place)/warp)
    };
    const auto lines = onDevice(repeated(line));
    lbm::lineList list;
    list.n = nLines;
    list.line = lines.data();

    if constexpr (Layout::contiguous)
    {
        // No node of the line is marked as present where vectors are stored
        const auto marks = onDevice
        (
            repeated({severalNodesAThread ? 0 : lbm::lineList::none})
        );
        const auto mark = onDevice(std::vector<std::uint32_t>(warp, 0));
        list.marks = marks.data();
        list.mark = mark.data();
        if (severalNodesAThread)
        {
            constexpr int width = lbm::vectorWidth<Update>();
            const auto kernel = lbm::vectorKernel<Update>;
            const lbm::slotsOfUpdate<Update> slots(update);
            return rateOf(s, kernel, [&](cudaStream_t stream)
            {
                kernel<<<nLines*warp/width/block, block, 0, stream>>>
                (
                    list, 0, slots, update
                );
            });
        }
        const auto kernel = lbm::linesKernel<withoutStores<Update>>;
        return rateOf(s, kernel, [&](cudaStream_t stream)
        {
            kernel<<<nLines*warp/block, block, 0, stream>>>(list, 0, {update});
        });
    }
    else
    {
        std::vector<std::uint32_t> numbers;
        lattice.layout.appendNeighbours(place, numbers);
        numbers.end()[-2] = line[0];
        numbers.end()[-1] = lbm::lineList::none;
        const auto all = onDevice(repeated(numbers));
        list.numbers = all.data();
        const auto kernel = lbm::lookedUpKernel<withoutStores<Update>>;
        return rateOf(s, kernel, [&](cudaStream_t stream)
        {
            kernel<<<nLines/lbm::maxLines*warp/block, block, 0, stream>>>
            (
                list, lbm::maxLines, 0, {update}
            );
        });
    }
}


//- Leaves the populations as they are, once all of them are there: as in any
//  collision nothing is stored before that. The compiler does not know that
//  there is no force.
struct noCollision
{
    template<class T>
    using rates = lbm::noRates<T>;

    template<class Lattice, class Forcing, int unit, class T>
    LBM_HOST_DEVICE static void collide
    (
        T (&h)[Lattice::q],
        const lbm::collisionParameters<T>& p,
        const rates<T>&
    )
    {
        T sum = 0;
        for (const T x : h)
        {
            sum += x;
        }
        sum *= p.force[0];
        for (T& x : h)
        {
            x += sum;
        }
    }
};


template<class Lattice, class Layout, class Precision>
class streamingAlone
{
    using Model = lbm::model<Lattice, Layout, Precision>;

    lbm::cudaBackend backend_;
    const deviceLattice<Lattice, Layout, Precision> lattice_;
    const lbm::cudaBackend::nodes interior_, shell_;

    //- Zero: the arithmetic of links is left out as well
    const cudaArray<lbm::linkTerm<typename Precision::arithmetic>> terms_;

    lbm::cudaBackend::nodes nodesOf(lbm::nodeKind kind) const
    {
        const lbm::enginePlan& plan = lattice_.plan;
        return {plan.flags, lattice_.layout, plan.marked, kind};
    }

    template<int parity, class Terms>
    void update
    (
        lbm::cudaStream& s,
        const lbm::cudaBackend::nodes& which,
        const Terms& terms
    ) const
    {
        backend_.forNodes
        (
            s,
            which,
            lbm::updateNode<Model, noCollision, lbm::noForcing, parity, Terms>
            {
                lattice_.model, terms
            }
        );
    }

    template<int parity>
    void step(lbm::cudaStream& s) const
    {
        for (const lbm::nodeKind kind : {lbm::shellNode, lbm::interiorNode})
        {
            const auto& which = kind == lbm::shellNode ? shell_ : interior_;
            if (lattice_.plan.haveTerms[kind])
            {
                update<parity>
                (
                    s, which, lbm::nodeTerms<Precision>{terms_.data(), false}
                );
            }
            else
            {
                update<parity>(s, which, lbm::noTerms());
            }
        }
    }

public:

    streamingAlone
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    )
    :
        backend_(s),
        lattice_(s, d),
        interior_(nodesOf(lbm::interiorNode)),
        shell_(nodesOf(lbm::shellNode)),
        terms_(lattice_.plan.nTerms)
    {
        lbm::cudaStream first;
        backend_.forEach
        (
            first,
            lattice_.nWords(),
            lbm::scatterWord{lattice_.populations.data()}
        );
        backend_.synchronise();
    }

    double seconds()
    {
        // A twentieth of a second or less; even
        const double passes = 1e11/lattice_.plan.memory.populations;
        const int n = 2*int(std::min(std::max(passes/2, 10.0), 1000.0));
        int parity = 0;
        return meanSeconds(backend_, true, n, [&](lbm::cudaStream& s)
        {
            parity = 1 - parity;
            parity ? step<1>(s) : step<0>(s);
        });
    }
};


//- Call f(lattice, layout, precision), each as mp_identity
template<class Function>
void withTypes(const lbm::engineSettings& s, const Function& f)
{
    using namespace lbm;
    lbmCuda(cudaSetDevice(s.device));
    withNamed<lattices>("lattice", s.lattice, [&](auto lattice)
    {
        withNamed<layouts>("layout", s.layout, [&](auto layout)
        {
            withNamed<precisions>("precision", s.precision, [&](auto precision)
            {
                f(lattice, layout, precision);
            });
        });
    });
}

} // End anonymous namespace

} // End namespace lbmBench


lbmBench::nodeRate lbmBenchNodeRate
(
    const lbm::engineSettings& s,
    bool severalNodesAThread
)
{
    lbmBench::nodeRate result;
    lbmBench::withTypes(s, [&](auto lattice, auto layout, auto precision)
    {
        using namespace lbm;
        using possible = collisionsOf<typename decltype(lattice)::type>;
        withNamed<possible>("collision", s.collision, [&](auto collision)
        {
            result = lbmBench::measured
            <
                typename decltype(lattice)::type,
                typename decltype(layout)::type,
                typename decltype(precision)::type,
                operationType<typename decltype(collision)::type>
            >(s, severalNodesAThread);
        });
    });
    return result;
}


double lbmBenchStreamingTime
(
    const lbm::engineSettings& s,
    const lbm::latticeDescription& d
)
{
    double result = 0;
    lbmBench::withTypes(s, [&](auto lattice, auto layout, auto precision)
    {
        result = lbmBench::streamingAlone
        <
            typename decltype(lattice)::type,
            typename decltype(layout)::type,
            typename decltype(precision)::type
        >(s, d).seconds();
    });
    return result;
}
