#include "carriedGaussian.H"

#include "engine.H"
#include "periodicCube.H"

namespace lbmBench
{

namespace
{

//- A periodic cube, for the flow and a scalar
lbm::latticeDescription withScalar(int n)
{
    lbm::latticeDescription d = periodicCube("D3Q19", n);
    const lbm::linkGroup& flow = d.groups[0];
    lbm::scalarGroup scalar;
    scalar.name = scalar.type = flow.name;
    for (std::size_t l = 0; l < flow.size(); ++l)
    {
        if (flow.direction[l] <= 6)
        {
            scalar.node.push_back(flow.node[l]);
            scalar.direction.push_back(flow.direction[l]);
            scalar.partner.push_back(flow.partner[l]);
        }
    }
    d.scalars.resize(1);
    d.scalars[0].groups = {std::move(scalar)};
    return d;
}


//- Factor of the exact solution along an axis, and its slope; of images as far as
//  they are seen
struct axisProfile
{
    std::vector<double> value, slope;

    axisProfile(const carriedGaussian& g, int axis, double t)
    {
        const double width = 0.07*g.n;
        const double square = width*width + 2*g.diffusivity*t;
        for (int x = 0; x < g.n; ++x)
        {
            double sum = 0, slopes = 0;
            for (int image = -3; image <= 3; ++image)
            {
                const double r = x - 0.4*g.n - g.u(axis)*t + image*g.n;
                const double part =
                    width/std::sqrt(square)*std::exp(-r*r/(2*square));
                sum += part;
                slopes -= r/square*part;
            }
            value.push_back(sum);
            slope.push_back(slopes);
        }
    }
};


//- Of factors along the axes, by box index
std::vector<double> product
(
    const std::vector<double>& x,
    const std::vector<double>& y,
    const std::vector<double>& z
)
{
    std::vector<double> result;
    for (const double c : z)
    {
        for (const double b : y)
        {
            for (const double a : x)
            {
                result.push_back(a*b*c);
            }
        }
    }
    return result;
}

} // End anonymous namespace


std::vector<double> carriedGaussian::exact(double t) const
{
    const axisProfile x(*this, 0, t), y(*this, 1, t), z(*this, 2, t);
    return product(x.value, y.value, z.value);
}


double carriedGaussian::errorOf(const std::vector<double>& T) const
{
    const auto expected = exact(nSteps());
    double sum = 0, all = 0;
    for (std::size_t l = 0; l < T.size(); ++l)
    {
        sum += (T[l] - expected[l])*(T[l] - expected[l]);
        all += expected[l]*expected[l];
    }
    return std::sqrt(sum/all);
}


double carriedGaussian::errorOfD3Q7() const
{
    lbm::engineSettings s;
    s.precision = "double";
    const auto e = lbm::engine::New(s, withScalar(n));
    const std::int64_t nNodes = e->nFluid();
    e->setDiffusivity(0, diffusivity);

    std::vector<double> rho(nNodes, 0), velocity;
    for (std::int64_t l = 0; l < nNodes; ++l)
    {
        velocity.insert(velocity.end(), {u(0), u(1), u(2)});
    }
    e->initialise(0, nNodes, rho.data(), velocity.data(), nullptr);

    const axisProfile x(*this, 0, 0), y(*this, 1, 0), z(*this, 2, 0);
    std::vector<double> T = product(x.value, y.value, z.value);
    const std::vector<double> slopes[3] =
    {
        product(x.slope, y.value, z.value),
        product(x.value, y.slope, z.value),
        product(x.value, y.value, z.slope)
    };
    std::vector<double> gradient;
    for (std::int64_t l = 0; l < nNodes; ++l)
    {
        gradient.insert
        (
            gradient.end(), {slopes[0][l], slopes[1][l], slopes[2][l]}
        );
    }
    e->initialiseScalar(0, 0, nNodes, T.data(), gradient.data());

    e->step(nSteps());
    e->getScalar(0, 0, nNodes, T.data());
    return errorOf(T);
}

} // End namespace lbmBench
