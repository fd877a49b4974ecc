"""The window on a virtual display, with events of its X server."""

import os
import re
import shutil
import signal
import time
from pathlib import Path

from caseTest import check, skipped, waitFor
from liveRun import LiveRun
from viewWindow import Screen, Window, missing


class GradientWindow(Window):
    """The window of a showGradient"""

    def __init__(self, screen, server):
        super().__init__(screen, server.process.pid, "showGradient")

    def point(self, x, y):
        """Where on the screen a pixel of the picture is."""
        left, top, width, height = self.place()
        zoom = min(width/1024, height/512)
        return (int(left + width/2 + (x + 0.5 - 512)*zoom),
                int(top + height/2 + (y + 0.5 - 256)*zoom))

    def move(self, x, y):
        self.screen.do("mousemove", *self.point(x, y))
        time.sleep(0.1)


def isGradient(found, x, y, tolerance):
    return abs(found[0] - 255*x/1023) <= tolerance \
        and abs(found[1] - 255*y/511) <= tolerance


def checkPixels(name, window, tolerance):
    def wrong():
        found = [(x, y, window.screen.pixel(*window.point(x, y)))
                 for x, y in ((1, 1), (1022, 1), (1, 510), (1022, 510),
                              (512, 256), (100, 400))]
        return [f for f in found if not isGradient(f[2], *f[:2], tolerance)]

    waitFor(lambda: not wrong())
    check(f"{name}.pixels", not wrong(), wrong())


def checkMouse(name, window, server, tolerance):
    """A line by the left button, a click of the right one, the wheel"""
    n = len(server.events())
    do = window.screen.do
    window.move(200, 100)
    do("mousedown", 1)
    window.move(400, 250)
    do("mouseup", 1)
    window.move(1000, 500)
    do("click", 3)
    window.move(600, 300)
    do("click", 4)
    do("click", 5)
    wanted = [("move", 200, 100, "0"), ("press", 200, 100, "1"),
              ("move", 400, 250, "1"), ("release", 400, 250, "1"),
              ("move", 1000, 500, "0"), ("press", 1000, 500, "3"),
              ("release", 1000, 500, "3"), ("move", 600, 300, "0"),
              ("wheel", 600, 300, "1.000"), ("wheel", 600, 300, "-1.000")]

    def near(event, kind, x, y, last):
        words = event.split()
        return words[0] == kind and words[3] == last \
            and abs(float(words[1]) - x - 0.5) <= tolerance \
            and abs(float(words[2]) - y - 0.5) <= tolerance

    # A move may be told twice
    def heard():
        found = server.events()[n:]
        return [e for i, e in enumerate(found) if i == 0 or e != found[i - 1]]

    waitFor(lambda: len(heard()) >= len(wanted))
    got = heard()
    check(f"{name}.mouse", len(got) == len(wanted) and all(
        near(event, *what) for event, what in zip(got, wanted)), got)


def gone(pid):
    """Has a process ended; its parent may not have asked yet."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def checkGone(name, server, window):
    """One close, and the run goes on, with nothing left of the window"""
    waitFor(lambda: "close" in server.events())
    time.sleep(0.5)
    check(f"{name}.event", server.events().count("close") == 1
          and server.process.poll() is None, server.events()[-3:])
    check(f"{name}.reaped", not Path(f"/proc/{window.child}").exists())
    found = server.finish()
    check(f"{name}.ended", found["ended"] and found["status"] == 0
          and found["show"]["cpu99"] < 5
          and found["show"]["largestCpu"] < 25
          and found["close"]["largest"] < 1000, found)


def test():
    nowhere = {"DISPLAY": ""}
    error = LiveRun("noDisplay", "window", 5, nowhere).error()
    check("window.noDisplay", "DISPLAY is not set" in error
          and "display browser" in error and "display frames" in error, error)

    if not shutil.which("lbmView"):
        skipped("window", "lbmView is not built")
        return

    began = time.monotonic()
    error = LiveRun("wrongDisplay", "window", 5, {"DISPLAY": ":987"}).error()
    check("window.wrongDisplay", ":987" in error and "display browser" in error
          and time.monotonic() - began < 10, error)
    error = LiveRun("noProgram", "window", 5,
                    {"DISPLAY": ":987", "PATH": "/usr/bin:/bin"}).error()
    check("window.noProgram", "no program lbmView" in error, error)

    if missing():
        skipped("window", f"no {missing()}")
        return

    screen = Screen()
    try:
        drive(screen)
    finally:
        screen.close()


def drive(screen):
    server = LiveRun("window", "window", environment=screen.environment)
    window = GradientWindow(screen, server)
    check("window.size", window.waitSize(1024, 512), window.place())
    check("window.title", waitFor(lambda: re.search(
        r"showGradient +step \d\d+ +t = ",
        window.title())),
        window.title())
    checkPixels("window", window, 1)
    checkMouse("window", window, server, 0.001)

    n = len(server.events())
    for key in ("a", "plus", "space", "Up", "Next", "Escape", "F2", "ctrl+c"):
        screen.do("key", key)
    wanted = ["key a", "key +", "key Space", "key Up", "key PageDown",
              "key Escape"]
    got = server.waitEvents(n + len(wanted))[n:]
    check("window.keys", got == wanted, got)

    # Outside the picture nothing can be pressed
    for width, height in ((700, 600), (1300, 400)):
        screen.do("windowsize", window.id, width, height)
        window.waitSize(width, height)
        time.sleep(0.5)
        checkPixels(f"window.{width}", window, 2)
        checkMouse(f"window.{width}", window, server, 1)
        n = len(server.events())
        left, top = window.place()[:2]
        screen.do("mousemove", left + 3, top + 3)
        screen.do("click", 1)
        time.sleep(0.3)
        check(f"window.{width}.outside", server.events()[n:] == [],
              server.events()[n:])

    # One that hangs
    os.kill(window.child, signal.SIGSTOP)
    time.sleep(1.5)
    check("window.hangs", server.process.poll() is None
          and "close" not in server.events())
    os.kill(window.child, signal.SIGCONT)
    checkPixels("window.goesOn", window, 2)
    n = len(server.events())
    window.move(200, 100)
    check("window.hearsAgain", len(server.waitEvents(n + 1)) > n)

    window.close()
    checkGone("window.close", server, window)

    server = LiveRun("windowKilled", "window", environment=screen.environment)
    window = GradientWindow(screen, server)
    os.kill(window.child, signal.SIGKILL)
    checkGone("window.killed", server, window)

    # The run ends while its window hangs
    server = LiveRun("windowHangs", "window", environment=screen.environment)
    window = GradientWindow(screen, server)
    os.kill(window.child, signal.SIGSTOP)
    found = server.finish()
    check("window.hangsAtEnd", found["ended"]
          and found["close"]["largest"] < 1000, found)
    check("window.hangsAtEnd.gone", waitFor(lambda: gone(window.child)))

    # The run is killed: the window goes too
    server = LiveRun("runKilled", "window", environment=screen.environment)
    window = GradientWindow(screen, server)
    server.process.kill()
    server.process.wait()
    check("window.runKilled", waitFor(lambda: gone(window.child)))

    # The X server dies
    server = LiveRun("serverKilled", "window", environment=screen.environment)
    window = GradientWindow(screen, server)
    screen.process.kill()
    checkGone("window.serverKilled", server, window)
