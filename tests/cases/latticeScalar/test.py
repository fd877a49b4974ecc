"""Passive scalars on the lattice, functionObject latticeScalar: against an exact
solution, and against OpenFOAM's scalarTransport on the same flow, whose limits lie
just above the measured differences: they detect change. Restart, processes, and
input that is refused.
"""

import sys

from channelCase import *
from parallelCase import decompose, environment

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField



def fixed(value):
    return f"type fixedValue; value uniform {value};"


def scalar(case, name, internal=0, **patches):
    """A field of the case; patches: conditions by patch."""
    (case / "0" / name).write_text(
        HEADER.format("volScalarField", name)
        + f"dimensions [0 0 0 0 0 0 0];\ninternalField uniform {internal};\n"
        "boundaryField { " + " ".join(
            f"{patch} {{ {text} }}" for patch, text in {
                **patches, "frontAndBack": "type empty;"}.items()) + " }\n")


def carry(case, **objects):
    """functionObjects of the case: their entries by name; s_: by OpenFOAM."""
    text = ""
    for name, entries in objects.items():
        kind, library = (
            ("scalarTransport", "solverFunctionObjects")
            if name.endswith("_") else ("latticeScalar", "latticeScalar"))
        text += f"{name} {{ type {kind}; libs ({library}); {entries} }}\n"
    (case / "system/controlDict").open("a").write(
        f"functions {{\n{text}}}\n")


def schemes(case):
    """Of scalarTransport, for the fields s_ and t_."""
    path = case / "system/fvSchemes"
    path.write_text(path.read_text().replace(
        "divSchemes\n{", 'divSchemes\n{\n    "div\\(phi,[st]_\\)" Gauss linear;'))
    path = case / "system/fvSolution"
    path.write_text(path.read_text().replace(
        "solvers\n{", 'solvers\n{\n    "[st]_" { solver PBiCGStab;'
        " preconditioner DILU; tolerance 1e-10; relTol 0; }"))


def field(case, name, time=None):
    return np.asarray(readField(str(case / (time or times(case)[-1]) / name))
                      .internal)


def distance(a, b):
    return np.sqrt(((a - b)**2).sum()/(b**2).sum())


# Plug flow: u ds/dx = D d2s/dx2 between 0 and 1

U, D, L = 1, 0.04, 0.4
Uin = f"type fixedValue; value uniform ({U} 0 0);"
case = channel("plug", Uin=Uin, endTime=2)
path = case / "0/U"
path.write_text(path.read_text().replace("type noSlip;", "type slip;"))
scalar(case, "s", inlet=fixed(0), outlet=fixed(1), walls=ZERO)
carry(case, smoke=f"field s; D {D};")
output = solve(case)
x = (np.arange(64) + 0.5)*L/64
exact = np.expm1(U*x/D)/np.expm1(U*L/D)
error = distance(field(case, "s").reshape(16, 64), np.tile(exact, (16, 1)))
check("plug.exact", error < 0.01, f"error {error}")
check("plug.summary", re.search(
    r"\n    scalar s +0.04 m2/s, cell Peclet number 0\.\d+\n", output),
    output[:4000])
check("plug.line", "latticeScalar execute: s\n" in output)


# A lid-driven cavity: s from the lid to the bottom, t begins in a half, of two
# diffusivities, beside the same by OpenFOAM

def cavity(name, objects=True, **entries):
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    for entry, value in {"startFrom": "latestTime", "endTime": 0.5,
                         "writePrecision": 12, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    for s in ("s", "s_"):
        scalar(case, s, movingWall=fixed(1), fixedWalls=fixed(0))
    for t in ("t", "t_"):
        scalar(case, t, movingWall="type fixedGradient; gradient uniform 2;",
               fixedWalls="type mixed; refValue uniform 1; refGradient uniform 0;"
               " valueFraction uniform 0.5; value uniform 0;")
    schemes(case)
    if objects:
        carry(case, s="D 0.002;", t="field t; alphaD 0.1;",
              s_="field s_; D 0.002; bounded01 no;",
              t_="field t_; D 0.001; bounded01 no;")
    return case


case = cavity("lid", writeInterval=20)
output = mustRun("lbmGpuFoam", case)
for name, limit in (("s", 0.03), ("t", 0.022)):
    found = distance(field(case, name), field(case, name + "_"))
    check(f"lid.{name}", found < limit, f"{found} from scalarTransport's")


# The same bits from a restart, and from two processes

last = times(case)[-1]
half = cavity("half", writeInterval=20)
setEntry(half / "system/controlDict", "endTime", 0.25)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "endTime", 0.5)
mustRun("lbmGpuFoam", half, log="log.restart")
check("restart", populations(case, last) == populations(half, last))
check("restart.fields", all((field(case, n) == field(half, n)).all()
                            for n in ("U", "s", "t")))

