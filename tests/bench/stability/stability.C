/*---------------------------------------------------------------------------*\
Description
    Growth rates of small disturbances at boundaries, in one table.
\*---------------------------------------------------------------------------*/

#include "cases.H"

#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

namespace po = boost::program_options;
using namespace lbmStability;
using words = std::vector<std::string>;

namespace
{

words select(const std::string& what, const words& given, const words& valid)
{
    for (const std::string& name : given)
    {
        if (std::find(valid.begin(), valid.end(), name) == valid.end())
        {
            std::string text;
            for (const std::string& v : valid)
            {
                text += (text.empty() ? "" : ", ") + v;
            }
            throw lbm::error
            (
                "--" + what + " " + name + ": possible are " + text
            );
        }
    }
    return given.empty() ? valid : given;
}

bool in(const words& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string number(const char* format, double x)
{
    char text[64];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

//- The largest of the rates of a case
struct cell
{
    point worst;
    int nPoints = 0, nSkipped = 0, nUncertain = 0;
    std::string reason;

    //- Is it open whether something grows
    static bool uncertain(const growth& g, double threshold)
    {
        return g.rate > threshold && !g.grows(threshold);
    }

    void add(const point& p, double threshold)
    {
        ++nPoints;
        if (!p.skipped.empty())
        {
            ++nSkipped;
            reason = p.skipped;
            return;
        }
        nUncertain += uncertain(p.rate, threshold);
        if
        (
            nPoints - nSkipped == 1
         || p.rate.rate - p.sound > worst.rate.rate - worst.sound
        )
        {
            worst = p;
        }
    }

    std::string text(double threshold) const
    {
        if (nPoints == nSkipped)
        {
            return reason;
        }
        const double r = worst.rate.rate;
        std::string result =
            std::isinf(r) && r > 0 ? "diverges"
          : std::abs(r) < threshold ? "0"
          : number("%.1e", r);
        if (r > threshold && worst.sound > 0 && !worst.grows(threshold))
        {
            result += " sound";
        }
        else if (uncertain(worst.rate, threshold))
        {
            result += " ?";
        }
        else if (worst.grows(threshold))
        {
            result =
                "**" + result + "** (" + number("%g", worst.tau)
              + (worst.speed > 0 ? ", " + number("%g", worst.speed) : "")
              + (worst.at.empty() ? "" : ", " + worst.at) + ")";
        }
        if (nSkipped)
        {
            result +=
                " [" + std::to_string(nSkipped) + " of "
              + std::to_string(nPoints) + ": " + reason + "]";
        }
        return result;
    }
};

} // End anonymous namespace


int main(int argc, char* argv[])
try
{
    words lattice, kind, collision, angle, where;
    std::vector<double> tau, speed;
    std::string csvName;
    growthOptions options;
    bool quick = false;

    po::options_description description("Options");
    description.add_options()
        ("help,h", "print this text")
        (
            "lattice",
            po::value(&lattice)->composing(),
            "D2Q9, D3Q19, D3Q27 [D2Q9]"
        )
        (
            "kind",
            po::value(&kind)->composing(),
            "only arrangements with this kind of boundary [all]"
        )
        ("collision", po::value(&collision)->composing(), "[all]")
        ("angle", po::value(&angle)->composing(), "0, 3, 27, 45 [all]")
        (
            "distance",
            po::value(&where)->composing(),
            "half-way, near, far [all]"
        )
        (
            "tau",
            po::value(&tau)->composing(),
            "relaxation times [0.501 0.505 0.51 0.55 0.8 2]"
        )
        (
            "speed",
            po::value(&speed)->composing(),
            "of the base flows that are not at rest [0.05 0.1]"
        )
        (
            "threshold",
            po::value(&options.threshold),
            "rate, a step, beyond which a disturbance grows [1e-5]"
        )
        ("csv", po::value(&csvName), "write all points to this file")
        (
            "odd-time",
            po::value(&options.largestOddTime)->default_value(1.5, "1.5"),
            "largest tau- of TRT where the fluid passes the boundary or slips,"
            " as in lbmGpuFoam"
        )
        ("quick", po::bool_switch(&quick), "fewer relaxation times, one speed");

    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, description), given);
    if (given.count("help"))
    {
        std::cout
            << "Usage: stability [OPTIONS]\n\n"
            << "Growth rates of small disturbances of uniform flows in small"
            << " regions, for every\nkind of boundary. Options may be given"
            << " several times.\n\n" << description;
        return 0;
    }
    po::notify(given);

