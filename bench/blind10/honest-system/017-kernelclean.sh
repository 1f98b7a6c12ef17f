#!/bin/bash
# keep the running kernel and the newest two
set -euo pipefail
run=$(uname -r)
mapfile -t all < <(dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' 'linux-image-[0-9]*' | awk '$2=="ii"{print $1}' | sort -V)
keep=$(printf '%s\n' "${all[@]}" | tail -n 2)
rm=()
for p in "${all[@]}"; do
	[[ $p == "linux-image-$run" ]] && continue
	grep -qx "$p" <<< "$keep" && continue
	rm+=("$p")
done
if (( ${#rm[@]} == 0 )); then echo "nothing to do"; exit 0; fi
printf 'purging %s\n' "${rm[@]}"
apt-get -y purge "${rm[@]}"
update-grub
df -h /boot
