#include "boxOptions.H"

#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

//- A column of the table on the screen, beside that of the models
struct column
{
    const char* name;
    int width;
};

const column columns[] =
{
    {"GLUPS", 9}, {"spread", 8}, {"of copy", 9}, {"B a node", 10},
    {"model", 9}, {"difference", 12}
};

} // End anonymous namespace


void sweep(const words& arguments)
{
    boxOptions o;
    po::options_description options("Options");
    o.add(options, true);

    if
    (
       !parseArguments
        (
            arguments,
            "sweep [OPTIONS]",
            "Speed of the engine in closed boxes of all the sizes, lattices,"
            " precisions, layouts\nand collisions given: a row each of a"
            " table.",
            options
        )
    )
    {
        return;
    }

    o.choose();
    const headingLines heading = printHeading(o.device);
    csvFile csv(o.timing.csv, heading, engineRun::columns());

    const double copy = copyBandwidth(o.device);
    std::cout
        << "copy     " << fixed(1e-9*copy, 1) << " GB/s\n"
        << "each     " << o.timing.nRepetitions << " x " << o.timing.nSteps
        << " steps after " << o.timing.nWarmUp << "\n\n"
        << std::left << std::setw(16) << "box" << std::setw(44) << "models"
        << std::right;
    for (const column& c : columns)
    {
        std::cout << std::setw(c.width) << c.name;
    }
    std::cout << '\n';

    o.forAll
    (
        [&]
        (
            const lbm::engineSettings& s,
            const std::array<std::int64_t, 3>& size
        )
        {
            const engineRun run = runBox
            (
                s, size, o.timing, copy, o.law, o.drag, o.nScalars, o.buoyant
            );
            const bool model = run.hasModel();
            const std::string values[] =
            {
                fixed(run.glups.mean, 3),
                fixed(100*run.glups.spread, 1) + " %",
                fixed(100*run.fraction(), 1) + " %",
                fixed(run.memory, 1),
                model ? fixed(run.predictedGlups(), 3) : "",
                model ? fixed(100*run.difference(), 1) + " %" : ""
            };

            std::cout
                << std::left << std::setw(16) << run.name
                << std::setw(44) << run.models() << std::right;
            for (int i = 0; i < 6; ++i)
            {
                std::cout << std::setw(columns[i].width) << values[i];
            }
            std::cout << std::endl;
            csv.write(run.row());
        }
    );
}

} // End namespace lbmBench
