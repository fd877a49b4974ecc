"""Steady cases, with simpleFoam's dictionaries: iterations, residuals in
OpenFOAM's form, the end by residualControl, restart; against simpleFoam on the
same mesh, and against the same flow in time.
"""

import re
import shutil
import sys

from channelCase import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

SCHEMES = """
ddtSchemes { default %s; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default         none;
    div(phi,U)      bounded Gauss linearUpwind grad(U);
    div(phi,k)      bounded Gauss limitedLinear 1;
    div(phi,epsilon) bounded Gauss limitedLinear 1;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
"""

SOLUTION = """
solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-9; relTol 0.05; }
    "(U|k|epsilon)"
    {
        solver smoothSolver; smoother symGaussSeidel; tolerance 1e-9;
        relTol 0.05;
    }
}
SIMPLE
{
    consistent yes;
    residualControl { p %g; U %g; "(k|epsilon)" %g; }
}
relaxationFactors { equations { U 0.9; ".*" 0.8; } }
LBM { %s }
"""

INLET = "type fixedValue; value uniform (1 0 0);"


def steady(name, LBM="", tolerance=1e-5, ddt="steadyState", **entries):
    """The channel of channelCase at Re 40, with an inlet and an outlet"""

    case = channel(name, INLET, nu=2.5e-3, **{
        "deltaT": 1, "endTime": 2000, "writeInterval": 2000, **entries})
    dictionaries(case, LBM, tolerance, ddt)
    (case / "constant/transportProperties").open("a").write(
        "transportModel Newtonian;\n")
    (case / "constant/turbulenceProperties").write_text(
        HEADER.format("dictionary", "turbulenceProperties")
        + "simulationType laminar;")
    return case


def dictionaries(case, LBM="", tolerance=1e-5, ddt="steadyState"):
    for name, text in (("fvSchemes", SCHEMES % ddt),
                       ("fvSolution", SOLUTION % (tolerance, tolerance,
                                                  tolerance, LBM))):
        (case / "system" / name).write_text(
            HEADER.format("dictionary", name) + text)


def simpleFoam(case, name):
    """The same case by simpleFoam"""

    shutil.rmtree(name, ignore_errors=True)
    shutil.copytree(case, name, ignore=shutil.ignore_patterns(
        "[1-9]*", "log.*", "postProcessing"))
    mustRun("simpleFoam", name)
    return Path(name)


def field(case, name, time=None):
    return readField(str(case / (time or times(case)[-1]) / name)).internal


def distance(a, b):
    return np.sqrt(np.sum((a - b)**2)/np.sum(b**2))


def iterations(output):
    found = re.search(r"\nSIMPLE solution converged in (\d+) iterations\n",
                      output)
    return int(found[1]) if found else None


def residuals(output, name):
    return [float(x) for x in re.findall(
        rf"\nlattice:  Solving for {name}, Initial residual = (\S+),", output)]


# A run that converges
case = steady("channel")
output = mustRun("lbmGpuFoam", case)
n = iterations(output)
print(f"Converged in {n} iterations")
check("converges", n and n < 1000, output[-1500:])
check("criteriaAreNamed", "SIMPLE: convergence criteria\n    field p\t"
      " tolerance 1e-05\n    field U\t tolerance 1e-05\n" in output,
      output[:4000])
check("lastTimeIsWritten", times(case) == ["0", str(n)], times(case))
check("timesAreIterations", re.findall(r"\nTime = (\S+)\n", output)
      == [str(i + 1) for i in range(n or 0)], output[:3000])
check("iterationIsNamed", ", 100 per iteration\n" in output, output[:4000])
check("noCourantNumber", "Courant" not in output)

# Residuals as OpenFOAM has them, for foamLog and functionObjects
last = {name: residuals(output, name)[-1] for name in ("Ux", "Uy", "p")}
check("residualsAreSmall", all(r < 1e-5 for r in last.values()), last)
before = [residuals(output, name)[-2] for name in ("Ux", "Uy", "p")]
check("noIterationTooMany", max(before) >= 1e-5, before)
check("residualLines", re.search(
    r"\nlattice:  Solving for Ux, Initial residual = (\S+), Final residual ="
    r" \1, No Iterations 100\nlattice:  Solving for Uy, .*\n"
    r"lattice:  Solving for p, .*\nExecutionTime = ", output),
    output[-1500:])
check("allHasChangedAtFirst", residuals(output, "Ux")[0] == 1
      and residuals(output, "p")[0] == 1, residuals(output, "Ux")[:3])

# Residuals are sums over the cells: of the changes of a component, over those of
# |U|, and of p over those of |p - mean| + |U|^2/2
two = steady("two", endTime=6, writeInterval=1)
setEntry(two / "system/controlDict", "writePrecision", 14)
output = mustRun("lbmGpuFoam", two)
(U, p), (Uold, pold) = ((field(two, "U", t), field(two, "p", t))
                        for t in ("6", "5"))
