"""A viewer of the page of a live view: takes its pictures, says that it has drawn
them, and sends what a mouse and keys do.
"""

import os
import re
import struct
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["LBMGPUFOAM_DIR"]) / "tests/cases"))
from webSocket import WebSocket


class Viewer(threading.Thread):

    # Address of a page in a log, with port and token
    address = re.compile(r"http://\S+:(\d+)/\?token=(\w+)")

    def __init__(self, found):
        """found: match of the address"""
        super().__init__(daemon=True)
        self.link = WebSocket(int(found[1]), f"/view?token={found[2]}")
        self.times = []         # of pictures, by the monotonic clock [s]
        self.size = None        # width and height of the last one [pixels]
        self.start()

    def run(self):
        try:
            while True:
                message = self.link.receive(60)
                if message is None:
                    return
                if isinstance(message, bytes):
                    number, _, _, *self.size = struct.unpack("<5d", message[:40])
                    self.link.send(f"ack {number:.0f}")
                    self.times.append(time.monotonic())
        except OSError:
            return

    def rate(self, start, end):
        """Pictures a second between two times"""
        return sum(start < t < end for t in self.times)/(end - start)

    def send(self, event):
        self.link.send(event)

    def stroke(self, pixels, button=1):
        """Through these places, with the pauses of a quick hand"""
        self.send("move {:.3f} {:.3f} 0".format(*pixels[0]))
        self.send("press {:.3f} {:.3f} {}".format(*pixels[0], button))
        for p in pixels[1:]:
            self.send("move {:.3f} {:.3f} {}".format(*p, button))
            time.sleep(0.005)
        self.send("release {:.3f} {:.3f} {}".format(*pixels[-1], button))
        time.sleep(0.05)
