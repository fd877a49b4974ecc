"""A channel with waves in its flow, between two walls and periodic along the others,
for models of the viscosity.
"""

import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

HEADER = "FoamFile { version 2.0; format ascii; class %s; object %s; }\n"
CELLS = 16, 12, 10


def dictionary(case, path, text, kind="dictionary"):
    file = case / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEADER % (kind, file.name) + text)


def field(case, name, kind, dimensions, value, wall):
    sides = "".join(f"{side} {{ type cyclic; }} "
                    for side in ("left", "right", "front", "back"))
    dictionary(case, f"0/{name}", f"""
dimensions {dimensions};
internalField {value};
boundaryField {{ walls {{ {wall} }} {sides} }}
""", f"vol{kind}Field")


def velocity(seed):
    """A channel profile with waves of random phases, one value a cell."""
    nx, ny, nz = CELLS
    x, y, z = ((np.arange(n) + 0.5)/n for n in CELLS)
    z, y, x = np.meshgrid(z, y, x, indexing="ij")
    random = np.random.default_rng(seed)
    envelope = np.sin(np.pi*y)
    U = np.zeros((nz, ny, nx, 3))
    U[..., 0] = 6*y*(1 - y)
    for _ in range(6):
        k = random.integers(1, 4, 2)
        phase = random.uniform(0, 2*np.pi, 3)
        for a in range(3):
            U[..., a] += 0.15*envelope*np.sin(
                2*np.pi*(k[0]*x + k[1]*z) + phase[a])
    rows = "\n".join("(%.10g %.10g %.10g)" % tuple(u)
                     for u in U.reshape(-1, 3))
    return f"nonuniform List<vector> {nx*ny*nz}\n(\n{rows}\n)"


def channel(name, les="WALE", ras=None, nut="type calculated; value uniform 0;",
            transport="transportModel Newtonian; nu 1e-4;", LBM="",
            delta="cubeRootVol", turbulence={}, **entries):
    """Half height 1 m, mean velocity 1 m/s, waves in it, no walls of given
    friction unless nut is that of a wall function. les, ras: the model, either
    of them; turbulence: conditions at walls, by field, others than k 0."""
    case = Path(name)
    nx, ny, nz = CELLS
    dictionary(case, "system/blockMeshDict", f"""
scale 1;
vertices
(
    (0 0 0) ({nx/6} 0 0) ({nx/6} 2 0) (0 2 0)
    (0 0 {nz/6}) ({nx/6} 0 {nz/6}) ({nx/6} 2 {nz/6}) (0 2 {nz/6})
);
blocks (hex (0 1 2 3 4 5 6 7) ({nx} {ny} {nz}) simpleGrading (1 1 1));
boundary
(
    walls {{ type wall; faces ((0 1 5 4) (3 7 6 2)); }}
    left {{ type cyclic; neighbourPatch right; faces ((0 4 7 3)); }}
    right {{ type cyclic; neighbourPatch left; faces ((1 2 6 5)); }}
    front {{ type cyclic; neighbourPatch back; faces ((0 3 2 1)); }}
    back {{ type cyclic; neighbourPatch front; faces ((4 5 6 7)); }}
);
""")
    field(case, "U", "Vector", "[0 1 -1 0 0 0 0]", velocity(5), "type noSlip;")
    field(case, "p", "Scalar", "[0 2 -2 0 0 0 0]", "uniform 0",
          "type zeroGradient;")
    field(case, "nut", "Scalar", "[0 2 -1 0 0 0 0]", "uniform 0", nut)
    for name, dimensions, value, wall in (
        ("k", "[0 2 -2 0 0 0 0]", 0.01, "type fixedValue; value uniform 0;"),
        ("epsilon", "[0 2 -3 0 0 0 0]", 3e-4,
         "type epsilonWallFunction; value uniform 3e-4;"),
        ("omega", "[0 0 -1 0 0 0 0]", 1,
         "type omegaWallFunction; value uniform 1;"),
        ("nuTilda", "[0 2 -1 0 0 0 0]", 1e-3,
         "type fixedValue; value uniform 0;"),
    ):
        field(case, name, "Scalar", dimensions, f"uniform {value}",
              turbulence.get(name, wall))
    dictionary(case, "constant/transportProperties", transport)
    dictionary(case, "constant/turbulenceProperties",
               f"""
simulationType RAS;
RAS {{ RASModel {ras}; turbulence on; printCoeffs off; }}
""" if ras else "simulationType laminar;" if les is None else f"""
simulationType LES;
LES
{{
    LESModel {les};
    turbulence on;
    delta {delta};
    dynamicKEqnCoeffs {{ filter simple; }}
    cubeRootVolCoeffs {{ deltaCoeff 1; }}
    vanDriestCoeffs
    {{
        delta cubeRootVol;
        cubeRootVolCoeffs {{ deltaCoeff 1; }}
        Aplus 26;
        Cdelta 0.158;
    }}
}}
""")
    dictionary(case, "constant/fvOptions", """
drive
{
    type meanVelocityForce;
    selectionMode all;
    fields (U);
    Ubar (1 0 0);
}
""")
    dictionary(case, "system/controlDict", "\n".join(
        f"{entry} {value};" for entry, value in {
            "application": "lbmGpuFoam", "startFrom": "latestTime",
            "startTime": 0, "endTime": 1, "deltaT": 0.02,
            "writeControl": "runTime", "writeInterval": 1,
            "writeFormat": "binary", **entries}.items()))
    dictionary(case, "system/fvSchemes", """
ddtSchemes { default backward; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default Gauss linear;
    "div.phi,(k|epsilon|omega|nuTilda)." Gauss limitedLinear 1;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
""")
    dictionary(case, "system/fvSolution", f"""
solvers
{{
    "p.*" {{ solver PCG; preconditioner DIC; tolerance 1e-8; relTol 0; }}
    "(U|k|epsilon|omega|nuTilda).*"
    {{
        solver smoothSolver;
        smoother symGaussSeidel;
        tolerance 1e-9;
        relTol 0;
    }}
}}
PIMPLE {{ nCorrectors 2; pRefCell 0; pRefValue 0; }}
LBM {{ precision double; refinement 1; {LBM} }}
""")
    mustRun("blockMesh", case)
    return case


def distance(a, b, name, time="1"):
    """Relative L2 distance of a field of two cases."""
    x, y = (readField(str(case / time / name)).internal for case in (a, b))
    return np.sqrt(np.sum((x - y)**2)/np.sum(y**2))
