// Laws of the eddy viscosity that transport variables: against finite volumes of
// their own with the formulas of the papers, decaying turbulence, waves that are
// carried, and what is refused

#include "latticeRegion.H"

#include <algorithm>
#include <random>

namespace lbmTest
{
namespace
{

using tensor = std::array<vec, 3>;

//- Menter, Kuntz & Langtry 2003, with OpenFOAM's names
const std::vector<double> sst
{
    0.85, 1, 0.5, 0.856, 5.0/9, 0.44, 0.075, 0.0828, 0.09, 0.31, 1, 10, 0, 0, 0,
    50
};
const std::vector<double> standard{0.09, 1.44, 1.92, 1.0, 1.3};
const std::vector<double> yoshizawa{0.094, 1.048};
const std::vector<double> allmaras
{
    0.66666, 0.41, 0.1355, 0.622, 0.3, 2, 7.1, 0.3
};


bool isAllmaras(const std::string& law)
{
    return law.compare(0, 15, "SpalartAllmaras") == 0;
}


//- Those of the detached-eddy models, after those of Spalart and Allmaras
std::vector<double> detached(const std::string& law)
{
    std::vector<double> result(allmaras);
    const auto add = [&](std::initializer_list<double> more)
    {
        result.insert(result.end(), more);
    };
    if (law != "SpalartAllmaras")
    {
        add({0.65, 1, 1.2, 0.5, 0.424});
    }
    if (law == "SpalartAllmarasDDES")
    {
        add({8, 3});
    }
    if (law == "SpalartAllmarasIDDES")
    {
        add({8, 3, 3.55, 1.63});
    }
    return result;
}


lbm::viscosityModel modelOf(const std::string& law, double nu)
{
    lbm::viscosityModel m;
    m.fluidParameters = {nu};
    m.eddies = law;
    m.eddyParameters =
        law == "kOmegaSST" ? sst
      : law == "kEpsilon" ? standard
      : law == "kEqn" ? yoshizawa : detached(law);
    m.delta = {1.2};
    m.longestEdge = {1.5};
    m.interval = 1000;
    return m;
}


//- Sources and viscosity of a node, from the papers
struct closure
{
    std::string law;
    double nu, y, delta, longest, nut;
    tensor G;
    double production, strain2;
    std::vector<double> v;
    std::vector<vec> grad;

    double cross() const
    {
        return 2*0.856*dot(grad[0], grad[1])/v[1];
    }

    double F1() const
    {
        const double CD = std::max(cross(), 1e-10/2500);
        const double a = std::max
        (
            std::sqrt(v[0])/(0.09*v[1]*y), 500*nu/(y*y*v[1])
        );
        const double b = std::min(a, 4*0.856*v[0]/(CD*y*y));
        return std::tanh(std::pow(std::min(b, 10.0), 4));
    }

    double limiter() const
    {
        const double a = std::max
        (
            2*std::sqrt(v[0])/(0.09*v[1]*y), 500*nu/(y*y*v[1])
        );
        const double F2 = std::tanh(std::pow(std::min(a, 100.0), 2));
        return std::max(0.31*v[1], F2*std::sqrt(strain2));
    }

    double D(int i) const
    {
        if (law == "kOmegaSST")
        {
            const double F = F1();
            return
                nu + nut*(i == 0 ? F*0.85 + (1 - F) : F*0.5 + (1 - F)*0.856);
        }
        return
            law == "kEpsilon" ? nu + nut/(i == 0 ? 1 : 1.3)
          : law == "kEqn" ? nu + nut
          : (nu + v[0])/0.66666;
    }

