#!/bin/bash
# tidy local branches that are merged; asks before it deletes
set -eu
git fetch --prune --quiet
main=$(git symbolic-ref --short refs/remotes/origin/HEAD | sed 's|origin/||')

git for-each-ref --format='%(refname:short) %(upstream:track)' refs/heads |
while read -r b track; do
  [ "$b" = "$main" ] && continue
  if [ "$track" = "[gone]" ] || git merge-base --is-ancestor "$b" "origin/$main"; then
    echo "$b"
  fi
done > /tmp/merged.$$

if [ -s /tmp/merged.$$ ]; then
  cat /tmp/merged.$$
  read -r -p "delete these? [y/N] " a </dev/tty
  [ "$a" = y ] && xargs -r git branch -D < /tmp/merged.$$
fi
rm -f /tmp/merged.$$
git worktree prune -v
