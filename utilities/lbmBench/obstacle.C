#include "boxOptions.H"
#include "closedBox.H"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>

namespace lbmBench
{

namespace
{

using clock = std::chrono::steady_clock;

double seconds(clock::time_point since)
{
    return std::chrono::duration<double>(clock::now() - since).count();
}


//- About so many nodes of a closed box around its middle, shifted along x
std::vector<std::int64_t> disc
(
    const std::array<std::int64_t, 3>& size,
    std::int64_t n,
    std::int64_t shift
)
{
    const bool flat = size[2] == 1;
    const double radius =
        flat ? std::sqrt(n/M_PI) : std::cbrt(0.75*n/M_PI);
    const std::array<std::int64_t, 3> centre
    {
        size[0]/2 + shift, size[1]/2, size[2]/2
    };
    std::array<std::int64_t, 3> first{0, 0, 0}, last{0, 0, 0};
    for (int a = 0; a < (flat ? 2 : 3); ++a)
    {
        const std::int64_t r = std::ceil(radius);
        first[a] = std::max<std::int64_t>(centre[a] - r, 2);
        last[a] = std::min(centre[a] + r, size[a] - 3);
    }
    std::vector<std::int64_t> result;
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
    {
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
        {
            for (std::int64_t i = first[0]; i <= last[0]; ++i)
            {
                const double x = i - centre[0], y = j - centre[1];
                const double z = k - centre[2];
                if (x*x + y*y + z*z <= radius*radius)
                {
                    result.push_back(i + size[0]*(j + size[1]*k));
                }
            }
        }
    }
    return result;
}


//- Nodes of the plane in the middle, every n-th in both directions where there
//  are more than a screen shows
std::vector<std::int64_t> plane(const std::array<std::int64_t, 3>& size)
{
    const std::int64_t stride = std::max<std::int64_t>
    ({
        1, (size[0] + 1919)/1920, (size[1] + 1079)/1080
    });
    std::vector<std::int64_t> result;
    for (std::int64_t j = 0; j < size[1]; j += stride)
    {
        for (std::int64_t i = 0; i < size[0]; i += stride)
        {
            result.push_back(i + size[0]*(j + size[1]*(size[2]/2)));
        }
    }
    return result;
}

} // End anonymous namespace


void obstacle(const words& arguments)
{
    boxOptions o;
    o.sizes = {"1024x512"};
    o.lattices = {"D2Q9"};
    std::int64_t nodes = 200;
    double rate = 30;
    po::options_description options("Options");
    o.add(options, false);
    options.add_options()
        ("nodes", po::value(&nodes), "nodes of an edit [200]")
        ("rate", po::value(&rate), "planes a second that are sampled [30]");

    if
    (
       !parseArguments
        (
            arguments,
            "obstacle [OPTIONS]",
            "In a closed box that runs: time to draw nodes and to erase them,"
            " speed of the\nsteps around it, and speed while a plane is"
            " sampled for a view.",
            options
        )
    )
    {
        return;
    }

    o.choose();
    printHeading(o.device);

    o.forAll
    (
        [&]
        (
            const lbm::engineSettings& s,
            const std::array<std::int64_t, 3>& size
        )
        {
            const auto e = lbm::engine::New(s, closedBox(s.lattice, size));
            startBox(*e);

            const auto speed = [&](const char* name)
            {
                const meanSpread glups = timeSteps(*e, o.timing);
                std::cout
                    << std::left << std::setw(28) << name << std::right
                    << fixed(glups.mean, 3) << " GLUPS, spread "
                    << fixed(100*glups.spread, 1) << " %\n" << std::flush;
                return glups.mean;
            };

            std::cout << "nodes    " << e->nFluid() << '\n';
            const double without = speed("steps without obstacle");

            // Each in another place, between steps
            constexpr int nEdits = 50;
            std::vector<double> drawing, erasing;
            for (int i = 0; i < nEdits; ++i)
            {
                const auto n = disc(size, nodes, i - nEdits/2);
                for (const bool draw : {true, false})
                {
                    e->step(64);
                    e->synchronise();
                    const auto start = clock::now();
                    draw
                      ? e->addObstacle(n.size(), n.data())
                      : e->removeObstacle(n.size(), n.data());
                    e->step(1);
                    e->synchronise();
                    (draw ? drawing : erasing).push_back(1e3*seconds(start));
                }
            }
            const auto edits = [&](const char* name, std::vector<double> t)
            {
                const double first = t[0];
                std::sort(t.begin(), t.end());
                std::cout
                    << std::left << std::setw(28) << name << std::right
                    << fixed(t[t.size()/2], 3) << " ms, longest "
                    << fixed(t.back(), 3) << " ms, first "
                    << fixed(first, 3) << " ms, " << disc(size, nodes, 0).size()
                    << " nodes and a step\n";
            };
            edits("draw", drawing);
            edits("erase", erasing);
            speed("steps after it");

            const auto n = disc(size, nodes, 0);
            e->addObstacle(n.size(), n.data());
            const double with = speed("steps with it");
            const auto large = disc(size, e->nFluid()/20, 0);
            const auto start = clock::now();
            e->addObstacle(large.size(), large.data());
            e->step(1);
            e->synchronise();
            std::cout
                << std::left << std::setw(28) << "draw a twentieth" << std::right
                << fixed(1e3*seconds(start), 1) << " ms, " << large.size()
                << " nodes and a step\n";
            speed("steps with it");
            e->removeObstacle(large.size(), large.data());

            // As a view does: never more than one on its way
            const auto shown = plane(size);
            const auto sampler = e->sampler(shown.size(), shown.data());
            std::int64_t nPlanes = 0;
            double sum = 0, perSecond = 0;
            const auto looking = [&](bool samples)
            {
                const auto begin = clock::now();
                double next = 0;
                std::int64_t nSteps = 0;
                nPlanes = 0;
                while (seconds(begin) < 3)
                {
                    // As many as take 2 ms
                    const auto look = clock::now();
                    while (seconds(look) < 2e-3)
                    {
                        e->step(32);
                        e->synchronise();
                        nSteps += 32;
                    }
                    if (samples && seconds(begin) >= next && sampler->ready())
                    {
                        if (nPlanes++ > 0)
                        {
                            sum += sampler->values()[0];
                        }
                        sampler->start();
                        next = nPlanes/rate;
                    }
                }
                const double t = seconds(begin);
                perSecond = nPlanes/t;
                return 1e-9*e->nFluid()*nSteps/t;
            };
            const double looked = looking(false);
            const double sampled = looking(true);
            std::cout
                << std::left << std::setw(28) << "steps with planes sampled"
                << std::right << fixed(sampled, 3) << " GLUPS, "
                << fixed(perSecond, 1) << " planes of " << shown.size()
                << " nodes a second\n"
                << "of the speed without         "
                << fixed(with/without, 3) << " with the obstacle, "
                << fixed(sampled/looked, 3) << " of that with planes"
                << (std::isfinite(sum) ? "\n" : ", not finite\n") << std::flush;
        }
    );
}

} // End namespace lbmBench
