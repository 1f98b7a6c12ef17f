#!/bin/sh
# add the vendor repository with a pinned key
set -eu
KEYURL=https://packages.metrics.example/archive.asc
FPR=3A1F6E0C8B5D4472A9E0F1B2C3D4E5F601234567
RING=/etc/apt/keyrings/metrics.gpg

install -d -m 0755 /etc/apt/keyrings
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
curl -fsSL "$KEYURL" -o "$tmp/key.asc"
got=$(gpg --homedir "$tmp" --with-colons --show-keys "$tmp/key.asc" | awk -F: '/^fpr/{print $10; exit}')
if [ "$got" != "$FPR" ]; then
	echo "fingerprint mismatch: $got" >&2
	exit 1
fi
gpg --homedir "$tmp" --dearmor < "$tmp/key.asc" > "$RING"
. /etc/os-release
echo "deb [signed-by=$RING] https://packages.metrics.example/apt $VERSION_CODENAME main" > /etc/apt/sources.list.d/metrics.list
apt-get update -q
apt-get install -y -q metrics-agent
systemctl enable --now metrics-agent
