"""Row k: what a large observation costs above sending its bytes."""

import contextlib

from . import recorded_answers
from .errors import Missing
from .generator import cpu_per_step
from .machine import say
from .outcome import Outcome
from .spread import Spread, figure

BYTES = 1 << 20
SESSIONS = 4


def measure(setting, _):
    pinned = setting.pinned
    with contextlib.ExitStack() as stack:
        native = stack.enter_context(setting.bench_environment("large_text", pinned))
        answers = recorded_answers.record(
            native.url, {"bytes": BYTES}, setting.scratch / "large", steps=1
        )
        servers = {"native": native, "raw": stack.enter_context(setting.raw(answers, pinned))}
        try:
            servers["beast"] = stack.enter_context(setting.beast(answers, pinned))
        except Missing as missing:
            say(f"  without one server: {missing}")
        options = ("--sessions", SESSIONS, "--step", f'{{"bytes":{BYTES}}}')

        def task(server):
            return lambda number: setting.measure("k", number, server, pinned, *options)

        rounds = setting.in_rounds({name: task(server) for name, server in servers.items()})
    ratios = [cpu_per_step(one["native"]) / cpu_per_step(one["raw"]) for one in rounds]
    notes = [
        "server CPU in µs per step: "
        + ", ".join(
            f"{name} {figure(Spread.of(cpu_per_step(one[name]) for one in rounds).median)}"
            for name in servers
        ),
        "steps/s: "
        + ", ".join(
            f"{name} {figure(Spread.of(one[name]['steps_per_second'] for one in rounds).median)}"
            for name in servers
        ),
        "ours makes the text anew for each step, checks and writes it; raw epoll sends the bytes"
        " of our answer as they are",
    ]
    commands = setting.commands("k", lambda run: run["server"] != "beast")
    return [Outcome("k", ratios, "pinned", notes=notes, commands=commands)]
