"""Rows e, f and j: thousands of sessions in one process, arriving, idle, and all stepping."""

import contextlib
import subprocess
import time

from . import machine, recorded_answers
from .errors import BenchError, Missing
from .generator import cpu_per_step
from .machine import say
from .outcome import Outcome
from .spread import Spread, figure

ARRIVING = 16384
STEP_S = 1.0
SHARE_OF_RAW_RATE = 0.8
LEFT_OF_LIMIT = 100
PROCESSES = 3
HOLD_S = 12
GONE_LIMIT_S = 10
FEW = 64


# Row e


def measure_arrivals(setting, _):
    sessions = setting.small(ARRIVING, 256)
    step_s = setting.small(STEP_S, 0.05)
    free = setting.free
    with setting.native("echo", setting.pinned) as server:
        answers = recorded_answers.record(
            server.url, {"message": "hello"}, setting.scratch / "echo"
        )

    def one(number):
        # Servers of their own each time: ports that closed connections still hold are no limit.
        with setting.raw(answers, free) as server:
            opening = setting.measure(
                "e", number, server, free, *("--sessions", sessions, "--steps", 0, "--step", "{}")
            )
        rate = opening["sessions_per_second"]
        ramp = sessions / (SHARE_OF_RAW_RATE * rate)
        options = ("--sessions", sessions, "--steps", 1, "--ramp", f"{ramp:.3f}")
        action = f'{{"seconds":{step_s:g}}}'
        with setting.native("sleeper", free) as server:
            report = setting.measure(
                "e", number, server, free, *options, "--step", action, may_fail=True
            )
        return {"rate": rate, "ramp": ramp, "report": report}

    rounds = [each["e"] for each in setting.in_rounds({"e": one}, setting.small(3, 1))]
    reports = [each["report"] for each in rounds]
    success = min(report["sessions"]["success_rate"] for report in reports)
    p99s = [report["latency_us"]["session"].get("p99", float("inf")) / 1e6 for report in reports]
    rates = Spread.of(each["rate"] for each in rounds)
    ramps = Spread.of(each["ramp"] for each in rounds)
    outcome = Outcome("e", p99s, "free", commands=setting.commands("e"))
    outcome.met = outcome.met and success == 1
    outcome.notes = [
        f"{sessions:,} sessions; the lowest share that completed: {100 * success:g} %",
        f"raw accept loop (connect, upgrade, reset, close): {figure(rates.median)} sessions/s"
        f" ({figure(rates.lowest)}-{figure(rates.highest)}), so a ramp of"
        f" {figure(ramps.median)} s",
        _latencies(reports),
    ]
    failures = [failure for report in reports for failure in report["failures"]]
    if failures:
        outcome.notes.append(f"failures: {failures}")
    return [outcome]


def _latencies(reports):
    parts = []
    for name in ("connect", "reset", "step", "session"):
        for key in ("p50", "p99", "max"):
            values = [r["latency_us"][name][key] / 1e3 for r in reports if key in r["latency_us"][name]]
            if values:
                parts.append(f"{name} {key} {figure(Spread.of(values).median)}")
    return "in ms: " + ", ".join(parts)


# Row f


def measure_idle(setting, _):
    most = setting.small(setting.descriptor_limit - LEFT_OF_LIMIT, 256)
    each = setting.small(ARRIVING, 128)
    one = _hold(setting, 1, most)
    several = _hold(setting, PROCESSES, each)
    weight = _environment_weight(setting)
    values = [(held["bytes"] - weight) / 1024 for held in one + several]
    outcome = Outcome(
        "f", values, "free", judged=max(values), commands=setting.commands("f")
    )
    outcome.notes = [
        f"one process, {most:,} sessions: {_held_text(one)}",
        f"{PROCESSES} processes, {PROCESSES * each:,} sessions: {_held_text(several)}",
        f"of that the environment itself: {weight} B, which the mark leaves out",
        "each has done a reset and a step, spread over the time they were held; resident memory"
        " just before they were closed, less that of the process before, over their number",
        f"descriptors that a process may open at most: {setting.descriptor_limit:,}",
    ]
    return [outcome]


