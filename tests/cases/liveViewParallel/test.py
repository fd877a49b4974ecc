"""liveView in runs of several processes: pictures of the whole lattice, those of
a serial run pixel for pixel; viewers that pause, step and end all processes;
what is refused.
"""

import os
import re
import socket
import struct
import time

from caseTest import *

try:
    import numpy as np
    from vtk import vtkPNGReader
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    skipped("all", "python3 without vtk and numpy")
    finish()

from channelCase import channel
from parallelCase import decompose, environment
from webSocket import WebSocket

environment = {**environment, "DISPLAY": ""}

FIELDS = ("magU", "U_x", "U_y", "p", "vorticity", "Q", "flags")


def command(n, options=""):
    return f"mpirun -np {n} lbmGpuFoam -parallel {options}"


def view(case, views, script=None):
    """Add views with these entries to a case, by name."""
    text = ""
    for name, entries in views.items():
        entries = {"type": "liveView", "libs": "(latticeLiveView)",
                   "display": "frames", **entries}
        if script:
            entries["script"] = '"<system>/mouse"'
        text += name + " {" + "".join(
            f" {key} {value};" for key, value in entries.items()) + " }\n"
    if script:
        (case / "system/mouse").write_text(
            "events\n(\n" + "\n".join(script) + "\n);\n")
    control = case / "system/controlDict"
    control.open("a").write(f"\nfunctions\n{{\n{text}}}\n")


def pixels(file):
    """[height][width][3], the lowest row first, without the speed."""
    reader = vtkPNGReader()
    reader.SetFileName(str(file))
    reader.Update()
    image = reader.GetOutput()
    width, height = image.GetDimensions()[:2]
    rgb = vtk_to_numpy(image.GetPointData().GetScalars())
    rgb = rgb.reshape(height, width, -1).copy()

    # Behind time and step, in the last line of text
    rgb[:45, 430:] = 0
    return rgb


def pictures(case):
    folder = case / "postProcessing"
    return {str(file.relative_to(folder)): pixels(file)
            for file in sorted(folder.rglob("*.png"))}


def compare(case, number, decompositions):
    """number: of pictures"""
    start = float(times(case)[-1])
    mustRun("lbmGpuFoam", case, environment=environment)
    serial = pictures(case)
    check(f"{case.name}.pictures", len(serial) == number, sorted(serial))
    check(f"{case.name}.move",
          len({p.tobytes() for p in serial.values()}) > 0.6*number)

    for n, method in decompositions:
        shutil.rmtree(case / "postProcessing")
        for time in times(case):
            if float(time) > start:
                shutil.rmtree(case / time)
        decompose(case, n, method)
        mustRun(command(n), case, environment=environment)
        parallel = pictures(case)
        off = sorted(set(serial) ^ set(parallel)) + [
            name for name in serial if name in parallel
            and not np.array_equal(serial[name], parallel[name])]
        check(f"{case.name}.{n}.{method.replace(' ', '')}.samePictures",
              not off, off)


def flow(name, **entries):
    """A channel with an inlet of 1 m/s at Reynolds number 20, 64 x 16 nodes."""
    return channel(
        name, Uin="type fixedValue; value uniform (1 0 0);", nu=0.005,
        LBM="backend host;",
        **{"endTime": 0.08, "deltaT": 0.02, "writeInterval": 100,
           **entries})


# Two dimensions, nodes in cells, all fields

case = flow("flat")
view(case, {field: {"field": field, "interval": 0.04} for field in FIELDS})
compare(case, 3*len(FIELDS), ((2, "2 1 1"), (3, "random")))

# A lattice laid over the mesh, with a body

case = copyCase("cylinder2D", "overlay")
mustRun("blockMesh", case)
for entry, value in {"endTime": 0.04, "deltaT": 0.01,
                     "writeInterval": 1}.items():
    setEntry(case / "system/controlDict", entry, value)
(case / "system/fvSolution").open("a").write(
    "\nLBM { backend host; latticeSpacing 0.01; initialProjection no; }\n")
control = case / "system/controlDict"
control.write_text(re.sub(r"\nfunctions\s*\{.*?\n\}\n", "\n",
                          control.read_text(), flags=re.S))
view(case, {field: {"field": field, "interval": 0.02}
            for field in ("p", "vorticity", "flags")})
compare(case, 9, ((2, "1 2 1"), (3, "random")))

