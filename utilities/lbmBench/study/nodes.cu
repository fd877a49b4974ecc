#include "nodes.H"
#include "closedBox.H"
#include "bandwidth.H"
#include "cudaBackend.cuh"
#include "studyFlow.cuh"

namespace lbmBench
{

namespace
{

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
        this->collide(h);
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


template<class Numbers>
cudaArray<std::uint32_t> onDevice(const Numbers& numbers)
{
    cudaArray<std::uint32_t> result(numbers.size());
    lbmCuda
    (
        cudaMemcpy
        (
            result.data(),
            numbers.data(),
            numbers.size()*sizeof(std::uint32_t),
            cudaMemcpyHostToDevice
        )
    );
    return result;
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


template<class Kernel, class Launch>
nodeRate rateOf(Kernel* kernel, const Launch& launch)
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

    const int n = 50;
    const auto repeat = [&]()
    {
        for (int i = 0; i < n; ++i)
        {
            launch();
        }
        lbm::checkLaunch("a kernel without stores");
        lbmCuda(cudaDeviceSynchronize());
    };
    repeat();
    const auto start = std::chrono::steady_clock::now();
    repeat();
    const std::chrono::duration<double> seconds
    (
        std::chrono::steady_clock::now() - start
    );
    result.perSecond = double(n)*nLines*lbm::cudaWarp/seconds.count();
    return result;
}


template<class Lattice, class Layout, class Precision, class Operation>
nodeRate measured(const lbm::engineSettings& s, bool severalNodesAThread)
{
    using Model = lbm::model<Lattice, Layout, Precision>;
    using Update =
        lbm::updateNode<Model, Operation, lbm::noForcing, 0, lbm::noTerms>;
    using storage = typename Precision::storage;
    constexpr unsigned warp = lbm::cudaWarp;

    // A line in the middle of a row, away from walls where there are more rows
    const auto d = closedBox(s.lattice, {3*warp, 4, Lattice::d == 2 ? 1 : 4});
    const lbm::enginePlan plan(s, d);
    const auto& layout =
        static_cast<const typename Layout::layout&>(*plan.layout);
    const std::int64_t place =
        layout.place(d.boxIndex(warp, 2, Lattice::d == 2 ? 0 : 2));

    cudaArray<storage> populations
    (
        plan.memory.populations/sizeof(storage)
    );
    lbmCuda(cudaMemset(populations.data(), 0, plan.memory.populations));
    const auto neighbours = onDevice(Layout::table(layout));

    Update update{};
    update.m.f.setArrays(populations.data(), layout.stride);
    update.m.f.position = layout.position;
    update.m.f.neighbour = Layout::template make<Lattice>
    (
        layout, plan.c, neighbours.data()
    );
    update.m.p.omegaEven = update.m.p.omegaOdd = 1;

    const std::vector<std::uint32_t> line
    {
        static_cast<std::uint32_t>(layout.position(place)/warp)
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
            const lbm::slotsOf<Update> slots(update);
            return rateOf(kernel, [&]()
            {
                kernel<<<nLines*warp/width/lbm::cudaBlock, lbm::cudaBlock>>>
                (
                    list, 0, slots, update
                );
            });
        }
        const auto kernel = lbm::linesKernel<withoutStores<Update>>;
        return rateOf(kernel, [&]()
        {
            kernel<<<nLines*warp/lbm::cudaBlock, lbm::cudaBlock>>>
            (
                list, 0, {update}
            );
        });
    }
    else
    {
        std::vector<std::uint32_t> numbers;
        layout.appendNeighbours(place, numbers);
        numbers.end()[-2] = line[0];
        numbers.end()[-1] = lbm::lineList::none;
        const auto all = onDevice(repeated(numbers));
        list.numbers = all.data();
        const auto kernel = lbm::lookedUpKernel<withoutStores<Update>>;
        return rateOf(kernel, [&]()
        {
            kernel
            <<<
                nLines/lbm::maxLines*warp/lbm::cudaBlock, lbm::cudaBlock
            >>>
            (
                list, lbm::maxLines, 0, {update}
            );
        });
    }
}


//- Leaves the populations as they are
struct noCollision
{
    template<class Lattice, class Forcing, int unit, class T>
    LBM_HOST_DEVICE static void collide
    (
        T (&)[Lattice::q],
        const lbm::collisionParameters<T>&
    )
    {}
};


template<class Lattice, class Layout, class Precision>
class streamingAlone
{
    using storage = typename Precision::storage;
    using term = lbm::linkTerm<typename Precision::arithmetic>;
    using Model = lbm::model<Lattice, Layout, Precision>;

    lbm::cudaBackend backend_;
    const lbm::enginePlan plan_;
    const lbm::cudaBackend::nodes interior_, shell_;
    cudaArray<lbm::wideWord> populations_;
    cudaArray<std::uint32_t> neighbours_;
    cudaArray<term> terms_;
    Model model_;

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
                model_, terms
            }
        );
    }

    template<int parity>
    void step(lbm::cudaStream& s) const
    {
        if (plan_.withTerms.empty())
        {
            update<parity>(s, shell_, lbm::noTerms());
        }
        else
        {
            update<parity>
            (
                s, shell_, lbm::nodeTerms<Precision>{terms_.data(), false}
            );
        }
        update<parity>(s, interior_, lbm::noTerms());
    }

public:

    streamingAlone
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    )
    :
        backend_(s),
        plan_(s, d),
        interior_
        (
            plan_.flags, *plan_.layout, plan_.marked, lbm::interiorNode
        ),
        shell_(plan_.flags, *plan_.layout, plan_.marked, lbm::shellNode),
        populations_
        (
            plan_.memory.populations/sizeof(lbm::wideWord) + 1
        ),
        terms_(plan_.nTerms + 1),
        model_{}
    {
        const auto& layout =
            static_cast<const typename Layout::layout&>(*plan_.layout);
        neighbours_ = onDevice(Layout::table(layout));
        model_.f.setArrays
        (
            reinterpret_cast<storage*>(populations_.data()), layout.stride
        );
        model_.f.position = layout.position;
        model_.f.neighbour = Layout::template make<Lattice>
        (
            layout, plan_.c, neighbours_.data()
        );

        lbm::cudaStream first;
        backend_.forEach
        (
            first,
            plan_.memory.populations/sizeof(lbm::wideWord) + 1,
            lbm::scatterWord{populations_.data()}
        );
        lbmCuda
        (
            cudaMemset(terms_.data(), 0, (plan_.nTerms + 1)*sizeof(term))
        );
        backend_.synchronise();
    }

    double seconds()
    {
        // A twentieth of a second or less; even
        const double passes = 1e11/plan_.memory.populations;
        const int n = 2*int(std::min(std::max(passes/2, 10.0), 1000.0));
        int parity = 0;
        double sum = 0;
        const int nRepetitions = 3;
        const auto times = lbm::measureSeconds
        (
            backend_, true, n, nRepetitions, [&](lbm::cudaStream& s)
            {
                parity = 1 - parity;
                parity ? step<1>(s) : step<0>(s);
            }
        );
        for (const double t : times)
        {
            sum += t;
        }
        return sum/nRepetitions/n;
    }
};


//- Call f(lattice, layout, precision), each as mp_identity
template<class Function>
void withTypes(const lbm::engineSettings& s, const Function& f)
{
    using namespace lbm;
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
    lbmCuda(cudaSetDevice(s.device));
    lbmBench::withTypes(s, [&](auto lattice, auto layout, auto precision)
    {
        using namespace lbm;
        withNamed<collisions>("collision", s.collision, [&](auto collision)
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
