"""F10: what a native environment can stop and cannot stop when a call outlives its limit."""

import os
import pathlib
import tempfile
import time

from check import ALLOWANCE_S, Check, Skipped, Surroundings, expect, seconds_until
from lost_peers import EGG, is_admitted
from peer import Peer

LIMIT_S = 1.0
IN_TIME_S = 1.5  # the limit, a look at limits every 250 ms, and what a busy machine adds
WORKERS_REST_S = 10.0


def _fails_in_time(peer: Peer, action: dict) -> float:
    begin = time.monotonic()
    answer = peer.step(action)
    took = time.monotonic() - begin
    expect(answer["type"] == "error", f"a step without end was answered with {answer}")
    expect(LIMIT_S - 0.1 <= took <= IN_TIME_S, f"the error came after {took:.2f} s: {answer}")
    expect(answer["data"]["code"] == "EXECUTION_ERROR", f"the error was {answer}")
    return took


def _is_refused(peer: Peer, action: dict) -> None:
    answer = peer.step(action)
    expect(answer["type"] == "error", f"a step after the lost one was answered with {answer}")


def on_a_worker(here: Surroundings) -> str:
    with tempfile.TemporaryDirectory() as folder, here.serve(
        "openenv_faults_env", "--call-timeout", str(LIMIT_S), "--max-concurrent-envs", "2"
    ) as server:
        address = (server.host, server.port)
        start = server.figures()
        pipe = pathlib.Path(folder) / "pipe"
        os.mkfifo(pipe)
        peer, other = Peer(address), Peer(address)
        expect(peer.reset() and other.reset(), "two places were promised")
        took = _fails_in_time(peer, {"message": f"wait:{pipe}"})
        _is_refused(peer, {"message": "a"})
        expect(peer.reset(), "no reset after the lost step")
        expect(peer.step({"message": "a"})["type"] == "observation", "no step after the reset")
        expect(other.step({"message": "b"})["type"] == "observation", "the other session suffered")
        peer.close()
        expect(not is_admitted(address), "a place was given away whose old call still runs")
        os.close(os.open(pipe, os.O_WRONLY))  # lets the old call return
        freed = seconds_until(lambda: is_admitted(address), ALLOWANCE_S)
        expect(freed is not None, "the place is not free, though the old call has returned")
        other.close()
        rest = seconds_until(
            lambda: server.figures().threads == start.threads, WORKERS_REST_S + ALLOWANCE_S
        )
        expect(rest is not None, f"{server.figures()} is left, {start} at the start")
    return (
        f"the error after {took:.2f} s; steps refused until the reset; the place is taken until the "
        f"old call is back, and free {freed:.1f} s later; its thread ends"
    )


def as_a_task(here: Surroundings) -> str:
    with here.serve(
        "example_egg_timer", "--call-timeout", str(LIMIT_S), "--max-concurrent-envs", "1"
    ) as server:
        address = (server.host, server.port)
        start = server.figures()
        peer = Peer(address)
        expect(peer.reset(), "no place")
        took = _fails_in_time(peer, EGG)
        _is_refused(peer, {"milliseconds": 1})
        expect(peer.reset(), "no reset after the lost step")
        expect(peer.step({"milliseconds": 1})["type"] == "observation", "no step after the reset")
        peer.close()
        freed = seconds_until(lambda: is_admitted(address), ALLOWANCE_S)
        expect(freed is not None, "the place is not free, though the task was cancelled")
        before = server.figures().cpu_s
        time.sleep(2.0)
        burnt = server.figures().cpu_s - before
        expect(burnt < 0.1, f"{burnt:.2f} s of CPU in 2 s without peers")
        expect(
            server.figures().threads == start.threads, f"{server.figures()}, {start} at the start"
        )
    return f"the error after {took:.2f} s; the place is free {freed:.1f} s after the goodbye; no CPU is used"


def one_session_only(here: Surroundings) -> str:
    with here.serve("openenv_stuck_env", "--call-timeout", str(LIMIT_S)) as server:
        address = (server.host, server.port)
        peer = Peer(address)
        expect(peer.reset(), "no place")
        took = _fails_in_time(peer, {})
        answer = peer.ask({"type": "reset"})
        expect(
            answer["type"] == "error",
            f"a second environment was built beside the stuck one: {answer}",
        )
        peer.close()
        expect(
            not is_admitted(address), "the place was given away, though its environment is stuck"
        )
        begin = time.monotonic()
        status = server.stop()
        stopped = time.monotonic() - begin
        expect(status == 3, f"SIGTERM ended it with {status} instead of 3")
    return (
        f"the error after {took:.2f} s; no second environment beside the stuck one, the place stays "
        f"taken; SIGTERM ends the process with 3 in {stopped:.1f} s"
    )


def child_processes(here: Surroundings) -> str:
    raise Skipped(
        "what an environment starts as a process of its own is ended by no limit of the server: "
        "that is for a sandbox, which this version has not"
    )


CHECKS = [
    Check("F10", "a step on a worker thread that outlives its limit", on_a_worker),
    Check("F10", "a task that outlives its limit", as_a_task),
    Check("F10", "an environment of one session that never comes back", one_session_only),
    Check("F10", "processes that an environment has started", child_processes),
]
