"""OpenFOAM's tutorials with nothing but the application changed: some that run,
against their own solver; all that are refused, with the reason that belongs to
each. tests/bench/openfoamTutorials runs all and writes doc/tutorials.md.
"""

import os
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


# Those that run

for name, n, limits in (
    # On the same mesh. Measured:
    #   U      p
    #   0.0650 0.0567
    ("icoFoam/cavity/cavity", 1, {"U": 0.067, "p": 0.059}),
    #   0.0699 0.0526
    ("icoFoam/cavity/cavityClipped", 1, {"U": 0.072, "p": 0.055}),
    #   0.0440 0.0517
    ("icoFoam/cavity/cavityGrade", 1, {"U": 0.046, "p": 0.054}),
    # On a mesh twice as fine in both directions, where icoFoam, on the mesh of
    # the tutorial, is off by 0.03
    ("icoFoam/cavity/cavityGrade", 2, {"U": 0.02}),
    # p is zero
    ("pimpleFoam/laminar/planarPoiseuille, Stokes", 1, {"U": 0.0024}),
    ("mesh/snappyHexMesh/addLayersToFaceZone", 1, {"U": 0.02, "p": 0.02}),
):
    tutorial = [t for t in TUTORIALS if t.name == name and not t.lattice][0]
    found = difference(tutorial, n)
    check(name.replace(", ", ".").replace("/", ".")
          + (f".finer{n}" if n > 1 else ""),
          isinstance(found, dict) and all(
              found[field] < limits[field] for field in limits),
          f"{found}, limits {limits}")

# Those that do not

for tutorial in TUTORIALS:
    if tutorial.refusal is not None:
        problems = []
        compareTutorials.refusedRow(tutorial, results, problems)
        check(tutorial.name.replace(", ", ".").replace("/", "."),
              not problems, "\n".join(problems))

others = otherTutorials()
nOthers = sum(map(len, others.values()))
check("foundOthers", nOthers >= 60, f"{nOthers} tutorials: {others}")

for solver, folders in sorted(others.items()):
    problems = []
    compareTutorials.otherRows(solver, folders, results, problems)
    check(f"others.{solver}", not problems, "\n".join(problems))

finish()
