"""latticeForces and latticeForceCoeffs: exact where momentum exchange is, equal
to forces on a finer and finer mesh, in files that look like those of forces,
without reading the fields; bad entries stop.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def addFunctions(case, functions):
    (case / "system/controlDict").open("a").write(
        "\nDebugSwitches { latticeFields 1; }\n"
        f"\nfunctions\n{{\n{functions}\n}}\n")


def table(case, name, file):
    """Numbers of a file of a functionObject, brackets taken out."""
    path = next((case / "postProcessing" / name).glob(f"*/{file}.dat"))
    rows = [[float(x) for x in re.sub(r"[()]", " ", line).split()]
            for line in path.read_text().splitlines()
            if not line.startswith("#")]
    return np.array(rows)


def last(case, name, file="force"):
    """total, pressure and viscous vector of the last line"""
    return table(case, name, file)[-1, 1:].reshape(3, 3)


def readings(output):
    return [float(t) for t in
            re.findall(r"^Reading the lattice at time (\S+),", output, re.M)]


def functionObject(name, type="latticeForces", **entries):
    lib = "latticeForces" if type.startswith("lattice") else "forces"
    entries = {"patches": "(walls)", "rho": "rhoInf", "rhoInf": "1.2",
               "CofR": "(0 0 0)", "writePrecision": "12", **entries}
    text = "".join(f" {k} {v};" for k, v in entries.items() if v)
    return f"{name} {{ type {type}; libs ({lib}); {text} }}\n"


# Poiseuille: what drives the flow is what the walls bear

case = copyCase("poiseuille", "driven")
mustRun("blockMesh", case)
addFunctions(case, functionObject("onWalls"))
output = mustRun("lbmGpuFoam", case)

expected = 1.2*8*0.1*0.1*0.01
force = last(case, "onWalls")
print("Poiseuille", force, expected)
check("poiseuille", np.allclose(force[0], [expected, 0, 0],
                                rtol=1e-11, atol=1e-11*expected),
      f"{force[0]}, expected {expected}")
check("poiseuilleViscous", np.allclose(force[2], force[0], rtol=1e-9,
                                       atol=1e-9*expected), force)

found = readings(output)
check("fieldsAreReadForWritesOnly", found == [0.5*i for i in range(1, 7)],
      found)

# While the flow starts, the force is what does not accelerate it:
# mean velocity U(t) from the fields written

case = copyCase("poiseuille", "startUp")
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.2, "writeControl": "timeStep",
                     "writeInterval": 1}.items():
    setEntry(case / "system/controlDict", entry, value)
addFunctions(case, functionObject("onWalls"))
mustRun("lbmGpuFoam", case)

names = times(case)
t = np.array([float(name) for name in names[1:]])
U = np.array([readField(str(case / name / "U")).internal[:, 0].mean()
              for name in names[1:]])
found = table(case, "onWalls", "force")[:, 1]
mass = 1.2*0.1*0.1*0.01
rate = np.gradient(U, t)[2:-2]
balance = (mass*8 - found[2:-2] - mass*rate)/(mass*8)
print("start-up", balance)
check("balanceWhileStarting", abs(balance).max() < 1e-3, balance)

# Couette, in each of the three planes: the walls pull at each other. H = 0.2,
# the box 0.2 x 0.2 x 0.01 from (0.3 0.1 0.7), turned

nu, speed = 0.05, 1.5


def couette(name, turn, refinement=1):
    """Flow along axis turn, empty direction turn + 2."""

    def turned(v):
        return np.roll(v, turn)

    def text(v):
        return "(" + " ".join(f"{x:.12g}" for x in turned(v)) + ")"

    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
               (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    vertices = [text((0.3 + 0.2*i, 0.1 + 0.2*j, 0.7 + 0.01*k))
                for i, j, k in corners]
    # hex wants x, y, z of the block: any three that are right-handed
    case = copyCase("poiseuille", name)
    (case / "system/blockMeshDict").write_text(f"""