# Three dimensions, cyclic along the flow, a reference pressure in one cell.
# Keys of a script change the plane, save a picture and end all processes

case = channel("box", cells="24 12", 
               LBM="backend host; refinement 2; initialProjection no;",
               endTime=0.02, deltaT=0.02, writeInterval=1)
mesh = case / "system/blockMeshDict"
mesh.write_text(
    mesh.read_text().replace("(24 12 1)", "(12 8 6)").replace(" 0.1)", " 0.75)")
    .replace("(4 1", "(1.5 1").replace("(4 0", "(1.5 0")
    .replace("type empty", "type wall"))
for field, condition in (("U", "noSlip"), ("p", "zeroGradient")):
    path = case / "0" / field
    path.write_text(path.read_text().replace("type empty", f"type {condition}"))
mustRun("blockMesh", case)
(case / "system/setFieldsDict").write_text(
    HEADER.format("dictionary", "setFieldsDict")
    + "defaultFieldValues (volVectorFieldValue U (0.1 0 0));\n"
    "regions ( sphereToCell { centre (0.06 0.03 0.04); radius 0.03;"
    " fieldValues (volVectorFieldValue U (0.2 0.3 -0.1)); } );\n")
mustRun("setFields", case)

# From there all go on with the same bits
mustRun("lbmGpuFoam", case)
for entry, value in {"endTime": 0.06, "writeInterval": 100}.items():
    setEntry(case / "system/controlDict", entry, value)
setEntry(case / "system/fvSolution", "PISO/pRefCell", 290)
view(case, {
    # The master of two has none of its nodes
    "across": {"field": "Q", "normal": "x", "position": 0.11},
    "along": {"field": "vorticity", "normal": "y"},
    "kinds": {"field": "flags"},
    "pressure": {"field": "p", "normal": "y"},
    "volume": {"view": "volume", "streamlines": "yes"},
}, script=["{ time 0.05; key a; }", "{ time 0.05; key PageUp; }",
           "{ time 0.05; key f; }", "{ time 0.05; key p; }"])
compare(case, 20, ((2, "2 1 1"), (3, "random")))


# ---- A viewer --------------------------------------------------------------

class Viewed:
    """A run on two processes with its viewer."""

    def __init__(self, case, options=""):
        self.case = case
        self.log = case / "log.viewed"
        self.process = subprocess.Popen(
            command(2, options).split(), cwd=case, stdin=subprocess.DEVNULL,
            stdout=self.log.open("w"), stderr=subprocess.STDOUT,
            env={**os.environ, "PWD": str(case.resolve()), **environment})
        found = waitFor(lambda: re.search(
            r"http://127.0.0.1:(\d+)/\?token=([0-9a-f]+)", self.text())
            or self.process.poll() is not None)
        self.port, self.token = int(found.group(1)), found.group(2)
        self.connect()

    def connect(self):
        self.viewer = WebSocket(self.port, f"/view?token={self.token}")

    def text(self):
        return self.log.read_text()

    def step(self, timeout=20):
        """Lattice step of the next picture; None if none comes."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                message = self.viewer.receive(end - time.monotonic())
            except socket.timeout:
                return None
            if isinstance(message, bytes):
                frame, step = struct.unpack("<2d", message[:16])
                self.viewer.send(f"ack {frame:.0f}")
                return int(step)
        return None

    def resting(self):
        """The step at which the pictures end."""
        last = None
        while True:
            step = self.step(0.7)
            if step is None:
                return last
            last = step

    def workers(self):
        """Numbers of the processes that mpirun has started."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                # The name, in brackets, may hold anything
                parent = status.read_text().rsplit(")", 1)[1].split()[1]
            except OSError:
                continue
            if int(parent) == self.process.pid:
                found.append(int(status.parent.name))
        return found

    def load(self, seconds):
        """Of each process, 1 for a busy core."""
        def used():
            return [sum(map(int, Path(f"/proc/{pid}/stat").read_text()
                            .rsplit(")", 1)[1].split()[11:13]))
                    for pid in self.workers()]
        before = used()
        time.sleep(seconds)
        return [(b - a)/os.sysconf("SC_CLK_TCK")/seconds
                for a, b in zip(before, used())]

    def ended(self, seconds=60):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        return True


# The option -view; pause, steps, other fields, what cannot be drawn, the end

