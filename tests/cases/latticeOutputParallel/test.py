"""latticeOutput of several processes: VTK reads the nodes and values of a serial
run from the pieces, float for float, and shows each cell once, whatever the
decomposition. If one process cannot write, all stop and what was there stays.
"""

import xml.etree.ElementTree as xml

from channelCase import *
from parallelCase import decompose, environment

libraries = [Path(d) / "liblatticeOutput.so"
             for d in os.environ.get("LD_LIBRARY_PATH", "").split(":")]

if not any(library.exists() for library in libraries):
    skipped("latticeOutputParallel", "built without VTK (libvtk9-dev)")
    finish()

try:
    import numpy as np
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import (
        vtkXMLMultiBlockDataReader, vtkXMLPImageDataReader)
except ImportError:
    skipped("latticeOutputParallel", "no VTK for python")
    finish()

NAMES = ("U", "p", "flags", "wallDistance", "patch")

#: vtkDataSetAttributes
DUPLICATE, HIDDEN = 1, 2


def series(case):
    root = xml.parse(case / "postProcessing/nodes/nodes.pvd").getroot()
    return [(float(e.get("timestep")), case / "postProcessing/nodes"
             / e.get("file")) for e in root.iter("DataSet")]


def images(file):
    """Those that a file names."""
    image = file.suffix == ".pvti"
    reader = vtkXMLPImageDataReader() if image else vtkXMLMultiBlockDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    if image:
        return [reader.GetOutput()]
    iterator = reader.GetOutput().NewIterator()
    found = []
    while not iterator.IsDoneWithTraversal():
        found.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    return found


def array(data, name, default):
    found = data.GetArray(name)
    return default if found is None else vtk_to_numpy(found)


def points(image):
    """Coordinates of the points, as VTK computes them, [nz][ny][nx][3]."""
    n = image.GetDimensions()
    return np.array([image.GetPoint(i) for i in range(np.prod(n))]).reshape(
        *n[::-1], 3)


def contents(image):
    """By place: of points that are not hidden, whether they are duplicates, and
    their values; of the lowest corners of the cells that VTK shows, how many.
    """
    n = image.GetDimensions()[::-1]
    x = points(image)
    data = image.GetPointData()
    ghosts = array(data, "vtkGhostType", np.zeros(np.prod(n), np.uint8))
    values = [array(data, name, None) for name in NAMES]

    places = [p.tobytes() for p in x.reshape(-1, 3)]
    nodes = {
        places[i]: (int(ghosts[i]), [v[i].tobytes() for v in values])
        for i in np.flatnonzero(ghosts & HIDDEN == 0)
    }

    dimension = sum(m > 1 for m in points.whole)
    corners = np.arange(np.prod(n)).reshape(n)[
        tuple(slice(0, max(m - 1, 1)) for m in n)].ravel()
    cells = [
        places[corners[i]] for i in range(image.GetNumberOfCells())
        if image.IsCellVisible(i)
        and image.GetCell(i).GetCellDimension() == dimension
    ]
    return nodes, cells


def clean(case):
    for time in times(case):
        if float(time) > 0:
            shutil.rmtree(case / time)