def _environment_weight(setting):
    """What an environment `echo` takes without a server. Units: bytes."""
    program = setting.present(setting.build / "bin/openenv_bench_environment_weight")
    return int(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def _held_text(held):
    """What each of some processes held, and what the kernel did."""
    return (
        f"{', '.join(figure(each['bytes']) for each in held)} B each"
        f" (at its highest {', '.join(figure(each['highest']) for each in held)}),"
        f" {', '.join(figure(each['mib']) for each in held)} MiB in all,"
        f" {max(each['threads'] for each in held)} threads;"
        f" kernel slab, both ends: {held[0]['slab']:,.0f} B each"
    )


def _hold(setting, processes, sessions):
    """Holds that many idle sessions in each of some processes."""
    free = setting.free
    with contextlib.ExitStack() as stack:
        servers = [
            stack.enter_context(setting.native("echo", free, name=f"native {number}"))
            for number in range(1, processes + 1)
        ]
        # The first sessions pay for what all share.
        for server in servers:
            _warm_up(setting, server)
        before = {server: _look(server) for server in servers}
        slab_before = machine.memory_figure("Slab")
        # One step each, spread over the time.
        hold_s = setting.small(HOLD_S, 0.5)
        options = (
            *("--sessions", sessions, "--warm-up", 0),
            *("--think", hold_s, "--duration", hold_s),
        )
        loads = [setting.load(server, free.generator_cores, *options) for server in servers]
        for load in loads:
            stack.callback(load.stop)
        looks = {server: [] for server in servers}
        slab = 0
        while any(load.process.poll() is None for load in loads):
            for server in servers:
                look = _look(server)
                if look["descriptors"] - before[server]["descriptors"] >= sessions:
                    looks[server].append(look)
            if all(looks.values()):
                slab = max(slab, machine.memory_figure("Slab") - slab_before)
            time.sleep(0.1)
        held = []
        for server, load in zip(servers, loads):
            setting.record("f", 1, server, free, load.report(), load)
            if not looks[server]:
                raise BenchError(f"{server.name} was never seen to hold {sessions} sessions")
            residents = [look["resident"] for look in looks[server]]
            empty = before[server]["resident"]
            held.append(
                {
                    "bytes": (residents[-1] - empty) / sessions,
                    "highest": (max(residents) - empty) / sessions,
                    "mib": residents[-1] / 2**20,
                    "threads": looks[server][-1]["threads"],
                    "slab": slab / (sessions * processes),
                }
            )
        return held


def _warm_up(setting, server):
    """Lets a few sessions come and go, and returns when they are gone."""
    descriptors = _look(server)["descriptors"]
    setting.measure("f", 0, server, setting.free, "--sessions", FEW, seconds=0.2)
    limit = time.monotonic() + GONE_LIMIT_S
    while _look(server)["descriptors"] > descriptors:
        if time.monotonic() > limit:
            raise BenchError(f"{server.name} kept sessions that had ended")
        time.sleep(0.05)


def _look(server):
    return {
        "resident": machine.resident_bytes(server.pid),
        "descriptors": machine.open_descriptors(server.pid),
        "threads": machine.thread_count(server.pid),
    }


# Row j


def measure_crowd(setting, _):
    many = setting.small(ARRIVING, 256)
    pinned = setting.pinned
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(setting.native("echo", pinned))]
        answers = recorded_answers.record(
            servers[0].url, {"message": "hello"}, setting.scratch / "echo"
        )
        for start in (setting.raw, setting.beast):
            try:
                servers.append(stack.enter_context(start(answers, pinned)))
            except Missing as missing:
                say(f"  without one server: {missing}")
        options = ("--warm-up", 0.5, "--step", '{"message":"hello"}')

        def task(server, sessions):
            return lambda number: setting.measure(
                "j", number, server, pinned, "--sessions", sessions, *options
            )

        tasks = {
            (server.name, sessions): task(server, sessions)
            for server in servers
            for sessions in (FEW, many)
        }
        rounds = setting.in_rounds(tasks, setting.small(3, 1))

    def ratios(name):
        return [cpu_per_step(one[name, many]) / cpu_per_step(one[name, FEW]) for one in rounds]

    notes = []
    for server in servers:
        few, crowd = (
            figure(Spread.of(cpu_per_step(one[server.name, sessions]) for one in rounds).median)
            for sessions in (FEW, many)
        )
        ratio = Spread.of(ratios(server.name))
        notes.append(
            f"{server.name}: server CPU in µs per step {few} with {FEW}, {crowd} with {many:,};"
            f" {figure(ratio.median)} × ({figure(ratio.lowest)}-{figure(ratio.highest)})"
        )
    commands = setting.commands("j", lambda run: run["server"] == "native")
    return [Outcome("j", ratios("native"), "pinned", notes=notes, commands=commands)]
