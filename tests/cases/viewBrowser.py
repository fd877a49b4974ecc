"""A real browser: Chromium without a window, told what to do by its debugging
protocol.
"""

import base64
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from caseTest import waitFor
from webSocket import WebSocket, request


def findBrowser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    return None


class Browser:
    """port is None where it does not start; log then says why."""

    def __init__(self, size="1100,700"):
        self.folder = tempfile.mkdtemp(prefix="lbmLiveView-")
        self.process = subprocess.Popen(
            [findBrowser(), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync", "--no-proxy-server", f"--window-size={size}",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder}",
             "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open("log.chromium", "w"))
        file = Path(self.folder) / "DevToolsActivePort"
        started = waitFor(lambda: file.is_file() and file.read_text(), 60)
        self.port = int(started.split()[0]) if started else None

    def log(self):
        return Path("log.chromium").read_text()[-300:]

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """A tab of the browser."""

    def __init__(self, port, url):
        answer = request(port, "/json/new?about:blank", method="PUT")
        tab = json.loads(answer.partition(b"\r\n\r\n")[2])
        self.port, self.id = port, tab["id"]
        self.link = WebSocket(port, f"/devtools/page/{self.id}", origin="",
                              timeout=30)
        self.last = 0
        self.complaints = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url=url)

    def call(self, method, **parameters):
        self.last += 1
        self.link.send(json.dumps(
            {"id": self.last, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.link.receive(30))
            if message.get("id") == self.last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            about = message.get("params", {})
            if message["method"] == "Log.entryAdded" \
                    and about["entry"]["level"] == "error":
                self.complaints.append(about["entry"]["text"])
            if message["method"] == "Runtime.exceptionThrown":
                self.complaints.append(str(about["exceptionDetails"])[:300])

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression,
                         returnByValue=True)["result"].get("value")

    def state(self):
        return self.value("document.getElementById('state').textContent")

    def waitState(self, state):
        return waitFor(lambda: self.state() == state)

    def point(self, x, y):
        """Where in the page a point of the picture is."""
        left, top, width, height, w, h = self.value(
            "(() => { const b = canvas.getBoundingClientRect();"
            " return [b.left, b.top, b.width, b.height, canvas.width,"
            " canvas.height]; })()")
        return {"x": left + x*width/w, "y": top + y*height/h}

    def mouse(self, what, x, y, button="none", buttons=0, **more):
        self.call("Input.dispatchMouseEvent", type=what, button=button,
                  buttons=buttons, clickCount=int(what != "mouseMoved"),
                  **self.point(x, y), **more)

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def close(self):
        self.link.close()
        request(self.port, f"/json/close/{self.id}")
