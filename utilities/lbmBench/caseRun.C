#include "boxOptions.H"

#include "fvCFD.H"
#include "buoyantHeat.H"
#include "caseChecks.H"
#include "cellForces.H"
#include "constantTransportModel.H"
#include "inputChecks.H"
#include "effectiveViscosity.H"
#include "evaluateProcessors.H"
#include "latticeFlow.H"
#include "latticeLaminarModel.H"
#include "latticeScalars.H"
#include "rotatingFrame.H"
#include "singlePhaseTransportModel.H"
#include "turbulentTransportModel.H"
#include "wallPolyPatch.H"

#include <iostream>

namespace lbmBench
{

namespace
{

//- What replaces the entries of LBM in system/fvSolution
struct caseOptions
{
    std::string directory;
    double spacing = std::nan("");
    std::string lattice, collision, precision, layout, storage, backend;
    int device = -1;
    std::int64_t forcesEvery = 0;

    //- Add the options to those of a command
    void add(po::options_description& options)
    {
        const auto names = [](const char* choice)
        {
            words valid = lbm::engine::validNames(choice);
            if (std::string(choice) != "precision")
            {
                valid.push_back("auto");
            }
            return alternatives(valid) + " [that of the case]";
        };

        options.add_options()
            ("case", po::value(&directory), "folder of an OpenFOAM case")
            (
                "spacing",
                po::value(&spacing),
                "spacing of the nodes [m], in place of latticeSpacing or"
                " refinement"
            )
            ("lattice", po::value(&lattice), names("lattice").c_str())
            (
                "precision",
                po::value(&precision),
                names("precision").c_str()
            )
            ("layout", po::value(&layout), names("layout").c_str())
            ("storage", po::value(&storage), names("storage").c_str())
            (
                "collision",
                po::value(&collision),
                names("collision").c_str()
            )
            ("backend", po::value(&backend), names("backend").c_str())
            (
                "device",
                po::value(&device),
                "number of the CUDA device [that of the case]"
            )
            (
                "forces-every",
                po::value(&forcesEvery),
                "time again, with the forces on all walls computed every so"
                " many steps [0, never]"
            );
    }

    void check() const
    {
        if (directory.empty())
        {
            throw lbm::error("no case is given: lbmBench case DIR");
        }
        if (!Foam::isFile(fileName(directory)/"system"/"controlDict"))
        {
            throw lbm::error
            (
                "'" + directory + "' is not an OpenFOAM case: it has no"
                " system/controlDict"
            );
        }
        if (!std::isnan(spacing) && !(spacing > 0))
        {
            throw lbm::error
            (
                "--spacing is " + std::to_string(spacing)
              + ", possible: above 0 m"
            );
        }
        if (forcesEvery < 0)
        {
            throw lbm::error
            (
                "--forces-every is " + std::to_string(forcesEvery)
              + ", possible: 0 (never) or more"
            );
        }
    }

