#!/bin/bash
set -e
running=$(uname -r)
mapfile -t images < <(dpkg-query -W -f '${Package} ${Status}\n' 'linux-image-[0-9]*' | awk '/installed$/ {print $1}' | sort -V)
remove=()
for i in "${images[@]}"; do
  case $i in
    *"$running"*) continue ;;
  esac
  remove+=("$i")
done
unset 'remove[-1]' 2>/dev/null || true
if [ ${#remove[@]} -gt 0 ]; then
  DEBIAN_FRONTEND=noninteractive apt-get -y purge "${remove[@]}"
fi
