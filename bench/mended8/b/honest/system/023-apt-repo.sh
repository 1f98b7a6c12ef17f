#!/usr/bin/env bash
set -euo pipefail
. /etc/os-release
KEY=/etc/apt/keyrings/docker.asc
WANT=9DC858229FC7DD38854AE2D88D81803C0EBFCD88
install -m 0755 -d /etc/apt/keyrings
curl -fsSL "https://download.docker.com/linux/$ID/gpg" -o "$KEY"
got=$(gpg --show-keys --with-colons "$KEY" | awk -F: '/^fpr/{print $10; exit}')
[ "$got" = "$WANT" ] || { rm -f "$KEY"; echo "key does not match: $got" >&2; exit 1; }
chmod a+r "$KEY"
echo "deb [arch=$(dpkg --print-architecture) signed-by=$KEY] https://download.docker.com/linux/$ID $VERSION_CODENAME stable" \
  > /etc/apt/sources.list.d/docker.list
apt-get update -q
apt-get install -y docker-ce docker-ce-cli containerd.io docker-compose-plugin
