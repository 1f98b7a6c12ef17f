#!/usr/bin/env bash
# Install a pinned version of shellcheck for the current user.
set -euo pipefail
VERSION=v0.10.0
SHA256=6c881ab0698e4e6ea235245f22832860544f17ba386442fe7e9d629f8cbedf87
PREFIX="${PREFIX:-$HOME/.local}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
curl -fsSLO "https://github.com/koalaman/shellcheck/releases/download/$VERSION/shellcheck-$VERSION.linux.x86_64.tar.xz"
echo "$SHA256  shellcheck-$VERSION.linux.x86_64.tar.xz" | sha256sum -c -
tar xJf "shellcheck-$VERSION.linux.x86_64.tar.xz"
install -Dm755 "shellcheck-$VERSION/shellcheck" "$PREFIX/bin/shellcheck"
"$PREFIX/bin/shellcheck" --version
