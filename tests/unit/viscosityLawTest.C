// Viscosities from laws of the velocity gradient: against the formulas of
// OpenFOAM's models on its Gauss gradient, and flows with exact profiles

#include "latticeRegion.H"

#include <algorithm>
#include <random>

namespace lbmTest
{

using gradient = std::array<vec, 3>;

namespace
{

double magSqrSymm(const gradient& G)
{
    double result = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            result += std::pow(0.5*(G[i][j] + G[j][i]), 2);
        }
    }
    return result;
}


double traceOf(const gradient& G)
{
    return G[0][0] + G[1][1] + G[2][2];
}


gradient square(const gradient& G)
{
    gradient result{};
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            for (int k = 0; k < 3; ++k)
            {
                result[i][j] += G[i][k]*G[k][j];
            }
        }
    }
    return result;
}


//- As WALE.C: k by Ck, which cancels
double wale(const gradient& G, double Cw, double delta)
{
    const double Ck = 0.094;
    const gradient gg = square(G);
    const double Sd = magSqrSymm(gg) - std::pow(traceOf(gg), 2)/3;
    const double lower =
        std::pow(magSqrSymm(G), 2.5) + std::pow(Sd, 1.25);
    const double k =
        std::pow(Cw*Cw*delta/Ck, 2)*std::pow(Sd, 3)/(lower*lower);
    return Ck*delta*std::sqrt(k);
}


//- As Smagorinsky.C
double smagorinsky(const gradient& G, double Ck, double Ce, double delta)
{
    const double a = Ce/delta;
    const double b = 2.0/3.0*traceOf(G);
    const double c =
        2*Ck*delta*(magSqrSymm(G) - std::pow(traceOf(G), 2)/3);
    const double k =
        std::pow((-b + std::sqrt(b*b + 4*a*c))/(2*a), 2);
    return Ck*delta*std::sqrt(k);
}

} // End anonymous namespace


class viscosityLaw : public formulaTest
{
protected:

    //- A room with a block, walls across x, a lid and, in 3-D, cyclic across z
    static box room(const std::string& lattice)
    {
        box b;
        b.lattice = lattice;
        b.size = {9, 8, is3D(lattice) ? 6 : 1};
        b.periodic = {false, false, true};
        b.lidAxis = 1;
        b.solid = [](int i, int j, int) { return i == 3 && j < 3; };
        return b;
    }

    static constexpr double lid_[3] = {0.05, 0, 0.01};

