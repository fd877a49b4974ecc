"""The start from a velocity that does not fit its boundary: without divergence,
with its pressure, and so without the waves of a sudden inlet; and no change of
a start that needs none.
"""

import re
import shutil
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

#: A channel with a square body in it, of 64 x 24 cells,
#: and where that lies in the direction of y
BODY = (1, 1.4)


def vertices(body):
    return [(x, y, z) for z in (0, 0.1) for y in (0, *body, 2.4)
            for x in (0, 2, 2.4, 6.4)]


def cells(lengths):
    return [round((b - a)/0.1) for a, b in zip(lengths, lengths[1:])]


#: The sides move with the flow
MOVING = "type fixedValue; value uniform (1 0 0);"


def block(i, j, body):
    a = 4*j + i
    points = [a, a + 1, a + 5, a + 4]
    return (f"hex ({' '.join(map(str, points + [p + 16 for p in points]))})"
            f" ({cells((0, 2, 2.4, 6.4))[i]} {cells((0, *body, 2.4))[j]} 1)"
            " simpleGrading (1 1 1)")


def side(a, b):
    return f"({a} {b} {b + 16} {a + 16})"


def prepare(name, U="(0 0 0)", LBM="", shift=0, body=BODY, nu=0.02,
            **patches):
    """Flow past a body at Re = 20, from uniform velocity U"""

    case = copyCase("cavity", name)
    points = [(x + shift*y, y, z) for x, y, z in vertices(body)]
    blocks = [block(i, j, body) for i in range(3) for j in range(3)
              if (i, j) != (1, 1)]
    front = [f"({a} {a + 4} {a + 5} {a + 1})"
             for a in (4*j + i for i in range(3) for j in range(3))
             if a != 5]
    back = [re.sub(r"\d+", lambda m: str(int(m[0]) + 16), f) for f in front]
    (case / "system/blockMeshDict").write_text(
        HEADER.format("dictionary", "blockMeshDict") + f"""
scale 1;
vertices ({' '.join(f'({x} {y} {z})' for x, y, z in points)});
blocks ({' '.join(blocks)});
edges ();
boundary
(
    inlet {{ type patch; faces ({side(0, 4)} {side(4, 8)} {side(8, 12)}); }}
    outlet {{ type patch; faces ({side(3, 7)} {side(7, 11)} {side(11, 15)}); }}
    sides {{ type patch; faces ({' '.join(side(a, a + 1) for a in
                                          (0, 1, 2, 12, 13, 14))}); }}
    body {{ type wall; faces ({side(5, 6)} {side(6, 10)} {side(9, 10)}
                              {side(5, 9)}); }}
    frontAndBack {{ type empty; faces ({' '.join(front + back)}); }}
);
mergePatchPairs ();
""")
    patches = {
        "inletU": "type fixedValue; value uniform (1 0 0);",
        "outletU": "type zeroGradient;",
        "outletp": "type fixedValue; value uniform 0;", **patches}
    for field, kind, dimensions, internal, sides, wall in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", U, MOVING,
         "type noSlip;"),
        ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0", "type zeroGradient;",
         "type zeroGradient;"),
    ):
        inlet = patches.get("inlet" + field, "type zeroGradient;")
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            f"boundaryField {{ inlet {{ {inlet} }}"
            f" outlet {{ {patches['outlet' + field]} }}"
            f" sides {{ {sides} }} body {{ {wall} }}"
            f" frontAndBack {{ type empty; }} }}\n")
    setEntry(case / "constant/transportProperties", "nu", nu)
    mustRun("blockMesh", case)
    for entry, value in {
        "startFrom": "latestTime", "deltaT": 0.02, "endTime": 2,
        "writeControl": "timeStep", "writeInterval": 1, "writePrecision": 10,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    setEntry(case / "system/fvSolution", "PISO/nNonOrthogonalCorrectors", 8)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ precision double; {LBM} }}\n")
    return case


