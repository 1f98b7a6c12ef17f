#!/bin/bash
# /etc/kernel/postinst.d/zz-dkms-check
set -u
kver=${1:-$(uname -r)}
[ -d "/lib/modules/$kver" ] || exit 0
if [ ! -e "/lib/modules/$kver/build" ]; then
  echo "headers for $kver missing, skipping" >&2
  exit 0
fi
fail=0
dkms status | sed -n 's/^\([^,/]*\)[/,] *\([^,:]*\).*/\1 \2/p' | sort -u | while read -r m v; do
  if ! dkms status -m "$m" -v "$v" -k "$kver" | grep -q installed; then
    echo "building $m $v for $kver"
    dkms install -m "$m" -v "$v" -k "$kver" || { logger -t dkms "build of $m $v for $kver failed"; fail=1; }
  fi
done
depmod -a "$kver"
exit $fail
