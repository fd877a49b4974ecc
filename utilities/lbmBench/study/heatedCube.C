#include "heatedCube.H"

#include "closedBox.H"
#include "engine.H"

#include <algorithm>
#include <random>

namespace lbmBench
{

namespace
{

class D3Q7Flow
:
    public heatedFlow
{
    std::unique_ptr<lbm::engine> engine_;

    //- Links of the walls, for the flow and for the scalar that acts on it
    static lbm::latticeDescription description(int n)
    {
        lbm::latticeDescription d = closedBox("D3Q19", {n, n, n});
        lbm::linkGroup& wall = d.groups[0];
        const lbm::linkGroup& lid = d.groups[1];
        wall.node.insert(wall.node.end(), lid.node.begin(), lid.node.end());
        wall.direction.insert
        (
            wall.direction.end(), lid.direction.begin(), lid.direction.end()
        );
        d.groups.resize(1);

        lbm::scalarGroup hot, cold, insulated;
        hot.name = "hot";
        cold.name = "cold";
        insulated.name = "insulated";
        hot.type = cold.type = "value";
        insulated.type = "flux";
        for (std::size_t l = 0; l < wall.size(); ++l)
        {
            const int q = wall.direction[l];
            if (q <= 6)
            {
                lbm::scalarGroup& g =
                    q == 1 ? cold : q == 2 ? hot : insulated;
                g.node.push_back(wall.node[l]);
                g.direction.push_back(q);
                g.face.push_back(0);
            }
        }
        insulated.factor.assign(insulated.size(), 1);
        d.scalars.resize(1);
        d.scalars[0].acts = true;
        d.scalars[0].groups =
            {std::move(hot), std::move(cold), std::move(insulated)};
        return d;
    }

    void startAtRest(const heatedCube& cube)
    {
        const std::int64_t n = cube.nNodes();
        const std::vector<double> zero(3*n, 0), T = cube.conduction();
        std::vector<double> gradient(3*n, 0);
        for (std::int64_t l = 0; l < n; ++l)
        {
            gradient[3*l] = (cube.cold - cube.hot)/cube.n;
        }
        // The velocity has half of the force
        engine_->initialiseScalar(0, 0, n, T.data(), gradient.data());
        engine_->initialise(0, n, zero.data(), zero.data(), nullptr);
        engine_->initialiseScalar(0, 0, n, T.data(), gradient.data());
    }

    void startAtRandom()
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<double> any(-1, 1);
        const std::int64_t chunk = 1 << 20;
        std::vector<double> rho(chunk), u(3*chunk), T(chunk);
        for (std::int64_t done = 0; done < engine_->nFluid(); done += chunk)
        {
            const std::int64_t n = std::min(chunk, engine_->nFluid() - done);
            std::generate_n(rho.begin(), n, [&]() { return 1e-3*any(random); });
            std::generate_n(u.begin(), 3*n, [&]() { return 1e-3*any(random); });
            std::generate_n(T.begin(), n, [&]() { return 0.5*any(random); });
            engine_->initialise(done, n, rho.data(), u.data(), nullptr);
            engine_->initialiseScalar(0, done, n, T.data(), nullptr);
        }
    }

public:

    D3Q7Flow
    (
        const heatedCube& cube,
        const std::string& collision,
        const std::string& backend,
        int device,
        bool random
    )
    {
        lbm::engineSettings s;
        s.collision = collision;
        s.backend = backend;
        s.device = device;
        s.relaxationTime = cube.relaxationTime();
        engine_ = lbm::engine::New(s, description(cube.n));

        engine_->setDiffusivity(0, cube.diffusivity());
        engine_->setScalarForce(0, {0, cube.perUnit(), 0});
        engine_->setScalarBoundary(0, "hot", &cube.hot, 1);
        engine_->setScalarBoundary(0, "cold", &cube.cold, 1);
        random ? startAtRandom() : startAtRest(cube);
    }

    void step(std::int64_t n) override
    {
        engine_->step(n);
    }

    void synchronise() override
    {
        engine_->synchronise();
    }

    std::vector<double> temperature() override
    {
        std::vector<double> T(engine_->nFluid());
        engine_->getScalar(0, 0, T.size(), T.data());
        return T;
    }

    std::vector<double> velocity() override
    {
        const std::int64_t n = engine_->nFluid();
        std::vector<double> rho(n), u(3*n);
        engine_->macroscopic(0, n, rho.data(), u.data());
        return u;
    }
};

} // End anonymous namespace


double heatedCube::referenceNusselt() const
{
    return
        Ra == 0 ? 1
      : Ra == 1e3 ? 1.0700
      : Ra == 1e4 ? 2.0542
      : Ra == 1e5 ? 4.3370
      : Ra == 1e6 ? 8.6407
      : 0;
}


std::vector<double> heatedCube::conduction() const
{
    std::vector<double> T(nNodes());
    for (std::int64_t l = 0; l < nNodes(); ++l)
    {
        T[l] = hot + (cold - hot)*(l % n + 0.5)/n;
    }
    return T;
}


std::unique_ptr<heatedFlow> newD3Q7Flow
(
    const heatedCube& cube,
    const std::string& collision,
    const std::string& backend,
    int device,
    bool random
)
{
    return std::make_unique<D3Q7Flow>
    (
        cube, collision, backend, device, random
    );
}


double nusseltOfWall(const std::vector<double>& T, const heatedCube& cube)
{
    // The temperature has no curvature at the wall, since the velocity vanishes: the
    // difference over half a spacing is of third order
    double sum = 0;
    for (std::int64_t l = 0; l < cube.nNodes(); l += cube.n)
    {
        sum += 2*cube.n*(cube.hot - T[l]);
    }
    return sum/(double(cube.n)*cube.n);
}


//- Heat transfer of a flow
static heatTransfer heatTransferOf(heatedFlow& flow, const heatedCube& cube)
{
    const std::vector<double> T = flow.temperature(), u = flow.velocity();
    heatTransfer result;
    result.wall = nusseltOfWall(T, cube);

    double carried = 0;
    for (std::int64_t l = 0; l < cube.nNodes(); ++l)
    {
        carried += u[3*l]*T[l];
    }
    result.mean = 1 + carried/cube.nNodes()*cube.n/cube.diffusivity();
    return result;
}


heatTransfer steadyHeatTransfer(heatedFlow& flow, const heatedCube& cube)
{
    // From one look to the next the slowest disturbance loses a fifth
    const double conductionTime = double(cube.n)*cube.n/cube.diffusivity();
    const std::int64_t interval =
        2*std::int64_t(std::ceil(0.01*conductionTime));
    constexpr double settled = 5e-6;

    double last = 0;
    int nSettled = 0;
    std::int64_t nSteps = 0;
    while (nSettled < 3)
    {
        flow.step(interval);
        nSteps += interval;
        const double now = nusseltOfWall(flow.temperature(), cube);
        if (!std::isfinite(now) || nSteps > 5*conductionTime)
        {
            throw lbm::error
            (
                std::isfinite(now)
              ? "the heated cube does not settle"
              : "the flow in the heated cube has diverged"
            );
        }
        nSettled = std::abs(now - last) < settled*now ? nSettled + 1 : 0;
        last = now;
    }

    return heatTransferOf(flow, cube);
}

} // End namespace lbmBench