FoamFile {{ version 2.0; format ascii; class dictionary; object d; }}
scale 1;
vertices ( {" ".join(vertices)} );
blocks ( hex (0 1 2 3 4 5 6 7) (16 16 1) simpleGrading (1 1 1) );
boundary
(
    left {{ type cyclic; neighbourPatch right; faces ((0 4 7 3)); }}
    right {{ type cyclic; neighbourPatch left; faces ((2 6 5 1)); }}
    lower {{ type wall; faces ((1 5 4 0)); }}
    upper {{ type wall; inGroups (moving); faces ((3 7 6 2)); }}
    frontAndBack {{ type empty; faces ((0 3 2 1) (4 5 6 7)); }}
);
""")
    for field, lower, upper in (
        ("U", "noSlip",
         f"fixedValue; value uniform {text((speed, 0, 0))}"),
        ("p", "zeroGradient", "zeroGradient"),
    ):
        zero = "(0 0 0)" if field == "U" else "0"
        kind = "Vector" if field == "U" else "Scalar"
        dimensions = "[0 1 -1 0 0 0 0]" if field == "U" else \
            "[0 2 -2 0 0 0 0]"
        (case / "0" / field).write_text(f"""
FoamFile {{ version 2.0; format ascii; class vol{kind}Field; object {field}; }}
dimensions {dimensions};
internalField uniform {zero};
boundaryField
{{
    "left|right" {{ type cyclic; }}
    lower {{ type {lower}; }}
    upper {{ type {upper}; }}
    frontAndBack {{ type empty; }}
}}
""")
    (case / "constant/transportProperties").write_text(f"""
FoamFile {{ version 2.0; format ascii; class dictionary; object d; }}
nu {nu};
""")
    (case / "system/fvSolution").write_text(f"""
