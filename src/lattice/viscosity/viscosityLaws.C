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


namespace
{

//- A property of the law of that name in a list; false if it has none there
template<class List, class Property>
bool has(const std::string& law, Property property)
{
    bool result = false;
    mp::mp_for_each<mp::mp_transform<mp::mp_identity, List>>
    (
        [&](auto l)
        {
            using Law = typename decltype(l)::type;
            result = result || (law == Law::name && property(Law()));
        }
    );
    return result;
}

} // End anonymous namespace


bool usesFilterWidth(const std::string& law)
{
    return has<mp::mp_append<eddyLaws, transportedLaws>>
    (
        law, [](auto l) { return decltype(l)::filtered; }
    );
}


bool usesWallDistance(const std::string& law)
{
    return has<transportedLaws>
    (
        law, [](auto l) { return decltype(l)::usesWallDistance; }
    );
}


bool usesLongestEdge(const std::string& law)
{
    return has<transportedLaws>
    (
        law, [](auto l) { return decltype(l)::usesLongestEdge; }
    );
}


bool fixesBesideWalls(const std::string& law)
{
    return has<transportedLaws>
    (
        law, [](auto l) { return decltype(l)::fixesBesideWalls; }
    );
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
