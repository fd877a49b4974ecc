#include "backend.H"
#include "choices.H"
#include "engine/enginePlan.H"
#include "exchange/communicator.H"
#include "exchange/compositeEngine.H"
#include "moments/innerPartition.H"
#include "scalar/scalarLattice.H"
#include "viscosity/modelledViscosity.H"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <map>
#include <sstream>
#include <tuple>

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
        const std::string reason = dlerror();
        const bool missing =
            reason.find(library) == 0
         && reason.find("No such file") != std::string::npos;
        return missing
          ? "not installed: Allwmake builds it where there is a GPU or NVARCH is"
            " set"
          : "not usable (" + reason + ")";
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

//- Properties of a kind of link
struct linkKind
{
    int nValues;
    bool ghost;
};

const linkKind& linkKindOf(const std::string& name)
{
    static const std::map<std::string, linkKind> kinds = []
    {
        std::map<std::string, linkKind> result;
        mp::mp_for_each<mp::mp_transform<mp::mp_identity, links>>([&](auto kind)
        {
            using Link = typename decltype(kind)::type;
            result[Link::name] = {Link::nValues, Link::ghost};
        });
        return result;
    }();
    const auto kind = kinds.find(name);
    if (kind == kinds.end())
    {
        indexOf<links>("kind of link group", name);
    }
    return kind->second;
}

//- Whether the links of a description are what the engine needs
class linkCheck
{
    const engineSettings& settings_;
    const latticeDescription& d_;
    const std::vector<std::array<int, 3>> c_;
    const std::int64_t nBox_;

    //- Links as 32 node + direction, sorted; of local kinds and of cyclic ones
    std::vector<std::uint64_t> local_, cyclic_;

    static std::uint64_t key(std::int64_t node, int direction)
    {
        return 32*std::uint64_t(node) + direction;
    }

    //- Add those of a group, which mostly come in order
    static void add(const linkGroup& g, std::vector<std::uint64_t>& keys)
    {
        const auto nBefore = keys.size();
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            keys.push_back(key(g.node[l], g.direction[l]));
        }
        const auto begin = keys.begin() + nBefore;
        if (!std::is_sorted(begin, keys.end()))
        {
            std::sort(begin, keys.end());
        }
        std::inplace_merge(keys.begin(), begin, keys.end());
    }

    static bool found(const std::vector<std::uint64_t>& keys, std::uint64_t k)
    {
        return std::binary_search(keys.begin(), keys.end(), k);
    }

    bool isFluid(std::int64_t node) const
    {
        return node < nBox_ && d_.isFluid(node);
    }

    [[noreturn]] void fail
    (
        const linkGroup& g,
        std::size_t l,
        const std::string& what
    ) const
    {
        std::string place;
        std::int64_t rest = g.node[l];
        for (int a = 0; a < 3; ++a)
        {
            place += (a ? " " : "") + std::to_string(rest % d_.size[a]);
            rest /= d_.size[a];
        }
        throw error
        (
            "link group '" + g.name + "', link " + std::to_string(l)
          + " of node (" + place + ") in direction "
          + std::to_string(g.direction[l]) + ": " + what
        );
    }

    void checkSizes(const linkGroup& g) const
    {
        const std::size_t kind = indexOf<links>("kind of link group", g.type);
        mp::mp_with_index<mp::mp_size<links>>(kind, [&](auto k)
        {
            using Link = mp::mp_at<links, decltype(k)>;
            const std::size_t n = g.size();
            if
            (
                g.direction.size() != n
             || (!Link::local && g.partner.size() != n)
             || (Link::nValues && g.face.size() != n)
             || (Link::ghost && g.normal.size() != n)
             || !(g.distance.empty() || (Link::local && g.distance.size() == n))
            )
            {
                throw error
                (
                    "link group '" + g.name + "' has lists of unequal size"
                );
            }
        });

        for (std::size_t l = 0; l < g.size(); ++l)
        {
            if
            (
                !isFluid(g.node[l])
             || g.direction[l] == 0 || g.direction[l] >= c_.size()
             || (!g.partner.empty() && !isFluid(g.partner[l]))
            )
            {
                throw error
                (
                    "link " + std::to_string(l) + " of group '" + g.name
                  + "' does not join fluid nodes in a direction of "
                  + settings_.lattice
                );
            }
        }
    }

    void checkLink(const linkGroup& g, std::size_t l) const
    {
        const int i = g.direction[l];

        if (!g.distance.empty())
        {
            const float q = g.distance[l];
            if (!(q >= 0 && q <= 1))
            {
                fail(g, l, "distance " + std::to_string(q) + " is not in [0, 1]");
            }
            if (q != 0.5f && found(local_, key(g.node[l], opposite(i))))
            {
                fail
                (
                    g,
                    l,
                    "has no node behind it, so that its distance must be 1/2"
                );
            }
        }

        const std::int64_t m = d_.neighbour(g.node[l], c_[i]);
        if (!d_.isFluid(m))
        {
            return;
        }
        if (!g.partner.empty() || !found(local_, key(m, opposite(i))))
        {
            fail
            (
                g,
                l,
                "its neighbour is fluid; a boundary between two fluid nodes"
                " must have local links on both sides"
            );
        }
    }

    //- Links to other parts
    void checkHalo(const haloLinks& h) const
    {
        bool good = h.direction.size() == h.node.size();
        for (std::size_t l = 0; good && l < h.node.size(); ++l)
        {
            const int i = h.direction[l];
            good =
                isFluid(h.node[l]) && i > 0 && std::size_t(i) < c_.size()
             && !d_.isFluid(d_.neighbour(h.node[l], c_[i]));
        }
        if (!good)
        {
            throw error
            (
                "links to part " + std::to_string(h.peer)
              + " of the lattice do not lead from fluid nodes to others"
            );
        }
    }

    //- Nodes that are sent, or received
    void checkRemote(const remoteNodes& r, std::uint8_t flag) const
    {
        for (const std::int64_t node : r.node)
        {
            if (node < 0 || node >= nBox_ || d_.fluid[node] != flag)
            {
                throw error
                (
                    "nodes for part " + std::to_string(r.peer)
                  + " of the lattice are not what they should be: node "
                  + std::to_string(node)
                );
            }
        }
    }

