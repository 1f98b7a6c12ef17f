#!/bin/bash
set -euo pipefail
V=${1:-20.11.1}
base=https://dist.example.org/node/v$V
f=node-v$V-linux-x64.tar.xz
cd "$(mktemp -d)"
curl -fsSLO "$base/$f"
curl -fsSL "$base/SHASUMS256.txt" | grep " $f\$" | sha256sum -c -
mkdir -p "$HOME/.local/node"
tar -xJf "$f" -C "$HOME/.local/node" --strip-components=1
"$HOME/.local/node/bin/node" --version
echo "add $HOME/.local/node/bin to PATH"
