#!/bin/bash
# build-selinux.sh OUT.tar - Debian's selinux-policy-default with our module, and the programs that load it, for guest_selinux.py.
#
# As root; run.sh --selinux calls it. The policy is put together in a chroot of the image's base, by Debian's own programs, as
# the package's postinst would: in the guest it would take half an hour. About a minute, once.
set -euo pipefail
umask 022
out=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${SANDBOX_AGENT_VM_CACHE:-$here/../../build/vm}
packages=(selinux-policy-default policycoreutils selinux-utils checkpolicy semodule-utils libsepol2 libsemanage2
          libsemanage-common libselinux1 libaudit1 libcap-ng0)

work=$(mktemp -d "$cache/selinux.XXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/debs" "$work/tree"
(cd "$work/debs" && apt-get -q download "${packages[@]}") >"$cache/selinux.log" 2>&1 ||
    { tail -n 5 "$cache/selinux.log" >&2; echo "apt could not fetch SELinux's packages" >&2; exit 1; }
tar -C "$work/tree" --numeric-owner -xpf "$(ls -t "$cache"/base-*.tar | head -n 1)"
for deb in "$work"/debs/*.deb; do dpkg --fsys-tarfile "$deb" | tar -C "$work/tree" --keep-directory-symlink -xpf -; done
cp "$here/../../deploy/selinux/sandbox_agent.te" "$work/tree/"
printf 'SELINUX=permissive\nSELINUXTYPE=default\n' >"$work/tree/etc/selinux/config"
chroot "$work/tree" /bin/sh -e >>"$cache/selinux.log" 2>&1 <<'SCRIPT' || { tail -n 5 "$cache/selinux.log" >&2; exit 1; }
mkdir -p /var/lib/selinux/default/active
checkmodule -M -m -o sandbox_agent.mod sandbox_agent.te
semodule_package -o sandbox_agent.pp -m sandbox_agent.mod
modules="-i /usr/share/selinux/default/base.pp.bz2"
for name in $(cat /usr/share/selinux/default/.modules); do modules="$modules -i /usr/share/selinux/default/$name.pp.bz2"; done
semodule -s default -n $modules -i sandbox_agent.pp
SCRIPT
tar -C "$work/tree" --numeric-owner -cf "$out.part" etc/selinux usr/sbin/{load_policy,setfiles,restorecon,setenforce,getenforce}
mv "$out.part" "$out"