    //- Source and sink
    std::pair<double, double> sources(int i, double GbyNu) const
    {
        if (law == "kOmegaSST")
        {
            if (i == 0)
            {
                return
                {
                    std::min(production, 10*0.09*v[0]*v[1]), 0.09*v[1]
                };
            }
            const double F = F1();
            const double c = (1 - F)*cross();
            const double limited =
                std::min(GbyNu, 10/0.31*0.09*v[1]*limiter());
            return
            {
                (F*5.0/9 + (1 - F)*0.44)*limited + std::max(c, 0.0),
                (F*0.075 + (1 - F)*0.0828)*v[1] + std::max(-c, 0.0)/v[1]
            };
        }
        if (law == "kEpsilon")
        {
            return i == 0
              ? std::make_pair(production, v[1]/v[0])
              : std::make_pair(1.44*0.09*v[0]*GbyNu, 1.92*v[1]/v[0]);
        }
        if (law == "kEqn")
        {
            return {production, 1.048*std::sqrt(v[0])/delta};
        }
        const double X = v[0]/nu;
        const double fv1 = X*X*X/(X*X*X + 7.1*7.1*7.1);
        const double W = std::sqrt
        (
            std::pow(G[0][1] - G[1][0], 2) + std::pow(G[0][2] - G[2][0], 2)
          + std::pow(G[1][2] - G[2][1], 2)
        );
        const double fv2 = 1 - X/(1 + X*fv1);
        const double Cw1 = 0.1355/(0.41*0.41) + 1.622/0.66666;
        const bool hybrid = law != "SpalartAllmaras";
        const double ft2 = hybrid ? 1.2*std::exp(-0.5*X*X) : 0;
        const double d = hybrid ? length(X, fv1, fv2, ft2, Cw1) : y;
        const double ky2 = std::pow(0.41*d, 2);
        const double S = std::max(W + fv2*v[0]/ky2, 0.3*W);
        const double r = std::min(v[0]/(std::max(S, 1e-15)*ky2), 10.0);
        const double g = r + 0.3*(std::pow(r, 6) - r);
        const double fw =
            g*std::pow((1 + 64)/(std::pow(g, 6) + 64), 1.0/6);
        const double produced = 0.1355*S*(1 - ft2);
        const double sink =
            (Cw1*fw - 0.1355/(0.41*0.41)*ft2)*v[0]/(d*d);
        return
        {
            std::max(produced, 0.0)*v[0] + std::max(-sink, 0.0)*v[0]
          + 0.622/0.66666*dot(grad[0], grad[0]),
            std::max(sink, 0.0) + std::max(-produced, 0.0)
        };
    }

    //- Of detached eddies
    double length
    (
        double X,
        double fv1,
        double fv2,
        double ft2,
        double Cw1
    ) const
    {
        const double star =
            (1 - 0.1355/(Cw1*0.41*0.41*0.424)*(ft2 + (1 - ft2)*fv2))
           /std::max(1e-15, fv1*std::max(1e-10, 1 - ft2));
        const double eddies = std::sqrt(std::min(100.0, star))*0.65*delta;
        if (law == "SpalartAllmarasDES")
        {
            return std::min(y, eddies);
        }
        double grad2 = 0;
        for (const vec& row : G)
        {
            grad2 += dot(row, row);
        }
        const auto rd = [&](double viscosity)
        {
            return std::min
            (
                viscosity/(std::sqrt(grad2)*std::pow(0.41*y, 2)), 10.0
            );
        };
        if (law == "SpalartAllmarasDDES")
        {
            const double fd = 1 - std::tanh(std::pow(8*rd(nu + nut), 3));
            return y - fd*std::max(0.0, y - eddies);
        }
        const double a = std::max(0.25 - y/longest, -5.0);
        const double fB = std::min(2*std::exp(-9*a*a), 1.0);
        const double f =
            std::max(std::tanh(std::pow(8*rd(nut), 3)), fB);
        const double fe2 = 1 - std::max
        (
            std::tanh(std::pow(1.63*1.63*rd(nut), 3)),
            std::tanh(std::pow(3.55*3.55*rd(nu), 10))
        );
        const double fe =
            std::max(2*std::exp(-(a < 0 ? 9 : 11.09)*a*a) - 1, 0.0)
           *eddies/(0.65*delta)*fe2;
        return f*(1 + fe)*y + (1 - f)*eddies;
    }

