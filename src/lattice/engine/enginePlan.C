#include "enginePlan.H"
#include "choices.H"
#include "scalar/scalarLattice.H"
#include "viscosity/modelledViscosity.H"

#include <algorithm>
#include <functional>

namespace lbm
{

void enginePlan::setLinks
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    const auto mark = [&](std::int64_t node)
    {
        flags[layout->place(node)] = shellNode;
    };

    for (const linkGroup& g : d.groups)
    {
        withNamed<links>("kind of link group", g.type, [&](auto kind)
        {
            using Link = typename decltype(kind)::type;
            if constexpr (Link::local)
            {
                atOnce.push_back(!Link::ghost && s.linksAtOnce());
            }
            else
            {
                atOnce.push_back(false);
            }
        });
        completes = completes || (atOnce.back() && !g.distance.empty());

        // An obstacle would catch what they let in
        if (g.type != bounceBack::name)
        {
            for (const auto* nodes : {&g.node, &g.partner})
            {
                for (const std::int64_t n : *nodes)
                {
                    bounded.push_back(layout->place(n));
                }
            }
        }

        // Links that add nothing; the host works on them at the end. In a list
        // nodes of the interior have terms as well, those of resting walls, which
        // no other stream sets
        const bool resting = g.type == bounceBack::name;
        const bool plain = resting && g.distance.empty();
        const bool free =
            atOnce.back()
          ? plain || (resting && layout->neighbourBytes() > 0)
          : plain && !s.linksAtOnce();

        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const int i = g.direction[l];
            const std::int64_t to = d.neighbour(g.node[l], c[i]);
            const bool faces = g.partner.empty() && d.isFluid(to);

            if (faces)
            {
                facingLinks.emplace_back(g.node[l], i);
            }
            // The populations of a remote node are unpacked into slots of such a
            // link before its node is updated
            if (faces || !free || d.isRemote(to))
            {
                mark(g.node[l]);
            }
            if (atOnce.back() && faces)
            {
                nFacingTerms += !plain;
            }
            else if (atOnce.back())
            {
                marked.push_back
                ({
                    std::uint32_t(layout->place(g.node[l])),
                    1u << i,
                    plain ? markedNode::none : 0
                });
            }

            // A wall at a distance reads what the node behind it has sent
            const std::int64_t behind =
                (faces || !atOnce.back()) && !g.distance.empty()
             && g.normal.empty()
              ? d.neighbour(g.node[l], c[opposite(i)]) : -1;
            if (d.isFluid(behind))
            {
                mark(behind);
            }
        }
        std::for_each(g.partner.begin(), g.partner.end(), mark);
    }

    // They go first, for the exchange to hide behind the interior; nodes that are
    // sent are read while the interior goes on
    for (const haloLinks& h : d.halos)
    {
        std::for_each(h.node.begin(), h.node.end(), mark);
    }
    for (const remoteNodes& r : d.sent)
    {
        std::for_each(r.node.begin(), r.node.end(), mark);
    }
    std::sort(facingLinks.begin(), facingLinks.end());
    std::sort(bounded.begin(), bounded.end());
    bounded.erase(std::unique(bounded.begin(), bounded.end()), bounded.end());

    // One entry a node
    std::sort(marked.begin(), marked.end());
    std::size_t n = 0;
    for (const markedNode& m : marked)
    {
        if (n > 0 && marked[n - 1].place == m.place)
        {
            marked[n - 1].mark |= m.mark;
            marked[n - 1].first = std::min(marked[n - 1].first, m.first);
        }
        else
        {
            marked[n++] = m;
        }
    }
    marked.resize(n);
    marked.shrink_to_fit();

    for (markedNode& m : marked)
    {
        if (m.first != markedNode::none)
        {
            m.first = nTerms;
            nTerms += nLinksBefore(m.mark, c.size());
            withTerms.push_back(m);
        }
    }
    firstFacingTerm = nTerms;
    nTerms += nFacingTerms;
}


void enginePlan::setLines(const latticeDescription& d)
{
    std::int64_t nShell = 0;
    const std::int64_t nPlaces = flags.size();
    const auto forLines = [&](const std::function<void(std::int64_t)>& f)
    {
        for (std::int64_t n = 0; n < nPlaces; n += block)
        {
            f(n);
        }
    };
    const auto toShell = [&](std::int64_t n)
    {
        std::replace
        (
            flags.begin() + n,
            flags.begin() + n + block,
            std::uint8_t(interiorNode),
            std::uint8_t(shellNode)
        );
    };

    // Vectors of nodes are worked on in the interior only
    const bool vectors =
        !withTerms.empty() && dynamic_cast<const denseLayout*>(layout.get());

    forLines([&](std::int64_t n)
    {
        const auto begin = flags.begin() + n, end = begin + block;
        nLines += std::count(begin, end, solidNode) < block;
        if (std::find(begin, end, shellNode) != end)
        {
            ++nShell;
            toShell(n);
        }
    });

    // Two passes through the same rows cost more than the links that the
    // interior hides; an exchange of a list with other parts is worth half of them
    const bool exchanges = std::any_of
    (
        d.halos.begin(),
        d.halos.end(),
        [](const haloLinks& h) { return !h.node.empty(); }
    );
    const std::int64_t most =
        exchanges && layout->neighbourBytes() > 0 ? 2 : 8;
    if (!vectors && most*nShell > nLines)
    {
        forLines(toShell);
    }

    for (const markedNode& m : withTerms)
    {
        haveTerms[flags[m.place]] = true;
    }

    // The marks of lines with terms say where the first one is
    auto node = marked.begin();
    forLines([&](std::int64_t n)
    {
        const auto begin = flags.begin() + n, end = begin + block;
        const bool links = node != marked.end() && node->place < n + block;
        while (node != marked.end() && node->place < n + block)
        {
            ++node;
        }
        const std::int64_t nSolid = std::count(begin, end, solidNode);
        if (nSolid == block)
        {
            return;
        }
        const nodeKind kind =
            std::find(begin, end, shellNode) != end ? shellNode : interiorNode;
        const bool isMarked =
            nSolid > 0 || links || (vectors && kind == shellNode);
        nMarked += isMarked;
        nMarkedWithTerms += isMarked && haveTerms[kind];
    });
}


