"""Heat of turbulent flow on the lattice: its nodes have the diffusivity that
follows from their eddy viscosity, its walls what OpenFOAM's wall functions of
alphat give. Against OpenFOAM's own solvers: a periodic channel between a warm and a
cold wall, with a wall of given gradient, on a graded mesh that the lattice is laid
over; a steady channel with an inlet; a room with a hot spot. Restart, processes.
"""

import shutil
import sys

from caseTest import *
from parallelCase import decompose, environment

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

MESH = """
scale 1;
vertices
(
    (0 0 0) (LX 0 0) (LX 1 0) (0 1 0) (0 0 0.1) (LX 0 0.1) (LX 1 0.1) (0 1 0.1)
);
blocks (hex (0 1 2 3 4 5 6 7) (NX NY 1) simpleGrading (1 GRADING 1));
edges ();
boundary
(
    left { LEFT faces ((0 4 7 3)); }
    right { RIGHT faces ((2 6 5 1)); }
    bottom { type wall; faces ((1 5 4 0)); }
    top { type wall; faces ((3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
"""

SCALAR = "volScalarField"
ZERO = "type zeroGradient;"

#: Intensity of 5 % and a mixing length of 0.05 m at the inlet and the start
K0 = 1.5*0.05**2
EPSILON0 = 0.09**0.75*K0**1.5/0.05

TIME = re.compile(r"[\d.e+-]+")


def fixed(value):
    return f"type fixedValue; value uniform {value};"


def calculated(value=0):
    return f"type calculated; value uniform {value};"


def dictionary(path, text, kind="dictionary"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(kind, path.name) + text)


def prepare(name, cells=(4, 16), length=None, grading="1", cyclic=True, T=None,
            LBM="", steady=False, residuals="", **entries):
    """A channel of 1 m, 1 m/s and a Reynolds number of 1e5, without gravity. T: of
    the walls
    """
    case = Path(name)
    shutil.rmtree(case, ignore_errors=True)
    mesh = MESH.replace("GRADING", grading)
    for key, value in (("LX", length or cells[0]/cells[1]), ("NX", cells[0]),
                       ("NY", cells[1])):
        mesh = mesh.replace(key, str(value))
    for key, other in (("LEFT", "right"), ("RIGHT", "left")):
        mesh = mesh.replace(key, f"type cyclic; neighbourPatch {other};"
                            if cyclic else "type patch;")
    dictionary(case / "system/blockMeshDict", mesh)

    for field, kind, dimensions, internal, wall, left, right in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(1 0 0)", "type noSlip;",
         fixed("(1 0 0)"), ZERO),
        ("p_rgh", SCALAR, "[0 2 -2 0 0 0 0]", 0,
         "type fixedFluxPressure; rho rhok; value uniform 0;", ZERO, fixed(0)),
        ("T", SCALAR, "[0 0 0 1 0 0 0]", 300,
         T or {"bottom": fixed(301), "top": fixed(299)}, fixed(300), ZERO),
        ("alphat", SCALAR, "[0 2 -1 0 0 0 0]", 0,
         "type alphatJayatillekeWallFunction; Prt 0.85; value uniform 0;",
         calculated(), calculated()),
        ("nut", SCALAR, "[0 2 -1 0 0 0 0]", 0,
         "type nutkWallFunction; value uniform 0;", calculated(), calculated()),
        ("k", SCALAR, "[0 2 -2 0 0 0 0]", K0,
         "type kqRWallFunction; value uniform 0;", fixed(K0), ZERO),
        ("epsilon", SCALAR, "[0 2 -3 0 0 0 0]", EPSILON0,
         f"type epsilonWallFunction; value uniform {EPSILON0};",
         fixed(EPSILON0), ZERO),
    ):
        walls = wall if isinstance(wall, dict) else {"bottom": wall, "top": wall}
        if cyclic:
            left = right = "type cyclic;"
        dictionary(
            case / "0" / field,
            f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            "boundaryField\n{\n" + "".join(
                f"    {patch} {{ {text} }}\n" for patch, text in {
                    "left": left, "right": right, **walls,
                    "frontAndBack": "type empty;"}.items()) + "}\n", kind)

    dictionary(case / "constant/g",
               "dimensions [0 1 -2 0 0 0 0]; value (0 0 0);\n",
               "uniformDimensionedVectorField")
    dictionary(case / "constant/transportProperties",
               "transportModel Newtonian;\nnu 1e-5;\nbeta 1e-12;\nTRef 300;\n"
               "Pr 0.7;\nPrt 0.85;\n")
    dictionary(case / "constant/turbulenceProperties",
               "simulationType RAS;\n"
               "RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }\n")
    if cyclic:
        dictionary(case / "constant/fvOptions",
                   "drive { type meanVelocityForce; active yes; selectionMode all;"
                   " fields (U); Ubar (1 0 0); relaxation 1; }\n")

    bounded = "bounded " if steady else ""
    dictionary(case / "system/fvSchemes", f"""
ddtSchemes {{ default {"steadyState" if steady else "Euler"}; }}
gradSchemes {{ default Gauss linear; }}
divSchemes
{{
    default {bounded}Gauss limitedLinear 1;
    div(phi,U) {bounded}Gauss linear;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
}}
laplacianSchemes {{ default Gauss linear orthogonal; }}
interpolationSchemes {{ default linear; }}
snGradSchemes {{ default orthogonal; }}
wallDist {{ method meshWave; }}
""")
    dictionary(case / "system/fvSolution", f"""
solvers
{{
    "p_rgh.*" {{ solver PCG; preconditioner DIC; tolerance 1e-8; relTol 0; }}
    "(U|T|k|epsilon).*"
    {{
        solver PBiCGStab;
        preconditioner DILU;
        tolerance 1e-10;
        relTol 0;
    }}
}}
{"SIMPLE" if steady else "PIMPLE"}
{{
    nCorrectors 2;
    pRefCell 0;
    pRefValue 0;
    residualControl {{ {residuals} }}
}}
relaxationFactors
{{
    fields {{ p_rgh 0.3; }}
    equations {{ ".*" {0.7 if steady else 1}; }}
}}
LBM {{ {LBM} }}
""")
    settings = {
        "application": "lbmGpuFoam", "startFrom": "latestTime", "startTime": 0,
        "endTime": 300, "deltaT": 0.1, "writeControl": "runTime",
        "writePrecision": 10, **entries}
    settings.setdefault("writeInterval", settings["endTime"])
    dictionary(case / "system/controlDict", "".join(
        f"{entry} {value};\n" for entry, value in settings.items()) + """
functions
{
    flux
    {
        type latticeHeatFlux;
        libs (latticeHeatFlux);
        patches (bottom top);
        executeControl onEnd;
        writeControl onEnd;
    }
}
""")
    mustRun("blockMesh", case)
    return case


