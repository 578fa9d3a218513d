"""Records the golden frames from the Python reference into openenv-0.10.0/.

Run it with the interpreter of the interop environment after a change of requests.json, and
look at the difference before committing it.
"""

import json
import sys
from importlib.metadata import version

from golden import RECORDED, ServerPool, groups, play

RECORDED_PACKAGES = ("openenv", "fastapi", "starlette", "uvicorn", "pydantic", "websockets")


def write(name: str, value: object) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=True)
    (RECORDED / f"{name}.json").write_text(text + "\n")


def main() -> int:
    if version("openenv") != RECORDED.name.removeprefix("openenv-"):
        print(f"this is openenv {version('openenv')}, not {RECORDED.name}")
        return 1
    RECORDED.mkdir(exist_ok=True)
    for old in RECORDED.glob("*.json"):
        old.unlink()
    count = 0
    with ServerPool(kind="reference") as servers:
        for group in groups():
            server = servers.for_group(group)
            outcomes = {case["id"]: play(server, case) for case in group["cases"]}
            write(group["name"], outcomes)
            count += len(outcomes)
            print(f"{group['name']}: {len(outcomes)} cases")
    versions = {package: version(package) for package in RECORDED_PACKAGES}
    versions["python"] = ".".join(map(str, sys.version_info[:3]))
    write("versions", versions)
    print(f"{count} cases recorded with {versions}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
