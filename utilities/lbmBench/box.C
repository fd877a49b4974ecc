#include "boxOptions.H"

#include <iostream>

namespace lbmBench
{

void box(const words& arguments)
{
    boxOptions o;
    po::options_description options("Options");
    o.add(options, false);

    if
    (
       !parseArguments
        (
            arguments,
            "box [OPTIONS]",
            "Speed of the engine in closed boxes with a moving lid, beside"
            " the copy bandwidth\nmeasured in the same run.",
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
    std::cout << "copy     " << fixed(1e-9*copy, 1) << " GB/s\n";

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
                s, size, o.timing, copy, o.law, o.drag, o.nScalars, o.buoyant,
                o.rotating
            );
            std::cout << '\n';
            run.print();
            csv.write(run.row());
        }
    );
}

} // End namespace lbmBench
