#include "carriedGaussian.H"
#include "hybridFlow.cuh"

#include <chrono>

namespace lbmBench
{

namespace
{

constexpr int q = lbm::D3Q19::q;
constexpr double flowBytes = 8*q;

//- Temperature read and written
constexpr double heatBytes = 8;

//- Populations of D3Q7, and its value, which is written
constexpr double D3Q7Bytes = 8*7 + 4;

template<class Collision, class Heat>
using singleFlow = hybridFlow<lbm::singlePrecision, Collision, Heat>;

//- Call f(step, name) for the ways to treat the temperature
template<class Function>
void forHeatSteps(const Function& f)
{
    f(heatStep<nineteenPoints>(), "19 points");
    f(heatStep<sevenPoints>(), "7 points");
    f(heatStep<latticePoints>(), "lattice points");
    f(heatStep<latticePoints, true>(), "lattice points, corrected in time");
}

//- Call f(collision, step, name) for the kernels that are timed
template<class Function>
void forKernels(const Function& f)
{
    f(lbm::MRT(), noHeat(), "flow alone, MRT");
    forHeatSteps([&](auto heat, const std::string& name)
    {
        f(lbm::MRT(), heat, name + ", MRT");
    });
    f(lbm::TRT(), noHeat(), "flow alone, TRT");
    f(lbm::TRT(), heatStep<nineteenPoints>(), "19 points, TRT");
}


// Checks

    //- Largest difference over the largest value
    double differenceOf
    (
        const std::vector<double>& values,
        const std::vector<double>& plain
    )
    {
        double largest = 0, difference = 0;
        for (std::size_t l = 0; l < values.size(); ++l)
        {
            const double d = std::abs(values[l] - plain[l]);
            difference = std::max(difference, std::isfinite(d) ? d : HUGE_VAL);
            largest = std::max(largest, std::abs(plain[l]));
        }
        return difference/largest;
    }

    //- Error of some steps from random populations and temperatures in a small
    //  cube against a plain loop; on a device, bits are those of the host
    template<class Collision, class Heat>
    double errorOf(const std::string& name, bool onHost)
    {
        const heatedCube cube{20, Heat::active ? 1e4 : 0, 0.1};
        std::mt19937 random(1);
        std::uniform_real_distribution<float> any(-1, 1);
        hybridState start;
        for (std::int64_t l = 0; l < q*cube.nNodes(); ++l)
        {
            start.h.push_back(1e-3f*any(random));
        }
        for (std::int64_t l = 0; l < cube.nNodes(); ++l)
        {
            start.T.push_back(0.5f*any(random));
        }
        const auto stepped = [&](bool host)
        {
            singleFlow<Collision, Heat> flow(cube, host);
            flow.set(start);
            flow.step(nCheckSteps);
            return flow.get();
        };
        const hybridState result = stepped(true);
        if (!onHost)
        {
            const hybridState there = stepped(false);
            const bool heatToo = Heat::active;
            if (there.h != result.h || (heatToo && there.T != result.T))
            {
                throw lbm::error
                (
                    "variant '" + name + "' has other bits on the device"
                );
            }
        }

        const hybridState plain =
            plainSteps<Collision, Heat>(cube, start, nCheckSteps);
        const double error = std::max
        (
            differenceOf(result.h, plain.h),
            Heat::active ? differenceOf(result.T, plain.T) : 0
        );
        if (!(error < 2e-6))
        {
            throw lbm::error
            (
                "variant '" + name + "' differs from the plain reference"
            );
        }
        return error;
    }

    std::string asText(double error)
    {
        std::ostringstream os;
        os.precision(1);
        os << std::scientific << error;
        return os.str();
    }

