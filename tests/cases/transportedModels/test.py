"""Turbulence models whose variables the lattice transports: against the models on
the mesh in channels and behind a step, on meshes of equal and of graded cells;
restart, several processes, layouts; what goes to the mesh.
"""

import re

from parallelCase import *
from wavyChannel import *

WALL = "type nutkWallFunction; value uniform 0;"
SPALDING = "type nutUSpaldingWallFunction; value uniform 0;"
LOW = "type nutLowReWallFunction; value uniform 0;"
NONE = "type fixedValue; value uniform 0;"
K_WALL = {"k": "type kqRWallFunction; value uniform 0.01;"}
K_LOW = {"k": "type fixedValue; value uniform 1e-10;"}

VARIABLES = {"kEqn": ("k",), "SpalartAllmaras": ("nuTilda",),
             "kEpsilon": ("k", "epsilon"), "kOmegaSST": ("k", "omega"),
             "SpalartAllmarasDES": ("nuTilda",),
             "SpalartAllmarasDDES": ("nuTilda",),
             "SpalartAllmarasIDDES": ("nuTilda",)}
LES = "kEqn", "SpalartAllmarasDES", "SpalartAllmarasDDES", "SpalartAllmarasIDDES"


def newtonian(nu):
    return f"transportModel Newtonian; nu {nu};"


def ofModel(name, model, **entries):
    kind = "les" if model in LES else "ras"
    return channel(name, **{"les": None, kind: model, **entries})


def compare(name, own, host, model, time, limits):
    """U, nut and the variables of a case and of one with models on the mesh."""
    fields = ("U", "nut", *VARIABLES[model])
    off = {f: distance(own, host, f, time) for f in fields}
    print(f"{name}: " + ", ".join(f"{f} {d:.2e}" for f, d in off.items())
          + " from the models on the mesh")
    assert len(limits) == len(off)
    check(name, all(d < limit for d, limit in zip(off.values(), limits)),
          str(off))
    return off


def onLattice(name, output):
    check(f"{name}IsOnTheLattice", "models                by the lattice"
          in output, output[:6000])


# Channels, 1 s after a start with waves: the same equations, solved with another
# time step. That of the models on the mesh is deltaT, which they converge with to
# what the lattice has where the eddy viscosity changes fast
for name, model, entries, limits in (
    ("kEqn", "kEqn", {}, (2e-4, 0.02, 0.03)),
    ("kEpsilon", "kEpsilon",
     {"nut": WALL, "turbulence": K_WALL, "transport": newtonian(1e-5)},
     (0.015, 0.12, 0.05, 0.1)),
    ("kOmegaSST", "kOmegaSST",
     {"nut": WALL, "turbulence": K_WALL, "transport": newtonian(1e-5)},
     (4e-4, 0.02, 0.02, 0.02)),
    ("lowReynolds", "kOmegaSST",
     {"nut": LOW, "turbulence": K_LOW, "transport": newtonian(2e-3)},
     (4e-4, 0.02, 0.02, 0.02)),
    ("SpalartAllmaras", "SpalartAllmaras",
     {"nut": NONE, "transport": newtonian(1e-3)}, (1e-5, 0.02, 0.01)),
    ("DES", "SpalartAllmarasDES",
     {"nut": NONE, "transport": newtonian(1e-3)}, (1e-6, 0.01, 3e-3)),
    ("DDES", "SpalartAllmarasDDES",
     {"nut": SPALDING, "transport": newtonian(1e-5)}, (3e-5, 6e-3, 6e-3)),
    ("IDDES", "SpalartAllmarasIDDES",
     {"nut": NONE, "transport": newtonian(1e-3), "delta": "IDDESDelta"},
     (1e-6, 0.01, 3e-3)),
    ("spalding", "SpalartAllmaras",
     {"nut": SPALDING, "transport": newtonian(1e-5)}, (1e-4, 0.01, 0.01)),
):
    own = ofModel(name, model, **entries)
    output = mustRun("lbmGpuFoam", own)
    onLattice(name, output)
    off = float(re.findall(r"Viscosity of the lattice: (\S+) %", output)[-1])
    check(f"{name}ViscosityOfMesh", off < 0.1, str(off))
    host = ofModel(f"{name}-host", model, LBM="models host;", **entries)
    mustRun("lbmGpuFoam", host)
    off = compare(name, own, host, model, "1", limits)
    if name == "kEpsilon":
        finer = ofModel(f"{name}-finer", model, LBM="models host;",
                        deltaT=0.005, **entries)
        mustRun("lbmGpuFoam", finer)
        closer = compare(f"{name}Finer", own, finer, model, "1",
                         [0.4*limit for limit in limits])
        check("modelsOnTheMeshConvergeToIt",
              all(closer[f] < 0.45*off[f] for f in ("U", "nut", "epsilon")),
              str(closer))

