"""The kinds of peers that a server meets: each a function that plays one visit.

A visit ends by itself. What it leaves behind on purpose (peers that vanish, and are only let go
when the server has noticed) it hands to `Round.leave_behind`.
"""

import contextlib
import dataclasses
import json
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any, Callable, Optional

from games import Game
from peer import TEXT, Address, Ended, Peer, abort, connect, frame, http, upgrade_request

SHORT_STOP_S = 3.0
BATCH_SESSIONS = 16


class Fault(Exception):
    """The server did what it must not do."""


@dataclasses.dataclass
class Tally:
    """What the peers saw; shared by their threads."""

    opened: int = 0
    refused: int = 0
    steps: int = 0
    visits: dict[str, int] = dataclasses.field(default_factory=dict)
    faults: list[str] = dataclasses.field(default_factory=list)
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def add(self, *, opened: int = 0, refused: int = 0, steps: int = 0) -> None:
        with self.lock:
            self.opened += opened
            self.refused += refused
            self.steps += steps

    def visited(self, kind: str) -> None:
        with self.lock:
            self.visits[kind] = self.visits.get(kind, 0) + 1

    def fault(self, text: str) -> None:
        with self.lock:
            self.faults.append(text)


class Round:
    """One stretch of churn against one server; what is left behind is let go at its end."""

    def __init__(
        self, host: str, port: int, unix: Optional[str], game: Game, capacity: int, tally: Tally
    ):
        self.host, self.port = host, port
        self.tcp: Address = (host, port)
        self.addresses: list[Address] = [self.tcp] + ([unix] if unix else [])
        self.game, self.capacity, self.tally = game, capacity, tally
        self._left: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def leave_behind(self, let_go: Callable[[], None]) -> None:
        with self._lock:
            self._left.append(let_go)

    def let_go(self) -> None:
        for let_go in self._left:
            let_go()
        self._left.clear()


def _opened(round_: Round, choice: random.Random) -> Optional[Peer]:
    """A peer with an episode, or None when the server is full."""
    peer = Peer(choice.choice(round_.addresses))
    if peer.reset():
        round_.tally.add(opened=1)
        return peer
    round_.tally.add(refused=1)
    return None


def _play(round_: Round, choice: random.Random, peer: Peer, steps: int) -> None:
    for _ in range(steps):
        action = round_.game.action(choice)
        wrong = round_.game.wrong(action, peer.step(action))
        if wrong:
            raise Fault(wrong)
    round_.tally.add(steps=steps)


def ordinary(round_: Round, choice: random.Random) -> None:
    """Plays an episode or two, looks at the state, says goodbye."""
    peer = _opened(round_, choice)
    if peer is None:
        return
    for _ in range(choice.randint(1, 2)):
        _play(round_, choice, peer, choice.randint(1, 12))
        state = peer.ask({"type": "state"})
        if state["type"] != "state":
            raise Fault(f"a question for the state was answered with {state}")
        if not peer.reset():
            raise Fault("a session was refused its reset for want of capacity")
    if choice.random() < 0.5:
        peer.close()
    else:
        peer.say({"type": "close"})
        end = peer.wait_for_end()
        if end.code != 1000:
            raise Fault(f"the message close was answered by: {end}")


def reset_by_peer(round_: Round, choice: random.Random) -> None:
    """Ends by RST, half of the times with a step under way."""
    peer = _opened(round_, choice)
    if peer is not None:
        _play(round_, choice, peer, choice.randint(0, 3))
        if choice.random() < 0.5:
            peer.say({"type": "step", "data": round_.game.long_action()})
        peer.abort()


def ended_by_peer(round_: Round, choice: random.Random) -> None:
    """Ends by FIN without a close frame, sometimes in the middle of a message."""
    peer = _opened(round_, choice)
    if peer is not None:
        _play(round_, choice, peer, choice.randint(0, 3))
        if choice.random() < 0.3:
            peer.socket.sendall(frame(TEXT, b'{"type":"step"' + b" " * 500)[:100])
        peer.leave()


