"""Moments of inner nodes in place of populations: the same flow, forces and
restarts, and a word where they are not possible.
"""

import re
import shutil

from caseTest import *
from parallelCase import difference

FILE = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"


def write(case, name, kind, text):
    path = case / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILE.format(kind, path.name) + text)


def step(name, LBM, speed="constant (1 0 0)", endTime=2, functions=""):
    """A step in a duct: an inlet, an outlet, walls and a side of slip."""
    case = Path(name)
    shutil.rmtree(case, ignore_errors=True)
    write(case, "system/blockMeshDict", "dictionary", """
    scale 1;
    vertices
    (
        (0 1 0) (1 1 0) (3 1 0) (0 2 0) (1 2 0) (3 2 0) (1 0 0) (3 0 0)
        (0 1 1) (1 1 1) (3 1 1) (0 2 1) (1 2 1) (3 2 1) (1 0 1) (3 0 1)
    );
    blocks
    (
        hex (0 1 4 3 8 9 12 11) (5 5 5) simpleGrading (1 1 1)
        hex (1 2 5 4 9 10 13 12) (10 5 5) simpleGrading (1 1 1)
        hex (6 7 2 1 14 15 10 9) (10 5 5) simpleGrading (1 1 1)
    );
    edges ();
    boundary
    (
        inlet { type patch; faces ((0 3 11 8)); }
        outlet { type patch; faces ((2 5 13 10) (7 2 10 15)); }
        side { type patch; faces ((8 9 12 11) (9 10 13 12) (14 15 10 9)); }
        walls
        {
            type wall;
            faces
            (
                (3 4 12 11) (4 5 13 12) (0 1 9 8) (1 6 14 9) (6 7 15 14)
                (0 1 4 3) (1 2 5 4) (6 7 2 1)
            );
        }
    );
    """)
    write(case, "system/controlDict", "dictionary", f"""
    application lbmGpuFoam;
    startFrom latestTime; startTime 0; stopAt endTime; endTime {endTime};
    deltaT 0.1; writeControl runTime; writeInterval 1;
    writeFormat ascii; writePrecision 12; timeFormat general; timePrecision 6;
    functions
    {{
        forces
        {{
            type latticeForces; libs ("liblatticeForces.so");
            patches (walls); rhoInf 1; CofR (0 0 0);
        }}
        {functions}
    }}
    """)
    write(case, "system/fvSchemes", "dictionary", """
    ddtSchemes { default Euler; }
    gradSchemes { default Gauss linear; }
    divSchemes { default none; div(phi,U) Gauss linear; }
    laplacianSchemes { default Gauss linear orthogonal; }
    interpolationSchemes { default linear; }
    snGradSchemes { default orthogonal; }
    """)
    write(case, "system/fvSolution", "dictionary", f"""
    solvers
    {{
        p {{ solver PCG; preconditioner DIC; tolerance 1e-10; relTol 0; }}
        pFinal {{ $p; }}
        U {{ solver smoothSolver; smoother symGaussSeidel; tolerance 1e-10;
            relTol 0; }}
    }}
    PISO {{ nCorrectors 2; nNonOrthogonalCorrectors 0; }}
    LBM {{ refinement 2; collision recursiveRegularised; {LBM} }}
    """)
    write(case, "constant/transportProperties", "dictionary",
          "nu [0 2 -1 0 0 0 0] 0.005;\n")
    write(case, "0/U", "volVectorField", f"""
    dimensions [0 1 -1 0 0 0 0];
    internalField uniform (0 0 0);
    boundaryField
    {{
        inlet {{ type uniformFixedValue; uniformValue {speed};
            value uniform (0 0 0); }}
        outlet {{ type inletOutlet; inletValue uniform (0 0 0);
            value uniform (0 0 0); }}
        side {{ type slip; }}
        walls {{ type noSlip; }}
    }}
    """)
    write(case, "0/p", "volScalarField", """
    dimensions [0 2 -2 0 0 0 0];
    internalField uniform 0;
    boundaryField
    {
        "(inlet|walls)" { type zeroGradient; }
        outlet { type fixedValue; value uniform 0; }
        side { type slip; }
    }
    """)
    mustRun("blockMesh", case)
    return case


def forces(case):
    text = next((case / "postProcessing").rglob("force*.dat")).read_text()
    return [float(x) for line in text.splitlines() if not line.startswith("#")
            for x in re.findall(r"[-+]?\d[-+\d.eE]*", line)]


