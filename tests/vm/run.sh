#!/bin/bash
# run.sh - run the tests (or one command) in a virtual machine with cgroup v2, systemd and AppArmor.
#
#     tests/vm/run.sh                      the guest's own tests: tests/vm/guest-tests.sh
#     tests/vm/run.sh -- COMMAND ARG...    any command, as root, in the repo's copy inside the guest
#     tests/vm/run.sh --shell              a root shell in the guest, on this terminal (exit powers it off)
# options
#     --keep             leave the run's directory (console.log, stage, out/) and say where it is
#     --timeout SECONDS  for boot and tests together; 600. Multiplied by the guest's pace, once it has measured it
#     --add PATH         stage this path of the repo too (repeatable); see below what is staged anyway
#     --docker           take Docker and an image with Python and bash along, for guest_docker.py (30 s the first time)
#     --append WORDS     more words for the kernel's command line. systemd.unified_cgroup_hierarchy=0 gives cgroup v1
#     --build            only build the image (as root; ./build-image.sh --force builds it from nothing)
# environment
#     SANDBOX_AGENT_VM_CACHE   where image and runs live (build/vm)
#     SANDBOX_AGENT_VM_MEMORY  the guest's memory in MiB (2048)
#     SANDBOX_AGENT_VM_ACCEL   qemu's -accel (tcg: ordinary kernels hang under KVM on some nested hosts)
#     SANDBOX_MUST_WORK=1      a skipped test is a failed one; handed into the guest
#     VM_PLACES                which of «root scope login» guest-tests.sh runs the sandbox in; handed into the guest
# exit: the guest's status; 124 when the time is up; 125 when the machine could not be built or died.
#
# How this works
#   vda  the image, through a throw-away overlay: each run starts from the same bytes, several can run at once
#   vdb  the stage: the tree, its build/{bin,libexec,share} and the package of `make deb`, read-only, at $STAGE (/work-in-guest)
#   vdc  what comes home: a tar archive of /run/guest-out with the status in it, unpacked into out/
#   ttyS0 is the console (console.log), ttyS1 carries the tests' output to our stdout, byte for byte.
# Host packages: qemu-system-x86 debootstrap busybox-static e2fsprogs. Booting needs no root, building the image does.
#
# An ordinary user with delegated cgroups in the guest: «tests/vm/as-tester COMMAND» (the file explains how).
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$here/../.." && pwd)
export SANDBOX_AGENT_VM_CACHE=${SANDBOX_AGENT_VM_CACHE:-$repo/build/vm}
cache=$SANDBOX_AGENT_VM_CACHE

keep=no shell=no only_build=no docker=no timeout_s=600 append= add=() command=()
qemu=       # pid
started=    # SECONDS when it was
run=        # this run's directory

say() { printf 'vm: %s\n' "$*" >&2; }
die() { say "$1"; [ $# -lt 2 ] || say "remedy: $2"; exit 125; }
usage() { sed -n '2,/^# exit:/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

parse_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
            --keep) keep=yes ;;
            --shell) shell=yes ;;
            --build) only_build=yes ;;
            --docker) docker=yes ;;
            --timeout) timeout_s=${2:?--timeout needs SECONDS}; shift ;;
            --append) append=${2:?--append needs WORDS}; shift ;;
            --add) add+=("${2:?--add needs a PATH}"); shift ;;
            --help|-h) usage; exit 0 ;;
            --) shift; command=("$@"); [ $# -gt 0 ] || { say "-- needs a COMMAND"; exit 2; }; return ;;
            *) say "unknown option $1"; usage >&2; exit 2 ;;
        esac
        shift
    done
    [[ $timeout_s =~ ^[1-9][0-9]*$ ]] || { say "--timeout $timeout_s: a number of seconds is wanted"; exit 2; }
}

# ---- the stage -------------------------------------------------------------------------------------------------

# Libraries that our programs need and the image may lack; guest-run.sh installs those that it has not.
stage_libraries() {
    local file lib
    mkdir -p "$run/stage/.vm/lib"
    for file in $(find "$run/stage/build" -type f -perm -u+x); do
        while read -r lib; do
            cp -L "$lib" "$run/stage/.vm/lib/"
        done < <(ldd "$file" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
                 grep -v -E '/(libc|libm|libpthread|libdl|librt|libresolv|ld-linux-x86-64)\.so')
    done
}