def latest(case):
    return max((path for path in case.iterdir() if TIME.fullmatch(path.name)),
               key=lambda path: float(path.name))


def field(case, name, cells):
    """Of the cells, as rows from below"""
    values = np.array(readField(str(latest(case) / name)).internal)
    return np.broadcast_to(values, (cells[0]*cells[1],)).reshape(cells[1], cells[0])


def fluxes(case):
    """Mean flux of each wall at the end [K m/s]"""
    file = max(case.glob("postProcessing/flux/*/*.dat"))
    rows = [line.split() for line in file.read_text().splitlines()
            if line and line[0] != "#"]
    return {row[1]: float(row[4]) for row in rows if row[0] == rows[-1][0]}


# * * * * * * * * * * * * * * Periodic channels * * * * * * * * * * * * * * #

COLD = fixed(299)
GRADIENT = "type fixedGradient; gradient uniform 1;"
SPACING = "((0.5 0.5 3) (0.5 0.5 0.33333))"
cells = (4, 16)
area = 0.1*cells[0]/cells[1]

# Measured: 0.1 % off buoyantBoussinesqPimpleFoam, 0.2 and 0.3 (bottom, top) with a
# given gradient, 0.04 and 1.2 on the graded mesh; T to 1.2, 3.3 and 1.9 % of what
# differs from the mean. The limits detect change
for name, options, limit in (
    ("channel", {}, 0.005),
    ("gradient", {"T": {"bottom": GRADIENT, "top": COLD}}, 0.01),
    ("graded", {"T": {"bottom": GRADIENT, "top": COLD}, "grading": SPACING}, 0.015),
):
    # The graded one has walls of both kinds, and a lattice laid over its mesh
    if name != "graded" and not ifLong(name):
        continue
    reference = prepare(f"{name}.reference", cells, deltaT=0.05, **options)
    mustRun("buoyantBoussinesqPimpleFoam", reference)
    case = prepare(name, cells, LBM="heat device;", **options)
    log = mustRun("lbmGpuFoam", case)

    check(f"onLattice.{name}", "K, on the lattice" in log)
    there, here = fluxes(reference), fluxes(case)
    for wall in ("bottom", "top"):
        check(f"flux.{name}.{wall}",
              abs(here[wall] - there[wall]) < limit*abs(there[wall]),
              f"{here[wall]}, {there[wall]}")

    # Of all that differs from the mean across
    T, Tr = (field(c, "T", cells) for c in (case, reference))
    off = np.sqrt(((T - Tr)**2).mean()/((Tr - Tr.mean())**2).mean())
    check(f"profile.{name}", off < 0.04, off)


# * * * * * * * * * * * * * * Through-flow, steady  * * * * * * * * * * * * * #

cells = (48, 8)
steady = {
    "cells": cells, "length": 6, "cyclic": False, "steady": True, "deltaT": 1,
    "endTime": 2000, "T": {"bottom": fixed(350), "top": GRADIENT},
    "residuals": "U 1e-5; p_rgh 1e-4; T 1e-5;"}
