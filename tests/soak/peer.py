"""Peers as plain sockets: a WebSocket client without mercy, and HTTP calls.

An address is a pair (host, port), or the path of a Unix domain socket. Everything blocks, at most
for the time limit of the socket (TimeoutError).
"""

import json
import socket
import struct
from typing import Any, Optional, Union

Address = Union[tuple[str, int], str]

TIME_LIMIT_S = 30.0
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Ended(Exception):
    """The server closed the WebSocket, or the connection; `code` is that of the close frame."""

    def __init__(self, code: Optional[int], reason: str = ""):
        super().__init__(f"closed with {code} {reason}" if code else "the connection has ended")
        self.code = code
        self.reason = reason


class Refused(Exception):
    """The upgrade was answered with another status than 101."""


def connect(
    address: Address, *, time_limit: float = TIME_LIMIT_S, receive_buffer: Optional[int] = None
) -> socket.socket:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        if receive_buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.settimeout(time_limit)
        connection.connect(address)
        if family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


def abort(connection: socket.socket) -> None:
    """Ends a TCP connection by a reset (RST) instead of a farewell."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def upgrade_request(target: str = "/ws", headers: Optional[dict[str, str]] = None) -> bytes:
    lines = [
        f"GET {target} HTTP/1.1",
        "Host: soak",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(lines + ["", ""]).encode()


def frame(opcode: int, payload: bytes) -> bytes:
    """A frame of a client. The mask is zero, which is a mask like any other and costs nothing."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    return head + b"\0\0\0\0" + payload


class Peer:
    """One WebSocket. Errors: Ended, Refused, OSError (of which TimeoutError is one)."""

    def __init__(
        self,
        address: Address,
        *,
        target: str = "/ws",
        headers: Optional[dict[str, str]] = None,
        time_limit: float = TIME_LIMIT_S,
        receive_buffer: Optional[int] = None,
    ):
        self.socket = connect(address, time_limit=time_limit, receive_buffer=receive_buffer)
        self._read = bytearray()
        self.pings = 0
        self.headers: dict[str, str] = {}
        try:
            self.socket.sendall(upgrade_request(target, headers))
            self._shake_hands()
        except BaseException:
            self.socket.close()
            raise

    @classmethod
    def adopt(cls, connection: socket.socket) -> "Peer":
        """A peer of a connection that has sent its upgrade; see finish_upgrade()."""
        peer = cls.__new__(cls)
        peer.socket, peer._read, peer.pings, peer.headers = connection, bytearray(), 0, {}
        return peer

    def finish_upgrade(self) -> None:
        self._shake_hands()

    def _shake_hands(self) -> None:
        while b"\r\n\r\n" not in self._read:
            self._fill()
        head, _, rest = bytes(self._read).partition(b"\r\n\r\n")
        self._read = bytearray(rest)
        status, *lines = head.decode("latin-1").split("\r\n")
        if " 101 " not in status + " ":
            raise Refused(status)
        for line in lines:
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()

    def _fill(self) -> None:
        more = self.socket.recv(262144)
        if not more:
            raise Ended(None)
        self._read += more

    def _take(self, count: int) -> bytes:
        while len(self._read) < count:
            self._fill()
        taken = bytes(self._read[:count])
        del self._read[:count]
        return taken

    def send(self, opcode: int, payload: bytes) -> None:
        self.socket.sendall(frame(opcode, payload))

    def say(self, message: dict[str, Any]) -> None:
        self.send(TEXT, json.dumps(message).encode())

    def read_frame(self) -> tuple[int, bytes]:
        first, second = self._take(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self._take(8))
        return first & 0x0F, self._take(size)

    def read(self) -> dict[str, Any]:
        """The next message; pings on the way to it are answered."""
        while True:
            opcode, payload = self.read_frame()
            if opcode == PING:
                self.pings += 1
                self.send(PONG, payload)
            elif opcode == CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
                try:
                    self.send(CLOSE, payload[:2])
                except OSError:
                    pass  # it is closed already
                raise Ended(code, payload[2:].decode(errors="replace"))
            elif opcode != PONG:
                return json.loads(payload)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.say(message)
        return self.read()

    def reset(self) -> bool:
        """Begins an episode; False when the server is full (the connection is over then)."""
        answer = self.ask({"type": "reset"})
        if answer["type"] == "error" and answer["data"].get("code") == "CAPACITY_REACHED":
            self.socket.close()
            return False
        if answer["type"] != "observation":
            raise AssertionError(f"a reset was answered with {answer}")
        return True

    def step(self, action: dict[str, Any]) -> dict[str, Any]:
        return self.ask({"type": "step", "data": action})

    def wait_for_end(self) -> Ended:
        """Reads and drops everything until the server ends the connection, and says how."""
        try:
            while True:
                self.read()
        except Ended as end:
            return end
        except ConnectionError:
            return Ended(None)
        finally:
            self.socket.close()

    def close(self) -> None:
        """Says goodbye as a proper client, and waits for the answer."""
        try:
            self.send(CLOSE, struct.pack("!H", 1000))
        except OSError:
            self.socket.close()
            return
        self.wait_for_end()

    def leave(self) -> None:
        """Ends without a close frame (FIN)."""
        self.socket.close()

    def abort(self) -> None:
        abort(self.socket)


def http(
    address: Address,
    method: str,
    target: str,
    body: Optional[bytes] = None,
    *,
    connection: Optional[socket.socket] = None,
) -> tuple[int, bytes]:
    """Status and body of a call. With `connection` it is made there, and that stays open."""
    own = connect(address) if connection is None else None
    used = own or connection
    try:
        head = f"{method} {target} HTTP/1.1\r\nHost: soak\r\n"
        if own:
            head += "Connection: close\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        used.sendall(head.encode() + b"\r\n" + (body or b""))
        read = b""
        while b"\r\n\r\n" not in read:
            more = used.recv(65536)
            if not more:
                raise Ended(None)
            read += more
        head_read, _, read = read.partition(b"\r\n\r\n")
        lines = head_read.decode("latin-1").split("\r\n")
        size = 0
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name.strip().lower() == "content-length":
                size = int(value)
        while len(read) < size:
            more = used.recv(65536)
            if not more:
                raise Ended(None)
            read += more
        return int(lines[0].split()[1]), read
    finally:
        if own:
            own.close()