def compare(name, a, b, time, tolerance):
    """Fields and forces; measured: 3e-13 in double, 5e-6 in single precision"""
    for field in ("U", "p", "phi"):
        d = difference(a / time / field, b / time / field)
        check(f"{name}.{field}", d <= tolerance, d)
    one, other = forces(a), forces(b)
    largest = max(map(abs, one))
    d = max(abs(x - y) for x, y in zip(one, other))/largest
    check(f"{name}.forces", len(one) == len(other) and d <= tolerance, d)


# The same flow; the largest difference is that of rounding

for precision, tolerance in (("double", 1e-11), ("single", 3e-5)):
    cases = {}
    for storage in ("populations", "moments"):
        case = step(f"{storage}.{precision}",
                    f"precision {precision}; storage {storage};")
        output = mustRun("lbmGpuFoam", case)
        check(f"said.{precision}.{storage}",
              f"Storage {storage}\n    as given" in output, output[:4000])
        cases[storage] = case
    compare(f"flow.{precision}", *cases.values(), "2", tolerance)

# Stopped and continued: the same bits

whole = Path("moments.double")
halves = step("halves", "precision double; storage moments;", endTime=1)
mustRun("lbmGpuFoam", halves)
setEntry(halves / "system/controlDict", "endTime", 2)
output = mustRun("lbmGpuFoam", halves)
check("restart.said", "Restarting from the populations of time 1" in output,
      output[:4000])
different = [
    name for name in ("U", "p", "phi", "uniform/latticePopulations")
    if (whole / "2" / name).read_bytes() != (halves / "2" / name).read_bytes()
]
check("restart.sameBits", not different, different)

# Continued with the other storage: what is not in moments does not matter

for storage, other in (("populations", "moments"), ("moments", "populations")):
    case = Path(f"{storage}To{other}")
    shutil.rmtree(case, ignore_errors=True)
    shutil.copytree(f"{storage}.double", case)
    shutil.rmtree(case / "2")
    shutil.rmtree(case / "postProcessing")
    setEntry(case / "system/fvSolution", "LBM/storage", other)
    output = mustRun("lbmGpuFoam", case)
    check(f"{case}.said", "Restarting from the populations of time 1" in output,
          output[:4000])
    for field in ("U", "p"):
        d = difference(case / "2" / field, whole / "2" / field)
        check(f"{case}.{field}", d <= 1e-11, d)

# A flow that grows changes its step; values change in time

cases = []
for storage in ("populations", "moments"):
    case = step(f"growing.{storage}",
                f"precision double; referenceVelocity 0.4; storage {storage};",
                speed="table ((0 (0.4 0 0)) (1 (1 0 0)) (2 (2 0 0)))")
    output = mustRun("lbmGpuFoam", case)
    check(f"growing.{storage}.changes",
          re.search(r"^Lattice step \S+ s, ", output, re.M), output[-3000:])
    cases.append((case, output))
check("growing.sameSteps",
      re.findall(r"Lattice: \d+ steps", cases[0][1])
      == re.findall(r"Lattice: \d+ steps", cases[1][1]))
compare("growing", cases[0][0], cases[1][0], "2", 1e-10)

# By itself: populations on the host, and where moments are not enough

case = step("auto", "")
output = mustRun("lbmGpuFoam -dry-run", case)
onDevice = "Backend cuda" in output
check("auto.host", onDevice or
      "Storage populations\n    the host is faster with them" in output,
      output[:4000])

for name, entries, why in (
    ("TRT", "collision TRT; storage moments;", "the collision is TRT"),
    ("half", "precision half; storage moments;", "the precision is half"),
    ("D3Q27", "lattice D3Q27; storage moments;", "the lattice is D3Q27"),
    ("unknown", "storage numbers;", "Unknown storage numbers"),
):
    case = step(f"refused.{name}", entries)
    status, output = run("lbmGpuFoam", case)
    check(f"refused.{name}",
          status != 0 and "FOAM FATAL IO ERROR" in output and why in output,
          output[-2000:])

case = step("refused.view", "storage moments;", functions="""
        view { type liveView; libs ("liblatticeLiveView.so"); }""")
status, output = run("lbmGpuFoam", case)
check("refused.view", status != 0 and "live view" in output, output[-2000:])

case = step("refused.option", "storage moments;")
status, output = run("lbmGpuFoam -view", case)
check("refused.option", status != 0 and "live view" in output, output[-2000:])

case = step("refused.obstacle", "storage moments;")
write(case, "0/uniform/latticeObstacle", "latticeObstacle", "")
status, output = run("lbmGpuFoam", case)
check("refused.obstacle", status != 0 and "an obstacle has been drawn" in output,
      output[-2000:])

finish()