    //- Conduction, from a fluid of the mean temperature, has the Nusselt number 1:
    //  to rounding in the plain loop, and here to what single precision makes of
    //  small changes
    void checkConduction(studyResults& results)
    {
        const heatedCube cube{8, 0, 0.3};
        const int nSteps = std::lround(cube.n*cube.n/cube.diffusivity());
        const hybridState start
        {
            std::vector<double>(q*cube.nNodes(), 0),
            std::vector<double>(cube.nNodes(), 0)
        };
        double plain = 0, single = 0;
        const auto take = [&](double& error, const std::vector<double>& T)
        {
            error = std::max(error, std::abs(nusseltOfWall(T, cube) - 1));
        };
        forHeatSteps([&](auto heat, const std::string&)
        {
            using Heat = decltype(heat);
            singleFlow<lbm::MRT, Heat> flow(cube, results.onHost);
            flow.set(start);
            flow.step(nSteps);
            take(single, flow.temperature());
            take(plain, plainSteps<lbm::MRT, Heat>(cube, start, nSteps).T);
        });
        if (!(plain < 1e-12 && single < 2e-5))
        {
            throw lbm::error("conduction in the cube has another Nusselt number");
        }
        results.note
        (
            "Conduction between the walls, 8 nodes: Nu within " + asText(single)
          + " of 1, in the plain loop " + asText(plain)
        );
    }


// Speed

    struct speedPart
    {
        studyResults& results;
        std::string name;

        //- Random numbers spread in it. The step is short, so that no scheme comes
        //  to its limits
        heatedCube cube;

        studyRow row
        (
            const std::string& variant,
            double seconds,
            double bytes
        ) const
        {
            studyRow r;
            r.part = name;
            r.variant = variant;
            r.value = 1e-9*cube.nNodes()*results.nSteps/seconds;
            r.bytes = bytes;
            r.ofCopy = 1e9*r.value*bytes/results.copyBandwidth;
            return r;
        }

        template<class Collision, class Heat>
        void add(const std::string& variant) const
        {
            const double error = errorOf<Collision, Heat>(variant, false);
            singleFlow<Collision, Heat> flow(cube, false);
            flow.scatter();
            flow.step(results.nSteps/10 + 1);
            const double seconds =
                secondsOf([&]() { flow.step(results.nSteps); });
            checkAlive(flow, variant);

            studyRow r = row
            (
                variant, seconds, flowBytes + (Heat::active ? heatBytes : 0)
            );
            const kernelUse use = flow.use();
            r.registers = use.registers;
            r.localBytes = use.localBytes;
            r.occupancy = use.occupancy;
            r.check = asText(error);
            results.add(r);
        }

        void addD3Q7(const std::string& collision) const
        {
            const std::string variant = "D3Q7, the engine, " + collision;
            const auto flow =
                newD3Q7Flow(cube, collision, "cuda", results.device, true);
            const auto secondsOfSteps = [&](int n)
            {
                const auto start = std::chrono::steady_clock::now();
                flow->step(n);
                flow->synchronise();
                const auto end = std::chrono::steady_clock::now();
                return std::chrono::duration<double>(end - start).count();
            };
            secondsOfSteps(results.nSteps/10 + 1);
            const double seconds = secondsOfSteps(results.nSteps);
            checkAlive(*flow, variant);
            results.add(row(variant, seconds, flowBytes + D3Q7Bytes));
        }

        static void checkAlive(heatedFlow& flow, const std::string& variant)
        {
            for (const double T : flow.temperature())
            {
                if (!(std::abs(T) < 1))
                {
                    throw lbm::error("the flow of '" + variant + "' diverged");
                }
            }
        }
    };

    void addSpeed(studyResults& results, int edge)
    {
        const speedPart part
        {
            results, "box" + std::to_string(edge), {edge, 1e4, 1e-3}
        };
        results.addPart
        (
            {
                part.name,
                "Heated cube, " + std::to_string(edge) + "^3, D3Q19 single", "",
                "GLUPS"
            }
        );
        forKernels([&](auto collision, auto heat, const std::string& name)
        {
            part.add<decltype(collision), decltype(heat)>(name);
        });
        part.addD3Q7("MRT");
        part.addD3Q7("TRT");
    }


// Accuracy

    constexpr const char* ofEngine = "D3Q7, the engine";

