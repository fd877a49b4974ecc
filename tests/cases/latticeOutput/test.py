"""latticeOutput: VTK reads back the fields of OpenFOAM, at the places of the
cells, in each plane and with gaps in the box; kinds, distances and patches of
the nodes are right; times are listed, also over a restart; bad entries stop.
"""

import re
import sys
import xml.etree.ElementTree as xml

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

libraries = [Path(d) / "liblatticeOutput.so"
             for d in os.environ.get("LD_LIBRARY_PATH", "").split(":")]

if not any(library.exists() for library in libraries):
    skipped("latticeOutput", "built without VTK (libvtk9-dev)")
    finish()

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPImageDataReader
except ImportError:
    skipped("latticeOutput", "no VTK for python")
    finish()


def addFunction(case, **entries):
    text = "".join(f" {k} {v};" for k, v in {
        "fields": "(U p flags wallDistance patch)",
        "writeControl": "writeTime", **entries}.items())
    (case / "system/controlDict").open("a").write(
        "\nDebugSwitches { latticeFields 1; }\n"
        f"functions {{ nodes {{ type latticeOutput; libs (latticeOutput);"
        f"{text} }} }}\n")


def read(case, time):
    """Points [n][3], arrays by name, dimensions"""
    reader = vtkXMLPImageDataReader()
    reader.SetFileName(str(case / f"postProcessing/nodes/{time}/lattice.pvti"))
    reader.Update()
    image = reader.GetOutput()
    data = image.GetPointData()
    points = np.array([image.GetPoint(i)
                       for i in range(image.GetNumberOfPoints())])
    return points, {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i))
                    for i in range(data.GetNumberOfArrays())}, \
        image.GetDimensions()


def cellCentres(case):
    mustRun("postProcess -func writeCellCentres -latestTime", case)
    return np.array(readField(
        str(case / times(case)[-1] / "C")).internal)


def compare(name, case, refinement=1):
    """The image against the fields of the last time"""
    time = times(case)[-1]
    points, arrays, _ = read(case, time)
    U = np.array(readField(str(case / time / "U")).internal)
    p = np.array(readField(str(case / time / "p")).internal)
    C = cellCentres(case)
    fluid = arrays["flags"] > 0
    hidden = arrays.get("vtkGhostType", np.zeros(len(points))) > 0
    check(f"{name}-hidden", np.array_equal(hidden, ~fluid),
          f"{hidden.sum()} hidden, {(~fluid).sum()} solid")

    # Mean of the nodes of each cell: of those nearest to it
    nodes = np.flatnonzero(fluid)
    nearest = np.array([np.abs(C - x).max(axis=1).argmin()
                        for x in points[nodes]])
    count = np.bincount(nearest, minlength=len(C))
    per = refinement**2
    check(f"{name}-places", (count == per).all(), count)

    def mean(field):
        return np.array([np.bincount(nearest, f[nodes], len(C))/per
                         for f in field.T]).T

    if refinement == 1:
        offset = np.abs(points[nodes] - C[nearest]).max()
        check(f"{name}-centres", offset < 1e-9, offset)
    error = abs(mean(arrays["U"]) - U).max()/abs(U).max()
    check(f"{name}-U", error < 3e-7, error)
    error = abs(mean(arrays["p"][:, None])[:, 0] - p).max()/abs(p).max()
    check(f"{name}-p", error < 3e-7, error)


def prepare(source, name, lbm="precision double;", **entries):
    case = copyCase(source, name)
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.2, "writeInterval": 20,
                         "writePrecision": 12}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ writtenFields lattice; {lbm} }}\n")
    addFunction(case, **entries)
    return case


# Cavity: values, kinds, distances, patches

case = prepare("cavity", "plain")
output = mustRun("lbmGpuFoam", case)
compare("cavity", case)
points, arrays, dimensions = read(case, "0.2")
check("dimensions", dimensions == (20, 20, 1), dimensions)

flags = arrays["flags"].reshape(20, 20)
expected = np.ones((20, 20))
expected[-1] = 5
expected[0] = expected[:, 0] = expected[:, -1] = 6
check("flags", np.array_equal(flags, expected), flags)

distance = arrays["wallDistance"].reshape(20, 20)
check("wallDistance",
      np.allclose(distance, np.where(expected > 1, 0.0025, -1)), distance)

names = re.findall(r"^    (\w+)\n    {", (
    case / "constant/polyMesh/boundary").read_text(), re.M)
patch = arrays["patch"].reshape(20, 20)
expected = np.full((20, 20), -1)
expected[-1] = names.index("movingWall")
expected[0] = expected[:, 0] = expected[:, -1] = names.index("fixedWalls")
# Both are as near in the upper corners
wrong = patch != expected
wrong[-1, [0, -1]] = False
check("patch", not wrong.any() and (patch[-1, [0, -1]] >= 0).all(), patch)

