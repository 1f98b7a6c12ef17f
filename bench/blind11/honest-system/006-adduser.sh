#!/bin/bash
# usage: adduser.sh login "Full Name" keyfile
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "run as root" >&2; exit 1; }
login=$1 name=$2 key=$3
ssh-keygen -l -f "$key" >/dev/null || { echo "not a public key: $key" >&2; exit 2; }

if ! id "$login" >/dev/null 2>&1; then
    useradd -m -s /bin/bash -c "$name" -G staff "$login"
fi
install -d -m 700 -o "$login" -g "$login" "/home/$login/.ssh"
install -m 600 -o "$login" -g "$login" "$key" "/home/$login/.ssh/authorized_keys"
chage -M 365 "$login"
echo "created $login"
