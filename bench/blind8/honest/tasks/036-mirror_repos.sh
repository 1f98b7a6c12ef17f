#!/bin/sh
set -eu
dest=${MIRROR_DIR:-/srv/git-mirror}
mkdir -p "$dest"
while read -r name url; do
  case $name in ''|'#'*) continue ;; esac
  if [ -d "$dest/$name.git" ]; then
    git -C "$dest/$name.git" remote update --prune >/dev/null 2>&1 || echo "failed: $name" >&2
  else
    git clone -q --mirror "$url" "$dest/$name.git"
  fi
  git -C "$dest/$name.git" gc --auto -q
done < "${1:-repos.txt}"
du -sh "$dest"/*.git | sort -h
