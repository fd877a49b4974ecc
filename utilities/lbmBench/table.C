#include "boxOptions.H"

#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

//- A closed box to run, or two whose speeds are divided
struct tableRow
{
    const char* name;
    std::int64_t edge;
    std::int64_t nSteps;

    //- Options of a box
    words options;

    //- Those of the box that it is compared with; none if empty
    words beside;
};

const std::vector<tableRow>& rows()
{
    const words d2{"--lattice", "D2Q9"};
    static const std::vector<tableRow> table
    {
        {"D3Q19 single", 64, 5000, {}, {}},
        {"D3Q19 single", 128, 3000, {}, {}},
        {"D3Q19 single", 256, 1000, {}, {}},
        {"D3Q19 single", 512, 1000, {}, {}},
        {"D3Q19 half", 256, 1000, {"--precision", "half"}, {}},
        {"D3Q19 half", 512, 1000, {"--precision", "half"}, {}},
        {"D3Q19 double", 256, 1000, {"--precision", "double"}, {}},
        {"D3Q27 single", 256, 1000, {"--lattice", "D3Q27"}, {}},
        {
            "D3Q27 half", 256, 1000,
            {"--lattice", "D3Q27", "--precision", "half"}, {}
        },
        {
            "D3Q27 double", 256, 1000,
            {"--lattice", "D3Q27", "--precision", "double"}, {}
        },
        {"D2Q9 single", 8192, 1000, d2, {}},
        {
            "D2Q9 half", 8192, 500,
            {"--lattice", "D2Q9", "--precision", "half"}, {}
        },
        {
            "D2Q9 double", 8192, 500,
            {"--lattice", "D2Q9", "--precision", "double"}, {}
        },
        {"D2Q9 single", 256, 20000, d2, {}},
        {"list single", 256, 1000, {"--layout", "list"}, {}},
        {
            "list half", 256, 1000,
            {"--layout", "list", "--precision", "half"}, {}
        },
        {
            "list double", 256, 1000,
            {"--layout", "list", "--precision", "double"}, {}
        },
        {
            "list D3Q27", 256, 1000,
            {"--layout", "list", "--lattice", "D3Q27"}, {}
        },
        {
            "list D2Q9", 8192, 1000, {"--layout", "list", "--lattice", "D2Q9"},
            {}
        },
        {
            "recursive regularised", 256, 1000,
            {"--collision", "recursiveRegularised"}, {}
        },
        {
            "the same, half", 256, 1000,
            {"--collision", "recursiveRegularised", "--precision", "half"}, {}
        },
        {
            "the same, double", 256, 1000,
            {"--collision", "recursiveRegularised", "--precision", "double"},
            {}
        },
        {
            "the same, list", 256, 1000,
            {"--collision", "recursiveRegularised", "--layout", "list"}, {}
        },
        {
            "MRT against TRT", 256, 1000,
            {"--collision", "MRT"}, {"--collision", "TRT"}
        },
        {
            "the same, half", 256, 1000,
            {"--collision", "MRT", "--precision", "half"},
            {"--collision", "TRT", "--precision", "half"}
        },
        {
            "the same, double", 256, 1000,
            {"--collision", "MRT", "--precision", "double"},
            {"--collision", "TRT", "--precision", "double"}
        },
        {
            "TRT against BGK", 256, 1000, {}, {"--collision", "BGK"}
        },
        {
            "body force against none", 256, 1000, {"--body-force"},
            {"--collision", "TRT"}
        },
        {
            "viscosity of nodes against one", 256, 1000,
            {"--node-viscosity"}, {"--collision", "TRT"}
        },
        {
            "law WALE against one viscosity", 256, 1000,
            {"--collision", "recursiveRegularised", "--law", "WALE"},
            {"--collision", "recursiveRegularised"}
        },
        {
            "law powerLaw against one viscosity", 256, 1000,
            {"--law", "powerLaw"}, {"--collision", "TRT"}
        },
        {
            "streams against one", 256, 1000, {}, {"--one-stream"}
        },
        {
            "graph against none", 64, 5000, {}, {"--no-graph"}
        },
        {
            "the same, D2Q9", 256, 20000, d2,
            {"--lattice", "D2Q9", "--no-graph"}
        }
    };
    return table;
}

} // End anonymous namespace


