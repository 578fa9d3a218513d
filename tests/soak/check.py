"""What the scripted checks share: their outcomes, the programs, and waiting."""

import argparse
import dataclasses
import pathlib
import time
from typing import Any, Callable, Optional

from server import Server

#: docs/serving.md: a peer that vanishes without a word.
LOST_PEER_S = 41.0
#: docs/serving.md: a peer that does not read its answers.
DEAF_PEER_S = 45.0
#: What a loaded machine and a look every 100 ms may add.
ALLOWANCE_S = 4.0


class Failed(Exception):
    """The server did not do what it must; the text says what was seen."""


class Skipped(Exception):
    """The check cannot be made here; the text says why."""


@dataclasses.dataclass(frozen=True)
class Check:
    """`run` returns what was seen. Errors: Failed, Skipped."""

    case: str
    title: str
    run: Callable[["Surroundings"], str]


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """The programs, and what the command line says."""

    openenv: pathlib.Path
    options: argparse.Namespace

    def program(self, name: str) -> str:
        """A program beside `openenv`."""
        path = self.openenv.with_name(name)
        if not path.exists():
            raise Skipped(f"there is no {name} beside {self.openenv}")
        return str(path)

    def serve_echo(self, *flags: str, **settings: Any) -> Server:
        return Server([str(self.openenv), "serve", "echo", "--port", "0", *flags], **settings)

    def serve(self, name: str, *flags: str, **settings: Any) -> Server:
        return Server([self.program(name), "--port", "0", *flags], **settings)


def expect(holds: bool, seen: str) -> None:
    if not holds:
        raise Failed(seen)


def seconds_until(
    holds: Callable[[], bool], bound_s: float, pause_s: float = 0.1
) -> Optional[float]:
    """How long it took until it held, or None when it did not within the bound."""
    begin = time.monotonic()
    while not holds():
        if time.monotonic() - begin > bound_s:
            return None
        time.sleep(pause_s)
    return time.monotonic() - begin


def percentile(values: list[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