enginePlan::enginePlan
(
    const engineSettings& s,
    const latticeDescription& d
)
:
    size(d.size),
    origin(d.origin),
    wholeSize(d.wholeSize[0] > 0 ? d.wholeSize : d.size)
{
    withNamed<lattices>("lattice", s.lattice, [&](auto l)
    {
        withNamed<precisions>("precision", s.precision, [&](auto p)
        {
            using Lattice = typename decltype(l)::type;
            using Precision = typename decltype(p)::type;
            using storage = typename Precision::storage;

            if (Lattice::d == 2 && d.size[2] != 1)
            {
                throw error
                (
                    std::string(Lattice::name)
                  + " needs a box one node thick in the third direction"
                );
            }

            c = directions(s.lattice);
            const std::int64_t nAlign = alignment(sizeof(storage));
            const int nActing = std::count_if
            (
                d.scalars.begin(),
                d.scalars.end(),
                [](const scalarDescription& scalar) { return scalar.acts; }
            );
            if (nActing > 1)
            {
                throw error
                (
                    std::to_string(nActing) + " scalars are to act on the flow,"
                    " where one can"
                );
            }
            constexpr std::size_t arithmeticBytes =
                sizeof(typename Precision::arithmetic);
            nArrays =
                Lattice::q
              + (s.variableViscosity + nActing)
               *int(arithmeticBytes/sizeof(storage));
            populationBytes = Lattice::q*sizeof(storage);
            if (!d.scalars.empty() || s.transportedVariables > 0)
            {
                // Aligned
                populationBytes =
                    roundUp(populationBytes, arithmeticBytes)
                  + d.scalars.size()*(2*Lattice::d + 1)*arithmeticBytes
                  + s.transportedVariables*arithmeticBytes;
            }
            if (s.layout == list::name)
            {
                layout = std::make_unique<listLayout>(d, c, nAlign);
            }
            else
            {
                layout = std::make_unique<denseLayout>
                (
                    d, Lattice::d, nArrays, nAlign
                );
            }
            const std::int64_t nPlaces = layout->nPlaces;
            if (nPlaces > std::int64_t(UINT32_MAX))
            {
                throw error
                (
                    std::to_string(nPlaces) + " places are more than the"
                    " 4294967295 that links can name"
                );
            }

            flags.assign(nPlaces, solidNode);
            for (std::size_t b = 0; b < d.fluid.size(); ++b)
            {
                if (d.isFluid(b))
                {
                    flags[layout->place(b)] = interiorNode;
                    ++nFluid;
                }
            }

            setLinks(s, d);
            setImages(d);
            setLines(d);
            setMemory(s, d, sizeof(typename Precision::arithmetic));
            setHaloMemory
            (
                s, d, sizeof(storage), sizeof(typename Precision::arithmetic)
            );

            nChunk = std::min<std::int64_t>(nFluid, maxChunk);
            memory.populations = nArrays*sizeof(storage)*nPlaces;
            memory.neighbours = layout->neighbourBytes();
            if (s.modelledViscosity)
            {
                memory.viscosity = modelledViscosityBytes
                (
                    s, d, *layout, sizeof(typename Precision::arithmetic)
                );
            }
            for (const scalarDescription& scalar : d.scalars)
            {
                memory.scalars += scalarBytes
                (
                    scalar,
                    *layout,
                    Lattice::d,
                    sizeof(typename Precision::arithmetic)
                );
            }
            if (s.nodeForces)
            {
                using forces = nodeForces<typename Precision::arithmetic>;
                nForceLines = layout->position(nPlaces - 1)/forces::length + 1;
                memory.forces =
                    nForceLines*sizeof(std::uint32_t)
                  + roundUp(nPlaces, forces::length)*forces::nMost
                   *sizeof(typename Precision::arithmetic);
            }
            memory.buffers +=
                nChunk
               *(
                    sizeof(std::uint32_t)
                  + nBuffers()*sizeof(double)
                   *nTransfer(populationBytes)
                );
        });
    });
}

} // End namespace lbm