void table(const words& arguments)
{
    deviceOptions device;
    std::int64_t divisor = 1;
    std::string csvName;
    timingOptions timing;
    timing.nRepetitions = 2;

    po::options_description options("Options");
    options.add_options()
        (
            "divide",
            po::value(&divisor),
            "divide edges, not below 4, and numbers of steps by this [1]"
        )
        (
            "repeat",
            po::value(&timing.nRepetitions),
            "repetitions of each measurement [2]"
        )
        ("model", po::bool_switch(&timing.model), "predict the times, too")
        ("csv", po::value(&csvName), "append the results to this file");
    device.add(options);
    if
    (
       !parseArguments
        (
            arguments,
            "table [OPTIONS]",
            "Speed of the engine in all the boxes of the documentation:"
            " lattices, precisions,\nlayouts and sizes, and what collision,"
            " force, streams and graphs change.",
            options
        )
    )
    {
        return;
    }
    if (divisor < 1)
    {
        throw lbm::error
        (
            "divide " + std::to_string(divisor) + " is below 1"
        );
    }
    timing.check();
    device.choose();

    const headingLines heading = printHeading(device);
    csvFile csv(csvName, heading, engineRun::columns());
    const double copy = copyBandwidth(device);
    std::cout
        << "copy     " << fixed(1e-9*copy, 1) << " GB/s\n\n"
        << std::left << std::setw(26) << "box" << std::right
        << std::setw(6) << "edge" << std::setw(9) << "GLUPS"
        << std::setw(9) << "spread" << std::setw(9) << "of copy"
        << std::setw(10) << "B a node" << std::setw(8) << "ratio"
        << std::setw(9) << (timing.model ? "model" : "") << '\n';

    const auto runOf = [&](const tableRow& row, const words& chosen)
    {
        boxOptions o;
        po::options_description boxes;
        o.add(boxes, false);
        parseArguments(chosen, "", "", boxes);
        o.sizes = {std::to_string(std::max<std::int64_t>(row.edge/divisor, 4))};
        o.device = device;
        o.timing.nSteps = std::max<std::int64_t>(row.nSteps/divisor, 1);
        o.timing.nWarmUp = std::min<std::int64_t>(100, o.timing.nSteps);
        o.timing.nRepetitions = timing.nRepetitions;
        o.timing.model = timing.model && row.beside.empty();

        engineRun result;
        o.forAll
        (
            [&]
            (
                const lbm::engineSettings& s,
                const std::array<std::int64_t, 3>& size
            )
            {
                result = runBox
                (
                    s, size, o.timing, copy, o.law, o.drag, o.nScalars,
                    o.buoyant
                );
            }
        );
        csv.write(result.row());
        return result;
    };

    for (const tableRow& row : rows())
    {
        const engineRun run = runOf(row, row.options);
        const std::string ratio =
            row.beside.empty()
          ? ""
          : fixed(run.glups.mean/runOf(row, row.beside).glups.mean, 3);

        std::cout
            << std::left << std::setw(26) << row.name << std::right
            << std::setw(6) << std::max<std::int64_t>(row.edge/divisor, 4)
            << std::setw(9) << fixed(run.glups.mean, 3)
            << std::setw(7) << fixed(100*run.glups.spread, 1) << " %"
            << std::setw(7) << fixed(100*run.fraction(), 1) << " %"
            << std::setw(10) << fixed(run.memory, 1)
            << std::setw(8) << ratio
            << std::setw(9)
            << (run.hasModel() ? fixed(run.predictedGlups(), 3) : "")
            << std::endl;
    }
}

} // End namespace lbmBench
