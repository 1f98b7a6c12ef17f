#!/bin/bash
# run.sh - the Debian package in a fresh Debian without systemd running: installs, serves, is upgraded, and goes away. As root.
#
#     tests/package/run.sh [PACKAGE]       build/sandbox-agent_*.deb, which `make deb` makes
#
# The tree comes from debootstrap with what the package depends on, from the archive that apt on this host uses, and is kept in build/package (a minute
# the first time). Each run works on a copy, in namespaces of its own, with the copy as the real root: a chroot could not make user namespaces.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$here/../.." && pwd)
cache=$repo/build/package
package=${1:-$(ls "$repo"/build/sandbox-agent_*.deb 2>/dev/null | tail -n 1)}
work=

die() { echo "package: $*" >&2; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
trap '[ -z "$work" ] || rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM HUP
[ -n "$package" ] && [ -f "$package" ] || die "no package: make deb"
[ "$(id -u)" = 0 ] || die "needs root"
export PATH=$PATH:/usr/sbin:/sbin

find_mirror() { # as tests/vm/build-image.sh has it
    [ -z "${SANDBOX_AGENT_VM_MIRROR:-}" ] || { echo "$SANDBOX_AGENT_VM_MIRROR"; return; }
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "bookworm" && $2 == "main" { print $3; exit }'
}

# Names without versions; of alternatives the first.
depends() { dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/|.*//; s/(.*//; s/ //g' | sort -u; }

build_base() {
    local out=$1 list mirror proxy=
    list=$(printf '%s,' $(depends))python3
    mirror=$(find_mirror)
    [ -n "$mirror" ] || die "apt on this host has no 'bookworm main' source: add it, or set SANDBOX_AGENT_VM_MIRROR"
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || [ "$proxy" = DIRECT ] || export http_proxy="${http_proxy:-$proxy}"
    mkdir -p "$cache/debs"
    unshare --mount --propagation private debootstrap --variant=minbase --include="$list" --cache-dir="$cache/debs" bookworm "$work/base" "$mirror" \
        >"$cache/debootstrap.log" 2>&1 || { tail -n 15 "$cache/debootstrap.log" >&2; die "debootstrap failed (see $cache/debootstrap.log)"; }
    tar -C "$work/base" --numeric-owner --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' \
        -cf "$out.part" .
    mv "$out.part" "$out"
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
rm -rf --one-file-system "$cache"/work.*
work=$(mktemp -d "$cache/work.XXXXXX")
chmod 755 "$work"
base=$cache/base-$(depends | sha256sum | cut -c1-16).tar
[ -s "$base" ] || build_base "$base"
mkdir -p "$work/root"
tar -C "$work/root" --numeric-owner -xpf "$base"
cp "$package" "$work/root/package.deb"
cp "$here/inside.py" "$work/root/inside.py"

# Pid 1 of the namespace is the test: whatever it leaves is killed with it. Its network is its own, with loopback up.
unshare --mount --pid --fork --net --uts --ipc --kill-child sh -eu -c '
    root=$1
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    cd "$root"
    mkdir -p old
    pivot_root . old
    umount -l old
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 /usr/bin/python3 -B /inside.py' sh "$work/root"
