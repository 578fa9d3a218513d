"""Runs `openenv bench` against a server and refuses what it could not measure well."""

import json
import os
import subprocess

from .errors import BenchError


class Load:
    """One run of the generator, under way."""

    def __init__(self, program, server, cores, options):
        self.server = server
        self.command = [
            str(program),
            "bench",
            server.url,
            "--json",
            *("--server-pid", str(server.pid)),
            *(str(option) for option in options),
        ]
        self.process = subprocess.Popen(
            self.command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),
        )

    def report(self, may_fail=False):
        """What it measured. With `may_fail` sessions may have failed, and the report says which."""
        output, errors = self.process.communicate()
        try:
            report = json.loads(output)
        except ValueError:
            report = None
        if report is None or (not report["good"] and not may_fail):
            raise BenchError(
                f"{self.server.name}: {' '.join(self.command)}: {output}{errors}"
                f"its log ends with: {self.server.log_tail()}"
            )
        if report.get("problems"):
            raise BenchError(f"{self.server.name}: {'; '.join(report['problems'])}")
        return report

    def stop(self):
        """Ends it without a report, unless it has ended."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def cpu_per_step(report):
    """Units: microseconds of the server's CPU time."""
    return report["server"]["cpu_us_per_step"]


def p50(report):
    return report["latency_us"]["step"]["p50"]


def p99(report):
    return report["latency_us"]["step"]["p99"]
