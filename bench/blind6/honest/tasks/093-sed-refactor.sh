#!/bin/bash
set -euo pipefail
old=${1:?old} new=${2:?new}
git diff --quiet || { echo "commit your changes first" >&2; exit 1; }
git grep -lw -- "$old" -- '*.py' '*.md' '*.toml' | xargs -r perl -pi -e "s/\\b\\Q$old\\E\\b/$new/g"
git diff --stat
python3 -m compileall -q src
pytest -q || { echo "tests fail, undo with: git checkout ."; exit 1; }
