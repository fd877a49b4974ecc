// Another time step, relaxation time or collision while an engine runs

#include "latticeRegion.H"

namespace lbmTest
{

class rescale : public formulaTest
{
protected:

    static constexpr double tau_ = 0.8;
    static constexpr double ratio_ = 0.4;
    static constexpr double tauNew_ = 0.5 + ratio_*(tau_ - 0.5);

    //- A closed box with a lid
    static box closed(const std::string& lattice)
    {
        box b;
        b.lattice = lattice;
        b.size = {9, 8, is3D(lattice) ? 7 : 1};
        b.periodic = {false, false, !is3D(lattice)};
        b.lidAxis = 1;
        return b;
    }

    static void setLid(lbm::engine& e, const box& b, double U)
    {
        const auto groups = b.description().groups;
        const double values[3] = {U, 0, 0};
        for (std::size_t g = 0; g < groups.size(); ++g)
        {
            if (groups[g].type == "velocity")
            {
                e.setBoundaryValues(g, values, 1);
            }
        }
    }

    //- Settings for a lattice step of ratio times that of tau_
    lbm::engineSettings at
    (
        const std::string& lattice,
        double ratio,
        const vec& force
    ) const
    {
        lbm::engineSettings s = settings(lattice);
        s.relaxationTime = 0.5 + ratio*(tau_ - 0.5);
        for (int a = 0; a < 3; ++a)
        {
            s.bodyForce[a] = ratio*ratio*force[a];
        }
        return s;
    }

    //- Some smooth field of density, velocity and rate of strain
    static void fill
    (
        std::int64_t N,
        const std::string& lattice,
        double r,
        std::vector<double>& rho,
        std::vector<double>& u,
        std::vector<double>& S
    )
    {
        rho.resize(N);
        u.resize(3*N);
        S.resize(6*N);
        for (std::int64_t i = 0; i < N; ++i)
        {
            rho[i] = r*r*1e-3*std::sin(0.7*i);
            for (int a = 0; a < (is3D(lattice) ? 3 : 2); ++a)
            {
                u[3*i + a] = r*0.05*std::cos(0.3*i + a);
            }
            const double s = r*1e-3*std::sin(0.2*i);
            S[6*i] = s;
            S[6*i + 1] = -s;
            S[6*i + 3] = 0.5*s;
            if (is3D(lattice))
            {
                S[6*i + 4] = -0.7*s;
            }
        }
    }

    static double largestDifference(lbm::engine& a, lbm::engine& b)
    {
        const auto x = populations(a), y = populations(b);
        const double* p = reinterpret_cast<const double*>(x.data());
        const double* q = reinterpret_cast<const double*>(y.data());
        double result = 0;
        for (std::size_t i = 0; i < x.size()/sizeof(double); ++i)
        {
            result = std::max(result, std::abs(p[i] - q[i]));
        }
        return result;
    }

    const vec force_{2e-5, -1e-5, 0};
};


// The state that belongs to density, velocity and rate of strain becomes the one
// that belongs to those of the other step
TEST_P(rescale, isTheInitialStateOfTheOtherStep)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        lbm::engineSettings s = at(lattice, 1, {0, 0, 0});
        lbm::engineSettings t = at(lattice, ratio_, {0, 0, 0});
        s.layout = t.layout = layout;
        const auto d = closed(lattice).description();
        const auto e = lbm::engine::New(s, d), f = lbm::engine::New(t, d);

        std::vector<double> rho, u, S;
        fill(e->nFluid(), lattice, 1, rho, u, S);
        e->initialise(0, e->nFluid(), rho.data(), u.data(), S.data());
        fill(f->nFluid(), lattice, ratio_, rho, u, S);
        f->initialise(0, f->nFluid(), rho.data(), u.data(), S.data());

        EXPECT_GT(largestDifference(*e, *f), 1e-3) << lattice;
        e->rescale(ratio_, tauNew_);
        EXPECT_LT(largestDifference(*e, *f), 1e-16) << lattice << layout;
    }
}


TEST_P(rescale, thereAndBackChangesNothing)
{
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string& collision : lbm::collisionsOn(lattice))
    {
        const box b = closed(lattice);
        lbm::engineSettings s = at(lattice, 1, force_);
        s.layout = layout;
        s.collision = collision;
        const auto d = b.description();
        const auto e = lbm::engine::New(s, d), f = lbm::engine::New(s, d);
        for (lbm::engine* x : {e.get(), f.get()})
        {
            setLid(*x, b, 0.05);
            x->step(37);
        }
        e->rescale(ratio_, tauNew_);
        e->rescale(1/ratio_, tau_);
        EXPECT_LT(largestDifference(*e, *f), 1e-16)
            << lattice << layout << collision;

        // Parameters as well
        setLid(*e, b, 0.05);
        e->step(50);
        f->step(50);
        EXPECT_LT(largestDifference(*e, *f), 1e-15)
            << lattice << layout << collision;
    }
}


