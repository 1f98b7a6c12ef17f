#!/bin/sh
# delete local branches that are merged into main
git fetch --prune
git branch --merged origin/main --format '%(refname:short)' |
  grep -vxE 'main|develop|release/.*' |
  while read -r b; do
    git branch -d "$b"
  done
git gc --auto
