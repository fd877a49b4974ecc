"""lbmGpuFoam -view, as a user has it: in a window, and in a browser, with a mouse.

The obstacle that a time has is the one that is seen, and lies where the mouse
was.
"""

import base64
import os
import re
import signal
import sys
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
import viewBrowser
import viewWindow

sys.path.insert(0, str(top / "bin"))
from foamFields import readField

NX, NY = 64, 16
DRAWN = (217, 126, 43)

library = [Path(os.environ[name]) / "liblatticeLiveView.so"
           for name in ("FOAM_MODULE_LIBBIN", "FOAM_USER_LIBBIN")
           if os.environ.get(name)]
if not any(file.is_file() for file in library):
    skipped("build", "latticeLiveView is not built")
    finish()


# ---- A run -----------------------------------------------------------------

def flow(name):
    """A channel that runs until it is told to end."""
    return channel(
        name, Uin="type fixedValue; value uniform (1 0 0);", nu=0.005,
        endTime=1e5, deltaT=0.02, writeControl="runTime", writeInterval=1e5,
        writeFormat="binary", timePrecision=12, runTimeModifiable="yes")


class Run:

    def __init__(self, name, environment):
        self.case = flow(name)
        self.log = self.case / "log.lbmGpuFoam"
        self.process = subprocess.Popen(
            ["lbmGpuFoam", "-view"], cwd=self.case, stdin=subprocess.DEVNULL,
            stdout=self.log.open("w"), stderr=subprocess.STDOUT,
            env={**os.environ, "PWD": str(self.case.resolve()), **environment})

    def text(self):
        return self.log.read_text()

    def ended(self, seconds=120):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False
        return self.process.returncode == 0 \
            and self.text().rstrip().endswith("End")

    def obstacle(self):
        """Nodes (i, j) of the obstacle of the last time; none if there is no
        file.
        """
        file = self.case / times(self.case)[-1] / "uniform/latticeObstacle"
        if not file.is_file():
            return set()
        text = file.read_text()
        numbers = re.search(r"nodes\s*\(([^)]*)\)", text).group(1).split()
        return {(int(n) % NX, int(n)//NX) for n in numbers}

    def checkEnd(self, name, nodes):
        """A written time, which has the nodes that were seen."""
        check(f"{name}.ends", self.ended(), self.text()[-400:])
        last = times(self.case)[-1]
        check(f"{name}.writesATime", float(last) > 0, last)
        check(f"{name}.hasWhatIsSeen", self.obstacle() == nodes,
              f"{sorted(self.obstacle() ^ nodes)} differ")
        for field in "Up":
            values = readField(str(self.case / last / field)).internal
            check(f"{name}.{field}IsFinite", np.isfinite(values).all())


# ---- A picture -------------------------------------------------------------

class Seen:
    """The plane of nodes in a picture, [height][width][3]."""

    def __init__(self, rgb):
        self.rgb = rgb.astype(int)
        coloured = np.ptp(self.rgb, axis=2) > 40

        # The plane is the widest thing in colour, the legend stands beside it
        runs = []
        for y in np.flatnonzero(coloured.sum(axis=1) > 0.3*rgb.shape[1]):
            x = np.flatnonzero(np.diff(np.r_[0, coloured[y], 0]))
            starts, ends = x[::2], x[1::2]
            widest = np.argmax(ends - starts)
            runs.append((ends[widest] - starts[widest], starts[widest], y))
        if not runs:
            raise RuntimeError("no plane in the picture")
        width = max(run[0] for run in runs)
        runs = [run for run in runs if run[0] > 0.98*width]
        self.left = np.median([run[1] for run in runs])
        self.top = min(run[2] for run in runs)
        self.zoom = np.round(width/NX)

    def pixel(self, i, j):
        """The middle of a node."""
        return (self.left + (i + 0.5)*self.zoom,
                self.top + (NY - 0.5 - j)*self.zoom)

    def drawn(self, tolerance=3):
        """Nodes that have the colour of what is drawn, but for the outline of
        the brush.
        """
        nodes = set()
        r = int(0.3*self.zoom)
        for j in range(NY):
            for i in range(NX):
                x, y = map(int, self.pixel(i, j))
                part = self.rgb[y - r:y + r + 1, x - r:x + r + 1]
                if np.mean(abs(part - DRAWN).max(axis=2) <= tolerance) > 0.5:
                    nodes.add((i, j))
        return nodes


def inBrush(a, b, radius):
    d = np.subtract(b, a)
    nodes = set()
    for j in range(NY):
        for i in range(NX):
            t = 0
            if d @ d > 0:
                t = np.clip(np.dot(np.subtract((i, j), a), d)/(d @ d), 0, 1)
            if np.hypot(*(np.subtract((i, j), a) - t*d)) <= radius:
                nodes.add((i, j))
    return nodes


def checkBrush(name, nodes, a, b, radius):
    """But for those at the rim, which half a pixel may decide."""
    least, most = (inBrush(a, b, radius + d) for d in (-0.1, 0.1))
    check(name, least <= nodes <= most,
          f"{sorted(least - nodes)} missing, {sorted(nodes - most)} too many")


def changed(see, before):
    """The nodes that are drawn, when they have changed and rest."""
    waitFor(lambda: see().drawn() != before)
    return resting(lambda: see().drawn())


def resting(value):
    """The value, when it is the same half a second later."""
    def rests():
        nonlocal last
        before, last = last, value()
        if last != before:
            time.sleep(0.5)
        return last == before

    last = None
    if not waitFor(rests):
        raise RuntimeError(f"goes on changing: {last}")
    return last


def drive(name, viewer):
    """What mouse and wheel do; returns the nodes that are drawn at the end.

    viewer: see(), drag(button, from, to), wheel(notches, at)
    """
    see = viewer.see
    check(f"{name}.nothingBefore", not see().drawn(), see().drawn())

    a, b = (20, 8), (30, 6)
    viewer.drag(1, a, b)
    stroke = changed(see, set())
    checkBrush(f"{name}.draws", stroke, a, b, 3)

    viewer.drag(3, b, b)
    left = changed(see, stroke)
    check(f"{name}.erases", left < stroke, left)
    checkBrush(f"{name}.erasesThere", stroke - left, b, b, 3)

    viewer.wheel(-3, (50, 8))
    viewer.drag(1, (50, 8), (50, 8))
    all = changed(see, left)
    checkBrush(f"{name}.brushIsSmaller", all - left, (50, 8), (50, 8),
               3/1.2**3)
    return all


# ---- In a window -----------------------------------------------------------

class WindowViewer:

    def __init__(self, run, screen):
        self.screen = screen
        self.window = viewWindow.Window(screen, run.process.pid, "lbmGpuFoam")
        waitFor(self.ready)
        self.plane = self.see()

    def ready(self):
        try:
            return self.see() and self.step() > 0
        except RuntimeError:
            return False

    def step(self):
        found = re.search(r"step (\d+)", self.window.title())
        return int(found.group(1)) if found else -1

    def see(self):
        data, first, line, size = self.screen.read()
        left, top, width, height = self.window.place()
        rows = np.frombuffer(data, np.uint8, offset=first)
        rows = rows[:rows.size//line*line].reshape(-1, line)
        picture = rows[top:top + height, left*size:(left + width)*size]
        return Seen(picture.reshape(height, width, size)[:, :, 2::-1])

    def move(self, node):
        left, top = self.window.place()[:2]
        x, y = self.plane.pixel(*node)
        self.screen.do("mousemove", left + int(x), top + int(y))
        time.sleep(0.1)

    def drag(self, button, a, b):
        self.move(a)
        self.screen.do("mousedown", button)
        time.sleep(0.1)
        self.move(b)
        self.screen.do("mouseup", button)
        time.sleep(0.1)

    def wheel(self, notches, at):
        self.move(at)
        for _ in range(abs(notches)):
            self.screen.do("click", 4 if notches > 0 else 5)
        time.sleep(0.2)

    def key(self, name):
        self.screen.do("key", name)
        time.sleep(0.2)


def testWindow():
    screen = viewWindow.Screen("1800x1100")
    runs = []
    try:
        run = Run("window", screen.environment)
        runs.append(run)
        viewer = WindowViewer(run, screen)
        nodes = drive("window", viewer)

        viewer.key("space")
        step = resting(viewer.step)
        check("window.pauses", step > 0, step)
        for n in (1, 2):
            viewer.key("n")
            check(f"window.oneStep{n}",
                  waitFor(lambda: viewer.step() == step + n),
                  viewer.step() - step)

        # Drawn while it stands still
        viewer.drag(1, (10, 4), (10, 4))
        more = changed(viewer.see, nodes)
        check("window.drawsWhilePaused", more > nodes
              and viewer.step() == step + 2, more - nodes)

        before = viewer.see().rgb
        viewer.key("f")
        check("window.anotherField", waitFor(
            lambda: (viewer.see().rgb != before).any()))
        for _ in range(7):
            viewer.key("f")
        check("window.sameField", waitFor(
            lambda: (viewer.see().rgb == before).all()))
        viewer.key("p")
        saved = run.case / "postProcessing"
        check("window.savesThePicture", waitFor(
            lambda: list(saved.glob("*/*/picture.png"))))
        viewer.key("o")
        check("window.savesTheObstacle", waitFor(
            lambda: list(saved.glob("*/*/drawn.stl"))))
        viewer.key("space")
        check("window.goesOn", waitFor(lambda: viewer.step() > step + 20))

        viewer.key("c")
        check("window.erasesAll", not changed(viewer.see, more))
        viewer.drag(1, (40, 8), (40, 8))
        nodes = changed(viewer.see, set())
        viewer.window.close()
        run.checkEnd("window.close", nodes)
        check("window.closeSaysSo", "the viewer ends the run" in run.text())

        # Goes on from there
        status, output = run_(run.case, ["lbmGpuFoam"], screen)
        check("window.restart", status == 0
              and f"drawn into the flow: {len(nodes)} nodes" in output
              and "Restarting from the populations" in output, output[-300:])

        # Killed: the run does not end
        run = Run("windowKilled", screen.environment)
        runs.append(run)
        viewer = WindowViewer(run, screen)
        os.kill(viewer.window.child, signal.SIGKILL)
        check("window.killed", waitFor(
            lambda: "The run goes on without it" in run.text()))
        n = run.text().count("\nTime = ")
        check("window.killed.runGoesOn", waitFor(
            lambda: run.text().count("\nTime = ") > n)
            and run.process.poll() is None)
        control = run.case / "system/controlDict"
        setEntry(control, "stopAt", "writeNow")
        # OpenFOAM takes no notice of changes within ten seconds
        os.utime(control, (time.time() + 60,)*2)
        check("window.killed.ends", run.ended(), run.text()[-300:])
    finally:
        screen.close()
        for run in runs:
            if run.process.poll() is None:
                run.process.kill()
                run.process.wait()


def run_(case, command, screen):
    setEntry(case / "system/controlDict", "startFrom", "latestTime")
    setEntry(case / "system/controlDict", "endTime",
             float(times(case)[-1]) + 0.1)
    return run(command, case, log="log.restart")


# ---- In a browser ----------------------------------------------------------

class BrowserViewer:

    buttons = {0: ("none", 0), 1: ("left", 1), 3: ("right", 2)}

    def __init__(self, run, port):
        found = waitFor(lambda: re.search(r"http://\S+token=[0-9a-f]+",
                                          run.text()))
        self.page = viewBrowser.Page(port, found.group(0))
        self.page.waitState("steering")
        waitFor(lambda: self.page.value("canvas.width") > 100)
        self.left, self.top = 0, 0
        self.plane = self.see()

    def see(self):
        """The canvas alone, in its own pixels."""
        data = self.page.value("canvas.toDataURL('image/png')")
        Path("canvas.png").write_bytes(base64.b64decode(data.split(",")[1]))
        reader = vtkPNGReader()
        reader.SetFileName("canvas.png")
        reader.Update()
        image = reader.GetOutput()
        width, height = image.GetDimensions()[:2]
        pixels = vtk_to_numpy(image.GetPointData().GetScalars())
        seen = Seen(pixels.reshape(height, width, -1)[::-1, :, :3])
        drawn = seen.drawn

        # JPEG
        seen.drawn = lambda: drawn(30)
        return seen

    def mouse(self, what, node, button=0, **more):
        name, mask = self.buttons[button]
        self.page.mouse(what, *self.plane.pixel(*node), name,
                        0 if what == "mouseReleased" else mask, **more)
        time.sleep(0.1)

    def drag(self, button, a, b):
        self.mouse("mouseMoved", a)
        self.mouse("mousePressed", a, button)
        self.mouse("mouseMoved", b, button)
        self.mouse("mouseReleased", b, button)

    def wheel(self, notches, at):
        self.mouse("mouseWheel", at, deltaX=0, deltaY=-100*notches)

    def key(self, name):
        self.page.call("Input.dispatchKeyEvent", type="keyDown", key=name,
                       text=name)
        self.page.call("Input.dispatchKeyEvent", type="keyUp", key=name)


def testBrowser():
    browser = viewBrowser.Browser("1700,1100")
    started = None
    try:
        if browser.port is None:
            skipped("browser", f"chromium does not start: {browser.log()}")
            return
        started = Run("browser", {"DISPLAY": ""})
        viewer = BrowserViewer(started, browser.port)
        nodes = drive("browser", viewer)
        viewer.page.picture("page.png")
        check("browser.noComplaints", not viewer.page.complaints,
              viewer.page.complaints)

        # The viewer goes away and comes again
        url = viewer.page.value("location.href")
        viewer.page.close()
        n = started.text().count("\nTime = ")
        check("browser.runGoesOn", waitFor(
            lambda: started.text().count("\nTime = ") > n + 3))
        viewer = BrowserViewer(started, browser.port)
        check("browser.sameAgain",
              waitFor(lambda: viewer.see().drawn() == nodes),
              viewer.see().drawn() ^ nodes)
        viewer.key("q")
        started.checkEnd("browser.quit", nodes)
        check("browser.saysEnd",
              viewer.page.waitState("the run has ended"), viewer.page.state())
    finally:
        browser.close()
        if started and started.process.poll() is None:
            started.process.kill()
            started.process.wait()


for name, missing, test in (
        ("window", viewWindow.missing(), testWindow),
        ("browser", None if viewBrowser.findBrowser() else "chromium",
         testBrowser)):
    if missing:
        skipped(name, f"no {missing}")
        continue
    try:
        test()
    except Exception as error:
        failed(name, repr(error))

finish()
