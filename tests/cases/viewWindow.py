"""A virtual screen, and the window of a live view on it."""

import ctypes
import os
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from caseTest import waitFor


def missing():
    """Package that a virtual screen lacks, or None."""
    for program, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool")):
        if not shutil.which(program):
            return package
    return None


class Screen:
    """A virtual X server; its picture lies in a file."""

    def __init__(self, size="1400x900"):
        self.folder = tempfile.mkdtemp(prefix="lbmLiveView-")

        # With resets it would refuse who connects while its only client leaves
        self.process = subprocess.Popen(
            ["Xvfb", "-noreset", "-displayfd", "1",
             "-screen", "0", size + "x24", "-fbdir", self.folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=open("log.Xvfb", "w"))
        self.display = ":" + self.process.stdout.readline().decode().strip()
        self.environment = {"DISPLAY": self.display}

    def do(self, *words):
        """xdotool"""
        done = subprocess.run(
            ["xdotool", *map(str, words)], capture_output=True, text=True,
            env={**os.environ, **self.environment}, timeout=60)
        return done.stdout

    def read(self):
        """Bytes of the picture, first of them, in a line, in a pixel."""
        data = (Path(self.folder) / "Xvfb_screen0").read_bytes()
        head = struct.unpack("!25I", data[:100])
        return data, head[0] + 12*head[19], head[12], head[11]//8

    def pixel(self, x, y):
        data, first, line, size = self.read()
        at = first + y*line + x*size
        b, g, r = data[at:at + 3]
        return r, g, b

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)


class Window:

    def __init__(self, screen, pid, name):
        """Window of the process pid, with a title that has this in it."""
        self.screen = screen
        found = waitFor(lambda: screen.do(
            "search", "--name", name).split(), 120)
        if not found:
            raise RuntimeError(f"no window named {name} in 120 s")
        self.id = found[0]
        self.child = int(Path(
            f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def title(self):
        return self.screen.do("getwindowname", self.id).strip()

    def place(self):
        text = self.screen.do("getwindowgeometry", "--shell", self.id)
        return [int(re.search(rf"^{name}=(-?\d+)", text, re.M).group(1))
                for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def waitSize(self, width, height):
        return waitFor(lambda: self.place()[2:] == [width, height])

    def close(self):
        """As a window manager does"""
        X = ctypes.CDLL("libX11.so.6")
        X.XOpenDisplay.restype = ctypes.c_void_p
        X.XInternAtom.restype = ctypes.c_ulong
        display = ctypes.c_void_p(X.XOpenDisplay(self.screen.display.encode()))

        class Message(ctypes.Structure):
            _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong),
                        ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                        ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong),
                        ("format", ctypes.c_int), ("data", ctypes.c_long*5),
                        ("rest", ctypes.c_char*96)]

        message = Message(type=33, window=int(self.id), format=32)
        message.kind = X.XInternAtom(display, b"WM_PROTOCOLS", 0)
        message.data[0] = X.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
        X.XSendEvent(display, ctypes.c_ulong(int(self.id)), 0,
                     ctypes.c_long(0), ctypes.byref(message))
        X.XCloseDisplay(display)
