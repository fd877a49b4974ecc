#include "viscosityLaws.H"
#include "choices.H"

namespace lbm
{

std::vector<std::string> fluidLawNames()
{
    return names<fluidLaws>();
}


std::vector<std::string> eddyLawNames()
{
    return names<eddyLaws>();
}


std::vector<lawParameter> lawParameters(const std::string& law)
{
    std::vector<lawParameter> result;
    withNamed<mp::mp_append<fluidLaws, eddyLaws>>
    (
        "law of the viscosity",
        law,
        [&](auto l) { result = decltype(l)::type::parameters(); }
    );
    return result;
}

} // End namespace lbm
