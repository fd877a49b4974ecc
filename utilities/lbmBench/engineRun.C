#include "engineRun.H"
#include "closedBox.H"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

namespace lbmBench
{

namespace
{

void scatter(lbm::engine& e)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1e-3, 1e-3);

    const std::int64_t chunk = 1 << 20;
    std::vector<double> rho(chunk), u(3*chunk);
    for (std::int64_t done = 0; done < e.nFluid(); done += chunk)
    {
        const std::int64_t n = std::min(chunk, e.nFluid() - done);
        std::generate(rho.begin(), rho.end(), [&]() { return any(random); });
        std::generate(u.begin(), u.end(), [&]() { return any(random); });
        e.initialise(done, n, rho.data(), u.data(), nullptr);
    }
}

void scatterViscosity(lbm::engine& e)
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> any(0.02, 0.05);

    const std::int64_t chunk = 1 << 20;
    std::vector<double> nu(chunk);
    for (std::int64_t done = 0; done < e.nFluid(); done += chunk)
    {
        const std::int64_t n = std::min(chunk, e.nFluid() - done);
        std::generate(nu.begin(), nu.end(), [&]() { return any(random); });
        e.setViscosity(done, n, nu.data());
    }
}

//- A law with parameters in which it has an effect
lbm::viscosityModel someLaw(const std::string& name)
{
    lbm::viscosityModel result;
    const auto eddies = lbm::eddyLawNames();
    if (std::find(eddies.begin(), eddies.end(), name) != eddies.end())
    {
        result.fluidParameters = {0.02};
        result.eddies = name;
        result.eddyParameters.assign(lbm::lawParameters(name).size(), 0.3);
        result.delta = {1};
        result.longestEdge = {1};

        // Those of OpenFOAM
        static const std::map<std::string, std::vector<double>> transported
        {
            {"kEqn", {0.094, 1.048}},
            {
                "SpalartAllmaras",
                {0.66666, 0.41, 0.1355, 0.622, 0.3, 2, 7.1, 0.3}
            },
            {
                "SpalartAllmarasIDDES",
                {
                    0.66666, 0.41, 0.1355, 0.622, 0.3, 2, 7.1, 0.3, 0.65, 1,
                    1.2, 0.5, 0.424, 8, 3, 3.55, 1.63
                }
            },
            {"kEpsilon", {0.09, 1.44, 1.92, 1, 1.3}},
            {
                "kOmegaSST",
                {
                    0.85, 1, 0.5, 0.856, 5.0/9, 0.44, 0.075, 0.0828, 0.09,
                    0.31, 1, 10, 0, 0, 0, 1e3
                }
            }
        };
        const auto found = transported.find(name);
        if (found != transported.end())
        {
            result.eddyParameters = found->second;
            result.fluidParameters = {1e-4};
            result.interval = 8;
        }
        return result;
    }

    // Viscosities from 0.02 to 0.05, times near the mean strain rate
    static const std::map<std::string, std::vector<double>> fluids
    {
        {"Newtonian", {0.02}},
        {"powerLaw", {0.03, 0.8, 0.02, 0.05, 100}},
        {"CrossPowerLaw", {0.05, 0.02, 100, 0.8}},
        {"BirdCarreau", {0.05, 0.02, 100, 0.8, 2}},
        {"Casson", {0.02, 1e-4, 0.02, 0.05}},
        {"HerschelBulkley", {0.03, 0.8, 1e-4, 0.05, 100}}
    };
    result.fluid = name;
    result.fluidParameters = fluids.at(name);
    return result;
}

//- Turbulence for a law that transports variables
void setTransported(lbm::engine& e, const std::string& law)
{
    const std::map<std::string, double> some
    {
        {"k", 1e-5}, {"omega", 5e-3}, {"epsilon", 4.5e-9}, {"nuTilda", 3e-3}
    };
    const std::int64_t chunk = 1 << 20;
    const auto variables = lbm::transportedVariables(law);
    for (std::size_t i = 0; i < variables.size(); ++i)
    {
        const std::vector<double> values(chunk, some.at(variables[i].name));
        for (std::int64_t done = 0; done < e.nFluid(); done += chunk)
        {
            const std::int64_t n = std::min(chunk, e.nFluid() - done);
            e.setTransported(i, done, n, values.data());
        }
    }
}

