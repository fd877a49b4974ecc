/*---------------------------------------------------------------------------*\
Description
    Scalars that a flow carries, against exact solutions: orders, and what is
    exact on the lattice.
\*---------------------------------------------------------------------------*/

#include "emulatedCalls.H"
#include "latticeCase.H"
#include "record.H"

#include <optional>

namespace lbmTest
{

//- What becomes of a link of a scalar
struct scalarLinkCase
{
    std::string group;
    std::string type;
    int face = 0;
    double distance = 0.5;
    lbm::scalarImage image;
    double factor = 1;
    bool throughFlow = false;
};


//- A box with a scalar
struct scalarCase
{
    box b;

    //- Of a link of node (i, j, k) in direction q that leaves the fluid and is
    //  not periodic; none where it is
    std::function<std::optional<scalarLinkCase>(int, int, int, int)> link;

    //- Periodic for the scalar
    std::array<bool, 3> periodic{true, true, true};

    lbm::latticeDescription description() const
    {
        lbm::latticeDescription d = b.description();
        const auto c = lbm::directions(b.lattice);
        std::map<std::string, lbm::scalarGroup> groups;
        b.forNodes([&](int i, int j, int k)
        {
            const std::int64_t node = d.boxIndex(i, j, k);
            for (int q = 1; d.fluid[node] && q <= (is3D(b.lattice) ? 6 : 4); ++q)
            {
                if (d.isFluid(d.neighbour(node, c[q])))
                {
                    continue;
                }
                std::array<std::int64_t, 3> to{i, j, k};
                bool wrapped = false;
                for (int a = 0; a < 3; ++a)
                {
                    to[a] += c[q][a];
                    if ((to[a] < 0 || to[a] >= b.size[a]) && periodic[a])
                    {
                        to[a] = (to[a] + b.size[a]) % b.size[a];
                        wrapped = true;
                    }
                }
                scalarLinkCase l;
                if (wrapped)
                {
                    l.group = l.type = "cyclic";
                }
                else
                {
                    l = *link(i, j, k, q);
                }
                lbm::scalarGroup& g = groups[l.group];
                g.name = l.group;
                g.type = l.type;
                g.throughFlow = l.throughFlow;
                g.node.push_back(node);
                g.direction.push_back(q);
                if (wrapped)
                {
                    g.partner.push_back(d.boxIndex(to[0], to[1], to[2]));
                    continue;
                }
                g.face.push_back(l.face);
                if (l.type == "value" || l.type == "mixed")
                {
                    g.distance.push_back(l.distance);
                }
                if (l.type != "value")
                {
                    g.factor.push_back(l.factor);
                }
                if (!l.image.node.empty())
                {
                    g.image.push_back(l.image);
                }
            }
        });
        d.scalars.resize(1);
        for (auto& entry : groups)
        {
            d.scalars[0].groups.push_back(std::move(entry.second));
        }
        return d;
    }
};


//- Runs once for each backend, precision and layout
class scalarTest
:
    public testing::TestWithParam
    <
        std::tuple<std::string, std::string, std::string>
    >
{
protected:

    std::string backend_ = std::get<0>(GetParam());
    std::string precision_ = std::get<1>(GetParam());
    std::string layout_ = std::get<2>(GetParam());

    void SetUp() override
    {
        if (!available(backend_))
        {
            GTEST_SKIP() << "no CUDA device";
        }
    }

    std::unique_ptr<lbm::engine> engine
    (
        const scalarCase& c,
        bool acts = false,
        const std::array<double, 3>& bodyForce = {0, 0, 0},
        bool viscosities = false
    ) const
    {
        lbm::engineSettings s;
        s.variableViscosity = viscosities;
        s.lattice = c.b.lattice;
        s.backend = backend_;
        s.precision = precision_;
        s.layout = layout_;
        s.bodyForce = bodyForce;
        lbm::latticeDescription d = c.description();
        d.scalars[0].acts = acts;
        return lbm::engine::New(s, d);
    }

    //- Double precision, or what single can tell from it
    bool exact() const
    {
        return precision_ == "double";
    }
};


//- Nodes of a box that are fluid, in fluid order
static std::vector<std::array<int, 3>> fluidNodes(const scalarCase& c)
{
    std::vector<std::array<int, 3>> result;
    c.b.forNodes([&](int i, int j, int k)
    {
        if (!c.b.solid || !c.b.solid(i, j, k))
        {
            result.push_back({i, j, k});
        }
    });
    return result;
}


static void startFlow(lbm::engine& e, const vec& u)
{
    const std::int64_t n = e.nFluid();
    const std::vector<double> rho(n, 0.0);
    std::vector<double> velocity;
    for (std::int64_t l = 0; l < n; ++l)
    {
        velocity.insert(velocity.end(), u.begin(), u.end());
    }
    e.initialise(0, n, rho.data(), velocity.data(), nullptr);
}


static std::vector<double> scalarOf(lbm::engine& e, int scalar = 0)
{
    std::vector<double> result(e.nFluid());
    e.getScalar(scalar, 0, e.nFluid(), result.data());
    return result;
}


//- Values and gradients of f at x, by central differences of h
template<class Function>
static void startScalar
(
    lbm::engine& e,
    const scalarCase& c,
    const Function& f,
    int scalar = 0
)
{
    std::vector<double> value, gradient;
    for (const auto& n : fluidNodes(c))
    {
        const vec x{double(n[0]), double(n[1]), double(n[2])};
        value.push_back(f(x));
        for (int a = 0; a < 3; ++a)
        {
            const double h = 1e-3;
            vec below = x, above = x;
            below[a] -= h;
            above[a] += h;
            gradient.push_back((f(above) - f(below))/(2*h));
        }
    }
    e.initialiseScalar(scalar, 0, e.nFluid(), value.data(), gradient.data());
}


//- Relative difference of the scalar from f in the L2 norm
template<class Function>
static double error
(
    lbm::engine& e,
    const scalarCase& c,
    const Function& f
)
{
    const std::vector<double> value = scalarOf(e);
    const auto nodes = fluidNodes(c);
    double sum = 0, norm = 0;
    for (std::size_t l = 0; l < nodes.size(); ++l)
    {
        const vec x
        {
            double(nodes[l][0]), double(nodes[l][1]), double(nodes[l][2])
        };
        sum += std::pow(value[l] - f(x), 2);
        norm += std::pow(f(x), 2);
    }
    return std::sqrt(sum/norm);
}


//- Steps until the scalar does not change any more
static void untilSteady(lbm::engine& e, std::int64_t every, bool exact)
{
    std::vector<double> before = scalarOf(e);
    for (int k = 0; k < 1000; ++k)
    {
        e.step(every);
        const std::vector<double> now = scalarOf(e);
        double change = 0, most = 0;
        for (std::size_t l = 0; l < now.size(); ++l)
        {
            change = std::max(change, std::abs(now[l] - before[l]));
            most = std::max(most, std::abs(now[l]));
        }
        if (change < (exact ? 1e-11 : 1e-6)*most)
        {
            return;
        }
        before = now;
    }
}


// * * * * * * * * * * * * * * * * Free space  * * * * * * * * * * * * * * * //

//- Error of a Gaussian that is carried half-way through a box and spreads, with
//  N nodes along an edge. Velocity as 1/N: errors of the time step follow those
//  of the lattice. rescaled: the second half of the time in half steps
static double gaussian
(
    const std::function<std::unique_ptr<lbm::engine>(const scalarCase&)>& make,
    const std::string& lattice,
    int N,
    double speed,
    bool rescaled = false
)
{
    scalarCase c;
    c.b.lattice = lattice;
    c.b.size = {N, N, is3D(lattice) ? N : 1};
    const int d = is3D(lattice) ? 3 : 2;
    const auto e = make(c);

    // Along no axis
    const vec u{speed, -0.5*speed, d == 3 ? 0.25*speed : 0};
    const double D = 0.1, width0 = 0.07*N;
    const std::int64_t steps = std::lround(0.25*N/speed);
    const auto exact = [&](const vec& x, double t)
    {
        const double s2 = width0*width0 + 2*D*t;
        double result = std::pow(width0*width0/s2, 0.5*d);
        for (int a = 0; a < d; ++a)
        {
            double sum = 0;
            for (int image = -3; image <= 3; ++image)
            {
                const double r = x[a] - 0.4*N - u[a]*t + image*N;
                sum += std::exp(-r*r/(2*s2));
            }
            result *= sum;
        }
        return result;
    };
    e->setDiffusivity(0, D);
    startFlow(*e, u);
    startScalar(*e, c, [&](const vec& x) { return exact(x, 0); });
    e->step(rescaled ? steps/2 : steps);
    if (rescaled)
    {
        const double tau = lbm::engineSettings().relaxationTime;
        e->rescale(0.5, 0.5 + 0.5*(tau - 0.5));
        e->step(2*(steps - steps/2));
    }
    return error(*e, c, [&](const vec& x) { return exact(x, steps); });
}


TEST_P(scalarTest, gaussianInThePlane)
{
    const auto make = [&](const scalarCase& c) { return engine(c); };
    std::vector<double> errors
    {
        gaussian(make, "D2Q9", 32, 0.04), gaussian(make, "D2Q9", 64, 0.02)
    };
    EXPECT_LT(errors[1], 6e-4);
    EXPECT_GT(orderOf(errors), 1.9) << errors[0] << " " << errors[1];
    if (exact())
    {
        errors.push_back(gaussian(make, "D2Q9", 128, 0.01));
        EXPECT_LT(errors[2], 1.5e-4);
    }
    recordOrder("C", errors);
}


TEST_P(scalarTest, gaussianInSpace)
{
    const auto make = [&](const scalarCase& c) { return engine(c); };
    for (const std::string lattice : {"D3Q19", "D3Q27"})
    {
        const std::vector<double> errors
        {
            gaussian(make, lattice, 12, 0.04), gaussian(make, lattice, 24, 0.02)
        };
        recordOrder("C, " + lattice, errors);
        EXPECT_LT(errors[1], 1.2e-3) << lattice;
        EXPECT_GT(orderOf(errors), 1.9)
            << lattice << " " << errors[0] << " " << errors[1];
    }
}


//- A rate of its own for the sum of the even moments: the same order, and with that
//  of the differences the bits of two relaxation times
TEST_P(scalarTest, rateOfTheSumOfEvenMoments)
{
    for (const double rate : {0.6, 1.0, 1.7})
    {
        const auto make = [&](const scalarCase& c)
        {
            auto e = engine(c);
            e->setRateOfSum(0, rate);
            return e;
        };
        const double coarse = gaussian(make, "D2Q9", 32, 0.04);
        const double fine = gaussian(make, "D2Q9", 64, 0.02);
        recordOrder("C, rate " + textOf(rate), {coarse, fine});
        EXPECT_LT(fine, 1.2e-3) << rate;
        EXPECT_GT(orderOf({coarse, fine}), 1.9)
            << rate << " " << coarse << " " << fine;
        const double halved = gaussian(make, "D2Q9", 64, 0.02, true);
        EXPECT_LT(halved, 1.5*fine) << rate;
    }

    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        scalarCase c;
        c.b.lattice = lattice;
        c.b.size = {12, 10, is3D(lattice) ? 8 : 1};
        const double D = 0.02, x = D*(is3D(lattice) ? 4.0 : 3.0);
        std::vector<double> values[3];
        for (int k = 0; k < 3; ++k)
        {
            const auto e = engine(c);
            e->setDiffusivity(0, D);
            if (k > 0)
            {
                const double same = 1/(0.5 + 1.0/6 + 150*x*x);
                e->setRateOfSum(0, k == 1 ? same : 1.2);
            }
            startFlow(*e, {0.05, -0.02, 0});
            startScalar(*e, c, [](const vec& y)
            {
                return std::sin(y[0]) + std::cos(2*y[1]);
            });
            e->step(20);
            values[k] = scalarOf(*e);
        }
        double off = 0, other = 0;
        for (std::size_t l = 0; l < values[0].size(); ++l)
        {
            off = std::max(off, std::abs(values[1][l] - values[0][l]));
            other = std::max(other, std::abs(values[2][l] - values[0][l]));
        }
        EXPECT_LT(off, exact() ? 1e-13 : 1e-5) << lattice;
        EXPECT_GT(other, 1e-4) << lattice;
    }
}


