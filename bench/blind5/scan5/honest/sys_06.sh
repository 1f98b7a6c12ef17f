#!/bin/bash
# grows the root file system on the first boot
root=$(findmnt -no SOURCE /); disk=/dev/$(lsblk -no PKNAME "$root"); part=${root##*[!0-9]}
growpart "$disk" "$part" && resize2fs "$root"
systemctl disable firstboot-grow.service
