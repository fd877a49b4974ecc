"""A second chance: a run that would diverge goes back, and goes on with half the
lattice step or with the collision that bears most. It says so, and only stops
when nothing is left to try.
"""

import sys

from channelCase import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

# The step is to be too large: what would make it smaller is off
OFF = "adaptiveStep no;"


def field(case, time, name):
    return readField(str(case / time / name)).internal


def difference(a, b, time, name="U"):
    x, y = field(a, time, name), field(b, time, name)
    return np.abs(x - y).max()/np.abs(y).max()


def chances(output):
    return re.findall(r"^Second chance: .*$", output, re.M)


# Half the step is enough: a body force that makes the flow ten times as fast as
# was said, so that it reaches a Mach number of 1 or of 0.5

FORCE = "bodyForce (0.8 0 0); referenceVelocity 0.1;" + OFF
args = {"nu": 0.001, "deltaT": 0.1, "endTime": 10, "writeInterval": 5}

case = channel("force-off", LBM=FORCE + "secondChance no;", **args)
status, output = run("lbmGpuFoam", case)
check("offStops", status != 0 and not chances(output)
      and "The flow diverges" in output and "Second chance         off" in output
      and re.search(r"Seen first at +\(.*\) m, \S+ m from patch \w+", output),
      output[-1500:])
stopped = float(re.search(r"Time +(\S+) s\n", output)[1])

case = channel("force", LBM=FORCE, **args)
output = solve(case)
said = chances(output)
halved = re.search(r"largest Mach number is 0\.6\d* at \(.*\) m, \S+ m from patch"
                   r" \w+; once more from (\S+) s on with half the lattice step,"
                   r" \S+ s, 56 per deltaT", said[0]) if said else None
check("halfTheStep", len(said) == 1 and halved
      and float(halved[1]) < stopped and output.rstrip().endswith("End"),
      f"{said}: {output[-800:]}")

# What was written before stays, what comes after is the flow of the right step
# (measured: 4e-4 at Mach 0.4)
right = channel("force-right", LBM=FORCE.replace("0.1", "1"), **args)
solve(right)
check("timesAreComplete", times(case) == times(right), times(case))
error = difference(case, right, "10")
check("halfTheStepIsRight", error < 1e-3, f"{error}")

# A restart goes on with the step and the bits
split = channel("force-split", LBM=FORCE, **args)
outputs = [solve(split, endTime=end) for end in (5, 10)]
one, other = files(case / "10"), files(split / "10")
differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
check("restartSameBits", not differ and not chances(outputs[1]),
      f"{differ}, {outputs[1][-800:]}")


# An inlet that changes in time, deltaT of few steps: the outer steps since are
# made anew with the boundary values that they had

RAMP = ("type uniformFixedValue; uniformValue table"
        " ((0 (0 0 0)) (2 (0.5 0 0))); value uniform (0 0 0);")
args = {"nu": 0.001, "deltaT": 0.02, "endTime": 4, "writeInterval": 100,
        "Uin": RAMP}
ramp = channel("ramp", LBM="referenceVelocity 0.1;" + OFF, **args)
output = solve(ramp)
said = chances(output)
rampRight = channel("ramp-right", LBM="referenceVelocity 0.2;" + OFF, **args)
solve(rampRight)
error = difference(ramp, rampRight, "4")
check("rampIsRight", len(said) == 1 and error < 1e-3, f"{error}: {said}")


# Another collision: a lid over a fluid of little viscosity

def lid(name, nu, LBM, endTime=1):
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    setEntry(case / "constant/transportProperties", "nu", nu)
    for entry, value in {"startFrom": "latestTime", "deltaT": 0.005,
                         "endTime": endTime, "writeInterval": 20}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
    return case


BGK = "collision BGK; " + OFF
status, output = run("lbmGpuFoam", lid("lid-off", 1e-4,
                                       BGK + "secondChance no;"))
check("lidDiverges", status != 0 and "The flow diverges" in output,
      output[-1500:])

whole = lid("lid", 1e-4, BGK)
output = solve(whole)
said = chances(output)
check("anotherCollision",
      len(said) == 2 and "half the lattice step" in said[0]
      and "collision recursiveRegularised in place of BGK" in said[1]
      and output.rstrip().endswith("End")
      and np.isfinite(field(whole, "1", "U")).all()
      and header(whole, "1", "collision") == "recursiveRegularised",
      f"{said}: {output[-800:]}")

split = lid("lid-split", 1e-4, BGK, endTime=0.8)
solve(split)
setEntry(split / "system/controlDict", "endTime", 1)
output = solve(split)
one, other = files(whole / "1"), files(split / "1")
differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
check("restartKeepsTheCollision",
      "collision recursiveRegularised of the restart data" in output
      and not chances(output) and not differ, f"{differ}: {output[-800:]}")


# The step does not follow a flow that diverges for good

case = lid("lid-adaptive", 1e-4, "collision BGK; secondChance no;")
status, output = run("lbmGpuFoam", case)
steps = [int(n) for n in re.findall(r"^Lattice: (\d+) steps", output, re.M)]
check("stepIsBounded", status != 0 and "The flow diverges" in output
      and max(steps) <= 30*steps[0], f"{steps[0]}, {max(steps)}: {output[-800:]}")


# Nothing helps: an inlet far beyond the speed of sound

FAST = "type fixedValue; value uniform (100 0 0);"
case = channel("vain", nu=0.001, deltaT=0.1, endTime=1, Uin=FAST,
               LBM="referenceVelocity 0.1;" + OFF)
status, output = run("lbmGpuFoam", case)
said = chances(output)
last = output.split("FOAM FATAL ERROR")[-1]
check("vain", status != 0 and len(said) == 2
      and re.search(r"Seen first at .* m from patch inlet", last)
      and re.search(r"Second chance +in vain, from 0 s on with the lattice step"
                    r" \S+ s, collision recursiveRegularised", last),
      f"{said}: {output[-1500:]}")

finish()