//- Beginning of a line of the report
std::ostream& line(const char* name)
{
    return std::cout << std::left << std::setw(9) << name << std::right;
}

std::string percent(double part, int nDigits)
{
    return fixed(100*part, nDigits) + " %";
}

} // End anonymous namespace


std::string fixed(double value, int nDigits)
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(nDigits) << value;
    return os.str();
}


void timingOptions::add(po::options_description& options)
{
    options.add_options()
        ("steps", po::value(&nSteps), "steps to time [1000]")
        ("warm-up", po::value(&nWarmUp), "steps before them [100]")
        (
            "repeat",
            po::value(&nRepetitions),
            "times to time them, for mean and spread [3]"
        )
        (
            "model",
            po::bool_switch(&model),
            "predict the time of a step from its bytes and from what the"
            " device was measured to do"
        )
        ("one-stream", po::bool_switch(&oneStream), "no stream per link group")
        ("no-graph", po::bool_switch(&noGraph), "launch every kernel by itself")
        ("csv", po::value(&csv), "append the results to this file");
}


void timingOptions::check() const
{
    const auto atLeast = [](const char* name, std::int64_t n, int least)
    {
        if (n < least)
        {
            throw lbm::error
            (
                std::string(name) + " is " + std::to_string(n)
              + ", possible: " + std::to_string(least) + " or more"
            );
        }
    };
    atLeast("--steps", nSteps, 1);
    atLeast("--warm-up", nWarmUp, 0);
    atLeast("--repeat", nRepetitions, 1);
}


void timingOptions::apply(lbm::engineSettings& s) const
{
    s.concurrent = !oneStream;
    s.graph = !noGraph;
}


double engineRun::fraction() const
{
    // Parts on one device share its bandwidth
    const std::set<int> devices
    (
        settings.devices.begin(), settings.devices.end()
    );
    const bool several = settings.backend != "host" && devices.size() > 1;
    return
        1e9*glups.mean*lbm::engine::bytesPerNode(settings)
       /(copy*(several ? devices.size() : 1));
}


std::string engineRun::models() const
{
    return
        settings.lattice + " " + settings.precision + " "
      + settings.collision + " "
      + (settings.storage == "moments" ? settings.storage : settings.layout);
}


void engineRun::print() const
{
    line("run") << name << ", " << models() << '\n';
    line("nodes")
        << nNodes << ", of which " << nWithLinks << " have links; "
        << nLinks << " links\n";
    line("memory") << fixed(memory, 1) << " B a node\n";
    for (const lbm::partSize& p : parts)
    {
        line(&p == &parts[0] ? "parts" : "")
            << p.nNodes << " nodes, " << p.nHaloLinks
            << " links to other parts\n";
    }
    line("speed")
        << fixed(glups.mean, 3) << " GLUPS, spread "
        << percent(glups.spread, 1) << " in " << nRepetitions << " x "
        << nSteps << " steps\n";
    line("")
        << percent(fraction(), 1) << " of the copy bandwidth at "
        << fixed(lbm::engine::bytesPerNode(settings), 1)
        << " B a node and step\n";
    if (hasModel())
    {
        printModel();
    }
    std::cout << std::flush;
}