TEST_P(scalarTest, halfStepsGoOn)
{
    const auto make = [&](const scalarCase& c) { return engine(c); };
    const double plain = gaussian(make, "D2Q9", 64, 0.02);
    const double coarse = gaussian(make, "D2Q9", 32, 0.04, true);
    const double fine = gaussian(make, "D2Q9", 64, 0.02, true);
    recordOrder("C", {coarse, fine});
    EXPECT_LT(fine, 1.5*plain);
    EXPECT_GT(orderOf({coarse, fine}), 1.9) << coarse << " " << fine;
}


// * * * * * * * * * * * * * * * Flat boundaries * * * * * * * * * * * * * * //

//- Nodes between two boundaries across y, at distances from the first and the
//  last one
static scalarCase between
(
    const std::string& lattice,
    int N,
    const std::string& lower,
    double qLower,
    double qUpper
)
{
    scalarCase c;
    c.b.lattice = lattice;
    c.b.size = {3, N, is3D(lattice) ? 3 : 1};
    c.periodic[1] = false;
    c.link = [=](int i, int j, int k, int q)
    {
        scalarLinkCase l;
        l.group = q == 4 ? "lower" : "upper";
        l.type = q == 4 ? lower : "value";
        l.distance = q == 4 ? qLower : qUpper;
        if (l.type == "transfer")
        {
            l.image = {{i + 3*(j + 1 + N*k)}, {1.0f}};
        }
        return l;
    };
    return c;
}


TEST_P(scalarTest, conductionIsExact)
{
    const int N = 8;
    double largest = 0;
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        for (const double q : {0.5, 0.05, 0.3, 0.9, 1.0})
        {
            const double qUpper = 1 - q;
            const scalarCase c = between(lattice, N, "value", q, qUpper);
            const auto e = engine(c);
            e->setDiffusivity(0, 0.2);
            const double low = -0.5, high = 1;
            e->setScalarBoundary(0, "lower", &low, 1);
            e->setScalarBoundary(0, "upper", &high, 1);
            startFlow(*e, {0, 0, 0});
            startScalar(*e, c, [](const vec&) { return 0.0; });
            untilSteady(*e, 200, this->exact());
            const auto exact = [&](const vec& x)
            {
                return
                    low + (high - low)*(x[1] + q)/(N - 1 + q + qUpper);
            };
            const double off = error(*e, c, exact);
            largest = std::max(largest, off);
            EXPECT_LT(off, this->exact() ? 1e-8 : 1e-4) << lattice << " " << q;
        }
    }
    recordValue("largest error of C", largest);
}


