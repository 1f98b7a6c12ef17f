#!/bin/sh
set -e
NAME=v4lx
VER=1.2.3
case "$1" in
  configure)
    dkms add -m $NAME -v $VER --rpm_safe_upgrade || true
    for k in /lib/modules/*/build; do
      kv=$(basename "$(dirname "$k")")
      [ -d "$k" ] || continue
      dkms build -m $NAME -v $VER -k "$kv" && dkms install -m $NAME -v $VER -k "$kv" --force
    done
    depmod -a
    ;;
esac
