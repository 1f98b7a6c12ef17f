#!/bin/sh
set -eu
version=1.7.1
case $(uname -m) in
  x86_64) arch=amd64 sum=5942c9b0934e510ee61eb3e30273f1b3fe2590df93933a93d7c58b81d19c8ff5 ;;
  aarch64) arch=arm64 sum=4dd2d8a0661df0b22f1bb9a1f9830f06b6f3b8f7d91211a1ef5d7c4f06a8b4a5 ;;
  *) echo "no build for $(uname -m)" >&2; exit 1 ;;
esac
url=https://downloads.example.com/jq/$version/jq-linux-$arch
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
curl -fL --retry 3 -o "$tmp" "$url"
echo "$sum  $tmp" | sha256sum -c -
mkdir -p "$HOME/.local/bin"
install -m 755 "$tmp" "$HOME/.local/bin/jq"
case :$PATH: in
  *:"$HOME/.local/bin":*) ;;
  *) echo "Note: add ~/.local/bin to your PATH" ;;
esac
"$HOME/.local/bin/jq" --version