//- The flux over the links of a group is the gain of its nodes, and in a steady state
//  the conducted flux
TEST_P(scalarTest, fluxOfAGroup)
{
    const int N = 8;
    const double D = 0.2, low = -0.5, high = 1, J = 1e-2;
    double largest = 0;
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    for (const std::string lower : {"value", "mixed", "flux", "transfer"})
    {
        scalarCase c = between(lattice, N, lower, 0.3, 0.7);
        const int nFaces = is3D(lattice) ? 9 : 3;
        if (lower == "mixed")
        {
            const auto without = c.link;
            c.link = [=](int i, int j, int k, int q)
            {
                scalarLinkCase l = *without(i, j, k, q);
                if (l.type == "mixed")
                {
                    l.image = {{i + 3*(j + N*k)}, {1.0f}};
                    l.factor = 0.3;
                }
                return l;
            };
        }
        const auto e = engine(c);
        e->setDiffusivity(0, D);

        // H, R and G: gradient and coefficient of a mixed condition, flux of a
        // transfer
        const double three[] = {0.5, low, 1e-3};
        e->setScalarBoundary
        (
            0,
            "lower",
            lower == "value" ? &low : lower == "flux" ? &J : three,
            1
        );
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0, 0, 0});
        startScalar(*e, c, [](const vec& x) { return 0.1*x[1]; });
        const auto sum = [&]()
        {
            double result = 0;
            for (const double x : scalarOf(*e))
            {
                result += x;
            }
            return result;
        };
        for (const int odd : {1, 2, 3})
        {
            e->step(odd);
            const double before = sum();
            e->step(1);
            const double off =
                sum() - before
              - (e->scalarFlux(0, "lower") + e->scalarFlux(0, "upper"));
            largest = std::max(largest, std::abs(off));
            EXPECT_NEAR(off, 0, exact() ? 1e-12 : 2e-5)
                << lattice << " " << lower;
        }

        untilSteady(*e, 200, exact());
        const double enters = e->scalarFlux(0, "lower")/nFaces;
        const double digits = exact() ? 1e-9 : 2e-5;
        EXPECT_NEAR(e->scalarFlux(0, "upper")/nFaces, -enters, digits)
            << lattice << " " << lower;
        if (lower == "value")
        {
            EXPECT_NEAR(enters, D*(low - high)/(N - 1 + 0.3 + 0.7), digits);
        }
        if (lower == "flux")
        {
            EXPECT_NEAR(enters, J, digits);
        }
    }
    recordValue("largest imbalance", largest);
}


//- A wall without thickness has on both sides what a thick one has, to the bit
TEST_P(scalarTest, thinWallIsAThickOne)
{
    const int M = 6;
    const double low = -0.5, high = 1, three[] = {0.5, 0.2, 1e-3};
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    for (const std::string kind : {"value", "mixed", "flux", "transfer"})
    for (const double q : {0.5, 0.3})
    {
        std::vector<double> values[2], fluxes[2];
        for (const int thick : {0, 1})
        {
            const int N = 2*M + thick, above = M + thick;
            scalarCase c = between(lattice, N, "value", 0.5, 0.5);
            if (thick)
            {
                c.b.solid = [=](int, int j, int) { return j == M; };
            }
            const auto ends = c.link;
            const auto link = [=](int i, int j, int k, int direction)
            {
                const int up = direction == 3;
                scalarLinkCase l = *ends(i, j, k, direction);
                if (up ? j == M - 1 : j == above)
                {
                    l.group = up ? "below" : "above";
                    l.type = kind;
                    l.distance = q;
                    l.factor = 0.3;
                    const int behind = kind == "mixed" ? j : up ? j - 1 : j + 1;
                    if (kind == "mixed" || kind == "transfer")
                    {
                        l.image = {{i + 3*(behind + N*k)}, {1.0f}};
                    }
                }
                return l;
            };
            c.link = link;
            lbm::latticeDescription d = c.description();
            if (!thick)
            {
                // Between two nodes the case has no links
                for (const int direction : {3, 4})
                {
                    lbm::scalarGroup g;
                    c.b.forNodes([&](int i, int j, int k)
                    {
                        if (j != (direction == 3 ? M - 1 : M))
                        {
                            return;
                        }
                        const scalarLinkCase l = link(i, j, k, direction);
                        g.name = l.group;
                        g.type = l.type;
                        g.node.push_back(d.boxIndex(i, j, k));
                        g.direction.push_back(direction);
                        g.face.push_back(0);
                        if (kind == "value" || kind == "mixed")
                        {
                            g.distance.push_back(q);
                        }
                        if (kind != "value")
                        {
                            g.factor.push_back(l.factor);
                        }
                        if (!l.image.node.empty())
                        {
                            g.image.push_back(l.image);
                        }
                    });
                    d.scalars[0].groups.push_back(g);
                }
            }

            lbm::engineSettings s;
            s.lattice = lattice;
            s.backend = backend_;
            s.precision = precision_;
            s.layout = layout_;
            const auto e = lbm::engine::New(s, d);
            e->setDiffusivity(0, 0.2);
            e->setScalarBoundary(0, "lower", &low, 1);
            e->setScalarBoundary(0, "upper", &high, 1);
            for (const std::string side : {"below", "above"})
            {
                const bool given = kind == "value" || kind == "flux";
                const double value = side == "below" ? 0.7 : -0.3;
                e->setScalarBoundary(0, side, given ? &value : three, 1);
            }
            startFlow(*e, {0, 0, 0});
            startScalar
            (
                *e,
                c,
                [&](const vec& x)
                {
                    const double y = x[1] - (x[1] > M - 0.5 ? thick : 0);
                    return std::floor(y + 0.5) < M ? 0.1*y : 1 - 0.05*y;
                }
            );
            for (const int steps : {1, 2, 40})
            {
                e->step(steps);
                const std::vector<double> now = scalarOf(*e);
                values[thick].insert
                (
                    values[thick].end(), now.begin(), now.end()
                );
                for (const std::string side : {"below", "above"})
                {
                    fluxes[thick].push_back(e->scalarFlux(0, side));
                }
            }
        }
        EXPECT_EQ(values[0], values[1]) << lattice << " " << kind << " " << q;
        EXPECT_EQ(fluxes[0], fluxes[1]) << lattice << " " << kind << " " << q;
        EXPECT_NE(fluxes[0][0], fluxes[0][1]);
    }
}


TEST_P(scalarTest, fluxEntersToTheDigit)
{
    const int N = 8;
    const scalarCase c = between("D2Q9", N, "flux", 0.5, 0.5);
    const auto e = engine(c);
    const double D = 0.2, J = 1e-2, high = 1;
    e->setDiffusivity(0, D);
    e->setScalarBoundary(0, "lower", &J, 1);
    e->setScalarBoundary(0, "upper", &high, 1);
    startFlow(*e, {0, 0, 0});
    startScalar(*e, c, [](const vec&) { return 1.0; });

    // Before anything has reached the other side all that enters stays
    double before = 0;
    for (const double x : scalarOf(*e))
    {
        before += x;
    }
    e->step(4);
    double after = 0;
    for (const double x : scalarOf(*e))
    {
        after += x;
    }
    EXPECT_NEAR(after - before, 4*3*J, exact() ? 1e-9 : 1e-5);

    untilSteady(*e, 200, exact());
    const auto linear = [&](const vec& x)
    {
        return high + J/D*(N - 0.5 - x[1]);
    };
    const double off = error(*e, c, linear);
    recordValue("error of C", off);
    EXPECT_LT(off, exact() ? 1e-8 : 1e-4);
}


//- Viscosities of their own for the nodes, linear across between boundaries
static void setLinearViscosity
(
    lbm::engine& e,
    const scalarCase& c,
    double low,
    double high
)
{
    std::vector<double> nu;
    for (const auto& n : fluidNodes(c))
    {
        nu.push_back(low + (high - low)*(n[1] + 0.5)/c.b.size[1]);
    }
    e.setViscosity(0, nu.size(), nu.data());
}


