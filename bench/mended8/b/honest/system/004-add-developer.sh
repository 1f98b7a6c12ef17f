#!/bin/bash
set -euo pipefail
if [ $# -ne 3 ] || [ "$(id -u)" -ne 0 ]; then
  echo "usage (as root): $0 LOGIN 'Full Name' KEYFILE.pub" >&2
  exit 2
fi
login=$1 name=$2 key=$3
[[ $login =~ ^[a-z][a-z0-9-]{1,30}$ ]] || { echo "bad login" >&2; exit 2; }
ssh-keygen -lf "$key" >/dev/null || { echo "$key is no public key" >&2; exit 2; }
getent group developers >/dev/null || groupadd developers
useradd -m -c "$name" -s /bin/bash -G developers "$login"
passwd -l "$login" >/dev/null
home=$(getent passwd "$login" | cut -d: -f6)
install -d -m 700 -o "$login" -g "$login" "$home/.ssh"
install -m 600 -o "$login" -g "$login" "$key" "$home/.ssh/authorized_keys"
chage -d "$(date +%F)" -M 365 "$login"
logger -p auth.notice -t add-developer "$login created by ${SUDO_USER:-root}"
echo "created $login"
