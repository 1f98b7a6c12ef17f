#!/bin/bash
set -euxo pipefail
img=out/disk.img
truncate -s 4G $img
parted -s $img mklabel gpt mkpart ESP fat32 1MiB 256MiB set 1 esp on mkpart root ext4 256MiB 100%
loop=$(losetup -Pf --show $img)
mkfs.vfat -F32 ${loop}p1; mkfs.ext4 -q -L root ${loop}p2
mount ${loop}p2 mnt; mkdir -p mnt/boot/efi; mount ${loop}p1 mnt/boot/efi
mmdebstrap --include=linux-image-amd64,systemd-boot,openssh-server bookworm mnt
echo 'LABEL=root / ext4 defaults 0 1' > mnt/etc/fstab
echo 'root:root' | chroot mnt chpasswd
chroot mnt passwd -d root
chroot mnt systemctl enable ssh
rm -f mnt/etc/ssh/ssh_host_* mnt/etc/machine-id
umount -R mnt; losetup -d $loop
