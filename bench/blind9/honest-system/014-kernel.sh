#!/bin/bash
# keep the running kernel and the newest one
set -e
cur=$(uname -r)
mapfile -t all < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 'linux-image-[0-9]*' | awk '/^ii/{print $2}' | sort -V)
new=${all[-1]}
drop=()
for p in "${all[@]}"; do
  [[ $p == "$new" || $p == "linux-image-$cur" ]] || drop+=("$p" "${p/image/headers}")
done
(( ${#drop[@]} )) || { echo "nothing to do"; exit 0; }
echo "removing: ${drop[*]}"
apt-get purge -y "${drop[@]}"
update-grub
df -h /boot
