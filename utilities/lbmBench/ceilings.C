#include "ceilings.H"
#include "closedBox.H"
#include "engineRun.H"
#include "studyLibrary.H"

#include <cmath>
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
    // A quarter of a second or less on the host, a twentieth on a device
    const double total = device.host() ? 1e9 : 2e11;
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
    const lbm::arraysAccess& access,
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
            access,
            bytes,
            nPasses(device, bytes),
            nRepetitions
        )
    );
}


namespace
{

//- A box whose walls all rest, or all move
lbm::latticeDescription boxOfOneKind
(
    const std::string& lattice,
    const std::array<std::int64_t, 3>& size,
    bool moving
)
{
    auto d = closedBox(lattice, size);
    lbm::linkGroup& kept = d.groups[moving];
    const lbm::linkGroup& other = d.groups[!moving];
    kept.node.insert(kept.node.end(), other.node.begin(), other.node.end());
    kept.direction.insert
    (
        kept.direction.end(), other.direction.begin(), other.direction.end()
    );
    if (moving)
    {
        kept.face.assign(kept.size(), 0);
    }
    d.groups.erase(d.groups.begin() + !moving);
    return d;
}


//- Size of a box of about so many nodes with rows of a given length
std::array<std::int64_t, 3> boxSize
(
    const std::string& lattice,
    std::int64_t row,
    std::int64_t nNodes
)
{
    const std::int64_t nRows = std::max<std::int64_t>(nNodes/row, 16);
    if (lattice == "D2Q9")
    {
        return {row, nRows, 1};
    }
    const std::int64_t edge = std::sqrt(double(nRows));
    return {row, edge, edge};
}


//- A box of hardly any nodes
lbm::latticeDescription emptyBox(const std::string& lattice)
{
    return boxOfOneKind(lattice, boxSize(lattice, 32, 0), false);
}


//- Seconds of its step
double emptyStep(const lbm::engineSettings& s)
{
    const auto e = lbm::engine::New(s, emptyBox(s.lattice));
    timingOptions timing;
    timing.nWarmUp = 1000;
    timing.nSteps = 20000;
    timing.nRepetitions = 1;
    return 1e-9*e->nFluid()/timeSteps(*e, timing).mean;
}


//- Bytes per second of a step of a box that does not collide
double streamingBandwidth
(
    const lbm::engineSettings& s,
    const lbm::latticeDescription& box
)
{
    double bytes = 0;
    for (const lbm::kernelTraffic& k : lbm::trafficOf(s, box).kernels)
    {
        bytes += ofNodes(k) ? k.read + k.written : 0;
    }
    const double seconds = streamingTime(s, box);
    const double empty = streamingTime(s, emptyBox(s.lattice));
    return bytes/std::max(seconds - empty, 0.1*seconds);
}

} // End anonymous namespace


deviceLimits measuredLimits
(
    const deviceOptions& device,
    const lbm::engineSettings& s,
    const lbm::latticeDescription& lattice,
    const lbm::stepTraffic& traffic
)
{
    const auto& kernelTime = lbm::engine::kernelTime;
    deviceLimits d;
    d.kernel = kernelTime(device.backend, device.device, s.graph);
    d.step = emptyStep(s);

    // Beyond what caches hold, size does not matter
    const std::int64_t most =
        std::min<std::int64_t>(bandwidthOptions().bytes(device), 1000000000);
    const std::int64_t bytes = std::min
    (
        lbm::engine::memoryNeeded(s, lattice).populations, most
    );
    const double inPasses = kernelTime(device.backend, device.device, true);
    const auto measured = [&](lbm::memoryAccess access, double moved)
    {
        return withoutKernel
        (
            measuredBandwidth(device, access, bytes, 3).mean, moved, inPasses
        );
    };
    d.update = measured(lbm::memoryAccess::update, 2.0*bytes);
    d.read = measured(lbm::memoryAccess::read, bytes);
    d.write = measured(lbm::memoryAccess::write, bytes);

    const int nArrays = lbm::directions(s.lattice).size();
    const int size = lbm::engine::bytesPerPopulation(s.precision);
    if (device.host())
    {
        const lbm::arraysAccess access{nArrays, size, traffic.pieceBytes};
        d.streaming = withoutKernel
        (
            measuredArrays(device, access, bytes, 3).mean, 2.0*bytes, inPasses
        );
        return d;
    }

    const std::int64_t nNodes = std::min<std::int64_t>
    (
        std::count(lattice.fluid.begin(), lattice.fluid.end(), 1),
        most/(nArrays*size)
    );
    d.streaming = streamingBandwidth
    (
        s,
        boxOfOneKind
        (
            s.lattice,
            boxSize
            (
                s.lattice, std::max<std::int64_t>(lattice.size[0], 32), nNodes
            ),
            false
        )
    );

    for (const lbm::kernelTraffic& k : traffic.kernels)
    {
        if (ofNodes(k) && !d.nodes.count(k.perThread))
        {
            d.nodes[k.perThread] = nodeRateOf(s, k.perThread > 1);
        }
        if (k.withTerms > 0 && d.withTerms == 0)
        {
            // Short rows: a wall in each line
            d.withTerms = streamingBandwidth
            (
                s, boxOfOneKind(s.lattice, boxSize(s.lattice, 64, nNodes), true)
            );
        }
    }
    return d;
}

} // End namespace lbmBench
