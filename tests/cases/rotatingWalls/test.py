"""Curved walls that move along themselves, on a lattice laid over their mesh: the flow
between cylinders of which one rotates, against the exact solution.

Accuracy: nothing passes the wall (normal velocity), U and p converge. Two patches
that rotate alike are one wall.
"""

import shutil
import sys
from pathlib import Path

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from annulusMesh import cylinders, taylorCouette
from foamFields import readField

# Speed of the wall [m/s]
SPEED = 0.5


def run(name, n, inner, outer, halves=False):
    """n cells across; angular velocities [rad/s]. Errors of cells: of the velocity
    around and out from the axis over SPEED, of p over SPEED^2.
    """
    case = cylinders(name, n, inner, outer, halves)
    mustRun("lbmGpuFoam", case)
    mustRun("postProcess -func writeCellCentres -latestTime", case)

    def cells(field):
        return np.asarray(readField(str(case / times(case)[-1] / field)).internal)

    x, y, _ = cells("C").T
    r = np.hypot(x, y)
    u, v, _ = cells("U").T
    p = cells("p")
    exactU, exactP = taylorCouette(r, inner, outer)
    return ((u*-y + v*x)/r - exactU)/SPEED, (u*x + v*y)/r/SPEED, \
        (p - p.mean() - exactP + exactP.mean())/SPEED**2


def rms(a):
    return np.sqrt((a**2).mean())


# Measured: rotor 7.5e-4, 3.7e-4 and 1.1e-3 on 12 cells, casing 2.4e-4, 1.2e-4, 1.8e-4
for name, inner, outer, limits in (
    ("rotor", 1, 0, (0.001, 5e-4, 0.0015)),
    ("casing", 0, 0.5, (3e-4, 1.5e-4, 2.5e-4)),
):
    coarse = run(f"{name}12", 12, inner, outer)
    fine = run(f"{name}24", 24, inner, outer)
    for quantity, a, b, most in zip(("U", "normal", "p"), coarse, fine, limits):
        check(f"{name}.{quantity}", rms(a) < most, f"{rms(a)} of that of the wall")
        check(f"{name}.{quantity}Converges", rms(b) < 0.6*rms(a),
              f"{rms(a)} with 12, {rms(b)} with 24 cells across")

    if inner:
        halves = run("halves", 12, inner, outer, halves=True)
        for quantity, a, b, most in zip(("U", "normal", "p"), coarse, halves,
                                        (5e-4, 5e-4, 3e-3)):
            check(f"halves.{quantity}", abs(a - b).max() < most,
                  f"{abs(a - b).max()} of that of the wall")


# The same bits after a restart, whatever values the file began with

whole = Path("halves")
half = Path(shutil.copytree(whole, "restarted"))
for case in whole, half:
    for time in times(case)[1:]:
        shutil.rmtree(case / time)
    setEntry(case / "system/controlDict", "endTime", 2)
    setEntry(case / "system/controlDict", "writeInterval", 10)
mustRun("lbmGpuFoam", whole)
setEntry(half / "system/controlDict", "endTime", 1)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "startFrom", "latestTime")
setEntry(half / "system/controlDict", "endTime", 2)
mustRun("lbmGpuFoam", half)
check("halves.restart", (whole / "2/U").read_bytes() == (half / "2/U").read_bytes())

finish()
