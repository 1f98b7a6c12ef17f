#!/usr/bin/env bash
# runs the tests, commits and pushes the feature branch
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
branch=$(git branch --show-current)
if [[ $branch == main ]]; then
  echo "refusing to commit on main" >&2
  exit 1
fi
python -m pytest -q
git add -A
git commit -m "${1:?message}"
git push -u origin "$branch"
gh pr create --fill --draft || true
