"""F63: what lies between forgets connections that are silent; steps take minutes."""

import re
import subprocess
import threading
import time
from typing import Optional

from check import ALLOWANCE_S, LOST_PEER_S, Check, Surroundings, expect, seconds_until
from lost_peers import BEYOND_LOOPBACK
from network import Network, keepalive_timers
from peer import Peer

KEEPALIVE_S = 30.0
FORGETS_TOO_SOON_S = 10.0


def _serve(here: Surroundings, network: Network):
    return here.serve("example_egg_timer", *BEYOND_LOOPBACK, prepare=network.server_side.enter)


def _client(here: Surroundings, network: Network, address: str, step_s: float) -> subprocess.Popen:
    action = '{"milliseconds":%d}' % (step_s * 1000)
    return subprocess.Popen(
        [str(here.openenv), "step", address, action, "--timeout", str(step_s + 60)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=network.client_side.enter,
    )


def answer_arrives(here: Surroundings) -> str:
    step_s = here.options.step_seconds
    forget_s = min(60.0, max(25.0, step_s / 3))  # above the 20 s between the server's pings
    with Network(forget_s) as network, _serve(here, network) as server:
        address = (server.host, server.port)
        client = _client(here, network, f"{server.host}:{server.port}", step_s)
        with network.client_side.inside():  # one that sends no pings, as many clients do
            peer = Peer(address, time_limit=step_s + 60)
        expect(peer.reset(), "no place")
        answer = peer.step({"milliseconds": int(step_s * 1000)})
        expect(answer["type"] == "observation", f"the answer was {answer}")
        said, error = client.communicate(timeout=60)
        expect(
            client.returncode == 0, f"the client ended with {client.returncode}: {error.strip()}"
        )
        expect(len(said.splitlines()) == 2, f"the client printed {said!r}")
        pings = peer.pings
        peer.close()
    return (
        f"both answers arrived after {step_s:.0f} s; connections silent for {forget_s:.0f} s are "
        f"forgotten, and the server pinged {pings} times"
    )


def both_ends_notice(here: Surroundings) -> str:
    with Network(FORGETS_TOO_SOON_S) as network, _serve(here, network) as server:
        start = server.figures().descriptors
        begin = time.monotonic()
        client = _client(here, network, f"{server.host}:{server.port}", 300.0)
        noticed: list[Optional[float]] = []
        watching = threading.Thread(
            target=lambda: noticed.append(
                seconds_until(lambda: server.figures().descriptors == start, 2 * LOST_PEER_S)
            )
        )
        client.stdout.readline()
        watching.start()
        _, said = client.communicate(timeout=2 * LOST_PEER_S)
        took = time.monotonic() - begin
        watching.join()
        expect(noticed[0] is not None, "the server still holds the connection")
        bound = LOST_PEER_S + ALLOWANCE_S
        expect(noticed[0] <= bound, f"the server took {noticed[0]:.1f} s")
        expect(client.returncode == 1, f"the client ended with {client.returncode}")
        expect(took <= bound, f"the client took {took:.1f} s: {said.strip()}")
    return f"the server after {noticed[0]:.1f} s, the client after {took:.1f} s: {said.strip()}"


def keepalive(here: Surroundings) -> str:
    with Network() as network, _serve(here, network) as server:
        client = _client(here, network, f"{server.host}:{server.port}", 600.0)
        client.stdout.readline()
        time.sleep(0.5)  # until what was sent is acknowledged, which has timers of its own
        timers = {
            "server": keepalive_timers(network.server_side, server.port),
            "client": keepalive_timers(network.client_side, server.port),
        }
        client.kill()
        client.communicate()
    for side, found in timers.items():
        expect(len(found) == 1, f"the {side} has the connections {found}")
        expect(
            _seconds(found[0]) <= KEEPALIVE_S, f"the {side}'s timer is {found[0]}; all: {timers}"
        )
    return f"timers: {timers}"


def _seconds(timer: str) -> float:
    """`(keepalive,29sec,0)`, `(keepalive,119min,0)`, `(keepalive,1.5sec,0)`, or none at all."""
    match = re.match(r"\(keepalive,(?:(\d+)min)?(?:([\d.]+)sec)?(?:(\d+)ms)?,", timer)
    if not match:
        return float("inf")
    minutes, seconds, milliseconds = (float(group or 0) for group in match.groups())
    return 60 * minutes + seconds + milliseconds / 1000


CHECKS = [
    Check("F63", "TCP keepalive of both ends, at most 30 s", keepalive),
    Check(
        "F63", "connections forgotten sooner than pings come: both ends notice", both_ends_notice
    ),
    Check("F63", "a step of minutes through what forgets silent connections", answer_arrives),
]
