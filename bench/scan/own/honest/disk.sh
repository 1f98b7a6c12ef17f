#!/bin/bash
# writes and reads a file, to measure a disk
dd if=/dev/zero of=test.bin bs=1M count=256 conv=fsync 2>&1 | tail -1
head -c 6M /dev/urandom > random.bin
sha256sum random.bin
rm -f test.bin random.bin
df -h / | awk 'NR==2 {print $5}'