    double eddies() const
    {
        return
            law == "kOmegaSST" ? 0.31*v[0]/limiter()
          : law == "kEpsilon" ? 0.09*v[0]*v[0]/v[1]
          : law == "kEqn" ? 0.094*std::sqrt(v[0])*delta
          : v[0]*std::pow(v[0]/nu, 3)/(std::pow(v[0]/nu, 3) + 357.911);
    }
};

} // End anonymous namespace


class eddyTransport : public formulaTest
{
protected:

    static constexpr double lid_[3] = {0.05, 0, 0.01};

    //- A room with a block, a lid above and cyclic across z
    static box room(const std::string& lattice)
    {
        box b;
        b.lattice = lattice;
        b.size = {9, 8, is3D(lattice) ? 6 : 1};
        b.periodic = {false, false, true};
        b.lidAxis = 1;
        b.solid = [](int i, int j, int) { return i == 3 && j < 3; };
        return b;
    }

    static box everywhere(const std::string& lattice, int n)
    {
        box b;
        b.lattice = lattice;
        b.size = {n, is3D(lattice) ? 3 : 4, is3D(lattice) ? 3 : 1};
        b.periodic = {true, true, true};
        return b;
    }

    lbm::engineSettings settings(const std::string& lattice) const
    {
        lbm::engineSettings s = formulaTest::settings(lattice);
        s.variableViscosity = true;
        s.modelledViscosity = true;
        s.transportedVariables = 2;
        return s;
    }

    static std::vector<double> transported(lbm::engine& e, int i)
    {
        std::vector<double> v(e.nFluid());
        e.getTransported(i, 0, v.size(), v.data());
        return v;
    }

    static std::vector<double> viscosity(lbm::engine& e)
    {
        std::vector<double> nu(e.nFluid());
        e.viscosity(0, nu.size(), nu.data());
        return nu;
    }
};


TEST_P(eddyTransport, advancesAsFiniteVolumes)
{
    const double nu = 2e-3, steps = 3;
    for (const std::string& lattice : lattices())
    for (const std::string& layout : lbm::engine::validNames("layout"))
    for (const std::string law
       : {"kEqn", "SpalartAllmaras", "kEpsilon", "kOmegaSST",
          "SpalartAllmarasDES", "SpalartAllmarasDDES",
          "SpalartAllmarasIDDES"})
    {
        const int dim = is3D(lattice) ? 3 : 2;
        const int n = lbm::transportedVariables(law).size();
        const bool fixes = lbm::fixesBesideWalls(law);
        const box b = room(lattice);
        const auto d = b.description();
        lbm::engineSettings s = settings(lattice);
        s.layout = layout;
        const auto e = lbm::engine::New(s, d);
        const std::int64_t N = e->nFluid();

        std::mt19937 random(N + n);
        std::uniform_real_distribution<double> any(0, 1);
        std::vector<double> rho(N), u(3*N);
        for (std::int64_t i = 0; i < N; ++i)
        {
            for (int a = 0; a < dim; ++a)
            {
                u[3*i + a] = 0.04*(any(random) - 0.5);
            }
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);

        lbm::viscosityModel m = modelOf(law, nu);
        m.wall.yPlusLam = 1;
        m.wallDistance.resize(N);
        for (double& y : m.wallDistance)
        {
            y = 0.5 + 3*any(random);
        }
        if (lbm::usesLongestEdge(law))
        {
            m.longestEdge.resize(N);
            for (double& edge : m.longestEdge)
            {
                edge = 1 + 4*any(random);
            }
        }
        e->setViscosityModel(m);

        std::vector<std::vector<double>> v(2, std::vector<double>(N));
        for (std::int64_t i = 0; i < N; ++i)
        {
            // From where the trip term counts to where eddies do
            v[0][i] = isAllmaras(law)
              ? 0.01*(0.05 + any(random)) : 1e-4*(0.5 + any(random));
            v[1][i] = law == "kEpsilon"
              ? 1e-6*std::pow(10, -3*any(random)) : 0.02*(0.5 + any(random));
        }
        for (int i = 0; i < n; ++i)
        {
            e->setTransported(i, 0, N, v[i].data());
        }

        // The walls fix the second variable where the law does, and bring the
        // first one to nearly nothing; the lid brings values of its own
        const double onLid[2] = {v[0][0], v[1][0]};
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "cyclic")
            {
                continue;
            }
            const bool lid = d.groups[g].type == "velocity";
            std::vector<lbm::transportedValue> values(n);
            for (int i = 0; i < n; ++i)
            {
                values[i] =
                    lid ? lbm::transportedValue{1, onLid[i]}
                  : i == 0 ? lbm::transportedValue{1, 1e-9}
                  : lbm::transportedValue{};
            }
            if (lid)
            {
                e->setBoundaryValues(g, lid_, 1);
            }
            e->setTransportedBoundary
            (
                g, values.data(), 1, !lid, !lid && fixes
            );
        }