V = np.full(len(p), 1/len(p))
magU = np.sqrt((U**2).sum(axis=1))
expected = {
    "Ux": V @ np.abs(U - Uold)[:, 0]/(V @ magU),
    "Uy": V @ np.abs(U - Uold)[:, 1]/(V @ magU),
    "p": V @ np.abs(p - pold)/(V @ (np.abs(p - V @ p) + magU**2/2)),
}
scale = [expected[x]/residuals(output, x)[-1] for x in expected]
check("residualsAreSums", np.ptp(scale) < 1e-4*scale[0], scale)

# What a fully developed channel must have
U = field(case, "U").reshape(16, 64, 3)
y = (np.arange(16) + 0.5)/16
parabola = 6*y*(1 - y)
error = np.abs(U[:, 60, 0] - parabola).max()
print(f"Largest error of the developed profile {error:.2e} of the mean")
check("developedProfile", error < 0.01, error)

# The same by finite volumes
reference = simpleFoam(case, "channelFV")
dU = distance(field(case, "U"), field(reference, "U"))
dp = distance(field(case, "p"), field(reference, "p"))
print(f"simpleFoam: U {100*dU:.2f} %, p {100*dp:.2f} % away")
check("asSimpleFoam", dU < 0.02 and dp < 0.05, f"U {dU}, p {dp}")

# The same flow in time; the density's bits are not the same, the end is
transient = steady("transient", ddt="Euler", LBM="maxMach 0.2;",
                   deltaT=0.02, endTime=4, writeInterval=200)
output = mustRun("lbmGpuFoam", transient)
dU = distance(field(case, "U"), field(transient, "U"))
print(f"In time: U {dU:.2e} away")
check("asInTime", dU < 2e-4, dU)
check("secondsAreNamed", "in seconds: no steadyState in ddtSchemes" in output,
      output[:4000])

# An iteration of another length: the same flow, the same scale of residuals
for steps in 30, 300:
    other = steady(f"iteration{steps}", f"iterationSteps {steps};")
    output = mustRun("lbmGpuFoam", other)
    m = iterations(output)
    check(f"converges{steps}", m, output[-1500:])
    ratio = (m or 0)*steps/(100*n)
    dU = distance(field(other, "U"), field(case, "U"))
    print(f"{steps} steps: {m} iterations, {ratio:.2f} of the lattice steps,"
          f" U {dU:.2e} away")
    check(f"sameFlow{steps}", dU < 2e-4, dU)
    check(f"sameSteps{steps}", 0.7 < ratio < 1.4, ratio)

# Restarted in the middle: the same bits
whole = steady("whole", endTime=16, writeInterval=8)
mustRun("lbmGpuFoam", whole)
half = steady("half", endTime=8, writeInterval=8)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "endTime", 16)
mustRun("lbmGpuFoam", half)
check("sameBitsAfterRestart", times(half) == ["0", "8", "16"]
      and populations(half, "16") == populations(whole, "16")
      and (half / "16/U").read_bytes() == (whole / "16/U").read_bytes(),
      times(half))

# Without a criterion all iterations are made; with a loose one, few
status, output = run("lbmGpuFoam", steady("loose", tolerance=1e-2))
check("looseEndsEarlier", status == 0 and iterations(output)
      and iterations(output) < 0.7*n, iterations(output))
without = steady("without", endTime=7, writeInterval=7)
setEntry(without / "system/fvSolution", "SIMPLE", "{ consistent yes; }")
output = mustRun("lbmGpuFoam", without)
check("withoutCriteria", "no convergence criteria found. Calculations will run"
      " for 7 steps." in output and times(without) == ["0", "7"],
      output[:3000])

# A step with k-epsilon and wall functions
MESH = """
scale 0.1;
vertices
(
    (-2 0 0) (0 0 0) (0 1 0) (-2 1 0) (0 -1 0) (8 -1 0) (8 0 0) (8 1 0)
    (-2 0 1) (0 0 1) (0 1 1) (-2 1 1) (0 -1 1) (8 -1 1) (8 0 1) (8 1 1)
);
blocks
(
    hex (0 1 2 3 8 9 10 11) (20 10 1) simpleGrading (1 1 1)
    hex (4 5 6 1 12 13 14 9) (80 10 1) simpleGrading (1 1 1)
    hex (1 6 7 2 9 14 15 10) (80 10 1) simpleGrading (1 1 1)
);
edges ();
boundary
(
    inlet { type patch; faces ((0 8 11 3)); }
    outlet { type patch; faces ((5 6 14 13) (6 7 15 14)); }
    walls
    {
        type wall;
        faces ((3 2 10 11) (2 7 15 10) (0 1 9 8) (1 4 12 9) (4 5 13 12));
    }
    frontAndBack
    {
        type empty;
        faces ((0 3 2 1) (4 1 6 5) (1 2 7 6) (8 9 10 11) (12 13 14 9)
            (9 14 15 10));
    }
);
mergePatchPairs ();
"""

