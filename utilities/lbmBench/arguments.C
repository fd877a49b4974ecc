#include "arguments.H"

#include <algorithm>
#include <iostream>

namespace lbmBench
{

bool parseArguments
(
    const words& arguments,
    const std::string& usage,
    const std::string& description,
    const po::options_description& options,
    const std::string& argument
)
{
    po::options_description all;
    all.add(options).add_options()("help,h", "print this text");

    po::positional_options_description positions;
    if (!argument.empty())
    {
        positions.add(argument.c_str(), 1);
    }

    po::variables_map given;
    po::store
    (
        po::command_line_parser(arguments)
            .options(all).positional(positions).run(),
        given
    );

    if (given.count("help"))
    {
        std::cout
            << "Usage: lbmBench " << usage << "\n\n"
            << description << "\n\n" << options;
        return false;
    }

    po::notify(given);
    return true;
}


std::string alternatives(const words& names)
{
    std::string result;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        result += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ");
        result += names[i];
    }
    return result;
}


void checkNames
(
    const std::string& what,
    const words& names,
    const words& valid
)
{
    for (const std::string& name : names)
    {
        if (std::find(valid.begin(), valid.end(), name) == valid.end())
        {
            throw lbm::error
            (
                "unknown " + what + " '" + name + "', possible: "
              + alternatives(valid)
            );
        }
    }
}


void deviceOptions::add(po::options_description& options)
{
    words backends = lbm::engine::validNames("backend");
    backends.push_back("auto");

    options.add_options()
        (
            "backend",
            po::value(&backend),
            (alternatives(backends) + " [auto]").c_str()
        )
        ("device", po::value(&device), "number of the CUDA device [0]");
}


void deviceOptions::choose()
{
    if (backend == "auto")
    {
        std::string reason;
        backend = lbm::engine::defaultBackend(reason);
    }

    // Throws if it cannot run
    lbm::engine::deviceName(backend, device);
}

} // End namespace lbmBench
