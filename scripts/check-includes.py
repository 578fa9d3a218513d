#!/usr/bin/env python3
"""Checks that every #include respects the layers of the source tree.

Usage: check-includes.py [ROOT]        ROOT is the repository (default: the one of this script)

The rules, in words (the tables below are the same thing for the machine):
  direction   a layer includes only itself and the layers below it
  beast       only src/net, and tests, examples and benchmarks, may include boost/beast
  asio        base, model and wire know no Asio; env, rubric and mcp only asio/awaitable.hpp
  session     includes of net only what knows no socket: executors, worker_pool, task_group
  private     nobody includes what another target keeps in its src/ folder (tests, fuzz and bench may)
  public      a header in include/ stands alone: it includes nothing private; public headers of ours
              are written <openenv/...>, save those of one's own layer, which may be quoted

Exit status 0 when all is well, 1 with one line per violation, 2 when ROOT is not such a tree.
"""

import pathlib
import re
import sys
from dataclasses import dataclass

# Each layer, and the layers directly below it. What those may include, it may include too.
DIRECTLY_BELOW = {
    "base": [],
    "model": ["base"],
    "wire": ["model"],
    "env": ["wire"],
    "rubric": ["env"],
    "mcp": ["env"],
    "net": ["base"],
    "llm": ["net"],
    "sandbox": ["net"],
    "provider": ["net"],
    "session": ["env", "net"],
    "server": ["session", "mcp", "net"],
    "client": ["wire", "env", "mcp", "net", "provider"],
    "hub": ["client"],
    "harness": ["client", "rubric", "llm"],
}

# Headers that lie in include/openenv itself and belong to no folder. What is not listed here is an
# umbrella: it may include everything, and no layer may include it.
LOOSE_HEADERS = {"version.hpp": "base"}

# Products of the layers. They use public headers only.
PRODUCTS = ("apps", "envs", "examples", "templates")
# What looks inside on purpose.
INSPECTORS = ("tests", "fuzz", "bench")

BEAST_FOLDERS = ("src/net", *INSPECTORS, "examples")
ASIO_FORBIDDEN = ("base", "model", "wire")
ASIO_AWAITABLE_ONLY = ("env", "rubric", "mcp")
SESSION_MAY_USE_OF_NET = ("executors.hpp", "task_group.hpp", "worker_pool.hpp")

SOURCE_SUFFIXES = (".hpp", ".cpp", ".h", ".cc", ".ipp")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def everything_below(layer):
    reached = set()
    pending = list(DIRECTLY_BELOW[layer])
    while pending:
        below = pending.pop()
        if below not in reached:
            reached.add(below)
            pending += DIRECTLY_BELOW[below]
    return reached


BELOW = {layer: everything_below(layer) for layer in DIRECTLY_BELOW}


@dataclass(frozen=True)
class Include:
    """One #include line. `file` is relative to the repository."""

    file: pathlib.PurePosixPath
    line: int
    quoted: bool
    name: str

    @property
    def text(self):
        return f'"{self.name}"' if self.quoted else f"<{self.name}>"


def includes_of(root, file):
    text = (root / file).read_text(encoding="utf-8", errors="replace")
    # Comments keep their line breaks, so that line numbers stay right.
    text = BLOCK_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Include(file, line, match.group(1) == '"', match.group(2))


def place_of(path):
    """Says what a file of ours is: (kind, layer).

    The kinds: public (include/openenv), private (src), product, inspector. The layer is None for
    products, inspectors and umbrella headers.
    """
    parts = path.parts
    if parts[:2] == ("include", "openenv") and len(parts) >= 3:
        if len(parts) == 3:
            return "public", LOOSE_HEADERS.get(parts[2])
        return "public", parts[2]
    if parts[0] == "src" and len(parts) >= 3:
        return "private", parts[1]
    if parts[0] in PRODUCTS:
        return "product", None
    if parts[0] in INSPECTORS:
        return "inspector", None
    return None, None


def normalised(path):
    """The path with its `..` parts resolved, or None when it leaves the repository."""
    parts = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return pathlib.PurePosixPath(*parts) if parts else None


def resolve(root, include):
    """The file of ours that an include names, or None when it is somebody else's."""
    if include.name.startswith("openenv/"):
        # Judged by its name alone, so that a header which does not exist yet is judged as well.
        return pathlib.PurePosixPath("include") / include.name
    candidates = [pathlib.PurePosixPath(folder) / include.name for folder in ("src", "tests")]
    if include.quoted:
        candidates.insert(0, include.file.parent / include.name)
    for candidate in candidates:
        path = normalised(candidate)
        if path is not None and (root / path).is_file():
            return path
    # "layer/x.hpp" that is not there yet can only be meant for src/.
    if include.quoted and include.name.split("/")[0] in DIRECTLY_BELOW and "/" in include.name:
        return pathlib.PurePosixPath("src") / include.name
    return None