    void addFigure
    (
        studyResults& results,
        const std::string& part,
        const std::string& variant,
        double x,
        double value
    )
    {
        studyRow r;
        r.part = part;
        r.variant = variant;
        r.x = x;
        r.value = value;
        results.add(r);
    }

    //- Error of the steady Nusselt number of the hot wall, and of the mean of all
    //  planes
    void addCube
    (
        studyResults& results,
        const std::string& part,
        double x,
        const heatedCube& cube
    )
    {
        const auto add = [&](const std::string& variant, heatedFlow& flow)
        {
            const heatTransfer heat = steadyHeatTransfer(flow, cube);
            const auto percent = [&](double nusselt)
            {
                return 100*std::abs(nusselt/cube.referenceNusselt() - 1);
            };
            addFigure(results, part, variant, x, percent(heat.wall));
            addFigure(results, part + "Mean", variant, x, percent(heat.mean));
        };
        forHeatSteps([&](auto heat, const std::string& name)
        {
            singleFlow<lbm::MRT, decltype(heat)> flow(cube, results.onHost);
            add(name, flow);
        });
        const std::string backend = results.onHost ? "host" : "cuda";
        add(ofEngine, *newD3Q7Flow(cube, "MRT", backend, results.device));
    }

    void addCubeParts
    (
        studyResults& results,
        const std::string& part,
        const std::string& title,
        const std::string& xName
    )
    {
        const std::string error = title + ": error of the Nusselt number of ";
        results.addPart({part, error + "the hot wall", xName, "%"});
        results.addPart({part + "Mean", error + "all planes", xName, "%"});
    }

    void addCubes(studyResults& results)
    {
        const double Ra = 1e4, Mach = 0.1;
        addCubeParts
        (
            results, "edge",
            "Heated cube, Ra 1e4, MRT single, Mach number 0.1",
            "nodes along an edge"
        );
        for
        (
            const int n
          : results.onHost ? std::vector{8, 12} : std::vector{16, 32, 64}
        )
        {
            addCube(results, "edge", n, {n, Ra, Mach});
        }
        if (results.onHost)
        {
            return;
        }

        addCubeParts
        (
            results, "Mach", "The same with 32 nodes", "Mach number"
        );
        for (const double Ma : {0.1, 0.2, 0.3})
        {
            addCube(results, "Mach", Ma, {32, Ra, Ma});
        }

        addCubeParts
        (
            results, "Rayleigh",
            "Heated cube, 64 nodes, MRT single, Mach number 0.1",
            "Rayleigh number"
        );
        for (const double R : {1e5, 1e6})
        {
            addCube(results, "Rayleigh", R, {64, R, Mach});
        }
    }

    void addGaussians(studyResults& results)
    {
        results.addPart
        (
            {
                "gaussian",
                "Gaussian that is carried and spreads, diffusivity 0.05, velocity"
                " 0.04 at 12 nodes and as 1/n, double: error in the L2 norm",
                "nodes along an edge", "%"
            }
        );
        for
        (
            const int n
          : results.onHost ? std::vector{12, 24} : std::vector{12, 24, 36}
        )
        {
            const carriedGaussian g{n, 0.04*12/n, 0.05};
            forHeatSteps([&](auto heat, const std::string& name)
            {
                addFigure
                (
                    results, "gaussian", name, n,
                    100*g.error<decltype(heat)>()
                );
            });
            addFigure(results, "gaussian", ofEngine, n, 100*g.errorOfD3Q7());
        }
    }

} // End anonymous namespace


void hybrid(studyResults& results)
{
    // They need engines of the host: before the device works for nothing
    checkConduction(results);
    addGaussians(results);

    if (results.onHost)
    {
        double largest = 0;
        forKernels([&](auto collision, auto heat, const std::string& name)
        {
            const double error =
                errorOf<decltype(collision), decltype(heat)>(name, true);
            largest = std::max(largest, error);
        });
        results.note
        (
            "All kernels within " + asText(largest) + " of the plain loop"
        );
    }
    else
    {
        addSpeed(results, 256);
        addSpeed(results, 512);
    }
    addCubes(results);
}

} // End namespace lbmBench
