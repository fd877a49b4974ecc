// Engines of parts that reach each other through a communicator have the bits of
// the engine of the whole, whatever node belongs to whom

#include "engineOfThreads.H"
#include "partsCase.H"

#include <chrono>
#include <thread>

namespace lbmTest
{

class communicators : public partsTest
{
protected:

    //- A way to share the nodes of a box
    struct sharing
    {
        std::string name;
        int nParts;
        std::function<int(int i, int j, int k)> owner;
    };

    static std::vector<sharing> sharings(const region& g)
    {
        const int nx = g.size[0], ny = g.size[1], nz = g.size[2];
        std::vector<sharing> result
        {
            {"x", 3, [=](int i, int, int) { return 3*i/nx; }},
            {"y", 2, [=](int, int j, int) { return 2*j/ny; }},
            {
                "2x2",
                4,
                [=](int i, int j, int) { return 2*(2*i/nx) + 2*j/ny; }
            },
            {"random", 3, randomOwner(3)},
            {
                "one without nodes",
                4,
                [=](int i, int j, int) { return i < j ? 0 : 2*i < nx ? 3 : 2; }
            }
        };
        if (nz > 1)
        {
            result.push_back
            (
                {"z", 3, [=](int, int, int k) { return 3*k/nz; }}
            );
            result.push_back
            ({
                "2x1x2",
                4,
                [=](int i, int, int k) { return 2*(2*i/nx) + 2*k/nz; }
            });
        }
        return result;
    }

    static std::function<int(int, int, int)> randomOwner(int n)
    {
        return [=](int i, int j, int k)
        {
            std::mt19937 generator(1 + i + 100*(j + 100*k));
            generator.discard(5);
            return int(generator() % n);
        };
    }

    static lbm::partition partitionOf(const region& g, const sharing& s)
    {
        std::vector<int> owner;
        for (std::size_t node = 0; node < g.d.fluid.size(); ++node)
        {
            const vec x = g.position(node);
            owner.push_back(s.owner(x[0], x[1], x[2]));
        }
        return lbm::partition(g.d, g.lattice, s.nParts, owner);
    }

    std::unique_ptr<engineOfThreads> make
    (
        const lbm::engineSettings& s,
        const region& g,
        const sharing& h
    ) const
    {
        return std::make_unique<engineOfThreads>
        (
            s, partitionOf(g, h), devices(h.nParts)
        );
    }

    //- Emulation takes its time: layouts in turn
    std::vector<std::string> layouts(std::size_t i) const
    {
        return
            backend_ != "emulated" ? std::vector<std::string>{"dense", "list"}
          : i % 2 ? std::vector<std::string>{"list"}
          : std::vector<std::string>{"dense"};
    }

    void compare(lbm::engineSettings s, const region& g) const
    {
        std::map<std::string, record> whole;
        std::size_t i = 0;
        for (const sharing& h : sharings(g))
        {
            for (const std::string& layout : layouts(i++))
            {
                s.layout = layout;
                if (!whole.count(layout))
                {
                    whole[layout] = after(s, g);
                }
                const record those =
                    after(s, g, [&]() { return make(s, g, h); });
                EXPECT_TRUE(those.bytes == whole[layout].bytes)
                    << s.lattice << ' ' << layout << ", parts: " << h.name;
            }
        }
    }

    //- Random fields
    static void start(lbm::engine& e)
    {
        std::mt19937 generator(11);
        const std::int64_t n = e.nFluid();
        const auto rho = random(generator, n, -1e-2, 1e-2);
        const auto u = random(generator, 3*n, -1e-2, 1e-2);
        e.initialise(0, n, rho.data(), u.data(), nullptr);
    }

    //- Populations after f of the engine of the whole and of those of parts
    void compareAfter
    (
        const lbm::engineSettings& s,
        const region& g,
        const std::function<void(lbm::engine&)>& f
    ) const
    {
        const auto after = [&](std::unique_ptr<lbm::engine> e)
        {
            g.setValues(*e);
            start(*e);
            f(*e);
            return populations(*e);
        };
        const auto whole = after(lbm::engine::New(s, g.d));
        for (const sharing& h : sharings(g))
        {
            EXPECT_TRUE(after(make(s, g, h)) == whole)
                << s.lattice << ", parts: " << h.name;
        }
    }
};


TEST_P(communicators, giveTheBitsOfTheWhole)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            const region g = channel(lattice, cyclicEnds);
            compare(settings(lattice), g);
        }
    }
}


