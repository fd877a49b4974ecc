"""phi is conservative: in each cell what enters leaves, at every write and
whenever a functionObject looks at it; scalarTransport stays within its bounds
and agrees with what pimpleFoam makes of it.

Asked: |sum of phi over the faces of a cell| at most 1e-6 of the largest |phi|.
"""

import math

from caseTest import *
from meshFluxes import Fluxes, np, readField

ASKED = 1e-6

ZERO = "type zeroGradient;"
P0 = "type fixedValue; value uniform 0;"
NOSLIP = "type noSlip;"
ERRORS = (r"time step continuity errors : sum local = (\S+), global = (\S+),"
          r" cumulative = (\S+)")


VOLUMES = {}


def volumeOf(case, volume):
    """Keep the volume of the mesh of a case [m3]"""
    VOLUMES[case.name] = volume


def table(value, end=1, n=100):
    """Velocity along x as a table over the time."""
    return ("type uniformFixedValue; uniformValue table ("
            + " ".join(f"({end*i/n:.6g} ({value(end*i/n):.10g} 0 0))"
                       for i in range(n + 1))
            + f"); value uniform ({value(0):.10g} 0 0);")


def prepare(name, vertices, blocks, patches, nu=0.002, LBM="", edges="",
            start="(0 0 0)", **entries):
    """A case on a mesh of blocks, one cell thick between empty patches unless
    the patches say otherwise.

    vertices: (x y) of the plane, or (x y z)
    blocks: (vertices, cells, grading)
    patches: name -> (its type, edges or faces, condition of U, of p)
    """
    case = copyCase("cavity", name)
    plane = len(vertices[0]) == 2
    n = len(vertices)
    if plane:
        points = [(*v, z) for z in (0, 0.1) for v in vertices]
    else:
        points = vertices
    text = "scale 0.1;\nvertices (" + " ".join(
        "(" + " ".join(f"{x:.12g}" for x in v) + ")" for v in points) + ");\n"
    text += "blocks (\n"
    front = []
    for corners, cells, grading in blocks:
        if plane:
            front += [corners, [c + n for c in corners]]
            corners = [*corners, *(c + n for c in corners)]
        text += (f"hex ({' '.join(map(str, corners))}) ({cells})"
                 f" simpleGrading ({grading})\n")
    text += f");\nedges ({edges});\nboundary (\n"
    for patch, (kind, faces, *_) in patches.items():
        if plane:
            faces = [(a, b, b + n, a + n) for a, b in faces]
        text += f"{patch} {{ {kind} faces (" + " ".join(
            "(" + " ".join(map(str, f)) + ")" for f in faces) + "); }\n"
    if plane:
        text += "frontAndBack { type empty; faces (" + " ".join(
            "(" + " ".join(map(str, f)) + ")" for f in front) + "); }\n"
    (case / "system/blockMeshDict").write_text(
        HEADER.format("dictionary", "blockMeshDict") + text
        + ");\nmergePatchPairs ();\n")
    for field, kind, dimensions, internal, which in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", start, 2),
        ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0", 3),
    ):
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            "boundaryField\n{\n"
            + "".join(f"{patch} {{ {entry[which]} }}\n"
                      for patch, entry in patches.items())
            + ("frontAndBack { type empty; }\n" if plane else "") + "}\n")
    setEntry(case / "constant/transportProperties", "nu", nu)
    (case / "constant/transportProperties").open("a").write(
        "transportModel Newtonian;\n")
    mustRun("blockMesh", case)
    for entry, value in {
        "deltaT": 0.01, "endTime": 1, "writeControl": "timeStep",
        "writeInterval": 20, "writePrecision": 14, **entries,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
    return case


def turned(points, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(c*x - s*y, s*x + c*y) for x, y in points]


def solve(case, functions="", **entries):
    if functions:
        (case / "system/controlDict").open("a").write(
            f"\nfunctions\n{{\n{functions}\n}}\n")
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def worst(case):
    return max(Fluxes(case, t).imbalance() for t in times(case)[1:])


def checkConservative(name, case, output, patches):
    """Of all times: each cell; walls; the line of the log."""
    written = times(case)[1:]
    check(f"{name}.conservative", written and worst(case) <= ASKED,
          f"{worst(case)} of the largest flux")
    last = Fluxes(case, written[-1])
    for patch in patches:
        check(f"{name}.{patch}", not last.boundary[patch].any(),
              f"{np.abs(last.boundary[patch]).max()} m3/s through the wall")
    lines = re.findall(ERRORS, output)
    deltaT = float(re.search(
        r"deltaT\s+(\S+);", (case / "system/controlDict").read_text())[1])
    volume = VOLUMES[case.name]
    said = float(lines[-1][0]) if lines else -1
    # Of what is written with 14 digits
    local = deltaT*np.abs(last.net).sum()/volume
    check(f"{name}.said", len(lines) >= len(written)
          and abs(said - local) <= 0.02*local
          + 1e-12*deltaT*last.largest*last.net.size/volume,
          f"{lines[-1:]}; written phi has {local}")
    return last


# A channel with an outlet at its end and one in its side. The inlet draws back:
# both outlets let fluid in again

def side(name, Uin, n=16, grading="1 1 1", degrees=0, Uout=ZERO, pout=P0,
         **options):
    points = [(0, 0), (2, 0), (3, 0), (4, 0), (0, 1), (2, 1), (3, 1), (4, 1)]
    case = prepare(
        name, turned(points, degrees),
        [((0, 1, 5, 4), f"{2*n} {n} 1", grading),
         ((1, 2, 6, 5), f"{n} {n} 1", grading),
         ((2, 3, 7, 6), f"{n} {n} 1", grading)],
        {"inlet": ("type patch;", [(4, 0)], Uin, ZERO),
         "outlet": ("type patch;", [(3, 7)], Uout, pout),
         "side": ("type patch;", [(6, 5)], Uout, pout),
         "walls": ("type wall;", [(0, 1), (1, 2), (2, 3), (5, 4), (7, 6)],
                   NOSLIP, ZERO)},
        **options)
    volumeOf(case, 0.4*0.1*0.01)
    return case


def swing(t):
    return 0.2*math.sin(2*math.pi*t)


case = side("backflow", table(swing))
output = solve(case)
last = checkConservative("backflow", case, output, ["walls"])
check("backflow.summary", re.search(r"\n    phi +conservative\n", output),
      output[:3000])
for t in times(case)[1:]:
    flux = Fluxes(case, t)
    given = -swing(float(t))*0.1*0.01
    check(f"backflow.inlet.{t}",
          abs(flux.boundary["inlet"].sum() - given) < 1e-9*0.2*0.001,
          f"{flux.boundary['inlet'].sum()}, given {given} m3/s")
flows = Fluxes(case, "0.8").boundary
check("backflow.isThere", flows["outlet"].min() > 0 > flows["side"].max(),
      flows)

# The fluxes are no worse for it: against eight times as many cells along each
# axis, whose fluxes add up to those of the coarse faces

coarse, n = 8, 64
fine = side("fine", "type fixedValue; value uniform (0.2 0 0);", n=n,
            LBM="precision double; refinement 1;", writeInterval=100)
solve(fine)


def byAxis(case, n, r):
    """phi of the faces normal to x [4 n + 1][n] and y [4 n][n + 1], r faces
    put together along each axis."""
    flux = Fluxes(case, "1")
    N = n*r

    def place(cell):
        block = np.searchsorted([2*N*N, 3*N*N], cell, side="right")
        first = np.array([0, 2*N*N, 3*N*N])[block]
        width = np.array([2*N, N, N])[block]
        return (np.array([0, 2*N, 3*N])[block] + (cell - first) % width,
                (cell - first)//width)

    i, j = place(flux.owner[:len(flux.neighbour)])
    iN, jN = place(flux.neighbour)
    X, Y = np.zeros((4*N + 1, N)), np.zeros((4*N, N + 1))
    x = iN == i + 1
    X[iN[x], j[x]] = flux.internal[x]
    Y[i[~x], jN[~x]] = flux.internal[~x]
    return (X.reshape(4*N + 1, n, r).sum(2)[::r],
            Y.reshape(4*n, r, N + 1).sum(1)[:, ::r])


def error(case):
    (X, Y), (x, y) = byAxis(fine, coarse, n//coarse), byAxis(case, coarse, 1)
    return math.sqrt((((X - x)**2).sum() + ((Y - y)**2).sum())
                     / ((X**2).sum() + (Y**2).sum()))


errors = {}
for choice in ("yes", "no"):
    case = side(f"coarse-{choice}", "type fixedValue; value uniform (0.2 0 0);",
                n=coarse, writeInterval=100, LBM="precision double;"
                f" refinement 1; conservativeFlux {choice};")
    output = solve(case)
    errors[choice] = error(case)
    if choice == "no":
        check("no.said", "interpolated: entry conservativeFlux" in output
              and not re.search(ERRORS, output), output[:3000])
        # Otherwise there was nothing to do
        check("no.imbalance", worst(case) > 1e-2, worst(case))
    else:
        check("yes.conservative", worst(case) <= ASKED, worst(case))
# Measured: 0.0529 and 0.0523
check("accuracy", errors["yes"] < 1.02*errors["no"], errors)

# Lattices laid over a mesh: turned and graded, and one with curved walls that
# is closed

c, s = math.cos(math.radians(20)), math.sin(math.radians(20))
case = side("inclined", "type fixedValue;"
            f" value uniform ({0.2*c:.12g} {0.2*s:.12g} 0);", degrees=20,
            grading="1 2 1")
output = solve(case)
check("inclined.overlay", "equal squares" not in output, output[:2000])
last = checkConservative("inclined", case, output, ["walls"])
check("inclined.inlet",
      abs(last.boundary["inlet"].sum()/(0.2*0.1*0.01) + 1) < 1e-9,
      last.boundary["inlet"].sum())

ring = [(r*math.cos(a), r*math.sin(a)) for r in (0.5, 1)
        for a in (0, math.pi/2, math.pi, 1.5*math.pi)]
arcs = "".join(
    f"arc {4*i + k + 8*z} {4*i + (k + 1) % 4 + 8*z} ("
    f"{r*math.cos((k + 0.5)*math.pi/2):.12g}"
    f" {r*math.sin((k + 0.5)*math.pi/2):.12g} {0.1*z})\n"
    for i, r in enumerate((0.5, 1)) for k in range(4) for z in (0, 1))
turn = [(k, (k + 1) % 4) for k in range(4)]
case = prepare(
    "ring", ring,
    [((k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4), "8 16 1", "1 1 1")
     for k in range(4)],
    {"inner": ("type wall;", turn, "type rotatingWallVelocity; origin (0 0 0);"
               " axis (0 0 1); omega 10; value uniform (0 0 0);", ZERO),
     "outer": ("type wall;", [(4 + b, 4 + a) for a, b in turn], NOSLIP, ZERO)},
    edges=arcs)
volumeOf(case, 64*0.5*math.sin(2*math.pi/64)*(0.1**2 - 0.05**2)*0.01)
output = solve(case)
checkConservative("ring", case, output, ["inner", "outer"])

# A closed cavity

case = copyCase("cavity", "cavity")
mustRun("blockMesh", case)
setEntry(case / "system/controlDict", "writePrecision", 14)
volumeOf(case, 0.1*0.1*0.01)
output = solve(case)
checkConservative("cavity", case, output, ["movingWall", "fixedWalls"])

# A periodic channel with a groove, driven by a force

case = prepare(
    "groove",
    [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1),
     (1, -0.5), (2, -0.5)],
    [((0, 1, 5, 4), "16 16 1", "1 1 1"), ((1, 2, 6, 5), "16 16 1", "1 1 1"),
     ((2, 3, 7, 6), "16 16 1", "1 1 1"), ((8, 9, 2, 1), "16 8 1", "1 1 1")],
    {"left": ("type cyclic; neighbourPatch right;", [(4, 0)], "type cyclic;",
              "type cyclic;"),
     "right": ("type cyclic; neighbourPatch left;", [(3, 7)], "type cyclic;",
               "type cyclic;"),
     "walls": ("type wall;", [(0, 1), (1, 8), (8, 9), (9, 2), (2, 3), (5, 4),
                              (6, 5), (7, 6)], NOSLIP, ZERO)},
    LBM="bodyForce (0.1 0 0);", nu=0.001)
volumeOf(case, (0.3*0.1 + 0.1*0.05)*0.01)
output = solve(case)
last = checkConservative("groove", case, output, ["walls"])
check("groove.flows", last.boundary["right"].sum() > 1e-6
      and np.abs(last.boundary["left"] + last.boundary["right"]).max()
      < 1e-12*last.largest, last.boundary)

# Three dimensions, cells askew, walls that slip, free streams

points = [(x + 0.2*z, y + 0.1*x, z) for z in (0, 1) for y in (0, 1)
          for x in (0, 2)]
case = prepare(
    "askew", points,
    [((0, 1, 3, 2, 4, 5, 7, 6), "16 8 8", "1 2 1")],
    {"inlet": ("type patch;", [(0, 4, 6, 2)], "type fixedValue;"
               " value uniform (0.2 0 0);", ZERO),
     "outlet": ("type patch;", [(1, 3, 7, 5)], "type inletOutlet; inletValue"
                " uniform (0 0 0); value uniform (0 0 0);", P0),
     "slip": ("type patch;", [(0, 2, 3, 1)], "type slip;", ZERO),
     "free": ("type patch;", [(4, 5, 7, 6)], "type freestreamVelocity;"
              " freestreamValue uniform (0.2 0 0.01);",
              "type freestreamPressure; freestreamValue uniform 0;"),
     "walls": ("type wall;", [(0, 1, 5, 4), (2, 6, 7, 3)], NOSLIP, ZERO)},
    endTime=0.2, writeInterval=10)
volumeOf(case, 0.2*0.1*0.1)
output = solve(case)
checkConservative("askew", case, output, ["walls", "slip"])

# Two parts that do not touch, one of them closed

case = prepare(
    "parts",
    [(0, 0), (1, 0), (1, 1), (0, 1), (2, 0), (4, 0), (4, 1), (2, 1)],
    [((0, 1, 2, 3), "16 16 1", "1 1 1"), ((4, 5, 6, 7), "32 16 1", "1 1 1")],
    {"lid": ("type wall;", [(2, 3)], "type fixedValue; value uniform"
             " (0.2 0 0);", ZERO),
     "inlet": ("type patch;", [(7, 4)], "type fixedValue; value uniform"
               " (0.2 0 0);", ZERO),
     "outlet": ("type patch;", [(5, 6)], ZERO, P0),
     "walls": ("type wall;", [(0, 1), (1, 2), (3, 0), (4, 5), (6, 7)], NOSLIP,
               ZERO)})
volumeOf(case, 3*0.1*0.1*0.01)
output = solve(case)
checkConservative("parts", case, output, ["walls", "lid"])

# What cannot leave is said, and lies evenly in the cells

case = prepare(
    "blocked", [(0, 0), (2, 0), (2, 1), (0, 1)],
    [((0, 1, 2, 3), "32 16 1", "1 1 1")],
    {"inlet": ("type patch;", [(3, 0)], "type fixedValue; value uniform"
               " (0.2 0 0);", ZERO),
     "outlet": ("type patch;", [(1, 2)], table(
         lambda t: 0.2 if t < 0.105 else 0.199), ZERO),
     "walls": ("type wall;", [(0, 1), (2, 3)], NOSLIP, ZERO)},
    endTime=0.4)
output = solve(case)
check("blocked.said", output.count("phi is not conservative") == 1
      and re.search(r"-1e-06\s+m3/s leave through patches that give the"
                    r"\s+velocity", output), output[-3000:])
net = Fluxes(case, "0.4").net
check("blocked.evenly", np.abs(net*512/(-0.001*0.1*0.01) - 1).max() < 1e-3,
      f"{net.min()} to {net.max()} m3/s")

# The same bits however often it was written: with more than 2000 cells the
# solver is multigrid, whose agglomerations would follow each other

# With the solutions of sound they may come out even
often = {}
for interval in (8, 10, 20, 40):
    case = side(f"often-{interval}", table(swing), n=28, endTime=0.4,
                writeInterval=interval, LBM="writtenFields lattice;")
    solve(case)
    often[interval] = [(case / "0.4" / f).read_bytes()
                       for f in ("U", "p", "phi")]
check("sameBits", all(files == often[40] for files in often.values()),
      f"U, p or phi differ: {[files == often[40] for files in often.values()]}")

# When: at writes, and when a functionObject wants phi

def count(name, functions, **options):
    case = side(f"when-{name}", "type fixedValue; value uniform (0.2 0 0);",
                n=8, endTime=0.2, **options)
    return len(re.findall(ERRORS, solve(case, functions)))


flow = ("flow {{ type surfaceFieldValue; libs (fieldFunctionObjects);"
        " regionType patch; name outlet; operation sum; fields ({});"
        " writeFields no; executeControl timeStep; executeInterval 5;"
        " writeControl timeStep; writeInterval 5; }}")
tracer = ("tracer { type scalarTransport; libs (solverFunctionObjects);"
          " field s; D 1e-5; }")

for name, functions, wanted in (
    ("none", "", 1),
    ("p", flow.format("p"), 1),
    ("phi", flow.format("phi"), 4),
    ("pattern", flow.format('"p.*"'), 4),
    # The string is no regular expression
    ("forces", "f { type forces; libs (forces); patches (walls); rho rhoInf;"
     ' rhoInf 1; CofR (0 0 0); note "((*"; }', 1),
    ("Courant", "c { type CourantNo; libs (fieldFunctionObjects); }", 20),
):
    n = count(name, functions)
    check(f"when.{name}", n == wanted, f"{n} times in place of {wanted}")

# Meshes of more than 100000 cells: only where it takes little, unless something
# is transported

def large(name, functions="", LBM=""):
    case = prepare(
        f"large-{name}", [(0, 0), (1, 0), (1, 1), (0, 1)],
        [((0, 1, 2, 3), "320 320 1", "1 1 1")],
        {"lid": ("type wall;", [(2, 3)], "type fixedValue; value uniform"
                 " (0.2 0 0);", ZERO),
         "walls": ("type wall;", [(0, 1), (1, 2), (3, 0)], NOSLIP, ZERO)},
        LBM=LBM, deltaT=0.001, endTime=0.002, writeInterval=2)
    if functions:
        transported(case)
    return case, solve(case, functions)


SCHEMES = """
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default none;
    div(phi,U) Gauss linear;
    div(phi,s) Gauss limitedLinear01 1;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
"""

SOLVERS = """
solvers
{
    "p.*" { solver GAMG; smoother GaussSeidel; tolerance 1e-9; relTol 0; }
    "(U|s).*"
    {
        solver PBiCGStab; preconditioner DILU; tolerance 1e-14; relTol 0;
    }
}
PIMPLE
{
    nOuterCorrectors 1; nCorrectors 3; nNonOrthogonalCorrectors 1;
    pRefCell 0; pRefValue 0;
}
"""


def transported(case, inlet=1, inside=0):
    """Add a scalar s, with this value at patches called inlet."""
    path = case / "system/fvSolution"
    LBM = path.read_text().split("\nLBM", 1)[1]
    path.write_text(HEADER.format("dictionary", "fvSolution") + SOLVERS
                    + "\nLBM" + LBM)
    (case / "system/fvSchemes").write_text(
        HEADER.format("dictionary", "fvSchemes") + SCHEMES)
    (case / "constant/turbulenceProperties").write_text(
        HEADER.format("dictionary", "turbulenceProperties")
        + "simulationType laminar;\n")
    boundary = (case / "constant/polyMesh/boundary").read_text()
    patches = ""
    for name, kind in re.findall(r"(\S+)\s*{\s*type\s+(\w+);", boundary):
        patches += f"{name} {{ " + {
            "empty": "type empty;", "wall": ZERO,
            "patch": f"type inletOutlet; inletValue uniform {inlet};"
            f" value uniform {inlet};",
        }[kind] + " }\n"
    (case / "0/s").write_text(
        HEADER.format("volScalarField", "s")
        + f"dimensions [0 0 0 0 0 0 0];\ninternalField uniform {inside};\n"
        f"boundaryField {{ {patches} }}\n")


case, output = large("few")
check("large.few", "conservative where that takes little" in output
      and not re.search(ERRORS, output), output[:3000])
case, output = large("yes", LBM="conservativeFlux yes;")
check("large.yes", len(re.findall(ERRORS, output)) == 1
      and worst(case) <= ASKED, worst(case))
case, output = large("tracer", tracer)
check("large.tracer", len(re.findall(ERRORS, output)) == 2
      and worst(case) <= ASKED, worst(case))

# scalarTransport. A uniform one stays; one that enters stays between 0 and 1,
# and what is inside is what has passed the boundary

for name, options in (
    ("conforming", {}),
    ("overlay", {"grading": "1 2 1"}),
):
    case = side(f"uniform-{name}", table(swing), deltaT=0.005,
                writeInterval=40, **options)
    transported(case, inside=1)
    solve(case, tracer)
    off = max(np.abs(readField(str(case/t/"s")).internal - 1).max()
              for t in times(case)[1:])
    # Measured: 3e-8; with interpolated fluxes 0.27
    check(f"uniform.{name}", off < 1e-6, f"off by {off}")

    case = side(f"enters-{name}", table(swing), deltaT=0.005, writeInterval=1,
                **options)
    transported(case, inside=0)
    path = case / "0/s"
    path.write_text(path.read_text().replace(
        "outlet { type inletOutlet; inletValue uniform 1",
        "outlet { type inletOutlet; inletValue uniform 0").replace(
        "side { type inletOutlet; inletValue uniform 1",
        "side { type inletOutlet; inletValue uniform 0"))
    # Diffusion does not pass the boundary that way
    output = solve(case, tracer.replace("1e-5", "0"))

    mustRun(["postProcess", "-func", "writeCellVolumes", "-time", "0.005"],
            case)
    volumes = np.ravel(readField(str(case / "0.005/V")).internal)
    inside, lost, outside = [], 0, 0
    written = times(case)[1:]
    for t, before in zip(written[1:], written):
        s = readField(str(case/t/"s"))
        values = np.broadcast_to(s.internal.ravel(), volumes.size)
        outside = max(outside, -values.min(), values.max() - 1)
        # s is written before it is advanced, with phi of the step before
        flux = Fluxes(case, before).boundary
        through = sum((flux[p]*np.broadcast_to(
            np.ravel(s.boundary[p].values), flux[p].size)).sum()
            for p in ("inlet", "outlet", "side"))
        inside.append((volumes*values).sum())
        if len(inside) > 1:
            lost = max(lost, abs(
                inside[-1] - inside[-2] + 0.005*through))
    # Measured: 5e-9; with interpolated fluxes 0.30
    check(f"bounds.{name}", outside < 1e-6, f"{outside} beyond 0 and 1")
    check(f"budget.{name}", lost < 1e-6*max(inside) and max(inside) > 1e-5,
          f"{lost} of {max(inside)} m3 appear in a step")

    # The same by pimpleFoam
    reference = side(f"pimpleFoam-{name}", table(swing), deltaT=0.005,
                     writeInterval=40, **options)
    transported(reference)
    (reference / "0/s").write_text(path.read_text())
    (reference / "system/controlDict").open("a").write(
        f"\nfunctions {{ {tracer.replace('1e-5', '0')} }}\n")
    mustRun("pimpleFoam", reference)
    differences = []
    for t in times(reference)[1:]:
        a = np.ravel(readField(str(case/t/"s")).internal)
        b = np.ravel(readField(str(reference/t/"s")).internal)
        differences.append(math.sqrt(
            (volumes*(a - b)**2).sum()/(volumes*b**2).sum()))
    # Measured: 0.031 and 0.026; with interpolated fluxes 0.105
    check(f"pimpleFoam.{name}", len(differences) == 5
          and max(differences) < 0.033, differences)

finish()
