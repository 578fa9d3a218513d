"""F02, F05, F07, F16: peers that vanish without a word: they stand still, or the link is cut."""

import contextlib
import pathlib
import signal
import subprocess
import sys
import time
from typing import Iterator

from check import ALLOWANCE_S, LOST_PEER_S, Check, Failed, Surroundings, expect, seconds_until
from network import SERVER_ADDRESS, Network
from peer import Ended, Peer
from server import Server

PLACES = 8
STOP_S = 90.0
SHORT_STOP_S = 15.0
EGG = {"milliseconds": 600000}
BEYOND_LOOPBACK = ("--host", SERVER_ADDRESS, "--insecure")


@contextlib.contextmanager
def _peer_process(server: Server, sessions: int) -> Iterator[subprocess.Popen]:
    script = pathlib.Path(__file__).with_name("peer_process.py")
    command = [sys.executable, str(script), server.host, str(server.port), str(sessions), "echo"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        ready = process.stdout.readline().split()
        expect(ready == ["ready", str(sessions)], f"no sessions to begin with: {ready}")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()


def _alive(process: subprocess.Popen) -> int:
    process.stdin.write("\n")
    process.stdin.flush()
    return int(process.stdout.readline().split()[1])


def is_admitted(address: tuple[str, int]) -> bool:
    """Whether one more session finds a place; it is ended at once."""
    try:
        peer = Peer(address)
        if peer.reset():
            peer.close()
            return True
    except Ended:
        pass
    return False


def stopped_for_good(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", str(PLACES)) as server:
        start = server.figures().descriptors
        address = (server.host, server.port)
        with _peer_process(server, PLACES) as process:
            expect(not is_admitted(address), "a session too many was admitted")
            process.send_signal(signal.SIGSTOP)
            begin = time.monotonic()
            took = seconds_until(lambda: is_admitted(address), LOST_PEER_S + ALLOWANCE_S, 1.0)
            expect(took is not None, f"no place was free {LOST_PEER_S + ALLOWANCE_S:.0f} s later")
            all_back = seconds_until(lambda: server.figures().descriptors == start, 10.0)
            expect(
                all_back is not None,
                f"{server.figures().descriptors} descriptors, {start} at the start",
            )
            time.sleep(max(0.0, begin + STOP_S - time.monotonic()))
            process.send_signal(signal.SIGCONT)
            alive = _alive(process)
            expect(alive == 0, f"{alive} sessions were said to be alive")
    return f"stopped for {STOP_S:.0f} s: a place was free after {took:.1f} s, all were; the peer saw the end"


def stopped_in_training(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", str(PLACES), "--ping-timeout", "300") as server:
        with _peer_process(server, PLACES) as process:
            process.send_signal(signal.SIGSTOP)
            time.sleep(STOP_S)
            process.send_signal(signal.SIGCONT)
            alive = _alive(process)
            expect(alive == PLACES, f"{alive} of {PLACES} sessions were left")
    return f"{PLACES} sessions lived through a stop of {STOP_S:.0f} s"


def stopped_briefly(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", str(PLACES)) as server:
        with _peer_process(server, PLACES) as process:
            process.send_signal(signal.SIGSTOP)
            time.sleep(SHORT_STOP_S)
            process.send_signal(signal.SIGCONT)
            alive = _alive(process)
            expect(alive == PLACES, f"{alive} of {PLACES} sessions were left")
    return f"{PLACES} sessions lived through a stop of {SHORT_STOP_S:.0f} s"


def _lose(network: Network, server: Server, under_way: dict[str, int] | None) -> str:
    start = server.figures()
    address = (server.host, server.port)
    with network.client_side.inside():
        peers = [Peer(address) for _ in range(PLACES)]
    for peer in peers:
        expect(peer.reset(), "a place was missing")
        if under_way:
            peer.say({"type": "step", "data": under_way})
    network.cut()

    def admitted() -> bool:
        with network.server_side.inside():
            return is_admitted(address)

    expect(not admitted(), "a session too many was admitted")
    took = seconds_until(admitted, LOST_PEER_S + ALLOWANCE_S, 1.0)
    expect(took is not None, f"no place was free {LOST_PEER_S + ALLOWANCE_S:.0f} s later")

    def as_before() -> bool:
        now = server.figures()
        return (now.descriptors, now.threads) == (start.descriptors, start.threads)

    rest = seconds_until(as_before, ALLOWANCE_S + 11.0)
    expect(rest is not None, f"{server.figures()} is left, {start} at the start")
    for peer in peers:
        peer.leave()
    return f"{PLACES} places were taken, one was free after {took:.1f} s, and nothing is left"


def cut_off(here: Surroundings) -> str:
    with Network() as network, here.serve_echo(
        *BEYOND_LOOPBACK, "--max-concurrent-envs", str(PLACES), prepare=network.server_side.enter
    ) as server:
        return _lose(network, server, None)


def cut_off_in_a_step(here: Surroundings) -> str:
    with Network() as network, here.serve(
        "example_egg_timer",
        *BEYOND_LOOPBACK,
        "--max-concurrent-envs",
        str(PLACES),
        prepare=network.server_side.enter,
    ) as server:
        return _lose(network, server, EGG)


def connecting_into_nothing(here: Surroundings) -> str:
    with Network() as network:
        network.cut()
        begin = time.monotonic()
        command = [
            str(here.openenv),
            "step",
            f"{SERVER_ADDRESS}:8000",
            "{}",
            "--connect-timeout",
            "2",
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=60,
            preexec_fn=network.client_side.enter,
        )
        took = time.monotonic() - begin
    said = done.stderr.strip()
    expect(done.returncode == 1, f"status {done.returncode}: {said}")
    expect(1.9 <= took <= 2.5, f"it took {took:.2f} s: {said}")
    expect("connecting" in said, f"the error does not name the phase: {said}")
    return f"{took:.2f} s, and says: {said}"


def client_whose_server_is_cut_off(here: Surroundings) -> str:
    with Network() as network, here.serve(
        "example_egg_timer", *BEYOND_LOOPBACK, prepare=network.server_side.enter
    ) as server:
        address = f"{server.host}:{server.port}"
        command = [
            str(here.openenv),
            "step",
            address,
            '{"milliseconds":600000}',
            "--timeout",
            "300",
        ]
        client = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=network.client_side.enter,
        )
        client.stdout.readline()  # the reset's result
        network.cut()
        begin = time.monotonic()
        try:
            _, said = client.communicate(timeout=LOST_PEER_S + ALLOWANCE_S)
        except subprocess.TimeoutExpired:
            client.kill()
            raise Failed(
                f"the client still waits after {LOST_PEER_S + ALLOWANCE_S:.0f} s"
            ) from None
        took = time.monotonic() - begin
    expect(client.returncode == 1, f"status {client.returncode}: {said.strip()}")
    return f"after {took:.1f} s the client says: {said.strip()}"


CHECKS = [
    Check("F05", "a peer stopped for 15 s keeps its sessions", stopped_briefly),
    Check("F05", "a peer stopped for 90 s is given up, and its places are free", stopped_for_good),
    Check("F05", "with --ping-timeout 300 it keeps its sessions", stopped_in_training),
    Check("F16", "idle peers behind a link that was cut: their places come back", cut_off),
    Check("F16", "the same with steps under way, whose answers take minutes", cut_off_in_a_step),
    Check(
        "F02", "a client whose server is cut off in a step fails", client_whose_server_is_cut_off
    ),
    Check("F07", "a connect into nothing fails at its limit and says so", connecting_into_nothing),
]