TEST_P(communicators, giveThemWithFieldsOfTheNodes)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            const region g = channel(lattice, cyclicEnds);
            lbm::engineSettings s = settings(lattice);
            s.bodyForce = {1e-5, -2e-5, 0};
            s.variableViscosity = true;
            s.nodeForces = true;
            s.collision =
                !cyclicEnds ? "recursiveRegularised"
              : lattice == "D3Q27" ? "BGK"
              : "MRT";
            compare(s, g);
        }
    }
}


TEST_P(communicators, giveThemWithTransportedEddies)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            const region g = channel(lattice, cyclicEnds);
            lbm::engineSettings s = settings(lattice);
            s.variableViscosity = true;
            s.modelledViscosity = true;
            s.transportedVariables = 2;
            compare(s, g);
        }
    }
}


TEST_P(communicators, giveThemWithScalarsAndLaws)
{
    for (const std::string& lattice : lattices())
    {
        for (const bool cyclicEnds : {true, false})
        {
            region g = channel(lattice, cyclicEnds, false);
            lbm::engineSettings s = settings(lattice);
            s.variableViscosity = true;
            s.modelledViscosity = cyclicEnds;
            addScalars(g);
            compare(s, g);
        }
    }
}


TEST_P(communicators, giveThemWhereAllIsCyclic)
{
    for (const std::string& lattice : lattices())
    {
        const bool deep = is3D(lattice);
        region g;
        g.lattice = lattice;
        g.size = {4, 4, deep ? 4 : 1};
        g.periodic = {true, true, true};
        g.build();
        const lbm::engineSettings s = settings(lattice);
        const record whole = after(s, g);

        std::vector<sharing> all
        {
            {"planes across x", 4, [](int i, int, int) { return i; }},
            {"planes across y", 4, [](int, int j, int) { return j; }},
            {
                "every other node",
                2,
                [](int i, int j, int k) { return (i + j + k) % 2; }
            },
            {
                "a node each",
                8,
                [](int i, int j, int k) { return (i + 3*j + 5*k) % 8; }
            }
        };
        if (deep)
        {
            all.push_back
                ({"planes across z", 4, [](int, int, int k) { return k; }});
        }
        for (const sharing& h : all)
        {
            const record those = after(s, g, [&]() { return make(s, g, h); });
            EXPECT_TRUE(those.bytes == whole.bytes)
                << lattice << ", parts: " << h.name;
        }
    }
}


TEST_P(communicators, giveThemWithoutConcurrency)
{
    const region g = channel("D2Q9", false);
    lbm::engineSettings s = settings("D2Q9");
    s.concurrent = false;
    compare(s, g);
}


TEST_P(communicators, carryVaryingValues)
{
    for (const std::string& lattice : lattices())
    {
        region g = channel(lattice, false);
        for (lbm::linkGroup& group : g.d.groups)
        {
            group.varies = lbm::valuesPerFace(group.type) > 0;
        }
        compareAfter(settings(lattice), g, [&](lbm::engine& e)
        {
            for (std::size_t i = 0; i < g.d.groups.size(); ++i)
            {
                const std::string& type = g.d.groups[i].type;
                if (type != "velocity" && type != "pressure")
                {
                    continue;
                }
                const std::size_t width = lbm::valuesPerFace(type);
                std::vector<double> from = g.values[i], to = from;
                for (std::size_t k = 0; k < to.size(); ++k)
                {
                    to[k] *= width == 3 || k % width == 0 ? 1.5 : 1;
                }
                e.varyBoundaryValues
                (
                    i, from.data(), to.data(), from.size()/width, 2, 9
                );
            }
            e.step(5);
            e.step(6);
        });
    }
}


// Whether all nodes have the same viscosity is for all parts to say
TEST_P(communicators, agreeOnViscosities)
{
    const region g = channel("D2Q9", true);
    lbm::engineSettings s = settings("D2Q9");
    s.variableViscosity = true;
    for (const double other : {0.05, 0.08})
    {
        compareAfter(s, g, [&](lbm::engine& e)
        {
            std::vector<double> nu(e.nFluid(), 0.1);
            nu[nu.size()/3] = 0.2;
            e.setViscosity(0, nu.size(), nu.data());
            e.step(2);

            // The same in each of some parts
            for (std::size_t n = 0; n < nu.size(); ++n)
            {
                nu[n] = 2*g.x[n][0] < g.size[0] ? 0.05 : other;
            }
            e.setViscosity(0, nu.size(), nu.data());
            e.step(2);
            e.rescale(0.9, 0.64);
            g.setValues(e);
            e.step(2);
            e.setViscosity(1, 3, nu.data());
            e.step(2);
        });
    }

    // Equal ones are a relaxation time
    const auto h = sharings(g)[4];
    const auto after = [&](bool single)
    {
        const auto e = make(s, g, h);
        start(*e);
        if (single)
        {
            e->setRelaxationTime(0.5 + 3*0.05);
        }
        else
        {
            const std::vector<double> nu(e->nFluid(), 0.05);
            e->setViscosity(0, nu.size(), nu.data());
        }
        e->step(3);
        return populations(*e);
    };
    EXPECT_TRUE(after(true) == after(false));
}


