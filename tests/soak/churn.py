#!/usr/bin/env python3
"""Mixed churn against servers for minutes, and whether anything is left of it in their processes.

Usage: churn.py OPENENV [options]       OPENENV is the program; `make soak` and ctest call it

For each environment that is there (echo; beside the program: example_egg_timer, whose steps wait,
and openenv_faults_env, whose steps run on worker threads) one server process gets peers of every
kind at once, see traffic.py. After each stretch of it the peers stop, and the server has the time
that docs/serving.md promises (41 s for peers that vanished, 45 s for those that do not read) to be
as it was at the start: the same open descriptors, the same threads, every place free. A row of the
table is what it looked like then. RSS is settled last: the median of the last third of the rows
may be at most 10 % (and 2 MiB) above that of the middle third; what it takes first is caches and
the allocator's own. Exit: 0 when all of it held, 1 otherwise, 2 wrong usage.
"""

import argparse
import dataclasses
import json
import pathlib
import random
import re
import resource
import statistics
import sys
import tempfile
import threading
import time
from typing import Any, Optional

from games import GAMES, Game
from peer import Ended, Peer, http
from server import Figures, Server, knows_flag
from traffic import KINDS, Fault, Kind, Round, Tally, batch, grants_batch

ACTORS = 6  # threads that play peers, for each server
LASTING_AT_ONCE = 6  # peers of a round that only the server's own time limits end
PING_S = (
    "8"  # more than the short stop of traffic.py; two of them until a vanished peer is given up
)
SETTLE_BOUND_S = 60.0  # 45 s for a peer that does not read, then 10 s until workers rest
MEMORY_RESTS_S = 6.0  # what the allocator has kept is given back after 5 s without sessions
PROBE_S = 0.1
RSS_GROWTH = 0.10
RSS_SLACK_KIB = 2048
ROWS_TO_JUDGE_RSS = 6


@dataclasses.dataclass
class Row:
    minute: float
    opened: int
    refused: int
    places_taken: int
    environments: Optional[int]
    descriptors: int
    threads: int
    rss_kib: int
    cpu_s: float
    settled_s: Optional[float]  # None: not within the bound


class Metrics:
    """What the server tells of itself at /metrics; `known` is false where it has no such page."""

    def __init__(self, address: tuple[str, int]):
        status, text = http(address, "GET", "/metrics")
        self.known = status == 200
        self._lines = text.decode().splitlines() if self.known else []

    def total(self, family: str) -> Optional[int]:
        """The sum over all labels."""
        pattern = re.compile(re.escape(family) + r"(?:\{.*\})? (\S+)$")
        found = [match.group(1) for match in map(pattern.match, self._lines) if match]
        return int(sum(map(float, found))) if found else None


