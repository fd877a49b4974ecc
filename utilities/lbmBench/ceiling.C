#include "ceilings.H"
#include "csvFile.H"
#include "engineRun.H"

#include <iomanip>
#include <iostream>
#include <set>

namespace lbmBench
{

void ceiling(const words& arguments)
{
    deviceOptions device;
    bandwidthOptions bandwidth;
    int nRepetitions = 5;
    std::string csvName;

    po::options_description options("Options");
    bandwidth.add(options);
    options.add_options()
        (
            "repeat",
            po::value(&nRepetitions),
            "times to measure, for mean and spread [5]"
        )
        ("csv", po::value(&csvName), "append the results to this file");
    device.add(options);

    if
    (
       !parseArguments
        (
            arguments,
            "ceiling [OPTIONS]",
            "Bandwidth of the device's memory, and time of a kernel:\n"
            "  copy    from one array to another, bytes read and written\n"
            "  read    one array\n"
            "  write   one array\n"
            "  update  every word of an array read and written in place, as"
            " in a step\n"
            "  19 x 4  the same for 19 arrays, a word of 4 bytes of each at a"
            " time\n"
            "  19 x 16 cut  the same with the arrays cut into pieces of 256 kB,"
            " the\n          first ones of all arrays first\n"
            "  graph   a kernel without work in a chain of them, replayed\n"
            "  launch  the same, launched one by one",
            options
        )
    )
    {
        return;
    }

    bandwidth.check();
    if (nRepetitions < 1)
    {
        throw lbm::error
        (
            "--repeat is " + std::to_string(nRepetitions)
          + ", possible: 1 or more"
        );
    }
    device.choose();
    const headingLines heading = printHeading(device);
    csvFile csv
    (
        csvName,
        heading,
        {"quantity", "megabytes", "repetitions", "value", "unit", "spread"}
    );

    const auto report =
        [&](const std::string& name, std::int64_t bytes, const meanSpread& b)
    {
        std::cout
            << std::left << std::setw(13) << name << std::right
            << fixed(1e-9*b.mean, 1) << " GB/s, spread "
            << fixed(100*b.spread, 1) << " %" << std::endl;
        csv.write
        ({
            name,
            std::to_string(bytes/1000000),
            std::to_string(nRepetitions),
            fixed(1e-9*b.mean, 2),
            "GB/s",
            fixed(b.spread, 4)
        });
    };

    const std::int64_t bytes = bandwidth.bytes(device);
    std::cout
        << "memory   " << bytes/1000000 << " MB, mean of " << nRepetitions
        << " x " << nPasses(device, bytes) << " passes\n";

    const std::pair<const char*, lbm::memoryAccess> accesses[] =
    {
        {"copy", lbm::memoryAccess::copy},
        {"read", lbm::memoryAccess::read},
        {"write", lbm::memoryAccess::write},
        {"update", lbm::memoryAccess::update}
    };
    for (const auto& access : accesses)
    {
        report
        (
            access.first,
            bytes,
            measuredBandwidth(device, access.second, bytes, nRepetitions)
        );
    }

    // All combinations that steps have: a node a thread, or several
    std::set<std::array<int, 3>> steps;
    for (const std::string& lattice : lbm::engine::validNames("lattice"))
    {
        for (const std::string& p : lbm::engine::validNames("precision"))
        {
            const int q = lbm::directions(lattice).size();
            const int size = lbm::engine::bytesPerPopulation(p);
            steps.insert({q, size, 0});
            if (!device.host())
            {
                steps.insert({q, std::min(4*size, 16), 1 << 18});
            }
        }
    }
    for (const auto& s : steps)
    {
        report
        (
            std::to_string(s[0]) + " x " + std::to_string(s[1])
          + (s[2] ? " cut" : ""),
            bytes,
            measuredArrays(device, {s[0], s[1], s[2]}, bytes, nRepetitions)
        );
    }

    for (const bool graph : {true, false})
    {
        if (graph && device.host())
        {
            continue;
        }
        std::vector<double> seconds;
        for (int r = 0; r < nRepetitions; ++r)
        {
            seconds.push_back
            (
                lbm::engine::kernelTime(device.backend, device.device, graph)
            );
        }
        const meanSpread t = meanOf(seconds);
        const char* name = graph ? "graph" : "launch";
        std::cout
            << std::left << std::setw(13) << name << std::right
            << fixed(1e6*t.mean, 3) << " us a kernel, spread "
            << fixed(100*t.spread, 1) << " %" << std::endl;
        csv.write
        ({
            name,
            "",
            std::to_string(nRepetitions),
            fixed(1e6*t.mean, 4),
            "us",
            fixed(t.spread, 4)
        });
    }
}

} // End namespace lbmBench
