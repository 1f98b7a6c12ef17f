#!/usr/bin/env bash
set -euo pipefail

ver=${1:?usage: release.sh X.Y.Z}
[[ $ver =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "bad version" >&2; exit 2; }
[[ -z $(git status --porcelain) ]] || { echo "tree is dirty" >&2; exit 1; }

sed -i "s/^version = .*/version = \"$ver\"/" pyproject.toml
python -m pytest -q
git commit -am "Release $ver"
git tag -a "v$ver" -m "v$ver"
git push origin HEAD "v$ver"

rm -rf dist
python -m build
ls -l dist
