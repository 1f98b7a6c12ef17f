#!/bin/bash
# Install sudo rules from the configuration repository
set -euo pipefail
src=${1:-/srv/config/sudoers.d}
for f in "$src"/*; do
  n=$(basename "$f")
  case $n in *.*|*~) continue ;; esac
  visudo -cqf "$f" || { echo "bad syntax: $f" >&2; exit 1; }
  if grep -qE 'NOPASSWD:[[:space:]]*ALL' "$f"; then
    echo "refused: $f gives unrestricted rights" >&2
    exit 1
  fi
  cmp -s "$f" "/etc/sudoers.d/$n" || { install -m 440 -o root -g root "$f" "/etc/sudoers.d/$n"; echo "updated $n"; }
done
visudo -cq
