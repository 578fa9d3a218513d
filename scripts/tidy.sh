#!/usr/bin/env bash
# Runs clang-tidy with the repository's .clang-tidy. Usage: scripts/tidy.sh [FILE.cpp...]
# Without files: those that differ from the last commit. Needs `cmake --preset clang` once.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! -f build/clang/compile_commands.json ]]; then
    cmake --preset clang
fi
files=("$@")
if ((${#files[@]} == 0)); then
    mapfile -t files < <(
        git diff --name-only --diff-filter=d HEAD -- '*.cpp'
        git ls-files --others --exclude-standard '*.cpp'
    )
fi
if ((${#files[@]} == 0)); then
    echo "tidy: no changed .cpp file; name the files to look at"
    exit 0
fi
clang-tidy --quiet -p build/clang "${files[@]}"
