#!/usr/bin/env python3
"""F57: what more threads do to the throughput; measured and printed, not judged.

Usage: thread_counts.py OPENENV [options]       OPENENV is the program; `make soak` calls it

The servers of all counts stay up; short runs of `openenv bench` alternate in shuffled order, ten
sessions a thread. The table shows medians over the rounds and the share of the best, which should
not fall below 90 % as threads grow. Two arrangements:
  threads  --threads 1 ... 4 a core; echo, whose steps run on the threads of the connections
  workers  --workers 1 ... 4 a core; openenv_faults_env, whose steps run on workers
The generator shares the machine with the server. Exit: 0, or 1 when a run went wrong.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
from typing import Any

from server import Server

SESSIONS_A_THREAD = 10
WANTED_SHARE = 0.90


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("openenv", type=pathlib.Path, help="the program openenv")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of one run (1)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if not options.openenv.is_file():
        parser.error(f"there is no program {options.openenv}")
    options.openenv = options.openenv.resolve()
    return options


def measure(options: argparse.Namespace, server: Server, sessions: int) -> float:
    """Steps per second. Errors: RuntimeError when the run is void."""
    done = subprocess.run(
        [str(options.openenv), "bench", f"127.0.0.1:{server.port}", "--sessions", str(sessions)]
        + ["--duration", str(options.seconds), "--json"],
        capture_output=True,
        text=True,
    )
    try:
        run = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"no result: {done.stderr.strip()}") from None
    if not run["good"]:
        raise RuntimeError(f"void: {run['failures']} {run['problems']}")
    return run["steps_per_second"]


def compare(
    options: argparse.Namespace, flag: str, command: list[str], counts: list[int]
) -> dict[str, Any]:
    rates: dict[int, list[float]] = {count: [] for count in counts}
    with contextlib.ExitStack() as stack:
        servers = {
            count: stack.enter_context(Server([*command, "--port", "0", flag, str(count)]))
            for count in counts
        }
        for _ in range(options.rounds):
            for count in random.sample(counts, len(counts)):
                rates[count].append(measure(options, servers[count], SESSIONS_A_THREAD * count))
    medians = {count: statistics.median(found) for count, found in rates.items()}
    best = max(medians.values())
    peak = next(count for count in counts if medians[count] == best)
    print(f"{flag:10}{'sessions':>9}{'steps/s':>10}{'of best':>9}   all runs")
    for count in counts:
        runs = " ".join(f"{rate:.0f}" for rate in rates[count])
        print(
            f"{count:<10}{SESSIONS_A_THREAD * count:9}{medians[count]:10.0f}"
            f"{medians[count] / best:9.0%}   {runs}"
        )
    lowest = min(medians[count] / best for count in counts if count >= peak)
    word = "kept" if lowest >= WANTED_SHARE else "NOT kept"
    print(
        f"F57 {flag}: at least {lowest:.0%} of the best beyond it ({WANTED_SHARE:.0%} wanted: {word})\n",
        flush=True,
    )
    return {"flag": flag, "steps_per_second": rates, "lowest_share_beyond_best": lowest}


def main() -> int:
    options = arguments()
    cores = len(os.sched_getaffinity(0))
    counts = sorted({max(1, round(cores * share)) for share in (0.5, 1, 2, 3, 4)} | {1})
    faults = options.openenv.with_name("openenv_faults_env")
    subjects = {"--threads": [str(options.openenv), "serve", "echo"]}
    if faults.exists():
        subjects["--workers"] = [str(faults)]
    else:
        print(f"--workers is left out: there is no {faults}")
    try:
        results = [compare(options, flag, command, counts) for flag, command in subjects.items()]
    except RuntimeError as failure:
        print(f"thread_counts: {failure}", file=sys.stderr)
        return 1
    if options.json:
        options.json.write_text(json.dumps({"cores": cores, "results": results}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
