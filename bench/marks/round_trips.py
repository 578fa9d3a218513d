"""Rows a to d: one frame a step, beside tuned Beast, raw epoll and the Python edition."""

import contextlib

from . import recorded_answers
from .errors import Missing
from .generator import cpu_per_step, p50, p99
from .machine import say
from .outcome import NotMeasured, Outcome
from .setting import BUSY, BUSY_POLL_US
from .spread import Spread, figure

ACTION = '{"message":"hello"}'
SESSIONS = 64
# So slow that every server keeps up: a server at its limit is charged for waking the generator up
# with each answer, while one that is faster than the generator never has to.
PACED = "paced"
PACED_STEPS_PER_SECOND = 20000
LETTERS = "abcd"


def measure(setting, letters):
    pinned = _runs(setting, setting.pinned)
    free = _runs(setting, setting.free)
    return [_ROWS[letter](setting, pinned, free) for letter in letters]


def _runs(setting, arrangement):
    """All rounds of one arrangement: ([{(server, sessions): report}], {server: commands})."""
    with contextlib.ExitStack() as stack:
        native = stack.enter_context(setting.native("echo", arrangement))
        answers = recorded_answers.record(
            native.url, {"message": "hello"}, setting.scratch / "echo"
        )
        servers = [native]
        starters = [
            lambda: setting.beast(answers, arrangement),
            lambda: setting.reference(arrangement),
        ]
        if arrangement.threads == 1:
            starters.append(lambda: setting.raw(answers, arrangement))
        for start in starters:
            try:
                servers.append(stack.enter_context(start()))
            except Missing as missing:
                say(f"  without one server: {missing}")
        busy = stack.enter_context(setting.busy_native("echo", arrangement))
        options = ("--step", ACTION, "--expect", "hello")

        def task(server, *load):
            return lambda number: setting.measure(
                LETTERS, number, server, arrangement, *load, *options
            )

        tasks = {
            (server.name, sessions): task(server, "--sessions", sessions)
            for server in servers
            for sessions in (1, SESSIONS)
        }
        tasks[BUSY, 1] = task(busy, "--sessions", 1)
        paced = ("--sessions", SESSIONS, "--step-rate", PACED_STEPS_PER_SECOND / SESSIONS)
        for server in servers if arrangement.threads == 1 else ():
            if server.name != "python":
                tasks[server.name, PACED] = task(server, *paced)
        return setting.in_rounds(tasks)


def _ratios(rounds, figure_of, sessions, peer, ours="native"):
    """Of our server to a peer, within each round."""
    if (ours, sessions) not in rounds[0] or (peer, sessions) not in rounds[0]:
        return None
    return [figure_of(one[ours, sessions]) / figure_of(one[peer, sessions]) for one in rounds]


def _rate(report):
    return report["steps_per_second"]


def _absolute(rounds, sessions, name, heading, figure_of):
    """`heading`: the medians of each server."""
    parts = []
    for server in ("native", BUSY, "beast", "raw", "python"):
        if (server, sessions) in rounds[0]:
            values = [figure_of(one[server, sessions]) for one in rounds]
            parts.append(f"{server} {figure(Spread.of(values).median)}")
    return f"{heading}, {name}: {', '.join(parts)}"


def _spread_note(text, ratios):
    spread = Spread.of(ratios)
    return f"{text}: {figure(spread.median)} ({figure(spread.lowest)}-{figure(spread.highest)})"


def _row(letter, peer, sessions, figure_of, heading, ours="native"):
    def outcome(setting, pinned, free):
        ratios = _ratios(pinned, figure_of, sessions, peer, ours)
        if ratios is None:
            return NotMeasured(letter, f"the peer {peer} was not there")
        notes = [
            _absolute(pinned, sessions, "pinned", heading, figure_of),
            _absolute(free, sessions, "free", heading, figure_of),
            _spread_note("the same ratio, free", _ratios(free, figure_of, sessions, peer, ours)),
        ]
        if ours == BUSY:
            notes.append(
                _spread_note(
                    f"without --busy-poll {BUSY_POLL_US}, as servers are by default, pinned",
                    _ratios(pinned, figure_of, sessions, peer),
                )
            )
        raw = _ratios(pinned, figure_of, sessions, "raw")
        if raw and peer != "python":
            notes.append(_spread_note("to raw epoll, pinned", raw))
        at_same_rate = _ratios(pinned, figure_of, PACED, peer)
        if letter == "d" and at_same_rate:
            rate = f"at the same {PACED_STEPS_PER_SECOND:,} steps/s"
            notes.append(_spread_note(f"{rate}, pinned, to {peer}", at_same_rate))
            notes.append(_absolute(pinned, PACED, "pinned", f"{heading} {rate}", figure_of))
        if letter == "b":
            notes.append(_absolute(pinned, sessions, "pinned", "p99 in µs", p99))
        return Outcome(
            letter,
            ratios,
            "pinned",
            notes=notes,
            commands=setting.commands(
                LETTERS,
                lambda run: run["arrangement"] == "pinned"
                and run["server"] in (ours, peer)
                and run["report"]["sessions"]["asked"] == sessions
                and "--step-rate" not in run["generator_command"],
            ),
        )

    return outcome


_ROWS = {
    "a": _row("a", "beast", SESSIONS, _rate, "steps/s"),
    "b": _row("b", "python", SESSIONS, _rate, "steps/s"),
    "c": _row("c", "python", 1, p50, "p50 in µs", ours=BUSY),
    "d": _row("d", "beast", SESSIONS, cpu_per_step, "server CPU in µs per step"),
}
