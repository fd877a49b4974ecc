// Boundary values that change from step to step: when in a step they hold, and
// the same bits however the steps are made

#include "latticeRegion.H"

namespace lbmTest
{

class varyingValues : public engineTest
{
protected:

    //- A duct with an inlet of velocity, walls at distances and an outlet of
    //  pressure, the values of which may change
    region duct(const std::string& lattice) const
    {
        const vec left{-1, 0, 0}, right{1, 0, 0};
        region g;
        g.lattice = lattice;
        g.size = {14, 8, is3D(lattice) ? 3 : 1};
        g.periodic[2] = true;
        g.surfaces =
        {
            {"lower", "wall", plane({0, -1, 0}, 0.3), nullptr},
            {"upper", "wall", plane({0, 1, 0}, 7.5), nullptr},
            {
                "left",
                "velocity",
                plane(left, 0.4),
                [](const vec&) { return vec{0.02, 0.004, 0}; }
            },
            {
                "right",
                "pressure",
                plane(right, 13.5),
                [=](const vec&) { return pressureValue(0.003, right); }
            }
        };
        g.build();
        for (lbm::linkGroup& group : g.d.groups)
        {
            group.varies = lbm::valuesPerFace(group.type) > 0;
        }
        return g;
    }

    //- Groups of the duct with values
    static constexpr int open_[2] = {2, 3};

    //- Values of a group times a factor, but for what a pressure's inflow is
    static std::vector<double> times
    (
        const region& g,
        int group,
        double factor
    )
    {
        std::vector<double> result = g.values[group];
        const std::size_t width = lbm::valuesPerFace(g.d.groups[group].type);
        for (std::size_t i = 0; i < result.size(); ++i)
        {
            result[i] *= width == 3 || i % width == 0 ? factor : 1;
        }
        return result;
    }

    //- Values from a to b times those of the duct
    static void vary
    (
        lbm::engine& e,
        const region& g,
        double a,
        double b,
        std::int64_t done,
        std::int64_t n
    )
    {
        for (const int group : open_)
        {
            const auto first = times(g, group, a), last = times(g, group, b);
            e.varyBoundaryValues
            (
                group,
                first.data(),
                last.data(),
                first.size()/lbm::valuesPerFace(g.d.groups[group].type),
                done,
                n
            );
        }
    }

    static void hold(lbm::engine& e, const region& g, double factor)
    {
        for (const int group : open_)
        {
            const auto values = times(g, group, factor);
            e.setBoundaryValues
            (
                group,
                values.data(),
                values.size()/lbm::valuesPerFace(g.d.groups[group].type)
            );
        }
    }

    static void rest(lbm::engine& e)
    {
        const std::vector<double> zero(3*e.nFluid(), 0);
        e.initialise(0, e.nFluid(), zero.data(), zero.data(), nullptr);
    }

