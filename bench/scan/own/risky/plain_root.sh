chroot / passwd -d root
