"""Asks a server what it answers, so that a peer can send the same bytes without thinking."""

import base64
import json
import os
import socket
import struct
import urllib.parse

from .errors import BenchError

# A counter in the answers has as many digits then as in the middle of a run.
STEPS = 1000


class _Conversation:
    def __init__(self, url):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.splitlines()[0]:
            raise BenchError(f"{url} refused the upgrade: {head.splitlines()[0]!r}")

    def ask(self, message):
        text = json.dumps(message, separators=(",", ":")).encode()
        if len(text) > 125:
            raise ValueError("only short messages are asked here")
        mask = b"\x37\xfa\x21\x3d"
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(text))
        self.socket.sendall(bytes([0x81, 0x80 | len(text)]) + mask + masked)
        return self._answer()

    def _answer(self):
        first, length = self._take(2)
        if first != 0x81:
            raise BenchError(f"an answer that is no text in one frame: 0x{first:02x}")
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return self._take(length)

    def _take(self, size):
        while len(self.received) < size:
            self._receive()
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def _receive(self):
        received = self.socket.recv(1 << 20)
        if not received:
            raise BenchError("the server closed the connection")
        self.received += received

    def close(self):
        self.socket.close()


def record(url, action, directory, steps=STEPS):
    """Writes reset.json, step.json and state.json into `directory` and returns it."""
    directory.mkdir(parents=True, exist_ok=True)
    conversation = _Conversation(url)
    try:
        answers = {"reset": conversation.ask({"type": "reset"})}
        for _ in range(steps):
            answers["step"] = conversation.ask({"type": "step", "data": action})
        answers["state"] = conversation.ask({"type": "state"})
    finally:
        conversation.close()
    for name, answer in answers.items():
        if json.loads(answer)["type"] == "error":
            raise BenchError(f"{url} answered a {name} with {answer[:200]!r}")
        (directory / f"{name}.json").write_bytes(answer)
    return directory
