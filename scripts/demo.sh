#!/usr/bin/env bash
# Serves Wordle with the program openenv, lets several clients play whole games at once, and stops
# the server again. Ends with 0 only if everything went as it should.
#
# Usage: demo.sh [BUILD_DIR]        BUILD_DIR is a configured build folder (default: build/release)
# Settings: DEMO_SESSIONS (8), DEMO_EPISODES (5), DEMO_SEED (1), JOBS
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build/release}
sessions=${DEMO_SESSIONS:-8}
episodes=${DEMO_EPISODES:-5}
seed=${DEMO_SEED:-1}
capacity=16
patience=30 # seconds to wait for the server to start, and to stop

say() { printf '\n== %s\n' "$*"; }
fail() {
    printf 'demo: %s\n' "$*" >&2
    if [[ -s ${log:-} ]]; then
        printf '%s\n' '--- the last lines of the server:' >&2
        tail -n 20 "$log" >&2
    fi
    exit 1
}

server=
work=$(mktemp -d)
log=$work/server.log
clean_up() {
    if [[ -n $server ]] && kill -0 "$server" 2>/dev/null; then
        kill -KILL "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command again and again until it succeeds, the server is gone, or patience ends.
wait_until() {
    local deadline=$((SECONDS + patience))
    until "$@"; do
        kill -0 "$server" 2>/dev/null || return 1
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

((sessions <= capacity)) || fail "DEMO_SESSIONS is $sessions; the server of the demo takes $capacity"
[[ -f $build/CMakeCache.txt ]] || fail "$build is no build folder; 'make build' makes build/release"

say "bringing the build up to date"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target openenv wordle_demo

say "starting: openenv serve wordle --port 0 --max-concurrent-envs $capacity"
"$build/bin/openenv" serve wordle --port 0 --max-concurrent-envs "$capacity" >"$log" 2>&1 &
server=$!
listening() { grep -q '^listening on http://' "$log"; }
wait_until listening || fail "the server did not say that it listens"
address=$(sed -n 's|^listening on http://\([^ /]*\).*|\1|p;' "$log" | head -n 1)
echo "the server (process $server) listens on $address"

say "playing: $sessions sessions at once, $episodes games each"
played=0
timeout 300 "$build/bin/wordle_demo" --url "http://$address" \
    --sessions "$sessions" --episodes "$episodes" --seed "$seed" || played=$?

say "stopping the server with SIGTERM"
kill -TERM "$server" 2>/dev/null || fail "the server is gone already"
gone() { ! kill -0 "$server" 2>/dev/null; }
wait_until gone || gone || fail "the server did not stop within $patience seconds"
stopped=0
wait "$server" || stopped=$?
server=
echo "the server ended with code $stopped"

case $played in
    0) ;;
    1) fail "not every game was finished, or too few were solved (see above)" ;;
    124) fail "the client did not end within 300 seconds" ;;
    *) fail "the client ended with code $played" ;;
esac
((stopped == 0)) || fail "the server should have ended with code 0"
say "the demo went well"