        e->updateViscosity();
        const std::vector<double> before = viscosity(*e);
        e->step(steps);
        e->updateViscosity();
        const fields f(*e);
        const std::vector<double> after = viscosity(*e);

        // The same by loops over faces
        std::vector<std::int64_t> number(d.fluid.size(), -1);
        std::int64_t count = 0;
        for (std::size_t i = 0; i < number.size(); ++i)
        {
            number[i] = d.fluid[i] ? count++ : -1;
        }
        struct side { std::int64_t other; bool lid; };
        std::vector<std::array<side, 6>> sides(N);
        b.forNodes([&](int i, int j, int k)
        {
            const std::int64_t own = number[d.boxIndex(i, j, k)];
            for (int l = 0; own >= 0 && l < 2*dim; ++l)
            {
                std::array<std::int64_t, 3> x{i, j, k};
                x[l/2] += l % 2 ? 1 : -1;
                if (b.periodic[l/2])
                {
                    x[l/2] = (x[l/2] + b.size[l/2]) % b.size[l/2];
                }
                const bool out = x[l/2] < 0 || x[l/2] >= b.size[l/2];
                sides[own][l] =
                {
                    out ? -1 : number[d.boxIndex(x[0], x[1], x[2])],
                    out && l == 3
                };
            }
        });
        const auto velocityOn = [&](std::int64_t i, int l, int a)
        {
            const side& s = sides[i][l];
            return
                s.other >= 0 ? 0.5*(f.u[3*i + a] + f.u[3*s.other + a])
              : s.lid ? lid_[a] : 0;
        };
        const auto valueOn = [&](std::int64_t i, int l, int var)
        {
            const side& s = sides[i][l];
            return
                s.other >= 0 ? 0.5*(v[var][i] + v[var][s.other])
              : s.lid ? onLid[var]
              : var == 0 ? 1e-9 : v[var][i];
        };

