"""F43: peers that are slow to read 50 MB, or do not read at all, and what others notice of it."""

import threading
import time

from check import ALLOWANCE_S, DEAF_PEER_S, Check, Surroundings, expect, percentile, seconds_until
from peer import PING, PONG, Peer

ANSWER_BYTES = 50_000_000
DEAF = 8
SLOWLY_BYTES = 10_240  # a second
SLOWLY_FOR_S = 60.0
SMALL_BUFFER = 16_384
MOST_S = 0.1  # a pong of a session that has nothing to do with the large answers
ROUNDS = 200


def _pongs(peer: Peer) -> list[float]:
    """How long pongs took, one after the other."""
    times = []
    for number in range(ROUNDS):
        begin = time.monotonic()
        peer.send(PING, str(number).encode())
        opcode, payload = peer.read_frame()
        while opcode != PONG or payload != str(number).encode():
            if opcode == PING:
                peer.send(PONG, payload)
            opcode, payload = peer.read_frame()
        times.append(time.monotonic() - begin)
        time.sleep(0.01)
    return times


def _ask(peer: Peer) -> None:
    peer.say({"type": "step", "data": {"message": f"repeat:{ANSWER_BYTES}"}})


def _read_slowly(peer: Peer, taken: bytearray) -> None:
    """Takes so many bytes each second, for a while; they are kept."""
    until = time.monotonic() + SLOWLY_FOR_S
    while time.monotonic() < until:
        taken += peer.socket.recv(SLOWLY_BYTES)
        time.sleep(1.0)


def slow_and_deaf(here: Surroundings) -> str:
    with here.serve("openenv_faults_env") as server:
        address = (server.host, server.port)
        start = server.figures()
        bystander = Peer(address)
        expect(bystander.reset(), "no place")
        before = percentile(_pongs(bystander), 99)

        deaf = [Peer(address, receive_buffer=SMALL_BUFFER) for _ in range(DEAF)]
        slow = Peer(address, receive_buffer=SMALL_BUFFER)
        for peer in [*deaf, slow]:
            expect(peer.reset(), "no place")
            _ask(peer)
        began = time.monotonic()
        reading = threading.Thread(target=_read_slowly, args=(slow, slow._read))
        reading.start()
        pongs = _pongs(bystander)
        steps = []
        for _ in range(ROUNDS):
            begin = time.monotonic()
            expect(
                bystander.step({"message": "a"})["type"] == "observation", "the bystander suffered"
            )
            steps.append(time.monotonic() - begin)
        most = server.figures().rss_kib
        bound = (DEAF + 1) * ANSWER_BYTES * 3 // 1024
        seen = (
            f"{DEAF} deaf peers and a slow one, {ANSWER_BYTES // 1_000_000} MB each: others' pongs p99 "
            f"{percentile(pongs, 99) * 1000:.1f} ms (before: {before * 1000:.1f} ms), steps p99 "
            f"{percentile(steps, 99) * 1000:.1f} ms; RSS {most // 1024} MiB"
        )
        expect(percentile(pongs, 99) <= max(MOST_S, 3 * before), seen)
        expect(most <= bound, f"{seen}; more than {bound // 1024} MiB")

        held = start.descriptors + 2  # the bystander and the slow one
        while server.figures().descriptors > held:
            waited = time.monotonic() - began
            expect(
                waited < DEAF_PEER_S + ALLOWANCE_S,
                f"{seen}; the deaf are there after {waited:.1f} s",
            )
            bystander.step({"message": "a"})
            time.sleep(0.2)
        dropped = time.monotonic() - began
        reading.join()
        expect(server.figures().descriptors == held, "the slow peer was dropped as well")
        answer = slow.read()
        size = len(answer["data"]["observation"]["echoed_message"])
        expect(size == ANSWER_BYTES, f"the slow peer got {size} bytes")
        slow.close()
        bystander.close()
        for peer in deaf:
            peer.leave()
        rest = seconds_until(lambda: server.figures().descriptors == start.descriptors, ALLOWANCE_S)
        expect(rest is not None, f"{server.figures()} is left, {start} at the start")
        after = server.figures().rss_kib
    return (
        f"{seen}; the deaf were dropped after {dropped:.1f} s, the slow one read {SLOWLY_FOR_S:.0f} s at "
        f"{SLOWLY_BYTES // 1024} KiB/s and then the whole; RSS afterwards {after // 1024} MiB"
    )


CHECKS = [Check("F43", "50 MB for peers that read slowly or not at all", slow_and_deaf)]
