"""The page in a real browser."""

import time

from caseTest import check, failed, skipped, waitFor
from liveRun import LiveRun
from viewBrowser import Browser, Page, findBrowser


def near(event, kind, x, y, last, tolerance):
    words = event.split()
    return len(words) == 4 and words[0] == kind and words[3] == last \
        and abs(float(words[1]) - x) <= tolerance \
        and abs(float(words[2]) - y) <= tolerance


def checkPixels(name, page):
    """The gradient of showGradient, but for JPEG's rounding."""
    def wrong():
        found = []
        for x, y in ((0, 0), (1023, 0), (0, 511), (1023, 511), (512, 256),
                     (100, 400)):
            r, g, b, a = page.value(
                f"Array.from(context.getImageData({x}, {y}, 1, 1).data)")
            if abs(r - 255*x/1023) > 8 or abs(g - 255*y/511) > 8 or a != 255:
                found.append(f"({x}, {y}): {r} {g} {b} {a}")
        return found

    # A page that has just been opened has no picture yet
    waitFor(lambda: not wrong())
    check(f"{name}.pixels", not wrong(), "; ".join(wrong()))


def checkMouse(name, page, server, tolerance):
    """A line by the left button, a click of the right one, the wheel"""
    n = len(server.events())
    page.mouse("mouseMoved", 150, 90)
    page.mouse("mousePressed", 200, 100, "left", 1)
    page.mouse("mouseMoved", 400, 250, "left", 1)
    page.mouse("mouseReleased", 400, 250, "left", 0)
    page.mouse("mousePressed", 1000, 500, "right", 2)
    page.mouse("mouseReleased", 1000, 500, "right", 0)
    page.mouse("mouseWheel", 600, 300, deltaX=0, deltaY=-100)
    page.mouse("mouseWheel", 600, 300, deltaX=0, deltaY=200)
    wanted = [("move", 150, 90, "0"), ("press", 200, 100, "1"),
              ("move", 400, 250, "1"), ("release", 400, 250, "1"),
              ("press", 1000, 500, "3"), ("release", 1000, 500, "3"),
              ("wheel", 600, 300, "1.000"), ("wheel", 600, 300, "-2.000")]

    # A move to where a button goes down may come first
    def heard():
        found = server.events()[n:]
        return [e for i, e in enumerate(found) if not (
            e.startswith("move") and e.endswith(" 0") and i + 1 < len(found)
            and found[i + 1].split()[1:3] == e.split()[1:3])
            and not near(e, "move", 1000, 500, "0", tolerance)
            and not near(e, "move", 600, 300, "0", tolerance)]

    waitFor(lambda: len(heard()) >= len(wanted), 5)
    got = heard()
    check(f"{name}.mouse", len(got) == len(wanted) and all(
        near(event, *what, tolerance) for event, what in zip(got, wanted)), got)


def test():
    if not findBrowser():
        skipped("browser", "no chromium")
        return

    server = LiveRun("browser", seconds=300)
    browser = Browser()
    try:
        if browser.port is None:
            skipped("browser", f"chromium does not start: {browser.log()}")
            return
        drive(server, browser.port)
    except Exception as error:
        failed("browser", repr(error))
    finally:
        browser.close()
        if server.process.poll() is None:
            server.finish()


def drive(server, port):
    page = Page(port, server.url)
    check("browser.steering", page.waitState("steering"), page.state())
    check("browser.size", waitFor(lambda: page.value(
        "[canvas.width, canvas.height].join(' ')") == "1024 512"),
        page.value("[canvas.width, canvas.height].join(' ')"))
    check("browser.title", page.value("document.title") == "showGradient <&>",
          page.value("document.title"))

    steps = "document.getElementById('time').textContent"
    before = page.value(steps)
    check("browser.moves", waitFor(lambda: page.value(steps) != before), before)

    checkPixels("browser", page)
    page.picture("page.png")
    checkMouse("browser", page, server, 1)

    # Keys, and those that stay the browser's
    n = len(server.events())
    for key, text in (("a", "a"), ("+", "+"), (" ", " "), ("ArrowUp", ""),
                      ("PageDown", ""), ("Escape", ""), ("F2", ""),
                      ("\u00e9", "\u00e9")):
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key)
    page.call("Input.dispatchKeyEvent", type="keyDown", key="r", modifiers=2)
    time.sleep(0.3)
    got = server.events()[n:]
    check("browser.keys", got == ["key a", "key +", "key Space", "key Up",
                                  "key PageDown", "key Escape"], got)

    n = len(server.events())
    for what, x, y in (("touchStart", 300, 200), ("touchMove", 340, 240)):
        page.call("Input.dispatchTouchEvent", type=what,
                  touchPoints=[page.point(x, y)])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    got = server.waitEvents(n + 3)[n:]
    check("browser.touch", len(got) >= 3
          and near(got[0], "press", 300, 200, "1", 2)
          and near(got[1], "move", 340, 240, "1", 2)
          and near(got[-1], "release", 340, 240, "1", 2), got)

    # A tall page: the picture is smaller, and in its middle
    page.call("Emulation.setDeviceMetricsOverride", width=480, height=800,
              deviceScaleFactor=1, mobile=False)
    box = waitFor(lambda: page.value(
        "(b => b.width == 480 && b.height == 240 && b.top > 200 && b.top)"
        "(canvas.getBoundingClientRect())"))
    check("browser.resized", box, page.value(
        "JSON.stringify(canvas.getBoundingClientRect())"))
    checkMouse("browser.small", page, server, 3)
    page.picture("pageSmall.png")
    page.call("Emulation.clearDeviceMetricsOverride")

    # One more watches, then steers
    other = Page(port, server.url)
    check("browser.watching", other.waitState("watching"), other.state())
    other.call("Input.dispatchKeyEvent", type="keyDown", key="w", text="w")
    checkPixels("browser.watcher", other)
    page.value("socket.close()")
    check("browser.handOver", other.waitState("steering"), other.state())
    check("browser.reconnects", page.waitState("watching"), page.state())
    check("browser.watcherIgnored", "key w" not in server.events())
    other.close()
    check("browser.steersAgain", page.waitState("steering"), page.state())
    check("browser.noComplaints", not page.complaints, page.complaints)

    found = server.finish()
    check("browser.ended", found["ended"] and found["status"] == 0, found)
    times = found.get("show", {})
    check("browser.showTime", times.get("cpu99", 99) < 5
          and times["largestCpu"] < 25, times)
    check("browser.saysEnd", page.waitState("the run has ended"), page.state())
    page.picture("pageLost.png")
