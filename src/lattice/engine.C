#include "backend.H"
#include "choices.H"
#include "latticeEngine.H"

#include <dlfcn.h>

namespace lbm
{

namespace
{

std::vector<backendEntry>& backends()
{
    static std::vector<backendEntry> table;
    return table;
}

//- Why the CUDA library did not open; empty if it did
const std::string& openCuda()
{
    static const std::string failure = []()
    {
        const char* library = "liblbmLatticeCuda.so";
        if (dlopen(library, RTLD_NOW | RTLD_GLOBAL))
        {
            return std::string();
        }
        return std::string("not installed (") + dlerror() + ")";
    }();
    return failure;
}

const backendEntry& backend(const std::string& name)
{
    if (name == "cuda" && !openCuda().empty())
    {
        throw error
        (
            "the backend cuda is " + openCuda() + "; host and auto are valid"
        );
    }
    for (const backendEntry& b : backends())
    {
        if (b.name == name)
        {
            return b;
        }
    }

    std::string text;
    for (const std::string& valid : engine::validNames("backend"))
    {
        text += " " + valid;
    }
    throw error("unknown backend '" + name + "', valid ones are:" + text);
}

const backendEntry& usableBackend(const std::string& name)
{
    const backendEntry& b = backend(name);
    std::string reason;
    if (!b.available(reason))
    {
        throw error("the backend " + name + " cannot run: " + reason);
    }
    return b;
}

void check(const engineSettings& s, const latticeDescription& d)
{
    if (!(s.relaxationTime > 0.5))
    {
        throw error
        (
            "relaxation time " + std::to_string(s.relaxationTime)
          + " is not larger than 1/2"
        );
    }
    if (!(s.magicParameter > 0))
    {
        throw error
        (
            "magic parameter " + std::to_string(s.magicParameter)
          + " is not positive"
        );
    }

    const auto nBox = d.size[0]*d.size[1]*d.size[2];
    if (nBox <= 0 || std::int64_t(d.fluid.size()) != nBox)
    {
        throw error("lattice box and flags differ in size");
    }

    const auto c = directions(s.lattice);
    const std::size_t q = c.size();
    for (const linkGroup& g : d.groups)
    {
        indexOf<links>("kind of link group", g.type);

        const std::size_t n = g.size();
        const bool cyclicGroup = g.type == cyclic::name;
        const bool valued = g.type == movingWall::name;
        if
        (
            g.direction.size() != n
         || (cyclicGroup && g.partner.size() != n)
         || (valued && g.face.size() != n)
        )
        {
            throw error("link group '" + g.name + "' has lists of unequal size");
        }
        for (std::size_t l = 0; l < n; ++l)
        {
            const auto isFluid = [&](std::int64_t node)
            {
                return node >= 0 && node < nBox && d.fluid[node];
            };
            if
            (
                !isFluid(g.node[l])
             || g.direction[l] == 0 || g.direction[l] >= q
             || (cyclicGroup && !isFluid(g.partner[l]))
            )
            {
                throw error
                (
                    "link " + std::to_string(l) + " of group '" + g.name
                  + "' does not join fluid nodes in a direction of "
                  + s.lattice
                );
            }

            // In-place streaming has one pair of slots for both directions
            // between two neighbours: links that face each other would
            // overwrite what the other is to read
            std::int64_t rest = g.node[l];
            std::int64_t neighbour = 0, stride = 1;
            bool inside = true;
            std::string place;
            for (int a = 0; a < 3; ++a)
            {
                const std::int64_t x = rest % d.size[a];
                const std::int64_t to = x + c[g.direction[l]][a];
                inside = inside && to >= 0 && to < d.size[a];
                neighbour += stride*to;
                stride *= d.size[a];
                rest /= d.size[a];
                place += (a ? " " : "") + std::to_string(x);
            }
            if (inside && d.fluid[neighbour])
            {
                throw error
                (
                    "link group '" + g.name + "' separates node (" + place
                  + ") from a neighbour that is fluid; a wall without"
                    " thickness is not possible, leave at least one layer of"
                    " cells out of the mesh"
                );
            }
        }
    }
}

} // End anonymous namespace


void registerBackend(backendEntry entry)
{
    backends().push_back(std::move(entry));
}


std::vector<std::array<int, 3>> directions(const std::string& lattice)
{
    std::vector<std::array<int, 3>> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        using Lattice = typename decltype(l)::type;
        for (int i = 0; i < Lattice::q; ++i)
        {
            result.push_back
            ({
                Lattice::c(i, 0), Lattice::c(i, 1), Lattice::c(i, 2)
            });
        }
    });
    return result;
}


