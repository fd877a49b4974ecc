"""Displays of a live view: the page's server, a browser, and the window.

Whatever viewers do, showing a picture takes the run no time.
"""

from caseTest import *

import random
import resource
import socket
import struct
import time

import browserTest
import liveRun
import windowTest
from liveRun import LiveRun, frame, jpegSize
from webSocket import (BINARY, TEXT, Refused, WebSocket, connect, exchange,
                       receiveAll, request, status)

library = [Path(os.environ[name]) / "liblbmLiveView.so"
           for name in ("FOAM_MODULE_LIBBIN", "FOAM_USER_LIBBIN")
           if os.environ.get(name)]
if not any(file.is_file() for file in library):
    skipped("build", "lbmLiveView is not built")
    finish()
code, output = run(["wmake", "-s", str(top / "tests/liveView")])
if code != 0:
    failed("build", output[-600:])
    finish()

#: All calls of the run but one in a hundred, at least one, and the longest must
#: not take more processor time [ms]: none draws. The longest has room for caches
#: that other programs have taken.
SHORT, LONGEST = 5, 25

#: Nor does one wait for a viewer, which takes a second or more [ms]. Waiting for a
#: processor that other programs have takes far less.
WAITING = 500


def checkRun(name, run, memory=150000):
    """What must hold for every run at its end; ends it."""
    found = run.finish()
    check(f"{name}.ended", found["ended"] and found["status"] == 0,
          f"status {found['status']}")
    for call in ("show", "events"):
        times = found.get(call, {})
        check(f"{name}.{call}Time", times.get("cpu99", 1e9) < SHORT
              and times["largestCpu"] < LONGEST
              and times["median"] < WAITING, times)
    check(f"{name}.closeTime",
          found.get("close", {}).get("largest", 1e9) < 1000, found.get("close"))
    check(f"{name}.memory", found["memory"] < memory, f"{found['memory']} kB")
    return found


def refusal(*arguments, **options):
    """HTTP status instead of a WebSocket; 101 if it is one."""
    try:
        WebSocket(*arguments, **options).close()
        return 101
    except Refused as refused:
        return refused.args[0]


# ---- Addresses --------------------------------------------------------------

for name, options, words in (
        ("remote", {"address": "0.0.0.0"},
         ("allowRemote", "ssh -L", "not encrypted")),
        ("remote6", {"address": "::"}, ("allowRemote", "ssh -L")),
        ("noAddress", {"address": "no.such.name"}, ("no.such.name",)),
        ("port", {"port": 70000}, ("70000",))):
    error = LiveRun(name, seconds=1, **options).error()
    check(f"address.{name}", all(word in error for word in words), error)

if Path("/proc/net/if_inet6").is_file() \
        and " lo" in Path("/proc/net/if_inet6").read_text():
    server = LiveRun("v6", address="::1")
    check("address.v6", "http://[::1]:" in server.text(), server.text())
    server.finish()
else:
    skipped("address.v6", "no IPv6 here")


# ---- Who gets what ----------------------------------------------------------

server = LiveRun("access", requestTime=2)
port, token = server.port, server.token
check("token.length", len(token) >= 32, token)

error = LiveRun("portInUse", seconds=1, port=port).error()
check("address.inUse", "in use" in error, error)

page = request(port, f"/?token={token}")
head = page.partition(b"\r\n\r\n")[0].decode().lower()
check("page.status", status(page) == 200, head)
check("page.content", b"<canvas" in page)
check("page.escaped", b"showGradient &lt;&amp;&gt;" in page)
check("page.complete", b"@" not in page.partition(b"\r\n\r\n")[2])
for line in ("cache-control: no-store", "x-content-type-options: nosniff",
             "frame-ancestors 'none'", "default-src 'none'"):
    check(f"page.header.{line.split(':')[0].split()[0]}", line in head, head)
check("page.noResources", not re.search(rb"(src|href)=\"?https?:", page))

