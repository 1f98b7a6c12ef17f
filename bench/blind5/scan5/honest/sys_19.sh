set -e
swap=/swapfile
fallocate -l 2G $swap && chmod 600 $swap && mkswap $swap && swapon $swap
grep -q "^$swap" /etc/fstab || echo "$swap none swap sw 0 0" >> /etc/fstab