// Few nodes, so that most parts have none, and ghost nodes of others read them
TEST_P(communicators, bringForcesToGhostNodes)
{
    for (const std::string& lattice : lattices())
    {
        const region g = channel(lattice, false);
        lbm::engineSettings s = settings(lattice);
        s.nodeForces = true;
        for (const bool drags : {false, true})
        {
            compareAfter(s, g, [&](lbm::engine& e)
            {
                std::vector<std::int64_t> nodes;
                std::vector<double> a, sigma;
                for (std::size_t n = 0; n < g.x.size(); ++n)
                {
                    // At the outlet
                    if (g.x[n][0] > g.size[0] - 2.5 && g.x[n][1] < 6)
                    {
                        nodes.push_back(n);
                        a.insert(a.end(), {1e-4, -2e-4, 0});
                        sigma.insert(sigma.end(), {0.1, 0.2, 0.1, 0, 0, 0.02});
                    }
                }
                e.setForces
                (
                    nodes.size(),
                    nodes.data(),
                    a.data(),
                    drags ? sigma.data() : nullptr
                );
                e.step(3);
                e.setForces(0, nullptr, nullptr, nullptr);
                e.step(2);
            });
        }
    }
}


// The comparisons above see what is exchanged
TEST_P(communicators, mattersWhatTheyDeliver)
{
    for (const std::string& lattice : lattices())
    {
        const region g = channel(lattice, false);
        const lbm::engineSettings s = settings(lattice);
        const auto whole = g.make(s);
        start(*whole);
        whole->step(2);
        for (const sharing& h : sharings(g))
        {
            const auto e = make(s, g, h);
            g.setValues(*e);
            e->silence();
            start(*e);
            e->step(2);
            EXPECT_FALSE(populations(*e) == populations(*whole))
                << lattice << ", parts: " << h.name;
        }
    }
}


TEST_P(communicators, mattersToScalarsAndLaws)
{
    region g = channel("D2Q9", true, false);
    addScalars(g);
    lbm::engineSettings s = settings("D2Q9");
    s.variableViscosity = true;
    s.modelledViscosity = true;

    // Scalars of a fluid at rest, and viscosities before any step
    const auto after = [&](lbm::engine& e)
    {
        const std::int64_t n = e.nFluid();
        const std::vector<double> zero(3*n, 0.0);
        std::array<std::vector<double>, 2> result
        {
            std::vector<double>(n), std::vector<double>(n)
        };
        setScalars(e, g);
        e.setScalarForce(0, {0, 0, 0});
        e.initialise(0, n, zero.data(), zero.data(), nullptr);
        startScalars(e, g);
        e.step(2);
        e.getScalar(1, 0, n, result[0].data());
        start(e);
        setLaws(e);
        e.updateViscosity();
        e.viscosity(0, n, result[1].data());
        return result;
    };
    const auto whole = after(*lbm::engine::New(s, g.d));
    for (const sharing& h : sharings(g))
    {
        const auto heard = make(s, g, h);
        EXPECT_TRUE(after(*heard) == whole) << "parts: " << h.name;
        const auto e = make(s, g, h);
        e->silence();
        const auto silent = after(*e);
        EXPECT_FALSE(silent[0] == whole[0]) << "parts: " << h.name;
        EXPECT_FALSE(silent[1] == whole[1]) << "parts: " << h.name;
    }
}