public:

    linkCheck(const engineSettings& s, const latticeDescription& d)
    :
        settings_(s),
        d_(d),
        c_(directions(s.lattice)),
        nBox_(d.size[0]*d.size[1]*d.size[2])
    {}

    void run()
    {
        for (const linkGroup& g : d_.groups)
        {
            checkSizes(g);
            add(g, g.partner.empty() ? local_ : cyclic_);
        }
        for (const haloLinks& h : d_.halos)
        {
            checkHalo(h);
            linkGroup links;
            links.node = h.node;
            links.direction = h.direction;
            add(links, cyclic_);
        }
        for (const remoteNodes& r : d_.sent)
        {
            checkRemote(r, 1);
        }
        for (const remoteNodes& r : d_.received)
        {
            checkRemote(r, latticeDescription::remote);
        }

        std::vector<std::uint64_t> all(local_.size() + cyclic_.size());
        std::merge
        (
            local_.begin(), local_.end(), cyclic_.begin(), cyclic_.end(),
            all.begin()
        );
        const auto twice = std::adjacent_find(all.begin(), all.end());
        if (twice != all.end())
        {
            throw error
            (
                "node " + std::to_string(*twice/32) + " has two links in"
                " direction " + std::to_string(*twice % 32)
            );
        }
        all = std::vector<std::uint64_t>();

        for (const linkGroup& g : d_.groups)
        {
            for (std::size_t l = 0; l < g.size(); ++l)
            {
                checkLink(g, l);
            }
        }
    }
};


//- Time of a step with moments as numbers that one with populations moves in it
//  (doc/benchmarks/performance.md): for each population of a boundary node, and for
//  each number that moments of a node move
constexpr double boundaryCost = 12;
constexpr double momentCost = 1.15;

//- Nodes whose populations a device keeps in its cache
constexpr double fewNodes = 500000;

//- Names of engineSettings::storage
const std::vector<std::string> storages{"populations", "moments"};

//- Do nodes keep moments; throws if there is no such storage
bool keepsMoments(const engineSettings& s)
{
    if (std::find(storages.begin(), storages.end(), s.storage) == storages.end())
    {
        throw error
        (
            "unknown storage '" + s.storage + "', valid ones are: populations"
            " moments"
        );
    }
    return s.storage == storages[1];
}


//- The collision exists on the lattice, and so do the parameters given for it
void checkCollision(const engineSettings& s)
{
    withNamed<lattices>("lattice", s.lattice, [&](auto l)
    {
        withCollisionOf<typename decltype(l)::type>(s.collision, [](auto) {});
    });

    const auto valid = traitsOf(s.collision).parameters;
    for (const auto& given : s.collisionParameters)
    {
        const auto p = std::find_if
        (
            valid.begin(), valid.end(),
            [&](const collisionParameter& x) { return x.name == given.first; }
        );
        if (p == valid.end())
        {
            std::string text;
            for (const collisionParameter& x : valid)
            {
                text += " " + x.name;
            }
            throw error
            (
                "unknown parameter '" + given.first + "' of collision "
              + s.collision + ", valid ones are:"
              + (valid.empty() ? " none" : text)
            );
        }
        if (!(given.second > p->above && given.second < p->below))
        {
            std::ostringstream text;
            text<< p->name << " of collision " << s.collision << " is "
                << given.second << ", but must be between " << p->above
                << " and " << p->below;
            throw error(text.str());
        }
    }
}


