"""Thousands of peers that connect at the same moment, played by one thread."""

import dataclasses
import errno
import select
import socket
import time
from typing import Optional

from peer import TEXT, Ended, Peer, Refused, frame, upgrade_request

RESET = frame(TEXT, b'{"type":"reset"}')
LATER = (errno.EINPROGRESS, errno.EAGAIN)


@dataclasses.dataclass
class Arrival:
    """One of the crowd; the times count from the first connect of all."""

    socket: socket.socket
    begun_s: float = 0.0
    connected_s: Optional[float] = None
    answered_s: Optional[float] = None
    #: "observation", an error's code, or what went wrong.
    outcome: str = "no answer"
    peer: Optional[Peer] = None


@dataclasses.dataclass
class Storm:
    arrivals: list[Arrival]
    sent_within_s: float  # all connects

    def count(self, outcome: str) -> int:
        return sum(arrival.outcome == outcome for arrival in self.arrivals)

    def outcomes(self) -> dict[str, int]:
        return {o: self.count(o) for o in sorted({a.outcome for a in self.arrivals})}

    def admitted(self) -> list[Peer]:
        return [a.peer for a in self.arrivals if a.outcome == "observation"]

    def abort(self) -> None:
        for arrival in self.arrivals:
            if arrival.socket.fileno() != -1:
                Peer.adopt(arrival.socket).abort()


def storm(address: tuple[str, int], count: int, bound_s: float = 60.0) -> Storm:
    """`count` peers connect at once, upgrade, and reset; returns when all are answered, or after
    the bound. The sockets of those that were admitted stay open, and block again."""
    arrivals = [Arrival(socket.socket()) for _ in range(count)]
    poll = select.epoll()
    waiting = {}
    for arrival in arrivals:
        arrival.socket.setblocking(False)
        waiting[arrival.socket.fileno()] = arrival
    begin = time.monotonic()
    for arrival in arrivals:
        arrival.begun_s = time.monotonic() - begin
        error = arrival.socket.connect_ex(address)
        if error not in (0, *LATER):
            arrival.outcome = f"connect: {errno.errorcode[error]}"
    sent_within_s = time.monotonic() - begin
    for number, arrival in waiting.items():
        poll.register(number, select.EPOLLOUT)
    while waiting and time.monotonic() - begin < bound_s:
        for number, _ in poll.poll(1.0):
            arrival = waiting[number]
            try:
                if _advance(arrival, poll, begin):
                    poll.unregister(number)
                    del waiting[number]
            except (Ended, Refused, OSError) as failure:
                arrival.outcome = f"{type(failure).__name__}: {failure}"
                poll.unregister(number)
                del waiting[number]
    poll.close()
    for arrival in arrivals:
        arrival.socket.settimeout(30.0)
    return Storm(arrivals, sent_within_s)


def _advance(arrival: Arrival, poll: select.epoll, begin: float) -> bool:
    """True when the peer has its answer. Errors: Ended, Refused, OSError."""
    if arrival.connected_s is None:
        error = arrival.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            raise OSError(error, errno.errorcode[error])
        arrival.connected_s = time.monotonic() - begin
        arrival.socket.send(upgrade_request())
        arrival.peer = Peer.adopt(arrival.socket)
        poll.modify(arrival.socket.fileno(), select.EPOLLIN)
        return False
    peer = arrival.peer
    try:
        if not peer.headers:
            peer.finish_upgrade()
            arrival.socket.send(RESET)
            return False
        text = peer.read()
    except BlockingIOError:
        return False  # the rest is still to come
    arrival.answered_s = time.monotonic() - begin
    arrival.outcome = text["data"]["code"] if text["type"] == "error" else text["type"]
    return True
