#include "heading.H"
#include "studyLibrary.H"

#include <fstream>
#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

std::string listOfStudies()
{
    std::string text = "Studies:";
    for (const study& s : studies())
    {
        text +=
            "\n  " + std::to_string(s.number) + "  " + s.name
          + std::string(s.name.size() < 13 ? 13 - s.name.size() : 1, ' ')
          + s.question;
    }
    return text;
}

} // End anonymous namespace


void runStudy(const words& arguments)
{
    std::string name, csv;
    deviceOptions device;
    device.backend = "cuda";
    int nSteps = 200;

    po::options_description options("Options");
    options.add_options()
        ("study", po::value(&name), "number or name of a study")
        (
            "backend",
            po::value(&device.backend),
            "cuda, or host for a study with a part that needs no device: small"
            " boxes, and nothing timed [cuda]"
        )
        ("device", po::value(&device.device), "number of the CUDA device [0]")
        ("steps", po::value(&nSteps), "steps to measure, 200 or more [200]")
        ("csv", po::value(&csv), "write the figures to a file as well");

    if
    (
       !parseArguments
        (
            arguments,
            "study NAME [OPTIONS]",
            "Measures variants that the engine does not use against those that"
            " it does.",
            options,
            "study"
        )
    )
    {
        return;
    }

    const study* chosen = nullptr;
    for (const study& s : studies())
    {
        if (name == s.name || name == std::to_string(s.number))
        {
            chosen = &s;
        }
    }
    if (!chosen)
    {
        throw lbm::error
        (
            (name.empty() ? "no study is given" : "unknown study '" + name + "'")
          + ". " + listOfStudies()
        );
    }
    if (nSteps < 200)
    {
        throw lbm::error
        (
            "--steps is " + std::to_string(nSteps) + ", possible: 200 or more"
        );
    }

    checkNames("backend", {device.backend}, {"cuda", "host"});
    if (device.host() && !chosen->onHost)
    {
        throw lbm::error("the study '" + chosen->name + "' needs a device");
    }

    // Before the device works for nothing
    std::ofstream os;
    if (!csv.empty())
    {
        os.open(csv);
        if (!os)
        {
            throw lbm::error("cannot write " + csv);
        }
    }

    device.choose();
    const headingLines lines = printHeading(device);

    studyResults results;
    results.device = device.device;
    results.onHost = device.host();
    results.nSteps = nSteps;
    std::cout << "study    " << chosen->question << std::endl;

    chosen->run(results);
    if (!results.onHost)
    {
        std::cout
            << std::fixed << std::setprecision(1)
            << "copy     " << 1e-9*results.copyBandwidth << " GB/s\n";
    }
    results.print(std::cout);

    if (!csv.empty())
    {
        std::vector<std::string> what;
        for (const auto& line : lines)
        {
            what.push_back(line.first + " " + line.second);
        }
        if (!results.onHost)
        {
            what.push_back
            (
                "copy " + std::to_string(1e-9*results.copyBandwidth) + " GB/s"
            );
        }
        results.writeCsv(os, what);
        os.flush();
        if (!os)
        {
            throw lbm::error("cannot write " + csv);
        }
    }
}

} // End namespace lbmBench
