#include "stepTraffic.H"
#include "choices.H"
#include "engine/enginePlan.H"

namespace lbm
{

namespace
{

class trafficCount
{
    const latticeDescription& d_;
    const enginePlan plan_;

    const bool device_;

    //- Bytes of a sector, of a stored population and of a value in arithmetic
    const int sector_;
    const int storage_;
    int arithmetic_ = 0;

    const int q_;
    const int nPairs_;

    //- Places that share a sector of an array
    const std::int64_t perSector_;

    //- Links of a group in one direction, in the order of memory
    using run = std::vector<std::size_t>;

    //- Nodes that a thread takes, and the part of lines whose links have terms
    void addLines(kernelTraffic (&nodes)[3]) const
    {
        std::int64_t nLines[3] = {0, 0, 0}, nWith[3] = {0, 0, 0};
        auto node = plan_.withTerms.begin();
        forLines([&](std::int64_t first, std::int64_t, int kind)
        {
            const auto before = node;
            while
            (
                node != plan_.withTerms.end()
             && node->place < first + enginePlan::block
            )
            {
                ++node;
            }
            ++nLines[kind];
            nWith[kind] += node != before;
        });

        for (const int kind : {interiorNode, shellNode})
        {
            if (nLines[kind]*enginePlan::block >= severalFrom)
            {
                nodes[kind].perThread = nodesAThread
                (
                    plan_.layout->neighbourBytes() == 0,
                    plan_.haveTerms[kind],
                    arithmetic_
                );
            }
            if (nWith[kind] > 0)
            {
                nodes[kind].withTerms = double(nWith[kind])/nLines[kind];
            }
        }
    }

    //- Sectors that the nodes of each kind touch in an array whose slots are
    //  those of places at(n), by kind. Kinds are powers of two.
    template<class At>
    std::array<double, 3> sectors(std::int64_t perSector, const At& at) const
    {
        const nodeLayout& l = *plan_.layout;
        std::vector<std::uint8_t> touched(l.nPlaces/perSector + 2, 0);
        for (std::int64_t n = l.begin; n < l.end; ++n)
        {
            if (plan_.flags[n] != solidNode)
            {
                touched[at(n)/perSector] |= plan_.flags[n];
            }
        }

        std::array<double, 3> result{0, 0, 0};
        for (const std::uint8_t kinds : touched)
        {
            for (const int kind : {interiorNode, shellNode})
            {
                result[kind] += (kinds & kind) > 0;
            }
        }
        return result;
    }

    //- Call f(first place, number of nodes, kind) for the lines that a device
    //  works on, which hold nodes of one kind
    template<class Function>
    void forLines(const Function& f) const
    {
        const std::int64_t nPlaces = plan_.flags.size();
        for (std::int64_t b = 0; device_ && b < nPlaces; b += enginePlan::block)
        {
            const auto begin = plan_.flags.begin() + b;
            const auto end = begin + enginePlan::block;
            for (const int kind : {interiorNode, shellNode})
            {
                const std::int64_t n = std::count(begin, end, kind);
                if (n > 0)
                {
                    f(b, n, kind);
                }
            }
        }
    }

    //- The table of a list. A device reads one neighbour a line where the
    //  others follow it
    void addTable(const listLayout& l, kernelTraffic (&nodes)[3]) const
    {
        const std::int64_t lineBytes = listLayout::line*sizeof(std::uint32_t);
        if (!device_)
        {
            const std::int64_t perTableSector = sector_/sizeof(std::uint32_t);
            const auto table =
                sectors(perTableSector, [](std::int64_t n) { return n; });
            for (const int kind : {interiorNode, shellNode})
            {
                nodes[kind].read += table[kind]*nPairs_*sector_;
            }
        }

        forLines([&](std::int64_t place, std::int64_t, int kind)
        {
            std::vector<std::uint32_t> neighbours;
            l.appendNeighbours(place, neighbours);
            for (int pair = 0; pair < nPairs_; ++pair)
            {
                if (neighbours[pair] == listLayout::none)
                {
                    nodes[kind].read += lineBytes;
                }
            }

            // Among them the two that are counted for every line
            nodes[kind].read +=
                (neighbours.size() - 2)*sizeof(std::uint32_t);
        });
    }

