"""HTTP requests and a WebSocket client, by plain sockets.

Other clients hide what a test of a server has to see and to get wrong.
"""

import base64
import os
import socket
import struct
import time

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def connect(port, timeout=10, address="127.0.0.1"):
    return socket.create_connection((address, port), timeout)


def receiveAll(link, most=1 << 20):
    """All that comes until the other side closes or says nothing more."""
    data = b""
    try:
        while len(data) < most:
            part = link.recv(65536)
            if not part:
                break
            data += part
    except (ConnectionError, socket.timeout):
        pass
    return data


def exchange(port, data, timeout=10):
    """Send bytes, return the answer."""
    with connect(port, timeout) as link:
        try:
            link.sendall(data)
        except ConnectionError:
            pass
        return receiveAll(link)


def status(answer):
    """Status of an HTTP answer; 0 if it is none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if words[0].startswith(b"HTTP/1.") else 0


def request(port, target, method="GET", host=None, more=""):
    host = f"127.0.0.1:{port}" if host is None else host
    return exchange(
        port, f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n"
        .encode())


class Refused(Exception):
    """The server does not make it a WebSocket; args[0]: HTTP status."""


class WebSocket:

    def __init__(self, port, target, host=None, origin=None, timeout=10,
                 buffer=None):
        """origin: None for the same as the host, "" for none

        buffer: size of the receiving socket's buffer [bytes]
        """
        self.link = socket.socket()
        if buffer:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.link.settimeout(timeout)
        self.link.connect(("127.0.0.1", port))
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.closeCode = None

        host = f"127.0.0.1:{port}" if host is None else host
        origin = f"http://{host}" if origin is None else origin
        lines = [
            f"GET {target} HTTP/1.1", f"Host: {host}", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(),
        ] + ([f"Origin: {origin}"] if origin else [])
        self.link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

        while b"\r\n\r\n" not in self.data:
            part = self.link.recv(65536)
            if not part:
                break
            self.data += part
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        if status(head) != 101:
            self.link.close()
            raise Refused(status(head))

    def sendFrame(self, opcode, payload, final=True, masked=True):
        first = (0x80 if final else 0) | opcode
        n = len(payload)
        bit = 0x80 if masked else 0
        if n < 126:
            head = struct.pack("!BB", first, bit | n)
        elif n < 65536:
            head = struct.pack("!BBH", first, bit | 126, n)
        else:
            head = struct.pack("!BBQ", first, bit | 127, n)
        if masked:
            mask = os.urandom(4)
            head += mask
            payload = bytes(b ^ mask[i & 3] for i, b in enumerate(payload))
        self.link.sendall(head + payload)

    def send(self, text):
        self.sendFrame(TEXT, text.encode())

    def _take(self, n):
        while len(self.data) < n:
            part = self.link.recv(1 << 18)
            if not part:
                raise ConnectionError("closed without a close frame")
            self.data += part
        taken, self.data = self.data[:n], self.data[n:]
        return taken

    def receive(self, timeout=10):
        """Next message: str or bytes; None when it is closed (closeCode).

        Raises socket.timeout, ConnectionError
        """
        whole = b""
        kind = None
        end = time.monotonic() + timeout
        while True:
            self.link.settimeout(max(end - time.monotonic(), 1e-3))
            first, second = self._take(2)
            n = second & 0x7f
            if n == 126:
                n, = struct.unpack("!H", self._take(2))
            elif n == 127:
                n, = struct.unpack("!Q", self._take(8))
            payload = self._take(n)
            opcode = first & 15
            if opcode == PING:
                self.sendFrame(PONG, payload)
            elif opcode == CLOSE:
                self.closeCode = struct.unpack("!H", payload[:2])[0] \
                    if n >= 2 else 1005
                return None
            elif opcode != PONG:
                kind = kind or opcode
                whole += payload
                if first & 0x80:
                    return whole.decode() if kind == TEXT else whole

    def closed(self, timeout=10):
        """Close code, when messages before it have been read; 0: no frame."""
        try:
            while self.receive(timeout) is not None:
                pass
            return self.closeCode
        except ConnectionError:
            return 0

    def close(self):
        self.link.close()
