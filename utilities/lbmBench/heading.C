#include "heading.H"

#include <ctime>
#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

std::string commandLine;

std::string today()
{
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof(text), "%F %H:%M UTC", std::gmtime(&now));
    return text;
}

} // End anonymous namespace


void setCommandLine(int argc, const char* const argv[])
{
    commandLine = "lbmBench";
    for (int i = 1; i < argc; ++i)
    {
        commandLine += std::string(" ") + argv[i];
    }
}


std::vector<std::pair<std::string, std::string>> heading
(
    const deviceOptions& o
)
{
    return
    {
        {"device", lbm::engine::deviceName(o.backend, o.device)},
        {"date", today()},
        {"command", commandLine}
    };
}


void printHeading(const deviceOptions& o)
{
    for (const auto& line : heading(o))
    {
        std::cout
            << std::left << std::setw(9) << line.first << std::right
            << line.second << '\n';
    }
    std::cout << std::flush;
}

} // End namespace lbmBench