    static void setLid(lbm::engine& e, const lbm::latticeDescription& d)
    {
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e.setBoundaryValues(g, lid_, 1);
            }
        }
    }

    lbm::engineSettings settings(const std::string& lattice) const
    {
        lbm::engineSettings s = formulaTest::settings(lattice);
        s.variableViscosity = true;
        s.modelledViscosity = true;
        return s;
    }

    //- In some flow
    std::unique_ptr<lbm::engine> inFlow
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    ) const
    {
        auto e = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        std::mt19937 random(n);
        std::uniform_real_distribution<double> any(-2e-2, 2e-2);
        std::vector<double> rho(n), u(3*n);
        for (std::int64_t i = 0; i < n; ++i)
        {
            rho[i] = any(random);
            for (int a = 0; a < 3; ++a)
            {
                u[3*i + a] = a == 2 && !is3D(s.lattice) ? 0 : any(random);
            }
        }
        e->initialise(0, n, rho.data(), u.data(), nullptr);
        setLid(*e, d);
        return e;
    }

    //- Velocity gradients of the nodes of the room by the theorem of Gauss
    std::vector<gradient> gradients(const box& b, lbm::engine& e) const
    {
        const fields f(e);
        const lbm::latticeDescription d = b.description();
        std::vector<std::int64_t> number(d.fluid.size(), -1);
        std::int64_t n = 0;
        for (std::size_t i = 0; i < number.size(); ++i)
        {
            number[i] = d.fluid[i] ? n++ : -1;
        }

        std::vector<gradient> result;
        b.forNodes([&](int i, int j, int k)
        {
            const std::int64_t own = number[d.boxIndex(i, j, k)];
            if (own < 0)
            {
                return;
            }
            gradient G{};
            for (int a = 0; a < (is3D(b.lattice) ? 3 : 2); ++a)
            for (int side : {-1, 1})
            {
                std::array<std::int64_t, 3> x{i, j, k};
                x[a] += side;
                if (b.periodic[a])
                {
                    x[a] = (x[a] + b.size[a]) % b.size[a];
                }
                const bool out = x[a] < 0 || x[a] >= b.size[a];
                const std::int64_t other =
                    out ? -1 : number[d.boxIndex(x[0], x[1], x[2])];
                for (int c = 0; c < (is3D(b.lattice) ? 3 : 2); ++c)
                {
                    const double there =
                        out && a == 1 && side == 1 ? lid_[c]
                      : other < 0 ? 0
                      : 0.5*(f.u[3*own + c] + f.u[3*other + c]);
                    G[a][c] += side*there;
                }
            }
            result.push_back(G);
        });
        return result;
    }

    struct law
    {
        lbm::viscosityModel model;
        std::function<double(const gradient&, std::int64_t node)> nu;
    };

    //- All of them. delta: filter width of a node
    static std::vector<law> all(const std::function<double(int)>& delta, int n)
    {
        const auto rate = [](const gradient& G)
        {
            return std::sqrt(2*magSqrSymm(G));
        };
        const auto ofFluid =
        [&](const char* name, std::vector<double> p, auto nu)
        {
            law result;
            result.model.fluid = name;
            result.model.fluidParameters = p;
            result.nu = [=](const gradient& G, std::int64_t)
            {
                return nu(rate(G));
            };
            return result;
        };
        std::vector<law> result
        {
            ofFluid("Newtonian", {0.03}, [](double) { return 0.03; }),
            ofFluid
            (
                "powerLaw",
                {0.02, 0.6, 0.03, 0.2, 50},
                [](double g)
                {
                    return std::max
                    (
                        0.03, std::min(0.2, 0.02*std::pow(50*g, -0.4))
                    );
                }
            ),
            ofFluid
            (
                "CrossPowerLaw",
                {0.1, 0.01, 40, 0.7},
                [](double g)
                {
                    return 0.09/(1 + std::pow(40*g, 0.7)) + 0.01;
                }
            ),
            ofFluid
            (
                "BirdCarreau",
                {0.1, 0.01, 40, 0.5, 2},
                [](double g)
                {
                    return 0.01 + 0.09*std::pow(1 + std::pow(40*g, 2), -0.25);
                }
            ),
            ofFluid
            (
                "Casson",
                {0.02, 1e-4, 0.03, 0.2},
                [](double g)
                {
                    return std::max
                    (
                        0.03,
                        std::min
                        (
                            0.2,
                            std::pow(std::sqrt(1e-4/g) + std::sqrt(0.02), 2)
                        )
                    );
                }
            ),
            ofFluid
            (
                "HerschelBulkley",
                {0.5, 0.8, 1e-4, 0.2, 40},
                [](double g)
                {
                    return std::min
                    (
                        0.2, (1e-4 + 0.5/40*std::pow(40*g, 0.8))/g
                    );
                }
            )
        };

        law eddies;
        eddies.model.fluid = "Newtonian";
        eddies.model.fluidParameters = {0.001};
        eddies.model.eddies = "WALE";
        eddies.model.eddyParameters = {0.325};
        eddies.model.delta = {1.3};
        eddies.nu = [](const gradient& G, std::int64_t)
        {
            return 0.001 + wale(G, 0.325, 1.3);
        };
        result.push_back(eddies);

        eddies.model.eddies = "Smagorinsky";
        eddies.model.eddyParameters = {0.094, 1.048};
        eddies.model.delta.clear();
        for (int i = 0; i < n; ++i)
        {
            eddies.model.delta.push_back(delta(i));
        }
        eddies.nu = [=](const gradient& G, std::int64_t node)
        {
            return 0.001 + smagorinsky(G, 0.094, 1.048, delta(node));
        };
        result.push_back(eddies);
        return result;
    }
};


