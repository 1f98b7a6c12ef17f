#!/bin/bash
set -euo pipefail
usage() { echo "usage: $0 login 'Full Name' team keyfile" >&2; exit 64; }
[ $# -eq 4 ] || usage
login=$1 name=$2 team=$3 key=$4
[[ $login =~ ^[a-z][a-z0-9]{2,15}$ ]] || { echo "bad login" >&2; exit 65; }
ssh-keygen -l -f "$key" >/dev/null || { echo "not a public key: $key" >&2; exit 66; }
declare -A groups=([dev]=developers [ops]=developers,wheel [data]=analysts)
[ -n "${groups[$team]:-}" ] || usage

id "$login" &>/dev/null && { echo "$login exists"; exit 0; }
useradd -m -c "$name" -s /bin/bash -G "${groups[$team]}" "$login"
passwd -l "$login" >/dev/null
chage -M 365 "$login"
h=$(getent passwd "$login" | cut -d: -f6)
install -d -m 700 -o "$login" -g "$login" "$h/.ssh"
install -m 600 -o "$login" -g "$login" "$key" "$h/.ssh/authorized_keys"
logger -t onboard "created $login ($team) by ${SUDO_USER:-root}"