wrong = "0" * len(token)
for name, got, wanted in (
        ("noToken", request(port, "/"), 403),
        ("emptyToken", request(port, "/?token="), 403),
        ("wrongToken", request(port, f"/?token={wrong}"), 403),
        ("shortToken", request(port, f"/?token={token[:-1]}"), 403),
        ("longToken", request(port, f"/?token={token}0"), 403),
        ("otherQuery", request(port, f"/?x={token}"), 403),
        ("noTokenView", request(port, "/view"), 403),
        ("notAWebSocket", request(port, f"/view?token={token}",
                                  more=f"Origin: http://127.0.0.1:{port}\r\n"),
         426),
        ("icon", request(port, "/favicon.ico"), 404),
        ("file", request(port, f"/page.html?token={token}"), 404),
        ("parent", request(port, f"/../../etc/passwd?token={token}"), 404),
        ("slashes", request(port, f"//?token={token}"), 404),
        ("otherName", request(port, f"/?token={token}", host="evil.example"),
         403),
        ("otherNamePort", request(port, f"/?token={token}",
                                  host=f"evil.example:{port}"), 403),
        ("noName", request(port, f"/?token={token}", host=""), 403),
        ("loopbackLookalike", request(port, f"/?token={token}",
                                      host="127.0.0.1.evil.example"), 403),
        ("tunnel", request(port, f"/?token={token}", host="localhost:9999"),
         200),
        ("longHeader", request(port, f"/?token={token}",
                               more=f"X: {'x' * 9000}\r\n"), 431),
        ("longTarget", request(port, "/" + "x" * 9000), 431),
        ("notHttp", exchange(port, b"hello\r\n\r\n"), 400),
        ("binary", exchange(port, bytes(range(256)) * 8), 400)):
    check(f"request.{name}", status(got) == wanted,
          f"{got[:60]} instead of {wanted}")
