#!/usr/bin/env bash
# Installs, from Debian's own packages, what building or testing OpenEnv needs and the machine lacks.
# Usage: scripts/install-dependencies.sh [build|all]
#   build  what `make` and `make demo` need
#   all    also what the tests, the checks and .ci/run need (default)
# Does nothing, quickly, when everything is there. docs/dependencies.md says what each package is for.
set -euo pipefail

build_packages=(
    g++ cmake make ninja-build ccache
    libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev
    libssl-dev libre2-dev libcli11-dev libyaml-cpp-dev libspdlog-dev libfmt-dev
    libgtest-dev libgmock-dev libbenchmark-dev
    ca-certificates curl python3
)
test_packages=(
    clang libclang-rt-14-dev clang-format clang-tidy
    git iproute2 procps python3-venv
)

die() {
    printf 'install-dependencies: %s\n' "$*" >&2
    exit 1
}

case "${1:-all}" in
    build) wanted=("${build_packages[@]}") ;;
    all) wanted=("${build_packages[@]}" "${test_packages[@]}") ;;
    -h | --help)
        sed -n '2,6s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    *) die "unknown group '$1'; say build or all" ;;
esac

if [[ -n "${OPENENV_SKIP_INSTALL:-}" ]]; then
    echo "install-dependencies: skipped, because OPENENV_SKIP_INSTALL is set"
    exit 0
fi

# Debian 12 is the one system this is tested on; elsewhere the packages have other names.
system=unknown
if [[ -r /etc/os-release ]]; then
    system=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
fi
if [[ "$system" != "debian 12" ]]; then
    die "this is '$system', and only Debian 12 is supported. Install what docs/dependencies.md" \
        "lists by hand, then set OPENENV_SKIP_INSTALL=1 to go on without this step."
fi

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
    awk '$2 == "installed" { print $1 }' || true)
missing=()
for package in "${wanted[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null ||
        die "must be root, or have sudo, to install: ${missing[*]}"
    as_root=(sudo)
fi

echo "install-dependencies: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q)
"${apt[@]}" update || die "apt-get update failed; are the package sources reachable?"
# --no-remove: Boost 1.81 and Debian's default Boost 1.74 cannot be installed together, and which
# one to keep is for the owner of the machine to say.
"${apt[@]}" install -y --no-install-recommends --no-remove "${missing[@]}" ||
    die "apt-get could not install them. If it wanted to remove packages (libboost1.74-dev and" \
        "libboost1.81-dev exclude each other), remove those first with apt-get remove."
echo "install-dependencies: done"
