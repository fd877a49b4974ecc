// Decaying vortices in a doubly periodic square,
//     u = -U cos x sin y exp(-2 nu t), v = U sin x cos y exp(-2 nu t)
//     p = -U^2/4 (cos 2x + cos 2y) exp(-4 nu t)

#include "latticeCase.H"
#include "record.H"

namespace lbmTest
{

class taylorGreen : public engineTest
{
protected:

    struct errors
    {
        double u, p;
    };

    //- Relative L2 errors on n x n nodes, step proportional to spacing squared.
    //  The Reynolds number U/(nu k) is 8: what the sound of the start leaves
    //  in the pressure is of order Mach number over Reynolds number.
    errors run
    (
        int n,
        const std::string& lattice,
        const std::string& collision = "TRT"
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {n, n, is3D(lattice) ? 3 : 1};

        const double tau = 0.65, nu = (tau - 0.5)/3;
        const double k = 2*M_PI/n;
        const double U = 2.5/n;

        lbm::engineSettings s = settings(b);
        s.relaxationTime = tau;
        s.collision = collision;
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d);

        const std::int64_t N = e->nFluid();
        const auto exact = [&](std::int64_t node, double t, double& p, double* u)
        {
            const double x = k*(node % n + 0.5), y = k*((node/n) % n + 0.5);
            const double fade = std::exp(-2*nu*k*k*t);
            u[0] = -U*std::cos(x)*std::sin(y)*fade;
            u[1] = U*std::sin(x)*std::cos(y)*fade;
            u[2] = 0;
            p = -U*U/4*(std::cos(2*x) + std::cos(2*y))*fade*fade;
        };

        std::vector<double> rho(N), u(3*N), S(6*N, 0.0);
        for (std::int64_t i = 0; i < N; ++i)
        {
            double p;
            exact(i, 0, p, &u[3*i]);
            rho[i] = 3*p;
            const double x = k*(i % n + 0.5), y = k*((i/n) % n + 0.5);
            S[6*i] = U*k*std::sin(x)*std::sin(y);
            S[6*i + 1] = -S[6*i];
        }
        e->initialise(0, N, rho.data(), u.data(), S.data());

        const std::int64_t steps = n*n/4;
        e->step(steps);

        const fields f(*e);
        double du = 0, uu = 0, dp = 0, pp = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            double p, v[3];
            exact(i, steps, p, v);
            for (int a = 0; a < 3; ++a)
            {
                du += std::pow(f.u[3*i + a] - v[a], 2);
                uu += v[a]*v[a];
            }
            dp += std::pow(f.rho[i]/3 - p, 2);
            pp += p*p;
        }
        return {std::sqrt(du/uu), std::sqrt(dp/pp)};
    }
};


TEST_P(taylorGreen, convergesWithSecondOrder)
{
    std::vector<double> u, p;
    for (const int n : {32, 64, 128})
    {
        const errors e = run(n, "D2Q9");
        u.push_back(e.u);
        p.push_back(e.p);
    }
    recordOrder("u", u);
    recordOrder("p", p);
    EXPECT_GE(orderOf(u), 1.9);
    EXPECT_LE(u[1], 1.1e-3);
    EXPECT_LE(p[1], 8e-3);
}


TEST_P(taylorGreen, convergesWithSecondOrderWithMRT)
{
    std::vector<double> flat;
    for (const int n : {32, 64, 128})
    {
        flat.push_back(run(n, "D2Q9", "MRT").u);
    }
    recordOrder("u, D2Q9", flat);
    EXPECT_GE(orderOf(flat), 1.9);
    EXPECT_LE(flat.back(), 3e-4);

    const errors fine = run(64, "D3Q19", "MRT");
    const std::vector<double> deep{run(32, "D3Q19", "MRT").u, fine.u};
    recordOrder("u, D3Q19", deep);
    EXPECT_GE(orderOf(deep), 1.9);
    EXPECT_LE(fine.u, 1.1e-3);
    EXPECT_LE(fine.p, 8e-3);
}


// Summed over the third direction D3Q19 and D3Q27 are D2Q9
TEST_P(taylorGreen, isTheSameInThreeDimensions)
{
    const errors flat = run(32, "D2Q9");
    for (const char* lattice : {"D3Q19", "D3Q27"})
    {
        const errors deep = run(32, lattice);
        EXPECT_NEAR(deep.u/flat.u, 1, single_ ? 1e-3 : 1e-10) << lattice;
        EXPECT_NEAR(deep.p/flat.p, 1, single_ ? 1e-3 : 1e-10) << lattice;
    }
}


TEST_P(taylorGreen, startsAtTheGivenState)
{
    box b;
    b.size = {12, 9, 1};
    lbm::engineSettings s = settings(b);
    s.bodyForce = {1e-5, -2e-5, 0};
    const auto d = b.description();
    const auto e = lbm::engine::New(s, d);

    const std::int64_t N = e->nFluid();
    std::vector<double> rho(N), u(3*N), S(6*N);
    for (std::int64_t i = 0; i < N; ++i)
    {
        rho[i] = 1e-3*std::sin(i);
        u[3*i] = 0.01*std::cos(3*i);
        u[3*i + 1] = 0.01*std::sin(2*i);
        S[6*i] = 1e-3*std::cos(i);
        S[6*i + 1] = 2e-3*std::sin(i);
        S[6*i + 3] = 1e-3;
    }
    e->initialise(0, N, rho.data(), u.data(), S.data());

    const fields f(*e);
    const double tolerance = single_ ? 2e-9 : 2e-17;
    for (std::int64_t i = 0; i < N; ++i)
    {
        EXPECT_NEAR(f.rho[i], rho[i], tolerance);
        EXPECT_NEAR(f.u[3*i], u[3*i], tolerance);
        EXPECT_NEAR(f.u[3*i + 1], u[3*i + 1], tolerance);
    }
}

lbmForEveryEngine(taylorGreen);

} // End namespace lbmTest
