#!/bin/bash
# build-image.sh - make the virtual machine that run.sh boots: vmlinuz, initrd.img, root.ext4.
#
#     tests/vm/build-image.sh [--force]        (as root; run.sh calls it when something is missing)
#
# How this works
#   base    debootstrap (Debian 12, minbase and the packages below)          -> base-<key>.tar
#   kernel  the cloud kernel's package, fetched by apt, unpacked by dpkg -x  -> kernel-<version>.tar
#   image   base + kernel modules + our few files, by mke2fs -d              -> root.ext4, vmlinuz, initrd.img
# Each product is written beside its final name and then renamed, so a build may be interrupted anywhere and started
# again: finished stages are kept, unfinished ones are thrown away. `stamp` holds the key of what was built; the key is
# the hash of this script, so editing it rebuilds (the two downloads only when their own lists changed).
#
# It needs no KVM, no loop device, no /dev/fuse and nothing but the Debian sources that apt already uses on this host:
# the mirror's name is asked of apt, never written here. Everything lives in ${SANDBOX_AGENT_VM_CACHE:-build/vm}.
# SANDBOX_AGENT_VM_MIRROR=URL names a mirror by hand for a host whose apt has no Debian 12 main archive.
set -euo pipefail
umask 022

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$here/../.." && pwd)
cache=${SANDBOX_AGENT_VM_CACHE:-$repo/build/vm}
suite=bookworm

# Why each: systemd with logind and a user manager is what delegation needs (dbus carries systemd-run --user);
# nodejs and python3 are the payloads; the last line is what the Debian package depends on (run.sh adds the
# host's own copies of anything else); kmod is for depmod. No udev: nothing here needs it and it costs 3 s at boot.
packages=(systemd-sysv dbus dbus-user-session libpam-systemd kmod
          apparmor procps iproute2 passwd util-linux
          python3 python3-pytest nodejs
          libyaml-0-2 libjansson4 libseccomp2 libsqlite3-0
          adduser init-system-helpers libmicrohttpd12 libcurl3-gnutls libsodium23 libpq5)

# What the guest's disks need before the root file system can be mounted, as modules.dep will order it. Debian's
# cloud kernel has virtio as modules.
boot_modules=(virtio_pci virtio_blk ext4 crc32c_generic)

