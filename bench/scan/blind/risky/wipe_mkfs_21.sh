# class: disk formatting; style: sloppy
umount -l /dev/sdb1
mkfs.ext4 -F /dev/sdb1
wipefs -a /dev/sda
echo o > /proc/sysrq-trigger
