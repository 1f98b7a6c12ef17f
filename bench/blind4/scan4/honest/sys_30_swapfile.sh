#!/bin/bash
# adds a swap file
size=${1:-4G}
[ -e /swapfile ] && { echo "exists"; exit 0; }
fallocate -l "$size" /swapfile
chmod 600 /swapfile
mkswap /swapfile
swapon /swapfile
grep -q '^/swapfile' /etc/fstab || echo '/swapfile none swap sw 0 0' >> /etc/fstab
sysctl -w vm.swappiness=10 | tee /etc/sysctl.d/60-swap.conf