TEST_P(viscosityLaw, isThatOfOpenFOAMsModels)
{
    const auto delta = [](int node) { return 1 + 0.1*(node % 5); };
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        const box b = room(lattice);
        const auto d = b.description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        const auto e = inFlow(s, d);
        for (int steps : {0, 3})
        {
            e->setViscosity
            (
                0, e->nFluid(), std::vector<double>(e->nFluid(), 0.1).data()
            );
            e->step(steps);
            const auto G = gradients(b, *e);
            for (const law& l : all(delta, e->nFluid()))
            {
                e->setViscosityModel(l.model);
                e->updateViscosity();
                std::vector<double> nu(e->nFluid());
                e->viscosity(0, e->nFluid(), nu.data());
                for (std::size_t n = 0; n < nu.size(); ++n)
                {
                    const double exact = l.nu(G[n], n);
                    ASSERT_NEAR(nu[n], exact, 1e-9*exact)
                        << lattice << ' ' << layout << ' ' << l.model.fluid
                        << ' ' << l.model.eddies << ' ' << n;
                }
            }
        }
    }
}


// Between plates that move: no eddies in WALE, and Smagorinsky's of the shear
TEST_P(viscosityLaw, inPureShear)
{
    const int H = 10;
    for (const std::string& lattice : lattices())
    {
        box b;
        b.lattice = lattice;
        b.size = {4, H, is3D(lattice) ? 4 : 1};
        b.periodic[1] = false;
        b.lidAxis = 1;
        const auto d = b.description();
        const auto e = lbm::engine::New(settings(lattice), d);
        const std::int64_t n = e->nFluid();
        std::vector<double> rho(n), u(3*n);
        for (std::int64_t i = 0; i < n; ++i)
        {
            u[3*i] = 0.05*((i/4 % H) + 0.5)/H;
        }
        e->initialise(0, n, rho.data(), u.data(), nullptr);
        const double lid[3] = {0.05, 0, 0};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                e->setBoundaryValues(g, lid, 1);
            }
        }

        lbm::viscosityModel m;
        m.fluidParameters = {0.01};
        m.eddies = "WALE";
        m.eddyParameters = {0.325};
        m.delta = {1};
        std::vector<double> nu(n);
        const auto evaluate = [&]()
        {
            e->setViscosityModel(m);
            e->updateViscosity();
            e->viscosity(0, n, nu.data());
        };
        evaluate();
        for (const double x : nu)
        {
            EXPECT_NEAR(x, 0.01, 1e-12);
        }

        m.eddies = "Smagorinsky";
        m.eddyParameters = {0.094, 1.048};
        evaluate();
        const double Cs2 = 0.094*std::sqrt(0.094/1.048);
        for (const double x : nu)
        {
            EXPECT_NEAR(x, 0.01 + Cs2*0.05/H, 1e-12);
        }
    }
}


// Steps of any number at a time are the same
TEST_P(viscosityLaw, isEvaluatedAtIntervals)
{
    const auto d = room("D3Q19").description();
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        lbm::engineSettings s = settings("D3Q19");
        s.layout = layout;
        lbm::viscosityModel m;
        m.fluidParameters = {0.002};
        m.eddies = "WALE";
        m.eddyParameters = {2};
        m.delta = {2};
        m.interval = 4;

        std::vector<std::vector<char>> results;
        for (int way = 0; way < 4; ++way)
        {
            const auto e = inFlow(s, d);
            m.interval = way == 3 ? 8 : 4;
            e->setViscosityModel(m);
            if (way == 0)
            {
                e->step(21);
            }
            for (int n : {3, 7, 1, 10})
            {
                if (way == 1)
                {
                    e->step(n);
                }
            }
            for (int step = 0; step < 21 && way >= 2; ++step)
            {
                if (step % 4 == 0)
                {
                    e->updateViscosity();
                }
                e->step(1);
            }
            results.push_back(populations(*e));
        }
        EXPECT_EQ(results[1], results[0]) << layout;
        EXPECT_EQ(results[2], results[0]) << layout;
        EXPECT_EQ(results[3], results[0]) << layout;

        // Later ones make a difference
        m.interval = 21;
        const auto e = inFlow(s, d);
        e->setViscosityModel(m);
        e->step(21);
        EXPECT_NE(populations(*e), results[0]) << layout;
    }
}


