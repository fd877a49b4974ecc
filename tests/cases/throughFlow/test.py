"""Flow through a mesh: what enters at the inlets leaves at the outlets, also
by phi; the pressure of the outlets is kept; what changes in time is followed,
and continues with the same bits after a restart.
"""

import math
import re
import shutil
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import patchFluxes, readField

H, nu, thickness = 0.1, 0.01, 0.01

HEADER = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"

MESH = """
scale 0.1;
vertices
(
    (0 0 0) (4 0 0) (4 1 0) (0 1 0)
    (0 0 0.1) (4 0 0.1) (4 1 0.1) (0 1 0.1)
);
blocks ( hex (0 1 2 3 4 5 6 7) (CELLS 1) simpleGrading (GRADING 1) );
edges ();
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((2 6 5 1)); }
    walls { type wall; faces ((3 7 6 2) (1 5 4 0)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
mergePatchPairs ();
"""

UNIFORM = "type fixedValue; value uniform (1 0 0);"
ZERO = "type zeroGradient;"
P0 = "type fixedValue; value uniform 0;"


def prepare(name, Uin=UNIFORM, pin=ZERO, Uout=ZERO, pout=P0, LBM="",
            cells="64 16", grading="1 1", mesh=MESH, **entries):
    """A channel 0.4 m x 0.1 m, or another mesh, with an inlet and an outlet, at rest."""
    case = copyCase("cavity", name)
    (case / "system/blockMeshDict").write_text(
        HEADER.format("dictionary", "blockMeshDict")
        + mesh.replace("CELLS", cells).replace("GRADING", grading))
    for field, kind, dimensions, internal, inlet, outlet, wall in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)", Uin, Uout,
         "type noSlip;"),
        ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0", pin, pout, ZERO),
    ):
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            f"boundaryField {{ inlet {{ {inlet} }} outlet {{ {outlet} }}"
            f" walls {{ {wall} }} frontAndBack {{ type empty; }} }}\n")
    mustRun("blockMesh", case)
    for entry, value in {
        "startFrom": "latestTime", "deltaT": 0.01, "endTime": 2,
        "writeControl": "timeStep", "writeInterval": 200,
        "writePrecision": 10, **entries,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ precision double; referenceVelocity 1.5; {LBM} }}\n")
    return case


def solve(case, **entries):
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def populations(case, time):
    path = case / time / "uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


def header(case, time, entry):
    path = case / time / "uniform/latticePopulations"
    text = path.read_bytes().split(b"\ndata\n")[0].decode(errors="replace")
    return float(re.search(rf"\n{entry}\s+([^;]+);", text)[1])


def field(case, time, name):
    return readField(str(case / time / name))


def fluxes(case, time):
    """Sum of phi over each patch that has some."""
    return {n: f for n, f in patchFluxes(case, time).items() if f != 0}


def imbalance(case, time):
    flux = fluxes(case, time)
    return abs(sum(flux.values()))/max(abs(x) for x in flux.values())


# Conservation, on a lattice of the cells and on one laid over the mesh. It is
# what passes the links that is looked at, before phi is made conservative

OFLINKS = "conservativeFlux no;"

through = 1*H*thickness

for name, tolerance, options in (
    # Measured: 7e-10, 3e-9
    ("conforming", 1e-8, {}),
    ("refined", 1e-8, {"LBM": "refinement 2;", "cells": "32 8"}),
    ("graded", 1e-3, {"grading": "2 3", "LBM": "latticeSpacing 0.00625;"}),
):
    case = prepare(name, **{**options,
                            "LBM": OFLINKS + options.get("LBM", "")})
    output = solve(case)
    flux = fluxes(case, "2")
    check(f"{name}Inlet", abs(flux["inlet"]/-through - 1) < 1e-8, flux)
    check(f"{name}Conserves", imbalance(case, "2") < tolerance,
          f"{flux}: differ by {imbalance(case, '2'):.3g}")

conforming = Path("conforming")

# Between the end of the inlet's influence and the outlet, plane Poiseuille
# flow: dp/dx = -12 nu U/H^2
p = field(conforming, "2", "p").internal.reshape(16, 64)
slope = (p[8, 56] - p[8, 40])/(16*0.4/64)
exact = -12*nu*1/H**2
check("gradient", abs(slope/exact - 1) < 0.01, f"{slope}, not {exact} m/s2")
check("outletPressure", abs(p[8, 63] + exact*0.4/128) < 0.01*abs(exact)*0.4,
      f"{p[8, 63]} m2/s2 next to an outlet at 0")
check("noMassIsAdded", header(conforming, "2", "massAdded") == 0,
      header(conforming, "2", "massAdded"))

# The level of p: the same flow at another pressure

level = prepare("level", pout="type fixedValue; value uniform 50;")
output = solve(level)
check("levelIsSaid", re.search(r"pressure of density 1\s+50 m2/s2", output),
      output[:4000])
