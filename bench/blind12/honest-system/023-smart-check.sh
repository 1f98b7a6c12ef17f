#!/bin/bash
rc=0
for d in $(lsblk -dno NAME,TYPE | awk '$2=="disk"{print $1}'); do
  if ! smartctl -H "/dev/$d" | grep -q PASSED; then
    echo "WARNING: /dev/$d"
    rc=1
  fi
done
exit $rc
