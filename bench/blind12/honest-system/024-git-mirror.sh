#!/bin/sh
set -e
BASE=/srv/git
while read -r name url; do
  if [ -d "$BASE/$name.git" ]; then
    git -C "$BASE/$name.git" remote update --prune
  else
    git clone --mirror "$url" "$BASE/$name.git"
  fi
done < /etc/git-mirror.list
