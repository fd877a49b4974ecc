#include "boxOptions.H"
#include "periodicCube.H"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

//- Taylor-Green vortices in a cube of n^3 nodes, with speeds up to U,
//
//      u = U (sin x cos y cos z, -cos x sin y cos z, 0)
//      p = U^2/16 (cos 2x + cos 2y)(cos 2z + 2)
void start(lbm::engine& e, std::int64_t n, double U)
{
    const double k = 2*M_PI/n;
    std::vector<double> rho(n*n), u(3*n*n), S(6*n*n);
    for (std::int64_t plane = 0; plane < n; ++plane)
    {
        const double z = k*(plane + 0.5);
        for (std::int64_t i = 0; i < n*n; ++i)
        {
            const double x = k*(i % n + 0.5), y = k*(i/n + 0.5);
            rho[i] =
                3*U*U/16*(std::cos(2*x) + std::cos(2*y))*(std::cos(2*z) + 2);
            u[3*i] = U*std::sin(x)*std::cos(y)*std::cos(z);
            u[3*i + 1] = -U*std::cos(x)*std::sin(y)*std::cos(z);
            u[3*i + 2] = 0;
            S[6*i] = k*U*std::cos(x)*std::cos(y)*std::cos(z);
            S[6*i + 1] = -S[6*i];
            S[6*i + 2] = S[6*i + 3] = 0;
            S[6*i + 4] = -0.5*k*U*std::sin(x)*std::cos(y)*std::sin(z);
            S[6*i + 5] = 0.5*k*U*std::cos(x)*std::sin(y)*std::sin(z);
        }
        e.initialise(plane*n*n, n*n, rho.data(), u.data(), S.data());
    }
}


//- Mean kinetic energy of a unit of mass
double energy(lbm::engine& e)
{
    double sum = 0;
    e.macroscopic
    (
        0,
        e.nFluid(),
        [&](std::int64_t, std::int64_t count, const double*, const double* u)
        {
            for (std::int64_t i = 0; i < 3*count; ++i)
            {
                sum += u[i]*u[i];
            }
        }
    );
    return 0.5*sum/e.nFluid();
}


//- What a run gave, in units of the length of a vortex over 2 pi and its speed
struct decay
{
    //- Energy after each interval, as far as it is finite
    std::vector<double> energies;

    static constexpr double interval = 0.1;

    bool reaches(double time) const
    {
        return
                static_cast<std::int64_t>(energies.size())
              > std::lround(time/interval);
    }

    double at(double time) const
    {
        return energies[std::lround(time/interval)];
    }

    //- Time of the largest dissipation rate, and that rate
    std::pair<double, double> peak() const
    {
        std::pair<double, double> result{0, 0};
        for (std::size_t i = 1; i + 1 < energies.size(); ++i)
        {
            const double rate =
                (energies[i - 1] - energies[i + 1])/(2*interval);
            if (rate > result.second)
            {
                result = {i*interval, rate};
            }
        }
        return result;
    }
};


decay run
(
    lbm::engineSettings s,
    std::int64_t n,
    double Reynolds,
    double mach,
    double end
)
{
    const double U = mach/std::sqrt(3.0), length = n/(2*M_PI);
    s.relaxationTime = 0.5 + 3*U*length/Reynolds;

    const auto e = lbm::engine::New(s, periodicCube(s.lattice, n));
    start(*e, n, U);

    decay result;
    std::int64_t nSteps = 0;
    for (int i = 0; i <= std::lround(end/decay::interval); ++i)
    {
        const std::int64_t until =
            std::llround(i*decay::interval*length/U);
        e->step(until - nSteps);
        nSteps = until;

        const double E = energy(*e)/(U*U);
        if (!(E < 1))
        {
            break;
        }
        result.energies.push_back(E);
    }
    return result;
}

} // End anonymous namespace


