// Walls of given friction: the flow slips along them by as much as the friction
// says

#include "scatteredWalls.H"

#include <algorithm>
#include <random>

namespace lbmTest
{

class wallStressLinks : public formulaTest
{
protected:

    static constexpr double tau_ = 0.8, nu_ = (tau_ - 0.5)/3;

    static faceValues friction(const vec& U, double R, double y, double plus)
    {
        return {U[0], U[1], U[2], R, y, plus};
    }

    //- A channel of n layers along the axis `along`, walls half-way at both
    //  ends of the axis `across`
    static region channel
    (
        const std::string& lattice,
        int n,
        int along,
        int across,
        const std::function<faceValues(bool upper)>& value
    )
    {
        region g;
        g.lattice = lattice;
        g.size = {3, 3, is3D(lattice) ? 3 : 1};
        g.size[across] = n;
        g.periodic = {true, true, true};
        g.periodic[across] = false;
        vec normal{0, 0, 0}, back{0, 0, 0};
        normal[across] = 1;
        back[across] = -1;
        g.surfaces =
        {
            {
                "lower", "wallStress", plane(back, 0.5),
                [=](const vec&) { return value(false); }
            },
            {
                "upper", "wallStress", plane(normal, n - 0.5),
                [=](const vec&) { return value(true); }
            }
        };
        g.build();
        return g;
    }

    std::vector<std::pair<int, int>> planes(const std::string& lattice) const
    {
        return
            is3D(lattice)
          ? std::vector<std::pair<int, int>>{{0, 1}, {2, 0}, {1, 2}}
          : std::vector<std::pair<int, int>>{{0, 1}, {1, 0}};
    }
};


// Driven by a body force G, the velocity of the nodes at the walls is G n/(2 R),
// with any collision, and the profile between them is the parabola
TEST_P(wallStressLinks, balanceABodyForce)
{
    const int n = 8;
    const double R = 0.02, G = 1e-5;
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    for (const auto& [along, across] : planes(lattice))
    {
        // In all planes with one collision
        if (collision != "TRT" && std::pair(along, across) != planes(lattice)[0])
        {
            continue;
        }
        const region g = channel
        (
            lattice, n, along, across,
            [&](bool) { return friction({0, 0, 0}, R, 0.5, 0); }
        );
        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.relaxationTime = tau_;
        s.bodyForce[along] = G;
        const auto e = g.make(s);
        const auto f = runToSteady(*e, 2000, 1e-9);
        const double atWall = G*n/(2*R);
        for (std::size_t i = 0; i < g.x.size(); ++i)
        {
            const double y = g.x[i][across];
            const double exact = atWall + G*y*(n - 1 - y)/(2*nu_);
            ASSERT_NEAR(f.u[3*i + along]/exact, 1, 1e-6)
                << lattice << collision << along << across << ' ' << y;
            ASSERT_NEAR(f.u[3*i + across], 0, 1e-12);
        }

        // The force on the walls is that on the fluid
        const double area = e->nFluid()/double(n);
        for (const int side : {0, 1})
        {
            const lbm::boundaryLoad load = meanLoad(*e, side, {0, 0, 0});
            EXPECT_NEAR(load.force[along]/(0.5*G*n*area), 1, 1e-6) << lattice;
            EXPECT_NEAR(load.massFlux, 0, 1e-12);
        }
    }
}


// In a gap one node wide the velocity across is gone after a step; mass and the
// velocity along stay. Walls of given friction may close its ends, and may be
// inclined by less than the lattice resolves
TEST_P(wallStressLinks, stopTheFlowAcrossAGapOfOneNode)
{
    const int length = 6;
    for (const std::string type : {"wallStress", "slip"})
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    for (const auto& [along, across] : planes(lattice))
    for (const bool ends : {false, true})
    for (const double slope : {0.0, 0.1})
    {
        if (type == "slip" && (ends || slope != 0))
        {
            continue;
        }
        const auto value = [&](const vec&)
        {
            return friction({0, 0, 0}, 0, 0.5, 0);
        };
        region g;
        g.lattice = lattice;
        g.size = {2, 2, is3D(lattice) ? 2 : 1};
        g.size[across] = 1;
        g.size[along] = length;
        g.periodic = {true, true, true};
        for (const auto& [axis, n] : {std::pair(across, 1), {along, length}})
        {
            if (axis == along && !ends)
            {
                continue;
            }
            vec normal{0, 0, 0}, back{0, 0, 0};
            normal[axis] = 1;
            back[axis] = -1;
            g.periodic[axis] = false;
            shape lower = plane(back, 0.5), upper = plane(normal, n - 0.5);
            if (axis == across)
            {
                normal[along] = back[along] = slope;
                lower.normal = [=](const vec&) { return unit(back); };
                upper.normal = [=](const vec&) { return unit(normal); };
            }
            g.surfaces.push_back({"", type, lower, value});
            g.surfaces.push_back({"", type, upper, value});
        }
        for (std::size_t i = 0; i < g.surfaces.size(); ++i)
        {
            g.surfaces[i].name = std::to_string(i);
        }
        g.build();

        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.relaxationTime = 0.51;
        const auto e = g.make(s);
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N, 0.01), u(3*N, 0);
        double there = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            u[3*i + across] = std::lround(g.x[i][along]) % 2 ? 0.05 : -0.05;
            u[3*i + along] = ends ? 0 : 0.03;
            there += u[3*i + along];
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(1);

        const fields f(*e);
        double mass = 0, momentum = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            ASSERT_NEAR(f.u[3*i + across], 0, 1e-15)
                << type << lattice << collision << along << across << ends
                << slope;
            mass += f.rho[i];
            momentum += f.u[3*i + along];
        }
        EXPECT_NEAR(mass/N, 0.01, 1e-14);
        EXPECT_NEAR(momentum/N, there/N, 1e-14);
    }
}


