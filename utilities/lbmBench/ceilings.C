#include "ceilings.H"

#include <numeric>

namespace lbmBench
{

meanSpread meanOf(const std::vector<double>& values)
{
    const auto ends = std::minmax_element(values.begin(), values.end());
    meanSpread result;
    result.mean =
        std::accumulate(values.begin(), values.end(), 0.0)/values.size();
    result.spread = (*ends.second - *ends.first)/result.mean;
    return result;
}


void bandwidthOptions::add(po::options_description& options)
{
    options.add_options()
        (
            "megabytes",
            po::value(&megabytes),
            "memory to go through, 1e6 bytes [8000, host 500; at most half of"
            " what is free]"
        );
}


void bandwidthOptions::check() const
{
    if (megabytes < 0)
    {
        throw lbm::error
        (
            "--megabytes is " + std::to_string(megabytes)
          + ", possible: 1 or more"
        );
    }
}


std::int64_t bandwidthOptions::bytes(const deviceOptions& device) const
{
    if (megabytes > 0)
    {
        return 1000000*megabytes;
    }
    const std::int64_t most = device.host() ? 500000000 : 8000000000;
    return std::min
    (
        most, lbm::engine::memoryFree(device.backend, device.device)/2
    );
}


int nPasses(const deviceOptions& device, std::int64_t bytes)
{
    // A quarter of a second or less
    const double total = device.host() ? 1e9 : 1e12;
    return std::min(std::max(total/bytes, 1.0), 2000.0);
}


meanSpread measuredBandwidth
(
    const deviceOptions& device,
    lbm::memoryAccess access,
    std::int64_t bytes,
    int nRepetitions
)
{
    return meanOf
    (
        lbm::engine::bandwidth
        (
            device.backend,
            device.device,
            access,
            bytes,
            nPasses(device, bytes),
            nRepetitions
        )
    );
}


meanSpread measuredArrays
(
    const deviceOptions& device,
    int nArrays,
    int wordBytes,
    std::int64_t bytes,
    int nRepetitions
)
{
    return meanOf
    (
        lbm::engine::arraysBandwidth
        (
            device.backend,
            device.device,
            nArrays,
            wordBytes,
            bytes,
            nPasses(device, bytes),
            nRepetitions
        )
    );
}


deviceLimits measuredLimits
(
    const deviceOptions& device,
    const lbm::engineSettings& s,
    std::int64_t bytes
)
{
    const auto& kernelTime = lbm::engine::kernelTime;
    deviceLimits d;
    d.kernel = kernelTime(device.backend, device.device, s.graph);

    // Beyond what caches hold, size does not matter
    bytes = std::min(bytes, bandwidthOptions().bytes(device));
    const double inPasses = kernelTime(device.backend, device.device, true);
    const auto measured = [&](lbm::memoryAccess access, double moved)
    {
        return withoutKernel
        (
            measuredBandwidth(device, access, bytes, 3).mean, moved, inPasses
        );
    };
    const meanSpread arrays = measuredArrays
    (
        device,
        lbm::directions(s.lattice).size(),
        lbm::engine::bytesPerPopulation(s.precision),
        bytes,
        3
    );
    d.arrays = withoutKernel(arrays.mean, 2.0*bytes, inPasses);
    d.update = measured(lbm::memoryAccess::update, 2.0*bytes);
    d.read = measured(lbm::memoryAccess::read, bytes);
    d.write = measured(lbm::memoryAccess::write, bytes);
    return d;
}

} // End namespace lbmBench