//- Conduction where the diffusivity follows from the viscosity, which is linear
//  across: a logarithm, also after a change of the time step
TEST_P(scalarTest, diffusivityOfTheNode)
{
    const double D = 0.02, nuLow = 0.01, nuHigh = 0.2, perViscosity = 1.25;
    const double DHigh = D + perViscosity*(nuHigh - nuLow);
    std::vector<double> errors(2);
    for (int k = 0; k < 2; ++k)
    {
        const int N = k ? 32 : 16;
        const scalarCase c = between("D2Q9", N, "value", 0.5, 0.5);
        const auto e = engine(c, false, {0, 0, 0}, true);
        const double low = 0, high = 1;
        e->setDiffusivity(0, D);
        e->setMixing(0, perViscosity, nuLow, 20);
        e->setScalarBoundary(0, "lower", &low, 1);
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0, 0, 0});
        setLinearViscosity(*e, c, nuLow, nuHigh);
        const auto logarithm = [&](const vec& x)
        {
            const double part = (x[1] + 0.5)/N;
            return std::log1p(part*(DHigh/D - 1))/std::log(DHigh/D);
        };
        startScalar(*e, c, logarithm);
        untilSteady(*e, 500, exact());
        errors[k] = error(*e, c, logarithm);

        e->rescale(0.5, 0.75);
        e->step(500);
        EXPECT_NEAR(error(*e, c, logarithm), errors[k], 0.1*errors[k]);
    }
    recordOrder("C", errors);
    EXPECT_LT(errors[1], 2.5e-3);
    EXPECT_GT(orderOf(errors), 1.85)
        << errors[0] << " " << errors[1];
}


//- What is exact for one diffusivity is so with that of the node
TEST_P(scalarTest, uniformMixingIsADiffusivity)
{
    const scalarCase c = between("D2Q9", 8, "value", 0.3, 0.8);
    std::vector<double> values[2];
    for (const bool mixes : {false, true})
    {
        const auto e = engine(c, false, {0, 0, 0}, true);
        const double low = 0, high = 1, nu = 0.05;
        e->setDiffusivity(0, mixes ? 0.01 : 0.01 + 0.8*0.04);
        e->setMixing(0, mixes ? 0.8 : 0, 0.01, 20);
        e->setScalarBoundary(0, "lower", &low, 1);
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0.02, 0, 0});
        setLinearViscosity(*e, c, nu, nu);
        startScalar(*e, c, [](const vec& x) { return std::sin(x[1]); });
        e->step(50);
        values[mixes] = scalarOf(*e);
    }
    for (std::size_t l = 0; l < values[0].size(); ++l)
    {
        EXPECT_NEAR(values[1][l], values[0][l], exact() ? 1e-13 : 1e-5);
    }
}


//- What a wall function gives: a flux of H (R - C of the node) + G
TEST_P(scalarTest, transferEntersToTheDigit)
{
    const int N = 8;
    const double D = 0.1, H = 0.03, R = 2, G = 1e-3, high = 1;
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        const scalarCase c = between(lattice, N, "transfer", 0.5, 0.5);
        const auto e = engine(c);
        const double lower[] = {H, R, G};
        e->setDiffusivity(0, D);
        e->setScalarBoundary(0, "lower", lower, 1);
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0, 0, 0});
        startScalar(*e, c, [](const vec&) { return 1.0; });
        untilSteady(*e, 200, exact());

        // In series with the fluid between the first node and the upper side
        const double J = (H*(R - high) + G)/(1 + H*(N - 0.5)/D);
        const auto linear = [&](const vec& x)
        {
            return high + J/D*(N - 0.5 - x[1]);
        };
        EXPECT_LT(error(*e, c, linear), exact() ? 1e-8 : 1e-4) << lattice;
    }
}


TEST_P(scalarTest, givenGradient)
{
    // Linear, so that an image of one place is exact
    const int N = 8;
    for (const double q : {0.5, 0.2, 0.8})
    {
        scalarCase c = between("D2Q9", N, "mixed", q, 0.5);
        const auto plain = c.link;
        c.link = [=](int i, int j, int k, int dir)
        {
            scalarLinkCase l = *plain(i, j, k, dir);
            if (l.type == "mixed")
            {
                l.image.node = {i + 3*(j + 1), i + 3*(j + 2)};
                l.image.weight = {0.5, 0.5};
                l.factor = q + 1.5;
            }
            return l;
        };
        const auto e = engine(c);
        const double G = -0.05, high = 1, lower[] = {0, 0, G};
        e->setDiffusivity(0, 0.1);
        e->setScalarBoundary(0, "lower", lower, 1);
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0, 0, 0});
        startScalar(*e, c, [](const vec&) { return 0.0; });
        untilSteady(*e, 500, exact());
        const auto linear = [&](const vec& x)
        {
            return high - G*(x[1] - (N - 0.5));
        };
        EXPECT_LT(error(*e, c, linear), exact() ? 1e-7 : 1e-3) << q;
    }
}


//- Advection against diffusion between two values, at walls and at openings
TEST_P(scalarTest, boundaryLayerOfThroughFlow)
{
    const double Pe = 4;
    for (const bool opening : {false, true})
    {
        std::vector<double> errors(2);
        for (int k = 0; k < 2; ++k)
        {
            const int N = k ? 32 : 16;
            scalarCase c;
            c.b.size = {3, N, 1};
            c.periodic[1] = false;
            c.link = [=](int, int, int, int q)
            {
                scalarLinkCase l;
                l.group = q == 4 ? "lower" : "upper";
                l.type = "value";
                l.throughFlow = opening;
                return l;
            };
            const auto e = engine(c);
            const double D = 0.1, low = 0, high = 1, u = Pe*D/N;
            e->setDiffusivity(0, D);
            e->setScalarBoundary(0, "lower", &low, 1);
            e->setScalarBoundary(0, "upper", &high, 1);
            startFlow(*e, {0, u, 0});
            startScalar(*e, c, [](const vec&) { return 0.0; });
            untilSteady(*e, 1000, exact());
            errors[k] = error(*e, c, [&](const vec& x)
            {
                return std::expm1(u*(x[1] + 0.5)/D)/std::expm1(Pe);
            });
        }
        recordOrder(opening ? "C, opening" : "C, wall", errors);
        EXPECT_LT(errors[1], opening ? 2e-3 : 1.5e-3) << opening;
        EXPECT_GT(orderOf(errors), 1.9)
            << opening << ": " << errors[0] << " " << errors[1];
    }
}


//- What enters close to nodes, where much diffuses, fills a box and stays
TEST_P(scalarTest, inflowOfLargeDiffusivity)
{
    scalarCase c;
    c.b.size = {12, 12, 1};
    c.periodic = {false, false, true};
    c.link = [](int i, int j, int, int q)
    {
        scalarLinkCase l;
        const bool out = q % 2;
        l.group = out ? "outlet" : "inlet";
        l.type = out ? "mixed" : "value";
        l.throughFlow = true;
        l.distance = out ? 0.5 : 0.1;
        if (out)
        {
            l.image = {{i + 12*j}, {1.0f}};
            l.factor = 0.5;
        }
        return l;
    };
    for (const double D : {0.05, 0.1, 0.24, 0.5})
    {
        const auto e = engine(c);
        const double one = 1, none[] = {0, 0, 0};
        e->setDiffusivity(0, D);
        e->setScalarBoundary(0, "inlet", &one, 1);
        e->setScalarBoundary(0, "outlet", none, 1);
        startFlow(*e, {0.05, 0.05, 0});
        startScalar(*e, c, [](const vec&) { return 0.0; });
        for (const int steps : {20, 4000})
        {
            e->step(steps);
            for (const double x : scalarOf(*e))
            {
                ASSERT_LT(x, 1.01) << D;
                ASSERT_GT(x, steps > 20 ? 0.999 : -0.01) << D;
            }
        }
    }
}