difference = field(level, "2", "p").internal - 50 - p.ravel()
check("levelOfP", np.abs(difference).max() < 1e-7,
      f"p differs by {np.abs(difference).max():.3g} from p of the other + 50")

# Both ends fix p: the flow that belongs to the difference

driven = prepare(
    "driven", LBM=OFLINKS,
    Uin="type pressureInletVelocity; value uniform (0 0 0);",
    pin="type fixedValue; value uniform 0.48;", endTime=6, writeInterval=600)
output = solve(driven)
mean = field(driven, "6", "U").internal[:, 0].mean()
# 0.48/0.4 = 12 nu U/H^2 with U = 0.1. Measured: 0.18 % more, on 16 nodes
check("drivenByPressure", abs(mean/0.1 - 1) < 0.003, f"mean velocity {mean} m/s")
check("meanOfBoth", re.search(r"pressure of density 1\s+0\.24 m2/s2", output),
      output[:4000])
check("drivenConserves", imbalance(driven, "6") < 1e-7, fluxes(driven, "6"))

# A total pressure: p = p0 - U^2/2 with the flow itself

total = prepare(
    "total", Uin="type pressureInletVelocity; value uniform (0 0 0);",
    pin="type totalPressure; p0 uniform 5.3; value uniform 5.3;",
    endTime=6, writeInterval=600)
solve(total)
mean = field(total, "6", "U").internal[:, 0].mean()
speed = np.linalg.norm(field(total, "6", "U").boundary["inlet"].values, axis=1)
p = field(total, "6", "p").boundary["inlet"].values
check("totalPressure", np.abs(p + speed**2/2 - 5.3).max() < 1e-6,
      f"p + U^2/2 is {p + speed**2/2}")
check("totalPressureFlow", abs(mean - 1) < 0.055, f"mean velocity {mean} m/s")

# What changes in time: the values of the files, and the same bits across a
# restart at any step

PULSE = ("type uniformFixedValue; uniformValue table ((0 (0 0 0))"
         " (0.05 (1 0 0)) (0.1 (0.5 0 0)) (0.2 (1 0 0)));"
         " value uniform (0 0 0);")
LEVELS = ("type uniformFixedValue; uniformValue table ((0 0) (0.2 3));"
          " value uniform 0;")

for name, options in (
    ("pulsating", {"Uin": PULSE, "pout": LEVELS}),
    ("inletOutlet", {"Uin": PULSE, "pout": LEVELS, "Uout": "type inletOutlet;"
                     " inletValue uniform (0 0 0); value uniform (0 0 0);"}),
    ("totalPressure", {
        "Uin": "type pressureInletVelocity; value uniform (0 0 0);",
        "pin": "type totalPressure; p0 uniform 5; value uniform 5;",
        "pout": LEVELS}),
    ("single", {"Uin": PULSE, "pout": LEVELS, "LBM": "precision single;"}),
    ("interval", {"Uin": PULSE, "pout": LEVELS,
                  "LBM": "boundaryUpdateInterval 5;"}),
    ("overlay", {"Uin": PULSE, "pout": LEVELS, "grading": "2 3"}),
):
    entries = {**options, "endTime": 0.2, "writeInterval": 20,
               "writePrecision": 6}
    if name == "single":
        entries["LBM"] = ""
    whole = prepare(f"{name}-whole", **entries)
    split = prepare(f"{name}-split", **entries)
    for case in (whole, split):
        if name == "single":
            path = case / "system/fvSolution"
            path.write_text(path.read_text().replace(
                "precision double;", "precision single;"))
    solve(whole)
    solve(split, endTime=0.07, writeInterval=7)
    output = solve(split, endTime=0.2, writeInterval=20)
    check(f"{name}Restarts", "Restarting from the populations" in output,
          output[-1500:])
    differ = [n for n in ("U", "p", "phi", "uniform/latticePopulations")
              if (whole / "0.2" / n).read_bytes()
              != (split / "0.2" / n).read_bytes()]
    check(f"{name}RestartSameBits", not differ, f"different {differ}")
    if name == "pulsating":
        check("timeVaryingP", np.allclose(
            field(whole, "0.2", "p").boundary["outlet"].values, 3),
            "the outlet is not at the last pressure of the table")
        inlet = field(split, "0.07", "U").boundary["inlet"].values[0, 0]
        check("timeVaryingU", abs(inlet - 0.8) < 1e-5, f"{inlet} m/s, not 0.8")

# Evaluated in the first outer step and in every fifth: between, the inlet keeps
# its value. So does a condition that may depend on the flow, over each deltaT

coarse = prepare("coarse", Uin=PULSE, endTime=0.1, writeInterval=1,
                 LBM="boundaryUpdateInterval 5;")
solve(coarse)
steps = prepare("steps", endTime=0.1, writeInterval=1, Uin=(
    "type swirlFlowRateInletVelocity; rpm constant 0; flowRate table ((0 0)"
    " (0.01 2e-4) (0.0499 2e-4) (0.05 1e-3) (0.0999 1e-3) (0.1 5e-4));"
    " value uniform (0 0 0);"))
