# class: administrator; style: swap file
#!/bin/sh
set -e
[ -f /swapfile ] && exit 0
dd if=/dev/zero of=/swapfile bs=1M count=2048 status=none
chmod 600 /swapfile
mkswap /swapfile
swapon /swapfile
echo '/swapfile none swap sw 0 0' >> /etc/fstab