def is_of_own_layer(include):
    """Whether a layer's source, or its unit test, includes a public header of that layer."""
    parts = include.file.parts
    own = parts[2] if parts[:2] == ("tests", "unit") else place_of(include.file)[1]
    return place_of(pathlib.PurePosixPath("include") / include.name)[1] == own


def judge_third_party(include, layer):
    name = include.name
    folder = str(include.file)
    if name.startswith("boost/beast"):
        if not any(folder.startswith(f"{allowed}/") for allowed in BEAST_FOLDERS):
            yield (
                f"includes {include.text}: Beast stays inside src/net. Hide the type behind an"
                " interface of net's public headers, or move this code to src/net"
            )
    if name.startswith("boost/asio") and layer is not None:
        if layer in ASIO_FORBIDDEN:
            yield (
                f"includes {include.text}: {layer} holds values and knows no Asio. Move what"
                " waits to net or session"
            )
        elif layer in ASIO_AWAITABLE_ONLY and name != "boost/asio/awaitable.hpp":
            yield (
                f"includes {include.text}: of Asio, {layer} may include only"
                " <boost/asio/awaitable.hpp>. Move what needs an executor to net or session"
            )


def judge_direction(include, layer, target_layer):
    if target_layer == layer or target_layer in BELOW[layer]:
        return
    if layer in BELOW[target_layer]:
        reason = f"{target_layer} is above {layer}"
    else:
        reason = f"{target_layer} and {layer} stand beside each other"
    allowed = ", ".join(sorted(BELOW[layer])) or "nothing of ours"
    yield (
        f"{layer} includes {include.text}: {reason} ({layer} may include: {allowed}). Move what"
        " both need to a layer below, or pass it in through an interface"
    )


def judge(root, include):
    """Yields a sentence for each rule that the include breaks."""
    kind, layer = place_of(include.file)
    if layer is not None and layer not in DIRECTLY_BELOW:
        return  # reported once per file by check()
    target = resolve(root, include)
    if target is None:
        yield from judge_third_party(include, layer)
        return
    target_kind, target_layer = place_of(target)

    if include.quoted and include.name.startswith("openenv/") and not is_of_own_layer(include):
        yield f"includes {include.text}: public headers of other layers are written <{include.name}>"

    if target_kind == "private":
        if kind == "public":
            yield (
                f"is a public header and includes {include.text}, which is private and not"
                " installed. Forward-declare, or make that header public"
            )
        elif kind == "product":
            yield (
                f"includes {include.text}, which is private to {target_layer}. Use the headers in"
                f" include/openenv/{target_layer}"
            )
        elif kind == "private" and layer != target_layer:
            yield (
                f"includes {include.text}, which is private to {target_layer}. Use, or add, a"
                f" header in include/openenv/{target_layer}"
            )
    elif target_kind == "inspector" and kind != "inspector":
        yield f"includes {include.text}: nothing outside tests, fuzz and bench may use what lies there"
    elif target_kind == "product" and kind in ("public", "private"):
        yield f"includes {include.text}: a layer knows nothing of the products made of it"

    if layer is None or target_kind not in ("public", "private"):
        return
    if target_layer is None:
        yield (
            f"includes {include.text}, an umbrella header. Layers include exactly what they use"
        )
    elif target_layer not in DIRECTLY_BELOW:
        yield f"includes {include.text}: there is no layer '{target_layer}'"
    else:
        yield from judge_direction(include, layer, target_layer)
        if layer == "session" and target_layer == "net":
            inside = target.parts[3:] if target_kind == "public" else target.parts[2:]
            if "/".join(inside) not in SESSION_MAY_USE_OF_NET:
                allowed = ", ".join(SESSION_MAY_USE_OF_NET)
                yield (
                    f"session includes {include.text}: of net it may include only {allowed}, which"
                    " know no socket. Let server join the two"
                )


def source_files(root):
    for top in ("include", "src", *PRODUCTS, *INSPECTORS):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES and path.is_file():
                yield pathlib.PurePosixPath(path.relative_to(root).as_posix())


def check(root):
    """Returns (number of files read, list of violations as `file:line: sentence`)."""
    files = 0
    violations = []
    for file in source_files(root):
        files += 1
        layer = place_of(file)[1]
        if layer is not None and layer not in DIRECTLY_BELOW:
            violations.append(
                f"{file}:1: lies in '{layer}', which is no layer. Put it into one, or name the new"
                " layer and what is below it in scripts/check-includes.py"
            )
            continue
        for include in includes_of(root, file):
            violations += [
                f"{include.file}:{include.line}: {sentence}" for sentence in judge(root, include)
            ]
    return files, violations


def main(arguments):
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[1]
    files, violations = check(root)
    if files == 0:
        print(f"check-includes: {root} has no source file; is it the repository?", file=sys.stderr)
        return 2
    for violation in violations:
        print(violation)
    print(f"check-includes: {files} files, {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
