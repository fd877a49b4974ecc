// A standing sound wave: how fast it fades with each viscosity

#include "latticeCase.H"

namespace lbmTest
{

class sound : public engineTest
{
protected:

    //- Rate at which the amplitude of a standing wave of n nodes fades
    double fades
    (
        const std::string& lattice,
        const std::string& collision,
        int n,
        double tau,
        double bulk
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {n, 1, 1};

        lbm::engineSettings s = settings(b);
        s.collision = collision;
        s.relaxationTime = tau;
        s.bulkRelaxationTime = bulk;
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d);

        const double k = 2*M_PI/n;
        std::vector<double> rho(n), u(3*n, 0.0), S(6*n, 0.0);
        for (int i = 0; i < n; ++i)
        {
            rho[i] = 1e-3*std::cos(k*i);
        }
        e->initialise(0, n, rho.data(), u.data(), S.data());

        // Energy of the mode: that of the density, and of the velocity
        const auto energy = [&]
        {
            const fields f(*e);
            double c = 0, v = 0;
            for (int i = 0; i < n; ++i)
            {
                c += f.rho[i]*std::cos(k*i);
                v += f.u[3*i]*std::sin(k*i);
            }
            return c*c/3 + v*v;
        };

        // Whole periods
        const int period = std::lround(n*std::sqrt(3.0));
        e->step(period);
        const double before = energy();
        e->step(4*period);
        return 0.5*std::log(before/energy())/(4*period);
    }
};


// The rate is k^2 (2 (d - 1)/d nu + nu_b)/2 with nu_b = 2/(3 d)(tau_b - 1/2), to
// the second order in k: L.D. Landau, E.M. Lifshitz, Fluid Mechanics, section 79.
// A trace that relaxes as slowly as the wave oscillates has less of it, by about
// (omega tau_b)^2, omega = k/sqrt(3)
TEST_P(sound, fadesWithTheBulkViscosity)
{
    const int n = 128;
    const double tau = 0.55, nu = (tau - 0.5)/3, k = 2*M_PI/n;

    for (const std::string& lattice : lattices())
    {
        for (const std::string& c : lbm::collisionsOn(lattice))
        {
            for (const double bulk : {0.0, 0.6, 1.0, 3.0, 10.0})
            {
                const int d = lbm::nDimensions(lattice);
                const double taub =
                    bulk > 0 ? bulk
                  : c == "recursiveRegularised" || c == "cumulant" ? 1
                  : c == "MRT" ? 1/1.19
                  : tau;
                const double exact =
                    k*k/2*(2*(d - 1.0)/d*nu + 2.0/(3*d)*(taub - 0.5));

                EXPECT_NEAR
                (
                    fades(lattice, c, n, tau, bulk)/exact,
                    1,
                    0.02 + k*k*taub*taub/3
                )   << lattice << ' ' << c << ' ' << bulk;
            }
        }
    }
}


// The shear viscosity knows nothing of it
TEST_P(sound, shearFadesAllTheSame)
{
    const int n = 32;

    for (const std::string& collision : lbm::collisionsOn("D2Q9"))
    {
        std::vector<double> size;
        for (const double bulk : {0.0, 10.0})
        {
            box b;
            b.size = {1, n, 1};
            lbm::engineSettings s = settings(b);
            s.collision = collision;
            s.relaxationTime = 0.6;
            s.bulkRelaxationTime = bulk;
            const auto d = b.description();
            const auto e = lbm::engine::New(s, d);

            std::vector<double> rho(n, 0.0), u(3*n, 0.0), S(6*n, 0.0);
            for (int i = 0; i < n; ++i)
            {
                u[3*i] = 0.01*std::sin(2*M_PI*i/n);
            }
            e->initialise(0, n, rho.data(), u.data(), S.data());
            e->step(500);
            size.push_back(fields(*e).u[3*(n/4)]);
        }
        EXPECT_NEAR(size[1]/size[0], 1, single_ ? 1e-4 : 1e-6) << collision;
    }
}


// A limit of the relaxation time of the odd moments is a smaller magic parameter
// where it holds, and nothing where it does not
TEST_P(sound, oddMomentsHaveALimit)
{
    const auto run = [&](double tau, double magic, double limit)
    {
        box b;
        b.size = {8, 8, 1};
        b.periodic[1] = false;
        lbm::engineSettings s = settings(b);
        s.relaxationTime = tau;
        s.magicParameter = magic;
        s.largestOddTime = limit;
        s.bodyForce = {1e-4, 0, 0};
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d);
        e->step(100);
        return populations(*e);
    };

    const double off = std::numeric_limits<double>::infinity();
    EXPECT_EQ(run(0.625, 3.0/16.0, 1.5), run(0.625, 0.125, off));
    EXPECT_NE(run(0.625, 3.0/16.0, 1.5), run(0.625, 3.0/16.0, off));
    EXPECT_EQ(run(0.75, 3.0/16.0, 1.5), run(0.75, 3.0/16.0, off));
}

lbmForEveryEngine(sound);

} // End namespace lbmTest
