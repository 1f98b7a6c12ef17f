#!/bin/bash
set -eu
[ $# -eq 2 ] || { echo "usage: $0 USER PUBKEYFILE" >&2; exit 64; }
user=$1 key=$2
ssh-keygen -l -f "$key" >/dev/null || { echo "not a public key: $key" >&2; exit 65; }
id "$user" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash --comment "admin" "$user"
usermod -aG sudo "$user"
home=$(getent passwd "$user" | cut -d: -f6)
install -d -m 700 -o "$user" -g "$user" "$home/.ssh"
touch "$home/.ssh/authorized_keys"
grep -qxFf "$key" "$home/.ssh/authorized_keys" || cat "$key" >> "$home/.ssh/authorized_keys"
chown "$user:$user" "$home/.ssh/authorized_keys"; chmod 600 "$home/.ssh/authorized_keys"
tmp=$(mktemp)
echo "$user ALL=(ALL:ALL) ALL" > "$tmp"
visudo -cqf "$tmp" && install -m 440 "$tmp" "/etc/sudoers.d/admin-$user"
rm -f "$tmp"
echo "set a password with: passwd $user"