def prepare(case, LBM="", **entries):
    for entry, value in {"endTime": 0.02, "writeInterval": 4,
                         "writeControl": "timeStep", "writePrecision": 12,
                         "deltaT": 0.005, "startFrom": "startTime",
                         **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    path = case / "system/fvSolution"
    text = re.sub(r"\nLBM\s*\{.*?\n?\}\n", "\n", path.read_text(), flags=re.S)
    path.write_text(text + "\nLBM { backend host; initialProjection no;"
                    f" conservativeFlux no; {LBM} }}\n")
    (case / "system/controlDict").open("a").write(
        "\nfunctions { nodes { type latticeOutput; libs (latticeOutput);"
        f" fields ({' '.join(NAMES)}); writeControl writeTime; }} }}\n")
    return case


def compare(case, decompositions):
    """decompositions: number, method, and the kind of file that is right"""
    mustRun("lbmGpuFoam", case)
    time, file = series(case)[-1]
    whole, = images(file)
    points.whole = whole.GetDimensions()
    nodes, cells = contents(whole)

    for n, method, kind in decompositions:
        name = f"{case.name}.{n}.{method.replace(' ', '')}"
        decompose(case, n, method)
        clean(case)
        mustRun(f"mpirun -np {n} lbmGpuFoam -parallel", case,
                environment=environment)

        found = series(case)
        check(f"{name}.series",
              len(found) == 1 and found[0][0] == time
              and found[0][1].name == f"lattice.{kind}", found)
        folder = found[0][1].parent
        files = sorted(f.name for f in folder.iterdir())
        expected = [f"lattice.{kind}"] + [f"lattice_{i}.vti" for i in range(n)]
        check(f"{name}.files", files == sorted(expected), files)

        parts = images(found[0][1])
        check(f"{name}.time", all(
            vtk_to_numpy(part.GetFieldData().GetArray("TimeValue")) == [time]
            for part in parts), parts)

        if kind == "pvti":
            check(f"{name}.whole", len(parts) == 1
                  and parts[0].GetDimensions() == whole.GetDimensions(),
                  parts[0].GetDimensions())

        own, all_, seen = {}, [], []
        for part in parts:
            partNodes, partCells = contents(part)
            all_ += partNodes.items()
            seen += partCells
            own.update((x, v) for x, v in partNodes.items() if v[0] == 0)

        count = sum(v[0] == 0 for _, v in all_)
        check(f"{name}.nodes", own.keys() == nodes.keys()
              and count == len(nodes), f"{count} instead of {len(nodes)}")
        for i, field in enumerate(NAMES):
            wrong = sum(x not in nodes or v[1][i] != nodes[x][1][i]
                        for x, v in all_)
            check(f"{name}.{field}", wrong == 0 and len(all_) >= len(nodes),
                  f"{wrong} of {len(all_)} differ")
        check(f"{name}.cells", sorted(seen) == sorted(cells),
              f"{len(seen)}, {len(set(seen))} places instead of {len(cells)}")


# A closed box, whose pressure is relative to a cell, and not in the plane of
# x and y

case = copyCase("cavity", "closed")
for path in (case / "system/blockMeshDict", case / "0/U"):
    head, vertices, rest = re.fullmatch(
        r"(.*?)(vertices.*?;|$)(.*)", path.read_text(), re.S).groups()
    if path.name == "U":
        head, vertices = "", head
    path.write_text(head + re.sub(
        r"\((\S+) (\S+) (\S+)\)", r"(\2 \3 \1)", vertices) + rest)
mustRun("blockMesh", case)
prepare(case, "precision double;")
setEntry(case / "system/fvSolution", "PISO/pRefCell", 190)
compare(case, ((2, "1 1 2", "pvti"), (3, "random", "vtm")))

# A lattice laid over the mesh, with nodes that are missing

case = copyCase("cylinder2D", "cylinder")
mustRun("blockMesh", case)
prepare(case, "latticeSpacing 0.02;", deltaT=0.01, endTime=0.04)
compare(case, ((3, "3 1 1", "vtm"), (4, "random", "vtm")))

# In three dimensions: several nodes a cell, and laid over the mesh

for name, LBM in (("box", "refinement 2;"),
                  ("overlay", "latticeSpacing 0.0071;")):
    case = copyCase("cavity", name)
    mesh = case / "system/blockMeshDict"
    mesh.write_text(mesh.read_text().replace("(20 20 1)", "(8 8 6)")
                    .replace("empty", "wall").replace(" 0.1)", " 0.75)"))
    for field, condition in (("U", "noSlip"), ("p", "zeroGradient")):
        path = case / "0" / field
        path.write_text(path.read_text().replace("empty", condition))
    mustRun("blockMesh", case)
    prepare(case, LBM)
    compare(case, ((4, "2 1 2", "pvti"), (3, "random", "vtm")))

# A reference cell whose value is made of nodes of other processes

case = copyCase("cavity", "reference")
mustRun("blockMesh", case)
prepare(case, "latticeSpacing 0.0071;")
setEntry(case / "system/fvSolution", "PISO/pRefCell", 190)
compare(case, ((3, "random", "vtm"),))

# Cyclic patches whose other side is another process's, of both meshes

for name, grading in (("cyclic", "1 1"), ("cyclicOverlay", "1 2")):
    case = channel(name, cells="24 12", grading=grading)
    prepare(case, "latticeSpacing 0.007;" if grading == "1 2" else "")
    compare(case, ((2, "2 1 1", "pvti"), (3, "random", "vtm")))

# A serial run in the place of a parallel one leaves none of its files

clean(case)
mustRun("lbmGpuFoam", case)
folder = series(case)[-1][1].parent
files = sorted(f.name for f in folder.iterdir())
check("filesOfSerialRun", files == ["lattice.pvti", "lattice_0.vti"], files)

# Going on with boxes that overlap: all times of the list are of one type

setEntry(case / "system/controlDict", "startFrom", "latestTime")
setEntry(case / "system/controlDict", "endTime", 0.04)
decompose(case, 3, "random")
mustRun("mpirun -np 3 lbmGpuFoam -parallel", case, environment=environment)
found = [(time, file.name, len(images(file))) for time, file in series(case)]
check("oneType", found == [(0.02, "lattice.vtm", 1), (0.04, "lattice.vtm", 3)],
      found)

# A process that cannot write: all stop, and what was there stays

case = Path("closed")
clean(case)
output = mustRun("mpirun -np 3 lbmGpuFoam -parallel", case,
                 environment=environment)
folder = series(case)[-1][1].parent
before = {file: file.read_bytes()
          for file in (case / "postProcessing").rglob("*") if file.is_file()}

for name in ("lattice_1.vti", "lattice_2.vti", "lattice.vtm"):
    blocked = folder / f"{name}.part"
    (blocked / "in the way").mkdir(parents=True)
    status, output = run("mpirun -np 3 lbmGpuFoam -parallel", case,
                         environment=environment)
    shutil.rmtree(blocked)
    check(f"says-{name}", status not in (0, 134, 139) and re.search(
        rf'could not write ".*/nodes/0.02/{name}"', output), output[-2000:])
    after = {file: file.read_bytes()
             for file in (case / "postProcessing").rglob("*")
             if file.is_file()}
    check(f"leaves-{name}", after == before,
          sorted(after.keys() ^ before.keys()) or "other contents")

finish()
