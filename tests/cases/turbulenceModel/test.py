"""FunctionObjects find a laminar model, with turbulenceProperties or without:
wallShearStress in a channel has the exact value. Models that are no
viscosity are refused.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

H, g, nodes = 0.1, 8, 16

HEADER = "FoamFile { version 2.0; format ascii; class dictionary; object x; }\n"
LAMINAR = "simulationType laminar;"
FUNCTIONS = """
functions
{
    wallShearStress
    {
        type            wallShearStress;
        libs            (fieldFunctionObjects);
        patches         (walls);
        writeControl    writeTime;
    }
    yPlus
    {
        type            yPlus;
        libs            (fieldFunctionObjects);
        writeControl    writeTime;
    }
    forces
    {
        type            forces;
        libs            (forces);
        patches         (walls);
        rho             rhoInf;
        rhoInf          1;
        CofR            (0 0 0);
        writeControl    writeTime;
    }
}
"""


def prepare(name, turbulence=None,
            transport="transportModel Newtonian; nu 0.01;", functions=FUNCTIONS,
            **entries):
    """The tutorial poiseuille, steady after a second."""
    case = copyCase("poiseuille", name)
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 2, "writeInterval": 2, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/controlDict").open("a").write(functions)
    if turbulence is not None:
        (case / "constant/turbulenceProperties").write_text(
            HEADER + turbulence)
    if transport:
        (case / "constant/transportProperties").write_text(HEADER + transport)
    return case


# Of the lattice, the stress is exact; without one, the gradient at the wall is
# taken over half a cell: exact for the straight line through the wall and the
# first of 16 points on a parabola
exact = g*H/2
ofCells = exact*(1 - 0.5/nodes)

laminar = prepare("laminar", LAMINAR)
output = mustRun("lbmGpuFoam", laminar)
check("modelIsSelected", "Selecting laminar stress model Stokes" in output,
      output[:3000])
stress = readField(str(laminar / "2/wallShearStress")).boundary["walls"].values
check("wallShearStressIsExact", np.all(np.abs(
    np.abs(stress[:, 0])/exact - 1) < 2e-5) and np.all(
    np.abs(stress[:, 1]) < 1e-9),
    f"{stress[:2]}, expected {exact} m2/s2")

rows = [line for line in (laminar / "postProcessing/forces/0/force.dat")
        .read_text().splitlines() if not line.startswith("#")]
force = [float(x) for x in re.findall(r"[-+.\de]+", rows[-1])]
# Viscous force along x, over two walls of 0.1 m x 0.01 m
check("forces", abs(force[7]/(2*exact*1e-3) - 1) < 2e-5, rows[-1])

yPlus = (laminar / "postProcessing/yPlus/0/yPlus.dat").read_text().split()[-1]
wanted = np.sqrt(exact)*H/(2*nodes)/0.01
check("yPlus", abs(float(yPlus)/wanted - 1) < 2e-5, f"{yPlus}, not {wanted}")

# After the run, without a lattice
output = mustRun("lbmGpuFoam -postProcess -latestTime", laminar)
check("postProcess", "wallShearStress wallShearStress write:" in output,
      output[-1500:])
again = readField(str(laminar / "2/wallShearStress")).boundary["walls"].values
check("postProcessHasThatOfCells", np.all(np.abs(
    np.abs(again[:, 0])/ofCells - 1) < 2e-5),
    f"{again[:2]}, expected {ofCells} m2/s2")

# Without the file no model is selected; stress and flow are the same
plain = prepare("plain")
output = mustRun("lbmGpuFoam", plain)
check("noModelWithoutFile", "Selecting" not in output, output[:3000])
check("sameStress", np.array_equal(stress, readField(
    str(plain / "2/wallShearStress")).boundary["walls"].values), "it differs")
check("sameFlow", (plain / "2/U").read_bytes()
      == (laminar / "2/U").read_bytes(), "U differs")

# Each way to write a Newtonian fluid
for name, transport in (
    ("oldSyntax", "transportModel Newtonian; nu nu [0 2 -1 0 0 0 0] 0.01;"),
    ("dimensioned", "transportModel Newtonian; nu [0 2 -1 0 0 0 0] 0.01;"),
    ("number", "transportModel Newtonian; nu 0.01;"),
    ("ofIcoFoam", "nu 0.01;"),
):
    case = prepare(name, "simulationType laminar; laminar { laminarModel"
                   " Stokes; }", transport, functions="")
    mustRun("lbmGpuFoam", case)
    check(f"{name}IsAccepted", (case / "2/U").read_bytes()
          == (plain / "2/U").read_bytes(), "U differs")

# What is refused

for name, file, text, wanted in (
    ("viscoelastic", "turbulenceProperties", LAMINAR
     + "laminar { laminarModel Maxwell; MaxwellCoeffs { nuM 1; lambda 5; } }",
     ["laminarModel Maxwell", "possible: Stokes"]),
    ("MRF", "MRFProperties", "zone { active true; cellZone z; omega 1; }",
     ["zone", "MRF", "active"]),
    ("movingMesh", "dynamicMeshDict", "dynamicFvMesh dynamicRefineFvMesh;",
     ["dynamicRefineFvMesh", "staticFvMesh"]),
):
    case = prepare("refused-" + name, LAMINAR, functions="")
    (case / "constant" / file).write_text(HEADER + text)
    status, output = run("lbmGpuFoam", case)
    message = re.sub(r"\s+", " ", output)
    missing = [w for w in ["FOAM FATAL IO ERROR", f"constant/{file}", *wanted]
               if w not in message]
    check(f"{name}IsRefused", status != 0 and not missing
          and "Starting time loop" not in output,
          f"status {status}, without {missing}\n" + output[-1200:])

finish()
