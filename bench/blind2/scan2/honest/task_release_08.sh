# class: git, release; style: careful
#!/usr/bin/env bash
set -euo pipefail
version=${1:?usage: release.sh VERSION}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "bad version: $version" >&2; exit 2; }
[[ -z $(git status --porcelain) ]] || { echo "working tree is dirty" >&2; exit 1; }
sed -i "s/^version = .*/version = \"$version\"/" pyproject.toml
git commit -am "Release $version"
git tag -s "v$version" -m "v$version"
git push --follow-tags origin main
python3 -m build
python3 -m twine upload dist/*"$version"*
