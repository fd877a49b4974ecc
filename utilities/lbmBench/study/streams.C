#include "studyList.H"

#include "closedBox.H"
#include "engine.H"

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

namespace lbmBench
{

namespace
{

//- A closed box with a link group for each of its sides; what leaves through
//  an edge belongs to the side of the first axis, of the last in its place
lbm::latticeDescription boxOfSides
(
    const std::string& lattice,
    const std::array<std::int64_t, 3>& size
)
{
    lbm::latticeDescription d = closedBox(lattice, size);
    const auto c = lbm::directions(lattice);
    const int nSides = size[2] == 1 ? 4 : 6;
    std::vector<lbm::linkGroup> sides(nSides);

    for (const lbm::linkGroup& g : d.groups)
    {
        for (std::size_t l = 0; l < g.size(); ++l)
        {
            const std::int64_t n = g.node[l];
            const std::int64_t x[3] =
            {
                n % size[0], n/size[0] % size[1], n/size[0]/size[1]
            };
            // The side of the lid holds links of the lid only
            int side = -1;
            for (const int a : {1, 2, 0})
            {
                const std::int64_t to = x[a] + c[g.direction[l]][a];
                if (2*a < nSides && (to < 0 || to >= size[a]))
                {
                    side = 2*a + (to > 0);
                }
            }
            lbm::linkGroup& s = sides[side];
            s.node.push_back(n);
            s.direction.push_back(g.direction[l]);
            if (g.type == "velocity")
            {
                s.face.push_back(0);
            }
            s.type = g.type;
            s.name = "side" + std::to_string(side);
        }
    }
    d.groups = std::move(sides);
    return d;
}


void scatter(lbm::engine& e)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-1e-3, 1e-3);
    const std::int64_t chunk = std::min<std::int64_t>(1 << 18, e.nFluid());
    std::vector<double> rho(chunk), u(3*chunk);
    for (double& x : rho)
    {
        x = any(random);
    }
    for (double& x : u)
    {
        x = any(random);
    }
    for (std::int64_t done = 0; done < e.nFluid(); done += chunk)
    {
        const std::int64_t n = std::min(chunk, e.nFluid() - done);
        e.initialise(done, n, rho.data(), u.data(), nullptr);
    }
    const double lid[3] = {0.03, 0, 0};
    e.setBoundaryValues(3, lid, 1);
}


std::vector<char> populationsOf(lbm::engine& e)
{
    std::vector<char> bits(e.nFluid()*e.populationBytes());
    e.getPopulations(0, e.nFluid(), bits.data());
    return bits;
}


double secondsOf(lbm::engine& e, std::int64_t nSteps)
{
    const auto start = std::chrono::steady_clock::now();
    e.step(nSteps);
    e.synchronise();
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(end - start).count();
}


struct way
{
    std::string name;
    bool concurrent, graph;
};

const way ways[] =
{
    {"one stream", false, false},
    {"one stream, graph", false, true},
    {"a stream each", true, false},
    {"a stream each, graph", true, true}
};


void measureBoxes
(
    studyResults& results,
    const std::string& part,
    const std::string& lattice,
    const std::vector<std::int64_t>& edges
)
{
    const bool flat = lattice == "D2Q9";
    const double bytes = flat ? 73 : 153;
    const auto newEngine = [&](std::int64_t edge, const way& w)
    {
        lbm::engineSettings s;
        s.lattice = lattice;
        s.backend = "cuda";
        s.device = results.device;
        s.relaxationTime = 0.6;
        s.concurrent = w.concurrent;
        s.graph = w.graph;
        auto e = lbm::engine::New
        (
            s, boxOfSides(lattice, {edge, edge, flat ? 1 : edge})
        );
        scatter(*e);
        return e;
    };

    std::vector<char> bits;
    for (const way& w : ways)
    {
        const auto e = newEngine(32, w);
        e->step(101);
        const auto here = populationsOf(*e);
        if (bits.empty())
        {
            bits = here;
        }
        if (here != bits)
        {
            throw lbm::error
            (
                "'" + w.name + "' gives other bits than one stream"
            );
        }
    }

    for (const std::int64_t edge : edges)
    {
        for (const way& w : ways)
        {
            const auto e = newEngine(edge, w);
            const double guess = secondsOf(*e, 100)/100;
            const std::int64_t nSteps =
                std::max<std::int64_t>(results.nSteps, 0.15/guess);
            secondsOf(*e, nSteps/4);
            const double seconds = secondsOf(*e, nSteps)/nSteps;
            if (!e->statistics().finite)
            {
                throw lbm::error("the flow in the box has diverged");
            }

            studyRow r;
            r.part = part;
            r.variant = w.name;
            r.x = double(edge);
            r.value = 1e-9*e->nFluid()/seconds;
            r.bytes = bytes;
            r.ofCopy = 1e9*r.value*bytes/results.copyBandwidth;
            r.check = "bits";
            results.add(r);
        }
    }
}

} // End anonymous namespace


void streams(studyResults& results)
{
    results.addPart
    (
        {
            "D3Q19", "The engine, closed box, a link group a side, D3Q19"
            " single",
            "nodes along an edge", "GLUPS"
        }
    );
    measureBoxes(results, "D3Q19", "D3Q19", {32, 64, 128, 256});

    results.addPart
    (
        {
            "D2Q9", "The engine, closed box, a link group a side, D2Q9"
            " single",
            "nodes along an edge", "GLUPS"
        }
    );
    measureBoxes(results, "D2Q9", "D2Q9", {64, 128, 256, 512, 1024});
}

} // End namespace lbmBench
