#!/usr/bin/env python3
"""Measures the marks of this project: speed and memory, beside what they are compared with.

Usage: bench/run.py [BUILD_DIR] [options]        (`make bench` builds, prepares and calls it)

Whatever is compared runs in turn, in shuffled order, and a ratio is only ever taken between two
runs of the same round, because what else happens on a machine changes from second to second. A
row's result is the median over the rounds. Two arrangements:
  pinned  the server has one core and one I/O thread, the load generator has another core
  free    the server has every core (and as many I/O threads), and shares them with the generator
A run is refused in which an answer was wrong or missing, the server's process used no CPU time, or
another process owned the port.

Exit codes: 0 measured, whether or not the marks were met; 1 something could not be measured.
"""

import argparse
import json
import pathlib
import random
import sys
import tempfile
import time

from marks import (
    batches,
    large_observations,
    machine,
    many_sessions,
    neighbours,
    results,
    round_trips,
)
from marks.errors import BenchError, Missing
from marks.outcome import MARKS, NotMeasured
from marks.setting import ROOT, Setting

# Rows that are measured together, and by what.
MEASURES = (
    ("abcd", round_trips.measure),
    ("e", many_sessions.measure_arrivals),
    ("f", many_sessions.measure_idle),
    ("g", batches.measure_frames),
    ("h", batches.measure_cartpole),
    ("i", neighbours.measure),
    ("j", many_sessions.measure_crowd),
    ("k", large_observations.measure),
)


def rows_of(text):
    rows = "".join(text.split(","))
    unknown = sorted(set(rows) - set(MARKS))
    if unknown or not rows:
        raise argparse.ArgumentTypeError(f"rows are letters of {''.join(MARKS)}, such as a,c")
    return rows


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--rows", type=rows_of, default="".join(MARKS), help="such as a,c (all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (2)")
    parser.add_argument(
        "--quick", action="store_true", help="one round of few and short: a test, no measurement"
    )
    parser.add_argument("--openenv", type=pathlib.Path, help="our program (BUILD_DIR/bin/openenv)")
    parser.add_argument(
        "--python",
        type=pathlib.Path,
        help="interpreter that has the Python edition (made by tests/interop/setup_venv.sh)",
    )
    parser.add_argument(
        "--gymnasium-python",
        type=pathlib.Path,
        help="interpreter that has Gymnasium (made by bench/setup_venv.sh)",
    )
    parser.add_argument("--seed", type=int, default=None, help="of the order of runs")
    parser.add_argument("--json", type=pathlib.Path, help="where to write every run")
    parser.add_argument("--results", type=pathlib.Path, help="where to write it as Markdown")
    parser.add_argument("--remark", help="what to say about the circumstances of this run")
    options = parser.parse_args(arguments)
    options.build = options.build.resolve()
    options.openenv = options.openenv or options.build / "bin/openenv"
    options.python = options.python or options.build / ".venv-interop/bin/python"
    options.gymnasium_python = (
        options.gymnasium_python or options.build / ".venv-gymnasium/bin/python"
    )
    if options.quick:
        options.rounds, options.seconds = 1, 0.2
    if options.seed is None:
        options.seed = random.randrange(1 << 30)
    return options


def measure_all(options, setting):
    """An outcome for each chosen row; void rows are told about and counted as not measured."""
    outcomes = []
    for together, measure in MEASURES:
        letters = [letter for letter in together if letter in options.rows]
        if not letters:
            continue
        begin = time.monotonic()
        try:
            outcomes += measure(setting, letters)
        except Missing as missing:
            outcomes += [NotMeasured(letter, str(missing)) for letter in letters]
        except BenchError as error:
            machine.say(f"bench: {error}")
            outcomes += [NotMeasured(letter, "the run was void") for letter in letters]
        machine.say(f"{', '.join(letters)}: {time.monotonic() - begin:.0f} s")
    return outcomes


def main(arguments):
    options = parse(arguments)
    load_before, before = machine.load_average(), machine.Usage.now()
    with tempfile.TemporaryDirectory(prefix="openenv-bench-") as scratch:
        setting = Setting(
            build=options.build,
            openenv=options.openenv,
            python=options.python,
            gymnasium_python=options.gymnasium_python,
            scratch=pathlib.Path(scratch),
            rounds=options.rounds,
            seconds=options.seconds,
            quick=options.quick,
            shuffler=random.Random(options.seed),
            descriptor_limit=machine.raise_descriptor_limit(),
        )
        facts = machine.facts(setting)
        outcomes = measure_all(options, setting)
    after = machine.Usage.now()
    conditions = {
        "rounds": f"{options.rounds} of {options.seconds:g} s (rows e and j: 3; f: 1)",
        "load average of a minute": f"{load_before:.1f} before, {machine.load_average():.1f} after",
        "disturbance": machine.disturbance(before, after, len(setting.cores)),
        "took": f"{(after.at - before.at) / 60:.1f} min, seed {options.seed}",
    }
    if options.remark:
        conditions["remark"] = options.remark
    results.print_table(outcomes)
    whole = set(options.rows) == set(MARKS) and not options.quick
    if options.results and not whole:
        machine.say(f"{options.results} stays as it is: some rows, or --quick, are not the table")
    elif options.results:
        results.write_markdown(options.results, outcomes, facts, conditions)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        content = {
            "facts": facts,
            "conditions": conditions,
            "rows": [results.as_json(outcome) for outcome in outcomes],
            "runs": setting.runs,
        }
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    missed = [outcome for outcome in outcomes if isinstance(outcome, NotMeasured)]
    # In a test of the script peers may be missing, but what there is has to work.
    failed = any(outcome.reason == "the run was void" for outcome in missed)
    return 1 if failed or (missed and not options.quick) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
