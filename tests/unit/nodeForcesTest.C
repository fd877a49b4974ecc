// Accelerations and drags of nodes, against exact flows, and what holds for any

#include "lidRoom.H"

#include <complex>

namespace lbmTest
{

class nodeForces : public lidRoomTest
{
protected:

    static constexpr double pi = 3.14159265358979323846;

    using profile = std::function<double(double)>;

    //- A plane flow along x, its heights in units of that of the channel
    struct flow
    {
        //- Acceleration and drag in lattice units
        profile a, sigma;

        //- Velocity in lattice units
        profile u;

        bool walls = true;
    };

    static constexpr double nu = 0.1;

    //- Relative L2 error of the velocity with H nodes across
    double errorOf
    (
        const flow& f,
        const std::string& lattice,
        const std::string& collision,
        int H
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {3, H, is3D(lattice) ? 3 : 1};
        b.periodic[1] = !f.walls;
        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.relaxationTime = 0.5 + 3*nu;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, b.description());

        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N), u(3*N), a(3*N), sigma;
        const auto height = [&](std::int64_t n)
        {
            return ((n/3) % H + 0.5)/H;
        };
        for (std::int64_t n = 0; n < N; ++n)
        {
            u[3*n] = 0.9*f.u(height(n));
            a[3*n] = f.a(height(n));
            append(sigma, f.sigma(height(n)));
        }
        e->setForces(N, nullptr, a.data(), sigma.data());
        e->initialise(0, N, rho.data(), u.data(), nullptr);

        const meanFields result = runToSteady(*e, 2*H*H, 1e-9);
        double sum = 0, norm = 0;
        for (std::int64_t n = 0; n < N; ++n)
        {
            const double exact = f.u(height(n));
            sum += std::pow(result.u[3*n] - exact, 2);
            norm += exact*exact;
        }
        return std::sqrt(sum/norm);
    }

    //- Add a drag that is the same in each direction
    static void append(std::vector<double>& drags, double sigma)
    {
        drags.insert(drags.end(), {sigma, sigma, sigma, 0, 0, 0});
    }

    static std::vector<double> isotropic(const std::vector<double>& sigma)
    {
        std::vector<double> result;
        for (const double x : sigma)
        {
            append(result, x);
        }
        return result;
    }

    //- Flow in a channel full of a medium of this Darcy number, nu/(sigma H^2)
    static flow brinkman(double Da, int H)
    {
        const double r = 1/std::sqrt(Da), sigma = nu/(Da*H*H), peak = 0.4/H;
        const double largest = 1 - 1/std::cosh(r/2);
        flow f;
        f.sigma = [=](double) { return sigma; };
        f.a = [=](double) { return sigma*peak/largest; };
        f.u = [=](double y)
        {
            // cosh(r (y - 1/2))/cosh(r/2) without large numbers
            const double z = std::abs(y - 0.5);
            const double part =
                std::exp(r*(z - 0.5))*(1 + std::exp(-2*r*z))/(1 + std::exp(-r));
            return peak*(1 - part)/largest;
        };
        return f;
    }
};


// u = A H^2/(4 pi^2 nu) sin 2 pi y of a = A sin 2 pi y
TEST_P(nodeForces, kolmogorovFlowHasOrderTwo)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        std::vector<double> errors;
        for (int H = 8; H <= 32; H *= 2)
        {
            const double peak = 0.4/H;
            flow f;
            f.walls = false;
            f.sigma = [](double) { return 0.0; };
            f.u = [=](double y) { return peak*std::sin(2*pi*y); };
            f.a = [=](double y)
            {
                return peak*nu*4*pi*pi/(H*H)*std::sin(2*pi*y);
            };
            errors.push_back(errorOf(f, lattice, collision, H));
        }
        recordOrder("u, " + lattice + ", " + collision, errors);
        EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
        EXPECT_LE(errors.back(), 0.01) << lattice << collision;
    }
}


// Brinkman's equation between walls: nu u'' - sigma u + a = 0
TEST_P(nodeForces, brinkmanFlowHasOrderTwo)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        std::vector<double> errors;
        for (int H = is3D(lattice) ? 16 : 8; H <= 32; H *= 2)
        {
            errors.push_back
            (
                errorOf(brinkman(0.1, H), lattice, collision, H)
            );
        }
        recordOrder("u, " + lattice + ", " + collision, errors);
        EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
    }
}


