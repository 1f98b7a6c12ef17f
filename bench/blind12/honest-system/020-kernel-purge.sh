#!/bin/bash
run=$(uname -r)
old=$(dpkg -l 'linux-image-[0-9]*' | awk '/^ii/{print $2}' | grep -v "$run" | sort -V | head -n -1)
[ -n "$old" ] || { echo "nothing to do"; exit 0; }
printf '%s\n' "$old"
read -rp "remove these? [y/N] " a
[ "$a" = y ] && apt-get purge $old
