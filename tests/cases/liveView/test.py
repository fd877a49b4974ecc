"""liveView: pictures as files, obstacles drawn by a script, their restart data,
their load, keys that end a run, and entries that are refused.
"""

import re
import sys

from caseTest import *
from channelCase import channel

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

SPACING = 0.1/16


def withView(case, script=None, functions="", **entries):
    """Add a liveView that writes pictures to a case."""
    entries = {"type": "liveView", "libs": "(latticeLiveView)",
               "display": "frames", **entries}
    if script is not None:
        (case / "system/mouse").write_text(
            "events\n(\n" + "\n".join(script) + "\n);\n")
        entries["script"] = '"<system>/mouse"'
    text = "".join(f" {k} {v};" for k, v in entries.items() if v)
    control = case / "system/controlDict"
    if "functions" not in control.read_text():
        control.open("a").write(
            f"\nfunctions\n{{\n view {{{text} }}\n{functions}\n}}\n")
    return case


def flow(name, **entries):
    """A channel with an inlet of 1 m/s at Reynolds number 20, 64 x 16 nodes."""
    return channel(
        name, Uin="type fixedValue; value uniform (1 0 0);", nu=0.005,
        **{"endTime": 0.4, "deltaT": 0.02, "writeControl": "runTime",
           "writeInterval": 0.1, "writeFormat": "binary",
           "timePrecision": 8, **entries})


def obstacle(case, time):
    """Nodes of the obstacle that a time holds."""
    text = (case / time / "uniform/latticeObstacle").read_text()
    return [int(n) for n in
            re.search(r"nodes\s*\(([^)]*)\)", text).group(1).split()]


def inBrush(points, radius):
    """Nodes that a brush touches, as numbers of cells; x right, y up."""
    x = (np.arange(64) + 0.5)*SPACING
    y = (np.arange(16) + 0.5)*SPACING
    X, Y = np.meshgrid(x, y)
    hit = np.zeros(X.shape, bool)
    for a, b in zip([points[0]] + points[:-1], points):
        d = np.subtract(b, a)
        t = np.zeros(X.shape)
        if d @ d > 0:
            t = np.clip(((X - a[0])*d[0] + (Y - a[1])*d[1])/(d @ d), 0, 1)
        hit |= np.hypot(X - a[0] - t*d[0], Y - a[1] - t*d[1]) <= radius
    return set(np.flatnonzero(hit.ravel()))


def pictures(case):
    return sorted((case / "postProcessing/view").glob("*/picture_*.png"))


# Pictures, a stroke, and what is erased of it

line = [(0.12, 0.03), (0.12, 0.06)]
radius = 1.7*SPACING
script = [
    "{ time 0.1; brush %g; }" % radius,
    "{ time 0.1; draw ((0.12 0.03) (0.12 0.06)); }",
    "{ time 0.25; brush 0.01; }",
    "{ time 0.25; erase ((0.12 0.06)); }",
]
case = withView(
    flow("drawn"), script, field="vorticity", range="(-50 50)", interval=0.02,
    functions="load { type latticeForces; libs (latticeForces);"
              " patches (drawn); rho rhoInf; rhoInf 1; CofR (0 0 0); writePrecision 12; }")
output = mustRun("lbmGpuFoam", case)

drawn = inBrush(line, radius)
check("strokeIsDrawn", set(obstacle(case, "0.2")) == drawn,
      f"{obstacle(case, '0.2')}, expected {sorted(drawn)}")
left = drawn - inBrush([(0.12, 0.06)], 0.01)
check("strokeIsErased", set(obstacle(case, "0.4")) == left and left != drawn,
      f"{obstacle(case, '0.4')}, expected {sorted(left)}")
check("nothingBeforeIt", not (case / "0.1/uniform/latticeObstacle").exists()
      or set(obstacle(case, "0.1")) <= drawn)

