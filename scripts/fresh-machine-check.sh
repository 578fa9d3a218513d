#!/usr/bin/env bash
# Shows that a machine with nothing but Debian 12, git and make can run the project.
# Usage: scripts/fresh-machine-check.sh [--keep] [--folder DIR] [COMMAND...]
#
# Makes a minimal Debian 12 in a folder, clones the last commit of this work tree into it, and runs
# each COMMAND there as root (default: "make demo" and "make test"). From this machine it takes only
# the way to the package registries: sources and proxies of apt, pip's settings, name servers and
# certificates. Logs go to build/fresh-machine/. Needs root, and debootstrap (apt-get install
# debootstrap). --keep leaves the folder for a look inside.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)

die() {
    printf 'fresh-machine-check: %s\n' "$*" >&2
    exit 1
}

keep=
folder=
while (($#)); do
    case "$1" in
        --keep) keep=yes ;;
        --folder)
            folder=${2:?--folder needs a path}
            shift
            ;;
        -h | --help)
            sed -n '2,9s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) break ;;
    esac
    shift
done
commands=("$@")
((${#commands[@]} > 0)) || commands=("make demo" "make test")

((EUID == 0)) || die "must be root, to make and enter another root folder"
for tool in debootstrap unshare git; do
    command -v "$tool" >/dev/null || die "'$tool' is missing: apt-get install debootstrap util-linux git"
done

folder=${folder:-$(mktemp -d /var/tmp/openenv-fresh.XXXXXX)}
[[ ! -e "$folder/etc" ]] || die "$folder holds a system already; remove it, or name another folder"
mkdir -p "$folder"
logs="$repository/build/fresh-machine"
rm -rf "$logs"
mkdir -p "$logs"

clean_up() {
    # Every mount lives in the namespace of enter() and is gone with it; --one-file-system is the
    # second lock on the door.
    if [[ -n "$keep" ]]; then
        echo "left for a look: $folder"
    else
        rm -rf --one-file-system -- "$folder"
    fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The sources of Debian 12 that this machine uses, one "URI SUITE COMPONENT" a line.
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
    'Created-By: Packages' | awk '$2 ~ /^bookworm/ && $4 == "Debian" { print $1, $2, $3 }' | sort -u)
mirror=$(awk '$2 == "bookworm" && $3 == "main" { print $1; exit }' <<<"$sources")
[[ -n "$mirror" ]] ||
    die "this machine's apt knows no source of Debian 12 (bookworm main); run apt-get update first"

echo "== making a minimal Debian 12"
debootstrap --variant=minbase --include=git,make,apt,ca-certificates bookworm "$folder" "$mirror" \
    >"$logs/debootstrap.log" 2>&1 || die "debootstrap failed; see $logs/debootstrap.log"

# The way to the registries, and nothing else.
awk '{ print "deb", $0 }' <<<"$sources" >"$folder/etc/apt/sources.list"
apt-config dump | grep -E '^Acquire::(https?|Check-Valid-Until|Check-Date|Retries)' \
    >"$folder/etc/apt/apt.conf.d/99host" || true
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /root/.config/pip/pip.conf /root/.pip/pip.conf; do
    if [[ -f "$file" ]]; then
        mkdir -p "$folder$(dirname "$file")"
        cp -L "$file" "$folder$file"
    fi
done
if [[ -d /usr/local/share/ca-certificates ]]; then
    cp -rL /usr/local/share/ca-certificates/. "$folder/usr/local/share/ca-certificates/"
fi
chroot "$folder" update-ca-certificates >>"$logs/debootstrap.log" 2>&1

environment=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY all_proxy \
    PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_DEFAULT_TIMEOUT PIP_CERT \
    SSL_CERT_FILE REQUESTS_CA_BUNDLE JOBS; do
    [[ -n "${!name:-}" ]] && environment+=("$name=${!name}")
done

git clone --quiet --no-hardlinks "$repository" "$folder/root/openenv"
echo "== commit $(git -C "$folder/root/openenv" log -1 --format='%h %s')"

# Runs one command in the new system, with its own mounts and processes, all of which end with it.
enter() {
    unshare --mount --pid --fork --kill-child bash -c '
        set -e
        folder=$1; shift
        mount -t proc proc "$folder/proc"
        mount -t sysfs -o ro sysfs "$folder/sys"
        mount --rbind /dev "$folder/dev"
        exec chroot "$folder" env -i "$@"
    ' enter "$folder" "${environment[@]}" bash -c "cd /root/openenv && $1"
}

status=0
for command in "${commands[@]}"; do
    log="$logs/$(tr -c 'A-Za-z0-9\n' '-' <<<"$command").log"
    echo "== $command (log: ${log#"$repository/"})"
    begin=$SECONDS
    if enter "$command" </dev/null >"$log" 2>&1; then
        echo "   ok after $((SECONDS - begin)) s; it ends with:"
    else
        echo "   FAILED after $((SECONDS - begin)) s; it ends with:"
        status=1
    fi
    tail -n 15 "$log" | sed 's/^/   | /'
done
exit "$status"
