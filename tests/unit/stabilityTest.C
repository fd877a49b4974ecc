// Small disturbances of uniform flows between boundaries do not grow

#include "../bench/stability/cases.H"

#include <gtest/gtest.h>

namespace lbmTest
{

namespace
{

using namespace lbmStability;

//- A corner of the table of doc/benchmarks/stability.md
struct corner
{
    std::vector<std::string> kinds;
    std::string flow, angle, where;
    std::string collision = "TRT";
    double tau = 0.51;
    double speed = 0.1;
    std::string lattice = "D2Q9";

    std::string name() const
    {
        std::string result = lattice + '_' + arrangement{kinds}.name() + '_'
          + flow + '_' + angle + '_' + where + '_' + collision + "_tau"
          + std::to_string(tau).substr(0, 5) + "_U"
          + std::to_string(speed).substr(0, 4);
        std::replace_if
        (
            result.begin(),
            result.end(),
            [](char c) { return !std::isalnum(c); },
            '_'
        );
        return result;
    }
};

void PrintTo(const corner& c, std::ostream* out)
{
    *out << c.name();
}

template<class Item>
Item named(const std::vector<Item>& items, const std::string& name)
{
    for (const Item& item : items)
    {
        if (item.name == name)
        {
            return item;
        }
    }
    throw lbm::error("there is no '" + name + "'");
}

stabilityCase caseOf(const corner& c)
{
    const arrangement sides{c.kinds};
    return
    {
        c.lattice,
        c.collision,
        sides,
        named(inclinations(c.lattice), c.angle),
        named(distances(), c.where),
        named(directionsOf(sides, c.lattice), c.flow)
    };
}

point measured(const corner& c)
{
    const stabilityCase s = caseOf(c);
    smallRegion region = s.region();
    region.build(40);
    return measure(s, region, c.tau, c.speed, growthOptions());
}


class stability : public testing::TestWithParam<corner>
{};

//- Growth a step that the lattice is known to have at some of these corners,
//  at small viscosities and in boxes of ten nodes:
//  doc/benchmarks/stability.md. The bounds detect change, they do not prove
//  stability. Between two pressures or two slip boundaries at low viscosity the
//  velocity is free: nothing holds it but the stress of the fluid.
double known(const corner& c)
{
    typedef std::vector<std::string> kinds;

    return
        c.tau < 0.505 && c.kinds == kinds{"slip", "slip"} ? 3e-3
      : c.tau < 0.505 && c.kinds == kinds{"pressure", "pressure"} ? 2e-3
      : c.tau < 0.505 && c.kinds == kinds{"total", "total"} ? 2.1e-3
      : c.tau < 0.6 && c.collision == "TRT" && c.flow == "along"
     && (c.kinds == kinds{"pressure", "pressure"}
      || c.kinds == kinds{"stream", "stream"})
      ? 3e-3
      : c.tau > 0.505 && c.kinds == kinds{"velocity", "velocity"} ? 1e-5
      : 1.5e-3;
}

TEST_P(stability, nothingGrowsFast)
{
    ASSERT_EQ(caseOf(GetParam()).impossible(), "");
    const point p = measured(GetParam());
    ASSERT_EQ(p.skipped, "");
    EXPECT_FALSE(p.grows(known(GetParam())))
        << p.rate.rate << " a step, at " << (p.at.empty() ? "no side" : p.at)
        << ", turning by " << p.rate.turn;
}

#define lbmCorners(kind, ...)                                                 \
    INSTANTIATE_TEST_SUITE_P                                                  \
    (                                                                         \
        kind,                                                                 \
        stability,                                                            \
        testing::ValuesIn(std::vector<corner>{__VA_ARGS__}),                  \
        [](const auto& info)                                                  \
        {                                                                     \
            return std::to_string(info.index) + '_' + info.param.name();      \
        }                                                                     \
    )

const std::string RR = "recursiveRegularised";

lbmCorners
(
    none,
    {{}, "along", "0", "half-way"},
    {{}, "along", "27", "half-way", "BGK", 0.501},
    {{}, "along", "27", "half-way", RR, 0.501},
    {{}, "along", "27", "half-way", "MRT", 0.55, 0.1},
    {{}, "along", "27", "half-way", "MRT", 0.55, 0.1, "D3Q19"},
    {{}, "along", "45", "half-way", "TRT", 2},
    {{}, "along", "27", "half-way", "TRT", 0.51, 0.1, "D3Q19"},
    {{}, "along", "27", "half-way", RR, 0.51, 0.1, "D3Q27"}
);

lbmCorners
(
    wall,
    {{"wall", "wall"}, "rest", "0", "far", "TRT", 0.501, 0},
    {{"wall", "wall"}, "rest", "27", "near", "TRT", 0.51, 0},
    {{"wall", "wall"}, "rest", "27", "near", "MRT", 0.51, 0},
    {{"wall", "wall"}, "rest", "45", "far", "MRT", 0.51, 0, "D3Q19"},
    {{"wall", "wall"}, "rest", "45", "near", RR, 0.501, 0},
    {{"wall", "wall", "wall", "wall"}, "rest", "27", "far", "TRT", 0.51, 0},
    {{"wall", "wall", "wall", "wall"}, "rest", "45", "near", "BGK", 2, 0},
    {{"wall", "wall"}, "rest", "45", "far", "TRT", 0.51, 0, "D3Q19"},
    {{"wall", "wall"}, "rest", "27", "near", RR, 0.51, 0, "D3Q27"}
);

// Of a wall that moves; where the fluid leaves through it, disturbances grow
lbmCorners
(
    velocity,
    {{"velocity", "velocity"}, "along", "0", "near"},
    {{"velocity", "velocity"}, "along", "27", "half-way", "TRT", 0.55},
    {{"velocity", "velocity"}, "along", "27", "far", "TRT", 0.55, 0.1},
    {{"velocity", "velocity"}, "along", "45", "far", "TRT", 0.8, 0.1},
    {{"velocity", "velocity"}, "along", "45", "far", RR, 0.8, 0.1},
    {{"velocity", "velocity"}, "along", "45", "near", "TRT", 0.51},
    {{"velocity", "velocity"}, "along", "45", "far", "TRT", 0.55, 0.1, "D3Q19"},
    {{"velocity", "outflow"}, "oblique in", "45", "far", "TRT", 0.55, 0.1},
    {{"velocity", "pressure"}, "in", "27", "far", "TRT", 0.55},
    {{"velocity", "pressure"}, "in", "27", "far", "MRT", 0.55},
    {{"velocity", "pressure"}, "oblique in", "45", "near", "TRT", 0.55}
);

//- Every angle and distance, of each flow: recursiveRegularised at any
//  relaxation time; TRT where the cell Reynolds number is at most 4, or tau at
//  least 0.8
std::vector<corner> cornersOf
(
    const std::vector<std::string>& kinds,
    const std::vector<std::string>& flows
)
{
    struct scheme
    {
        std::string collision;
        double tau, speed;
    };
    std::vector<corner> result;
    for (const std::string& flow : flows)
    for (const std::string angle : {"0", "3", "27", "45"})
    for (const std::string where : {"half-way", "near", "far"})
    for
    (
        const scheme& s : std::vector<scheme>
        {
            {RR, 0.501, 0.1},
            {RR, 0.51, 0.1},
            {RR, 0.55, 0.1},
            {RR, 0.8, 0.1},
            {"TRT", 0.55, 0.05},
            {"TRT", 0.8, 0.1}
        }
    )
    {
        const double U = flow == "rest" ? 0 : s.speed;
        result.push_back({kinds, flow, angle, where, s.collision, s.tau, U});
    }
    return result;
}

#define lbmAllCorners(suite, ...)                                             \
    INSTANTIATE_TEST_SUITE_P                                                  \
    (                                                                         \
        suite,                                                                \
        stability,                                                            \
        testing::ValuesIn(cornersOf(__VA_ARGS__)),                            \
        [](const auto& info)                                                  \
        {                                                                     \
            return std::to_string(info.index) + '_' + info.param.name();      \
        }                                                                     \
    )

lbmAllCorners
(
    pressures,
    {"pressure", "pressure"},
    {"rest", "along", "grazing in", "in", "oblique in"}
);

lbmAllCorners(normalInflows, {"normal", "normal"}, {"in", "oblique in"});

lbmAllCorners(totalPressures, {"total", "total"}, {"rest", "in"});

lbmAllCorners(velocityToFollowing, {"velocity", "follows"}, {"in"});

lbmAllCorners
(
    velocityToOutflow,
    {"velocity", "outflow"},
    {"in", "oblique in"}
);

lbmAllCorners
(
    velocityToPressure,
    {"velocity", "pressure"},
    {"in", "oblique in"}
);

lbmAllCorners
(
    heldVelocities,
    {"held", "held"},
    {"along", "in", "oblique in"}
);

lbmAllCorners
(
    freeStreams,
    {"stream", "stream"},
    {"along", "grazing in", "in", "oblique in"}
);

lbmAllCorners
(
    velocityToHeld,
    {"velocity", "held"},
    {"in", "oblique in"}
);

lbmAllCorners(slips, {"slip", "slip"}, {"rest", "along"});

// Oblique ones that meet in a corner
lbmCorners
(
    wallFunctions,
    {{"wallStress", "wallStress"}, "along", "27", "half-way", RR, 0.501, 0.1},
    {{"wallStress", "wallStress"}, "along", "45", "far", RR, 0.501, 0.1},
    {
        {"wallStress", "wallStress", "wallStress", "wallStress"},
        "rest", "27", "half-way", RR, 0.501, 0
    },
    {
        {"wallStress", "wallStress", "wallStress", "wallStress"},
        "rest", "27", "near", RR, 0.505, 0
    },
    {
        {"wallStress", "wallStress", "wallStress", "wallStress"},
        "rest", "45", "far", RR, 0.501, 0
    },
    {
        {"wallStress", "wallStress", "wallStress", "wallStress"},
        "rest", "27", "half-way", "TRT", 0.505, 0
    },
    {
        {"wallStress", "wallStress", "wallStress", "wallStress"},
        "rest", "27", "far", RR, 0.501, 0, "D3Q19"
    }
);

lbmCorners
(
    ducts,
    {{"wall", "wall", "pressure", "pressure"}, "rest", "0", "near", RR, 2, 0},
    {
        {"wall", "wall", "pressure", "pressure"},
        "rest", "27", "near", "TRT", 2, 0
    },
    {
        {"pressure", "pressure", "wall", "wall"},
        "rest", "45", "near", "TRT", 0.8, 0
    },
    {{"wall", "slip"}, "rest", "45", "near", "TRT", 0.8, 0},
    {{"slip", "slip", "slip", "slip"}, "rest", "27", "near", RR, 0.51, 0},
    {{"pressure", "slip"}, "along", "0", "half-way", RR},
    {
        {"pressure", "pressure", "slip", "slip"},
        "rest", "45", "far", "TRT", 2, 0
    },
    {
        {"velocity", "pressure", "wall", "wall"},
        "to the pressure", "0", "half-way", "TRT", 0.55, 0.05
    },
    {
        {"velocity", "pressure", "slip", "slip"},
        "to the pressure", "0", "half-way", RR
    },
    {
        {"velocity", "pressure", "slip", "slip"},
        "to the pressure", "27", "far", "TRT", 0.55, 0.05
    }
);

lbmCorners
(
    threeDimensions,
    {{"velocity", "velocity"}, "along", "0", "near", "TRT", 2, 0.1, "D3Q19"},
    {{"velocity", "outflow"}, "in", "0", "far", RR, 0.8, 0.1, "D3Q27"},
    {{"velocity", "pressure"}, "in", "27", "far", RR, 0.51, 0.1, "D3Q19"},
    {{"velocity", "pressure"}, "in", "45", "near", RR, 0.51, 0.1, "D3Q27"},
    {{"pressure", "pressure"}, "in", "0", "half-way", "TRT", 0.8, 0.1, "D3Q19"},
    {{"pressure", "pressure"}, "in", "27", "far", RR, 0.8, 0.1, "D3Q27"},
    {{"pressure", "pressure"}, "in", "45", "near", RR, 0.51, 0.1, "D3Q19"},
    {{"slip", "slip"}, "along", "27", "near", "TRT", 0.8, 0.1, "D3Q19"},
    {{"slip", "slip"}, "along", "45", "far", RR, 0.51, 0.1, "D3Q27"}
);


// A magic parameter as large as at this relaxation time lets a uniform flow
// itself grow, at the rate of the largest eigenvalue of the matrix of a step
TEST(stabilityMethod, findsTheRateOfAFlowThatGrows)
{
    const point p = measured({{}, "along", "27", "half-way", "TRT", 0.501});
    EXPECT_NEAR(p.rate.rate, 8.4064e-4, 1e-5);
}

// Power iteration, for boundaries that do not respond linearly
TEST(stabilityMethod, findsTheSameRateByPowers)
{
    const auto rates = [](const corner& c)
    {
        const stabilityCase s = caseOf(c);
        smallRegion region = s.region();
        region.build(40);
        lbm::engineSettings settings;
        settings.lattice = c.lattice;
        settings.precision = "double";
        settings.relaxationTime = c.tau;
        const auto e = region.make(settings, s.velocity(c.speed));
        const growthOptions options;
        disturbances d(*e, options);
        return std::array<growth, 2>{d.byArnoldi(), d.byPowers()};
    };
    for
    (
        const corner& c : std::vector<corner>
        {
            {{"velocity", "velocity"}, "in", "0", "half-way", "TRT", 0.51},
            {{"velocity", "velocity"}, "in", "0", "half-way", "TRT", 0.8},
            {{}, "rest", "0", "half-way", "TRT", 0.51, 0},
            {{"velocity", "pressure"}, "out", "0", "half-way", "TRT", 0.51}
        }
    )
    {
        const auto [arnoldi, powers] = rates(c);
        EXPECT_NEAR(arnoldi.rate, powers.rate, powers.uncertainty) << c.name();
    }
}

// A quarter of a sound wave between a pressure and a velocity: the flow feeds
// it where it comes in at the pressure, and takes from it where it goes out
TEST(stabilityMethod, findsTheRateOfSound)
{
    const corner c
        {{"velocity", "pressure"}, "out", "0", "half-way", RR, 0.8, 0.05};
    const double L = 48, tau = c.tau;
    const double nu = (tau - 0.5)/3, k = M_PI/2/L;
    for (const std::string flow : {"in", "out"})
    {
        stabilityCase s = caseOf(c);
        s.flow = named(directionsOf(s.sides, s.lattice), flow);
        s.angle = {"0", {1, 0, 0}, {0, 1, 0}, int(L), 0, 2};
        smallRegion region = s.region();
        region.build(60);
        const point p = measure(s, region, tau, c.speed, growthOptions());
        const double sound = flow == "out" ? c.speed/L : -c.speed/L;
        EXPECT_NEAR(p.rate.rate, sound - nu*k*k, 0.05*c.speed/L) << flow;
        EXPECT_EQ(p.sound, flow == "out" ? sound : 0);
    }
}

// Between two pressures a velocity stays as it is: that is no growth. At rest a
// pressure answers inflow and outflow each in its own way: the rate is that of
// power iteration, whose uncertainty is larger
TEST(stabilityMethod, takesAFreeVelocityForNeutral)
{
    const corner c
        {{"pressure", "pressure"}, "rest", "0", "half-way", "TRT", 0.8, 0};
    const point p = measured(c);
    EXPECT_NEAR(p.rate.rate, 0, 1e-6);
    EXPECT_LE(p.rate.uncertainty, 1e-4);
}

TEST(stabilityMethod, findsEigenvaluesOfAHessenbergMatrix)
{
    // The companion matrix of (x^2 + 4)(x - 1)^2 by columns
    const std::vector<values> H =
    {
        {2, 1},
        {-5, 0, 1},
        {8, 0, 0, 1},
        {-4, 0, 0, 0, 0}
    };
    const auto largest = hessenbergEigen(H, 4).largest(4);
    EXPECT_NEAR(std::abs(largest[0].value), 2, 1e-10);
    EXPECT_NEAR(std::abs(largest[0].value.real()), 0, 1e-10);
    EXPECT_NEAR(std::abs(largest[1].value), 2, 1e-10);
    EXPECT_NEAR(std::abs(largest[2].value - complex(1)), 0, 1e-6);
    EXPECT_NEAR(std::abs(largest[3].value - complex(1)), 0, 1e-6);
}

} // End anonymous namespace

} // End namespace lbmTest