void check(const engineSettings& s, const latticeDescription& d)
{
    indexOf<layouts>("layout", s.layout);
    if (keepsMoments(s))
    {
        const std::string reason = innerPartition::refused(s, d);
        if (!reason.empty())
        {
            throw error
            (
                "storage " + s.storage + " is not possible: " + reason
              + "; populations is valid"
            );
        }
    }
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
    if (s.bulkRelaxationTime != 0 && !(s.bulkRelaxationTime > 0.5))
    {
        throw error
        (
            "bulk relaxation time " + std::to_string(s.bulkRelaxationTime)
          + " is neither larger than 1/2 nor 0"
        );
    }
    if (!(s.largestOddTime > 0.5))
    {
        throw error
        (
            "largest relaxation time of the odd moments "
          + std::to_string(s.largestOddTime) + " is not larger than 1/2"
        );
    }

    const bool alone = !s.communicator || s.communicator->size() == 1;
    if (!alone && s.devices.size() > 1)
    {
        throw error
        (
            "an engine whose lattice has parts in other processes has one"
            " device, not " + std::to_string(s.devices.size())
        );
    }
    if
    (
        alone
     && (!d.halos.empty() || !d.sent.empty() || !d.received.empty())
    )
    {
        throw error
        (
            "the engine of a part of a lattice needs processes with the others"
        );
    }

    const auto nBox = d.size[0]*d.size[1]*d.size[2];
    if (nBox <= 0 || std::int64_t(d.fluid.size()) != nBox)
    {
        throw error("lattice box and flags differ in size");
    }

    checkCollision(s);
    for (const backendEntry& b : backends())
    {
        if (b.name == s.backend && b.checkLattice)
        {
            b.checkLattice(s.lattice);
        }
    }
    linkCheck(s, d).run();
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


std::vector<double> weights(const std::string& lattice)
{
    std::vector<double> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        using Lattice = typename decltype(l)::type;
        for (int i = 0; i < Lattice::q; ++i)
        {
            result.push_back(weight<Lattice, double>(i));
        }
    });
    return result;
}


int nDimensions(const std::string& lattice)
{
    int result = 0;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        result = decltype(l)::type::d;
    });
    return result;
}


collisionTraits traitsOf(const std::string& collision)
{
    collisionTraits result{};
    withNamed<collisions>("collision", collision, [&](auto c)
    {
        using Collision = typename decltype(c)::type;
        result =
        {
            Collision::cellReynoldsLimit,
            Collision::hasMagic,
            Collision::parameters()
        };
    });
    return result;
}


std::vector<std::string> collisionsOn(const std::string& lattice)
{
    std::vector<std::string> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        result = names<collisionsOf<typename decltype(l)::type>>();
    });
    return result;
}


int valuesPerFace(const std::string& linkType)
{
    return linkKindOf(linkType).nValues;
}


std::vector<int> valuePowers(const std::string& linkType)
{
    std::vector<int> result;
    withNamed<links>("kind of link group", linkType, [&](auto kind)
    {
        using Link = typename decltype(kind)::type;
        for (int i = 0; i < Link::nValues; ++i)
        {
            if constexpr (Link::nValues > 0)
            {
                result.push_back(Link::power(i));
            }
        }
    });
    return result;
}


bool givesVelocity(const std::string& linkType)
{
    return linkType == velocity::name || linkType == outflow::name;
}


bool hasGhostNodes(const std::string& linkType)
{
    return linkKindOf(linkType).ghost;
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

    const backendEntry& b = usableBackend(s.backend);
    engineSettings one(s);
    if (s.communicator && s.communicator->size() == 1)
    {
        one.communicator.reset();
    }
    if (s.devices.size() > 1)
    {
        return std::make_unique<compositeEngine>(b, one, d);
    }
    if (!s.devices.empty())
    {
        one.device = s.devices[0];
        one.devices.clear();
    }
    if (keepsMoments(s))
    {
        one.layout = list::name;
    }
    return b.New(one, d);
}


