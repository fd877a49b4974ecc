"""-postProcess works on written times and makes no lattice; -dry-run prints
the summary and leaves the case as it is; -help explains.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

case = copyCase("cavity", "case")
mustRun("blockMesh", case)
setEntry(case / "system/controlDict", "endTime", 0.1)
setEntry(case / "system/controlDict", "writeInterval", 10)
setEntry(case / "system/controlDict", "writePrecision", 12)


def content():
    return {p: p.stat().st_mtime_ns for p in case.rglob("*")
            if p.is_file() and not p.name.startswith("log.")}


# -dry-run

before = content()
output = mustRun("lbmGpuFoam -dry-run", case)
text = re.sub(r"\s+", " ", output)
missing = [w for w in (
    "spacing", "step", "relaxation time", "Mach number",
    "cell Reynolds number", "reference velocity", "Memory needed", "free",
    "Backend", "400", "movingWall", "fixedWalls",
) if w not in text]
check("dryRunSummary", not missing, f"without {missing}: {output[-2000:]}")
check("dryRunStops", "Time = " not in output
      and output.rstrip().endswith("End"), output[-500:])
check("dryRunLeavesTheCase", content() == before, "files changed")

# -postProcess

mustRun("lbmGpuFoam", case)
output = mustRun(["lbmGpuFoam", "-postProcess", "-func", "mag(U)"], case)
check("postProcessMakesNoLattice",
      "Lattice" not in output and "Memory" not in output, output[-1500:])
U = readField(str(case / "0.1/U")).internal
found = readField(str(case / "0.1/mag(U)")).internal
check("postProcessMagU",
      np.allclose(found, np.linalg.norm(U, axis=1), rtol=1e-9, atol=1e-12),
      "mag(U) is not the magnitude of U")

output = mustRun(["lbmGpuFoam", "-postProcess", "-func", "vorticity",
                  "-latestTime"], case)
check("postProcessLatestTime",
      re.findall(r"^Time = (\S+)", output, re.M) == ["0.1"]
      and (case / "0.1/vorticity").exists(), output[-800:])

# Standard programs read the written case
output = mustRun(["postProcess", "-func", "div(phi)", "-latestTime"], case)
check("postProcessProgram", (case / "0.1/div(phi)").exists(), output[-800:])

# writeFlags: kinds of node as a field, to be looked at

case = copyCase("cavity", "flags")
mustRun("blockMesh", case)
setEntry(case / "system/controlDict", "endTime", 0.1)
(case / "system/fvSolution").open("a").write("\nLBM { writeFlags true; }\n")
mustRun("lbmGpuFoam", case)
flags = readField(str(case / "0.1/latticeFlags")).internal.reshape(20, 20)
expected = np.zeros((20, 20))
expected[-1] = 4
expected[0] = expected[:, 0] = expected[:, -1] = 5
check("writeFlags", np.array_equal(flags, expected), flags)

# -help

output = mustRun("lbmGpuFoam -help", case)
check("help", "dry-run" in output and "postProcess" in output
      and "lattice Boltzmann" in output and "-parallel" in output, output)

finish()
