"""OpenFOAM's transport and turbulence models give the lattice its viscosity:
power-law fluids in a channel against the exact profile, k-epsilon with wall
functions against OpenFOAM's own solver, a Newtonian fluid written as another
one, a restart.
"""

import re
import shutil
import sys
from pathlib import Path

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

H, g, nodes = 0.1, 8, 16

HEADER = "FoamFile { version 2.0; format ascii; class %s; object %s; }\n"


def prepare(name, transport, across=nodes, **entries):
    """The tutorial poiseuille with another fluid, so many cells across, and a
    quarter of its length, along which nothing changes."""
    case = copyCase("poiseuille", name)
    mesh = case / "system/blockMeshDict"
    text = re.sub(r"\(1 ([01]) (0|0\.1)\)", r"(0.25 \1 \2)", mesh.read_text())
    mesh.write_text(text.replace("(16 16 1)", f"({across//4} {across} 1)"))
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 3, "writeInterval": 3, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "constant/transportProperties").write_text(
        HEADER % ("dictionary", "transportProperties") + transport)
    return case


def powerLaw(k, n):
    return (f"transportModel powerLaw; powerLawCoeffs {{ nuMax 0.2;"
            f" nuMin 1e-4; k {k}; n {n}; }}")


# |du/dy|^n = g |y|/k, y from the middle of the channel. The rate of strain is
# that of the cells, as in a finite-volume solver: of second order
def exact(y, k, n):
    p = 1 + 1/n
    return (g/k)**(1/n)/p*((H/2)**p - np.abs(y)**p)


for n, k in (0.5, 0.06), (1.5, 0.0016):
    # What thickens takes small steps, and is as near on half of the cells
    meshes = nodes, 2*nodes
    if n > 1 and not ifLong(f"powerLaw{n}-{2*nodes}"):
        meshes = nodes//2, nodes
    errors = []
    for across in meshes:
        case = prepare(f"powerLaw{n}-{across}", powerLaw(k, n), across)
        output = mustRun("lbmGpuFoam", case)
        U = readField(str(case / "3/U")).internal[:, 0]
        mustRun("postProcess -func writeCellCentres -latestTime", case)
        y = readField(str(case / "3/Cy")).internal - H/2
        wanted = exact(y, k, n)
        errors.append(np.sqrt(np.sum((U - wanted)**2)/np.sum(wanted**2)))
    check(f"powerLaw{n}IsNamed", "m2/s of powerLaw" in output, output[:4000])
    order = np.log2(errors[0]/errors[1])
    print(f"power law, n = {n}: errors {errors[0]:.2e} with {meshes[0]} cells"
          f" across, {errors[1]:.2e} with {meshes[1]}, order {order:.2f}")
    check(f"powerLaw{n}", errors[1] < 0.01, f"errors {errors}")
    check(f"powerLaw{n}Order", order > 1.6, f"errors {errors}")

# A power law of exponent 1 is a Newtonian fluid, in other words
newtonian = prepare("newtonian", "transportModel Newtonian; nu 0.01;")
mustRun("lbmGpuFoam", newtonian)
linear = prepare("linear", powerLaw(0.01, 1))
mustRun("lbmGpuFoam", linear)
a = readField(str(newtonian / "3/U")).internal
b = readField(str(linear / "3/U")).internal
check("equalViscositiesAreOne", np.abs(a - b).max() < 1e-10,
      f"differ by {np.abs(a - b).max():.3g} m/s")

# Restarted in the middle, with the digits that were written
half = prepare("restarted", powerLaw(0.06, 0.5), endTime=1.5, writeInterval=1.5)
mustRun("lbmGpuFoam", half)
for entry, value in {"endTime": 3, "startFrom": "latestTime"}.items():
    setEntry(half / "system/controlDict", entry, value)
output = mustRun("lbmGpuFoam", half)
check("restarts", "Restarting from the populations of time 1.5" in output,
      output[:6000])
a = readField(str(half / "3/U")).internal
b = readField("powerLaw0.5-16/3/U").internal
check("restartGoesOn", np.abs(a - b).max() < 1e-6*np.abs(b).max(),
      f"differ by {np.abs(a - b).max():.3g} m/s")


# k-epsilon channel, half height 1 m, Re 50000, y+ about 100 in the first cell

def dictionary(case, path, text, kind="dictionary"):
    file = case / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEADER % (kind, file.name) + text)


