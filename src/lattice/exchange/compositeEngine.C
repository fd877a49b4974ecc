#include "compositeEngine.H"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace lbm
{

template<class Part, class Function>
void compositeEngine::forPieces
(
    const std::vector<Part>& parts,
    std::int64_t first,
    std::int64_t count,
    const Function& f
)
{
    for (const Part& part : parts)
    {
        std::int64_t done = 0;
        while (done < count)
        {
            const auto r = rangePart::runAt(part.runs, first + done);
            if (r == part.runs.end() || r->whole >= first + count)
            {
                break;
            }

            // As far as nodes of the part follow each other, or a chunk
            const std::int64_t end =
                std::min(r->whole + r->count, first + count);
            const std::int64_t n =
                part.runs.size() == 1 || end - first - done >= chunk_
              ? end - first - done
              : std::min(count - done, chunk_);
            const rangePart p(part.runs, first + done, n);
            if (p.count > 0)
            {
                f(part, p, done);
            }
            done += n;
        }
    }
}


template<class Part, class Get>
void compositeEngine::gather
(
    const std::vector<Part>& parts,
    std::int64_t first,
    std::int64_t count,
    std::size_t nodeBytes,
    void* populations,
    const Get& get
)
{
    forPieces
    (
        parts,
        first,
        count,
        [&](const Part& part, const rangePart& p, std::int64_t done)
        {
            char* const to = static_cast<char*>(populations) + nodeBytes*done;
            if (p.runs.size() == 1)
            {
                get(part, p.own, p.count, to + nodeBytes*p.runs[0].whole);
                return;
            }
            std::vector<char> buffer(nodeBytes*p.count);
            get(part, p.own, p.count, buffer.data());
            rangePart::toRange(p.runs, nodeBytes, buffer.data(), to);
        }
    );
}


namespace
{

//- Values of the nodes of a piece: where they are, or a copy
template<class V>
class pieceValues
{
    std::vector<V> own_;

public:

    const V* data = nullptr;

    pieceValues(const rangePart& p, int width, const V* values)
    {
        if (!values)
        {
            return;
        }
        if (p.runs.size() == 1)
        {
            data = values + width*p.runs[0].whole;
            return;
        }
        own_.resize(width*p.count);
        rangePart::fromRange
        (
            p.runs,
            width*sizeof(V),
            reinterpret_cast<const char*>(values),
            reinterpret_cast<char*>(own_.data())
        );
        data = own_.data();
    }
};

} // End anonymous namespace


//- Populations of a moment of all parts
class compositePopulations final
:
    public heldPopulations
{
    std::int64_t nFluid_;
    std::size_t nodeBytes_;

public:

    struct part
    {
        std::unique_ptr<heldPopulations> held;
        std::vector<partition::run> runs;
    };

    std::vector<part> parts;

    compositePopulations(std::int64_t nFluid, std::size_t nodeBytes)
    :
        nFluid_(nFluid),
        nodeBytes_(nodeBytes)
    {}

    void get
    (
        std::int64_t first,
        std::int64_t count,
        void* populations
    ) override
    {
        if (first < 0 || count < 0 || first + count > nFluid_)
        {
            throw error("range of nodes outside the lattice");
        }
        compositeEngine::gather
        (
            parts,
            first,
            count,
            nodeBytes_,
            populations,
            [](const part& own, std::int64_t begin, std::int64_t n, void* to)
            {
                own.held->get(begin, n, to);
            }
        );
    }
};


compositeEngine::compositeEngine
(
    const backendEntry& backend,
    const engineSettings& settings,
    const latticeDescription& d
)
:
    variableViscosity_(settings.variableViscosity)
{
    partition whole
    (
        d, settings.lattice, settings.devices.size(), settings.cutAxis
    );

    std::vector<enginePart*> all;
    for (std::size_t p = 0; p < whole.parts.size(); ++p)
    {
        engineSettings own(settings);
        own.device = settings.devices[p];
        own.devices.clear();
        sizes_.push_back
        ({
            whole.parts[p].nFluid,
            whole.parts[p].nLinks,
            whole.parts[p].nHaloLinks
        });
        add
        (
            backend.New(own, whole.parts[p].description),
            std::move(whole.parts[p].runs)
        );
        whole.parts[p].description = latticeDescription();
        all.push_back(parts_.back().e);
    }
    for (enginePart* e : all)
    {
        e->use();
        e->join(all);
    }
}


compositeEngine::compositeEngine
(
    std::vector<std::unique_ptr<engine>> engines,
    std::vector<std::vector<partition::run>> runs
)
{
    for (std::size_t p = 0; p < engines.size(); ++p)
    {
        add(std::move(engines[p]), std::move(runs[p]));
    }
}


void compositeEngine::add
(
    std::unique_ptr<engine> e,
    std::vector<partition::run> runs
)
{
    engineOfPart part;
    part.owner = std::move(e);
    part.e = dynamic_cast<enginePart*>(part.owner.get());
    part.runs = std::move(runs);
    nFluid_ += part.e->nFluid();
    parts_.push_back(std::move(part));
}


void compositeEngine::checkRange(std::int64_t first, std::int64_t count) const
{
    if (first < 0 || count < 0 || first + count > nFluid_)
    {
        throw error("range of nodes outside the lattice");
    }
}


void compositeEngine::step(std::int64_t n)
{
    first().use();
    first().step(n);
}


void compositeEngine::synchronise()
{
    forAll([](enginePart& e) { e.synchronise(); });
}


void compositeEngine::setBoundaryValues
(
    int group,
    const double* values,
    std::int64_t nFaces
)
{
    forAll([&](enginePart& e) { e.setBoundaryValues(group, values, nFaces); });
}


void compositeEngine::varyBoundaryValues
(
    int group,
    const double* from,
    const double* to,
    std::int64_t nFaces,
    std::int64_t done,
    std::int64_t nSteps
)
{
    forAll([&](enginePart& e)
    {
        e.varyBoundaryValues(group, from, to, nFaces, done, nSteps);
    });
}


void compositeEngine::setBodyForce(const std::array<double, 3>& F)
{
    forAll([&](enginePart& e) { e.setBodyForce(F); });
}


void compositeEngine::setRotation(const std::array<double, 3>& Omega)
{
    forAll([&](enginePart& e) { e.setRotation(Omega); });
}


void compositeEngine::setForces
(
    std::int64_t count,
    const std::int64_t* nodes,
    const double* acceleration,
    const double* drag
)
{
    for (const engineOfPart& part : parts_)
    {
        std::vector<std::int64_t> own;
        std::vector<double> a, sigma;
        for (std::int64_t l = 0; l < count; ++l)
        {
            const std::int64_t n = nodes ? nodes[l] : l;
            const auto r = rangePart::runAt(part.runs, n);
            if (r != part.runs.end() && r->whole <= n)
            {
                own.push_back(r->own + n - r->whole);
                a.insert(a.end(), acceleration + 3*l, acceleration + 3*l + 3);
                if (drag)
                {
                    sigma.insert(sigma.end(), drag + 6*l, drag + 6*l + 6);
                }
            }
        }

        // Parts without such nodes have the same number of values
        sigma.reserve(1);
        part.e->use();
        part.e->stageForces
        (
            own.size(), own.data(), a.data(), drag ? sigma.data() : nullptr
        );
    }
    forAll([](enginePart& e) { e.commitForces(); });
}


void compositeEngine::setRelaxationTime(double relaxationTime)
{
    forAll([&](enginePart& e) { e.setRelaxationTime(relaxationTime); });
}


void compositeEngine::setViscosity
(
    std::int64_t first,
    std::int64_t count,
    const double* nu
)
{
    checkRange(first, count);
    if (!variableViscosity_)
    {
        this->first().setViscosity(first, count, nu);
    }
    checkViscosities(first, count, nu);

    if
    (
        count == nFluid_
     && std::all_of(nu, nu + count, [&](double x) { return x == nu[0]; })
    )
    {
        setRelaxationTime(0.5 + 3*nu[0]);
        return;
    }

    forAll([](enginePart& e) { e.setNodeViscosities(0, 0, nullptr); });
    forPieces
    (
        parts_,
        first,
        count,
        [&](const engineOfPart& part, const rangePart& p, std::int64_t done)
        {
            const pieceValues<double> own(p, 1, nu + done);
            part.e->use();
            part.e->setNodeViscosities(p.own, p.count, own.data);
        }
    );
}


void compositeEngine::gatherNumbers
(
    std::int64_t first,
    std::int64_t count,
    double* numbers,
    const getNumbers& get
) const
{
    checkRange(first, count);
    gather
    (
        parts_,
        first,
        count,
        sizeof(double),
        numbers,
        [&]
        (
            const engineOfPart& own,
            std::int64_t begin,
            std::int64_t n,
            void* to
        )
        {
            own.e->use();
            get(*own.e, begin, n, static_cast<double*>(to));
        }
    );
}


void compositeEngine::viscosity
(
    std::int64_t first,
    std::int64_t count,
    double* nu
)
{
    gatherNumbers
    (
        first,
        count,
        nu,
        [](enginePart& e, std::int64_t begin, std::int64_t n, double* to)
        {
            e.viscosity(begin, n, to);
        }
    );
}


void compositeEngine::setViscosityModel(const viscosityModel& model)
{
    for (const engineOfPart& part : parts_)
    {
        const rangePart p(part.runs, 0, nFluid_);
        const auto ownOf = [&](const std::vector<double>& whole)
        {
            const pieceValues<double> own(p, 1, whole.data());
            return std::vector<double>(own.data, own.data + p.count);
        };

        // Of each node, or one of all
        const auto ownWidths = [&](const std::vector<double>& whole)
        {
            std::vector<double> result(whole);
            if (std::int64_t(whole.size()) == nFluid_ && nFluid_ > 1)
            {
                result = ownOf(whole);
                if (result.empty())
                {
                    result.assign(1, whole[0]);
                }
            }
            return result;
        };

        viscosityModel own(model);
        own.delta = ownWidths(model.delta);
        own.longestEdge = ownWidths(model.longestEdge);
        if (std::int64_t(model.wallDistance.size()) == nFluid_)
        {
            own.wallDistance = ownOf(model.wallDistance);
        }
        part.e->use();
        part.e->setViscosityModel(own);
    }
}


void compositeEngine::setViscosityInterval(std::int64_t interval)
{
    first().use();
    first().setViscosityInterval(interval);
}


void compositeEngine::updateViscosity()
{
    first().use();
    first().updateViscosity();
}


void compositeEngine::setTransported
(
    int variable,
    std::int64_t first,
    std::int64_t count,
    const double* values
)
{
    checkRange(first, count);
    forPieces
    (
        parts_,
        first,
        count,
        [&](const engineOfPart& part, const rangePart& p, std::int64_t done)
        {
            const pieceValues<double> own(p, 1, values + done);
            part.e->use();
            part.e->setTransported(variable, p.own, p.count, own.data);
        }
    );
}


void compositeEngine::getTransported
(
    int variable,
    std::int64_t first,
    std::int64_t count,
    double* values
)
{
    gatherNumbers
    (
        first,
        count,
        values,
        [=](enginePart& e, std::int64_t begin, std::int64_t n, double* to)
        {
            e.getTransported(variable, begin, n, to);
        }
    );
}


void compositeEngine::setTransportedBoundary
(
    int group,
    const transportedValue* values,
    std::int64_t nFaces,
    bool wall,
    bool fixes
)
{
    forAll([&](enginePart& e)
    {
        e.setTransportedBoundary(group, values, nFaces, wall, fixes);
    });
}


void compositeEngine::setBulkRelaxationTime(double relaxationTime)
{
    forAll([&](enginePart& e) { e.setBulkRelaxationTime(relaxationTime); });
}


void compositeEngine::setCollision(const std::string& name)
{
    forAll([&](enginePart& e) { e.setCollision(name); });
}


void compositeEngine::rescale(double ratio, double relaxationTime)
{
    forAll([&](enginePart& e) { e.rescale(ratio, relaxationTime); });
}


void compositeEngine::initialise
(
    std::int64_t first,
    std::int64_t count,
    const double* rho,
    const double* u,
    const double* strainRate
)
{
    checkRange(first, count);
    forPieces
    (
        parts_,
        first,
        count,
        [&](const engineOfPart& part, const rangePart& p, std::int64_t done)
        {
            const double* const S = strainRate ? strainRate + 6*done : nullptr;
            const pieceValues<double> ownRho(p, 1, rho + done);
            const pieceValues<double> ownU(p, 3, u + 3*done);
            const pieceValues<double> ownS(p, 6, S);
            part.e->use();
            part.e->initialise
            (
                p.own, p.count, ownRho.data, ownU.data, ownS.data
            );
        }
    );
}


void compositeEngine::macroscopic
(
    std::int64_t first,
    std::int64_t count,
    const takeFields& take
)
{
    checkRange(first, count);

    std::vector<double> rho, u;
    for (std::int64_t done = 0; done < count;)
    {
        // As far as the nodes of one part follow each other, or a chunk of all
        std::int64_t n = std::min(count - done, chunk_);
        bool taken = false;
        for (const engineOfPart& part : parts_)
        {
            const auto r = rangePart::runAt(part.runs, first + done);
            if
            (
                r != part.runs.end() && r->whole <= first + done
             && r->whole + r->count >= first + done + n
            )
            {
                n = std::min(r->whole + r->count, first + count) - first - done;
                const std::int64_t shift = r->whole - r->own;
                part.e->use();
                part.e->macroscopic
                (
                    first + done - shift,
                    n,
                    [&]
                    (
                        std::int64_t from,
                        std::int64_t nFrom,
                        const double* rhoPiece,
                        const double* uPiece
                    )
                    {
                        take(from + shift, nFrom, rhoPiece, uPiece);
                    }
                );
                taken = true;
                break;
            }
        }
        if (!taken)
        {
            rho.resize(n);
            u.resize(3*n);
            for (const engineOfPart& part : parts_)
            {
                const rangePart p(part.runs, first + done, n);
                if (p.count > 0)
                {
                    std::vector<double> ownRho(p.count), ownU(3*p.count);
                    part.e->use();
                    part.e->engine::macroscopic
                    (
                        p.own, p.count, ownRho.data(), ownU.data()
                    );
                    const auto back = [&](int width, auto& own, auto& whole)
                    {
                        rangePart::toRange
                        (
                            p.runs,
                            width*sizeof(double),
                            reinterpret_cast<const char*>(own.data()),
                            reinterpret_cast<char*>(whole.data())
                        );
                    };
                    back(1, ownRho, rho);
                    back(3, ownU, u);
                }
            }
            take(first + done, n, rho.data(), u.data());
        }
        done += n;
    }
}


void compositeEngine::setDiffusivity(int scalar, double D)
{
    forAll([&](enginePart& e) { e.setDiffusivity(scalar, D); });
}


void compositeEngine::setRateOfSum(int scalar, double rate)
{
    forAll([&](enginePart& e) { e.setRateOfSum(scalar, rate); });
}


void compositeEngine::setMixing
(
    int scalar,
    double perViscosity,
    double viscosity,
    double largestPeclet
)
{
    forAll([&](enginePart& e)
    {
        e.setMixing(scalar, perViscosity, viscosity, largestPeclet);
    });
}


void compositeEngine::setScalarForce
(
    int scalar,
    const std::array<double, 3>& perUnit
)
{
    forAll([&](enginePart& e) { e.setScalarForce(scalar, perUnit); });
}


void compositeEngine::setScalarBoundary
(
    int scalar,
    const std::string& group,
    const double* values,
    std::int64_t nFaces
)
{
    forAll([&](enginePart& e)
    {
        e.setScalarBoundary(scalar, group, values, nFaces);
    });
}


void compositeEngine::initialiseScalar
(
    int scalar,
    std::int64_t first,
    std::int64_t count,
    const double* values,
    const double* gradient
)
{
    checkRange(first, count);
    forPieces
    (
        parts_,
        first,
        count,
        [&](const engineOfPart& part, const rangePart& p, std::int64_t done)
        {
            const double* const g = gradient ? gradient + 3*done : nullptr;
            const pieceValues<double> ownValues(p, 1, values + done);
            const pieceValues<double> ownGradient(p, 3, g);
            part.e->use();
            part.e->initialiseScalar
            (
                scalar, p.own, p.count, ownValues.data, ownGradient.data
            );
        }
    );
}


void compositeEngine::getScalar
(
    int scalar,
    std::int64_t first,
    std::int64_t count,
    double* values
)
{
    gatherNumbers
    (
        first,
        count,
        values,
        [=](enginePart& e, std::int64_t begin, std::int64_t n, double* to)
        {
            e.getScalar(scalar, begin, n, to);
        }
    );
}


void compositeEngine::forNodes
(
    std::int64_t count,
    const std::int64_t* nodes,
    const std::function
    <
        void
        (
            enginePart&,
            const std::vector<std::int64_t>&,
            const std::vector<std::int64_t>&
        )
    >& f
) const
{
    for (const engineOfPart& part : parts_)
    {
        std::vector<std::int64_t> own, at;
        for (std::int64_t l = 0; l < count; ++l)
        {
            const auto r = rangePart::runAt(part.runs, nodes[l]);
            if (r != part.runs.end() && r->whole <= nodes[l])
            {
                own.push_back(r->own + nodes[l] - r->whole);
                at.push_back(l);
            }
        }
        part.e->use();
        f(*part.e, own, at);
    }
}


void compositeEngine::macroscopicAt
(
    std::int64_t count,
    const std::int64_t* nodes,
    double* rho,
    double* u
)
{
    forNodes
    (
        count,
        nodes,
        [&]
        (
            enginePart& e,
            const std::vector<std::int64_t>& own,
            const std::vector<std::int64_t>& at
        )
        {
            std::vector<double> ownRho(own.size()), ownU(3*own.size());
            e.macroscopicAt
            (
                own.size(), own.data(), ownRho.data(), ownU.data()
            );
            for (std::size_t i = 0; i < own.size(); ++i)
            {
                rho[at[i]] = ownRho[i];
                std::copy_n(ownU.begin() + 3*i, 3, u + 3*at[i]);
            }
        }
    );
}


void compositeEngine::getTransportedAt
(
    int variable,
    std::int64_t count,
    const std::int64_t* nodes,
    double* values
)
{
    forNodes
    (
        count,
        nodes,
        [&]
        (
            enginePart& e,
            const std::vector<std::int64_t>& own,
            const std::vector<std::int64_t>& at
        )
        {
            std::vector<double> there(own.size());
            e.getTransportedAt(variable, own.size(), own.data(), there.data());
            for (std::size_t i = 0; i < own.size(); ++i)
            {
                values[at[i]] = there[i];
            }
        }
    );
}


std::size_t compositeEngine::populationBytes() const
{
    return first().populationBytes();
}


void compositeEngine::getPopulations
(
    std::int64_t first,
    std::int64_t count,
    void* populations
)
{
    checkRange(first, count);
    gather
    (
        parts_,
        first,
        count,
        populationBytes(),
        populations,
        []
        (
            const engineOfPart& own,
            std::int64_t begin,
            std::int64_t n,
            void* to
        )
        {
            own.e->use();
            own.e->getPopulations(begin, n, to);
        }
    );
}


void compositeEngine::setPopulations
(
    std::int64_t first,
    std::int64_t count,
    const void* populations
)
{
    checkRange(first, count);
    const std::size_t nodeBytes = populationBytes();
    const char* const values = static_cast<const char*>(populations);
    forPieces
    (
        parts_,
        first,
        count,
        [&](const engineOfPart& part, const rangePart& p, std::int64_t done)
        {
            const pieceValues<char> own
            (
                p, nodeBytes, values + nodeBytes*done
            );
            part.e->use();
            part.e->setPopulations(p.own, p.count, own.data);
        }
    );
}


std::unique_ptr<heldPopulations> compositeEngine::holdPopulations()
{
    auto result = std::make_unique<compositePopulations>
    (
        nFluid_, populationBytes()
    );
    for (const engineOfPart& part : parts_)
    {
        part.e->use();
        result->parts.push_back({part.e->holdPopulations(), part.runs});
    }
    return result;
}


void compositeEngine::holdPopulations(std::unique_ptr<heldPopulations>& held)
{
    auto* const all = dynamic_cast<compositePopulations*>(held.get());
    if (!all || all->parts.size() != parts_.size())
    {
        held = holdPopulations();
        return;
    }
    for (std::size_t p = 0; p < parts_.size(); ++p)
    {
        parts_[p].e->use();
        parts_[p].e->holdPopulations(all->parts[p].held);
    }
}


void compositeEngine::shiftDensity(double delta)
{
    forAll([&](enginePart& e) { e.shiftDensity(delta); });
}


std::array<double, 3> compositeEngine::alternatingVelocity()
{
    return first().alternatingVelocity();
}


void compositeEngine::addAlternatingVelocity(const std::array<double, 3>& u)
{
    forAll([&](enginePart& e) { e.addAlternatingVelocity(u); });
}


latticeStatistics compositeEngine::statistics()
{
    return first().statistics();
}


boundaryLoad compositeEngine::groupLoad
(
    int group,
    const std::array<double, 3>& origin
)
{
    return first().groupLoad(group, origin);
}


double compositeEngine::scalarFlux(int scalar, const std::string& group)
{
    return first().scalarFlux(scalar, group);
}


memoryUse compositeEngine::memory() const
{
    memoryUse result;
    for (const engineOfPart& part : parts_)
    {
        result += part.e->memory();
    }
    return result;
}

} // End namespace lbm