LOWEST = {"nut": LOW, "turbulence": K_LOW, "transport": newtonian(2e-3)}
WALLS = {"nut": WALL, "turbulence": K_WALL, "transport": newtonian(1e-5)}

# Restart: to the bit, and whenever a time is written
half = ofModel("restarted", "kOmegaSST", endTime=0.5, writeInterval=0.5, **LOWEST)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "endTime", 1)
output = mustRun("lbmGpuFoam", half)
check("restarts", "Restarting from the populations of time 0.5" in output,
      output[:6000])
more = ofModel("moreTimes", "kOmegaSST", writeInterval=0.1, **LOWEST)
mustRun("lbmGpuFoam", more)
for name in "U", "k", "omega":
    whole = Path(f"lowReynolds/1/{name}").read_bytes()
    check(f"restartHasTheBitsOf.{name}",
          (half / f"1/{name}").read_bytes() == whole)
    check(f"timesWrittenLeaveTheBitsOf.{name}",
          (more / f"1/{name}").read_bytes() == whole)

# Unless k is another one
field(half, "../1/k", "Scalar", "[0 2 -2 0 0 0 0]", "uniform 0.02", K_LOW["k"])
setEntry(half / "system/controlDict", "endTime", 1.02)
output = mustRun("lbmGpuFoam", half)
check("anotherKIsTaken",
      "fields of the turbulence model have been changed since" in output,
      output[:6000])

# Layouts and precision
for entries in "precision single; layout dense;", "precision single; layout list;":
    name = re.sub(r"\W+", "", entries)
    case = ofModel(name, "kOmegaSST", LBM=entries, **WALLS)
    mustRun("lbmGpuFoam", case)
    d = distance(case, Path("kOmegaSST"), "U")
    check(name, d < 1e-4, f"U {d} from double")
for name in "U", "k", "omega":
    check(f"layoutsHaveTheSameBitsOf.{name}",
          Path(f"precisionsinglelayoutdense/1/{name}").read_bytes()
          == Path(f"precisionsinglelayoutlist/1/{name}").read_bytes())

# Processes, from rest, whose p no process has to solve for; wall functions have
# distances whose last digits depend on the domains
RESOLVED = {**LOWEST, "nut": "type calculated; value uniform 0;"}
for name, entries, limit in ("Resolved", RESOLVED, 0), ("Walls", WALLS, 1e-10):
    serial, case = (ofModel(runs + name, "kOmegaSST", LBM=asTheyAre, **entries)
                    for runs in ("serial", "parallel"))
    for c in serial, case:
        field(c, "U", "Vector", "[0 1 -1 0 0 0 0]", "uniform (0 0 0)",
              "type noSlip;")
    mustRun("lbmGpuFoam", serial)
    decompose(case, 4, "2 2 1")
    output = mustRun("mpirun -np 4 lbmGpuFoam -parallel", case,
                     environment=environment)
    onLattice(f"processes.{name}", output)
    mustRun("reconstructPar", case)
    for variable in "U", "k", "omega":
        d = distance(case, serial, variable)
        check(f"processes.{name}.{variable}", d <= limit, str(d))

# The lattice step changes on the way
plain = ofModel("deltaT0.1", "kOmegaSST", deltaT=0.1, **LOWEST)
mustRun("lbmGpuFoam", plain)
case = ofModel("adapted", "kOmegaSST", deltaT=0.1, LBM="referenceVelocity 0.7;",
               **LOWEST)
output = mustRun("lbmGpuFoam", case)
changes = re.findall("Lattice step .* in place of .*", output)
for name, limit in ("U", 0.01), ("k", 0.02), ("omega", 0.02):
    d = distance(case, plain, name)
    check(f"variablesFollowTheStep.{name}", changes and d < limit,
          f"{d} {changes}")