// Below 1e-4 the velocity changes within a tenth of the spacing, at the nodes
// beside the walls alone
TEST_P(nodeForces, brinkmanFlowOfAnyDarcyNumber)
{
    for (const double Da : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5})
    {
        const double error = errorOf(brinkman(Da, 32), "D2Q9", "TRT", 32);
        recordValue("error of u, Da " + textOf(Da), error);
        EXPECT_LE(error, Da < 1e-4 ? 0.01 : 0.005) << Da;
    }
}


// du/dt = a - sigma u in a box without walls
TEST_P(nodeForces, dragHoldsTheVelocityWithOrderTwo)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        box b;
        b.lattice = lattice;
        b.size = {3, 3, is3D(lattice) ? 3 : 1};
        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.nodeForces = true;
        std::vector<double> errors;
        for (int n = 8; n <= 32; n *= 2)
        {
            const auto e = lbm::engine::New(s, b.description());
            const std::int64_t N = e->nFluid();
            const double sigma = 2.0/n, uEnd = 0.1;
            std::vector<double> a(3*N), rho(N), u(3*N);
            const auto sigmas = isotropic(std::vector<double>(N, sigma));
            for (std::int64_t l = 0; l < N; ++l)
            {
                a[3*l + 1] = sigma*uEnd;
            }
            e->setForces(N, nullptr, a.data(), sigmas.data());
            e->initialise(0, N, rho.data(), u.data(), nullptr);
            e->step(n);
            errors.push_back
            (
                std::abs(fields(*e).u[1]/uEnd - (1 - std::exp(-2.0)))
            );
            e->step(100*n);
            EXPECT_NEAR(fields(*e).u[3*N - 2], uEnd, 1e-13);
        }
        recordOrder("u in time, " + lattice + ", " + collision, errors);
        EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
    }
}


// du/dt = -2 Omega x u turns u about Omega and keeps its length: by 2 atan(Omega)
// a step
TEST_P(nodeForces, aRotatingFrameTurnsTheVelocity)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        box b;
        b.lattice = lattice;
        b.size = {3, 3, is3D(lattice) ? 3 : 1};
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();

        // About the z axis or, in space, about x as well, where it turns y to z
        for (const int axis : {2, 0})
        {
            if (axis == 0 && !is3D(lattice))
            {
                continue;
            }
            const int along = axis, first = (axis + 1) % 3;
            const int second = (axis + 2) % 3;
            std::array<double, 3> Omega{0, 0, 0};
            Omega[axis] = 0.03;
            e->setRotation(Omega);

            std::array<double, 3> u0{0.05, 0.02, is3D(lattice) ? 0.03 : 0.0};
            std::vector<double> rho(N), u;
            for (std::int64_t n = 0; n < N; ++n)
            {
                u.insert(u.end(), u0.begin(), u0.end());
            }
            e->initialise(0, N, rho.data(), u.data(), nullptr);
            const int nSteps = 100;
            e->step(nSteps);

            const double angle = -2*std::atan(0.03)*nSteps;
            const double c = std::cos(angle), sine = std::sin(angle);
            const fields f(*e);
            for (std::int64_t n = 0; n < N; ++n)
            {
                const double* const v = &f.u[3*n];
                EXPECT_NEAR(v[along], u0[along], 1e-14);
                EXPECT_NEAR(v[first], c*u0[first] - sine*u0[second], 1e-14)
                    << lattice << layout << collision << axis;
                EXPECT_NEAR(v[second], sine*u0[first] + c*u0[second], 1e-14)
                    << lattice << layout << collision << axis;
            }
        }
    }
}


