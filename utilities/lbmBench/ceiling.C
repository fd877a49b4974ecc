#include "heading.H"

#include <iomanip>
#include <iostream>

namespace lbmBench
{

void ceiling(const words& arguments)
{
    deviceOptions device;
    std::int64_t megabytes = 0;

    po::options_description options("Options");
    device.add(options);
    options.add_options()
        ("megabytes", po::value(&megabytes), "size of the array copied");

    if
    (
       !parseArguments
        (
            arguments,
            "ceiling [OPTIONS]",
            "Copy bandwidth of the device.",
            options
        )
    )
    {
        return;
    }

    device.choose();
    printHeading(device);

    if (megabytes == 0)
    {
        megabytes = device.host() ? 512 : 4096;
    }
    const double copy = lbm::engine::copyBandwidth
    (
        device.backend, device.device, megabytes << 20, device.host() ? 10 : 100
    );
    std::cout
        << std::fixed << std::setprecision(1)
        << "copy     " << 1e-9*copy << " GB/s\n";
}

} // End namespace lbmBench
