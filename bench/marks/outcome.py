"""The marks to reach, and what came of each."""

import dataclasses

from .spread import Spread, figure


@dataclasses.dataclass(frozen=True)
class Mark:
    """What a row is to reach. Exactly one of `at_least` and `at_most`, or neither where the bound
    is measured as well."""

    letter: str
    text: str
    unit: str = "×"
    at_least: float | None = None
    at_most: float | None = None
    hoped: float | None = None  # what would be better still

    @property
    def wanted(self):
        if self.at_least is not None:
            return f"≥ {self.at_least:.3g} {self.unit}"
        return f"≤ {self.at_most:.3g} {self.unit}"

    def is_met_by(self, value):
        return value >= self.at_least if self.at_least is not None else value <= self.at_most


MARKS = {
    mark.letter: mark
    for mark in (
        Mark("a", "steps/s, 64 sessions, one frame a step: to tuned Beast", at_least=0.9),
        Mark("b", "the same: to the Python edition", at_least=14, hoped=16),
        Mark("c", "median round trip of one session, --busy-poll: to the Python edition", at_most=1 / 7),
        Mark("d", "server CPU per step, 64 sessions: to tuned Beast", at_most=1.15),
        Mark("e", "16,384 sessions arrive and step for 1 s: p99 of a session", "s", at_most=1.5),
        Mark("f", "memory of an idle session, the environment left out", "KiB", at_most=8),
        Mark("g", "steps/s, 64 a frame: to one a frame", at_least=10, hoped=15),
        Mark("h", "cartpole, 64 a frame, Unix socket, --busy-poll: to SyncVectorEnv", at_least=3),
        Mark("i", "p99 of 255 sessions beside one that sleeps: to without it", at_most=None),
        Mark("j", "server CPU per step, 16,384 sessions: to 64", at_most=1.5),
        Mark("k", "server CPU of a 1 MiB observation: to sending the same bytes", at_most=2),
    )
}


@dataclasses.dataclass
class Outcome:
    """What was measured for one mark."""

    letter: str
    values: list  # one for each round
    arrangement: str
    judged: float | None = None  # the median of the values, unless something else counts
    met: bool | None = None  # as the mark says, unless more than its bound counts
    wanted: str | None = None
    notes: list = dataclasses.field(default_factory=list)  # other figures of the same runs
    commands: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.spread = Spread.of(self.values)
        if self.judged is None:
            self.judged = self.spread.median
        if self.met is None:
            self.met = self.mark.is_met_by(self.judged)
        if self.wanted is None:
            self.wanted = self.mark.wanted

    @property
    def mark(self):
        return MARKS[self.letter]

    @property
    def result(self):
        return f"{figure(self.judged)} {self.mark.unit}"

    @property
    def spread_text(self):
        return f"{figure(self.spread.lowest)}-{figure(self.spread.highest)}"

    @property
    def verdict(self):
        if not self.met:
            return "not met"
        if self.mark.hoped is not None and self.judged < self.mark.hoped:
            return f"met, {self.mark.hoped:g} {self.mark.unit} not reached"
        return "met"


@dataclasses.dataclass(frozen=True)
class NotMeasured:
    """A mark for which something was missing."""

    letter: str
    reason: str

    @property
    def mark(self):
        return MARKS[self.letter]
