#include "commands.H"

namespace lbmBench
{

const std::vector<command>& commands()
{
    static const std::vector<command> table
    {
        {"ceiling", "bandwidth of the device's memory", ceiling},
        {"box", "speed of the engine in a closed box", box}
    };
    return table;
}

} // End namespace lbmBench
