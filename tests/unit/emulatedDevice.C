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

//- All kernels are templates of the lattice, and a lattice takes long to compile
using emulatedLattices = lbm::mp::mp_list<lbm::D2Q9, lbm::D3Q19>;

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
        lbm::withNamed<emulatedLattices>("lattice", s.lattice, [&](auto l)
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