// Ekman's layers on both walls of a channel that rotates about its normal y, with
// the force that holds u = U far from them. With W = u + i w
//
//     nu W'' = -2 i Omega (W - U)
//
// V.W. Ekman, Ark. Mat. Astr. Fys. 2 (1905) 1-52
TEST_P(nodeForces, ekmanLayersHaveOrderTwo)
{
    using complex = std::complex<double>;

    for (const std::string& lattice : lattices())
    {
        if (!is3D(lattice))
        {
            continue;
        }
        for (const std::string& collision : lbm::collisionsOn(lattice))
        {
            std::vector<double> errors;
            for (int H = 8; H <= 32; H *= 2)
            {
                const double Omega = nu/(0.1*H*H), U = 0.4/H;
                const complex lambda =
                    std::sqrt(complex(0, -2*Omega/nu)), h = 0.5*H;
                const auto exact = [&](std::int64_t n)
                {
                    const double y = (n/3) % H + 0.5;
                    return
                        U
                       *(
                            1.0
                          - std::cosh(lambda*(y - h))/std::cosh(lambda*h)
                        );
                };

                box b;
                b.lattice = lattice;
                b.size = {3, H, 3};
                b.periodic[1] = false;
                lbm::engineSettings s = settings(lattice);
                s.collision = collision;
                s.relaxationTime = 0.5 + 3*nu;
                s.bodyForce = {0, 0, -2*Omega*U};
                s.nodeForces = true;
                const auto e = lbm::engine::New(s, b.description());
                e->setRotation({0, Omega, 0});

                const std::int64_t N = e->nFluid();
                std::vector<double> rho(N), u(3*N);
                for (std::int64_t n = 0; n < N; ++n)
                {
                    u[3*n] = 0.9*exact(n).real();
                    u[3*n + 2] = 0.9*exact(n).imag();
                }
                e->initialise(0, N, rho.data(), u.data(), nullptr);
                const meanFields result = runToSteady(*e, 2*H*H, 1e-9);
                double sum = 0, norm = 0;
                for (std::int64_t n = 0; n < N; ++n)
                {
                    const complex W(result.u[3*n], result.u[3*n + 2]);
                    sum += std::norm(W - exact(n));
                    norm += std::norm(exact(n));
                }
                errors.push_back(std::sqrt(sum/norm));
            }
            recordOrder("u, " + lattice + ", " + collision, errors);
            EXPECT_GE(orderOf(errors), 1.9) << lattice << collision;
            EXPECT_LE(errors.back(), 0.01) << lattice << collision;
        }
    }
}


// sigma u + 2 Omega x u = a, with a resistance that differs between directions, and
// both far above 1 in a step
TEST_P(nodeForces, dragInARotatingFrameIsImplicit)
{
    for (const std::string& lattice : lattices())
    for (const std::string& precision : {"double", "single"})
    {
        box b;
        b.lattice = lattice;
        b.size = {3, 3, is3D(lattice) ? 3 : 1};
        lbm::engineSettings s = settings(lattice);
        s.precision = precision;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();

        const bool space = is3D(lattice);
        const double held[3] = {0.04, -0.02, space ? 0.03 : 0};
        const double drag[6] =
        {
            3, 1, space ? 2.0 : 0, 0.5, space ? -0.3 : 0, space ? 0.2 : 0
        };
        const std::array<double, 3> Omega{space ? 0.7 : 0, space ? -1.1 : 0, 2};
        const double resistance[3] =
        {
            drag[0]*held[0] + drag[3]*held[1] + drag[4]*held[2],
            drag[3]*held[0] + drag[1]*held[1] + drag[5]*held[2],
            drag[4]*held[0] + drag[5]*held[1] + drag[2]*held[2]
        };
        double a[3];
        for (int k = 0; k < 3; ++k)
        {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            a[k] = resistance[k] + 2*(Omega[i]*held[j] - Omega[j]*held[i]);
        }
        std::vector<double> as, sigmas, rho(N), u(3*N);
        for (std::int64_t n = 0; n < N; ++n)
        {
            as.insert(as.end(), a, a + 3);
            sigmas.insert(sigmas.end(), drag, drag + 6);
        }
        e->setRotation(Omega);
        e->setForces(N, nullptr, as.data(), sigmas.data());
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(400);
        const fields f(*e);
        const double tolerance = precision == "double" ? 1e-12 : 1e-6;
        for (int k = 0; k < 3; ++k)
        {
            EXPECT_NEAR(f.u[k], held[k], tolerance) << lattice << precision;
        }
    }
}


// A medium whose axes lie across those of the lattice: u = sigma^-1 a, however
// different its resistances are
TEST_P(nodeForces, dragMayDifferFromAxisToAxis)
{
    for (const std::string& lattice : lattices())
    for (const std::string& precision : {"double", "single"})
    {
        box b;
        b.lattice = lattice;
        b.size = {3, 3, is3D(lattice) ? 3 : 1};
        lbm::engineSettings s = settings(lattice);
        s.precision = precision;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();

        // Resistances 1e-3 along (1 1 0) and 10 across
        const double low = 1e-3, high = 10;
        const double same = (low + high)/2, cross = (low - high)/2;
        std::vector<double> a, sigma, rho(N), u(3*N);
        for (std::int64_t n = 0; n < N; ++n)
        {
            const double along = 0.05*low, across = 0.02*high;
            a.insert(a.end(), {along + across, along - across, 0});
            sigma.insert(sigma.end(), {same, same, high, cross, 0, 0});
        }
        e->setForces(N, nullptr, a.data(), sigma.data());
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        e->step(20000);
        const fields f(*e);
        const double tolerance = precision == "double" ? 1e-7 : 2e-4;
        EXPECT_NEAR(f.u[0], 0.07, tolerance) << lattice;
        EXPECT_NEAR(f.u[1], 0.03, tolerance) << lattice;
        EXPECT_NEAR(f.u[2], 0, tolerance) << lattice;
    }
}