// Between bodies of a node or two, whose faces have normals that the links of a
// node do not agree upon, the least viscosity there keeps everything from growing
TEST_P(wallStressLinks, dampTheFlowBetweenScatteredWalls)
{
    const int n = 8;
    for (const std::string& lattice : lattices())
    for (const double excessTau : {0.0005, 0.01, 0.3})
    {
        const region g = scatteredWalls(lattice, n);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> any(-1, 1);

        lbm::engineSettings s = settings(lattice);
        s.collision = "recursiveRegularised";
        s.variableViscosity = true;
        const auto e = g.make(s);
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N, 0), u(3*N, 0), nu(N, excessTau/3);
        nu[0] *= 1.01;
        e->setViscosity(0, N, nu.data());
        double before = 0, after = 0;
        for (std::int64_t i = 0; i < 3*N; ++i)
        {
            u[i] = i % 3 == 2 && !is3D(lattice) ? 0 : 0.05*any(random);
            before += u[i]*u[i];
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(600);
        for (const double x : fields(*e).u)
        {
            after += x*x;
        }
        EXPECT_LT(after, before) << lattice << excessTau;
    }
}


// A gap between oblique walls less than three spacings wide holds all of its
// nodes, a wider one none: without friction a uniform flow goes on there
TEST_P(wallStressLinks, holdNodesThatObliqueWallsEnclose)
{
    for (const std::string& lattice : lattices())
    for (const int layers : {2, 3, 4, 5, 8})
    {
        // Layers are 1/sqrt(2) apart, and the walls lie half as far from them
        region g;
        g.lattice = lattice;
        const int n = 12;
        g.size = {n, n, is3D(lattice) ? 2 : 1};
        g.periodic = {true, true, true};
        const auto layer = [=](const vec& x)
        {
            return std::fmod(x[0] - x[1] + n, n);
        };
        g.fluid = [=](const vec& x) { return layer(x) < layers - 0.5; };
        const auto value = [](const vec&)
        {
            return friction({0, 0, 0}, 0, 0.5, 0);
        };
        for (const int side : {-1, 1})
        {
            const double at = side < 0 ? -0.5 : layers - 0.5;
            const auto distance = [=](const vec& x, const vec& c)
            {
                const double towards = side*(c[0] - c[1]);
                const double gap = side*(at - layer(x));
                return towards > 0 ? gap/towards : never;
            };
            const auto normal = [=](const vec&)
            {
                return unit({double(side), -double(side), 0});
            };
            g.surfaces.push_back
            ({
                side < 0 ? "lower" : "upper",
                "wallStress",
                shape{distance, normal},
                value
            });
        }
        g.build();

        lbm::engineSettings s = settings(lattice);
        s.relaxationTime = 0.8;
        const auto e = g.make(s);
        const std::int64_t N = e->nFluid();
        ASSERT_EQ(N, layers*n*g.size[2]);
        std::vector<double> rho(N, 0), u;
        for (std::int64_t i = 0; i < N; ++i)
        {
            u.insert(u.end(), {0.05, 0.05, 0});
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(1000);

        const fields f(*e);
        const bool held = layers < 5;
        for (std::int64_t i = 0; i < N; ++i)
        {
            ASSERT_NEAR(f.u[3*i], held ? 0 : 0.05, held ? 1e-4 : 1e-12)
                << lattice << layers;
        }
    }
}


// Nodes beside oblique walls have a least viscosity, others any
TEST_P(wallStressLinks, keepALeastViscosityBesideObliqueWalls)
{
    const double least = 0.02/3;
    for (const std::string& lattice : lattices())
    {
        const int n = 12, depth = is3D(lattice) ? 2 : 1;
        const vec oblique = unit({0.3, 1, 0});
        region g;
        g.lattice = lattice;
        g.size = {n, n, depth};
        g.periodic = {false, false, true};
        g.fluid = [=](const vec& x) { return dot(oblique, x) < 8; };
        const auto value = [](const vec&)
        {
            return friction({0, 0, 0}, 0, 0.5, 0);
        };
        g.surfaces =
        {
            {"oblique", "wallStress", plane(oblique, 8), value},
            {"lower", "wallStress", plane({0, -1, 0}, 0.5), value},
            {"left", "wall", plane({-1, 0, 0}, 0.5), nullptr},
            {"right", "wall", plane({1, 0, 0}, n - 0.5), nullptr}
        };
        g.build();

        lbm::engineSettings s = settings(lattice);
        s.variableViscosity = true;
        const auto e = g.make(s);
        const std::int64_t N = e->nFluid();
        std::vector<double> nu(N), set(N);
        for (std::int64_t i = 0; i < N; ++i)
        {
            nu[i] = i % 2 ? 0.001 : 0.02;
        }
        e->setViscosity(0, N, nu.data());
        e->viscosity(0, N, set.data());

        const std::vector<std::int64_t>& beside = g.d.groups[0].node;
        std::int64_t i = 0;
        for (std::size_t node = 0; node < g.d.fluid.size(); ++node)
        {
            if (!g.d.fluid[node])
            {
                continue;
            }
            const bool raised =
                std::find(beside.begin(), beside.end(), node) != beside.end();
            EXPECT_NEAR(set[i], raised ? std::max(nu[i], least) : nu[i], 1e-9)
                << lattice << i;
            ++i;
        }
        EXPECT_EQ(i, N);
    }
}


// Between a wall at rest and one that moves, with frictions R and S, the stress
// is U/(1/R + 1/S + (n - 1)/nu)
TEST_P(wallStressLinks, dragTheFlowAlong)
{
    const int n = 7;
    const double R = 0.01, S = 0.04, U = 0.1;
    const double stress = U/(1/R + 1/S + (n - 1)/nu_);
    for (const std::string& lattice : lattices())
    for (const auto& [along, across] : planes(lattice))
    {
        vec moving{0, 0, 0};
        moving[along] = U;
        const region g = channel
        (
            lattice, n, along, across,
            [&](bool upper)
            {
                return
                    upper
                  ? friction(moving, S, 0.5, 0)
                  : friction({0, 0, 0}, R, 0.5, 0);
            }
        );
        lbm::engineSettings s = settings(lattice);
        s.relaxationTime = tau_;
        const auto e = g.make(s);
        const auto f = runToSteady(*e, 2000, 1e-9);
        for (std::size_t i = 0; i < g.x.size(); ++i)
        {
            const double exact = stress*(1/R + g.x[i][across]/nu_);
            ASSERT_NEAR(f.u[3*i + along]/exact, 1, 1e-6)
                << lattice << along << across;
        }
    }
}


// Where the friction is for the velocity at another distance, it is converted by
// the law of the wall: both in the viscous sublayer, and both beyond
TEST_P(wallStressLinks, followTheLawOfTheWall)
{
    const int n = 8;
    const double R = 0.02, G = 1e-5;
    const auto atWall = [&](double y, double plus)
    {
        const region g = channel
        (
            "D2Q9", n, 0, 1,
            [&](bool) { return friction({0, 0, 0}, R, y, plus); }
        );
        lbm::engineSettings s = settings("D2Q9");
        s.relaxationTime = tau_;
        s.bodyForce[0] = G;
        const auto e = g.make(s);
        return runToSteady(*e, 2000, 1e-9).u[0];
    };
    const double u = G*n/(2*R);
    EXPECT_NEAR(atWall(1, 2)/u, 0.5, 1e-6);
    EXPECT_NEAR
    (
        atWall(1, 200)/u, std::log(980.0)/std::log(1960.0), 1e-6
    );
    EXPECT_NEAR(atWall(0.5, 200)/u, 1, 1e-6);
}


// A channel along the diagonal, its walls anywhere between nodes: the flow that
// a body force drives is as fast as the balance with the friction says. The
// tolerance is that of the area that links stand for, nodes being where they
// are
TEST_P(wallStressLinks, balanceABodyForceAlongTheDiagonal)
{
    const double R = 0.02, G = 1e-5, r = std::sqrt(0.5);
    for (const std::string& lattice : lattices())
    for (const double shift : {0.3, 0.55, 0.9})
    {
        // Once in space, where it takes long
        if (is3D(lattice) && shift != 0.3)
        {
            continue;
        }
        const int L = 24;
        const double a = shift, b = a + 20.5;
        const auto diagonal = [=](const vec& x)
        {
            return std::fmod(x[0] - x[1] + L, L);
        };
        const auto side = [=](double at, double sign)
        {
            const auto distance = [=](const vec& x, const vec& c)
            {
                const double towards = sign*(c[0] - c[1]);
                const double gap = sign*(at - diagonal(x));
                return towards > 0 ? gap/towards : never;
            };
            return shape
            (
                distance, [=](const vec&) { return unit({sign, -sign, 0}); }
            );
        };
        const auto value = [=](const vec&)
        {
            return friction({0, 0, 0}, R, 0.5, 0);
        };
        region g;
        g.lattice = lattice;
        g.size = {L, L, is3D(lattice) ? 2 : 1};
        g.periodic = {true, true, true};
        g.fluid = [=](const vec& x)
        {
            return diagonal(x) > a && diagonal(x) < b;
        };
        g.surfaces =
        {
            {"lower", "wallStress", side(a, -1), value},
            {"upper", "wallStress", side(b, 1), value}
        };
        g.build();

        lbm::engineSettings s = settings(lattice);
        s.relaxationTime = tau_;
        s.bodyForce = {r*G, r*G, 0};
        const auto e = g.make(s);
        const auto f = runToSteady(*e, 2000, 1e-8);

        const double h = (b - a)*r;
        const auto speed = [&](std::size_t i)
        {
            return r*(f.u[3*i] + f.u[3*i + 1]);
        };

        // u = A + G y (h - y)/(2 nu), and R(u_lower + u_upper) = G h with the
        // velocities of the first nodes
        const auto parabola = [&](double y)
        {
            return G*y*(h - y)/(2*nu_);
        };
        const double lower = r*(std::floor(a) + 1 - a);
        const double upper = r*(b - (std::ceil(b) - 1));
        const double A =
            (G*h/R - parabola(lower) - parabola(upper))/2;

        double mean = 0, exact = 0;
        for (std::size_t i = 0; i < g.x.size(); ++i)
        {
            const double y = r*(diagonal(g.x[i]) - a);
            mean += speed(i)/g.x.size();
            exact += (A + parabola(y))/g.x.size();
        }
        EXPECT_NEAR(mean/exact, 1, 0.05) << lattice << shift;
    }
}

lbmForDoubleEngines(wallStressLinks);

} // End namespace lbmTest
