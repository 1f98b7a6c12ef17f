#!/bin/sh -e
version="$1"
[ -x /usr/sbin/update-initramfs ] || exit 0
if [ -z "$version" ]; then
  echo "W: no version given" >&2
  exit 0
fi
eval set -- "$DEB_MAINT_PARAMS"
if [ "$1" = configure ] || [ -z "$1" ]; then
  INITRAMFS_TOOLS_KERNEL_HOOK=1 update-initramfs -c -k "$version"
  if command -v update-grub >/dev/null; then
    update-grub
  fi
fi
touch /run/reboot-required
grep -qx linux-base /run/reboot-required.pkgs 2>/dev/null || echo linux-base >> /run/reboot-required.pkgs