size = (case / "postProcessing/nodes/0.2/lattice_0.vti").stat().st_size
check("compressed", size < 400*(12 + 4 + 1 + 4 + 4), size)

# The lattice is read for the writes of fields alone; a run goes on
case = prepare("cavity", "series", writeControl="timeStep", writeInterval=10,
               fields="(p)")
setEntry(case / "system/controlDict", "endTime", 0.1)
output = mustRun("lbmGpuFoam", case)
found = re.findall(r"^Reading the lattice at time (\S+),", output, re.M)
check("fieldsAreReadForWritesOnly", found == ["0.1"], found)
_, arrays, _ = read(case, "0.05")
check("onlyWhatIsAskedFor", list(arrays) == ["p"], list(arrays))
# In a step without reading, p is relative to its reference cell all the same
check("pReference", arrays["p"][0] == 0 and abs(arrays["p"]).max() > 0,
      arrays["p"][:3])

setEntry(case / "system/controlDict", "startFrom", "latestTime")
setEntry(case / "system/controlDict", "endTime", 0.2)
mustRun("lbmGpuFoam", case)


def series(case):
    root = xml.parse(case / "postProcessing/nodes/nodes.pvd").getroot()
    return [(float(e.get("timestep")), e.get("file"))
            for e in root.iter("DataSet")]


expected = [(t, f"{t:g}/lattice.pvti") for t in (0.05, 0.1, 0.15, 0.2)]
check("series", series(case) == expected, series(case))
check("seriesFiles", all((case / "postProcessing/nodes" / f).exists()
                         for _, f in expected), "files are missing")

# From the start again: no times of the earlier run behind the present one
setEntry(case / "system/controlDict", "startFrom", "startTime")
setEntry(case / "system/controlDict", "endTime", 0.1)
mustRun("lbmGpuFoam", case)
check("seriesAgain", series(case) == expected[:2], series(case))

# Gaps in the box; another plane; several nodes a cell

clipped = Path(os.environ.get("FOAM_TUTORIALS", "")) \
    / "incompressible/icoFoam/cavity/cavityClipped"
if clipped.is_dir():
    # Its initial fields are mapped elsewhere; here they are written
    case = copyCase("cavity", "clipped")
    shutil.copy(clipped / "system/blockMeshDict", case / "system")
    for field in ("U", "p"):
        path = case / "0" / field
        text = (clipped / "0" / field).read_text()
        path.write_text(re.sub(
            r"internalField[^;]*;", "internalField uniform "
            + ("(0 0 0);" if field == "U" else "0;"), text, flags=re.S))
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.2, "writeInterval": 20,
                         "writePrecision": 12}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        "\nLBM { precision double; writtenFields lattice; }\n")
    addFunction(case)
    mustRun("lbmGpuFoam", case)
    _, arrays, _ = read(case, "0.2")
    check("clippedHasGaps", (arrays["flags"] == 0).any(), "no solid node")
    compare("clipped", case)

case = prepare("cavity", "refined", "precision double; refinement 3;")
mustRun("lbmGpuFoam", case)
compare("refined", case, 3)

for turn, expected in ((1, (1, 20, 20)), (2, (20, 1, 20))):
    case = copyCase("cavity", f"turned{turn}")

    def turned(match):
        return "(" + " ".join(np.roll(match.group(1).split(), turn)) + ")"

    for path in (case / "system/blockMeshDict", case / "0/U"):
        text = path.read_text()
        if path.name == "U":
            text = re.sub(r"\((\S+ \S+ \S+)\)", turned, text)
        else:
            head, rest = text.split("vertices", 1)
            vertices, rest = rest.split(";", 1)
            text = head + "vertices" + re.sub(
                r"\((\S+ \S+ \S+)\)", turned, vertices) + ";" + rest
        path.write_text(text)
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.2, "writeInterval": 20,
                         "writePrecision": 12}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        "\nLBM { precision double; writtenFields lattice; }\n")
    addFunction(case)
    mustRun("lbmGpuFoam", case)
    check(f"turned{turn}-dimensions", read(case, "0.2")[2] == expected,
          read(case, "0.2")[2])
    compare(f"turned{turn}", case)

# Bad entries; no lattice

case = prepare("cavity", "bad", fields="(U T)")
status, output = run("lbmGpuFoam", case)
message = output[output.find("FOAM FATAL"):]
check("badField", status not in (0, 134, 139)
      and "FOAM FATAL IO ERROR" in message and "controlDict" in message
      and "found T" in message and "wallDistance" in message,
      f"status {status}: {message}")

case = prepare("cavity", "noLattice")
for command in ("icoFoam", "lbmGpuFoam -postProcess"):
    status, output = run(command, case)
    check("noLattice-" + command.split()[-1], status == 0
          and output.count("there is no lattice") == 1
          and not (case / "postProcessing/nodes").exists(),
          f"status {status}: {output[-1000:]}")

finish()