# A second chance takes back k and omega as well
DRIVEN = "referenceVelocity 0.22; adaptiveStep no;"
case = ofModel("secondChance", "kOmegaSST", deltaT=0.1, LBM=DRIVEN, **WALLS)
output = mustRun("lbmGpuFoam", case)
half = ofModel("halfStep", "kOmegaSST", deltaT=0.1,
               LBM=f"{DRIVEN} latticeTimeStep {0.1/6!r};", **WALLS)
mustRun("lbmGpuFoam", half)
for name, limit in ("U", 1e-3), ("k", 8e-3), ("omega", 8e-3):
    d = distance(case, half, name)
    check(f"secondChance.{name}", "Second chance" in output and d < limit, str(d))

# A functionObject has k of its time
case = ofModel("probe", "kOmegaSST", **WALLS)
(case / "system/controlDict").open("a").write("""
functions
{
    points
    {
        type probes;
        libs (sampling);
        fields (k);
        probeLocations ((1.25 0.9 0.75));
    }
}
""")
mustRun("lbmGpuFoam", case)
rows = [line.split() for line in
        (case / "postProcessing/points/0/k").read_text().splitlines()
        if not line.startswith("#")]
k = readField(str(case / "1/k")).internal.reshape(CELLS[::-1])
check("probesSeeK", len({row[1] for row in rows}) == len(rows) > 40
      and abs(float(rows[-1][1])/k[4, 5, 7] - 1) < 1e-4, rows[-2:])

# Through a step of a duct: what inlets bring and outlets let out, cells that get
# thinner towards the walls
STEP = """
scale 1;
vertices
(
    (0 1 0) (2 1 0) (2 2 0) (0 2 0) (0 1 0.1) (2 1 0.1) (2 2 0.1) (0 2 0.1)
    (2 0 0) (8 0 0) (8 1 0) (2 0 0.1) (8 0 0.1) (8 1 0.1) (8 2 0) (8 2 0.1)
);
blocks
(
    hex (0 1 2 3 4 5 6 7) (20 10 1) simpleGrading (1 @ 1)
    hex (8 9 10 1 11 12 13 5) (60 10 1) simpleGrading (1 @ 1)
    hex (1 10 14 2 5 13 15 6) (60 10 1) simpleGrading (1 @ 1)
);
boundary
(
    left { type patch; faces ((0 4 7 3)); }
    right { type patch; faces ((9 10 13 12) (10 14 15 13)); }
    walls
    {
        type wall;
        faces ((0 1 5 4) (1 8 11 5) (8 9 12 11) (3 7 6 2) (2 6 15 14));
    }
    sides
    {
        type empty;
        faces
        (
            (0 3 2 1) (4 5 6 7) (8 1 10 9) (11 12 13 5) (1 2 14 10) (5 13 15 6)
        );
    }
);
"""


def step(name, model, nut, LBM="", grading="1"):
    case = ofModel(name, model, LBM=LBM, transport=newtonian(1e-3),
                   endTime=20, writeInterval=20, deltaT=0.05)
    dictionary(case, "system/blockMeshDict", STEP.replace("@", grading))
    (case / "constant/fvOptions").unlink()
    mustRun("blockMesh", case)

    def duct(name, kind, dimensions, value, left, right, walls):
        dictionary(case, f"0/{name}", f"""
dimensions {dimensions};
internalField uniform {value};
boundaryField
{{
    left {{ {left} }}
    right {{ {right} }}
    walls {{ {walls} }}
    sides {{ type empty; }}
}}
""", f"vol{kind}Field")

    duct("U", "Vector", "[0 1 -1 0 0 0 0]", "(1 0 0)",
         "type fixedValue; value uniform (1 0 0);",
         "type pressureInletOutletVelocity; value uniform (0 0 0);",
         "type noSlip;")
    duct("p", "Scalar", "[0 2 -2 0 0 0 0]", 0, "type zeroGradient;",
         "type fixedValue; value uniform 0;", "type zeroGradient;")
    free = "type calculated; value uniform 0;"
    duct("nut", "Scalar", "[0 2 -1 0 0 0 0]", 0, free, free, nut)
    for name, dimensions, value, wall in (
        ("k", "[0 2 -2 0 0 0 0]", 0.02, "type kqRWallFunction; value uniform 0;"),
        ("epsilon", "[0 2 -3 0 0 0 0]", 0.01,
         "type epsilonWallFunction; value uniform 0.01;"),
        ("nuTilda", "[0 2 -1 0 0 0 0]", 5e-3, "type zeroGradient;"),
    ):
        duct(name, "Scalar", dimensions, value,
             f"type fixedValue; value uniform {value};",
             f"type inletOutlet; inletValue uniform {value};"
             f" value uniform {value};", wall)
    return case


