#include "engine.H"
#include "choices.H"
#include "engine/backends.H"
#include "engine/descriptionCheck.H"
#include "engine/enginePlan.H"
#include "engine/layoutChoice.H"
#include "exchange/communicator.H"
#include "exchange/compositeEngine.H"
#include "exchange/partition.H"
#include "moments/innerPartition.H"
#include "parallel.H"

namespace lbm
{

namespace
{

//- Bytes of a number of the arithmetic
int bytesPerNumber(const std::string& precision)
{
    int result = 0;
    withNamed<precisions>("precision", precision, [&](auto p)
    {
        result = sizeof(typename decltype(p)::type::arithmetic);
    });
    return result;
}

[[noreturn]] void failLaws()
{
    throw error("this engine was made without laws of the viscosity");
}

void failScalar()
{
    throw error("this engine has no scalars");
}

//- What engines of several devices say of obstacles
const char* const noObstacle =
    "obstacles that come and go need an engine on one device";

} // End anonymous namespace


std::unique_ptr<engine> engine::New
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    checkDescription(s, d);

    const backendEntry& b = usableBackend(s.backend);
    engineSettings one(s);
    if (s.communicator && s.communicator->size() == 1)
    {
        one.communicator.reset();
    }
    if (s.devices.size() > 1)
    {
        return std::make_unique<compositeEngine>(b, one, d);
    }
    if (!s.devices.empty())
    {
        one.device = s.devices[0];
        one.devices.clear();
    }
    if (keepsMoments(s))
    {
        one.layout = list::name;
    }
    return b.New(one, d);
}


std::vector<std::string> engine::validNames(const std::string& choice)
{
    if (choice == "lattice")
    {
        return names<lattices>();
    }
    if (choice == "collision")
    {
        return names<collisions>();
    }
    if (choice == "precision")
    {
        return names<precisions>();
    }
    if (choice == "layout")
    {
        return names<layouts>();
    }
    if (choice == "backend")
    {
        // Known, installed or not: who asks for it is told why it is not
        std::vector<std::string> result{"cuda"};
        for (const backendEntry& b : backends())
        {
            if (b.name != result[0])
            {
                result.push_back(b.name);
            }
        }
        return result;
    }
    if (choice == "storage")
    {
        return storages();
    }
    throw error("there is no choice of '" + choice + "'");
}


memoryUse engine::memoryNeeded
(
    const engineSettings& s,
    const latticeDescription& d
)
{
    checkDescription(s, d);
    if (s.devices.size() > 1)
    {
        memoryUse result;
        const partition whole(d, s.lattice, s.devices.size(), s.cutAxis);
        for (const partition::part& p : whole.parts)
        {
            result += enginePlan(s, p.description).memory;
        }
        return result;
    }
    if (keepsMoments(s))
    {
        const innerPartition nodes(d, s.lattice);
        engineSettings boundary(s);
        boundary.layout = list::name;
        memoryUse result =
            enginePlan(boundary, nodes.boundary).memory;
        result += innerPartition::memory
        (
            nodes.where, nodes.places.size(), bytesPerPopulation(s.precision)
        );
        return result;
    }
    return enginePlan(s, d).memory;
}


int engine::bytesPerPopulation(const std::string& precision)
{
    int result = 0;
    withNamed<precisions>("precision", precision, [&](auto p)
    {
        result = sizeof(typename decltype(p)::type::storage);
    });
    return result;
}


double engine::bytesPerNode(const engineSettings& s)
{
    if (keepsMoments(s))
    {
        return 2*nMoments*bytesPerPopulation(s.precision);
    }
    const int q = directions(s.lattice).size();
    const bool listed = indexOf<layouts>("layout", s.layout)
     == indexOf<layouts>("layout", list::name);
    return
        2*q*bytesPerPopulation(s.precision)
      + (s.variableViscosity ? bytesPerNumber(s.precision) : 0)
      + (listed ? sizeof(std::uint32_t)*(q - 1)/2.0/listLayout::line : 0);
}


void engine::setDiffusivity(int, double)
{
    failScalar();
}


void engine::setRateOfSum(int, double)
{
    failScalar();
}


void engine::setMixing(int, double, double, double)
{
    failScalar();
}


void engine::setScalarForce(int, const std::array<double, 3>&)
{
    failScalar();
}


void engine::setScalarBoundary
(
    int,
    const std::string&,
    const double*,
    std::int64_t
)
{
    failScalar();
}


double engine::scalarFlux(int, const std::string&)
{
    failScalar();
    return 0;
}


void engine::initialiseScalar
(
    int,
    std::int64_t,
    std::int64_t,
    const double*,
    const double*
)
{
    failScalar();
}


void engine::getScalar(int, std::int64_t, std::int64_t, double*)
{
    failScalar();
}


void engine::setViscosityModel(const viscosityModel&)
{
    failLaws();
}


void engine::setViscosityInterval(std::int64_t)
{
    failLaws();
}


void engine::updateViscosity()
{
    failLaws();
}


void engine::setTransported(int, std::int64_t, std::int64_t, const double*)
{
    failLaws();
}


void engine::getTransported(int, std::int64_t, std::int64_t, double*)
{
    failLaws();
}


void engine::getTransportedAt
(
    int,
    std::int64_t,
    const std::int64_t*,
    double*
)
{
    failLaws();
}


void engine::setTransportedBoundary
(
    int,
    const transportedValue*,
    std::int64_t,
    bool,
    bool
)
{
    failLaws();
}


void engine::macroscopicAt
(
    std::int64_t,
    const std::int64_t*,
    double*,
    double*
)
{
    throw error("the state of single nodes needs an engine on one device");
}


std::unique_ptr<nodeSampler> engine::sampler(std::int64_t, const std::int64_t*)
{
    throw error("the state of single nodes needs an engine on one device");
}


bool engine::mayBeObstacle(std::int64_t)
{
    return false;
}


void engine::setObstacle(std::int64_t count, const std::int64_t*)
{
    if (count > 0)
    {
        throw error(noObstacle);
    }
}


void engine::addObstacle(std::int64_t, const std::int64_t*)
{
    throw error(noObstacle);
}


void engine::removeObstacle(std::int64_t, const std::int64_t*)
{
    throw error(noObstacle);
}


boundaryLoad engine::obstacleLoad(const std::array<double, 3>&)
{
    throw error(noObstacle);
}


void engine::viscosity(std::int64_t, std::int64_t, double*)
{
    failLaws();
}


void engine::macroscopic
(
    std::int64_t first,
    std::int64_t count,
    double* rho,
    double* u
)
{
    macroscopic
    (
        first,
        count,
        [=]
        (
            std::int64_t from,
            std::int64_t n,
            const double* rhoPiece,
            const double* uPiece
        )
        {
            const std::int64_t done = from - first;
            copyInParallel(rho + done, rhoPiece, n*sizeof(double));
            copyInParallel(u + 3*done, uPiece, 3*n*sizeof(double));
        }
    );
}

} // End namespace lbm