# Docker's packages (without what the image has already), unpacked, and the tree of an image. Both go with the stage and not into the
# guest's image, which everybody else would have to build and unpack as well; guest_docker.py copies the programs to their places.
docker_packages=(docker.io containerd runc tini iptables netbase libip6tc2 libnfnetlink0 libnetfilter-conntrack3 libnftnl11)
stage_docker() {
    local deb have=$cache/docker
    if [ ! -d "$have" ]; then
        say "fetching Docker's packages"
        rm -rf "$have.part"
        mkdir -p "$have.part/debs" "$have.part/tree"
        (cd "$have.part/debs" && apt-get -q download "${docker_packages[@]}") >"$cache/docker.log" 2>&1 ||
            { tail -n 5 "$cache/docker.log" >&2; die "apt could not fetch Docker's packages" "apt-get update, then run this again"; }
        for deb in "$have.part"/debs/*.deb; do dpkg -x "$deb" "$have.part/tree"; done
        # less what nobody calls here, and as a tar: `make` looks for *.d below build/, and there is an init.d
        rm -rf "$have.part/tree"/usr/share/{doc,man,lintian} "$have.part/tree"/usr/bin/{docker,ctr,containerd-stress}
        tar -C "$have.part/tree" --owner=0 --group=0 -cf "$have.part/tree.tar" .
        rm -rf "$have.part/debs" "$have.part/tree"
        mv "$have.part" "$have"
    fi
    [ -s "$have/python.tar" ] || "$repo/deploy/images/make-image" python --output "$have/python.tar" >&2 || die "no image for Docker"
    cp -R "$have" "$run/stage/.vm/docker"
}

stage_probe() {
    local compiler
    for compiler in musl-gcc gcc; do
        command -v $compiler >/dev/null || continue
        if $compiler -static -O2 -Wall -Wextra -o "$run/stage/.vm/probe" "$here/probe.c" 2>"$run/probe.log"; then
            return
        fi
    done
    say "no C compiler makes static programs here: the probe's tests are skipped (apt-get install -y musl-tools)"
}

make_stage() {
    local stage=$run/stage path size_kb
    mkdir -p "$stage/.vm" "$stage/build"
    # The whole tree except history and build products: small, and a test may read any file of it.
    tar -C "$repo" --exclude=./.git --exclude=./build --exclude='./build-*' --exclude=__pycache__ -cf - . |
        tar -C "$stage" -xf -
    for path in bin libexec share; do           # the layout of an installation
        [ ! -d "$repo/build/$path" ] || cp -RL "$repo/build/$path" "$stage/build/"
    done
    cp "$repo"/build/sandbox-agent_*.deb "$stage/build/" 2>/dev/null || true    # of `make deb`, for guest_service.py
    for path in ${add[@]+"${add[@]}"}; do
        [ -e "$repo/$path" ] || die "--add $path: no such path in $repo"
        mkdir -p "$stage/$(dirname "$path")"
        cp -R "$repo/$path" "$stage/$(dirname "$path")/"
    done
    stage_libraries
    stage_probe
    [ $docker = no ] || stage_docker
    [ ${#command[@]} -eq 0 ] || printf '%q ' "${command[@]}" >"$stage/.vm/command"
    [ $shell = no ] || : >"$stage/.vm/shell"
    # Nothing else of the host's environment goes in.
    printf 'export SANDBOX_MUST_WORK=%q VM_PLACES=%q\n' "${SANDBOX_MUST_WORK:-}" "${VM_PLACES:-}" >"$stage/.vm/environment"
    chmod -R a+rX "$stage"
    size_kb=$(($(du -sk "$stage" | cut -f1) * 13 / 10 + 16384))
    mke2fs -q -F -t ext4 -O ^has_journal -m 0 -i 4096 -E root_owner=0:0 -d "$stage" "$run/stage.ext4" "${size_kb}k" >"$run/mke2fs.log" 2>&1 ||
        { cat "$run/mke2fs.log" >&2; die "the stage disk could not be made"; }
    truncate -s 64M "$run/out.img"
}

# ---- the machine -----------------------------------------------------------------------------------------------

start_machine() {
    local words="console=ttyS0 quiet panic=-1 random.trust_cpu=on mitigations=off apparmor=1 security=apparmor psi=1"
    words="$words systemd.show_status=false systemd.unified_cgroup_hierarchy=1 $append"
    # Two vCPUs: with one, races between a payload and its supervisor never show. No network device at all.
    # TMPDIR is where qemu puts the overlay that snapshot=on makes, already unlinked.
    TMPDIR=$run qemu-system-x86_64 \
        -machine pc -accel "${SANDBOX_AGENT_VM_ACCEL:-tcg}" -cpu max -smp 2 -m "${SANDBOX_AGENT_VM_MEMORY:-2048}" \
        -nodefaults -no-user-config -display none -nic none -no-reboot \
        -kernel "$cache/vmlinuz" -initrd "$cache/initrd.img" -append "$words" \
        -drive "file=$cache/root.ext4,format=raw,if=virtio,snapshot=on,cache=unsafe" \
        -drive "file=$run/stage.ext4,format=raw,if=virtio,readonly=on" \
        -drive "file=$run/out.img,format=raw,if=virtio" \
        -serial "file:$run/console.log" \
        -chardev stdio,id=results,signal=off -serial chardev:results <&0 2>"$run/qemu.log" &
    qemu=$!
    started=$SECONDS
}

# The time that is left depends on the guest's speed, which its first line on the console says (guest-run.sh).
wait_for_machine() {
    local limit=$timeout_s pace=
    while kill -0 "$qemu" 2>/dev/null; do
        if [ -z "$pace" ]; then
            pace=$(sed -n 's/^vm-pace \([0-9.]*\).*/\1/p' "$run/console.log" 2>/dev/null | head -n 1)
            [ -z "$pace" ] || limit=$(awk -v s="$timeout_s" -v p="$pace" 'BEGIN { print int(s * p + 1) }')
        fi
        if [ $((SECONDS - started)) -ge "$limit" ]; then
            timeout_s=$limit
            kill "$qemu" 2>/dev/null || true
            wait "$qemu" 2>/dev/null || true
            qemu=
            return 124
        fi
        sleep 1
    done
    wait "$qemu"
}