void checkForces
(
    const double* a,
    const double* drag,
    std::int64_t node
)
{
    const auto text = [](const double* x, int n)
    {
        std::string result("(");
        for (int k = 0; k < n; ++k)
        {
            result += (k ? " " : "") + std::to_string(x[k]);
        }
        return result + ")";
    };
    if (!std::isfinite(a[0] + a[1] + a[2]))
    {
        throw error
        (
            "acceleration " + text(a, 3) + " of node " + std::to_string(node)
        );
    }
    if (!drag)
    {
        return;
    }

    // Cofactors are to be numbers in single precision
    constexpr double most = 1e12, rounding = 1e-6;
    bool good = true;
    for (int k = 0; k < 6; ++k)
    {
        good = good && std::abs(drag[k]) < most;
    }

    // Eigenvalues are not below zero if no principal minor is
    const double xx = drag[0], yy = drag[1], zz = drag[2];
    const double xy = drag[3], xz = drag[4], yz = drag[5];
    const double det =
        xx*(yy*zz - yz*yz) - xy*(xy*zz - xz*yz) + xz*(xy*yz - xz*yy);
    const double scale = xx + yy + zz;
    good =
        good && xx >= -rounding*scale && yy >= -rounding*scale
     && zz >= -rounding*scale
     && xx*yy - xy*xy >= -rounding*scale*scale
     && xx*zz - xz*xz >= -rounding*scale*scale
     && yy*zz - yz*yz >= -rounding*scale*scale
     && det >= -rounding*scale*scale*scale;
    if (!good)
    {
        throw error
        (
            "drag " + text(drag, 6) + " of node " + std::to_string(node)
          + " drives the flow, or is above " + std::to_string(most)
        );
    }
}


void checkViscosities
(
    std::int64_t first,
    std::int64_t count,
    const double* nu
)
{
    const auto bad = std::find_if
    (
        nu,
        nu + count,
        [](double x) { return !(x > 0 && std::isfinite(x)); }
    );
    if (bad != nu + count)
    {
        throw error
        (
            "viscosity " + std::to_string(*bad) + " of node "
          + std::to_string(first + (bad - nu)) + " is not positive"
        );
    }
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
    if (choice == "layout")
    {
        return names<layouts>();
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
    if (choice == "storage")
    {
        return storages;
    }
    throw error("there is no choice of '" + choice + "'");
}


std::string engine::defaultLayout
(
    const engineSettings& s,
    const latticeDescription& d,
    std::int64_t memoryFree,
    std::string& reason
)
{
    int q = 0;
    std::int64_t bytes = 0;
    withNamed<lattices>("lattice", s.lattice, [&](auto l)
    {
        q = decltype(l)::type::q;
    });
    withNamed<precisions>("precision", s.precision, [&](auto p)
    {
        bytes = sizeof(typename decltype(p)::type::storage);
    });

    // Memory moves in sectors of 32 bytes: a sector with one fluid node costs
    // as much as a full one
    const std::int64_t perSector = 32/bytes;
    std::int64_t nFluid = 0, nSectors = 0, nPartLines = 0;
    for (std::size_t row = 0; row < d.fluid.size(); row += d.size[0])
    {
        for (std::int64_t i = 0; i < d.size[0]; i += enginePlan::block)
        {
            const std::int64_t end = std::min(i + enginePlan::block, d.size[0]);
            std::int64_t nInLine = 0;
            for (std::int64_t j = i; j < end; j += perSector)
            {
                const auto begin = d.fluid.begin() + row + j;
                const std::int64_t n = std::count
                (
                    begin,
                    begin + std::min(perSector, end - j),
                    std::uint8_t(1)
                );
                nInLine += n;
                nSectors += n > 0;
            }
            nFluid += nInLine;
            nPartLines += nInLine > 0 && nInLine < end - i;
        }
    }
    if (nFluid == 0)
    {
        reason = "there is no fluid node";
        return dense::name;
    }

    // A list waits for its table, which costs a device as much as 4 bytes for
    // each pair of directions; finding each population costs a host as much as
    // 12 bytes (doc/benchmarks/performance.md)
    const double node = 2*q*bytes;
    double dense = node*nSectors*perSector/nFluid;

    // Where walls have distances, a line that they cross costs a device twice
    // what it moves
    const bool distances = std::any_of
    (
        d.groups.begin(),
        d.groups.end(),
        [](const linkGroup& g) { return !g.distance.empty(); }
    );
    if (s.linksAtOnce() && distances)
    {
        dense += node*nPartLines*enginePlan::block/nFluid;
    }
    const double list = node + (s.backend == "host" ? 12*q : 4*(q - 1)/2);

    char text[160];
    std::snprintf
    (
        text,
        sizeof(text),
        "%.0f %% of the box is fluid: a step of the flow costs %.0f B a fluid node"
        " dense,"
        " %.0f B as a list",
        100.0*nFluid/d.fluid.size(),
        dense,
        list
    );
    reason = text;
    if (list < dense)
    {
        return lbm::list::name;
    }

    // Without links and lists of lines, which are small beside it
    const double needed = double(q)*bytes*d.fluid.size();
    if (needed > memoryFree)
    {
        std::snprintf
        (
            text,
            sizeof(text),
            ", but dense takes %.1f GB and %.1f are free",
            1e-9*needed,
            1e-9*memoryFree
        );
        reason += text;
        return lbm::list::name;
    }
    return lbm::dense::name;
}


std::string engine::momentsRefused
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    return innerPartition::refused(s, d);
}


