#include "viscosityLaws.H"
#include "choices.H"

#include <algorithm>

namespace lbm
{

std::vector<std::string> fluidLawNames()
{
    return names<fluidLaws>();
}


std::vector<std::string> eddyLawNames()
{
    return names<mp::mp_append<eddyLaws, transportedLaws>>();
}


std::vector<lawParameter> transportedVariables(const std::string& law)
{
    std::vector<lawParameter> result;
    const std::vector<std::string> those = names<transportedLaws>();
    if (std::find(those.begin(), those.end(), law) != those.end())
    {
        withNamed<transportedLaws>
        (
            "law of the eddy viscosity",
            law,
            [&](auto l) { result = decltype(l)::type::variables(); }
        );
    }
    return result;
}


bool usesWallDistance(const std::string& law)
{
    bool result = false;
    mp::mp_for_each<mp::mp_transform<mp::mp_identity, transportedLaws>>
    (
        [&](auto l)
        {
            using Law = typename decltype(l)::type;
            result = result || (law == Law::name && Law::usesWallDistance);
        }
    );
    return result;
}


bool fixesBesideWalls(const std::string& law)
{
    bool result = false;
    mp::mp_for_each<mp::mp_transform<mp::mp_identity, transportedLaws>>
    (
        [&](auto l)
        {
            using Law = typename decltype(l)::type;
            result = result || (law == Law::name && Law::fixesBesideWalls);
        }
    );
    return result;
}


std::vector<lawParameter> lawParameters(const std::string& law)
{
    std::vector<lawParameter> result;
    withNamed<mp::mp_append<fluidLaws, eddyLaws, transportedLaws>>
    (
        "law of the viscosity",
        law,
        [&](auto l) { result = decltype(l)::type::parameters(); }
    );
    return result;
}

} // End namespace lbm
