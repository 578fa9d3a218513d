#!/usr/bin/env python3
"""Measures what one idle session costs in memory.

Usage: bench/idle_memory.py [PROGRAM] [--sessions N ...] [--uds] [--without-step]

Starts PROGRAM (BUILD_DIR/bin/echo, or any program made with openenv::serve), opens N sessions over
raw sockets, lets each of them do one reset and one step, and waits until all is quiet. What the
server's process then has more in RAM, divided by N, is what a session costs "of ours"; threads that
came into being are counted as well. What the kernel keeps for the connections is shown apart and
for both their ends, since it is counted for the whole machine: run it where nothing else happens.
"""

import argparse
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(text):
    """A client's text frame, masked by zeros."""
    payload = text.encode()
    assert len(payload) < 126
    return bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload


def read_until(connection, end):
    data = b""
    while end not in data:
        part = connection.recv(65536)
        if not part:
            raise SystemExit(f"the server closed a connection after {data!r}")
        data += part
    return data


def open_session(address, step):
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    connection = socket.socket(family, socket.SOCK_STREAM)
    connection.connect(address)
    connection.sendall(HANDSHAKE)
    answer = read_until(connection, b"\r\n\r\n")
    if b" 101 " not in answer.split(b"\r\n", 1)[0]:
        raise SystemExit(f"no session: {answer!r}")
    if step:
        for text in ('{"type":"reset"}', '{"type":"step","data":{"message":"hello"}}'):
            connection.sendall(frame(text))
            read_until(connection, b"}}")
    return connection


def process_figures(pid):
    """(bytes in RAM, threads)"""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    resident = int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024
    return resident, int(re.search(r"Threads:\s+(\d+)", status).group(1))


def kernel_bytes():
    slab = re.search(r"Slab:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text())
    return int(slab.group(1)) * 1024


def settled(pid):
    """The figures once three readings in a row are the same, or after five seconds."""
    readings = []
    for _ in range(50):
        readings.append(process_figures(pid))
        if len(readings) >= 3 and len(set(readings[-3:])) == 1:
            break
        time.sleep(0.1)
    return readings[-1]


def measure(options, sessions, folder):
    file = str(pathlib.Path(folder) / "server.sock")
    where = ["--uds", file] if options.uds else ["--port", "0"]
    server = subprocess.Popen(
        [options.program, *where, "--max-concurrent-envs", str(sessions + 16)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    connections = []
    try:
        line = server.stdout.readline()
        address = file if options.uds else ("127.0.0.1", int(line.rsplit(":", 1)[1]))
        # The first ones pay for what all share.
        connections += [open_session(address, not options.without_step) for _ in range(16)]
        before, threads_before = settled(server.pid)
        kernel_before = kernel_bytes()
        connections += [open_session(address, not options.without_step) for _ in range(sessions)]
        after, threads_after = settled(server.pid)
        kernel_after = kernel_bytes()
    finally:
        server.kill()
        server.wait()
        for connection in connections:
            connection.close()
    print(
        f"{sessions:>8} sessions: {(after - before) / sessions:8.0f} bytes each,"
        f" {threads_after - threads_before} threads more;"
        f" kernel, both ends: {(kernel_after - kernel_before) / sessions:8.0f} bytes each"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", nargs="?", default=str(ROOT / "build/release/bin/echo"))
    parser.add_argument("--sessions", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--uds", action="store_true", help="over a Unix domain socket")
    parser.add_argument("--without-step", action="store_true", help="sessions that did nothing yet")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        for sessions in options.sessions:
            measure(options, sessions, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