def solve(case, **entries):
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def start(output):
    return re.search(r"Consistent start.*?\n\n", output, re.S)[0]


def field(case, time, name):
    return readField(str(case / time / name)).internal


def meanPressure(case):
    return np.array([field(case, t, "p").mean() for t in times(case)[1:]])


def rms(a):
    return np.sqrt((a**2).mean())


def compare(case, reference):
    """Largest difference of the mean pressure but in the first step, and the
    root mean square difference of U in the first and the tenth"""

    p = meanPressure(case)
    p -= meanPressure(reference)[:len(p)]
    return [abs(p[1:]).max(), *(
        rms(field(case, t, "U") - field(reference, t, "U"))
        for t in ("0.02", "0.2"))]


# From rest, and from the velocity of the inlet everywhere, with and without;
# on a mesh that conforms and on a lattice laid over a sheared one. In icoFoam
# the pressure of the first step is that of the sudden start

REST, BLOWN = "(0 0 0)", "(1 0 0)"

# Measured:                       with                   without
#   conforming, from rest          0.266, 0.028, 0.018   10.5, 0.57, 0.44
#               from the inlet's U 0.266, 0.028, 0.018    9.2, 0.06, 0.25
#   overlay, from rest              1.26, 0.140, 0.018   10.2, 0.56, 0.44
#               from the inlet's U  1.32, 0.151, 0.045    7.8, 0.16, 0.24
# On the sheared mesh most of it is icoFoam's: its first steps have a velocity
# normal to the walls of up to 0.3 m/s next to the inlet and the outlet.
for mesh, shift, limits, options in (
    ("conforming", 0, (0.28, 0.031, 0.02), ""),
    ("overlay", 0.3, (1.4, 0.16, 0.05), "latticeSpacing 0.1;"),
):
    reference = prepare(f"{mesh}.icoFoam", shift=shift)
    mustRun("icoFoam", reference)
    for U in (REST, BLOWN):
        for projection in ("auto", "no"):
            name = f"{mesh}.{'rest' if U == REST else 'blown'}.{projection}"
            case = prepare(name, U, shift=shift, LBM=options
                           + f"initialProjection {projection};"
                           " writtenFields lattice;")
            before = (case / "0/U").read_bytes()
            output = solve(case)
            found = compare(case, reference)
            freed = "U freed of its divergence" in start(output)
            if projection == "auto":
                check(name, freed and all(
                    a < b for a, b in zip(found, limits)),
                    f"{start(output)}{found}, limits {limits}")
                check(f"{name}.files", before == (case / "0/U").read_bytes(),
                      "0/U has changed")
            else:
                check(name, not freed and found[0] > 7,
                      f"{start(output)}{found}: nothing to cure")

# The same field as that of OpenFOAM's potential flow solver

case = prepare("potential", LBM="latticeTimeStep 1e-4;")
solve(case, deltaT=1e-4, endTime=1e-4)
shutil.copytree(case, "potentialFoam")
potential = Path("potentialFoam")
(potential / "system/fvSolution").open("a").write(
    "solvers { Phi { solver PCG; preconditioner DIC; tolerance 1e-10;"
    " relTol 0; } }\n"
    "potentialFlow { nNonOrthogonalCorrectors 0; }\n")
setEntry(potential / "system/controlDict", "startFrom", "startTime")
mustRun("potentialFoam", potential)
difference = rms(field(case, "0.0001", "U") - field(potential, "0", "U"))
# Measured: 0.0194, after one step, next to the walls of the body
check("potentialFoam", difference < 0.021, f"{difference} m/s")

# On nodes that are finer than the mesh, with walls half-way and at distances,
# against potentialFoam on cells as fine


def refined(case, n):
    """The mesh of a case with n x n cells in each of its own"""

    path = case / "system/blockMeshDict"
    path.write_text(re.sub(
        r"\((\d+) (\d+) 1\) simpleGrading",
        lambda m: f"({n*int(m[1])} {n*int(m[2])} 1) simpleGrading",
        path.read_text()))
    mustRun("blockMesh", case)


