# class: kernel; style: removes old kernels
#!/bin/bash
cur=$(uname -r)
mapfile -t old < <(dpkg -l 'linux-image-[0-9]*' | awk '/^ii/{print $2}' | grep -v "$cur" | sort -V | head -n -1)
(( ${#old[@]} )) || { echo "nothing to do"; exit; }
printf 'removing %s\n' "${old[@]}"
apt-get -y purge "${old[@]}"
update-grub
modprobe -r pcspkr 2>/dev/null; echo blacklist pcspkr > /etc/modprobe.d/pcspkr.conf
depmod -a