void engineRun::printModel() const
{
    line("model")
        << fixed(predictedGlups(), 3) << " GLUPS, "
        << (difference() < 0 ? "" : "+") << percent(difference(), 1)
        << " of the measured; " << fixed(traffic.total()/nNodes, 1)
        << " B a node and step\n";
    line("")
        << "device " << fixed(1e6*predicted.device, 1) << " us, chain "
        << fixed(1e6*predicted.chain, 1) << " us, launches "
        << fixed(1e6*predicted.launches, 1) << " us, measured "
        << fixed(1e-3*nNodes/glups.mean, 1) << " us\n";
    line("")
        << "update " << fixed(1e-9*limits.update, 1) << " GB/s, read "
        << fixed(1e-9*limits.read, 1) << " GB/s, write "
        << fixed(1e-9*limits.write, 1) << " GB/s, kernel "
        << fixed(1e6*limits.kernel, 2) << " us, empty step "
        << fixed(1e6*limits.step, 2) << " us\n";
    line("")
        << "streaming " << fixed(1e-9*limits.streaming, 1) << " GB/s";
    if (limits.withTerms > 0)
    {
        std::cout
            << ", with terms " << fixed(1e-9*limits.withTerms, 1) << " GB/s";
    }
    std::cout << '\n';
    for (const auto& nodes : limits.nodes)
    {
        line("")
            << "without memory " << fixed(1e-9*nodes.second.perSecond, 1)
            << " GLUPS, " << nodes.second.warps << " warps, " << nodes.first
            << " nodes a thread\n";
    }
    for (const lbm::kernelTraffic& k : traffic.kernels)
    {
        const std::string work =
            k.kind == lbm::stepKernel::copy ? "copy "
          : k.kind == lbm::stepKernel::prepare ? "prepare "
          : "";
        line("")
            << std::left << std::setw(20) << work + k.name << std::right
            << std::setw(12) << k.n
            << std::setw(11) << fixed(1e-6*k.read, 3) << " MB read"
            << std::setw(11) << fixed(1e-6*k.written, 3) << " MB written"
            << std::setw(11) << fixed(1e6*memoryTime(k, limits), 2)
            << " us of memory"
            << std::setw(11) << fixed(1e6*kernelTime(k, limits), 2) << " us\n";
    }
}


words engineRun::columns()
{
    return
    {
        "run", "lattice", "precision", "collision", "layout", "storage", "nodes",
        "nodesWithLinks", "links", "memoryPerNode", "steps", "repetitions",
        "GLUPS", "spread", "bytesPerNode", "copyGBs", "fractionOfCopy",
        "modelGLUPS", "modelDifference"
    };
}


words engineRun::row() const
{
    return
    {
        name,
        settings.lattice,
        settings.precision,
        settings.collision,
        settings.layout,
        settings.storage,
        std::to_string(nNodes),
        std::to_string(nWithLinks),
        std::to_string(nLinks),
        fixed(memory, 1),
        std::to_string(nSteps),
        std::to_string(nRepetitions),
        fixed(glups.mean, 4),
        fixed(glups.spread, 4),
        fixed(lbm::engine::bytesPerNode(settings), 1),
        fixed(1e-9*copy, 1),
        fixed(fraction(), 4),
        hasModel() ? fixed(predictedGlups(), 4) : "",
        hasModel() ? fixed(difference(), 4) : ""
    };
}


double copyBandwidth(const deviceOptions& device)
{
    return measuredBandwidth
    (
        device,
        lbm::memoryAccess::copy,
        bandwidthOptions().bytes(device),
        3
    ).mean;
}


engineRun prepareRun
(
    const std::string& name,
    const lbm::engineSettings& s,
    const lbm::latticeDescription& d,
    const timingOptions& timing,
    double copyBandwidth
)
{
    engineRun run;
    run.name = name;
    run.settings = s;
    run.nNodes = std::count(d.fluid.begin(), d.fluid.end(), 1);
    run.nWithLinks = lbm::nodesWithLinks(d);
    for (const lbm::linkGroup& g : d.groups)
    {
        run.nLinks += g.size();
    }
    run.nSteps = timing.nSteps;
    run.nRepetitions = timing.nRepetitions;
    run.copy = copyBandwidth;

    if (timing.model && s.storage == "moments")
    {
        throw lbm::error("there is no model of a step with moments");
    }
    if (timing.model)
    {
        deviceOptions device;
        device.backend = s.backend;
        device.device = s.device;
        run.traffic = lbm::trafficOf(s, d);
        run.limits = measuredLimits
        (
            device, s, d, run.traffic
        );
        run.predicted = predict(run.traffic, run.limits, scheduleOf(s));
    }
    return run;
}


meanSpread timeSteps
(
    lbm::engine& e,
    const timingOptions& timing,
    std::int64_t interval,
    const std::function<void()>& work
)
{
    const auto advance = [&](std::int64_t n)
    {
        if (!work)
        {
            e.step(n);
        }
        else for (std::int64_t done = 0; done < n; done += interval)
        {
            const std::int64_t m = std::min(interval, n - done);
            e.step(m);
            if (m == interval)
            {
                work();
            }
        }
        e.synchronise();
    };

    // What is made when it is first asked for is made before
    if (work)
    {
        work();
    }
    advance(timing.nWarmUp);
    std::vector<double> glups;
    for (int r = 0; r < timing.nRepetitions; ++r)
    {
        const auto start = std::chrono::steady_clock::now();
        advance(timing.nSteps);
        const auto end = std::chrono::steady_clock::now();
        const std::chrono::duration<double> seconds(end - start);
        glups.push_back(1e-9*e.nFluid()*timing.nSteps/seconds.count());
    }

    if (!e.statistics().finite)
    {
        throw lbm::error("the flow has diverged");
    }
    return meanOf(glups);
}