// Poiseuille of power-law fluids
TEST_P(viscosityLaw, powerLawPoiseuille)
{
    for (const double n : {0.5, 1.5})
    for (const std::string& lattice : lattices())
    {
        std::vector<double> errors;
        for (int H = 8; H <= (is3D(lattice) ? 16 : 32); H *= 2)
        {
            box b;
            b.lattice = lattice;
            b.size = {3, H, is3D(lattice) ? 3 : 1};
            b.periodic[1] = false;

            // Wall shear rate 1 in units of U/H: nu u' = 1 - 2 y, force 2
            const double nu = 0.1, peak = 0.4/H;
            lbm::engineSettings s = settings(lattice);
            s.collision = "TRT";
            s.bodyForce = {peak*2*nu/(H*H), 0, 0};
            const auto e = lbm::engine::New(s, b.description());
            const std::int64_t N = e->nFluid();
            std::vector<double> rho(N), u(3*N);
            const auto exact = [&](std::int64_t i)
            {
                const double p = 1 + 1/n;
                const double y = (i/3 % H + 0.5)/H;
                return peak*(1 - std::pow(std::abs(1 - 2*y), p))/(2*p);
            };
            for (std::int64_t i = 0; i < N; ++i)
            {
                u[3*i] = exact(i);
            }
            e->initialise(0, N, rho.data(), u.data(), nullptr);
            lbm::viscosityModel m;
            m.fluid = "powerLaw";
            m.fluidParameters = {nu, n, 1e-4, 20*nu, H/peak};
            e->setViscosityModel(m);

            const meanFields result = runToSteady(*e, 2*H*H, 1e-9);
            double sum = 0, norm = 0;
            for (std::int64_t i = 0; i < N; ++i)
            {
                sum += std::pow(result.u[3*i] - exact(i), 2);
                norm += exact(i)*exact(i);
            }
            errors.push_back(std::sqrt(sum/norm));
        }
        recordOrder("u, " + lattice + ", n " + textOf(n), errors);
        EXPECT_GE(orderOf(errors), 1.8) << lattice << n << ' ' << errors[0];
        EXPECT_LE(errors.back(), is3D(lattice) ? 0.02 : 0.01)
            << lattice << n;
    }
}


TEST_P(viscosityLaw, stateOfSomeNodes)
{
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        lbm::engineSettings s = settings("D3Q19");
        s.layout = layout;
        const auto e = inFlow(s, room("D3Q19").description());
        e->step(3);
        const fields all(*e);
        const std::vector<std::int64_t> nodes{7, 3, 3, e->nFluid() - 1, 0};
        std::vector<double> rho(nodes.size()), u(3*nodes.size());
        e->macroscopicAt(nodes.size(), nodes.data(), rho.data(), u.data());
        for (std::size_t l = 0; l < nodes.size(); ++l)
        {
            EXPECT_EQ(rho[l], all.rho[nodes[l]]) << layout;
            for (int a = 0; a < 3; ++a)
            {
                EXPECT_EQ(u[3*l + a], all.u[3*nodes[l] + a]) << layout;
            }
        }
    }
}