// A steady flow, driven by lid and body force, is at once that of the other step.
// The mean over two steps, without what changes its sign in each; TRT: walls of
// the other collisions move with the relaxation time
TEST_P(rescale, keepsASteadyFlow)
{
    const auto mean = [](lbm::engine& e)
    {
        fields result(e);
        e.step(1);
        const fields next(e);
        for (std::size_t i = 0; i < result.u.size(); ++i)
        {
            result.u[i] = (result.u[i] + next.u[i])/2;
        }
        return result;
    };

    for (const std::string& lattice : lattices())
    {
        const box b = closed(lattice);
        const auto d = b.description();
        const auto steady = [&](double ratio)
        {
            auto e = lbm::engine::New(at(lattice, ratio, force_), d);
            setLid(*e, b, ratio*0.05);
            e->step(std::int64_t(4000/ratio));
            return e;
        };
        const auto e = steady(1), f = steady(ratio_);
        const fields before(*e), other = mean(*f);
        e->rescale(ratio_, tauNew_);
        setLid(*e, b, ratio_*0.05);

        const fields after(*e);
        for (std::size_t i = 0; i < before.u.size(); ++i)
        {
            ASSERT_NEAR(after.u[i], ratio_*before.u[i], 1e-15);
        }
        for (std::size_t i = 0; i < before.rho.size(); ++i)
        {
            ASSERT_NEAR(after.rho[i], ratio_*ratio_*before.rho[i], 1e-15);
        }

        for (int n = 0; n < 40; ++n)
        {
            EXPECT_LT(mean(*e).difference(other), 3e-5) << lattice << n;
        }
        e->step(std::int64_t(4000/ratio_));
        EXPECT_LT(mean(*e).difference(other), 1e-10) << lattice;
    }
}


// An engine that changed is one that was made so
TEST_P(rescale, takesAnotherCollisionAndRelaxationTime)
{
    for (const std::string& lattice : lattices())
    for (const std::string& collision : lbm::collisionsOn(lattice))
    for (const std::string& other : lbm::collisionsOn(lattice))
    {
        const box b = closed(lattice);
        lbm::engineSettings s = at(lattice, 1, force_);
        s.collision = collision;
        const auto e = lbm::engine::New(s, b.description());
        s.collision = other;
        s.relaxationTime = tauNew_;
        const auto f = lbm::engine::New(s, b.description());

        setLid(*e, b, 0.05);
        e->step(33);
        const auto now = populations(*e);
        f->setPopulations(0, f->nFluid(), now.data());
        setLid(*f, b, 0.05);

        e->setCollision(other);
        e->setRelaxationTime(tauNew_);
        setLid(*e, b, 0.05);
        e->step(18);
        f->step(18);
        EXPECT_EQ(populations(*e), populations(*f))
            << lattice << collision << other;
    }
    const auto e =
        lbm::engine::New(at("D2Q9", 1, force_), closed("D2Q9").description());
    EXPECT_THROW(e->setCollision("none"), lbm::error);
    EXPECT_THROW(e->setRelaxationTime(0.5), lbm::error);
    EXPECT_THROW(e->rescale(0.5, 0.4), lbm::error);
}


// States are held in the same memory again, and come back
TEST_P(rescale, holdsStatesInTheSameMemory)
{
    const box b = closed("D3Q19");
    const auto e = lbm::engine::New(at("D3Q19", 1, force_), b.description());
    setLid(*e, b, 0.05);

    std::unique_ptr<lbm::heldPopulations> held;
    const auto there = [&]
    {
        std::vector<char> result(e->nFluid()*e->populationBytes());
        held->get(0, e->nFluid(), result.data());
        return result;
    };

    e->step(10);
    e->holdPopulations(held);
    ASSERT_TRUE(held);
    const lbm::heldPopulations* first = held.get();
    const auto early = populations(*e);
    EXPECT_EQ(there(), early);

    e->step(11);
    EXPECT_EQ(there(), early);
    e->holdPopulations(held);
    const auto late = populations(*e);
    EXPECT_EQ(held.get(), first);
    EXPECT_EQ(there(), late);
    EXPECT_NE(early, late);

    // Set back, the same steps follow
    e->setPopulations(0, e->nFluid(), early.data());
    e->step(11);
    EXPECT_EQ(populations(*e), late);
}

lbmForDoubleEngines(rescale);

} // End namespace lbmTest
