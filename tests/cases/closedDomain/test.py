"""Nothing fixes the pressure, and walls lie anywhere between the nodes: the
mean density stays that of the start, p has its reference value, and the flow
becomes steady.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def header(case, time, entry):
    path = case / time / "uniform/latticePopulations"
    text = path.read_bytes().split(b"\ndata\n")[0].decode(errors="replace")
    return float(re.search(rf"\n{entry}\s+([^;]+);", text)[1])


def prepare(name, LBM):
    """A cavity turned by 20 degrees, of cells that grow away from the lid"""

    case = copyCase("cavity", name)
    path = case / "system/blockMeshDict"
    path.write_text(path.read_text().replace(
        "simpleGrading (1 1 1)", "simpleGrading (2 0.5 1)"))
    mustRun("blockMesh", case)
    mustRun(["transformPoints", "-rollPitchYaw", "(0 0 20)"], case)
    path = case / "0/U"
    path.write_text(path.read_text().replace(
        "(1 0 0)", "(0.93969262 0.34202014 0)"))
    for entry, value in {
        "startFrom": "latestTime", "deltaT": 0.1, "endTime": 1,
        "writeControl": "timeStep",
        "writeInterval": 1, "writePrecision": 10,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ pRefCell 30; pRefValue 7; {LBM} }}\n")
    return case


for name in ("single", "double"):
    LBM = f"precision {name}; latticeSpacing 0.004;"
    case = prepare(name, LBM)
    output = mustRun("lbmGpuFoam", case)

    n = int(re.search(r"Nodes: (\d+) fluid", output)[1])
    drift = np.array([float(d) for d in
                      re.findall(r"mass drift ([-+.e\d]+)", output)])

    # What the links lose is given back: this test is to have something to see.
    # Measured: 1.6e-4 in a deltaT
    check(f"{name}.leaks", abs(drift[-1]) > 1e-3, drift)

    # The mean density is that of the start, but for what is lost in the steps
    # since the last multiple of 100
    added = header(case, "1", "massAdded")/n
    steps = header(case, "1", "stepsPerDeltaT")
    lost = 100*np.abs(np.diff(drift)).mean()/steps
    check(f"{name}.mean", abs(drift[-1] + added) <= lost + 2**-16,
          f"drift {drift[-1]}, corrected {added}, lost {lost}")

    # and the correction is made: where it is not, the drift that is counted
    # jumps by it
    each = np.diff(drift)
    check(f"{name}.steady", np.ptp(each) < 1e-3*abs(each).mean(), each)

    p = [readField(str(case / t / "p")).internal for t in times(case)[1:]]
    check(f"{name}.reference", max(abs(q[30] - 7) for q in p) < 1e-9,
          [q[30] for q in p])
    check(f"{name}.level", np.ptp([q.mean() for q in p[-4:]]) < 0.01,
          [q.mean() for q in p])

    # Interrupted between two corrections: the same bits
    split = prepare(f"{name}.split", LBM)
    for end in (0.3, 1):
        setEntry(split / "system/controlDict", "endTime", end)
        setEntry(split / "system/controlDict", "writeInterval", 1)
        output = mustRun("lbmGpuFoam", split)
    same = [(case / "1" / f).read_bytes() == (split / "1" / f).read_bytes()
            for f in ("U", "p", "uniform/latticePopulations")]
    check(f"{name}.sameBits", all(same) and "Restarting" in output, same)

# Nothing grows in 43400 steps. Measured: what alternates from step to step, if
# it is not taken away, ends the run after 27000
case = prepare("long", "latticeSpacing 0.004;")
setEntry(case / "system/controlDict", "endTime", 10)
setEntry(case / "system/controlDict", "writeInterval", 100)
output = mustRun("lbmGpuFoam", case)
mach = np.array([float(m) for m in
                 re.findall(r"largest Mach ([-+.e\d]+)", output)])
check("long.steady", len(mach) == 100 and np.ptp(mach[50:]) < 1e-3*mach[-1],
      mach[50:])

finish()
