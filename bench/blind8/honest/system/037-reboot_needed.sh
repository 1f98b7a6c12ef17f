#!/bin/sh
run=$(uname -r)
new=$(ls -1 /boot/vmlinuz-* 2>/dev/null | sed 's/.*vmlinuz-//' | sort -V | tail -1)
[ "$run" = "$new" ] || echo "kernel: running $run, installed $new"
[ -f /run/reboot-required ] && cat /run/reboot-required /run/reboot-required.pkgs
for p in /proc/[0-9]*; do
  if grep -qs '/usr/lib/.*\.so.* (deleted)$' "$p/maps"; then
    u=$(sed -n 's#.*/system.slice/\([^/]*\.service\).*#\1#p' "$p/cgroup" 2>/dev/null | head -1)
    [ -n "$u" ] && echo "restart: $u"
  fi
done 2>/dev/null | sort -u