//- A wall heats what enters beside it, with hardly any conduction: no more than
//  the flux of the wall is in the fluid, at any distance from the inlet
TEST_P(scalarTest, wallBesideAnInlet)
{
    const std::array<std::int64_t, 3> size{24, 8, 1};
    scalarCase c;
    c.b.size = {int(size[0]), int(size[1]), 1};
    c.periodic = {false, false, true};
    c.link = [=](int i, int j, int, int q)
    {
        scalarLinkCase l;
        l.group = q == 1 ? "outlet" : q == 2 ? "inlet" : q == 4 ? "wall" : "top";
        l.type = q == 1 ? "mixed" : q == 2 ? "value" : "transfer";
        l.throughFlow = q < 3;
        if (q != 2)
        {
            const int inwards = q == 4 ? 1 : q == 3 ? -1 : 0;
            l.image = {{i + size[0]*(j + inwards)}, {1.0f}};
            l.factor = q == 1 ? 0.5 : 1;
        }
        return l;
    };
    const double u = 0.12, J = 1e-2, none[] = {0, 0, 0}, given[] = {0, 0, J};
    for (const double D : {1e-3, 0.02, 0.1})
    {
        const auto e = engine(c);
        e->setDiffusivity(0, D);
        e->setScalarBoundary(0, "inlet", none, 1);
        e->setScalarBoundary(0, "outlet", none, 1);
        e->setScalarBoundary(0, "top", none, 1);
        e->setScalarBoundary(0, "wall", given, 1);
        startFlow(*e, {u, 0, 0});
        startScalar(*e, c, [](const vec&) { return 0.0; });
        e->step(6000);
        const std::vector<double> C = scalarOf(*e);
        std::vector<double> flux(size[0]);
        for (int i = 0; i < size[0]; ++i)
        {
            for (int j = 0; j < size[1]; ++j)
            {
                flux[i] += u*C[i + size[0]*j];
            }
        }
        for (int i = 0; i + 2 < size[0]; ++i)
        {
            // By conduction, some comes from where the fluid is warmer, and leaves
            // through the inlet
            const double conducted =
                D/u*(flux[i + 1] - (i ? flux[i - 1] : 0))/(i ? 2 : 1.5);
            const double through = -2*D/u*flux[0];
            EXPECT_NEAR(flux[i] - conducted, (i + 0.5)*J + through, 0.3*J)
                << D << " " << i;
        }
        // It does not come from the fluid beside it
        for (int i = 0; i < size[0]; ++i)
        {
            EXPECT_GT(C[i + size[0]], -0.1*C[i]) << D << " " << i;
        }
    }
}


//- A resistance at the lower boundary: what passes it is H (R - C)
TEST_P(scalarTest, mixedConditionIsExact)
{
    const int N = 8;
    scalarCase c = between("D2Q9", N, "mixed", 0.5, 0.5);
    const auto plain = c.link;
    c.link = [=](int i, int j, int k, int dir)
    {
        scalarLinkCase l = *plain(i, j, k, dir);
        if (l.type == "mixed")
        {
            l.image.node = {i + 3*j, i + 3*(j + 1)};
            l.image.weight = {1.125, -0.125};
            l.factor = 0.375;
        }
        return l;
    };
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double H : {0.0, 0.2, 3.0, infinite})
    {
        const double R = -1, G = H == infinite ? 0 : 0.05, high = 1;
        const auto e = engine(c);
        const double lower[] = {H, R, G};
        e->setDiffusivity(0, 0.1);
        e->setScalarBoundary(0, "lower", lower, 1);
        e->setScalarBoundary(0, "upper", &high, 1);
        startFlow(*e, {0, 0, 0});
        startScalar(*e, c, [](const vec&) { return 0.0; });
        untilSteady(*e, 500, exact());

        // C = low + s y, and -s = H (R - low) + G
        const double low =
            H == infinite ? R : (high + N*(H*R + G))/(1 + N*H);
        const auto linear = [&](const vec& x)
        {
            return low + (high - low)*(x[1] + 0.5)/N;
        };
        EXPECT_LT(error(*e, c, linear), exact() ? 1e-7 : 1e-3) << H;
    }
}


// * * * * * * * * * * * * * * * Force on the flow * * * * * * * * * * * * * //

static std::vector<double> velocityOf(lbm::engine& e)
{
    std::vector<double> rho(e.nFluid()), u(3*e.nFluid());
    e.macroscopic(0, e.nFluid(), rho.data(), u.data());
    return u;
}


//- A scalar that is the same everywhere is a body force
TEST_P(scalarTest, uniformScalarIsABodyForce)
{
    for (const std::string lattice : {"D2Q9", "D3Q19", "D3Q27"})
    {
        const scalarCase c = between(lattice, 6, "flux", 0.5, 0.5);
        scalarCase walls = c;
        walls.link = [=](int i, int j, int k, int q)
        {
            scalarLinkCase l = *c.link(i, j, k, q);
            l.type = "flux";
            return l;
        };
        walls.b.periodic[1] = false;
        const double b = 1e-3;
        std::vector<double> u[2];
        for (const bool acts : {false, true})
        {
            const double F = acts ? 0.25*b : b;
            const auto e = engine(walls, acts, {F, 0, 0});
            if (acts)
            {
                e->setScalarForce(0, {1.5*b, 0, 0});
            }
            startScalar(*e, walls, [](const vec&) { return 0.5; });
            startFlow(*e, {0, 0, 0});
            startScalar(*e, walls, [](const vec&) { return 0.5; });
            e->step(25);
            u[acts] = velocityOf(*e);
        }
        for (std::size_t k = 0; k < u[0].size(); ++k)
        {
            EXPECT_NEAR
            (
                u[1][k],
                u[0][k],
                (exact() ? 1e-14 : precision_ == "half" ? 1e-5 : 2e-8)
            );
        }
    }
}


//- Convection between a warm and a cold plate, along them, is exact:
//  nu u'' = -b C,  C = -x/H about the middle
TEST_P(scalarTest, convectionBetweenPlatesIsExact)
{
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        for (const int N : {12, 24})
        {
            scalarCase c = between(lattice, N, "value", 0.5, 0.5);
            c.b.periodic[1] = false;
            const auto e = engine(c, true);
            const double low = 0.5, high = -0.5;
            e->setDiffusivity(0, 0.2);
            e->setScalarBoundary(0, "lower", &low, 1);
            e->setScalarBoundary(0, "upper", &high, 1);

            // The same Grashof number
            const double nu = (lbm::engineSettings().relaxationTime - 0.5)/3;
            const double b = 4000*nu*nu/(N*N*N);
            e->setScalarForce(0, {b, 0, 0});
            const auto linear = [&](const vec& x)
            {
                return 0.5 - (x[1] + 0.5)/N;
            };
            startScalar(*e, c, linear);
            startFlow(*e, {0, 0, 0});
            startScalar(*e, c, linear);
            e->step(30*N*N);

            const std::vector<double> u = velocityOf(*e);
            const auto nodes = fluidNodes(c);
            double sum = 0, norm = 0;
            for (std::size_t l = 0; l < nodes.size(); ++l)
            {
                const double y = nodes[l][1] + 0.5 - 0.5*N;
                const double wanted = b/(6*nu*N)*(y*y*y - 0.25*N*N*y);
                sum += std::pow(u[3*l] - wanted, 2);
                norm += wanted*wanted;
            }
            const double most =
                exact() ? 1e-12 : precision_ == "half" ? 0.05 : 1e-5;
            EXPECT_LT(std::sqrt(sum/norm), most) << lattice << " " << N;
        }
    }
}


