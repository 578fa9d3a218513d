"""Rows g and h: many steps in one frame."""

import json
import os
import subprocess

from .errors import BenchError, Missing
from .generator import cpu_per_step
from .machine import say
from .outcome import Outcome
from .setting import BUSY_POLL_US, ROOT
from .spread import Spread, figure

TOGETHER = 64


def measure_frames(setting, _):
    """Row g."""
    pinned = setting.pinned
    options = ("--step", '{"message":"hello"}')
    shapes = {
        "batched": ("--batch", TOGETHER, "--connections", 1),
        "single": ("--sessions", TOGETHER),
        # Shown beside: with one connection the server waits while the generator reads, and the
        # other way round.
        "four connections": ("--batch", TOGETHER, "--connections", 4),
    }
    with setting.native("echo", pinned) as server, setting.busy_native("echo", pinned) as busy:

        def task(server, shape):
            return lambda number: setting.measure("g", number, server, pinned, *shape, *options)

        tasks = {name: task(server, shape) for name, shape in shapes.items()}
        for name in ("batched", "single"):
            tasks[f"{name}, --busy-poll {BUSY_POLL_US}"] = task(busy, shapes[name])
        rounds = setting.in_rounds(tasks)

    def ratios(suffix=""):
        return [
            one["batched" + suffix]["steps_per_second"] / one["single" + suffix]["steps_per_second"]
            for one in rounds
        ]

    notes = []
    for name in tasks:
        rate = Spread.of(one[name]["steps_per_second"] for one in rounds)
        server_cpu = Spread.of(cpu_per_step(one[name]) for one in rounds)
        client_cpu = Spread.of(one[name]["client"]["cpu_us_per_step"] for one in rounds)
        notes.append(
            f"{name}: {figure(rate.median)} steps/s, CPU in µs per step:"
            f" server {figure(server_cpu.median)}, generator {figure(client_cpu.median)}"
        )
    busy_ratio = Spread.of(ratios(f", --busy-poll {BUSY_POLL_US}"))
    notes.append(
        f"the same ratio with --busy-poll {BUSY_POLL_US}: {figure(busy_ratio.median)}"
        f" ({figure(busy_ratio.lowest)}-{figure(busy_ratio.highest)})"
    )
    return [Outcome("g", ratios(), "pinned", notes=notes, commands=setting.commands("g"))]


def measure_cartpole(setting, _):
    """Row h."""
    if not setting.gymnasium_python.exists():
        raise Missing(f"{setting.gymnasium_python} is missing; bench/setup_venv.sh makes it")
    pinned = setting.pinned
    path = setting.scratch / "cartpole.sock"
    script = setting.scratch / "alternating.jsonl"
    script.write_text('{"action":0}\n{"action":1}\n')
    options = ("--batch", TOGETHER, "--connections", 1, "--episodes", "--script", script)
    sleeping_path = setting.scratch / "cartpole-sleeping.sock"
    with (
        setting.busy_native("cartpole", pinned, "--uds", path) as server,
        setting.native("cartpole", pinned, "--uds", sleeping_path) as sleeping,
    ):
        tasks = {
            "native": lambda number: setting.measure("h", number, server, pinned, *options),
            "sleeping": lambda number: setting.measure("h", number, sleeping, pinned, *options),
            "sync": lambda number: _gymnasium(setting, number, "sync"),
            "numpy": lambda number: _gymnasium(setting, number, "vector_entry_point"),
        }
        rounds = setting.in_rounds(tasks)
    rates = {
        name: [one[name]["steps_per_second"] for one in rounds] for name in tasks
    }
    ratios = [ours / theirs for ours, theirs in zip(rates["native"], rates["sync"])]
    by_default = Spread.of(
        ours / theirs for ours, theirs in zip(rates["sleeping"], rates["sync"])
    )
    to_numpy = Spread.of(ours / theirs for ours, theirs in zip(rates["native"], rates["numpy"]))
    middle = {name: figure(Spread.of(values).median) for name, values in rates.items()}
    notes = [
        f"steps/s: native {middle['native']}, SyncVectorEnv {middle['sync']},"
        f" NumPy-vectorised CartPole {middle['numpy']}",
        f"without --busy-poll {BUSY_POLL_US}, as servers are by default: {middle['sleeping']} steps/s,"
        f" {figure(by_default.median)} × ({figure(by_default.lowest)}-{figure(by_default.highest)})",
        f"to the NumPy-vectorised: {figure(to_numpy.median)}"
        f" ({figure(to_numpy.lowest)}-{figure(to_numpy.highest)})",
        "Gymnasium steps in its own process on one core; ours crosses a socket, the server on one"
        " core and the generator on the other",
    ]
    return [Outcome("h", ratios, "pinned", notes=notes, commands=setting.commands("h"))]


def _gymnasium_command(setting, mode):
    program = ROOT / "bench/peers/gymnasium_vector.py"
    options = ("--mode", mode, "--environments", TOGETHER, "--seconds", setting.seconds)
    return [str(part) for part in (setting.gymnasium_python, program, *options)]


def _gymnasium(setting, number, mode):
    command = _gymnasium_command(setting, mode)
    cores = setting.pinned.server_cores
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    if result.returncode != 0:
        raise BenchError(f"{' '.join(command)}: {result.stdout}{result.stderr}")
    report = json.loads(result.stdout)
    setting.runs.append(
        {"row": "h", "round": number, "arrangement": "pinned", "server": f"gymnasium {mode}"}
        | {"server_command": command, "report": report}
    )
    say(f"  h, round {number}, pinned: gymnasium {mode}: {report['steps_per_second']:,.0f} steps/s")
    return report