std::string engine::defaultStorage
(
    const engineSettings& s,
    const latticeDescription& d,
    std::int64_t memoryFree,
    std::string& reason
)
{
    const std::string& populations = storages[0];

    reason = innerPartition::refused(s, d);
    if (!reason.empty())
    {
        return populations;
    }
    if (!s.linksAtOnce())
    {
        // It is held up by arithmetic, of which moments need more
        reason = "the host is faster with them";
        return populations;
    }

    const double nBox = d.fluid.size();
    const double nFluid =
        std::count(d.fluid.begin(), d.fluid.end(), std::uint8_t(1));
    const std::vector<std::uint8_t> inner = innerPartition::innerNodes
    (
        d, directions(s.lattice)
    );
    const double nInner = std::count(inner.begin(), inner.end(), 1);
    if (nInner == 0)
    {
        reason = "all nodes are beside a boundary";
        return populations;
    }

    if (nFluid < fewNodes)
    {
        reason = "so few nodes are faster with them";
        return populations;
    }

    // Bytes: moments of the box, and what boundary nodes move
    // (doc/benchmarks/performance.md)
    const int bytes = bytesPerPopulation(s.precision);
    const int q = directions(s.lattice).size();
    const double ofPopulations =
        2*q*bytes + (s.layout == list::name ? 4*(q - 1)/2 : 0);
    const double ofMoments =
        (
            momentCost*2*nMoments*bytes*nBox
          + boundaryCost*q*bytes*(nFluid - nInner)
        )
       /nFluid;

    char text[200];
    std::snprintf
    (
        text,
        sizeof(text),
        "%.1f %% of the nodes are inner ones: a step of the flow costs as much as"
        " %.0f B a node with moments, %.0f B with populations",
        100*nInner/nFluid,
        ofMoments,
        ofPopulations
    );
    reason = text;
    if (!(ofMoments < ofPopulations))
    {
        return populations;
    }
    // To count it takes as long as to make the engine: not where there is plenty
    const double plenty =
        innerPartition::memory(momentPlaces(d.size), nInner, bytes).total()
      + 40.0*q*bytes*(nFluid - nInner);
    if (plenty <= memoryFree)
    {
        return storages[1];
    }
    engineSettings withMoments(s);
    withMoments.storage = storages[1];
    const double needed = memoryNeeded(withMoments, d).total();
    if (needed > memoryFree)
    {
        std::snprintf
        (
            text,
            sizeof(text),
            ", but moments take %.1f GB and %.1f are free",
            1e-9*needed,
            1e-9*memoryFree
        );
        reason += text;
        return populations;
    }
    return storages[1];
}


memoryUse engine::memoryNeeded
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    check(s, d);
    if (s.devices.size() > 1)
    {
        memoryUse result;
        const partition whole(d, s.lattice, s.devices.size(), s.cutAxis);
        for (const partition::part& p : whole.parts)
        {
            result += enginePlan(s, p.description).memory;
        }
        return result;
    }
    if (keepsMoments(s))
    {
        const innerPartition nodes(d, s.lattice);
        engineSettings boundary(s);
        boundary.layout = list::name;
        memoryUse result =
            enginePlan(boundary, nodes.boundary).memory;
        result += innerPartition::memory
        (
            nodes.where, nodes.places.size(), bytesPerPopulation(s.precision)
        );
        return result;
    }
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


std::string engine::deviceSoftware(const std::string& name, int device)
{
    return usableBackend(name).deviceSoftware(device);
}


std::string engine::deviceAddress(const std::string& name, int device)
{
    return usableBackend(name).deviceAddress(device);
}


std::vector<double> engine::bandwidth
(
    const std::string& name,
    int device,
    memoryAccess access,
    std::int64_t bytes,
    int nPasses,
    int nRepetitions
)
{
    return usableBackend(name).bandwidth
    (
        device, access, bytes, nPasses, nRepetitions
    );
}


std::vector<double> engine::arraysBandwidth
(
    const std::string& name,
    int device,
    const arraysAccess& access,
    std::int64_t bytes,
    int nPasses,
    int nRepetitions
)
{
    return usableBackend(name).arraysBandwidth
    (
        device, access, bytes, nPasses, nRepetitions
    );
}


double engine::kernelTime(const std::string& name, int device, bool graph)
{
    return usableBackend(name).kernelTime(device, graph);
}


int engine::bytesPerPopulation(const std::string& precision)
{
    int result = 0;
    withNamed<precisions>("precision", precision, [&](auto p)
    {
        result = sizeof(typename decltype(p)::type::storage);
    });
    return result;
}


//- Bytes of a number of the arithmetic
static int bytesPerNumber(const std::string& precision)
{
    int result = 0;
    withNamed<precisions>("precision", precision, [&](auto p)
    {
        result = sizeof(typename decltype(p)::type::arithmetic);
    });
    return result;
}