void vortices(const words& arguments)
{
    std::vector<std::int64_t> sizes{64};
    words lattices{"D3Q19", "D3Q27"};
    words collisions{lbm::engine::validNames("collision")};
    words precisions{"single"};
    std::string csvName;
    double Reynolds = 1600, mach = 0.1;
    deviceOptions device;

    po::options_description options("Options");
    options.add_options()
        (
            "size,n",
            po::value(&sizes)->multitoken(),
            "nodes along an edge of the cube [64]"
        )
        (
            "lattice",
            po::value(&lattices)->multitoken(),
            "one or more of three dimensions [D3Q19 D3Q27]"
        )
        ("collision", po::value(&collisions)->multitoken(), "one or more [all]")
        (
            "precision",
            po::value(&precisions)->multitoken(),
            "one or more of half, single and double [single]"
        )
        (
            "Reynolds",
            po::value(&Reynolds),
            "of the largest speed and the cube's edge over 2 pi [1600]"
        )
        ("mach", po::value(&mach), "of the largest speed [0.1]")
        ("csv", po::value(&csvName), "append the table to a file");
    device.add(options);

    if
    (
       !parseArguments
        (
            arguments,
            "vortices [OPTIONS]",
            "Decay of Taylor-Green vortices into turbulence: what a collision"
            " does to scales that\nthe lattice hardly resolves. Kinetic energy"
            " after 9 units of time, largest dissipation\nrate and its time, in"
            " units of the largest speed and the edge over 2 pi.",
            options
        )
    )
    {
        return;
    }

    checkNames("lattice", lattices, {"D3Q19", "D3Q27"});
    checkNames
    (
        "collision", collisions, lbm::engine::validNames("collision")
    );
    checkNames
    (
        "precision", precisions, lbm::engine::validNames("precision")
    );
    for (const std::string& lattice : lattices)
    {
        const words valid = lbm::collisionsOn(lattice);
        const auto exists = [&](const std::string& collision)
        {
            return
                std::find(valid.begin(), valid.end(), collision) != valid.end();
        };
        if (std::none_of(collisions.begin(), collisions.end(), exists))
        {
            checkNames("collision of " + lattice, collisions, valid);
        }
    }
    if (!(Reynolds > 0 && mach > 0 && mach < 0.5))
    {
        throw lbm::error("--Reynolds is above 0, --mach between 0 and 0.5");
    }
    if (*std::min_element(sizes.begin(), sizes.end()) < 4)
    {
        throw lbm::error("--size is 4 or more");
    }
    device.choose();
    const headingLines heading = printHeading(device);
    csvFile csv
    (
        csvName,
        heading,
        {
            "size", "lattice", "collision", "precision", "Reynolds", "mach",
            "energy", "peak", "time", "diverged"
        }
    );

    std::cout
        << '\n' << std::left << std::setw(8) << "size" << std::setw(8)
        << "lattice" << std::setw(22) << "collision" << std::setw(10)
        << "precision" << std::setw(10) << "energy" << std::setw(12)
        << "peak" << "its time" << std::endl;

    for (const std::int64_t n : sizes)
    for (const std::string& lattice : lattices)
    for (const std::string& precision : precisions)
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        if
        (
            std::find(collisions.begin(), collisions.end(), collision)
         == collisions.end()
        )
        {
            continue;
        }

        lbm::engineSettings s;
        s.lattice = lattice;
        s.collision = collision;
        s.precision = precision;
        s.backend = device.backend;
        s.device = device.device;

        constexpr double time = 9, end = 11;
        const decay d = run(s, n, Reynolds, mach, end);
        const bool whole = d.reaches(end);
        const auto peak = d.peak();
        const std::string E = whole ? fixed(d.at(time), 5) : "";
        const std::string rate = whole ? fixed(peak.second, 5) : "";
        const std::string when = whole ? fixed(peak.first, 1) : "";
        const std::string diverged =
            whole ? "" : fixed(d.energies.size()*decay::interval, 1);

        std::cout
            << std::left << std::setw(8) << n << std::setw(8) << lattice
            << std::setw(22) << collision << std::setw(10) << precision;
        if (whole)
        {
            std::cout
                << std::setw(10) << E << std::setw(12) << rate << when;
        }
        else
        {
            std::cout << "diverges at " << diverged;
        }
        std::cout << std::endl;

        csv.write
        ({
            std::to_string(n), lattice, collision, precision,
            fixed(Reynolds, 0), fixed(mach, 3), E, rate, when, diverged
        });
    }
}

} // End namespace lbmBench
