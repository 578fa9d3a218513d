#!/usr/bin/env python3
"""Compares our echo server with the Python edition's, side by side on this machine.

Usage: bench/run.py [BUILD_DIR] [options]        (`make bench` builds, prepares and calls it)

Both servers stay up; short runs of either alternate in shuffled order, and a ratio is only ever
taken between two runs of the same round, because what else happens on a machine changes from
second to second. The table shows medians over the rounds. Two arrangements:
  pinned  the server has one core and one thread, the load generator has another core
  free    the server has every core (and as many threads), and shares them with the generator
The generator refuses a run in which a reply was wrong, or the server's process used no CPU time.
"""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import queue
import random
import statistics
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[1]
START_LIMIT_S = 60
STOP_LIMIT_S = 20
ANNOUNCEMENT = "listening on http://"
COMPARED = {  # key of the generator's report -> heading
    "steps_per_second": "steps/s",
    "p50_us": "p50 us",
    "p99_us": "p99 us",
    "p999_us": "p999 us",
    "server_cpu_us_per_step": "CPU us/step",
}


class BenchError(Exception):
    """Something that makes the measurement void; the text says what."""


class Server:
    """A running server: its process, its port, and where its log is."""

    def __init__(self, name, command, cores):
        self.name = name
        self.log = tempfile.TemporaryFile(mode="w+")
        try:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
                preexec_fn=lambda: os.sched_setaffinity(0, cores),
            )
        except OSError as error:
            raise BenchError(f"{name} cannot be started: {error}") from error
        self.port = self._read_port()

    def _read_port(self):
        lines = queue.Queue()

        def read():
            for line in self.process.stdout:
                lines.put(line)
            lines.put("")

        # Goes on reading to the end, so that a talkative server never waits for a reader.
        threading.Thread(target=read, daemon=True).start()
        while True:
            try:
                line = lines.get(timeout=START_LIMIT_S)
            except queue.Empty:
                raise BenchError(f"{self.name} did not start: {self.log_tail()}") from None
            if not line:
                raise BenchError(f"{self.name} ended at once: {self.log_tail()}")
            if ANNOUNCEMENT in line:
                return int(line.rsplit(":", 1)[1].strip().rstrip("/"))

    def log_tail(self):
        self.log.seek(0)
        return self.log.read()[-2000:].strip() or "(it logged nothing)"

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def server_commands(options, threads):
    capacity = str(max(2048, *options.sessions))
    common = ["--port", "0", "--max-concurrent-envs", capacity]
    commands = {
        "native": [str(options.server), "serve", "echo", *common, "--threads", str(threads)]
    }
    if not options.without_reference:
        reference = ROOT / "tests/interop/reference_echo.py"
        commands["python"] = [str(options.python), str(reference), *common]
    return commands


def measure(options, server, sessions, cores):
    command = [
        str(options.generator),
        *("--port", str(server.port)),
        *("--server-pid", str(server.process.pid)),
        *("--sessions", str(sessions)),
        *("--seconds", str(options.seconds)),
        *("--expect", "hello"),
    ]
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    if result.returncode != 0:
        raise BenchError(
            f"{server.name} with {sessions} sessions: {result.stdout}{result.stderr}"
            f"its log ends with: {server.log_tail()}"
        )
    return json.loads(result.stdout)


def run_arrangement(options, name, shuffler):
    """All rounds of one arrangement, as a list of {round, server, sessions, ...report}."""
    cores = sorted(os.sched_getaffinity(0))
    if name == "pinned":
        server_cores, client_cores, threads = {cores[0]}, {cores[-1]}, 1
    else:
        server_cores, client_cores, threads = set(cores), set(cores), len(cores)
    runs = []
    with contextlib.ExitStack() as stack:
        servers = []
        for server_name, command in server_commands(options, threads).items():
            server = Server(server_name, command, server_cores)
            stack.callback(server.stop)
            servers.append(server)
        for number in range(1, options.rounds + 1):
            order = [(server, sessions) for server in servers for sessions in options.sessions]
            shuffler.shuffle(order)
            for server, sessions in order:
                report = measure(options, server, sessions, client_cores)
                runs.append(
                    {"arrangement": name, "round": number, "server": server.name}
                    | {"sessions_asked": sessions}
                    | report
                )
                print(
                    f"  {name} round {number}: {server.name}, {sessions} sessions:"
                    f" {report['steps_per_second']:.0f} steps/s",
                    file=sys.stderr,
                    flush=True,
                )
    return runs


