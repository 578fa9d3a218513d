"""Writes docs/protocol-differences.md from differences.json; `--check` compares only."""

import json
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "protocol-differences.md"
SHOWN_PLACES = 3
LONGEST_SHOWN_VALUE = 60

HEAD = """# Where we differ from the Python edition

Generated from `tests/golden/differences.json` by `tests/golden/differences_page.py`; do not edit.
The golden tests compare our server with what openenv 0.10.0 answered, field by field. They fail on
a difference that is not listed here, and on a listed one that is gone. `docs/interop.md` says how
to run them. Random ids, addresses and text that only people read are not compared.
"""


def cell(value: object) -> str:
    text = value if value == "<absent>" else json.dumps(value)
    if len(text) > LONGEST_SHOWN_VALUE:
        text = text[:LONGEST_SHOWN_VALUE] + "…"
    return "`" + text.replace("|", "\\|") + "`"


def section(entry: dict) -> str:
    places = entry["where"]
    lines = [f"## {entry['id']} {entry['title']}", "", textwrap.fill(entry["why"], 100), ""]
    lines += ["| case | at | reference | ours |", "| --- | --- | --- | --- |"]
    for place in places[:SHOWN_PLACES]:
        columns = [f"`{place['case']}`", f"`{place['at'] or '/'}`"]
        columns += [cell(place["reference"]), cell(place["ours"])]
        lines.append("| " + " | ".join(columns) + " |")
    if len(places) > SHOWN_PLACES:
        cases = sorted({place["case"] for place in places[SHOWN_PLACES:]})
        lines += ["", f"And {len(places) - SHOWN_PLACES} more places, in: {', '.join(cases)}."]
    return "\n".join(lines) + "\n"


def page() -> str:
    entries = json.loads((HERE / "differences.json").read_text())["differences"]
    return "\n".join([HEAD, *(section(entry) for entry in entries)])


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != page():
            print(f"{PAGE.name} is not what differences.json says: run {Path(__file__).name}")
            return 1
        return 0
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
