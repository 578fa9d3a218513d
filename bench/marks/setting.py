"""What all rows share: programs, cores, how many rounds, and the record of every run."""

import dataclasses
import os
import pathlib
import random
import re

from . import generator, machine, servers
from .errors import Missing

# Longer than a peer takes to be woken up here.
BUSY_POLL_US = 200
BUSY = "native, busy"
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Larger than any number of sessions here, so that capacity is never what ends a run.
CAPACITY = 20000


@dataclasses.dataclass(frozen=True)
class Arrangement:
    """Who runs on which core."""

    name: str
    server_cores: frozenset
    generator_cores: frozenset
    threads: int  # I/O threads of the server


@dataclasses.dataclass
class Setting:
    build: pathlib.Path
    openenv: pathlib.Path
    python: pathlib.Path  # has the Python edition
    gymnasium_python: pathlib.Path
    scratch: pathlib.Path
    rounds: int
    seconds: float
    quick: bool
    shuffler: random.Random
    descriptor_limit: int
    runs: list = dataclasses.field(default_factory=list)

    @property
    def cores(self):
        return sorted(os.sched_getaffinity(0))

    @property
    def pinned(self):
        """The server has one core and one I/O thread, the generator has another core."""
        cores = self.cores
        return Arrangement("pinned", frozenset(cores[:1]), frozenset(cores[-1:]), 1)

    @property
    def free(self):
        """The server has every core and a thread for each, and shares them with the generator."""
        cores = frozenset(self.cores)
        return Arrangement("free", cores, cores, len(cores))

    def small(self, usual, quick):
        """A size that --quick makes small."""
        return quick if self.quick else usual

    # Servers

    def native(self, environment, arrangement, *flags, name="native"):
        program = self.present(self.openenv)
        return servers.Server(
            name,
            [program, "serve", environment, *self._flags(arrangement), *flags],
            arrangement.server_cores,
        )

    def busy_native(self, environment, arrangement, *flags):
        """Ours, looking for work for a while before it sleeps."""
        busy = ("--busy-poll", BUSY_POLL_US)
        return self.native(environment, arrangement, *busy, *flags, name=BUSY)

    def bench_environment(self, environment, arrangement, *flags):
        program = self.present(self.build / "bin/openenv_bench_environments")
        return servers.Server(
            environment,
            [program, environment, *self._flags(arrangement), *flags],
            arrangement.server_cores,
        )

    def beast(self, answers, arrangement):
        program = self.present(self.build / "bin/openenv_bench_beast")
        threads = ("--threads", arrangement.threads)
        return servers.Server(
            "beast", [program, *threads, "--answers", answers], arrangement.server_cores
        )

    def raw(self, answers, arrangement):
        program = self.present(self.build / "bin/openenv_bench_raw")
        return servers.Server("raw", [program, "--answers", answers], arrangement.server_cores)

    def reference(self, arrangement):
        program = ROOT / "tests/interop/reference_echo.py"
        flags = ("--port", "0", "--max-concurrent-envs", CAPACITY)
        return servers.Server(
            "python", [self.present(self.python), program, *flags], arrangement.server_cores
        )

    @staticmethod
    def _flags(arrangement):
        return (
            *("--port", "0", "--threads", arrangement.threads),
            *("--max-concurrent-envs", CAPACITY),
        )

    @staticmethod
    def present(program):
        if not program.exists():
            raise Missing(f"{program} is missing; `make bench` makes everything that is needed")
        return program

    # Load

    def load(self, server, cores, *options):
        """A run of the generator that has just been started."""
        return generator.Load(self.openenv, server, cores, options)

    def measure(self, row, number, server, arrangement, *options, seconds=None, may_fail=False):
        """One run from beginning to end, recorded. Returns its report."""
        length = ("--duration", self.seconds if seconds is None else seconds)
        if "--steps" in options:
            length = ()
        load = self.load(server, arrangement.generator_cores, *length, *options)
        report = load.report(may_fail)
        self.record(row, number, server, arrangement, report, load)
        return report

    def record(self, row, number, server, arrangement, report, load):
        self.runs.append(
            {
                "row": row,
                "round": number,
                "arrangement": arrangement.name,
                "server": server.name,
                "server_command": server.command,
                "generator_command": load.command,
                "report": report,
            }
        )
        rate = report.get("steps_per_second", 0)
        machine.say(
            f"  {row}, round {number}, {arrangement.name}: {server.name},"
            f" {report['sessions']['asked']} sessions: {rate:,.0f} steps/s"
        )

    def in_rounds(self, tasks, rounds=None):
        """Runs every task of {name: callable(round number)} once a round, in shuffled order.

        Returns [{name: result}, ...], one for each round: whatever is compared is compared
        within one.
        """
        results = []
        for number in range(1, (rounds or self.rounds) + 1):
            names = list(tasks)
            self.shuffler.shuffle(names)
            results.append({name: tasks[name](number) for name in names})
        return results

    def commands(self, row, chosen=lambda run: True):
        """How the servers and the load of a row were started, each way once."""
        commands = []
        for run in self.runs:
            if run["row"] == row and chosen(run):
                commands.append(self._shown(run["server_command"]))
                if "generator_command" in run:
                    commands.append(self._shown(run["generator_command"]))
        return list(dict.fromkeys(commands))

    def _shown(self, command):
        """A command as one would type it, without what differs from run to run."""
        parts = []
        for number, part in enumerate(command):
            part = part.replace(str(self.scratch), "SCRATCH").replace(f"{ROOT}/", "")
            part = re.sub(r"^http://127\.0\.0\.1:\d+$", "URL", part)
            if number > 0 and command[number - 1] == "--server-pid":
                part = "PID"
            parts.append(f"'{part}'" if set(part) & set(' "{}') else part)
        return " ".join(parts)
