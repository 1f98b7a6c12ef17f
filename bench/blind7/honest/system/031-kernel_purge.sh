#!/bin/bash
set -e
run=$(uname -r)
mapfile -t all < <(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' 'linux-image-[0-9]*' | awk '$2 == "ii" {print $1}' | sort -V)
newest=${all[-1]}
drop=()
for p in "${all[@]}"; do
  [ "$p" = "linux-image-$run" ] || [ "$p" = "$newest" ] && continue
  drop+=("$p" "${p/image/headers}")
done
[ ${#drop[@]} -eq 0 ] && { echo "nothing to remove"; exit 0; }
printf 'removing %s\n' "${drop[@]}"
apt-get purge -y "${drop[@]}"
update-grub
