// The bits of a step do not depend on where and how it is computed: several
// nodes a thread or one, in lines with other nodes beside them or without,
// dense or as a list, on a device or on the host

#include "latticeCase.H"

#include <algorithm>
#include <random>

namespace lbmTest
{

class sameBits : public engineTest
{
protected:

    //- Some solid nodes, in clusters so that stretches of every length occur
    static bool solid(int i, int j, int k)
    {
        const unsigned row = 7u*j + 13u*k;
        const unsigned cluster = (i/((row % 5)*3 + 1) + row)*2654435761u >> 28;
        return row % 3 && cluster == 3;
    }

    static box roomOf(const std::string& lattice, int nx)
    {
        box b;
        b.lattice = lattice;
        b.size = {nx, 6, is3D(lattice) ? 4 : 1};
        b.periodic = {false, true, true};
        b.solid = solid;
        return b;
    }

    //- Populations after some steps from random ones
    std::vector<char> after
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    ) const
    {
        const auto e = lbm::engine::New(s, d);
        const std::int64_t n = e->nFluid();
        std::mt19937 random(n);
        std::uniform_real_distribution<double> any(-1e-2, 1e-2);
        std::vector<double> rho(n), u(3*n), S(6*n);
        for (auto* values : {&rho, &u, &S})
        {
            for (double& x : *values)
            {
                x = any(random);
            }
        }
        if (s.variableViscosity)
        {
            std::uniform_real_distribution<double> some(0.01, 0.3);
            std::vector<double> nu(n);
            std::generate(nu.begin(), nu.end(), [&] { return some(random); });
            e->setViscosity(0, n, nu.data());
        }
        if (s.nodeForces)
        {
            // Of some nodes, so that lines with and without them occur
            std::vector<std::int64_t> nodes;
            std::vector<double> a, sigma;
            for (std::int64_t l = 0; l < n; ++l)
            {
                if (l/7 % 3 == 0 && l % 200 < 100)
                {
                    nodes.push_back(l);
                    a.insert(a.end(), {any(random), any(random), any(random)});
                    const double drag = 0.1 + 10*any(random);
                    sigma.insert
                    (
                        sigma.end(), {drag, 2*drag, drag, drag/2, 0, drag/3}
                    );
                }
            }
            e->setForces(nodes.size(), nodes.data(), a.data(), sigma.data());
        }
        e->initialise(0, n, rho.data(), u.data(), S.data());
        e->step(5);
        return populations(*e);
    }
};


TEST_P(sameBits, inEveryLineOnEveryBackend)
{
    for (const std::string& lattice : lattices())
    {
        for (const std::string& collision : lbm::collisionsOn(lattice))
        {
            // The operation of TRT
            if (collision == "BGK")
            {
                continue;
            }

            for (const int terms : {0, 1, 2, 3, 4})
            {
                for (int nx : {1, 2, 3, 31, 32, 33, 63, 64, 65, 97, 130, 200})
                {
                    const auto d = roomOf(lattice, nx).description();
                    lbm::engineSettings s = settings(roomOf(lattice, nx));
                    // The cumulant collision is parametrised up to 4/7
                    s.relaxationTime = collision == "cumulant" ? 0.51 : 0.6;
                    s.collision = collision;
                    s.variableViscosity = terms == 2 || terms == 4;
                    s.nodeForces = terms >= 3;
                    if (terms > 0)
                    {
                        s.bodyForce = {1e-5, -2e-5, 0};
                    }
                    s.layout = "dense";
                    const auto here = after(s, d);
                    s.layout = "list";
                    EXPECT_EQ(after(s, d), here) << lattice << ' ' << nx;
                    s.backend = "host";
                    EXPECT_EQ(after(s, d), here) << lattice << ' ' << nx;
                }
            }
        }
    }
}

lbmForEnginesOf(sameBits, "half", "single", "double");

} // End namespace lbmTest
