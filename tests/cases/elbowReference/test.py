"""OpenFOAM's elbow, a sudden start on coarse triangles, against icoFoam on 256
times as many: the first velocity is that of the nodes, the last one the mean
over the cells.
"""

import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

reference = np.loadtxt(top / "tests/references/elbow_icoFoam.csv",
                       delimiter=",")
area, exact = reference[:, 0], reference[:, 1:]


def difference(name, LBM):
    """Relative L2 difference of U at 2 s"""

    case = copyCase("elbow", name)
    mustRun(["fluentMeshToFoam",
             str(top / "tutorials/lbmGpuFoam/elbow/elbow.msh")], case)
    setEntry(case / "system/controlDict", "endTime", 2)
    setEntry(case / "system/fvSolution", "LBM", f"{{ {LBM} }}")
    mustRun("lbmGpuFoam", case)
    U = readField(str(case / "2/U")).internal[:, :2]
    return np.sqrt((area[:, None]*(U - exact)**2).sum()
                   / (area[:, None]*exact**2).sum())


# Measured: 0.0299, 0.0139. With values in the centres of cells 0.07; with the
# first velocity of the cells 0.037
for spacing, limit in ((0.25, 0.031), (0.125, 0.015)):
    found = difference(
        f"spacing{spacing}", f"latticeSpacing {spacing}; maxMach 0.05;"
        " initialProjection nodes;")
    check(f"spacing{spacing}", found < limit, f"{found}, limit {limit}")

finish()
