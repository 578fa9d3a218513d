"""F23: client programs that are killed, and what they leave to others."""

import os
import signal
import subprocess
import time
from typing import Optional

from check import ALLOWANCE_S, LOST_PEER_S, Check, Surroundings, expect, seconds_until
from lost_peers import is_admitted
from peer import Peer
from server import Server

CLIENTS = 8
AT_ONCE_S = 2.0  # on a busy machine; without a word from the peer's system it would be 41 s
ROUNDS = 20


def _start(command: list[str]) -> subprocess.Popen:
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _kill_all(server: Server, clients: list[subprocess.Popen]) -> float:
    """Kills them once the server is full; how long until every place is free."""
    address = (server.host, server.port)
    full = seconds_until(lambda: not is_admitted(address), 30.0)
    expect(full is not None, "the clients did not take their places")
    for client in clients:
        client.send_signal(signal.SIGKILL)
    begin = time.monotonic()
    free = seconds_until(lambda: _places(address) == CLIENTS, AT_ONCE_S, 0.05)
    took = time.monotonic() - begin
    for client in clients:
        client.communicate()
    expect(
        free is not None,
        f"not every place was free {AT_ONCE_S:.0f} s after the clients were killed",
    )
    return took


def _places(address: tuple[str, int]) -> int:
    peers = [Peer(address) for _ in range(CLIENTS)]
    admitted = [peer for peer in peers if peer.reset()]
    for peer in admitted:
        peer.close()
    return len(admitted)


def _killed(here: Surroundings, *arguments: str, input_line: Optional[str] = None) -> str:
    with here.serve("example_egg_timer", "--max-concurrent-envs", str(CLIENTS)) as server:
        start = server.figures()
        command = [str(here.openenv), arguments[0], f"{server.host}:{server.port}", *arguments[1:]]
        clients = [_start(command) for _ in range(CLIENTS)]
        for client in clients:
            client.stdout.readline()  # the reset's result
            if input_line:
                client.stdin.write(input_line)
                client.stdin.flush()
        took = _kill_all(server, clients)
        rest = seconds_until(lambda: server.figures().descriptors == start.descriptors, ALLOWANCE_S)
        expect(rest is not None, f"{server.figures()} is left, {start} at the start")
    return f"{CLIENTS} clients killed: all places were free in {took:.2f} s"


def waiting(here: Surroundings) -> str:
    return _killed(here, "play")


def between_steps(here: Surroundings) -> str:
    return _killed(here, "step", "-")


def in_a_step(here: Surroundings) -> str:
    return _killed(here, "step", "-", "--timeout", "600", input_line='{"milliseconds":600000}\n')


def at_any_moment(here: Surroundings) -> str:
    with here.serve("example_counter", "--max-concurrent-envs", "400") as server:
        start = server.figures().descriptors
        address = (server.host, server.port)
        for round_ in range(ROUNDS):
            client = _start(
                [
                    here.program("example_many_sessions"),
                    f"http://{server.host}:{server.port}",
                    "300",
                ]
            )
            time.sleep(0.005 * round_)
            client.kill()
            client.communicate()
            gone = seconds_until(lambda: server.figures().descriptors == start, AT_ONCE_S, 0.02)
            expect(gone is not None, f"round {round_}: {server.figures().descriptors} descriptors")
        peers = [Peer(address) for _ in range(400)]
        admitted = sum(peer.reset() for peer in peers)
        for peer in peers:
            peer.leave()
        expect(admitted == 400, f"{admitted} of 400 places were free at the end")
    return f"{ROUNDS} clients of 300 sessions, killed while they connected and played: every place is free"


def with_an_heir(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", "1") as server:
        address = (server.host, server.port)
        peer = Peer(address)
        expect(peer.reset(), "no place")
        child = os.fork()
        if child == 0:
            os.execvp("sleep", ["sleep", "300"]) if _keep_open(peer) else os._exit(1)
        peer.leave()  # what the end of the parent does; the child keeps the connection
        try:
            expect(not is_admitted(address), "a session too many was admitted")
            took = seconds_until(lambda: is_admitted(address), LOST_PEER_S + ALLOWANCE_S, 1.0)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        expect(took is not None, f"the place was not free {LOST_PEER_S + ALLOWANCE_S:.0f} s later")
    return f"nobody answers its pings: the place was free after {took:.1f} s"


def _keep_open(peer: Peer) -> bool:
    os.set_inheritable(peer.socket.fileno(), True)
    return True


def _inherited(pid: int) -> list[str]:
    """The descriptors but the first three that a child process would inherit."""
    found = []
    for name in os.listdir(f"/proc/{pid}/fd"):
        with open(f"/proc/{pid}/fdinfo/{name}") as about:
            flags = next(line for line in about if line.startswith("flags:")).split()[1]
        if int(name) > 2 and not int(flags, 8) & os.O_CLOEXEC:
            found.append(os.readlink(f"/proc/{pid}/fd/{name}"))
    return found


def nothing_is_inherited(here: Surroundings) -> str:
    with here.serve("example_egg_timer") as server:
        client = _start([str(here.openenv), "step", f"{server.host}:{server.port}", "-"])
        client.stdout.readline()
        found = {"server": _inherited(server.pid), "client": _inherited(client.pid)}
        client.stdin.close()
        client.wait()
        client.stdout.close()
        client.stderr.close()
    expect(
        not found["server"] and not found["client"],
        f"a child process keeps these of its parent open, as long as it lives: {found}",
    )
    return "child processes inherit no connection and no port"


WAITING = [
    Check("F23", "a peer's end while a child process of it holds the connection", with_an_heir),
    Check(
        "F23", "processes that server and client start inherit no connection", nothing_is_inherited
    ),
]
LOADING = [
    Check("F23", "`openenv play` killed while it waits for its player", waiting),
    Check("F23", "`openenv step` killed between two steps", between_steps),
    Check("F23", "`openenv step` killed in a step", in_a_step),
    Check("F23", "clients of many sessions killed at any moment", at_any_moment),
]
