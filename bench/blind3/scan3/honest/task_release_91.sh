set -eu
v=${1:?version}
sed -i "s/^version = .*/version = \"$v\"/" pyproject.toml
python -m build
twine check dist/*
git tag -s "v$v" -m "v$v"
git push origin "v$v"
gh release create "v$v" dist/* --generate-notes
twine upload -u __token__ -p "$PYPI_TOKEN" dist/*