const std::vector<std::string>& linkTypes()
{
    static const std::vector<std::string> types = names<links>();
    return types;
}


std::unique_ptr<engine> engine::New
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    check(s, d);

    return usableBackend(s.backend).New(s, d);
}


std::vector<std::string> engine::validNames(const std::string& choice)
{
    if (choice == "lattice")
    {
        return names<lattices>();
    }
    if (choice == "collision")
    {
        return names<collisions>();
    }
    if (choice == "precision")
    {
        return names<precisions>();
    }
    if (choice == "backend")
    {
        // Known, installed or not: who asks for it is told why it is not
        std::vector<std::string> result{"cuda"};
        for (const backendEntry& b : backends())
        {
            if (b.name != result[0])
            {
                result.push_back(b.name);
            }
        }
        return result;
    }
    throw error("there is no choice of '" + choice + "'");
}


memoryUse engine::memoryNeeded
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    check(s, d);
    return enginePlan(s, d).memory;
}


std::string engine::defaultBackend(std::string& reason)
{
    if (!openCuda().empty())
    {
        reason = "the CUDA backend is " + openCuda();
        return "host";
    }
    if (!backend("cuda").available(reason))
    {
        return "host";
    }
    reason = "a CUDA device answers";
    return "cuda";
}


std::int64_t engine::memoryFree(const std::string& name, int device)
{
    return usableBackend(name).memoryFree(device);
}


std::string engine::deviceName(const std::string& name, int device)
{
    return usableBackend(name).deviceName(device);
}


double engine::copyBandwidth
(
    const std::string& name,
    int device,
    std::int64_t bytes,
    int nCopies
)
{
    return usableBackend(name).copyBandwidth(device, bytes, nCopies);
}


enginePlan::enginePlan
(
    const engineSettings& s,
    const latticeDescription& d
)
:
    layout({1, 1, 1}, 2, 1),
    size(d.size)
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

            layout = denseLayout(d.size, Lattice::d, 128/sizeof(storage));
            if (layout.nPlaces > std::int64_t(UINT32_MAX))
            {
                throw error
                (
                    "a box of " + std::to_string(layout.nPlaces)
                  + " places is larger than the 4294967295 that links can"
                    " name"
                );
            }

            flags.assign(layout.nPlaces, solidNode);
            std::int64_t box = 0;
            for (std::int64_t k = 0; k < size[2]; ++k)
            {
                for (std::int64_t j = 0; j < size[1]; ++j)
                {
                    const std::int64_t row = layout.place(0, j, k);
                    for (std::int64_t i = 0; i < size[0]; ++i, ++box)
                    {
                        const bool fluid = d.fluid[box];
                        flags[row + i] = fluid ? interiorNode : solidNode;
                        nFluid += fluid;
                    }
                }
            }

            const auto mark = [&](std::int64_t node)
            {
                flags[placeOf(node)] = shellNode;
            };
            for (const linkGroup& g : d.groups)
            {
                std::int64_t perLink = sizeof(std::uint32_t) + 1;
                perLink += g.partner.empty() ? 0 : sizeof(std::uint32_t);
                perLink += g.face.empty()
                    ? 0 : sizeof(typename Precision::arithmetic);
                memory.links += perLink*g.size();

                std::for_each(g.node.begin(), g.node.end(), mark);
                std::for_each(g.partner.begin(), g.partner.end(), mark);
            }

            for (std::int64_t n = 0; n < layout.nPlaces; n += block)
            {
                const auto begin = flags.begin() + n, end = begin + block;
                if (std::find(begin, end, interiorNode) == end)
                {
                    nBlocks += std::find(begin, end, shellNode) != end;
                    continue;
                }
                ++nBlocks;
                if (std::count(begin, end, interiorNode) != block)
                {
                    std::replace(begin, end, interiorNode, shellNode);
                }
            }

            nChunk = std::min<std::int64_t>(nFluid, maxChunk);
            memory.populations = Lattice::q*sizeof(storage)*layout.nPlaces;
            memory.flags = layout.nPlaces + sizeof(std::uint32_t)*nBlocks;
            memory.buffers =
                nChunk
               *(
                    sizeof(std::uint32_t)
                  + sizeof(double)*nTransfer(Lattice::q*sizeof(storage))
                );
        });
    });
}

} // End namespace lbm
