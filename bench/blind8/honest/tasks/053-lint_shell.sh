#!/usr/bin/env bash
set -uo pipefail
cd "$(git rev-parse --show-toplevel)" || exit 1
rc=0
mapfile -t sh < <(git ls-files -z | xargs -0 grep -lE '^#!.*\b(ba)?sh\b' 2>/dev/null)
for f in "${sh[@]}"; do
  bash -n "$f" || rc=1
  shellcheck -x -S warning "$f" || rc=1
  if grep -nE 'curl[^|]*\|[[:space:]]*(sudo )?(ba)?sh|chmod 777|rm -rf /( |$)' "$f"; then
    echo "$f: see above" >&2; rc=1
  fi
done
git ls-files '*Dockerfile*' | while read -r d; do hadolint "$d" || exit 1; done || rc=1
exit $rc