// Large drags let no velocity through, and none grows
TEST_P(nodeForces, areStableForAnyDrag)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.relaxationTime = 0.51;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, d);
        std::vector<std::int64_t> nodes;
        for (std::int64_t n = 0; n < e->nFluid()/3; ++n)
        {
            nodes.push_back(n);
        }
        const std::vector<double> a(3*nodes.size(), 0);
        const auto sigma = isotropic(randomValues(nodes.size(), 0, 1e4));
        e->setForces(nodes.size(), nodes.data(), a.data(), sigma.data());
        setLid(*e, d);
        e->step(2000);
        const fields f(*e);
        double largest = 0, inside = 0;
        for (std::size_t n = 0; n < f.u.size(); ++n)
        {
            largest = std::max(largest, std::abs(f.u[n]));
            inside =
                n < nodes.size()
              ? std::max(inside, std::abs(f.u[n]))
              : inside;
        }
        EXPECT_LE(largest, 0.06) << lattice << collision;
        EXPECT_LE(inside, 0.005) << lattice << collision;
    }
}


// The same acceleration of all nodes is a body force, to the bit
TEST_P(nodeForces, equalOnesGiveTheBitsOfABodyForce)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.bodyForce = {2e-5, -1e-5, is3D(lattice) ? 3e-5 : 0};
        const auto e = lbm::engine::New(s, d);
        std::vector<double> a;
        for (std::int64_t n = 0; n < e->nFluid(); ++n)
        {
            a.insert(a.end(), s.bodyForce.begin(), s.bodyForce.end());
        }
        s.bodyForce = {0, 0, 0};
        s.nodeForces = true;
        const auto f = lbm::engine::New(s, d);
        f->setForces(e->nFluid(), nullptr, a.data(), nullptr);

        setLid(*e, d);
        setLid(*f, d);
        e->step(40);
        f->step(40);
        EXPECT_EQ(populations(*e), populations(*f))
            << lattice << layout << collision;
        EXPECT_EQ(fields(*e).u, fields(*f).u);

        // And none are none
        f->setForces(0, nullptr, nullptr, nullptr);
        e->setBodyForce({0, 0, 0});
        e->step(40);
        f->step(40);
        EXPECT_EQ(populations(*e), populations(*f))
            << lattice << layout << collision;
    }
}


// Nodes without any are updated apart, and none of them has another flow
TEST_P(nodeForces, inAPartGiveTheBitsOfZerosElsewhere)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const bool viscosities : {false, true})
    {
        // Lines of its memory lie along x
        box b = room(lattice);
        b.size = {100, 9, is3D(lattice) ? 5 : 1};
        const auto d = b.description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.nodeForces = true;
        s.variableViscosity = viscosities;
        const auto part = lbm::engine::New(s, d);
        const auto all = lbm::engine::New(s, d);
        const std::int64_t n = part->nFluid();
        const auto forced = [&](std::int64_t l)
        {
            return (l/100) % 9 == 4 || l % 100 > 40;
        };
        const auto start = [&](lbm::engine& e)
        {
            setLid(e, d);
            if (viscosities)
            {
                e.setViscosity(0, n, randomValues(n, 0.02, 0.2).data());
            }
        };
        start(*part);
        start(*all);

        // The pattern may change, and may hold none or all
        for (const int pattern : {0, 1, 2, 3, 0})
        {
            std::vector<std::int64_t> nodes;
            std::vector<double> own, drags, a(3*n, 0.0), sigma(6*n, 0.0);
            for (std::int64_t l = 0; l < n; ++l)
            {
                if
                (
                    pattern == 3
                 || (pattern == 1 && forced(l))
                 || (pattern == 0 && !forced(l))
                )
                {
                    const double x = 1e-5*(1 + l % 3), drag = 1e-3*(l % 5);
                    nodes.push_back(l);
                    own.insert(own.end(), {x, -x, 0});
                    append(drags, drag);
                    a[3*l] = x;
                    a[3*l + 1] = -x;
                    for (int k = 0; k < 3; ++k)
                    {
                        sigma[6*l + k] = drag;
                    }
                }
            }
            part->setForces
            (
                nodes.size(), nodes.data(), own.data(), drags.data()
            );
            all->setForces(n, nullptr, a.data(), sigma.data());
            part->step(7);
            all->step(7);
            EXPECT_EQ(populations(*part), populations(*all))
                << lattice << layout << pattern << viscosities;
            EXPECT_EQ(fields(*part).u, fields(*all).u);
        }
    }
}


