"""A frame that rotates (SRFProperties), as in SRFPimpleFoam and SRFSimpleFoam.

Accuracy: the flow between a rotor and a stationary casing against its exact
solution, in the frame of the rotor; still air; a box that turns with its fluid. The
same bits from a restart, the same flow from two processes.
"""

import math
import sys

from parallelCase import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from annulusMesh import R1, R2, annulus, taylorCouette
from foamFields import readField

# Angular velocity [rad/s] and viscosity [m2/s]: Re 20
OMEGA, NU = 1, 0.0125


def prepare(name, axis="(0 0 1)", casing="type SRFVelocity; relative no;"
            " inletValue uniform (0 0 0); value uniform (0 0 0);", LBM="",
            mesh=None, **entries):
    case = copyCase("cavity", name)
    (case / "0/U").unlink()
    if mesh is None:
        (case / "system/blockMeshDict").write_text(annulus(12, 24))
    for field, kind, dimensions, internal, wall in (
        ("Urel", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)",
         ("type noSlip;", casing)),
        ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0",
         ("type zeroGradient;",)*2),
    ):
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            f"boundaryField {{ \".*\" {{ {wall[0]} }} casing {{ {wall[-1]} }}"
            " frontAndBack { type empty; } }\n")
    (case / "constant/SRFProperties").write_text(
        HEADER.format("dictionary", "SRFProperties")
        + f"SRFModel rpm;\norigin {'(0.02 0.03 0)' if mesh else '(0 0 0)'};\naxis {axis};\n"
        f"rpmCoeffs {{ rpm {OMEGA*30/math.pi:.12g}; }}\n")
    setEntry(case / "constant/transportProperties", "nu", NU)
    for entry, value in {"endTime": 20, "deltaT": 0.1, "writeInterval": 200,
                         "writePrecision": 16, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    if LBM:
        (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
    mustRun("blockMesh", case)
    return case


def field(case, time, name):
    return np.asarray(readField(str(case / time / name)).internal)


def norm(a):
    return math.sqrt((a**2).sum())


# Again with the axis along y, where the axes of the lattice are in another order, and
# by the condition of walls

for name, axis, casing, turned in (
    ("taylorCouette", 2, None, None),
    ("alongY", 1, "type SRFWallVelocity; value uniform (0 0 0);",
     "((0 0 1) (0 1 0))"),
):
    unit = np.eye(3)[axis]
    case = prepare(name, axis="(%g %g %g)" % tuple(unit),
                   **({"casing": casing} if casing else {}))
    if turned:
        mustRun(["transformPoints", "-rotate", turned], case)
    output = mustRun("lbmGpuFoam", case)
    mustRun("postProcess -func writeCellCentres -latestTime", case)
    last = times(case)[-1]
    C = field(case, last, "C")
    away = C - np.outer(C @ unit, unit)
    r = np.sqrt((away**2).sum(axis=1))
    theta = np.cross(unit, away/r[:, None])
    exactU, exactP = taylorCouette(r, OMEGA)
    exact = exactU[:, None]*theta
    U = field(case, last, "U")
    error = norm(U - exact)/norm(exact)
    check(f"{name}.U", error < 0.009, f"error {error}")

    Urel = field(case, last, "Urel")
    frame = OMEGA*r[:, None]*theta
    check(f"{name}.Urel", abs(Urel + frame - U).max() < 1e-11)

    p = field(case, last, "p")
    exactP, p = exactP - exactP.mean(), p - p.mean()
    error = norm(p - exactP)/norm(exactP)
    check(f"{name}.p", error < 0.016, f"error {error}")

    walls = readField(str(case / last / "U")).boundary
    check(f"{name}.casing", abs(walls["casing"].values).max() < 1e-11)
    check(f"{name}.summary", re.search(
        r"rotating frame        [\d.]+ rad/s about \(%g %g %g\) through"
        r" \(0 0 0\), up to [\d.]+ m/s\n" % tuple(unit), output), output[:3000])


# Still air, seen from a frame that rotates: Urel = -Omega x r on all sides

case = prepare("still", mesh="cavity", endTime=0.5, deltaT=0.01, writeInterval=50)
mesh = case / "system/blockMeshDict"
mesh.write_text(mesh.read_text().replace("type wall;", "type patch;"))
mustRun("blockMesh", case)
mustRun("postProcess -func writeCellCentres", case)
x, y, _ = field(case, "0", "C").T
far = ("type SRFFreestreamVelocity; UInf (0 0 0); value uniform (0 0 0);")
path = case / "0/Urel"
path.write_text(
    HEADER.format("volVectorField", "Urel")
    + "dimensions [0 1 -1 0 0 0 0];\ninternalField nonuniform List<vector> (\n"
    + "\n".join(f"({OMEGA*(b - 0.03):.12g} {-OMEGA*(a - 0.02):.12g} 0)"
                for a, b in zip(x, y))
    + f"\n);\nboundaryField {{ \".*\" {{ {far} }}"
    " frontAndBack { type empty; } }\n")
mustRun("lbmGpuFoam", case)
last = times(case)[-1]
speed = abs(field(case, last, "U")).max()/(0.1*OMEGA)
check("still.U", speed < 1e-5, f"{speed} of Omega L")
p = field(case, last, "p")
error = abs(p - p.mean()).max()/(0.1*OMEGA)**2
check("still.p", error < 2.5e-4, f"{error} of (Omega L)^2")


# A stream from rest: SRFFreestreamVelocity turns it with the angle of the frame, on
# all faces. The flow is uniform at all times

stream = prepare("stream", mesh="cavity", endTime=0.5, deltaT=0.01,
                 writeInterval=50)
mesh = stream / "system/blockMeshDict"
mesh.write_text(mesh.read_text().replace("type wall;", "type patch;"))
mustRun("blockMesh", stream)
(stream / "0/Urel").write_text(
    HEADER.format("volVectorField", "Urel")
    + "dimensions [0 1 -1 0 0 0 0];\ninternalField uniform (0 0 0);\n"
    f"boundaryField {{ \".*\" {{ {far.replace('(0 0 0)', '(0.2 0 0)', 1)} }}"
    " frontAndBack { type empty; } }\n")
output = mustRun("lbmGpuFoam", stream)
last = times(stream)[-1]
angle = OMEGA*float(last)
exact = 0.2*np.array([math.cos(angle), math.sin(angle), 0])
speed = abs(field(stream, last, "U") - exact).max()/0.2
check("stream.U", speed < 5e-5, f"{speed} of that of the stream")
check("stream.start", "U freed of its divergence" in output
      and "more in than out" not in output, output)
faces = np.concatenate([
    patch.values for name, patch in
    readField(str(stream / last / "U")).boundary.items() if name != "frontAndBack"])
check("stream.faces", abs(faces - exact).max() < 1e-9, abs(faces - exact).max())


# A closed box turns about a point that is none of its centre: the fluid goes with
# it, and p is Omega^2 r^2/2

case = prepare("solidBody", mesh="cavity", endTime=0.5, deltaT=0.01,
               writeInterval=50)
output = mustRun("lbmGpuFoam", case)
mustRun("postProcess -func writeCellCentres -latestTime", case)
last = times(case)[-1]
C = field(case, last, "C")
exactP = OMEGA**2*((C[:, 0] - 0.02)**2 + (C[:, 1] - 0.03)**2)/2
exactP -= exactP.mean()
p = field(case, last, "p")
error = norm(p - p.mean() - exactP)/norm(exactP)
speed = abs(field(case, last, "Urel")).max()/(0.1*OMEGA)
check("solidBody.p", error < 1e-6, f"error {error}")
check("solidBody.U", speed < 1e-8, f"{speed} of Omega L")


# The same bits from a restart; from two processes the same flow to the tolerance of
# the equation for p at the start. A lid drives the fluid in the box

whole = prepare("whole", mesh="cavity", endTime=0.2, deltaT=0.01, writeInterval=10,
                LBM="precision double;" + asTheyAre)
path = whole / "0/Urel"
path.write_text(path.read_text().replace(
    "casing {", "movingWall { type fixedValue; value uniform (0.2 0 0); } casing {"))
half = Path(shutil.copytree(whole, "half"))
two = Path(shutil.copytree(whole, "two"))
mustRun("lbmGpuFoam", whole)
setEntry(half / "system/controlDict", "endTime", 0.1)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "endTime", 0.2)
setEntry(half / "system/controlDict", "startFrom", "latestTime")
mustRun("lbmGpuFoam", half, log="log.restart")
check("restart", populations(whole / "0.2") == populations(half / "0.2"))
check("restart.U", all((field(whole, "0.2", n) == field(half, "0.2", n)).all()
                       for n in ("U", "Urel", "p")))

decompose(two, 2, "2 1 1")
mustRun("mpirun -np 2 lbmGpuFoam -parallel", two, environment=environment)
mustRun("reconstructPar -latestTime", two)
for name in ("Urel", "U", "p"):
    a, b = field(two, "0.2", name), field(whole, "0.2", name)
    difference = abs(a - b).max()/abs(b).max()
    check(f"processes.{name}", difference < 1e-13, f"differ by {difference}")


# What cannot be

case = prepare("inclined", axis="(0 1 1)")
status, output = run("lbmGpuFoam", case)
check("inclined", status != 0 and "normal to its empty patches" in output
      and "SRFProperties" in output, output[-800:])

finish()
