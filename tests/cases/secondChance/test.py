"""A second chance: a run that would diverge goes back, and goes on with half the
lattice step, a bulk viscosity, inflow along the normal or the collision that
bears most. It says so, and only stops when nothing is left to try.
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

# A bulk viscosity is tried first, unless it is given
for name, LBM, change, entry in (
    ("bulkViscosity", BGK, "bulk relaxation time 10", "bulkRelaxationTime"),
    ("anotherCollision", BGK + "bulkRelaxationTime 0.6;",
     "collision recursiveRegularised in place of BGK", "collision"),
):
    whole = lid(name, 1e-4, LBM)
    output = solve(whole)
    said = chances(output)
    check(name,
          len(said) > 1 and "half the lattice step" in said[0]
          and change in said[-1] and output.rstrip().endswith("End")
          and np.isfinite(field(whole, "1", "U")).all()
          and ("and the lattice step as it was" in said[-1])
          == (entry == "collision")
          and int(header(whole, "1", "halved"))
          == sum("half the" in s for s in said) - (entry == "collision")
          and header(whole, "1", entry) == change.split()[
              1 if entry == "collision" else 3],
          f"{said}: {output[-800:]}")

    split = lid(name + "-split", 1e-4, LBM, endTime=0.8)
    solve(split)
    setEntry(split / "system/controlDict", "endTime", 1)
    output = solve(split)
    one, other = files(whole / "1"), files(split / "1")
    differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
    check(name + "Stays",
          ("collision recursiveRegularised of the restart data" in output
           or entry != "collision")
          and re.search(r"^Lattice D2Q9, .*, bulk relaxation time", output, re.M)
          and not chances(output) and not differ, f"{differ}: {output[-800:]}")


# Fluid that enters as it likes, and faster than anything accounts for: from then
# on it enters along the normal. Without a second chance it does as it likes

def free(name, LBM="", endTime=0.2):
    case = channel(name, Uin=ZERO, pin=P0, nu=1e-3, endTime=endTime,
                   writeInterval=10, LBM="referenceVelocity 0.2; maxMach 0.02;"
                   "initialProjection no;" + LBM)
    path = case / "0/U"
    path.write_text(path.read_text().replace("uniform (0 0 0)",
                                             "uniform (1 0.3 0)", 1))
    return case


def across(case):
    """Largest velocity across the channel in the cells at the inlet."""
    return np.abs(field(case, "0.2", "U").reshape(16, 64, 3)[:, 0, 1]).max()


loose = free("free-off", "secondChance no;")
check("entersFreely", "along the normal" not in solve(loose))
guarded = free("free")
output = solve(guarded)
said = re.findall(r"^Largest speed .*", output, re.M)
check("entersAlongTheNormal", len(said) == 1
      and re.search(r" times the speed that boundary values account for: from"
                    r" now on fluid enters through .*inlet.* along the normal",
                    said[0])
      and not chances(output) and across(guarded) < 0.5*across(loose),
      f"{across(guarded)}, {across(loose)}: {said}")
split = free("free-split", endTime=0.1)
solve(split)
output = solve(split, endTime=0.2)
one, other = files(guarded / "0.2"), files(split / "0.2")
differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
check("straightStays", header(guarded, "0.2", "straightInflow") == "1"
      and "along the normal" not in output and not differ,
      f"{differ}: {output[-800:]}")


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
check("vain", status != 0 and len(said) == 5
      and "and the lattice step as it was" in said[3]
      and "with the smaller lattice step" in said[4]
      and "bulk relaxation time 10" in said[1]
      and re.search(r"enters through .*outlet.* along the normal", said[2])
      and re.search(r"Seen first at .* m from patch inlet", last)
      and re.search(r"Second chance +in vain, from 0 s on with the lattice step"
                    r" \S+ s, collision recursiveRegularised, bulk relaxation"
                    r" time 10, inflow along the normal", last),
      f"{said}: {output[-1500:]}")

finish()
