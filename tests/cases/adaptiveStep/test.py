"""The lattice step follows the flow: a run that starts with a wrong one ends as
one with the right step, restarts give the same bits through its changes, and
runs that need no other step keep theirs.
"""

import shutil
import sys

from channelCase import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

CHANGE = r"^Lattice step (\S+) s, (\d+) per deltaT in place of (\d+),"
WRONG = "referenceVelocity 0.1;"


def field(case, time, name):
    return readField(str(case / time / name)).internal


def difference(a, b, time, name):
    x, y = field(a, time, name), field(b, time, name)
    return np.abs(x - y).max()/np.abs(y).max()


def fewer(output):
    """Changes to smaller and to larger steps."""
    changes = [(int(n), int(m)) for _, n, m in
               re.findall(CHANGE, output, re.M)]
    return sum(n > m for n, m in changes), sum(n < m for n, m in changes)


def largestMach(output):
    return max(float(x) for x in re.findall(r"largest Mach (\S+),", output))


# From rest, ten times as fast as expected at the end. The Mach number would be 1

RAMP = ("type uniformFixedValue; uniformValue table"
        " ((0 (0 0 0)) (2 (1 0 0))); value uniform (0 0 0);")
FORCE = "bodyForce (0.8 0 0);"

for kind, conditions, LBM in (
    ("force", {"endTime": 20, "writeInterval": 200}, FORCE),
    ("inlet", {"Uin": RAMP, "endTime": 20, "writeInterval": 200}, ""),
    # Steady after a second more; its spacing is that of the thinnest cells
    ("overlay", {"Uin": RAMP, "endTime": 6, "writeInterval": 60,
                 "grading": "1 2"}, ""),
):
    conditions = {"nu": 0.001, "deltaT": 0.1, **conditions}
    end = str(conditions["endTime"])
    right = channel(f"{kind}-right", LBM=LBM + "referenceVelocity 1;",
                    **conditions)
    solve(right)
    wrong = channel(f"{kind}-wrong", LBM=LBM + WRONG, **conditions)
    output = solve(wrong)
    errors = {name: difference(wrong, right, end, name) for name in
              ("U",) + (("p",) if kind != "force" else ())}
    # Measured: at most 6e-6, inside of deltaT 2e-5. Where a patch fixes the
    # pressure, the steady flow depends on the step itself, at a Mach number
    # of 0.25 by 1 %, p by 5 %; overlay 0.2 %, 1.6 %: tau- is not that of the
    # magic parameter where it would be longer than 1.5
    limits = {"force": {"U": 2e-5}, "inlet": {"U": 1.1e-2, "p": 0.055},
              "overlay": {"U": 2e-3, "p": 0.018}}[kind]
    check(f"{kind}-asWithTheRightStep",
          all(errors[name] < limit for name, limit in limits.items())
          and fewer(output)[0] >= 2 and fewer(output)[1] == 0
          and largestMach(output) < 0.3 and "Warning" not in output,
          f"{errors}, {fewer(output)}, Mach {largestMach(output)}")

    # All in one deltaT: the step changes inside of it
    deltaT = conditions["endTime"]/2
    case = channel(f"{kind}-inside", LBM=LBM + WRONG,
                   **{**conditions, "deltaT": deltaT, "writeInterval": 2})
    output = solve(case)
    error = difference(case, right, end, "U")
    inside = re.findall(r"^Lattice step \S+ s from \S+ s on, \d+ per deltaT",
                        output, re.M)
    check(f"{kind}-insideOfDeltaT",
          error < 1e-3 and (inside or kind != "force"),
          f"{error}, {inside}: {output[-1500:]}")

    case = channel(f"{kind}-off", LBM=LBM + WRONG
                   + "adaptiveStep no; secondChance no;", **conditions)
    status, output = run("lbmGpuFoam", case)
    check(f"{kind}-off",
          status != 0 and "The flow diverges" in output
          and not re.search("^Lattice step", output, re.M), output[-1500:])

    # Runs that need no other step keep their bits
    case = channel(f"{kind}-kept", LBM=LBM + "referenceVelocity 1;"
                   "adaptiveStep no; secondChance no;", **conditions)
    solve(case)
    check(f"{kind}-keepsItsBits",
          populations(case, end) == populations(right, end),
          "populations differ")

    # Restarts, at every time at which the step may be about to change. The lattice
    # laid over the mesh has the same inlet
    if kind == "inlet" and not ifLong("inlet-restartSameBits"):
        continue
    stop = 2 if kind != "force" else 2.5
    whole = channel(f"{kind}-whole", LBM=LBM + WRONG,
                    **{**conditions, "endTime": stop, "writeInterval": 1})
    solve(whole)
    split = channel(f"{kind}-split", LBM=LBM + WRONG,
                    **{**conditions, "endTime": stop, "writeInterval": 1})
    changes = 0
    due = 0
    for i in range(1, int(stop/0.1 + 0.5) + 1):
        end = min(i*0.1, stop)
        changes += fewer(solve(split, endTime=f"{end:.1f}"))[0]
        due += header(split, times(split)[-1], "stepDue") in ("true", "yes",
                                                              "on", "1")
    last = times(whole)[-1]
    one, other = files(whole / last), files(split / last)
    differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
    check(f"{kind}-restartSameBits",
          not differ and changes >= 2 and due >= 1 and last == times(split)[-1],
          f"{differ}, {changes} changes, {due} due")

# Without a hint, from rest, as with the right step from the start

