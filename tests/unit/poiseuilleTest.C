// Flow between resting plates driven by a body force, against the exact
// parabola u = g y (H - y)/(2 nu)

#include "latticeCase.H"
#include "record.H"

namespace lbmTest
{

class poiseuille : public engineTest
{
protected:

    //- Relative L2 error of the steady profile, and the mean excess over the
    //  parabola in units of its peak
    struct result
    {
        double error, slip;
    };

    result run
    (
        const std::string& lattice,
        const std::string& collision,
        int H,
        double tau,
        double magic = 3.0/16.0,
        const std::map<std::string, double>& parameters = {}
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {4, H, is3D(lattice) ? 3 : 1};
        b.periodic[1] = false;

        const double nu = (tau - 0.5)/3;
        const double peak = 0.05;
        const double g = 8*nu*peak/(H*H);

        lbm::engineSettings s = settings(b);
        s.collision = collision;
        s.relaxationTime = tau;
        s.magicParameter = magic;
        s.collisionParameters = parameters;
        s.bodyForce = {g, 0, 0};
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d);

        // The slowest mode fades as exp(-nu pi^2 t/H^2)
        const double decades = single_ ? 8 : 13;
        e->step(std::ceil(decades*std::log(10.0)*H*H/(nu*M_PI*M_PI)));

        const fields f(*e);
        double sum = 0, norm = 0, slip = 0;
        for (std::int64_t n = 0; n < e->nFluid(); ++n)
        {
            const double y = (n/b.size[0]) % H + 0.5;
            const double exact = g*y*(H - y)/(2*nu);
            const double difference = f.u[3*n] - exact;
            sum += difference*difference;
            norm += exact*exact;
            slip += difference/peak/e->nFluid();
            EXPECT_NEAR(f.u[3*n + 1], 0, single_ ? 1e-7 : 1e-15);
        }
        return {std::sqrt(sum/norm), slip};
    }
};


TEST_P(poiseuille, isExactWithTRT)
{
    double largest = 0;
    for (const std::string& lattice : lattices())
    {
        for (const int H : {8, 16, 32})
        {
            // A flow that takes long, and the largest lattice
            if (lattice == "D3Q27" && H == 32)
            {
                continue;
            }
            for (const double tau : {0.55, 0.8, 1.0, 2.0})
            {
                const double error = run(lattice, "TRT", H, tau).error;
                largest = std::max(largest, error);
                EXPECT_LE(error, single_ ? 1e-4 : 1e-9)
                    << lattice << " H " << H << " tau " << tau;
            }
        }
    }
    recordValue("largest error of u", largest);
}


// m relaxes with q
TEST_P(poiseuille, isExactWithMRT)
{
    double largest = 0;
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    for (const int H : {8, 16})
    for (const double tau : {0.55, 0.8, 1.0, 2.0})
    {
        const double error = run(lattice, "MRT", H, tau).error;
        largest = std::max(largest, error);
        EXPECT_LE(error, single_ ? 1e-4 : 1e-9)
            << lattice << " H " << H << " tau " << tau;
    }
    recordValue("largest error of u", largest);
}


// Any rates of moments that have no part in the flow
TEST_P(poiseuille, isExactWithMRTWhateverTheOtherEvenRates)
{
    for (const double s : {0.5, 1.9})
    {
        EXPECT_LE
        (
            run
            (
                "D3Q19", "MRT", 8, 0.8, 3.0/16.0, {{"sEpsilon", s}, {"sPi", s}}
            ).error,
            single_ ? 1e-4 : 1e-9
        )   << s;
    }
}


// Where m has a rate of its own the wall lies where the relaxation times of q and,
// three times as much, m put it: half-way at one viscosity at most
TEST_P(poiseuille, slipsWithTheRateOfMAsPredicted)
{
    const int H = 16;
    const double sM = 1.98;
    for (const double tau : {0.65, 0.8, 1.0})
    {
        const double q = 0.5 + 3.0/16/(tau - 0.5);
        const double lambda = (tau - 0.5)*((q + 3/sM)/4 - 0.5);
        EXPECT_NEAR
        (
            run("D3Q19", "MRT", H, tau, 3.0/16.0, {{"sM", sM}}).slip
           /((16*lambda - 3)/(3*H*H)),
            1,
            single_ ? 0.025 : 0.01
        )   << tau;
    }
}


TEST_P(poiseuille, slipsWithBGKAsPredicted)
{
    double largest = 0;
    for (const int H : {8, 16, 32})
    {
        for (const double tau : {0.8, 1.2, 2.0})
        {
            const double lambda = (tau - 0.5)*(tau - 0.5);
            const double predicted = (16*lambda - 3)/(3*H*H);
            const double off = run("D2Q9", "BGK", H, tau).slip/predicted - 1;
            largest = std::max(largest, std::abs(off));
            EXPECT_NEAR(off, 0, single_ ? 0.025 : 0.01)
                << "H " << H << " tau " << tau;
        }
    }
    recordValue("largest error of the slip", largest);
}


TEST_P(poiseuille, slipsWithTRTAsTheMagicParameterSays)
{
    const double lambda = 0.25;
    const int H = 16;
    EXPECT_NEAR
    (
        run("D3Q19", "TRT", H, 0.8, lambda).slip/((16*lambda - 3)/(3*H*H)),
        1,
        0.01
    );
}

// Odd moments beyond the momentum relax at once: Lambda = (tau - 1/2)/2
TEST_P(poiseuille, slipsWithRegularisedCollisionAsPredicted)
{
    const int H = 16;
    double largest = 0;
    for (const double tau : {0.55, 1.2})
    {
        const double lambda = (tau - 0.5)/2;
        const double predicted = (16*lambda - 3)/(3*H*H);
        const double off =
            run("D3Q19", "recursiveRegularised", H, tau).slip/predicted - 1;
        largest = std::max(largest, std::abs(off));
        EXPECT_NEAR(off, 0, single_ ? 0.025 : 0.01) << tau;
    }
    recordValue("largest error of the slip", largest);
}

lbmForEveryEngine(poiseuille);

} // End namespace lbmTest