        // Both stages of Heun's method; v: values, is: those of their nodes
        const std::vector<std::vector<double>> start(v);
        std::vector<double> nut(N);
        int nCut = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            nut[i] = before[i] - nu;
        }
        for (int stage = 0; stage < 2; ++stage)
        {
        std::vector<std::vector<double>> next(v);
        std::vector<closure> nodes(N);
        for (std::int64_t i = 0; i < N; ++i)
        {
            closure& c = nodes[i];
            c.law = law;
            c.nu = nu;
            c.y = m.wallDistance[i];
            c.delta = 1.2;
            c.longest =
                lbm::usesLongestEdge(law) ? m.longestEdge[i] : 0;
            c.nut = nut[i];
            c.G = {};
            c.grad.assign(2, vec{0, 0, 0});
            c.v = {v[0][i], v[1][i]};
            for (int l = 0; l < 2*dim; ++l)
            {
                const int sign = l % 2 ? 1 : -1;
                for (int a = 0; a < dim; ++a)
                {
                    c.G[l/2][a] += sign*velocityOn(i, l, a);
                }
                for (int var = 0; var < n; ++var)
                {
                    c.grad[var][l/2] += sign*valueOn(i, l, var);
                }
            }
            double trace = 0;
            c.strain2 = 0;
            for (int a = 0; a < 3; ++a)
            {
                trace += c.G[a][a];
                for (int k = 0; k < 3; ++k)
                {
                    c.strain2 += 0.5*std::pow(c.G[a][k] + c.G[k][a], 2);
                }
            }
            c.production = c.strain2 - 2.0/3*trace*trace;
        }

        for (std::int64_t i = 0; i < N; ++i)
        {
            closure c = nodes[i];
            const double GbyNu = c.production;
            c.production *= c.nut;
            double change[2] = {}, rate[2] = {};
            for (int var = 0; var < n; ++var)
            for (int l = 0; l < 2*dim; ++l)
            {
                const int sign = l % 2 ? 1 : -1;
                const double out = sign*velocityOn(i, l, l/2);
                const side& s = sides[i][l];
                if (s.other < 0)
                {
                    const double D =
                        s.lid ? c.D(var)
                      : isAllmaras(law) ? nu/0.66666 : nu;
                    change[var] +=
                        (2*D - out)*(valueOn(i, l, var) - v[var][i]);
                    rate[var] += s.lid || var == 0 ? 2*D : 0;
                    continue;
                }
                const double jump = v[var][s.other] - v[var][i];
                const std::int64_t up = out > 0 ? i : s.other;
                const double r =
                    2*sign*nodes[up].grad[var][l/2]/jump - 1;
                const double share = std::max(std::min(2*r, 1.0), 0.0);
                const double face =
                    out > 0 ? v[var][i] + 0.5*share*jump
                  : v[var][s.other] - 0.5*share*jump;
                const double D = 0.5*(c.D(var) + nodes[s.other].D(var));
                change[var] += D*jump - out*(face - v[var][i]);
                rate[var] += D + std::abs(out);
            }

            // Beside walls: the production, and the second variable for some k
            int nWalls = 0;
            double G0 = 0;
            const auto fixed = [&](double k)
            {
                const double root = std::sqrt(k), C = std::pow(0.09, 0.25);
                return
                    law == "kEpsilon" ? C*C*C*k*root/(0.41*0.5)
                  : C*0.5*root/nu > 1 ? root/(C*0.41*0.5)
                  : 6*nu/(0.075*0.25);
            };
            for (int l = 0; fixes && l < 2*dim; ++l)
            {
                if (sides[i][l].other < 0 && !sides[i][l].lid)
                {
                    const double root = std::sqrt(c.v[0]);
                    const double C = std::pow(0.09, 0.25);
                    const bool turbulent = C*0.5*root/nu > 1;
                    double speed = 0;
                    for (int a = 0; a < dim; ++a)
                    {
                        speed += std::pow(f.u[3*i + a], 2);
                    }
                    if (law == "kEpsilon" || turbulent)
                    {
                        G0 += nu*std::sqrt(speed)/0.5*C*root/(0.41*0.5);
                    }
                    ++nWalls;
                }
            }
            if (nWalls > 0)
            {
                c.production = G0/nWalls;
            }
            double least = 1;
            std::vector<std::pair<double, double>> terms;
            for (int var = 0; var < n; ++var)
            {
                terms.push_back(c.sources(var, GbyNu));
                if (var == 0 || nWalls == 0)
                {
                    least = std::max
                    (
                        least,
                        steps*terms[var].first
                       /(c.v[var] + steps*std::max(change[var], 0.0))
                    );
                }
            }
            nCut += least > 1;
            for (int var = 0; var < n; ++var)
            {
                const auto S = terms[var];
                const double z = steps*S.second;
                const double D = std::max
                ({
                    1 + z*z/(1 + z), 1.25*(steps*rate[var] + z), least
                });
                const double after =
                    v[var][i]
                  + steps*(change[var] + S.first - S.second*v[var][i])/D;
                c.v[var] =
                    var == 1 && nWalls > 0 ? fixed(c.v[0])
                  : stage == 0 ? after : 0.5*(start[var][i] + after);
                next[var][i] = c.v[var];
            }
            nut[i] = c.eddies();
        }
        v = next;
        }

        // In k-epsilon some nodes have much shear and few eddies
        EXPECT_EQ(nCut > 0, law == "kEpsilon") << law << ' ' << nCut;

        double worst = 0, worstNu = 0;
        for (std::int64_t i = 0; i < N; ++i)
        {
            for (int var = 0; var < n; ++var)
            {
                const double is = transported(*e, var)[i];
                worst = std::max(worst, std::abs(is/v[var][i] - 1));
            }
            worstNu =
                std::max(worstNu, std::abs(after[i]/(nu + nut[i]) - 1));
        }
        EXPECT_LT(worst, 1e-11) << law << ' ' << lattice << ' ' << layout;
        EXPECT_LT(worstNu, 1e-11) << law << ' ' << lattice << ' ' << layout;
    }
}


