#!/usr/bin/env bash
# Builds an environment outside the project, starts it, and asks it whether it is healthy.
# Usage: tests/package/run.sh find_package|add_subdirectory BUILD_DIR
#   find_package       installs BUILD_DIR into a folder of its own and builds against that
#   add_subdirectory   builds the library anew, as a part of the consumer
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
way=${1:?usage: run.sh find_package|add_subdirectory BUILD_DIR}
build_dir=$(cd "${2:?usage: run.sh find_package|add_subdirectory BUILD_DIR}" && pwd)
jobs=${JOBS:-$(nproc)}

work=$(mktemp -d)
server=
clean_up() {
    [[ -n "$server" ]] && kill "$server" 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT

die() {
    echo "package test: $*" >&2
    exit 1
}

cached() { # VARIABLE: its value in BUILD_DIR
    sed -n "s/^$1:[A-Z]*=//p" "$build_dir/CMakeCache.txt"
}
options=(
    -G Ninja
    -DCMAKE_BUILD_TYPE="$(cached CMAKE_BUILD_TYPE)"
    -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)"
)

case "$way" in
    find_package)
        cmake --install "$build_dir" --prefix "$work/prefix" >"$work/install.log"
        # An installed file that points back into the source or build folder breaks elsewhere.
        if grep -rlF -e "$root" "$work/prefix"/lib*/cmake "$work/prefix"/lib*/*/cmake 2>/dev/null; then
            die "the files above name the source folder $root"
        fi
        "$work/prefix/bin/openenv" --version || die "the installed program does not start"
        options+=(-DCMAKE_PREFIX_PATH="$work/prefix")
        ;;
    add_subdirectory)
        # With the flags of BUILD_DIR the compiler cache, where there is one, knows the library.
        options+=(-DOPENENV_WERROR="$(cached OPENENV_WERROR)")
        if command -v ccache >/dev/null; then
            options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
        fi
        ;;
    *) die "unknown way '$way'" ;;
esac

cmake -S "$here/$way" -B "$work/build" "${options[@]}"
cmake --build "$work/build" --parallel "$jobs"

mkfifo "$work/out"
"$work/build/counter" --port 0 >"$work/out" 2>"$work/err" &
server=$!
exec {out}<"$work/out" # stays open, so that the server may go on to write
line=
IFS= read -r -t 60 line <&"$out" ||
    die "the server ended or waited without a word: $line $(cat "$work/err")"
url=$(sed -n 's/^listening on \(http:\/\/[^ ]*\).*/\1/p' <<<"$line")
[[ -n "$url" ]] || die "the server did not announce itself: $line $(cat "$work/err")"

health=$(curl --fail --silent --show-error --noproxy '*' "$url/health")
[[ "$health" == '{"status":"healthy"}' ]] || die "/health said: $health"
step=$(curl --fail --silent --show-error --noproxy '*' -H 'Content-Type: application/json' \
    -d '{"action":{"amount":10}}' "$url/step")
grep -qF '"count":10' <<<"$step" || die "/step said: $step"
grep -qF '"done":true' <<<"$step" || die "/step said: $step"

kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
((status == 0)) || die "the server ended with status $status: $(cat "$work/err")"
echo "package test: $way is fine"
