#include "boxOptions.H"

#include <algorithm>

namespace lbmBench
{

namespace
{

bool existsOn(const std::string& lattice, const std::string& collision)
{
    const words all = lbm::collisionsOn(lattice);
    return std::find(all.begin(), all.end(), collision) != all.end();
}

} // End anonymous namespace


std::array<std::int64_t, 3> sizeOf
(
    const std::string& text,
    const std::string& lattice
)
{
    std::vector<std::int64_t> n;
    bool valid = !text.empty() && text.back() != 'x';
    for (std::size_t from = 0; valid && from < text.size(); )
    {
        const std::size_t to = std::min(text.find('x', from), text.size());
        const std::string number = text.substr(from, to - from);
        valid =
            !number.empty() && number.size() < 8
         && number.find_first_not_of("0123456789") == std::string::npos
         && std::stoll(number) > 0;
        n.push_back(valid ? std::stoll(number) : 0);
        from = to + 1;
    }

    const int d = lbm::nDimensions(lattice);
    if (n.size() == 1)
    {
        n.assign(d, n[0]);
    }
    if (!valid || int(n.size()) != d)
    {
        throw lbm::error
        (
            "size '" + text + "' is not one of a box for " + lattice
          + ", possible: nodes along an edge, as in 64, or along each axis, as"
            " in " + (d == 2 ? "64x32" : "64x32x16")
        );
    }
    n.resize(3, 1);
    return {n[0], n[1], n[2]};
}


void boxOptions::add(po::options_description& options, bool several)
{
    options.add_options()
        (
            "size,n",
            po::value(&sizes)->multitoken(),
            "boxes, each as nodes along an edge (64) or along each axis"
            " (64x32x16) [256]"
        );

    const auto addChoice = [&](const char* name, words& chosen)
    {
        const words valid = lbm::engine::validNames(name);
        const std::string text =
            (several ? "one or more of " : "") + alternatives(valid)
          + " [" + chosen[0] + "]";
        auto* value = po::value(&chosen);
        options.add_options()
            (name, several ? value->multitoken() : value, text.c_str());
    };
    addChoice("lattice", lattices);
    addChoice("precision", precisions);
    addChoice("layout", layouts);
    addChoice("storage", storages);
    addChoice("collision", collisions);

    options.add_options()
        ("body-force", po::bool_switch(&bodyForce), "with a body force")
        (
            "node-viscosity",
            po::bool_switch(&nodeViscosity),
            "with a viscosity of each node"
        )
        (
            "drag",
            po::value(&drag),
            "with a drag of this share of the nodes, 0 to 1"
        )
        (
            "rotating",
            po::bool_switch(&rotating),
            "in a rotating frame: accelerations of all nodes, and Coriolis'"
        )
        (
            "scalars",
            po::value(&nScalars),
            "so many scalars that the flow carries, with given values at the"
            " walls"
        )
        (
            "buoyant",
            po::bool_switch(&buoyant),
            "the first of them acts on the flow"
        )
        (
            "law",
            po::value(&law),
            "with one that a law gives each node: powerLaw, BirdCarreau, ...,"
            " Smagorinsky or WALE"
        );
    timing.add(options);
    device.add(options);
    options.add_options()
        (
            "devices",
            po::value(&devices)->multitoken(),
            "numbers of several devices: each has a part of a box; the host has"
            " as many parts"
        );
}


void boxOptions::choose()
{
    const auto checkChoice = [](const char* name, const words& chosen)
    {
        checkNames(name, chosen, lbm::engine::validNames(name));
    };
    checkChoice("lattice", lattices);
    checkChoice("precision", precisions);
    checkChoice("layout", layouts);
    checkChoice("storage", storages);
    checkChoice("collision", collisions);
    for (const std::string& lattice : lattices)
    {
        // Of several, those that exist are run
        const auto exists = [&](const std::string& collision)
        {
            return existsOn(lattice, collision);
        };
        if (std::none_of(collisions.begin(), collisions.end(), exists))
        {
            checkNames
            (
                "collision of " + lattice, collisions, lbm::collisionsOn(lattice)
            );
        }
        for (const std::string& size : sizes)
        {
            sizeOf(size, lattice);
        }
    }
    if (!law.empty())
    {
        lbm::lawParameters(law);
    }
    if (!(drag >= 0 && drag <= 1))
    {
        throw lbm::error("--drag is a share of the nodes, 0 to 1");
    }
    if (nScalars < 0)
    {
        throw lbm::error("--scalars is a number of them");
    }
    if (buoyant && nScalars == 0)
    {
        throw lbm::error("--buoyant needs --scalars of 1 or more");
    }
    if (timing.model && nScalars > 0)
    {
        throw lbm::error("--model knows no scalars");
    }
    timing.check();
    device.choose();
    for (const int d : devices)
    {
        lbm::engine::deviceName(device.backend, d);
    }
    if (timing.model && devices.size() > 1)
    {
        throw lbm::error("--model is for one device, not for several");
    }
}


void boxOptions::forAll
(
    const std::function
    <
        void
        (
            const lbm::engineSettings&,
            const std::array<std::int64_t, 3>& size
        )
    >& f
) const
{
    lbm::engineSettings s;
    s.relaxationTime = 0.6;
    s.backend = device.backend;
    s.device = device.device;
    s.devices = devices;
    timing.apply(s);
    if (bodyForce)
    {
        s.bodyForce = {1e-7, 0, 0};
    }

    s.variableViscosity = nodeViscosity || !law.empty();
    s.modelledViscosity = !law.empty();
    s.transportedVariables =
        law.empty() ? 0 : lbm::transportedVariables(law).size();
    s.nodeForces = drag > 0 || rotating;

    for (const std::string& lattice : lattices)
    {
        s.lattice = lattice;
        for (const std::string& precision : precisions)
        {
            s.precision = precision;
            for (const std::string& layout : layouts)
            {
                s.layout = layout;
                for (const std::string& collision : collisions)
                {
                    if (!existsOn(lattice, collision))
                    {
                        continue;
                    }
                    s.collision = collision;
                    for (const std::string& storage : storages)
                    {
                        s.storage = storage;
                        for (const std::string& size : sizes)
                        {
                            f(s, sizeOf(size, lattice));
                        }
                    }
                }
            }
        }
    }
}

} // End namespace lbmBench
