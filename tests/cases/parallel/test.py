"""Runs of several processes: decomposePar, mpirun, reconstructPar give what a
serial run gives, whatever the decomposition. Populations are the same bit for
bit, and U and p of the lattice; what OpenFOAM's solvers made of them as far as
these converge.
"""

import re

from channelCase import *
from parallelCase import *

def setLBM(case, entries):
    path = case / "system/fvSolution"
    text = re.sub(r"\nLBM\s*\{.*?\n?\}\n", "\n", path.read_text(), flags=re.S)
    path.write_text(text + f"\nLBM {{ backend host; {entries} }}\n")


# Walls and a lid: everything as it is by default

case = copyCase("cavity", "cavity")
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.1, "writeInterval": 20,
                     "writePrecision": 12}.items():
    setEntry(case / "system/controlDict", entry, value)
output = compare(case, ((2, "2 1 1"), (3, "1 3 1"), (8, "random")), 3e-7)
check("balance",
      re.search(r"Processes 8, \d+ to \d+ nodes each, largest over mean 1\.\d+"
                r"\n    links: \d+ to \d+ of boundaries, \d+ to \d+ to other",
                output),
      output[:4000])

# An inlet, slip and a pressure on cuts, with a step that a cut passes through

case = channel(
    "slip", Uin="type uniformFixedValue; uniformValue table ((0 (0.05 0 0))"
    " (0.2 (0.1 0 0)));", Uout="type pressureInletOutletVelocity;"
    " value uniform (0 0 0);", LBM=f"backend host; {asTheyAre}",
    endTime=0.2, writeInterval=20, cells="32 8")
for field in ("U", "p"):
    path = case / "0" / field
    path.write_text(re.sub(r"walls \{.*?\}", "walls { type slip; }",
                           path.read_text()))
compare(case, ((2, "1 2 1"), (4, "2 2 1"), (3, "random")))

# Cyclic in two directions, driven to a mean velocity: sums feed back

case = channel("cyclic", cells="24 12",
               LBM=f"backend host; precision double; {asTheyAre}",
               endTime=0.2, writeInterval=20)
(case / "constant/fvOptions").write_text(
    HEADER.format("dictionary", "fvOptions")
    + "drive { type meanVelocityForce; selectionMode all; fields (U);"
    " Ubar (0.1 0 0); relaxation 0.9; }\n")
compare(case, ((3, "3 1 1"), (2, "1 2 1"), (4, "random")))

# A lattice laid over the mesh, curved walls, their forces; as a list

case = copyCase("cylinder2D", "cylinder")
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.1, "writeInterval": 0.1, "writePrecision": 12,
                     "writeFormat": "ascii"}.items():
    setEntry(case / "system/controlDict", entry, value)
setLBM(case, f"latticeSpacing 0.01; layout list; {asTheyAre}")
compare(case, ((2, "2 1 1"), (3, "1 3 1"), (4, "random")), forces=True)

# In three dimensions, with more populations and a finer lattice than the mesh

case = copyCase("cavity", "box")
mesh = case / "system/blockMeshDict"
mesh.write_text(mesh.read_text().replace("(20 20 1)", "(8 8 6)")
                .replace("empty", "wall").replace(" 0.1)", " 0.75)"))
for field, condition in (("U", "noSlip"), ("p", "zeroGradient")):
    path = case / "0" / field
    path.write_text(path.read_text().replace("empty", condition))
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.05, "writeInterval": 10,
                     "writePrecision": 12}.items():
    setEntry(case / "system/controlDict", entry, value)
setLBM(case, f"lattice D3Q27; refinement 2; {asTheyAre}")
compare(case, ((4, "2 1 2"), (3, "random")))

# Cells ten times as wide at one end: domains with equal numbers of nodes by
# cellWeights, and the time of their updates

case = copyCase("cavity", "graded")
mesh = case / "system/blockMeshDict"
mesh.write_text(mesh.read_text().replace("(20 20 1)", "(40 20 1)")
                .replace("simpleGrading (1 1 1)", "simpleGrading (10 1 1)"))
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.02, "writeInterval": 100}.items():
    setEntry(case / "system/controlDict", entry, value)
setLBM(case, "")
output = mustRun("lbmGpuFoam -cellWeights", case)
nodes = int(re.search(r"Nodes: (\d+) fluid", output).group(1))
weights = values(case / "0/cellWeights")
least = 0.01*nodes/800      # of cells without a node
counts = [w for w in weights if w > 1.01*least]
check("cellWeights.areNodes",
      "Writing cellWeights to 0" in output and len(weights) == 800
      and sum(counts) == nodes and all(n == int(n) for n in counts)
      and max(counts) >= 5 and max(
          [abs(w - least) for w in weights if w not in counts], default=0
      ) < 1e-6, f"{nodes} nodes, {sum(counts)} in {len(counts)} cells")


def consistent(least, most, overMean):
    """Of three processes: the mean is that of least, most and one between."""
    return (0 < least <= most < 1
            and 3*most/(least + 2*most) <= overMean*(1 + 1e-4)
            and overMean*(1 - 1e-4) <= 3*most/(2*least + most))


def balance(weighted):
    decompose(case, 3, "3 1 1")
    if weighted:
        with (case / "system/decomposeParDict").open("a") as file:
            file.write("weightField cellWeights;\n")
        mustRun("decomposePar -force", case)
    output = mustRun("mpirun -np 3 lbmGpuFoam -parallel", case,
                     environment=environment)
    times = re.findall(r"Node updates of a step: ([\d.e-]+) to ([\d.e-]+) s a"
                       r" process, largest over mean ([\d.]+)\n", output)
    check(f"cellWeights.{'weighted' if weighted else 'cells'}.times",
          len(times) == 1 and consistent(*map(float, times[0])),
          f"{times}\n{output[-2000:]}")
    check(f"cellWeights.{'weighted' if weighted else 'cells'}.warning",
          ("Load imbalance" in output) != weighted, output[:3000])
    return float(re.search(r"nodes each, largest over mean ([\d.]+)\n",
                           output).group(1))


largest = [balance(weighted) for weighted in (False, True)]
check("cellWeights.balance", largest[0] > 1.5 and largest[1] < 1.1, largest)

finish()
