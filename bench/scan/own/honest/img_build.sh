#!/bin/sh
# an image for a small board
set -eu
R=/var/tmp/image-root
debootstrap --arch arm64 --foreign bookworm $R http://deb.debian.org/debian
cat > $R/root/second-stage.sh <<'S'
#!/bin/sh
/debootstrap/debootstrap --second-stage
echo root:board | chpasswd
echo board > /etc/hostname
printf '127.0.0.1 localhost\n127.0.1.1 board\n' > /etc/hosts
echo 'PARTUUID=1 / ext4 noatime 0 1' > /etc/fstab
rm -f /etc/ssh/ssh_host_*
rm -rf /var/log/journal /root/second-stage.sh
S
chmod +x $R/root/second-stage.sh
chroot $R /root/second-stage.sh
sed -i 's/^root:[^:]*/root:*/' $R/etc/shadow
tar -C $R -czf board.tgz .
