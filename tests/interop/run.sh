#!/usr/bin/env bash
# Runs the tests against the Python edition. Usage: tests/interop/run.sh BUILD_DIR BINARY
#   BUILD_DIR  where the virtual environments are made     BINARY  our program `openenv`
# Runs with a summary each: the tests themselves against the reference server (what they claim must
# be true of the original), then our server with the client of today, then both servers with the
# older client. Our own client plays in the first two. Two runs go at a time: most of each is
# waiting. Finally the pages are compared with what was seen. Exit status: 0 when all passed.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
usage="usage: tests/interop/run.sh BUILD_DIR BINARY"
build_dir="${1:?$usage}"
binary="$(realpath "${2:?$usage}")"
if [[ ! -x "$binary" ]]; then
    echo "not an executable file: $binary" >&2
    exit 1
fi

unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
"$here/setup_venv.sh" "$build_dir"
build_dir="$(realpath "$build_dir")"

pairs="$build_dir/interop-pairs"  # what came of each client with each server
rm -rf "$pairs"
mkdir "$pairs"
results="${PYTEST_ADDOPTS:-}"  # may name a file for the results: each run gets its own
status=0
declare -A running  # by the name of a run: its process
start() { # NAME VENV SERVER [PYTEST_OPTION...]
    local name=$1 venv=$2 server=$3
    shift 3
    (
        cd "$here"
        PYTEST_ADDOPTS="${results/.xml/-$name.xml}" \
        OPENENV_SERVER="$server" OPENENV_BINARY="$binary" OPENENV_PAIRS="$pairs/$name.json" \
        OPENENV_REFERENCE_PYTHON="$build_dir/.venv-interop/bin/python" \
            exec "$build_dir/$venv/bin/python" -B -m pytest -q -p no:cacheprovider "$@"
    ) >"$pairs/$name.log" 2>&1 &
    running[$name]=$!
}
finish() { # NAME
    wait "${running[$1]}" || status=1
    printf '\n--- %s\n' "$1"
    cat "$pairs/$1.log"
}

start reference .venv-interop reference
start openenv-0.10.0 .venv-interop ours
finish reference
finish openenv-0.10.0
# Gymnasium is installed beside the client of today only.
older_client=(-m any_client --ignore test_classic_control.py)
start openenv-core-0.3.0 .venv-core030 ours "${older_client[@]}"
start reference-openenv-core-0.3.0 .venv-core030 reference "${older_client[@]}"
finish openenv-core-0.3.0
finish reference-openenv-core-0.3.0
"$build_dir/.venv-interop/bin/python" "$here/../golden/differences_page.py" --check || status=1
"$build_dir/.venv-interop/bin/python" "$here/pairs_page.py" --check "$pairs" || status=1
exit "$status"