FoamFile {{ version 2.0; format ascii; class dictionary; object d; }}
PISO {{ pRefCell 0; pRefValue 2.5; }}
LBM {{ precision double; refinement {refinement}; }}
""")
    for entry, value in {"endTime": 3, "writeControl": "none"}.items():
        setEntry(case / "system/controlDict", entry, value)
    mustRun("blockMesh", case)

    about = np.array([0.11, 0.22, 0.33])
    CofR = "(" + " ".join(str(x) for x in about) + ")"
    addFunctions(
        case,
        functionObject("lower", patches="(lower)", CofR=CofR)
        # pRef in Pa: half of the pressure is taken away
        + functionObject("upper", patches="(moving)", CofR=CofR, pRef="1.5")
        + functionObject("both", patches="(\".*\")", CofR=CofR)
        + functionObject(
            "coeffs", "latticeForceCoeffs", patches="(upper)", CofR=CofR,
            dragDir=text((-1, 0, 0)), liftDir=text((0, 1, 0)),
            pitchAxis=text((0, 0, 1)), magUInf=2, lRef=0.5, Aref=0.004))
    output = mustRun("lbmGpuFoam", case)
    check(f"{name}-noReading", not readings(output), readings(output))

    spacing = 0.2/16/refinement

    # p = 2.5 m2/s2 everywhere; stress rho nu U/H; area 0.2 x 0.01
    area = 0.2*0.01
    drag = 1.2*nu*speed/0.2*area
    scale = 1.2*2.5*area
    expected = {
        "lower": ([0, -1.2*2.5*area, 0], [drag, 0, 0], [0.4, 0.1, 0.705]),
        "upper": ([0, 1.2*(2.5 - 1.25)*area, 0], [-drag, 0, 0],
                  [0.4, 0.3, 0.705]),
    }
    wrong = []
    for wall, (pressure, viscous, centre) in expected.items():
        pressure, viscous, centre = \
            turned(pressure), turned(viscous), turned(centre)
        for file, lever in (("force", None), ("moment", centre - about)):
            want = np.array([pressure + viscous, pressure, viscous])
            if lever is not None:
                # Populations take their momentum along their way, from the
                # node: the drag has the lever of the nodes
                inward = -np.sign(pressure)*spacing/2
                want[1:] = np.cross([lever, lever + inward], want[1:])
                want[0] = want[1] + want[2]
            found = last(case, wall, file)
            error = abs(found - want).max()/scale
            print(name, wall, file, error)
            if not error < 1e-12:
                wrong.append(f"{wall} {file}: {found}, expected {want}")
    check(name, not wrong, "\n".join(wrong))

    found = last(case, "both")
    check(f"{name}-balance", abs(found[0]).max() < 1e-12*scale, found)

    # Cd, Cs, Cl, CmRoll, CmPitch, CmYaw: drag along -x, lift along y
    row = table(case, "coeffs", "coefficient")[-1, 1:]
    away = turned([0, 1.5*area, 0])
    force = last(case, "upper")[0] + away
    moment = last(case, "upper", "moment")[0] \
        + np.cross(turned(expected["upper"][2]) - about, away)
    e1, e3 = turned([-1, 0, 0]), turned([0, 1, 0])
    axes = np.array([e1, np.cross(e3, e1), e3])
    C = axes @ force/(0.5*1.2*2**2*0.004)
    Cm = axes @ moment/(0.5*1.2*2**2*0.004*0.5)
    want = [*C, *Cm, C[0]/2 + Cm[0], C[0]/2 - Cm[0], C[1]/2 + Cm[2],
            C[1]/2 - Cm[2], C[2]/2 + Cm[1], C[2]/2 - Cm[1]]
    check(f"{name}-coefficients", np.allclose(row, want, rtol=0, atol=1e-11),
          f"{row}, expected {want}")


couette("couette-xy", 0)
couette("couette-yz", 1)
couette("couette-zx", 2)
couette("couette-refined", 0, refinement=2)

# Cavity under a lid that rests at its ends: towards the functionObject forces
# on the same run; and the same form of file

patches = "(movingWall)"
both = "".join(
    functionObject(kind + wall, type, patches=f"({wall})",
                   CofR="(0.05 0.05 0.005)", log="yes")
    for kind, type in (("of", "forces"), ("lattice", "latticeForces"))
    for wall in ("movingWall", "fixedWalls"))
both += "".join(
    functionObject(name, type, patches=patches, CofR="(0.05 0.05 0.005)",
                   liftDir="(0 1 0)", dragDir="(1 0 0)", pitchAxis="(0 0 1)",
                   magUInf=1, lRef=0.1, Aref=0.001)
    for name, type in (("coeffs", "forceCoeffs"),
                       ("latticeCoeffs", "latticeForceCoeffs")))
errors = []

for n in (20, 40, 80):
    case = copyCase("cavity", f"cavity{n}")
    path = case / "system/blockMeshDict"
    path.write_text(path.read_text().replace("(20 20 1)", f"({n} {n} 1)"))
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.5, "writeControl": "none"}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        "\nLBM { precision double; }\n")
    x = (np.arange(n) + 0.5)/n
    lid = 16*x**2*(1 - x)**2
    text = "\n".join(f"({u:.12g} 0 0)" for u in lid)
    setEntry(case / "0/U", "boundaryField/movingWall/value",
             f"nonuniform List<vector> {n} ( {text} )")
    addFunctions(case, both)
    output = mustRun("lbmGpuFoam", case)

    differences = []
    for wall in ("movingWall", "fixedWalls"):
        reference = last(case, "of" + wall)
        found = last(case, "lattice" + wall)
        differences.append(np.linalg.norm(found - reference, axis=1)
                           / np.linalg.norm(reference[0]))
    errors.append(np.transpose(differences))
    print("cavity", n, differences)

# mesh; total, pressure, viscous; lid, other walls. Momentum exchange takes the
# pressure of the nodes, forces that of the walls
errors = np.array(errors)
orders = np.log2(errors[:-1]/errors[1:])
print("orders", orders)
# 0.15, 0.08; 0.96, 0.09; 1.06, 0.06 %
check("cavityLikeForces", (errors[-1] < [[1.6e-3, 1e-3], [0.01, 1e-3],
                                         [0.011, 6e-4]]).all(), errors[-1])
# 0.68 from 20 to 40 cells, pressure on the other walls
check("cavityConverges", orders.min() > 0.65 and orders.mean(axis=0).min() > 0.8,
      orders)


def header(name, file):
    path = next((case / "postProcessing" / name).glob(f"*/{file}.dat"))
    return path, [line for line in path.read_text().splitlines()
                  if line.startswith("#")]


def shape(name, file):
    """The lines of a file, numbers replaced by their widths"""
    path, comments = header(name, file)
    lines = path.read_text().splitlines()[len(comments):]
    return comments, [re.sub(r"-?[\d.]+(e[+-]\d+)?", "N", line)
                      for line in lines]


different = []
for reference, found, file in (
    ("ofmovingWall", "latticemovingWall", "force"),
    ("ofmovingWall", "latticemovingWall", "moment"),
    ("coeffs", "latticeCoeffs", "coefficient"),
):
    if shape(reference, file) != shape(found, file):
        different.append(f"{file}: {shape(found, file)[0]},"
                         f" {shape(found, file)[1][:1]}")
    a, b = header(reference, file)[0], header(found, file)[0]
    if a.parent.name != b.parent.name:
        different.append(f"{b}, not {a}")
check("filesLikeForces", not different, "\n".join(different))

log = [re.sub(r"^\w+ \w+ ", "", block) for block in re.findall(
    r"^(?:f|latticeF)orces \w+movingWall write:\n(?:    .*\n)+", output,
    re.M)]
check("logLikeForces", len(log) == 2*100 and all(
    re.sub(r"[-\d.e+]+", "N", a) == re.sub(r"[-\d.e+]+", "N", b)
    for a, b in zip(log[::2], log[1::2])), log[:2])

# Results for other functionObjects
case = copyCase("cavity", "results")
mustRun("blockMesh", case)
setEntry(case / "system/controlDict", "endTime", 0.1)
addFunctions(case, functionObject("lid", patches=patches) + """
    mean
    {
        type valueAverage; libs (fieldFunctionObjects);
        functionObject lid; fields (tangentialForce); writePrecision 12;
    }
