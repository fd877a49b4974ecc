#include "heading.H"
#include "buildCommit.H"

#include <cstdio>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <memory>

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

//- First line that a shell command prints; empty if it fails
std::string outputOf(const std::string& shellCommand)
{
    FILE* pipe = popen((shellCommand + " 2>/dev/null").c_str(), "r");
    char line[256] = "";
    if (!pipe)
    {
        return "";
    }
    const bool read = fgets(line, sizeof(line), pipe);
    if (pclose(pipe) != 0 || !read)
    {
        return "";
    }
    const std::string result(line);
    return result.substr(0, result.find('\n'));
}

//- Version of the driver, clocks of multiprocessors and memory, and the
//  highest of the multiprocessors; empty where nobody tells
words driverAndClocks(const deviceOptions& o)
{
    // At work for a moment: clocks rise with it
    lbm::engine::bandwidth
    (
        o.backend, o.device, lbm::memoryAccess::copy, 1 << 28, 1000, 5
    );

    const std::string line = outputOf
    (
        "nvidia-smi -i "
      + lbm::engine::deviceAddress(o.backend, o.device)
      + " --query-gpu=driver_version,clocks.sm,clocks.mem,clocks.max.sm"
        " --format=csv,noheader"
    );

    words result;
    for (std::size_t from = 0; from < line.size(); )
    {
        const std::size_t to = std::min(line.find(", ", from), line.size());
        result.push_back(line.substr(from, to - from));
        from = to + 2;
    }
    return result.size() == 4 ? result : words();
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


headingLines printHeading(const deviceOptions& o)
{
    std::string software = lbm::engine::deviceSoftware(o.backend, o.device);
    std::string clocks = "unknown";
    if (!o.host())
    {
        const words found = driverAndClocks(o);
        if (!found.empty())
        {
            software = "driver " + found[0] + ", " + software;
            clocks =
                found[1] + " of at most " + found[3] + ", memory " + found[2];
        }
    }

    const headingLines lines
    {
        {"device", lbm::engine::deviceName(o.backend, o.device)},
        {"software", software},
        {"clocks", clocks},
        {"date", today()},
        {"commit", buildCommit},
        {"command", commandLine}
    };

    for (const auto& line : lines)
    {
        if (line.second != "unknown" || line.first == "commit")
        {
            std::cout
                << std::left << std::setw(9) << line.first << std::right
                << line.second << '\n';
        }
    }
    std::cout << std::flush;
    return lines;
}

} // End namespace lbmBench
