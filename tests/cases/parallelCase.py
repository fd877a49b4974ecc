"""What tests of parallel runs share: decomposing a case, comparing with a serial
run.
"""

import random
import re
import shutil

from caseTest import *

# More processes than cores, as any user, and not one core for each; what waits
# for a message leaves its core to other tests
environment = {
    "OMPI_MCA_mpi_yield_when_idle": "1",
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


def decompose(case, n, method, options="-force"):
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
    mustRun(f"decomposePar {options}", case)


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


def compare(case, decompositions, tolerance=1e-13, forces=False,
            fields=("U", "p", "phi"), bits=True):
    """Runs of several processes against a serial one; the last output.

    tolerance: of fields, in units of the largest value; bits: compare
    populations.
    """
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
        if bits:
            check(f"{name}.samePopulations",
                  populations(case / time) == populations(serial / time))
        found = {field: difference(serial/time/field, case/time/field)
                 for field in fields}
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
