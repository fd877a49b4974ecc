"""Runs of several processes: decomposePar, mpirun, reconstructPar give what a
serial run gives, whatever the decomposition. Populations are the same bit for
bit, and U and p of the lattice; what OpenFOAM's solvers made of them as far as
these converge.
"""

import random
import re
import shutil

from channelCase import *

# More processes than cores, as any user, and not one core for each
environment = {
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMP_NUM_THREADS": "1",
}


def nCells(case):
    """Of the mesh, from the header of its list of owners."""
    head = (case / "constant/polyMesh/owner").read_bytes()[:2000]
    return int(re.search(rb"nCells:\s*(\d+)", head).group(1))


def decompose(case, n, method):
    """method: numbers along the axes, such as "2 2 1", or "random"."""
    randomly = method == "random"
    (case / "system/decomposeParDict").write_text(
        HEADER.format("dictionary", "decomposeParDict")
        + f"numberOfSubdomains {n};\n"
        + f"method {'manual' if randomly else 'hierarchical'};\n"
        + 'manualCoeffs { dataFile "processors"; }\n'
        + "hierarchicalCoeffs { n (%s); delta 0.001; order xyz; }\n"
        % ("1 1 1" if randomly else method)
    )
    draw = random.Random(n)
    processors = [draw.randrange(n) for _ in range(nCells(case))]
    (case / "constant/processors").write_text(
        HEADER.format("labelList", "processors")
        + f"{len(processors)}\n(\n" + "\n".join(map(str, processors)) + "\n)\n"
    )
    mustRun("decomposePar -force", case)


def populations(folder):
    data = (folder / "uniform/latticePopulations").read_bytes()
    return data.split(b"\ndata\n", 1)[1]


def values(file):
    """Of the cells or inner faces of a field in ASCII."""
    text = file.read_text()
    text = text[text.index("internalField"):]
    match = re.match(r"internalField\s+nonuniform List<\w+>\s+\d+\s*\((.*?)\)\s*;",
                     text, re.S)
    return [float(x) for x in re.findall(r"[-+\d.eE]+", match.group(1))]


def difference(a, b):
    """Largest one, over the largest value."""
    a, b = values(a), values(b)
    largest = max(map(abs, a))
    return max(abs(x - y) for x, y in zip(a, b))/largest if largest else 0


def columns(case):
    """All numbers of the files of functionObjects, by file."""
    return {
        path.relative_to(case): [
            float(x) for line in path.read_text().splitlines()
            if not line.startswith("#")
            for x in re.findall(r"[-+]?\d[-+\d.eE]*", line)
        ]
        for path in sorted((case / "postProcessing").rglob("*.dat"))
    }


def clean(case):
    for time in times(case):
        if float(time) > 0:
            shutil.rmtree(case / time)
    shutil.rmtree(case / "postProcessing", ignore_errors=True)


#: Fields as the lattice has them, without equations on the mesh
asTheyAre = "initialProjection no; writtenFields lattice; conservativeFlux no;"


def compare(case, decompositions, tolerance=1e-13, forces=False):
    """tolerance: of fields, in units of the largest value."""
    mustRun("lbmGpuFoam", case)
    serial = case.with_name(case.name + ".serial")
    shutil.copytree(case, serial)
    time = times(serial)[-1]

    for n, method in decompositions:
        clean(case)
        decompose(case, n, method)
        output = mustRun(f"mpirun -np {n} lbmGpuFoam -parallel", case,
                         environment=environment)
        mustRun("reconstructPar -newTimes", case)

        name = f"{case.name}.{n}.{method.replace(' ', '')}"
        check(f"{name}.samePopulations",
              populations(case / time) == populations(serial / time))
        found = {field: difference(serial/time/field, case/time/field)
                 for field in ("U", "p", "phi")}
        check(f"{name}.sameFields",
              all(x < tolerance for x in found.values()), found)

        theirs, ours = columns(serial), columns(case)
        if forces:
            check(f"{name}.hasForces", theirs, "no output of functionObjects")
        elif not theirs:
            continue
        off = {
            str(path): max(abs(x - y) for x, y in zip(theirs[path], ours[path]))
            / max(map(abs, theirs[path]))
            for path in theirs
            if len(theirs[path]) == len(ours.get(path, ()))
        }
        check(f"{name}.sameForces",
              len(off) == len(theirs) and all(x < 1e-9 for x in off.values()),
              off)
    return output


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
check("balance", re.search(r"Processes 8, \d+ to \d+ nodes each, largest over mean 1\.\d", output), output[:4000])

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

finish()
