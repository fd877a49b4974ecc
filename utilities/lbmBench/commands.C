#include "commands.H"

namespace lbmBench
{

const std::vector<command>& commands()
{
    static const std::vector<command> all
    {
        {"ceiling", "bandwidth of the device's memory", ceiling},
        {"box", "speed of the engine in closed boxes", box},
        {"sweep", "the same for many boxes and models, as a table", sweep},
        {"table", "all that the documentation gives, as a table", table},
        {"case", "speed of the engine on an OpenFOAM case", caseRun},
        {"obstacle", "cost of drawing into a running flow and looking at it", obstacle},
        {"vortices", "accuracy of collisions in decaying vortices", vortices},
        {"study", "variants against each other: layouts, schemes, ...", runStudy}
    };
    return all;
}

} // End namespace lbmBench