def field(case, name, kind, dimensions, value, wall):
    dictionary(case, f"0/{name}", f"""
dimensions {dimensions};
internalField uniform {value};
boundaryField
{{
    walls {{ {wall} }}
    left {{ type cyclic; }}
    right {{ type cyclic; }}
    frontAndBack {{ type empty; }}
}}
""", f"vol{kind}Field")


def channel(name, application):
    case = Path(name)
    dictionary(case, "system/blockMeshDict", """
scale 1;
vertices
(
    (0 0 0) (0.4 0 0) (0.4 2 0) (0 2 0)
    (0 0 0.1) (0.4 0 0.1) (0.4 2 0.1) (0 2 0.1)
);
blocks (hex (0 1 2 3 4 5 6 7) (4 20 1) simpleGrading (1 1 1));
edges ();
boundary
(
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    left { type cyclic; neighbourPatch right; faces ((0 4 7 3)); }
    right { type cyclic; neighbourPatch left; faces ((1 2 6 5)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
""")
    field(case, "U", "Vector", "[0 1 -1 0 0 0 0]", "(1 0 0)", "type noSlip;")
    field(case, "p", "Scalar", "[0 2 -2 0 0 0 0]", 0, "type zeroGradient;")
    field(case, "k", "Scalar", "[0 2 -2 0 0 0 0]", 0.01,
          "type kqRWallFunction; value uniform 0.01;")
    field(case, "epsilon", "Scalar", "[0 2 -3 0 0 0 0]", 0.002,
          "type epsilonWallFunction; value uniform 0.002;")
    field(case, "nut", "Scalar", "[0 2 -1 0 0 0 0]", 0,
          "type nutkWallFunction; value uniform 0;")
    dictionary(case, "constant/transportProperties",
               "transportModel Newtonian; nu 2e-5;")
    dictionary(case, "constant/turbulenceProperties",
               "simulationType RAS; RAS { RASModel kEpsilon; turbulence on; }")
    dictionary(case, "constant/fvOptions", """
drive
{
    type meanVelocityForce;
    selectionMode all;
    fields (U);
    Ubar (1 0 0);
}
""")
    dictionary(case, "system/controlDict", f"""
application {application};
startTime 0;
endTime 150;
deltaT 0.05;
writeControl runTime;
writeInterval 150;
writePrecision 10;
""")
    dictionary(case, "system/fvSchemes", """
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default Gauss linear;
    div(phi,k) Gauss upwind;
    div(phi,epsilon) Gauss upwind;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
""")
    dictionary(case, "system/fvSolution", """
solvers
{
    "p.*" { solver PCG; preconditioner DIC; tolerance 1e-9; relTol 0; }
    "(U|k|epsilon).*"
    {
        solver smoothSolver;
        smoother symGaussSeidel;
        tolerance 1e-10;
        relTol 0;
    }
}
PIMPLE { nCorrectors 2; pRefCell 0; pRefValue 0; }
""")
    mustRun("blockMesh", case)
    output = mustRun(application, case)
    gradient = float(re.findall(r"pressure gradient = (\S+)", output)[-1])
    return case, gradient, output


own, gradient, output = channel("channel", "lbmGpuFoam")
other, expected, _ = channel("channel-pimpleFoam", "pimpleFoam")
check("wallsCarryStress", "wallStress" in output, output[:4000])
u, v = np.sqrt(gradient), np.sqrt(expected)
print(f"friction velocity {u:.5f} m/s, of pimpleFoam {v:.5f} m/s")
check("frictionVelocity", abs(u/v - 1) < 0.03, f"{u} against {v}")
for name, tolerance in ("U", 0.02), ("nut", 0.05), ("k", 0.08), \
        ("epsilon", 0.08):
    a = readField(str(own / f"150/{name}")).internal
    b = readField(str(other / f"150/{name}")).internal
    error = np.sqrt(np.sum((a - b)**2)/np.sum(b**2))
    print(f"{name}: {error:.2e} from pimpleFoam")
    check(f"{name}OfChannel", error < tolerance, f"{error:.3g}")


# A stress that is no viscosity times a rate of strain
case = Path("nonlinear")
shutil.copytree(own, case)
file = case / "constant/turbulenceProperties"
file.write_text(file.read_text().replace("kEpsilon", "ShihQuadraticKE"))
status, output = run("lbmGpuFoam", case)
message = re.sub(r"\s+", " ", output)
check("nonlinearModelIsRefused", status != 0 and "FOAM FATAL IO ERROR" in message
      and "ShihQuadraticKE" in message and "kOmegaSST" in message
      and "Starting time loop" not in output, output[-1500:])

finish()