potential = prepare("finePotential")
refined(potential, 4)
(potential / "system/fvSolution").open("a").write(
    "solvers { Phi { solver PCG; preconditioner DIC; tolerance 1e-10;"
    " relTol 0; } }\n"
    "potentialFlow { nNonOrthogonalCorrectors 0; }\n")
mustRun("potentialFoam", potential)

for mesh, spacing in (("conforming", 0.025), ("overlay", 0.027)):
    case = prepare(f"{mesh}.nodes", LBM=f"latticeSpacing {spacing};"
                   " latticeTimeStep 2e-5; initialProjection nodes;")
    output = solve(case, deltaT=2e-5, endTime=2e-5)
    mustRun("compareFields -time 2e-05 -referenceTime 0 -mapped -fields U"
            " -reference ../finePotential -csv difference.csv", case)
    rows = (case / "difference.csv").read_text().splitlines()
    row = dict(zip(rows[0].split(","), rows[1].split(",")))
    # Measured: 0.0100 and 0.0120, most of it next to the corners of the body
    check(f"{mesh}.nodes", "and on the nodes" in output
          and float(row["relativeL2"]) < 0.013, f"{start(output)}{row}")

# and Bernoulli's pressure, away from a body that leaves half of the width

for mesh, shift, limit in (("conforming", 0, 0.08), ("overlay", 0.3, 0.12)):
    case = prepare(f"{mesh}.bernoulli", body=(0.6, 1.8), shift=shift,
                   LBM="latticeSpacing 0.1; latticeTimeStep 0.0025;")
    solve(case, deltaT=0.0025, endTime=0.0025)
    mustRun("postProcess -func writeCellCentres -time 0.0025", case)
    x, y = field(case, "0.0025", "C").T[:2]
    x = x - shift*y
    away = ((abs(x - 2.2) > 0.4) | (abs(y - 1.2) > 0.8)) & (abs(x - 3.2) < 3)
    bernoulli = (1 - (field(case, "0.0025", "U")**2).sum(axis=1))/2
    difference = rms((field(case, "0.0025", "p") - bernoulli)[away])
    # Measured: 0.077 and 0.115 of 0.27. Of the wrong sign: 0.49 and 0.47
    check(f"{mesh}.bernoulli", difference < limit,
          f"{difference} m2/s2 of {rms(bernoulli[away])}")

# Nothing fixes the pressure: what enters leaves by a fixed velocity

case = prepare("closed", outletU="type fixedValue; value uniform (1 0 0);",
               outletp="type zeroGradient;", LBM="pRefCell 17; pRefValue 3;")
output = solve(case, endTime=0.2)
closed = compare(case, Path("conforming.icoFoam"))
check("closed", "U freed of its divergence" in output and closed[2] < 0.02,
      f"{start(output)}{closed}")
check("closedReference", abs(field(case, "0.2", "p")[17] - 3) < 1e-9,
      field(case, "0.2", "p")[17])

# What needs nothing: a cavity at rest, the result of a finite-volume solver.
# The same bits with and without


def populations(case, time):
    path = case / time / "uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


for name in ("cavity", "result"):
    bits = []
    for projection in ("auto", "no", "yes"):
        if name == "cavity":
            case = copyCase("cavity", f"{name}.{projection}")
            mustRun("blockMesh", case)
            end = 0.005
        else:
            case = prepare(f"{name}.{projection}")
            shutil.copytree("conforming.icoFoam/2", case / "2")
            end = 2.02
        (case / "system/fvSolution").open("a").write(
            f"LBM {{ initialProjection {projection}; }}\n")
        output = solve(case, endTime=end, writeInterval=1)
        bits.append(populations(case, times(case)[-1]))
        freed = "U freed of its divergence" in start(output)
        check(f"{name}.{projection}",
              freed == (name == "result" and projection == "yes"),
              start(output))
    check(f"{name}.sameBits", bits[0] == bits[1], "auto and no differ")

finish()