solve(steps)
differences = [
    np.abs(field(coarse, t, "U").internal
           - field(steps, t, "U").internal).max()
    for t in ("0.01", "0.04", "0.05", "0.08", "0.1")
]
check("interval", max(differences) < 2e-9,
      f"U differs from that of a table with steps by {differences} m/s")

# The mesh of triangles of icoFoam's elbow, with a more viscous fluid: two
# inlets, one outlet, steady after 400 s

elbow = copyCase("elbow", "elbow")
mustRun(["fluentMeshToFoam",
         str(top / "tutorials/lbmGpuFoam/elbow/elbow.msh")], elbow)
setEntry(elbow / "constant/transportProperties", "nu", 0.5)
setEntry(elbow / "system/fvSolution", "LBM",
         f"{{ latticeSpacing 0.5; {OFLINKS} }}")
output = solve(elbow, endTime=400, writeInterval=8000)
time = times(elbow)[-1]
flux = fluxes(elbow, time)
check("elbowConserves", imbalance(elbow, time) < 1e-3,
      f"{flux}: differ by {imbalance(elbow, time):.3g}")

# A flow that turns and speeds up into a narrow outlet, between two pressures, at Re
# 3.2. 0.01987 m3/s is the flow rate of icoFoam on cells a quarter as wide; on the same
# cells it has 6.9 % more. 2 % is the accuracy asked for; the tolerance of the second
# detects change alone, and is just above the error (13.2 %)

CONVERGING = """
scale 0.04125;
vertices
(
    (0 0 0) (40 0 0) (0 8 0) (40 8 0) (0 16 0) (40 16 0) (0 28 0) (40 28 0)
    (0 0 1) (40 0 1) (0 8 1) (40 8 1) (0 16 1) (40 16 1) (0 28 1) (40 28 1)
);
blocks
(
    hex (0 1 3 2 8 9 11 10) (40 8 1) simpleGrading (1 1 1)
    hex (2 3 5 4 10 11 13 12) (40 8 1) simpleGrading (1 1 1)
    hex (4 5 7 6 12 13 15 14) (40 12 1) simpleGrading (1 1 1)
);
edges ();
boundary
(
    inlet { type patch; faces ((2 10 12 4)); }
    outlet { type patch; faces ((1 3 11 9)); }
    walls
    {
        type wall;
        faces
        (
            (0 8 10 2) (0 1 9 8) (3 5 13 11) (4 12 14 6) (5 7 15 13)
            (6 14 15 7)
        );
    }
    frontAndBack
    {
        type empty;
        faces
        (
            (0 2 3 1) (2 4 5 3) (4 6 7 5)
            (8 9 11 10) (10 11 13 12) (12 13 15 14)
        );
    }
);
mergePatchPairs ();
"""

# The tolerances detect change
for name, entries, tolerance in (
    ("converging", "maxMach 0.1;", 0.006),
    ("convergingSlowly", "maxMach 0.03;", 0.15),
    ("convergingFinely", "maxMach 0.1; refinement 2;", 0.015),
):
    case = prepare(name, mesh=CONVERGING,
                   Uin="type pressureInletVelocity; value uniform (0 0 0);",
                   pin="type fixedValue; value uniform 2.20989084;",
                   deltaT=0.0327, endTime=23.544, writeInterval=720)
    setEntry(case / "constant/transportProperties", "nu", 0.028785046729)
    setEntry(case / "system/fvSolution", "LBM", f"{{ {entries} }}")
    solve(case)
    flux = fluxes(case, times(case)[-1])
    check(f"{name}FlowRate", abs(flux["outlet"]/0.01987 - 1) < tolerance, flux)

# A velocity that lets the fluid out later than at the start. At Reynolds number 200
# links that hold a velocity let disturbances grow where the fluid leaves
for name, Uout in (
    ("ramp", "type uniformFixedValue;"
             " uniformValue table ((0 (0 0 0)) (0.2 (1 0 0)));"),
    ("flowRate", "type flowRateOutletVelocity; volumetricFlowRate 0.001;"
                 " value uniform (0 0 0);"),
    ("swing", "type uniformFixedValue; uniformValue sine; uniformValueCoeffs"
              " { frequency 2.625; amplitude 1; scale (1 0 0); level (0 0 0); }"),
):
    case = prepare(f"outflow{name}", endTime=1, writeInterval=100,
                   Uin="type pressureInletOutletVelocity; value uniform (0 0 0);",
                   pin=P0, Uout=Uout, pout=ZERO)
    setEntry(case / "constant/transportProperties", "nu", 5e-4)
    output = solve(case)
    flux = fluxes(case, "1")
    expected = -0.001/math.sqrt(2) if name == "swing" else 0.001
    check(f"outflow.{name}", re.search(r"outlet: \d+ outflow\n", output)
          and "Second chance" not in output
          and abs(flux["outlet"]/expected - 1) < 1e-6, flux)

finish()
