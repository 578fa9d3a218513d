#!/usr/bin/env bash
# Makes BUILD_DIR/.venv-gymnasium, in which the peers written in Python run. Does nothing when it is
# up to date with the pins. Usage: setup_venv.sh BUILD_DIR
set -euo pipefail

requirements="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/peers/requirements.txt"
venv="${1:?usage: setup_venv.sh BUILD_DIR}/.venv-gymnasium"
python="${PYTHON:-python3}"

wanted="$({
    "$python" --version
    cat "$requirements"
} | sha256sum)"
if [[ -f "$venv/pins.sha256" && "$(cat "$venv/pins.sha256")" == "$wanted" ]]; then
    exit
fi
echo "making $venv from ${requirements##*/}"
rm -rf "$venv"
"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$requirements"
"$venv/bin/python" -c 'import gymnasium'
echo "$wanted" > "$venv/pins.sha256"
