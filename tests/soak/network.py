"""Two network namespaces with a box between them that forwards packets, or does not.

It stands for what lies between real hosts: a link that is cut without a word, a translator of
addresses that forgets connections. Needs the right to make network namespaces (root), /dev/net/tun
and the command `ip`; nothing outside of the namespaces is touched.
"""

import contextlib
import ctypes
import fcntl
import os
import select
import shutil
import struct
import subprocess
import threading
import time
from typing import Iterator, Optional

from check import Skipped

SERVER_ADDRESS, CLIENT_ADDRESS = "10.77.1.1", "10.77.2.1"
CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
TCP, SYN_AND_ACK, SYN = 6, 0x12, 0x02

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise Skipped(f"no network namespaces here: {what}: {os.strerror(error)}")


class Namespace:
    """A network of its own with one device, which this process holds the other end of."""

    def __init__(self, address: str, other: str):
        with self._outside():
            _check(_libc.unshare(CLONE_NEWNET), "unshare")
            self.descriptor = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
            try:
                self.tunnel = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
                request = struct.pack("16sH22x", b"box", IFF_TUN | IFF_NO_PI)
                fcntl.ioctl(self.tunnel, TUNSETIFF, request)
                for words in (
                    "link set lo up",
                    f"addr add {address} peer {other} dev box",
                    "link set box up",
                ):
                    subprocess.run(["ip", *words.split()], check=True, capture_output=True)
            except (OSError, subprocess.CalledProcessError) as error:
                raise Skipped(f"no network namespaces here: {error}") from error

    @staticmethod
    @contextlib.contextmanager
    def _outside() -> Iterator[None]:
        """Brings the calling thread back to the network it came from."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            yield
        finally:
            _libc.setns(home, CLONE_NEWNET)
            os.close(home)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """For the calling thread; sockets and processes made meanwhile stay in there."""
        with self._outside():
            self.enter()
            yield

    def enter(self) -> None:
        """For good: what a new process does before it runs a program."""
        _check(_libc.setns(self.descriptor, CLONE_NEWNET), "setns")

    def close(self) -> None:
        os.close(self.tunnel)
        os.close(self.descriptor)


class Network:
    """The two namespaces and the box. With `forget_s` it drops what belongs to no connection that
    it knows: it learns of one by the client's SYN, and forgets it when nothing has passed for so
    long. It tells nobody. `cut()` drops everything from then on, `join()` ends that."""

    def __init__(self, forget_s: Optional[float] = None):
        self.server_side = Namespace(SERVER_ADDRESS, CLIENT_ADDRESS)
        self.client_side = Namespace(CLIENT_ADDRESS, SERVER_ADDRESS)
        self.forget_s = forget_s
        self.dropped = 0
        self._cut = False
        self._seen: dict[tuple[int, int], float] = {}
        self._wake = os.pipe()
        self._thread = threading.Thread(target=self._forward, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        self._cut = True

    def join(self) -> None:
        self._cut = False

    def _passes(self, packet: bytes, from_client: bool) -> bool:
        if self._cut:
            return False
        if self.forget_s is None or packet[0] >> 4 != 4 or packet[9] != TCP:
            return True
        begin = (packet[0] & 0x0F) * 4
        source, target = struct.unpack_from("!HH", packet, begin)
        flow = (source, target) if from_client else (target, source)
        now = time.monotonic()
        is_first = from_client and packet[begin + 13] & SYN_AND_ACK == SYN
        if not is_first and now - self._seen.get(flow, -1e9) > self.forget_s:
            return False
        self._seen[flow] = now
        return True

    def _forward(self) -> None:
        client, server = self.client_side.tunnel, self.server_side.tunnel
        while True:
            ready, _, _ = select.select([client, server, self._wake[0]], [], [])
            if self._wake[0] in ready:
                return
            for source in ready:
                with contextlib.suppress(BlockingIOError):
                    packet = os.read(source, 65536)
                    if self._passes(packet, source == client):
                        os.write(server if source == client else client, packet)
                    else:
                        self.dropped += 1

    def __enter__(self) -> "Network":
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._wake[1], b"x")
        self._thread.join()
        for end in self._wake:
            os.close(end)
        self.client_side.close()
        self.server_side.close()


def keepalive_timers(side: Namespace, port: int) -> list[str]:
    """What `ss` tells of the timers of the connections from or to `port`."""
    if shutil.which("ss") is None:
        raise Skipped("the command ss is not installed (iproute2)")
    with side.inside():
        shown = subprocess.run(
            ["ss", "-tnoH", "state", "established"], capture_output=True, text=True
        )
    lines = [line for line in shown.stdout.splitlines() if f":{port} " in line + " "]
    return [line.partition("timer:")[2] or "none" for line in lines]