    if (lattice.empty())
    {
        lattice = {"D2Q9"};
    }
    lattice = select("lattice", lattice, lbm::engine::validNames("lattice"));
    words names;
    for (const boundaryKind& k : boundaryKinds())
    {
        names.push_back(k.name);
    }
    kind = select("kind", kind, names);
    collision =
        select("collision", collision, lbm::engine::validNames("collision"));
    names.clear();
    for (const inclination& i : inclinations("D2Q9"))
    {
        names.push_back(i.name);
    }
    angle = select("angle", angle, names);
    names.clear();
    for (const auto& w : distances())
    {
        names.push_back(w.name);
    }
    where = select("distance", where, names);
    if (tau.empty())
    {
        tau = quick
          ? std::vector<double>{0.501, 0.55, 2}
          : std::vector<double>{0.501, 0.505, 0.51, 0.55, 0.8, 2};
    }
    if (speed.empty())
    {
        speed = {0.1};
        if (!quick)
        {
            speed.insert(speed.begin(), 0.05);
        }
    }

    for (const double t : tau)
    {
        if (!(t > 0.5))
        {
            throw lbm::error
            (
                "--tau " + number("%g", t) + ": possible are values above 1/2"
            );
        }
    }
    for (const double U : speed)
    {
        if (!(U > 0 && U < 1))
        {
            throw lbm::error
            (
                "--speed " + number("%g", U)
              + ": possible are values between 0 and 1"
            );
        }
    }

    std::ofstream csv;
    if (!csvName.empty())
    {
        csv.open(csvName);
        if (!csv)
        {
            throw lbm::error("--csv " + csvName + ": cannot be written");
        }
        csv << "lattice,collision,boundaries,angle,distance,flow,tau,speed,"
               "rate,uncertainty,sound,at,turn,staggered,linear,steps,"
               "baseSteps,baseChange,skipped\n";
    }

    // The order of the table
    std::cout << "| lattice | boundaries | angle | distance | flow |";
    for (const std::string& c : collision)
    {
        std::cout << ' ' << c << " |";
    }
    std::cout << "\n|---|---|---|---|---|";
    for (std::size_t i = 0; i < collision.size(); ++i)
    {
        std::cout << "---|";
    }
    std::cout << std::endl;

    const auto start = std::chrono::steady_clock::now();
    std::int64_t nPoints = 0, nSteps = 0;
    int nGrowing = 0, nUncertain = 0, nSkipped = 0;
    for (const std::string& l : lattice)
    for (const arrangement& a : arrangements())
    {
        const auto wanted = [&](const std::string& k) { return a.has(k); };
        if (!a.kinds.empty() && std::none_of(kind.begin(), kind.end(), wanted))
        {
            continue;
        }
        for (const inclination& i : inclinations(l))
        for (const auto& w : distances())
        {
            if
            (
                !in(angle, i.name) || !in(where, w.name)
             || (a.kinds.empty() && w.name != where[0])
            )
            {
                continue;
            }
            for (const direction& f : directionsOf(a, l))
            {
                stabilityCase c{l, "", a, i, w, f};
                if (!c.impossible().empty())
                {
                    continue;
                }
                smallRegion region = c.region();
                region.build(60);

                std::cout
                    << "| " << l << " | " << a.name() << " | " << i.name
                    << " | " << w.name << " | " << f.name << " |";
                for (const std::string& name : collision)
                {
                    if (!in(lbm::collisionsOn(l), name))
                    {
                        std::cout << " |";
                        continue;
                    }
                    c.collision = name;
                    cell result;
                    const bool rest = f.name == "rest";
                    for (const double U : rest ? std::vector<double>{0} : speed)
                    for (const double t : tau)
                    {
                        const point p = measure(c, region, t, U, options);
                        result.add(p, options.threshold);
                        ++nPoints;
                        nSteps += p.rate.steps + p.base.steps;
                        nGrowing += p.grows(options.threshold);
                        if (csv.is_open())
                        {
                            csv << l << ',' << name << ',' << a.name() << ','
                                << i.name << ',' << w.name << ',' << f.name
                                << ',' << t << ',' << U << ',' << p.rate.rate
                                << ',' << p.rate.uncertainty << ','
                                << p.sound << ',' << p.at << ','
                                << p.rate.turn << ','
                                << p.rate.staggered << ','
                                << p.rate.linear << ',' << p.rate.steps << ','
                                << p.base.steps << ',' << p.base.change << ','
                                << p.skipped << std::endl;
                        }
                    }
                    nUncertain += result.nUncertain;
                    nSkipped += result.nSkipped;
                    std::cout << ' ' << result.text(options.threshold) << " |";
                }
                std::cout << std::endl;
            }
        }
    }

    const std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    std::cerr
        << nPoints << " flows: something grows in " << nGrowing
        << ", may grow in " << nUncertain << "; " << nSkipped
        << " are skipped. " << nSteps << " steps, "
        << seconds.count() << " s" << std::endl;
    return 0;
}
catch (const std::exception& e)
{
    std::cerr << "stability: " << e.what() << std::endl;
    return 1;
}
