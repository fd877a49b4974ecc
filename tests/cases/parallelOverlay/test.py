"""Lattices laid over a mesh on several processes: the same populations as those
of a serial run, and memory of a process that is its share of the nodes and
something proportional to the surface.
"""

import re
import sys
from pathlib import Path

from annulusMesh import cylinders
from channelCase import *
from parallelCase import *

few = dict(endTime=0.1, writeInterval=10)


def walls(case, conditions):
    """Conditions of U and p at the walls of a channel."""
    for field, condition in zip(("U", "p"), conditions):
        path = case / "0" / field
        path.write_text(re.sub(r"walls \{.*?\}", f"walls {{ {condition} }}",
                               path.read_text()))


# Cyclic patches on cuts: links lead from one process to another

case = channel("cyclic", cells="24 12", grading="1 2",
               LBM=f"backend host; latticeSpacing 0.0042;"
               f" bodyForce (0.1 0 0); {asTheyAre}", **few)
output = compare(case, ((2, "2 1 1"), (3, "3 1 1"), (4, "random")))
check("cyclic.isOverlay", "laid over the mesh" in output, output)

# A pressure, whose ghost nodes read nodes of others, and slip: far more nodes
# than cells, and far fewer

for name, spacing, cells in (("fine", 0.003, "16 6"), ("coarse", 0.011, "60 30")):
    case = channel(
        name, Uin="type uniformFixedValue; uniformValue table ((0 (0.05 0 0))"
        " (0.2 (0.1 0 0)));", Uout="type pressureInletOutletVelocity;"
        " value uniform (0 0 0);", cells=cells, grading="1.5 2",
        LBM=f"backend host; latticeSpacing {spacing}; {asTheyAre}", **few)
    walls(case, ("type slip;", "type slip;"))
    compare(case, ((2, "1 2 1"), (4, "2 2 1"), (3, "random")))

# Processes without a node, whose cells have values from nodes of others

case = channel(
    "few", Uin="type fixedValue; value uniform (0.05 0 0);", grading="1.5 2",
    LBM=f"backend host; latticeSpacing 0.055; {asTheyAre}", endTime=0.5,
    writeInterval=50)
compare(case, ((8, "8 1 1"), (6, "random")))


# Nodes on faces between processes: the symmetric mesh has some. Two patches that
# rotate alike are one wall

case = cylinders("rotor", 12, 1, 0, halves=True, endTime=0.5, writeInterval=5)
(case / "system/fvSolution").open("a").write(
    f"\nLBM {{ backend host; {asTheyAre} }}\n")
compare(case, ((4, "2 2 1"), (3, "random")))


# A box of many nodes in three dimensions: memory

def box(n):
    """A box with n nodes along each edge."""
    case = copyCase("cavity", f"box{n}")
    mesh = case / "system/blockMeshDict"
    mesh.write_text(
        mesh.read_text().replace("(20 20 1) simpleGrading (1 1 1)",
                                 "(10 10 10) simpleGrading (2 2 2)")
        .replace("empty", "wall").replace(" 0.1)", " 1)"))
    for field, condition in (("U", "noSlip"), ("p", "zeroGradient")):
        path = case / "0" / field
        path.write_text(path.read_text().replace("empty", condition))
    mustRun("blockMesh", case)
    with (case / "system/fvSolution").open("a") as f:
        f.write(f"\nLBM {{ backend host; latticeSpacing {0.1/n}; }}\n")
    return case


# Runs a command and prints the largest memory that it took
(Path.cwd() / "memoryOf.py").write_text('''
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print("Largest memory", 1024*resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(status)
''')


def memory(case, nProcs=1):
    """Largest of all processes [B] while the lattice is laid, and links."""
    command = f"{sys.executable} {Path.cwd()}/memoryOf.py lbmGpuFoam -dry-run"
    if nProcs > 1:
        command = f"mpirun -np {nProcs} {command} -parallel"
    output = mustRun(command, case, environment=environment)
    return (
        max(map(int, re.findall(r"Largest memory (\d+)", output))),
        sum(map(int, re.findall(r": (\d+) (?:wall|velocity)\n", output))),
    )


# Beside what any lattice on this mesh takes
n = 200
case = box(n)
least = box(10)
serial, nLinks = memory(case)
serial -= memory(least)[0]

for nProcs, method in ((4, "1 1 4"), (4, "2 2 1")):
    for each in case, least:
        decompose(each, nProcs, method)
    part, links = memory(case, nProcs)
    part -= memory(least, nProcs)[0]

    name = f"memory.{method.replace(' ', '')}"
    check(f"{name}.sameLinks", links == nLinks, (links, nLinks))

    # A share of all, and what each process has of the surface: links, and
    # where lines of a direction cross it
    most = 1.5*serial/nProcs + 64*nLinks
    check(f"{name}.share", part < most,
          f"{part/1e6} of {most/1e6} MB, serial {serial/1e6} MB")

finish()
