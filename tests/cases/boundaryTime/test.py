"""Boundary values that change in time vary linearly over the lattice steps of
an outer step: second order in deltaT, against deltaT = one lattice step.
"""

import sys

from channelCase import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

STEP = 5e-4
PERIOD = 640*STEP
GIVEN = f"precision double; writtenFields lattice; latticeTimeStep {STEP};"
COUNTS = (20, 40, 80)

SINE = (f"uniformValue {{ type sine; frequency {1/PERIOD!r}; amplitude 1;"
        " scale SCALE; level LEVEL; }")


def sine(scale, level):
    return ("type uniformFixedValue; value uniform " + level + "; "
            + SINE.replace("SCALE", scale).replace("LEVEL", level))


RAMP = ("type uniformFixedValue; value uniform (0 0 0); uniformValue"
        " { type scale; value constant (0.2 0 0);"
        f" scale {{ type halfCosineRamp; start 0; duration {2*PERIOD!r}; }} }}")


def stairsOf(text, n):
    """The condition as a table that has each value of n a period for the time
    before it, and changes within the first lattice step of it.
    """
    ramp = "halfCosineRamp" in text
    vector = ramp or "scale (" in text
    rows = []
    for k in range(1, 2*n + 1):
        t = k*PERIOD/n
        value = (0.1*(1 - np.cos(np.pi*t/PERIOD/2)) if ramp
                 else (0.2 if vector else 0.1)*np.sin(2*np.pi*t/PERIOD))
        value = f"({value!r} 0 0)" if vector else repr(value)
        for at in (t - PERIOD/n + STEP, t):
            rows.append(f"({at!r} {value})")
    value = "(0 0 0)" if vector else "0"
    return (f"type uniformFixedValue; value uniform {value};"
            f" uniformValue table ((0 {value}) {' '.join(rows)});")


def prepared(name, kind, n, stairs=None, **entries):
    """n outer steps a period, two periods in all."""
    entries = {"deltaT": repr(PERIOD/n), "endTime": repr(2*PERIOD),
               "writeInterval": n//4, "writeFormat": "binary", **entries}
    LBM = entries.pop("LBM", GIVEN)
    condition = {"plate": sine("(0.2 0 0)", "(0 0 0)"), "inlet": RAMP,
                 "pressures": sine("0.1", "0")}[kind]
    if stairs:
        condition = stairsOf(condition, stairs)
    if kind == "plate":
        case = channel(name, LBM=LBM + "referenceVelocity 0.2;",
                       cells="4 16", **entries)
        U = case/"0/U"
        U.write_text(U.read_text().replace(
            "walls { type noSlip; }",
            f"walls {{ {condition} }}"))
    elif kind == "inlet":
        case = channel(name, Uin=condition, cells="32 8",
                       LBM=LBM + "referenceVelocity 0.3;", **entries)
    else:
        case = channel(name, Uin=ZERO, pin=condition, cells="32 8",
                       LBM=LBM + "referenceVelocity 0.2;", **entries)
    return case


def fields(case):
    """U and p of the last period, and their sizes."""
    last = [t for t in times(case) if float(t) > 1.01*PERIOD]
    return [np.array([readField(str(case/t/f)).internal.ravel() for t in last])
            for f in ("U", "p")]


def distance(a, b):
    return [np.sqrt(np.mean((x - y)**2)/np.mean(y**2)) for x, y in zip(a, b)]


def populations(case, time):
    path = case/time/"uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


# What deltaT does, without the errors of the lattice: stairs are the same values
# held over each deltaT, as tables whose steps fall on those of the lattice

for kind, names in (("plate", "U"), ("inlet", "Up"), ("pressures", "Up")):
    each = prepared(f"{kind}Each", kind, 640)
    solve(each)
    exact = fields(each)
    runs = [prepared(f"{kind}{n}", kind, n) for n in COUNTS]
    runs.append(prepared(f"{kind}Stairs", kind, 640, stairs=COUNTS[0]))
    for case in runs:
        solve(case)
    distances = [distance(fields(case), exact) for case in runs]
    for i, name in enumerate(names):
        *errors, stairs = (d[i] for d in distances)
        orders = np.log2(np.array(errors[:-1])/errors[1:])
        said = (f"errors {errors}, orders {orders}, with stairs {stairs:.3g},"
                f" {stairs/errors[0]:.3g} times as much")
        print(f"{kind} {name}: {said}")
        check(f"{kind}{name.upper()}Order", np.all(orders > 1.9), said)
        check(f"{kind}{name.upper()}BelowStairs", 10*errors[0] < stairs, said)


# Restart between two values, with the same bits, though p has six digits

for kind, precision in (("plate", 12), ("pressures", 6), ("inlet", 6)):
    whole = prepared(f"{kind}Whole", kind, 20, writePrecision=precision,
                     writeFormat="ascii", writeInterval=1,
                     endTime=repr(PERIOD/2))
    solve(whole)
    split = prepared(f"{kind}Split", kind, 20, writePrecision=precision,
                     writeFormat="ascii", writeInterval=1,
                     endTime=repr(0.2*PERIOD))
    solve(split)
    said = solve(split, endTime=repr(PERIOD/2))
    last = times(whole)[-1]
    check(f"{kind}RestartSameBits",
          "Restarting from the populations" in said
          and times(split)[-1] == last
          and populations(whole, last) == populations(split, last),
          "populations differ, or were not read")

# The same where the lattice step changes in between: the wall becomes forty times
# as fast as the reference velocity says

FAST = ("type uniformFixedValue; value uniform (0 0 0); uniformValue table"
        f" ((0 (0 0 0)) ({PERIOD!r} (8 0 0)));")


def fast(name, LBM="", **entries):
    case = prepared(name, "plate", 20, writeInterval=1, LBM=LBM,
                    **{"endTime": repr(PERIOD), **entries})
    U = case/"0/U"
    U.write_text(U.read_text().replace(sine("(0.2 0 0)", "(0 0 0)"), FAST))
    return case


whole = fast("fastWhole")
said = solve(whole)
changes = said.count("\nLattice step ")
check("stepChanges", changes > 1, said[-1500:])
split = fast("fastSplit", endTime=repr(PERIOD/20))
solve(split)
for k in range(2, 21):
    solve(split, endTime=repr(k*PERIOD/20))
last = times(whole)[-1]
check("restartAfterChangedStepsSameBits",
      times(split) == times(whole)
      and populations(whole, last) == populations(split, last),
      f"populations differ after {changes} changes")

finish()