//- A fluid that is warmer above stays at rest
TEST_P(scalarTest, stratifiedFluidStaysAtRest)
{
    const int N = 12;
    scalarCase c = between("D2Q9", N, "value", 0.5, 0.5);
    c.b.periodic[1] = false;
    const auto e = engine(c, true);
    const double low = -0.5, high = 0.5;
    e->setDiffusivity(0, 0.2);
    e->setScalarBoundary(0, "lower", &low, 1);
    e->setScalarBoundary(0, "upper", &high, 1);
    e->setScalarForce(0, {0, 1e-4, 0});
    const auto linear = [&](const vec& x) { return (x[1] + 0.5)/N - 0.5; };
    startScalar(*e, c, linear);
    startFlow(*e, {0, 0, 0});
    startScalar(*e, c, linear);
    e->step(4000);
    for (const double u : velocityOf(*e))
    {
        EXPECT_NEAR(u, 0, exact() ? 1e-11 : precision_ == "half" ? 1e-4 : 1e-6);
    }
    EXPECT_LT(error(*e, c, linear), exact() ? 1e-8 : 1e-3);
}


//- Populations are all that there is of a moment, with those of the scalar
TEST_P(scalarTest, goesOnFromPopulations)
{
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        scalarCase c = between(lattice, 7, "value", 0.5, 0.5);
        c.b.periodic[1] = false;
        const auto made = [&]
        {
            auto e = engine(c, true);
            const double low = 0.5, high = -0.5;
            e->setDiffusivity(0, 0.15);
            e->setScalarBoundary(0, "lower", &low, 1);
            e->setScalarBoundary(0, "upper", &high, 1);
            e->setScalarForce(0, {1e-3, 5e-4, 0});
            return e;
        };
        const auto start = [](const vec& x) { return std::sin(x[0] + x[1]); };
        const auto first = made(), second = made();
        startScalar(*first, c, start);
        startFlow(*first, {0.01, 0, 0});
        startScalar(*first, c, start);
        first->step(7);

        const std::int64_t n = first->nFluid();
        const std::size_t width = first->populationBytes();
        std::vector<char> all(n*width), held(n*width), end[2];
        first->getPopulations(0, n, all.data());
        first->holdPopulations()->get(0, n, held.data());
        EXPECT_EQ(all, held);
        second->setPopulations(0, n/2, all.data());
        second->setPopulations(n/2, n - n/2, all.data() + n/2*width);
        EXPECT_EQ(velocityOf(*second), velocityOf(*first)) << lattice;
        for (const auto& e : {first.get(), second.get()})
        {
            e->step(8);
            std::vector<char>& result = end[e == second.get()];
            result.resize(n*width);
            e->getPopulations(0, n, result.data());
        }
        EXPECT_EQ(end[0], end[1]) << lattice;
        EXPECT_EQ(scalarOf(*first), scalarOf(*second)) << lattice;
    }
}


// * * * * * * * * * * * * * * Curved boundaries * * * * * * * * * * * * * * //

