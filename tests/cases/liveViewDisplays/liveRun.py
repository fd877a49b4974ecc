"""A running showGradient and its log."""

import os
import re
import signal
import struct
import subprocess
import time
from pathlib import Path

from caseTest import top, waitFor
from webSocket import WebSocket


def program():
    return top / "build" / os.environ.get("WM_OPTIONS", "") / "showGradient"


def frame(data):
    """Header and JPEG file of a binary message."""
    names = ("frame", "step", "time", "width", "height")
    return dict(zip(names, struct.unpack("<5d", data[:40]))), data[40:]


def jpegSize(file):
    """Width and height that a JPEG file says it has."""
    at = 2
    while file[:2] == b"\xff\xd8" and at + 9 < len(file):
        marker, n = struct.unpack("!HH", file[at:at + 4])
        if marker in (0xffc0, 0xffc1, 0xffc2):
            height, width = struct.unpack("!HH", file[at + 5:at + 9])
            return width, height
        at += 2 + n
    return None


class LiveRun:

    def __init__(self, name, display="browser", seconds=120, environment=None,
                 wait=30, before=None, **options):
        self.log = Path(f"log.{name}").resolve()
        self.log.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [str(program()), display, str(self.log), str(seconds)]
            + [f"{key}={value}" for key, value in options.items()],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL, preexec_fn=before)
        waitFor(lambda: "\n" in self.text() or self.process.poll() is not None,
                wait)
        where = re.search(r"http://.*:(\d+)/\?token=([0-9a-f]+)", self.text())
        if where:
            self.url = where.group(0)
            self.port = int(where.group(1))
            self.token = where.group(2)

    def text(self):
        return self.log.read_text() if self.log.is_file() else ""

    def error(self):
        """What the display said why it could not open."""
        self.process.wait(60)
        found = re.match(r"error (.*)", self.text(), re.S)
        return found.group(1) if found else ""

    def events(self):
        return re.findall(r"^event (.*)$", self.text(), re.M)

    def waitEvents(self, number, timeout=10):
        waitFor(lambda: len(self.events()) >= number, timeout)
        return self.events()

    def viewer(self, **options):
        return WebSocket(self.port, f"/view?token={self.token}", **options)

    def processorTime(self):
        """[s]"""
        words = Path(f"/proc/{self.process.pid}/stat").read_text() \
            .rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def finish(self):
        """End it; returns what it measured."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        found = {"ended": self.text().endswith("end\n"),
                 "status": self.process.returncode}
        for line in re.findall(r"^times (.*)$", self.text(), re.M):
            words = line.split()
            found[words[0]] = dict(zip(words[1::2], map(float, words[2::2])))
        for name in ("memory", "wanted"):
            value = re.search(rf"^{name} (\d+)$", self.text(), re.M)
            found.setdefault(name, int(value.group(1)) if value else 0)
            if name == "wanted" and value:
                found["asked"] = int(value.group(1))
        return found