""")
mustRun("lbmGpuFoam", case)
path = next((case / "postProcessing/mean").glob("*/*.dat"))
found = [float(x) for x in
         re.sub(r"[()]", " ", path.read_text().splitlines()[-1]).split()]
want = table(case, "lid", "force")[:, 7:].mean(axis=0)
check("resultsForOthers", np.allclose(found[1:4], want, rtol=1e-5,
                                      atol=1e-15), f"{found}, {want}")

# Bad entries

case = copyCase("cavity", "bad")
mustRun("blockMesh", case)
control = (case / "system/controlDict").read_text()

for name, entries, words in (
    ("unknownPatch", {"patches": "(wing)"},
     ["wing", "Possible", "movingWall", "fixedWalls"]),
    ("emptyPatch", {"patches": "(frontAndBack)"},
     ["frontAndBack", "empty", "Possible", "movingWall"]),
    ("onlyEmptyPatches", {"patches": "(\"front.*\")"},
     ["front.*", "Possible", "movingWall"]),
    ("rho", {"patches": patches, "rho": "rho"}, ["rho", "rhoInf"]),
    ("noRhoInf", {"patches": patches, "rhoInf": None}, ["rhoInf"]),
    ("binData", {"patches": patches, "binData": "{ nBin 2; }"}, ["binData"]),
    ("writeFields", {"patches": patches, "writeFields": "yes"},
     ["writeFields"]),
    ("noCofR", {"patches": patches, "CofR": None}, ["origin"]),
    ("noMagUInf", {"patches": patches, "type": "latticeForceCoeffs",
                   "liftDir": "(0 1 0)", "dragDir": "(1 0 0)", "lRef": 1,
                   "Aref": 1}, ["magUInf"]),
):
    (case / "system/controlDict").write_text(control)
    addFunctions(case, functionObject("wrong", **entries))
    status, output = run("lbmGpuFoam", case)
    message = output[output.find("FOAM FATAL"):]
    check(f"bad-{name}", status not in (0, 134, 139)
          and "FOAM FATAL IO ERROR" in message
          and "controlDict" in message
          and all(word in message for word in words)
          and "Time = 0.005" not in output,
          f"status {status}: {message[-1500:]}")

# Without a lattice: said once, and nothing else happens

(case / "system/controlDict").write_text(control)
setEntry(case / "system/controlDict", "endTime", 0.2)
addFunctions(case, functionObject("lid", patches=patches))
mustRun("lbmGpuFoam", case)
shutil.rmtree(case / "postProcessing")
for name, command in (
    ("postProcess", "lbmGpuFoam -postProcess"),
    ("postProcessProgram", "postProcess"),
    ("icoFoam", "icoFoam"),
):
    status, output = run(command, case)
    check(f"noLattice-{name}", status == 0
          and output.count("there is no lattice") == 1
          and not (case / "postProcessing").exists(),
          f"status {status}: {output[-1500:]}")

finish()