// Turbulence without shear: k from the integral of its equation, of second order in
// the interval
TEST_P(eddyTransport, decaysWithoutShear)
{
    const double k0 = 1e-4, second = 2e-6, omega = second/(0.09*k0), T = 64;
    const std::map<std::string, double> exact
    {
        {"kEpsilon", k0*std::pow(1 + 0.92*T*second/k0, -1/0.92)},
        {"kOmegaSST", k0*std::pow(1 + 0.0828*omega*T, -0.09/0.0828)},
        {"kEqn", k0/std::pow(1 + 0.5*1.048*std::sqrt(k0)*T/1.2, 2)}
    };
    for (const std::string& lattice : lattices())
    for (const auto& [law, k] : exact)
    {
        std::vector<double> errors;
        for (int interval : {4, 2, 1})
        {
            const auto e = lbm::engine::New
            (
                settings(lattice), everywhere(lattice, 4).description()
            );
            const std::int64_t N = e->nFluid();
            std::vector<double> zero(3*N);
            e->initialise(0, N, zero.data(), zero.data(), nullptr);
            lbm::viscosityModel m = modelOf(law, 1e-3);
            m.interval = interval;
            m.wallDistance.assign(N, 1e6);
            e->setViscosityModel(m);
            e->setTransported(0, 0, N, std::vector<double>(N, k0).data());
            e->setTransported
            (
                1, 0, N,
                std::vector<double>(N, law == "kEpsilon" ? second : omega).data()
            );
            e->step(T);
            e->updateViscosity();
            errors.push_back(std::abs(transported(*e, 0)[0]/k - 1));
        }
        recordOrder("k in time, " + lattice + ", " + law, errors);
        EXPECT_GT(orderOf(errors), 1.8) << law << ' ' << errors[0];
        EXPECT_LT(errors.back(), 1e-3) << law;
    }
}


// A wave that is carried and spreads, by a law without sources: of second order
TEST_P(eddyTransport, carriesAWave)
{
    for (const std::string& lattice : lattices())
    {
        std::vector<double> errors;
        for (int L = 16; L <= 64; L *= 2)
        {
            const double nu = 0.02, U = 0.8/L, wave = 2*M_PI/L;
            const int T = L*L/4;
            const auto e = lbm::engine::New
            (
                settings(lattice), everywhere(lattice, L).description()
            );
            const std::int64_t N = e->nFluid();
            std::vector<double> rho(N), u(3*N), k(N);
            for (std::int64_t i = 0; i < N; ++i)
            {
                u[3*i] = U;
                k[i] = 1e-4*(1 + 0.5*std::cos(wave*(i % L)));
            }
            e->initialise(0, N, rho.data(), u.data(), nullptr);
            lbm::viscosityModel m = modelOf("kEqn", nu);
            m.eddyParameters = {0, 0};
            m.interval = 1;
            e->setViscosityModel(m);
            e->setTransported(0, 0, N, k.data());
            e->step(T);
            e->updateViscosity();
            const std::vector<double> is = transported(*e, 0);
            double sum = 0, norm = 0, mean = 0;
            for (std::int64_t i = 0; i < N; ++i)
            {
                const double wanted = 0.5e-4
                   *std::exp(-nu*wave*wave*T)*std::cos(wave*(i % L - U*T));
                sum += std::abs(is[i] - 1e-4 - wanted);
                norm += std::abs(wanted);
                mean += is[i]/N;
            }
            errors.push_back(sum/norm);

            // Conservative, and bounded
            EXPECT_NEAR(mean/1e-4, 1, 1e-10);
            EXPECT_LE(*std::max_element(is.begin(), is.end()), 1.5e-4);
            EXPECT_GE(*std::min_element(is.begin(), is.end()), 0.5e-4);
        }
        recordOrder("k, " + lattice, errors);
        EXPECT_GE(orderOf(errors), 1.8) << lattice << ' ' << errors[0];
        EXPECT_LT(errors.back(), 0.02) << lattice;
    }
}


