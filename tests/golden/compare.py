"""Compares a server with the golden frames, field by field; prints what is wrong.

    compare.py            complaints: differences not listed, and listed ones that are gone
    compare.py --found    all differences, in the form that differences.json wants

Needs what the tests need: OPENENV_BINARY, or OPENENV_SERVER=reference.
"""

import json
import sys

from golden import ServerPool, allowed_differences, complaints, differences, groups, play, recorded
from server_process import server_kind


def main(arguments: list[str]) -> int:
    allowed = allowed_differences() if server_kind() == "ours" else {}
    found, wrong, cases = [], 0, 0
    with ServerPool() as servers:
        for group in groups():
            server = servers.for_group(group)
            answers = recorded(group["name"])
            for case in group["cases"]:
                cases += 1
                reference, seen = answers[case["id"]], play(server, case)
                for at, theirs, ours in differences(reference, seen):
                    found.append(
                        {"case": case["id"], "at": at, "reference": theirs, "ours": ours}
                    )
                for text in complaints(reference, seen, allowed.get(case["id"], [])):
                    wrong += 1
                    print(f"{case['id']}: {text}", file=sys.stderr)
    if arguments == ["--found"]:
        print("[\n" + ",\n".join(json.dumps(place) for place in found) + "\n]")
    print(f"{cases} cases, {len(found)} differences, {wrong} complaints", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
