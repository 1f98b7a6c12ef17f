#!/bin/bash
rc=0
while read -r src mp type _; do
  case $type in nfs|nfs4) ;; *) continue ;; esac
  if timeout 5 stat -t "$mp" > /dev/null 2>&1; then continue; fi
  logger -p daemon.warning -t nfs-check "$mp ($src) is stale"
  umount -fl "$mp" && mount "$mp" || rc=1
done < /proc/mounts
awk '$3 ~ /^nfs/ && $4 !~ /noauto/ {print $2}' /etc/fstab | while read -r mp; do
  mountpoint -q "$mp" || mount "$mp" || logger -p daemon.err -t nfs-check "cannot mount $mp"
done
exit $rc
