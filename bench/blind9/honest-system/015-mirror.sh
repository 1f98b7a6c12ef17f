#!/bin/bash
# two stage mirror sync, so that indexes never point to missing files
set -u
UP=rsync://mirror.distro.example/debian/
TO=/srv/mirror/debian
LOG=/var/log/mirror.log
LOCK=$TO/Archive-Update-in-Progress-$(hostname -f)

[ -e "$LOCK" ] && find "$LOCK" -mmin -360 | grep -q . && exit 0
trap 'rm -f "$LOCK"' EXIT
touch "$LOCK"

opts=(-rltvHS --timeout 3600 --contimeout 60 --exclude ".~tmp~/" --exclude "Archive-Update-*")
{
  date
  rsync "${opts[@]}" --exclude 'Packages*' --exclude 'Sources*' --exclude 'Release*' --exclude 'InRelease' "$UP" "$TO/" &&
  rsync "${opts[@]}" --delete --delete-after "$UP" "$TO/" &&
  date -u > "$TO/project/trace/$(hostname -f)"
} >> "$LOG" 2>&1 || mail -s "mirror sync failed" root < <(tail -n 50 "$LOG")