// Beside viscosities of the nodes: the same flow from both, or with a body force
TEST_P(nodeForces, goWithViscositiesOfTheNodes)
{
    for (const std::string& lattice : lattices())
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.variableViscosity = true;
        s.bodyForce = {2e-5, -1e-5, 0};
        const auto e = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        const auto nus = randomValues(n, 0.02, 0.2);
        std::vector<double> a;
        for (std::int64_t l = 0; l < n; ++l)
        {
            a.insert(a.end(), s.bodyForce.begin(), s.bodyForce.end());
        }
        s.bodyForce = {0, 0, 0};
        s.nodeForces = true;
        const auto f = lbm::engine::New(s, d);
        f->setForces(n, nullptr, a.data(), nullptr);
        e->setViscosity(0, n, nus.data());
        f->setViscosity(0, n, nus.data());
        e->step(40);
        f->step(40);
        EXPECT_EQ(populations(*e), populations(*f)) << lattice;
    }
}


TEST_P(nodeForces, goWithTheStepThereAndBack)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const auto d = room(lattice).description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        s.collision = collision;
        s.relaxationTime = 0.8;
        s.nodeForces = true;
        const auto e = lbm::engine::New(s, d), f = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        const auto a = randomValues(3*n, -1e-4, 1e-4);
        const auto sigma = isotropic(randomValues(n, 0, 0.2));
        for (lbm::engine* x : {e.get(), f.get()})
        {
            x->setForces(n, nullptr, a.data(), sigma.data());
            x->setRotation({0, 0, 0.01});
            setLid(*x, d);
            x->step(37);
        }
        const fields before(*e);
        e->rescale(0.4, 0.5 + 0.4*0.3);
        const fields half(*e);
        double largest = 0;
        for (std::size_t i = 0; i < before.u.size(); ++i)
        {
            largest = std::max
            (
                largest, std::abs(half.u[i] - 0.4*before.u[i])
            );
        }
        EXPECT_LT(largest, 1e-15) << lattice << layout << collision;
        e->rescale(2.5, 0.8);
        setLid(*e, d);
        e->step(50);
        f->step(50);
        EXPECT_LT(fields(*e).difference(fields(*f)), 1e-13)
            << lattice << layout << collision;
    }
}


TEST_P(nodeForces, areRefusedWhereTheyCannotBe)
{
    const auto d = room("D2Q9").description();
    lbm::engineSettings s = settings("D2Q9");
    const auto without = lbm::engine::New(s, d);
    const double a[3] = {1e-5, 0, 0}, bad[3] = {std::nan(""), 0, 0};
    const double sigma[6] = {-0.1, 1, 1, 0, 0, 0};
    const double indefinite[6] = {1, 1, 1, 2, 0, 0};
    EXPECT_THROW(without->setForces(1, nullptr, a, nullptr), lbm::error);
    EXPECT_THROW(without->setRotation({0, 0, 0.1}), lbm::error);
    EXPECT_NO_THROW(without->setRotation({0, 0, 0}));

    s.nodeForces = true;
    EXPECT_GT(lbm::engine::memoryNeeded(s, d).forces, 9*8*without->nFluid());
    const auto with = lbm::engine::New(s, d);
    EXPECT_THROW(with->setForces(1, nullptr, a, sigma), lbm::error);
    EXPECT_THROW(with->setForces(1, nullptr, a, indefinite), lbm::error);
    EXPECT_THROW(with->setForces(1, nullptr, bad, nullptr), lbm::error);
    EXPECT_THROW(with->setRotation({0.1, 0, 0}), lbm::error);
    EXPECT_THROW(with->setRotation({0, 0, std::nan("")}), lbm::error);
}

lbmForDoubleEngines(nodeForces);

} // End namespace lbmTest