@contextlib.contextmanager
def _peer_process(round_: Round, choice: random.Random):
    here = pathlib.Path(__file__).resolve().parent
    process = subprocess.Popen(
        [sys.executable, str(here / "peer_process.py"), round_.host, str(round_.port)]
        + [str(choice.randint(1, 16)), round_.game.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    ready = process.stdout.readline().split()
    if ready[:1] != ["ready"]:
        raise Fault(f"a process with sessions could not open them: {ready}")
    round_.tally.add(opened=int(ready[1]))
    left = False

    def end() -> None:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    def leave_behind() -> None:
        nonlocal left
        left = True
        round_.leave_behind(end)

    process.opened, process.leave_behind = int(ready[1]), leave_behind
    try:
        yield process
    finally:
        if not left:
            end()


def killed_process(round_: Round, choice: random.Random) -> None:
    """A process with sessions is killed while it plays."""
    with _peer_process(round_, choice):
        time.sleep(choice.uniform(0.0, 0.3))


def briefly_stopped_process(round_: Round, choice: random.Random) -> None:
    """A process with sessions stands still for seconds, and finds them alive."""
    with _peer_process(round_, choice) as process:
        process.send_signal(signal.SIGSTOP)
        time.sleep(SHORT_STOP_S)
        process.send_signal(signal.SIGCONT)
        process.stdin.write("\n")
        process.stdin.flush()
        alive = int(process.stdout.readline().split()[1])
        if alive != process.opened:
            raise Fault(
                f"{process.opened - alive} of {process.opened} sessions died of a short stop"
            )


def stopped_process(round_: Round, choice: random.Random) -> None:
    """A process with sessions stands still until the server has given it up."""
    with _peer_process(round_, choice) as process:
        process.send_signal(signal.SIGSTOP)
        process.leave_behind()


def _ask_without_reading(round_: Round, peer: Peer) -> None:
    """Asks for as much as the server will take, at most 32 answers."""
    question = frame(TEXT, json.dumps({"type": "step", "data": round_.game.long_action()}).encode())
    peer.socket.settimeout(0.5)
    with contextlib.suppress(TimeoutError):
        for _ in range(32):
            peer.socket.sendall(question)


def deaf(round_: Round, choice: random.Random) -> None:
    """Never reads its large answers, and leaves after a while."""
    peer = Peer(round_.tcp, receive_buffer=8192)
    if peer.reset():
        round_.tally.add(opened=1)
        _ask_without_reading(round_, peer)
        time.sleep(choice.uniform(0.0, 1.0))
        peer.abort() if choice.random() < 0.5 else peer.leave()
    else:
        round_.tally.add(refused=1)


def deaf_for_good(round_: Round, choice: random.Random) -> None:
    """Never reads its large answers until the server has given it up."""
    peer = Peer(round_.tcp, receive_buffer=8192)
    if peer.reset():
        round_.tally.add(opened=1)
        _ask_without_reading(round_, peer)
        round_.leave_behind(peer.leave)
    else:
        round_.tally.add(refused=1)


def _end_somehow(choice: random.Random, peer: Peer) -> None:
    choice.choice([peer.abort, peer.leave, peer.close])()


def _open_at_once(round_: Round, count: int) -> list[Peer]:
    """Asks for `count` sessions, each before another is answered; those that were admitted."""
    peers = [Peer.adopt(connect(round_.tcp)) for _ in range(count)]
    for peer in peers:
        peer.socket.sendall(upgrade_request())
    for peer in peers:
        peer.finish_upgrade()
        peer.say({"type": "reset"})
    admitted = []
    for peer in peers:
        answer = peer.read()
        if answer["type"] == "observation":
            admitted.append(peer)
        elif answer["data"].get("code") == "CAPACITY_REACHED":
            end = peer.wait_for_end()
            if end.code not in (1000, None):
                raise Fault(f"a refused peer's connection ended with {end}")
        else:
            raise Fault(f"a reset was answered with {answer}")
    round_.tally.add(opened=len(admitted), refused=count - len(admitted))
    return admitted


def overload(round_: Round, choice: random.Random) -> None:
    """Four times as many peers as there are places."""
    admitted = _open_at_once(round_, 4 * round_.capacity)
    if len(admitted) > round_.capacity:
        raise Fault(f"{len(admitted)} sessions at once, and the capacity is {round_.capacity}")
    for peer in admitted:
        _play(round_, choice, peer, 1)
    for peer in admitted:
        _end_somehow(choice, peer)


def reconnect_storm(round_: Round, choice: random.Random) -> None:
    """All peers are cut off at the same moment and come back at once, three times."""
    for _ in range(3):
        admitted = _open_at_once(round_, round_.capacity)
        for peer in admitted:
            peer.abort()


def half_an_upgrade(round_: Round, choice: random.Random) -> None:
    """Half a header, and then nothing for a while."""
    connection = connect(choice.choice(round_.addresses))
    request = upgrade_request()
    connection.sendall(request[: choice.randint(0, len(request) - 1)])
    time.sleep(choice.uniform(0.0, 1.0))
    abort(connection) if choice.random() < 0.5 else connection.close()


def half_an_upgrade_for_good(round_: Round, choice: random.Random) -> None:
    """Half a header, and then nothing until the server has given it up."""
    connection = connect(choice.choice(round_.addresses))
    connection.sendall(upgrade_request()[: choice.randint(0, 100)])
    round_.leave_behind(connection.close)


def _read_to_the_end(connection: socket.socket, seconds: float) -> None:
    until = time.monotonic() + seconds
    with contextlib.suppress(OSError):
        while (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(65536):
                return


def garbage(round_: Round, choice: random.Random) -> None:
    """Bytes without sense, as a request or as frames of a session."""
    if choice.random() < 0.5:
        connection = connect(choice.choice(round_.addresses))
    else:
        connection = Peer(choice.choice(round_.addresses)).socket
    with contextlib.suppress(OSError):
        connection.sendall(choice.randbytes(choice.choice([1, 10, 100, 5000])) + b"\r\n\r\n")
    _read_to_the_end(connection, 1.0)
    connection.close()


def messages_without_sense(round_: Round, choice: random.Random) -> None:
    """What is no message costs no session."""
    peer = _opened(round_, choice)
    if peer is None:
        return
    for text in (b"{", b"[]", b'{"type":"dance"}', b'{"type":"step","data":7}'):
        peer.send(TEXT, text)
        answer = peer.read()
        if answer["type"] != "error":
            raise Fault(f"{text!r} was answered with {answer}")
    _play(round_, choice, peer, 1)
    peer.close()


def http_calls(round_: Round, choice: random.Random) -> None:
    """Several calls over one connection, right ones and wrong ones; the last may be cut off."""
    address = choice.choice(round_.addresses)
    connection = connect(address)
    action = json.dumps({"action": round_.game.action(choice)}).encode()
    calls = [
        ("GET", "/health", None, {200}),
        ("GET", "/schema", None, {200}),
        ("GET", "/metadata", None, {200}),
        ("GET", "/nowhere", None, {404}),
        ("GET", "/ws", None, {404}),
        ("DELETE", "/health", None, {405}),
        ("POST", "/reset", b"{}", {200, 503}),
        ("POST", "/reset", b"{", {422}),
        ("POST", "/step", action, {200, 503}),
        ("POST", "/step", b'{"action":{}}', {422, 503}),
        ("GET", "/state", None, {200, 503}),
    ]
    for _ in range(choice.randint(1, 8)):
        method, target, body, allowed = choice.choice(calls)
        status, text = http(address, method, target, body, connection=connection)
        if status not in allowed:
            raise Fault(f"{method} {target} was answered with {status} {text[:200]!r}")
    if choice.random() < 0.3:
        connection.sendall(b"POST /reset HTTP/1.1\r\nHost: soak\r\nContent-Length: 900\r\n\r\n{")
    abort(connection) if choice.random() < 0.5 else connection.close()


def batch(round_: Round, choice: random.Random) -> None:
    """Many sessions over one connection; some are closed, the others end with it."""
    peer = Peer(round_.tcp, headers={"OpenEnv-Accept": "batch"})
    numbers = list(range(BATCH_SESSIONS))

    def ask(kind: str, entries: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
        peer.say({"type": kind, "x": {"batch": entries}})
        answers: dict[int, dict[str, Any]] = {}
        while len(answers) < len(entries):
            answer = peer.read()
            if answer["type"] != "batch":
                raise Fault(f"a batch was answered with {str(answer)[:300]}")
            for entry in answer["x"]["batch"]:
                answers[entry["session"]] = entry
        return answers

    opened = [
        number
        for number, entry in ask("reset", [{"session": n} for n in numbers]).items()
        if entry["type"] == "observation"
    ]
    round_.tally.add(opened=len(opened), refused=len(numbers) - len(opened))
    for _ in range(choice.randint(0, 5)):
        if not opened:
            break
        actions = {n: round_.game.action(choice) for n in opened}
        for n, entry in ask(
            "step", [{"session": n, "data": a} for n, a in actions.items()]
        ).items():
            wrong = round_.game.wrong(actions[n], entry)
            if wrong:
                raise Fault(f"in a batch: {wrong}")
        round_.tally.add(steps=len(opened))
    closing = opened[: len(opened) // 2]
    if closing:
        for entry in ask("close", [{"session": n} for n in closing]).values():
            if entry["type"] != "closed":
                raise Fault(f"in a batch, close was answered with {entry}")
    _end_somehow(choice, peer)


def grants_batch(address: Address) -> bool:
    """Whether the server knows batches."""
    peer = Peer(address, headers={"OpenEnv-Accept": "batch"})
    granted = "batch" in peer.headers.get("openenv-features", "")
    peer.close()
    return granted


@dataclasses.dataclass(frozen=True)
class Kind:
    play: Callable[[Round, random.Random], None]
    weight: int
    #: The server only notices after its own time limits: for the beginning of a round, and few.
    lasting: bool = False
    #: Holds all places at once: one at a time.
    crowd: bool = False

    @property
    def name(self) -> str:
        return self.play.__name__


KINDS = [
    Kind(ordinary, 40),
    Kind(reset_by_peer, 12),
    Kind(ended_by_peer, 12),
    Kind(killed_process, 2),
    Kind(briefly_stopped_process, 1),
    Kind(stopped_process, 1, lasting=True),
    Kind(deaf, 3),
    Kind(deaf_for_good, 1, lasting=True),
    Kind(overload, 1, crowd=True),
    Kind(reconnect_storm, 1, crowd=True),
    Kind(half_an_upgrade, 6),
    Kind(half_an_upgrade_for_good, 2, lasting=True),
    Kind(garbage, 6),
    Kind(messages_without_sense, 6),
    Kind(http_calls, 12),
    Kind(batch, 6),
]