case = flow("viewed", endTime=1e5, writeInterval=1000000, timePrecision=12)
decompose(case, 2, "2 1 1")
run_ = Viewed(case, "-view")
try:
    check("viewed.moves", run_.step() < run_.step())
    run_.viewer.send("key Space")
    step = run_.resting()
    load = run_.load(1)
    check("viewed.pauses", step and len(load) == 2 and run_.step(0.2) is None,
          f"{step} {load}")
    check("viewed.restsWhilePaused", max(load) < 0.5, load)
    for n in (1, 2):
        run_.viewer.send("key n")
        now = run_.resting()
        check(f"viewed.oneStep{n}", now == step + n, f"{step} {now}")
    for _ in range(3):
        run_.viewer.send("key f")
        check("viewed.anotherField", run_.step() == step + 2)
    for event in ("press 700 200 1", "release 700 200 1", "key c", "key o"):
        run_.viewer.send(event)
    run_.resting()
    check("viewed.saysThatNothingIsDrawn", run_.text().count(
        "no obstacle can be drawn") == 1, run_.text()[-1500:])
    run_.viewer.send("key Space")
    check("viewed.goesOn", waitFor(lambda: run_.step() > step + 20))

    # The viewer goes away and comes again
    run_.viewer.close()
    n = run_.text().count("\nTime = ")
    check("viewed.goesOnAlone", waitFor(
        lambda: run_.text().count("\nTime = ") > n + 3))
    run_.connect()
    check("viewed.comesAgain", run_.step() is not None)
    run_.viewer.send("key q")
    check("viewed.quits", run_.ended() and run_.process.returncode == 0
          and "\nEnd\n" in run_.text()
          and "the viewer ends the run" in run_.text(), run_.text()[-1500:])
    last = [times(case / f"processor{n}")[-1] for n in range(2)]
    check("viewed.writesATime", last[0] == last[1] and float(last[0]) > 0, last)
finally:
    if run_.process.poll() is None:
        run_.process.kill()
        run_.process.wait()


# Pictures that cannot be written end the view, not the run

case = flow("lost", endTime=1e5, writeInterval=1000000, timePrecision=12)
decompose(case, 2, "2 1 1")
view(case, {"view": {"interval": 0.02}})
process = subprocess.Popen(
    command(2).split(), cwd=case, stdin=subprocess.DEVNULL,
    stdout=(case / "log.lost").open("w"), stderr=subprocess.STDOUT,
    env={**os.environ, "PWD": str(case.resolve()), **environment})
try:
    folder = case / "postProcessing/view/0"
    waitFor(lambda: (folder / "picture_000003.png").is_file())
    folder.rename(folder.with_name("moved"))
    said = waitFor(lambda: "The run goes on without it"
                   in (case / "log.lost").read_text())
    text = (case / "log.lost").read_text()
    check("lost.says", said, text[-1500:])
    n = text.count("\nTime = ")
    check("lost.goesOn", waitFor(lambda: (case / "log.lost").read_text()
                                 .count("\nTime = ") > n + 20)
          and process.poll() is None)
finally:
    process.terminate()
    process.wait()


# ---- What is refused, by all processes ------------------------------------

case = flow("refused")
decompose(case, 2, "2 1 1")
control = case / "system/controlDict"
before = control.read_text()

taken = socket.socket()
taken.bind(("127.0.0.1", 0))
taken.listen()

for name, entries, expected in (
    ("window", {"display": "window"}, "display window of liveView"),
    ("port", {"display": "browser", "port": taken.getsockname()[1]},
     "display browser of liveView"),
    ("field", {"field": "speed"}, "Possible are"),
):
    view(case, {name: entries})
    status, output = run(command(2), case, environment=environment, timeout=60)
    check(f"refuses_{name}", status != 0 and "FOAM FATAL IO ERROR" in output
          and expected in output, f"{status} {output[-1500:]}")
    control.write_text(before)

# Scripts that draw, and obstacles to be saved: said once, and the run goes on

for name, entries, script in (
    ("script", {}, ["{ time 0.01; draw ((0.05 0.05) (0.06 0.05)); }",
                    "{ time 0.02; erase ((0.05 0.05)); }",
                    "{ time 0.05; key q; }"]),
    ("saved", {"saveObstacles": "yes"}, None),
):
    view(case, {name: entries}, script)
    output = mustRun(command(2), case, environment=environment)
    check(f"{name}.saysThatNothingIsDrawn",
          output.count("no obstacle can be drawn") == 1
          and "\nEnd\n" in output, output[-1500:])
    control.write_text(before)

finish()
