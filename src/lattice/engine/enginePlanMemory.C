#include "enginePlan.H"
#include "choices.H"
#include "viscosity/modelledViscosity.H"

#include <algorithm>

namespace lbm
{

void enginePlan::setMemory
(
    const engineSettings& s,
    const latticeDescription& d,
    int arithmeticBytes
)
{
    const int term = 2*arithmeticBytes;
    const std::int64_t copyBytes =
        s.linksAtOnce() ? std::int64_t(c.size())*arithmeticBytes : 0;
    for (std::size_t groupi = 0; groupi < d.groups.size(); ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        withNamed<links>("kind of link group", g.type, [&](auto kind)
        {
            using Link = typename decltype(kind)::type;

            if (g.varies && Link::nValues && !Link::ghost)
            {
                memory.links += 2*g.size()*arithmeticBytes;
            }
            if (Link::ghost && Link::nValues)
            {
                std::vector<bool> isFace;
                std::int64_t nFaces = 0;
                for (const std::int32_t face : g.face)
                {
                    const std::size_t place = std::max(face, 0);
                    isFace.resize(std::max(isFace.size(), place + 1));
                    nFaces += !isFace[place];
                    isFace[place] = true;
                }
                memory.links +=
                    g.size()*sizeof(std::int32_t)
                  + (g.varies ? 2 : 1)*Link::nValues*nFaces*arithmeticBytes;
            }

            if constexpr (Link::ghost)
            {
                // Node, place, node beside; where it lies, what goes out and
                // comes back, values; deficit, node of the link; copies
                const std::int64_t state = sizeof(nodeState<float>)/4;
                const std::int64_t place = sizeof(ghostPlace<float>)/4;
                memory.links +=
                    g.size()
                   *(
                        1 + 3*sizeof(std::uint32_t)
                      + (place + 2 + Link::nValues)*arithmeticBytes
                      + (Link::passesMomentum || Link::drags)*3*arithmeticBytes
                      + ghostsByLink(s.linksAtOnce(), g.size())
                       *sizeof(std::uint32_t)
                    )
                  + copyBytes*(nGhostNodes[groupi] + besidePlaces[groupi].size())
                  + besidePlaces[groupi].size()
                   *(
                        (1 + completes)*sizeof(std::uint32_t)
                      + state*arithmeticBytes
                    )
                  + sizeof(std::uint32_t)
                   *(nGhostNodes[groupi]*(1 + completes) + 1);
                return;
            }

            // Node, slot behind or partner, place, place of the term
            const bool interpolated = !g.distance.empty();
            const bool terms = interpolated || Link::nValues > 0;
            const int numbers =
                2
              + (Link::local && interpolated)
              + (terms && atOnce[groupi]);
            memory.links +=
                g.size()
               *(
                    1
                  + numbers*sizeof(std::uint32_t)
                  + (terms && !atOnce[groupi])*term
                  + (Link::nValues > 0)*arithmeticBytes
                );
        });
    }
    memory.links +=
        nTerms*term + 2*sizeof(std::uint32_t)*withTerms.size();
    memory.flags =
        layout->nPlaces
      + sizeof(std::uint32_t)
       *(2*nLines + block*(nMarked + nMarkedWithTerms));
}


void enginePlan::setHaloMemory
(
    const engineSettings& s,
    const latticeDescription& d,
    int storageBytes,
    int arithmeticBytes
)
{
    // Slot and direction of a link, what arrives in two steps, or what comes
    // from and goes to other processes; the same for scalars
    const std::int64_t nScalars = d.scalars.size();
    const std::int64_t nAxis =
        nScalars > 0 ? axisHaloLinks(d, nDimensions(s.lattice)) : 0;
    const std::int64_t scalarBytes = nScalars*arithmeticBytes;
    for (const haloLinks& h : d.halos)
    {
        memory.links +=
            h.node.size()*(sizeof(std::uint32_t) + 1 + 2*storageBytes);
    }
    memory.links += nAxis*(sizeof(std::uint32_t) + 1 + 2*scalarBytes);

    // Place, number, and what arrives
    const std::int64_t nodeBytes =
        c.size()*storageBytes + arithmeticBytes + scalarBytes;
    const int nSent = s.communicator ? 1 : 0;
    const int nReceived = s.communicator ? 1 : 2;
    for (const remoteNodes& r : d.sent)
    {
        memory.links +=
            (2*sizeof(std::uint32_t) + nSent*nodeBytes)*r.node.size();
    }
    for (const remoteNodes& r : d.received)
    {
        memory.links +=
            (sizeof(std::uint32_t) + nReceived*nodeBytes)*r.node.size();
    }

    // On the host, on the way between a device and other processes
    if (s.communicator && s.linksAtOnce())
    {
        for (const haloLinks& h : d.halos)
        {
            memory.buffers += 2*storageBytes*h.node.size();
        }
        memory.buffers += 2*scalarBytes*nAxis;
        if (s.modelledViscosity)
        {
            memory.buffers +=
                6*arithmeticBytes*axisHaloLinks(d, nDimensions(s.lattice));
        }
        for (const auto* lists : {&d.sent, &d.received})
        {
            for (const remoteNodes& r : *lists)
            {
                memory.buffers += nodeBytes*r.node.size();
            }
        }
    }
}

} // End namespace lbm