def medians(runs):
    return {key: statistics.median(run[key] for run in runs) for key in COMPARED}


def ratios(native, reference):
    """Native to reference, within each round: {key: (median, lowest, highest)}."""
    by_round = {run["round"]: run for run in reference}
    result = {}
    for key in COMPARED:
        values = [run[key] / by_round[run["round"]][key] for run in native]
        result[key] = (statistics.median(values), min(values), max(values))
    return result


def summarise(runs):
    """One entry for each arrangement and number of sessions."""
    summary = []
    # Runs come shuffled; the table goes by arrangement as measured, then by sessions.
    keys = dict.fromkeys((run["arrangement"], run["sessions_asked"]) for run in runs)
    arrangements = list(dict.fromkeys(arrangement for arrangement, _ in keys))
    for key in sorted(keys, key=lambda key: (arrangements.index(key[0]), key[1])):
        chosen = [run for run in runs if (run["arrangement"], run["sessions_asked"]) == key]
        native = [run for run in chosen if run["server"] == "native"]
        reference = [run for run in chosen if run["server"] == "python"]
        entry = {"arrangement": key[0], "sessions": key[1], "native": medians(native)}
        if reference:
            entry["python"] = medians(reference)
            entry["ratio"] = ratios(native, reference)
        summary.append(entry)
    return summary


def print_table(summary):
    widths = [12, 8, 16, *(max(20, len(heading)) for heading in COMPARED.values())]

    def row(*cells):
        print("  ".join(str(cell).rjust(width) for cell, width in zip(cells, widths)).rstrip())

    row("arrangement", "sessions", "server", *COMPARED.values())
    for entry in summary:
        where = (entry["arrangement"], entry["sessions"])
        for server in ("native", "python"):
            if server in entry:
                row(*where, server, *(f"{entry[server][key]:,.1f}" for key in COMPARED))
        if "ratio" in entry:
            cells = [
                f"{middle:.2f} ({low:.2f}-{high:.2f})"
                for middle, low, high in (entry["ratio"][key] for key in COMPARED)
            ]
            row(*where, "native / python", *cells)


def machine():
    model = "unknown"
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
    }


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (default 2)")
    parser.add_argument("--sessions", type=int, nargs="+", default=[1, 64])
    parser.add_argument("--arrangements", nargs="+", choices=["pinned", "free"], default=["pinned", "free"])
    parser.add_argument("--server", type=pathlib.Path, help="our program (BUILD_DIR/bin/openenv)")
    parser.add_argument("--generator", type=pathlib.Path)
    parser.add_argument(
        "--python",
        type=pathlib.Path,
        help="interpreter that has the Python edition (made by tests/interop/setup_venv.sh)",
    )
    parser.add_argument("--without-reference", action="store_true", help="measure ours alone")
    parser.add_argument("--seed", type=int, default=None, help="of the order of runs")
    parser.add_argument("--json", type=pathlib.Path, help="where to write every run and the summary")
    options = parser.parse_args(arguments)
    options.server = options.server or options.build / "bin/openenv"
    options.generator = options.generator or options.build / "bin/openenv_load_generator"
    options.python = options.python or options.build / ".venv-interop/bin/python"
    if options.seed is None:
        options.seed = random.randrange(1 << 30)
    needed = [options.server, options.generator]
    if not options.without_reference:
        needed.append(options.python)
    for path in needed:
        if not path.exists():
            parser.error(f"{path} is missing; `make bench` makes everything that is needed")
    return options


def main(arguments):
    options = parse(arguments)
    shuffler = random.Random(options.seed)
    runs = []
    try:
        for arrangement in options.arrangements:
            runs += run_arrangement(options, arrangement, shuffler)
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    summary = summarise(runs)
    facts = machine()
    print(f"{facts['cpu']}, {facts['cores']} cores, Linux {facts['kernel']}")
    print(f"medians of {options.rounds} rounds of {options.seconds} s; ratios: median (lowest-highest)")
    print_table(summary)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        content = {"machine": facts, "seed": options.seed, "summary": summary, "runs": runs}
        options.json.write_text(json.dumps(content, indent=1) + "\n")
        print(f"every run: {options.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
