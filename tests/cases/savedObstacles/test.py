"""savedObstacles: what is drawn into the lattice becomes a closed surface, sets
of cells and a case for finite volumes that runs, in two and three dimensions,
in each plane, beside walls and sides, on overlay lattices.
"""

from itertools import product

from caseTest import *

source = top / "tests/latticeSaveObstacles"
library = top / "build" / os.environ.get("WM_OPTIONS", "") \
    / "liblatticeSaveObstacles.so"

if shutil.which("wmake"):
    library.parent.mkdir(parents=True, exist_ok=True)
    mustRun(["wmake", "-s", "libso", str(source)], log="log.wmake")
if not library.exists():
    skipped("savedObstacles", f"no {library.name} and no wmake to build it")
    finish()

os.environ["LD_LIBRARY_PATH"] = \
    f"{library.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}"

HEADER = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"


class Box:
    """A block of cells: along x a flow from an inlet to an outlet, or along
    another axis; walls at the other sides."""

    def __init__(self, cells, dx=0.01, origin=(0, 0, 0), flow=0, empty=2,
                 grading=1, closed=False):
        self.cells = cells
        self.dx = dx
        self.origin = origin
        self.flow = flow
        self.empty = empty
        self.grading = grading
        self.closed = closed

    def centres(self):
        """Of the cells, in their order; equal cells only"""
        return [tuple(self.origin[d] + self.dx*(i[d] + 0.5) for d in range(3))
                for i in (tuple(reversed(j)) for j in product(
                    *(range(n) for n in reversed(self.cells))))]

    def write(self, name, LBM="", shapes="", extra=(), lines="", **entries):
        case = copyCase("cavity", name)
        shutil.rmtree(case / "0.orig", ignore_errors=True)
        corners = [tuple(self.origin[d] + c[d]*self.dx*self.cells[d]
                         for d in range(3))
                   for c in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
                             (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))]
        sides = [["(0 4 7 3)", "(1 2 6 5)"], ["(0 1 5 4)", "(3 7 6 2)"],
                 ["(0 3 2 1)", "(4 5 6 7)"]]
        walls = [f for d in range(3) if d not in (self.flow, self.empty)
                 for f in sides[d]]
        patches = [("inlet", "patch", [sides[self.flow][0]]),
                   ("outlet", "patch", [sides[self.flow][1]])]
        if self.closed:
            patches = [("lid", "wall", [sides[self.flow][1]])]
            walls.append(sides[self.flow][0])
        patches.append(("walls", "wall", walls))
        if self.empty is not None:
            patches.append(("frontAndBack", "empty", sides[self.empty]))

        text = lambda v: "(" + " ".join(str(x) for x in v) + ")"
        grading = ["1", "1", "1"]
        grading[self.flow] = str(self.grading)
        (case / "system/blockMeshDict").write_text(
            HEADER.format("dictionary", "blockMeshDict")
            + f"scale 1; vertices ({' '.join(map(text, corners))});\n"
            f"blocks (hex (0 1 2 3 4 5 6 7) {text(self.cells)}"
            f" simpleGrading {text(grading)}); edges ();\nboundary ("
            + " ".join(f"{n} {{ type {t}; faces ({' '.join(f)}); }}"
                       for n, t, f in patches)
            + ");\nmergePatchPairs ();\n")

        speed = [0, 0, 0]
        speed[(self.flow + 1) % 3 if self.closed else self.flow] = 1
        if self.closed and (self.flow + 1) % 3 == self.empty:
            speed = speed[-1:] + speed[:-1]
        fixed = f"type fixedValue; value uniform {text(speed)};"
        zero = "type zeroGradient;"
        empty = "frontAndBack { type empty; }" \
            if self.empty is not None else ""
        fields = [
            ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)",
             f"inlet {{ {fixed} }} outlet {{ {zero} }} lid {{ {fixed} }}"
             " walls { type noSlip; }"),
            ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0",
             f"inlet {{ {zero} }}"
             " outlet { type fixedValue; value uniform 0; }"
             f" lid {{ {zero} }} walls {{ {zero} }}"), *extra]
        for field, kind, dimensions, internal, boundary in fields:
            (case / "0" / field).write_text(
                HEADER.format(kind, field)
                + f"dimensions {dimensions};\n"
                f"internalField uniform {internal};\n"
                f"boundaryField {{ {boundary} {empty} }}\n")
        mustRun("blockMesh", case)
        setEntry(case / "constant/transportProperties", "nu", 0.002)
        for entry, value in {
            "deltaT": 0.01, "endTime": 0.02, "writeControl": "timeStep",
            "writeInterval": 2, "writePrecision": 10, **entries,
        }.items():
            setEntry(case / "system/controlDict", entry, value)
        (case / "system/controlDict").open("a").write(
            "\nfunctions\n{\n    saved\n    {\n"
            "        type latticeSaveObstacles;\n"
            "        libs (latticeSaveObstacles);\n"
            f"        {shapes}\n        writeControl writeTime;\n    }}\n"
            f"{lines}\n}}\n")
        (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
        return case


def box(low, high):
    return f"(({low[0]} {low[1]} {low[2]}) ({high[0]} {high[1]} {high[2]}))"


def within(centres, low, high, empty=None):
    return {i for i, c in enumerate(centres)
            if all(d == empty or low[d] < c[d] < high[d] for d in range(3))}


def saved(case):
    """The folder of the last time that was saved"""
    folder = case / "postProcessing/saved"
    return folder / max((p.name for p in folder.iterdir()), key=float)


def readSet(path):
    text = path.read_text()
    if not re.search(r"class\s+cellSet;", text):
        raise ValueError(f"{path} is no cellSet")
    return {int(i) for i in text[text.index("}") + 1:].split("(")[1]
            .split(")")[0].split()}


def readSurface(path):
    """Triangles, each of three points"""
    numbers = [tuple(float(x) for x in m.split()[1:]) for m in
               re.findall(r"vertex[^\n]*", path.read_text())]
    return [numbers[i:i + 3] for i in range(0, len(numbers), 3)]


def checkSurface(name, path, volume, low, high, tolerance=1e-6):
    """Closed, oriented, of this volume and these bounds; as surfaceCheck"""
    triangles = readSurface(path)
    edges = {}
    for t in triangles:
        keys = [tuple(round(x, 9) for x in p) for p in t]
        for i in range(3):
            edge = keys[i], keys[(i + 1) % 3]
            edges[edge] = edges.get(edge, 0) + 1
    wrong = [e for e, n in edges.items() if n != 1 or e[::-1] not in edges]
    check(f"{name}-closed", triangles and not wrong,
          f"{len(triangles)} triangles, {len(wrong)} edges, {wrong[:2]}")

    def det(a, b, c):
        return (a[0]*(b[1]*c[2] - b[2]*c[1]) + a[1]*(b[2]*c[0] - b[0]*c[2])
                + a[2]*(b[0]*c[1] - b[1]*c[0]))

    first = triangles[0][0]
    found = sum(det(*([x - o for x, o in zip(p, first)] for p in t))
                for t in triangles)/6
    check(f"{name}-volume", abs(found - volume) <= tolerance*volume,
          f"{found}, not {volume}")
    bounds = [[f(p[d] for t in triangles for p in t) for d in range(3)]
              for f in (min, max)]
    check(f"{name}-bounds",
          all(abs(a - b) < 1e-9 + tolerance*1e-2 for got, want in
              zip(bounds, (low, high)) for a, b in zip(got, want)), bounds)

    output = mustRun(["surfaceCheck", path.name], path.parent)
    check(f"{name}-surfaceCheck", "Surface is closed." in output
          and "illegal" not in output.replace("no illegal", ""),
          "\n".join(output.splitlines()[-40:]))


def checkSets(name, case, expected):
    """drawn and notDrawn, in the mesh and beside the surface"""
    cells = int(re.search(r"nCells:\s*(\d+)", (
        case / "constant/polyMesh/owner").read_text())[1])
    for folder in (saved(case), case / "constant/polyMesh/sets"):
        drawn = readSet(folder / "drawn")
        rest = readSet(folder / "notDrawn")
        check(f"{name}-{folder.name}", drawn == expected
              and rest == set(range(cells)) - drawn,
              f"{len(drawn)} drawn, {len(rest)} not, of {cells};"
              f" {len(drawn ^ expected)} wrong")


def finiteVolume(name, case, solver="icoFoam", *arguments):
    """Run Allrun.finiteVolume from elsewhere; returns what it prints"""
    folder = saved(case) / "finiteVolume"
    status, output = run(
        [str((folder / "Allrun.finiteVolume").resolve()), *arguments],
        case, log="log.finiteVolume")
    log = folder / f"log.{solver}"
    check(f"{name}-finiteVolume", status == 0 and log.exists()
          and re.search(r"^End", log.read_text(), re.M), output[-1500:])
    return output


# A square in a channel, not at the origin

low, high = (0.40, -0.14, 0), (0.46, -0.08, 1)
mesh = Box((48, 20, 1), origin=(0.3, -0.2, 0.05))
forces = """    forces1 { type latticeForces; libs (latticeForces);
        patches (walls); rhoInf 1; CofR (0 0 0); }"""
case = mesh.write("square", shapes=f"boxes ({box(low, high)});", lines=forces,
                  endTime=0.4, writeInterval=40)
output = mustRun("lbmGpuFoam", case)
check("says", "Saved obstacles: 36 nodes, 36 cells of 960" in output,
      output[-2000:])
checkSurface("square", saved(case) / "drawn.stl", 0.06*0.06*0.01,
             (0.40, -0.14, 0.05), (0.46, -0.08, 0.06))
checkSets("square", case, within(mesh.centres(), low, high, 2))
folder = saved(case) / "finiteVolume"
output = finiteVolume("square", case)
check("compares", re.search(r"^Case  ", output, re.M)
      and len(re.findall(r"^(?:U|p) ", output, re.M)) >= 2, output)

boundary = (folder / "constant/polyMesh/boundary").read_text()
drawn = re.search(r"drawn\s*\{[^}]*\}", boundary)
check("wall", drawn and re.search(r"type\s+wall;", drawn[0])
      and re.search(r"nFaces\s+24;", drawn[0]), boundary)
control = (folder / "system/controlDict").read_text()
check("functions", "latticeSaveObstacles" not in control
      and re.search(r"type\s+forces;", control)
      and (folder / "postProcessing/forces1/0/force.dat").exists(), control)
courant = [float(x) for x in re.findall(r"Courant Number.*max: (\S+)", (
    folder / "log.icoFoam").read_text())]
check("Courant", 0.1 < max(courant) < 0.5, max(courant))

# The lattice with the same hole: what the comparison is to show once the
# lattice has the square itself
hole = copyCase(folder, "hole")
for part in ("constant/polyMesh", "0"):
    shutil.copytree(folder / part, hole / part, dirs_exist_ok=True)
shutil.copy(case / "system/controlDict", hole / "system")
(hole / "system/controlDict").open("a").write("functions { }\n")
mustRun("lbmGpuFoam", hole)
status, output = run(
    ["compareFields", "-reference", str(folder.resolve()), "-fields", "(U p)",
     "-time", "latestTime", "-referenceTime", "latestTime",
     "-tolerance", "(U 0.06 p 0.08)"], hole)
check("sameFlow", status == 0, output[-1500:])

# Again, by a relative path; schemes that were changed stay
(folder / "system/fvSchemes").open("a").write("// changed\n")
before = (folder / "0.4/U").read_bytes()
(folder / "0.4/U").unlink()
finiteVolume("again", case)
check("again-same", (folder / "0.4/U").read_bytes() == before, "U differs")
check("again-kept", "// changed" in (
    folder / "system/fvSchemes").read_text(), "fvSchemes was replaced")
mustRun([str((folder / "Allclean").resolve())], case, log="log.Allclean")
left = sorted(str(p.relative_to(folder)) for p in folder.rglob("*")
              if p.is_file())
check("Allclean", left == [
    "Allclean", "Allrun.finiteVolume", "system/changeDictionaryDict",
    "system/controlDict"], left)

# Other planes; at a wall, at the outlet

for empty, flow in ((0, 1), (1, 2)):
    cells = [20, 20, 20]
    cells[flow], cells[empty] = 30, 1
    mesh = Box(cells, origin=(-0.1, 0.2, 0.3), flow=flow, empty=empty)
    wall = 3 - empty - flow
    low, high = list(mesh.origin), list(mesh.origin)
    low[flow] += 0.1
    high[flow] += 0.15
    high[wall] += 0.07
    high[empty] += 0.01
    low2, high2 = list(low), list(high)
    low2[flow], high2[flow] = mesh.origin[flow] + 0.27, mesh.origin[flow] + 0.3
    low2[wall], high2[wall] = mesh.origin[wall] + 0.1, mesh.origin[wall] + 0.15
    case = mesh.write(f"empty{empty}", shapes=
                      f"boxes ({box(low, high)} {box(low2, high2)});")
    mustRun("lbmGpuFoam", case)
    checkSurface(
        f"empty{empty}", saved(case) / "drawn.stl",
        (0.05*0.07 + 0.03*0.05)*0.01,
        [min(a, b) for a, b in zip(low, low2)],
        [max(a, b) for a, b in zip(high, high2)])
    checkSets(f"empty{empty}", case,
              within(mesh.centres(), low, high, empty)
              | within(mesh.centres(), low2, high2, empty))
    finiteVolume(f"empty{empty}", case)

# Three dimensions: a block; cubes that meet at an edge and at a corner alone

mesh = Box((16, 12, 10), empty=None)
blocks = [((0.03, 0.02, 0.02), (0.05, 0.06, 0.06)),
          ((0.05, 0.06, 0.03), (0.06, 0.07, 0.05)),
          ((0.06, 0.07, 0.05), (0.07, 0.08, 0.06))]
case = mesh.write("cubes", shapes="boxes ("
                  + " ".join(box(*b) for b in blocks) + ");")
mustRun("lbmGpuFoam", case)
checkSurface("cubes", saved(case) / "drawn.stl",
             0.02*0.04*0.04 + 0.01*0.01*0.02 + 0.01**3,
             (0.03, 0.02, 0.02), (0.07, 0.08, 0.06), tolerance=2e-3)
checkSets("cubes", case,
          set().union(*(within(mesh.centres(), *b) for b in blocks)))
finiteVolume("cubes", case)

# Several nodes a cell: cells more than half of which is drawn

mesh = Box((20, 10, 1))
case = mesh.write("refined", "refinement 3;", "boxes ("
                  + box((0.0534, -1, -1), (0.0766, 0.0434, 1)) + ");")
mustRun("lbmGpuFoam", case)
checkSurface("refined", saved(case) / "drawn.stl",
             0.01*0.07/3*0.13/3, (0.16/3, 0, 0), (0.23/3, 0.13/3, 0.01))
checkSets("refined", case,
          within(mesh.centres(), (0.05, 0, 0), (0.08, 0.04, 1)))

# An overlay lattice: cells smaller and larger than its spacing

mesh = Box((40, 16, 1), grading=6)
case = mesh.write("graded", shapes="balls (((0.15 0.08 0) 0.035));",
                  deltaT=0.005)
output = mustRun("lbmGpuFoam", case)
text = (case / "constant/polyMesh/points").read_text()
points = [tuple(map(float, m)) for m in re.findall(
    r"\(([-\d.e]+) ([-\d.e]+) ([-\d.e]+)\)", text)]
xs = sorted({round(p[0], 8) for p in points})
centres = [((xs[i] + xs[i + 1])/2, (j + 0.5)*0.01)
           for j in range(16) for i in range(40)]
radius = [((x - 0.15)**2 + (y - 0.08)**2)**0.5 for x, y in centres]
drawn = readSet(saved(case) / "drawn")
check("graded-lattice", "laid" in output or "verlay" in output, output[:3000])
check("graded-cells", all(radius[i] < 0.045 for i in drawn)
      and all(i in drawn for i, r in enumerate(radius) if r < 0.025)
      and len(drawn) > 20, sorted(drawn))
triangles = readSurface(saved(case) / "drawn.stl")
r = max(((p[0] - 0.15)**2 + (p[1] - 0.08)**2)**0.5
        for t in triangles for p in t)
check("graded-surface", abs(r - 0.035) < 0.01, r)
finiteVolume("graded", case)

# A ring encloses fluid; no pressure is given, and the reference cell is drawn

mesh = Box((20, 20, 1), flow=1, closed=True)
ring = [((0.05, 0.05, -1), (0.15, 0.07, 1)),
        ((0.05, 0.13, -1), (0.15, 0.15, 1)),
        ((0.05, 0.05, -1), (0.07, 0.15, 1)),
        ((0.13, 0.05, -1), (0.15, 0.15, 1)),
        ((0, 0, -1), (0.02, 0.02, 1))]
case = mesh.write("ring", shapes="boxes ("
                  + " ".join(box(*b) for b in ring) + ");")
output = mustRun("lbmGpuFoam", case)
check("ring-says", "36 cells are cut off" in output, output[-1500:])
checkSets("ring", case, set().union(
    *(within(mesh.centres(), *b, 2) for b in ring)))
check("ring-fluid", len(readSet(saved(case) / "fluid"))
      == 400 - 64 - 4 - 36, "wrong number")
output = finiteVolume("ring", case)
check("ring-mean", '-removeMean "(p)"' in (
    saved(case) / "finiteVolume/Allrun.finiteVolume").read_text()
      and re.search(r"^p ", output, re.M), output)

# Turbulence: the wall functions of the walls; pisoFoam

scalar = "volScalarField"
ends = "inlet { type fixedValue; value uniform %s; }" \
    " outlet { type zeroGradient; } "
case = Box((24, 12, 1)).write(
    "turbulent",
    shapes="boxes (" + box((0.1, 0.04, -1), (0.14, 0.08, 1)) + ");",
    extra=(("k", scalar, "[0 2 -2 0 0 0 0]", "0.01", ends % 0.01
            + '"wal.*" { type kqRWallFunction; value uniform 0.01; }'),
           ("epsilon", scalar, "[0 2 -3 0 0 0 0]", "0.1", ends % 0.1
            + "wall { type epsilonWallFunction; E 9.1;"
            " value $internalField; }"),
           ("nut", scalar, "[0 2 -1 0 0 0 0]", "0",
            "inlet { type calculated; value uniform 0; }"
            " outlet { type calculated; value uniform 0; }"
            " walls { type nutkWallFunction;"
            "   value nonuniform List<scalar> 48(" + "0 "*48 + "); }")))
setEntry(case / "constant/transportProperties", "nu", 1e-4)
setEntry(case / "constant/transportProperties", "transportModel", "Newtonian")
(case / "constant/turbulenceProperties").write_text(
    HEADER.format("dictionary", "turbulenceProperties")
    + "simulationType RAS; RAS { RASModel kEpsilon; turbulence on; }\n")
(case / "system/fvSolution").open("a").write(
    "solvers {" + " ".join(
        f"{field} {{ solver smoothSolver; smoother symGaussSeidel;"
        " tolerance 1e-6; relTol 0; }" for field in ("k", "epsilon"))
    + " }\n")
(case / "system/fvSchemes").open("a").write(
    "divSchemes { default none; div(phi,U) Gauss linear;"
    " div(phi,k) Gauss upwind; div(phi,epsilon) Gauss upwind;"
    " div((nuEff*dev2(T(grad(U))))) Gauss linear; }\n"
    "wallDist { method meshWave; }\n")
mustRun("lbmGpuFoam", case)
finiteVolume("turbulent", case, "pisoFoam")
folder = saved(case) / "finiteVolume"
for field, wanted in (
    ("k", r"type\s+kqRWallFunction;.*value\s+uniform 0.01;"),
    ("epsilon", r"type\s+epsilonWallFunction;.*E\s+9.1;"),
    ("nut", r"type\s+nutkWallFunction;"),
    ("U", r"type\s+noSlip;"), ("p", r"type\s+zeroGradient;"),
):
    found = re.search(r"drawn\s*\{[^}]*\}", (folder / "0" / field).read_text())
    check(f"turbulent-{field}", found and re.search(wanted, found[0], re.S),
          found and found[0])
changes = (folder / "system/changeDictionaryDict").read_text()
check("turbulent-values", len(re.findall(r"value\s+uniform [\d.]+;", changes))
      == 3, changes)

# The same with PIMPLE; fields in binary, compressed

case = copyCase(case, "pimple")
mustRun("blockMesh", case)
(case / "system/fvSolution").open("a").write(
    'PIMPLE { nCorrectors 2; } solvers { "(U|k|epsilon)Final" {'
    " solver smoothSolver; smoother symGaussSeidel; tolerance 1e-6; } }\n")
setEntry(case / "system/controlDict", "writeFormat", "binary")
setEntry(case / "system/controlDict", "writeCompression", "on")
mustRun("lbmGpuFoam", case)
output = finiteVolume("pimple", case, "pimpleFoam")
check("pimple-compares", re.search(r"^U .*", output, re.M), output)

# Steady state: simpleFoam. The sides are cyclic, and one of them is drawn on

case = Box((24, 12, 1)).write(
    "steady", "iterationSteps 20;", "boxes ("
    + box((0.1, -1, -1), (0.14, 0.03, 1)) + ");", deltaT=1, endTime=4,
    extra=(("omega", scalar, "[0 0 -1 0 0 0 0]", "3",
            ends % 3 + "walls { }"),))
path = case / "system/blockMeshDict"
path.write_text(re.sub(
    r"walls \{[^}]*\}",
    "low { type cyclic; neighbourPatch high; faces ((0 1 5 4)); }"
    " high { type cyclic; neighbourPatch low; faces ((3 7 6 2)); }",
    path.read_text()))
for field in ("U", "p", "omega"):
    path = case / "0" / field
    path.write_text(re.sub(
        r"walls \{[^}]*\}", "low { type cyclic; } high { type cyclic; }",
        path.read_text()))
mustRun("blockMesh", case)
(case / "system/fvSolution").open("a").write(
    "SIMPLE { } relaxationFactors { equations { U 0.9; } fields { p 0.3; } }\n")
(case / "system/fvSchemes").open("a").write(
    "ddtSchemes { default steadyState; }\n"
    "divSchemes { div((nuEff*dev2(T(grad(U))))) Gauss linear; }\n")
(case / "constant/transportProperties").open("a").write(
    "transportModel Newtonian;\n")
(case / "constant/turbulenceProperties").write_text(
    HEADER.format("dictionary", "turbulenceProperties")
    + "simulationType laminar;\n")
mustRun("lbmGpuFoam", case)
output = finiteVolume("steady", case, "simpleFoam")
check("steady-compares", re.search(r"^U .*", output, re.M), output)
boundary = (saved(case) / "finiteVolume/constant/polyMesh/boundary").read_text()
check("steady-cyclic", re.search(r"drawn\s*\{[^}]*nFaces\s+14;", boundary)
      and len(re.findall(r"nFaces\s+20;", boundary)) == 2, boundary)

# No other wall has an entry for omega
changes = (saved(case) / "finiteVolume/system/changeDictionaryDict").read_text()
check("steady-omega", re.search(
    r"omegaWallFunction;\s*value\s+uniform 3;", changes), changes)

# Nothing drawn

case = Box((20, 10, 1)).write("nothing")
output = mustRun("lbmGpuFoam", case)
check("nothing", "Nothing is drawn" in output
      and not (case / "postProcessing/saved").exists()
      and not (case / "constant/polyMesh/sets").exists(), output[-1500:])

finish()
