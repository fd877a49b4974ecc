#include "emulatedDevice.H"

namespace lbmTest
{

template std::unique_ptr<lbm::engine> newEmulated<lbm::D3Q27>
(
    const lbm::engineSettings&,
    const lbm::latticeDescription&
);

} // End namespace lbmTest
