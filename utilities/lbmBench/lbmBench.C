/*---------------------------------------------------------------------------*\
Application
    lbmBench

Description
    Measures the lattice Boltzmann engine and what limits it.

Usage
    lbmBench COMMAND [OPTIONS]

    lbmBench --help lists the commands, lbmBench COMMAND --help the options of
    one.
\*---------------------------------------------------------------------------*/

#include "heading.H"

#include <iomanip>
#include <iostream>

namespace
{

void printHelp()
{
    std::cout
        << "Usage: lbmBench COMMAND [OPTIONS]\n\n"
        << "Measures the lattice Boltzmann engine and what limits it.\n\n"
        << "Commands:\n";
    for (const lbmBench::command& c : lbmBench::commands())
    {
        std::cout
            << "  " << std::left << std::setw(10) << c.name << c.summary
            << '\n';
    }
    std::cout << "\nlbmBench COMMAND --help lists the options of a command.\n";
}


void run(const lbmBench::words& arguments)
{
    lbmBench::words names;
    for (const lbmBench::command& c : lbmBench::commands())
    {
        if (!arguments.empty() && arguments[0] == c.name)
        {
            c.run({arguments.begin() + 1, arguments.end()});
            return;
        }
        names.push_back(c.name);
    }

    if (arguments.empty())
    {
        throw lbm::error
        (
            "no command is given, possible: "
          + lbmBench::alternatives(names)
        );
    }
    lbmBench::checkNames("command", {arguments[0]}, names);
}

} // End anonymous namespace


int main(int argc, char* argv[])
{
    const lbmBench::words arguments(argv + 1, argv + argc);
    if
    (
        !arguments.empty()
     && (arguments[0] == "--help" || arguments[0] == "-h")
    )
    {
        printHelp();
        return 0;
    }

    try
    {
        lbmBench::setCommandLine(argc, argv);
        run(arguments);
    }
    catch (const std::exception& e)
    {
        std::cerr << "lbmBench: " << e.what() << '\n';
        return 1;
    }
    return 0;
}
