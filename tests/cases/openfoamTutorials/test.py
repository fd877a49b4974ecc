"""OpenFOAM's tutorials with nothing but the application changed: some that run,
against their own solver; all that are refused, with the reason that belongs to
each. tests/bench/openfoamTutorials runs all and writes
doc/benchmarks/openfoamTutorials.md.
"""

import os
import re
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from caseTest import *

if not (Path(os.environ.get("FOAM_TUTORIALS", ""))/"incompressible").is_dir():
    skipped("tutorials", f"none in FOAM_TUTORIALS,"
            f" '{os.environ.get('FOAM_TUTORIALS', '')}'")
    finish()

bench = top/"tests/bench/openfoamTutorials"
sys.path.insert(0, str(bench))
loader = SourceFileLoader("compareTutorials", str(bench/"compareTutorials"))
compareTutorials = module_from_spec(spec_from_loader(loader.name, loader))
loader.exec_module(compareTutorials)

from tutorialCases import TUTORIALS, otherTutorials

results = Path("results").resolve()
results.mkdir(exist_ok=True)


def label(name):
    return re.sub(r"\W+", ".", name)


def difference(tutorial, n=1):
    """Relative L2 norms of U and p against the tutorial's own solver"""

    mine = compareTutorials.runOnce(
        tutorial, "lbmGpuFoam", results, lattice=True)
    if not mine.ended():
        return f"did not end: {mine.message() or mine.log[-300:]}"
    other = compareTutorials.runOnce(tutorial, tutorial.solver, results, n)
    if not other.ended():
        return f"{tutorial.solver}: {other.log[-300:]}"
    return compareTutorials.compare(
        mine.case, other.case, results, tutorial, n > 1)


#: What takes longest
LONG = ("nonNewtonianIcoFoam/offsetCylinder",)

# Those that run

for name, n, limits in (
    # On the same mesh. Measured:
    #   U      p
    #   0.0650 0.0567
    ("icoFoam/cavity/cavity", 1, {"U": 0.067, "p": 0.059}),
    #   0.0702 0.0531
    ("icoFoam/cavity/cavityClipped", 1, {"U": 0.072, "p": 0.055}),
    #   0.0466 0.208, in the corners of the lid: two nodes in an edge of a cell
    ("icoFoam/cavity/cavityGrade", 1, {"U": 0.048, "p": 0.22}),
    # On a mesh twice as fine in both directions: 0.0167
    ("icoFoam/cavity/cavityGrade", 2, {"U": 0.018}),
    # p is zero. 0.00219
    ("pimpleFoam/laminar/planarPoiseuille, Stokes", 1, {"U": 0.0024}),
    #   0.0324 0.236, by the corners of the inlet
    ("mesh/snappyHexMesh/addLayersToFaceZone", 1, {"U": 0.034, "p": 0.25}),
    #   0.252: it must not diverge
    ("icoFoam/elbow", 1, {"U": 0.26}),
    #   0.0444 0.0156, most of it that of the finite volumes on this mesh
    ("nonNewtonianIcoFoam/offsetCylinder", 1, {"U": 0.05, "p": 0.02}),
    #   0.144  0.307, likewise: limitedLinearV against no limiter
    ("pisoFoam/RAS/cavity", 1, {"U": 0.16, "p": 0.34}),
):
    if name in LONG and not ifLong(label(name)):
        continue
    tutorial = [t for t in TUTORIALS if t.name == name and not t.lattice][0]
    found = difference(tutorial, n)
    check(label(name) + (f".finer{n}" if n > 1 else ""),
          isinstance(found, dict) and all(
              found.get(field, 9) < limits[field] for field in limits),
          f"{found}, limits {limits}")

# Those that would run for long

for tutorial in TUTORIALS:
    if tutorial.dryRun:
        problems = []
        compareTutorials.acceptedRow(tutorial, results, problems)
        check(label(tutorial.name) + ".accepted", not problems,
              "\n".join(problems))

# Wall cells a hundred times thinner than the lattice, and a velocity at the
# start that does not follow the bend

if ifLong("sbend.starts"):
    bend = results/compareTutorials.identifier(
        "adjointOptimisationFoam/.../sbend/laminar")
    for entry, value in {"deltaT": 0.1, "endTime": 0.1}.items():
        setEntry(bend/"system/controlDict", entry, value)
    output = run("lbmGpuFoam", bend)[1]
    check("sbend.starts", "\nEnd" in output, output[-500:])

# Those that do not

for tutorial in TUTORIALS:
    if tutorial.refusal is not None:
        problems = []
        compareTutorials.refusedRow(tutorial, results, problems)
        check(label(tutorial.name), not problems, "\n".join(problems))

others = otherTutorials()
nOthers = sum(map(len, others.values()))
check("foundOthers", nOthers >= 60, f"{nOthers} tutorials: {others}")

for solver, folders in sorted(others.items()):
    problems = []
    compareTutorials.otherRows(solver, folders, results, problems)
    check(f"others.{solver}", not problems, "\n".join(problems))

finish()
