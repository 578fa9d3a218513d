#!/usr/bin/env python3
"""Checks that the code shown in README.md and docs/ is the code of compiled examples.

A block after `<!-- snippet: PATH -->` must equal the file PATH; after `<!-- snippet: PATH NAME -->`
it must equal the lines between `// [NAME]` and `// [/NAME]` in it, less their common indentation.
With --write the documents are brought up to date instead.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"(<!-- snippet: (?P<path>\S+)(?: (?P<name>\S+))? -->\n```\w*\n)(?P<shown>.*?)(```\n)", re.DOTALL
)


def wanted(path, name):
    text = (ROOT / path).read_text()
    if name is None:
        return text
    part = re.search(
        rf"^[ \t]*// \[{re.escape(name)}\]\n(.*?)^[ \t]*// \[/{re.escape(name)}\]", text, re.DOTALL | re.MULTILINE
    )
    if part is None:
        raise SystemExit(f"{path} has no part named [{name}]")
    return textwrap.dedent(part.group(1))


def main():
    write = "--write" in sys.argv[1:]
    found = 0
    stale = []
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = document.read_text()

        def renew(match):
            nonlocal found
            found += 1
            code = wanted(match["path"], match["name"])
            if code != match["shown"]:
                stale.append(f"{document.relative_to(ROOT)}: the snippet of {match['path']} differs")
            return match[1] + code + match[5]

        renewed = BLOCK.sub(renew, text)
        if write and renewed != text:
            document.write_text(renewed)
    if found == 0:
        raise SystemExit("no snippet was found; are the markers gone?")
    if stale and not write:
        print(*stale, sep="\n")
        raise SystemExit("run scripts/check-snippets.py --write, or correct the example")
    print(f"{found} snippets are those of the examples")


if __name__ == "__main__":
    main()
