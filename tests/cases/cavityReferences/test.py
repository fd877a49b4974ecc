"""The lid-driven cavity on 128 x 128 cells agrees with reference values.

Re = 100 against Marchi et al. (2009), by the host backend in both precisions,
and by the GPU where there is one; there Re = 1000 against Botella & Peyret
(1998) as well, which on the host is part of the tutorial cavity128.
"""

from caseTest import *

sys.path.insert(0, str(top / "bin"))

try:
    import numpy as np
except ImportError as missing:
    skipped("numpy", missing)
    finish()

import foamFields  # noqa: E402
from referencePoints import interpolate, readPoints  # noqa: E402

CASES = {
    # nu [m2/s], end time [s], points, largest error of u and v [m/s]; measured:
    # 0.000126 and 0.000150, 0.0041 and 0.0061
    100: (0.01, 25, "cavity_marchi.csv", 0.00014, 0.00017),
    1000: (0.001, 60, "cavity_botella_peyret.csv", 0.0045, 0.0065),
}


def holds(Re, backend, precision):
    nu, endTime, points, u, v = CASES[Re]
    name = f"Re{Re}.{backend}.{precision}"

    case = copyCase("cavity128", name)
    setEntry(case / "constant/transportProperties", "nu", nu)
    control = case / "system/controlDict"
    setEntry(control, "endTime", endTime)
    setEntry(control, "writeInterval", endTime)
    with open(case / "system/fvSolution", "a") as file:
        file.write(f"\nLBM {{ backend {backend}; precision {precision}; }}\n")

    mustRun("blockMesh", case)
    mustRun("lbmGpuFoam", case)

    # The centre lines lie between two rows of cells; walls at their ends
    U = foamFields.readField(str(case / str(endTime) / "U")).internal
    U = U.reshape(128, 128, 3)
    centres = (np.arange(128) + 0.5)/128
    lines = {
        "u": (U[:, 63:65, 0].mean(axis=1), 0, 1),
        "v": (U[63:65, :, 1].mean(axis=0), 0, 0),
    }

    errors = {}
    reference = readPoints(str(top / "tests/references" / points))
    for component, (values, first, last) in lines.items():
        found = interpolate(
            reference[component][:, 0],
            [0, *centres, 1], [first, *values, last])
        errors[component] = abs(found - reference[component][:, 1]).max()

    print(name, errors)
    check(name, errors["u"] <= u and errors["v"] <= v, errors)


holds(100, "host", "single")
if ifLong("Re100.host.double"):
    holds(100, "host", "double")

for Re in CASES:
    for precision in ("single", "double"):
        if gpu:
            holds(Re, "cuda", precision)
        else:
            skipped(f"Re{Re}.cuda.{precision}", "no GPU")

finish()
