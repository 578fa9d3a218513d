#!/usr/bin/env python3
"""Faults from the field that need minutes, network namespaces, or several processes to provoke.

Usage: field.py OPENENV [options]       OPENENV is the program; `make soak` calls it

Each check prints `ok`, `FAILED` or `skipped` with what was seen; docs/conformance.md tells which
case is tested where. Those that mostly wait run side by side, those that load the machine after
them, one by one. Exit: 0 when none failed, 1 otherwise, 2 wrong usage.
"""

import argparse
import json
import pathlib
import resource
import sys
import threading
import time
from typing import Any

import forgetful_network
import killed_clients
import lost_peers
import slow_readers
import stopping
import storms
import stuck_code
from check import Check, Failed, Skipped, Surroundings

WAITING = [
    *lost_peers.CHECKS,
    *forgetful_network.CHECKS,
    *killed_clients.WAITING,
    *stuck_code.CHECKS,
]
LOADING = [*killed_clients.LOADING, *stopping.CHECKS, *storms.CHECKS, *slow_readers.CHECKS]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("openenv", type=pathlib.Path, help="the program openenv")
    parser.add_argument("--only", default="", metavar="CASES", help="for example F16,F63")
    parser.add_argument("--list", action="store_true", help="only say what there is")
    parser.add_argument(
        "--step-seconds", type=float, default=600.0, help="the long step of F63 (600)"
    )
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    if not options.openenv.is_file():
        parser.error(f"there is no program {options.openenv}")
    options.openenv = options.openenv.resolve()
    return options


def make(check: Check, here: Surroundings, results: list[dict[str, Any]]) -> None:
    begin = time.monotonic()
    try:
        outcome, seen = "ok", check.run(here)
    except Skipped as reason:
        outcome, seen = "skipped", str(reason)
    except Failed as reason:
        outcome, seen = "FAILED", str(reason)
    except Exception as failure:  # one check must not keep the others from being made
        outcome, seen = "FAILED", f"{type(failure).__name__}: {failure}"
    took = time.monotonic() - begin
    print(f"{outcome:8}{check.case} {check.title} ({took:.0f} s)\n        {seen}", flush=True)
    results.append(
        {
            "case": check.case,
            "title": check.title,
            "outcome": outcome,
            "seen": seen,
            "seconds": took,
        }
    )


def main() -> int:
    options = arguments()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    here = Surroundings(options.openenv, options)
    wanted = set(filter(None, options.only.split(",")))
    waiting, loading = (
        [check for check in checks if not wanted or check.case in wanted]
        for checks in (WAITING, LOADING)
    )
    if options.list:
        for check in waiting + loading:
            print(check.case, check.title)
        return 0
    results: list[dict[str, Any]] = []
    threads = [threading.Thread(target=make, args=(check, here, results)) for check in waiting]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for check in loading:
        make(check, here, results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    counts = {
        word: sum(r["outcome"] == word for r in results) for word in ("ok", "FAILED", "skipped")
    }
    print(f"field: {counts['ok']} ok, {counts['FAILED']} failed, {counts['skipped']} skipped")
    return 0 if results and counts["FAILED"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