    void addNodes(kernelTraffic (&nodes)[3]) const
    {
        const nodeLayout& l = *plan_.layout;
        const auto add = [&](const std::array<double, 3>& n, int nArrays)
        {
            for (const int kind : {interiorNode, shellNode})
            {
                nodes[kind].read += n[kind]*nArrays*sector_;
                nodes[kind].written += n[kind]*nArrays*sector_;
            }
        };

        // An array of each pair of directions is touched at the nodes, the
        // other one at their neighbours
        const auto own = sectors(perSector_, [](std::int64_t n) { return n; });
        add(own, 1 + nPairs_);

        const auto* listed = dynamic_cast<const listLayout*>(&l);
        if (listed)
        {
            for (int pair = 0; pair < nPairs_; ++pair)
            {
                const std::uint32_t* row =
                    listed->table().data() + pair*listed->rows();
                add
                (
                    sectors(perSector_, [&](std::int64_t n) { return row[n]; }),
                    1
                );
            }

            addTable(*listed, nodes);
        }
        else
        {
            // Rows begin at a sector: neighbours in other rows touch as many
            // as those at the same x
            const auto beside =
                sectors(perSector_, [](std::int64_t n) { return n + 1; });
            for (int i = 1; i < q_; i += 2)
            {
                add(plan_.c[i][0] ? beside : own, 1);
            }
        }

        // A device works on lines of places, from a list of them; where there
        // are other places or links too, it reads the marks of their nodes
        auto node = plan_.marked.begin();
        forLines([&](std::int64_t first, std::int64_t n, int kind)
        {
            while (node != plan_.marked.end() && node->place < first)
            {
                ++node;
            }
            const bool terms = plan_.haveTerms[kind];
            const bool marked =
                n < enginePlan::block
             || (terms && !listed)
             || (
                    node != plan_.marked.end()
                 && node->place < first + enginePlan::block
                );
            nodes[kind].read +=
                sizeof(std::uint32_t)
               *(2 + marked*(1 + terms)*enginePlan::block);
        });
        for (const std::uint8_t flag : plan_.flags)
        {
            ++nodes[flag].n;
        }
    }

    //- Sectors of an array touched at places that do not decrease
    template<class PlaceOf>
    double sectorsOf(const run& links, const PlaceOf& placeOf) const
    {
        double n = 0;
        std::int64_t last = -1;
        for (const std::size_t l : links)
        {
            const std::int64_t s = placeOf(l)/perSector_;
            n += s != last;
            last = s;
        }
        return n;
    }

    //- Sectors of which only a part is touched
    template<class PlaceOf>
    double partSectorsOf(const run& links, const PlaceOf& placeOf) const
    {
        double nWhole = 0;
        std::int64_t last = -1, n = 0;
        for (const std::size_t l : links)
        {
            const std::int64_t s = placeOf(l)/perSector_;
            n = s == last ? n + 1 : 1;
            nWhole += n == perSector_;
            last = s;
        }
        return sectorsOf(links, placeOf) - nWhole;
    }

    //- Sectors of an array touched at some places
    double sectorsAt(std::vector<std::int64_t> places) const
    {
        for (std::int64_t& place : places)
        {
            place /= perSector_;
        }
        std::sort(places.begin(), places.end());
        return std::unique(places.begin(), places.end()) - places.begin();
    }

    //- The links of a group, direction by direction
    std::vector<run> runs(const linkGroup& g) const
    {
        std::vector<run> result(q_);
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            result[g.direction[l]].push_back(l);
        }
        for (run& links : result)
        {
            std::sort
            (
                links.begin(),
                links.end(),
                [&](std::size_t a, std::size_t b)
                {
                    return g.node[a] < g.node[b];
                }
            );
        }
        return result;
    }

    //- A link reads a slot and writes one
    template<class From, class To>
    void addSlots
    (
        kernelTraffic& k,
        const run& links,
        const From& from,
        const To& to
    ) const
    {
        k.read +=
            sector_*(sectorsOf(links, from) + partSectorsOf(links, to));
        k.written += sector_*sectorsOf(links, to);
    }

