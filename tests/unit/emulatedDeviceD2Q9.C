#include "emulatedDevice.H"

namespace lbmTest
{

template std::unique_ptr<lbm::engine> newEmulated<lbm::D2Q9>
(
    const lbm::engineSettings&,
    const lbm::latticeDescription&
);

} // End namespace lbmTest