//- Gradient along a link half-way, from a polynomial of second order through the
//  nodes around the boundary at x, by least squares, whose gradient along the
//  outward normal there is the given one
static void fitGradient
(
    const scalarCase& c,
    const std::array<double, 2>& node,
    const std::array<double, 2>& link,
    const std::array<double, 2>& x,
    const std::array<double, 2>& normal,
    scalarLinkCase& l
)
{
    const auto along = [&](const std::array<double, 2>& a)
    {
        return a[0]*normal[0] + a[1]*normal[1];
    };
    const auto across = [&](const std::array<double, 2>& a)
    {
        return a[1]*normal[0] - a[0]*normal[1];
    };
    const std::array<double, 2> half
    {
        node[0] + 0.5*link[0] - x[0], node[1] + 0.5*link[1] - x[1]
    };
    constexpr int n = 5;
    using terms = std::array<double, n>;
    double matrix[n][n + 1] = {};
    std::vector<terms> rows;
    std::vector<double> weights, heights;
    lbm::scalarImage& image = l.image;
    for (int j = std::floor(x[1]) - 3; j <= x[1] + 3; ++j)
    {
        for (int i = std::floor(x[0]) - 3; i <= x[0] + 3; ++i)
        {
            const double dx = i - x[0], dy = j - x[1];
            const double r2 = dx*dx + dy*dy;
            if (r2 > 6.25 || c.b.solid(i, j, 0))
            {
                continue;
            }
            const double s = along({dx, dy}), t = across({dx, dy});
            const terms row{1, t, s*s, s*t, t*t};
            rows.push_back(row);
            weights.push_back(1/(0.5 + r2));
            heights.push_back(s);
            image.node.push_back(i + c.b.size[0]*j);
            for (int p = 0; p < n; ++p)
            {
                for (int q = 0; q < n; ++q)
                {
                    matrix[p][q] += weights.back()*row[p]*row[q];
                }
            }
        }
    }

    // Derivative of each term along the link
    const double s = along(half), t = across(half);
    const double cs = along(link), ct = across(link);
    const terms derivative{0, ct, 2*s*cs, s*ct + t*cs, 2*t*ct};
    for (int p = 0; p < n; ++p)
    {
        matrix[p][n] = derivative[p];
    }
    for (int p = 0; p < n; ++p)
    {
        for (int q = 0; q < n; ++q)
        {
            const double f = q == p ? 0 : matrix[q][p]/matrix[p][p];
            for (int k = p; k <= n; ++k)
            {
                matrix[q][k] -= f*matrix[p][k];
            }
        }
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
    {
        double w = 0;
        for (int p = 0; p < n; ++p)
        {
            w += matrix[p][n]/matrix[p][p]*rows[k][p];
        }
        w *= weights[k];
        image.weight.push_back(w);
        l.factor -= w*heights[k];
    }
    l.factor += cs;
}


//- Between two circles: cos(phi) on the outer one, and on the inner one zero, or
//  no gradient
static double ring
(
    const std::function<std::unique_ptr<lbm::engine>(const scalarCase&)>& make,
    int N,
    bool insulated,
    bool exact
)
{
    // Not symmetric about the nodes
    const double x0 = 0.5*N - 0.37, y0 = 0.5*N - 0.61;
    const double inner = 0.17*N, outer = 0.43*N;
    const auto radius = [=](double x, double y)
    {
        return std::hypot(x - x0, y - y0);
    };

    scalarCase c;
    c.b.size = {N, N, 1};
    c.b.solid = [=](int i, int j, int)
    {
        const double r = radius(i, j);
        return r <= inner || r >= outer;
    };
    std::vector<double> values;
    const auto cs = lbm::directions("D2Q9");
    c.link = [&](int i, int j, int, int q)
    {
        // Where the link crosses the circle
        double below = 0, above = 1;
        const double R =
            radius(i + cs[q][0], j + cs[q][1]) <= inner ? inner : outer;
        const auto inside = [&](double s)
        {
            const double r = radius(i + s*cs[q][0], j + s*cs[q][1]);
            return R == inner ? r <= inner : r >= outer;
        };
        for (int k = 0; k < 60; ++k)
        {
            (inside(0.5*(below + above)) ? above : below) =
                0.5*(below + above);
        }
        const double x = i + below*cs[q][0], y = j + below*cs[q][1];

        scalarLinkCase l;
        l.group = R == inner ? "inner" : "outer";
        l.type = R == inner && insulated ? "flux" : "value";
        l.distance = below;
        l.face = values.size();
        values.push_back(R == inner ? 0 : (x - x0)/R);
        if (l.type == "flux")
        {
            l.factor = 0;
            fitGradient
            (
                c,
                {double(i), double(j)},
                {double(cs[q][0]), double(cs[q][1])},
                {x, y},
                {(x0 - x)/R, (y0 - y)/R},
                l
            );
        }
        return l;
    };
    const auto e = make(c);
    e->setDiffusivity(0, 0.3);
    e->setScalarBoundary(0, "inner", values.data(), values.size());
    e->setScalarBoundary(0, "outer", values.data(), values.size());
    startFlow(*e, {0, 0, 0});
    startScalar(*e, c, [](const vec&) { return 0.0; });
    untilSteady(*e, N*N/4, exact);
    const double sign = insulated ? 1 : -1;
    return error(*e, c, [&](const vec& x)
    {
        const double r = radius(x[0], x[1]);
        return
            (r + sign*inner*inner/r)/(outer + sign*inner*inner/outer)
           *(x[0] - x0)/r;
    });
}


TEST_P(scalarTest, ringOfGivenValues)
{
    const auto make = [&](const scalarCase& c) { return engine(c); };
    std::vector<double> errors
    {
        ring(make, 24, false, exact()), ring(make, 48, false, exact())
    };
    EXPECT_LT(errors[1], 4e-4);
    EXPECT_GT(orderOf(errors), 1.9) << errors[0] << " " << errors[1];
    if (exact())
    {
        errors.push_back(ring(make, 96, false, exact()));
        EXPECT_LT(errors[2], 9e-5);
    }
    recordOrder("C", errors);
}


TEST_P(scalarTest, ringWithInsulation)
{
    const auto make = [&](const scalarCase& c) { return engine(c); };
    std::vector<double> errors
    {
        ring(make, 24, true, exact()), ring(make, 48, true, exact())
    };
    EXPECT_LT(errors[1], 7e-4);
    EXPECT_GT(orderOf(errors), 1.9) << errors[0] << " " << errors[1];
    if (exact())
    {
        errors.push_back(ring(make, 96, true, exact()));
        EXPECT_LT(errors[2], 7e-5);
    }
    recordOrder("C", errors);
}

//- A channel under a lid with small obstacles, insulated but for its bottom and the
//  lid. Most of its lines of memory are interior, whole and in part, and have links
static scalarCase obstructed
(
    const std::string& lattice,
    const std::array<std::int64_t, 3>& size,
    bool periodic,
    const std::string& lower
)
{
    scalarCase c;
    c.b.lattice = lattice;
    c.b.size = size;
    c.b.periodic = {periodic, false, false};
    c.b.lidAxis = 1;
    c.b.solid = [=](int i, int j, int)
    {
        return j == 3 && (i == 40 || i == 41 || i == 67 || i == 100);
    };
    c.periodic = c.b.periodic;
    c.link = [=](int i, int j, int k, int q)
    {
        scalarLinkCase l;
        const bool atBottom = q == 4 && j == 0;
        const bool atLid = q == 3 && j == size[1] - 1;
        l.group = atBottom ? "lower" : atLid ? "upper" : "insulated";
        l.type = atBottom ? lower : atLid ? "value" : "flux";
        l.distance = atBottom ? 0.3 : 0.8;
        if (l.type == "transfer")
        {
            l.image = {{i + size[0]*(j + 1 + size[1]*k)}, {1.0f}};
        }
        return l;
    };
    return c;
}

//- What a run has
struct scalarRun
{
    std::string layout = "dense";
    std::string collision = "TRT";
    int nScalars = 1;
    bool acts = false;
    bool mixes = false;
    bool forces = false;

    std::string name() const
    {
        return
            layout + " " + collision + ", " + std::to_string(nScalars)
          + " scalars" + (acts ? ", acts" : "") + (mixes ? ", mixes" : "")
          + (forces ? ", forces" : "");
    }
};


//- Where nodes work on their links themselves, and what enters them lacks a part
//  until it is read
class scalarOnDevice
:
    public testing::TestWithParam<std::tuple<std::string, std::string>>
{
protected:

    std::string device_ = std::get<0>(GetParam());
    std::string precision_ = std::get<1>(GetParam());

    void SetUp() override
    {
        if (!available(device_))
        {
            GTEST_SKIP() << "no CUDA device";
        }
    }

    //- Velocities and scalars after some steps
    std::vector<double> after
    (
        const scalarCase& c,
        const lbm::latticeDescription& d,
        const scalarRun& run,
        const std::string& backend
    ) const
    {
        lbm::engineSettings s;
        s.lattice = c.b.lattice;
        s.layout = run.layout;
        s.backend = backend;
        s.precision = precision_;
        s.bodyForce = {1e-4, 0, 0};
        s.collision = run.collision;
        s.relaxationTime = 0.55;
        s.variableViscosity = run.mixes;
        s.nodeForces = run.forces;
        const auto e = lbm::engine::New(s, d);

        const double lid[] = {0.05, 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, lid, 1);
            }
        }
        if (run.mixes)
        {
            setLinearViscosity(*e, c, 0.01, 0.1);
        }
        if (run.acts)
        {
            e->setScalarForce(run.nScalars/2, {0, 1e-4, 0});
        }
        if (run.forces)
        {
            std::vector<double> a, drag;
            for (int l = 0; l < e->nFluid(); ++l)
            {
                a.insert(a.end(), {1e-5*(l % 3), 0, 0});
                drag.insert(drag.end(), {0.1, 0.1, 0.1, 0.02, 0, 0});
            }
            e->setForces(e->nFluid(), nullptr, a.data(), drag.data());
        }
        const auto startScalars = [&]()
        {
            for (int i = 0; i < run.nScalars; ++i)
            {
                const auto start = [&](const vec& x)
                {
                    return std::sin(x[0] + i) + x[1];
                };
                startScalar(*e, c, start, i);
            }
        };

        // The velocity is set with the force of the scalar, and the scalar with
        // the velocity
        startScalars();
        startFlow(*e, {0, 0, 0});
        for (int i = 0; i < run.nScalars; ++i)
        {
            const double high = i, none = 0;
            const double low[] = {1, 0.5, 0.01};
            for (const lbm::scalarGroup& g : d.scalars[i].groups)
            {
                if (g.name != "cyclic")
                {
                    e->setScalarBoundary
                    (
                        i,
                        g.name,
                        g.name == "lower" ? low
                      : g.name == "upper" ? &high
                      : &none,
                        1
                    );
                }
            }
            if (run.mixes)
            {
                // One without a limit of the cell Peclet number
                e->setMixing(i, 1.2, 0.01, i == 1 ? 1e30 : 2);
            }
        }
        startScalars();
        for (const int n : {1, 4, 16})
        {
            e->step(n);
        }

        std::vector<double> values = velocityOf(*e);
        for (int i = 0; i < run.nScalars; ++i)
        {
            const std::vector<double> own = scalarOf(*e, i);
            values.insert(values.end(), own.begin(), own.end());
        }
        return values;
    }

    //- Are those of the device those of the host: to the bit on the emulated one
    void compare
    (
        const scalarCase& c,
        lbm::latticeDescription d,
        const scalarRun& run
    ) const
    {
        d.scalars.resize(run.nScalars, d.scalars[0]);
        d.scalars[run.nScalars/2].acts = run.acts;
        for (lbm::scalarGroup& g : d.scalars.back().groups)
        {
            g.throughFlow = g.type == "value";
        }
        const std::vector<double> host = after(c, d, run, "host");
        const std::vector<double> device = after(c, d, run, device_);

        const double most = device_ == "emulated" ? 0 : 1e-5;
        std::size_t nOff = 0, first = 0;
        for (std::size_t l = host.size(); l-- > 0;)
        {
            // Or not a number
            if (!(std::abs(device[l] - host[l]) <= most))
            {
                ++nOff;
                first = l;
            }
        }
        EXPECT_EQ(nOff, 0u)
            << c.b.lattice << " " << run.name() << ": the first is " << first
            << ", " << device[first] << " in place of " << host[first];
    }

    //- Of all links of a type that have a node behind their own
    static void setDistances
    (
        const std::string& lattice,
        lbm::latticeDescription& d,
        const std::string& type,
        float distance
    )
    {
        const auto c = lbm::directions(lattice);
        for (lbm::linkGroup& g : d.groups)
        {
            for (std::size_t l = 0; g.type == type && l < g.size(); ++l)
            {
                // Opposite directions are side by side
                const int i = g.direction[l];
                const auto& behind = c[i % 2 ? i + 1 : i - 1];
                g.distance.push_back
                (
                    d.isFluid(d.neighbour(g.node[l], behind)) ? distance : 0.5f
                );
            }
        }
    }
};

