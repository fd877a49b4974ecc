#include "reducedValues.H"

#include <cmath>

namespace lbm
{

partialStatistics noStatistics(std::int64_t nPlaces)
{
    partialStatistics result{};
    result.maxSpeedSqr = -1;
    result.node = nPlaces;
    return result;
}

latticeStatistics statisticsOf(const partialStatistics& sum)
{
    latticeStatistics result;
    result.massDeviation = sum.mass.value();
    result.finite = std::isfinite(sum.maxSpeedSqr);
    result.maxSpeed = std::sqrt(sum.maxSpeedSqr);
    result.maxSpeedNode = sum.node;
    result.maxViscosity = sum.maxExcessTau/3;
    result.sumViscosity = sum.excessTau.value()/3;
    result.sumAbsVelocity = sum.sumAbs.value();
    result.maxAbsVelocity = sum.maxAbs;
    result.sumVelocity = {sum.ux.value(), sum.uy.value(), sum.uz.value()};
    return result;
}

boundaryLoad loadOf(const loadSum& sum, const std::array<double, 3>& origin)
{
    boundaryLoad result;
    for (int a = 0; a < 3; ++a)
    {
        result.force[a] = sum.x[a].value();
        result.pressureForce[a] = sum.x[3 + a].value();
    }
    const auto moment = [&](int first, const auto& f)
    {
        std::array<double, 3> M;
        for (int a = 0; a < 3; ++a)
        {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            M[a] =
                sum.x[first + a].value()
              - (origin[b]*f[c] - origin[c]*f[b]);
        }
        return M;
    };
    result.moment = moment(6, result.force);
    result.pressureMoment = moment(9, result.pressureForce);
    result.massFlux = sum.mass.value();
    return result;
}

std::array<double, 3> countedVelocity::mean() const
{
    const auto of = [&](int a)
    {
        return velocity.u[a].value()/nNodes;
    };
    return {of(0), of(1), of(2)};
}

} // End namespace lbm
