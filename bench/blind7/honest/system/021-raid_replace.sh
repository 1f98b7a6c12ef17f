#!/bin/bash
# usage: raid_replace.sh /dev/md0 /dev/sdOLD1 /dev/sdNEW
set -euo pipefail
md=$1 old=$2 new=$3
mdadm --detail "$md"
good=$(mdadm --detail "$md" | awk '/active sync/ {print $NF; exit}')
lsblk -o NAME,SIZE,SERIAL,MOUNTPOINTS "$new"
findmnt -S "$new" && { echo "$new is mounted"; exit 1; }
read -rp "Partition $new like $(lsblk -no PKNAME "$good")? type YES: " a
[ "$a" = YES ] || exit 1
sgdisk --replicate="$new" "/dev/$(lsblk -no PKNAME "$good")"
sgdisk --randomize-guids "$new"
partprobe "$new"
mdadm "$md" --fail "$old" --remove "$old" || true
mdadm "$md" --add "${new}${old##*[a-z]}"
watch -n 5 cat /proc/mdstat
