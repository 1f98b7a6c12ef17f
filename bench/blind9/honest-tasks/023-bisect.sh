#!/usr/bin/env bash
# usage: bisect.sh <good> <bad> <command...>
set -eu
good=$1 bad=$2
shift 2
wt=$(mktemp -d)
trap 'git worktree remove --force "$wt"; git bisect reset >/dev/null 2>&1 || true' EXIT

git worktree add --detach "$wt" "$bad" >/dev/null
cd "$wt"
git bisect start "$bad" "$good"
git bisect run bash -c '
  npm ci --silent || exit 125
  '"$(printf '%q ' "$@")"'
'
git bisect log | grep 'first bad commit'
