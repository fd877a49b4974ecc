/*---------------------------------------------------------------------------*\
Application
    lbmBench

Description
    Measures the lattice Boltzmann engine without OpenFOAM around it.

Usage
    lbmBench ceiling [OPTIONS]
    lbmBench box [OPTIONS]

      - ceiling \n
        Copy bandwidth of the device.

      - box \n
        Speed of a closed box with a moving lid, beside the copy bandwidth
        measured in the same run. Populations start from random values, since
        zeros are kinder to a device than data.

    lbmBench --help lists the options.
\*---------------------------------------------------------------------------*/

#include "closedBox.H"
#include "engine.H"

#include <boost/program_options.hpp>
#include <chrono>
#include <ctime>
#include <functional>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>

namespace po = boost::program_options;

namespace
{

struct result
{
    std::string name;
    std::int64_t nodes;
    double bytesPerNode, glups, fraction;
};

std::string today()
{
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof(text), "%F %H:%M UTC", std::gmtime(&now));
    return text;
}

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
    const auto d = lbmBench::closedBox(s.lattice, size);
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


int main(int argc, char* argv[])
{
    std::string command, csv;
    std::vector<std::int64_t> size;
    lbm::engineSettings s;
    std::int64_t nSteps = 1000, nWarmUp = 100, megabytes = 0;
    bool oneStream = false, noGraph = false, bodyForce = false;
    s.backend = "auto";
    s.relaxationTime = 0.6;

    po::options_description options("Options");
    options.add_options()
        ("help,h", "print this text")
        (
            "size,n",
            po::value(&size)->multitoken(),
            "nodes along an edge, or along each axis [256]"
        )
        ("lattice", po::value(&s.lattice), "D2Q9 or D3Q19 [D3Q19]")
        ("collision", po::value(&s.collision), "BGK, TRT or recursiveRegularised [TRT]")
        ("precision", po::value(&s.precision), "single or double [single]")
        ("layout", po::value(&s.layout), "dense or list [dense]")
        ("backend", po::value(&s.backend), "auto, cuda or host [auto]")
        ("device", po::value(&s.device), "number of the CUDA device [0]")
        ("steps", po::value(&nSteps), "steps to measure [1000]")
        ("warm-up", po::value(&nWarmUp), "steps before them [100]")
        ("megabytes", po::value(&megabytes), "array copied for the ceiling")
        ("one-stream", po::bool_switch(&oneStream), "no stream per link group")
        ("no-graph", po::bool_switch(&noGraph), "launch every kernel by itself")
        ("body-force", po::bool_switch(&bodyForce), "with a body force")
        ("csv", po::value(&csv), "append the results to a file");

    po::options_description all;
    all.add(options).add_options()("command", po::value(&command));
    po::positional_options_description positions;
    positions.add("command", 1);

    try
    {
        po::variables_map given;
        po::store
        (
            po::command_line_parser(argc, argv)
                .options(all).positional(positions).run(),
            given
        );
        po::notify(given);

        if (given.count("help"))
        {
            std::cout
                << "Usage: lbmBench ceiling|box [options]\n\n" << options;
            return 0;
        }
        if (command != "ceiling" && command != "box")
        {
            throw lbm::error
            (
                "unknown command '" + command
              + "', valid ones are: ceiling box"
            );
        }

        std::string reason;
        if (s.backend == "auto")
        {
            s.backend = lbm::engine::defaultBackend(reason);
        }
        const bool host = s.backend == "host";
        if (megabytes == 0)
        {
            megabytes = host ? 512 : 4096;
        }

        std::cout
            << "device   "
            << lbm::engine::deviceName(s.backend, s.device) << '\n'
            << "date     " << today() << '\n';

        const double copyBandwidth = lbm::engine::copyBandwidth
        (
            s.backend, s.device, megabytes << 20, host ? 10 : 100
        );
        std::cout
            << std::fixed << std::setprecision(1)
            << "copy     " << 1e-9*copyBandwidth << " GB/s\n";

        if (command == "box")
        {
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
            s.concurrent = !oneStream;
            s.graph = !noGraph;
            if (bodyForce)
            {
                s.bodyForce = {1e-7, 0, 0};
            }

            const result r = runBox
            (
                s, {size[0], size[1], size[2]}, nWarmUp, nSteps, copyBandwidth
            );
            std::cout
                << "box      " << r.name << ", " << nSteps << " steps\n"
                << "memory   " << r.bytesPerNode << " B a node\n"
                << std::setprecision(3)
                << "speed    " << r.glups << " GLUPS\n"
                << std::setprecision(1)
                << "         " << 100*r.fraction
                << " % of the copy bandwidth at " << stepBytes(s)
                << " B a node and step\n";

            if (!csv.empty())
            {
                std::ofstream os(csv, std::ios::app);
                os  << today() << ','
                    << lbm::engine::deviceName(s.backend, s.device) << ','
                    << r.name << ',' << r.nodes << ',' << r.bytesPerNode
                    << ',' << r.glups << ',' << r.fraction << ','
                    << 1e-9*copyBandwidth << '\n';
                if (!os)
                {
                    throw lbm::error("cannot write " + csv);
                }
            }
        }
    }
    catch (const std::exception& e)
    {
        std::cerr << "lbmBench: " << e.what() << '\n';
        return 1;
    }
    return 0;
}