reference = prepare("steady.reference", **steady)
mustRun("buoyantBoussinesqSimpleFoam", reference)
case = prepare("steady", LBM="heat device;", **steady)
log = mustRun("lbmGpuFoam", case)

check("residualOfT", re.search(
    r"^lattice:  Solving for T, Initial residual = [\d.e-]+,", log, re.M))
check("converges", "SIMPLE solution converged" in log, log[-500:])

there, here = fluxes(reference), fluxes(case)
# Measured: 0.5 %. The limit detects change
check("flux.steady", abs(here["bottom"]/there["bottom"] - 1) < 0.01,
      f"{here}, {there}")

# Beside the inlet the wall has warmed the fluid by what it has given, and no more:
# as OpenFOAM has it for the same flow. Measured: 0.05 K of 50
if ifLong("besideInlet"):
    onMesh = prepare("steady.onMesh", LBM="heat host;", **steady)
    mustRun("lbmGpuFoam", onMesh)
    T, Tm = (field(c, "T", cells)[0, :6] for c in (case, onMesh))
    check("besideInlet", np.abs(T - Tm).max() < 0.08, f"{T}, {Tm}")


# * * * * * * * * * * * * * * Restart, processes  * * * * * * * * * * * * * * #

cells = (4, 16)
whole = prepare("whole", cells, LBM="heat device;", endTime=4,
                writeFormat="binary", writeInterval=2)
mustRun("lbmGpuFoam", whole)

parts = prepare("parts", cells, LBM="heat device;", endTime=2,
                writeFormat="binary", writeInterval=2)
mustRun("lbmGpuFoam", parts)
setEntry(parts / "system/controlDict", "endTime", 4)
mustRun("lbmGpuFoam", parts)

two = prepare("two", cells, LBM="heat device;", endTime=4,
              writeFormat="binary", writeInterval=2)
decompose(two, 2, "1 2 1")
mustRun("mpirun -np 2 lbmGpuFoam -parallel", two, environment=environment)
mustRun("reconstructPar -latestTime", two)

for name, other, fields in (("restart", parts, ("T", "U", "k")),
                            ("processes", two, ("T", "k"))):
    for which in fields:
        check(f"{name}.{which}",
              (other / "4" / which).read_bytes()
              == (whole / "4" / which).read_bytes())

# U as written is freed of sound by sums of OpenFOAM, whose order depends on the
# number of processes. Measured: 3e-13 m/s of 1
U, Uw = (np.array(readField(str(c / "4/U")).internal) for c in (two, whole))
check("processes.U", np.abs(U - Uw).max() < 1e-12, np.abs(U - Uw).max())


# * * * * * * * * * * * * * * * * * A room  * * * * * * * * * * * * * * * * * #

# As OpenFOAM has it, transient: a plume of two cells above a spot of 600 K
rise = {}
solver = "buoyantBoussinesqPimpleFoam"
for app in (solver, "lbmGpuFoam"):
    room = copyCase(Path(os.environ["FOAM_TUTORIALS"])
                    / f"heatTransfer/{solver}/hotRoom", f"room.{app}")
    shutil.copy(room / "0/T.orig", room / "0/T")
    for entry, value in {"application": app, "endTime": 20,
                         "writeInterval": 10}.items():
        setEntry(room / "system/controlDict", entry, value)
    (room / "system/fvSolution").open("a").write("\nLBM { heat device; }\n")
    for command in ("blockMesh", "setFields", app):
        mustRun(command, room)
    rise[app] = np.array(readField(str(latest(room) / "T")).internal) - 300
here, there = rise["lbmGpuFoam"], rise[solver]

# Measured: 4 %; 5.2 and 4.6 K, and 1.2 K too cold, in a cell beside the spot, where
# the flow carries T against its gradient. The limits detect change
check("room.rise", abs(here.mean()/there.mean() - 1) < 0.05,
      f"{here.mean()}, {there.mean()}")
check("room.range", here.max() < 1.2*there.max() and here.min() > -0.27*here.max(),
      f"{here.min()} to {here.max()}, {there.min()} to {there.max()}")


# * * * * * * * * * * * * * * * * Bad input * * * * * * * * * * * * * * * * * #

case = prepare("refused", cells, LBM="heat device;")
dictionary(case / "constant/transportProperties",
           "transportModel CrossPowerLaw;\nCrossPowerLawCoeffs"
           " { nu0 1e-5; nuInf 1e-6; m 0.4; n 1; }\n"
           "beta 1e-12;\nTRef 300;\nPr 0.7;\nPrt 0.85;\n")
status, log = run("lbmGpuFoam", case)
check("fluidAndTurbulence", status != 0 and
      "transportModel CrossPowerLaw with a turbulence model" in log, log[-800:])

finish()
