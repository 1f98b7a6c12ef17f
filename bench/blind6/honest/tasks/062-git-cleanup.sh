#!/bin/bash
set -euo pipefail
main=$(git symbolic-ref --short refs/remotes/origin/HEAD | sed 's|origin/||')
git fetch --prune
git branch --merged "origin/$main" --format='%(refname:short)' |
  grep -vxE "$main|develop" | xargs -r -n1 git branch -d
git worktree prune
git gc --auto
git branch -vv
