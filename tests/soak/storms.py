"""F15, F62: thousands of peers at the same moment, at the start and after all were cut off."""

import os
import time

from check import Check, Skipped, Surroundings, expect, percentile, seconds_until
from crowd import Storm, storm

PEERS = 8192
ROUNDS = 10
RETURNING = 2000
#: The tail of connects when more arrive than the system's queue holds is that of TCP's own retries.
LONGEST_S = 15.0


def _times(arrived: Storm) -> str:
    connected = [a.connected_s - a.begun_s for a in arrived.arrivals if a.connected_s is not None]
    answered = [a.answered_s - a.begun_s for a in arrived.arrivals if a.answered_s is not None]
    return ", ".join(
        f"{what} p50 {percentile(times, 50):.2f} s, p99 {percentile(times, 99):.2f} s"
        for what, times in (("connected", connected), ("answered", answered))
        if times
    )


def at_the_start(here: Surroundings) -> str:
    if (possible := os.sysconf("SC_OPEN_MAX")) < PEERS + 100:
        raise Skipped(
            f"a process may have {possible} descriptors, {PEERS + 100} are needed (ulimit -Hn)"
        )
    with here.serve_echo("--max-concurrent-envs", "10000") as server:
        start = server.figures()
        arrived = storm((server.host, server.port), PEERS)
        seen = (
            f"{PEERS} connects sent within {arrived.sent_within_s * 1000:.0f} ms: {arrived.outcomes()}; "
            + _times(arrived)
        )
        expect(arrived.count("observation") == PEERS, seen)
        slowest = max(a.answered_s for a in arrived.arrivals)
        expect(slowest <= LONGEST_S, f"{seen}; the last after {slowest:.1f} s")
        full = server.figures()
        arrived.abort()
        gone = seconds_until(lambda: server.figures().descriptors == start.descriptors, 30.0)
        expect(gone is not None, f"{seen}; {server.figures().descriptors} descriptors are left")
        grown = (full.rss_kib - start.rss_kib) / PEERS
    return f"{seen}, the last after {slowest:.2f} s; {grown:.1f} KiB a session; all cut off, gone in {gone:.1f} s"


def far_too_many(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", "100") as server:
        arrived = storm((server.host, server.port), RETURNING)
        seen = f"{arrived.outcomes()}; {_times(arrived)}"
        expect(arrived.count("observation") == 100, seen)
        expect(arrived.count("CAPACITY_REACHED") == RETURNING - 100, seen)
        arrived.abort()
    return f"100 places, {RETURNING} peers: {seen}"


def again_and_again(here: Surroundings) -> str:
    with here.serve_echo("--max-concurrent-envs", str(RETURNING)) as server:
        start = server.figures()
        address = (server.host, server.port)
        again, times = 0, []
        for _ in range(ROUNDS):
            begin = time.monotonic()
            admitted = storm(address, RETURNING)
            # All places were taken a moment ago, so that some come before their own has been freed.
            while (missing := admitted.count("CAPACITY_REACHED")) and time.monotonic() - begin < 30:
                again += missing
                held = [a for a in admitted.arrivals if a.outcome == "observation"]
                for arrival in admitted.arrivals:
                    if arrival.outcome != "observation":
                        arrival.socket.close()
                more = storm(address, missing)
                admitted = Storm(held + more.arrivals, more.sent_within_s)
            times.append(time.monotonic() - begin)
            expect(admitted.count("observation") == RETURNING, f"{admitted.outcomes()}")
            admitted.abort()
        gone = seconds_until(lambda: server.figures().descriptors == start.descriptors, 30.0)
        expect(gone is not None, f"{server.figures().descriptors} descriptors are left")
        rss = server.figures().rss_kib
    return (
        f"{ROUNDS} times {RETURNING} peers on {RETURNING} places, each time cut off and back at once: all "
        f"admitted after {max(times):.1f} s at most, {again} refused first; RSS {rss} KiB"
    )


CHECKS = [
    Check("F62", "8,192 peers connect at the same moment", at_the_start),
    Check("F15", "twenty times as many peers as places: exactly those are admitted", far_too_many),
    Check("F62", "all are cut off and come back, again and again", again_and_again),
]