TEST_P(communicators, refusePartsThatDoNotFit)
{
    const region g = channel("D2Q9", false);
    const lbm::engineSettings s = settings("D2Q9");
    const lbm::partition whole = partitionOf(g, sharings(g)[2]);
    using change = std::function<void(int, lbm::latticeDescription&)>;

    const auto messages = [&](const change& f)
    {
        std::vector<std::string> result;
        threads t(whole.parts.size());
        const auto failures = t.tryAll([&](int rank)
        {
            lbm::engineSettings own(s);
            own.communicator = std::make_shared<threadsCommunicator>(t, rank);
            lbm::latticeDescription d(whole.parts[rank].description);
            f(rank, d);
            lbm::engine::New(own, d);
        });
        for (const std::exception_ptr& failure : failures)
        {
            result.emplace_back();
            try
            {
                if (failure)
                {
                    std::rethrow_exception(failure);
                }
            }
            catch (const lbm::error& e)
            {
                result.back() = e.what();
            }
            catch (const std::exception& e)
            {
                ADD_FAILURE() << e.what();
            }
        }
        return result;
    };
    const auto refused = [&](const change& f, const std::string& why)
    {
        for (const std::string& message : messages(f))
        {
            EXPECT_NE(message.find("do not fit together"), message.npos)
                << message;
            EXPECT_NE(message.find(why), message.npos) << message;
        }
    };

    for (const std::string& message : messages([](int, auto&) {}))
    {
        EXPECT_EQ(message, "");
    }
    const std::size_t nLinks =
        whole.parts[0].description.halos[0].node.size();
    refused
    (
        [](int rank, lbm::latticeDescription& d)
        {
            if (rank == 1)
            {
                d.halos[0].node.pop_back();
                d.halos[0].direction.pop_back();
            }
        },
        "rank 0 has " + std::to_string(nLinks) + " links to rank 1, which has "
      + std::to_string(nLinks - 1) + " back"
    );
    refused
    (
        [](int rank, lbm::latticeDescription& d)
        {
            if (rank == 2)
            {
                lbm::haloLinks& h = d.halos[0];
                std::reverse(h.node.begin(), h.node.end());
                std::reverse(h.direction.begin(), h.direction.end());
            }
        },
        "differ in their directions"
    );
    refused
    (
        [](int rank, lbm::latticeDescription& d)
        {
            for (lbm::remoteNodes& r : d.sent)
            {
                if (rank == 0 && r.peer == 2)
                {
                    r.node.pop_back();
                }
            }
        },
        "bytes of nodes"
    );
    refused
    (
        [](int rank, lbm::latticeDescription& d)
        {
            if (rank == 3)
            {
                d.halos[0].peer = 7;
            }
        },
        "rank 3"
    );
}


TEST_P(communicators, sampleTheirNodes)
{
    const region g = channel("D2Q9", true);
    const auto e = make(settings("D2Q9"), g, sharings(g)[0]);
    start(*e);
    e->step(3);
    e->eachOf([](int, lbm::engine& own)
    {
        const std::vector<std::int64_t> nodes{own.nFluid() - 1, 0, 2};
        std::vector<double> rho(3), u(9);
        own.macroscopicAt(3, nodes.data(), rho.data(), u.data());
        const auto sampler = own.sampler(3, nodes.data());
        sampler->start();
        const float* const v = sampler->values();
        for (int l = 0; l < 3; ++l)
        {
            EXPECT_EQ(v[4*l], float(rho[l]));
            for (int a = 0; a < 3; ++a)
            {
                EXPECT_EQ(v[4*l + 1 + a], float(u[3*l + a]));
            }
        }
    });
}


