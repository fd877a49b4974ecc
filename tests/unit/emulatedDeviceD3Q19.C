#include "emulatedDevice.H"

namespace lbmTest
{

template std::unique_ptr<lbm::engine> newEmulated<lbm::D3Q19>
(
    const lbm::engineSettings&,
    const lbm::latticeDescription&
);

} // End namespace lbmTest