    //- What nodes move for links that they work on themselves: terms, and slots
    //  of what comes back
    void addAtOnce
    (
        kernelTraffic (&nodes)[3],
        const linkGroup& g
    ) const
    {
        for (const run& links : runs(g))
        {
            run ofKind[3];
            for (const std::size_t l : links)
            {
                const std::int64_t place = plan_.layout->place(g.node[l]);
                const int kind = plan_.flags[place];
                ofKind[kind].push_back(l);
                nodes[kind].read +=
                    2*arithmetic_
                   *(plan_.withTermsAt(place) != markedNode::none);
            }
            for (const int kind : {interiorNode, shellNode})
            {
                const auto slot = [&](std::size_t l)
                {
                    return plan_.slotPlace(g.node[l], g.direction[l]);
                };
                nodes[kind].read +=
                    sector_*partSectorsOf(ofKind[kind], slot);
                nodes[kind].written += sector_*sectorsOf(ofKind[kind], slot);
            }
        }
    }

    template<class Link>
    void addLinks(stepTraffic& t, const linkGroup& g, std::size_t groupi) const
    {
        const bool interpolated =
            Link::local && !Link::ghost && !g.distance.empty();
        const auto links = runs(g);
        const auto placeOf = [&](std::size_t l)
        {
            return plan_.layout->place(g.node[l]);
        };

        kernelTraffic work;
        work.kind = Link::local ? stepKernel::links : stepKernel::cyclic;
        work.name = g.name;
        work.n = g.size();
        work.afterCyclic = interpolated;

        // Direction; node, partner; term
        work.read +=
            g.size()
           *(
                sizeof(std::uint8_t)
              + sizeof(std::uint32_t)*(1 + (interpolated || !Link::local))
              + arithmetic_
               *(Link::ghost ? 1 : 2*(interpolated || Link::nValues > 0))
            );

        for (int i = 1; i < q_; ++i)
        {
            const auto slot = [&](std::size_t l)
            {
                return plan_.slotPlace(g.node[l], i);
            };
            if constexpr (Link::ghost)
            {
                work.read += sector_*partSectorsOf(links[i], slot);
                work.written += sector_*sectorsOf(links[i], slot);
            }
            else if constexpr (Link::local)
            {
                addSlots(work, links[i], slot, slot);
            }
            else
            {
                addSlots(work, links[i], slot, [&](std::size_t l)
                {
                    return plan_.slotPlace(g.partner[l], opposite(i));
                });
            }
            if (interpolated)
            {
                // Both slots of the opposite direction, where K is not 0
                run moved;
                for (const std::size_t l : links[i])
                {
                    if (g.distance[l] != 0.5f)
                    {
                        moved.push_back(l);
                    }
                }
                work.read += 2*sector_*sectorsOf(moved, [&](std::size_t l)
                {
                    return plan_.slotPlace(g.node[l], opposite(i));
                });
            }
        }

        if (Link::ghost)
        {
            const double state = sizeof(nodeState<float>)/4*arithmetic_;
            const double place = sizeof(ghostPlace<float>)/4*arithmetic_;
            const std::vector<std::uint32_t>& other =
                plan_.besidePlaces[groupi];
            const std::int64_t nOwn = plan_.nGhostNodes[groupi];
            const double ofOther =
                q_*sector_*sectorsAt({other.begin(), other.end()});

            // Links lie node by node: what they read of it is read once, and so
            // are the states beside
            std::vector<std::int64_t> own;
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                own.push_back(placeOf(l));
            }
            const double ofOwn = q_*sector_*sectorsAt(own);
            const double copied = q_*arithmetic_;
            const int numbers = 1 + (plan_.completes && !device_);

            if (device_)
            {
                kernelTraffic copy;
                copy.kind = stepKernel::copy;
                copy.name = g.name;
                copy.n = nOwn + other.size();
                copy.read =
                    copy.n*(1 + plan_.completes)*sizeof(std::uint32_t)
                  + nOwn*sizeof(std::uint32_t)
                  + ofOwn + ofOther;
                copy.written = copied*copy.n;
                t.kernels.push_back(copy);
            }
            if (!other.empty())
            {
                kernelTraffic beside;
                beside.kind = stepKernel::prepare;
                beside.name = g.name + ", nodes beside";
                beside.n = other.size();
                beside.read =
                    beside.n*numbers*sizeof(std::uint32_t)
                  + (device_ ? copied*beside.n : ofOther);
                beside.written = state*beside.n;
                t.kernels.push_back(beside);
            }

            kernelTraffic before;
            before.kind = stepKernel::prepare;
            before.name = g.name;
            before.n = nOwn;

            // First link of a node, its number; of each link direction; place,
            // number of the node beside; where the ghost node lies, values
            before.read =
                sizeof(std::uint32_t)
               *(before.n*numbers + 1)
              + g.size()
               *(
                    sizeof(std::uint8_t) + 2*sizeof(std::uint32_t)
                  + place + arithmetic_*Link::nValues
                );
            before.written = 2.0*arithmetic_*g.size();

            before.read +=
                (device_ ? copied*nOwn : ofOwn) + state*other.size();
            t.kernels.push_back(before);
        }
        if (plan_.atOnce[groupi])
        {
            // Those that face others
            std::int64_t n = 0;
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                n += plan_.facing(g.node[l], g.direction[l]);
            }
            const double part = double(n)/work.n;
            work.n = n;
            work.read *= part;
            work.written *= part;
        }
        if (work.n > 0)
        {
            t.kernels.push_back(work);
        }
    }

    void addFacing(stepTraffic& t) const
    {
        kernelTraffic k;
        k.kind = stepKernel::facing;
        k.name = "facing";
        for (const auto& link : plan_.facingLinks)
        {
            k.n += link.second % 2;
        }

        // Few and far between: two slots each, in sectors of their own
        k.read = k.n*(sizeof(std::uint32_t) + 1.0 + 2*sector_);
        k.written = 2.0*sector_*k.n;
        if (k.n > 0)
        {
            t.kernels.push_back(k);
        }
    }

