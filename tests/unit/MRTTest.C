// Multiple relaxation times: against the matrices of the papers, against TRT and
// BGK, and what its rates do

#include "latticeCase.H"
#include "choices.H"

#include <random>

namespace lbmTest
{

namespace
{

//- Rates by the names of the papers
struct namedRates
{
    double nu, e, epsilon, pi, q, m;
};

//- The moments of a paper: names, matrix and equilibria as printed there
template<class Lattice>
struct paper;

// Phil. Trans. R. Soc. A 360 (2002) 437
template<>
struct paper<lbm::D3Q19>
{
    static constexpr int c[19][3] =
    {
        {0, 0, 0},
        {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
        {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0},
        {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
        {0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1}
    };

    static constexpr int M[19][19] =
    {
        {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {-30, -11, -11, -11, -11, -11, -11, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
        {12, -4, -4, -4, -4, -4, -4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0},
        {0, -4, 4, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0},
        {0, 0, 0, 1, -1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1},
        {0, 0, 0, -4, 4, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1},
        {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1},
        {0, 0, 0, 0, 0, -4, 4, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1},
        {0, 2, 2, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, 1, -2, -2, -2, -2},
        {0, -4, -4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, -2, -2, -2, -2},
        {0, 0, 0, 1, 1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, 0, 0, 0, 0},
        {0, 0, 0, -2, -2, 2, 2, 1, 1, 1, 1, -1, -1, -1, -1, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 1, -1, 1, -1, -1, 1, -1, 1, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 1, 0, 0, 0, 0, 1, -1, 1, -1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, -1, -1, -1, -1, 1, 1}
    };

    //- With w_epsilon = 3, w_epsilon,j = -11/2, w_xx = -1/2
    static std::array<double, 19> equilibrium(double rho, const vec& u)
    {
        const double x = u[0], y = u[1], z = u[2], uu = x*x + y*y + z*z;
        const double pxx3 = 2*x*x - y*y - z*z, pww = y*y - z*z;
        return
        {
            rho, -11*rho + 19*uu, 3*rho - 11*uu/2,
            x, -2*x/3, y, -2*y/3, z, -2*z/3,
            pxx3, -pxx3/2, pww, -pww/2, x*y, y*z, x*z, 0, 0, 0
        };
    }

    static std::array<double, 19> rates(const namedRates& s)
    {
        return
        {
            0, s.e, s.epsilon, 0, s.q, 0, s.q, 0, s.q,
            s.nu, s.pi, s.nu, s.pi, s.nu, s.nu, s.nu, s.m, s.m, s.m
        };
    }
};

// Phys. Rev. E 61 (2000) 6546
template<>
struct paper<lbm::D2Q9>
{
    static constexpr int c[9][3] =
    {
        {0, 0, 0},
        {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0},
        {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}
    };

    static constexpr int M[9][9] =
    {
        {1, 1, 1, 1, 1, 1, 1, 1, 1},
        {-4, -1, -1, -1, -1, 2, 2, 2, 2},
        {4, -2, -2, -2, -2, 1, 1, 1, 1},
        {0, 1, 0, -1, 0, 1, -1, -1, 1},
        {0, -2, 0, 2, 0, 1, -1, -1, 1},
        {0, 0, 1, 0, -1, 1, 1, -1, -1},
        {0, 0, -2, 0, 2, 1, 1, -1, -1},
        {0, 1, -1, 1, -1, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, 1, -1, 1, -1}
    };

    static std::array<double, 9> equilibrium(double rho, const vec& u)
    {
        const double x = u[0], y = u[1], uu = x*x + y*y;
        return
            {rho, -2*rho + 3*uu, rho - 3*uu, x, -x, y, -y, x*x - y*y, x*y};
    }

    static std::array<double, 9> rates(const namedRates& s)
    {
        return {0, s.e, s.epsilon, 0, s.q, 0, s.q, s.nu, s.nu};
    }
};

template<class Lattice>
double square(int row)
{
    double sum = 0;
    for (const int x : paper<Lattice>::M[row])
    {
        sum += x*x;
    }
    return sum;
}

//- Direction of the lattice that is the paper's i
template<class Lattice>
int directionOf(int i)
{
    const auto& c = paper<Lattice>::c[i];
    return lbm::directionWith<Lattice>(c[0], c[1], c[2]);
}

//- Populations after a collision with the paper's matrix. The force F changes
//  moments as a change F of the velocity would: half of the change from u - F to
//  u + F, exactly, since equilibria are of second order
template<class Lattice>
std::array<double, Lattice::q> collided
(
    const std::array<double, Lattice::q>& h,
    const namedRates& rates,
    const vec& F
)
{
    constexpr int q = Lattice::q;
    using table = paper<Lattice>;

    double m[q];
    for (int k = 0; k < q; ++k)
    {
        m[k] = 0;
        for (int i = 0; i < q; ++i)
        {
            m[k] += table::M[k][i]*h[directionOf<Lattice>(i)];
        }
    }

    const int momentum[3] = {3, 5, 7};
    vec u{0, 0, 0}, more, less;
    for (int a = 0; a < 3; ++a)
    {
        u[a] = a < Lattice::d ? m[momentum[a]] + F[a]/2 : 0;
        more[a] = u[a] + F[a];
        less[a] = u[a] - F[a];
    }
    const auto eq = table::equilibrium(m[0], u);
    const auto after = table::equilibrium(0, more);
    const auto before = table::equilibrium(0, less);
    const auto s = table::rates(rates);

    std::array<double, q> result = h;
    for (int k = 0; k < q; ++k)
    {
        const double source = (after[k] - before[k])/2;
        const double change = s[k]*(eq[k] - m[k]) + (1 - s[k]/2)*source;
        for (int i = 0; i < q; ++i)
        {
            result[directionOf<Lattice>(i)] +=
                table::M[k][i]*change/square<Lattice>(k);
        }
    }
    return result;
}

template<class Lattice>
std::array<double, Lattice::q> randomNode(unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    std::array<double, Lattice::q> h;
    for (int i = 0; i < Lattice::q; ++i)
    {
        h[i] = 0.05*value(random)*lbm::weight<Lattice, double>(i);
    }
    return h;
}

template<class Lattice, class Forcing, int unit, class T>
std::array<double, Lattice::q> collidedHere
(
    const std::array<double, Lattice::q>& h,
    const namedRates& s,
    const vec& F
)
{
    T values[Lattice::q];
    for (int i = 0; i < Lattice::q; ++i)
    {
        values[i] = T(unit*h[i]);
    }
    const lbm::collisionParameters<T> p
    {
        T(s.nu), T(s.q), T(s.e), {T(F[0]), T(F[1]), T(F[2])}
    };
    lbm::momentRelaxation::collide<Lattice, Forcing, unit>
    (
        values, p, {T(s.epsilon), T(s.pi), T(s.m)}
    );
    std::array<double, Lattice::q> result;
    for (int i = 0; i < Lattice::q; ++i)
    {
        result[i] = double(values[i])/unit;
    }
    return result;
}

//- Largest difference of populations
template<class A>
double difference(const A& a, const A& b)
{
    double result = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        result = std::max(result, std::abs(a[i] - b[i]));
    }
    return result;
}

template<class Lattice>
void checkBasis()
{
    constexpr int q = Lattice::q;
    using table = paper<Lattice>;
    for (int k = 0; k < q; ++k)
    for (int l = 0; l < k; ++l)
    {
        int sum = 0;
        for (int i = 0; i < q; ++i)
        {
            sum += table::M[k][i]*table::M[l][i];
        }
        EXPECT_EQ(sum, 0) << Lattice::name << k << ' ' << l;
    }

    // The equilibria are those of all collisions
    const double rho = 0.02;
    const double u[3] = {0.03, -0.05, Lattice::d == 3 ? 0.07 : 0};
    const double uu = lbm::dot<Lattice>(u, u);
    double eq[q];
    eq[0] = lbm::weight<Lattice, double>(0)*(rho - 1.5*uu);
    lbm::forEachPair<Lattice>([&](auto i, auto j)
    {
        const auto e = lbm::equilibrium<Lattice, i>(rho, u, uu);
        const double w = lbm::weight<Lattice, double>(i);
        eq[i] = w*(e.even + e.odd);
        eq[j] = w*(e.even - e.odd);
    });
    const auto expected = table::equilibrium(rho, {u[0], u[1], u[2]});
    for (int k = 0; k < q; ++k)
    {
        double m = 0;
        for (int i = 0; i < q; ++i)
        {
            m += table::M[k][i]*eq[directionOf<Lattice>(i)];
        }
        EXPECT_NEAR(m, expected[k], 1e-16) << Lattice::name << k;
    }
}

template<class Lattice>
void checkCollision()
{
    const namedRates s{1.7, 1.1, 1.3, 0.8, 1.25, 1.9};
    const vec F{0.003, -0.002, Lattice::d == 3 ? 0.004 : 0}, none{0, 0, 0};
    using forced = lbm::guoForcing;

    for (const unsigned seed : {1, 2, 3})
    {
        const auto h = randomNode<Lattice>(seed);
        const auto a = collided<Lattice>(h, s, F);
        const auto b = collided<Lattice>(h, s, none);
        SCOPED_TRACE(Lattice::name);
        EXPECT_LT
        (
            difference(collidedHere<Lattice, forced, 1, double>(h, s, F), a),
            2e-17
        );
        EXPECT_LT
        (
            difference(collidedHere<Lattice, forced, 64, double>(h, s, F), a),
            2e-17
        );
        EXPECT_LT
        (
            difference(collidedHere<Lattice, forced, 64, float>(h, s, F), a),
            4e-9
        );
        EXPECT_LT
        (
            difference
            (
                collidedHere<Lattice, lbm::noForcing, 1, double>(h, s, none), b
            ),
            2e-17
        );

        // Each rate counts
        for
        (
            double namedRates::* rate
          : {
                &namedRates::nu, &namedRates::e, &namedRates::epsilon,
                &namedRates::pi, &namedRates::q, &namedRates::m
            }
        )
        {
            const bool inSpaceOnly =
                rate == &namedRates::pi || rate == &namedRates::m;
            namedRates other = s;
            other.*rate += 1e-3;
            const double change = difference
            (
                collidedHere<Lattice, forced, 1, double>(h, other, F), a
            );
            EXPECT_EQ(change > 1e-9, Lattice::d == 3 || !inSpaceOnly);
        }
    }
}

//- What is conserved, in the digits of T
template<class Lattice, class T>
void checkConserved(double tolerance)
{
    const namedRates s{1.9, 1.19, 1.4, 1.4, 0.6, 0};
    const vec F{0.003, -0.002, Lattice::d == 3 ? 0.004 : 0};
    const auto h = randomNode<Lattice>(5);
    const auto after = collidedHere<Lattice, lbm::guoForcing, 1, T>(h, s, F);
    double mass = 0;
    vec momentum{0, 0, 0};
    for (int i = 0; i < Lattice::q; ++i)
    {
        mass += after[i] - h[i];
        for (int a = 0; a < 3; ++a)
        {
            momentum[a] += Lattice::c(i, a)*(after[i] - h[i]);
        }
    }
    EXPECT_NEAR(mass, 0, tolerance) << Lattice::name;
    for (int a = 0; a < Lattice::d; ++a)
    {
        EXPECT_NEAR(momentum[a], F[a], tolerance) << Lattice::name << a;
    }
}

//- With two rates it is TRT, with one BGK
template<class Lattice>
void checkEqualRates()
{
    const vec F{0.003, -0.002, Lattice::d == 3 ? 0.004 : 0};
    for (const double odd : {1.2, 1.7})
    {
        const namedRates s{1.7, 1.7, 1.7, 1.7, odd, odd};
        const auto h = randomNode<Lattice>(9);
        const auto a = collidedHere<Lattice, lbm::guoForcing, 1, double>(h, s, F);

        std::array<double, Lattice::q> b;
        double values[Lattice::q];
        std::copy(h.begin(), h.end(), values);
        const lbm::collisionParameters<double> p
        {
            s.nu, s.q, s.nu, {F[0], F[1], F[2]}
        };
        lbm::pairRelaxation::collide<Lattice, lbm::guoForcing>(values, p);
        std::copy(values, values + Lattice::q, b.begin());
        EXPECT_LT(difference(a, b), 1e-17) << Lattice::name << odd;

        // m goes with q unless it has a rate of its own
        namedRates t = s;
        t.m = 0;
        EXPECT_EQ
        (
            difference
            (
                a, collidedHere<Lattice, lbm::guoForcing, 1, double>(h, t, F)
            ),
            0
        );
    }
}

} // End anonymous namespace


TEST(MRT, basisOfThePapersIsOrthogonalAndHasOurEquilibria)
{
    checkBasis<lbm::D2Q9>();
    checkBasis<lbm::D3Q19>();
}


TEST(MRT, isThatOfThePapers)
{
    checkCollision<lbm::D2Q9>();
    checkCollision<lbm::D3Q19>();
}


TEST(MRT, conservesMassAndGainsTheForce)
{
    checkConserved<lbm::D2Q9, double>(1e-17);
    checkConserved<lbm::D3Q19, double>(1e-17);
    checkConserved<lbm::D2Q9, float>(1e-8);
    checkConserved<lbm::D3Q19, float>(1e-8);
}


TEST(MRT, isTRTWithTwoRatesAndBGKWithOne)
{
    checkEqualRates<lbm::D2Q9>();
    checkEqualRates<lbm::D3Q19>();
}


TEST(MRT, isNotThereInD3Q27)
{
    for (const std::string& lattice : lattices())
    {
        const auto names = lbm::collisionsOn(lattice);
        EXPECT_EQ
        (
            std::count(names.begin(), names.end(), "MRT"), lattice != "D3Q27"
        )   << lattice;
    }
}


class collisionMRT : public engineTest
{
protected:

    //- Flow in a box whose lid moves, with a force
    std::unique_ptr<lbm::engine> run
    (
        const std::string& lattice,
        const std::string& layout,
        const std::string& collision,
        const std::map<std::string, double>& parameters,
        double bulk = 0
    ) const
    {
        box b;
        b.lattice = lattice;
        b.size = {12, 9, is3D(lattice) ? 7 : 1};
        b.periodic = {false, false, true};
        b.lidAxis = 1;
        const auto d = b.description();
        lbm::engineSettings s = settings(b);
        s.layout = layout;
        s.collision = collision;
        s.collisionParameters = parameters;
        s.relaxationTime = tau_;
        s.bulkRelaxationTime = bulk;
        s.bodyForce = {1e-5, 2e-5, 0};
        auto e = lbm::engine::New(s, d);
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                const double U[3] = {0.05, 0, 0};
                e->setBoundaryValues(g, U, 1);
            }
        }
        e->step(100);
        return e;
    }