LIMITS = {
    "kEpsilon.equalStep": (0.01, 0.03, 0.03, 0.05),
    "SpalartAllmaras.equalStep": (0.01, 0.03, 0.03),
    "kEpsilon.gradedStep": (0.015, 0.06, 0.09, 0.25),
    "SpalartAllmaras.gradedStep": (0.03, 0.12, 0.09),
}

#: Each model once, and each kind of cells
ALWAYS = "SpalartAllmaras.equalStep", "kEpsilon.gradedStep"

for grading in "1", "((0.5 0.5 2) (0.5 0.5 0.5))":
    for model, nut in ("kEpsilon", WALL), ("SpalartAllmaras", SPALDING):
        name = f"{model}.{'graded' if '(' in grading else 'equal'}Step"
        if name not in ALWAYS and not ifLong(name):
            continue
        own = step(name, model, nut, grading=grading)
        output = mustRun("lbmGpuFoam", own)
        onLattice(name, output)
        host = step(f"{name}-host", model, nut, "models host;", grading)
        mustRun("lbmGpuFoam", host)
        compare(name, own, host, model, "20", LIMITS[name])

# What goes to the mesh
for name, model, entries, words in (
    ("kOfItsOwn", "kOmegaSST",
     {**WALLS, "turbulence":
      {"k": "type kLowReWallFunction; value uniform 0.01;"}},
     "k has kLowReWallFunction on patch walls"),
    ("gradient", "kOmegaSST",
     {**WALLS, "turbulence":
      {"k": "type fixedGradient; gradient uniform 0;"}},
     "k has fixedGradient on patch walls"),
    ("fromTheFlow", "kOmegaSST",
     {**WALLS, "turbulence":
      {"k": "type fixedMean; meanValue 0.01; value uniform 0.01;"}},
     "k has fixedMean on patch walls"),
    ("thickening", "kOmegaSST",
     {"nut": NONE, "transport": "transportModel powerLaw; powerLawCoeffs"
      " { nuMax 1; nuMin 1e-6; k 1e-3; n 1.8; }"},
     "kOmegaSST is advanced every few steps, and powerLaw thickens steeply"),
    ("exponent", "SpalartAllmarasDDES",
     {"nut": NONE, "delta": "cubeRootVol; SpalartAllmarasDDESCoeffs { Cd2 2.5; }"},
     "exponent Cd2 2.5 of SpalartAllmarasDDES is not whole"),
    ("widthOfTheFlow", "SpalartAllmarasIDDES",
     {"nut": NONE, "delta": "IDDESDelta; IDDESDeltaCoeffs { hmax vanDriest;"
      " vanDriestCoeffs { delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; }"
      " Aplus 26; Cdelta 0.158; } }"},
     "delta vanDriest changes with the flow"),
    ("RNG", "RNGkEpsilon", WALLS, "turbulence model RNGkEpsilon is none of"),
):
    case = ofModel(name, model, **entries)
    output = mustRun("lbmGpuFoam -dry-run", case)
    check(f"{name}IsOnTheMesh", f"on the mesh: {words}" in output,
          output[-4000:])

case = ofModel("frozen", "kOmegaSST", **WALLS)
setEntry(case / "constant/turbulenceProperties", "RAS/turbulence", "off")
output = mustRun("lbmGpuFoam -dry-run", case)
check("frozenIsOnTheMesh",
      "on the mesh: turbulence is switched off in RAS" in output,
      output[-4000:])

case = ofModel("source", "kEpsilon", **WALLS)
options = case / "constant/fvOptions"
options.write_text(options.read_text() + """
warm
{
    type scalarSemiImplicitSource;
    selectionMode all;
    volumeMode specific;
    injectionRateSuSp { k (1e-3 0); }
}
""")
output = mustRun("lbmGpuFoam -dry-run", case)
check("sourceIsOnTheMesh", "on the mesh: fvOptions act on k" in output,
      output[-4000:])

finish()