# Reset at a start, a scalar leaves the flow its bits
reset = Path(shutil.copytree(half, "reset"))
shutil.rmtree(reset / last)
path = reset / "system/controlDict"
path.write_text(path.read_text().replace("D 0.002;", "D 0.002; resetOnStartUp yes;", 1))
mustRun("lbmGpuFoam", reset, log="log.reset")
check("reset.flow", all((field(case, n) == field(reset, n)).all()
                        for n in ("U", "t")))
check("reset.s", not (field(case, "s") == field(reset, "s")).all())

# Times without the field do not matter to other functionObjects
for name in times(half)[1:]:
    (half / name / "s").unlink()
output = mustRun("lbmGpuFoam -postProcess -func mag(U)", half)
check("postProcess", all((half / name / "mag(U)").exists()
                         for name in times(half)[1:]), output[-1500:])

two = cavity("two", writeInterval=20)
decompose(two, 2, "2 1 1")
mustRun("mpirun -np 2 lbmGpuFoam -parallel", two, environment=environment)
mustRun("reconstructPar -latestTime", two)
check("processes", all((field(case, n) == field(two, n)).all() for n in "st"))


# Beside T of a buoyant flow: with its diffusivity and walls, s is T - 300

case = copyCase("heatedCavity", "heated")
mustRun("blockMesh", case)
for entry, value in {"endTime": 2, "writeInterval": 2, "deltaT": 0.04,
                     "writePrecision": 12}.items():
    setEntry(case / "system/controlDict", entry, value)
setEntry(case / "constant/transportProperties", "nu", 0.0071)
scalar(case, "s", hot=fixed(0.5), cold=fixed(-0.5), insulated=ZERO)
carry(case, smoke="D 0.01;")
mustRun("lbmGpuFoam", case)
difference = abs(field(case, "T") - 300 - field(case, "s")).max()
check("heated.sIsT", difference < 1e-8, f"differ by {difference}")


# k-epsilon with wall functions, beside scalarTransport. Measured: 0.0507, the mean
# 0.0211

source = Path(os.environ.get("FOAM_TUTORIALS", "")) / (
    "incompressible/pisoFoam/RAS/cavity")
if not source.is_dir():
    skipped("turbulent", f"no {source}")
else:
    case = copyCase(source, "turbulent")
    mustRun("blockMesh", case)
    for name in ("s", "s_"):
        scalar(case, name, movingWall=fixed(1), fixedWalls=fixed(0))
    schemes(case)
    carry(case, s="alphaDt 1.4;", s_="field s_; alphaDt 1.4; bounded01 no;")
    output = mustRun("lbmGpuFoam", case)
    check("turbulent.summary", "+ 1.4 nut" in output, output[:4000])
    s, other = field(case, "s"), field(case, "s_")
    check("turbulent.s", distance(s, other) < 0.055, f"{distance(s, other)}")
    check("turbulent.mean", abs(s.mean()/other.mean() - 1) < 0.025,
          f"{s.mean()}, not {other.mean()}")


# A scalar that hardly diffuses: the front of a step that enters is sharp within
# a few cells, and overshoots by little

case = channel("front", Uin=Uin, endTime=0.2, writeInterval=20)
path = case / "0/U"
path.write_text(path.read_text().replace("type noSlip;", "type slip;"))
scalar(case, "s", inlet=fixed(1), outlet=ZERO, walls=ZERO)
carry(case, smoke="D 1e-7;")
output = solve(case)
s = field(case, "s").reshape(16, 64).mean(axis=0)
x = (np.arange(64) + 0.5)*L/64
middle = np.interp(-0.5, -s, x)
width = (np.interp(-0.1, -s, x) - np.interp(-0.9, -s, x))*64/L
check("front.summary", "limited to 10" in output, output[:4000])
check("front.place", abs(middle - 0.2) < 0.004, f"{middle} m, not 0.2")
check("front.width", width < 8, f"{width} cells")
check("front.bounds", s.min() > -0.001 and s.max() < 1.001, f"{s.min()} {s.max()}")


# What cannot be

for name, entries, message in (
    ("noField", "field q; D 1;", ["q", "0/q"]),
    ("noDiffusion", "D 0;", ["D 0", "above zero"]),
    ("velocity", "field U; D 1;", ["field U", "there already"]),
    ("sources", "D 1; fvOptions { x { type none; } }",
     ["sources", "scalarTransport"]),
    ("nut", "nut nut;", ["nut nut", "possible: none"]),
):
    case = cavity(name, objects=False)
    carry(case, smoke=entries)
    status, output = run("lbmGpuFoam", case)
    missing = [m for m in message if m not in output]
    check(f"refused.{name}", status != 0 and not missing,
          f"without {missing}: {output[-1200:]}")

# Without a lattice
case = cavity("icoFoam", objects=False, endTime=0.01)
carry(case, smoke="D 1;")
status, output = run("icoFoam", case)
check("withoutLattice", status == 0 and "scalarTransport works" in output,
      output[-1500:])

finish()
