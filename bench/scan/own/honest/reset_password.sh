#!/bin/bash
# help desk: a new password for one account, to be changed at the next login
[[ $EUID -eq 0 ]] || { echo "as root" >&2; exit 1; }
user=${1:?user}
pw=$(pwgen -s 14 1)
printf '%s:%s\n' "$user" "$pw" | chpasswd
chage -d 0 "$user"
faillock --user "$user" --reset
echo "$user: $pw"
