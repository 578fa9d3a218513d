#!/usr/bin/env python3
"""Adds up the tests in JUnit files that ctest and pytest wrote.

Usage: count-tests.py PATH...        a file, or a folder that is searched for *.xml

Prints a line per file, then every test that failed with the end of what it printed, and closes with
`N passed, N failed`, to which `, N skipped` is added when there are any. Exit status 1 when a test
failed, when a file is unreadable, or when a path or a file holds no test that ran: a run of nothing
is not a success.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass


@dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    @property
    def ran(self):
        return self.passed + self.failed

    def __str__(self):
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


# ctest writes a test that asked to be skipped and one that it could not start the same way, as
# `notrun`; only the reason tells them apart. Anything but these is a failure.
CTEST_SKIP_REASONS = ("SKIP_RETURN_CODE=", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")


def outcome(case):
    """One of passed, failed, skipped for a <testcase> of either writer."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    status = case.get("status")  # ctest only
    skipped = case.find("skipped")
    if status == "disabled":
        return "skipped"
    if status == "notrun":
        reason = skipped.get("message", "") if skipped is not None else ""
        return "skipped" if reason.startswith(CTEST_SKIP_REASONS) else "failed"
    if skipped is not None:
        return "skipped"
    return "failed" if status == "fail" else "passed"


# How much of a failed test's output is shown, in characters from its end.
OUTPUT_SHOWN = 3000


def printed_by(case):
    """What a failed <testcase> left to read: its output (ctest), or its traceback (pytest)."""
    for tag in ("system-out", "failure", "error"):
        element = case.find(tag)
        if element is not None and (element.text or "").strip():
            return element.text.strip()[-OUTPUT_SHOWN:]
    return "(it printed nothing)"


def count_file(path, failures):
    count = Count()
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        result = outcome(case)
        setattr(count, result, getattr(count, result) + 1)
        if result == "failed":
            failures.append((f"{path}: {case.get('name')}", printed_by(case)))
    return count


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    total = Count()
    complaints = []
    failures = []
    for argument in map(pathlib.Path, arguments):
        files = sorted(argument.rglob("*.xml")) if argument.is_dir() else [argument]
        if not files:
            complaints.append(f"{argument}: no results")
        for file in files:
            try:
                count = count_file(file, failures)
            except (OSError, ElementTree.ParseError) as error:
                complaints.append(f"{file}: {error}")
                continue
            print(f"{file}: {count}")
            if count.ran == 0:
                complaints.append(f"{file}: ran no test")
            total.add(count)
    for name, output in failures:
        print(f"\nfailed: {name}\n{output}\n")
    sys.stdout.flush()
    for complaint in complaints:
        print(complaint, file=sys.stderr, flush=True)
    print(total, flush=True)
    return 1 if complaints or total.failed or total.ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