U = readField(str(case / "0.2/U")).internal
speed = np.linalg.norm(U, axis=1)
inside = np.array(sorted(drawn))
outside = np.array(sorted(set(range(64*16)) - drawn))
check("itRests", speed[inside].max() < 1e-2 < 0.5 < speed[outside].max(),
      f"{speed[inside].max()}, {speed[outside].max()}")

found = pictures(case)
check("aPictureAnInterval", len(found) == 21, len(found))
check("picturesDiffer", len({p.read_bytes() for p in found}) > 15)

rows = [[float(x) for x in re.sub(r"[()]", " ", row).split()] for row in
        next((case / "postProcessing/load").glob("*/force.dat"))
        .read_text().splitlines() if not row.startswith("#")]
load = {row[0]: row[1] for row in rows}
check("noLoadBeforeIt", load[0.08] == 0 and load[0.2] > 0, load)


# The load is what the flow loses: of a flow at rest in time, momentum that
# enters, pressure, walls

case = withView(
    flow("balance", endTime=2, writeInterval=2),
    ["{ time 0; brush 0.011; }", "{ time 0; draw ((0.15 0.047)); }"],
    interval=1,
    functions="load { type latticeForces; libs (latticeForces);"
              " patches (drawn walls inlet outlet); rho rhoInf; rhoInf 1;"
              " CofR (0 0 0); writePrecision 12; }\n"
              " body { type latticeForces; libs (latticeForces);"
              " patches (drawn); rho rhoInf; rhoInf 1; CofR (0 0 0); writePrecision 12; }")
setEntry(case / "system/fvSolution", "LBM/precision", "double")
mustRun("lbmGpuFoam", case)


def last(name):
    row = next((case / "postProcessing" / name).glob("*/force.dat")) \
        .read_text().splitlines()[-1]
    return [float(x) for x in re.sub(r"[()]", " ", row).split()][1:3]


total, body = last("load"), last("body")
check("loadBalances",
      abs(total[0]) < 1e-6*abs(body[0]) and abs(total[1]) < 1e-6*abs(body[0]),
      f"{total} of {body}")


# Restart: the same bits, with the obstacle

whole = withView(flow("whole"), script, display="frames", interval=0.2)
mustRun("lbmGpuFoam", whole)
part = withView(flow("part", endTime=0.2), script, display="frames",
                interval=0.2)
mustRun("lbmGpuFoam", part)
setEntry(part / "system/controlDict", "endTime", 0.4)
setEntry(part / "system/controlDict", "startFrom", "latestTime")
output = mustRun("lbmGpuFoam", part)
check("restartSaysSo", "Restarting from the populations" in output
      and f"drawn into the flow: {len(drawn)} nodes" in output)
check("restartHasTheBits",
      all((whole / "0.4" / f).read_bytes() == (part / "0.4" / f).read_bytes()
          for f in ("U", "p", "uniform/latticePopulations",
                    "uniform/latticeObstacle")))

# Without its file the populations are not used

for time in ("0.3", "0.4"):
    shutil.rmtree(part / time)
(part / "0.2/uniform/latticeObstacle").unlink()
output = mustRun("lbmGpuFoam", part)
check("missingObstacleIsSeen",
      "the obstacle that was drawn is another one or missing" in output)

# Obstacles of another lattice

for time in ("0.3", "0.4"):
    shutil.rmtree(part / time)
file = whole / "0.2/uniform/latticeObstacle"
text = file.read_text()
(part / "0.2/uniform/latticeObstacle").write_text(
    re.sub(r"of\s+\d+", "of 17", text))
output = mustRun("lbmGpuFoam", part)
check("obstacleOfOtherNodesIsSeen", "belongs to other nodes" in output)


# Undo: from a time before the stroke, the bits of a run without it

untouched = withView(flow("untouched"), interval=0.2)
mustRun("lbmGpuFoam", untouched)
undone = withView(flow("undone", endTime=0.3), interval=0.2, script=[
    "{ time 0.22; brush %g; }" % radius, "{ time 0.22; draw ((0.12 0.05)); }"])