double engine::bytesPerNode(const engineSettings& s)
{
    if (keepsMoments(s))
    {
        return 2*nMoments*bytesPerPopulation(s.precision);
    }
    const int q = directions(s.lattice).size();
    const bool listed = indexOf<layouts>("layout", s.layout)
     == indexOf<layouts>("layout", list::name);
    return
        2*q*bytesPerPopulation(s.precision)
      + (s.variableViscosity ? bytesPerNumber(s.precision) : 0)
      + (listed ? sizeof(std::uint32_t)*(q - 1)/2.0/listLayout::line : 0);
}


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

        // Links that add nothing; the host works on them at the end
        const bool plain = g.type == bounceBack::name && g.distance.empty();
        const bool free = plain && (atOnce.back() || !s.linksAtOnce());

        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const int i = g.direction[l];
            const std::int64_t to = d.neighbour(g.node[l], c[i]);
            const bool faces = g.partner.empty() && d.isFluid(to);

            if (faces)
            {
                facingLinks.emplace_back(g.node[l], i);
            }
            if (faces || !free)
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

    // They go first, for the exchange to hide behind the interior
    for (const haloLinks& h : d.halos)
    {
        std::for_each(h.node.begin(), h.node.end(), mark);
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


void enginePlan::setMemory(const latticeDescription& d, int arithmeticBytes)
{
    const int term = 2*arithmeticBytes;
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

            if (Link::ghost)
            {
                // Node, place, node beside; where it lies, what goes out and
                // comes back, values
                const std::int64_t state = sizeof(nodeState<float>)/4;
                const std::int64_t place = sizeof(ghostPlace<float>)/4;
                memory.links +=
                    g.size()
                   *(
                        1 + 3*sizeof(std::uint32_t)
                      + (place + 2 + Link::nValues)*arithmeticBytes
                    )
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
       *(2*nLines + block*(nMarked + (withTerms.empty() ? 0 : nShellMarked)));
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


void enginePlan::setLines()
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

    auto node = marked.begin();
    forLines([&](std::int64_t n)
    {
        const auto begin = flags.begin() + n, end = begin + block;
        const std::int64_t nSolid = std::count(begin, end, solidNode);
        if (nSolid == block)
        {
            return;
        }
        ++nLines;
        const bool links = node != marked.end() && node->place < n + block;
        while (node != marked.end() && node->place < n + block)
        {
            ++node;
        }
        const bool isMarked = nSolid > 0 || links;
        nMarked += isMarked;
        if (std::find(begin, end, shellNode) != end)
        {
            ++nShell;
            nMarked += vectors && !isMarked;
            nShellMarked += vectors || isMarked;
            toShell(n);
        }
    });

    // Two passes through the same rows cost more than the links that the
    // interior hides
    if (!vectors && 8*nShell > nLines)
    {
        forLines(toShell);
        nShellMarked = nMarked;
    }
}


void enginePlan::setImages(const latticeDescription& d)
{
    const std::size_t nGroups = d.groups.size();
    images.resize(nGroups);
    besidePlaces.resize(nGroups);
    nGhostNodes.resize(nGroups);

    // Nodes whose links have ghost nodes, and where their links lead: over a
    // cyclic boundary to the partner, over others nowhere
    std::vector<std::int64_t> nodes;
    for (const linkGroup& g : d.groups)
    {
        if (hasGhostNodes(g.type))
        {
            nodes.insert(nodes.end(), g.node.begin(), g.node.end());
        }
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (nodes.empty())
    {
        return;
    }
    const auto numberOf = [&](std::int64_t node)
    {
        return
            std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
    };

    const std::size_t q = c.size();
    constexpr std::int64_t nowhere = -1;
    std::vector<std::int64_t> to(nodes.size()*q, nowhere);
    for (std::size_t n = 0; n < nodes.size(); ++n)
    {
        for (std::size_t i = 1; i < q; ++i)
        {
            const std::int64_t m = d.neighbour(nodes[n], c[i]);
            to[n*q + i] = m >= 0 && d.fluid[m] ? m : nowhere;
        }
    }
    for (const linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const std::size_t n = numberOf(g.node[l]);
            if (n < nodes.size() && nodes[n] == g.node[l])
            {
                to[n*q + g.direction[l]] =
                    g.partner.empty() ? nowhere : g.partner[l];
            }
        }
    }

    const auto isSpecular = [](const linkGroup& g)
    {
        bool result = false;
        withNamed<links>("kind of link group", g.type, [&](auto kind)
        {
            using Link = typename decltype(kind)::type;
            if constexpr (Link::ghost)
            {
                result = Link::drags;
            }
        });
        return result;
    };

    // Sides of nodes at which a wall of given friction lies across an axis, and
    // where one does roughly
    const auto sideBit = [](int axis, int sign)
    {
        return std::uint8_t(1u << (2*axis + (sign > 0)));
    };
    constexpr double roughly = 0.9;
    std::vector<std::uint8_t> wallSides(nodes.size(), 0);
    std::vector<std::uint8_t> roughSides(nodes.size(), 0);
    for (const linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; isSpecular(g) && l < g.size(); ++l)
        {
            const std::array<int, 3>& ci = c[g.direction[l]];
            const int nAxes =
                std::abs(ci[0]) + std::abs(ci[1]) + std::abs(ci[2]);
            for (int a = 0; nAxes == 1 && a < 3; ++a)
            {
                const double cn = ci[a]*g.normal[l][a];
                const std::size_t n = numberOf(g.node[l]);
                wallSides[n] |= cn > 0.9999 ? sideBit(a, ci[a]) : 0;
                roughSides[n] |= cn > roughly ? sideBit(a, ci[a]) : 0;
            }
        }
    }

    // Walls of a gap one node wide are taken to be across its axis: their
    // inclination is less than the lattice resolves
    const auto isGap = [&](std::size_t n, int a)
    {
        const std::uint8_t both = sideBit(a, -1) | sideBit(a, 1);
        return (roughSides[n] & both) == both;
    };
    for (std::size_t n = 0; n < nodes.size(); ++n)
    {
        for (int a = 0; a < 3; ++a)
        {
            wallSides[n] |= isGap(n, a) ? sideBit(a, -1) | sideBit(a, 1) : 0;
        }
    }

    for (std::size_t groupi = 0; groupi < nGroups; ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        if (!hasGhostNodes(g.type))
        {
            continue;
        }
        const bool specular = isSpecular(g);

        std::vector<std::int64_t> own;
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            std::array<int, 3> ci = c[g.direction[l]];
            std::array<double, 3> normal
            {
                g.normal[l][0], g.normal[l][1], g.normal[l][2]
            };
            const double distance = g.distance.empty() ? 0.5 : g.distance[l];
            const std::size_t n = numberOf(g.node[l]);
            for (int a = 0; specular && a < 3; ++a)
            {
                if (std::abs(normal[a]) > roughly && isGap(n, a))
                {
                    const double sign = std::copysign(1, normal[a]);
                    normal = {0, 0, 0};
                    normal[a] = sign;
                }
            }

            std::uint8_t reflects = 0;
            for (int a = 0; a < 3; ++a)
            {
                if
                (
                    ci[a] && std::abs(normal[a]) < 1e-4
                 && (wallSides[n] & sideBit(a, ci[a]))
                )
                {
                    reflects |= 1u << a;
                    ci[a] = 0;
                }
            }

            imageChoice best(ci, distance, normal, {0, 0, 0});
            std::int64_t beside = g.node[l];
            if (specular)
            {
                best = imageChoice::specular(ci, distance, normal);
                const auto along = imageChoice::besideMirror(ci, normal);
                best.mirrored = along == std::array<int, 3>{0, 0, 0};
                for (std::size_t i = 1; i < q; ++i)
                {
                    if (along == c[i] && to[n*q + i] != nowhere)
                    {
                        best.part = 1;
                        best.mirrored = true;
                        beside = to[n*q + i];
                    }
                }
            }
            for (std::size_t i = 1; !specular && i < q; ++i)
            {
                const imageChoice other(ci, distance, normal, c[i]);
                constexpr double better = 1e-6;
                if
                (
                    to[n*q + i] != nowhere && other.part > 0
                 && other.fault < best.fault - better
                )
                {
                    best = other;
                    beside = to[n*q + i];
                }
            }
            images[groupi].push_back
            ({
                beside,
                normal,
                best.part,
                best.ratio,
                best.depth,
                best.mirrored,
                reflects,
                false
            });
            if (d.isFluid(beside))
            {
                flags[layout->place(beside)] = shellNode;
            }
            if (beside != g.node[l])
            {
                besidePlaces[groupi].push_back(layout->place(beside));
            }
            own.push_back(g.node[l]);
        }
        std::sort(own.begin(), own.end());
        nGhostNodes[groupi] = std::unique(own.begin(), own.end()) - own.begin();

        std::vector<std::uint32_t>& places = besidePlaces[groupi];
        std::sort(places.begin(), places.end());
        places.erase
        (
            std::unique(places.begin(), places.end()), places.end()
        );
    }

    setBetween(d);
}