for kind, conditions, LBM in (
    ("force", {"endTime": 20, "writeInterval": 200}, FORCE),
    ("inlet", {"Uin": RAMP, "endTime": 20, "writeInterval": 200}, ""),
    ("pressures", {"Uin": ZERO, "pin": "type fixedValue; value uniform 0.32;",
                   "endTime": 20, "writeInterval": 200}, ""),
):
    conditions = {"nu": 0.001, "deltaT": 0.1, **conditions}
    right = channel(f"{kind}-hint", LBM=LBM + "referenceVelocity 1;", **conditions)
    solve(right)
    case = channel(f"{kind}-noHint", LBM=LBM, **conditions)
    output = solve(case)
    error = difference(case, right, "20", "U")
    velocity = re.search(r"reference velocity +(.*)", output)[1]
    check(f"{kind}-withoutHint", error < 1e-3 and "Warning" not in output,
          f"{error}, {velocity}, {fewer(output)}, {largestMach(output)}")

# A flow that slows down for good: larger steps. The speed at the start is none
# that comes back
nu = 0.01
for name, more in (("slow", ""), ("slow-off", "adaptiveStep no;")):
    case = channel(name, nu=nu, deltaT=0.05, endTime=4, writeInterval=80,
                   LBM=f"bodyForce (0.4 0 0); precision double; {more}")
    path = case / "0/U"
    path.write_text(path.read_text().replace("uniform (0 0 0);",
                                             "uniform (5 0 0);", 1))
    output = solve(case)
    if name == "slow":
        check("slowFlowLargerSteps", fewer(output)[1] >= 1
              and fewer(output)[0] == 0, f"{fewer(output)}: {output[-1500:]}")
    else:
        error = difference(Path("slow"), case, "4", "U")
        check("slowFlowAsBefore", error < 1e-3 and fewer(output) == (0, 0),
              f"{error}")

whole = Path("slow")
split = channel("slow-split", nu=nu, deltaT=0.05, endTime=4, writeInterval=1,
                LBM="bodyForce (0.4 0 0); precision double;")
path = split / "0/U"
path.write_text(path.read_text().replace("uniform (0 0 0);",
                                         "uniform (5 0 0);", 1))
every = 1 if ifLong("slowFlowRestartsAtEachTenth") else 4
changes = sum(fewer(solve(split, endTime=f"{0.1*i:.1f}"))[1]
              for i in range(every, 41, every))
one, other = files(whole / "4"), files(split / "4")
differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
check("slowFlowRestartSameBits", not differ and changes >= 1,
      f"{differ}, {changes} changes")

# What the user or the boundary says is coming is not forgotten
case = channel("coming", nu=nu, deltaT=0.05, endTime=4, writeInterval=80,
               LBM="bodyForce (0.4 0 0); referenceVelocity 5;")
output = solve(case)
check("givenSpeedIsKept", fewer(output) == (0, 0), fewer(output))

# A mean velocity is held through the changes
SOURCE = """
momentumSource
{
    type meanVelocityForce; selectionMode all; fields (U); Ubar (0.5 0 0);
}
"""
means = []
for name, speed in (("mean", 0.1), ("mean-right", 0.75)):
    case = channel(name, nu=0.001, deltaT=0.1, endTime=3, writeInterval=30,
                   LBM=f"referenceVelocity {speed}; precision double;")
    (case / "constant/fvOptions").write_text(
        HEADER.format("dictionary", "fvOptions") + SOURCE)
    output = solve(case)
    means.append([(float(a), float(b)) for a, b in re.findall(
        r"uncorrected Ubar = (\S+), pressure gradient = (\S+)", output)])
    if speed == 0.1:
        changes = fewer(output)[0]
# The first step reaches it; then sound takes four deltaT along the channel until
# the lattice step has changed. Measured: 5e-5; up to 0.097; after ten steps 1e-5,
# the gradient 3e-5. The limits detect change
error = np.abs(np.array(means[0])/np.array(means[1]) - 1)
check("meanVelocity", changes >= 1 and error[0, 0] < 1e-4
      and error[1:10, 0].max() < 0.11 and error[10:, 0].max() < 2e-5
      and error[10:, 1].max() < 6e-5, f"{changes} changes, {error[:12]}")

# The collision that auto chose follows too, and no other; to the bit through a
# restart
FOLLOWS = r"^Collision recursiveRegularised in place of TRT: .* above 25$"
conditions = {"nu": 1e-4, "deltaT": 0.05, "endTime": 1.6, "writeInterval": 1}
whole = channel("collision-whole", LBM=FORCE + WRONG, **conditions)
output = solve(whole)
count = len(re.findall(FOLLOWS, output, re.M))
changed = [(m.start(), m[0][:9]) for m in re.finditer(
    FOLLOWS + "|" + CHANGE, output, re.M)]
# At 0.9 s; the step then waits until 1.2 s
check("collisionFollows", count == 1
      and [kind for _, kind in changed][-2:] == ["Collision", "Lattice s"],
      changed)
split = channel("collision-split", LBM=FORCE + WRONG, **conditions)
outputs = [solve(split, endTime=f"{end:g}") for end in
           (0.8, 0.85, 0.9, 0.95, 1.1, 1.15, 1.2, 1.25, 1.6)]
one, other = files(whole / "1.6"), files(split / "1.6")
differ = [n for n in sorted({*one, *other}) if one.get(n) != other.get(n)]
check("collisionRestarts", not differ
      and sum(bool(re.search(FOLLOWS, o, re.M)) for o in outputs) == 1
      and sum("collision recursiveRegularised of the restart data" in o
              for o in outputs) >= 3, f"{differ}: {outputs[-1][-2000:]}")
given = channel("collision-given", LBM=FORCE + WRONG + "collision TRT;",
                **conditions)
output = solve(given)
check("givenCollisionStays", "Collision " not in output, output[-2000:])

finish()
