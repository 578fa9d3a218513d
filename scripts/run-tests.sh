#!/usr/bin/env bash
# Configures, builds and tests one preset. Results (JUnit) go to build/results/PRESET/.
# Usage: scripts/run-tests.sh PRESET [CTEST_OPTION...]
# The release preset also runs the interoperation tests, with the Python edition as the peer.
# Exit status: 0 when everything built and passed. scripts/count-tests.py does the sums.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=${1:?usage: scripts/run-tests.sh PRESET [CTEST_OPTION...]}
shift
jobs=${JOBS:-$(nproc)}
results="$PWD/build/results/$preset"
rm -rf "$results"
mkdir -p "$results"

export ASAN_OPTIONS="detect_stack_use_after_return=1:strict_string_checks=1:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
export TSAN_OPTIONS="halt_on_error=1:second_deadlock_stack=1:suppressions=$PWD/tests/tsan_suppressions.txt:${TSAN_OPTIONS:-}"

cmake --preset "$preset"
cmake --build --preset "$preset" --parallel "$jobs"

status=0
ctest --preset "$preset" --parallel "$jobs" \
    --output-junit "$results/ctest.xml" "$@" || status=$?

if [[ "$preset" == release ]]; then
    # pytest writes its results where this variable says; run.sh makes a file of each of its runs.
    PYTEST_ADDOPTS="${PYTEST_ADDOPTS:-} --junitxml=$results/interop.xml" \
        tests/interop/run.sh build/release build/release/bin/openenv || status=$?
    if ! compgen -G "$results/interop*.xml" >/dev/null; then
        echo "run-tests: the interoperation tests left no results" >&2
        status=1
    fi
fi
exit "$status"