for method in ("POST", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE", "BREW"):
    got = request(port, f"/?token={token}", method=method,
                  more="Content-Length: 5\r\n\r\nhello" if method == "POST"
                  else "")
    check(f"request.{method}", status(got) == 405, got[:60])

view = f"/view?token={token}"
for name, got, wanted in (
        ("noToken", refusal(port, "/view"), 403),
        ("wrongToken", refusal(port, f"/view?token={wrong}"), 403),
        ("otherPath", refusal(port, f"/views?token={token}"), 404),
        ("otherOrigin", refusal(port, view, origin="http://evil.example"), 403),
        ("nullOrigin", refusal(port, view, origin="null"), 403),
        ("noOrigin", refusal(port, view, origin=""), 403),
        ("lookalikeOrigin", refusal(
            port, view, origin=f"http://127.0.0.1:{port}.evil.example"), 403),
        ("otherName", refusal(port, view, host="evil.example"), 403),
        ("same", refusal(port, view), 101),
        ("tunnel", refusal(port, view, host="localhost:9999"), 101),
        ("tunnelOtherName", refusal(port, view, host=f"127.0.0.1:{port}",
                                    origin="http://localhost:9999"), 101)):
    check(f"webSocket.{name}", got == wanted, f"{got} instead of {wanted}")

with connect(port) as silent, connect(port) as half:
    half.sendall(b"GET / HTTP/1.1\r\nHost: 127.0")
    began = time.monotonic()
    receiveAll(silent)
    receiveAll(half)
    check("request.time", 1 < time.monotonic() - began < 6,
          f"closed after {time.monotonic() - began:.1f} s")
checkRun("access", server)


# ---- Pictures ---------------------------------------------------------------

server = LiveRun("pictures")
viewer = server.viewer()
check("role.first", viewer.receive() == "steer")
header, file = frame(viewer.receive())
check("picture.size", (header["width"], header["height"]) == (1024, 512)
      and jpegSize(file) == (1024, 512), f"{header} {jpegSize(file)}")
check("picture.time", abs(header["time"] - 0.001*header["step"]) < 1e-9, header)

try:
    viewer.receive(1)
    failed("picture.acknowledge", "another one came without being asked for")
except socket.timeout:
    passed("picture.acknowledge")
viewer.send(f"ack {header['frame']:.0f}")
after, _ = frame(viewer.receive())
after, _ = frame((viewer.send(f"ack {after['frame']:.0f}"),
                  viewer.receive())[1])
check("picture.latest", after["step"] > header["step"] + 50,
      f"steps {header['step']}, {after['step']}")

# All that it can give: pause=0 would only compete for the processor
count, size, began = 0, 0, time.monotonic()
while time.monotonic() - began < 3:
    viewer.send(f"ack {after['frame']:.0f}")
    data = viewer.receive()
    after, file = frame(data)
    count += 1
    size += len(data)
print(f"{count / 3:.0f} pictures a second, {size / count / 1024:.0f} kB each")
check("picture.rate", count > 15, f"{count} in 3 s")
viewer.close()
found = checkRun("pictures", server)
print(f"show: {found.get('show')}")

server = LiveRun("nobody", every=1e9)
time.sleep(1)
found = server.finish()
check("picture.nobodyWants", found.get("asked") == 0, found)


# ---- Events -----------------------------------------------------------------

server = LiveRun("events")
viewer = server.viewer()
viewer.receive(), viewer.receive()

wanted = []
for i in range(300):
    x, y = 3.25*i, i + 0.5
    for line in (f"move {x:.3f} {y:.3f} 0", f"press {x:.3f} {y:.3f} 1",
                 f"move {x + 1:.3f} {y:.3f} 1", f"press {x:.3f} {y:.3f} 3",
                 f"release {x:.3f} {y:.3f} 1", f"release {x:.3f} {y:.3f} 3",
                 f"wheel {x:.3f} {y:.3f} {-1.5:.3f}",
                 f"key {'aZ?+'[i % 4]}", "key PageUp", "key Space"):
        wanted.append(line)
        viewer.send(line)
    time.sleep(0.002)
got = server.waitEvents(len(wanted))
check("event.order", got == wanted,
      f"{len(got)} of {len(wanted)}; first difference "
      f"{next((a for a in zip(got, wanted) if a[0] != a[1]), None)}")

before = len(got)
for line in ("move -5 -0.001 0", "move 1024 99999.5 0", "press 2000 511.9 2",
             "release 1 2 2", "wheel 0 0 9999", "release 1 2 1",
             "press 1 2 1", "press 1 2 1", "release 1 2 1"):
    viewer.send(line)
got = server.waitEvents(before + 7)[before:]
check("event.inside", got == [
    "move 0.000 0.000 0", "move 1024.000 512.000 0", "press 1024.000 511.900 2",
    "release 1.000 2.000 2", "wheel 0.000 0.000 100.000",
    "press 1.000 2.000 1", "release 1.000 2.000 1"], got)
viewer.close()

for line in ("", " ", "press", "press 1 2", "press 1 2 1 ", "press 1 2 1 4",
             " press 1 2 1", "press  1 2 1", "press 1 2 0", "press 1 2 4",
             "press 1 2 01", "press 1 2 -1", "press nan 2 1", "press inf 2 1",
             "press 1e3 2 1", "press 1e999 2 1", "press +1 2 1",
             "press 0x1 2 1",
             "press 1. 2 1", "press .5 2 1", "press 12345678 2 1",
             "press 1 2 1\n", "move 1 2 1\0", "Press 1 2 1", "close",
             "key", "key ", "key ab", "key F1", "key \u00e9", "key  ",
             "wheel 1 2 nan", "ack", "ack 1 2", "ack -1", "ack 999999",
             "ack 99999999999999999999", "quit", "{}"):
    viewer = server.viewer()
    viewer.receive(), viewer.receive()
    viewer.send(line)
    code = viewer.closed(3)
    check(f"refuse.{line!r}", code == 1008, f"close code {code}")
    viewer.close()

for name, wanted, send in (
        ("binary", 1003, lambda v: v.sendFrame(BINARY, b"move 1 2 0")),
        ("long", 1009, lambda v: v.send("key " + "a" * 300)),
        ("veryLong", 1009, lambda v: v.link.sendall(
            b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"mask")),
        ("longInParts", 1009, lambda v: [v.sendFrame(
            0 if i else TEXT, b"x" * 100, final=False) for i in range(3)]),
        ("notUtf8", 1007, lambda v: v.sendFrame(TEXT, b"key \xff\xfe")),
        ("unmasked", 1002, lambda v: v.sendFrame(
            TEXT, b"key a", masked=False)),
        ("opcode", 1002, lambda v: v.sendFrame(5, b"key a"))):
    viewer = server.viewer()
    viewer.receive(), viewer.receive()
    try:
        send(viewer)
        code = viewer.closed(3)
    except (ConnectionError, socket.timeout) as error:
        code = error
    check(f"refuse.{name}", code in (wanted, 0), f"{code} instead of {wanted}")
    viewer.close()

chance = random.Random(1)
ended = 0
for i in range(40):
    viewer = server.viewer()
    try:
        viewer.link.sendall(chance.randbytes(chance.randint(1, 3000)))
        viewer.link.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    receiveAll(viewer.link)
    viewer.close()
    ended += 1
check("refuse.garbage", ended == 40 and server.process.poll() is None)
check("refuse.nothingHeard",
      not [e for e in server.events()[before + 7:]
           if not e.startswith(("release", "move", "press 1.000 2.000"))],
      server.events()[before + 7:])

checkRun("events", server)

# More than fits, while the run is busy
server = LiveRun("manyEvents", pause=1500)
viewer = server.viewer()
viewer.receive(), viewer.receive()
time.sleep(1.6)
viewer.send("press 1 1 1")
for i in range(5000):
    viewer.send(f"move {i % 1000} 5 1")
viewer.send("release 999 5 1")
waitFor(lambda: "release 999.000 5.000 1" in server.events(), 10)
got = server.events()
check("event.bounded", "press 1.000 1.000 1" in got
      and "release 999.000 5.000 1" in got and len(got) < 4200, len(got))
for i in range(3000):
    try:
        viewer.send("press 1 1 1")
        viewer.send("release 1 1 1")
    except ConnectionError:
        break
code = viewer.closed()
check("event.flood", code in (1008, 0), code)
viewer.close()
server.finish()


# ---- Viewers ----------------------------------------------------------------

server = LiveRun("viewers")
first = server.viewer()
check("steer.first", first.receive() == "steer")
second = server.viewer()
check("steer.second", second.receive() == "watch")
third = server.viewer()
check("steer.third", third.receive() == "watch")
for viewer in (first, second, third):
    viewer.receive()

second.send("key x")
first.send("press 10 20 1")
check("steer.only", server.waitEvents(1) == ["press 10.000 20.000 1"],
      server.events())

# Killed, with the button down
first.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                      b"\1\0\0\0\0\0\0\0")
first.close()
check("steer.handOver", second.receive() == "steer")
second.send("key y")
got = server.waitEvents(3)
check("steer.released", got[1:] == ["release 10.000 20.000 1", "key y"], got)
second.close()
check("steer.again", third.receive() == "steer")
third.close()
checkRun("viewers", server)