    //- Write into LBM of the solution dictionary in memory; wrong words are
    //  refused where those of the user are
    void apply(const timingOptions& timing, fvMesh& mesh) const
    {
        dictionary& solution = const_cast<dictionary&>(mesh.solutionDict());
        if (!solution.found("LBM"))
        {
            solution.add("LBM", dictionary());
        }
        if (!solution.isDict("LBM"))
        {
            return;
        }
        dictionary& lbm = solution.subDict("LBM");

        const auto set = [&](const char* key, const std::string& value)
        {
            if (!value.empty())
            {
                lbm.set(key, word(value));
            }
        };
        set("lattice", lattice);
        set("precision", precision);
        set("layout", layout);
        set("storage", storage);
        set("collision", collision);
        set("backend", backend);
        if (device >= 0)
        {
            lbm.set("device", device);
        }
        if (!std::isnan(spacing))
        {
            lbm.remove("refinement");
            lbm.set("latticeSpacing", spacing);
        }
        if (timing.oneStream)
        {
            lbm.set("concurrentLinks", false);
        }
        if (timing.noGraph)
        {
            lbm.set("cudaGraph", false);
        }

        // Nothing is going to be written
        lbm.set("restartData", false);
        lbm.set("writeFlags", false);
    }
};


//- Link groups of walls, at rest or moving
std::vector<int> wallGroups(const latticeMapping& mapping)
{
    std::vector<int> result;
    for (int groupi = 0; groupi < mapping.groupPatches().size(); ++groupi)
    {
        const polyPatch& pp = mapping.groupPatch(groupi).patch().patch();
        if
        (
            isA<wallPolyPatch>(pp)
         && mapping.description().groups[groupi].type != "cyclic"
        )
        {
            result.push_back(groupi);
        }
    }
    return result;
}


//- The nearest box of so many nodes, as even as rows of whole lines of memory
//  allow
std::array<std::int64_t, 3> boxOf(std::int64_t nNodes, int nDimensions)
{
    const double edge = std::pow(double(nNodes), 1.0/nDimensions);
    const auto whole = [](double x)
    {
        return std::max<std::int64_t>(std::llround(x), 1);
    };

    std::array<std::int64_t, 3> size{1, 1, 1};
    size[0] = edge < 64 ? whole(edge) : 32*whole(edge/32);
    if (nDimensions == 3)
    {
        size[1] = whole(std::sqrt(double(nNodes)/size[0]));
        size[2] = whole(double(nNodes)/size[0]/size[1]);
    }
    else
    {
        size[1] = whole(double(nNodes)/size[0]);
    }
    return size;
}


//- Result of a run of a case, and with forces
struct caseResult
{
    engineRun run;
    headingLines heading;
    meanSpread withForces;
    std::size_t nWalls = 0;
};


//- Read a case as the solver does, and time its engine
caseResult runCase(const caseOptions& o, const timingOptions& timing)
{
    fileName directory(o.directory);
    directory.toAbsolute();
    directory.clean();

    // Dictionaries may ask for them
    setEnv("FOAM_CASE", directory, true);
    setEnv("FOAM_CASENAME", directory.name(), true);

    Time runTime
    (
        Time::controlDictName,
        directory.path(),
        directory.name(),
        word("system"),
        word("constant"),
        false
    );

    #include "createStaticMesh.H"

    o.apply(timing, mesh);
    caseChecks::checkModels(mesh);

    #include "createFields.H"
    #include "createScalars.H"

    latticeFlow lattice
    (
        U,
        p,
        phi,
        viscosity(),
        forces,
        heat.valid() ? &heat->pressureOffset() : nullptr,
        scalars,
        frame.valid() ? &frame() : nullptr
    );

    const lbm::engineSettings& s = lattice.engineSettings();
    deviceOptions device;
    device.backend = s.backend;
    device.device = s.device;

    caseResult result;
    result.heading = printHeading(device);
    const double copy = copyBandwidth(device);
    std::cout << "copy     " << fixed(1e-9*copy, 1) << " GB/s\n" << std::endl;

    // Before start(), which frees the lists of links
    result.run = prepareRun
    (
        directory.name(), s, lattice.mapping().description(), timing, copy
    );

    lattice.start();
    finishRun(result.run, lattice.engine(), timing);

    if (o.forcesEvery > 0)
    {
        const std::vector<int> groups = wallGroups(lattice.mapping());
        result.nWalls = groups.size();
        result.withForces = timeSteps
        (
            lattice.engine(),
            timing,
            o.forcesEvery,
            [&]()
            {
                for (const int groupi : groups)
                {
                    lattice.engine().groupLoad(groupi, {0, 0, 0});
                }
            }
        );
    }
    return result;
}

} // End anonymous namespace


void caseRun(const words& arguments)
{
    caseOptions o;
    timingOptions timing;
    po::options_description options("Options");
    o.add(options);
    timing.add(options);

    if
    (
       !parseArguments
        (
            arguments,
            "case DIR [OPTIONS]",
            "Speed of the engine on an OpenFOAM case, read as by lbmGpuFoam,"
            " and on an empty box\nof as many nodes and the same models. The"
            " case is stepped from its initial state\nand nothing is written.",
            options,
            "case"
        )
    )
    {
        return;
    }

    o.check();
    timing.check();

    words columns = engineRun::columns();
    columns.insert
    (
        columns.end(),
        {"forcesEvery", "GLUPSWithForces", "boxSize", "boxGLUPS", "ratioToBox"}
    );
    csvFile::check(timing.csv, columns);

    // The engine of the case is gone before that of the box is made
    const caseResult result = runCase(o, timing);
    const engineRun& run = result.run;

    csvFile csv(timing.csv, result.heading, columns);

    std::cout << '\n';
    run.print();
    if (o.forcesEvery > 0)
    {
        std::cout
            << "forces   " << fixed(result.withForces.mean, 3)
            << " GLUPS, spread " << fixed(100*result.withForces.spread, 1)
            << " %, with the forces on " << result.nWalls
            << " link groups of walls every " << o.forcesEvery << " steps\n";
    }
    std::cout << std::endl;

    lbm::engineSettings s = run.settings;
    s.relaxationTime = 0.6;
    timingOptions empty = timing;
    empty.model = false;
    const engineRun box = runBox
    (
        s,
        boxOf(run.nNodes, lbm::nDimensions(s.lattice)),
        empty,
        run.copy
    );
    box.print();

    const double ratio = run.glups.mean/box.glups.mean;
    std::cout
        << "\nratio    " << fixed(ratio, 3)
        << " of the speed of the empty box\n";

    words row = run.row();
    row.insert
    (
        row.end(),
        {
            std::to_string(o.forcesEvery),
            o.forcesEvery > 0 ? fixed(result.withForces.mean, 4) : "",
            box.name,
            fixed(box.glups.mean, 4),
            fixed(ratio, 4)
        }
    );
    csv.write(row);
}

} // End namespace lbmBench