mustRun("lbmGpuFoam", undone)
check("strokeBeforeUndo", len(obstacle(undone, "0.3")) > 0
      and (undone / "0.3/U").read_bytes() != (untouched / "0.3/U").read_bytes())
shutil.rmtree(undone / "0.3")
(undone / "system/mouse").write_text("events ();\n")
setEntry(undone / "system/controlDict", "endTime", 0.4)
setEntry(undone / "system/controlDict", "startFrom", "latestTime")
mustRun("lbmGpuFoam", undone)
check("undoHasTheBits", all(
    (untouched / "0.4" / f).read_bytes() == (undone / "0.4" / f).read_bytes()
    for f in ("U", "p", "uniform/latticePopulations")))


# A closed flow keeps its mass, whatever is drawn

case = copyCase("cavity", "closed")
mustRun("blockMesh", case)
withView(case, ["{ time 0.1; brush 0.008; }",
                "{ time 0.1; draw ((0.05 0.05)); }",
                "{ time 0.3; erase ((0.05 0.05)); }"], interval=1)
output = mustRun("lbmGpuFoam", case)
drift = [float(x) for x in re.findall(r"mass drift (\S+)", output)]
check("massIsAccountedFor", drift and max(abs(x) for x in drift) < 1e-5, drift)


# Keys: end the run with a time written, save the picture and the obstacle

case = withView(
    flow("keys"),
    ["{ time 0.05; draw ((0.2 0.05)); }", "{ time 0.07; key p; }",
     "{ time 0.09; key o; }", "{ time 0.09; key f; }", "{ time 0.13; key q; }"],
    interval=0.02)
output = mustRun("lbmGpuFoam", case)
check("keyEndsTheRun", times(case)[-1] == "0.14" and output.rstrip().endswith("End"),
      times(case))
saved = case / "postProcessing/view"
check("keySavesThePicture", list(saved.glob("*/picture.png")))
check("keySavesTheObstacle", list(saved.glob("*/drawn.stl")))
output = mustRun("lbmGpuFoam", case) if not setEntry(
    case / "system/controlDict", "startFrom", "latestTime") else ""
check("goesOnAfterwards", "Restarting from the populations of time 0.14"
      in output)


# Three dimensions: the brush is a ball on the plane; the volume is drawn without
# a display

def volumeFlow(name, **entries):
    """A duct of 32 x 16 x 16 nodes, the walls of the channel around it."""
    case = flow(name, cells="32 16", endTime=0.06, writeInterval=0.06)
    block = case / "system/blockMeshDict"
    text = block.read_text().replace("(32 16 1)", "(32 16 16)")
    text = re.sub(r"\(([\d.]+) ([\d.]+) 0\.1\)", r"(\1 \2 1)", text)
    block.write_text(text.replace("(4 1", "(2 1").replace("(4 0", "(2 0")
                     .replace("frontAndBack { type empty;",
                              "frontAndBack { type wall;"))
    for field, wall in (("U", "noSlip"), ("p", "zeroGradient")):
        file = case / "0" / field
        file.write_text(file.read_text().replace("type empty", f"type {wall}"))
    mustRun("blockMesh", case)
    return withView(case, **entries)


h = 0.1/16
centre, radius = np.array([0.08, 0.05, (8 + 0.5)*h]), 3.2*h
case = volumeFlow(
    "ball", script=["{ time 0; brush %g; }" % radius,
                    "{ time 0; draw ((0.08 0.05)); }"],
    normal="z", view="volume", surface="none", slice="no", streamlines="yes",
    interval=0.02)
output = mustRun("lbmGpuFoam", case, environment={"DISPLAY": ""})
k, j, i = np.meshgrid(*(np.arange(n) for n in (16, 16, 32)), indexing="ij")
away = np.linalg.norm(
    (np.stack([i, j, k], axis=-1) + 0.5)*h - centre, axis=-1)
