#include "closedBox.H"
#include "heading.H"

#include <chrono>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>

namespace lbmBench
{

namespace
{

struct result
{
    std::string name;
    std::int64_t nodes;
    double bytesPerNode, glups, fraction;
};

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

double seconds(const std::function<void()>& f)
{
    const auto start = std::chrono::steady_clock::now();
    f();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(end - start).count();
}

//- Bytes that a step reads and writes at a node: all populations twice, and
//  the flag, and the table of neighbours of a list
double stepBytes(const lbm::engineSettings& s)
{
    const double nPopulations = lbm::directions(s.lattice).size();
    const double table = s.layout == "list" ? 4*(nPopulations - 1)/2 : 0;
    return 2*nPopulations*(s.precision == "double" ? 8 : 4) + table + 1;
}

result runBox
(
    const lbm::engineSettings& s,
    const std::array<std::int64_t, 3>& size,
    std::int64_t nWarmUp,
    std::int64_t nSteps,
    double copyBandwidth
)
{
    const auto d = closedBox(s.lattice, size);
    const auto e = lbm::engine::New(s, d);
    scatter(*e);
    const double U[3] = {0.03, 0, 0};
    e->setBoundaryValues(1, U, 1);

    e->step(nWarmUp);
    e->synchronise();
    const double time = seconds
    (
        [&]()
        {
            e->step(nSteps);
            e->synchronise();
        }
    );

    const auto statistics = e->statistics();
    if (!statistics.finite)
    {
        throw lbm::error("the flow in the box has diverged");
    }

    const double glups = 1e-9*e->nFluid()*nSteps/time;
    return
    {
        s.lattice + " " + s.precision + " " + s.collision + " " + s.layout
      + " " + std::to_string(size[0]) + "x" + std::to_string(size[1])
      + (size[2] > 1 ? "x" + std::to_string(size[2]) : ""),
        e->nFluid(),
        double(e->memory().total())/e->nFluid(),
        glups,
        1e9*glups*stepBytes(s)/copyBandwidth
    };
}

} // End anonymous namespace


void box(const words& arguments)
{
    deviceOptions device;
    lbm::engineSettings s;
    s.relaxationTime = 0.6;
    std::vector<std::int64_t> size;
    std::int64_t nSteps = 1000, nWarmUp = 100;
    bool oneStream = false, noGraph = false, bodyForce = false;

    const auto valid = [](const char* choice, const char* standard)
    {
        return
            alternatives(lbm::engine::validNames(choice))
          + " [" + standard + "]";
    };

    po::options_description options("Options");
    options.add_options()
        (
            "size,n",
            po::value(&size)->multitoken(),
            "nodes along an edge, or along each axis [256]"
        )
        (
            "lattice",
            po::value(&s.lattice),
            valid("lattice", "D3Q19").c_str()
        )
        (
            "collision",
            po::value(&s.collision),
            valid("collision", "TRT").c_str()
        )
        (
            "precision",
            po::value(&s.precision),
            valid("precision", "single").c_str()
        )
        (
            "layout",
            po::value(&s.layout),
            valid("layout", "dense").c_str()
        )
        ("steps", po::value(&nSteps), "steps to measure [1000]")
        ("warm-up", po::value(&nWarmUp), "steps before them [100]")
        ("one-stream", po::bool_switch(&oneStream), "no stream per link group")
        ("no-graph", po::bool_switch(&noGraph), "launch every kernel by itself")
        ("body-force", po::bool_switch(&bodyForce), "with a body force");
    device.add(options);

    if
    (
       !parseArguments
        (
            arguments,
            "box [OPTIONS]",
            "Speed of a closed box with a moving lid, beside the copy"
            " bandwidth.",
            options
        )
    )
    {
        return;
    }

    device.choose();
    s.backend = device.backend;
    s.device = device.device;
    s.concurrent = !oneStream;
    s.graph = !noGraph;
    if (bodyForce)
    {
        s.bodyForce = {1e-7, 0, 0};
    }

    if (size.empty())
    {
        size = {256};
    }
    const bool flat = s.lattice == "D2Q9";
    if (size.size() == 1)
    {
        size.assign(flat ? 2 : 3, size[0]);
    }
    if (size.size() == 2 && flat)
    {
        size.push_back(1);
    }
    for (const std::int64_t n : size)
    {
        if (size.size() != 3 || n < 1)
        {
            throw lbm::error
            (
                "--size takes one positive number, or one an axis"
            );
        }
    }

    printHeading(device);
    const double copyBandwidth = lbm::engine::copyBandwidth
    (
        s.backend,
        s.device,
        std::int64_t(device.host() ? 512 : 4096) << 20,
        device.host() ? 10 : 100
    );
    const result r = runBox
    (
        s, {size[0], size[1], size[2]}, nWarmUp, nSteps, copyBandwidth
    );
    std::cout
        << std::fixed << std::setprecision(1)
        << "copy     " << 1e-9*copyBandwidth << " GB/s\n"
        << "box      " << r.name << ", " << nSteps << " steps\n"
        << "memory   " << r.bytesPerNode << " B a node\n"
        << std::setprecision(3)
        << "speed    " << r.glups << " GLUPS\n"
        << std::setprecision(1)
        << "         " << 100*r.fraction
        << " % of the copy bandwidth at " << stepBytes(s)
        << " B a node and step\n";
}

} // End namespace lbmBench
