"""Walls whose velocity changes in time, by any boundary condition that gives
a velocity: the lattice has the value of the end of the step at its end.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def prepare(name, lid, **entries):
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    for entry, value in {"startFrom": "latestTime", "endTime": 0.1,
                         "writeInterval": 2, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    path = case / "0/U"
    path.write_text(re.sub(r"movingWall\s*{[^}]*}",
                           f"movingWall {{ {lid} }}", path.read_text()))
    (case / "system/fvSolution").open("a").write(
        "\nLBM { precision double; referenceVelocity 1; }\n")
    return case


def populations(case, time):
    path = case / time / "uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


def U(case, time):
    return readField(str(case / time / "U"))


# The same velocity, said in two ways

fixed = prepare("fixed", "type fixedValue; value uniform (1 0 0);")
mustRun("lbmGpuFoam", fixed)
constant = prepare(
    "constant", "type uniformFixedValue; uniformValue constant (1 0 0);"
    " value uniform (1 0 0);")
mustRun("lbmGpuFoam", constant)
check("constantSameBits",
      populations(fixed, "0.1") == populations(constant, "0.1"),
      "populations differ from those of fixedValue")

# At rest until 0.05, from then on moving

step = prepare("step", "type uniformFixedValue; uniformValue table"
               " ((0 (0 0 0)) (0.05 (0 0 0)) (0.0501 (1 0 0)));"
               " value uniform (0 0 0);")
mustRun("lbmGpuFoam", step)
check("atRestBefore", np.all(U(step, "0.05").internal == 0),
      "the fluid moves before the wall does")
late = U(step, "0.1").internal
# Ten steps of a moving wall in both; only the time differs. A jump takes the
# deltaT in which it lies
soon = prepare("soon", "type uniformFixedValue; uniformValue table"
               " ((0 (0 0 0)) (0.0001 (1 0 0))); value uniform (0 0 0);")
mustRun("lbmGpuFoam", soon)
early = U(soon, "0.05").internal
check("movesAfter", populations(step, "0.1") == populations(soon, "0.05"),
      f"largest difference {np.abs(late - early).max():.3g} m/s")

# A ramp: written boundary values, and restart in the middle

ramp = ("type uniformFixedValue; uniformValue table"
        " ((0 (0 0 0)) (0.1 (1 0 0))); value uniform (0 0 0);")
whole = prepare("whole", ramp)
mustRun("lbmGpuFoam", whole)
check("boundaryValues", np.allclose(
    [U(whole, t).boundary["movingWall"].values[0, 0] for t in times(whole)],
    [10*float(t) for t in times(whole)], atol=1e-6), "not those of the table")

split = prepare("split", ramp)
for end in (0.03, 0.1):
    setEntry(split / "system/controlDict", "endTime", end)
    setEntry(split / "system/controlDict", "writeInterval", 1)
    mustRun("lbmGpuFoam", split)
check("restartInTheRampSameBits",
      populations(split, "0.1") == populations(whole, "0.1"),
      "populations differ")

# The wall speeds up beyond the reference velocity: the step follows, or it is
# said, then refused

FAST = ("type uniformFixedValue; uniformValue table"
        " ((0 (0 0 0)) (1 (10 0 0))); value uniform (0 0 0);")
output = mustRun("lbmGpuFoam", prepare("fast", FAST, endTime=1))
Mach = [float(x) for x in re.findall(r"largest Mach (\S+),", output)]
check("tooFastIsFollowed",
      max(Mach) < 0.22 and "Warning" not in output
      and len(re.findall("^Lattice step .* in place of ", output, re.M)) > 2,
      output[-1500:])

fast = prepare("tooFast", FAST, endTime=1)
(fast / "system/fvSolution").open("a").write(
    "\nLBM { adaptiveStep no; secondChance no; }\n")
status, output = run("lbmGpuFoam", fast)
check("tooFastIsSaid", status != 0 and "The Mach number has reached" in output
      and "referenceVelocity" in output and "The flow diverges" in output,
      output[-1500:])

finish()