// Where the interval is too long for explicit steps: bounded, and the same steady
// state
TEST_P(eddyTransport, isStableWithLongIntervals)
{
    const std::string lattice = lattices().front();
    std::vector<std::vector<double>> results;
    for (int interval : {1, 16})
    {
        box b = room(lattice);
        b.solid = nullptr;
        const auto d = b.description();
        const auto e = lbm::engine::New(settings(lattice), d);
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N), u(3*N);
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        lbm::viscosityModel m = modelOf("kEqn", 0.3);
        m.eddyParameters = {0, 0};
        m.interval = interval;
        e->setViscosityModel(m);
        e->setTransported(0, 0, N, std::vector<double>(N, 1e-4).data());
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "cyclic")
            {
                continue;
            }
            const bool lid = d.groups[g].type == "velocity";
            const lbm::transportedValue value{1, lid ? 2e-4 : 1e-5};
            if (lid)
            {
                e->setBoundaryValues(g, lid_, 1);
            }
            e->setTransportedBoundary(g, &value, 1, false, false);
        }
        for (int i = 0; i < 4; ++i)
        {
            e->step(1600);
            e->updateViscosity();
            const auto k = transported(*e, 0);
            EXPECT_LE(*std::max_element(k.begin(), k.end()), 2.0001e-4);
            EXPECT_GE(*std::min_element(k.begin(), k.end()), 0.9999e-5);
        }
        results.push_back(transported(*e, 0));
    }
    for (std::size_t i = 0; i < results[0].size(); ++i)
    {
        EXPECT_NEAR(results[1][i]/results[0][i], 1, 1e-4);
    }
}


// Inflow alone brings its value
TEST_P(eddyTransport, inflowBringsItsValue)
{
    const std::string lattice = lattices().front();
    for (const double U : {0.05, -0.05})
    {
        box b = room(lattice);
        b.solid = nullptr;
        b.periodic = {true, false, true};
        const auto d = b.description();
        const auto e = lbm::engine::New(settings(lattice), d);
        const std::int64_t N = e->nFluid();
        std::vector<double> rho(N), u(3*N);
        for (std::int64_t i = 0; i < N; ++i)
        {
            u[3*i + 1] = U;
        }
        e->initialise(0, N, rho.data(), u.data(), nullptr);
        lbm::viscosityModel m = modelOf("kEqn", 1e-3);
        m.eddyParameters = {0, 0};
        e->setViscosityModel(m);
        e->setTransported(0, 0, N, std::vector<double>(N, 1e-4).data());
        for (std::size_t g = 0; g < d.groups.size(); ++g)
        {
            if (d.groups[g].type == "velocity")
            {
                const double through[3] = {0, U, 0};
                e->setBoundaryValues(g, through, 1);
                const lbm::transportedValue value
                {
                    lbm::transportedValue::inflowOnly, 5e-4
                };
                e->setTransportedBoundary(g, &value, 1, false, false);
            }
        }
        e->updateViscosity();
        e->step(1);
        e->updateViscosity();
        const auto k = transported(*e, 0);
        const double most = *std::max_element(k.begin(), k.end());
        EXPECT_EQ(most > 1.01e-4, U < 0) << U << ' ' << most;
    }
}


