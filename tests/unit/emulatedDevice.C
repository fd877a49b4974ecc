// Makes the emulated device a backend

#include "choices.H"
#include "backend.H"

namespace lbmTest
{

template<class Lattice>
std::unique_ptr<lbm::engine> newEmulated
(
    const lbm::engineSettings&,
    const lbm::latticeDescription&
);

namespace
{

const bool registered = []()
{
    lbm::backendEntry entry;
    entry.name = "emulated";
    entry.available = [](std::string&) { return true; };
    entry.memoryFree = [](int) { return std::int64_t(1) << 40; };
    entry.New = []
    (
        const lbm::engineSettings& s,
        const lbm::latticeDescription& d
    )
    {
        std::unique_ptr<lbm::engine> result;
        lbm::withNamed<lbm::lattices>("lattice", s.lattice, [&](auto l)
        {
            result = newEmulated<typename decltype(l)::type>(s, d);
        });
        return result;
    };
    lbm::registerBackend(entry);
    return true;
}();

} // End anonymous namespace

} // End namespace lbmTest