void enginePlan::setBetween(const latticeDescription& d)
{
    const std::size_t q = c.size();

    // Links that a boundary across an axis mirrors
    struct mirrorLink
    {
        std::int64_t key;
        int axis;
        ghostImage* image;
    };
    std::vector<mirrorLink> mirrored;

    for (std::size_t groupi = 0; groupi < d.groups.size(); ++groupi)
    {
        const linkGroup& g = d.groups[groupi];
        bool mirrors = false, drags = false;
        withNamed<links>("kind of link group", g.type, [&](auto kind)
        {
            using Link = typename decltype(kind)::type;
            if constexpr (Link::ghost)
            {
                mirrors = Link::mirrors;
                drags = Link::drags;
            }
        });

        for (std::size_t l = 0; mirrors && l < g.size(); ++l)
        {
            ghostImage& image = images[groupi][l];
            const std::array<int, 3>& ci = c[g.direction[l]];
            for (int a = 0; a < 3; ++a)
            {
                // Mirrored, or into an edge
                const bool across =
                    ci[a] && std::abs(image.normal[a]) > 0.99995
                 && (image.mirrored || (drags && image.part == 0));
                if (across)
                {
                    mirrored.push_back
                    ({
                        std::int64_t(g.node[l]*q + g.direction[l]), a, &image
                    });
                }
            }
        }
    }

    std::sort
    (
        mirrored.begin(),
        mirrored.end(),
        [](const mirrorLink& x, const mirrorLink& y) { return x.key < y.key; }
    );

    for (mirrorLink& link : mirrored)
    {
        std::array<int, 3> across = c[link.key % q];
        across[link.axis] *= -1;
        const std::int64_t key =
            link.key - link.key % std::int64_t(q)
          + (std::find(c.begin(), c.end(), across) - c.begin());

        const auto other = std::lower_bound
        (
            mirrored.begin(),
            mirrored.end(),
            key,
            [](const mirrorLink& x, std::int64_t k) { return x.key < k; }
        );
        link.image->between =
            other != mirrored.end() && other->key == key
         && other->axis == link.axis
         && other->image->mirrored == link.image->mirrored
         && other->image->beside == link.image->beside
         && other->image->reflects == link.image->reflects;
    }
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
            setLines();
            setMemory(d, sizeof(typename Precision::arithmetic));
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


namespace
{

[[noreturn]] void failLaws()
{
    throw error("this engine was made without laws of the viscosity");
}

} // End anonymous namespace


static void failScalar()
{
    throw error("this engine has no scalars");
}


void engine::setDiffusivity(int, double, double)
{
    failScalar();
}


void engine::setScalarForce(int, const std::array<double, 3>&)
{
    failScalar();
}


void engine::setScalarBoundary
(
    int,
    const std::string&,
    const double*,
    std::int64_t
)
{
    failScalar();
}


void engine::initialiseScalar
(
    int,
    std::int64_t,
    std::int64_t,
    const double*,
    const double*
)
{
    failScalar();
}


void engine::getScalar(int, std::int64_t, std::int64_t, double*)
{
    failScalar();
}


void engine::setViscosityModel(const viscosityModel&)
{
    failLaws();
}


void engine::setViscosityInterval(std::int64_t)
{
    failLaws();
}


void engine::updateViscosity()
{
    failLaws();
}


void engine::setTransported(int, std::int64_t, std::int64_t, const double*)
{
    failLaws();
}


void engine::getTransported(int, std::int64_t, std::int64_t, double*)
{
    failLaws();
}


void engine::getTransportedAt
(
    int,
    std::int64_t,
    const std::int64_t*,
    double*
)
{
    failLaws();
}


void engine::setTransportedBoundary
(
    int,
    const transportedValue*,
    std::int64_t,
    bool,
    bool
)
{
    failLaws();
}


void engine::macroscopicAt
(
    std::int64_t,
    const std::int64_t*,
    double*,
    double*
)
{
    throw error("the state of single nodes needs an engine on one device");
}


std::unique_ptr<nodeSampler> engine::sampler(std::int64_t, const std::int64_t*)
{
    throw error("the state of single nodes needs an engine on one device");
}


//- What engines of several devices say of obstacles
static const char* const noObstacle =
    "obstacles that come and go need an engine on one device";


bool engine::mayBeObstacle(std::int64_t)
{
    return false;
}


void engine::setObstacle(std::int64_t count, const std::int64_t*)
{
    if (count > 0)
    {
        throw error(noObstacle);
    }
}


void engine::addObstacle(std::int64_t, const std::int64_t*)
{
    throw error(noObstacle);
}


void engine::removeObstacle(std::int64_t, const std::int64_t*)
{
    throw error(noObstacle);
}


boundaryLoad engine::obstacleLoad(const std::array<double, 3>&)
{
    throw error(noObstacle);
}


void engine::viscosity(std::int64_t, std::int64_t, double*)
{
    failLaws();
}


void engine::macroscopic
(
    std::int64_t first,
    std::int64_t count,
    double* rho,
    double* u
)
{
    macroscopic
    (
        first,
        count,
        [=]
        (
            std::int64_t from,
            std::int64_t n,
            const double* rhoPiece,
            const double* uPiece
        )
        {
            const std::int64_t done = from - first;
            copyInParallel(rho + done, rhoPiece, n*sizeof(double));
            copyInParallel(u + 3*done, uPiece, 3*n*sizeof(double));
        }
    );
}

} // End namespace lbm