public:

    trafficCount(const engineSettings& s, const latticeDescription& d)
    :
        d_(d),
        plan_(s, d),
        device_(s.backend != "host"),
        sector_(device_ ? 32 : 64),
        storage_(engine::bytesPerPopulation(s.precision)),
        q_(plan_.c.size()),
        nPairs_((q_ - 1)/2),
        perSector_(sector_/storage_)
    {
        withNamed<precisions>("precision", s.precision, [&](auto p)
        {
            arithmetic_ = sizeof(typename decltype(p)::type::arithmetic);
        });
    }

    stepTraffic count() const
    {
        stepTraffic t;

        kernelTraffic kinds[3];
        addNodes(kinds);
        addLines(kinds);
        for (std::size_t groupi = 0; groupi < d_.groups.size(); ++groupi)
        {
            if (plan_.atOnce[groupi])
            {
                addAtOnce(kinds, d_.groups[groupi]);
            }
        }
        kinds[shellNode].kind = stepKernel::shell;
        kinds[shellNode].name = "shell";
        kinds[interiorNode].kind = stepKernel::interior;
        kinds[interiorNode].name = "interior";
        if (plan_.layout->position.skip)
        {
            t.pieceBytes =
                std::int64_t(plan_.layout->position.piece)*storage_;
        }
        for (const int kind : {shellNode, interiorNode})
        {
            if (kinds[kind].n > 0)
            {
                t.kernels.push_back(kinds[kind]);
            }
        }
        addFacing(t);

        for (std::size_t groupi = 0; groupi < d_.groups.size(); ++groupi)
        {
            const linkGroup& g = d_.groups[groupi];
            withNamed<links>("kind of link group", g.type, [&](auto kind)
            {
                if (g.size() > 0)
                {
                    addLinks<typename decltype(kind)::type>(t, g, groupi);
                }
            });
        }
        return t;
    }
};

} // End anonymous namespace


double stepTraffic::read() const
{
    double sum = 0;
    for (const kernelTraffic& k : kernels)
    {
        sum += k.read;
    }
    return sum;
}


double stepTraffic::written() const
{
    double sum = 0;
    for (const kernelTraffic& k : kernels)
    {
        sum += k.written;
    }
    return sum;
}


std::int64_t nodesWithLinks(const latticeDescription& d)
{
    std::vector<std::int64_t> nodes;
    for (const linkGroup& g : d.groups)
    {
        nodes.insert(nodes.end(), g.node.begin(), g.node.end());
    }
    std::sort(nodes.begin(), nodes.end());
    return std::unique(nodes.begin(), nodes.end()) - nodes.begin();
}


stepTraffic trafficOf(const engineSettings& s, const latticeDescription& d)
{
    return trafficCount(s, d).count();
}

} // End namespace lbm
