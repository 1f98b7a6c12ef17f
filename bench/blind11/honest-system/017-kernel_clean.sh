#!/bin/bash
# keep the running kernel and the newest one
set -eu
run=$(uname -r)
mapfile -t all < <(dpkg-query -W -f '${Package}\n' 'linux-image-[0-9]*' | sort -V)
new=${all[-1]}
for p in "${all[@]}"; do
    [[ $p == "$new" || $p == *"$run"* ]] && continue
    apt-get purge -y "$p"
done
update-grub
