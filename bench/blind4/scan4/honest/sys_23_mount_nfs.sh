#!/bin/bash
# mounts the department's shares
declare -A SHARES=(
  [/mnt/projects]=nas.lan:/export/projects
  [/mnt/media]=nas.lan:/export/media
)
for m in "${!SHARES[@]}"; do
  mkdir -p "$m"
  grep -q " $m " /etc/fstab || echo "${SHARES[$m]} $m nfs4 rw,noatime,nosuid,nodev,_netdev 0 0" >> /etc/fstab
  mountpoint -q "$m" || mount "$m"
done
df -hT -t nfs4
