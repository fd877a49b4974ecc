// Populations stored in 16 bits, arithmetic in single precision

#include "latticeCase.H"
#include "latticeRegion.H"
#include "scaledHalf.H"

#include <limits>

namespace lbmTest
{

TEST(scaledHalf, keepsElevenBits)
{
    for (int e = -29; e <= 0; ++e)
    {
        for (int m = 1024; m < 2048; m += 7)
        {
            const float x = std::ldexp(float(m), e - 10);
            EXPECT_EQ(float(lbm::scaledHalf(x)), x);
            EXPECT_EQ(float(lbm::scaledHalf(-x)), -x);

            // To the nearest
            const float between = std::ldexp(m + 0.4f, e - 10);
            EXPECT_EQ(float(lbm::scaledHalf(between)), x);
        }
    }

    // Too much shows
    EXPECT_FALSE(std::isfinite(float(lbm::scaledHalf(2.1f))));
    const float no = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(float(lbm::scaledHalf(no))));
}


class half : public engineTest
{
protected:

    lbm::engineSettings with
    (
        const box& b,
        const std::string& precision
    ) const
    {
        lbm::engineSettings s = settings(b);
        s.precision = precision;
        return s;
    }

    //- Relative L2 error of u of decaying vortices after a quarter of n^2
    //  steps, in three dimensions
    double taylorGreen(const std::string& precision, int n) const
    {
        box b;
        b.lattice = "D3Q19";
        b.size = {n, n, 3};
        const double tau = 0.65, nu = (tau - 0.5)/3;
        const double k = 2*M_PI/n, U = 2.5/n;
        lbm::engineSettings s = with(b, precision);
        s.relaxationTime = tau;
        const auto e = lbm::engine::New(s, b.description());
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N), u(3*N, 0.0), S(6*N, 0.0);
        for (std::int64_t i = 0; i < N; ++i)
        {
            const double x = k*(i % n + 0.5), y = k*((i/n) % n + 0.5);
            u[3*i] = -U*std::cos(x)*std::sin(y);
            u[3*i + 1] = U*std::sin(x)*std::cos(y);
            rho[i] = -0.75*U*U*(std::cos(2*x) + std::cos(2*y));
            S[6*i] = U*k*std::sin(x)*std::sin(y);
            S[6*i + 1] = -S[6*i];
        }
        e->initialise(0, N, rho.data(), u.data(), S.data());
        const std::int64_t steps = n*n/4;
        e->step(steps);

        const fields f(*e);
        const double fade = std::exp(-2*nu*k*k*steps);
        double sum = 0, norm = 0;
        for (std::int64_t i = 0; i < 3*N; ++i)
        {
            sum += std::pow(f.u[i] - fade*u[i], 2);
            norm += std::pow(fade*u[i], 2);
        }
        return std::sqrt(sum/norm);
    }
};


TEST_P(half, decaysVorticesUntilRoundingShows)
{
    // Of second order at first, as in single precision (0.0137, 0.0037); the
    // rounding of what is stored sets a floor that finer lattices do not leave
    EXPECT_LE(taylorGreen("half", 16), 0.0143);
    EXPECT_LE(taylorGreen("half", 32), 0.0039);
    EXPECT_LE(taylorGreen("half", 64), 0.0038);
}

TEST_P(half, takesHalfTheMemoryOfSingle)
{
    box b;
    b.lattice = "D3Q19";
    b.size = {64, 64, 64};
    const auto d = b.description();
    const auto h = lbm::engine::memoryNeeded(with(b, "half"), d);
    const auto s = lbm::engine::memoryNeeded(with(b, "single"), d);
    const double rows = double(128)/96;
    EXPECT_NEAR(double(h.populations)/s.populations, 0.5*rows, 0.01);
}

lbmForDoubleEngines(half);

} // End namespace lbmTest
