"""How the outcomes are shown: a table on the terminal, and bench/RESULTS.md."""

from .outcome import NotMeasured

# What stands from this heading on is written by hand and is kept.
KEPT = "## What stands in the way"


def print_table(outcomes):
    rows = [("", "mark", "wanted", "measured", "lowest-highest", "")]
    rows += [_cells(outcome) for outcome in outcomes]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _cells(outcome):
    if isinstance(outcome, NotMeasured):
        return (outcome.letter, outcome.mark.text, "", "", "", f"not measured: {outcome.reason}")
    return (
        outcome.letter,
        outcome.mark.text,
        outcome.wanted,
        outcome.result,
        outcome.spread_text,
        outcome.verdict,
    )


def write_markdown(path, outcomes, facts, conditions):
    """Writes everything anew but what was written by hand."""
    kept = ""
    if path.exists():
        text = path.read_text()
        if KEPT in text:
            kept = text[text.index(KEPT) :]
    lines = [
        "# Results",
        "",
        "Written by `make bench`; how to read it is said in [docs/benchmarks.md](../docs/benchmarks.md).",
        "",
        "| | mark | wanted | measured | lowest-highest | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {' | '.join(_cells(outcome))} |" for outcome in outcomes]
    lines += ["", "## Conditions", ""]
    lines += [f"- {name}: {value}" for name, value in (facts | conditions).items()]
    lines += ["", "## Each row", ""]
    lines += [
        "`URL` and `PID` are those of the server in the same box, `SCRATCH` a folder for the time of"
        " the run: its answers are what ours was seen to answer.",
        "",
    ]
    for outcome in outcomes:
        lines += _details(outcome)
    path.write_text("\n".join(lines) + "\n" + (kept or f"{KEPT}\n"))


def _details(outcome):
    lines = [f"### {outcome.letter}. {outcome.mark.text}", ""]
    if isinstance(outcome, NotMeasured):
        return lines + [f"Not measured: {outcome.reason}.", ""]
    lines += [f"- {outcome.arrangement}; {len(outcome.values)} values"]
    lines += [f"- {note}" for note in outcome.notes]
    lines += ["", "```sh", *outcome.commands, "```", ""]
    return lines


def as_json(outcome):
    if isinstance(outcome, NotMeasured):
        return {"row": outcome.letter, "mark": outcome.mark.text, "reason": outcome.reason}
    return {
        "row": outcome.letter,
        "mark": outcome.mark.text,
        "wanted": outcome.wanted,
        "measured": outcome.judged,
        "unit": outcome.mark.unit,
        "values": outcome.values,
        "median": outcome.spread.median,
        "lowest": outcome.spread.lowest,
        "highest": outcome.spread.highest,
        "met": outcome.met,
        "arrangement": outcome.arrangement,
        "notes": outcome.notes,
        "commands": outcome.commands,
    }
