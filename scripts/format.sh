#!/usr/bin/env bash
# Formats every C++ file of the repository. Usage: scripts/format.sh [--check]
# --check changes nothing, names each file that differs, and fails when there is one.
set -euo pipefail
cd "$(dirname "$0")/.."

options=(-i)
if [[ "${1:-}" == --check ]]; then
    options=(--dry-run --Werror -ferror-limit=1)
fi

# Tracked files and new ones, without what .gitignore leaves out.
mapfile -d '' -t files < <(git ls-files -z --cached --others --exclude-standard '*.hpp' '*.cpp')
existing=()
for file in "${files[@]}"; do
    [[ -f "$file" ]] && existing+=("$file")
done
if ((${#existing[@]} == 0)); then
    echo "format: no C++ file found" >&2
    exit 1
fi

clang-format "${options[@]}" "${existing[@]}"
echo "format: ${#existing[@]} files"