clean_up() {
    local status=$?
    trap - EXIT
    [ -z "$qemu" ] || kill "$qemu" 2>/dev/null || true
    if [ -n "$run" ]; then
        if [ $keep = yes ]; then say "kept: $run"; else rm -rf "$run"; fi
    fi
    exit $status
}

finish() {
    local qemu_status=$1 status
    mkdir -p "$run/out"
    if tar -C "$run/out" -xf "$run/out.img" 2>/dev/null && [ -s "$run/out/status" ]; then
        status=$(cat "$run/out/status")
        say "booted in $(cat "$run/out/uptime") s, $SECONDS s in all, status $status"
        exit "$status"
    fi
    say "---- end of the console ----"
    tail -n 25 "$run/console.log" >&2 2>/dev/null || true
    cat "$run/qemu.log" >&2
    keep=yes
    if [ "$qemu_status" = 124 ]; then
        say "not finished after $timeout_s s (--timeout)"
        exit 124
    fi
    die "the machine ended without a result (qemu: $qemu_status)"
}

main() {
    local status=0
    parse_arguments "$@"
    export PATH=$PATH:/usr/sbin:/sbin
    "$here/build-image.sh" || exit $?
    [ $only_build = no ] || return 0
    command -v qemu-system-x86_64 >/dev/null || die "no qemu-system-x86_64" "apt-get install -y qemu-system-x86"
    command -v mke2fs >/dev/null || die "no mke2fs" "apt-get install -y e2fsprogs"
    mkdir -p "$cache/runs"
    find "$cache/runs" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} +     # of runs that were killed, and --keep
    run=$(mktemp -d "$cache/runs/$(date +%H%M%S).XXXX")
    trap clean_up EXIT
    trap 'exit 130' INT TERM HUP
    make_stage
    if [ $shell = yes ]; then
        say "booting; a root shell appears in about 15 s, «exit» ends the machine"
        start_machine
    else
        start_machine </dev/null
    fi
    wait_for_machine || status=$?
    qemu=
    finish "$status"
}

main "$@"
