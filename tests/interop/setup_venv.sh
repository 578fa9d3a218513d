#!/usr/bin/env bash
# Makes the virtual environments of the interop tests under BUILD_DIR:
#   .venv-interop   openenv 0.10.0        .venv-core030   openenv-core 0.3.0
# Does nothing when they are up to date with the pins. Usage: setup_venv.sh BUILD_DIR
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
build_dir="${1:?usage: setup_venv.sh BUILD_DIR}"
mkdir -p "$build_dir"
build_dir="$(cd "$build_dir" && pwd)"
python="${PYTHON:-python3}"

make_venv() { # NAME REQUIREMENTS
    local venv="$build_dir/$1" requirements="$here/$2"
    local wanted
    wanted="$({
        "$python" --version
        cat "$here/requirements-base.txt" "$requirements"
    } | sha256sum)"
    if [[ -f "$venv/pins.sha256" && "$(cat "$venv/pins.sha256")" == "$wanted" ]]; then
        return
    fi
    echo "making $venv from $2"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        -r "$requirements"
    "$venv/bin/python" -c '
from openenv import GenericEnvClient
from openenv.core.env_server.http_server import create_app'
    echo "$wanted" > "$venv/pins.sha256"
}

make_venv .venv-interop requirements.txt
make_venv .venv-core030 requirements-openenv-core-0.3.0.txt