    //- Populations after n steps of 41 over which the values vary from 0.5 to
    //  2, made in these parts
    std::vector<char> after
    (
        const lbm::engineSettings& s,
        const region& g,
        const std::vector<int>& parts,
        bool giveAgain = false
    ) const
    {
        const auto e = g.make(s);
        rest(*e);
        vary(*e, g, 0.5, 2, 0, 41);
        int done = 0;
        for (const int n : parts)
        {
            if (giveAgain)
            {
                vary(*e, g, 0.5, 2, done, 41);
            }
            e->step(n);
            done += n;
        }
        return populations(*e);
    }
};


TEST_P(varyingValues, haveTheBitsOfOneStepAfterTheOther)
{
    for (const std::string& lattice : lattices())
    {
        const region g = duct(lattice);
        box b;
        b.lattice = lattice;
        lbm::engineSettings s = settings(b);
        s.relaxationTime = 0.7;
        const auto whole = after(s, g, {41});
        EXPECT_EQ(after(s, g, {1, 16, 3, 21}), whole) << lattice;
        EXPECT_EQ(after(s, g, {1, 16, 3, 21}, true), whole) << lattice;
        EXPECT_NE(after(s, g, {40}), whole) << lattice;
        s.layout = "list";
        EXPECT_EQ(after(s, g, {41}), whole) << lattice;
        s.layout = "dense";
        s.concurrent = false;
        EXPECT_EQ(after(s, g, {41}), whole) << lattice;
        s.graph = false;
        EXPECT_EQ(after(s, g, {5, 36}), whole) << lattice;
        s.concurrent = true;
        EXPECT_EQ(after(s, g, {41}), whole) << lattice;
        s.backend = "host";
        EXPECT_EQ(after(s, g, {41}), whole) << lattice;
    }
}


// Faces in another order, with others between them that no link has: the same
// bits if their values go with them, others if not
TEST_P(varyingValues, areThoseOfTheFaceOfEachLink)
{
    for (const std::string& lattice : lattices())
    {
        region g = duct(lattice);
        for (const int group : open_)
        {
            const std::size_t width =
                lbm::valuesPerFace(g.d.groups[group].type);
            for (std::size_t i = 0; i < g.values[group].size(); i += width)
            {
                g.values[group][i] *= 1 + 0.01*(i/width);
            }
        }
        region other = g;
        for (const int group : open_)
        {
            lbm::linkGroup& links = other.d.groups[group];
            const std::size_t width = lbm::valuesPerFace(links.type);
            const std::size_t n = g.values[group].size()/width;
            std::vector<double>& values = other.values[group];
            values.assign
            (
                2*n*width, std::numeric_limits<double>::quiet_NaN()
            );
            for (std::int32_t& face : links.face)
            {
                const std::size_t moved = 2*(n - 1 - face) + 1;
                std::copy_n
                (
                    g.values[group].begin() + width*face,
                    width,
                    values.begin() + width*moved
                );
                face = moved;
            }
        }
        region swapped = g;
        for (const int group : open_)
        {
            std::vector<std::int32_t>& face = swapped.d.groups[group].face;
            std::reverse(face.begin(), face.end());
        }
        const auto s = settings(box());
        const auto run = [&](const region& r)
        {
            lbm::engineSettings own = s;
            own.lattice = lattice;
            const auto e = r.make(own);
            rest(*e);
            hold(*e, r, 0.8);
            e->step(3);
            vary(*e, r, 0.8, 1.2, 0, 5);
            e->step(5);
            vary(*e, r, 1.2, 0.6, 0, 4);
            e->step(4);
            return populations(*e);
        };
        const auto whole = run(g);
        EXPECT_EQ(run(other), whole) << lattice;
        EXPECT_NE(run(swapped), whole) << lattice;
    }
}


// To rounding: that of what links keep, not of the velocity
TEST_P(varyingValues, areThoseOfTheMiddleOfEachStep)
{
    for (const std::string& lattice : lattices())
    {
        const region g = duct(lattice);
        box b;
        b.lattice = lattice;
        const auto s = settings(b);
        const auto varying = g.make(s), given = g.make(s);
        rest(*varying);
        rest(*given);
        constexpr int n = 20;
        vary(*varying, g, 0.5, 2, 0, n);
        for (int k = 0; k < n; ++k)
        {
            hold(*given, g, 0.5 + 1.5*(k + 0.5)/n);
            given->step(1);
        }
        varying->step(n);
        const double rounding = single_ ? 1e-5 : 1e-13;
        EXPECT_LE(fields(*varying).difference(fields(*given)), rounding);
    }
}


TEST_P(varyingValues, endWithTheBitsOfTheLastOnes)
{
    const region g = duct("D2Q9");
    const auto s = settings(box());
    const auto beyond = g.make(s), held = g.make(s);
    for (lbm::engine* e : {beyond.get(), held.get()})
    {
        rest(*e);
        vary(*e, g, 0.1, 0.7, 0, 19);
        e->step(19);
    }
    hold(*held, g, 0.7);
    beyond->step(18);
    held->step(18);
    EXPECT_EQ(populations(*beyond), populations(*held));

    // And they may vary again
    for (lbm::engine* e : {beyond.get(), held.get()})
    {
        vary(*e, g, 0.7, 0.2, 0, 33);
        e->step(33);
    }
    EXPECT_EQ(populations(*beyond), populations(*held));
}


// A fluid between two walls that gain speed alike: a(t - (h^2 - y^2)/(2 nu)),
// which half-way walls and the magic parameter hold to rounding. So the time at
// which a velocity acts shows to a small part of a step
TEST_P(varyingValues, ofAVelocityActInTheMiddleOfAStep)
{
    if (single_)
    {
        GTEST_SKIP() << "its rounding is larger";
    }
    constexpr int n = 9;
    constexpr double a = 1e-6, h = n/2.0;
    region g;
    g.size = {2, n, 1};
    g.periodic[0] = g.periodic[2] = true;
    const auto one = [](const vec&) { return vec{1, 0, 0}; };
    g.surfaces =
    {
        {"lower", "velocity", plane({0, -1, 0}, 0.5), one},
        {"upper", "velocity", plane({0, 1, 0}, n - 0.5), one}
    };
    g.build();
    for (lbm::linkGroup& group : g.d.groups)
    {
        group.varies = group.type == "velocity";
    }
    for (const double tau : {0.6, 1.0})
    {
        const double nu = (tau - 0.5)/3;
        lbm::engineSettings s = settings(box());
        s.relaxationTime = tau;
        const auto e = g.make(s);
        rest(*e);
        const std::int64_t steps = 100*std::lround(h*h/nu/10);
        for (const int side : {0, 1})
        {
            std::vector<double> last = g.values[side];
            for (double& U : last)
            {
                U *= a*steps;
            }
            const std::vector<double> zero(last.size(), 0);
            e->varyBoundaryValues
            (
                side, zero.data(), last.data(), last.size()/3, 0, steps
            );
        }
        e->step(steps);
        const fields f(*e);
        for (std::size_t i = 0; i < g.x.size(); ++i)
        {
            const double y = g.x[i][1] + 0.5 - h;
            const double exact = a*(steps - (h*h - y*y)/(2*nu));
            EXPECT_NEAR((f.u[3*i] - exact)/a, 0, 1e-3) << tau << ' ' << y;
        }
    }
}


TEST_P(varyingValues, areRefusedWhereTheyCannotBe)
{
    region g = duct("D2Q9");
    const auto s = settings(box());
    {
        const auto e = g.make(s);
        EXPECT_THROW(vary(*e, g, 0, 1, 0, 0), lbm::error);
        EXPECT_THROW(vary(*e, g, 0, 1, -1, 5), lbm::error);
        const std::vector<double> values(3, 0);
        EXPECT_THROW
        (
            e->varyBoundaryValues(0, values.data(), values.data(), 1, 0, 5),
            lbm::error
        );
    }
    const std::int64_t varying = g.make(s)->memory().links;
    for (lbm::linkGroup& group : g.d.groups)
    {
        group.varies = false;
    }
    const auto e = g.make(s);
    EXPECT_THROW(vary(*e, g, 0, 1, 0, 5), lbm::error);
    EXPECT_LT(e->memory().links, varying);
}

lbmForEveryEngine(varyingValues);

// A device works on links in the step of their nodes
INSTANTIATE_TEST_SUITE_P
(
    emulated,
    varyingValues,
    testing::Values(std::make_tuple("emulated", "single"))
);

} // End namespace lbmTest