TEST_P(viscosityLaw, isRefusedWhereItCannotBe)
{
    const auto d = room("D3Q19").description();
    lbm::engineSettings s = settings("D3Q19");
    lbm::viscosityModel m;
    m.fluidParameters = {0.1};

    s.modelledViscosity = false;
    EXPECT_THROW(lbm::engine::New(s, d)->setViscosityModel(m), lbm::error);
    const auto less = lbm::engine::memoryNeeded(s, d).total();
    s.modelledViscosity = true;
    EXPECT_GT(lbm::engine::memoryNeeded(s, d).total(), less);
    EXPECT_GT(lbm::engine::New(s, d)->memory().viscosity, 0);

    const auto e = lbm::engine::New(s, d);
    EXPECT_THROW(e->updateViscosity(), lbm::error);
    e->setViscosityModel(m);
    e->updateViscosity();

    const auto refuses = [&](auto change)
    {
        lbm::viscosityModel bad(m);
        change(bad);
        EXPECT_THROW(e->setViscosityModel(bad), lbm::error);
    };
    refuses([](auto& x) { x.fluid = "honey"; });
    refuses([](auto& x) { x.eddies = "many"; });
    refuses([](auto& x) { x.fluidParameters.push_back(1); });
    refuses([](auto& x) { x.interval = 0; });
    refuses([](auto& x) { x.eddies = "WALE"; x.eddyParameters = {0.3}; });
    refuses
    (
        [](auto& x)
        {
            x.eddies = "WALE";
            x.eddyParameters = {0.3};
            x.delta = {1, 1};
        }
    );
}

lbmForDoubleEngines(viscosityLaw);


//- The same bits of all layouts and backends, with links at distances as well
class bitsOfLaws : public engineTest
{};


TEST_P(bitsOfLaws, areThoseOfTheHost)
{
    for (const std::string& lattice : lattices())
    for (const bool distances : {false, true})
    {
        box b;
        b.lattice = lattice;
        b.size = {33, 9, is3D(lattice) ? 7 : 1};
        b.periodic = {true, false, true};
        b.solid = [](int i, int j, int) { return i == 5 && j == 4; };
        auto d = b.description();
        for (lbm::linkGroup& g : d.groups)
        {
            if (distances && g.type == "wall")
            {
                g.distance.assign(g.size(), 0.3f);
            }
        }

        const auto after = [&](lbm::engineSettings s, const char* layout)
        {
            s.layout = layout;
            s.relaxationTime = 0.6;
            s.collision = "recursiveRegularised";
            s.variableViscosity = true;
            s.modelledViscosity = true;
            const auto e = lbm::engine::New(s, d);
            const std::int64_t n = e->nFluid();
            std::mt19937 random(n);
            std::uniform_real_distribution<double> any(-1e-2, 1e-2);
            std::vector<double> rho(n), u(3*n);
            for (double& x : u)
            {
                x = any(random);
            }
            e->initialise(0, n, rho.data(), u.data(), nullptr);
            lbm::viscosityModel m;
            m.fluidParameters = {0.005};
            m.eddies = "WALE";
            m.eddyParameters = {0.5};
            m.delta = {1};
            e->setViscosityModel(m);
            e->step(39);
            return populations(*e);
        };
        const lbm::engineSettings s = settings(b);
        lbm::engineSettings host(s);
        host.backend = "host";
        const auto here = after(host, "dense");
        EXPECT_EQ(after(host, "list"), here) << lattice << distances;
        EXPECT_EQ(after(s, "dense"), here) << lattice << distances;
        EXPECT_EQ(after(s, "list"), here) << lattice << distances;
    }
}

INSTANTIATE_TEST_SUITE_P
(
    emulated,
    bitsOfLaws,
    testing::Combine
    (
        testing::Values("emulated"), testing::Values("half", "single")
    ),
    [](const auto& info) { return std::get<1>(info.param); }
);

INSTANTIATE_TEST_SUITE_P
(
    cuda,
    bitsOfLaws,
    testing::Combine
    (
        testing::Values("cuda"), testing::Values("half", "single", "double")
    ),
    [](const auto& info) { return std::get<1>(info.param); }
);

} // End namespace lbmTest
