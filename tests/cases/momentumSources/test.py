"""Momentum sources of fvOptions: a constant one is a body force; a mean
velocity is held, with the gradient that balances the friction, from the first
step on and across a restart.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

H, nu, nodes = 0.1, 0.01, 16

HEADER = ("FoamFile { version 2.0; format ascii; class dictionary;"
          " object fvOptions; }\n")


def prepare(name, options="", LBM="", folder="constant", **entries):
    """The channel of the tutorial poiseuille, driven by fvOptions."""
    case = copyCase("poiseuille", name)
    mustRun("blockMesh", case)
    path = case / "system/fvSolution"
    path.write_text(re.sub(
        r"\nLBM\s*{[^}]*}",
        f"\nLBM {{ precision double; referenceVelocity 1; {LBM} }}",
        path.read_text()))
    for entry, value in {"startFrom": "latestTime", "endTime": 0.4,
                         "writeInterval": 0.2, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    if options:
        (case / folder / "fvOptions").write_text(HEADER + options)
    return case


def semiImplicit(rate, mode="specific", more=""):
    return ("source { type vectorSemiImplicitSource; selectionMode all;"
            f" volumeMode {mode}; {more}"
            f" injectionRateSuSp {{ U (({rate}) 0); }} }}")


def meanVelocity(Ubar="0.5 0 0", more=""):
    return ("momentumSource { type meanVelocityForce; selectionMode all;"
            f" fields (U); Ubar ({Ubar}); {more} }}")


def populations(case, time):
    path = case / time / "uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


def means(output):
    """Time, mean velocity and gradient of each outer step."""
    return np.array([
        [float(x) for x in row] for row in re.findall(
            r"^Time = (\S+)\n[^T]*Pressure gradient source: uncorrected Ubar ="
            r" (\S+), pressure gradient = (\S+)$", output, re.M)
    ])


# A constant source

force = prepare("force", LBM="bodyForce (8 0 0);")
mustRun("lbmGpuFoam", force)
wanted = populations(force, "0.4")

# 0.1 m x 0.1 m x 0.01 m
for name, options, folder in (
    ("specific", semiImplicit("8 0 0"), "constant"),
    ("inSystem", semiImplicit("8 0 0"), "system"),
    ("optionsDict", "options { " + semiImplicit("8 0 0") + " }", "constant"),
    ("coeffs", semiImplicit("8 0 0").replace(
        "selectionMode", "vectorSemiImplicitSourceCoeffs { selectionMode")
     + " }", "constant"),
    ("inactive", semiImplicit("8 0 0")
     + "other { type explicitPorositySource; active no; }", "constant"),
):
    case = prepare(name, options, folder=folder)
    mustRun("lbmGpuFoam", case)
    check(f"{name}IsBodyForce", populations(case, "0.4") == wanted,
          "populations differ from those of bodyForce")

case = prepare("absolute", semiImplicit("8e-4 0 0", "absolute"))
mustRun("lbmGpuFoam", case)
U, wantedU = (readField(str(c / "0.4/U")).internal for c in (case, force))
check("absoluteIsPerVolume", np.allclose(U, wantedU, rtol=1e-9, atol=1e-12),
      f"U differs by {np.abs(U - wantedU).max():.3g} m/s")

half = prepare("half", semiImplicit("5 0 0"), "bodyForce (3 0 0);")
mustRun("lbmGpuFoam", half)
U = readField(str(half / "0.4/U")).internal
check("addsToBodyForce", np.allclose(U, wantedU, rtol=1e-9, atol=1e-12),
      f"U differs by {np.abs(U - wantedU).max():.3g} m/s")

# Time limits: it acts at the end of the steps of [0.2, 0.3]
timed = prepare("timed", semiImplicit("8 0 0", more="timeStart 0.1999;"
                                      " duration 0.1002;"), writeInterval=0.01)
mustRun("lbmGpuFoam", timed)
moving = [float(t) for t in times(timed)
          if np.any(readField(str(timed / t / "U")).internal)]
check("timeStart", moving and abs(moving[0] - 0.2) < 1e-9, moving[:3])
U = {t: readField(str(timed / t / "U")).internal[:, 0].mean()
     for t in ("0.3", "0.31")}
check("duration", U["0.31"] < U["0.3"], f"mean velocities {U} m/s")

# A mean velocity. At the midpoints of a parabola it is larger than its mean

whole = prepare("whole", meanVelocity())
output = mustRun("lbmGpuFoam", whole)
history = means(output)
exact = 12*nu*0.5/H**2/(1 + 0.5/nodes**2)
check("everyStepSaysSo", len(history) == 40, f"{len(history)} lines")
check("meanIsHeld", abs(history[-1, 1] - 0.5) < 1e-11,
      f"{history[-1, 1]} m/s, not 0.5")
check("gradientIsExact", abs(history[-1, 2]/exact - 1) < 2e-5,
      f"{history[-1, 2]} m/s2, not {exact}")
# Measured: 0.4255 after one step, 0.4901 after two, never above 0.5110
check("reachedAtOnce", 0.425 < history[0, 1] and 0.49 < history[1, 1]
      and history[:, 1].max() < 0.5115, history[:4, 1])

text = (whole / "0.4/uniform/momentumSourceProperties").read_text()
stored = float(re.search(r"gradient\s+(\S+);", text)[1])
check("gradientIsWritten", abs(stored/history[-1, 2] - 1) < 1e-11,
      f"{stored}, printed was {history[-1, 2]}")

# Restart, at a time when the gradient still changes
split = prepare("split", meanVelocity(), endTime=0.03, writeInterval=0.03)
mustRun("lbmGpuFoam", split)
setEntry(split / "system/controlDict", "endTime", 0.4)
setEntry(split / "system/controlDict", "writeInterval", 0.37)
output = mustRun("lbmGpuFoam", split)
check("restartSaysSo", "Restarting from the populations" in output,
      output[-1500:])
differ = [
    name for name in ("U", "p", "phi", "uniform/latticePopulations",
                      "uniform/momentumSourceProperties")
    if (split / "0.4" / name).read_bytes()
    != (whole / "0.4" / name).read_bytes()
]
check("restartSameBits", not differ, f"different {differ}")

# As left by pimpleFoam: the gradient alone, and U. The flow is developed,
# nothing has to change
for path in (split / "0.4/uniform/latticePopulations",
             split / "0.4/uniform/momentumSourceProperties"):
    path.unlink()
(split / "0.4/uniform/momentumSourceProperties").write_text(
    HEADER + f"gradient {stored};\n")
setEntry(split / "system/controlDict", "endTime", 0.43)
history = means(mustRun("lbmGpuFoam", split))
check("gradientIsRead", np.all(np.abs(history[:, 2]/exact - 1) < 2e-3)
      and np.all(np.abs(history[:, 1] - 0.5) < 1e-4), history)

# An outer step that is a lattice step, an oblique direction, relaxation
for name, options, LBM, entries in (
    ("oneLatticeStep", meanVelocity(), "latticeTimeStep 0.0003;",
     {"deltaT": 0.0003}),
    ("largeDeltaT", meanVelocity(), "", {"deltaT": 0.1, "endTime": 4}),
    ("relaxation", meanVelocity(more="relaxation 0.2;"), "",
     {"endTime": 1}),
    ("backwards", meanVelocity("-0.5 0 0"), "", {}),
):
    case = prepare(name, options, LBM, **entries)
    output = mustRun("lbmGpuFoam", case)
    end = means(output)[-1]
    U = readField(str(case / times(case)[-1] / "U")).internal[:, 0].mean()
    sign = -1 if name == "backwards" else 1
    check(f"{name}IsHeld", abs(end[1] - 0.5) < 1e-6
          and abs(sign*U - 0.5) < 1e-6 and abs(end[2]/exact - 1) < 1e-4,
          f"mean {end[1]}, of U {U} m/s; gradient {end[2]}, not {exact}")

# The lattice step follows from the mean velocity, without other entries
case = prepare("reference", meanVelocity())
path = case / "system/fvSolution"
path.write_text(path.read_text().replace("referenceVelocity 1;", ""))
output = mustRun("lbmGpuFoam -dry-run", case)
check("referenceVelocity", re.search(
    r"reference velocity\s+1 m/s, twice the mean velocity", output),
    output[-2500:])

# What is refused

for name, options, wanted in (
    ("cellZone", meanVelocity(more="selectionMode cellZone; cellZone c;"),
     ["momentumSource has cellZone c", "possible: "]),
    ("otherType", "limit { type limitVelocity; selectionMode all; max 1; }",
     ["limit", "limitVelocity", "possible : remove it"]),
    ("otherField", semiImplicit("1 0 0").replace("U (", "T ("),
     ["source for T", "possible: U"]),
    ("volumeMode", semiImplicit("1 0 0", "relative"),
     ["volumeMode relative", "absolute specific"]),
    ("noVolumeMode", semiImplicit("1 0 0").replace("volumeMode", "volume"),
     ["volumeMode"]),
    ("UbarZero", meanVelocity("0 0 0"), [r"Ubar \(0 0 0\)", "possible"]),
    ("UbarOutOfThePlane", meanVelocity("0 0 1"), ["Ubar", "empty direction"]),
    ("forceOutOfThePlane", semiImplicit("0 0 1"),
     ["source", "empty direction"]),
    ("relaxationAbove1", meanVelocity(more="relaxation 2;"),
     ["relaxation 2", "at most 1"]),
    ("fieldsOther", meanVelocity().replace("(U)", "(T)"),
     ["fields", "possible: \\(U\\)"]),
):
    case = prepare("refused-" + name, options)
    status, output = run("lbmGpuFoam", case)
    text = re.sub(r"\s+", " ", output)
    missing = [w for w in ["FOAM FATAL IO ERROR", "constant/fvOptions", *wanted]
               if not re.search(w, text)]
    check(f"{name}IsRefused", status != 0 and not missing
          and "Time = 0" not in text.split("Starting time loop")[-1],
          f"status {status}, without {missing}\n" + output[-1200:])

finish()
