"""The golden frames: what is played, what the reference answered, and how two outcomes differ."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "interop"))

from dialogue import play_case, steps_of  # noqa: E402
from normalise import normalise  # noqa: E402
from server_process import ServerProcess  # noqa: E402

REQUESTS = HERE / "requests.json"
RECORDED = HERE / "openenv-0.10.0"
DIFFERENCES = HERE / "differences.json"
ABSENT = "<absent>"
KIND_KEYS = ("status", "type", "code")  # of an answer, of a frame or an error, of an error

Difference = tuple[str, Any, Any]  # pointer, the reference's value, our value


def load(path: Path) -> Any:
    return json.loads(path.read_text())


def groups() -> list[dict[str, Any]]:
    return load(REQUESTS)["groups"]


def recorded(group_name: str) -> dict[str, list[Any]]:
    return load(RECORDED / f"{group_name}.json")


def play(server: ServerProcess, case: dict[str, Any]) -> list[Any]:
    outcomes = play_case(server.url, case)
    steps = steps_of(case)
    return [normalise(o, s, server.url) for o, s in zip(outcomes, steps, strict=True)]


class ServerPool:
    """One server for each setting that the groups ask for; a context manager."""

    def __init__(self, kind: str | None = None):
        self.kind = kind
        self.servers: dict[str, ServerProcess] = {}

    def for_group(self, group: dict[str, Any]) -> ServerProcess:
        settings = group.get("server", {})
        key = json.dumps(settings, sort_keys=True)
        if key not in self.servers:
            self.servers[key] = ServerProcess("echo", kind=self.kind, **settings)
        return self.servers[key]

    def __enter__(self) -> "ServerPool":
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers.values():
            server.stop()


def same_kind(reference: dict[str, Any], ours: dict[str, Any]) -> bool:
    """Whether two objects are worth a look inside, or are different things altogether."""
    for key in KIND_KEYS:
        if key in reference and key in ours and reference[key] != ours[key]:
            return False
    return not reference or not ours or not reference.keys().isdisjoint(ours.keys())


def differences(reference: Any, ours: Any, pointer: str = "") -> Iterator[Difference]:
    """The places where two JSON values differ; 1, 1.0 and true are three different values."""
    both_objects = isinstance(reference, dict) and isinstance(ours, dict)
    if both_objects and same_kind(reference, ours):
        for key in [*reference, *(k for k in ours if k not in reference)]:
            yield from differences(
                reference.get(key, ABSENT), ours.get(key, ABSENT), f"{pointer}/{key}"
            )
    elif isinstance(reference, list) and isinstance(ours, list):
        for index in range(max(len(reference), len(ours))):
            yield from differences(
                reference[index] if index < len(reference) else ABSENT,
                ours[index] if index < len(ours) else ABSENT,
                f"{pointer}/{index}",
            )
    elif type(reference) is not type(ours) or reference != ours:
        yield pointer, reference, ours


def allowed_differences() -> dict[str, list[Difference]]:
    """The listed differences of each case."""
    allowed: dict[str, list[Difference]] = {}
    for entry in load(DIFFERENCES)["differences"]:
        for place in entry["where"]:
            found = (place["at"], place["reference"], place["ours"])
            allowed.setdefault(place["case"], []).append(found)
    return allowed


def complaints(
    recorded: list[Any], seen: list[Any], allowed: list[Difference]
) -> list[str]:
    """Differences that are not listed, and listed ones that did not occur."""
    found = list(differences(recorded, seen))
    texts = [
        f"not listed: at {at} the reference has {json.dumps(theirs)}, we have {json.dumps(ours)}"
        for at, theirs, ours in found
        if not listed((at, theirs, ours), allowed)
    ]
    texts += [
        f"listed, but no longer so: at {at} the reference has {json.dumps(theirs)}, "
        f"we have {json.dumps(ours)}"
        for at, theirs, ours in allowed
        if not listed((at, theirs, ours), found)
    ]
    return texts


def listed(difference: Difference, others: list[Difference]) -> bool:
    # Compared as text, since 1 == 1.0 == True in Python.
    return json.dumps(difference) in (json.dumps(other) for other in others)
