"""Cases of buoyantBoussinesqPimpleFoam and -SimpleFoam in a box, as tests of heat use
them.
"""

import shutil
import sys
from pathlib import Path

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField, writeField

Pr, beta, TRef = 0.71, 0.1, 300

SCALAR = "volScalarField"

MESH = """
scale 1;
vertices
(
    (0 0 0) (LX 0 0) (LX LY 0) (0 LY 0)
    (0 0 0.1) (LX 0 0.1) (LX LY 0.1) (0 LY 0.1)
);
blocks (hex (0 1 2 3 4 5 6 7) (NX NY 1) simpleGrading (1 1 1));
edges ();
boundary
(
    left { type patch; faces ((0 4 7 3)); }
    right { type patch; faces ((2 6 5 1)); }
    bottom { type wall; faces ((1 5 4 0)); }
    top { type wall; faces ((3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
"""

WALL = "type noSlip;"
FLUX = "type fixedFluxPressure; rho rhok; value uniform 0;"
INSULATED = "type zeroGradient;"


def fixed(value):
    return f"type fixedValue; value uniform {value};"


def dictionary(path, text, kind="dictionary"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(kind, path.name) + text)


def prepare(name, cells=(16, 16), size=(1, 1), nu=0.01, g="(0 -10 0)", T0=TRef,
            T=None, U=None, p=None, U0="(0 0 0)", LBM="", steady=False,
            expansion=beta, fluid=None, periodic=False, **entries):
    """A box, at rest in the beginning. T, U, p: conditions by patch; insulated
    walls are not named. fluid: transportModel and its entries; periodic: from left
    to right
    """
    case = Path(name)
    shutil.rmtree(case, ignore_errors=True)
    mesh = MESH
    if periodic:
        for patch, other in ("left", "right"), ("right", "left"):
            mesh = mesh.replace(
                f"{patch} {{ type patch;",
                f"{patch} {{ type cyclic; neighbourPatch {other};")
        cyclic = {patch: "type cyclic;" for patch in ("left", "right")}
        T, U, p = ({**cyclic, **(given or {})} for given in (T, U, p))
    fluid = fluid or f"transportModel Newtonian;\nnu {nu};\n"
    for key, value in zip(("NX", "NY", "LX", "LY"), (*cells, *size)):
        mesh = mesh.replace(key, str(value))
    dictionary(case / "system/blockMeshDict", mesh)

    for field, kind, dimensions, internal, default, given in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", U0, WALL, U),
        ("p_rgh", SCALAR, "[0 2 -2 0 0 0 0]", 0, FLUX, p),
        ("T", SCALAR, "[0 0 0 1 0 0 0]", T0, INSULATED, T),
        ("alphat", SCALAR, "[0 2 -1 0 0 0 0]", 0,
         "type calculated; value uniform 0;", cyclic if periodic else None),
    ):
        conditions = {
            **{patch: default for patch in ("left", "right", "bottom", "top")},
            "frontAndBack": "type empty;", **(given or {})}
        dictionary(
            case / "0" / field,
            f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            "boundaryField\n{\n" + "".join(
                f"    {patch} {{ {text} }}\n"
                for patch, text in conditions.items()) + "}\n", kind)

    dictionary(case / "constant/g",
               f"dimensions [0 1 -2 0 0 0 0]; value {g};\n",
               "uniformDimensionedVectorField")
    dictionary(case / "constant/transportProperties",
               fluid + f"beta {expansion};\n"
               f"TRef {TRef};\nPr {Pr};\nPrt 0.85;\n")
    dictionary(case / "constant/turbulenceProperties",
               "simulationType laminar;\n")

    scheme = "steadyState" if steady else "Euler"
    bounded = "bounded " if steady else ""
    dictionary(case / "system/fvSchemes", f"""
ddtSchemes {{ default {scheme}; }}
gradSchemes {{ default Gauss linear; }}
divSchemes
{{
    default none;
    div(phi,U) {bounded}Gauss linear;
    div(phi,T) {bounded}Gauss linear;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
}}
laplacianSchemes {{ default Gauss linear orthogonal; }}
interpolationSchemes {{ default linear; }}
snGradSchemes {{ default orthogonal; }}
""")
    algorithm = "SIMPLE" if steady else "PIMPLE"
    relaxation = ("relaxationFactors { equations { U 0.5; T 0.7; } }"
                  if steady else "")
    dictionary(case / "system/fvSolution", f"""
solvers
{{
    "p_rgh.*" {{ solver PCG; preconditioner DIC; tolerance 1e-9; relTol 0; }}
    "(U|T).*"
    {{
        solver PBiCGStab;
        preconditioner DILU;
        tolerance 1e-13;
        relTol 0;
    }}
}}
{algorithm} {{ nCorrectors 2; pRefCell 0; pRefValue 5; }}
{relaxation}
LBM {{ {LBM} }}
""")
    dictionary(case / "system/controlDict", "".join(
        f"{entry} {value};\n" for entry, value in {
            "application": "lbmGpuFoam", "startFrom": "latestTime",
            "startTime": 0, "endTime": 1, "deltaT": 0.05,
            "writeControl": "timeStep", "writeInterval": 20,
            "writePrecision": 12, **entries}.items()))
    mustRun("blockMesh", case)
    return case


def read(case, name, time=None):
    return readField(str(case / (time or times(case)[-1]) / name)).internal


def rows(case, name, cells, time=None):
    """Values of a scalar, or of a component (U, 0), as rows of y"""
    component = None
    if isinstance(name, tuple):
        name, component = name
    values = read(case, name, time)
    if component is not None:
        values = values[:, component]
    if np.size(values) == 1:
        values = np.full(cells[0]*cells[1], float(np.ravel(values)[0]))
    return np.asarray(values).reshape(cells[1], cells[0])


def setT(case, values, conditions):
    writeField(str(case / "0/T"), "T", "scalar", "[0 0 0 1 0 0 0]",
               np.ravel(values), {
                   **{patch: INSULATED
                      for patch in ("left", "right", "bottom", "top")},
                   **conditions, "frontAndBack": "type empty;"})


def nusselt(case, cells, alpha, time=None):
    """Heat that crosses a cavity of 1 m heated at its sides by 1 K"""
    return np.mean(rows(case, ("U", 0), cells, time)
                   *(rows(case, "T", cells, time) - TRef))/alpha + 1


SIDES = {"left": fixed(TRef + 0.5), "right": fixed(TRef - 0.5)}


def heatFluxes(case, name="q", start="0"):
    """{patch: [min, max, integral(, Nu)]} of the last time."""
    path = case / "postProcessing" / name / start / "latticeHeatFlux.dat"
    lines = [line.split() for line in path.read_text().splitlines()
             if not line.startswith("#")]
    last = lines[-1][0]
    return {line[1]: [float(x) for x in line[2:]]
            for line in lines if line[0] == last}
