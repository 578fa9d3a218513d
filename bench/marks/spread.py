"""What several rounds of the same measurement come to."""

import dataclasses
import statistics


@dataclasses.dataclass(frozen=True)
class Spread:
    """The median of some values, with the lowest and the highest."""

    median: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, values):
        values = list(values)
        return cls(statistics.median(values), min(values), max(values))


def figure(value):
    """Three digits that count, and thousands apart."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