ball = set(np.flatnonzero((away <= radius).ravel()))
check("brushIsABall", set(obstacle(case, "0.06")) == ball and len(ball) > 80,
      f"{len(ball)}, {len(obstacle(case, '0.06'))}")
check("volumeIsDrawn", "the volume is drawn by" in output
      and len(pictures(case)) == 4, len(pictures(case)))

try:
    from vtk import vtkPNGReader
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    skipped("volumeIsSeen", "python3 without vtk")
else:
    seen = []
    for file in pictures(case)[:1] + pictures(case)[-1:]:
        reader = vtkPNGReader()
        reader.SetFileName(str(file))
        reader.Update()
        rgb = vtk_to_numpy(
            reader.GetOutput().GetPointData().GetScalars()).astype(int)
        # The colour of what is drawn, in any light
        light = rgb.max(axis=1)
        seen.append(np.mean(
            (abs(rgb[:, 1]/np.maximum(light, 1) - 126/217) < 0.08)
            & (abs(rgb[:, 2]/np.maximum(light, 1) - 43/217) < 0.12)
            & (light > 60)))
    check("volumeIsSeen", seen[0] < 1e-4 and 2e-3 < seen[1] < 0.3, seen)

# A plane and the volume of one run

case = volumeFlow("two", field="Q", normal="x", position=0.05, interval=0.02)
control = case / "system/controlDict"
control.write_text(control.read_text().replace(
    "functions\n{", "functions\n{ other { type liveView; libs"
    " (latticeLiveView); display frames; view volume; interval 0.03; }"))
mustRun("lbmGpuFoam", case, environment={"DISPLAY": ""})
check("twoViews", len(pictures(case)) == 4 and len(list(
    (case / "postProcessing/other").glob("*/picture_*.png"))) == 3)


# Entries that are refused

for name, entries, expected in (
    ("field", {"field": "speed"}, "Possible are"),
    ("display", {"display": "screen"}, "window, browser, frames"),
    ("range", {"range": "(1 -1)"}, "not below"),
    ("rate", {"rate": "0"}, "rate"),
    ("view", {"view": "cube"}, "plane, volume"),
    ("volume", {"view": "volume"}, "two dimensions"),
    ("surface", {"surface": "p"}, "none"),
    ("remote", {"display": "browser", "address": '"0.0.0.0"'}, "allowRemote"),
    ("window", {"display": "window"}, "browser"),
):
    case = withView(flow("refused" + name), **entries)
    status, output = run("lbmGpuFoam", case, environment={"DISPLAY": ""})
    check(f"refuses_{name}",
          status == 1 and "FOAM FATAL IO ERROR" in output
          and expected in output and "liveView" in output,
          f"{status} " + " ".join(output.splitlines()[-8:]))

for name, script in (
    ("nothing", ["{ time 0; }"]),
    ("two", ["{ time 0; brush 1; key q; }"]),
    ("points", ["{ time 0; draw (1 2); }"]),
    ("noTime", ["{ draw ((0 0)); }"]),
):
    case = withView(flow("script" + name), script)
    status, output = run("lbmGpuFoam", case)
    check(f"refusesScript_{name}",
          status == 1 and "FOAM FATAL" in output and "mouse" in output,
          f"{status} " + " ".join(output.splitlines()[-8:]))

case = withView(flow("devices"))
setEntry(case / "system/fvSolution", "LBM/device", "(0 0)")
status, output = run("lbmGpuFoam", case)
check("refusesSeveralDevices", status == 1 and "one device" in output,
      " ".join(output.splitlines()[-8:]))

# On any case, without an entry

case = flow("view", endTime=0.04)
output = mustRun(["lbmGpuFoam", "-view"], case, environment={"DISPLAY": ""})
check("viewOfAnyCase", re.search(
    r"liveView view: browser http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32,}",
    output) and output.rstrip().endswith("End"),
    [row for row in output.splitlines() if "liveView" in row])

finish()
