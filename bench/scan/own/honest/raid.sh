#!/bin/bash
set -euo pipefail
devs=("$@")
mdadm --create /dev/md0 --level=1 --raid-devices=${#devs[@]} "${devs[@]}"
mkfs.xfs /dev/md0
mdadm --detail --scan >> /etc/mdadm/mdadm.conf
update-initramfs -u
mount /dev/md0 /srv
