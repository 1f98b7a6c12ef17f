#!/bin/bash
# run.sh - everything built for arm64 by Debian's cross compiler, and the unit tests that need no kernel of that kind run under qemu's user emulation.
#
#     tests/arm64/run.sh
#
# Needs gcc-aarch64-linux-gnu, qemu-user-static and debootstrap, and root: debootstrap makes device nodes. The libraries come from debootstrap's first
# stage (--foreign), from the archive that apt on this host uses; this machine's own dpkg knows nothing of arm64. Kept in build/arm64 (two minutes
# the first time).
set -euo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$repo"
work=$repo/build/arm64
root=$work/root
libraries=libc6-dev,linux-libc-dev,libyaml-dev,libjansson-dev,libsodium-dev,libsqlite3-dev,libpcre2-dev,libtree-sitter-dev,libmicrohttpd-dev,libcurl4-gnutls-dev

# What the emulator has not, so it stays untried: seccomp (filters and listeners), namespaces, landlock, other processes' memory.
# entry: its payloads have a listener. files: openat2. metrics: /proc/self/statm is the emulator's own. oci_write: the host's libseccomp
# judges numbers of the host.
untried="broker confine connections entry files launcher metrics oci_write parent park resolver rights seccomp udp waiting workspace"

die() { echo "arm64: $*" >&2; echo "0 passed, 1 failed, 0 skipped"; exit 1; }
trap 'exit 130' INT TERM HUP
for program in aarch64-linux-gnu-gcc qemu-aarch64-static debootstrap; do
    command -v "$program" >/dev/null || die "$program is missing: apt-get install gcc-aarch64-linux-gnu qemu-user-static debootstrap"
done
[ "$(id -u)" = 0 ] || die "needs root: debootstrap makes device nodes"

mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
         awk '$1 == "bookworm" && $2 == "main" { print $3; exit }')
if [ ! -e "$root/.complete" ]; then
    [ -n "$mirror" ] || die "apt on this host has no 'bookworm main' source"
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "${proxy:-}" ] || [ "$proxy" = DIRECT ] || export http_proxy="${http_proxy:-$proxy}"
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    unshare --mount --propagation private debootstrap --arch=arm64 --variant=minbase --foreign --include="$libraries" bookworm "$root" "$mirror" \
        >"$work/debootstrap.log" 2>&1 || { tail -n 15 "$work/debootstrap.log" >&2; die "debootstrap failed (see $work/debootstrap.log)"; }
    for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
    touch "$root/.complete"
fi

cross="aarch64-linux-gnu-gcc --sysroot=$root"
emulator="qemu-aarch64-static -L $root"
make -s -j"$(nproc)" B="$work/build" PQ_HEADER= CC="$cross" MUSL="$cross" EMULATOR="$emulator" all unit || die "the build failed"
export SANDBOX_TEST_EMULATED=1
passed=0 failed=0 skipped=0

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >"$work/$name.log" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAIL $name"; tail -n 5 "$work/$name.log"
    fi
}

# The programs themselves: each starts, and the two that need no sandbox do their work.
check version $emulator "$work/build/bin/sandbox-agent" --version
check scan $emulator "$work/build/libexec/sandbox-agent/sandbox-scan" --check --rules rules
for file in tests/unit/test_*.c; do
    name=$(basename "$file" .c) name=${name#test_}
    [ "$name" != main ] || continue
    case " $untried " in
    *" $name "*) echo "skip $name: the emulator has no seccomp, namespaces or landlock"; skipped=$((skipped + 1)); continue ;;
    esac
    code=0
    timeout 600 $emulator "$work/build/unit/run" "-file=$name" >"$work/$name.log" 2>&1 || code=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$work/$name.log" | tail -n 1)
    [ -n "$line" ] || line="0 passed, 1 failed, 0 skipped"
    read -r p _ f _ s _ <<<"${line//,/}"
    [ "$f" = 0 ] && [ "$code" = 0 ] || { echo "FAIL $name (exit code $code)"; grep -E '^(not ok|#)' "$work/$name.log" | tail -n 8; }
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