    const double tau_ = 0.7;
};


// Its parameters reach the nodes: as TRT where they ask for it, not otherwise
TEST_P(collisionMRT, takesItsParameters)
{
    for (const std::string lattice : {"D2Q9", "D3Q19"})
    for (const std::string& layout : lbm::engine::validNames("layout"))
    {
        const double s = 1/tau_, odd = 1/(0.5 + 3.0/16/(tau_ - 0.5));
        const fields TRT(*run(lattice, layout, "TRT", {}));
        const auto off = [&](std::map<std::string, double> p, double bulk)
        {
            return fields(*run(lattice, layout, "MRT", p, bulk)).difference(TRT);
        };
        SCOPED_TRACE(lattice + layout);

        const double rounding = single_ ? 2e-5 : 1e-13;
        const double some = 2e-5;
        EXPECT_LT(off({{"sEpsilon", s}, {"sPi", s}}, tau_), rounding);
        EXPECT_LT
        (
            off({{"sEpsilon", s}, {"sPi", s}, {"sM", odd}}, tau_), rounding
        );
        EXPECT_GT(off({{"sEpsilon", s}, {"sPi", s}}, 0), some);
        EXPECT_GT(off({{"sPi", s}}, tau_), some);
        if (lattice == "D3Q19")
        {
            EXPECT_GT(off({{"sEpsilon", s}}, tau_), some);
            EXPECT_GT
            (
                off({{"sEpsilon", s}, {"sPi", s}, {"sM", 1.98}}, tau_), some
            );
        }
    }
}


TEST_P(collisionMRT, refusesWhatIsNoRate)
{
    const auto refused = [&]
    (
        const std::string& collision,
        const std::map<std::string, double>& parameters
    )
    {
        try
        {
            run("D2Q9", "dense", collision, parameters);
        }
        catch (const lbm::error& e)
        {
            return std::string(e.what());
        }
        return std::string();
    };

    for (const std::string name : {"sEpsilon", "sPi", "sM"})
    {
        for (const double value : {-1.0, 0.0, 2.0, std::nan("")})
        {
            EXPECT_NE
            (
                refused("MRT", {{name, value}}).find(name + " of collision MRT"),
                std::string::npos
            )   << value;
        }
        EXPECT_EQ(refused("MRT", {{name, 1.99}}), "");
    }
    EXPECT_EQ
    (
        refused("MRT", {{"sQ", 1.2}}),
        "unknown parameter 'sQ' of collision MRT, valid ones are: sEpsilon sPi"
        " sM"
    );
    EXPECT_EQ
    (
        refused("TRT", {{"sPi", 1.2}}),
        "unknown parameter 'sPi' of collision TRT, valid ones are: none"
    );
}

lbmForEveryEngine(collisionMRT);

} // End namespace lbmTest