# ---- Load -------------------------------------------------------------------

server = LiveRun("load", requestTime=3, silentTime=6)
steering = server.viewer(timeout=30)
steering.receive()
header, _ = frame(steering.receive())


def draws():
    """Whether the steering viewer gets pictures, and is heard."""
    global header
    try:
        steering.send(f"ack {header['frame']:.0f}")
        header, _ = frame(steering.receive(5) or b"")
        number = len(server.events())
        steering.send("key z")
        return len(server.waitEvents(number + 1)) > number
    except (ConnectionError, socket.timeout, struct.error):
        return False


# Hundred at once that ask for the page
links = [connect(server.port) for i in range(100)]
for link in links:
    try:
        link.sendall(f"GET /?token={server.token} HTTP/1.1\r\n"
                     f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode())
    except ConnectionError:
        pass
got = [status(receiveAll(link)) for link in links]
for link in links:
    link.close()
check("load.requests", got.count(200) >= 10 and set(got) <= {200, 503, 0},
      {code: got.count(code) for code in set(got)})
check("load.steeringOn", draws())

# Hundred that say nothing
links = [connect(server.port) for i in range(100)]
time.sleep(1.3)
check("load.halfOpenServes",
      status(request(server.port, f"/?token={server.token}")) == 200)
check("load.halfOpenSteeringOn", draws())
began = time.monotonic()
for link in links:
    receiveAll(link)
    link.close()
check("load.halfOpenClosed", time.monotonic() - began < 8)

check("load.halfOpenSteers", draws())

# As many viewers as there may be, and one more
viewers = [server.viewer() for i in range(15)]
check("load.full", refusal(server.port, f"/view?token={server.token}")
      in (503, 0))
check("load.fullSteeringOn", draws())
for viewer in viewers:
    viewer.close()
check("load.free", waitFor(lambda: refusal(
    server.port, f"/view?token={server.token}") == 101))

# One that acknowledges but hardly reads; one that never reads nor answers
slow = server.viewer(buffer=4096)
hanging = server.viewer(buffer=4096)
count, began = 0, time.monotonic()
while time.monotonic() - began < 8:
    count += draws()
check("load.slowReader", count > 20, f"{count} pictures in 8 s")
check("load.hangingClosed", hanging.closed(3) in (0, 1000, 1001, 1005, 1006))
for viewer in (slow, hanging):
    viewer.close()

# Clients that come and die abruptly
for i in range(60):
    viewer = server.viewer()
    viewer.link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                           b"\1\0\0\0\0\0\0\0")
    viewer.close()
check("load.killed", draws())
checkRun("load", server)
check("end.told", steering.closed(2) == 1001, steering.closeCode)

# Too few descriptors for its sixteen connections
server = LiveRun("descriptors", requestTime=2, before=lambda:
                 resource.setrlimit(resource.RLIMIT_NOFILE, (14, 14)))
began = server.processorTime()
links = [connect(server.port) for i in range(40)]
time.sleep(1.5)
used = server.processorTime() - began
check("descriptors.noSpin", used < 1.2, f"{used} s of processor time in 1.5 s")
for link in links:
    link.close()
check("descriptors.servesAgain", waitFor(lambda: status(request(
    server.port, f"/?token={server.token}")) == 200, 5))
checkRun("descriptors", server)


# ---- Browser and window -----------------------------------------------------

browserTest.test()
windowTest.test()

finish()
