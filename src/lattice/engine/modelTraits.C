#include "choices.H"

#include <map>

namespace lbm
{

namespace
{

//- Properties of a kind of link
struct linkKind
{
    int nValues;
    bool ghost;
};

const linkKind& linkKindOf(const std::string& name)
{
    static const std::map<std::string, linkKind> kinds = []
    {
        std::map<std::string, linkKind> result;
        mp::mp_for_each<mp::mp_transform<mp::mp_identity, links>>([&](auto kind)
        {
            using Link = typename decltype(kind)::type;
            result[Link::name] = {Link::nValues, Link::ghost};
        });
        return result;
    }();
    const auto kind = kinds.find(name);
    if (kind == kinds.end())
    {
        indexOf<links>("kind of link group", name);
    }
    return kind->second;
}

} // End anonymous namespace


std::vector<std::array<int, 3>> directions(const std::string& lattice)
{
    std::vector<std::array<int, 3>> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        using Lattice = typename decltype(l)::type;
        for (int i = 0; i < Lattice::q; ++i)
        {
            result.push_back
            ({
                Lattice::c(i, 0), Lattice::c(i, 1), Lattice::c(i, 2)
            });
        }
    });
    return result;
}


std::vector<double> weights(const std::string& lattice)
{
    std::vector<double> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        using Lattice = typename decltype(l)::type;
        for (int i = 0; i < Lattice::q; ++i)
        {
            result.push_back(weight<Lattice, double>(i));
        }
    });
    return result;
}


int nDimensions(const std::string& lattice)
{
    int result = 0;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        result = decltype(l)::type::d;
    });
    return result;
}


collisionTraits traitsOf(const std::string& collision)
{
    collisionTraits result{};
    withNamed<collisions>("collision", collision, [&](auto c)
    {
        using Collision = typename decltype(c)::type;
        result =
        {
            Collision::cellReynoldsLimit,
            Collision::hasMagic,
            Collision::parameters()
        };
    });
    return result;
}


std::vector<std::string> collisionsOn(const std::string& lattice)
{
    std::vector<std::string> result;
    withNamed<lattices>("lattice", lattice, [&](auto l)
    {
        result = names<collisionsOf<typename decltype(l)::type>>();
    });
    return result;
}


int valuesPerFace(const std::string& linkType)
{
    return linkKindOf(linkType).nValues;
}


std::vector<int> valuePowers(const std::string& linkType)
{
    std::vector<int> result;
    withNamed<links>("kind of link group", linkType, [&](auto kind)
    {
        using Link = typename decltype(kind)::type;
        for (int i = 0; i < Link::nValues; ++i)
        {
            if constexpr (Link::nValues > 0)
            {
                result.push_back(Link::power(i));
            }
        }
    });
    return result;
}


bool givesVelocity(const std::string& linkType)
{
    return linkType == velocity::name || linkType == outflow::name;
}


bool hasGhostNodes(const std::string& linkType)
{
    return linkKindOf(linkType).ghost;
}


const std::vector<std::string>& linkTypes()
{
    static const std::vector<std::string> types = names<links>();
    return types;
}

} // End namespace lbm