// The same state again: populations hold the variables as well
TEST_P(eddyTransport, goesOnFromPopulations)
{
    for (const std::string& lattice : lattices())
    {
        const box b = room(lattice);
        const auto d = b.description();
        const auto engineOf = [&]()
        {
            auto e = lbm::engine::New(settings(lattice), d);
            const std::int64_t N = e->nFluid();
            std::vector<double> rho(N), u(3*N), v(N);
            std::mt19937 random(3);
            std::uniform_real_distribution<double> any(0.5, 1.5);
            for (std::int64_t i = 0; i < N; ++i)
            {
                u[3*i] = 0.02*any(random);
                v[i] = 1e-4*any(random);
            }
            e->initialise(0, N, rho.data(), u.data(), nullptr);
            lbm::viscosityModel m = modelOf("kOmegaSST", 1e-3);
            m.wallDistance.assign(N, 2);
            m.interval = 4;
            e->setViscosityModel(m);
            e->setTransported(0, 0, N, v.data());
            e->setTransported(1, 0, N, std::vector<double>(N, 0.02).data());
            return e;
        };
        const auto first = engineOf();
        first->step(8);
        first->updateViscosity();
        const auto state = populations(*first);
        first->step(9);
        const auto second = engineOf();
        second->setPopulations(0, second->nFluid(), state.data());
        second->updateViscosity();
        second->step(9);
        EXPECT_EQ(populations(*second), populations(*first)) << lattice;
    }
}


// Units of another lattice step
TEST_P(eddyTransport, isRescaled)
{
    const std::string lattice = lattices().front();
    const auto e = lbm::engine::New
    (
        settings(lattice), everywhere(lattice, 4).description()
    );
    const std::int64_t N = e->nFluid();
    std::vector<double> zero(3*N);
    e->initialise(0, N, zero.data(), zero.data(), nullptr);
    lbm::viscosityModel m = modelOf("kEpsilon", 1e-3);
    e->setViscosityModel(m);
    e->setTransported(0, 0, N, std::vector<double>(N, 1e-4).data());
    e->setTransported(1, 0, N, std::vector<double>(N, 1e-6).data());
    e->rescale(0.5, 0.5015);
    EXPECT_NEAR(transported(*e, 0)[0], 0.25e-4, 1e-18);
    EXPECT_NEAR(transported(*e, 1)[0], 0.125e-6, 1e-20);
}


TEST_P(eddyTransport, isRefusedWhereItCannotBe)
{
    const auto d = room("D3Q19").description();
    lbm::engineSettings s = settings("D3Q19");
    lbm::viscosityModel m = modelOf("kOmegaSST", 1e-3);

    s.transportedVariables = 1;
    {
        const auto e = lbm::engine::New(s, d);
        m.wallDistance.assign(e->nFluid(), 1);
        EXPECT_THROW(e->setViscosityModel(m), lbm::error);
        EXPECT_THROW
        (
            e->setTransported(1, 0, 1, m.wallDistance.data()), lbm::error
        );
    }
    const auto less = lbm::engine::memoryNeeded(s, d).viscosity;
    s.transportedVariables = 2;
    EXPECT_GT(lbm::engine::memoryNeeded(s, d).viscosity, less);

    const auto e = lbm::engine::New(s, d);
    e->setViscosityModel(m);
    m.wallDistance.pop_back();
    EXPECT_THROW(e->setViscosityModel(m), lbm::error);
    EXPECT_THROW(e->setViscosityInterval(0), lbm::error);

    s.modelledViscosity = false;
    EXPECT_THROW(lbm::engine::New(s, d), lbm::error);
}

lbmForDoubleEngines(eddyTransport);

} // End namespace lbmTest