class Subject:
    """One server under churn."""

    def __init__(self, game: Game, command: list[str], options: argparse.Namespace, folder: str):
        self.game, self.options = game, options
        flags = ["--port", "0", "--max-concurrent-envs", str(options.capacity)]
        unix = None
        if knows_flag(command, "--uds"):
            unix = f"{folder}/{game.name}.sock"
            flags += ["--uds", unix]
        else:
            print(f"{game.name}: no Unix domain sockets, since the program has no flag --uds")
        if knows_flag(command, "--ping-timeout"):
            flags += ["--ping-interval", PING_S, "--ping-timeout", PING_S]
        self.unix = unix
        command = command + flags
        self.server = Server(command, announced=2 if unix else 1)
        self.address = (self.server.host, self.server.port)
        self.start = self._steady()
        self.tally = Tally()
        self.rows: list[Row] = []
        self.problems: list[str] = []
        self.crowd = threading.Lock()
        grants = grants_batch(self.address)
        if not grants:
            print(f"{game.name}: no batch connections, since the server does not grant them")
        self.kinds = [kind for kind in KINDS if kind.play is not batch or grants]
        if options.quick:
            self.kinds = [kind for kind in self.kinds if not kind.lasting]

    def _steady(self) -> Figures:
        """Its figures, once two looks in a row agree."""
        last = self.server.figures()
        for _ in range(100):
            time.sleep(PROBE_S)
            now = self.server.figures()
            if (now.descriptors, now.threads) == (last.descriptors, last.threads):
                return now
            last = now
        return last

    def churn(self, seconds: float, number: int) -> None:
        """Peers of every kind for a while; returns when all but those left behind have ended."""
        self.round = Round(*self.address, self.unix, self.game, self.options.capacity, self.tally)
        begin = time.monotonic()
        lasting_left = [LASTING_AT_ONCE]
        threads = [
            threading.Thread(target=self._act, args=(actor, number, begin, seconds, lasting_left))
            for actor in range(ACTORS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _act(
        self, actor: int, number: int, begin: float, seconds: float, lasting_left: list[int]
    ) -> None:
        choice = random.Random(f"{self.options.seed} {self.game.name} {number} {actor}")
        weights = [kind.weight for kind in self.kinds]
        # In the smoke run every kind has its turn; after that chance decides.
        turns = self.kinds[actor::ACTORS] if number == 0 else []
        while (elapsed := time.monotonic() - begin) < seconds or turns:
            kind = turns.pop() if turns else choice.choices(self.kinds, weights)[0]
            if kind.lasting:
                with self.tally.lock:
                    if elapsed > seconds / 4 or lasting_left[0] == 0:
                        continue
                    lasting_left[0] -= 1
            if kind.crowd and not self.crowd.acquire(blocking=False):
                continue
            try:
                self._visit(kind, choice)
            finally:
                if kind.crowd:
                    self.crowd.release()

    def _visit(self, kind: Kind, choice: random.Random) -> None:
        self.tally.visited(kind.name)
        try:
            kind.play(self.round, choice)
        except (Fault, Ended, OSError, ValueError, KeyError) as failure:
            text = f"{self.game.name}, {kind.name}: {type(failure).__name__}: {failure}"
            self.tally.fault(text)
            print("FAULT", text, flush=True)

    def _is_as_before(self) -> bool:
        now = self.server.figures()
        return (now.descriptors, now.threads) == (self.start.descriptors, self.start.threads)

    def settle(self, begin: float) -> None:
        """Waits until the server is as it was at the start, then looks for free places."""
        waited = time.monotonic()
        settled = wait_until(self._is_as_before, SETTLE_BOUND_S)
        settled_s = time.monotonic() - waited
        self.round.let_go()
        taken = self._places_taken()
        settled = wait_until(self._is_as_before, SETTLE_BOUND_S) and settled
        if not self.options.quick:
            time.sleep(MEMORY_RESTS_S)
        figures = self.server.figures()
        metrics = Metrics(self.address)
        opened = metrics.total("openenv_sessions_opened_total")
        refused = metrics.total("openenv_refused_total")
        row = Row(
            minute=(time.monotonic() - begin) / 60,
            opened=self.tally.opened if opened is None else opened,
            refused=self.tally.refused if refused is None else refused,
            places_taken=taken,
            environments=metrics.total("openenv_sessions"),
            descriptors=figures.descriptors,
            threads=figures.threads,
            rss_kib=figures.rss_kib,
            cpu_s=figures.cpu_s,
            settled_s=settled_s if settled else None,
        )
        self.rows.append(row)
        self._judge(row, metrics)
        print(line(self.game.name, row), flush=True)

    def _places_taken(self) -> int:
        """Seen from outside: how many of as many sessions as there are places are refused."""
        peers = [Peer(self.address) for _ in range(self.options.capacity)]
        admitted = [peer for peer in peers if peer.reset()]
        for peer in admitted:
            peer.close()
        self.tally.add(opened=len(admitted), refused=len(peers) - len(admitted))
        return len(peers) - len(admitted)

    def _judge(self, row: Row, metrics: Metrics) -> None:
        """At rest all is as at the start, in the system's figures and in the server's own."""
        found = {
            "open descriptors": (row.descriptors, self.start.descriptors),
            "threads": (row.threads, self.start.threads),
            "places taken": (row.places_taken, 0),
        }
        if metrics.known:
            told = metrics.total
            found |= {
                "sessions active": (told("openenv_sessions_active"), 0),
                "sessions listed": (told("openenv_sessions"), 0),
                "sessions closed": (
                    told("openenv_sessions_closed_total"),
                    told("openenv_sessions_opened_total"),
                ),
                "connections": (told("openenv_connections"), 1),  # that of /metrics itself
                "HTTP calls": (told("openenv_http_calls_active"), 0),
                "abandoned threads": (told("openenv_abandoned_threads"), 0),
                "abandoned tasks": (told("openenv_abandoned_tasks"), 0),
                "sessions opened, of those that peers saw": (
                    min(row.opened, self.tally.opened),
                    self.tally.opened,
                ),
            }
        for what, (now, wanted) in found.items():
            if now != wanted:
                self.problems.append(
                    f"{self.game.name}, minute {row.minute:.1f}: {what}: {now} instead of {wanted}"
                )

    def judge_memory(self) -> str:
        """What is to be said of RSS; too much growth becomes a problem."""
        if len(self.rows) < ROWS_TO_JUDGE_RSS:
            return f"{self.game.name}: RSS is not judged with fewer than {ROWS_TO_JUDGE_RSS} rows"
        third = len(self.rows) // 3
        middle = statistics.median(row.rss_kib for row in self.rows[third:-third])
        last = statistics.median(row.rss_kib for row in self.rows[-third:])
        allowed = middle * (1 + RSS_GROWTH) + RSS_SLACK_KIB
        text = (
            f"{self.game.name}: RSS {middle:.0f} KiB in the middle third, {last:.0f} KiB in the last "
            f"(at most {allowed:.0f})"
        )
        if last > allowed:
            self.problems.append(text)
        return text

    def end(self) -> None:
        if not self.server.is_running():
            self.problems.append(f"{self.game.name}: the server ended: {self.server.log()}")
            return
        status = self.server.stop()
        if status != 0:
            self.problems.append(
                f"{self.game.name}: SIGTERM ended it with status {status}: {self.server.log()[-1000:]}"
            )

    def report(self) -> dict[str, Any]:
        return {
            "environment": self.game.name,
            "command": self.server.command,
            "start": dataclasses.asdict(self.start),
            "rows": [dataclasses.asdict(row) for row in self.rows],
            "steps": self.tally.steps,
            "visits": dict(sorted(self.tally.visits.items())),
            "faults": self.tally.faults,
            "problems": self.problems,
        }


HEADING = (
    f"{'':8}{'minute':>7}{'opened':>10}{'refused':>9}{'taken':>7}{'envs':>6}"
    f"{'fds':>6}{'threads':>9}{'RSS KiB':>9}{'CPU s':>8}{'settled':>9}"
)


def line(name: str, row: Row) -> str:
    environments = "-" if row.environments is None else row.environments
    settled = "never" if row.settled_s is None else f"{row.settled_s:.1f} s"
    return (
        f"{name:8}{row.minute:7.1f}{row.opened:10}{row.refused:9}{row.places_taken:7}{environments:>6}"
        f"{row.descriptors:6}{row.threads:9}{row.rss_kib:9}{row.cpu_s:8.1f}{settled:>9}"
    )


def wait_until(holds: Any, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(PROBE_S)
    return True


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("openenv", type=pathlib.Path, help="the program openenv")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument(
        "--round-seconds", type=float, default=45.0, help="churn before a look (45)"
    )
    parser.add_argument("--capacity", type=int, default=256)
    parser.add_argument(
        "--environments", default="echo,eggs,faults", help="of these, those there are"
    )
    parser.add_argument("--seed", type=int, help="of what peers do (default: by chance)")
    parser.add_argument("--quick", action="store_true", help="no peers that only time limits end")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if not options.openenv.is_file():
        parser.error(f"there is no program {options.openenv}")
    options.openenv = options.openenv.resolve()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    return options


def main() -> int:
    options = arguments()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"seed {options.seed}", flush=True)
    subjects: list[Subject] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.environments.split(","):
            game = next(game for game in GAMES if game.name == name)
            command = game.command(options.openenv)
            if command is None:
                print(f"no server of {name}: it is not beside {options.openenv}")
                continue
            subjects.append(Subject(game, command, options, folder))
        print(HEADING, flush=True)
        begin, number = time.monotonic(), 0
        try:
            while number == 0 or time.monotonic() - begin < options.minutes * 60:
                play(subjects, lambda subject: subject.churn(options.round_seconds, number))
                play(subjects, lambda subject: subject.settle(begin))
                number += 1
                if not all(subject.server.is_running() for subject in subjects):
                    break
        finally:
            for subject in subjects:
                subject.end()
    return verdict(subjects, options)


def play(subjects: list[Subject], what: Any) -> None:
    """The same for every server at once."""

    def guarded(subject: Subject) -> None:
        try:
            what(subject)
        except Exception as failure:  # the table and the verdict are wanted all the same
            subject.problems.append(f"{subject.game.name}: {type(failure).__name__}: {failure}")

    threads = [threading.Thread(target=guarded, args=(subject,)) for subject in subjects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def verdict(subjects: list[Subject], options: argparse.Namespace) -> int:
    print("\n" + HEADING)
    for subject in subjects:
        start = subject.start
        print(
            f"{subject.game.name:8}  start{'':32}{start.descriptors:6}{start.threads:9}{start.rss_kib:9}"
        )
        for row in subject.rows:
            print(line(subject.game.name, row))
    for subject in subjects:
        print(
            f"{subject.game.name}: {subject.tally.steps} steps; "
            + ", ".join(f"{count} {kind}" for kind, count in sorted(subject.tally.visits.items()))
        )
        print(subject.judge_memory())
    problems = [text for subject in subjects for text in subject.problems + subject.tally.faults]
    for text in problems[:50]:
        print("PROBLEM", text)
    word = "FAILED" if problems or not subjects else "ok"
    print(f"churn: {word}, {len(problems)} problems (seed {options.seed})")
    if options.json:
        report = {
            "seed": options.seed,
            "minutes": options.minutes,
            "capacity": options.capacity,
            "servers": [subject.report() for subject in subjects],
            "verdict": word,
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if word == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