TEST_P(scalarOnDevice, isThatOfTheHost)
{
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    for (const std::string layout : {"dense", "list"})
    for (const bool acts : {false, true})
    for (const bool mixes : {false, true})
    {
        if (!hasLattice(device_, precision_, lattice))
        {
            continue;
        }

        // Links of given velocities or distances are nowhere far: all nodes are
        // shell
        scalarCase c = between
        (
            lattice, 7, mixes ? "transfer" : "value", mixes ? 0.5 : 0.3, 0.8
        );
        c.b.periodic[1] = false;
        c.b.lidAxis = 1;
        lbm::latticeDescription d = c.description();
        setDistances(lattice, d, "wall", 0.3f);
        setDistances(lattice, d, "velocity", 0.8f);
        compare(c, d, {layout, "TRT", mixes ? 6 : 1, acts, mixes, false});
    }
}

TEST_P(scalarOnDevice, goesAlongWithTheNodesOfTheFlow)
{
    const emulatedCalls before = callsWithScalars;
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    {
        if (!hasLattice(device_, precision_, lattice))
        {
            continue;
        }

        // Wall nodes are interior if their links add nothing
        const bool space = is3D(lattice);
        for (const bool acts : {false, true})
        for (const bool mixes : {false, true})
        for (const bool forces : {false, true})
        for (const int nScalars : {1, 6})
        {
            const scalarCase c = obstructed
            (
                lattice,
                {200, 7, space ? 3 : 1},
                true,
                mixes ? "transfer" : "value"
            );
            lbm::latticeDescription d = c.description();
            setDistances(lattice, d, "velocity", 0.8f);
            compare(c, d, {"dense", "TRT", nScalars, acts, mixes, forces});
        }
        for (const std::string& collision : lbm::collisionsOn(lattice))
        {
            const scalarCase c = obstructed
            (
                lattice, {200, 7, space ? 3 : 1}, true, "value"
            );
            compare(c, c.description(), {"dense", collision, 1, true});
        }

        // In a list they are, too, where their links have distances
        for (const bool acts : {false, true})
        for (const bool forces : {false, true})
        for (const int nScalars : {1, 6})
        {
            const scalarCase c = obstructed
            (
                lattice,
                {70, space ? 20 : 40, space ? 3 : 1},
                false,
                forces ? "transfer" : "value"
            );
            lbm::latticeDescription d = c.description();
            setDistances(lattice, d, "wall", 0.3f);
            setDistances(lattice, d, "velocity", 0.8f);
            compare(c, d, {"list", "TRT", nScalars, acts, false, forces});
        }
    }

    if (device_ == "emulated")
    {
        EXPECT_GT(callsWithScalars.vectors, before.vectors);
        EXPECT_GT(callsWithScalars.lines, before.lines);
        EXPECT_GT(callsWithScalars.lookedUp, before.lookedUp);
    }
}

INSTANTIATE_TEST_SUITE_P
(
    devices,
    scalarOnDevice,
    testing::Combine
    (
        testing::Values("emulated", "cuda"),
        testing::Values("half", "single")
    ),
    [](const auto& info)
    {
        return
            std::get<0>(info.param) + "_" + std::get<1>(info.param);
    }
);


// * * * * * * * * * * * * * * * * Bad input * * * * * * * * * * * * * * * * //

TEST(scalar, badInputIsRefused)
{
    const scalarCase c = between("D2Q9", 6, "value", 0.5, 0.5);
    const lbm::latticeDescription good = c.description();
    lbm::engineSettings s;
    s.lattice = "D2Q9";
    s.backend = "host";

    const auto refused =
    [&](const std::string& what, const auto& change, int nScalars = 1)
    {
        lbm::latticeDescription d = good;
        change(d.scalars[0]);
        d.scalars.resize(nScalars, d.scalars[0]);
        try
        {
            lbm::engine::New(s, d);
            ADD_FAILURE() << what << " is accepted";
        }
        catch (const lbm::error& e)
        {
            EXPECT_NE(std::string(e.what()).find(what), std::string::npos)
                << e.what();
        }
    };
    using scalars = lbm::scalarDescription;
    refused("unknown kind of scalar group 'wall'", [](scalars& x)
    {
        x.groups[1].type = "wall";
    });
    refused("is in no scalar group", [](scalars& x) { x.groups.pop_back(); });
    refused("is in two scalar groups", [](scalars& x)
    {
        x.groups.push_back(x.groups.back());
        x.groups.back().name = "again";
    });
    refused("there are two scalar groups", [](scalars& x)
    {
        x.groups.push_back(x.groups.back());
    });
    refused("is not along an axis", [](scalars& x)
    {
        x.groups[1].direction[0] = 5;
    });
    refused("of direction", [](scalars& x)
    {
        x.groups[1].direction.pop_back();
    });
    refused("leads to a fluid node", [](scalars& x)
    {
        x.groups[1].direction[0] = 3;
    });
    refused("is not between 0 and 1", [](scalars& x)
    {
        x.groups[1].distance[0] = 1.5;
    });

    const auto e = lbm::engine::New(s, good);
    EXPECT_THROW(e->setDiffusivity(0, -1), lbm::error);
    EXPECT_THROW(e->setRateOfSum(0, -0.1), lbm::error);
    EXPECT_THROW(e->setRateOfSum(0, 2), lbm::error);
    EXPECT_THROW(e->scalarFlux(0, "none"), lbm::error);
    EXPECT_THROW(e->scalarFlux(0, "cyclic"), lbm::error);
    EXPECT_THROW(e->setMixing(0, -1, 0, 2), lbm::error);
    EXPECT_THROW(e->setMixing(0, 1, -1, 2), lbm::error);
    EXPECT_THROW(e->setMixing(0, 1, 1, 0), lbm::error);
    EXPECT_THROW(e->setScalarBoundary(0, "none", nullptr, 0), lbm::error);
    EXPECT_THROW(e->setScalarBoundary(0, "lower", nullptr, 0), lbm::error);
    EXPECT_THROW(e->setScalarBoundary(0, "cyclic", nullptr, 0), lbm::error);
    EXPECT_THROW(e->setScalarForce(0, {0, 0, 0}), lbm::error);
    refused("2 scalars are to act on the flow", [&](scalars& x)
    {
        x.acts = true;
    }, 2);

    lbm::latticeDescription without = good;
    without.scalars.clear();
    EXPECT_ANY_THROW
    (
        lbm::engine::New(s, without)->setDiffusivity(0, 0.1)
    );
}


INSTANTIATE_TEST_SUITE_P
(
    engines,
    scalarTest,
    testing::Combine
    (
        testing::Values("host", "cuda"),
        testing::Values("single", "double"),
        testing::Values("dense", "list")
    ),
    [](const auto& info)
    {
        return
            std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_"
          + std::get<2>(info.param);
    }
);

INSTANTIATE_TEST_SUITE_P
(
    halfEngines,
    scalarTest,
    testing::Combine
    (
        testing::Values("host", "cuda"),
        testing::Values("half"),
        testing::Values("dense")
    ),
    [](const auto& info) { return std::get<0>(info.param); }
);

} // End namespace lbmTest
