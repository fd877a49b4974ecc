// Developed flow that enters a channel through a given pressure: nothing but viscosity
// mends what the boundary adds to its profile

#include "latticeRegion.H"

namespace lbmTest
{

class developedInflow : public formulaTest
{
protected:

    //- A channel along e, L long and H wide, its corner at x0. The box holds it
    struct channel
    {
        region g;
        vec e, t, x0;
        double H, L;

        double along(const vec& x) const
        {
            return dot(e, x) - dot(e, x0);
        }

        double across(const vec& x) const
        {
            return dot(t, x) - dot(t, x0);
        }

        //- Angle in degrees; G: gradient of the pressure
        channel
        (
            const std::string& lattice,
            double angle,
            double width,
            double G
        )
        :
            e{std::cos(angle*M_PI/180), std::sin(angle*M_PI/180), 0},
            t{-e[1], e[0], 0},
            x0{width*e[1] + (angle > 0 ? 1.37 : 0.5), angle > 0 ? 1.23 : 0.5, 0},
            H(width),
            L(2*width)
        {
            g.lattice = lattice;
            g.size =
            {
                int(x0[0] + L*e[0]) + 2,
                int(x0[1] + L*e[1] + H*e[0]) + 2,
                is3D(lattice) ? 2 : 1
            };
            g.periodic[2] = true;
            g.fluid = [this](const vec& x)
            {
                return
                    along(x) > 0 && along(x) < L && across(x) > 0 && across(x) < H;
            };
            const vec back{-e[0], -e[1], 0}, down{-t[0], -t[1], 0};
            const auto enters = pressureValue(3*G*L, back);
            const auto leaves = pressureValue(0, e);
            g.surfaces =
            {
                {"lower", "wall", plane(down, -dot(t, x0)), nullptr},
                {"upper", "wall", plane(t, dot(t, x0) + H), nullptr},
                {
                    "inlet",
                    "pressure",
                    plane(back, -dot(e, x0)),
                    [=](const vec&) { return enters; }
                },
                {
                    "outlet",
                    "pressure",
                    plane(e, dot(e, x0) + L),
                    [=](const vec&) { return leaves; }
                }
            };
            g.build();
        }

        channel(const channel&) = delete;
    };

    //- Largest error of the velocity within four spacings of the inlet, over the mean
    //  velocity, after the flow has gone twice its width
    double errorAtInlet
    (
        const std::string& lattice,
        const std::string& collision,
        double angle,
        double H
    ) const
    {
        const double mean = 0.0577, nu = mean*H/200, tau = 3*nu + 0.5;
        const double G = 12*nu*mean/(H*H);
        const channel c(lattice, angle, H, G);

        lbm::engineSettings s = settings(lattice);
        s.collision = collision;
        s.relaxationTime = tau;
        // tau- is 1.5, as in the solver
        s.magicParameter = tau - 0.5;
        const auto engine = c.g.make(s);

        std::vector<double> rho, u, S;
        for (const vec& x : c.g.x)
        {
            const double y = c.across(x);
            const double U = G*y*(H - y)/(2*nu), shear = G*(H - 2*y)/(2*nu);
            const vec& e = c.e;
            rho.push_back(3*G*(c.L - c.along(x)));
            u.insert(u.end(), {U*e[0], U*e[1], 0});
            S.insert
            (
                S.end(),
                {
                    -shear*e[0]*e[1],
                    shear*e[0]*e[1],
                    0,
                    shear*(e[0]*e[0] - e[1]*e[1])/2,
                    0,
                    0
                }
            );
        }
        engine->initialise(0, rho.size(), rho.data(), u.data(), S.data());
        engine->step(std::lround(2*H/mean));

        const fields f(*engine);
        double worst = 0;
        for (std::size_t i = 0; i < f.u.size(); ++i)
        {
            if (c.along(c.g.x[i/3]) < 4)
            {
                worst = std::max(worst, std::abs(f.u[i] - u[i])/mean);
            }
        }
        return worst;
    }
};


// Reynolds number 200. The bounds detect change. Without the parts that the flow carries
// and the shift of images (links/inflow.H) TRT has 0.26, 0.16, 0.36 and 0.044
TEST_P(developedInflow, staysAsItIs)
{
    struct point
    {
        std::string lattice, collision;
        double angle, largest;
    };
    const std::vector<point> points =
    {
        {"D2Q9", "TRT", 0, 0.019},
        {"D2Q9", "TRT", 3, 0.041},
        {"D2Q9", "TRT", 12.1, 0.052},
        {"D2Q9", "TRT", 45, 0.015},
        {"D2Q9", "recursiveRegularised", 0, 0.02},
        {"D2Q9", "recursiveRegularised", 3, 0.072},
        {"D2Q9", "recursiveRegularised", 12.1, 0.107},
        {"D2Q9", "recursiveRegularised", 45, 0.016},
        {"D2Q9", "MRT", 12.1, 0.107},
        {"D3Q19", "TRT", 0, 0.0185},
        {"D3Q19", "TRT", 12.1, 0.043},
        {"D3Q19", "TRT", 45, 0.0157},
        {"D3Q19", "recursiveRegularised", 0, 0.0165},
        {"D3Q19", "MRT", 45, 0.0062}
    };
    for (const point& o : points)
    {
        const std::string name =
            o.lattice + ", " + o.collision + ", " + textOf(o.angle) + " degrees";
        const double error = errorAtInlet(o.lattice, o.collision, o.angle, 16);
        recordValue(name, error);
        EXPECT_LE(error, o.largest) << name;
    }
}

lbmForDoubleEngines(developedInflow);

} // End namespace lbmTest