step = copyCase("cavity", "step")
(step / "system/blockMeshDict").write_text(
    HEADER.format("dictionary", "blockMeshDict") + MESH)
for name, kind, dimensions, value, inlet, outlet, wall in (
    ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)",
     "type fixedValue; value uniform (10 0 0);", ZERO, "type noSlip;"),
    ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0", ZERO, P0, ZERO),
    ("k", "volScalarField", "[0 2 -2 0 0 0 0]", "0.375",
     "type fixedValue; value $internalField;", ZERO,
     "type kqRWallFunction; value $internalField;"),
    ("epsilon", "volScalarField", "[0 2 -3 0 0 0 0]", "14.855",
     "type fixedValue; value $internalField;", ZERO,
     "type epsilonWallFunction; value $internalField;"),
    ("nut", "volScalarField", "[0 2 -1 0 0 0 0]", "0",
     "type calculated; value uniform 0;", "type calculated; value uniform 0;",
     "type nutkWallFunction; value uniform 0;"),
):
    (step / "0" / name).write_text(
        HEADER.format(kind, name)
        + f"dimensions {dimensions};\ninternalField uniform {value};\n"
        f"boundaryField {{ inlet {{ {inlet} }} outlet {{ {outlet} }}"
        f" walls {{ {wall} }} frontAndBack {{ type empty; }} }}\n")
setEntry(step / "constant/transportProperties", "nu", 1e-5)
(step / "constant/transportProperties").open("a").write(
    "transportModel Newtonian;\n")
(step / "constant/turbulenceProperties").write_text(
    HEADER.format("dictionary", "turbulenceProperties") + "simulationType RAS;"
    " RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }")
dictionaries(step, tolerance=1e-4)
for entry, value in {"startFrom": "latestTime", "deltaT": 1, "endTime": 2000,
                     "writeControl": "timeStep", "writeInterval": 2000,
                     "writePrecision": 12}.items():
    setEntry(step / "system/controlDict", entry, value)
(step / "system/controlDict").open("a").write("""
functions
{
    residuals
    {
        type            solverInfo;
        libs            (utilityFunctionObjects);
        fields          (U p k);
    }
}
""")
mustRun("blockMesh", step)
output = mustRun("lbmGpuFoam", step)
m = iterations(output)
check("stepConverges", m, output[-1500:])
reference = simpleFoam(step, "stepFV")
distances = {name: distance(field(step, name), field(reference, name))
             for name in ("U", "p", "k", "nut")}
print(f"Step, {m} iterations; simpleFoam "
      + ", ".join(f"{k} {100*v:.1f} %" for k, v in distances.items()))


# By finite volumes on cells half as large
shutil.copytree(step, "stepFiner", ignore=shutil.ignore_patterns(
    "[1-9]*", "log.*", "postProcessing", "polyMesh"))
(Path("stepFiner") / "system/blockMeshDict").write_text(
    HEADER.format("dictionary", "blockMeshDict")
    + MESH.replace("(20 10 1)", "(40 20 1)").replace("(80 10 1)",
                                                     "(160 20 1)"))
mustRun("blockMesh", "stepFiner")
mustRun("simpleFoam", "stepFiner")


def reattachment(case, n=1):
    """Along the lower wall, by U of the cells beside it, in heights"""

    u = field(Path(case), "U")[n*n*200:n*n*200 + n*80, 0]
    last = np.nonzero(u < 0)[0].max()
    return (last + 0.5 + u[last]/(u[last] - u[last + 1]))/(10*n)


x = reattachment(step), reattachment("stepFV"), reattachment("stepFiner", 2)
print(f"Reattachment at {x[0]:.2f} heights of the step; simpleFoam {x[1]:.2f},"
      f" on cells half as large {x[2]:.2f}")
check("stepVelocity", distances["U"] < 0.12, distances)
check("stepReattachment", abs(x[0]/x[2] - 1) < 0.05, x)

rows = [line.split() for line in
        (step / "postProcessing/residuals/0/solverInfo.dat").read_text()
        .splitlines() if not line.startswith("#")]
header = (step / "postProcessing/residuals/0/solverInfo.dat").read_text()
check("solverInfo", len(rows) >= (m or 0) - 1
      and "lattice" in rows[-1]
      and re.search(r"Ux_initial.*Uy_initial.*p_initial", header),
      header[:500])

# What is refused
for name, LBM, ddt, wanted in (
    ("zero", "iterationSteps 0;", "steadyState",
     ["iterationSteps is 0", "1 or more"]),
    ("transientSteps", "iterationSteps 50;", "Euler",
     ["iterationSteps in a transient case", "steadyState", "fvSolution"]),
):
    status, output = run("lbmGpuFoam", steady(name, LBM, ddt=ddt))
    message = re.sub(r"\s+", " ", output)
    missing = [w for w in ["FOAM FATAL IO ERROR", *wanted]
               if w not in message]
    check(f"{name}IsRefused", status != 0 and not missing
          and "Starting time loop" not in output,
          f"status {status}, without {missing}\n" + output[-1200:])

finish()
