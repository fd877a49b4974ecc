// The kernels that update several nodes a thread, and several lines a warp, run
// on the host: they leave the same bits in every slot as nodes updated one by one

#include "emulatedKernels.H"

#include "choices.H"
#include "latticeCase.H"
#include "engine/enginePlan.H"

#include <random>

namespace lbmTest
{

template<class Lattice, class Precision, class Layout>
class vectorFlow
{
    using modelType = lbm::model<Lattice, Layout, Precision>;
    using storage = typename Precision::storage;
    using T = typename Precision::arithmetic;

    lbm::engineSettings settings_;
    lbm::enginePlan plan_;
    std::vector<std::uint32_t> table_;
    modelType model_;
    std::vector<storage> data_;

    static lbm::engineSettings settingsOf()
    {
        lbm::engineSettings s;
        s.lattice = Lattice::name;
        s.precision = Precision::name;
        s.layout = Layout::name;
        s.backend = "cuda";
        return s;
    }

    template<class Operation, int parity>
    using update =
        lbm::updateNode<modelType, Operation, lbm::noForcing, parity>;

public:

    explicit vectorFlow(const lbm::latticeDescription& d)
    :
        settings_(settingsOf()),
        plan_(settings_, d),
        data_(Lattice::q*plan_.layout->nPlaces)
    {
        std::mt19937 random(data_.size());
        std::uniform_real_distribution<float> any(-1e-2, 1e-2);
        for (storage& x : data_)
        {
            x = storage(any(random));
        }

        const auto& layout =
            static_cast<const typename Layout::layout&>(*plan_.layout);
        table_ = Layout::table(layout);
        model_.f.position = layout.position;
        model_.f.neighbour = Layout::template make<Lattice>
        (
            layout, plan_.c, table_.data()
        );
        model_.p = {1.7f, 1.1f, 1.3f, {0, 0, 0}};
    }

    //- Bytes of all slots after a step, of nodes one by one (0) or by a kernel,
    //  with so many lines a warp if their neighbours are looked up
    template<class Operation, int parity>
    std::vector<char> after(unsigned perWarp)
    {
        std::vector<storage> data(data_);
        model_.f.setArrays(data.data(), plan_.layout->stride);
        const std::vector<double> ownRates{1.4, 1.2, 1.9};
        const update<Operation, parity> work
        {
            model_, {}, Operation::template rates<T>::from(ownRates)
        };
        for (const lbm::nodeKind kind : {lbm::interiorNode, lbm::shellNode})
        {
            const lbm::lineNumbers numbers
            (
                plan_.flags, *plan_.layout, plan_.marked, kind
            );
            const lbm::lineList lines = listOf(numbers);
            if (perWarp == 0)
            {
                oneByOne(lines, work);
            }
            else if constexpr (Layout::contiguous)
            {
                runVectorKernel(lines, work);
            }
            else
            {
                runLookedUpKernel(lines, perWarp, work);
            }
        }

        // What left over a link is read by none
        for (const lbm::markedNode& node : plan_.marked)
        {
            const std::int64_t n = plan_.layout->position(node.place);
            lbm::forEachIndex<Lattice::q>([&](auto i)
            {
                if (node.mark >> i & 1)
                {
                    model_.f.template outgoing<parity, i>(n) = storage(0.0f);
                }
            });
        }
        std::vector<char> bytes(data.size()*sizeof(storage));
        std::memcpy(bytes.data(), data.data(), bytes.size());
        return bytes;
    }

    //- Lines and those of them with marks
    std::pair<int, int> nLines() const
    {
        return {plan_.nLines, plan_.nMarked};
    }

private:

    template<class Update>
    void oneByOne(const lbm::lineList& lines, const Update& work)
    {
        for (unsigned l = 0; l < lines.n; ++l)
        {
            for (unsigned i = 0; i < lbm::lineList::length; ++i)
            {
                const std::int64_t n =
                    std::int64_t(lines.line[l])*lbm::lineList::length + i;
                const std::uint32_t mark =
                    lines.marks[l] == lbm::lineList::none
                  ? lbm::presentNode
                  : lines.mark[lines.marks[l]*lbm::lineList::length + i];
                if (mark & lbm::presentNode)
                {
                    work(n, mark, lbm::markedNode::none);
                }
            }
        }
    }
};


template<class Lattice, class Precision, class Layout = lbm::dense>
void compare(unsigned perWarp = 1)
{
    int nLines = 0, nMarked = 0;
    for (const bool solids : {false, true})
    {
        for (const int nx : {1, 3, 31, 32, 33, 64, 70, 129, 200})
        {
            box b;
            b.lattice = Lattice::name;
            b.size = {nx, 12, Lattice::d == 2 ? 1 : 3};
            b.periodic = {false, false, true};
            b.lidAxis = 1;
            if (solids)
            {
                b.solid = [](int i, int j, int k)
                {
                    return (i*7 + j*5 + k*3) % 23 == 0 || (i > 40 && i < 52);
                };
            }
            vectorFlow<Lattice, Precision, Layout> flow(b.description());
            nLines += flow.nLines().first;
            nMarked += flow.nLines().second;

            const auto same = [&](auto operation, auto parity)
            {
                using O = decltype(operation);
                constexpr int p = decltype(parity)::value;
                const auto slots = flow.template after<O, p>(perWarp);
                return slots == flow.template after<O, p>(0);
            };
            lbm::mp::mp_for_each<lbm::operationsOf<Lattice>>
            (
                [&](auto operation)
                {
                    EXPECT_TRUE(same(operation, lbm::constant<0>())) << nx;
                    EXPECT_TRUE(same(operation, lbm::constant<1>())) << nx;
                }
            );
        }
    }

    // Both kinds of line were there
    EXPECT_GT(nMarked, 0);
    EXPECT_GT(nLines, nMarked);
}


TEST(vectorUpdate, leavesTheBitsOfNodesUpdatedOneByOne)
{
    compare<lbm::D2Q9, lbm::singlePrecision>();
    compare<lbm::D3Q19, lbm::singlePrecision>();
    compare<lbm::D3Q19, lbm::halfPrecision>();
    compare<lbm::D3Q19, lbm::doublePrecision>();
    compare<lbm::D3Q27, lbm::singlePrecision>();
}


TEST(lookedUpUpdate, leavesTheBitsOfNodesUpdatedOneByOne)
{
    for (const unsigned perWarp : {1, 3, 8})
    {
        compare<lbm::D2Q9, lbm::singlePrecision, lbm::list>(perWarp);
    }
    compare<lbm::D3Q19, lbm::singlePrecision, lbm::list>(8);
    compare<lbm::D3Q27, lbm::halfPrecision, lbm::list>(8);
    compare<lbm::D3Q19, lbm::doublePrecision, lbm::list>(8);
}


// The emulation itself
TEST(vectorUpdate, handsOnWhatNeighbouringLanesHave)
{
    std::vector<unsigned> up(32), down(32);
    warp w;
    w.run(0, 64, [&]()
    {
        const unsigned t = threadIdx.x;
        const unsigned before = __shfl_up_sync(~0u, 10*t, 1);
        const unsigned after = __shfl_down_sync(~0u, 10*t, 1);
        up[t - 64] = before;
        down[t - 64] = after;
    });
    for (int lane = 0; lane < 32; ++lane)
    {
        EXPECT_EQ(up[lane], 10u*(64 + std::max(lane - 1, 0)));
        EXPECT_EQ(down[lane], 10u*(64 + std::min(lane + 1, 31)));
    }
}

} // End namespace lbmTest
