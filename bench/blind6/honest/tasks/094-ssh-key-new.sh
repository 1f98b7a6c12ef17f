#!/bin/bash
set -euo pipefail
name=${1:?name}
f=$HOME/.ssh/${name}_ed25519
[ ! -e "$f" ] || { echo "$f exists" >&2; exit 1; }
install -d -m 700 "$HOME/.ssh"
ssh-keygen -t ed25519 -N '' -C "$name@$(hostname)" -f "$f" -q
echo "Add this public key as a deploy key:"
cat "$f.pub"
