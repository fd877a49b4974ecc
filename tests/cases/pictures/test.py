"""Pictures are drawn without a display, of cases in any plane."""

from caseTest import *

sys.path.insert(0, str(top / "bin"))

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    skipped("vtk", missing)
    finish()

if not shutil.which("Xvfb") and not os.environ.get("DISPLAY"):
    skipped("display", "no Xvfb")
    finish()

import foamFields  # noqa: E402
import foamPlot  # noqa: E402

# What x, y, z of the cavity become, and the axes of its plane
PLANES = {"xy": ("1 2 3", (0, 1)), "yz": ("3 1 2", (1, 2)),
          "zx": ("2 3 1", (2, 0))}


def turn(case, order):
    order = re.sub(r"(\d)", r"\\\1", order)
    number = r"\s*([-\d.]+)\s+([-\d.]+)\s+([-\d.]+)\s*"
    mesh = case / "system/blockMeshDict"
    text = mesh.read_text()
    start, end = text.index("vertices"), text.index("blocks")
    mesh.write_text(text[:start] + re.sub(
        rf"\({number}\)", f"({order})", text[start:end]) + text[end:])
    U = case / "0/U"
    U.write_text(re.sub(rf"uniform \({number}\)", f"uniform ({order})",
                        U.read_text()))


def isPicture(path):
    reader = vtk.vtkPNGReader()
    if not path.is_file() or not reader.CanReadFile(str(path)):
        return False
    reader.SetFileName(str(path))
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    return pixels.std() > 10 and len(set(map(tuple, pixels[::7]))) > 100


lines = {}
for name, (order, axes) in PLANES.items():
    case = copyCase("cavity", name)
    turn(case, order)
    mustRun("blockMesh", case)
    mustRun("lbmGpuFoam", case)

    result = foamPlot.Case(str(case))
    check(f"{name}.plane", (result.a, result.b) == axes,
          f"{(result.a, result.b)} instead of {axes}")
    lines[name] = [result.line("u", 1), result.line("v", 0)]

    # With no DISPLAY at all
    status, output = run(
        ["env", "-u", "DISPLAY", sys.executable, str(top / "bin/plotCase"),
         "-output", "case.png"], case)
    check(f"{name}.picture", status == 0 and isPicture(case / "case.png"),
          output)

# A second mesh in the case, as mapFields has one, changes nothing
shutil.copytree("xy/constant/polyMesh", "xy/constant/other/polyMesh")
beside = foamPlot.Case("xy")
check("secondMesh",
      sorted(beside.patches) == sorted(foamPlot.Case("yz").patches)
      and all((np.array(beside.line(name, along)) == lines["xy"][i]).all()
              for i, (name, along) in enumerate((("u", 1), ("v", 0)))),
      sorted(beside.patches))
shutil.rmtree("xy/constant/other")

# A line starts and ends on the walls, and is the same in every plane
(s, u), (t, v) = lines["xy"]
check("ends", abs(s[0]) + abs(s[-1] - 0.1) < 1e-8 and u[0] == 0 and u[-1] == 1
      and v[0] == v[-1] == 0, f"{s[[0, -1]]} {u[[0, -1]]} {v[[0, -1]]}")
check("hasShape", len(u) == 22 and -0.22 < u.min() < -0.19
      and 0.17 < v.max() < 0.19, f"{len(u)} {u.min()} {v.max()}")

for name in ("yz", "zx"):
    different = max(abs(a - b).max() for x, y in zip(lines["xy"], lines[name])
                    for a, b in zip(x, y))
    check(f"{name}.sameLines", different < 1e-6, different)

# Cells that do not stand in rows: a linear field around a cylinder
case = copyCase("cylinder2D", "curved")
mustRun("blockMesh", case)
mustRun("postProcess -func writeCellCentres -time 0", case)
C = foamFields.readField(str(case / "0/C")).internal
patches = {
    patch: "type empty;" if condition.type == "empty" else "type zeroGradient;"
    for patch, condition
    in foamFields.readField(str(case / "0/p")).boundary.items()}
foamFields.writeField(
    str(case / "0/U"), "U", "vector", "[0 1 -1 0 0 0 0]",
    np.column_stack([1 + C[:, 1], C[:, 0], 0*C[:, 0]]), patches)
foamFields.writeField(
    str(case / "0/p"), "p", "scalar", "[0 2 -2 0 0 0 0]", C[:, 0], patches)

curved = foamPlot.Case(str(case), 0)
y, u = curved.line("u", 1, 1.0)
inner = (y > 0.04) & (y < 0.37)
check("curved.acrossChannel", abs(u - 1 - y)[inner].max() < 2e-3,
      abs(u - 1 - y)[inner].max())
x, v = curved.line("v", 0, 0.2)
solid = abs(x - 0.2) < 0.0495
check("curved.hole", np.isnan(v[solid]).all() and solid.sum() > 10
      and np.isfinite(v[abs(x - 0.2) > 0.0525]).all(),
      f"{np.isnan(v).sum()} of {solid.sum()}")
status, output = run(
    [sys.executable, str(top / "bin/plotCase"), "-reference", ".", "-at", "0.4",
     "0.2", "-output", "case.png"], case)
check("curved.picture", status == 0 and isPicture(case / "case.png"), output)

# A plane of a three-dimensional case: another normal, and none outside
plane = foamPlot.Case(str(case), 0, normal="y", place=0.35)
check("normal", (plane.a, plane.b) == (2, 0) and len(plane.centres) > 100
      and abs(plane.values("u")[plane.isCell]).max() == 0,
      f"{(plane.a, plane.b)} {len(plane.centres)}")
status, output = run(
    [sys.executable, str(top / "bin/plotCase"), "-normal", "y", "-place", "0.5"],
    case)
check("normal.outside", status != 0 and "lies between" in output, output)

# Two cases side by side, and what cannot be drawn
status, output = run(
    [sys.executable, str(top / "bin/plotCase"), "-case", "xy", "-reference",
     "yz", "-output", "two.png"])
check("twoCases", status == 0 and isPicture(Path("two.png")), output)

status, output = run([sys.executable, str(top / "bin/plotCase"), "-case", "xy",
                      "-time", "7"])
check("refusesMissingTime", status != 0 and "No time 7" in output, output)

status, output = run([sys.executable, str(top / "bin/plotCase"), "-case", "no"])
check("refusesNoCase", status != 0 and "Not an OpenFOAM case" in output, output)

# Points: one that the case misses by 0.1 m/s must be noticed
Path("points.csv").write_text(
    "component,coord,value,flag\nu,0.1,1,\nu,0,0,\nv,0.1,7,suspect\n")
compare = [sys.executable, str(top / "bin/comparePoints"), "-case", "xy",
           "-points", "points.csv", "-tolerance", "u=1e-6"]
status, output = run(compare)
check("pointsWithin", status == 0 and "within" in output, output)
Path("points.csv").write_text("component,coord,value\nu,0.1,1.1\nu,0,0\n")
status, output = run(compare)
check("pointsExceed", status == 1 and "EXCEEDS" in output, output)
status, output = run(compare[:-1] + ["w=1"])
check("pointsUnknown", status == 2, output)

finish()
