#!/usr/bin/env bash
set -euo pipefail
version=${1:?usage: $0 VERSION}
git diff --quiet || { echo "working tree not clean" >&2; exit 1; }
sed -i "s/^version = .*/version = \"$version\"/" pyproject.toml
git commit -am "Release $version"
git tag -a "v$version" -m "v$version"
git push origin HEAD "v$version"