void finishRun
(
    engineRun& run,
    lbm::engine& e,
    const timingOptions& timing
)
{
    run.memory = double(e.memory().total())/e.nFluid();
    run.parts = e.parts();
    run.glups = timeSteps(e, timing);
}


void startBox(lbm::engine& e)
{
    scatter(e);
    const double U[3] = {0.03, 0, 0};
    e.setBoundaryValues(1, U, 1);
}


//- Zero on all sides of a box
static lbm::scalarDescription scalarOf(const lbm::latticeDescription& d)
{
    const int nDimensions = d.size[2] > 1 ? 3 : 2;

    lbm::scalarGroup sides;
    sides.name = "sides";
    sides.type = "value";
    for (const lbm::linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const int i = g.direction[l];
            if (i <= 2*nDimensions)
            {
                sides.node.push_back(g.node[l]);
                sides.direction.push_back(i);
            }
        }
    }
    sides.face.assign(sides.size(), 0);
    lbm::scalarDescription result;
    result.groups = {std::move(sides)};
    return result;
}


engineRun runBox
(
    const lbm::engineSettings& s,
    const std::array<std::int64_t, 3>& size,
    const timingOptions& timing,
    double copyBandwidth,
    const std::string& law,
    double drag,
    int nScalars,
    bool buoyant,
    bool rotating
)
{
    std::string name;
    for (int a = 0; a < (size[2] > 1 ? 3 : 2); ++a)
    {
        name += (a ? "x" : "") + std::to_string(size[a]);
    }
    for (const int& device : s.devices)
    {
        name += (&device == &s.devices[0] ? " on devices " : " ")
          + std::to_string(device);
    }

    if (!law.empty())
    {
        name += " with " + law;
    }
    if (nScalars > 0)
    {
        name += " with " + std::to_string(nScalars)
          + (nScalars == 1 ? " scalar" : " scalars")
          + (buoyant ? ", buoyant" : "");
    }

    if (rotating)
    {
        name += " in a rotating frame";
    }

    lbm::latticeDescription d = closedBox(s.lattice, size);
    d.scalars.assign(nScalars, scalarOf(d));
    if (buoyant)
    {
        d.scalars[0].acts = true;
    }
    engineRun run = prepareRun(name, s, d, timing, copyBandwidth);
    const auto e = lbm::engine::New(s, d);
    if (!law.empty())
    {
        lbm::viscosityModel model(someLaw(law));
        if (lbm::usesWallDistance(law))
        {
            model.wallDistance.assign(e->nFluid(), 10);
        }
        e->setViscosityModel(model);
        setTransported(*e, law);
    }
    else if (s.variableViscosity)
    {
        scatterViscosity(*e);
    }
    if (drag > 0)
    {
        const std::int64_t n = drag*e->nFluid();
        const std::vector<double> a(3*n, 1e-8);
        std::vector<double> sigma(6*n, 0);
        for (std::int64_t l = 0; l < 6*n; l += 6)
        {
            std::fill_n(sigma.begin() + l, 3, 1e-4);
        }
        e->setForces(n, nullptr, a.data(), sigma.data());
    }
    if (rotating)
    {
        const std::vector<double> a(3*e->nFluid(), 1e-8);
        e->setForces(e->nFluid(), nullptr, a.data(), nullptr);
        e->setRotation({0, 0, 1e-5});
    }
    startBox(*e);
    const std::vector<double> one(nScalars > 0 ? e->nFluid() : 0, 1);
    for (int k = 0; k < nScalars; ++k)
    {
        e->setDiffusivity(k, 0.1);
        e->initialiseScalar(k, 0, e->nFluid(), one.data(), nullptr);
    }
    if (buoyant)
    {
        e->setScalarForce(0, {0, 1e-6, 0});
    }
    finishRun(run, *e, timing);
    return run;
}

} // End namespace lbmBench
