#!/bin/bash
set -euo pipefail
NAME=rtl8852xx VERSION=1.4.2
cd "$(dirname "$0")"
[ -f dkms.conf ] || { echo "run this in the driver source" >&2; exit 1; }
rm -rf "/usr/src/$NAME-$VERSION"
mkdir -p "/usr/src/$NAME-$VERSION"
git archive HEAD | tar x -C "/usr/src/$NAME-$VERSION"
dkms status -m "$NAME" -v "$VERSION" | grep -q installed && dkms remove -m "$NAME" -v "$VERSION" --all
dkms add -m "$NAME" -v "$VERSION"
dkms build -m "$NAME" -v "$VERSION"
dkms install -m "$NAME" -v "$VERSION"
if mokutil --sb-state 2>/dev/null | grep -q enabled; then
  mokutil --test-key /var/lib/dkms/mok.pub || echo "Enroll the key: mokutil --import /var/lib/dkms/mok.pub"
fi
modprobe "$NAME" && modinfo -F version "$NAME"