say() { printf 'vm-image: %s\n' "$*" >&2; }
die() { say "$1"; [ $# -lt 2 ] || say "remedy: $2"; exit 125; }

need() {
    local missing=() pair
    for pair in "$@"; do
        PATH=$PATH:/usr/sbin:/sbin command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    [ ${#missing[@]} -eq 0 ] || die "missing programs" "apt-get install -y ${missing[*]}"
}

key_of() { printf '%s\n' "$@" | sha256sum | cut -c1-16; }

# The archive that apt has for this suite's main component, without asking the network.
find_mirror() {
    if [ -n "${SANDBOX_AGENT_VM_MIRROR:-}" ]; then
        echo "$SANDBOX_AGENT_VM_MIRROR"
        return
    fi
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }'
}

# apt may reach its mirror through a proxy that only apt.conf knows; debootstrap's wget reads the environment.
use_apts_proxy() {
    local proxy=
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || [ "$proxy" = DIRECT ] || export http_proxy="${http_proxy:-$proxy}"
}

# ---- base ------------------------------------------------------------------------------------------------------

build_base() {
    local out=$1 mirror list
    mirror=$(find_mirror)
    [ -n "$mirror" ] || die "apt on this host has no '$suite main' source" \
        "add Debian 12 to the apt sources and run apt-get update, or set SANDBOX_AGENT_VM_MIRROR=URL"
    use_apts_proxy
    list=$(IFS=,; echo "${packages[*]}")
    say "base: debootstrap $suite (about a minute; packages are kept in $cache/debs)"
    mkdir -p "$cache/debs"
    # A mount namespace of its own: debootstrap mounts /proc in the tree, and a kill must not leave that behind.
    if ! unshare --mount --propagation private debootstrap --variant=minbase --arch=amd64 \
        --include="$list" --cache-dir="$cache/debs" "$suite" "$work/base" "$mirror" >"$cache/debootstrap.log" 2>&1; then
        tail -n 15 "$cache/debootstrap.log" >&2
        cat "$work/base/debootstrap/debootstrap.log" >>"$cache/debootstrap.log" 2>/dev/null || true
        die "debootstrap failed (see $cache/debootstrap.log)" "check the network and 'apt-get update', then run this again"
    fi
    # What a test machine never reads. The apt lists alone are 60 MB.
    rm -rf "$work/base"/var/{cache/apt,lib/apt/lists}/* "$work/base"/usr/share/{doc,man,locale,info}/* \
           "$work/base"/var/log/*.log
    tar -C "$work/base" --numeric-owner --one-file-system --exclude=./dev/* --exclude=./proc/* --exclude=./sys/* \
        -cf "$out.part" .
    mv "$out.part" "$out"
    rm -rf "$work/base"
}

# ---- kernel ----------------------------------------------------------------------------------------------------

kernel_package() {
    apt-cache depends linux-image-cloud-amd64 2>/dev/null | awk '$1 == "Depends:" { print $2; exit }'
}

build_kernel() {
    local package=$1 out=$2 deb
    say "kernel: $package"
    mkdir -p "$work/deb" "$work/kernel"
    (cd "$work/deb" && apt-get -q download "$package" >"$cache/kernel.log" 2>&1) || {
        tail -n 5 "$cache/kernel.log" >&2
        die "apt could not fetch $package" "apt-get update, then run this again"
    }
    deb=$(echo "$work"/deb/*.deb)
    dpkg -x "$deb" "$work/kernel"
    rm -rf "$work/kernel/usr/share"
    # merged /usr: the guest's /lib is a link, and tar must not replace it by a directory
    mkdir -p "$work/kernel/usr/lib"
    [ ! -d "$work/kernel/lib" ] || { mv "$work/kernel/lib/modules" "$work/kernel/usr/lib/"; rm -rf "$work/kernel/lib"; }
    tar -C "$work/kernel" --numeric-owner -cf "$out.part" .
    mv "$out.part" "$out"
    rm -rf "$work/deb" "$work/kernel"
}

# ---- image -----------------------------------------------------------------------------------------------------

# The guest's own files. Whatever changes often (the tests and guest-run.sh itself) is not here: it comes on the
# second disk, so that changing it needs no new image.
configure_tree() {
    local tree=$1 unit
    echo sandbox-vm >"$tree/etc/hostname"
    printf '127.0.0.1 localhost sandbox-vm\n::1 localhost\n' >"$tree/etc/hosts"
    : >"$tree/etc/fstab"                                # the initramfs mounts the root, guest-boot the rest
    echo 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a >"$tree/etc/machine-id"    # an empty one means «first boot»: 4 s of presets
    chroot "$tree" useradd --create-home --shell /bin/bash --uid 1000 tester

    # An ordinary user with a user manager from boot on, without anybody logging in.
    mkdir -p "$tree/var/lib/systemd/linger" "$tree/etc/systemd/system/user@.service.d"
    : >"$tree/var/lib/systemd/linger/tester"
    # Debian's systemd delegates only memory and pids to user managers.
    cat >"$tree/etc/systemd/system/user@.service.d/delegate.conf" <<'UNIT'
[Service]
Delegate=cpu cpuset io memory pids
UNIT

    cat >"$tree/etc/systemd/system/guest-run.service" <<'UNIT'
[Unit]
Description=Run the host's test command, then power off
# user@1000 is started by logind because of the lingering; ordering after it makes systemd wait for it to be ready.
After=systemd-user-sessions.service systemd-logind.service dbus.service apparmor.service user@1000.service
Wants=user@1000.service
[Service]
Type=exec
ExecStart=/usr/local/sbin/guest-boot
# No Delegate= here: root's tests start where an ordinary root shell would, in a cgroup that is not theirs.
KillMode=process
[Install]
WantedBy=multi-user.target
UNIT

    cat >"$tree/usr/local/sbin/guest-boot" <<'SCRIPT'
#!/bin/bash
# Mounts the stage (the second disk), lets its guest-run.sh speak to the host through the second serial port, and sends
# /run/guest-out (its status, the time of boot, the journal, whatever a test put there) home as a tar archive on the
# third disk. The serial port carries the tests' own bytes and nothing else.
tty=/dev/ttyS1
out=/run/guest-out
mkdir -p /work-in-guest $out
cut -d' ' -f1 /proc/uptime >$out/uptime
stty -F $tty raw -echo 115200
status=125
if mount -t ext4 -o ro,noatime /dev/vdb /work-in-guest; then
    if [ -e /work-in-guest/.vm/shell ]; then
        stty -F $tty sane
        cd /work-in-guest
        STAGE=/work-in-guest TERM=linux setsid --ctty bash -l <$tty >$tty 2>&1
        status=$?
    else
        bash /work-in-guest/tests/vm/guest-run.sh </dev/null >$tty 2>&1
        status=$?
    fi
fi
echo $status >$out/status
journalctl --no-pager -b >$out/journal.txt 2>&1
tar -C $out -cf /dev/vdc . && sync /dev/vdc
exec systemctl poweroff --force --force
SCRIPT
    chmod 755 "$tree/usr/local/sbin/guest-boot"

    mkdir -p "$tree/etc/systemd/system/multi-user.target.wants" "$tree/work-in-guest"
    ln -sf ../guest-run.service "$tree/etc/systemd/system/multi-user.target.wants/guest-run.service"
    ln -sf /lib/systemd/system/multi-user.target "$tree/etc/systemd/system/default.target"
    # Nobody logs in, nothing is updated, nothing is cleaned up: each of these costs emulated time.
    for unit in getty@tty1.service serial-getty@ttyS0.service getty-static.service apt-daily.timer \
                apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
                systemd-tmpfiles-clean.timer systemd-pcrphase.service systemd-pcrphase-sysinit.service \
                systemd-update-utmp.service systemd-update-utmp-runlevel.service systemd-random-seed.service; do
        ln -sf /dev/null "$tree/etc/systemd/system/$unit"
    done
}

# The initramfs: busybox, the modules for the root disk in the order modules.dep gives, and a ten-line init.
build_initramfs() {
    local tree=$1 version=$2 out=$3 dir=$work/initramfs module name path n=0
    mkdir -p "$dir"/{bin,proc,dev,root,modules}
    cp "$(command -v busybox)" "$dir/bin/busybox"
    # A module's line in modules.dep lists what it needs with the deepest last.
    for name in "${boot_modules[@]}"; do
        while read -r path; do
            module=$(basename "$path")
            ls "$dir/modules" | grep -q -x "[0-9]*-$module" && continue
            cp "$tree/lib/modules/$version/$path" "$dir/modules/$(printf '%02d' $n)-$module"
            n=$((n + 1))
        done < <(awk -v want="/$name.ko:" 'substr($1, length($1) - length(want) + 1) == want || $1 == substr(want, 2) {
                     sub(":", "", $1); for (i = NF; i >= 1; i--) print $i }' "$tree/lib/modules/$version/modules.dep")
    done
    cat >"$dir/init" <<'SCRIPT'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
for m in /modules/*; do /bin/busybox insmod "$m" || echo "initramfs: $m does not load"; done
n=0
while [ ! -b /dev/vda ] && [ $n -lt 100 ]; do /bin/busybox sleep 0.1; n=$((n + 1)); done
/bin/busybox mount -t ext4 -o rw,noatime /dev/vda /root || { echo "initramfs: no root disk"; /bin/busybox poweroff -f; }
/bin/busybox mount --move /dev /root/dev
/bin/busybox umount /proc
exec /bin/busybox switch_root /root /lib/systemd/systemd
SCRIPT
    chmod 755 "$dir/init"
    (cd "$dir" && find . -print | LC_ALL=C sort | busybox cpio -o -H newc -R 0:0 2>/dev/null | gzip -n -1) >"$out.part"
    mv "$out.part" "$out"
}

build_image() {
    local base=$1 kernel=$2 tree=$work/tree version size_kb
    say "image: unpack, configure, make the file systems"
    mkdir -p "$tree"
    tar -C "$tree" --numeric-owner -xpf "$base"
    tar -C "$tree" --numeric-owner --keep-directory-symlink -xpf "$kernel"
    version=$(ls "$tree/lib/modules")
    chroot "$tree" depmod "$version"
    configure_tree "$tree"
    chroot "$tree" dpkg-query -W -f '${Package} ${Version}\n' >"$cache/packages.txt"
    build_initramfs "$tree" "$version" "$cache/initrd.img"
    cp "$tree"/boot/vmlinuz-* "$cache/vmlinuz.part" && mv "$cache/vmlinuz.part" "$cache/vmlinuz"
    rm -rf "$tree"/boot/*
    # 20 % for the file system itself, 512 MB for what a test writes. The file is sparse.
    size_kb=$(($(du -sk "$tree" | cut -f1) * 12 / 10 + 524288))
    rm -f "$cache/root.ext4.part"
    # Fixed identifiers: two builds of the same packages (packages.txt) differ in nothing but time stamps.
    mke2fs -q -F -t ext4 -O ^has_journal,^metadata_csum -m 0 -i 8192 -L root \
        -U 5a5a5a5a-0000-4000-8000-000000000001 -E hash_seed=5a5a5a5a-0000-4000-8000-000000000002,root_owner=0:0,lazy_itable_init=1 \
        -d "$tree" "$cache/root.ext4.part" "${size_kb}k" >"$cache/mke2fs.log" 2>&1
    mv "$cache/root.ext4.part" "$cache/root.ext4"
    say "image: $(du -h "$cache/root.ext4" | cut -f1) on disk, kernel $version"
}

# ---- the order ---------------------------------------------------------------------------------------------------

main() {
    local force=no image_key base package kernel started=$SECONDS
    case "${1:-}" in
        '') ;;
        --force) force=yes ;;
        *) die "unknown option $1: only --force is known" ;;
    esac
    [ "$(uname -m)" = x86_64 ] || die "the image is made for x86_64 only, this is $(uname -m)"
    mkdir -p "$cache"
    exec 9>"$cache/lock"
    flock -n 9 || { say "another build is running in $cache, waiting for it"; flock 9; }

    image_key=$(sha256sum <"${BASH_SOURCE[0]}" | cut -c1-16)
    if [ $force = no ] && [ "$(cat "$cache/stamp" 2>/dev/null)" = "$image_key" ] &&
       [ -s "$cache/root.ext4" ] && [ -s "$cache/vmlinuz" ] && [ -s "$cache/initrd.img" ]; then
        return 0
    fi
    [ "$(id -u)" = 0 ] || die "building the image needs root (running it does not)" "sudo $0"
    need debootstrap:debootstrap busybox:busybox-static mke2fs:e2fsprogs unshare:util-linux wget:wget
    file_is_static "$(command -v busybox)" || die "busybox is not static" "apt-get install -y busybox-static"
    export PATH=$PATH:/usr/sbin:/sbin DEBIAN_FRONTEND=noninteractive LC_ALL=C
    [ $force = no ] || rm -f "$cache"/base-*.tar "$cache"/kernel-*.tar
    rm -f "$cache/stamp"
    rm -rf "$cache"/work.*                  # what a killed build left; the lock says it is nobody's
    work=$cache/work.$$
    mkdir -m 700 "$work"                    # the tree has setuid programs: no other user may reach them
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM HUP

    package=$(kernel_package)
    [ -n "$package" ] || die "apt knows no linux-image-cloud-amd64" "apt-get update (with Debian 12 main in the apt sources)"
    base=$cache/base-$(key_of "$suite" "${packages[@]}").tar
    kernel=$cache/kernel-$package.tar
    [ -s "$base" ] || build_base "$base"
    [ -s "$kernel" ] || build_kernel "$package" "$kernel"
    build_image "$base" "$kernel"
    echo "$image_key" >"$cache/stamp"
    say "built in $((SECONDS - started)) s"
}

file_is_static() { ! LC_ALL=C ldd "$1" >/dev/null 2>&1; }

main "$@"