TEST_P(communicators, timeTheirNodesWithoutWaiting)
{
    const region g = channel("D2Q9", true);
    const lbm::engineSettings s = settings("D2Q9");
    const auto e = make(s, g, sharings(g)[0]);
    const auto started = std::chrono::steady_clock::now();
    e->eachOf([](int rank, lbm::engine& own)
    {
        EXPECT_LT(own.nodesTime(), 0);
        if (rank == 0)
        {
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        own.step(1);
        EXPECT_GT(own.nodesTime(), 0);
        EXPECT_LT(own.nodesTime(), 0.5);
    });
    const std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - started;
    EXPECT_GT(passed.count(), 1);

    const auto whole = g.make(s);
    whole->step(1);
    EXPECT_LT(whole->nodesTime(), 0);
}


TEST_P(communicators, refuseWhatNeedsAllOfTheLattice)
{
    const region g = channel("D2Q9", true);
    lbm::engineSettings s = settings("D2Q9");
    const sharing h = sharings(g)[0];
    const auto e = make(s, g, h);
    e->eachOf([](int, lbm::engine& own)
    {
        const std::int64_t node = 0;
        EXPECT_FALSE(own.mayBeObstacle(node));
        own.setObstacle(0, nullptr);
        EXPECT_THROW(own.setObstacle(1, &node), lbm::error);
        EXPECT_THROW(own.addObstacle(1, &node), lbm::error);
        EXPECT_THROW(own.removeObstacle(1, &node), lbm::error);
        EXPECT_TRUE(own.parts().empty());
    });

    const auto refused = [&](const region& those)
    {
        EXPECT_THROW(make(s, those, h), lbm::error);
    };
    s.devices = {0, 0};
    refused(g);
    s.devices.clear();
    s.modelledViscosity = true;
    refused(g);
    s.modelledViscosity = false;

    // A part alone
    EXPECT_THROW
    (
        lbm::engine::New(s, partitionOf(g, h).parts[0].description), lbm::error
    );
}


//- A communicator that must not be used
class silentCommunicator final
:
    public lbm::communicator
{
public:

    int rank() const override
    {
        return 0;
    }

    int size() const override
    {
        return 3;
    }

    void start(const std::vector<message>&) override
    {
        throw std::logic_error("used");
    }

    void finish() override
    {
        throw std::logic_error("used");
    }

    std::vector<char> allGather(const void*, std::int64_t) override
    {
        throw std::logic_error("used");
    }
};


TEST_P(communicators, areNotNeededToTellTheMemory)
{
    for (const std::string layout : {"dense", "list"})
    {
        const region g = channel("D2Q9", false);
        lbm::engineSettings s = settings("D2Q9");
        s.layout = layout;
        const sharing h = sharings(g)[0];
        const lbm::partition whole = partitionOf(g, h);
        const auto e = make(s, g, h);
        std::vector<std::int64_t> taken(h.nParts);
        e->eachOf([&](int rank, lbm::engine& own)
        {
            taken[rank] = own.memory().total();
        });
        s.communicator = std::make_shared<silentCommunicator>();
        for (int p = 0; p < h.nParts; ++p)
        {
            const lbm::latticeDescription& d = whole.parts[p].description;
            EXPECT_EQ(lbm::engine::memoryNeeded(s, d).total(), taken[p]);
            std::string reason;
            lbm::engine::defaultLayout(s, d, std::int64_t(1) << 40, reason);
            EXPECT_NE(reason, "");

            // Buffers of links count
            std::int64_t nLinks = 0;
            for (const lbm::haloLinks& links : d.halos)
            {
                nLinks += links.node.size();
            }
            lbm::latticeDescription without(d);
            without.halos.clear();
            EXPECT_GE
            (
                taken[p] - lbm::engine::memoryNeeded(s, without).total(),
                nLinks*2*lbm::engine::bytesPerPopulation(precision_)
            );
        }
    }
}


TEST_P(communicators, ofOneProcessChangeNothing)
{
    const region g = channel("D2Q9", true);
    const lbm::engineSettings s = settings("D2Q9");
    const sharing h{"all", 1, [](int, int, int) { return 0; }};
    compareAfter(s, g, [](lbm::engine& e) { e.step(3); });
    const record whole = after(s, g);
    EXPECT_TRUE
    (
        after(s, g, [&]() { return make(s, g, h); }).bytes == whole.bytes
    );
    const auto e = make(s, g, h);
    e->eachOf([](int, lbm::engine& own)
    {
        const std::int64_t node = 0;
        EXPECT_NO_THROW(own.sampler(1, &node));
    });
}


// A wall without thickness on the cut, between nodes of which some are remote:
// it is none of a part's own walls between two nodes
TEST_P(communicators, keepWallsWithoutThicknessOnCuts)
{
    for (const std::string& lattice : lattices())
    {
        region g = channel(lattice, false);
        const int nx = g.size[0], ny = g.size[1];
        const lbm::engineSettings s = settings(lattice);
        const record whole = after(s, g);
        const std::vector<sharing> all
        {
            {"at plate 0", 2, [=](int i, int, int) { return i >= nx/2; }},
            {"at plate 1", 2, [=](int, int j, int) { return j >= ny/2; }},
            {"pairs", 2, [=](int i, int, int) { return i/2 % 2; }},
        };
        for (const sharing& h : all)
        {
            EXPECT_TRUE
            (
                after(s, g, [&]() { return make(s, g, h); }).bytes
             == whole.bytes
            )
                << lattice << ", parts: " << h.name;
        }
    }
}


lbmForEnginesOf(communicators, "half", "single", "double");

INSTANTIATE_TEST_SUITE_P
(
    emulated,
    communicators,
    testing::Combine
    (
        testing::Values("emulated"), testing::Values("half", "single")
    ),
    [](const auto& info)
    {
        return std::get<0>(info.param) + "_" + std::get<1>(info.param);
    }
);

} // End namespace lbmTest
